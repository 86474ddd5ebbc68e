"""Copies of a whole database, and putting one back: of an SQLite file as a file, of PostgreSQL as lines of JSON."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from stationmaster.store import file_of, is_postgres, open_store
from stationmaster.store.base import Store, StoreError
from stationmaster.store.file import Lock, connect, default_file, version_of
from stationmaster.store.sqlite import SqliteStore
from stationmaster.store.transfer import Arriving, Change, Told, export_lines, faults, import_tables, in_batches, same
from stationmaster.store.writer import explained

if TYPE_CHECKING:
    from stationmaster.store.postgres import PostgresStore

PAGES = 500  # of an SQLite file, copied between two looks at the progress
SQLITE_BEGINS = b"SQLite format 3\x00"


@contextmanager
def written_whole(path: Path, *, force: bool) -> Iterator[Path]:
    """A file that is there when it is whole: what is written goes beside it first. Nobody else may read it."""
    if path.exists() and not force:
        raise StoreError(f"{path}: there is such a file already; --force writes over it")
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with suppress(FileNotFoundError):
            beside.unlink()
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield beside
        sync(beside)
        beside.replace(path)
        sync(path.parent)
    finally:
        with suppress(OSError):
            beside.unlink()


def quietly(done: int, total: int) -> None:
    """Tell nobody how far it is."""


def sync(path: Path) -> None:
    """See to it that a file or a folder is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def copy_file(path: Path, to: Path, told: Told) -> None:
    """Copy an SQLite file as it stands at one moment, while it is played on."""
    if not path.exists():
        raise StoreError(f"{path}: there is no such database")
    try:
        source, target = connect(path), sqlite3.connect(to)
        try:
            version_of(source, path)
            source.execute("BEGIN")  # one moment: what is stored meanwhile neither gets in nor makes it begin again
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES, progress=lambda _, left, total: told(total - left, total), sleep=0)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, without a second one beside it
        finally:
            target.close()
            source.close()
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {explained(error)}") from None


async def copied(path: Path, to: Path, told: Told) -> None:
    """The same in a thread, which ends soon when this is cancelled."""
    stopped = threading.Event()

    def tell(done: int, total: int) -> None:
        if stopped.is_set():
            raise InterruptedError
        told(done, total)

    copying = asyncio.ensure_future(asyncio.to_thread(copy_file, path, to, tell))
    try:
        await asyncio.shield(copying)
    except asyncio.CancelledError:
        stopped.set()
        await asyncio.wait([copying])
        copying.exception()  # that it was stopped is no news
        raise


@asynccontextmanager
async def looked_at(url: str, told: Told) -> AsyncIterator[Store]:
    """A database to be read while it is served: an SQLite file, which one process holds, as a copy."""
    if is_postgres(url):
        store = await open_store(url)
        try:
            yield store
        finally:
            await store.close()
        return
    path = file_of(url)
    if not path.exists():
        raise StoreError(f"{path}: there is no such database")
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        copy = Path(folder, "copy.db")
        await copied(path, copy, told)
        store = await SqliteStore.open(copy)
        try:
            yield store
        finally:
            await store.close()


async def write_lines(store: Store, path: Path, change: Change, told: Told, *, everything: bool) -> None:
    """Write the lines of a database into a file."""
    with path.open("wb") as file:
        async for chunk in export_lines(store, change, told, everything=everything):
            file.write(chunk)


async def export(url: str, path: Path, change: Change, told: Told, *, force: bool = False) -> int:
    """Write every table into a file of lines, without what ``change`` takes out; how many there are."""
    with written_whole(path, force=force) as beside:
        async with looked_at(url, told) as store:
            await write_lines(store, beside, change, told, everything=False)
            return await store.count()


async def check(url: str, told: Told) -> tuple[int, list[str]]:
    """How many tables a database holds, and what does not hold in it."""
    async with looked_at(url, told) as store:
        found = [] if not isinstance(store, SqliteStore) or (sound := await store.sound()) == "ok" else [sound]
        return await store.count(), found + [fault async for fault in faults(store, told)]


