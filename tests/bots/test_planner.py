"""The bot that lines its hand up: each of its ideas in a spot that shows it, and its advice is what the core plays."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import stationmaster as sm
from bots.spots import decisions, spot
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

TRAINS: dict[Any, str] = {0: "12-5", 1: "12-10", "M": "12-3"}
IDEAS: dict[str, tuple[str, dict[str, Any]]] = {
    "an extra goes elsewhere, the train can wait": (
        "3-11@M", {"trains": TRAINS, "hands": [["5-7", "7-8", "8-9", "3-11"]]},
    ),
    "the marker comes off first": (
        "5-7@0", {"trains": TRAINS, "markers": [0], "hands": [["5-7", "7-8", "8-9", "3-11"]]},
    ),
    "a double that it can cover": (
        "5-5@0", {"trains": TRAINS, "hands": [["5-5", "5-6", "6-7", "7-8"]]},
    ),
    "the train is not broken, though a tile of it would shed more": (
        "5-7@0", {"trains": {0: "12-5", 1: "12-10", "M": "12-8"}, "hands": [["5-7", "7-8", "8-9", "9-1"]]},
    ),
    "no train is begun for others": (
        "12-4@M",
        {"trains": {0: "12-5", "M": "12-10 10-3 3-12"}, "markers": [1], "hands": [["5-7", "7-8", "8-9", "12-4"]]},
    ),
    "no hurry while everybody has many tiles": (
        "0-1@M",
        {"trains": {0: "12-9", 1: "12-10", "M": "12-0"},
         "hands": [["9-11", "11-8", "8-10", "0-1"], ["1-1", "4-4", "5-5", "6-6", "7-7", "8-8", "9-9", "4-5"]]},
    ),
    "but when somebody is nearly out, pips go first": (
        "9-11@0",
        {"trains": {0: "12-9", 1: "12-10", "M": "12-0"}, "hands": [["9-11", "11-8", "8-10", "0-1"], ["1-1"]]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("idea", IDEAS)
def test_the_planner_plays_by_its_ideas(idea: str) -> None:
    move, given = IDEAS[idea]
    hands = given["hands"] if len(given["hands"]) == 2 else [*given["hands"], ["1-1", "4-4", "6-6", "9-9", "10-11"]]
    seen = spot(**{**given, "hands": hands})
    advice = sm.bot("planner").consider(seen, sm.Limit(), Random(1))
    assert str(advice.move) == move
    assert set(advice.values) == {one for one in seen.legal_moves if one.tile is not None}
    assert advice.values[advice.move] == 0 == max(advice.values.values())


@pytest.mark.parametrize("rulebook", sm.rulebooks())
def test_the_planner_advises_what_the_core_plays(rulebook: str) -> None:
    for round in decisions(sm.rulebook(rulebook), 2, 9, among=1):
        seen = round.observe(round.turn)
        core = Planner(weights_for(seen.book))
        advice = sm.bot("planner").consider(seen, sm.Limit(), Random(1))
        assert advice.move.code == core.choice(round._state)
        if len(seen.legal_moves) > 1:
            ratings = core.ratings(round._state)
            assert {move.code: value for move, value in advice.values.items()} == {
                number: score - ratings[0][1] for number, score in ratings
            }
