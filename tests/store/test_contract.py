"""What every store keeps to: SQLite's and PostgreSQL's do the same."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from stationmaster.store import CodeTaken, Conflict, Due, Kept, Notice, StoreError, Talk
from store.conftest import Place, row, step

# ---- Steps ------------------------------------------------------------------------------------------


async def test_steps_are_read_as_they_were_stored(place: Place) -> None:
    odd = ['{"a":  [1.50, "\\u0000\\n\\"ñ\U0001f682"]}'.encode(), b"null", b'"' + b"x" * 200_000 + b'"', b"1E400"]
    async with place.open() as store:
        for version, data in enumerate(odd, 1):
            await store.append(step(version, data=data))
        assert await store.read("t") == [step(version, data=data) for version, data in enumerate(odd, 1)]
        assert [found.version for found in await store.read("t", 2)] == [3, 4]
        assert await store.read("t", 4) == await store.read("unknown") == []
    async with place.open() as store:
        assert [found.data for found in await store.read("t")] == odd


async def test_steps_of_several_tables_at_once(place: Place) -> None:
    async with place.open() as store:
        for version in range(1, 13):
            for table in "abc":
                await store.append(step(version, table))
        found = await store.read_many({"a": 0, "b": 9, "c": 12, "unknown": 0})
        assert found == {
            "a": [step(version, "a") for version in range(1, 13)],
            "b": [step(version, "b") for version in (10, 11, 12)],
        }
        assert await store.read_many({}) == {}


async def test_a_step_comes_after_the_last_one(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1))
        for wrong in (1, 3, 0, -1):
            with pytest.raises(Conflict, match=f"table t: version {wrong}"):
                await store.append(step(wrong), row(wrong))
        with pytest.raises(Conflict):
            await store.append(step(2, "another"))
        await store.append(step(2))
        assert [found.version for found in await store.read("t")] == [1, 2]
        assert await store.row("t") is None, "the row of a step that is not stored is not either"


async def test_a_conflict_hurts_no_other(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1, "taken"), row(1, "taken"))
        wrong = {3: step(1, "taken"), 7: step(5, "t7"), 11: step(1, "t11", b"\xff")}
        tables = [f"t{number}" for number in range(40)]
        steps = [wrong.get(number, step(1, table)) for number, table in enumerate(tables)]
        rows = [row(1, s.table, code="code-taken" if number == 20 else s.table) for number, s in enumerate(steps)]
        outcomes = await asyncio.gather(*map(store.append, steps, rows), return_exceptions=True)
        failed = {number: type(outcome) for number, outcome in enumerate(outcomes) if outcome is not None}
        assert failed == {3: Conflict, 7: Conflict, 11: StoreError, 20: CodeTaken}
        stored = await store.read_many(dict.fromkeys(tables, 0))
        assert stored.keys() == {table for number, table in enumerate(tables) if number not in failed}


async def test_steps_sent_one_after_the_other_without_waiting_are_all_stored(place: Place) -> None:
    async with place.open() as store:
        await asyncio.gather(*(store.append(step(version), row(version)) for version in range(1, 101)))
        assert [found.version for found in await store.read("t")] == list(range(1, 101))
        found = await store.row("t")
        assert found is not None
        assert found.version == 100


async def test_of_several_who_want_a_version_one_has_it(place: Place) -> None:
    wanted, stored, conflicts = 60, dict[int, str](), 0
    async with place.several(2) as stores:

        async def play(number: int) -> None:
            nonlocal conflicts
            store, name, version = stores[number % 2], f"player-{number}", 1
            while version <= wanted:
                try:
                    await store.append(step(version, data=f'"{name}"'.encode()), row(version))
                except Conflict:
                    conflicts += 1
                    version = (await store.read("t"))[-1].version
                else:
                    assert version not in stored
                    stored[version] = name
                version += 1

        await asyncio.gather(*(play(number) for number in range(6)))
        for store in stores:
            steps = await store.read("t")
            assert [found.version for found in steps] == list(range(1, wanted + 1))
            assert {found.version: found.data.decode().strip('"') for found in steps} == stored
    assert conflicts


async def test_whoever_gives_up_waiting_hurts_nobody(place: Place) -> None:
    async with place.open() as store:
        impatient = [asyncio.ensure_future(store.append(step(1, f"t{number}"))) for number in range(20)]
        await asyncio.sleep(0)
        for waiting in impatient[::2]:
            waiting.cancel()
        await asyncio.gather(*impatient, return_exceptions=True)
        await store.append(step(1, "last"))
        assert len(await store.tables()) >= 11


async def test_what_is_closed_says_so(place: Place) -> None:
    async with place.open() as store:
        await store.check()
        pending = [asyncio.ensure_future(store.append(step(1, f"t{number}"))) for number in range(50)]
        await asyncio.sleep(0)
    await asyncio.gather(*pending)
    for attempt in (store.append(step(1)), store.read("t"), store.check()):
        with pytest.raises(StoreError, match="closed"):
            await attempt
    async with place.open() as store:
        assert await store.count() == 50, "what was begun is finished"


# ---- Rows -------------------------------------------------------------------------------------------


async def test_a_row_comes_with_its_step(place: Place) -> None:
    async with place.open() as store:
        first = row(1, due=5000, group="day-2026-11-19", public=True, summary='{"ñ": "\\u0000"}'.encode())
        await store.append(step(1), first)
        assert await store.row("t") == await store.row_by_code("code-t") == first
        await store.append(step(2))
        assert await store.row("t") == first
        last = row(3, over=True, code="another", holders=("ann", "ben", "cleo"))
        await store.append(step(3), last)
        assert await store.row("t") == await store.row_by_code("another") == last
        assert await store.row_by_code("code-t") is await store.row("unknown") is None


async def test_two_tables_have_two_codes(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1, "a"), row(1, "a", code="AAAA"))
        with pytest.raises(CodeTaken, match="AAAA"):
            await store.append(step(1, "b"), row(1, "b", code="AAAA"))
        assert await store.read("b") == []
        both = [store.append(step(1, name), row(1, name, code="BBBB")) for name in "cd"]
        outcomes = await asyncio.gather(*both, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [type(None), CodeTaken]
        await store.append(step(1, "b"), row(1, "b", code="CCCC"))
        await store.append(step(2, "a"), row(2, "a", code="AAAA"))


async def test_rows_are_found_by_what_they_say(place: Place) -> None:
    async with place.open() as store:
        for number in range(1, 9):
            facts = {"public": number % 2 == 0, "over": number > 4, "group": "day" if number in (3, 6) else None}
            holders = ("ann", "ann", "ben") if number % 3 == 0 else ("cleo",)
            await store.append(step(1, f"t{number}"), row(1, f"t{number}", changed=number, holders=holders, **facts))

        async def found(**wanted: object) -> list[int]:
            return [int(row.table[1:]) for row in await store.rows(**wanted)]  # type: ignore[arg-type]

        assert await found() == [8, 7, 6, 5, 4, 3, 2, 1]
        assert await found(public=True) == [8, 6, 4, 2]
        assert await found(public=False, over=False) == [3, 1]
        assert await found(holder="ann") == [6, 3]
        assert await found(holder="cleo", over=True, public=True) == [8]
        assert await found(holder="nobody") == await found(group="night") == []
        assert await found(group="day", before=6) == [3]
        assert await found(limit=2) == [8, 7]
        assert await found(limit=2, before=7) == [6, 5]
        await store.append(step(2, "t1"), row(2, "t1", changed=20, holders=("cleo", "dan")))
        assert await found(limit=2) == [1, 8]
        assert await found(holder="dan") == [1]


async def test_a_page_parts_no_millisecond(place: Place) -> None:
    async with place.open() as store:
        for number in range(10):
            await store.append(step(1, f"t{number}"), row(1, f"t{number}", changed=number // 4, public=True))
        first = await store.rows(limit=3, public=True)
        second = await store.rows(limit=3, public=True, before=first[-1].changed)
        assert [row.table for row in first + second] == ["t8", "t9", "t4", "t5", "t6", "t7", "t0", "t1", "t2", "t3"]


# ---- Tables that have to do something by themselves --------------------------------------------------


async def test_what_is_due_is_claimed_once_until_the_lease_is_over(place: Place) -> None:
    async with place.several(2) as (one, two):
        assert await one.next_due() is None
        for name, due in (("a", 300), ("b", 100), ("c", 200), ("d", None), ("e", 900)):
            await one.append(step(1, name), row(1, name, due=due))
        assert await two.next_due() == 100
        assert await one.claim("one", now=99, lease_ms=50, limit=9) == []
        assert await one.claim("one", now=400, lease_ms=50, limit=2) == [Due("b", 100), Due("c", 200)]
        assert await two.claim("two", now=400, lease_ms=70, limit=9) == [Due("a", 300)]
        assert await two.claim("two", now=449, lease_ms=70, limit=9) == []
        assert await one.next_due() == 450
        assert await two.claim("two", now=450, lease_ms=70, limit=9) == [Due("b", 100), Due("c", 200)], "over"
        assert await one.claim("one", now=470, lease_ms=70, limit=9) == [Due("a", 300)]


async def test_a_row_ends_the_lease(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1), row(1, due=100))
        assert await store.claim("one", now=200, lease_ms=1000, limit=9) == [Due("t", 100)]
        await store.append(step(2))
        assert await store.next_due() == 1200, "without a row the lease stays"
        await store.append(step(3), row(3, due=150))
        assert await store.claim("one", now=200, lease_ms=1000, limit=9) == [Due("t", 150)]
        await store.append(step(4), row(4, due=None))
        assert await store.next_due() is None


async def test_who_still_works_on_something_keeps_it(place: Place) -> None:
    async with place.several(2) as (one, two):
        for name in ("a", "b", "c"):
            await one.append(step(1, name), row(1, name, due=100))
        assert len(await one.claim("one", now=200, lease_ms=50, limit=9)) == 3
        await one.append(step(2, "b"), row(2, "b", due=None))
        await two.append(step(2, "c"), row(2, "c", due=220))
        await one.keep_claimed("one", ["a", "b", "c"], until=400)
        await two.keep_claimed("two", ["a"], until=1000)
        assert await two.claim("two", now=399, lease_ms=50, limit=9) == [Due("c", 220)], "only what is claimed is kept"
        assert await two.claim("two", now=400, lease_ms=200, limit=9) == [Due("a", 100)], "no longer than was said"


async def test_what_a_node_had_claimed_in_a_file_is_due_when_it_starts_again(tmp_path: Path) -> None:
    place = Place("sqlite", str(tmp_path / "tables.db"))
    for _ in range(2):
        async with place.open() as store:
            if not await store.count():
                await store.append(step(1), row(1, due=100))
            assert await store.claim("one", now=200, lease_ms=10_000, limit=9) == [Due("t", 100)]


async def test_many_who_claim_at_once_never_get_the_same(place: Place) -> None:
    async with place.several(3) as stores:
        names = [f"t{number:03}" for number in range(90)]
        await asyncio.gather(*(stores[0].append(step(1, name), row(1, name, due=100)) for name in names))
        rounds = await asyncio.gather(*(store.claim("n", 200, 1000, 7) for store in stores for _ in range(8)))
        claimed = [due.table for round in rounds for due in round]
        assert len(claimed) == len(set(claimed))
        while more := await stores[0].claim("n", 200, 1000, 7):
            claimed += [due.table for due in more]
        assert sorted(claimed) == names


# ---- Talk, presence, settings ------------------------------------------------------------------------


async def test_talk_is_numbered_by_table(place: Place) -> None:
    async with place.several(2) as stores:
        said = await asyncio.gather(*(stores[n % 2].add_talk("t", n, f'"{n}"'.encode()) for n in range(20)))
        assert sorted(talk.number for talk in said) == list(range(1, 21))
        assert await stores[0].add_talk("another", 5, b"{}") == Talk("another", 1, 5, b"{}")
        for store in stores:
            assert await store.read_talk("t") == sorted(said, key=lambda talk: talk.number)
        assert [talk.number for talk in await stores[1].read_talk("t", limit=3)] == [18, 19, 20]
        assert [talk.number for talk in await stores[1].read_talk("t", after=19)] == [20]


async def test_who_is_present_through_any_node(place: Place) -> None:
    async with place.several(2) as (one, two):
        await one.set_present("t", "ann", "one", until=100)
        await two.set_present("t", "ann", "two", until=200)
        await two.set_present("t", "ben", "two", until=200)
        await two.set_present("another", "cleo", "two", until=200)
        assert await one.present("t", now=50) == {"ann", "ben"}
        await two.unset_present("t", "ben", "two")
        await two.unset_present("t", "ann", "two")
        assert await one.present("t", now=50) == {"ann"}, "still there through the other node"
        assert await one.present("t", now=100) == set(), "nothing was heard of that node"
        await one.set_present("t", "ben", "one", until=110)
        await one.keep_present("one", until=300)
        assert await two.present("t", now=250) == {"ann", "ben"}
        assert await two.present("another", now=250) == set()
        assert await two.present_at(["t", "another", "none"], now=150) == {"t": {"ann", "ben"}, "another": {"cleo"}}
        assert await one.present_at([], now=150) == {}


async def test_the_first_value_of_a_setting_stays(place: Place) -> None:
    async with place.several(2) as stores:
        assert await stores[0].setting("key") == ""
        values = await asyncio.gather(*(stores[n % 2].setting("key", f"value-{n}") for n in range(6)))
        assert len(set(values)) == 1
        assert await stores[1].setting("key") == values[0]
        assert await stores[1].setting("other", "x") == "x"
        assert await stores[0].settings() == {"key": values[0], "other": "x"}


# ---- Other nodes -------------------------------------------------------------------------------------


async def test_a_node_is_told_what_others_store(place: Place) -> None:
    async with place.several(2) as (one, two):
        told: dict[str, list[Notice]] = {"one": [], "two": []}
        one.listen(told["one"].append)
        leave = two.listen(told["two"].append)
        many = [f"{'ñ' * 40}{number}" for number in range(300)]
        await asyncio.gather(*(one.append(step(1, name)) for name in many))
        await one.add_talk("t", 1, b"{}")
        await one.set_present("t", "ann", one.node, 100)
        await one.unset_present("t", "ann", one.node)
        expected = {Notice(name, 1, one.node) for name in many} | {Notice("t", None, one.node)}
        if place.nodes(2) == 1:
            await asyncio.sleep(0)
            assert told == {"one": [], "two": []}, "nobody else stores anything"
            return
        while len(told["two"]) < len(many) + 3:
            await asyncio.sleep(0.01)
        assert set(told["two"]) == expected
        assert told["one"] == [], "what it stored itself a node knows"
        leave()
        await one.append(step(1, "later"))
        await two.append(step(2, "later"))
        while told["one"] != [Notice("later", 2, two.node)]:
            await asyncio.sleep(0.01)
        assert len(told["two"]) == len(many) + 3


# ---- Carrying tables elsewhere -----------------------------------------------------------------------


async def test_tables_are_listed_page_by_page(place: Place) -> None:
    names = sorted(["B", "a", "Ä", "ab", "b", "a-1", "a_1", "10", "9"])
    async with place.open() as store:
        assert await store.tables() == []
        assert await store.count() == 0
        for name in names:
            for version in (1, 2):
                await store.append(step(version, name))
        assert await store.tables() == names
        assert await store.tables(limit=4) == names[:4]
        assert await store.tables(after=names[3], limit=4) == names[4:8]
        assert await store.count() == len(names)


async def test_whole_tables_are_taken_over_or_none(place: Place) -> None:
    whole = Kept([step(1, "a"), step(2, "a")], row(2, "a", due=70), [Talk("a", 1, 5, b"{}"), Talk("a", 4, 6, b"{}")])
    async with place.open() as store:
        with pytest.raises(Conflict):
            await store.append(step(3, "a"))
        await store.put([whole, Kept([step(1, "b")], None, [])])
        assert await store.keep("a") == whole
        assert await store.next_due() == 70
        assert [row.table for row in await store.rows(holder="ann")] == ["a"]
        await store.append(step(3, "a"), row(3, "a"))
        assert (await store.add_talk("a", 9, b"{}")).number == 5
        with pytest.raises(Conflict):
            await store.put([Kept([step(1, "c")], row(1, "c"), []), Kept([step(2, "a")], None, [])])
        with pytest.raises(Conflict, match="code"):
            await store.put([Kept([step(1, "c")], row(1, "c", code="code-a"), [])])
        assert await store.tables() == ["a", "b"]
