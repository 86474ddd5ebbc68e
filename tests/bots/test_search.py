"""The search: every move in the same deals, every round played out by the planner, every result counted rightly."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import stationmaster as sm
from bots.spots import decisions, last_tiles
from planner.pure_planner import all_interpreted, interpreted
from stationmaster.bots.evidence import Evidence
from stationmaster.bots.goal import Goal
from stationmaster.bots.search import Search
from stationmaster.engine.moves import Move
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

pytestmark = pytest.mark.core


def searching(seen: sm.Observation, seed: int, most: int = 8, steps: int = 10) -> tuple[Any, int]:
    """A search that has been set up, and how many moves are in question."""
    worlds = seen.worlds(Random(seed))
    planner, plans = Planner(weights_for(seen.book)), Planner(weights_for(seen.book))
    goal = Goal()
    goal.set_up(seen, False)
    search = Search(worlds, planner, plans, Evidence(worlds, planner, 2.0, 3.0), goal)
    return search, search.set_up(most, steps)


def worth(seen: sm.Observation, played: Any, pot: int) -> float:
    """How a round that was played out ended for the seat, less how it ended for the others on average."""
    book = seen.book
    if book.objective == "most-money":
        each = played.settle(seen.starter, pot, False, book.ante, book.pass_fee)[0]
    else:
        each = [-played.points_of(seat) for seat in range(seen.players)]
    assert seen.seat is not None
    own = each.pop(seen.seat)
    return own - (sum(each) / len(each) if each else 0)


@pytest.mark.parametrize("believing", [False, True], ids=["by chance", "led"])
@pytest.mark.parametrize(
    ("rulebook", "players"),
    [("puremco-12", 4), ("supertrain", 3), ("quarter-pot", 4), ("front-porch", 2), ("tactic", 8), ("puremco-9", 1)],
)
def test_every_move_is_tried_in_the_same_deals(rulebook: str, players: int, believing: bool) -> None:
    """Count once more: the deals one after the other, each move made in each of them, and the round played out."""
    book = sm.rulebook(rulebook)
    if players == 1:
        book = book.with_changes(deal={1: 12})
    rng = Random(rulebook)
    counted = 0
    for number, round in enumerate(decisions(book, players, "search")):
        if rng.random() > 0.25:
            continue
        seen = round.observe(round.turn)
        search, count = searching(seen, number, 5, 3 if believing else 0)  # 0 steps: only the bone pile is shuffled
        again = seen.worlds(Random(number))
        planner = Planner(weights_for(book))
        planner.weigh(again.state())
        evidence = Evidence(again, planner, 2.0, 3.0)
        if believing:
            search.believe(20)
            evidence.lead(20)
        deals = 6
        assert search.more(deals) == deals * count
        total, squares = [0.0] * count, [0.0] * count
        for _ in range(deals):
            if believing:
                evidence.next(3)
            else:
                again.step(0)
            first = 0.0
            for i in range(count):
                world = again.state().copy()
                world.push(search.number(i))
                Planner(weights_for(book)).play(world)
                value = worth(seen, world, round.pot)
                first = value if i == 0 else first
                total[i] += value - first
                squares[i] += (value - first) ** 2
        ratings = Planner(weights_for(book)).ratings(again.state())
        for i in range(count):
            gap = ratings[0][1] - ratings[i][1]
            assert search.number(i) == ratings[i][0]
            assert search.found(i) == pytest.approx((deals, total[i], squares[i], gap))
        counted += count > 1
    assert counted >= 3


@pytest.mark.parametrize("seed", range(3))
def test_what_is_certain_is_found_in_points(seed: int) -> None:
    seen = last_tiles("puremco-12")
    search, count = searching(seen, seed)
    assert [str(Move.from_code(search.number(i))) for i in range(count)] == ["2-2@M", "2-0@M"]
    search.more(20)
    # Out against the one pip of 0-1; or the four of 2-2 left, while the other goes out: 1 against -4
    assert search.found(0)[:3] == (20, 0, 0)
    assert search.found(1)[:3] == (20, 20 * -5, 20 * 25)


@pytest.mark.parametrize("pot", [0, 300])
def test_what_is_certain_is_found_in_cents(pot: int) -> None:
    seen = last_tiles("quarter-pot", pot)
    search, count = searching(seen, 1)
    assert count == 2
    search.more(10)
    won = pot + 2 * 25  # by the one, or by the other
    assert search.found(1)[:3] == (10, 10 * -2 * won, 10 * (2 * won) ** 2)


def test_a_pot_that_several_take_is_shared_to_the_half_cent() -> None:
    """Those who have not had their first turn take theirs when somebody goes out on the first, and may go out too."""
    book = sm.rulebook("quarter-pot").with_changes(
        highest=4, open_hands=True, deal={3: 4}, rounds=5, first_turn="own-string", first_turn_out="others-finish"
    )
    hands = [["3-1", "1-2", "2-3", "3-0"], ["3-4"], ["2-2"]]
    laid = sm.Position(book, engine="3-3", hands=hands, bone_pile=None).round()
    seen = sm.Round(book, laid.deal, pot=1, layout=laid.layout).observe(0)
    search, count = searching(seen, 1)
    moves = {str(Move.from_code(search.number(i))): i for i in range(count)}
    assert set(moves) == {"3-1@0", "3-2@0", "3-0@0"}
    search.more(10)
    assert search.found(moves["3-1@0"])[1] == search.found(moves["3-2@0"])[1], "out with all four tiles, either way"
    # No 3 is left for seat 2: it pays 5 for a pass. Of 1 + 3 x 25 + 5 the seats 0 and 1 take the half each; or seat 1
    # is out alone, and takes all
    shared, alone = 81 / 2 - (81 / 2 - 5) / 2, 0 - (81 - 5) / 2
    assert search.found(moves["3-0@0"])[1:3] == (10 * (alone - shared), 10 * (alone - shared) ** 2)


def test_a_move_that_was_dropped_costs_nothing_more() -> None:
    round = next(decisions(sm.rulebook("puremco-12"), 4, 3, among=4))
    seen = round.observe(round.turn)
    search, count = searching(seen, 1)
    assert count >= 4
    assert search.more(3) == 3 * count
    before = search.found(2)
    search.drop(2)
    search.drop(3)
    assert search.more(5) == 3 * count + 5 * (count - 2)
    assert search.found(2) == before
    assert [search.found(i)[0] for i in range(4)] == [8, 8, 3, 3]


def test_dropping_one_move_changes_nothing_for_the_others() -> None:
    round = next(decisions(sm.rulebook("supertrain"), 3, 3, among=5))
    seen = round.observe(round.turn)
    (one, count), (other, _) = searching(seen, 1), searching(seen, 1)
    other.drop(1)
    one.more(12)
    other.more(12)
    assert [one.found(i) for i in range(2, count)] == [other.found(i) for i in range(2, count)]


def test_only_the_best_by_the_planners_rating_are_in_question() -> None:
    for round in decisions(sm.rulebook("supertrain"), 2, "most", among=12):
        seen = round.observe(round.turn)
        ratings = [number for number, _ in Planner(weights_for(seen.book)).ratings(round._state)]
        for most in (1, 2, 8, 100):
            search, count = searching(seen, 1, most)
            assert count == min(most, len(ratings), 32)
            assert [search.number(i) for i in range(count)] == ratings[:count]
            assert search.more(1) == count
        break


def test_the_same_numbers_find_the_same_and_others_do_not() -> None:
    round = next(decisions(sm.rulebook("tactic"), 4, 5, among=4))
    seen = round.observe(round.turn)
    found = []
    for seed in (1, 1, 2):
        search, count = searching(seen, seed)
        search.more(30)
        found.append([search.found(i) for i in range(count)])
    assert found[0] == found[1] != found[2]


def test_many_deals_at_once_are_as_many_one_by_one() -> None:
    round = next(decisions(sm.rulebook("tactic"), 4, 6, among=3))
    seen = round.observe(round.turn)
    (one, count), (other, _) = searching(seen, 1), searching(seen, 1)
    one.more(9)
    for _ in range(9):
        other.more(1)
    assert [one.found(i) for i in range(count)] == [other.found(i) for i in range(count)]


@pytest.mark.parametrize("believing", [False, True], ids=["by chance", "led"])
@pytest.mark.parametrize("rulebook", ["puremco-9", "supertrain", "quarter-pot"])
def test_interpreted_it_finds_the_same(rulebook: str, believing: bool) -> None:
    book = sm.rulebook(rulebook)
    for number, round in enumerate(decisions(book, 3, "pure", among=3)):
        if number != 12:
            continue
        seen = round.observe(round.turn)
        search, count = searching(seen, 4, 3)
        if believing:
            search.believe(8)
        search.more(2)
        mine = [search.found(i) for i in range(count)]
        with all_interpreted():
            worlds = seen.worlds(Random(4))
            policy = interpreted("planner.policy")
            one, two = policy.Planner(weights_for(book)), policy.Planner(weights_for(book))
            evidence = interpreted("bots.evidence").Evidence(worlds, one, 2.0, 3.0)
            goal = interpreted("bots.goal").Goal()
            goal.set_up(seen, False)
            pure = interpreted("bots.search").Search(worlds, one, two, evidence, goal)
            assert pure.set_up(3, 10) == count
            if believing:
                pure.believe(8)
            assert pure.more(2) == 2 * count
            assert [pure.found(i) for i in range(count)] == mine
        break
    else:
        pytest.fail("a round without a dozen decisions")
