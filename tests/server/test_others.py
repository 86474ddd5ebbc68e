"""Clients that read nothing, or send without end, while their table plays: the others are told every move."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from server.clients import Group, Person, check_tables, in_time, under_way
from server.nodes import Node

SHORT = {"rulebook": "tactic", "changes": {"rounds": 2}}
LIMITS = ("buffer_bytes=16384", "frames=1500/1")


def never_reads(person: Person, table: str, port: int) -> socket.socket:
    """A second device of somebody at the table that asks for the whole view over and over, and takes no answer."""
    device = socket.socket()
    device.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    device.connect(("127.0.0.1", port))
    head = [
        f"GET /ws/{table} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Authorization: {person.headers['Authorization']}",
    ]
    device.sendall("".join(f"{line}\r\n" for line in [*head, ""]).encode())
    return device


def masked(text: str) -> bytes:
    """A frame from a client; with a mask of zeros, the text as it is."""
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text.encode()


async def ask_without_reading(device: socket.socket) -> None:
    """Ask and ask, until the device is taken away."""
    device.setblocking(False)
    while True:
        ask = json.dumps({"ask": "view", "version": 0, "id": "again"})
        await asyncio.get_running_loop().sock_sendall(device, masked(ask))
        await asyncio.sleep(0.001)


async def dropped(url: str) -> int:
    """How many slow clients the node has dropped."""
    async with httpx.AsyncClient(base_url=url) as http:
        figures = (await http.get("/metrics")).text.splitlines()
    [line] = [line for line in figures if "dropped" in line and not line.startswith("#")]
    return int(line.split()[-1])


async def flood(person: Person, table: str, url: str) -> None:
    """Send what is no command, as fast as it goes, until the node closes the connection."""
    address = f"ws{url.removeprefix('http')}/ws/{table}"
    async with connect(address, additional_headers=person.headers, compression=None, close_timeout=0.2) as line:
        with suppress(ConnectionClosed):
            while True:
                for _ in range(100):
                    await line.send('{"play": "13-13@0"}')
                await asyncio.sleep(0)


def test_who_reads_nothing_and_who_sends_without_end(tmp_path: Path) -> None:
    node = Node(str(tmp_path / "tables.db"), tmp_path, limits=LIMITS)
    ann, ben, cyd = (Person(name, [node.url]) for name in ("Ann", "Ben", "Cyd"))
    groups = [
        Group([ann, ben], 1, seats=3, bots=["passenger"], rulebook=SHORT, think=0.02),
        Group([cyd], 2, seats=2, bots=["passenger"], rulebook=SHORT, think=0.02),
    ]

    async def harm() -> None:
        await under_way(groups)
        table = groups[0].playing[0].table
        device = never_reads(ann, table, node.port)
        asking = asyncio.create_task(ask_without_reading(device))
        await flood(ben, table, node.url)
        while await dropped(node.url) < 1:
            await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        await under_way(groups)
        device.close()

    async def play() -> None:
        harming = asyncio.create_task(harm())
        async with asyncio.TaskGroup() as all_play:
            for group in groups:
                all_play.create_task(in_time(group.play(harming.done), groups))
        await harming

    try:
        asyncio.run(play())
        assert not node.errors()
        assert "a connection was closed: too many frames" in [line["event"] for line in node.logged()]
        assert node.stop()[0] == 0
        asyncio.run(check_tables(node.database, groups))
    finally:
        node.kill()
    for player in (player for group in groups for player in group.played):
        assert len(player.came) == 1, "the connections of the others stay"
        assert not player.refusals
