"""Random play of matches, for the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import oracle
from stationmaster.engine.deal import Deal
from stationmaster.match.match import Match
from stationmaster.rulebooks.rulebook import rulebook

if TYPE_CHECKING:
    import random


NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hugo", "Ida", "João", "Kim", "Lea", "Max", "Noa"]


def play_moves(match: Match, rng: random.Random, count: int) -> None:
    """At most this many moves of the round, half of them chosen so that rare rules come up."""
    for _ in range(count):
        if match.round.turn is None:
            return
        moves = match.round.legal_moves()
        if rng.random() < 0.5:
            match.round.push(rng.choice(moves))
        else:
            match.round.push(oracle.choose_stacked([str(move) for move in moves], rng))


def play_round(match: Match, rng: random.Random) -> None:
    """Play the round to its end."""
    play_moves(match, rng, 100_000)


def play_match(match: Match, rng: random.Random) -> Match:
    """Play the match to its end."""
    play_round(match, rng)
    while not match.over:
        match.next_round()
        play_round(match, rng)
    return match


# ---- A match for a pot, small enough to follow by hand ----

# Double-3, three tiles each, no bone pile. Round 1: 2, 2 and 1 passes, blocked. Round 2: Ben goes out, nobody
# passes. Round 3: 2, 1 and 2 passes, blocked, and it is the last.
POT_DEALS = [
    Deal(engine="3-3", starter=0, hands=[["2-3", "0-0", "0-2"], ["1-2", "1-3", "1-1"], ["0-1", "2-2", "0-3"]]),
    Deal(engine="2-2", starter=1, hands=[["0-3", "2-3", "0-0"], ["1-2", "1-1", "1-3"], ["3-3", "0-1", "0-2"]]),
    Deal(engine="1-1", starter=2, hands=[["1-2", "0-0", "2-3"], ["2-2", "1-3", "3-3"], ["0-3", "0-2", "0-1"]]),
]
POT_MOVES = [
    "3-2@0 3-1@1 3-0@M 0-2@M 1-2@1 2-2@M pass pass pass pass pass",
    "2-1@1 2-0@M 2-3@0 1-1@1 1-3@1",
    "1-0@2 1-2@0 1-3@1 0-3@2 2-3@0 3-3@1 pass pass pass pass pass",
]


def pot_match(pass_fee: int) -> tuple[Match, list[int]]:
    """The match above, and what lay in the pot after each round."""
    book = rulebook("quarter-pot").with_changes(highest=3, deal={3: 3}, rounds=3, pass_fee=pass_fee)
    match, pots = Match(book, NAMES[:3], deals=POT_DEALS), []
    for number, moves in enumerate(POT_MOVES, 1):
        if number > 1:
            match.next_round()
        for move in moves.split():
            match.round.push(move)
        pots.append(match.pot)
    return match, pots
