"""The client at a server: it plays, comes back by itself, repeats what was not answered, and finds a wrong deal."""

from __future__ import annotations

import asyncio
import copy
import random
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from serving import Door, Seen, hall, holder_of
from stationmaster.client import Client, ClientError, Refused
from stationmaster.client import client as module
from stationmaster.client.client import socket_address
from stationmaster.client.deals import Deals
from stationmaster.client.view import View
from stationmaster.match.fair import text_commitment
from stationmaster.server.hall import Hall
from stationmaster.server.shapes import HouseRules, NewTable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SHORT = HouseRules(rulebook="tactic", changes={"rounds": 2})


@asynccontextmanager
async def table(**more: Any) -> AsyncIterator[tuple[Door, str]]:
    """A table of Ann's with a bot, and a door to it."""
    async with hall() as house:
        row = await house.create(NewTable(name="Ann", rulebook=SHORT, seats=3, bots=["porter"], pace=0), holder_of("a"))
        async with Door(house) as door:
            running = asyncio.create_task(house.run())
            try:
                yield door, row.code
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)


async def plays(client: Client, rng: random.Random) -> list[dict[str, Any]]:
    """Play to the end; all events."""
    events = []
    async for event in client:
        events.append(event)
        match event["event"]:
            case "your-turn":
                await client.play(rng.choice(event["legal"]), seat=event["seat"], version=event["version"])
            case "shown" if client.view.stage == "between":
                await client.do(next=True)
            case "deal-checked" | "deal-wrong" if client.view.stage == "over":
                return events
    raise AssertionError("it ended before")


async def agrees(house: Hall, client: Client, holder: str) -> None:
    seen = await Seen(holder_of(holder)).open(house, client.view.data["table"])
    fresh, known = seen.view.data, dict(client.view.data)
    assert known.pop("present") is not None
    fresh.pop("present")
    assert known == fresh
    await seen.close()


async def sits(ann: Client, ben: Client) -> None:
    await ben.do(sit={"name": "Ben"})
    await ann.do(start=True)


def test_two_play_a_match() -> None:
    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann, Client(door.url(code), "b") as ben:
            assert ben.view.you == []
            await sits(ann, ben)
            assert ben.view.you == [1]
            told = await asyncio.gather(plays(ann, random.Random(1)), plays(ben, random.Random(2)))
            for events in told:
                checks = [event for event in events if event["event"].startswith("deal-")]
                assert checks == [{"event": "deal-checked", "round": n, "whole": True} for n in (1, 2)]
            texts = [deal["texts"] for deal in ann.view.data["match"]["deals"]]
            assert all(ann_text and ben_text and not bot_text for ann_text, ben_text, bot_text in texts)
            await agrees(door.house, ann, "a")
            await agrees(door.house, ben, "b")

    asyncio.run(asyncio.wait_for(run(), 60))


