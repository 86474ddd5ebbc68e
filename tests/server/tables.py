"""Tables to play at in tests: a store in memory, a clock that is turned by hand, and people who talk to the hall."""

from __future__ import annotations

import asyncio
import functools
import json
import random
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any

from stationmaster.rulebooks.rulebook import rulebook
from stationmaster.server import entries as e
from stationmaster.server.hall import Hall
from stationmaster.server.line import Line
from stationmaster.server.live import Live
from stationmaster.server.shapes import HouseRules, NewTable
from stationmaster.server.summary import row_of
from stationmaster.server.table import Table
from stationmaster.server.told import welcome
from stationmaster.store.base import CodeTaken, Conflict, Due, Row, Step, Store, Talk

NOON = 1_800_000_000_000
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gül", "Hugo", "Ida", "João", "Kim", "Lea", "Max", "Noa")
Frame = dict[str, Any]


def played(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """A test that waits for things."""

    @functools.wraps(test)
    def run(*args: Any, **values: Any) -> None:
        asyncio.run(test(*args, **values))  # type: ignore[arg-type]

    return run


class Memory(Store):
    """A store that forgets everything when the test is over."""

    def __init__(self) -> None:
        self.node = "here"
        self.steps: dict[str, list[Step]] = {}
        self.stored_rows: dict[str, Row] = {}
        self.wakes: dict[str, int | None] = {}
        self.said: dict[str, list[Talk]] = {}
        self.here: set[tuple[str, str, str]] = set()
        self.kept: dict[str, str] = {}

    async def append(self, step: Step, row: Row | None = None) -> None:
        await asyncio.sleep(0)
        steps = self.steps.get(step.table, [])
        if step.version != len(steps) + 1:
            raise Conflict("somebody was faster")
        if row is not None and any(
            one.code == row.code and one.table != row.table for one in self.stored_rows.values()
        ):
            raise CodeTaken("another table has it")
        self.steps[step.table] = [*steps, step]
        if row is not None:
            self.stored_rows[row.table] = row
            self.wakes[row.table] = row.due

    async def read(self, table: str, after: int = 0) -> list[Step]:
        return self.steps.get(table, [])[after:]

    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[Step]]:
        return {table: await self.read(table, version) for table, version in after.items()}

    async def row(self, table: str) -> Row | None:
        return self.stored_rows.get(table)

    async def row_by_code(self, code: str) -> Row | None:
        return next((row for row in self.stored_rows.values() if row.code == code), None)

    async def rows(self, **wanted: Any) -> list[Row]:
        return list(self.stored_rows.values())

    async def claim(self, node: str, now: int, lease_ms: int, limit: int) -> list[Due]:
        due = [table for table, wake in self.wakes.items() if wake is not None and wake <= now][:limit]
        self.wakes |= dict.fromkeys(due, now + lease_ms)
        return [Due(table, self.stored_rows[table].due or 0) for table in due]

    async def keep_claimed(self, node: str, tables: Collection[str], until: int) -> None:
        self.wakes |= dict.fromkeys(tables, until)

    async def next_due(self) -> int | None:
        return min((wake for wake in self.wakes.values() if wake is not None), default=None)

    async def add_talk(self, table: str, at: int, data: bytes) -> Talk:
        said = self.said.setdefault(table, [])
        said.append(Talk(table, len(said) + 1, at, data))
        return said[-1]

    async def read_talk(self, table: str, after: int = 0, limit: int = 100) -> list[Talk]:
        return self.said.get(table, [])[after:][-limit:]

    async def set_present(self, table: str, holder: str, node: str, until: int) -> None:
        self.here.add((table, holder, node))

    async def unset_present(self, table: str, holder: str, node: str) -> None:
        self.here.discard((table, holder, node))

    async def keep_present(self, node: str, until: int) -> None:
        pass

    async def present_at(self, tables: Collection[str], now: int) -> dict[str, set[str]]:
        return {table: {holder for at, holder, _ in self.here if at == table} for table in tables}

    async def setting(self, name: str, value: str | None = None) -> str:
        return self.kept.setdefault(name, value) if value is not None else self.kept.get(name, "")

    def listen(self, told: Callable[..., None]) -> Callable[[], None]:
        return lambda: None

    async def check(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def tables(self, after: str = "", limit: int = 1000) -> list[str]:
        return sorted(self.steps)

    async def count(self) -> int:
        return len(self.steps)

    async def settings(self) -> dict[str, str]:
        return dict(self.kept)

    async def put(self, kept: Sequence[Any]) -> None:
        raise NotImplementedError


class AnyMove:
    """Bots that play any legal move, hints that are the first one."""

    async def move(self, observation: Any, level: str, *, seed: int) -> Any:
        await asyncio.sleep(0)
        return random.Random(seed).choice(observation.legal_moves)

    async def hint(self, observation: Any, *, language: str) -> Any:
        return {"move": str(observation.legal_moves[0])}

    async def line_up(self, observation: Any) -> Any:
        return [str(tile) for tile in observation.hand]


class Clock:
    """Shows the time that a test sets."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> int:
        return self.now


class Client:
    """One person's connection, and all that came over it."""

    def __init__(self, game: Game, holder: str | None, name: str = "") -> None:
        self.game = game
        self.holder = holder
        self.name = name
        self.raw: list[bytes] = []
        self.line: Line
        self.id = ""  # of the last thing said

    async def open(self, after: int | None = None, language: str = "en") -> Client:
        """Connect."""
        self.line = await self.game.hall.open_line(
            self.game.id, self.holder, after=after, language=language, send=self.raw.append
        )
        return self

    async def close(self) -> None:
        """Go away."""
        await self.line.close()

    @property
    def frames(self) -> list[Frame]:
        """All that came."""
        return [json.loads(frame) for frame in self.raw]

    @property
    def version(self) -> int:
        """The last that this client has seen."""
        told = (json.loads(frame) for frame in reversed(self.raw) if b'"events":' in frame or b'"welcome":' in frame)
        return next((int(frame["version"]) for frame in told), 0)

    @property
    def view(self) -> Frame:
        """The last whole view."""
        return next(frame["welcome"] for frame in reversed(self.frames) if "welcome" in frame)

    def events(self, kind: str) -> list[Frame]:
        """What was told of one kind, in order."""
        return [event for frame in self.frames for event in frame.get("events", []) if event["event"] == kind]

    def versions(self) -> list[int]:
        """The versions of the steps that were told, in order."""
        return [frame["version"] for frame in self.frames if "events" in frame]

    async def __call__(self, id: str | None = None, version: int | None = None, **command: Any) -> Frame:
        """Say something; the answer to it."""
        self.game.said += 1
        self.id = id = id or f"{self.name}-{self.game.said}"
        before = len(self.raw)
        told = self.game.live.version if version is None else version
        await self.line.command(json.dumps({"version": told, "id": id, **command}))
        for frame in map(json.loads, self.raw[before:]):
            if id in (frame.get("id"), frame.get("ok"), frame.get("answer")):
                return frame
        return {}

    def done(self) -> Frame:
        """The answer to something that changes nothing."""
        return {"ok": self.id, "version": self.game.table.version}

    async def refused(self, **command: Any) -> str:
        """Say something that the table says no to; why, as a code. Nothing has changed."""
        steps = len(self.game.steps)
        answer = await self(**command)
        assert "error" in answer, answer
        assert answer["sentence"].endswith(".")
        assert len(self.game.steps) == steps
        return str(answer["error"])


class Game:
    """A table, and everybody at it."""

    def __init__(self, store: Any = None, hall: Hall | None = None) -> None:
        self.clock = Clock()
        self.store = store or Memory()
        self.hall = hall or Hall(self.store, AnyMove(), node=self.store.node, clock=self.clock)
        self.people: list[Client] = []
        self.said = 0
        self.id = ""

    @property
    def live(self) -> Live:
        """The table in memory."""
        return self.hall.live[self.id]

    @property
    def table(self) -> Table:
        """What it is now."""
        return self.live.table

    @property
    def steps(self) -> list[Step]:
        """What is stored."""
        return self.store.steps[self.id]

    @property
    def entries(self) -> list[Any]:
        """All entries that are stored."""
        return [entry for step in self.steps for entry in e.decode(step.data).entries]

    @classmethod
    async def lay(cls, people: int = 2, bots: int = 0, *, store: Any = None, **wanted: Any) -> Game:
        """A table at which these people sit, connected, and bots; the rest as a new table is asked for."""
        game = cls(store)
        wanted = {"rulebook": rules("tactic", rounds=2), "pace": 0, "bots": ["porter"] * bots, **wanted}
        row = await game.hall.create(NewTable(name=NAMES[0], seats=people + bots, **wanted), NAMES[0].lower())
        game.id = row.table
        for name in NAMES[1:people]:
            await game.hall.join(row.code, name.lower(), name)
        for name in NAMES[:people]:
            game.people.append(await Client(game, name.lower(), name).open())
        return game

    async def watcher(self) -> Client:
        """Somebody who looks on."""
        return await Client(self, None, "watcher").open()

    async def start(self) -> Game:
        """Begin the match and deal."""
        await self.people[0](start=True)
        return await self.deal()

    async def deal(self) -> Game:
        """Everybody's device gives its text."""
        for client in self.people:
            for seat in client.line.seats:
                if self.table.stage == "deal" and seat not in self.table.hashes and not self.table.seats[seat].held:
                    await client(promise=sha256(text_of(client, seat).encode()).hexdigest(), seat=seat)
        for client in self.people:
            for seat in client.line.seats:
                if self.table.stage == "deal" and seat in self.table.hashes:
                    await client(text=text_of(client, seat), seat=seat)
        assert self.table.stage == "play"
        return self

    def whose(self) -> Client:
        """Who is to move."""
        turn = self.table.turn
        assert turn is not None
        return next(client for client in self.people if client.holder == self.table.seats[turn].holder)

    def legal(self) -> list[str]:
        """The legal moves."""
        return [str(move) for move in self.table.match.round.legal_moves()]  # type: ignore[union-attr]

    async def move(self, choose: Callable[[list[str]], str] = lambda moves: moves[0]) -> Frame:
        """Whoever's turn it is plays; bots too."""
        turn = self.table.turn
        assert turn is not None
        if self.table.seats[turn].bot is not None:
            await self.wait()
            return {}
        answer = await self.whose()(play=choose(self.legal()), seat=turn)
        assert "events" in answer, answer
        return answer

    async def play(self, moves: int = 100_000, seed: int = 1) -> Game:
        """Any legal moves, to the end of the round or for a while."""
        rng = random.Random(seed)
        while moves and self.table.stage == "play":
            await self.move(rng.choice)
            moves -= 1
        return self

    async def wait(self, ms: int = 0) -> Game:
        """Time goes by; the table does what it has to do by itself."""
        self.clock.now += ms
        due = self.table.due()
        if due is not None and due <= self.clock.now:
            await self.live.act()
        return self

    async def rebuilt(self) -> Table:
        """The table that follows from what is stored."""
        return (await self.hall.read_table(self.id))[0]


def text_of(client: Client, seat: int) -> str:
    """What a device adds to the deal."""
    return f"the text of {client.holder} at {seat} for round {client.game.table.dealing}"


def rules(id: str, **changes: Any) -> HouseRules:
    """A printed rulebook with some things otherwise; a short match, mostly."""
    return HouseRules(rulebook=id, changes=changes)


def everything(table: Table) -> dict[str, Any]:
    """All that a table tells to anybody, and what it keeps to itself."""
    seats = range(len(table.seats))
    return {
        "told": [welcome(table, who, [], []) for who in [(), *((seat,) for seat in seats)]],
        "row": row_of(table),
        "ids": table.ids,
        "waiting": (table.began, table.decision, table.due(), table.paused, table.secret, table.texts, table.hashes),
        "seats": [[getattr(seat, name) for name in seat.__slots__] for seat in table.seats],
        "back": (table.back, table.agreed, table.ready),
        "moves": [round.moves for round in table.match.rounds] if table.match is not None else None,
        "deals": [round.deal for round in table.match.rounds] if table.match is not None else None,
    }


def smallest(id: str) -> int:
    """The fewest people who can play by a rulebook together."""
    return max(2, min(rulebook(id).deal))
