"""Where nothing is hidden any more: everything that a seat can still do is tried, and counted once more here."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import stationmaster as sm
from bots.spots import decisions
from planner.pure_planner import all_interpreted
from stationmaster.bots.ending import Ending
from stationmaster.bots.goal import Goal
from stationmaster.bots.master import LEFT, all_is_known, best_ending, little_is_hidden
from stationmaster.bots.ways_out import FEW
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

KNOWN = sm.rulebook("puremco-9").with_changes(highest=6, deal={2: 13}, rounds=6)


def known(book: sm.Rulebook, players: int, seeds: int) -> Iterator[sm.Round]:
    """Decisions at which no tile is hidden any more."""
    for seed in range(seeds):
        for round in decisions(book, players, seed, among=1):
            if len(round.legal_moves()) > 1 and all_is_known(round.observe(round.turn)):
                yield round


def worths(round: sm.Round, most: int = 100_000) -> dict[int, float]:
    goal = Goal()
    goal.set_up(round.observe(round.turn), True)
    found: dict[int, float] = Ending(goal, Planner(weights_for(round.book))).worths(round._state.copy(), most)
    return found


def best_by_hand(round: sm.Round, seat: int) -> float:
    """The best that this seat can make of the round if the others play as the planner does; by the referee alone."""
    outcome = round.outcome()
    if outcome is not None:
        others = [points for one, points in enumerate(outcome.points) if one != seat]
        return sum(others) / len(others) - outcome.points[seat]
    moves = round.legal_moves()
    if round.turn != seat:
        moves = [sm.Move.from_code(Planner(weights_for(round.book)).choice(round._state))]
    found = []
    for move in moves:
        round.push(move)
        found.append(best_by_hand(round, seat))
        round.pop()
    return max(found)


@pytest.mark.parametrize(
    ("book", "players"),
    [
        (KNOWN, 2),
        (KNOWN.with_changes(deal={3: 9}, open_hands=True), 3),
        (sm.rulebook("supertrain").with_changes(highest=3, deal={2: 10}, rounds=4, last_engine="0-0"), 2),
        (sm.rulebook("front-porch").with_changes(highest=4, deal={2: 7}, rounds=4), 2),
    ],
    ids=["puremco", "open hands", "supertrain", "front-porch"],
)
def test_every_move_is_worth_the_best_that_may_follow(book: sm.Rulebook, players: int) -> None:
    counted = 0
    for round in known(book, players, 12):
        seat = round.turn
        assert seat is not None
        if sum(map(len, round.hands)) > (5 if book.wild_tiles else 10):
            continue
        found = worths(round)
        assert list(found) == [move.code for move in round.legal_moves()]
        for move in round.legal_moves():
            again = round.copy()
            again.push(move)
            assert found[move.code] == pytest.approx(best_by_hand(again, seat))
            counted += 1
    assert counted > 30


def test_too_much_to_look_at_is_said() -> None:
    small = large = 0
    for round in known(KNOWN, 2, 20):
        small += worths(round, 2) == {}
        large += worths(round) != {}
    assert small > 3
    assert large > 3


def test_the_master_plays_what_is_best_and_says_so() -> None:
    said = set()
    for number, round in enumerate(known(KNOWN, 2, 12)):
        found = worths(round)
        advice = sm.bot("master").consider(round.observe(round.turn), sm.Limit(playouts=2000), Random(number))
        assert found[advice.move.code] == max(found.values())
        if advice.why == "bot.why.certain":
            planned = Planner(weights_for(round.book)).choice(round._state)
            assert found[planned] < found[advice.move.code]
            assert advice.places == {"other": sm.Move.from_code(planned)}
            assert str(advice.places["other"]) in advice.sentence()
        assert {move.code: worth for move, worth in advice.values.items()} == pytest.approx(
            {code: worth - max(found.values()) for code, worth in found.items()}
        )
        said.add(advice.why)
    assert "bot.why.certain" in said
    assert len(said) > 2


def test_with_few_tiles_in_the_bone_pile_it_tries_all_in_some_deals() -> None:
    tried, differs = 0, 0
    for number in range(30):
        for round in decisions(KNOWN.with_changes(deal={2: 11}), 2, number, among=2):
            seen = round.observe(round.turn)
            if len(seen.hand) <= FEW or not 0 < seen.bone_pile_count <= LEFT or not little_is_hidden(seen):
                continue
            advice = best_ending(seen, sm.Limit(playouts=3000), Random(number))
            assert advice is not None
            assert sm.bot("master").consider(seen, sm.Limit(playouts=3000), Random(number)) == advice
            assert set(advice.values) == set(seen.legal_moves)
            assert max(advice.values.values()) == advice.values[advice.move] == 0
            planned = sm.Move.from_code(Planner(weights_for(seen.book)).choice(round._state))
            if advice.move != planned:
                assert advice.why == "bot.why.played-out"
                assert advice.places["other"] == planned
                assert advice.values[planned] < 0
                differs += 1
            tried += 1
    assert tried > 20
    assert differs > 5


def test_with_tiles_hidden_in_two_hands_or_in_the_bone_pile_nothing_is_certain() -> None:
    book = KNOWN.with_changes(deal={2: 13, 3: 9})
    three = sm.Round(book, sm.Deal.shuffle(book, 3, seed=1))
    assert three.observe(0).bone_pile_count == 0
    assert not all_is_known(three.observe(0))
    two = sm.Round(book, sm.Deal.shuffle(book, 2, seed=1))
    assert two.observe(0).bone_pile_count == 1
    assert not all_is_known(two.observe(0))
    laid = sm.Position(book, engine="6-6", hands=[["1-2"], ["3-4"]], bone_pile=[]).round()
    assert all_is_known(laid.observe(0))


def test_interpreted_it_finds_the_same() -> None:
    compared = 0
    for round in known(KNOWN, 2, 9):
        if sum(map(len, round.hands)) > 7:
            continue
        seen, limit = round.observe(round.turn), sm.Limit(playouts=200)
        mine = sm.bot("master").consider(seen, limit, Random(1))
        with all_interpreted():
            assert sm.bot("master").consider(seen, limit, Random(1)) == mine
        compared += 1
    assert compared > 1
