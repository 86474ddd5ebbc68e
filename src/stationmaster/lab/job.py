"""What is to be played: everything that decides the results, and nothing else.

A job is cells; a cell is one rulebook, one number of players and the bots around the table. In each cell samples are
played, numbered from 0. A sample is one deal, or all the deals of a whole match, played once for each distinct
rotation of the bots around the table. Which deal, who sits where and every bot's random numbers follow from the job's
seed and the sample's number. So it is all the same how many workers play, in which order, and how often they stop.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import blake2b
from random import Random
from typing import Any

import msgspec

from stationmaster import __version__
from stationmaster.engine.deal import Deal
from stationmaster.lab.entrants import Entrant, labels
from stationmaster.match.deals import next_starter
from stationmaster.rulebooks.rulebook import Rulebook, rulebook_for_record, rulebook_from_record

FORMAT = 1

Lineup = tuple[int, ...]  # the entrant at each seat, by number


class Cell(msgspec.Struct, frozen=True, dict=True):
    """One rulebook, one number of players, and the tables: which entrants sit together."""

    rulebook: str  # its id; where house rules are compared, of the rulebook that they are put on
    rules: dict[str, Any]  # as in a record: every parameter
    players: int
    tables: tuple[Lineup, ...]  # taken in turns, sample by sample
    matches: bool = False  # whole matches rather than single rounds
    house: str = ""  # what the house rule is called, if it is one of several that are compared

    @cached_property
    def book(self) -> Rulebook:
        """The rulebook."""
        return rulebook_from_record(self.rules)

    @property
    def rounds(self) -> int:
        """How many rounds a sample has, once."""
        return self.book.rounds if self.matches else 1

    def number(self, sample: int) -> int:
        """The number of the round that a sample of one round is: every engine comes, at every table."""
        return sample // len(self.tables) % self.book.rounds + 1

    def deals(self, seed: str, sample: int) -> list[tuple[int, Deal]]:
        """The deals of a sample, with the numbers of their rounds."""
        book, text = self.book, f"{seed}/{sample}"
        if not self.matches:
            number = self.number(sample)
            return [(number, Deal.shuffle(book, self.players, number, seed=text))]
        deals: list[tuple[int, Deal]] = []
        for number in range(1, book.rounds + 1):
            starter = next_starter(book, self.players, deals[-1][1] if deals else None)
            deals.append((number, Deal.shuffle(book, self.players, number, seed=text, starter=starter)))
        return deals

    def lineups(self, seed: str, sample: int) -> list[Lineup]:
        """Who sits where in each rotation. How the bots sit around the table is drawn for each sample."""
        table = self.tables[sample % len(self.tables)]
        if len(set(table)) > 1 and len(table) > 2:
            shuffled = list(table)
            Random(number_from(seed, "seats", sample)).shuffle(shuffled)
            table = tuple(shuffled)
        return distinct_rotations(table)


@lru_cache(maxsize=4096)
def distinct_rotations(table: Lineup) -> list[Lineup]:
    """The table turned seat by seat, as long as that changes who sits where."""
    turned: list[Lineup] = []
    for shift in range(len(table)):
        lineup = table[-shift:] + table[:-shift] if shift else table
        if lineup in turned:
            break
        turned.append(lineup)
    return turned


class Job(msgspec.Struct, frozen=True, dict=True):
    """Everything that decides what is played."""

    kind: str  # "match", "ladder" or "study"
    seed: str
    entrants: tuple[Entrant, ...]
    cells: tuple[Cell, ...]
    title: str = ""
    questions: tuple[str, ...] = ()  # what the report of a study answers
    format: int = FORMAT
    version: str = __version__  # of the program: bots may play otherwise in the next

    @cached_property
    def labels(self) -> list[str]:
        """What the entrants are called."""
        return labels(self.entrants)

    @cached_property
    def key(self) -> str:
        """A short name that no other job has."""
        return blake2b(msgspec.json.encode(self), digest_size=5).hexdigest()

    @property
    def repeatable(self) -> bool:
        """Whether playing again gives the same results: not where bots think by the clock."""
        return all(one.limit.seconds is None for one in self.entrants)


def cell(
    book: Rulebook,
    players: int,
    tables: tuple[Lineup, ...],
    *,
    matches: bool = False,
    rulebook: str | None = None,
    house: str = "",
) -> Cell:
    """A cell of this rulebook."""
    return Cell(rulebook or book.id, rulebook_for_record(book), players, tables, matches, house)


def number_from(*parts: object) -> int:
    """A number that follows from these parts, and looks like nothing."""
    text = "\x1f".join(map(str, parts)).encode("utf-8")
    return int.from_bytes(blake2b(text, digest_size=16).digest(), "big")
