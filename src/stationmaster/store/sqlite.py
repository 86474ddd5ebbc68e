"""The store in an SQLite file: nothing to set up, one process at a time, every step on disk before it is told."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import msgspec

from stationmaster.store.base import Conflict, Due, Kept, Notice, Row, Step, Store, StoreError, Talk, chosen
from stationmaster.store.file import Lock, connect, open_file
from stationmaster.store.writer import INSERT_ROWS, Append, Writer, as_values, encode, explained, write_holders

T = TypeVar("T")

READERS = 2  # so that a long look does not hold up the short ones

ROW = """json_array(id, code, version, changed, json(iif(is_public, 'true', 'false')),
    json(iif(is_over, 'true', 'false')), due, in_group, json(holders), summary)"""
STEPS = "SELECT json_group_array(json_array(version, at, data)) FROM steps WHERE table_id = ? AND version > ?"
STEPS_OF_MANY = """
SELECT json_group_array(json_array(table_id, version, at, data)) FROM json_each(?) AS wanted
JOIN steps ON table_id = wanted.key AND steps.version > wanted.value
"""
TALK = """
SELECT json_group_array(json_array(number, at, data)) FROM
(SELECT * FROM talk WHERE table_id = ? AND number > ? ORDER BY number DESC LIMIT ?)
"""
# From each name to the next, so that it takes a look for each table and not one for each step.
TABLES = """
WITH RECURSIVE names(id) AS (
    SELECT min(table_id) FROM steps WHERE table_id > ?
    UNION ALL
    SELECT (SELECT min(table_id) FROM steps WHERE table_id > names.id) FROM names WHERE names.id IS NOT NULL LIMIT ?
)
"""
CLAIM = """
UPDATE tables SET wake = ?, node = ? WHERE id IN (SELECT id FROM tables WHERE wake <= ? ORDER BY wake LIMIT ?)
RETURNING due, id
"""
KEEP_CLAIMED = """
UPDATE tables SET wake = ? WHERE node = ? AND id IN (SELECT value FROM json_each(?)) AND wake IS NOT NULL
"""
ADD_TALK = """
INSERT INTO talk (table_id, number, at, data)
SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM talk WHERE table_id = ?1 RETURNING number
"""


class SqliteStore(Store):
    """A store in a file. What is read comes out of SQLite as one JSON text, for the reason told in writer.py."""

    def __init__(self, path: Path, lock: Lock, connection: sqlite3.Connection, node: str | None) -> None:
        self.path = path
        self.node = node or f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self._lock = lock
        self._writer = Writer(connection, str(path))
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._reader = threading.local()
        self._reading: list[sqlite3.Connection] = []
        self._closed = False
        self._present: dict[str, dict[tuple[str, str], int]] = {}

    @classmethod
    async def open(cls, path: Path, node: str | None = None) -> SqliteStore:
        """Open a file, or make it, and bring it up to date."""
        path, lock, connection = await asyncio.to_thread(open_file, path)
        return cls(path, lock, connection, node)

    async def close(self) -> None:
        """Finish what was begun, and let another process have the file."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._readers.shutdown)
        for connection in self._reading:
            connection.close()
        await self._writer.close()
        self._lock.release()

    async def check(self) -> None:
        """Look whether the file can be read, and written to."""
        await self._look("SELECT 1", (), int)
        await self._writer.submit(lambda connection: None)

    async def sound(self) -> str:
        """ "ok", or the first thing that is wrong with the file itself."""
        return await self._look("SELECT json_quote(quick_check) FROM pragma_quick_check(1)", (), str)

    # ---- Reading ----

    async def _look(self, sql: str, values: tuple[Any, ...], type: type[T]) -> T:
        """The one value that a statement gives, in a reader's thread."""
        if self._closed:
            raise StoreError(f"{self.path}: the database is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._look_now, sql, values, type)

    def _look_now(self, sql: str, values: tuple[Any, ...], type: type[T]) -> T:
        try:
            if not hasattr(self._reader, "connection"):
                self._reader.connection = connect(self.path, read_only=True)
                self._reading.append(self._reader.connection)
            found = self._reader.connection.execute(sql, values).fetchone()[0]
        except sqlite3.Error as error:
            raise StoreError(f"{self.path}: {explained(error)}") from None
        return msgspec.json.decode(found, type=type) if isinstance(found, str) else msgspec.convert(found, type)

    async def read(self, table: str, after: int = 0) -> list[Step]:
        """The steps of a table that come after a version."""
        found = await self._look(STEPS, (table, after), list[tuple[int, int, str]])
        return [Step(table, version, at, data.encode()) for version, at, data in sorted(found)]

    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[Step]]:
        """The same of several tables at once."""
        wanted = encode(dict(after)).decode()
        found = await self._look(STEPS_OF_MANY, (wanted,), list[tuple[str, int, int, str]])
        steps: dict[str, list[Step]] = {}
        for table, version, at, data in sorted(found):
            steps.setdefault(table, []).append(Step(table, version, at, data.encode()))
        return steps

    async def row(self, table: str) -> Row | None:
        """The row of a table."""
        return next(iter(await self._rows("id = ?", (table,), 1)), None)

    async def row_by_code(self, code: str) -> Row | None:
        """The row of the table that this code invites to."""
        return next(iter(await self._rows("code = ?", (code,), 1)), None)

    async def rows(
        self,
        *,
        holder: str | None = None,
        group: str | None = None,
        public: bool | None = None,
        over: bool | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Row]:
        """The rows of which all this is true, the one changed last first."""
        where, values = chosen("?", holder=holder, group=group, public=public, over=over, before=before)
        rows = await self._rows(where, values, limit)
        if len(rows) == limit and rows:  # all of the last one's millisecond
            last = await self._rows(f"{where} AND changed = ?", (*values, rows[-1].changed), -1)
            rows = [row for row in rows if row.changed > rows[-1].changed] + last
        return rows

    async def _rows(self, where: str, values: tuple[Any, ...], limit: int) -> list[Row]:
        chosen = f"SELECT {ROW} AS row FROM tables WHERE {where} ORDER BY changed DESC, id LIMIT ?"
        found = await self._look(
            f"SELECT json_group_array(json(row)) FROM ({chosen})", (*values, limit), list[StoredRow]
        )
        rows = [Row(*row[:9], row[9].encode()) for row in found]
        return sorted(rows, key=lambda row: (-row.changed, row.table))

    async def read_talk(self, table: str, after: int = 0, limit: int = 100) -> list[Talk]:
        """What was said last at a table, in order."""
        found = await self._look(TALK, (table, after, limit), list[tuple[int, int, str]])
        return [Talk(table, number, at, data.encode()) for number, at, data in sorted(found)]

    async def next_due(self) -> int | None:
        """When the next table can be claimed."""
        return await self._look("SELECT min(wake) FROM tables WHERE wake IS NOT NULL", (), NumberOrNone)

    async def tables(self, after: str = "", limit: int = 1000) -> list[str]:
        """The tables that have steps, those that come after a name."""
        chosen = f"{TABLES} SELECT json_group_array(id) FROM names WHERE id IS NOT NULL"
        return sorted(await self._look(chosen, (after, limit), list[str]))

    async def count(self) -> int:
        """How many tables have steps."""
        return await self._look(f"{TABLES} SELECT count(id) FROM names", ("", -1), int)

    async def settings(self) -> dict[str, str]:
        """All that ``setting`` keeps."""
        return await self._look("SELECT json_group_object(name, value) FROM settings", (), dict[str, str])

    # ---- Writing ----

    async def append(self, step: Step, row: Row | None = None) -> None:
        """Store the next step of a table; on disk when this returns."""
        await self._writer.submit(Append(step, row))

    async def claim(self, node: str, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Tables that are due, the longest waiting first, each once until its lease is over."""

        def claim(connection: sqlite3.Connection) -> list[Due]:
            claimed = connection.execute(CLAIM, (now + lease_ms, node, now, limit)).fetchall()
            return [Due(table, due) for due, table in sorted(claimed)]

        claimed: list[Due] = await self._writer.submit(claim)
        return claimed

    async def keep_claimed(self, node: str, tables: Collection[str], until: int) -> None:
        """What this node has claimed of these tables is not claimed once more before then."""
        values = (until, node, encode(list(tables)).decode())
        await self._writer.submit(lambda connection: connection.execute(KEEP_CLAIMED, values).close())

    async def add_talk(self, table: str, at: int, data: bytes) -> Talk:
        """Keep what was said at a table."""

        def add(connection: sqlite3.Connection) -> int:
            return int(connection.execute(ADD_TALK, (table, at, data.decode())).fetchone()[0])

        return Talk(table, await self._writer.submit(add), at, data)

    async def setting(self, name: str, value: str | None = None) -> str:
        """A value that is kept once."""
        if value is not None:
            insert = "INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)"
            await self._writer.submit(lambda connection: connection.execute(insert, (name, value)).close())
        return (await self.settings()).get(name, "")

    async def put(self, kept: Sequence[Kept]) -> None:
        """Take over whole tables, all or none of them."""

        def take_over(connection: sqlite3.Connection) -> None:
            self._writer.forget()
            put(kept, connection)

        await self._writer.submit(take_over)

    # ---- Who is present: nobody else serves this file, so it need not be in it ----

    async def set_present(self, table: str, holder: str, node: str, until: int) -> None:
        """Somebody is at a table until then."""
        self._present.setdefault(table, {})[holder, node] = until

    async def unset_present(self, table: str, holder: str, node: str) -> None:
        """Somebody's last line to a table is closed."""
        there = self._present.get(table, {})
        there.pop((holder, node), None)
        if not there:
            self._present.pop(table, None)

    async def keep_present(self, node: str, until: int) -> None:
        """Everybody who is present still is."""
        for there in self._present.values():
            for who in there:
                if who[1] == node:
                    there[who] = until

    async def present_at(self, tables: Collection[str], now: int) -> dict[str, set[str]]:
        """Who is at each of these tables."""
        there = {table: self._present.get(table, {}).items() for table in tables}
        found = {table: {holder for (holder, _), until in at if until > now} for table, at in there.items()}
        return {table: holders for table, holders in found.items() if holders}

    def listen(self, told: Callable[[Notice], None]) -> Callable[[], None]:
        """Nobody else stores anything in this file, so there is nothing to be told."""
        return lambda: None


StoredRow = tuple[str, str, int, int, bool, bool, int | None, str | None, tuple[str, ...], str]
NumberOrNone: Any = int | None


def put(kept: Sequence[Kept], connection: sqlite3.Connection) -> None:
    """Insert whole tables, in the writer's thread."""
    insert_step = "INSERT INTO steps (table_id, version, at, data) VALUES (?, ?, ?, ?)"
    insert_talk = "INSERT INTO talk (table_id, number, at, data) VALUES (?, ?, ?, ?)"
    for whole in kept:
        row = whole.row
        try:
            connection.executemany(insert_step, [(s.table, s.version, s.at, s.data.decode()) for s in whole.steps])
            connection.executemany(insert_talk, [(t.table, t.number, t.at, t.data.decode()) for t in whole.talk])
            if row is not None:
                values = as_values(row, encode(row.holders).decode())
                connection.execute(INSERT_ROWS, (encode([values]).decode(),))
                write_holders(connection, {row.table: row.holders})
        except sqlite3.IntegrityError:
            name = whole.steps[0].table if whole.steps else "?"
            raise Conflict(f"table {name} is stored here already, or its code is another table's") from None
