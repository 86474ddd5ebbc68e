"""Everything that a table tells can be said, in both languages, with what the event carries and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from server.tables import NAMES, Game, played, rules
from stationmaster.rulebooks.rulebook import rulebooks
from stationmaster.server.telling import sentence
from stationmaster.words import LANGUAGES, catalogue


async def everything_around_the_game() -> list[dict[str, Any]]:
    """The events of a table at which everything happens that can happen."""
    game = await Game.lay(3, clock=20, rulebook=rules("tactic", highest=4, deal={3: 4}, rounds=2))
    ann, ben, cleo = game.people
    for commands in (
        [(ann, {"lock": True}), (ann, {"lock": False}), (ann, {"hints": False}), (ann, {"hints": True})],
        [(ann, {"mute": {"seat": 1, "on": True}}), (ann, {"mute": {"seat": 1, "on": False}})],
        [(cleo, {"leave": True}), (ann, {"bot": {"seat": 2, "level": "porter"}}), (ann, {"remove": 2})],
        [(cleo, {"sit": {"name": "Cleo"}}), (cleo, {"name": "Clío"}), (ann, {"host": 1}), (ben, {"host": 0})],
    ):
        for client, command in commands:
            await client(**command)
    await game.start()
    while not ann.events("taken-back"):
        await game.move()
        asker = game.people[game.table.match.round.moves[-1][0]]  # type: ignore[union-attr]
        await asker(takeback="ask")
        await next(client for client in game.people if client is not asker)(takeback="refuse")
        await asker(takeback="ask")
        for client in game.people:
            await client(takeback="agree")
        if game.table.stage != "play":
            await ann(next=True)
            await game.deal()
    await ann(pause=True)
    await ann(pause=False)
    while not ann.events("held") and game.table.stage == "play":
        await game.wait(20_000)
    await ann(hold={"seat": 0, "level": "porter"})
    await ann(back=True)
    while game.table.stage != "over":
        if game.table.stage == "between":
            await cleo(next=True)
            await ann(next=True)
            await game.wait(3000)
        await game.wait(20_000)
    await game.hall.rematch(game.id, "ann")
    await game.hall.close_table(game.id)
    return [event for frame in ann.frames for event in frame.get("events", [])] + [{"event": "created"}]


@played
async def test_everything_around_the_game_has_its_words() -> None:
    told = await everything_around_the_game()
    kinds = {event["event"] for event in told}
    for language in LANGUAGES:
        keys = {key.removeprefix("server.event.") for key in catalogue(language) if key.startswith("server.event.")}
        assert keys <= kinds
        for event in told:
            said = sentence(event, NAMES, language)
            assert said.endswith("."), said
            assert "{" not in said
            assert "@" not in said
            if "old" in event:
                assert event["old"] in said


@pytest.mark.parametrize("id", rulebooks())
@played
async def test_everything_in_the_game_has_its_words(id: str) -> None:
    game = await (await Game.lay(2, rulebook=rules(id, rounds=1))).start()
    watcher = await game.watcher()
    await game.play()
    for event in (event for frame in (*watcher.frames, *game.people[0].frames) for event in frame.get("events", [])):
        for language in LANGUAGES:
            assert sentence(event, NAMES[:2], language).strip()
            assert sentence(event, None, language).strip()


def test_the_words_are_those_of_the_player() -> None:
    over = {"event": "match-over", "winners": [1]}
    assert sentence(over, ["Ann", "Ben"]) == "The match is over. Ben has won."
    assert sentence({"event": "match-over", "winners": [0, 1]}, ["Ana", "Inés"], "es").endswith("Ana e Inés.")
    assert sentence({"event": "drew", "seat": 0, "tile": None, "open": False}, ["Ann"]) == "Ann draws a tile."
    assert sentence({"event": "bot-sat", "seat": 0, "name": "@ann", "level": "porter"}).startswith("@ann sits down")
