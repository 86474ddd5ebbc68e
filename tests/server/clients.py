"""People who play whole matches at real nodes, lose their connection, come back, and remember what they were told.

Whatever a node has told somebody must be stored, once, whatever happened to that node afterwards. So each player keeps
every step that was told and every move that was acknowledged; ``check_tables`` holds them against the database.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from stationmaster.cli import main
from stationmaster.match.fair import text_commitment
from stationmaster.server import entries as e
from stationmaster.server.people import holder_of
from stationmaster.server.table import Table
from stationmaster.server.told import Told
from stationmaster.store import open_store

AGAIN = 0.05  # seconds until the next try
NOT_NOW = "store-unavailable"  # the same command is asked again
OWN = ("mine", "you", "id", "welcome")  # what of a step only one of those told gets


class Person:
    """Somebody with a secret, who knows the addresses of some nodes."""

    def __init__(self, name: str, urls: Sequence[str]) -> None:
        self.name = name
        self.urls = list(urls)
        self.keep_secret(secrets.token_hex(16))

    def keep_secret(self, secret: str) -> None:
        """Be whoever has this secret."""
        self.secret = secret
        self.headers = {"Authorization": f"Bearer {secret}"}

    @property
    def holder(self) -> str:
        """How the store knows them."""
        return holder_of(self.secret)

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask over HTTP until a node answers."""
        for number in count():
            url = self.urls[number % len(self.urls)]
            try:
                async with httpx.AsyncClient(base_url=url, headers=self.headers, timeout=20) as http:
                    answer = await http.request(method, path, json=body)
                if answer.status_code < 500:
                    assert answer.is_success, answer.text
                    return answer
            except httpx.TransportError:
                pass
            await asyncio.sleep(AGAIN)
        raise AssertionError("it never ends")

    async def lay(self, **wanted: Any) -> str:
        """Lay a table, and sit down there."""
        answer = await self.ask("POST", "/api/tables", {"name": self.name, "pace": 0, **wanted})
        return str(answer.json()["table"])

    async def join(self, table: str) -> None:
        """Sit down."""
        await self.ask("POST", f"/api/tables/{table}/join", {"name": self.name})


