"""The table server under load: `python bench/server.py SCENARIO`. Server on one core, clients on the other.

    steady --tables 1000 --every 3      each table makes a move every 3 s: how long until the last seat is told
    highest-load                        the same with less and less time, as long as p99 stays under 100 ms
    saturation                          each table moves as soon as it was told: moves a second
    idle --connections 10000            memory and time of a processor of people who only look on
    open-finished                       opening a match that has been played to its end, and is not in memory
    two-nodes --database URL            the servers' time per move, of one node and of two, on PostgreSQL
    boardgame-io                        boardgame.io's server with a trivial game under the same load (needs npm)

Over loopback only, bounded in time. A move is measured from when it is sent until the last of four seats was told. A
figure counts only while the client's core is used to less than 90 %; where it is not, that is said.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from load import boardgame_io, running
from load.load import SEATS, Load, Table, cpu, memory
from load.socket import BrokenError, Socket
from load.stationmaster import StationmasterTable, leave

WARM = 2.0  # seconds of play before anything is measured
TOO_BUSY = 0.9  # of the client's core
SLOW = 100.0  # ms
AT_ONCE = 50  # tables that are opened at the same time
LONGEST = 1800.0  # seconds, of a whole run
Figures = dict[str, Any]


async def opened(load: Load, tables: Sequence[Table]) -> None:
    """All these tables, with everybody seated."""
    turns = asyncio.Semaphore(AT_ONCE)

    async def open_one(table: Table) -> None:
        async with turns:
            await table.open()
            load.tables.append(table)

    for number in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*map(open_one, tables[number : number + AT_ONCE]))
        progress(f"{len(load.tables)} of {len(tables)} tables are open")
    until = load.loop.time() + 30
    while not all(table.waits for table in tables) and load.loop.time() < until:
        await asyncio.sleep(0.1)
    stuck = sum(not table.waits for table in tables)
    if stuck:
        raise BrokenError(f"{stuck} of {len(tables)} tables did not come to a first move; {dict(load.trouble)}")


async def stationmaster_tables(load: Load, ports: Sequence[int], options: argparse.Namespace) -> None:
    """As many tables as are asked for."""
    await opened(load, [StationmasterTable(load, ports, options.rulebook, {}) for _ in range(options.tables)])


def left(load: Load) -> None:
    """Everybody goes home."""
    for table in load.tables:
        table.close()
    leave()


async def played(load: Load, every: float, seconds: float, pids: tuple[int, ...]) -> Figures:
    """What is measured of so many seconds of play."""
    load.play(every)
    await asyncio.sleep(max(WARM, every))
    found: Figures = await load.measure(seconds, pids)
    await load.rest()
    found["tables"] = len(load.tables)
    found["every"] = every
    found["trouble"] = dict(load.trouble)
    return found


async def steady(options: argparse.Namespace, ports: Sequence[int], pids: tuple[int, ...]) -> list[Figures]:
    """Each table makes a move every so often."""
    load = Load()
    await stationmaster_tables(load, ports, options)
    try:
        return [await played(load, options.every, options.seconds, pids)]
    finally:
        left(load)


async def highest_load(options: argparse.Namespace, ports: Sequence[int], pids: tuple[int, ...]) -> list[Figures]:
    """Less and less time between moves, until they are told too late."""
    load, found = Load(), []
    await stationmaster_tables(load, ports, options)
    try:
        every = options.every
        while True:
            row = await played(load, every, options.seconds, pids)
            progress(f"{row['moves_per_s']:.0f} moves a second: p99 {row['p99_ms']:.0f} ms")
            found.append(row)
            if not row["p99_ms"] < SLOW or row["moves_per_s"] < 0.8 * len(load.tables) / every:
                return found
            every /= 1.25
    finally:
        left(load)


async def saturation(options: argparse.Namespace, ports: Sequence[int], pids: tuple[int, ...]) -> list[Figures]:
    """Each table moves as soon as it was told."""
    load = Load()
    await stationmaster_tables(load, ports, options)
    try:
        return [await played(load, 0.0, options.seconds, pids)]
    finally:
        left(load)


async def idle(options: argparse.Namespace, ports: Sequence[int], pids: tuple[int, ...]) -> list[Figures]:
    """Everybody sits at a table, and nobody does anything."""
    load = Load()
    empty = sum(map(memory, pids))
    options.tables = options.connections // SEATS
    await stationmaster_tables(load, ports, options)
    try:
        await asyncio.sleep(5)
        began, used = perf_counter(), sum(map(cpu, pids))
        await asyncio.sleep(options.seconds)
        return [
            {
                "connections": options.tables * SEATS,
                "server_mb": sum(map(memory, pids)),
                "server_mb_before": empty,
                "server_cpu": (sum(map(cpu, pids)) - used) / (perf_counter() - began),
                "trouble": dict(load.trouble),
            }
        ]
    finally:
        left(load)


async def finish(options: argparse.Namespace, ports: Sequence[int]) -> list[tuple[str, int]]:
    """Matches played to their end; their tables, and how many moves each took."""
    load = Load()
    tables = [StationmasterTable(load, ports, options.rulebook, {}) for _ in range(options.tables)]
    await opened(load, tables)
    try:
        load.play(0.0)
        for number, table in enumerate(tables):
            async with asyncio.timeout(600):
                await table.over
            progress(f"{number + 1} of {len(tables)} matches are over")
        return [(table.id, table.seats[0].version) for table in tables]
    finally:
        left(load)


class Opening(Socket):
    """Somebody who comes to see how a match ended."""

    __slots__ = ("first",)

    def heard(self, data: bytes) -> None:
        if not self.first.done():
            self.first.set_result(data)


async def look(tables: list[tuple[str, int]], port: int) -> list[Figures]:
    """How long it takes from connecting to the whole view, for the first who comes and for the second."""
    times: dict[str, list[float]] = {"first": [], "second": []}
    for table, _ in tables:
        for who in times:
            began = perf_counter()
            seat = Opening(f"/ws/{table}", port, {})
            seat.first = asyncio.get_running_loop().create_future()
            await seat.open(port)
            data = await seat.first
            times[who].append((perf_counter() - began) * 1000)
            if b'"winners"' not in data:
                raise BrokenError(f"this is not a match that is over: {data[:200]!r}")
            seat.close()
    return [
        {
            "opening": who,
            "steps": max(steps for _, steps in tables),
            "p50_ms": sorted(found)[len(found) // 2],
            "max_ms": max(found),
        }
        for who, found in times.items()
    ]


async def boardgame(options: argparse.Namespace, ports: Sequence[int], pids: tuple[int, ...]) -> list[Figures]:
    """The same load on boardgame.io's server."""
    load = Load()
    await opened(load, [boardgame_io.BoardgameTable(load, ports[0], number) for number in range(options.tables)])
    try:
        return [await played(load, options.every, options.seconds, pids)]
    finally:
        left(load)


