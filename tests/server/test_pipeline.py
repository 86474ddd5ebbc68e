"""Authenticate, turn, version, rules, store, tell: whatever fails on the way, nothing is told that is not stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from server.tables import AnyMove, Client, Game, Memory, everything, played
from server.test_table import agrees
from stationmaster.server import decide, live, protocol
from stationmaster.server.hall import Hall
from stationmaster.store.base import Conflict, Row, Step, StoreError


class Faulty(Memory):
    """A store that does something else just before or just after the next append."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[Step], Awaitable[None]] | None = None
        self.after: Callable[[Step], Awaitable[None]] | None = None
        self.down = False

    async def append(self, step: Step, row: Row | None = None) -> None:
        if self.down:
            raise StoreError("the disk is full")
        before, self.before = self.before, None
        after, self.after = self.after, None
        if before is not None:
            await before(step)
        await super().append(step, row)
        if after is not None:
            await after(step)

    async def read(self, table: str, after: int = 0) -> list[Step]:
        if self.down:
            raise StoreError("the disk is gone")
        return await super().read(table, after)


async def fail(step: Step) -> None:
    raise StoreError("the disk is full")


async def break_down(step: Step) -> None:
    raise ZeroDivisionError


async def started(people: int = 2, bots: int = 0) -> Game:
    return await (await Game.lay(people, bots, store=Faulty())).start()


async def nothing_is_told_that_is_not_stored(game: Game, watcher: Client) -> None:
    stored = {step.version for step in game.steps}
    for client in (*game.people, watcher):
        assert set(client.versions()) <= stored
        assert client.versions() == sorted(set(client.versions()))


async def settled(game: Game) -> None:
    """The table has found out by itself what is stored."""
    for _ in range(1000):
        if not game.live.unsure:
            return
        await asyncio.sleep(0)
    raise AssertionError("nobody has looked")


async def goes_on(game: Game, watcher: Client) -> None:
    """The table is as usable as before, and everybody knows as much."""
    await game.move()
    await agrees(game)
    await nothing_is_told_that_is_not_stored(game, watcher)
    for client in (*game.people, watcher):
        assert client.versions()[-1] == game.table.version
    await game.play()
    await agrees(game)
    (await game.hall.record(game.id, None)).replay()


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("fault", [fail, break_down])
@played
async def test_a_store_that_fails(when: str, fault: Any) -> None:
    """Before the step is stored, or when it is and nobody knows: the same command once more settles it."""
    game = await started()
    watcher = await game.watcher()
    await game.play(3)
    mover, move = game.whose(), game.legal()[0]
    told = {client: len(client.raw) for client in (*game.people, watcher)}
    stored, version = len(game.steps), game.live.version
    setattr(game.store, when, fault)
    answer = await mover(id="x", version=version, play=move)
    assert answer["error"] == ("store-unavailable" if fault is fail else "internal")
    for client in (*game.people, watcher):
        assert len(client.raw) - told[client] == (client is mover)  # the refusal alone
    assert len(game.steps) - stored == (when == "after")
    answer = await mover(id="x", version=version, play=move)
    assert len(game.steps) - stored == 1
    if when == "after":
        assert answer == {"ok": "x", "version": version + 1}
    else:
        assert answer["version"] == version + 1
    for client in (*game.people, watcher):
        assert client.versions()[-1] == version + 1
    await goes_on(game, watcher)


