"""Makes the databases of a release that the tests open with every later version.

    python tests/store/released/make.py 1

Run once, with the code of that release, and kept: VERSION.db is SQLite's file, VERSION.sql what pg_dump says.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from postgres import Postgres, programs
from stationmaster.store import Kept, Row, Step, Store, Talk, open_store

HERE = Path(__file__).parent


def tables() -> list[Kept]:
    """What each of them holds."""
    steps = [Step("match", version, 1000 + version, f'{{"moved": {version}}}'.encode()) for version in (1, 2, 3)]
    summary = '{"names": ["Ñ"]}'.encode()
    row = Row("match", "ABCD", 3, 1003, True, False, 5000, "day-2026-11-19", ("ann", "ben"), summary)
    talk = [Talk("match", 1, 1002, b'"hello"'), Talk("match", 2, 1003, b'"bye"')]
    return [Kept([Step("bare", 1, 999, b"[]")], None, []), Kept(steps, row, talk)]


async def fill(url: str) -> None:
    """Store all that."""
    store: Store = await open_store(url)
    await store.put(tables())
    await store.setting("key", "secret of the day")
    await store.close()


def main(version: str) -> None:
    """Make both."""
    bin = programs()
    assert bin is not None, "this takes PostgreSQL"
    folder = Path(tempfile.mkdtemp())
    try:
        server = Postgres(folder, bin)
        url = server.fresh()
        asyncio.run(fill(url))
        dump = server.run("pg_dump", "--inserts", "--no-owner", "--no-comments", "-d", url)
        lines = [line for line in dump.splitlines() if line and not line.startswith(("--", "SET ", "\\", "SELECT "))]
        (HERE / f"{version}.sql").write_text("\n".join(lines) + "\n", "utf-8")
        server.stop()
        asyncio.run(fill(str(folder / "tables.db")))
        (HERE / f"{version}.db").unlink(missing_ok=True)
        with closing(sqlite3.connect(folder / "tables.db", isolation_level=None)) as connection:
            connection.execute("PRAGMA page_size = 1024")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute(f"VACUUM INTO '{HERE / version}.db'")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1])
