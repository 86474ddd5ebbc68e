"""Puts a node together: the store, the thinkers and the hall."""

from __future__ import annotations

import secrets
import time
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stationmaster.server.hallway import Hall
    from stationmaster.server.settings import Settings


async def open_hall(database: str, settings: Settings) -> Hall:
    """A hall over the tables in this database."""
    store = await import_module("stationmaster.store").open_store(database)
    hall: Hall = import_module("stationmaster.server.hall").Hall(
        store, node=secrets.token_hex(4), clock=lambda: time.time_ns() // 1_000_000, settings=settings, thinkers=None
    )
    return hall
