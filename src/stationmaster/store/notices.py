"""What the nodes at one PostgreSQL tell each other: that there is something new to read, never what it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

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
        self._connection: AsyncConnection[Any] | None = None

    async def start(self) -> None:
        """Begin to listen."""
        await self._connect()
        self._task = asyncio.create_task(self._stay())

    async def close(self) -> None:
        """Listen no more."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        await self._hang_up()

    def listen(self, told: Told) -> Callable[[], None]:
        """Tell somebody too; what this returns ends it."""
        key = object()
        self._told[key] = told
        return lambda: self._told.pop(key, None) and None

    async def _connect(self) -> None:
        self._connection = await AsyncConnection.connect(self._url, autocommit=True, connect_timeout=5)
        await self._connection.execute(f"LISTEN {CHANNEL}")

    async def _hang_up(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                await self._connection.close()
            self._connection = None

    async def _stay(self) -> None:
        """Hear until cancelled."""
        while True:
            with suppress(psycopg.Error, OSError):
                await self._hear()
            await self._again()
            await self._regained()
            self._tell(Notice(None, None, ""))  # whatever was said meanwhile was not heard

    async def _hear(self) -> None:
        """Hear until the connection is lost."""
        assert self._connection is not None
        while True:
            async for notify in self._connection.notifies(timeout=QUIET):
                self._tell_all(notify.payload)
            await self._connection.execute("SELECT 1")

    async def _again(self) -> None:
        """Make the connection again, however long that takes."""
        failures = 0
        while True:
            await self._hang_up()
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
