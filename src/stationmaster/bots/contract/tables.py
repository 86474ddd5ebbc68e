"""The tables at which a bot is asked: every rulebook, every number of players, open hands, house rules of all kinds.

A table has a name, and with a seed the name says everything about it: the rulebook, the deal, what the others play,
which decisions the bot is asked about. So a name is all it takes to sit down at it once more.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.engine.standing import Standing
from stationmaster.errors import RulebookError, StationmasterError
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook, rulebook, rulebooks

if TYPE_CHECKING:
    from collections.abc import Sequence

HOUSES = 40
QUESTIONS = 8  # at a table, about
CLOCKS = ("puremco-12-4", "supertrain-3", "puremco-18-8", "quarter-pot-5")  # where answers are timed
# For a quick look: each number of players somewhere, each rulebook, and a few of everything else.
QUICK = (
    "pressman-1",
    "front-porch-2",
    "puremco-9-3",
    "supertrain-3",
    "puremco-12-4",
    "tactic-nine-4",
    "front-porch-5",
    "quarter-pot-6",
    "tactic-7",
    "supertrain-8",
    "puremco-15-9",
    "puremco-15-10",
    "puremco-18-11",
    "puremco-15-12",
    "puremco-18-13",
    "puremco-18-14",
    "open-tactic",
    "open-supertrain",
    "round-pressman",
    "round-supertrain",
    *(f"house-{number}" for number in range(8)),
    "clock-1",
)


class Table(msgspec.Struct, frozen=True):
    """One round: the rules, how many play, which deal."""

    name: str
    book: Rulebook
    players: int
    number: int
    seed: str

    @property
    def whole(self) -> bool:
        """The bot plays every seat from the deal to the end, and is asked once about each move."""
        return self.name.startswith("round-")

    @property
    def clock(self) -> bool:
        """The bot is given seconds, and its answers are timed."""
        return self.name.startswith("clock-")

    @property
    def standing(self) -> Standing | None:
        """How the match stands: any way it may, and now and then it is a round by itself."""
        rng = Random(f"standing {self.seed}")
        standing = Standing.first(self.book.rounds, self.players)
        for _ in range(self.number - 1):
            points = [rng.choice([0, rng.randrange(60)]) for _ in range(self.players)]
            standing = standing.after(points, [rng.randrange(-90, 91) for _ in range(self.players)])
        return standing if rng.random() < 0.7 else None

    def round(self, moves: Sequence[Move | str] = ()) -> Round:
        """The round after these moves."""
        deal = Deal.shuffle(self.book, self.players, self.number, seed=self.seed)
        round = Round(self.book, deal, standing=self.standing)
        for move in moves:
            round.push(move)
        return round


def table_names(quick: bool) -> tuple[str, ...]:
    """The names of all tables, or of those for a quick look."""
    if quick:
        return QUICK
    names = [f"{id}-{players}" for id in rulebooks() for players in rulebook(id).players]
    names += [f"{kind}-{id}" for kind in ("open", "round") for id in rulebooks()]
    names += [f"house-{number}" for number in range(HOUSES)]
    Random(0).shuffle(names)  # so that whatever is wrong shows early
    return (*names, *(f"clock-{number + 1}" for number in range(len(CLOCKS))))


def table(name: str, seed: int | str) -> Table:
    """The table with this name."""
    rng = Random(f"{seed} {name}")
    kind, _, rest = name.partition("-")
    if kind == "clock" and rest.isdecimal() and 1 <= int(rest) <= len(CLOCKS):
        id, _, seats = CLOCKS[int(rest) - 1].rpartition("-")
        book, players = rulebook(id), int(seats)
    elif kind == "house" and rest.isdecimal():
        book, players = _house(rng, int(rest))
    elif kind in ("open", "round") and rest in rulebooks():
        book = rulebook(rest)
        players = rng.choice(book.players)
        if kind == "open":
            book = book.with_changes(open_hands=True)
    else:
        id, _, seats = name.rpartition("-")
        if id not in rulebooks() or not seats.isdecimal() or int(seats) not in rulebook(id).players:
            raise StationmasterError(
                f"there is no table {name!r}: tables are called as tactic-4, open-tactic, round-tactic, house-7 "
                f"or clock-1 to clock-{len(CLOCKS)}"
            )
        book, players = rulebook(id), int(seats)
    engines = len(book.engines)
    last = book.last_engine == "W-W" and rng.random() < 0.3  # W-W as the engine is rare, and a rule of its own
    number = engines if last else rng.randrange(min(book.rounds, engines)) + 1
    return Table(name, book, players, number, f"{seed} {name}")


def _house(rng: Random, number: int) -> tuple[Rulebook, int]:
    """House rules from everything that a rulebook may say, on a set of any size."""
    while True:
        players = 1 + (number + rng.choice([0, 0, 1])) % MOST_SEATS
        highest = rng.choice([3, 4, 5, 6, 6, 7, 9, 12, 15, 18])
        wild = rng.random() < 0.5
        tiles = (highest + 1) * (highest + 2) // 2 + (highest + 9) * wild - 1
        most = min(tiles // players, 20)
        if most < 2:
            continue
        changes: dict[str, Any] = {
            "highest": highest,
            "wild_tiles": wild,
            "wild_points": rng.choice([0, 10, 25]) * wild,
            "deal": {players: rng.randint(2, most)},
            "last_engine": "W-W" if wild and rng.random() < 0.5 else "0-0",
            "rounds": 1 + rng.randrange(highest),
            "open_hands": rng.random() < 0.2,
            "first_turn": rng.choice(["any-train", "own-tile", "own-string"]),
            "first_turn_out": rng.choice(["ends-round", "others-finish"]),
            "own_train_first": rng.random() < 0.5,
            "follow_up": rng.choice(["anywhere", "on-double"]),
            "follow_up_draw": rng.random() < 0.5,
            "second_double": rng.choice(["third-tile", "last-tile", "free", "never"]),
            "open_doubles_bind": rng.random() < 0.5,
            "double_blank": rng.choice([0, 0, 50]),
            "ante": rng.choice([0, 25]),
            "pass_fee": rng.choice([0, 5]),
            "objective": rng.choice(["lowest-points", "most-money"]),
        }
        if not wild and rng.random() < 0.2:
            changes |= {"engine": "highest-held", "starter": "engine-holder", "last_engine": "0-0"}
        else:
            changes |= {"starter": "random", "first_starter": 0}
        try:
            return rulebook("tactic").with_changes(id=f"house-{number}", **changes), players
        except RulebookError:  # some of these contradict each other
            continue


def liked(moves: Sequence[Move], rng: Random) -> Move:
    """A move by chance, stacked towards doubles, wild tiles and strings, so that long turns come up."""
    stays = [move for move in moves if move.kind != "stop" or rng.random() < 0.2] or moves
    rare = [move for move in stays if move.tile is not None and (move.tile.is_double or move.tile.is_wild)]
    return rng.choice(rare if rare and rng.random() < 0.5 else stays)


def worth_asking(round: Round, moves: Sequence[Move], rng: Random) -> bool:
    """Whether the bot is asked about this decision: some in every part of the round, rather where rules are rare."""
    if round.phase in ("two-doubles", "extra-play", "must-draw"):
        return True
    if len(moves) == 1:
        return rng.random() < 0.05
    usual = QUESTIONS / (round.players * len(round.deal.hands[0]))
    return rng.random() < (usual if round.phase == "play" and not round.open_doubles else 3 * usual)