async def backup(url: str, path: Path, told: Told, *, force: bool = False) -> None:
    """Write all that a database holds into a file, secrets too."""
    with written_whole(path, force=force) as beside:
        if not is_postgres(url):
            await copied(file_of(url), beside, told)
            return
        async with looked_at(url, told) as store:
            await write_lines(store, beside, same, told, everything=True)


async def add(url: str, path: Path, told: Told) -> tuple[int, int]:
    """Add the tables of a file of lines to a database: how many were added, how many were there already."""
    with path.open("rb") as file:
        arriving = Arriving(file, str(path), told)
        store = await open_store(url)
        try:
            return await import_tables(store, arriving)
        finally:
            await store.close()


# ---- Putting a backup back ---------------------------------------------------------------------------


async def restore(url: str, path: Path, told: Told, *, force: bool = False) -> int:
    """Make a database what a backup holds; how many tables that is."""
    with path.open("rb") as file:
        is_file = file.read(len(SQLITE_BEGINS)) == SQLITE_BEGINS
        file.seek(0)
        if is_postgres(url):
            return await restore_postgres(url, path, None if is_file else file, told, force=force)
        return await restore_file(file_of(url), path, None if is_file else file, told, force=force)


async def restore_file(target: Path, path: Path, lines: BinaryIO | None, told: Told, *, force: bool) -> int:
    """Build the database beside, then put it in the place of the old one."""
    if target == default_file():
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = target.resolve()
    if not target.parent.is_dir():
        raise StoreError(f"{target}: there is no folder {target.parent}")
    lock = Lock(target)
    try:
        if not force and target.exists() and await asyncio.to_thread(holds_tables, target):
            raise StoreError(f"{target}: this database holds tables; --force puts the backup in their place")
        with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
            copy = Path(folder, "restored.db")
            count = await build(copy, path, lines, told)
            sync(copy)
            for old in ("-wal", "-shm"):  # of the old one: SQLite would take them for the new one's
                target.with_name(target.name + old).unlink(missing_ok=True)
            copy.replace(target)
            sync(target.parent)
        return count
    finally:
        lock.release()


async def build(copy: Path, path: Path, lines: BinaryIO | None, told: Told) -> int:
    """Make a new file of a backup: whole, of this version, and found in order."""
    if lines is None:
        await copied(path, copy, told)
    store = await SqliteStore.open(copy)
    try:
        if lines is not None:
            arriving = Arriving(lines, str(path), told)
            await import_tables(store, arriving)
            for name, value in arriving.settings.items():
                await store.setting(name, value)
        found = await store.sound()
        if found != "ok":
            raise StoreError(f"{path}: this backup is damaged: {found}")
        return await store.count()
    finally:
        await store.close()


def holds_tables(path: Path) -> bool:
    """Whether anything is stored in a file; so it is in one that cannot be read."""
    try:
        connection = connect(path)
        try:
            return bool(connection.execute("SELECT EXISTS (SELECT 1 FROM steps)").fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error:
        return path.stat().st_size > 0


async def restore_postgres(url: str, path: Path, lines: BinaryIO | None, told: Told, *, force: bool) -> int:
    """Put everything in the place of what is there, in one transaction."""
    from stationmaster.store.postgres import PostgresStore

    store = await PostgresStore.open(url)
    try:
        if not force and await store.count():
            raise StoreError(f"{store.name}: this database holds tables; --force puts the backup in their place")
        if lines is not None:
            return await replace(store, lines, str(path), told)
        with tempfile.TemporaryDirectory() as folder:
            copied = Path(folder, "lines")
            async with looked_at(str(path), quietly) as source:
                await write_lines(source, copied, same, quietly, everything=True)
            with copied.open("rb") as file:
                return await replace(store, file, str(path), told)
    finally:
        await store.close()


async def replace(store: PostgresStore, lines: BinaryIO, name: str, told: Told) -> int:
    """Let a file of lines take the place of all that a database holds."""
    arriving = Arriving(lines, name, told)
    await store.replace(in_batches(arriving), arriving.settings)
    return arriving.tables
