"""The one thread that writes to an SQLite file: whatever waits goes into one transaction, and so onto the disk at once.

Each call of SQLite lets other threads run, and in a busy process it may take milliseconds to be let in again. So a
group of steps is one statement, however many they are: SQLite takes them out of one JSON text.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any

import msgspec

from stationmaster.store.base import CodeTaken, Conflict, Row, Step, StoreError

GROUP = 1000  # jobs in one transaction, at most
REMEMBERED = 50_000  # tables whose last version is known without a look

KNOWN = """
SELECT json_group_array(json_array(wanted.value, (SELECT max(version) FROM steps WHERE table_id = wanted.value),
    tables.code, tables.holders)) FROM json_each(?) AS wanted LEFT JOIN tables ON tables.id = wanted.value
"""


def taken_apart(*places: int) -> str:
    """The values at these places of each of the lists in a JSON text."""
    return ", ".join(f"json_extract(value, '$[{place}]')" for place in places)


INSERT_STEPS = f"""
INSERT INTO steps (table_id, version, at, data) SELECT {taken_apart(*range(4))} FROM json_each(?)
"""

INSERT_ROWS = f"""
INSERT INTO tables (id, code, version, changed, is_public, is_over, due, in_group, holders, summary, wake)
SELECT {taken_apart(*range(10), 6)} FROM json_each(?) WHERE true
ON CONFLICT (id) DO UPDATE SET code = excluded.code, version = excluded.version, changed = excluded.changed,
    is_public = excluded.is_public, is_over = excluded.is_over, due = excluded.due, in_group = excluded.in_group,
    holders = excluded.holders, summary = excluded.summary, wake = excluded.wake, node = NULL
