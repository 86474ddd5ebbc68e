"""Where the server's tables are kept: the steps of each, and all that follows from them."""

from __future__ import annotations

import os
from pathlib import Path

from stationmaster.store.base import CodeTaken, Conflict, Due, Kept, Notice, Row, Step, Store, StoreError, Talk

__all__ = [
    "CodeTaken",
    "Conflict",
    "Due",
    "Kept",
    "Notice",
    "Row",
    "Step",
    "Store",
    "StoreError",
    "Talk",
    "database",
    "open_store",
]


def database(given: str | None = None) -> str:
    """Which database is meant: the one given, or STATIONMASTER_DATABASE, or the file of this user."""
    from stationmaster.store.file import default_file

    return given or os.environ.get("STATIONMASTER_DATABASE") or str(default_file())


def is_postgres(url: str) -> bool:
    """Whether an address is one of PostgreSQL."""
    return url.startswith(("postgresql://", "postgres://"))


def file_of(url: str) -> Path:
    """The SQLite file that an address means: a path, ``sqlite:///relative.db`` or ``sqlite:////absolute.db``."""
    scheme, found, rest = url.partition("://")
    if not found:
        return Path(url)
    if scheme != "sqlite" or not rest.startswith("/") or rest == "/":
        raise StoreError(
            f"{scheme}://…: no such kind of database; name a file, sqlite:///FILE, sqlite:////PATH/TO/FILE, "
            "or postgresql://USER@HOST/DATABASE"
        )
    return Path(rest[1:])


async def open_store(url: str | Path, *, node: str | None = None) -> Store:
    """Open a database, made or brought up to date where it has to be."""
    if isinstance(url, str) and is_postgres(url):
        try:
            from stationmaster.store.postgres import PostgresStore
        except ImportError as error:
            raise StoreError(
                f"PostgreSQL takes libraries that are not installed here ({error}): "
                "pip install 'stationmaster[postgres]'"
            ) from None
        return await PostgresStore.open(url, node)
    from stationmaster.store.sqlite import SqliteStore

    return await SqliteStore.open(file_of(url) if isinstance(url, str) else url, node)