# ---- Scenarios -------------------------------------------------------------------------------------

Scenario = Callable[[argparse.Namespace, Sequence[int], tuple[int, ...]], Awaitable[list[Figures]]]
ON_ONE_NODE: dict[str, Scenario] = {
    "steady": steady,
    "highest-load": highest_load,
    "saturation": saturation,
    "idle": idle,
}


def run(options: argparse.Namespace) -> list[Figures]:
    """Start what is needed, measure, and end it."""
    running.many_files()
    with ExitStack() as stack:
        if options.scenario == "boardgame-io":
            port, pid = stack.enter_context(running.boardgame_io())
            return bounded(boardgame(options, [port], (pid,)))
        if options.scenario == "two-nodes":
            return two_nodes(options)
        database = options.database or stack.enter_context(running.file_database())
        if options.scenario == "open-finished":
            with running.stationmaster(database) as (port, _):
                tables = bounded(finish(options, [port]))
            port, _ = stack.enter_context(running.stationmaster(database))
            return bounded(look(tables, port))
        port, pid = stack.enter_context(running.stationmaster(database))
        return bounded(ON_ONE_NODE[options.scenario](options, [port], (pid,)))


def two_nodes(options: argparse.Namespace) -> list[Figures]:
    """One node, then two that share the seats of every table."""
    found = []
    for count in (1, 2):
        with ExitStack() as stack:
            nodes = [stack.enter_context(running.stationmaster(options.database)) for _ in range(count)]
            rows = bounded(steady(options, [port for port, _ in nodes], tuple(pid for _, pid in nodes)))
            found.append({"nodes": count, **rows[0]})
    found[1]["against_one_node"] = found[1]["server_us_per_move"] / found[0]["server_us_per_move"]
    return found


