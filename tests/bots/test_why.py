"""Why a bot plays a move: every sentence is met, and what it says is so, counted on the table after the move."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import stationmaster as sm
from bots.spots import decisions, spot
from stationmaster.bots import why
from stationmaster.bots.thinking import Thought, Tried
from stationmaster.bots.why import because, played_out
from stationmaster.engine.moves import Move
from stationmaster.words import LANGUAGES, catalogue


def sentence(because: why.Because, language: str = "en") -> str:
    return sm.Advice(Move("pass"), {}, *because).sentence(language)


def keys() -> set[str]:
    """The sentences that the module may give."""
    nodes = ast.walk(ast.parse(Path(why.__file__).read_text("utf-8")))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {text for text in texts if text.startswith("bot.why.")}


def check(round: sm.Round, move: Move) -> str:
    """Make the move, and see whether what was said of it is so; the sentence's key."""
    seat = round.turn
    assert seat is not None
    seen = round.observe(seat)
    key, places = because(seen, move)
    kind = key.removeprefix("bot.why.")
    before = len(sm.line_up(seen).train.tiles)
    round.push(move)
    try:
        left = len(round.hands[seat])
        if move.tile is None:
            assert kind == "stop"
            assert move.kind == "stop"
            return key
        assert (kind == "out") == (left == 0)
        if left == 0:
            return key
        if places.get("points") is not None:
            assert places["points"] == move.tile.points(round.book)
        after = len(sm.line_up(round.observe(seat)).train.tiles) if round.turn is not None else 0
        if kind == "double":
            assert places == {"tile": str(move.tile)}
            assert move.tile.is_double
            assert round.turn == seat
            assert any(one.train == move.train and one.tile for one in round.legal_moves()), "it can be covered"
        elif kind == "marker":
            assert seat in seen.markers
            assert seat not in round.markers
            assert places == {"count": after}
        elif kind == "goes-on":
            assert move.train == seat
            assert places == {"count": after}
            assert after == before - 1
        elif kind == "keeps":
            assert move.train != seat
            assert places["count"] == before == after
        else:
            assert kind == "gives-up"
            assert places["count"] == before - after - (move.train == seat) > 0
        return key
    finally:
        round.pop()


def test_what_is_said_of_any_move_is_so() -> None:
    met: Counter[str] = Counter()
    for rulebook in sm.rulebooks():
        book = sm.rulebook(rulebook)
        for players in (book.players[0], 4):
            for round in decisions(book, players, "why", among=1):
                for move in round.legal_moves():
                    met[check(round, move)] += 1
    said = keys() - {"bot.why.played-out", "bot.why.played-out-match"}
    assert {key for key in said if not key.endswith((".pip", ".pips"))} == set(met)
    assert min(met.values()) > 5, met


