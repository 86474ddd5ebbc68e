"""A against A: the test must seldom find that a bot is better than itself."""

from __future__ import annotations

import pytest

import stationmaster as sm
from stationmaster.lab.entrants import entrant
from stationmaster.lab.frame import frame
from stationmaster.lab.match import Standing, match_job
from stationmaster.lab.statistics import Sprt
from stationmaster.lab.work import Task, Worker

RUNS = 200
ALARMS = 16  # of 200 runs: 5 % would be 10


@pytest.mark.long
def test_a_bot_is_seldom_better_than_itself() -> None:
    """Each seat has random numbers of its own, so the two play alike and not the same."""
    bot = entrant("random")
    found = []
    for seed in range(RUNS):
        job = match_job(bot, bot, sm.rulebook("puremco-12"), 4, 1, seed=f"A against A {seed}")
        worker, standing = Worker(job), Standing(job, 100_000, Sprt())
        for first in range(0, 100_000, 100):
            task = Task(0, first, first + 100)
            if standing.add(task, frame(job, 0, worker.play(task))):
                break
        found.append(standing.verdict.accepted)
    assert None not in found
    assert 0 < found.count("H1") <= ALARMS