def bounded(doing: Awaitable[Any]) -> Any:
    """Do this, on the quick event loop if it is there, and not for ever."""

    async def within() -> Any:
        async with asyncio.timeout(LONGEST):
            return await doing

    loop_factory = None
    with suppress(ImportError):
        import uvloop

        loop_factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(within())


# ---- Telling ---------------------------------------------------------------------------------------

COLUMNS = {
    "nodes": "nodes",
    "tables": "tables",
    "every": "every s",
    "connections": "connections",
    "opening": "opened by",
    "steps": "steps",
    "moves_per_s": "moves/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "max_ms": "max ms",
    "server_cpu": "server",
    "client_cpu": "client",
    "server_us_per_move": "µs/move",
    "server_mb": "MB",
    "server_mb_before": "MB before",
    "against_one_node": "against one",
}
SHARES = ("server_cpu", "client_cpu")


def progress(text: str) -> None:
    """Tell somebody who waits."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def told(rows: list[Figures]) -> str:
    """A table for people."""
    columns = [name for name in COLUMNS if any(name in row for row in rows)]
    lines = ["".join(f"{COLUMNS[name]:>12}" for name in columns)]
    for row in rows:
        cells = []
        for name in columns:
            value = row.get(name, "")
            if name in SHARES:
                cells.append(f"{value:.0%}")
            else:
                cells.append(f"{value:.{0 if value >= 1000 else 2}f}" if isinstance(value, float) else str(value))
        lines.append("".join(f"{cell:>12}" for cell in cells))
        if row.get("client_cpu", 0) >= TOO_BUSY:
            lines.append("  The client's core was too busy: this does not count.")
        for what, count in row.get("trouble", {}).items():
            lines.append(f"  {count} times: {what}")
    return "\n".join(lines)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", choices=[*ON_ONE_NODE, "open-finished", "two-nodes", "boardgame-io"])
    parser.add_argument("--tables", type=int, help="of four (default: 1000; 200 at saturation; 10 finished matches)")
    parser.add_argument("--every", type=float, help="seconds from a table's move to its next (default: 3)")
    parser.add_argument("--connections", type=int, default=10_000, help="that are idle (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=15.0, help="that are measured (default: %(default)s)")
    parser.add_argument("--rulebook", default="tactic", help="(default: %(default)s)")
    parser.add_argument("--database", help="a path or a URL (default: an empty SQLite file in build/)")
    parser.add_argument("--json", action="store_true", help="for a program to read")
    options = parser.parse_args()
    few = {"saturation": 200, "boardgame-io": 200, "open-finished": 10}
    if options.tables is None:
        options.tables = few.get(options.scenario, 1000)
    if options.every is None:
        options.every = 0.0 if options.scenario == "boardgame-io" else 3.0
    if options.scenario == "two-nodes" and not options.database:
        parser.error("two-nodes needs --database postgresql://…: one file is served by one node only")
    try:
        rows = run(options)
    except (BrokenError, TimeoutError) as error:
        print(f"It could not be measured: {error}", file=sys.stderr)
        return 1
    if options.json:
        json.dump({"scenario": options.scenario, "rows": rows}, sys.stdout, indent=2)
        print()
    else:
        print(told(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
