"""docs/protocol.md is true: every example is one that the server takes or tells, and nothing is left out."""

from __future__ import annotations

import asyncio
import re

import jsonschema_rs
import msgspec
import pytest

import protocol_page
from pages import blocks
from serving import Seen, checked, hall, holder_of
from stationmaster.server import protocol
from stationmaster.server.messages import FRAMES, kind_of
from stationmaster.server.protocol import REACTIONS, VERBS
from stationmaster.server.refusal import Refusal
from stationmaster.server.schema import client_schema, files
from stationmaster.server.shapes import NewTable

TEXT = protocol_page.PAGE.read_text("utf-8")
LINES = [line for kind, text in blocks(protocol_page.PAGE) if kind == "text" for line in text.splitlines()]
SENT = [line[2:] for line in LINES if line.startswith("> ")]
TOLD = [line[2:] for line in LINES if line.startswith("< ")]
SCHEMA = jsonschema_rs.validator_for(client_schema())


def test_what_is_made_is_not_stale() -> None:
    for name, part in protocol_page.made().items():
        assert protocol_page.written(TEXT, {name: part}) == TEXT, f"{name}: run tests/protocol_page.py"


@pytest.mark.parametrize("name", files())
def test_the_schemas_are_not_stale(name: str) -> None:
    path = protocol_page.PAGE.parent / "protocol" / name
    assert path.read_bytes() == files()[name], "run `make schema`"


@pytest.mark.parametrize("line", SENT)
def test_what_a_client_says_in_the_examples_is_taken(line: str) -> None:
    assert protocol.read(line).verb in VERBS
    SCHEMA.validate(msgspec.json.decode(line))


@pytest.mark.parametrize("line", TOLD)
def test_what_a_server_tells_in_the_examples_has_its_shape(line: str) -> None:
    checked(line.encode())


def test_nothing_is_left_out() -> None:
    assert {protocol.read(line).verb for line in SENT} == set(VERBS)
    assert {kind_of(msgspec.json.decode(line)) for line in TOLD} == set(FRAMES)
    asks = set(client_schema()["$defs"]["Command"]["properties"]["ask"]["enum"])
    assert {msgspec.json.decode(line).get("ask") for line in SENT} - {None} == asks
    assert all(f"`{reaction}`" in TEXT for reaction in REACTIONS)


def test_a_table_answers_every_example_with_its_id() -> None:
    """Every command of the page is one that a table can decide about: none is a bad frame."""

    async def run() -> None:
        async with hall() as house:
            row = await house.create(NewTable(name="Ann", seats=4, bots=["porter"] * 2), holder_of("a"))
            seen = await Seen(holder_of("a")).open(house, row.table)
            for number, line in enumerate(SENT):
                frame = msgspec.json.decode(line) | {"id": f"n{number}", "version": 0}
                await seen.send(frame)
                await asyncio.sleep(0)
                assert seen.answer(f"n{number}").get("error") not in ("bad-frame", "unknown-verb", "internal")

    asyncio.run(run())


@pytest.mark.parametrize(
    "frame",
    [
        {"version": 1, "id": "a"},
        {"play": "draw", "id": "a"},
        {"play": "draw", "version": 1},
        {"play": "draw", "version": 1, "id": ""},
        {"play": "draw", "version": 1, "id": "a" * 65},
        {"play": "draw", "version": -1, "id": "a"},
        {"play": "draw", "version": "1", "id": "a"},
        {"play": "draw", "say": "both", "version": 1, "id": "a"},
        {"play": "draw", "version": 1, "id": "a", "more": 1},
        {"play": "d" * 17, "version": 1, "id": "a"},
        {"next": False, "version": 1, "id": "a"},
        {"promise": "A" * 64, "version": 1, "id": "a"},
        {"react": "boo", "version": 1, "id": "a"},
        {"seat": 14, "play": "draw", "version": 1, "id": "a"},
        {"bot": {"seat": 1}, "version": 1, "id": "a"},
        {"mute": {"seat": 1, "on": True, "for": 3}, "version": 1, "id": "a"},
    ],
)
def test_the_schema_refuses_what_the_server_refuses(frame: dict[str, object]) -> None:
    assert not SCHEMA.is_valid(frame)
    with pytest.raises(Refusal):
        assert protocol.read(msgspec.json.encode(frame)).verb


def test_a_frame_that_has_another_shape_is_found() -> None:
    """The check of the examples and of all tests can fail."""
    for wrong in (b'{"ok":"a","version":"2"}', b'{"ok":"a"}'):
        with pytest.raises(msgspec.ValidationError):
            checked(wrong)
    with pytest.raises(AssertionError):
        checked(b'{"ok":"a","version":2,"more":1}')
    inner = re.sub(r'"muted":false', '"muted":false,"secret":1', TOLD[0] if "muted" in TOLD[0] else TOLD[1], count=1)
    with pytest.raises(AssertionError):
        checked(inner.encode())