"""

Function = Callable[[sqlite3.Connection], Any]
Outcome = Any  # what a future gets; an exception, when it is raised

encode = msgspec.json.encode


class Append(msgspec.Struct, frozen=True):
    """A step that waits to be stored."""

    step: Step
    row: Row | None


class Job(msgspec.Struct, frozen=True):
    """Something that waits for its turn, and who waits for it."""

    what: Append | Function
    future: asyncio.Future[Any]


class Known(msgspec.Struct):
    """What the writer knows of a table without a look."""

    last: int
    code: str | None
    holders: str | None  # as they stand in the file


class Writer:
    """Stores what it is given, in order, in groups."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self.name = name
        self._connection = connection
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._closed = False
        self._known: dict[str, Known] = {}
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def submit(self, what: Append | Function) -> asyncio.Future[Any]:
        """Let something be done; what comes of it is there when it is on disk."""
        if self._closed:
            raise StoreError(f"{self.name}: the database is closed")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Job(what, future))
        return future

    async def close(self) -> None:
        """Finish what waits, and end the thread."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    # ---- In the thread ----

    def forget(self) -> None:
        """What was known of tables holds no longer: a job has changed them past this writer."""
        self._known.clear()

    def _run(self) -> None:
        going_on = True
        while going_on:
            group = []
            job = self._jobs.get()
            with suppress(Empty):
                while job is not None:
                    group.append(job)
                    if len(group) == GROUP:
                        break
                    job = self._jobs.get_nowait()
                going_on = job is not None
            if group:
                self._hand_back(list(zip(group, self._store(group), strict=True)))
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._connection.close()

    def _hand_back(self, done: list[tuple[Job, Outcome]]) -> None:
        """Wake the event loop once for the whole group."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(resolve, done)

    def _store(self, group: list[Job]) -> list[Outcome]:
        """What comes of each job of a group."""
        try:
            return self._transaction(group)
        except sqlite3.Error as error:
            self._undo()
            if len(group) == 1 or concerns_the_file(error):
                return [StoreError(f"{self.name}: {explained(error)}")] * len(group)
        except (StoreError, ValueError, TypeError, OverflowError) as error:  # what it was given cannot be stored
            self._undo()
            if len(group) == 1:
                return [error if isinstance(error, StoreError) else StoreError(f"{self.name}: {error}")]
        return [outcome for job in group for outcome in self._store([job])]  # so that one does not hurt the others

    def _undo(self) -> None:
        self.forget()
        with suppress(sqlite3.Error):
            self._connection.rollback()

    def _transaction(self, group: list[Job]) -> list[Outcome]:
        """Do a group of jobs in one transaction."""
        execute = self._connection.execute
        execute("BEGIN IMMEDIATE")
        appends = [job.what for job in group if isinstance(job.what, Append)]
        appended = iter(self._append(appends) if appends else ())
        outcomes = [next(appended) if isinstance(job.what, Append) else job.what(self._connection) for job in group]
        execute("COMMIT")
        return outcomes

    def _append(self, appends: list[Append]) -> list[Outcome]:
        """Insert the steps that are next at their tables, and the rows that come with them."""
        self._learn({append.step.table for append in appends})
        outcomes: list[Outcome] = []
        steps = []
        rows: dict[str, tuple[Any, ...]] = {}
        taken: dict[str, str] = {}  # the codes of this group's rows
        seated: dict[str, tuple[str, ...]] = {}
        for append in appends:
            step, row = append.step, append.row
            known = self._known[step.table]
            if step.version != known.last + 1:
                outcomes.append(conflict(step, known.last))
                continue
            if row is not None:
                if row.code != known.code:
                    owner = taken.get(row.code) or self._owner(row.code)
                    if owner not in (None, row.table):
                        outcomes.append(CodeTaken(f"the code {row.code} is another table's"))
                        continue
                    taken[row.code] = row.table
                    known.code = row.code
                holders = encode(row.holders).decode()
                if holders != known.holders:
                    seated[row.table] = row.holders
                    known.holders = holders
                rows[row.table] = as_values(row, holders)
            known.last = step.version
            steps.append((step.table, step.version, step.at, step.data.decode()))
            outcomes.append(None)
        if steps:
            self._connection.execute(INSERT_STEPS, (encode(steps).decode(),))
        self._write_rows(list(rows.values()), seated)
        return outcomes

    def _write_rows(self, rows: list[tuple[Any, ...]], seated: dict[str, tuple[str, ...]]) -> None:
        if rows:
            self._connection.execute(INSERT_ROWS, (encode(rows).decode(),))
        write_holders(self._connection, seated)

    def _owner(self, code: str) -> str | None:
        """Whose code this is."""
        found = self._connection.execute("SELECT id FROM tables WHERE code = ?", (code,)).fetchone()
        return None if found is None else found[0]

    def _learn(self, tables: set[str]) -> None:
        """Look up what is not known of tables."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        wanted = tables - self._known.keys()
        if not wanted:
            return
        (found,) = self._connection.execute(KNOWN, (encode(list(wanted)).decode(),)).fetchone()
        for table, last, code, holders in msgspec.json.decode(found):
            self._known[table] = Known(last or 0, code, holders)


def resolve(done: list[tuple[Job, Outcome]]) -> None:
    """Tell all who wait, in the event loop."""
    for job, outcome in done:
        if job.future.done():  # whoever waited was cancelled
            continue
        if isinstance(outcome, Exception):
            job.future.set_exception(outcome)
        else:
            job.future.set_result(outcome)


def conflict(step: Step, last: int) -> Conflict:
    """Somebody was faster, or something is missing in between."""
    return Conflict(f"table {step.table}: version {step.version} cannot be stored after {last}")


def as_values(row: Row, holders: str) -> tuple[Any, ...]:
    """A row in the order in which the statement takes it."""
    return (
        row.table,
        row.code,
        row.version,
        row.changed,
        row.public,
        row.over,
        row.due,
        row.group,
        holders,
        row.summary.decode(),
    )


def write_holders(connection: sqlite3.Connection, seated: dict[str, tuple[str, ...]]) -> None:
    """Note who holds or held the seats of tables."""
    for table, holders in seated.items():
        connection.execute("DELETE FROM holders WHERE table_id = ?", (table,))
        values = ((holder, table) for holder in dict.fromkeys(holders))
        connection.executemany("INSERT INTO holders (holder, table_id) VALUES (?, ?)", values)


def concerns_the_file(error: sqlite3.Error) -> bool:
    """Whether it is the disk or the file that fails, and not what was to be stored."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_PERM,
    )


def explained(error: sqlite3.Error) -> str:
    """What an error of SQLite means, and what helps."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    meaning = {
        sqlite3.SQLITE_FULL: "the disk is full; nothing more is stored until there is room",
        sqlite3.SQLITE_READONLY: "the file cannot be written to; see who owns it, and its folder",
        sqlite3.SQLITE_CANTOPEN: "the file cannot be opened; see who owns it, and its folder",
        sqlite3.SQLITE_PERM: "the file cannot be written to; see who owns it, and its folder",
        sqlite3.SQLITE_NOTADB: "this is not a database of stationmaster",
        sqlite3.SQLITE_CORRUPT: "the database is damaged; restore a backup (stationmaster db restore)",
        sqlite3.SQLITE_IOERR: "the disk cannot be read or written to",
        sqlite3.SQLITE_BUSY: "another program keeps the database busy",
    }.get(code)
    return f"{meaning} ({error})" if meaning else str(error)
