"""Every byte that goes out: no tile that a seat has not seen, no secret before the round is over."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.test_hiding import replay, swapped, unseen_places
from server.tables import Client, Game, played, rules, smallest
from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import Tile
from stationmaster.errors import NotationError
from stationmaster.match.fair import Fair
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

Seats = tuple[int, ...]


def strings(value: Any) -> Iterator[str]:
    """Everything written in a frame, however deep; of the rulebook only that it is one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key != "rulebook":
                yield key
                yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def tiles(frame: Any) -> set[Tile]:
    """The tiles that a frame tells of."""
    found = set()
    for text in strings(frame):
        try:
            found.add(Tile.parse(text))
        except NotationError:
            try:
                tile = Move.parse(text).tile
            except NotationError:
                continue
            if tile is not None:
                found.add(tile)
    return found


def seen(round: Round, seats: Seats) -> set[Tile]:
    """The tiles that somebody at these seats may have seen up to now, by the engine's own account of each seat."""
    found: set[Tile] = set()
    for seat in seats or (None,):
        view = round.observe(seat)
        found.add(view.engine)
        found |= {move.tile for line in view.trains.values() for move in line if move.tile is not None}
        found |= {tile for hand in (*view.hands, *view.dealt) for tile in hand or ()}
        found |= {made.drawn for made in view.history if made.drawn is not None}
    return found


class Tap:
    """Looks at every frame as it is sent to a client."""

    def __init__(self, game: Game, client: Client) -> None:
        self.game, self.client = game, client
        self.found: set[Tile] = set()
        self.named: set[Tile] = set()  # by the client itself, and so in the answer
        self.wrong: list[AssertionError] = []
        client.raw = Tapped(self)  # type: ignore[assignment]

    def look(self, frame: bytes) -> None:
        table = self.game.live.table
        rounds = table.match.rounds if table.match is not None else ()
        told = json.loads(frame)
        assert not (table.stage == "deal" and f"for round {table.dealing}" in frame.decode()), frame
        if table.stage in ("deal", "play"):
            assert table.secret not in frame.decode(), frame
        if not rounds:
            assert not tiles(told), frame
            return
        may = seen(rounds[-1], self.client.line.seats if hasattr(self.client, "line") else ())
        if table.stage == "deal":
            may = {tile for round in rounds for tile in seen(round, ())}
        found = tiles(told) - (self.named if "error" in told else set())
        assert found <= may, (sorted(map(str, found - may)), frame)
        self.found |= found


class Tapped(list[bytes]):
    """What a client was sent."""

    def __init__(self, tap: Tap) -> None:
        super().__init__()
        self.tap = tap

    def append(self, frame: bytes) -> None:
        try:
            self.tap.look(frame)
        except AssertionError as error:  # a line that raises is closed
            self.tap.wrong.append(error)
        super().append(frame)


async def tapped(game: Game) -> tuple[list[Tap], Client]:
    """Listen to every line of a table, and to a watcher's."""
    taps = []
    for client in game.people:
        await client.close()
        taps.append(Tap(game, client))
        client.line = await game.hall.open_line(game.id, client.holder, language="en", send=client.raw.append)
    watcher = Client(game, None, "watcher")
    taps.append(Tap(game, watcher))
    await watcher.open()
    return taps, watcher


async def listen_to_a_match(id: str, people: int, bots: int, seed: int, **changes: Any) -> None:
    rng = random.Random(seed)
    game = await Game.lay(people, bots, rulebook=rules(id, **{"rounds": 2, **changes}))
    taps, watcher = await tapped(game)
    everybody = [*game.people, watcher]
    await game.start()
    while game.table.stage != "over":
        if game.table.stage == "between":
            await game.people[0](next=True)
            if game.table.stage == "deal":
                await game.deal()
        turn = game.table.turn
        assert turn is not None
        if game.table.seats[turn].bot is None and rng.random() < 0.2:
            mover = game.whose()
            await mover(play=rng.choice(["stop", "pass", "draw"]), seat=turn)  # refused, mostly
            if game.table.stage == "play":
                some = rng.choice(game.table.match.round.deal.bone_pile or (Tile.parse("0-1"),))  # type: ignore[union-attr]
                taps[everybody.index(mover)].named = {some}
                await mover(why=f"{some.high}-{some.low}@M" if not isinstance(some.low, str) else "pass")
        if game.table.stage == "play":
            await game.move(rng.choice)
        who = rng.choice(everybody)
        match rng.randrange(12):
            case 0:
                await who(ask="view")
            case 1:
                version = who.version
                await who.close()
                missed = rng.randrange(3)
                while game.table.stage == "play" and missed and game.table.turn not in who.line.seats:
                    await game.move(rng.choice)
                    missed -= 1
                who.line = await game.hall.open_line(
                    game.id, who.holder, after=version, language="es", send=who.raw.append
                )
            case 2:
                await rng.choice(game.people)(takeback=rng.choice(["ask", "agree"]), seat=rng.randrange(people))
            case 3:
                await who(ask=rng.choice(["hint", "line-up"]))
                await asyncio.gather(*game.hall.tasks)
    hidden = not game.table.book.open_hands
    assert all(tap.found and not tap.wrong for tap in taps), [tap.wrong[:1] for tap in taps]
    for tap in taps:
        for frame in tap.client.frames:
            assert hidden <= ("mine" not in frame or set(map(int, frame["mine"])) <= set(tap.client.line.seats))
    (await game.hall.record(game.id, None)).replay()


