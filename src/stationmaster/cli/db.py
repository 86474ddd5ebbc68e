"""``stationmaster db``: the database that the server keeps its tables in."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from time import monotonic
from typing import Any

from stationmaster.cli.output import filled, print_json
from stationmaster.store import database
from stationmaster.words import say

EVERY = 5.0  # seconds, between two lines of progress where none can be written over
OFTEN = 0.1  # seconds, where one is

DESCRIPTION = """\
Look after the database that the server keeps its tables in: a file of SQLite (by default the one in your data folder)
or PostgreSQL. Backup, export and check may run while it is served. A backup holds everything, the server's secrets too:
keep it as you keep the database. It can be restored into either kind of database. An export holds what may leave: of
rounds that run no secrets. Its lines are JSON, and can be imported into either kind.
"""

EXAMPLES = """\
examples:
  stationmaster db backup tables-backup.db
  stationmaster db restore tables-backup.db --force
  stationmaster db export tables.jsonl --database postgresql://stationmaster@localhost/stationmaster
  stationmaster db import tables.jsonl
  stationmaster db check --json

Exit code 1 when check finds something wrong; 2 when a database or a file cannot be used. What Ctrl-C interrupts
leaves no half of a file or a database behind; an import that is begun again goes on where it was.
"""

PARTS = {
    "backup": "copy all that the database holds into a file",
    "restore": "make the database what a backup holds; stop the server first",
    "export": "write the tables as lines of JSON, without secrets of rounds that run",
    "import": "add the tables of an export",
    "check": "see whether everything in the database holds",
}


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``db``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parts = parser.add_subparsers(title="what to do", metavar="WHAT", dest="part", required=True)
    for name, about in PARTS.items():
        some = parts.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.", parents=[shared])
        some.set_defaults(do=globals()[f"{name}_"])
        if name != "check":
            some.add_argument("file", metavar="FILE", type=Path)
        if name in ("backup", "export"):
            some.add_argument("--force", action="store_true", help="write over a file that is there")
        if name == "restore":
            some.add_argument("--force", action="store_true", help="replace a database that holds tables")
        some.add_argument(
            "--database",
            metavar="URL",
            help="a file, or postgresql://… (default: STATIONMASTER_DATABASE, or the file in your data folder)",
        )
        some.add_argument("--json", action="store_true", help="print what was done for a program to read")


def run(options: argparse.Namespace) -> int:
    """Do one of them."""
    options.database = database(options.database)
    progress = Progress(options.language)
    try:
        done: dict[str, Any] = asyncio.run(options.do(options, progress))
    finally:
        progress.clear()
    if options.json:
        print_json(done)
    else:
        for fault in done.get("faults", ()):
            print(filled(fault, "", "  "))
        values = {name: value for name, value in done.items() if name != "faults"}
        print(filled(say(f"cli.db.{done_key(options.part, done)}", options.language, **values)))
    return 1 if done.get("faults") else 0


def done_key(part: str, done: dict[str, Any]) -> str:
    """The sentence for what was done."""
    return "check-faults" if done.get("faults") else part


async def backup_(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Copy everything into a file."""
    from stationmaster.store.backup import backup

    await backup(options.database, options.file, progress.of, force=options.force)
    return {"file": str(options.file), "bytes": options.file.stat().st_size}


async def restore_(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Put a backup in the database's place."""
    from stationmaster.store.backup import restore

    count = await restore(options.database, options.file, progress.of, force=options.force)
    return {"file": str(options.file), "count": count}


async def export_(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Write what may leave as lines."""
    from stationmaster.server.leaving import as_it_may_leave
    from stationmaster.store.backup import export

    count = await export(options.database, options.file, as_it_may_leave, progress.of, force=options.force)
    return {"file": str(options.file), "count": count}


async def import_(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Add tables from lines."""
    from stationmaster.store.backup import add

    count, there = await add(options.database, options.file, progress.of)
    return {"file": str(options.file), "count": count, "there": there}


async def check_(options: argparse.Namespace, progress: Progress) -> dict[str, Any]:
    """Look at every table."""
    from stationmaster.store.backup import check

    count, faults = await check(options.database, progress.of)
    return {"count": count, "faults": faults}


class Progress:
    """How far it is, on stderr: in one line that is written over, or in a line now and then."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._last = monotonic()
        self._written = 0

    def of(self, done: int, total: int) -> None:
        """So much of so much."""
        if sys.stderr is None or monotonic() - self._last < (OFTEN if self._live else EVERY):
            return
        self._last = monotonic()
        text = say("cli.db.percent", self.language, percent=100 * done // max(total, 1))
        if self._live:
            print(f"\r{text:{self._written}}", end="", file=sys.stderr, flush=True)
            self._written = max(self._written, len(text))
        else:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._written:
            print("\r" + " " * self._written + "\r", end="", file=sys.stderr, flush=True)
