"""The parts of docs/protocol.md that are made: the tables of codes and events, and a whole session.

    PYTHONPATH=tests .venv/bin/python tests/protocol_page.py

writes them afresh; tests/server/test_protocol_page.py says when they are stale.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec

from serving import Seen, hall, holder_of
from stationmaster.engine.events import AnyEvent
from stationmaster.match.fair import text_commitment
from stationmaster.server.codes import CODES
from stationmaster.server.happenings import AnyTableEvent
from stationmaster.server.shapes import HouseRules, NewTable
from stationmaster.words import catalogue

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
TABLE, CODE, BEN = "q6V0lJx2YtR1bN8k", "MKTRNS", "ben"
START = 1_780_000_000_000


def made() -> dict[str, str]:
    """The parts, by name."""
    return {
        "codes": codes(),
        "table-events": events(AnyTableEvent),
        "game-events": events(AnyEvent),
        "session": "```text\n" + "\n".join(asyncio.run(session())) + "\n```",
    }


def written(page: str, parts: dict[str, str]) -> str:
    """The page with these parts in it."""
    for name, part in parts.items():
        begin = f"<!-- {name} -->\n"
        before, found, after = page.partition(begin)
        assert found, name
        page = before + begin + part + after[after.index("\n<!-- end -->") :]
    return page


def codes() -> str:
    """Every code of a refusal, with its sentence."""
    words = catalogue("en")
    rows = [f"| `{code}` | {words[f'server.error.{code}']} |" for code in CODES]
    return "\n".join(["| code | sentence |", "|---|---|", *rows])


def events(union: Any) -> str:
    """Every event of a kind, with its fields."""
    rows = []
    for event in get_args(union):
        fields = ", ".join(f"`{name}`" for name in event.__struct_fields__)
        says = (event.__doc__ or "").strip().replace("``", "`")
        rows.append(f"| `{event.__struct_config__.tag}` | {fields} | {says} |")
    return "\n".join(["| event | fields | what it says |", "|---|---|---|", *rows])


async def session() -> list[str]:
    """All that goes over Ann's connections in a match of one short round with Ben."""
    now = START
    lines: list[str] = []
    async with hall(clock=lambda: now) as house:
        house.fresh_secret = lambda group, round: f"{round:064x}"  # type: ignore[method-assign]
        book = HouseRules(rulebook="tactic", changes={"highest": 4, "rounds": 1, "deal": {"2": 4}})
        row = await house.create(NewTable(name="Ann", rulebook=book, seats=2), holder_of("ann"))
        ann = await Seen(holder_of("ann")).open(house, row.table)
        shown = 0

        def show(sent: dict[str, Any] | None = None) -> None:
            nonlocal shown, now
            now += 1000
            if sent is not None:
                lines.append(f"> {_text(sent)}")
            for frame in ann.frames[shown:]:
                if "welcome" in frame:
                    frame = {**frame, "welcome": {**frame["welcome"], "rulebook": {"id": "tactic-house"}}}
                lines.append(f"< {_text(frame).replace(row.table, TABLE).replace(row.code, CODE)}")
            shown = len(ann.frames)

        async def says(**verb: Any) -> None:
            frame = {**verb, "version": ann.view.version, "id": f"a{len(lines)}"}
            await ann.send(frame)
            show(frame)

        lines.append(f"connects to /ws/{CODE}?language=en")
        show()
        await house.join(row.table, holder_of(BEN), "Ben")
        ben = await Seen(holder_of(BEN)).open(house, row.table)
        show()
        await says(say="Hello Ben!")
        await says(start=True)
        await says(promise=text_commitment("Ann likes trains"))
        await ben.do(promise=text_commitment("so does Ben"))
        show()
        await says(text="Ann likes trains")
        await ben.do(text="so does Ben")
        show()
        live, tried, lost = await house.table(row.table), False, False
        while live.table.stage == "play":
            if live.table.turn == 0:
                if not tried:
                    tried = True
                    await says(play="pass")
                await says(play=ann.view.legal[0])
            elif not lost:
                lost = True
                await ann.close()
                lines.append("loses the connection")
                await ben.do(play=ben.view.legal[0])
                lines.append(f"connects to /ws/{CODE}?language=en&after={ann.view.version}")
                await ann.again()
                show()
            else:
                await ben.do(play=ben.view.legal[0])
                show()
        await house.stop()
        show()
    return lines


def _text(frame: dict[str, Any]) -> str:
    return msgspec.json.encode(frame).decode()


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8"), made()), "utf-8")
