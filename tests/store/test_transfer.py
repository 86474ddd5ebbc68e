"""Tables carried from one database to another: whole, or not at all; and what is said of a file that does not hold."""

from __future__ import annotations

import asyncio
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stationmaster.store import Conflict, Kept, Row, Step, Store, StoreError, Talk, open_store
from stationmaster.store.transfer import Arriving, export_lines, faults, import_tables, same
from store.conftest import KINDS, Place, make_place, row, step


def quietly(done: int, total: int) -> None:
    assert 0 <= done <= total


def arriving(text: bytes) -> Arriving:
    return Arriving(io.BytesIO(text), "file", quietly)


async def exported(store: Store, **options: Any) -> bytes:
    return b"".join([chunk async for chunk in export_lines(store, same, quietly, **options)])


async def fill(store: Store, tables: int = 5) -> None:
    """Tables of different lengths, some with talk and rows."""
    for number in range(tables):
        name = f"t{number}"
        for version in range(1, number + 2):
            await store.append(step(version, name), row(version, name, due=70) if number % 2 else None)
            await store.add_talk(name, version, b'"hi"')


@pytest.mark.parametrize("to", KINDS)
async def test_tables_arrive_as_they_were(
    place: Place, to: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "to").mkdir()
    async with place.open() as store, make_place(to, tmp_path / "to", request).open() as other:
        await fill(store)
        await store.setting("key", "secret")
        text = await exported(store)
        assert b"secret" not in text
        assert await import_tables(other, arriving(text)) == (5, 0)
        assert await other.tables() == await store.tables()
        for name in await store.tables():
            assert await other.keep(name) == await store.keep(name)
        await other.append(step(2, "t0"), row(2, "t0"))
        assert await import_tables(other, arriving(text)) == (0, 5), "whoever was interrupted begins again"
        assert (await other.keep("t0")).steps == [step(1, "t0"), step(2, "t0")]


async def test_what_must_not_leave_is_taken_out(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1, data=b'{"secret": "abc"}'))

        def change(kept: Kept) -> Kept:
            steps = [msgspec.structs.replace(step, data=step.data.replace(b"abc", b"")) for step in kept.steps]
            return msgspec.structs.replace(kept, steps=steps)

        text = b"".join([chunk async for chunk in export_lines(store, change, quietly)])
        assert b"abc" not in text
        (kept,) = arriving(text)
        assert kept.steps[0].data == b'{"secret": ""}'


async def test_another_table_of_the_same_name_is_left_as_it_is(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1, data=b'"ours"'))
        text = (await exported(store)).replace(b"ours", b"more")
        with pytest.raises(Conflict, match="table t is here already, with other steps"):
            await import_tables(store, arriving(text))
        assert (await store.read("t"))[0].data == b'"ours"'


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
data = st.builds(
    lambda value, ascii: json.dumps(value, ensure_ascii=ascii).encode(errors="surrogatepass"),
    json_values,
    st.booleans(),
).filter(lambda text: b"\xed" not in text)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=8)
times = st.integers(0, 2**53)


@st.composite
def whole_tables(draw: st.DrawFn, name: str) -> Kept:
    steps = [Step(name, version, draw(times), draw(data)) for version in range(1, draw(st.integers(1, 4)) + 1)]
    talk = [Talk(name, number, draw(times), draw(data)) for number in range(1, draw(st.integers(0, 2)) + 1)]
    row = Row(
        name,
        f"code {name}",
        len(steps),
        draw(times),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.none() | times),
        draw(st.none() | names),
        tuple(draw(st.lists(names, max_size=3))),
        draw(data),
    )
    return Kept(steps, draw(st.sampled_from([None, row])), talk)


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_stored_makes_the_round(kind: str, request: pytest.FixtureRequest) -> None:
    address = request.getfixturevalue("postgres").fresh() if kind == "postgres" else None

    async def carry(tables: list[Kept]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            store = await open_store(address or f"{folder}/tables.db")
            try:
                if address:
                    await store.replace([tables], {})  # type: ignore[attr-defined]
                else:
                    await store.put(tables)
                assert [await store.keep(kept.steps[0].table) for kept in tables] == tables
                text = await exported(store)
                expected = sorted(tables, key=lambda kept: kept.steps[0].table)
                assert list(arriving(text)) == expected
            finally:
                await store.close()

    @settings(max_examples=15 if kind == "sqlite" else 10)
    @given(st.lists(names, unique=True, max_size=3).flatmap(lambda ids: st.tuples(*map(whole_tables, ids))))
    def makes_the_round(tables: tuple[Kept, ...]) -> None:
        asyncio.run(carry(list(tables)))

    makes_the_round()


@given(st.lists(names, unique=True, max_size=4).flatmap(lambda ids: st.tuples(*map(whole_tables, ids))))
def test_lines_say_what_a_table_is(tables: tuple[Kept, ...]) -> None:
    from stationmaster.store.transfer import End, Head, lines_of, written

    lines = [Head(1, False), *[line for kept in tables for line in lines_of(kept)]]
    lines.append(End(len(tables), sum(len(kept.steps) for kept in tables)))
    text = b"".join(map(written, lines))
    assert text.count(b"\n") == len(lines)
    assert list(arriving(text)) == list(tables)


# ---- Files that do not hold --------------------------------------------------------------------------

HEAD = b'{"line":"head","format":1,"everything":false}\n'
STEP = b'{"line":"step","table":"t","version":1,"at":5,"data":{}}\n'
END = b'{"line":"end","tables":1,"steps":1}\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"", "line 0: the file is empty"),
        (b"hello\n", "line 1: this is not a file of stationmaster db export"),
        (STEP, "line 1: this is not a file of stationmaster db export"),
        (HEAD.replace(b"1", b"2"), "line 1: format 2 is of a later version"),
        (HEAD + STEP, "line 2: the file breaks off here"),
        (HEAD + STEP[:20], "line 2: this line cannot be read"),
        (HEAD + b"\xff\n", "line 2: this line cannot be read"),
        (HEAD + STEP + STEP + END, "line 3: table t: version 1 comes after 1"),
        (HEAD + END, "line 2: of 1 tables with 1 steps, 0 with 0 are here"),
        (HEAD + HEAD, "line 2: a second beginning"),
        (HEAD + STEP.replace(b"step", b"talk").replace(b"version", b"number") + END, "a table without steps"),
    ],
)
def test_a_file_that_does_not_hold(text: bytes, complaint: str) -> None:
    with pytest.raises(StoreError, match=f"file, {complaint}" if "line" in complaint else complaint):
        list(arriving(text))


async def test_what_is_not_json_is_named(place: Place) -> None:
    async with place.open() as store:
        await store.append(step(1, "fine"), row(1, "fine"))
        await store.append(step(1, "odd", b"{oops"), row(1, "odd"))
        (fault,) = [fault async for fault in faults(store, quietly)]
        assert fault.startswith("table odd: something is stored there that is not JSON: ")
        with pytest.raises(StoreError, match="table odd: something is stored there that is not JSON"):
            await exported(store)


async def test_steps_that_are_missing_are_named(place: Place) -> None:
    async with place.open() as store:
        await store.put([Kept([step(1), step(3)], row(7), [])])
        assert [fault async for fault in faults(store, quietly)] == [
            "table t: steps are missing: 2",
            "table t: its row is of version 7, its last step of 3",
        ]
