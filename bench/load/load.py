"""What a load is: tables that play, who moves when, and how long it took until the last seat was told."""

from __future__ import annotations

import asyncio
import random
import time
from abc import ABC, abstractmethod
from collections import Counter
from time import perf_counter

SEATS = 4


class Table(ABC):
    """A table whose four seats are played from here. A move is under way until all four were told of it."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.sent_at = 0.0
        self.missing = 0  # seats that have not been told yet
        self.due = 0.0
        self.waits = False  # whether somebody could move

    @abstractmethod
    async def open(self) -> None:
        """Sit down, and play on until a move may be made."""

    @abstractmethod
    def move(self) -> None:
        """Make a move; ``sending`` before it."""

    @abstractmethod
    def close(self) -> None:
        """Leave."""

    def sending(self) -> None:
        """A move is on its way."""
        self.waits = False
        self.missing = SEATS
        self.sent_at = perf_counter()

    def told(self) -> None:
        """One more seat was told of the move."""
        self.missing -= 1
        if not self.missing:
            self.load.told(perf_counter() - self.sent_at)

    def may_move(self) -> None:
        """Somebody knows what may be played, and the last move has been told to all."""
        self.waits = True
        self.load.may_move(self)


class Load:
    """Many tables, at a rate or as fast as they can."""

    def __init__(self, seed: int = 1) -> None:
        self.loop = asyncio.get_running_loop()
        self.random = random.Random(seed)
        self.tables: list[Table] = []
        self.every: float | None = None  # seconds from a table's move to its next; 0: at once; None: nobody moves
        self.times: list[float] = []  # of moves, in seconds, since ``begin``
        self.trouble: Counter[str] = Counter()

    def may_move(self, table: Table) -> None:
        """A table is ready for its next move."""
        if self.every is None:
            return
        if not self.every:
            table.move()
            return
        now = self.loop.time()
        table.due = max(table.due + self.every, now)
        self.loop.call_at(table.due, self._go, table)

    def _go(self, table: Table) -> None:
        if self.every is not None and table.waits:
            table.move()

    def told(self, seconds: float) -> None:
        """A move was told to the last seat."""
        self.times.append(seconds)

    def play(self, every: float) -> None:
        """Everybody plays, each table so many seconds after its last move; they do not all begin together."""
        self.every = every
        for table in self.tables:
            if table.waits:
                table.due = self.loop.time() + self.random.random() * every
                self.loop.call_at(table.due, self._go, table)

    async def rest(self) -> None:
        """Nobody moves any more, and what is under way comes to its end."""
        self.every = None
        until = self.loop.time() + 5
        while any(table.missing for table in self.tables) and self.loop.time() < until:
            await asyncio.sleep(0.05)

    async def measure(self, seconds: float, pids: tuple[int, ...]) -> dict[str, float]:
        """What happens in so many seconds; ``pids`` are the server's processes."""
        self.times.clear()
        began, used, own = perf_counter(), sum(map(cpu, pids)), time.process_time()
        await asyncio.sleep(seconds)
        wall = perf_counter() - began
        times = sorted(self.times)
        served = sum(map(cpu, pids)) - used
        moves = len(times)
        return {
            "seconds": wall,
            "moves": moves,
            "moves_per_s": moves / wall,
            "p50_ms": 1000 * times[moves // 2] if times else float("nan"),
            "p99_ms": 1000 * times[int(moves * 0.99)] if times else float("nan"),
            "max_ms": 1000 * times[-1] if times else float("nan"),
            "server_cpu": served / wall,
            "server_us_per_move": 1e6 * served / moves if moves else float("nan"),
            "client_cpu": (time.process_time() - own) / wall,
            "server_mb": sum(map(memory, pids)),
        }


def cpu(pid: int) -> float:
    """Seconds of a processor that a process has used, all its threads together."""
    with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 - read often
        parts = file.read().rpartition(")")[2].split()
    return sum(map(int, parts[11:13])) / 100


def memory(pid: int) -> float:
    """Megabytes of memory that a process holds now."""
    with open(f"/proc/{pid}/status") as file:  # noqa: PTH123 - read often
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