class Player:
    """One person at one table, until its match is over."""

    def __init__(self, person: Person, table: str, seed: int = 0, *, think: float = 0.0) -> None:
        self.person = person
        self.table = table
        self.rng = Random(seed)
        self.think = think  # seconds for a move, at most
        # What was told
        self.version: int | None = None
        self.seat = -1
        self.seats: list[Any] = []
        self.stage = "seats"
        self.turn: int | None = None
        self.legal: list[str] = []
        self.ready: set[int] = set()
        self.deal: dict[str, Any] = {}
        self.present: list[int] = []
        self.paused = False
        self.welcomed: list[int] = []  # the version of each whole view
        self.told: dict[int, Any] = {}
        # What was asked
        self.text = ""
        self.pending: dict[str, Any] | None = None
        self.refused_at = -1  # the version at which a command was refused: nothing is asked before the next one
        self.acknowledged: dict[str, tuple[int, dict[str, Any]]] = {}
        self.refusals: list[str] = []
        # How it went
        self.goodbyes = 0
        self.came: list[float] = []  # when this player was at the table again
        self.news = asyncio.Event()
        self.socket: ClientConnection | None = None
        self.url = ""  # of the node that this player was at last
        self.lost = 0  # so many connections; the next one is to the next node

    @property
    def host(self) -> bool:
        """Whether this player is the host."""
        return bool(self.seats[self.seat]["host"])

    @property
    def over(self) -> bool:
        """Whether the match is over, and nothing is left unanswered."""
        return self.stage == "over" and self.pending is None

    async def play(self) -> None:
        """Be at the table until the match is over, whatever becomes of the nodes."""
        while not self.over:
            after = "" if self.version is None else f"?after={self.version}"
            self.url = self.person.urls[self.lost % len(self.person.urls)]
            address = f"ws{self.url.removeprefix('http')}/ws/{self.table}{after}"
            try:
                async with connect(address, additional_headers=self.person.headers, compression=None) as socket:
                    self.socket = socket
                    await self.be_at(socket)
            except InvalidStatus as error:
                if error.response.status_code not in (429, 503):
                    raise
            except (OSError, WebSocketException, EOFError):
                pass
            self.socket = None
            if not self.over:
                self.lost += 1
                await asyncio.sleep(AGAIN)

    async def be_at(self, socket: ClientConnection) -> None:
        """One connection, from what was missed to its end."""
        at_table = False
        while not self.over:
            frame = json.loads(await socket.recv())
            self.take(frame)
            if not at_table:
                if not (at_table := "resumed" in frame or "welcome" in frame):
                    continue
                self.came.append(monotonic())
                await self.send(socket)
            if frame.get("error") == NOT_NOW:
                await asyncio.sleep(AGAIN)
                await self.send(socket)
            verb = self.wanted()
            if verb is not None:
                if "play" in verb and self.think:
                    await asyncio.sleep(self.rng.uniform(0, self.think))
                self.pending = {**verb, "version": self.version, "id": secrets.token_hex(8)}
                await self.send(socket)
            self.news.set()
        self.news.set()

    async def send(self, socket: ClientConnection) -> None:
        """Ask, or ask again, what is not answered yet."""
        if self.pending is not None:
            with suppress(ConnectionClosed):  # what was told before the end is still to be read
                await socket.send(json.dumps(self.pending))

    # ---- What is told ----------------------------------------------------------------------------

    def take(self, frame: dict[str, Any]) -> None:
        """Remember what a frame says."""
        if "events" in frame:
            self.step(frame)
        elif "welcome" in frame:
            assert self.version is None or frame["version"] >= self.version, "what was told before is lost"
            self.version = frame["version"]
            self.welcomed.append(frame["version"])
            self.look(frame["welcome"])
        elif "resumed" in frame:
            assert frame["resumed"] == self.version, "not everything that was missed was told"
            [self.seat] = frame["you"]
        elif "present" in frame:
            self.present = frame["present"]
        elif "goodbye" in frame:
            self.goodbyes += 1
        elif "ok" in frame:
            self.answered(frame["ok"], frame["version"])
        elif "error" in frame:
            self.refused(frame)

    def look(self, view: dict[str, Any]) -> None:
        """The whole view."""
        [self.seat] = view["you"]
        self.seats, self.ready = view["seats"], set(view["ready"])
        self.stage, self.turn, self.paused = view["stage"], view.get("turn"), "paused" in view
        self.legal = view.get("mine", {}).get(str(self.seat), {}).get("legal", [])
        self.present = view["present"]
        if "deal" in view:
            deal = view["deal"]
            self.deal = {"asked": deal["asked"], "hashed": set(map(int, deal["hashed"])), "texted": set(deal["texted"])}

    def step(self, frame: dict[str, Any]) -> None:
        """A step."""
        version = frame["version"]
        assert version == (self.version or 0) + 1, f"version {version} was told after {self.version}"
        self.version = version
        self.told[version] = {name: value for name, value in frame.items() if name not in OWN}
        self.stage, self.turn, self.paused = frame["stage"], frame.get("turn"), "paused" in frame
        self.legal = frame.get("mine", {}).get(str(self.seat), {}).get("legal", [])
        for event in frame["events"]:
            match event["event"]:
                case "promised":
                    self.deal = {"asked": False, "hashed": set(), "texted": set()}
                    self.ready = set()
                case "hashed" | "texted":
                    self.deal[event["event"]].add(event["seat"])
                case "asked":
                    self.deal["asked"] = True
                case "ready":
                    self.ready.add(event["seat"])
        if "seats" in frame:
            self.seats, [self.seat] = frame["seats"], frame["you"]
        if "welcome" in frame:
            self.look(frame["welcome"])
        if "id" in frame:
            self.answered(frame["id"], version)

    def answered(self, id: str, version: int) -> None:
        """A command was done."""
        if self.pending is not None and self.pending["id"] == id:
            self.acknowledged[id] = version, self.pending
            self.pending = None

    def refused(self, frame: dict[str, Any]) -> None:
        """A command was not done."""
        if frame["error"] == NOT_NOW or self.pending is None or frame.get("id") != self.pending["id"]:
            return
        self.refusals.append(frame["error"])
        self.refused_at = frame["version"]
        self.pending = None

    # ---- What is asked ---------------------------------------------------------------------------

    def wanted(self) -> dict[str, Any] | None:
        """What this player does now."""
        if self.pending is not None or self.version is None or self.version <= self.refused_at:
            return None
        match self.stage:
            case "seats" if self.host and all(seat["taken"] for seat in self.seats):
                return {"start": True}
            case "deal":
                if not self.deal["asked"] and self.seat not in self.deal["hashed"]:
                    self.text = self.rng.randbytes(8).hex()
                    return {"promise": text_commitment(self.text)}
                if self.deal["asked"] and self.seat in self.deal["hashed"] - self.deal["texted"]:
                    return {"text": self.text}
            case "play" if self.turn == self.seat and self.legal and not self.paused:
                return {"play": self.rng.choice(self.legal)}
            case "between" if self.seat not in self.ready:
                return {"next": True}
        return None

    def go_elsewhere(self) -> None:
        """Lose the connection, and come back through the next node."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def until(self, what: Callable[[Player], bool]) -> None:
        """Wait until something is so."""
        while not what(self):
            self.news.clear()
            await self.news.wait()

    @property
    def moves(self) -> list[tuple[str, int, str]]:
        """The acknowledged moves: each one's id, version and notation."""
        return [(id, version, sent["play"]) for id, (version, sent) in self.acknowledged.items() if "play" in sent]

    def __repr__(self) -> str:
        where = f"{self.person.name} at {self.table}: version {self.version}, {self.stage}, turn {self.turn}"
        return f"<{where}, seat {self.seat}, pending {self.pending}, refused {self.refusals[-3:]}>"


