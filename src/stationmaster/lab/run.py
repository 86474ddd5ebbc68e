"""Playing a job: tasks go out to a crew, what comes back is kept, and a watcher may say that it is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from stationmaster.lab.crews import Crew, crew
from stationmaster.lab.frame import Frame, frame
from stationmaster.lab.results import Results, alone_in
from stationmaster.lab.work import Task

if TYPE_CHECKING:
    from stationmaster.lab.job import Job

SECONDS = 1.0  # that a task should take: short enough to see it go on, long enough to be worth sending
MOST = 20_000  # samples in a task
GROWTH = 8  # times more samples than in the task before, at most
AHEAD = 2  # tasks under way for each that can be played at once

# Sees what was played, in any order; True means that it is enough.
Watch = Callable[[Task, Frame], bool]


def carry_out(
    results: Results,
    targets: Sequence[int],
    watch: Watch,
    *,
    begin: Callable[[], None] = lambda: None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> bool:
    """Play what is missing of a job, so many samples of each cell; whether the watcher said that it is enough.

    ``begin`` is called once what was kept before has been looked through.
    """
    with alone_in(results.folder):
        for task, made in results.frames():
            if watch(task, made):
                return True
        begin()
        plan = Plan(results, targets)
        if plan.over:
            return False
        players = crew(msgspec.json.encode(results.job), workers, scheduler)
        try:
            return _play(results, plan, players, watch)
        finally:
            players.leave()
            results.tidy()


def _play(results: Results, plan: Plan, players: Crew, watch: Watch) -> bool:
    running = 0
    job: Job = results.job
    while True:
        while running < AHEAD * players.size and (task := plan.next()) is not None:
            players.give(task)
            running += 1
        if not running:
            return False
        task, played = players.take()
        running -= 1
        made = frame(job, task.cell, played.rows)
        results.add(task, made)
        plan.done(task, played.seconds)
        if watch(task, made):
            return True


class Plan:
    """What goes out next, in pieces of about a second each."""

    def __init__(self, results: Results, targets: Sequence[int]) -> None:
        self._gaps: Iterator[tuple[int, int, int]] = iter(
            [
                (cell, first, last)
                for cell, target in enumerate(targets)
                for first, last in results.missing(cell, target)
            ]
        )
        self._gap = next(self._gaps, None)
        self._size: dict[int, int] = {}

    @property
    def over(self) -> bool:
        """Whether all has gone out."""
        return self._gap is None

    def next(self) -> Task | None:
        """The next piece; None when all has gone out."""
        if self._gap is None:
            return None
        cell, first, last = self._gap
        end = min(last, first + self._size.get(cell, 1))
        self._gap = (cell, end, last) if end < last else next(self._gaps, None)
        return Task(cell, first, end)

    def done(self, task: Task, seconds: float) -> None:
        """Learn from what is done how large a piece of this cell should be."""
        played = task.last - task.first
        fitting = int(played * SECONDS / max(seconds, 1e-6))
        self._size[task.cell] = max(1, min(fitting, played * GROWTH, MOST))
