"""A database that any release made is opened by this one, and nothing in it is lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stationmaster.store import Due
from stationmaster.store.migrations import NEWEST, VERSIONS
from store.conftest import Place, row, step
from store.released.make import HERE, tables

if TYPE_CHECKING:
    from postgres import Postgres


async def assert_all_is_there(place: Place) -> None:
    for _ in range(2):  # when it is brought up to date, and after that
        async with place.open() as store:
            found = [await store.keep(name) for name in await store.tables()]
            assert found[:2] == tables()
            assert await store.settings() == {"key": "secret of the day"}
            assert (await store.rows(group="day-2026-11-19"))[0].code == "ABCD"
            assert [row.table for row in await store.rows(holder="ben", public=True)] == ["match"]
    async with place.open() as store:
        assert await store.claim("n", 5000, 10, 10) == [Due("match", 5000)]
        await store.append(step(4, "match"), row(4, "match"))
        await store.append(step(1, "new"), row(1, "new"))


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_file_of_an_earlier_release(version: str, tmp_path: Path) -> None:
    shutil.copyfile(HERE / f"{version}.db", tmp_path / "tables.db")
    await assert_all_is_there(Place("sqlite", str(tmp_path / "tables.db")))


@pytest.mark.parametrize("version", VERSIONS)
async def test_postgresql_of_an_earlier_release(version: str, postgres: Postgres) -> None:
    place = Place("postgres", postgres.fresh())
    postgres.sql(place.url.rpartition("/")[2], (HERE / f"{version}.sql").read_text("utf-8"))
    await assert_all_is_there(place)


def test_the_list_of_versions_is_alembics() -> None:
    from alembic.script import ScriptDirectory

    from stationmaster.store import migrations

    folder = Path(migrations.__file__).parent
    chain = [script.revision for script in ScriptDirectory(folder).walk_revisions()]
    assert tuple(reversed(chain)) == VERSIONS
    assert VERSIONS[-1] == NEWEST
