"""Puts a node together: the store, the thinkers and the hall."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from stationmaster.server.hall import Hall
from stationmaster.server.thinkers import Thinkers
from stationmaster.store import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def open_hall(database: str) -> AsyncIterator[Hall]:
    """A hall over the tables in this database; at the end everything is on disk."""
    store = await open_store(database)
    thinkers = Thinkers()
    try:
        yield Hall(store, thinkers)
    finally:
        await thinkers.close()
        await store.close()
