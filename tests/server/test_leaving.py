"""What of a table may leave in an export while it is played."""

from __future__ import annotations

from server.tables import Game, played
from stationmaster.server import entries as e
from stationmaster.server.leaving import as_it_may_leave, made_of
from stationmaster.store.base import Kept


async def kept(game: Game) -> Kept:
    return Kept(list(game.steps), await game.store.row(game.id), [])


def promised(steps: list) -> list[int]:
    return [entry.round for step in steps for entry in e.decode(step.data).entries if isinstance(entry, e.Promised)]


@played
async def test_a_round_that_runs_stays_here_whole() -> None:
    game = await Game.lay(2, 1)
    await game.start()
    await game.play(8)
    left = as_it_may_leave(await kept(game))
    assert promised(left.steps) == []
    assert game.table.secret.encode() not in b"".join(step.data for step in left.steps)
    assert (made_of(left.steps).stage, left.row.version) == ("seats", len(left.steps))  # type: ignore[union-attr]

    await game.play()
    for client in game.people:
        await client(next=True)
    assert game.table.stage == "deal"
    left = as_it_may_leave(await kept(game))
    assert promised(left.steps) == [1]
    table = made_of(left.steps)
    assert table.stage == "between"
    assert table.match is not None
    assert table.match.totals == game.table.match.totals  # type: ignore[union-attr]
    assert left.row.due is None  # type: ignore[union-attr]


@played
async def test_a_match_that_is_over_leaves_as_it_is() -> None:
    game = await Game.lay(2)
    await game.start()
    await game.play()
    assert as_it_may_leave(await kept(game)) == await kept(game)
    for client in game.people:
        await client(next=True)
    await game.deal()
    await game.play()
    assert game.table.stage == "over"
    assert as_it_may_leave(await kept(game)) == await kept(game)
