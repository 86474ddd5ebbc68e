"""PostgreSQL's own: it is restarted under play, several nodes meet, and what is said when it is not there."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from stationmaster.store import Conflict, Notice, Store, StoreError, open_store
from store.conftest import Place, row, step

if TYPE_CHECKING:
    from postgres import Postgres


@pytest.fixture
def place(postgres: Postgres) -> Place:
    """An empty database of PostgreSQL."""
    return Place("postgres", postgres.fresh())


async def play(store: Store, name: str, stored: dict[int, str], until: asyncio.Event) -> None:
    """Store steps of one table; who does not know whether a step was stored reads the table again."""
    version, number = 0, 0
    while not until.is_set():
        number += 1
        data = f'"{name}-{number}"'
        try:
            await store.append(step(version + 1, data=data.encode()), row(version + 1))
        except StoreError:
            await asyncio.sleep(0.01)
            with suppress(StoreError):
                steps = await store.read("t")
                version = len(steps)
        else:
            version += 1
            assert version not in stored, "two were told that they stored it"
            stored[version] = data


async def test_the_server_is_restarted_under_play(postgres: Postgres, place: Place) -> None:
    async with place.several(2) as stores:
        told: list[Notice] = []
        stores[1].listen(told.append)
        stored: dict[int, str] = {}
        until = asyncio.Event()
        players = [asyncio.create_task(play(stores[n % 2], f"p{n}", stored, until)) for n in range(4)]
        for mode in ("immediate", "fast"):
            before = len(stored)
            while len(stored) < before + 50:
                await asyncio.sleep(0.01)
            told.clear()
            await asyncio.to_thread(postgres.stop, mode)
            await asyncio.to_thread(postgres.start)
            while Notice(None, None, "") not in told:
                await asyncio.sleep(0.01)
        before = len(stored)
        while len(stored) < before + 50:
            await asyncio.sleep(0.01)
        until.set()
        await asyncio.gather(*players)
        steps = await stores[0].read("t")
        assert [found.version for found in steps] == list(range(1, len(steps) + 1))
        there = {found.version: found.data.decode() for found in steps}
        assert len(set(there.values())) == len(there), "nothing twice"
        assert stored.items() <= there.items()
        await stores[0].append(step(1, "after"))
        while Notice("after", 1, stores[0].node) not in told:
            await asyncio.sleep(0.01)


async def test_a_node_at_rest_does_not_notice_a_restart(postgres: Postgres, place: Place) -> None:
    async with place.open() as store:
        lost: list[Notice] = []
        store.listen(lost.append)
        await store.append(step(1), row(1, due=5))
        await asyncio.gather(*(store.read("t") for _ in range(20)))
        await asyncio.to_thread(postgres.stop)
        await asyncio.to_thread(postgres.start)
        while not lost:
            await asyncio.sleep(0.01)
        await store.append(step(2))
        assert len(await store.read("t")) == 2
        assert [due.at for due in await store.claim("n", 10, 10, 10)] == [5]
        await store.check()


async def test_while_the_server_is_away_a_look_waits_for_it(postgres: Postgres, place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1))
        await asyncio.to_thread(postgres.stop)
        looking = [asyncio.create_task(store.read("t")) for _ in range(3)]
        await asyncio.sleep(3.5)
        assert not any(look.done() for look in looking)
        await asyncio.to_thread(postgres.start)
        assert [len(steps) for steps in await asyncio.gather(*looking)] == [1, 1, 1]


async def test_nodes_that_meet_at_many_tables_do_not_stop_each_other(place: Place) -> None:
    async with place.several(2) as stores:
        names = [f"t{number}" for number in range(60)]

        async def play(store: Store, names: list[str], version: int) -> list[str]:
            done = await asyncio.gather(
                *(store.append(step(version, name), row(version, name)) for name in names), return_exceptions=True
            )
            assert {type(outcome) for outcome in done} <= {type(None), Conflict}
            return [name for name, outcome in zip(names, done, strict=True) if outcome is None]

        for version in range(1, 6):
            one, two = await asyncio.gather(
                play(stores[0], names, version), play(stores[1], list(reversed(names)), version)
            )
            assert sorted(one + two) == sorted(names)


async def test_a_server_that_is_not_there(postgres: Postgres) -> None:
    where = "postgresql://ann:secret@127.0.0.1:1/tables"
    with pytest.raises(StoreError, match="Connection refused") as complaint:
        await open_store(where)
    assert "secret" not in str(complaint.value)
    with pytest.raises(StoreError, match='database "nothing" does not exist'):
        await open_store(postgres.url("nothing"))
    with pytest.raises(StoreError, match="address of a database cannot be read"):
        await open_store("postgresql://[oops")


async def test_a_database_of_a_later_version(postgres: Postgres, place: Place) -> None:
    async with place.open():
        pass
    name = place.url.rpartition("/")[2]
    postgres.sql(name, "UPDATE stationmaster_version SET version_num = '999'")
    with pytest.raises(StoreError, match=r"later version \(999; this program knows 1\)"):
        await open_store(place.url)


async def test_a_server_that_only_lets_itself_be_read(postgres: Postgres, place: Place) -> None:
    async with place.open() as store:
        await store.check()
    postgres.sql("postgres", f"ALTER DATABASE {place.url.rpartition('/')[2]} SET default_transaction_read_only = on")
    async with place.open() as store:
        with pytest.raises(StoreError, match="only lets itself be read"):
            await store.check()
        with pytest.raises(StoreError, match="read-only transaction"):
            await store.append(step(1))


def test_without_its_library_it_says_what_to_install() -> None:
    code = """
import asyncio, sys
sys.modules["psycopg"] = None
from stationmaster.store import StoreError, open_store
try:
    asyncio.run(open_store("postgresql://localhost/tables"))
except StoreError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'stationmaster[postgres]'" in done.stdout