@pytest.mark.parametrize("when", ["before", "after"])
@played
async def test_nobody_has_to_ask_again(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asked is gone: the table finds out by itself what became of the step, and tells it."""
    monkeypatch.setattr(live, "SETTLE", 0)
    game = await started()
    watcher = await game.watcher()
    mover, stored = game.whose(), len(game.steps)
    never = asyncio.Event()

    async def hang(step: Step) -> None:
        await never.wait()

    setattr(game.store, when, hang)
    task = asyncio.create_task(mover(play=game.legal()[0]))
    await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await settled(game)
    assert len(game.steps) - stored == (when == "after")
    assert watcher.version == len(game.steps) == game.table.version
    await goes_on(game, watcher)


@played
async def test_the_store_stays_away_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SETTLE", 0)
    game = await started(2, 1)
    watcher = await game.watcher()
    while game.table.seats[game.table.turn].level is not None:  # type: ignore[index]
        await game.wait()
    faulty, mover, version = game.store, game.whose(), game.live.version
    faulty.down = True
    for _ in range(3):
        answer = await mover(id="y", version=version, play="pass" if "pass" in game.legal() else game.legal()[0])
        assert answer["error"] == "store-unavailable"
        for client in game.people:
            assert (await client(version=version, lock=True)).get("error") in ("store-unavailable", "not-host")
        for wanted in (game.hall.record(game.id, None), game.hall.join(game.id, "eva", "Eva"), game.live.act()):
            with pytest.raises(StoreError):
                await wanted
        with pytest.raises(StoreError):
            await Client(game, "ann").open()
    await nothing_is_told_that_is_not_stored(game, watcher)
    assert len(game.live.lines) == 3
    faulty.down = False
    await settled(game)
    await goes_on(game, watcher)


@played
async def test_a_round_that_may_have_ended_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    """The last move of a round shows the secret: not as long as nobody knows whether it is stored."""
    game = await started()
    ann = game.people[0]
    while True:
        copy = game.table.match.round.copy()  # type: ignore[union-attr]
        copy.push(game.legal()[0])
        if copy.turn is None:
            break
        await game.move()
    secret = game.table.secret
    game.store.before = fail
    await game.whose()(play=game.legal()[0])
    with pytest.raises(Exception, match="not over") as refused:
        await game.hall.record(game.id, "ann")
    assert getattr(refused.value, "code", "") == "round-not-over"
    await ann(ask="view")
    assert secret not in b"".join(ann.raw).decode()
    assert secret not in caplog.text
    await game.move()
    assert secret in ann.raw[-1].decode()


# ---- Somebody else was faster ----------------------------------------------------------------------------


def elsewhere(game: Game) -> Game:
    """The same table at another node, which hears nothing of this one."""
    other = Game(game.store, Hall(game.store, AnyMove(), node="elsewhere", clock=game.clock))
    other.id, other.said = game.id, 1000
    return other


@played
async def test_somebody_else_has_made_the_move_meanwhile() -> None:
    game = await started()
    watcher = await game.watcher()
    await game.play(2)
    other = elsewhere(game)
    mover, move, version = game.whose(), game.legal()[0], game.live.version
    twin = await Client(other, mover.holder, "twin").open()

    async def first(step: Step) -> None:
        await twin(id="elsewhere", version=version, play=move)

    game.store.before = first
    answer = await mover(id="here", version=version, play=move)
    assert answer.get("error") in ("stale", "not-your-turn")
    assert len(game.steps) == version + 1
    assert watcher.versions()[-1] == version + 1
    # The same command at both nodes, as of a client that has lost the first one: done once, answered twice.
    mover, move, version = game.whose(), game.legal()[0], game.live.version
    twin = await Client(other, mover.holder, "twin").open()
    game.store.before = first_with_id(twin, "same", version, move)
    assert await mover(id="same", version=version, play=move) == {"ok": "same", "version": version + 1}
    assert len(game.steps) == version + 1
    await goes_on(game, watcher)


def first_with_id(twin: Client, id: str, version: int, move: str) -> Callable[[Step], Awaitable[None]]:
    async def first(step: Step) -> None:
        assert (await twin(id=id, version=version, play=move))["version"] == version + 1

    return first


@played
async def test_what_does_not_clash_is_decided_anew_on_top() -> None:
    game = await started()
    watcher = await game.watcher()
    other = elsewhere(game)
    twin = await Client(other, "ann", "twin").open()

    async def first(step: Step) -> None:
        await twin(lock=True)

    game.store.before = first
    answer = await game.move()
    assert game.entries[-2].on is True
    assert answer["version"] == len(game.steps)
    await goes_on(game, watcher)


@played
async def test_who_is_always_slower_is_told_so() -> None:
    game = await started()
    watcher = await game.watcher()
    append = game.store.append

    async def conflict(step: Step, row: Row | None = None) -> None:
        raise Conflict("somebody was faster")

    game.store.append = conflict
    assert await game.whose().refused(play=game.legal()[0]) == "stale"
    game.store.append = append
    await watcher(ask="view")
    await goes_on(game, watcher)


# ---- Before and after the store ------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["read", "decide", "apply", "frame"])
@played
async def test_a_step_of_the_way_that_breaks(
    step: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = await started()
    watcher = await game.watcher()
    await game.play(2)
    stored, told = len(game.steps), len(watcher.raw)
    mover, move = game.whose(), game.legal()[0]

    def broken(*args: Any, **values: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(live, "SETTLE", 0)
    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        if step == "read":
            patched.setattr(protocol, "read", broken)
        elif step == "decide":
            patched.setattr(decide, "decide", broken)
        elif step == "apply":
            patched.setattr("stationmaster.server.table.Table.apply", broken)
        else:
            patched.setattr("stationmaster.server.told.Told.of", broken)
        answer = await mover(id="z", play=move)
    assert answer["error"] == "internal"
    assert len(watcher.raw) == told
    assert len(game.steps) == stored
    assert "ZeroDivisionError" in caplog.text
    await settled(game)
    answer = await mover(id="z", play=move)
    assert len(game.steps) == stored + 1
    assert answer["version"] == stored + 1
    assert watcher.versions()[-1] == stored + 1
    await goes_on(game, watcher)


@played
async def test_a_line_that_breaks_hurts_nobody_else() -> None:
    game = await started()
    watcher = await game.watcher()
    first = next(iter(game.live.lines))

    def broken(frame: bytes) -> None:
        raise ConnectionResetError

    first.send = broken
    version = game.table.version
    other = next(client for client in game.people if client.line is not first)
    while len(game.steps) < version + 6:
        seat = game.table.turn
        if other.line.seats[0] == seat:
            await other(play=game.legal()[0])
        else:
            await first.command(
                b'{"version":%d,"id":"%d","play":"%s"}'
                % (game.table.version, len(game.steps), game.legal()[0].encode())
            )
    assert not first.open
    assert first not in game.live.lines
    assert watcher.versions()[-6:] == other.versions()[-6:] == [step.version for step in game.steps[-6:]]
    game.people = [other, await Client(game, first.holder, "back").open()]
    await goes_on(game, watcher)


@played
async def test_bots_and_clocks_go_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "SETTLE", 0)
    game = await started(1, 1)
    watcher = await game.watcher()
    while game.table.turn == 0:
        await game.move()
    for when in ("before", "after"):
        while game.table.turn != 1:
            await game.move()
        setattr(game.store, when, fail)
        with pytest.raises(StoreError):
            await game.wait()
        await settled(game)
        await game.wait()
        await nothing_is_told_that_is_not_stored(game, watcher)
    assert everything(game.table) == everything(await game.rebuilt())
    await goes_on(game, watcher)


@played
async def test_commands_at_once_are_done_one_after_the_other() -> None:
    game = await started(4)
    watcher = await game.watcher()
    for _ in range(30):
        if game.table.stage != "play":
            break
        moves = game.legal()
        await asyncio.gather(*(client(play=move) for client in game.people for move in moves[:2]))
    assert [step.version for step in game.steps] == list(range(1, len(game.steps) + 1))
    assert len(game.table.match.round.moves) >= 30 or game.table.stage != "play"  # type: ignore[union-attr]
    await nothing_is_told_that_is_not_stored(game, watcher)
    await agrees(game)
