"""Who does the playing: this process, processes of this machine, or the workers of a Dask cluster.

A crew is given tasks and hands back what was played, in any order. A worker that dies costs time and nothing else: its
tasks are given to another. A task that takes down three workers stops the run.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from importlib import import_module
from time import monotonic
from typing import Any, Protocol

from stationmaster.errors import StationmasterError
from stationmaster.lab.work import Played, Task, play

LIVES = 3  # workers that may die over one task

Play = Callable[[bytes, Task], Played]


class Crew(Protocol):
    """Those who play."""

    @property
    def size(self) -> int:
        """How many tasks are played at once."""

    def give(self, task: Task) -> None:
        """Have a task played."""

    def take(self) -> tuple[Task, Played]:
        """Wait for the next task to be done; what was played."""

    def leave(self) -> None:
        """Stop, and forget what is under way."""


class Alone:
    """Plays in this process."""

    size = 1

    def __init__(self, job: bytes) -> None:
        self._job = job
        self._tasks: deque[Task] = deque()

    def give(self, task: Task) -> None:
        self._tasks.append(task)

    def take(self) -> tuple[Task, Played]:
        task = self._tasks.popleft()
        return task, play(self._job, task)

    def leave(self) -> None:
        self._tasks.clear()


class Processes:
    """Plays in processes of this machine."""

    def __init__(self, job: bytes, workers: int, play: Play = play) -> None:
        self._job = job
        self._play = play
        self.size = workers
        self._deaths: dict[Task, int] = {}
        self._pool = self._new_pool()
        self._running: dict[Future[Played], Task] = {}

    def _new_pool(self) -> ProcessPoolExecutor:
        # Spawned, not forked: a fork in the middle of other threads' work can hang.
        return ProcessPoolExecutor(self.size, mp_context=multiprocessing.get_context("spawn"))

    def give(self, task: Task) -> None:
        with _deaf_to_interrupts():
            try:
                future = self._pool.submit(self._play, self._job, task)
            except BrokenProcessPool:
                self._replace_pool()
                future = self._pool.submit(self._play, self._job, task)
        self._running[future] = task

    def take(self) -> tuple[Task, Played]:
        while True:
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            future = next(iter(done))
            try:
                played = future.result()
            except BrokenProcessPool:
                self._again()
                continue
            return self._running.pop(future), played

    def _again(self) -> None:
        """A worker died, and with it the pool: what was under way is given out once more."""
        lost = list(self._running.values())
        self._running.clear()
        self._replace_pool()
        for task in lost:
            _count_death(self._deaths, task)
        for task in lost:
            self.give(task)

    def _replace_pool(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def leave(self) -> None:
        workers = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        self._running.clear()


class Cluster:
    """Plays on the workers of a Dask cluster."""

    def __init__(self, job: bytes, scheduler: str) -> None:
        distributed: Any = import_module("dask.distributed")

        self._where = scheduler
        try:
            self._client: Any = distributed.Client(scheduler, timeout="10s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise StationmasterError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        self._looked = 0.0
        self._size = 0
        if not self.size:
            self._client.close()
            raise StationmasterError(f"the Dask cluster at {scheduler} has no workers")
        self._done: Any = distributed.as_completed(loop=self._client.loop)
        self._running: dict[str, Task] = {}
        self._job = job

    @property
    def size(self) -> int:
        """How many tasks its workers play at once; they may come and go."""
        if monotonic() > self._looked + 5:
            self._size = sum(self._client.nthreads().values())
            self._looked = monotonic()
        return self._size

    def give(self, task: Task) -> None:
        future = self._client.submit(play, self._job, task, pure=False)
        self._running[future.key] = task
        self._done.add(future)

    def take(self) -> tuple[Task, Played]:
        from dask.distributed import KilledWorker

        future = next(self._done)
        task = self._running.pop(future.key)
        try:
            played: Played = future.result()
        except KilledWorker:
            raise _too_many_deaths(task) from None
        except (CancelledError, OSError):
            raise StationmasterError(f"the Dask scheduler at {self._where} has gone; what was played is kept") from None
        return task, played

    def leave(self) -> None:
        with suppress(OSError):
            self._client.close()


def _count_death(deaths: dict[Task, int], task: Task) -> None:
    deaths[task] = deaths.get(task, 0) + 1
    if deaths[task] >= LIVES:
        raise _too_many_deaths(task)


def _too_many_deaths(task: Task) -> StationmasterError:
    return StationmasterError(
        f"worker after worker dies over samples {task.first} to {task.last - 1}: "
        "is there enough memory, and does a bot crash? --workers 1 plays in one process"
    )


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crew(job: bytes, workers: int | None, scheduler: str | None) -> Crew:
    """Those who play: on a cluster if there is one, else on so many cores, else on all."""
    if scheduler is not None:
        return Cluster(job, scheduler)
    workers = workers or cores()
    return Alone(job) if workers == 1 else Processes(job, workers)
