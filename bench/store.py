"""How many steps the stores take in a second: `python bench/store.py` (under a minute).

    python bench/store.py                       SQLite, and PostgreSQL where it is installed
    python bench/store.py --tables 1000 --json
    python bench/store.py --folder /srv         on that disk

So many tables each store a step when their last one is stored, as tables do that are played at. SQLite is measured
against a plain loop that commits every step by itself, and beside an event loop that is busy with other things. The CPU
is this process's, the store's own thread included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

from stationmaster.store import Row, Step, Store, open_store

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

DATA = json.dumps({"moved": {"seat": 1, "move": "12-5@0", "drew": None}, "id": "0123456789abcdef" * 4}).encode()
SUMMARY = json.dumps({"names": ["Ann", "Ben", "Cleo", "Dan"], "round": 3, "totals": [12, 40, 7, 103]}).encode()
HOLDERS = tuple(f"{number:032x}" for number in range(4))


def cpu() -> float:
    """Seconds of CPU that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def busy(until: asyncio.Event) -> None:
    """An event loop with something to do all the time, a fifth of a millisecond at a time."""
    while not until.is_set():
        ends = perf_counter() + 0.0002
        while perf_counter() < ends:
            pass
        await asyncio.sleep(0)


async def measured(url: str, tables: int, seconds: float, *, rows: bool, besides: bool = False) -> dict[str, float]:
    """Steps a second, and how long one waits."""
    store = await open_store(url)
    waits: list[float] = []
    ends = perf_counter() + seconds

    async def play(store: Store, table: str) -> None:
        version = 0
        while (began := perf_counter()) < ends:
            version += 1
            row = Row(table, table, version, version, True, False, version, None, HOLDERS, SUMMARY) if rows else None
            await store.append(Step(table, version, version, DATA), row)
            waits.append(perf_counter() - began)

    until = asyncio.Event()
    other = asyncio.create_task(busy(until)) if besides else None
    began, used = perf_counter(), cpu()
    await asyncio.gather(*(play(store, f"{rows}-{besides}-{tables}-{number}") for number in range(tables)))
    took, used = perf_counter() - began, cpu() - used
    until.set()
    if other is not None:
        await other
    await store.close()
    waits.sort()
    return {
        "tables": tables,
        "steps_per_s": len(waits) / took,
        "cpu_us": 1e6 * used / len(waits),
        "p50_ms": 1e3 * waits[len(waits) // 2],
        "p99_ms": 1e3 * waits[len(waits) * 99 // 100],
    }


def plain_loop(folder: Path, seconds: float) -> float:
    """Steps a second when every one is a transaction: the reference."""
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(
        "CREATE TABLE steps (id TEXT, version INTEGER, at INTEGER, data TEXT, PRIMARY KEY (id, version))"
    )
    ends, version = perf_counter() + seconds, 0
    while perf_counter() < ends:
        version += 1
        connection.execute("INSERT INTO steps VALUES ('t', ?, ?, ?)", (version, version, DATA.decode()))
    connection.close()
    return version / seconds


def of_sqlite(folder: Path, tables: int, seconds: float) -> dict[str, Any]:
    """All of SQLite's figures."""
    url = str(folder / "tables.db")
    return {
        "plain": plain_loop(folder, seconds),
        "one table": asyncio.run(measured(url, 1, seconds, rows=True)),
        "steps": asyncio.run(measured(url, tables, seconds, rows=False)),
        "steps and rows": asyncio.run(measured(url, tables, seconds, rows=True)),
        "beside a busy loop": asyncio.run(measured(url, tables, seconds, rows=True, besides=True)),
    }


def of_postgres(tables: int, seconds: float) -> dict[str, Any] | None:
    """PostgreSQL's, on a server made for it, which writes to the disk as one in earnest does."""
    from postgres import Postgres, programs

    bin = programs()
    if bin is None:
        return None
    folder = Path(tempfile.mkdtemp())
    try:
        server = Postgres(folder, bin, fsync=True)
        try:
            url = server.fresh()
            return {
                "one table": asyncio.run(measured(url, 1, seconds, rows=True)),
                "steps": asyncio.run(measured(url, tables, seconds, rows=False)),
                "steps and rows": asyncio.run(measured(url, tables, seconds, rows=True)),
            }
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder)


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=1000, help="that store at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=4, help="of each measurement (default: %(default)s)")
    parser.add_argument("--folder", metavar="DIR", help="for SQLite's files (default: that of temporary files)")
    parser.add_argument("--json", action="store_true", help="for a program to read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        figures = {"sqlite": of_sqlite(Path(folder), options.tables, options.seconds)}
    figures |= {"postgres": of_postgres(options.tables, options.seconds)}
    if options.json:
        print(json.dumps(figures, indent=2))
        return 0
    for kind, found in figures.items():
        for what, figure in (found or {"not installed": 0}).items():
            if isinstance(figure, dict):
                line = "{tables} tables: {steps_per_s:,.0f} steps/s, {cpu_us:.0f} µs of CPU a step, p50 {p50_ms:.1f} ms"
                print(f"{kind}, {what}, " + line.format(**figure) + f", p99 {figure['p99_ms']:.1f} ms")
            else:
                print(f"{kind}, {what}: {figure:,.0f} steps/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
