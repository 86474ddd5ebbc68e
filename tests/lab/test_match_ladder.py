"""What a match and a ladder conclude from rounds."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

import stationmaster as sm
from stationmaster.lab.entrants import entrant
from stationmaster.lab.frame import Frame, frame, won
from stationmaster.lab.job import Job
from stationmaster.lab.ladder import Climb, ladder_job, rate
from stationmaster.lab.match import Standing, match_job
from stationmaster.lab.rounds import OF_SEAT
from stationmaster.lab.statistics import Sprt, mean_interval
from stationmaster.lab.tally import Samples, mean_of_samples
from stationmaster.lab.work import SEAT, Task

BOOK = sm.rulebook("puremco-12")


def rows(players: int, *rounds: tuple[int, int, dict[int, tuple[int, int, int]]]) -> bytes:
    """Rounds as a worker hands them back: sample, rotation, and for each seat (entrant, points, cents)."""
    table = []
    for sample, rotation, seats in rounds:
        row = [sample, rotation, 1, 0, 0, 0, 0]
        for seat in range(players):
            who, points, cents = seats[seat]
            noted = dict.fromkeys(OF_SEAT, 0) | {"points": points, "cents": cents}
            row += [who, *(noted[name] for name in SEAT[1:])]
        table.append(row)
    return np.array(table, dtype=np.int32).tobytes()


def of_two(job: Job, points: list[tuple[int, int]]) -> Frame:
    """Single rounds of two seats: A's points and B's, the rotations in turn."""
    return frame(
        job,
        0,
        rows(
            2,
            *((at // 2, at % 2, {at % 2: (0, a, 0), 1 - at % 2: (1, b, 0)}) for at, (a, b) in enumerate(points)),
        ),
    )


@pytest.fixture
def job() -> Job:
    return match_job(entrant("random"), entrant("greedy"), BOOK, 2, 1, seed="1")


# ---- A match ----


def test_a_deal_in_all_rotations_is_one_sample(job: Job) -> None:
    standing = Standing(job, 3)
    standing.add(Task(0, 0, 3), of_two(job, [(0, 10), (20, 6), (3, 3), (1, 3), (40, 0), (0, 0)]))
    # Deal by deal: (0 - 10 + 20 - 6) / 2 = 2, (0 - 2) / 2 = -1, 40 / 2 = 20.
    assert standing.difference == mean_interval([2.0, -1.0, 20.0])
    # A wins the first, shares the third, wins the fourth, shares the last.
    assert standing.share == mean_interval([0.5, 0.75, 0.25])
    assert (standing.count, standing.rounds) == (3, 6)
    found = standing.figures()
    assert (found["samples"], found["unit"], found["fair_share"]) == (3, "points", 0.5)


def test_the_order_of_arrival_is_all_the_same(job: Job) -> None:
    points = [(int(a), int(b)) for a, b in np.random.default_rng(1).integers(0, 60, (40, 2))]
    pieces = [(first, of_two(job, points[2 * first : 2 * first + 8])) for first in range(0, 20, 4)]
    found = []
    for order in (pieces, pieces[::-1]):
        standing = Standing(job, 18, Sprt(least=5))  # two more than asked for were played
        for first, made in order:
            made = made | {"sample": made["sample"] + first}
            standing.add(Task(0, first, first + 4), made)
        found.append(standing.figures())
    assert found[0] == found[1]
    assert found[0]["sprt"]["samples"] <= 18


def test_money_is_counted_where_it_decides() -> None:
    job = match_job(entrant("random"), entrant("greedy"), sm.rulebook("quarter-pot"), 2, 1, seed="1")
    standing = Standing(job, 1, Sprt())
    made = frame(job, 0, rows(2, (0, 0, {0: (0, 5, 30), 1: (1, 0, -30)}), (0, 1, {0: (1, 0, -10), 1: (0, 9, 10)})))
    standing.add(Task(0, 0, 1), made)
    assert standing.difference.mean == 40
    assert standing.share.mean == 1
    assert standing.verdict.llr > 0, "more money is better"
    assert standing.figures()["unit"] == "cents"


def test_fewer_points_are_better(job: Job) -> None:
    better = of_two(job, [(0, 10)] * 120)
    worse = of_two(job, [(10, 0)] * 120)
    for made, accepted in ((better, "H1"), (worse, "H0")):
        standing = Standing(job, 60, Sprt())
        assert standing.add(Task(0, 0, 60), made)
        assert standing.verdict.accepted == accepted


@pytest.mark.parametrize(
    ("players", "seats", "says"), [(4, 4, "from 1 to 3 of 4"), (4, 0, "from 1"), (1, 1, "two or more")]
)
def test_seats_that_cannot_be(players: int, seats: int, says: str) -> None:
    with pytest.raises(sm.StationmasterError, match=says):
        match_job(entrant("random"), entrant("greedy"), BOOK, players, seats, seed="1")


def test_equal_results_share_a_round() -> None:
    assert won(np.array([3, 1, 3, 0, 0, 0]), 3).tolist() == pytest.approx([0.5, 0, 0.5, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("tie_break", ["shared", "most-zeros"])
@pytest.mark.parametrize("objective", ["lowest-points", "most-money"])
def test_of_whole_matches_the_share_is_that_of_matches(objective: str, tie_break: str) -> None:
    book = sm.rulebook("quarter-pot").with_changes(rounds=3, objective=objective, tie_break=tie_break)
    job = match_job(entrant("random"), entrant("greedy"), book, 3, 1, seed="1", matches=True)
    rng, played, shares = np.random.default_rng(1), [], []
    for sample in range(400):
        share = []
        for rotation in range(3):
            stands = sm.Standing.first(3, 3)
            for _ in range(3):
                points, cents = rng.integers(0, 4, 3).tolist(), rng.integers(-2, 3, 3).tolist()
                who = [int(seat != rotation) for seat in range(3)]
                played.append((sample, rotation, {seat: (who[seat], points[seat], cents[seat]) for seat in range(3)}))
                stands = stands.after(points, cents)
            leading = stands.leading(book)
            share.append((rotation in leading) / len(leading))
        shares.append(sum(share) / 3)
    standing = Standing(job, 400)
    standing.add(Task(0, 0, 400), frame(job, 0, rows(3, *played)))
    assert standing.share.mean == pytest.approx(sum(shares) / 400)
    assert standing.share.high - standing.share.low == pytest.approx(
        mean_interval(shares).high - mean_interval(shares).low, rel=1e-4
    )
    assert standing.counted_rounds == 400 * 9


def test_samples_without_a_gap() -> None:
    samples = Samples(6)
    samples.put(Task(0, 3, 5), np.array([3.0, 4.0]))
    assert (samples.count, samples.in_order()[0].tolist()) == (2, [])
    samples.put(Task(0, 0, 2), np.array([0.0, 1.0]))
    assert samples.in_order()[0].tolist() == [0, 1]
    samples.put(Task(0, 2, 3), np.array([2.0]))
    assert samples.in_order()[0].tolist() == [0, 1, 2, 3, 4]
    samples.put(Task(0, 5, 9), np.array([5.0, 6.0, 7.0, 8.0]))
    assert samples.in_order()[0].tolist() == samples.all()[0].tolist() == [0, 1, 2, 3, 4, 5]


def test_means_of_some_rows() -> None:
    of: Frame = {"sample": np.array([4, 4, 5, 5, 6])}
    values, who = np.array([1, 3, 5, 7, 9]), np.array([True, True, False, True, False])
    assert mean_of_samples(Task(0, 4, 7), of, values).tolist() == [2, 6, 9]
    some = mean_of_samples(Task(0, 4, 7), of, values, who).tolist()
    assert some[:2] == [2, 7]
    assert isnan(some[2])


# ---- A ladder ----


def test_a_ladder_finds_the_order() -> None:
    rng = np.random.default_rng(4)
    strength = np.array([0, 4, 8, 12, 16])
    lineups = np.array([rng.permutation(5)[:4] for _ in range(600)])
    results = strength[lineups] + rng.gumbel(size=lineups.shape) * 8
    ratings = rate(5, [(lineups[:300], results[:300]), (lineups[300:], results[300:])])
    means = [one.mean for one in ratings]
    assert means == sorted(means)
    assert all(one.low < one.mean < one.high for one in ratings)
    assert ratings[4].low > ratings[0].high
    few = rate(5, [(lineups[:60], results[:60])])
    assert few[0].half > 2 * ratings[0].half, "more games say more"


def test_the_interval_of_a_rating_holds_what_comes_of_many_games() -> None:
    """The same bots rated over other games: the ratings differ by no more than their intervals say."""
    strength = np.array([0.0, 3.0, 6.0])
    found = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        lineups = np.array([rng.permutation(3) for _ in range(250)])
        found.append(rate(3, [(lineups, strength[lineups] + rng.gumbel(size=lineups.shape) * 8)]))
    middle = np.mean([[one.mean for one in ratings] for ratings in found], axis=0)
    held = [one.low <= truth <= one.high for ratings in found for one, truth in zip(ratings, middle, strict=True)]
    assert np.mean(held) >= 0.93


def test_two_seats_of_one_bot_move_together() -> None:
    lineups, results = np.array([[0, 0, 1]] * 50), np.array([[5, 5, 0]] * 50)
    ahead, behind = rate(2, [(lineups, results)])
    assert ahead.mean > 25 > behind.mean
    assert (ahead.samples, behind.samples) == (50, 50)


def test_pairs_are_compared_where_they_meet() -> None:
    job = ladder_job([entrant("random"), entrant("greedy"), entrant("random@9")], BOOK, 2, seed="1")
    climb = Climb(job, 10)
    played = rows(
        2,
        (0, 0, {0: (0, 10, 0), 1: (1, 4, 0)}),
        (0, 1, {0: (1, 2, 0), 1: (0, 2, 0)}),
        (1, 0, {0: (2, 0, 0), 1: (0, 8, 0)}),
        (1, 1, {0: (0, 6, 0), 1: (2, 0, 0)}),
        (2, 0, {0: (1, 1, 0), 1: (0, 0, 0)}),
        (2, 1, {0: (0, 0, 0), 1: (1, 9, 0)}),
    )
    climb.add(Task(0, 0, 3), frame(job, 0, played))
    pairs = {(one.a, one.b): one for one in climb.pairs()}
    assert set(pairs) == {("random", "greedy"), ("random", "random@9")}, "two never met"
    assert pairs["random", "greedy"].difference == mean_interval([3.0, -5.0])
    assert pairs["random", "greedy"].ahead == mean_interval([0.25, 1.0])
    assert pairs["random", "random@9"].difference.mean == 7
    best = climb.ratings()[0]
    assert best.bot == "random@9"
    assert best.points.mean == -3.5
    assert best.share.mean == 2
    assert climb.leader()[0] == "random@9"


def test_what_lies_past_the_target_does_not_count() -> None:
    job = ladder_job([entrant("random"), entrant("greedy")], BOOK, 2, seed="1")
    played = [(at, 0, {0: (0, at, 0), 1: (1, 0, 0)}) for at in range(6)]
    whole, part = Climb(job, 4), Climb(job, 4)
    whole.add(Task(0, 0, 6), frame(job, 0, rows(2, *played)))
    part.add(Task(0, 0, 4), frame(job, 0, rows(2, *played[:4])))
    assert whole.figures() == part.figures()
    assert whole.count == 4


@pytest.mark.parametrize(("bots", "players"), [(["random"], 4), (["random", "greedy"], 1)])
def test_ladders_that_cannot_be(bots: list[str], players: int) -> None:
    with pytest.raises(sm.StationmasterError, match="two bots or more, and two players or more"):
        ladder_job([entrant(bot) for bot in bots], sm.rulebook("pressman"), players, seed="1")
