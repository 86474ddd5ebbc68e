"""Steps on their way to PostgreSQL: all that wait go in one statement, which is one transaction."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from stationmaster.store.base import CodeTaken, Conflict, Row, Step, StoreError
from stationmaster.store.notices import CHANNEL, ROOM
from stationmaster.store.pool import take

GROUP = 500  # steps in one statement, at most
REMEMBERED = 50_000  # tables whose holders are known to be noted

# One statement, so that it takes one message there and one back. Whoever was faster has the version; a row comes in
# only with its step. All stand in the order of their tables: two nodes that meet wait for each other in one order.
APPEND = """
WITH stored AS (
    INSERT INTO steps (table_id, version, at, data)
    SELECT step.table_id, step.version, step.at, step.data
    FROM json_to_recordset(%s) AS step(table_id text, version int, at bigint, data text)
    WHERE step.version = 1 + coalesce((SELECT max(version) FROM steps WHERE table_id = step.table_id), 0)
    ON CONFLICT DO NOTHING RETURNING table_id
), written AS (
    INSERT INTO tables (id, code, version, changed, is_public, is_over, due, in_group, holders, summary, wake)
    SELECT id, code, version, changed, is_public, is_over, due, in_group, holders, summary, due
    FROM json_to_recordset(%s) AS new(id text, code text, version int, changed bigint, is_public bool, is_over bool,
        due bigint, in_group text, holders text, summary text)
    WHERE id IN (SELECT table_id FROM stored)
    ON CONFLICT (id) DO UPDATE SET code = excluded.code, version = excluded.version, changed = excluded.changed,
        is_public = excluded.is_public, is_over = excluded.is_over, due = excluded.due, in_group = excluded.in_group,
        holders = excluded.holders, summary = excluded.summary, wake = excluded.wake, node = NULL
), seated AS (
    INSERT INTO holders (holder, table_id)
    SELECT holder, table_id FROM json_to_recordset(%s) AS new(holder text, table_id text)
    WHERE table_id IN (SELECT table_id FROM stored) ON CONFLICT DO NOTHING
)
SELECT json_agg(table_id)::text, CASE WHEN count(*) > 0 THEN pg_notify(%s, %s) END FROM stored
"""


def encode(value: object) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


class StoredStep(msgspec.Struct):
    """A step as the statement takes it."""

    table_id: str
    version: int
    at: int
    data: str


class StoredRow(msgspec.Struct):
    """A row as the statement takes it."""

    id: str
    code: str
    version: int
    changed: int
    is_public: bool
    is_over: bool
    due: int | None
    in_group: str | None
    holders: str
    summary: str


class Waiting(msgspec.Struct, frozen=True):
    """A step that waits to be stored, and who waits for it."""

    step: Step
    row: Row | None
    future: asyncio.Future[None]


class Appender:
    """Stores steps in groups; while one group is on its way, the next one gathers."""

    def __init__(self, pool: AsyncConnectionPool, node: str, name: str) -> None:
        self._pool = pool
        self._node = node
        self._name = name
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None
        self._connection: AsyncConnection[Any] | None = None
        self._noted: dict[str, tuple[str, ...]] = {}
        self._closed = False

    async def append(self, step: Step, row: Row | None) -> None:
        """Store a step; on disk when this returns."""
        if self._closed:
            raise StoreError(f"{self._name}: the database is closed")
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(step, row, future))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await future

    async def rest(self) -> None:
        """Hold no connection while nothing is on its way: the one held may be of a server that was restarted."""
        if self._working is None:
            await self._let_go()

    async def close(self) -> None:
        """Finish what waits."""
        self._closed = True
        if self._working is not None:
            await self._working
        await self._let_go()

    async def _work(self) -> None:
        """Store groups until nothing waits."""
        try:
            while self._waiting:
                group = self._next_group()
                for waiting, outcome in zip(group, await self._store(group), strict=True):
                    if waiting.future.done():  # whoever waited was cancelled
                        continue
                    if outcome is None:
                        waiting.future.set_result(None)
                    else:
                        waiting.future.set_exception(outcome)
        finally:
            self._working = None

    def _next_group(self) -> list[Waiting]:
        """What waits, one step a table, and no more than its notice has room for."""
        group: dict[str, Waiting] = {}
        later, room = [], ROOM
        for waiting in self._waiting:
            table = waiting.step.table
            if len(group) < GROUP and room > 0 and table not in group:
                group[table] = waiting
                room -= 6 * len(table) + 20  # at worst, as JSON
            else:
                later.append(waiting)
        self._waiting = later
        return [group[table] for table in sorted(group)]

    async def _store(self, group: list[Waiting]) -> list[StoreError | None]:
        """What comes of each step of a group; None is fine."""
        try:
            stored = await self._send(group)
        except psycopg.OperationalError as error:
            await self._let_go()
            if not isinstance(error, psycopg.errors.DeadlockDetected):
                return [StoreError(f"{self._name}: {explained(error)}")] * len(group)
        except psycopg.errors.UniqueViolation:
            if len(group) == 1:
                row = group[0].row
                return [CodeTaken(f"the code {row.code if row else ''} is another table's")]
        except (psycopg.Error, UnicodeError) as error:
            if len(group) == 1:
                return [StoreError(f"{self._name}: {explained(error)}")]
        else:
            return [None if waiting.step.table in stored else conflict(waiting.step) for waiting in group]
        return [outcome for waiting in group for outcome in await self._store([waiting])]  # so that one hurts no other

    async def _send(self, group: list[Waiting]) -> set[str]:
        """Send a group; the tables whose step was stored."""
        steps, rows, holders = [], [], []
        for waiting in group:
            step, row = waiting.step, waiting.row
            steps.append(StoredStep(step.table, step.version, step.at, step.data.decode()))
            if row is not None:
                rows.append(as_stored(row))
                if self._noted.get(row.table) != row.holders:
                    holders += [{"holder": holder, "table_id": row.table} for holder in dict.fromkeys(row.holders)]
        notice = encode([self._node, *[[step.table_id, step.version] for step in steps]])
        if self._connection is None:
            self._connection = await take(self._pool)
        values = (encode(steps), encode(rows), encode(holders), CHANNEL, notice)
        cursor = await self._connection.execute(APPEND, values)
        found = await cursor.fetchone()
        stored = set(msgspec.json.decode(found[0], type=list[str])) if found and found[0] else set()
        if holders:
            if len(self._noted) > REMEMBERED:
                self._noted.clear()
            self._noted |= {w.row.table: w.row.holders for w in group if w.row is not None and w.row.table in stored}
        return stored

    async def _let_go(self) -> None:
        """Give the connection back; a broken one is replaced."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await self._pool.putconn(connection)


def as_stored(row: Row) -> StoredRow:
    """A row as the statement takes it."""
    return StoredRow(
        row.table,
        row.code,
        row.version,
        row.changed,
        row.public,
        row.over,
        row.due,
        row.group,
        encode(row.holders),
        row.summary.decode(),
    )


def conflict(step: Step) -> Conflict:
    """Somebody was faster, or something is missing in between."""
    return Conflict(f"table {step.table}: version {step.version} is not the next one")


def explained(error: Exception) -> str:
    """What PostgreSQL says, in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text.removeprefix("connection failed: ")
