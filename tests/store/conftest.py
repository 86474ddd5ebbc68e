"""Both stores at hand, and tests that may wait: ``async def`` ones run in an event loop of their own."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from stationmaster.store import Row, Step, Store, open_store

KINDS = ("sqlite", "postgres")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 120))
    return True


class Place(NamedTuple):
    """A database that is empty at first."""

    kind: str
    url: str

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        """Open it, and close it in the end."""
        store = await open_store(self.url)
        try:
            yield store
        finally:
            await store.close()

    @asynccontextmanager
    async def several(self, nodes: int) -> AsyncIterator[list[Store]]:
        """Open it as several nodes do; one process serves an SQLite file, so there they are one."""
        async with AsyncExitStack() as stack:
            different = [await stack.enter_async_context(self.open()) for _ in range(self.nodes(nodes))]
            yield [different[number % len(different)] for number in range(nodes)]

    def nodes(self, wanted: int) -> int:
        return wanted if self.kind == "postgres" else 1


def make_place(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    """An empty database of a kind."""
    if kind == "postgres":
        return Place(kind, request.getfixturevalue("postgres").fresh())
    return Place(kind, str(tmp_path / "tables.db"))


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty database of each kind."""
    return make_place(request.param, tmp_path, request)


def step(version: int, table: str = "t", data: bytes = b'{"entries": [], "moved": "12-5@0"}') -> Step:
    """A step of a table."""
    return Step(table, version, 1000 + version, data)


def row(version: int, table: str = "t", **changes: object) -> Row:
    """A row that comes with a step."""
    values = {
        "code": f"code-{table}",
        "version": version,
        "changed": 1000 + version,
        "public": False,
        "over": False,
        "due": None,
        "group": None,
        "holders": ("ann", "ben"),
        "summary": b'{"names": ["Ann", "Ben"]}',
    }
    return Row(table, **(values | changes))  # type: ignore[arg-type]
