"""Spots and rounds that the tests of bots share."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import stationmaster as sm
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for


def spot(rulebook: str = "puremco-12", **given: Any) -> sm.Observation:
    """What seat 0 sees of a spot with engine 12-12, which is its turn; tiles not named are in the bone pile."""
    return sm.Position(sm.rulebook(rulebook), engine="12-12", bone_pile=None, **given).round().observe(0)


def decisions(book: sm.Rulebook, players: int, seed: int | str, *, among: int = 2) -> Iterator[sm.Round]:
    """The moments of a round, mostly played as the planner would, at which there are so many placements."""
    rng = Random(f"{book.id} {players} {seed}")
    number = 1 + rng.randrange(min(book.rounds, len(book.engines)))
    round = sm.Round(book, sm.Deal.shuffle(book, players, number, seed=seed), pot=rng.choice([0, 130]))
    planner = Planner(weights_for(book))
    while round.turn is not None:
        legal = round.legal_moves()
        if sum(move.tile is not None for move in legal) >= among:
            yield round
        round.push(rng.choice(legal) if rng.random() < 0.2 else sm.Move.from_code(planner.choice(round._state)))


def last_tiles(rulebook: str, pot: int = 0, **house: Any) -> sm.Observation:
    """Seat 0 goes out with 2-2 and 2-0 in one turn; after 2-0 alone, seat 1 goes out with its last tile."""
    book = sm.rulebook(rulebook).with_changes(highest=3, open_hands=True, deal={2: 2}, rounds=4, **house)
    trains: dict[Any, str] = {0: "3-1", "M": "3-2"}
    laid = sm.Position(book, engine="3-3", trains=trains, hands=[["2-2", "0-2"], ["0-1"]], bone_pile=None).round()
    return sm.Round(book, laid.deal, pot=pot, layout=laid.layout).observe(0)
