"""Four people at a table of Stationmaster's server, by its protocol: frames in JSON, legal moves told to the seat."""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from load.load import SEATS, Load, Table
from load.socket import LOOPBACK, BrokenError, Socket

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP = b'{"version":'
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Own(msgspec.Struct):
    """What a seat is told besides."""

    legal: list[str] = []


class Step(msgspec.Struct):
    """The part of a step that somebody reads who only wants to make a move."""

    mine: dict[str, Own] = {}


read_step = msgspec.json.Decoder(Step).decode


class Seat(Socket):
    """One person at a table."""

    __slots__ = ("number", "sent", "table", "text", "version")

    def __init__(self, table: StationmasterTable, number: int, secret: str, port: int) -> None:
        super().__init__(f"/ws/{table.id}", port, {"Authorization": f"Bearer {secret}"})
        self.table = table
        self.number = number
        self.version = 0
        self.sent = 0  # commands
        self.text = ""  # for the deal

    def command(self, **verb: Any) -> None:
        """Send a command."""
        self.sent += 1
        self.say(_encode({**verb, "version": self.version, "id": str(self.sent), "seat": self.number}))

    def heard(self, data: bytes) -> None:
        table = self.table
        if not data.startswith(STEP):
            self.other(_decode(data))
            return
        self.version = version = int(data[len(STEP) : data.index(b",", len(STEP))])
        if b'"stage":"play"' in data[:96]:
            if b'"legal":[' in data:
                table.turn = self
                table.legal = read_step(data).mine[str(self.number)].legal
            if version == table.awaited and table.missing:
                table.told()
            if table.turn is not None and not table.missing and not table.waits:
                table.may_move()
            return
        if version == table.awaited and table.missing:
            table.told()
        self.between(_decode(data))

    def between(self, step: dict[str, Any]) -> None:
        """A step in which nobody moves: the deal, or the end of a round."""
        if step["stage"] == "deal":
            for event in step["events"]:
                if event["event"] == "promised":
                    self.promise()
                elif event["event"] == "asked":
                    self.command(text=self.text)
        elif step["stage"] == "between" and self.number == 0:
            self.table.rounds += 1
            self.command(next=True)
        elif step["stage"] == "over" and not self.table.over.done():
            self.table.over.set_result(None)

    def promise(self) -> None:
        """Promise a text for the deal."""
        self.text = secrets.token_hex(8)
        self.command(promise=sha256(self.text.encode()).hexdigest())

    def other(self, frame: dict[str, Any]) -> None:
        """A frame that is no step."""
        if "welcome" in frame:
            self.version = frame["version"]
            self.table.welcomed += 1
            if self.table.welcomed == SEATS and not self.table.here.done():
                self.table.here.set_result(None)
        elif "error" in frame:
            self.table.load.trouble[f"{frame['error']}: {frame.get('sentence', '')}"] += 1
        elif "ok" in frame:
            self.version = max(self.version, frame["version"])

    def lost(self) -> None:
        if not self.table.left:
            self.table.load.trouble[f"a connection was lost ({self.closed})"] += 1


class StationmasterTable(Table):
    """A table of four, on one node or spread over several."""

    def __init__(self, load: Load, ports: Sequence[int], rulebook: str, changes: dict[str, Any]) -> None:
        super().__init__(load)
        self.ports = ports
        self.rulebook: Any = {"rulebook": rulebook, "changes": changes} if changes else rulebook
        self.id = ""
        self.seats: list[Seat] = []
        self.turn: Seat | None = None
        self.legal: list[str] = []
        self.awaited = 0  # the version that the move under way leads to
        self.welcomed = 0
        self.rounds = 0
        self.left = False
        self.here: asyncio.Future[None] = load.loop.create_future()
        self.over: asyncio.Future[None] = load.loop.create_future()

    async def open(self, *, start: bool = True) -> None:
        people = [secrets.token_hex(16) for _ in range(SEATS)]
        laid = {"name": "Ann", "rulebook": self.rulebook, "seats": SEATS}
        self.id = (await ask(self.ports[0], "POST", "/api/tables", laid, people[0]))["table"]
        for number, secret in enumerate(people):
            if number:
                joining = {"name": f"Player {number + 1}"}
                await ask(self.ports[0], "POST", f"/api/tables/{self.id}/join", joining, secret)
        for number, secret in enumerate(people):
            port = self.ports[number % len(self.ports)]
            seat = Seat(self, number, secret, port)
            self.seats.append(seat)
            await seat.open(port)
        await self.here
        if start:
            self.seats[0].command(start=True)

    def move(self) -> None:
        seat, self.turn = self.turn, None
        assert seat is not None
        self.awaited = seat.version + 1
        self.sending()
        seat.command(play=self.load.random.choice(self.legal))

    def close(self) -> None:
        self.left = True
        for seat in self.seats:
            seat.close()


class Door:
    """Connections for HTTP that are kept open, one for each request at a time."""

    def __init__(self) -> None:
        self.free: dict[int, list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]] = {}
        self.most = asyncio.Semaphore(8)

    async def ask(self, port: int, request: bytes) -> tuple[int, bytes]:
        """Status and body."""
        async with self.most:
            free = self.free.setdefault(port, [])
            reader, writer = free.pop() if free else await asyncio.open_connection(LOOPBACK, port)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").lower().split("\r\n")
            sizes = [int(line.split(":")[1]) for line in lines if line.startswith("content-length:")]
            body = await reader.readexactly(sizes[0] if sizes else 0)
            if "connection: close" in lines:
                writer.close()
            else:
                free.append((reader, writer))
            return int(lines[0].split()[1]), body

    def close(self) -> None:
        """Leave."""
        for free in self.free.values():
            for _, writer in free:
                writer.close()
        self.free.clear()


_doors: dict[asyncio.AbstractEventLoop, Door] = {}


async def ask(port: int, method: str, path: str, body: Any, secret: str) -> Any:
    """What the server answers over HTTP; a request that comes too soon is made again."""
    door = _doors.setdefault(asyncio.get_running_loop(), Door())
    data = b"" if body is None else _encode(body)
    lines = (
        f"{method} {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\nAuthorization: Bearer {secret}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    )
    status, answer = await door.ask(port, lines.encode() + data)
    if status >= 300:
        raise BrokenError(f"{method} {path}: {status} {answer[:300].decode()}")
    return _decode(answer)


def leave() -> None:
    """Close what ``ask`` kept open."""
    door = _doors.pop(asyncio.get_running_loop(), None)
    if door is not None:
        door.close()
