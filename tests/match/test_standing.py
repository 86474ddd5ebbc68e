"""How a match stands: known in every round to everybody, and enough to say who would win."""

from __future__ import annotations

import pickle
import random
from copy import deepcopy

import msgspec
import pytest

import oracle
from match.playing import NAMES, play_match, play_moves, play_round
from stationmaster.engine.deal import Deal
from stationmaster.engine.round import Round
from stationmaster.engine.standing import Standing
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook

pytestmark = pytest.mark.core


def test_every_round_of_a_match_knows_what_those_before_it_have_brought() -> None:
    book = rulebook("quarter-pot").with_changes(highest=6, deal={3: 5}, rounds=4)
    match, rng = Match(book, NAMES[:3], seed=5), random.Random(5)
    assert match.round.standing == Standing.first(4, 3)
    while True:
        before = match.round.standing
        assert before is not None
        assert (before.number, before.rounds, before.to_come) == (match.number, 4, 4 - match.number)
        assert before.to_come == 0 or not match.round.last
        assert (before.points, before.cents) == (match.totals, match.money)
        play_round(match, rng)
        outcome = match.round.outcome()
        assert outcome is not None
        after = before.after(outcome.points, outcome.cents)
        assert after == match.standing
        assert match.round.standing == before, "how it stood when the round was dealt"
        if match.over:
            break
        match.next_round()
    assert match.winners == after.leading(book)
    assert any(after.points)
    assert any(after.cents)


@pytest.mark.parametrize("tie_break", ["shared", "most-zeros"])
@pytest.mark.parametrize("objective", ["lowest-points", "most-money"])
def test_it_says_who_is_in_the_lead_as_the_other_referee_does(objective: str, tie_break: str) -> None:
    book = rulebook("quarter-pot").with_changes(objective=objective, tie_break=tie_break)
    rng, equal, broken = random.Random(3), 0, 0
    for _ in range(2000):
        points = [[rng.choice([0, 0, 1, 2, 3]) for _ in range(3)] for _ in range(rng.randint(1, 4))]
        cents = [[rng.choice([-5, 0, 5]) for _ in range(3)] for _ in points]
        standing = Standing.first(9, 3)
        for rows in zip(points, cents, strict=True):
            standing = standing.after(*rows)
        leading = standing.leading(book)
        assert leading == tuple(oracle.match_totals(points, cents, book)[1])
        equal += len(leading) > 1
        counted = standing.points if objective == "lowest-points" else [-count for count in standing.cents]
        broken += len(leading) < list(counted).count(min(counted))
    assert equal > 20
    assert (broken > 20) == (tie_break == "most-zeros")


def test_a_copy_a_pickle_and_a_record_keep_it() -> None:
    match, rng = Match(rulebook("tactic").with_changes(rounds=3), NAMES[:2], seed=2), random.Random(2)
    play_round(match, rng)
    round = match.next_round()
    play_moves(match, rng, 9)
    standing = round.standing
    assert standing is not None
    assert standing.points == match.totals != (0, 0)
    for other in (round.copy(), pickle.loads(pickle.dumps(round)), deepcopy(round)):
        assert (other.standing, other.moves) == (standing, round.moves)
    again = Record.loads(match.record().dumps()).replay()
    assert [one.standing for one in again.rounds] == [one.standing for one in match.rounds]


def test_everybody_sees_it_and_it_hides_nothing() -> None:
    match, rng = Match(rulebook("tactic").with_changes(rounds=3), NAMES[:3], seed=4), random.Random(4)
    play_round(match, rng)
    round = match.next_round()
    for seat in (None, 0, 1, 2):
        seen = round.observe(seat)
        assert seen.standing == round.standing
        told = msgspec.json.decode(seen.encode())["standing"]
        assert msgspec.convert(told, Standing) == round.standing
        assert seen.sample(rng).standing == round.standing
    other = Round(match.book, round.deal, standing=Standing.first(3, 3))
    assert other.observe(0).encode() != round.observe(0).encode()


def test_a_round_by_itself_stands_nowhere() -> None:
    book = rulebook("tactic")
    round = Round(book, Deal.shuffle(book, 3, 1, seed=1))
    assert round.standing is None
    assert round.observe(0).standing is None


def test_the_last_standing_is_that_of_the_match() -> None:
    match = play_match(Match(rulebook("tactic").with_changes(rounds=2), NAMES[:2], seed=7), random.Random(7))
    assert match.standing.number == 3
    assert match.standing.leading(match.book) == match.winners == match.leading
