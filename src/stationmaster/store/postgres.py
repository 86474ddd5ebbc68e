"""The store in PostgreSQL: any number of nodes serve the same tables, and the database decides who was first."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid4

import msgspec
import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from stationmaster.store.appender import Appender, encode, explained
from stationmaster.store.base import Conflict, Due, Kept, Notice, Row, Step, Store, StoreError, Talk, chosen
from stationmaster.store.migrations import VERSION_TABLE, is_newest, upgrade
from stationmaster.store.notices import CHANNEL, Listener
from stationmaster.store.pool import PATIENCE, make_pool, take

UPGRADE_LOCK = 0x53744D73  # of nodes that start together one brings the database up to date, and the others wait

# A connection whose other end is gone without a word is noticed within a quarter of a minute.
ALIVE = {"keepalives_idle": 5, "keepalives_interval": 3, "keepalives_count": 3, "tcp_user_timeout": 15_000}

ROW = "id, code, version, changed, is_public, is_over, due, in_group, holders, summary"
# From each name to the next, so that it takes a look for each table and not one for each step.
TABLES = """
WITH RECURSIVE names(id) AS (
    (SELECT table_id FROM steps WHERE table_id > %s ORDER BY table_id LIMIT 1)
    UNION ALL
    SELECT (SELECT table_id FROM steps WHERE table_id > names.id ORDER BY table_id LIMIT 1)
    FROM names WHERE names.id IS NOT NULL
)
"""
CLAIM = """
WITH picked AS MATERIALIZED (SELECT id FROM tables WHERE wake <= %s ORDER BY wake LIMIT %s FOR UPDATE SKIP LOCKED)
UPDATE tables SET wake = %s, node = %s FROM picked WHERE tables.id = picked.id RETURNING due, tables.id
"""
ADD_TALK = """
WITH said AS (
    INSERT INTO talk (table_id, number, at, data)
    SELECT %(table)s, coalesce(max(number), 0) + 1, %(at)s, %(data)s FROM talk WHERE table_id = %(table)s
    RETURNING number
)
SELECT number, pg_notify(%(channel)s, %(notice)s) FROM said
"""
SET_PRESENT = """
WITH came AS (
    INSERT INTO presence (table_id, holder, node, until) VALUES (%s, %s, %s, %s)
    ON CONFLICT (table_id, holder, node) DO UPDATE SET until = excluded.until RETURNING 1
)
SELECT pg_notify(%s, %s) FROM came
"""
UNSET_PRESENT = """
WITH gone AS (DELETE FROM presence WHERE table_id = %s AND holder = %s AND node = %s RETURNING 1)
SELECT pg_notify(%s, %s) FROM gone
"""
LONG_GONE = 86_400_000  # ms: who was present through a node that was killed is forgotten after a day


class PostgresStore(Store):
    """A store that several nodes share."""

    def __init__(self, url: str, name: str, node: str | None) -> None:
        self.node = node or f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        self.name = name
        self._pool = make_pool(url)
        self._appender = Appender(self._pool, self.node, name)
        self._listener = Listener(url, self.node, self._mend)

    @classmethod
    async def open(cls, url: str, node: str | None = None) -> PostgresStore:
        """Reach a database, and bring it up to date."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise StoreError(f"this address of a database cannot be read: {str(error).strip()}") from None
        name = f"postgresql://{given.get('host', 'localhost')}/{given.get('dbname', '')}"  # and no password
        url = make_conninfo(url, **{key: value for key, value in ALIVE.items() if key not in given})
        try:
            await asyncio.to_thread(prepare, url, name)
        except psycopg.Error as error:
            raise StoreError(f"{name}: {explained(error)}") from None
        store = cls(url, name, node)
        try:
            await store._pool.open(wait=True, timeout=PATIENCE)
            await store._listener.start()
        except BaseException as error:
            await store.close()
            if isinstance(error, psycopg.Error | TimeoutError):
                raise StoreError(f"{name}: {explained(error)}") from None
            raise
        return store

    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""
        await self._appender.close()
        await self._listener.close()
        await self._pool.close()

    async def check(self) -> None:
        """Look whether the database answers, and may be written to."""
        found = await self._look(
            "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'"
        )
        if found != [(False,)]:
            raise StoreError(f"{self.name}: this server only lets itself be read; name the one that is written to")

    # ---- Reading ----

    async def _look(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """What a statement gives that may be asked twice: a server that was restarted is asked again."""
        try:
            return await self._once(sql, values)
        except psycopg.OperationalError:
            await self._mend()
        except psycopg.Error as error:
            raise StoreError(f"{self.name}: {explained(error)}") from None
        return await self._do(sql, values)

    async def _do(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[Any]:
        """What a statement gives that is said once only."""
        try:
            return await self._once(sql, values)
        except psycopg.OperationalError as error:
            await self._mend()
            raise StoreError(f"{self.name}: {explained(error)}") from None
        except psycopg.IntegrityError:
            raise
        except psycopg.Error as error:
            raise StoreError(f"{self.name}: {explained(error)}") from None

    async def _once(self, sql: str, values: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        connection = await take(self._pool)
        try:
            cursor = await connection.execute(sql.encode(), values)
            return [] if cursor.description is None else await cursor.fetchall()
        finally:
            await self._pool.putconn(connection)

    async def _mend(self) -> None:
        """Throw away the connections whose other end is gone."""
        with suppress(psycopg.Error):
            await self._appender.rest()
            await self._pool.check()

    async def read(self, table: str, after: int = 0) -> list[Step]:
        """The steps of a table that come after a version."""
        sql = "SELECT version, at, data FROM steps WHERE table_id = %s AND version > %s ORDER BY version"
        return [Step(table, version, at, data.encode()) for version, at, data in await self._look(sql, (table, after))]

    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[Step]]:
        """The same of several tables at once."""
        sql = """
            SELECT table_id, steps.version, at, data FROM json_each_text(%s) AS wanted(id, version)
            JOIN steps ON table_id = id AND steps.version > wanted.version::int ORDER BY 1, 2
        """
        steps: dict[str, list[Step]] = {}
        for table, version, at, data in await self._look(sql, (encode(after),)):
            steps.setdefault(table, []).append(Step(table, version, at, data.encode()))
        return steps

    async def row(self, table: str) -> Row | None:
        """The row of a table."""
        return next(iter(await self._rows("id = %s", (table,), "")), None)

    async def row_by_code(self, code: str) -> Row | None:
        """The row of the table that this code invites to."""
        return next(iter(await self._rows("code = %s", (code,), "")), None)

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
        where, values = chosen("%s", holder=holder, group=group, public=public, over=over, before=before)
        end = "ORDER BY changed DESC FETCH FIRST %s ROWS WITH TIES"
        rows = await self._rows(where, (*values, limit), end)
        return sorted(rows, key=lambda row: (-row.changed, row.table))

    async def _rows(self, where: str, values: tuple[Any, ...], end: str) -> list[Row]:
        found = await self._look(f"SELECT {ROW} FROM tables WHERE {where} {end}", values)
        return [as_row(row) for row in found]

    async def read_talk(self, table: str, after: int = 0, limit: int = 100) -> list[Talk]:
        """What was said last at a table, in order."""
        sql = "SELECT number, at, data FROM talk WHERE table_id = %s AND number > %s ORDER BY number DESC LIMIT %s"
        found = await self._look(sql, (table, after, limit))
        return [Talk(table, number, at, data.encode()) for number, at, data in reversed(found)]

    async def next_due(self) -> int | None:
        """When the next table can be claimed."""
        ((due,),) = await self._look("SELECT min(wake) FROM tables WHERE wake IS NOT NULL")
        return None if due is None else int(due)

    async def present_at(self, tables: Collection[str], now: int) -> dict[str, set[str]]:
        """Who is at each of these tables, through any node."""
        sql = "SELECT table_id, holder FROM presence WHERE table_id = ANY(%s) AND until > %s"
        there: dict[str, set[str]] = {}
        for table, holder in await self._look(sql, (list(tables), now)):
            there.setdefault(table, set()).add(holder)
        return there

    async def tables(self, after: str = "", limit: int = 1000) -> list[str]:
        """The tables that have steps, those that come after a name."""
        sql = f"{TABLES} SELECT id FROM names WHERE id IS NOT NULL LIMIT %s"
        return [id for (id,) in await self._look(sql, (after, limit))]

    async def count(self) -> int:
        """How many tables have steps."""
        ((count,),) = await self._look(f"{TABLES} SELECT count(id) FROM names", ("",))
        return int(count)

    async def settings(self) -> dict[str, str]:
        """All that ``setting`` keeps."""
        return dict(await self._look("SELECT name, value FROM settings"))

    # ---- Writing ----

    async def append(self, step: Step, row: Row | None = None) -> None:
        """Store the next step of a table; on disk when this returns."""
        await self._appender.append(step, row)

    async def claim(self, node: str, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Tables that are due, the longest waiting first, each to one node only until its lease is over."""
        claimed = await self._do(CLAIM, (now, limit, now + lease_ms, node))
        return [Due(table, due) for due, table in sorted(claimed)]

    async def keep_claimed(self, node: str, tables: Collection[str], until: int) -> None:
        """This node still works on what it has claimed of these tables."""
        sql = "UPDATE tables SET wake = %s WHERE node = %s AND id = ANY(%s) AND wake IS NOT NULL"
        await self._do(sql, (until, node, list(tables)))

    async def add_talk(self, table: str, at: int, data: bytes) -> Talk:
        """Keep what was said at a table; two who speak at once get two numbers."""
        said = {"table": table, "at": at, "data": data.decode(), "channel": CHANNEL, "notice": self._notice(table)}
        while True:
            with suppress(psycopg.errors.UniqueViolation):
                ((number, _),) = await self._do(ADD_TALK, said)
                return Talk(table, number, at, data)

    async def setting(self, name: str, value: str | None = None) -> str:
        """A value that is kept once, for every node."""
        if value is not None:
            await self._do("INSERT INTO settings (name, value) VALUES (%s, %s) ON CONFLICT DO NOTHING", (name, value))
        return (await self.settings()).get(name, "")

    async def set_present(self, table: str, holder: str, node: str, until: int) -> None:
        """Somebody is at a table until then."""
        await self._do(SET_PRESENT, (table, holder, node, until, CHANNEL, self._notice(table)))

    async def unset_present(self, table: str, holder: str, node: str) -> None:
        """Somebody's last line to a table is closed."""
        await self._do(UNSET_PRESENT, (table, holder, node, CHANNEL, self._notice(table)))

    async def keep_present(self, node: str, until: int) -> None:
        """Everybody who is present through this node still is."""
        await self._do("UPDATE presence SET until = %s WHERE node = %s", (until, node))
        await self._do("DELETE FROM presence WHERE until < %s", (until - LONG_GONE,))

    def listen(self, told: Callable[[Notice], None]) -> Callable[[], None]:
        """Be told of everything that other nodes store."""
        return self._listener.listen(told)

    def _notice(self, table: str) -> str:
        """What the other nodes are told when somebody spoke, came or went."""
        return encode([self.node, [table, None]])

    async def put(self, kept: Sequence[Kept]) -> None:
        """Take over whole tables, all or none of them."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await take_over(connection, kept)
        except psycopg.errors.UniqueViolation as error:
            raise Conflict(
                f"a table is stored here already, or its code is another's ({error.diag.message_detail})"
            ) from None
        except psycopg.Error as error:
            await self._mend()
            raise StoreError(f"{self.name}: {explained(error)}") from None

    async def replace(self, batches: Iterable[Sequence[Kept]], settings: Mapping[str, str]) -> None:
        """Forget everything for these tables; the settings, too, may come with them one by one."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute("TRUNCATE steps, tables, holders, talk, presence, settings")
                for batch in batches:
                    await take_over(connection, batch)
                for setting in settings.items():
                    await connection.execute("INSERT INTO settings (name, value) VALUES (%s, %s)", setting)
        except psycopg.Error as error:
            raise StoreError(f"{self.name}: {explained(error)}") from None


def as_row(values: Sequence[Any]) -> Row:
    """A row as the database gives it."""
    *plain, holders, summary = values
    return Row(*[*plain, msgspec.json.decode(holders, type=tuple[str, ...]), summary.encode()])


async def take_over(connection: AsyncConnection[Any], kept: Sequence[Kept]) -> None:
    """Insert whole tables."""
    rows = [whole.row for whole in kept if whole.row is not None]
    cursor = connection.cursor()
    async with cursor.copy("COPY steps (table_id, version, at, data) FROM STDIN") as copy:
        for step in (step for whole in kept for step in whole.steps):
            await copy.write_row((step.table, step.version, step.at, step.data.decode()))
    async with cursor.copy("COPY talk (table_id, number, at, data) FROM STDIN") as copy:
        for talk in (talk for whole in kept for talk in whole.talk):
            await copy.write_row((talk.table, talk.number, talk.at, talk.data.decode()))
    async with cursor.copy(f"COPY tables ({ROW}, wake) FROM STDIN") as copy:
        for r in rows:
            values = (r.table, r.code, r.version, r.changed, r.public, r.over, r.due, r.group)
            await copy.write_row((*values, encode(r.holders), r.summary.decode(), r.due))
    async with cursor.copy("COPY holders (holder, table_id) FROM STDIN") as copy:
        for row in rows:
            for holder in dict.fromkeys(row.holders):
                await copy.write_row((holder, row.table))


def prepare(url: str, name: str) -> None:
    """Bring a database up to date, in one transaction."""
    with psycopg.connect(url, connect_timeout=PATIENCE) as connection:
        if is_newest(version_of(connection), name):
            return
    from sqlalchemy import NullPool, create_engine

    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)
    with engine.begin() as through:
        through.exec_driver_sql(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})")
        upgrade(through)


def version_of(connection: psycopg.Connection[Any]) -> str | None:
    """The version of a database; None when it holds nothing of ours."""
    there = connection.execute("SELECT to_regclass(%s)", (VERSION_TABLE,)).fetchone()
    if there is None or there[0] is None:
        return None
    found = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}".encode()).fetchone()
    return None if found is None else str(found[0])
