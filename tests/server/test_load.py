"""The load that the server is measured with: a client that says what it hears, and figures that mean what they say."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

BENCH = Path(__file__).parents[2] / "bench"
SMALL = (0, 1, 125, 126, 127, 3_000)
SIZES = (*SMALL, 65_535)


@pytest.fixture(scope="module", autouse=True)
def _bench_is_found() -> Iterator[None]:
    """``bench`` is no package of the program: its modules are found by their folder."""
    sys.path.insert(0, str(BENCH))
    yield
    sys.path.remove(str(BENCH))


def module(name: str) -> ModuleType:
    """A module of the load."""
    return importlib.import_module(name)


def measured(scenario: str, *options: str) -> list[dict[str, Any]]:
    """The figures of a scenario, against a server that runs."""
    command = [sys.executable, str(BENCH / "server.py"), scenario, *options, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)["rows"]
    assert not any(row.get("trouble") for row in rows), rows
    return rows


# ---- The connection --------------------------------------------------------------------------------


def test_frames_of_all_sizes_come_back_as_they_were_said() -> None:
    socket = module("load.socket")
    said = ["x" * size for size in SIZES] + ["é"]
    heard: list[bytes] = []

    class Mine(socket.Socket):  # type: ignore[misc, name-defined]
        def heard(self, data: bytes) -> None:
            heard.append(data)

    async def echo(connection: ServerConnection) -> None:
        assert connection.request is not None
        assert connection.request.headers["Authorization"] == "Bearer me"
        await connection.ping()
        async for message in connection:
            await connection.send(message)
            await connection.send(str(len(message)) * 30_000)

    async def talk() -> None:
        async with serve(echo, "127.0.0.1", 0, max_size=None, compression=None, ping_interval=None) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            mine = Mine("/ws/1", port, {"Authorization": "Bearer me"})
            await mine.open(port)
            for text in said:
                mine.say(text.encode())
            while len(heard) < 2 * len(said):
                await asyncio.sleep(0.01)
            mine.close()
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(talk(), 20))
    assert heard[::2] == [text.encode() for text in said]
    assert heard[1::2] == [(str(len(text)) * 30_000).encode() for text in said]


def test_frames_that_come_in_pieces_are_put_together() -> None:
    socket = module("load.socket")
    stream = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"
    for size in SMALL:
        head = bytes((0x81, size)) if size < 126 else bytes((0x81, 126)) + size.to_bytes(2, "big")
        stream += head + b"x" * size
    stream += b"\x81\x7f" + (66_000).to_bytes(8, "big") + b"y" * 66_000

    async def hear(step: int) -> list[int]:
        heard: list[int] = []
        kind = type("Mine", (socket.Socket,), {"heard": lambda self, data: heard.append(len(data))})
        mine = kind("/", 1, {})
        for at in range(0, len(stream), step):
            mine.data_received(stream[at : at + step])
        await mine.opened
        return heard

    for step in (1, 7, 1000, len(stream)):
        assert asyncio.run(asyncio.wait_for(hear(step), 20)) == [*SMALL, 66_000], step


def test_who_is_not_let_in_is_told_why() -> None:
    socket = module("load.socket")

    async def refuse(connection: ServerConnection, request: Any) -> Any:
        return connection.respond(429, "too many")

    async def talk() -> None:
        async with serve(lambda connection: asyncio.sleep(0), "127.0.0.1", 0, process_request=refuse) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            with pytest.raises(socket.BrokenError, match="429"):
                await socket.Socket("/", port, {}).open(port)

    asyncio.run(asyncio.wait_for(talk(), 20))


# ---- The figures -----------------------------------------------------------------------------------


def test_a_move_counts_once_the_last_of_four_was_told_and_each_table_keeps_its_pace() -> None:
    loads = module("load.load")

    class Fake(loads.Table):  # type: ignore[misc, name-defined]
        moved = 0

        async def open(self) -> None: ...

        def close(self) -> None: ...

        def move(self) -> None:
            self.moved += 1
            self.sending()
            for seat in range(4):
                self.load.loop.call_later(0.002 * seat, self.hear)

        def hear(self) -> None:
            self.told()
            if not self.missing:
                self.may_move()

    async def play() -> None:
        load = loads.Load()
        load.tables = [Fake(load) for _ in range(5)]
        for table in load.tables:
            table.may_move()
        assert [table.moved for table in load.tables] == [0] * 5, "nobody moves before it begins"
        load.play(0.1)
        found = await load.measure(1.0, ())
        assert all(2 <= table.moved <= 11 for table in load.tables)
        assert found["moves"] <= sum(table.moved for table in load.tables)
        assert 5.9 <= found["p50_ms"] <= found["p99_ms"] <= found["max_ms"]
        await load.rest()
        counts = [table.moved for table in load.tables]
        await asyncio.sleep(0.15)
        assert [table.moved for table in load.tables] == counts, "and nobody after it ended"

    asyncio.run(play())


# ---- The server ------------------------------------------------------------------------------------


@pytest.mark.skipif(importlib.util.find_spec("stationmaster.server.serve") is None, reason="there is no server yet")
def test_tables_play_whole_rounds_as_fast_as_they_can() -> None:
    # So many tables that no match is over before it was measured.
    (row,) = measured("saturation", "--tables", "40", "--seconds", "2")
    assert row["moves"] > 100
    assert 0 < row["p50_ms"] <= row["p99_ms"] <= row["max_ms"]
    assert row["server_us_per_move"] > 0
    assert 0 < row["client_cpu"] < 1
    assert not math.isnan(row["server_mb"])


@pytest.mark.skipif(importlib.util.find_spec("stationmaster.server.serve") is None, reason="there is no server yet")
def test_a_match_is_played_to_its_end_and_opened_from_the_file() -> None:
    first, second = measured("open-finished", "--tables", "1", "--rulebook", "puremco-9")
    assert first["steps"] > 200
    assert first["opening"] == "first"
    assert second["opening"] == "second"
    assert second["p50_ms"] > 0
