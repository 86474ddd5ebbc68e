"""What is asked for in a match: the fair deal, moves, taking them back, the next round, the match after."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from server.tables import Client, Game, everything, played, rules
from server.test_table import agrees
from stationmaster.match.fair import commitment
from stationmaster.server import entries as e
from stationmaster.server.hall import Hall
from stationmaster.server.protocol import LARGEST_FRAME
from stationmaster.server.refusal import Refusal
from stationmaster.server.shapes import NewTable
from stationmaster.words import LANGUAGES


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def kinds(frame: dict[str, Any]) -> list[str]:
    return [event["event"] for event in frame["events"]]


# ---- Frames --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("", "bad-frame"),
        ("[]", "bad-frame"),
        ("{", "bad-frame"),
        (b"\xff\xfe", "bad-frame"),
        ("[" * 3000, "bad-frame"),
        ('{"version":1,"play":"pass"}', "bad-id"),
        ('{"version":1,"id":null,"play":"pass"}', "bad-id"),
        (json.dumps({"version": 1, "id": "x" * 65, "play": "pass"}), "bad-id"),
        ('{"version":-1,"id":"a","play":"pass"}', "bad-frame"),
        ('{"version":"1","id":"a","play":"pass"}', "bad-frame"),
        ('{"version":1,"id":"","play":"pass"}', "bad-id"),
        ('{"version":1,"id":"a","play":"pass","cheat":true}', "bad-frame"),
        ('{"version":1,"id":"a","play":17}', "bad-frame"),
        ('{"version":1,"id":"a","start":false}', "bad-frame"),
        ('{"version":1,"id":"a","promise":"ABC"}', "bad-frame"),
        ('{"version":1,"id":"a","react":"boo"}', "bad-frame"),
        ('{"version":1,"id":"a","seat":-1,"play":"pass"}', "bad-frame"),
        ('{"version":1,"id":"a"}', "unknown-verb"),
        ('{"version":1,"id":"a","play":"pass","start":true}', "unknown-verb"),
        ('{"version":99,"id":"a","start":true}', "bad-version"),
        (json.dumps({"version": 1, "id": "a", "say": "x" * LARGEST_FRAME}), "too-large"),
        (json.dumps({"version": 1, "id": "a", "say": "\u00e4" * 2100}, ensure_ascii=False), "too-large"),
        ('{"version":1,"id":"a","say":""}', "bad-frame"),
    ],
)
@played
async def test_a_frame_that_is_no_command_is_refused(frame: str | bytes, code: str) -> None:
    game = await Game.lay(2)
    ann, ben = game.people
    told, steps = len(ben.raw), len(game.steps)
    await ann.line.command(frame)
    answer = ann.frames[-1]
    assert answer["error"] == code
    assert answer["version"] == game.table.version
    assert (answer.get("id") == "a") == (b'"id":"a"' in (frame if isinstance(frame, bytes) else frame.encode()))
    assert len(ben.raw) == told
    assert len(game.steps) == steps


@pytest.mark.parametrize("language", LANGUAGES)
@played
async def test_a_refusal_is_told_in_the_language_of_the_line(language: str) -> None:
    game = await (await Game.lay(2)).start()
    turn = game.table.turn
    waiting = next(client for client in game.people if client is not game.whose())
    other = await Client(game, waiting.holder).open(language=language)
    await other(play="pass")
    name = game.table.seats[turn].name  # type: ignore[index]
    assert other.frames[-1]["sentence"].startswith(
        {"en": f"It is {name}'s turn.", "es": f"Es el turno de {name}."}[language]
    )


# ---- Ids -----------------------------------------------------------------------------------------------


@played
async def test_an_id_is_answered_again_and_not_done_again() -> None:
    game = await (await Game.lay(2)).start()
    mover = game.whose()
    first = await mover(id="x", play=game.legal()[0])
    assert first["id"] == "x"
    for _ in range(2):
        assert await mover(id="x", version=0, play="whatever it says") == {"ok": "x", "version": first["version"]}
    other = next(client for client in game.people if client is not mover)
    assert (await other(id="x", takeback="refuse"))["error"] == "takeback-not-asked"  # ids are each person's own
    again = await Client(game, mover.holder).open()
    assert await again(id="x", play="pass") == {"ok": "x", "version": first["version"]}
    await agrees(game)


# ---- The deal ------------------------------------------------------------------------------------------


@played
async def test_a_fair_deal_is_made_of_a_secret_and_of_everybodys_text() -> None:
    game = await Game.lay(2, 1)
    ann, ben = game.people
    assert await ann.refused(promise=hash_of("a")) == "not-asked"
    assert await ben.refused(start=True) == "not-host"
    assert await ann.refused(next=True) == "not-started"
    assert await ann.refused(play="pass") == "not-started"
    promised = await ann(start=True)
    assert kinds(promised) == ["started", "promised"]
    assert promised["stage"] == "deal"
    assert await ann.refused(start=True) == "already-started"
    assert await ann.refused(play="pass") == "stale"
    assert await ann.refused(text="a") == "not-asked"
    await ann(promise=hash_of("a"))
    assert await ann.refused(promise=hash_of("b")) == "already-given"
    assert await ann.refused(text="a") == "not-asked"  # not before all have chosen
    assert await ben.refused(version=1, promise=hash_of("b")) == "stale"
    assert kinds(await ben(promise=hash_of("b"))) == ["hashed", "asked"]
    assert await ben.refused(text="something else") == "bad-text"
    assert kinds(await ben(text="b")) == ["texted"]
    assert await ben.refused(text="b") == "already-given"
    assert await ben.refused(promise=hash_of("b")) == "not-asked"
    view = json.loads((await Client(game, "ben").open()).raw[0])["welcome"]["deal"]
    assert view["hashed"] == {"0": hash_of("a"), "1": hash_of("b")}
    assert (view["asked"], view["texted"]) == (True, [1])
    dealt = await ann(text="a")
    assert kinds(dealt) == ["texted", "dealt"]
    assert dealt["events"][1]["texts"] == ["a", "b", ""]
    assert len(dealt["mine"]["0"]["hand"]) == dealt["events"][1]["hand_sizes"][0]
    assert list(dealt["mine"]) == ["0"]
    await agrees(game)
    await game.play()
    shown = ann.events("shown")[0]
    assert commitment(bytes.fromhex(shown["secret"])) == promised["events"][1]["commitment"] == shown["commitment"]
    record = await game.hall.record(game.id, None)
    fair = record.rounds[0].fair
    assert fair is not None
    assert (fair.texts, fair.hashes) == (("a", "b", ""), (hash_of("a"), hash_of("b"), None))
    record.replay()


@played
async def test_who_shows_no_text_in_time_adds_none() -> None:
    game = await Game.lay(3)
    ann, ben, cleo = game.people
    await ann(start=True)
    await ann(promise=hash_of("a"))
    await ben(promise=hash_of("b"))
    await game.wait(3000)  # Cleo has chosen none
    assert game.table.asked
    assert await cleo.refused(promise=hash_of("c")) == "not-asked"
    assert await cleo.refused(text="c") == "not-asked"
    await ben(text="b")
    await game.wait(3000)  # and Ann does not show hers
    assert await ann.refused(text="a") == "not-asked"  # too late
    assert ann.events("dealt")[0]["texts"] == ["", "b", ""]
    await game.play()
    fair = (await game.hall.record(game.id, None)).rounds[0].fair
    assert fair is not None
    assert fair.hashes == (hash_of("a"), hash_of("b"), None)
    await agrees(game)


@played
async def test_a_deal_does_not_wait_for_who_leaves() -> None:
    game = await Game.lay(3)
    ann, ben, cleo = game.people
    await ann(start=True)
    await ann(promise=hash_of("a"))
    await cleo(promise=hash_of("c"))
    assert kinds(await ben(leave=True)) == ["left", "asked"]
    await ann(text="a")
    assert "dealt" in kinds(await cleo(leave=True))
    await agrees(game)


# ---- Moves ---------------------------------------------------------------------------------------------


@played
async def test_each_seat_is_told_its_hand_its_tiles_and_its_moves() -> None:
    game = await (await Game.lay(3)).start()
    hands: list[list[str]] = []
    for seat, client in enumerate(game.people):
        dealt = next(frame for frame in client.frames if "events" in frame and "dealt" in kinds(frame))
        assert list(dealt["mine"]) == [str(seat)]
        hands.append(dealt["mine"][str(seat)]["hand"])
    assert [sorted(map(str, hand)) for hand in game.table.match.round.deal.hands] == [sorted(hand) for hand in hands]  # type: ignore[union-attr]
    while game.table.stage == "play":
        turn = game.table.turn
        assert turn is not None
        mover = game.whose()
        assert mover.frames[-1]["mine"][str(turn)]["legal"] == game.legal()
        before = len(game.table.match.round.observe(turn).hand)  # type: ignore[union-attr]
        answer = await game.move()
        if answer["events"][0]["event"] == "drew":
            drawn = answer["mine"][str(turn)]["drew"]
            assert answer["events"][0]["tile"] is None
            assert drawn in [str(tile) for tile in game.table.match.round.observe(turn).hand]  # type: ignore[union-attr]
            assert len(game.table.match.round.observe(turn).hand) == before + 1  # type: ignore[union-attr]
    assert game.people[0].events("drew")


@played
async def test_the_record_of_a_match_that_goes_on_says_nothing_of_the_round_that_is_played() -> None:
    game = await (await Game.lay(2)).start()
    with pytest.raises(Refusal) as refused:
        await game.hall.record(game.id, "ann")
    assert refused.value.code == "round-not-over"
    await game.play()
    await game.people[0](next=True)
    await game.deal()
    await game.play(5)
    record = await game.hall.record(game.id, "ann")
    assert len(record.rounds) == 1
    assert game.table.secret not in record.dumps()
    assert game.table.commitment not in record.dumps()
    record.replay()


@played
async def test_a_move_is_checked_for_turn_version_and_rules() -> None:
    game = await (await Game.lay(2)).start()
    mover = game.whose()
    other = next(client for client in game.people if client is not mover)
    old = game.table.decision - 1
    assert await other.refused(play=game.legal()[0]) == "not-your-turn"
    assert await mover.refused(play=game.legal()[0], version=old) == "stale"
    assert await mover.refused(play=game.legal()[0], seat=other.line.seats[0]) == "not-your-seat"
    assert await mover.refused(play="castle") == "bad-frame"
    unheld = next(tile for tile in game.table.match.round.bone_pile if not tile.is_double)  # type: ignore[union-attr]
    answer = await mover(play=f"{unheld.high}-{unheld.low}@{game.table.turn}")
    assert answer["error"] == "illegal"
    assert answer["reason"]["code"] == "not-held"
    assert answer["reason"]["clause_text"]
    assert await mover.refused(play="stop") == "illegal"
    version = game.table.version
    await mover(say="hm")
    await other(say="well?")
    assert game.table.version == version  # talk makes no move stale
    await game.people[0](lock=True)
    answer = await mover(play=game.legal()[0], version=version)  # nor does what else happens
    assert answer["events"][0]["event"] in ("placed", "drew", "passed")
    await agrees(game)


@played
async def test_questions_change_nothing() -> None:
    game = await Game.lay(2)
    ann, _ = game.people
    assert await ann.refused(ask="hint") == "not-started"
    await game.start()
    mover = game.whose()
    other = next(client for client in game.people if client is not mover)
    steps = len(game.steps)
    legal = game.legal()
    assert (await mover(why=legal[0]))["legal"] is True
    assert await mover.refused(why="castle") == "bad-frame"
    assert (await mover(why="stop"))["reason"]["code"]
    assert await other.refused(why=legal[0]) == "not-your-turn"
    assert await other.refused(ask="hint") == "not-your-turn"
    for client, question, found in ((mover, "hint", {"move": legal[0]}), (other, "line-up", None)):
        await client(ask=question)
        while game.hall.tasks:
            await next(iter(game.hall.tasks))
        seat = client.line.seats[0]
        hand = [str(tile) for tile in game.table.match.round.observe(seat).hand]  # type: ignore[union-attr]
        assert client.frames[-1][question] == (found or hand)
        assert client.frames[-1]["answer"] == client.id
    await ann(hints=False)
    await ann(hints=False)
    assert await mover.refused(ask="hint") == "hints-off"
    assert await mover.refused(ask="line-up") == "hints-off"
    await ann(hints=True)
    assert len(game.steps) == steps + 2
    await agrees(game)


# ---- Taking back ---------------------------------------------------------------------------------------


async def after_moves_without_a_draw(people: int, bots: int, moves: int) -> Game:
    """A table at which the last moves were all placements."""
    for _ in range(20):
        game = await (await Game.lay(people, bots)).start()
        made = game.table.match.round.moves  # type: ignore[union-attr]
        while game.table.stage == "play" and len(made) < moves:
            await game.move()
        if not any(move.kind == "draw" for _, move in made):
            return game
    raise AssertionError("draws everywhere")


@played
async def test_a_move_is_taken_back_when_all_agree() -> None:
    game = await after_moves_without_a_draw(3, 0, 3)
    made = game.table.match.round.moves  # type: ignore[union-attr]
    mover = made[-3][0]
    asker, others = game.people[mover], [game.people[seat] for seat in range(3) if seat != mover]
    assert await others[0].refused(takeback="agree") == "takeback-not-asked"
    assert await others[0].refused(takeback="refuse") == "takeback-not-asked"
    standing = game.table.moves_back(mover)
    await asker(takeback="ask")
    assert await asker.refused(takeback="ask") == "already-given"
    assert await asker.refused(takeback="agree") == "already-given"
    await others[0](takeback="refuse")
    assert await others[1].refused(takeback="agree") == "takeback-not-asked"
    await asker(takeback="ask")
    await others[0](takeback="agree")
    assert await others[0].refused(takeback="agree") == "already-given"
    watcher = await game.watcher()
    assert (watcher.view["takeback"], watcher.view["takeback_agreed"]) == (
        mover,
        sorted({mover, others[0].line.seats[0]}),
    )
    before = [str(move) for _, move in made]
    answer = await others[1](takeback="agree")
    assert kinds(answer) == ["takeback-agreed", "taken-back"]
    assert answer["events"][1] == {"event": "taken-back", "count": standing, "seat": mover, "name": asker.name}
    for client in (*game.people, watcher):
        assert kinds(client.frames[-1])[-1] == "taken-back"
        assert client.frames[-1]["welcome"]["round"]["moves"] == len(before) - standing
    assert asker.frames[-1]["welcome"]["mine"][str(mover)]["legal"] == game.legal()
    await game.play(seed=5)
    record = await game.hall.record(game.id, None)
    assert len(record.rounds[0].moves) == len(game.table.match.round.moves)  # type: ignore[union-attr]
    record.replay()
    await agrees(game)


@played
async def test_bots_agree_and_a_move_ends_the_asking() -> None:
    game = await after_moves_without_a_draw(1, 2, 4)
    (ann,) = game.people
    assert kinds(await ann(takeback="ask")) == ["takeback-asked", "taken-back"]
    assert game.table.turn == 0
    game = await after_moves_without_a_draw(2, 0, 2)
    asker = game.people[game.table.match.round.moves[-1][0]]  # type: ignore[union-attr]
    await asker(takeback="ask")
    await game.move()
    assert game.table.back is None
    await agrees(game)


@played
async def test_nothing_is_taken_back_across_a_draw() -> None:
    game = await (await Game.lay(2)).start()
    waiting = next(client for client in game.people if client is not game.whose())
    assert await waiting.refused(takeback="ask") == "no-takeback"
    made = game.table.match.round.moves  # type: ignore[union-attr]
    while not (made and made[-1][1].kind == "draw"):
        await game.move(lambda moves: moves[-1])
    assert await game.people[made[-1][0]].refused(takeback="ask") == "takeback-across-draw"
    await game.play()
    assert await game.people[0].refused(takeback="ask") == "stale"
    await agrees(game)


@pytest.mark.parametrize("how", ["leaves", "is held", "is removed"])
@played
async def test_a_takeback_does_not_wait_for_who_is_not_there(how: str) -> None:
    game = await after_moves_without_a_draw(3, 0, 1)
    asker = game.people[game.table.match.round.moves[0][0]]  # type: ignore[union-attr]
    if asker is not game.people[0]:
        await game.people[0](host=asker.line.seats[0])
    one, last = (client for client in game.people if client is not asker)
    await asker(takeback="ask")
    await one(takeback="agree")
    seat = last.line.seats[0]
    if how == "leaves":
        answer = await last(leave=True)
    elif how == "is removed":
        answer = await asker(remove=seat)
    else:
        answer = await asker(hold={"seat": seat, "level": "porter"})
    assert kinds(answer)[-1] == "taken-back"
    assert game.table.turn == asker.line.seats[0]
    await agrees(game)


# ---- After the round, after the match -------------------------------------------------------------------


@played
async def test_the_next_round_comes_when_all_are_ready_or_the_host_is() -> None:
    game = await (await Game.lay(3, rulebook=rules("tactic", rounds=3))).start()
    ann, ben, cleo = game.people
    assert await ben.refused(next=True) == "round-not-over"
    await game.play()
    assert await ben.refused(next=True, version=3) == "stale"
    await ben(next=True)
    assert await ben.refused(next=True) == "already-given"
    assert (await game.watcher()).view["ready"] == [1]
    assert kinds(await cleo(next=True)) == ["ready"]  # Ann is there, and has not said so
    assert "promised" in kinds(await ann(next=True))
    assert await ben(next=True) == ben.done()
    await game.deal()
    await game.play()
    await ann.close()  # nobody waits for who is away
    await ben(next=True)
    assert "promised" in kinds(await cleo(next=True))
    game.people = [await Client(game, "ann", "Ann").open(), ben, cleo]
    await game.deal()
    await game.play()
    assert game.table.stage == "over"
    for command in ({"next": True}, {"play": "pass"}, {"pause": True}, {"takeback": "ask"}, {"name": "Benjamin"}):
        assert await ben.refused(**command) == "match-over"
    for command in ({"remove": 1}, {"hold": {"seat": 1, "level": "porter"}}, {"bot": {"seat": 1, "level": "porter"}}):
        assert await game.people[0].refused(**command) == "match-over"
    with pytest.raises(Refusal) as refused:
        await game.hall.join(game.id, "eva", "Eva")
    assert refused.value.code == "match-over"
    assert await ben(leave=True) == ben.done()
    assert game.table.seats_of("ben") == (1,)
    await agrees(game)


@played
async def test_the_host_need_not_wait_for_anybody() -> None:
    game = await (await Game.lay(2)).start()
    await game.play()
    assert "promised" in kinds(await game.people[0](next=True))


@played
async def test_a_rematch_is_begun_by_the_next_seat() -> None:
    game = await (await Game.lay(2, 1, rulebook=rules("puremco-12", rounds=1))).start()
    with pytest.raises(Refusal) as refused:
        await game.hall.rematch(game.id, "ben")
    assert refused.value.code == "round-not-over"
    await game.play()
    with pytest.raises(Refusal) as refused:
        await game.hall.rematch(game.id, "cleo")
    assert refused.value.code == "not-seated"
    ben = game.people[1]
    row = await game.hall.rematch(game.id, "ben")
    assert ben.events("rematch") == [
        {"event": "rematch", "seat": 1, "name": "Ben", "table": row.table, "code": row.code}
    ]
    assert (await game.hall.rematch(game.id, "ann")).table == row.table
    assert len(game.people[0].events("rematch")) == 1
    assert (await game.watcher()).view["rematch"] == {"table": row.table, "code": row.code}
    late = await Client(game, "ann", "Ann").open(after=game.table.version - 1)
    assert late.events("rematch") == ben.events("rematch")
    first = game.table.match.rounds[0].starter  # type: ignore[union-attr]
    again = Game(game.store, game.hall)
    again.id = row.table
    again.people = [await Client(again, name.lower(), name).open() for name in ("Ann", "Ben")]
    assert again.people[0].view["after"] == game.id
    assert again.table.names == game.table.names
    await again.start()
    assert again.table.match.rounds[0].starter == (first + 1) % 3  # type: ignore[union-attr]


# ---- The same deals at several tables --------------------------------------------------------------------


@pytest.mark.parametrize("wanted", [{"day": True}, {"group": "friends", "bots": ["porter"] * 3}])
@played
async def test_tables_of_a_group_have_the_same_deals_and_the_same_answers_of_bots(wanted: dict[str, Any]) -> None:
    games: list[Game] = []
    for name in ("Ann", "Ben"):
        game = Game(games[0].store if games else None)
        if games:
            game.hall = Hall(game.store, game.hall.thinkers, node="another", clock=game.clock)
        row = await game.hall.create(
            NewTable(name=name, **({"rulebook": rules("tactic", rounds=2)} | wanted)), name.lower()
        )
        game.id = row.table
        game.people = [await Client(game, name.lower(), name).open()]
        assert kinds(await game.people[0](start=True)) == ["started", "promised", "asked", "dealt"]
        with pytest.raises(Refusal) as refused:
            await game.hall.join(game.id, "eva", "Eva")
        assert refused.value.code == "table-full"
        with pytest.raises(Refusal) as refused:
            await game.hall.join(game.id, "eva", "Eva", 3)
        assert refused.value.code == ("same-for-all" if wanted.get("day") else "seat-taken")
        games.append(game)
    assert games[0].hall.day() == "day-2027-01-15"
    one, other = games
    while one.table.stage == "play":
        assert everything(one.table)["deals"] == everything(other.table)["deals"]
        assert everything(one.table)["moves"] == everything(other.table)["moves"]
        for game in games:
            await game.wait(3000)
            if game.table.turn == 0:
                await game.people[0](play=game.legal()[0])
    assert one.people[0].events("shown") == other.people[0].events("shown")
    assert games[0].store.stored_rows[one.id].group == games[1].store.stored_rows[other.id].group
    assert [entry.secret for entry in one.entries if isinstance(entry, e.Promised)] == [
        entry.secret for entry in other.entries if isinstance(entry, e.Promised)
    ]


@played
async def test_the_deal_of_the_day_is_the_same_for_everybody() -> None:
    game = Game()
    game.id = (await game.hall.create(NewTable(name="Ann", day=True, pace=0), "ann")).table
    ann = await Client(game, "ann", "Ann").open()
    ben = await Client(game, "ben", "Ben").open()
    for stage in ("seats", "play"):
        assert game.table.stage == stage
        for command in (
            {"bot": {"seat": 1, "level": "passenger"}},
            {"bot": {"seat": 1, "level": None}},
            {"remove": 2},
            {"hold": {"seat": 0, "level": "stationmaster"}},
        ):
            assert await ann.refused(**command) == "same-for-all"
        assert await ben.refused(sit={"name": "Ben"}) == "table-full"
        assert await ben.refused(sit={"name": "Ben", "seat": 3}) == "same-for-all"
        if stage == "seats":
            await ann(start=True)


@pytest.mark.parametrize("group", ["day-2027-01-16", "Day-x", "a/b", "\u202e", "  "])
@played
async def test_a_group_of_ones_own_is_no_day_and_has_a_name(group: str) -> None:
    with pytest.raises(Refusal) as refused:
        await Game().hall.create(NewTable(name="Ann", group=group), "ann")
    assert refused.value.code == "bad-group"


@played
async def test_who_was_removed_or_muted_is_so_in_the_rematch_too() -> None:
    game = await Game.lay(3, rulebook=rules("tactic", rounds=1))
    ann, ben, cleo = game.people
    await ann(mute={"seat": 1, "on": True})
    await game.start()
    await ann(remove=2)
    game.people = [ann, ben]
    await game.play()
    with pytest.raises(Refusal) as refused:
        await game.hall.rematch(game.id, cleo.holder or "")
    assert refused.value.code == "not-seated"
    row = await game.hall.rematch(game.id, "ann")
    with pytest.raises(Refusal) as refused:
        await game.hall.join(row.table, "cleo", "Cleo")
    assert refused.value.code == "removed"
    again = Game(game.store, game.hall)
    again.id = row.table
    assert await (await Client(again, "ben", "Ben").open()).refused(say="boo") == "muted"


@played
async def test_who_says_too_much_has_to_wait_and_a_move_is_no_talk() -> None:
    game = await (await Game.lay(2)).start()
    mover, asked = game.whose(), []

    def never() -> bool:
        asked.append(1)
        return False

    mover.line.may_talk = never
    for talk in ('"say":"a"', '"\\u0073ay":"a"', '"react":"clap"'):
        await mover.line.command(f'{{{talk},"version":{game.table.version},"id":"t"}}')
        assert mover.frames[-1]["error"] == "too-fast"
    assert len(asked) == 3
    await game.move()
    assert len(asked) == 3


@played
async def test_a_match_goes_on_without_its_host() -> None:
    game = await (await Game.lay(3)).start()
    ann, ben, cleo = game.people
    watcher = await game.watcher()
    hold = {"hold": {"seat": 0, "level": "porter"}}
    assert await ben.refused(**hold) == "not-host"  # the host is there
    await ann.close()
    assert await ben.refused(hold={"seat": 2, "level": "porter"}) == "not-host"
    assert await ben.refused(remove=0) == "not-host"
    assert await watcher.refused(**hold) == "not-seated"
    eva = await Client(game, "eva", "Eva").open()
    assert await eva.refused(**hold) == "not-host"
    assert kinds(await cleo(**hold)) == ["held"]
    ann = await Client(game, "ann", "Ann").open()
    assert game.table.seats[0].held is None
    assert game.table.host == "ann"


@played
async def test_who_is_muted_is_so_on_all_their_seats() -> None:
    game = await Game.lay(2, 1)
    ann, ben = game.people
    await ann(remove=2)
    await ben(sit={"name": "Bea"})
    await ann(mute={"seat": 1, "on": True})
    for seat in (1, 2):
        assert await ben.refused(say="boo", seat=seat) == "muted"
    await ann(mute={"seat": 2, "on": False})
    assert not any(seat.muted for seat in game.table.seats)
