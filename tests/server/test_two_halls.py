"""Two nodes on one store: clients at both, each told everything once, whoever was asked first."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.tables import AnyMove, Client, Clock, Game, everything, played, rules
from stationmaster.server import hall as hall_module
from stationmaster.server.hall import Hall
from stationmaster.server.shapes import NewTable
from stationmaster.store import Notice, Row, Step, Talk, open_store


class Shared:
    """One of several nodes' ways to a store: the others hear of what is stored through it, some time later."""

    def __init__(self, store: Any, node: str, nodes: list[Shared]) -> None:
        self.store, self.node, self.nodes = store, node, nodes
        self.told: Callable[[Notice], None] | None = None
        self.lost = False  # notices
        nodes.append(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def listen(self, told: Callable[[Notice], None]) -> Callable[[], None]:
        self.told = told
        return lambda: None

    def notify(self, table: str, version: int | None) -> None:
        for other in self.nodes:
            if other is not self and other.told is not None and not other.lost:
                asyncio.get_running_loop().call_soon(other.told, Notice(table, version, self.node))

    async def append(self, step: Step, row: Row | None = None) -> None:
        await self.store.append(step, row)
        self.notify(step.table, step.version)

    async def add_talk(self, table: str, at: int, data: bytes) -> Talk:
        talk: Talk = await self.store.add_talk(table, at, data)
        self.notify(table, None)
        return talk

    async def set_present(self, table: str, holder: str, node: str, until: int) -> None:
        await self.store.set_present(table, holder, node, until)
        self.notify(table, None)

    async def unset_present(self, table: str, holder: str, node: str) -> None:
        await self.store.unset_present(table, holder, node)
        self.notify(table, None)


class Nodes:
    """Two halls, and a table that both serve; everybody who plays has a line to each."""

    def __init__(self, games: list[Game]) -> None:
        self.games = games

    @classmethod
    async def open(cls, path: Path, people: int = 3, **wanted: Any) -> Nodes:
        """Two nodes on an SQLite file, and people who sit down, some here and some there."""
        store = await open_store(path / "tables.db")
        shared: list[Shared] = []
        clock = Clock()
        games = []
        for node in ("one", "two"):
            way = Shared(store, node, shared)
            hall = Hall(way, AnyMove(), node=node, clock=clock)  # type: ignore[arg-type]
            way.listen(hall.noticed)
            game = Game(way, hall)
            game.clock = clock
            games.append(game)
        wanted = {"rulebook": rules("tactic", rounds=1), "pace": 0, "seats": people, **wanted}
        row = await games[0].hall.create(NewTable(name="Ann", **wanted), "ann")
        for game, said in zip(games, (0, 100_000), strict=True):
            game.id, game.said = row.table, said
        nodes = cls(games)
        for number, name in enumerate(("Ann", "Ben", "Cleo", "Dan")[: people - len(wanted.get("bots", ()))]):
            if number:
                await games[number % 2].hall.join(row.code, name.lower(), name)
            for game in games:
                game.people.append(await Client(game, name.lower(), name).open())
        await nodes.quiet()
        return nodes

    async def quiet(self) -> None:
        """All notices have come, and what follows from them is done."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        while any(game.hall.tasks for game in self.games):
            for game in self.games:
                await asyncio.gather(*game.hall.tasks)
            await asyncio.sleep(0)

    async def hear(self) -> None:
        """Both nodes read all anew, as after a lost connection to the store."""
        for game in self.games:
            game.hall.noticed(Notice(None, None, ""))
        await self.quiet()

    async def agree(self) -> None:
        """Both nodes have the same table, and told it in the same bytes to everybody, each version once."""
        await self.hear()
        one, two = self.games
        assert everything(one.table) == everything(two.table) == everything(await one.rebuilt())
        for here, there in zip(one.people, two.people, strict=True):
            for client in (here, there):
                versions = client.versions()
                assert versions == list(range(one.table.version + 1 - len(versions), one.table.version + 1))
            last = min(len(here.versions()), len(there.versions()))
            assert plain(here)[-last:] == plain(there)[-last:]

    async def close(self) -> None:
        """Everybody goes home."""
        for game in self.games:
            await game.hall.stop()
        await self.games[0].store.close()


def here(client: Client) -> list[int]:
    """The seats that were told last to be here."""
    last = next(frame for frame in reversed(client.frames) if "present" in frame or "welcome" in frame)
    if "present" in last:
        return list(last["present"])
    return [number for number, seat in enumerate(last["welcome"]["seats"]) if seat["here"]]


def plain(client: Client) -> list[Any]:
    """What was told of steps, without the ids, which only the line that asked is told, and who is here."""
    told = []
    for frame in client.frames:
        if "events" in frame:
            frame.pop("id", None)
            frame.pop("welcome", None)
            told.append(frame)
    return told


@played
async def both_play(path: Path, seed: int) -> None:
    nodes = await Nodes.open(path)
    rng = random.Random(seed)
    await nodes.games[0].people[0](start=True)
    await nodes.quiet()
    await nodes.games[seed % 2].deal()
    await nodes.agree()
    while nodes.games[0].table.stage == "play":
        game = rng.choice(nodes.games)
        if rng.random() < 0.3:  # both at once: one of them is faster
            await nodes.hear()
            if game.table.stage != "play":
                break
            mover, moves = game.table.turn, game.legal()
            asked = [(one.people[mover], rng.choice(moves)) for one in nodes.games]  # type: ignore[index]
            version = game.table.version
            before = len(game.table.match.round.moves)  # type: ignore[union-attr]
            answers = await asyncio.gather(*(who(play=move, version=version) for who, move in asked))
            await nodes.hear()
            assert len(game.table.match.round.moves) == before + 1  # type: ignore[union-attr]
            assert sorted("error" in answer for answer in answers) == [False, True]
        elif game.table.stage == "play":
            answer = await game.whose()(play=rng.choice(game.legal()))
            assert answer.get("error") in (None, "stale", "not-your-turn", "match-over")
        if rng.random() < 0.1:
            nodes.games[1].store.lost = not nodes.games[1].store.lost  # a node that hears nothing plays on, too
        if rng.random() < 0.05:
            await nodes.agree()
    await nodes.agree()
    assert nodes.games[1].table.stage == "over"
    (await nodes.games[1].hall.record(nodes.games[0].id, None)).replay()
    await nodes.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_match_at_two_nodes(seed: int, tmp_path: Path) -> None:
    both_play(tmp_path, seed)


@played
async def at_once(path: Path) -> None:
    nodes = await Nodes.open(path, 2)
    one, two = nodes.games
    await one.people[0](start=True)
    await nodes.quiet()
    await one.deal()
    await nodes.quiet()
    id = "from a client that was in doubt"
    mover, move, version = one.table.turn, one.legal()[0], one.table.version
    assert mover is not None
    answers = await asyncio.gather(*(game.people[mover](id=id, play=move, version=version) for game in nodes.games))
    assert [answer["version"] for answer in answers] == [version + 1, version + 1]
    await nodes.agree()
    assert one.table.version == version + 1
    two.store.lost = True  # a client that knows more than the node it comes to
    await one.move()
    again = await Client(two, one.people[0].holder).open(after=one.table.version)
    assert again.frames[0]["resumed"] == one.table.version == two.table.version
    await one.move()
    assert (await two.people[0](version=one.table.version, lock=True))["version"] == one.table.version + 1
    two.store.lost = False
    await nodes.agree()
    await nodes.close()


@played
async def a_node_dies(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = await Nodes.open(path, 2)
    one, two = nodes.games
    await two.people[0].close()  # Ann is at the first node only, Ben at the second only
    await one.people[1].close()
    await nodes.quiet()
    assert here(one.people[0]) == [0, 1]
    monkeypatch.setattr(hall_module, "HEARTBEAT", 1)
    one.clock.now += hall_module.PRESENT + 1  # the second node has not said for so long that it is there
    await one.hall.store.keep_present("one", one.hall.present_until())
    beating = asyncio.create_task(one.hall.beat())
    async with asyncio.timeout(20):
        while here(one.people[0]) != [0]:
            await asyncio.sleep(0.005)
    beating.cancel()
    await nodes.close()


def test_who_was_at_a_node_that_died_is_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a_node_dies(tmp_path, monkeypatch)


def test_the_same_command_at_both_nodes_and_a_node_that_lags_behind(tmp_path: Path) -> None:
    at_once(tmp_path)


@played
async def talk_and_presence(path: Path, of_the_first_node_first: bool) -> None:
    nodes = await Nodes.open(path, 2)
    one, two = nodes.games
    for game in nodes.games:
        assert here(game.people[0]) == [0, 1]
    first, last = (one, two) if of_the_first_node_first else (two, one)
    await first.people[1].close()
    await nodes.quiet()
    assert two.live.seats_present() == one.live.seats_present() == [0, 1]  # Ben has his other line
    await last.people[1].close()
    await nodes.quiet()
    assert here(two.people[0]) == here(one.people[0]) == [0]
    ben = await Client(two, "ben", "Ben").open()
    await nodes.quiet()
    assert here(one.people[0]) == [0, 1]
    for number in range(6):
        await asyncio.gather(ben(say=f"Ben's {number}"), one.people[0](say=f"Ann's {number}"))
    await nodes.quiet()
    heard = [[frame for frame in client.frames if "talk" in frame] for client in (ben, one.people[0])]
    assert heard[0] == heard[1]
    assert [talk["talk"] for talk in heard[0]] == list(range(1, 13))
    await nodes.close()


@pytest.mark.parametrize("of_the_first_node_first", [True, False])
def test_talk_and_presence_reach_the_other_node(of_the_first_node_first: bool, tmp_path: Path) -> None:
    talk_and_presence(tmp_path, of_the_first_node_first)


@played
async def bots_once(path: Path) -> None:
    nodes = await Nodes.open(path, 3, bots=["porter"], clock=30)
    one, two = nodes.games
    await one.people[0](start=True)
    await nodes.quiet()
    await one.deal()
    running = [asyncio.create_task(game.hall.run()) for game in nodes.games]
    while one.table.stage == "play":
        await asyncio.sleep(0.001)
        if one.table.turn in (0, 1) and not one.live.lock.locked():
            await one.people[one.table.turn](play=one.legal()[0])
    async with one.live.lock, two.live.lock:  # the last move is stored
        pass
    for task in [*running, *one.hall.tasks, *two.hall.tasks]:
        task.cancel()
    await asyncio.gather(*running, *one.hall.tasks, *two.hall.tasks, return_exceptions=True)
    moves = [step for step in await one.store.read(one.id) if b'"moved"' in step.data]
    assert len(moves) == len(one.table.match.round.moves)  # type: ignore[union-attr]
    await nodes.agree()
    await nodes.close()


def test_bots_of_two_nodes_move_once(tmp_path: Path) -> None:
    bots_once(tmp_path)