TRAINS: dict[Any, str] = {0: "12-5", 1: "12-10", "M": "12-3"}
OTHER = ["1-1", "4-4", "6-6", "9-9", "10-11"]
SAID = [
    ("5-7@0", {"hands": [["5-7"], OTHER]}, "It is the last tile: with it you are out.",
     "Es la última ficha: con ella sales."),
    ("5-5@0", {"hands": [["5-5", "5-7"], OTHER]}, "5-5 is a double that you can cover: two tiles in one turn.",
     "5-5 es un doble que puedes cubrir: dos fichas en un turno."),
    ("5-7@0", {"hands": [["5-7", "7-8", "1-2"], OTHER], "markers": [0]},
     "It takes your marker off, and leaves you a train of 1 tile.",
     "Quita tu marcador y te deja un tren de 1 ficha."),
    ("5-7@0", {"hands": [["5-7", "7-8", "8-2"], OTHER], "markers": [0]},
     "It takes your marker off, and leaves you a train of 2 tiles.",
     "Quita tu marcador y te deja un tren de 2 fichas."),
    ("5-7@0", {"hands": [["5-7", "7-8", "1-2"], OTHER]},
     "It goes on with your train; 1 tile of it is left in your hand.",
     "Sigue con tu tren; te queda 1 ficha de él en la mano."),
    ("5-7@0", {"hands": [["5-7", "7-8", "8-2", "0-9"], OTHER]},
     "It goes on with your train; 2 tiles of it are left in your hand.",
     "Sigue con tu tren; te quedan 2 fichas de él en la mano."),
    ("3-11@M", {"hands": [["5-7", "3-11"], OTHER]}, "It keeps your train of 1 tile, and sheds 14 pips.",
     "Conserva tu tren de 1 ficha y suelta 14 puntos."),
    ("1-0@M", {"hands": [["5-7", "7-8", "0-1"], OTHER], "trains": TRAINS | {"M": "12-1"}},
     "It keeps your train of 2 tiles, and sheds 1 pip.",
     "Conserva tu tren de 2 fichas y suelta 1 punto."),
    ("3-7@M", {"hands": [["5-7", "7-3", "1-2"], OTHER]}, "It sheds 10 pips now; your train loses 1 tile by it.",
     "Suelta 10 puntos ahora; tu tren pierde 1 ficha."),
    ("5-0@0", {"hands": [["5-0", "5-7", "7-8", "8-9"], OTHER]},
     "It sheds 5 pips now; your train loses 2 tiles by it.",
     "Suelta 5 puntos ahora; tu tren pierde 2 fichas."),
    ("1-0@M", {"hands": [["5-1", "1-0", "7-8"], OTHER], "trains": TRAINS | {"M": "12-1"}},
     "It sheds 1 pip now; your train loses 1 tile by it.",
     "Suelta 1 punto ahora; tu tren pierde 1 ficha."),
]  # fmt: skip


@pytest.mark.parametrize(("move", "given", "english", "spanish"), SAID, ids=[one[2] for one in SAID])
def test_it_is_said_as_people_say_it(move: str, given: dict[str, Any], english: str, spanish: str) -> None:
    seen = spot(**({"trains": TRAINS} | given))
    assert Move(move) in seen.legal_moves
    told = because(seen, Move(move))
    assert [sentence(told, language) for language in ("en", "es")] == [english, spanish]


def test_train_train_may_lie_on_what_was_just_laid() -> None:
    """W-W lies on no double, nor on the engine: what the move shows decides whether the train has it."""
    seen = spot("supertrain", trains=TRAINS, hands=[["5-7", "W-W", "3-4"], OTHER])
    assert sentence(because(seen, Move("5-7@0"))) == "It goes on with your train; 2 tiles of it are left in your hand."
    seen = spot("supertrain", trains=TRAINS, hands=[["W-W", "7-8", "3-4"], OTHER])
    assert sentence(because(seen, Move("3-4@M"))) == "It keeps your train of 2 tiles, and sheds 7 pips."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deals", [1, 2, 350])
@pytest.mark.parametrize("for_match", [False, True])
def test_rounds_played_out_are_counted(deals: int, for_match: bool, language: str) -> None:
    better, planned = Move("5-7@0"), Move("3-11@M")
    tried = Tried(better, 2.5, deals), Tried(planned, 0.0, deals + 3)
    thought = Thought(tried, planned, 2 * deals + 3, for_match)
    told = sentence(played_out(thought), language)
    form = "one" if deals == 1 else "other"
    text = catalogue(language)["bot.why.played-out-match" if for_match else "bot.why.played-out"]
    assert not isinstance(text, str)
    assert told == text[form].format(count=deals, other="3-11@M")
    assert str(deals) in told.split()


def test_who_searches_says_what_it_found_or_what_the_planner_would_say() -> None:
    met = set()
    for seed in range(4):
        for number, round in enumerate(decisions(sm.rulebook("puremco-12"), 3, seed)):
            seen = round.observe(round.turn)
            advice = sm.bot("rollout").consider(seen, sm.Limit(playouts=160), Random(number))
            planned = sm.bot("planner").consider(seen, sm.Limit(), Random(1))
            if advice.move == planned.move:
                assert (advice.why, advice.places) == (planned.why, planned.places)
            else:
                assert advice.why == "bot.why.played-out"
                assert advice.places["other"] == planned.move
            met.add(advice.why)
    assert {"bot.why.played-out", "bot.why.keeps", "bot.why.goes-on"} <= met
