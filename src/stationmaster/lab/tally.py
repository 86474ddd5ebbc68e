"""One number for each sample, as it comes in, in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from stationmaster.lab.frame import Column, Frame
    from stationmaster.lab.statistics import Floats
    from stationmaster.lab.work import Task


def mean_of_samples(task: Task, of: Frame, values: Column, who: Column | None = None) -> Floats:
    """The mean of some rows' values in each sample of a task; NaN where a sample has no such row."""
    at = of["sample"] - task.first
    count = task.last - task.first
    if who is not None:
        at, values = at[who], values[who]
    sums = np.bincount(at, weights=values, minlength=count)
    with np.errstate(invalid="ignore"):
        means: Floats = sums / np.bincount(at, minlength=count)
    return means


class Samples:
    """So many numbers for each of the samples 0, 1, 2 …, filled in any order."""

    def __init__(self, target: int, numbers: int = 1) -> None:
        self._values = np.full((numbers, target), np.nan)
        self._there = np.zeros(target, dtype=bool)
        self._prefix = 0

    def put(self, task: Task, *rows: Floats) -> None:
        """Fill in what a task brought; samples past the target are left out."""
        last = min(task.last, len(self._there))
        if last <= task.first:
            return
        for number, values in enumerate(rows):
            self._values[number, task.first : last] = values[: last - task.first]
        self._there[task.first : last] = True
        if self._prefix >= task.first:
            gaps = np.flatnonzero(~self._there[self._prefix :])
            self._prefix = self._prefix + int(gaps[0]) if len(gaps) else len(self._there)

    @property
    def count(self) -> int:
        """How many samples are there."""
        return int(self._there.sum())

    def all(self) -> Floats:
        """All that is there, a row for each number."""
        return self._values[:, self._there]

    def in_order(self) -> Floats:
        """What is there without a gap from sample 0 on."""
        return self._values[:, : self._prefix]