class Sleeper(Player):
    """Somebody who never makes a move."""

    def wanted(self) -> dict[str, Any] | None:
        verb = super().wanted()
        return None if verb is not None and "play" in verb else verb


class Group:
    """People who play one match after the other together."""

    def __init__(
        self, people: Sequence[Person], seed: int, *, think: float = 0.0, kind: type[Player] = Player, **wanted: Any
    ) -> None:
        self.people = people
        self.kind = kind
        self.seed = seed
        self.think = think
        self.wanted = wanted
        self.played: list[Player] = []
        self.playing: list[Player] = []

    async def sit_down(self) -> list[Player]:
        """Lay a table, all of them."""
        first, *others = self.people
        table = await first.lay(**self.wanted)
        for person in others:
            await person.join(table)
        self.seed += 1
        self.playing = [
            self.kind(person, table, 100 * self.seed + number, think=self.think)
            for number, person in enumerate(self.people)
        ]
        return self.playing

    async def play(self, enough: Callable[[], bool] = lambda: True) -> None:
        """Play at least one match, and further ones until it is enough."""
        while True:
            async with asyncio.TaskGroup() as group:
                for player in await self.sit_down():
                    group.create_task(player.play())
            self.played += self.playing
            self.playing = []
            if enough():
                return


def at_tables(groups: Sequence[Group], url: str | None = None) -> list[Player]:
    """All who play now, or who do so through one node."""
    players = [player for group in groups for player in group.playing]
    return [player for player in players if url in (None, player.url)]


async def all_back(players: Sequence[Player], since: float) -> float:
    """Wait until all of them are at their table again; the seconds that it took."""
    for player in players:
        await player.until(lambda one: one.over or (bool(one.came) and one.came[-1] > since))
    return monotonic() - since


async def under_way(groups: Sequence[Group]) -> None:
    """Wait until some moves have been made at every table."""
    for group in groups:
        while not group.playing:  # somebody is just laying a table
            await asyncio.sleep(0.01)
        first = group.playing[0]
        at = first.version or 0
        await first.until(lambda one, at=at: one.over or (one.stage == "play" and (one.version or 0) > at + 10))


async def in_time(doing: Awaitable[Any], groups: Sequence[Group], seconds: float = 120) -> None:
    """Not for ever: a match that hangs says where it does."""
    try:
        await asyncio.wait_for(doing, seconds)
    except TimeoutError:
        stuck = [player for group in groups for player in group.playing if not player.over]
        raise AssertionError(f"does not go on: {stuck}") from None


# ---- Afterwards ----------------------------------------------------------------------------------------


async def check_tables(url: str, groups: Sequence[Group]) -> int:
    """Hold what was told and acknowledged against what is stored; how many moves were acknowledged."""
    store = await open_store(url)
    try:
        players = [player for group in groups for player in group.played]
        steps = {table: await store.read(table) for table in {player.table for player in players}}
    finally:
        await store.close()
    for table, stored in steps.items():
        assert [step.version for step in stored] == list(range(1, len(stored) + 1))
        data = {step.version: e.decode(step.data) for step in stored}
        asked = [(step.by, step.id) for step in data.values() if step.id is not None]
        assert len(asked) == len(set(asked)), "a command was done twice"
        replayed, told = Table(table), {}
        for step in stored:
            happened = replayed.apply(step.version, step.at, data[step.version])
            told[step.version] = msgspec.json.decode(Told.of(replayed, happened).public + b"}")
        assert replayed.stage == "over"
        for player in players:
            if player.table != table:
                continue
            for version, said in player.told.items():
                assert said == told.get(version), f"version {version} was told, and is not what is stored"
            for id, version, move in player.moves:
                assert (data[version].by, data[version].id) == (player.person.holder, id), (
                    "an acknowledged move is lost"
                )
                assert [entry.move for entry in data[version].entries if isinstance(entry, e.Moved)] == [move]
            since = player.welcomed[0]
            done = {step.id for version, step in data.items() if version > since and step.by == player.person.holder}
            assert done <= set(player.acknowledged), "a command was done, and not acknowledged to who repeated it"
    return sum(len(player.moves) for player in players)


async def check_records(groups: Sequence[Group], folder: Path) -> None:
    """The records of all matches verify."""
    for group in groups:
        for player in group.played[:: len(group.people)]:
            answer = await player.person.ask("GET", f"/api/tables/{player.table}/record")
            file = folder / f"{player.table}.json"
            file.write_bytes(answer.content)
            assert main(["verify", str(file)]) == 0
