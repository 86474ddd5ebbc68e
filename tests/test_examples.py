"""The programs in examples/ do what they say."""

from __future__ import annotations

import asyncio
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from serving import Door, hall, holder_of
from stationmaster.client import Client, Server
from stationmaster.server.shapes import HouseRules, NewTable

FOLDER = Path(__file__).parents[1] / "examples"


def load(name: str) -> Any:
    spec = spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("rulebook", ["tactic", "supertrain"])
def test_a_bot_plays_at_a_table(monkeypatch: pytest.MonkeyPatch, rulebook: str) -> None:
    bot = load("table_bot")

    async def run() -> None:
        async with hall() as house, Door(house) as door:

            async def join(server: Server, code: str, name: str, seat: int | None = None) -> int:
                return await house.join(code, holder_of(server.secret), name, seat)

            monkeypatch.setattr(Server, "join", join)  # the door lets nobody in over HTTP
            wanted = HouseRules(rulebook=rulebook, changes={"rounds": 2})
            row = await house.create(
                NewTable(name="Ann", rulebook=wanted, seats=3, bots=["porter"], pace=0), holder_of("a")
            )
            running = asyncio.create_task(house.run())
            async with Client(door.url(row.code), "a") as ann:
                playing = asyncio.create_task(bot.play(door.url(row.code), "Otto"))
                async for event in ann:
                    match event["event"]:
                        case "sat":
                            await ann.do(start=True)
                        case "your-turn":
                            await ann.play(event["legal"][0])
                        case "shown" if ann.view.stage == "between":
                            await ann.do(next=True)
                        case "match-over":
                            break
                assert await playing == ann.view.totals
                assert ann.view.names[1] == "Otto"
                assert ann.view.data["talk"] == [], "nothing was wrong with the deals"
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(asyncio.wait_for(run(), 60))


def test_it_takes_about_40_lines() -> None:
    text = (FOLDER / "table_bot.py").read_text("utf-8")
    code = re.sub(r'^""".*?"""', "", text, count=1, flags=re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 40
