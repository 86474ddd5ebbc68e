"""A against B: the mean difference, the share of rounds won, and a test that stops when it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stationmaster.errors import StationmasterError
from stationmaster.lab.frame import matches_won
from stationmaster.lab.job import Job, cell
from stationmaster.lab.statistics import Interval, Sprt, Verdict, mean_interval
from stationmaster.lab.tally import Samples, mean_of_samples

if TYPE_CHECKING:
    from stationmaster.lab.entrants import Entrant
    from stationmaster.lab.frame import Frame
    from stationmaster.lab.job import Cell, Lineup
    from stationmaster.lab.work import Task
    from stationmaster.rulebooks.rulebook import Rulebook


def match_job(
    a: Entrant, b: Entrant, book: Rulebook, players: int, seats: int, *, seed: str, matches: bool = False
) -> Job:
    """A at so many seats, B at the others."""
    if players < 2:
        raise StationmasterError(f"{players} player: A against B takes two or more")
    if not 1 <= seats < players:
        raise StationmasterError(f"seats = {seats}: A takes from 1 to {players - 1} of {players} seats, B the others")
    lineup: Lineup = (0,) * seats + (1,) * (players - seats)
    return Job("match", seed, (a, b), (cell(book, players, (lineup,), matches=matches),))


class Standing:
    """What is known so far of a match of A against B."""

    def __init__(self, job: Job, target: int, sprt: Sprt | None = None) -> None:
        self.job = job
        self.sprt = sprt
        self.by_money = job.cells[0].book.objective == "most-money"
        self.rounds = 0  # played, those included that came after a decision
        self._samples = Samples(target, 3)

    def add(self, task: Task, of: Frame) -> bool:
        """Take in what was played; True when the test has decided."""
        a = of["entrant"] == 0
        counts = of["cents"] if self.by_money else of["points"]
        difference = mean_of_samples(task, of, counts, a) - mean_of_samples(task, of, counts, ~a)
        # All seats of A together win this share of a round, or of a match.
        won = of["won"]
        if self.cell.matches:
            won = np.repeat(matches_won(of, self.cell).reshape(-1, self.players), self.cell.rounds, axis=0).reshape(-1)
        share = mean_of_samples(task, of, won, a) * self.seats
        rounds = np.bincount(of["sample"] - task.first, minlength=task.last - task.first) / self.players
        self._samples.put(task, difference, share, rounds)
        self.rounds += len(a) // self.players
        return self.sprt is not None and self.verdict.accepted is not None

    @property
    def cell(self) -> Cell:
        """What is played: a match has one cell."""
        return self.job.cells[0]

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return self.cell.players

    @property
    def seats(self) -> int:
        """How many of them are A."""
        return self.job.cells[0].tables[0].count(0)

    @property
    def count(self) -> int:
        """How many deals, or matches, were played."""
        return self._samples.count

    @property
    def verdict(self) -> Verdict:
        """Where the test stands, by the samples in their order."""
        assert self.sprt is not None
        difference = self._samples.in_order()[0]
        return self.sprt.test(difference if self.by_money else -difference)

    def _counted(self) -> Any:
        """The samples that count: with a test those up to its decision, whatever else was played meanwhile."""
        if self.sprt is None:
            return self._samples.all()
        return self._samples.in_order()[:, : self.verdict.samples]

    @property
    def difference(self) -> Interval:
        """A's points (or cents) a round less the mean of B's."""
        return mean_interval(self._counted()[0])

    @property
    def share(self) -> Interval:
        """The share of rounds that A won, or of matches where whole ones are played."""
        return mean_interval(self._counted()[1])

    @property
    def counted_rounds(self) -> int:
        """The rounds of the samples that count."""
        return int(self._counted()[2].sum())

    def figures(self) -> dict[str, Any]:
        """All of it for a program to read."""
        cell = self.job.cells[0]
        a, b = self.job.labels
        found: dict[str, Any] = {
            "a": a,
            "b": b,
            "rulebook": cell.book.id,
            "players": self.players,
            "seats": self.seats,
            "seed": self.job.seed,
            "whole_matches": cell.matches,
            "samples": int(self._counted().shape[1]),
            "rounds": self.counted_rounds,
            "unit": "cents" if self.by_money else "points",
            "difference": figures(self.difference),
            "share": figures(self.share),
            "fair_share": self.seats / self.players,
            "sprt": None,
        }
        if self.sprt is not None:
            verdict = self.verdict
            found["sprt"] = {
                "h0": self.sprt.low,
                "h1": self.sprt.high,
                "accepted": verdict.accepted,
                "samples": verdict.samples,
                "llr": verdict.llr,
                "lower": verdict.lower,
                "upper": verdict.upper,
            }
        return found


def figures(of: Interval) -> dict[str, Any]:
    """An interval for a program to read; what is not known is null."""

    def number(value: float) -> float | None:
        return None if np.isnan(value) else value

    return {"mean": number(of.mean), "low": number(of.low), "high": number(of.high), "samples": of.samples}
