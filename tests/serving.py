"""A hall for the tests: tables on SQLite, bots that draw lots, and lines that keep all that they are told."""

from __future__ import annotations

import asyncio
import random
import tempfile
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import jsonschema_rs
import msgspec
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from stationmaster.client.view import View
from stationmaster.server import messages
from stationmaster.server.hall import Hall
from stationmaster.server.refusal import Refusal
from stationmaster.server.schema import server_schema
from stationmaster.store import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation
    from stationmaster.server.line import Line

_STRICT = {kind: msgspec.json.Decoder(frame) for kind, frame in messages.FRAMES.items()}
_BY_SCHEMA = jsonschema_rs.validator_for(server_schema())
_encode = msgspec.json.Encoder().encode


def holder_of(secret: str) -> str:
    """What is stored of a person."""
    return sha256(secret.encode()).hexdigest()[:32]


class Lots:
    """Bots that draw lots."""

    async def move(self, observation: Observation, level: str, *, seed: int) -> Move:
        return random.Random(len(observation.history)).choice(observation.legal_moves)

    async def hint(self, observation: Observation, *, language: str) -> Any:
        move = str(observation.legal_moves[0])
        return {"answer": "hint", "move": move, "why": language, "options": [{"move": move, "worth": 0.0}]}

    async def line_up(self, observation: Observation) -> Any:
        tile = str(observation.hand[0])
        extras = [{"tile": tile, "moves": []}]
        return {
            "answer": "line-up",
            "end": "12",
            "train": [tile],
            "shows": ["3"],
            "pips": 5,
            "proven": True,
            "extras": extras,
        }


@asynccontextmanager
async def hall(**more: Any) -> AsyncIterator[Hall]:
    """A hall that is closed at the end; in memory where the machine offers that, for the disk is not what is tested."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        store = await open_store(str(Path(folder, "tables.db")))
        found = Hall(store, Lots(), **more)
        try:
            yield found
        finally:
            await found.stop()
            await store.close()


def checked(data: bytes) -> dict[str, Any]:
    """A frame of a server, held to its shape: nothing lacks, nothing else is in it."""
    frame = msgspec.json.decode(data)
    kind = messages.kind_of(frame)
    shape = _STRICT[kind].decode(data)
    assert msgspec.json.decode(_encode(shape)) == frame, kind
    _BY_SCHEMA.validate(frame)
    return frame


class Seen:
    """One line: every frame held to its shape, and the view that a client makes of them."""

    def __init__(self, holder: str | None) -> None:
        self.holder = holder
        self.frames: list[dict[str, Any]] = []
        self.line: Line
        self.view: View
        self.count = 0

    async def open(self, hall: Hall, table: str, after: int | None = None) -> Seen:
        """Connect."""
        self.hall, self.table = hall, table
        self.line = await hall.open_line(table, self.holder, after=after, language="en", send=self.take)
        return self

    async def close(self) -> None:
        """The connection is lost."""
        await self.line.close()

    async def again(self) -> None:
        """It is there again."""
        await self.open(self.hall, self.table, self.view.version)

    def take(self, data: bytes) -> None:
        """A frame came."""
        frame = checked(data)
        self.frames.append(frame)
        match messages.kind_of(frame):
            case "welcome":
                self.view = View(msgspec.json.decode(data))
            case "events":
                self.view.step(msgspec.json.decode(data))
            case "resumed":
                self.view.resumed(frame)
            case "present":
                self.view.present(frame)
            case "talk":
                self.view.talk(frame)

    async def do(self, **verb: Any) -> dict[str, Any]:
        """Send a command; the frame that answers it, which is the last one with its id."""
        self.count += 1
        id = f"{self.holder}-{self.count}"[-64:]
        await self.send({"version": self.view.version, "id": id, **verb})
        return self.answer(id)

    async def send(self, frame: dict[str, Any]) -> None:
        """Send just this."""
        await self.line.command(_encode(frame))

    def answer(self, id: str) -> dict[str, Any]:
        """The frame that answers this id."""
        return next(
            frame for frame in reversed(self.frames) if id in (frame.get("id"), frame.get("ok"), frame.get("answer"))
        )

    def agrees(self) -> None:
        """The view is what a fresh welcome would tell."""
        fresh = msgspec.json.decode(self.line.live.welcome(self.line))
        assert self.view.data == fresh["welcome"]
        assert (self.view.version, self.view.at) == (fresh["version"], fresh["at"])


class Door:
    """A WebSocket server in front of a hall, with nothing but what the protocol needs. It can lose connections."""

    def __init__(self, house: Hall) -> None:
        self.house = house
        self.port = 0
        self.sockets: set[ServerConnection] = set()
        self.heard = 0
        self.swallows: Callable[[dict[str, Any]], bool] = lambda frame: False  # whether to keep this from a client
        self.wrong: list[Exception] = []  # frames that are not as they should be
        self.loses: Callable[[int], bool] = lambda heard: False  # whether to do this frame and lose the answer

    async def __aenter__(self) -> Door:
        self.server = await serve(self.let_in, "127.0.0.1", self.port, compression=None)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close(close_connections=True)
        await self.server.wait_closed()
        assert not self.wrong, self.wrong

    def url(self, table: str) -> str:
        """Where a table is."""
        return f"http://127.0.0.1:{self.port}/t/{table}"

    async def let_in(self, socket: ServerConnection) -> None:
        """One connection."""
        assert socket.request is not None
        parts = urlsplit(socket.request.path)
        asked = parse_qs(parts.query)
        kind, _, secret = socket.request.headers.get("Authorization", "").partition(" ")
        holder = holder_of(secret) if kind == "Bearer" else None
        after = asked.get("after")
        out: asyncio.Queue[bytes] = asyncio.Queue()
        try:
            line = await self.house.open_line(
                parts.path.rpartition("/")[2],
                holder,
                after=None if after is None else int(after[0]),
                language=asked["language"][0],
                send=out.put_nowait,
            )
        except Refusal as refusal:
            await socket.send(_encode({"error": refusal.code, "sentence": refusal.sentence()}).decode())
            await socket.close(4404)
            return
        self.sockets.add(socket)
        writing = asyncio.create_task(self.write(socket, out))
        try:
            async for frame in socket:
                self.heard += 1
                if self.loses(self.heard):
                    writing.cancel()
                    await line.command(frame)
                    socket.transport.abort()
                    break
                await line.command(frame)
        except ConnectionClosed:
            pass
        finally:
            writing.cancel()
            self.sockets.discard(socket)
            await line.close()

    async def write(self, socket: ServerConnection, out: asyncio.Queue[bytes]) -> None:
        """Send what the line tells."""
        try:
            while True:
                data = await out.get()
                if not self.swallows(checked(data)):
                    await socket.send(data.decode())
        except ConnectionClosed:
            pass
        except Exception as error:
            self.wrong.append(error)
            socket.transport.abort()
