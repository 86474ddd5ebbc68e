"""What a worker does: play some samples of a cell, and hand back what was noted, as rows of whole numbers."""

from __future__ import annotations

from array import array
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from stationmaster.engine.standing import Standing
from stationmaster.lab.job import Job
from stationmaster.lab.rounds import OF_ROUND, OF_SEAT, Streams, table

if TYPE_CHECKING:
    from stationmaster.lab.job import Cell, Lineup
    from stationmaster.lab.rounds import Table

# A row is one round: these, then OF_ROUND, then for each seat the entrant and OF_SEAT.
HEAD = ("sample", "rotation", "round", "engine", "starter")
SEAT = ("entrant", *OF_SEAT)


class Task(msgspec.Struct, frozen=True):
    """Samples ``first`` to ``last`` (this one not) of a cell."""

    cell: int
    first: int
    last: int


def columns(players: int) -> int:
    """How many numbers a row has."""
    return len(HEAD) + len(OF_ROUND) + players * len(SEAT)


class Played(NamedTuple):
    """What comes back of a task: its rows, one behind the other, as 32-bit numbers; and how long it took."""

    rows: bytes
    seconds: float


def play(job: bytes, task: Task) -> Played:
    """Play a task."""
    began = perf_counter()
    rows = _worker(job).play(task)
    return Played(rows, perf_counter() - began)


@lru_cache(maxsize=4)
def _worker(job: bytes) -> Worker:
    return Worker(msgspec.json.decode(job, type=Job))


class Worker:
    """Plays samples of one job. Bots and tables are set up once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._tables: dict[tuple[int, frozenset[int]], Table] = {}

    def table(self, cell: int, lineup: Lineup) -> Table:
        """Where these sit down."""
        key = (cell, frozenset(lineup))
        if key not in self._tables:
            self._tables[key] = table(self.job.cells[cell].book, lineup, self.job.entrants)
        return self._tables[key]

    def play(self, task: Task) -> bytes:
        """Play every sample of a task."""
        rows = array("i")
        cell = self.job.cells[task.cell]
        for sample in range(task.first, task.last):
            self.play_sample(task.cell, cell, sample, rows)
        return rows.tobytes()

    def play_sample(self, number: int, cell: Cell, sample: int, rows: array[int]) -> None:
        """Play one deal, or one match, in all rotations."""
        seed = self.job.seed
        deals = cell.deals(seed, sample)
        for rotation, lineup in enumerate(cell.lineups(seed, sample)):
            there = self.table(number, lineup)
            pot = 0
            standing = Standing.first(len(deals), cell.players) if cell.matches else None
            for at, (round, deal) in enumerate(deals, 1):
                # A single round stands for itself: what would stay in the pot is shared.
                streams = Streams(seed, sample, rotation, round)
                noted, pot = there.play(deal, lineup, pot, at == len(deals), streams, standing)
                if standing is not None:
                    points, cents = (
                        noted[len(OF_ROUND) + OF_SEAT.index(name) :: len(OF_SEAT)] for name in ("points", "cents")
                    )
                    standing = standing.after(points, cents)
                rows.extend((sample, rotation, round, deal.engine.code, deal.starter, *noted[: len(OF_ROUND)]))
                for seat, who in enumerate(lineup):
                    begin = len(OF_ROUND) + seat * len(OF_SEAT)
                    rows.append(who)
                    rows.extend(noted[begin : begin + len(OF_SEAT)])
