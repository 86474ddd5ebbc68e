"""Both referees at one table: the package's and the oracle's play the same round, and have to say the same.

Also what random play needs: rounds by number, and house rules mixed at random from everything that a rulebook allows.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import oracle
from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.errors import NotationError, RulebookError
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook, rulebook

ANY_TILES = oracle.tile_set(SimpleNamespace(highest=18, wild_tiles=True))


Dealt = tuple[str, int, list[list[str]], list[str]]  # engine, starter, hands, bone pile


class Both:
    """One round, kept by both referees."""

    def __init__(self, book: Rulebook, deal: Dealt, *, pot: int = 0, last: bool = False) -> None:
        engine, starter, hands, bone_pile = deal
        self.book = book
        self.asking = random.Random(engine)
        self.naive = oracle.OracleRound(book, engine, starter, hands, bone_pile, pot=pot, last_round=last)
        self.round = Round(
            book, Deal(engine=engine, starter=starter, hands=hands, bone_pile=bone_pile), pot=pot, last=last
        )

    def check(self) -> list[str]:
        """Compare what both say of this moment; the legal moves."""
        naive, round = self.naive, self.round
        legal = naive.legal()
        assert [str(move) for move in round.legal_moves()] == legal
        assert round.turn == naive.turn
        assert round.markers == naive.markers
        assert round.direction == naive.direction
        for train in naive.trains:
            shown = naive._exposed(train)[0]
            assert round.end_of(train) == ("W" if shown in oracle.LETTERS else shown)
        state = round._state
        assert [state.size(seat) for seat in range(round.players)] == [len(hand) for hand in naive.hands]
        assert round.pot_now == naive.pot
        if naive.turn is not None:
            assert set(round.open_doubles) == set(naive._left_open())
            assert round.must_draw == naive.must_draw
            hand = sorted(naive.hands[naive.turn], key=oracle.rank)
            assert [str(tile) for tile in round.hands[naive.turn]] == hand
        return legal

    def check_end(self) -> None:
        """Compare the ending, the hands, the points and the money."""
        naive, round = self.naive, self.round
        outcome = round.outcome()
        assert outcome is not None
        assert outcome.ending == naive.ending
        assert list(outcome.points) == naive.points()
        assert list(outcome.cents) == naive.cents()
        assert round.pot_now == naive.pot
        assert [str(tile) for tile in round.bone_pile] == naive.bone_pile
        for seat, hand in enumerate(naive.hands):
            assert [str(tile) for tile in round.hands[seat]] == sorted(hand, key=oracle.rank)

    def ask_anything(self, legal: list[str]) -> None:
        """Ask of any move whether it is legal: it is when it is in the list, and otherwise there is a reason."""
        rng = self.asking
        kind = rng.random()
        if kind < 0.2:
            text = rng.choice(["draw", "pass", "stop"])
        else:
            hand = self.naive.hands[self.naive.turn or 0]
            tile = rng.choice(hand if kind < 0.7 and hand else oracle.tile_set(self.book) if kind < 0.95 else ANY_TILES)
            low, high = oracle.ends(tile)
            train = rng.choice([*self.naive.trains, self.naive.turn, len(self.naive.hands)])
            text = (
                f"{low}-{high}@{train}" if rng.random() < 0.5 and low not in oracle.LETTERS else f"{high}-{low}@{train}"
            )
        try:
            move = Move.parse(text)
        except NotationError:  # a train beyond the last seat that can be
            assert text.endswith(f"@{MOST_SEATS}")
            return
        self.ask(move, legal)

    def ask(self, move: Move, legal: list[str]) -> None:
        """Ask why a move is not legal: there is a reason when it is not in the list."""
        reason = self.round.why_illegal(move)
        assert (reason is None) == (str(move) in legal), (move, reason)

    def play(self, move: str) -> None:
        """Make a move on both sides."""
        self.naive.play(move)
        self.round.push(move)

    def play_out(self, rng: random.Random, stacked: bool) -> int:
        """Play to the end, comparing at every step; how many moves it took."""
        while legal := self.check():
            self.ask_anything(legal)
            self.play(oracle.choose_stacked(legal, rng) if stacked else rng.choice(legal))
        self.check_end()
        return len(self.round.moves)


def both(book: Rulebook, players: int, seed: int | str) -> tuple[Both, random.Random, bool]:
    """A round under this rulebook by its number; every other one is stacked towards what is rare."""
    rng = random.Random(f"{book.id}/{players}/{seed}")
    stacked = rng.random() < 0.5 if isinstance(seed, str) else seed % 2 == 1
    rounds = len(book.engines)
    number = rounds if stacked and book.last_engine == "W-W" and rng.random() < 0.3 else rng.randrange(rounds) + 1
    deal = oracle.deal_random(book, players, number, rng, stacked=stacked)
    table = Both(book, deal, pot=rng.choice([0, 0, 1, 13, 100]), last=rng.random() < 0.5)
    return table, rng, stacked


def story(table: Both) -> str:
    """What it takes to lay this round out again."""
    deal = table.round.deal
    lines = [
        f"rules   {table.book.id} {table.book.changes()}",
        f"engine  {deal.engine}, starter {deal.starter}, pot {table.round.pot}, last {table.round.last}",
        *(f"hand {seat}  {' '.join(map(str, hand))}" for seat, hand in enumerate(deal.hands)),
        f"pile    {' '.join(map(str, deal.bone_pile))}",
        f"moves   {', '.join(f'{seat} {move}' for seat, move in table.round.moves)}",
        f"oracle  {table.naive.turn}: {' '.join(table.naive.legal())}",
        f"core    {table.round.turn}: {' '.join(map(str, table.round.legal_moves()))}",
    ]
    return "\n".join(lines)


def compare(book: Rulebook, players: int, seed: int | str) -> int:
    """Play one round on both sides; the error of a disagreement tells the whole round."""
    table, rng, stacked = both(book, players, seed)
    try:
        return table.play_out(rng, stacked)
    except Exception as error:
        error.add_note(f"seed    {seed!r}\n{story(table)}")
        raise


# ---- House rules ------------------------------------------------------------------------------------


def house_mix(number: int) -> tuple[Rulebook, int]:
    """Any house rules that a rulebook accepts, and a number of players; each number means the same for ever."""
    rng = random.Random(f"house mix {number}")
    while True:
        players = rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 6, 8, 11, 14])
        highest = rng.choice([1, 2, 3, 4, 5, 6, 6, 7, 9, 12, 15, 18])
        wild = rng.random() < 0.5
        tiles = (highest + 1) * (highest + 2) // 2 + (highest + 9) * wild - 1
        most = min(tiles // players, 20)
        if most < 1:
            continue
        changes: dict[str, Any] = {
            "highest": highest,
            "wild_tiles": wild,
            "wild_points": rng.choice([0, 10, 25]) * wild,
            "deal": {players: rng.randint(max(1, most // 3), most)},
            "last_engine": "W-W" if wild and rng.random() < 0.5 else "0-0",
            "rounds": 1,
            "starter": "random",
            "first_starter": 0,
            "first_turn": rng.choice(["any-train", "own-tile", "own-string"]),
            "first_turn_out": rng.choice(["ends-round", "others-finish"]),
            "own_train_first": rng.random() < 0.5,
            "follow_up": rng.choice(["anywhere", "on-double"]),
            "follow_up_draw": rng.random() < 0.6,
            "second_double": rng.choice(["third-tile", "last-tile", "free", "never"]),
            "open_doubles_bind": rng.random() < 0.6,
            "double_blank": rng.choice([0, 0, 50]),
            "ante": rng.choice([0, 25]),
            "pass_fee": rng.choice([0, 5]),
        }
        if not wild and rng.random() < 0.2:
            changes |= {"engine": "highest-held", "starter": "engine-holder", "last_engine": "0-0"}
            if most < 2:
                continue
            changes["deal"] = {players: rng.randint(2, most)}
        try:
            return rulebook("tactic").with_changes(id=f"mix-{number}", **changes), players
        except RulebookError:
            continue
