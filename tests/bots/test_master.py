"""The bot that plays for the match: out when it can, for the points early, for the win at the end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import stationmaster as sm
from bots.spots import decisions
from planner.pure_planner import all_interpreted
from stationmaster.bots.thinking import think
from stationmaster.bots.ways_out import FEW, ways_out
from stationmaster.engine.standing import Standing

LIMIT = sm.Limit(playouts=120)


def standing(number: int, rounds: int, *points: int) -> Standing:
    """So many points before this round."""
    nothing = (0,) * len(points)
    return Standing(number, rounds, points, nothing, nothing, points)


def last_choice(*points: int, number: int = 2) -> sm.Observation:
    """Seat 0 can go out. Or it lays its other tile, and the round goes on: seat 1, with 2-2 and 0-0, cannot do much."""
    book = sm.rulebook("puremco-9").with_changes(open_hands=True, rounds=2)
    trains: dict[Any, str] = {0: "9-1", 1: "9-8", 2: "9-5", "M": "9-7"}
    hands = [["1-1", "1-3"], ["3-5", "4-5"], ["0-5", "6-5", "4-4"]]
    laid = sm.Position(book, engine="9-9", trains=trains, hands=hands, bone_pile=None).round()
    before = standing(number, 2, *points) if points else None
    return sm.Round(book, laid.deal, layout=laid.layout, standing=before).observe(0)


def test_whoever_can_go_out_does() -> None:
    ways = 0
    for seed in range(40):
        for round in decisions(sm.rulebook("puremco-9"), 3, seed):
            seen = round.observe(round.turn)
            if len(seen.hand) > FEW:
                continue
            out = ways_out(seen, round._state.copy())
            if out:
                ways += 1
                for limit in (sm.Limit(playouts=1), LIMIT):
                    assert sm.bot("master").choose(seen, limit, Random(1)) in out
    assert ways > 10


def test_behind_in_the_last_round_it_thinks_before_it_goes_out() -> None:
    for points, thinks in (((), False), ((30, 40, 50), False), ((40, 40, 50), False), ((90, 10, 50), True)):
        advice = sm.bot("master").consider(last_choice(*points), LIMIT, Random(1))
        assert (len({*advice.values.values()}) > 1) == thinks, "going out is certain, and the rest was not looked at"
    early = sm.bot("master").consider(last_choice(90, 10, 50, number=1), LIMIT, Random(1))
    assert set(early.values.values()) == {0.0}


def test_without_a_match_it_thinks_as_belief_does() -> None:
    compared = 0
    for number, round in enumerate(decisions(sm.rulebook("puremco-12"), 4, 5)):
        seen = round.observe(round.turn)
        if number % 4 or len(seen.hand) <= FEW:
            continue
        master, belief = (sm.bot(id).consider(seen, LIMIT, Random(number)) for id in ("master", "belief"))
        assert master == belief
        compared += 1
    assert compared > 3


def test_in_the_last_round_only_the_win_counts() -> None:
    """How far it leads or lies behind changes what a move is worth; in a match that is decided, points do."""
    book = sm.rulebook("puremco-12").with_changes(rounds=4)
    differs = 0
    for number, round in enumerate(decisions(book, 4, 2, among=3)):
        if number % 5:
            continue
        found = []
        for number_of, points in ((4, (0, 0, 0, 0)), (4, (300, 0, 0, 0)), (1, (0, 0, 0, 0))):
            before = standing(number_of, 4, *points)
            there = sm.Round(book, round.deal, standing=before)
            for _, move in round.moves:
                there.push(move)
            seen = there.observe(there.turn)
            thought = think(seen, LIMIT, Random(1), believing=True, for_match=True)
            assert thought.for_match
            found.append({tried.move: tried.worth for tried in thought.tried})
            assert all(abs(worth) <= 100 for worth in found[-1].values())
        differs += found[0] != found[1]
    assert differs


def test_what_it_says_of_a_match() -> None:
    said = set()
    book = sm.rulebook("puremco-12").with_changes(rounds=3)
    for number, round in enumerate(decisions(book, 4, 3, among=3)):
        there = sm.Round(book, round.deal, standing=standing(3, 3, 40, 44, 50, 38))
        for _, move in round.moves:
            there.push(move)
        advice = sm.bot("master").consider(there.observe(there.turn), sm.Limit(playouts=200), Random(number))
        said.add(advice.why)
        if advice.why == "bot.why.played-out-match":
            assert "the chance to win the match was better so" in advice.sentence()
    assert "bot.why.played-out-match" in said
    assert "bot.why.played-out" not in said


def test_a_move_in_a_sentence_is_called_as_the_table_calls_it() -> None:
    other = sm.Move("12-9@M")
    advice = sm.Advice(sm.Move("1-2@0"), {}, "bot.why.certain", {"other": other})
    assert advice.sentence().endswith("12-9@M.")
    assert advice.sentence(name=lambda move: f"{move.tile} somewhere").endswith("than with 9-12 somewhere.")


@pytest.mark.parametrize("points", [(0, 0, 0), (12, 3, 7)])
@pytest.mark.parametrize("rulebook", ["puremco-9", "quarter-pot"])
def test_interpreted_it_plays_the_same_in_a_match(rulebook: str, points: tuple[int, ...]) -> None:
    book = sm.rulebook(rulebook).with_changes(highest=5, deal={3: 5}, rounds=3)
    compared = 0
    for number, round in enumerate(decisions(book, 3, 1, among=2)):
        if number % 3:
            continue
        there = sm.Round(book, round.deal, standing=standing(2, 3, *points))
        for _, move in round.moves:
            there.push(move)
        seen = there.observe(there.turn)
        mine = sm.bot("master").consider(seen, sm.Limit(playouts=24), Random(2))
        with all_interpreted():
            assert sm.bot("master").consider(seen, sm.Limit(playouts=24), Random(2)) == mine
        compared += 1
    assert compared
