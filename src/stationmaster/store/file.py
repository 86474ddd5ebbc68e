"""The SQLite file itself: held by one process, opened, made, and brought up to date."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

from stationmaster.store.base import StoreError
from stationmaster.store.migrations import VERSION_TABLE, is_newest, upgrade
from stationmaster.store.places import data_folder
from stationmaster.store.writer import explained

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two processes from one file there
    fcntl = None  # type: ignore[assignment]

# Whoever has claimed something does not work on it any more: one process serves the file, and here it starts.
FORGET_CLAIMS = "UPDATE tables SET wake = due, node = NULL WHERE wake IS NOT NULL AND node IS NOT NULL"
OLDEST_SQLITE = (3, 35)  # RETURNING


class Lock:
    """That one process serves a file; it ends with the process, however that ends."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f"{path.name}.lock")
        try:
            self._file = os.open(self.path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600)
        except OSError as error:
            raise StoreError(f"{path}: {error.strerror}; see who owns the folder") from None
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self._file, 1000).decode(errors="replace").strip() or "another process"
            os.close(self._file)
            raise StoreError(
                f"{path}: held by {holder}; one process serves one file. Stop that one, or choose another file"
            ) from None
        os.ftruncate(self._file, 0)
        os.write(self._file, f"process {os.getpid()} ({' '.join([Path(sys.argv[0]).name, *sys.argv[1:2]])})".encode())

    def release(self) -> None:
        """Let another process have the file. The lock's own file stays: to remove it would be a race."""
        with suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def default_file() -> Path:
    """The database of this user."""
    return data_folder() / "tables.db"


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=10,
    )


def open_file(path: Path) -> tuple[Path, Lock, sqlite3.Connection]:
    """Take hold of a file; make it if it is not there, and bring it up to date."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreError(f"SQLite {sqlite3.sqlite_version} is too old: it takes 3.35 or newer, or PostgreSQL")
    if path == default_file():
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreError(f"{path.parent}: {error.strerror}; name another place for the database") from None
    if not path.parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent.absolute()}")
    if path.is_dir():
        raise StoreError(f"{path}: this is a folder; name a file in it")
    path = path.resolve()  # one file, one lock, by whatever name
    lock = Lock(path)
    try:
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = connect(path)
        try:
            prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        lock.release()
        raise StoreError(f"{path}: {explained(error)}") from None
    except OSError as error:
        lock.release()
        raise StoreError(f"{path}: {error.strerror}; see who owns the file") from None
    except BaseException:
        lock.release()
        raise
    return path, lock, connection


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a file up to date, and set how it is written: a step that is stored is on the disk."""
    version = version_of(connection, path)
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise StoreError(f"{path}: the disk cannot hold such a database (no shared memory); choose a local disk")
    connection.execute("PRAGMA synchronous = FULL")
    if not is_newest(version, str(path)):
        upgrade_file(connection)
    connection.execute("BEGIN IMMEDIATE")  # a file that cannot be written to is found out now
    connection.execute(FORGET_CLAIMS)
    connection.execute("COMMIT")


def version_of(connection: sqlite3.Connection, path: Path) -> str | None:
    """The version of a file; None when it is empty."""
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not names:
        return None
    if VERSION_TABLE not in names:
        raise StoreError(f"{path}: this is a database of another program")
    found = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()
    return None if found is None else str(found[0])


def upgrade_file(connection: sqlite3.Connection) -> None:
    """Let alembic bring a file up to date, in one transaction."""
    from sqlalchemy import StaticPool, create_engine

    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with engine.connect() as through:
        through.exec_driver_sql("BEGIN IMMEDIATE")
        upgrade(through)
        through.commit()
