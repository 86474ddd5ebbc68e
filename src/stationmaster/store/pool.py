"""The connections of a node to PostgreSQL."""

from __future__ import annotations

from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

CONNECTIONS = 6  # of a node, besides the one that listens
PATIENCE = 10  # seconds that is waited for a server that is being restarted


def make_pool(url: str) -> AsyncConnectionPool:
    """The pool, not open yet."""
    return AsyncConnectionPool(
        url,
        min_size=1,
        max_size=CONNECTIONS,
        open=False,
        reconnect_timeout=1.0,
        kwargs={"autocommit": True, "prepare_threshold": 0},
        name="store",
    )


async def take(pool: AsyncConnectionPool) -> AsyncConnection[Any]:
    """A connection, to be given back with ``putconn``.

    Asked for again every second: the pool itself would wait longer from try to try, and the server be back unnoticed.
    """
    for _ in range(PATIENCE - 1):
        try:
            return await pool.getconn(timeout=1.0)
        except PoolTimeout:
            pass
    return await pool.getconn(timeout=1.0)