def test_lost_answers_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seventh frame is done, and the connection is lost before it is answered."""
    monkeypatch.setattr(module, "FIRST_WAIT", 0.001)

    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann, Client(door.url(code), "b") as ben:
            await sits(ann, ben)
            door.loses = lambda heard: heard % 7 == 0
            told = await asyncio.gather(plays(ann, random.Random(1)), plays(ben, random.Random(2)))
            for events in told:
                kinds = [event["event"] for event in events]
                assert kinds.count("lost") > 3
                assert kinds.count("back") >= kinds.count("lost") - 1
                assert "deal-wrong" not in kinds
            door.loses = lambda heard: False
            await ann.say("done")
            await agrees(door.house, ann, "a")

    asyncio.run(asyncio.wait_for(run(), 60))


def test_talk_that_is_repeated_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_WAIT", 0.001)

    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann:
            door.loses = lambda heard: heard == 1
            await ann.say("Hello")
            assert door.heard == 2
            await ann.react("clap")
            said = [(talk.get("say"), talk.get("react")) for talk in ann.view.data["talk"]]
            assert said == [("Hello", None), (None, "clap")]

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_step_that_got_lost_on_the_way_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_WAIT", 0.001)

    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann, Client(door.url(code), "b") as ben:
            await ben.do(sit={"name": "Ben"})
            door.swallows = lambda frame: bool(frame.get("events")) and frame["events"][0].get("name") == "Bert"
            waiting = asyncio.create_task(ben.do(name="Bert"))
            while (await ann.do(ask="view"))["version"] < 3:
                await asyncio.sleep(0.01)
            door.swallows = lambda frame: False
            await ann.do(lock=True)
            await waiting
            await agrees(door.house, ann, "a")
            await agrees(door.house, ben, "b")
            assert ben.view.names[1] == "Bert"

    asyncio.run(asyncio.wait_for(run(), 60))


def test_it_comes_back_after_a_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stationmaster.server.hall.COME_BACK", 1)
    monkeypatch.setattr(module, "FIRST_WAIT", 60)  # not this, but what the server says

    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann:
            await ann.do(name="Anna")
            old = door.house
            await old.stop()
            waiting = asyncio.create_task(ann.do(name="Annie"))
            await asyncio.sleep(0)
            door.house = Hall(old.store, old.thinkers, node="another")
            await asyncio.wait_for(waiting, 20)
            assert ann.view.names[0] == "Annie"
            kinds = [ann._events.popleft()["event"] for _ in range(len(ann._events))]
            assert [kind for kind in kinds if kind in ("welcome", "lost", "back")] == ["welcome", "lost", "back"]
            await door.house.stop()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_what_is_refused_says_why() -> None:
    async def run() -> None:
        async with table() as (door, code), Client(door.url(code), "a") as ann:
            with pytest.raises(Refused, match="still free") as refused:
                await ann.do(start=True)
            assert (refused.value.code, refused.value.reason) == ("seats-free", None)
            await ann.do(bot={"seat": 1, "level": "porter"})
            await ann.do(start=True)
            async for event in ann:
                if event["event"] == "your-turn":
                    break
            with pytest.raises(Refused) as refused:
                await ann.play("draw" if event["legal"] != ["draw"] else "pass")
            assert refused.value.code == "illegal"
            assert refused.value.reason is not None
            assert refused.value.reason["clause_text"] in str(refused.value) or refused.value.reason["clause"]
            assert (await ann.do(why=event["legal"][0]))["legal"] is True
            assert (await ann.do(ask="hint"))["hint"]["move"] == event["legal"][0]
            version = ann.view.version
            assert (await ann.do(ask="view"))["version"] == version

    asyncio.run(asyncio.wait_for(run(), 60))


def test_a_watcher_is_shown_no_hand_and_may_say_nothing() -> None:
    async def run() -> None:
        async with table() as (door, code), Client(door.url(code)) as watcher:
            assert watcher.view.you == []
            with pytest.raises(Refused) as refused:
                await watcher.say("Hello")
            assert refused.value.code == "not-seated"

    asyncio.run(asyncio.wait_for(run(), 60))


def test_who_cannot_come_in_is_told() -> None:
    async def run() -> None:
        async with table() as (door, _):
            with pytest.raises(Refused) as refused:
                await Client(door.url("NOSUCH"), "a").connect()
            assert refused.value.code == "no-such-table"
            nowhere = door.url("NOSUCH")
        with pytest.raises(ClientError, match="cannot be reached"):
            await Client(nowhere, "a").connect()

    asyncio.run(asyncio.wait_for(run(), 60))


def test_nothing_is_asked_of_a_client_that_is_closed() -> None:
    async def run() -> None:
        async with table() as (door, code):
            client = Client(door.url(code), "a")
            with pytest.raises(ClientError, match="not connected"):
                await client.play("draw")
            await client.connect()
            await client.close()
            assert "welcome" in [event["event"] async for event in client]
            with pytest.raises(ClientError, match="closed"):
                await client.play("draw")

    asyncio.run(asyncio.wait_for(run(), 60))


def test_the_address_of_a_table() -> None:
    assert socket_address("localhost:8300/t/ABCDEF") == "ws://localhost:8300/ws/ABCDEF"
    assert socket_address("https://example.org/t/ABCDEF/") == "wss://example.org/ws/ABCDEF"
    assert socket_address("wss://example.org/ws/x-y_z") == "wss://example.org/ws/x-y_z"
    for wrong in ("https://example.org", "ftp://example.org/t/ABCDEF", "https://example.org/table/ABCDEF", "ABCDEF"):
        with pytest.raises(ClientError, match="not the address of a table"):
            socket_address(wrong)


# ---- Deals -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told() -> dict[str, list[dict[str, Any]]]:
    """What Ann is told in a round with Ben, who texts too; and what she is told who comes when things have begun."""

    async def run() -> dict[str, list[dict[str, Any]]]:
        async with hall() as house:
            row = await house.create(NewTable(name="Ann", rulebook=SHORT, seats=2), holder_of("a"))
            ann, ben = [await Seen(holder_of(one)).open(house, row.table) for one in "ab"]
            await ben.do(sit={"name": "Ben"})
            await ann.do(start=True)
            rng = random.Random(1)
            live = await house.table(row.table)
            for one in (ann, ben):
                await one.do(promise=text_commitment(f"text {one.holder}"))
            late = await Seen(holder_of("a")).open(house, row.table)
            for one in (ann, ben):
                await one.do(text=f"text {one.holder}")
            later = await Seen(holder_of("a")).open(house, row.table)
            while live.table.stage == "play":
                one = ann if live.table.turn == 0 else ben
                await one.do(play=rng.choice(one.view.legal))
            return {"whole": ann.frames, "late": late.frames, "later": later.frames}

    return asyncio.run(run())


@pytest.fixture
def frames(told: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return told["whole"]


def judged(frames: list[dict[str, Any]]) -> dict[str, Any]:
    """What a client says of the deal of these frames."""
    deals = Deals()
    deals.texts[1, 0] = f"text {holder_of('a')}"
    deals.given.add(("text", 1, 0))
    view: View | None = None
    said = []
    for frame in copy.deepcopy(frames):
        if "events" in frame:
            assert view is not None
            view.step(frame)
            said += deals.step(view, frame)
        elif "welcome" in frame:
            view = View(frame)
            deals.anew(view)
    assert len(said) == 1
    return said[0]


def test_a_fair_deal_is_found_fair(frames: list[dict[str, Any]]) -> None:
    assert judged(frames) == {"event": "deal-checked", "round": 1, "whole": True}


def test_who_comes_while_a_deal_is_made_sees_all_of_it(told: dict[str, list[dict[str, Any]]]) -> None:
    assert judged(told["late"]) == {"event": "deal-checked", "round": 1, "whole": True}


def test_who_comes_later_sees_less(told: dict[str, list[dict[str, Any]]]) -> None:
    assert judged(told["later"]) == {"event": "deal-checked", "round": 1, "whole": False}
    changed = copy.deepcopy(told["later"])
    _other_secret(changed)
    assert judged(changed)["event"] == "deal-wrong"


def _event(frames: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    return next(event for frame in frames for event in frame.get("events", ()) if event["event"] == kind)


def _other_secret(frames: list[dict[str, Any]]) -> None:
    _event(frames, "shown")["secret"] = "00" * 32


def _other_commitment(frames: list[dict[str, Any]]) -> None:
    _event(frames, "promised")["commitment"] = "0" * 64


def _text_left_out(frames: list[dict[str, Any]]) -> None:
    _event(frames, "dealt")["texts"][0] = ""


def _text_of_another_changed(frames: list[dict[str, Any]]) -> None:
    _event(frames, "dealt")["texts"][1] = "another"


def _other_starter(frames: list[dict[str, Any]]) -> None:
    dealt = _event(frames, "dealt")
    dealt["starter"] = 1 - dealt["starter"]


def _other_tile_drawn(frames: list[dict[str, Any]]) -> None:
    """Ben ends with one tile in place of another."""
    hands = _event(frames, "round-ended")["hands"]
    number = next(number for number, hand in enumerate(hands) if hand)
    placed = next(
        event["tile"]
        for frame in frames
        for event in frame.get("events", ())
        if event["event"] == "placed" and event["seat"] != number
    )
    hands[number][0] = placed


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_other_secret, "not the one that was promised"),
        (_other_commitment, "not the one that was promised"),
        (_text_left_out, "this client sent"),
        (_text_of_another_changed, "text of seat 1"),
        (_other_starter, "starter"),
        (_other_tile_drawn, "held other tiles"),
    ],
)
def test_a_wrong_deal_is_found(frames: list[dict[str, Any]], change: Any, why: str) -> None:
    changed = copy.deepcopy(frames)
    change(changed)
    said = judged(changed)
    assert (said["event"], said["round"]) == ("deal-wrong", 1)
    assert why in said["why"]
