"""People at a table: who sits where, what the host may, who is away, and what the table does by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from server.tables import Client, Game, everything, played, rules
from stationmaster.errors import RulebookError
from stationmaster.server import entries as e
from stationmaster.server.codes import CODES
from stationmaster.server.refusal import Refusal
from stationmaster.server.shapes import NewTable
from stationmaster.server.table import DEAL_WAIT


async def agrees(game: Game) -> None:
    """The table in memory is the one that follows from what is stored, and everybody was told each step in order."""
    assert everything(game.table) == everything(await game.rebuilt())
    assert [step.version for step in game.steps] == list(range(1, game.table.version + 1))
    for client in game.people:
        versions = client.versions()
        if client.line.open:
            assert versions == list(range(game.table.version + 1 - len(versions), game.table.version + 1))


# ---- Seats ---------------------------------------------------------------------------------------------


@played
async def test_people_sit_down_and_leave_before_the_match() -> None:
    game = await Game.lay(2)
    ann, ben = game.people
    assert game.table.names == ["Ann", "Ben"]
    assert await game.hall.join(game.id, "ben", "whatever") == 1  # who sits here keeps the seat
    await ben(leave=True)
    assert ann.events("left") == [{"event": "left", "seat": 1, "name": "Ben"}]
    assert not game.table.seats[1].taken
    assert ann.view["you"] == [0]
    assert ben.view["you"] == []
    assert await ben.refused(leave=True) == "not-seated"
    await ben(sit={"name": "  Benny \u202e "})
    assert game.table.names == ["Ann", "Benny"]
    assert ben.view["you"] == [1]
    await agrees(game)


@played
async def test_a_table_that_is_full_or_locked_takes_nobody() -> None:
    game = await Game.lay(2)
    ann, _ = game.people
    with pytest.raises(Refusal, match="taken") as refused:
        await game.hall.join(game.id, "cleo", "Cleo")
    assert refused.value.code == "table-full"
    for seat, code in ((0, "seat-taken"), (5, "no-such-seat")):
        with pytest.raises(Refusal) as refused:
            await game.hall.join(game.id, "cleo", "Cleo", seat)
        assert refused.value.code == code
    await game.people[1](leave=True)
    await ann(lock=True)
    with pytest.raises(Refusal) as refused:
        await game.hall.join(game.id, "cleo", "Cleo")
    assert refused.value.code == "table-locked"
    assert await ann(lock=True) == ann.done()
    await ann(sit={"name": "Ann's left hand"})  # the host may, in a locked table too
    assert game.table.seats_of("ann") == (0, 1)
    await ann(leave=True, seat=1)
    await ann(lock=False)
    assert await game.hall.join(game.id, "cleo", "Cleo") == 1
    assert [event["event"] for event in ann.events("locked") + ann.events("unlocked")] == ["locked", "unlocked"]
    await agrees(game)


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u0301"])
@played
async def test_names_are_names(name: str) -> None:
    game = await Game.lay(2)
    _, ben = game.people
    assert await ben.refused(name=name) == "bad-name"
    assert await ben.refused(name="aNN") == "name-taken"
    await ben(name="x" * 99)
    assert game.table.names[1] == "x" * 24
    await ben(name="Ben\n II")
    assert ben.events("renamed")[-1] == {"event": "renamed", "seat": 1, "old": "x" * 24, "name": "Ben II"}
    await agrees(game)


@played
async def test_in_a_match_a_bot_plays_on_for_who_leaves_and_somebody_may_take_its_seat() -> None:
    game = await (await Game.lay(3)).start()
    ann, ben, cleo = game.people
    await game.play(4)
    hand = [str(tile) for tile in game.table.match.round.observe(1).hand]  # type: ignore[union-attr]
    await ben(leave=True)
    assert game.table.seats[1].level == "conductor"
    assert game.table.names[1] == "Ben"
    assert "mine" not in ben.frames[-1]
    assert ben.view["mine"] == {}
    assert await game.hall.join(game.id, "dan", "Dan") == 1
    dan = await Client(game, "dan", "Dan").open()
    assert dan.view["mine"]["1"]["hand"] == hand
    assert game.table.match.names == ("Ann", "Dan", "Cleo")  # type: ignore[union-attr]
    game.people = [ann, dan, cleo]
    await game.play()
    assert game.table.stage == "between"
    assert await ben.refused(next=True) == "not-seated"
    await agrees(game)


@played
async def test_who_sits_down_in_a_match_sees_the_hand_at_once() -> None:
    game = await (await Game.lay(1, 2)).start()
    ben = await Client(game, "ben", "Ben").open()
    assert ben.view["mine"] == {}
    answer = await ben(sit={"name": "Ben", "seat": 2})
    assert answer["events"] == [{"event": "sat", "seat": 2, "name": "Ben"}]
    assert answer["welcome"]["you"] == [2]
    assert len(answer["welcome"]["mine"]["2"]["hand"]) == game.table.match.round.observe(None).hand_sizes[2]  # type: ignore[union-attr]
    await agrees(game)


@played
async def test_the_host_passes_on() -> None:
    game = await Game.lay(3)
    ann, ben, cleo = game.people
    assert await ben.refused(host=1) == "not-host"
    await ann(host=2)
    assert ann.events("hosted") == [{"event": "hosted", "seat": 2, "name": "Cleo"}]
    assert await ann.refused(lock=True) == "not-host"
    await cleo(leave=True)  # the next in turn takes over
    assert game.table.host == "ann"
    assert await ann.refused(host=2) == "no-such-seat"
    assert await ann.refused(host=7) == "no-such-seat"
    await ann(leave=True)
    assert game.table.host == "ben"
    await ben(leave=True)
    assert game.table.host is None
    assert await ben.refused(start=True) == "not-host"
    await game.hall.join(game.id, "dan", "Dan")
    assert game.table.host == "dan"
    await agrees(game)


@played
async def test_whom_the_host_takes_from_the_table_stays_away() -> None:
    game = await Game.lay(3)
    ann, ben, _ = game.people
    assert await ben.refused(remove=2) == "not-host"
    assert await ann.refused(remove=9) == "no-such-seat"
    await ann(remove=1)
    assert ben.events("removed") == [{"event": "removed", "seat": 1, "name": "Ben"}]
    assert await ann.refused(remove=1) == "no-such-seat"
    assert await ben.refused(sit={"name": "Ben"}) == "removed"
    with pytest.raises(Refusal) as refused:
        await game.hall.join(game.id, "ben", "Somebody else")
    assert refused.value.code == "removed"
    await ann(bot={"seat": 1, "level": "porter"})
    await ann(remove=1)  # bots go away before the match
    assert not game.table.seats[1].taken
    await ann(bot={"seat": 1, "level": "porter"})
    await game.start()
    assert await ann.refused(remove=1) == "already-started"
    await ann(remove=2)
    assert game.table.seats[2].level == "conductor"
    await agrees(game)


@played
async def test_bots_sit_where_nobody_does() -> None:
    game = await Game.lay(2, 1)
    ann, ben = game.people
    assert game.table.seats[2].level == "porter"
    assert await ben.refused(bot={"seat": 2, "level": "passenger"}) == "not-host"
    assert await ann.refused(bot={"seat": 2, "level": "deep-thought"}) == "bad-level"
    assert await ann.refused(bot={"seat": 1, "level": "porter"}) == "seat-taken"
    assert await ann.refused(bot={"seat": 4, "level": "porter"}) == "no-such-seat"
    await ann(bot={"seat": 2, "level": "dispatcher"})
    assert ann.events("bot-sat")[-1]["level"] == "dispatcher"
    await ann(bot={"seat": 2, "level": None})
    assert await ann(bot={"seat": 2, "level": None}) == ann.done()
    assert await ann.refused(start=True) == "seats-free"
    await ann(bot={"seat": 2, "level": "porter"})
    await game.hall.join(game.id, "cleo", "Cleo", 2)  # a person goes before a bot
    await ann(remove=2)
    await ann(bot={"seat": 2, "level": "porter"})
    await game.start()
    assert await ann.refused(bot={"seat": 2, "level": None}) == "already-started"
    await ann(bot={"seat": 2, "level": "passenger"})  # another level in the middle of a match
    assert game.table.seats[2].level == "passenger"
    await agrees(game)


@played
async def test_one_person_plays_several_seats() -> None:
    game = await Game.lay(1, 2)
    (ann,) = game.people
    await ann(sit={"name": "Ann's right", "seat": 1})
    await ann(sit={"name": "Ann's left", "seat": 2})
    assert ann.line.seats == (0, 1, 2)
    assert await ann.refused(name="Annie") == "needs-seat"
    assert await ann.refused(name="Annie", seat=9) == "not-your-seat"
    await game.start()
    assert {seat for frame in ann.frames for seat in frame.get("mine", {})} == {"0", "1", "2"}
    turn = game.table.turn
    await ann(play=game.legal()[0])  # of a move it is clear for whom it is
    assert game.entries[-1] == e.Moved(game.table.match.round.moves[0][1]._text)  # type: ignore[union-attr]
    others = [seat for seat in (0, 1, 2) if seat != game.table.turn]
    assert await ann.refused(play=game.legal()[0], seat=others[0]) == "not-your-turn"
    answer = await ann(takeback="ask", seat=turn)  # agrees with herself
    assert [event["event"] for event in answer["events"]] == ["takeback-asked", "taken-back"]
    await game.play()
    await agrees(game)


@played
async def test_mute_hushes_a_person_on_every_seat() -> None:
    game = await Game.lay(2)
    ann, ben = game.people
    assert await ben.refused(mute={"seat": 0, "on": True}) == "not-host"
    assert await ann.refused(mute={"seat": 3, "on": True}) == "no-such-seat"
    await ann(mute={"seat": 1, "on": True})
    assert await ann(mute={"seat": 1, "on": True}) == ann.done()
    assert await ben.refused(say="hello") == "muted"
    assert await ben.refused(react="clap") == "muted"
    await ben(leave=True)
    await ben(sit={"name": "Ben"})
    assert await ben.refused(say="hello") == "muted"
    await ann(mute={"seat": 1, "on": False})
    await ben(say=" hello\n there ")
    assert ann.frames[-1] == {"talk": 1, "at": game.clock.now, "seat": 1, "name": "Ben", "say": "hello there"}
    assert await ben(id=ben.id, say="hello there") == ben.done()  # once is enough
    await ann(react="train")
    assert ann.frames[-2]["talk"] == 2
    assert ben.frames[-1]["react"] == "train"
    assert await ben.refused(say="\u200b") == "bad-frame"
    assert (await Client(game, "ben").open()).view["talk"][0]["say"] == "hello there"
    await agrees(game)


# ---- By itself -----------------------------------------------------------------------------------------


@played
async def test_a_clock_that_runs_out_lets_a_bot_move_and_after_two_hold_the_seat() -> None:
    game = await (await Game.lay(2, clock=30)).start()
    missing = game.whose()
    seat = game.table.turn
    other = next(client for client in game.people if client is not missing)
    assert missing.frames[-1]["until"] == game.clock.now + 30_000
    misses = 0
    while not game.table.seats[seat].held:  # type: ignore[index]
        if game.table.turn != seat:
            await other(play=game.legal()[0])
            continue
        await game.wait(29_999)
        assert game.table.turn == seat
        moves = len(game.table.match.round.moves)  # type: ignore[union-attr]
        await game.wait(1)
        misses += len(game.table.match.round.moves) - moves  # type: ignore[union-attr]
    assert misses == 2
    assert len(other.events("clock-ran-out")) == 2
    assert other.events("held") == [{"event": "held", "seat": seat, "name": missing.name, "level": "conductor"}]
    while game.table.turn != seat:
        await other(play=game.legal()[0])
    before = len(game.steps)
    await game.wait()  # the bot plays at its own pace now
    assert len(game.steps) == before + 1
    assert game.entries[-1].by == "bot"
    await missing.close()
    again = await Client(game, missing.holder, missing.name).open()  # the owner is back
    assert not game.table.seats[seat].held  # type: ignore[index]
    assert again.events("returned") == [{"event": "returned", "seat": seat, "name": missing.name}]
    await agrees(game)


@played
async def test_a_move_in_time_forgets_the_one_that_was_missed() -> None:
    game = await (await Game.lay(2, clock=30)).start()
    for _ in range(8):
        seat = game.table.turn
        await game.wait(30_000)
        assert not game.table.seats[seat].held  # type: ignore[index]
        while game.table.turn != seat:
            await game.move()
        if game.table.turn == seat:
            await game.move()
    assert not [entry for entry in game.entries if isinstance(entry, e.Held)]
    await agrees(game)


@played
async def test_the_host_lets_a_bot_play_for_who_is_away() -> None:
    game = await Game.lay(2)
    ann, ben = game.people
    assert await ann.refused(hold={"seat": 1, "level": "porter"}) == "not-started"
    await game.start()
    assert await ben.refused(hold={"seat": 1, "level": "porter"}) == "not-host"
    assert await ann.refused(hold={"seat": 5, "level": "porter"}) == "no-such-seat"
    assert await ann.refused(hold={"seat": 1, "level": "nobody"}) == "bad-level"
    await ann(hold={"seat": 1, "level": "porter"})
    await ann(hold={"seat": 1, "level": None})
    assert game.table.seats[1].held is None
    await ann(hold={"seat": 1, "level": "porter"})
    await ben(back=True)
    assert game.table.seats[1].held is None
    assert await ben(back=True) == ben.done()
    await ann(hold={"seat": 1, "level": "porter"})
    while game.table.turn != 1:
        await game.move()
    answer = await ben(play=game.legal()[0])  # whoever plays is back
    assert answer["events"][0]["event"] == "returned"
    await agrees(game)


@played
async def test_a_bot_that_was_thinking_when_the_owner_came_back_is_not_heard() -> None:
    game = await (await Game.lay(2)).start()
    ann, ben = game.people
    await ann(hold={"seat": 1, "level": "porter"})
    while game.table.turn != 1:
        await ann(play=game.legal()[0])
    thinker = game.hall.thinkers.move

    async def slow(observation: Any, level: str, *, seed: int) -> Any:
        await ben(back=True)
        return await thinker(observation, level, seed=seed)

    game.hall.thinkers.move = slow  # type: ignore[method-assign]
    moves = len(game.table.match.round.moves)  # type: ignore[union-attr]
    await game.live.act()
    assert len(game.table.match.round.moves) == moves  # type: ignore[union-attr]
    await agrees(game)


@played
async def test_what_else_happens_does_not_hold_up_a_bot() -> None:
    game = await (await Game.lay(1, 1, pace=1.0)).start()
    (ann,) = game.people
    while game.table.turn == 0:
        await game.move()
    due = game.table.due()
    for on in (True, False, True):
        await ann(lock=on)
        assert game.table.due() == due
    assert due is not None
    assert game.clock.now + 400 <= due <= game.clock.now + 2100
    await game.wait(2100)
    assert game.entries[-1].by == "bot"


@played
async def test_pause_stops_clocks_and_bots() -> None:
    game = await Game.lay(1, 1, clock=30)
    (ann,) = game.people
    assert await ann.refused(pause=True) == "not-started"
    await game.start()
    assert await ann.refused(pause=False) == "not-paused"
    await ann(pause=True)
    assert await ann.refused(pause=True) == "paused"
    assert game.table.due() is None
    steps = len(game.steps)
    await game.wait(86_400_000)
    assert len(game.steps) == steps
    assert "paused" in ann.frames[-1] or ann.frames[-2]["paused"] == 0
    if game.table.turn == 0:
        assert await ann.refused(play=game.legal()[0]) == "paused"
    assert await ann.refused(takeback="ask") == "paused"
    await ann(pause=False)
    while game.table.turn != 0:
        await game.wait()
    assert game.table.due() == game.clock.now + 30_000
    await game.play()
    await ann(pause=True)
    assert await ann.refused(next=True) == "paused"
    await ann(pause=False)
    await agrees(game)


@played
async def test_a_deal_does_not_wait_longer_than_three_seconds() -> None:
    game = await Game.lay(2)
    ann, ben = game.people
    await ann(start=True)
    await game.wait(DEAL_WAIT - 1)
    assert game.table.stage == "deal"
    await game.wait(1)
    assert game.table.stage == "play"
    assert ann.events("dealt")[0]["texts"] == ["", ""]
    await game.play()
    await ben(next=True)
    await ann(next=True)
    await game.wait(DEAL_WAIT)
    await game.play()
    assert game.table.stage == "over"
    (await game.hall.record(game.id, None)).replay()
    await agrees(game)


@played
async def test_the_record_of_a_table_that_nobody_may_watch_is_for_those_who_played() -> None:
    game = await Game.lay(3, rulebook=rules("tactic", rounds=1), watchers=False)
    await game.start()
    ann, ben, _cleo = game.people
    await ann(remove=2)
    game.people = [ann, ben]
    await game.play()
    for holder in (None, "eva", "cleo"):
        with pytest.raises(Refusal) as refused:
            await game.hall.record(game.id, holder)
        assert refused.value.code == "no-watchers"
    (await game.hall.record(game.id, "ben")).replay()


# ---- Which tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"seats": 13}, "too-many-seats"),
        ({"seats": 1}, "too-few-players"),
        ({"seats": 3, "bots": ["porter"] * 3}, "table-full"),
        ({"seats": 3, "bots": ["nobody"]}, "bad-level"),
        ({"clock": 4}, "bad-clock"),
        ({"clock": 86_401}, "bad-clock"),
        ({"name": "\u200b"}, "bad-name"),
    ],
)
@played
async def test_a_table_that_cannot_be_is_not_laid(wanted: dict[str, Any], code: str) -> None:
    game = Game()
    with pytest.raises(Refusal) as refused:
        await game.hall.create(NewTable(**{"name": "Ann", "rulebook": "tactic", **wanted}), "ann")
    assert refused.value.code == code
    assert not game.store.steps
    with pytest.raises(RulebookError):
        await game.hall.create(NewTable(name="Ann", rulebook=rules("tactic", rounds=99)), "ann")
    with pytest.raises(Refusal) as refused:
        await game.hall.join("NOBODY", "ann", "Ann")
    assert refused.value.code == "no-such-table"


@played
async def test_who_looks_on_sees_what_lies_open() -> None:
    game = await Game.lay(2)
    watcher = await game.watcher()
    await game.start()
    await game.play(3)
    assert not [frame for frame in watcher.frames if "mine" in frame]
    assert watcher.versions() == list(range(watcher.frames[0]["version"] + 1, game.table.version + 1))
    for command in ({"play": "pass"}, {"say": "hello"}, {"sit": {"name": "Eva"}}, {"start": True}):
        assert await watcher.refused(**command) == "not-seated"
    assert (await watcher(ask="view")).get("welcome") is None  # a view is no answer to an id
    assert "welcome" in watcher.frames[-2]
    assert await watcher.refused(ask="hint") == "not-seated"
    private = await Game.lay(2, watchers=False)
    with pytest.raises(Refusal) as refused:
        await private.watcher()
    assert refused.value.code == "no-watchers"
    ann, ben = private.people
    await ben(leave=True)
    assert ben.events("left")
    await ann(lock=True)
    await ann(say="he is gone")
    assert not ben.events("locked")
    assert "talk" not in ben.frames[-1]
    assert await ben.refused(ask="view") == "no-watchers"


@played
async def test_the_admin_closes_a_table() -> None:
    game = await (await Game.lay(2)).start()
    ann, _ = game.people
    await game.hall.close_table(game.id)
    await game.hall.close_table(game.id)
    assert len(ann.events("closed")) == 1
    assert await ann.refused(play=game.legal()[0]) == "match-over"
    with pytest.raises(Refusal) as refused:
        await game.hall.join(game.id, "eva", "Eva")
    assert refused.value.code == "match-over"
    assert game.store.stored_rows[game.id].over
    assert game.table.due() is None
    await agrees(game)


def test_every_code_that_a_table_can_say_is_said_in_these_tests() -> None:
    texts = "".join((Path(__file__).parent / name).read_text("utf-8") for name in TESTED)
    assert {code for code in CODES if f'"{code}"' not in texts} == set()


TESTED = ("test_table.py", "test_decide.py", "test_pipeline.py")