@pytest.mark.parametrize("id", rulebooks())
def test_no_frame_of_a_match_tells_a_tile_that_was_not_seen(id: str, caplog: pytest.LogCaptureFixture) -> None:
    most = min(4, max(rulebook(id).deal))
    for people, bots, changes in ((smallest(id), 0, {}), (most - 1, 1, {}), (smallest(id), 0, {"open_hands": True})):
        if people + bots in rulebook(id).deal:
            asyncio.run(listen_to_a_match(id, people, bots, seed=people + bots, **changes))
    assert "text of" not in caplog.text
    assert "secret" not in caplog.text


@played
async def test_the_tap_would_notice() -> None:
    game = await Game.lay(2)
    taps, _ = await tapped(game)
    await game.start()
    round = game.table.match.round  # type: ignore[union-attr]
    for leak in (str(round.bone_pile[0]), f"{round.hands[1][0].high}-{round.hands[1][0].low}@M"):
        with pytest.raises(AssertionError):
            taps[0].look(json.dumps({"events": [{"a": [leak]}]}).encode())
    taps[0].look(json.dumps({"hand": [str(tile) for tile in round.hands[0]]}).encode())
    with pytest.raises(AssertionError):
        taps[0].look(json.dumps({"x": game.table.secret}).encode())


# ---- Swapped -------------------------------------------------------------------------------------------


async def told_of(deal: Deal, book: str, moves: list[str], seat: int | None, monkeypatch: Any) -> list[Any]:
    """What one seat is told of a round with this deal and these moves; the rest of the table, too, is the same."""
    with monkeypatch.context() as patched:
        patched.setattr(Fair, "deal", lambda *_, **__: deal)
        patched.setattr("secrets.token_hex", lambda size: "5e" * size)
        patched.setattr("secrets.token_urlsafe", lambda size: "table")
        patched.setattr("secrets.choice", lambda signs: signs[0])
        game = await Game.lay(len(deal.hands), rulebook=book)
        listener = game.people[seat] if seat is not None else await game.watcher()
        await game.start()
        for move in moves:
            turn = game.table.turn
            answer = await game.people[turn](play=move)  # type: ignore[index]
            assert "events" in answer, answer
        await listener(ask="view")
        after = await Client(game, listener.holder).open(after=3)
        return [*listener.raw, *after.raw]


@pytest.mark.parametrize("id", rulebooks())
def test_unseen_tiles_swapped_give_the_same_bytes(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    book, rng = rulebook(id), random.Random(id)
    players = 3 if 3 in book.deal else smallest(id)
    compared = 0
    for number in range(20):
        deal = Deal.shuffle(book, players, 1, seed=number)
        round = Round(book, deal)
        for _ in range(rng.randrange(4, 30)):
            if round.turn is not None:
                round.push(rng.choice(round.legal_moves()))
        if round.turn is None:
            continue
        seat = rng.choice([None, *range(players)])
        places = unseen_places(round, seat)
        for _ in range(8):
            other = swapped(deal, places, rng)
            if other == deal or replay(round, other) is None:
                continue
            moves = [str(move) for _, move in round.moves]
            here, there = (asyncio.run(told_of(one, id, moves, seat, monkeypatch)) for one in (deal, other))
            assert here == there
            compared += 1
            break
        if compared == 4:
            return
    raise AssertionError(f"only {compared} deals could be compared")
