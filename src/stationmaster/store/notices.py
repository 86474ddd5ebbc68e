"""What the nodes at one PostgreSQL tell each other: that there is something new to read, never what it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import msgspec
import psycopg
from psycopg import AsyncConnection

from stationmaster.store.base import Notice

CHANNEL = "stationmaster"
ROOM = 7_500  # bytes in one notice; PostgreSQL takes up to 8,000
QUIET = 20.0  # seconds without a notice, after which the connection is tried
PAUSES = (0.05, 0.2, 0.5, 1.0)  # seconds, before it is made again; the last over and over

Told = Callable[[Notice], None]


class Listener:
    """Hears what other nodes store, over a connection of its own that is made again whenever it is lost."""

    def __init__(self, url: str, node: str, regained: Callable[[], Awaitable[None]]) -> None:
        self._url = url
        self._node = node
        self._regained = regained
        self._told: dict[object, Told] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to listen."""
        connection = await self._connect()
        self._task = asyncio.create_task(self._stay(connection))

    async def close(self) -> None:
        """Listen no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def listen(self, told: Told) -> Callable[[], None]:
        """Tell somebody too; what this returns ends it."""
        key = object()
        self._told[key] = told
        return lambda: self._told.pop(key, None) and None

    async def _connect(self) -> AsyncConnection[object]:
        connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=5)
        await connection.execute(f"LISTEN {CHANNEL}")
        return connection

    async def _stay(self, connection: AsyncConnection[object]) -> None:
        """Hear until cancelled."""
        while True:
            with suppress(psycopg.Error, OSError):
                await self._hear(connection)
            connection = await self._again()
            await self._regained()
            self._tell(Notice(None, None, ""))  # whatever was said meanwhile was not heard

    async def _hear(self, connection: AsyncConnection[object]) -> None:
        """Hear until the connection is lost."""
        try:
            while True:
                async for notify in connection.notifies(timeout=QUIET):
                    self._tell_all(notify.payload)
                await connection.execute("SELECT 1")
        finally:
            with suppress(psycopg.Error):
                await connection.close()

    async def _again(self) -> AsyncConnection[object]:
        """A new connection, however long that takes."""
        failures = 0
        while True:
            await asyncio.sleep(PAUSES[min(failures, len(PAUSES) - 1)])
            try:
                return await self._connect()
            except (psycopg.Error, OSError):
                failures += 1

    def _tell_all(self, payload: str) -> None:
        node, *news = msgspec.json.decode(payload)
        if node != self._node:
            for table, version in news:
                self._tell(Notice(table, version, node))

    def _tell(self, notice: Notice) -> None:
        for told in list(self._told.values()):
            told(notice)
