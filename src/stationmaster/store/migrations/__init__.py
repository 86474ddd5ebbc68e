"""How a database of any released version becomes one of this version; alembic does it.

A change of the database is a new file in ``versions/``; what was released is never edited. tests/store/released/ keeps
a database of each release.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from stationmaster.store.base import StoreError

if TYPE_CHECKING:
    from sqlalchemy import Connection

NEWEST = "1"  # the last file in versions/, so that a database that is up to date is opened without alembic
VERSIONS = ("1",)  # all of them, oldest first
VERSION_TABLE = "stationmaster_version"

_one_at_a_time = threading.Lock()


def is_newest(version: str | None, where: str) -> bool:
    """Whether a database's version is this program's; StoreError when it is a later one, which nobody here can read."""
    if version is not None and version not in VERSIONS:
        raise StoreError(
            f"{where}: this database is of a later version ({version}; this program knows {NEWEST}). "
            "Install the newer stationmaster that made it."
        )
    return version == NEWEST


def upgrade(connection: Connection) -> None:
    """Bring a database up to date, in the transaction that has begun."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    with _one_at_a_time:  # alembic has one context for the whole process
        command.upgrade(config, "head")
