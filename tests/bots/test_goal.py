"""What the end of a round is worth: its points by itself, and in a match the chance to win it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import stationmaster as sm
from planner.pure_planner import all_interpreted, interpreted
from stationmaster.bots.goal import Goal
from stationmaster.engine.standing import Standing
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

SMALL: dict[str, Any] = {"highest": 5, "deal": {3: 6}, "rounds": 6}


def goal(round: sm.Round, *, for_match: bool = True, certain: bool = False) -> Any:
    made = Goal()
    made.set_up(round.observe(0), for_match, certain)
    return made


def played_out(round: sm.Round) -> sm.Round:
    """The round as three planners end it."""
    planner = Planner(weights_for(round.book))
    while round.turn is not None:
        round.push(sm.Move.from_code(planner.choice(round._state)))
    return round


def standing(rng: Random, number: int, rounds: int, *, near: int = 12) -> Standing:
    """How it may stand after some rounds, mostly close."""
    made = Standing.first(rounds, 3)
    for _ in range(number - 1):
        made = made.after(
            [rng.choice([0, rng.randrange(near)]) for _ in range(3)], [rng.randrange(-2, 3) for _ in "abc"]
        )
    return made


@pytest.mark.parametrize("tie_break", ["shared", "most-zeros"])
@pytest.mark.parametrize("objective", ["lowest-points", "most-money"])
def test_after_the_last_round_it_is_known_who_has_won(objective: str, tie_break: str) -> None:
    book = sm.rulebook("quarter-pot").with_changes(
        objective=objective, tie_break=tie_break, ante=1, pass_fee=1, **SMALL
    )
    rng, shares = Random(1), set()
    for seed in range(300):
        before = standing(rng, 3, 3, near=4)
        deal = sm.Deal.shuffle(book, 3, 3, seed=seed)
        round = sm.Round(book, deal, pot=rng.choice([0, 3]), last=True, standing=before)
        counting = goal(round, certain=True)
        outcome = played_out(round).outcome()
        assert outcome is not None
        points, cents = outcome.points, outcome.cents
        odd = objective == "most-money" and sum(cents) % 2  # the odd cent goes to one of those who share the pot
        if odd:
            continue
        leading = before.after(points, cents).leading(book)
        for seat in range(3):
            share = (seat in leading) / len(leading)
            shares.add(share)
            assert counting.worth_of(round._state, seat) == pytest.approx(100 * share, abs=6)
    assert {0, 1} < shares or tie_break == "most-zeros"


@pytest.mark.parametrize("rulebook", ["tactic", "quarter-pot"])
def test_a_round_by_itself_is_worth_its_points_or_its_cents(rulebook: str) -> None:
    book = sm.rulebook(rulebook).with_changes(**SMALL)
    for seed in range(20):
        deal = sm.Deal.shuffle(book, 3, 1, seed=seed)
        single = sm.Round(book, deal)
        of_one = sm.Round(book, deal, standing=Standing.first(1, 3))
        in_match = sm.Round(book, deal, standing=Standing.first(4, 3))
        goals = [goal(single), goal(of_one), goal(in_match, for_match=False)]
        assert not any(one.for_match() for one in goals)
        outcome = played_out(single).outcome()
        assert outcome is not None
        brought = outcome.cents if book.uses_money else [-points for points in outcome.points]
        for one in goals:
            for seat in range(3):
                others = sum(brought) - brought[seat]
                assert one.worth_of(single._state, seat) == pytest.approx(brought[seat] - others / 2)


def test_a_lead_is_worth_the_more_the_fewer_rounds_follow() -> None:
    book = sm.rulebook("tactic").with_changes(**SMALL)
    deal = sm.Deal.shuffle(book, 3, 1, seed=3)
    over = played_out(sm.Round(book, deal))
    outcome = over.outcome()
    assert outcome is not None
    best = min(range(3), key=lambda seat: outcome.points[seat])
    worth = []
    for rounds in (3, 4, 5, 6):
        before = Standing.first(rounds, 3).after((0, 0, 0), (0, 0, 0))
        counting = goal(sm.Round(book, deal, standing=before))
        assert counting.for_match()
        each = [counting.worth_of(over._state, seat) for seat in range(3)]
        assert max(each) == each[best]
        assert sum(each) == pytest.approx(100, abs=0.01), "somebody wins; what counts besides makes nobody richer"
        worth.append(each[best])
    assert worth == sorted(worth, reverse=True)
    assert 100 / 3 < worth[-1] < worth[0] < 100


def test_a_near_miss_counts_as_long_as_the_last_round_is_open() -> None:
    book = sm.rulebook("tactic").with_changes(**SMALL)
    deal = sm.Deal.shuffle(book, 3, 1, seed=3)
    over = played_out(sm.Round(book, deal))
    outcome = over.outcome()
    assert outcome is not None
    best = min(range(3), key=lambda seat: outcome.points[seat])
    one, other = (seat for seat in range(3) if seat != best)
    # The one misses the win by a point, the other by ten.
    before = [0, 0, 0]
    before[best] = 100 - outcome.points[best]
    before[one] = 101 - outcome.points[one]
    before[other] = 110 - outcome.points[other]
    round = sm.Round(book, deal, standing=Standing.first(2, 3).after(before, (0, 0, 0)))
    worth, certain = [], goal(round, certain=True)
    for _, move in over.moves:
        if min(map(len, round.hands)) < 6:
            counting = goal(round)
            worth.append([counting.worth_of(over._state, seat) for seat in (best, one, other)])
        round.push(move)
    assert len(worth) > 5
    for first, second, third in worth:
        assert first > second > third > -6
    assert worth[0][1] > 30, "wide open, it is nearly as good"
    assert worth[-1][2] < worth[0][2] - 3
    sure = [certain.worth_of(over._state, seat) for seat in (best, one, other)]
    assert sure == pytest.approx([100, 0, 0], abs=6)


def test_nothing_is_worth_anything_before_the_end() -> None:
    round = sm.Round(sm.rulebook("tactic"), sm.Deal.shuffle(sm.rulebook("tactic"), 3, seed=1))
    with pytest.raises(ValueError, match="has not ended"):
        goal(round).worth_of(round._state, 0)


@pytest.mark.parametrize("rulebook", ["puremco-12", "quarter-pot", "supertrain"])
def test_interpreted_it_is_worth_the_same(rulebook: str) -> None:
    book, rng = sm.rulebook(rulebook).with_changes(rounds=5, tie_break="most-zeros"), Random(rulebook)
    for number in (1, 3, 5):
        deal = sm.Deal.shuffle(book, 3, number, seed=number)
        round = sm.Round(book, deal, standing=standing(rng, number, 5))
        mine = goal(round)
        over = played_out(round)
        with all_interpreted():
            again = sm.Round(book, deal, standing=round.standing)
            pure = interpreted("bots.goal").Goal()
            pure.set_up(again.observe(0), True)
            for _, move in over.moves:
                again.push(move)
            for seat in range(3):
                assert pure.worth_of(again._state, seat) == mine.worth_of(over._state, seat)
