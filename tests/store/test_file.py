"""SQLite's own: one process has the file, and what is said of a file that cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from stationmaster.errors import StationmasterError
from stationmaster.store import StoreError, database, file_of, open_store
from store import appending
from store.conftest import Place, row, step

if TYPE_CHECKING:
    from stationmaster.store.sqlite import SqliteStore


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty file's place."""
    return Place("sqlite", str(tmp_path / "tables.db"))


async def test_one_process_has_a_file(place: Place) -> None:
    command = [sys.executable, appending.__file__, place.url, "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match=rf"held by process {other.pid} \(appending.py .*one process serves one"):
            await open_store(place.url)
        other.kill()
    async with place.open():
        with pytest.raises(StoreError, match=f"held by process {os.getpid()}"):
            await open_store(f"sqlite:///{place.url}")


async def test_a_link_is_the_file_that_it_leads_to(place: Place, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(place.url)
    async with place.open():
        with pytest.raises(StoreError, match="held by"):
            await open_store(link)


async def test_only_its_owner_reads_it(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1))
        kept = list(Path(place.url).parent.iterdir())
        assert {path.name for path in kept} == {"tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"}
        assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    assert {path.name for path in Path(place.url).parent.iterdir()} == {"tables.db", "tables.db.lock"}


async def test_it_is_written_to_the_disk_before_it_is_told(place: Place) -> None:
    async with place.open() as store:

        def how(connection: sqlite3.Connection) -> tuple[object, ...]:
            return tuple(connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("journal_mode", "synchronous"))

        assert await cast("SqliteStore", store)._writer.submit(how) == ("wal", 2)


async def test_files_that_are_no_database(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("a shopping list, and no database at all\n" * 200)
    with pytest.raises(StoreError, match=r"notes\.txt: this is not a database of stationmaster"):
        await open_store(text)
    assert text.read_text().startswith("a shopping list")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    with pytest.raises(StoreError, match=r"other\.db: this is a database of another program"):
        await open_store(other)
    with pytest.raises(StoreError, match=r"there is no folder .*/nowhere"):
        await open_store(tmp_path / "nowhere" / "tables.db")
    with pytest.raises(StoreError, match="this is a folder; name a file in it"):
        await open_store(tmp_path)


async def test_a_file_of_a_later_version(place: Place) -> None:
    async with place.open():
        pass
    with closing(sqlite3.connect(place.url, isolation_level=None)) as connection:
        connection.execute("UPDATE stationmaster_version SET version_num = '999'")
    with pytest.raises(StoreError, match=r"later version \(999; this program knows 1\)\. Install the newer"):
        await open_store(place.url)


def test_a_file_that_is_up_to_date_is_opened_without_alembic(place: Place) -> None:
    code = """
import asyncio, sys
from stationmaster.store import open_store
async def main():
    await (await open_store(sys.argv[1])).close()
asyncio.run(main())
print("alembic" in sys.modules, "sqlalchemy" in sys.modules)
"""
    command = [sys.executable, "-c", code, place.url]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True True\n"
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False False\n"


async def test_when_the_disk_is_full_it_says_so_and_goes_on_when_there_is_room(place: Place) -> None:
    async with place.open() as store:
        writer = cast("SqliteStore", store)._writer
        await store.append(step(1), row(1))
        (pages,) = await writer.submit(lambda c: c.execute("PRAGMA page_count").fetchone())
        await writer.submit(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").close())
        attempts = [store.append(step(1, f"t{number}", b'"' + b"x" * 5000 + b'"')) for number in range(20)]
        outcomes = await asyncio.gather(*attempts, return_exceptions=True)
        assert all(isinstance(outcome, StoreError) and "the disk is full" in str(outcome) for outcome in outcomes)
        assert len(await store.read("t")) == 1
        await writer.submit(lambda c: c.execute("PRAGMA max_page_count = 100000").close())
        await store.append(step(2), row(2))
        assert await store.tables() == ["t"], "of what could not be stored nothing is left"
        await store.append(step(1, "t7"))


async def test_a_file_that_cannot_be_written_to_is_not_ready(place: Place) -> None:
    async with place.open() as store:
        writer = cast("SqliteStore", store)._writer
        await writer.submit(lambda c: c.execute("PRAGMA query_only = ON").close())
        with pytest.raises(StoreError, match="the file cannot be written to"):
            await store.append(step(1))
        with pytest.raises(StoreError, match="the file cannot be written to"):
            await store.check()


def test_addresses() -> None:
    assert file_of("tables.db") == file_of("sqlite:///tables.db") == Path("tables.db")
    assert file_of("/srv/tables.db") == file_of("sqlite:////srv/tables.db") == Path("/srv/tables.db")
    for wrong in ("mysql://host/tables", "sqlite://tables.db", "sqlite:///"):
        with pytest.raises(StoreError, match="no such kind of database; name a file"):
            file_of(wrong)


def test_the_database_of_this_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("STATIONMASTER_DATABASE", raising=False)
    mine = tmp_path / "data" / "stationmaster" / "tables.db"
    assert database() == str(mine)

    async def made() -> None:
        await (await open_store(database())).close()

    asyncio.run(made())
    assert mine.exists()
    assert mine.parent.stat().st_mode & 0o777 == 0o700
    monkeypatch.setenv("STATIONMASTER_DATABASE", "postgresql://host/tables")
    assert database() == "postgresql://host/tables"
    assert database("given.db") == "given.db"


def test_without_a_home_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError))
    with pytest.raises(StationmasterError, match="set XDG_DATA_HOME"):
        database()
