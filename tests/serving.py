"""A hall for the tests: tables on SQLite, bots that draw lots, and lines that keep all that they are told."""

from __future__ import annotations

import random
import tempfile
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.client.view import View
from stationmaster.server import messages
from stationmaster.server.hall import Hall
from stationmaster.store import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation
    from stationmaster.server.live import Line

_STRICT = {kind: msgspec.json.Decoder(frame) for kind, frame in messages.FRAMES.items()}
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
