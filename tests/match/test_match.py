"""A match: who starts, what is dealt, the pot, the totals and who wins."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import oracle
from match.playing import NAMES, POT_DEALS, POT_MOVES, play_match, play_moves, play_round, pot_match
from stationmaster.engine.deal import Deal, first_starter
from stationmaster.engine.round import Outcome
from stationmaster.engine.shuffle import secret_from_seed
from stationmaster.errors import DealError, RulebookError, StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

if TYPE_CHECKING:
    from stationmaster.rulebooks.rulebook import Rulebook

pytestmark = pytest.mark.core


def short(id: str, rounds: int = 2, **changes: object) -> Rulebook:
    return rulebook(id).with_changes(rounds=rounds, **changes)


# ---- The course of a match ---------------------------------------------------------------------------


def test_a_match_begins_with_its_first_round_dealt() -> None:
    match = Match(rulebook("tactic"), ["Ann", "Ben"], seed=7)
    assert (match.number, match.over, match.winners) == (1, False, None)
    assert (match.names, match.players, match.seed) == (("Ann", "Ben"), 2, 7)
    assert match.totals == match.money == (0, 0)
    assert match.pot == 0
    assert match.rounds == (match.round,)
    assert match.round.deal == Deal.shuffle(rulebook("tactic"), 2, 1, seed=7)
    assert repr(match) == "<Match tactic, round 1 of 13, Ann, Ben>"


def test_the_totals_are_those_of_the_rounds_that_have_ended() -> None:
    match, rng = Match(short("puremco-9"), NAMES[:3], seed=1), random.Random(1)
    play_moves(match, rng, 10)
    assert match.totals == (0, 0, 0)
    play_round(match, rng)
    first = match.round.outcome()
    assert first is not None
    assert match.totals == first.points
    match.next_round()
    assert match.totals == first.points
    play_round(match, rng)
    second = match.round.outcome()
    assert second is not None
    assert match.totals == tuple(a + b for a, b in zip(first.points, second.points, strict=True))
    match.round.pop()
    assert (match.totals, match.over, match.winners) == (first.points, False, None)


def test_a_round_that_runs_is_not_left_for_the_next() -> None:
    match = Match(rulebook("tactic"), ["Ann", "Ben"], seed=7)
    with pytest.raises(StationmasterError, match="round 1 still runs: it is the turn of Ann"):
        match.next_round()
    assert match.number == 1


def test_no_round_follows_the_last() -> None:
    match = play_match(Match(short("tactic"), ["Ann", "Ben"], seed=7), random.Random(1))
    assert match.over
    with pytest.raises(StationmasterError, match=r"the match is over: round 2 was the last"):
        match.next_round()


def test_pressman_may_go_on_for_any_number_of_rounds() -> None:
    match = play_match(Match(short("pressman", 20), NAMES[:3], seed=1), random.Random(1))
    assert match.number == 20


@pytest.mark.parametrize("id", rulebooks())
def test_the_engines_come_in_order_and_the_start_goes_round(id: str) -> None:
    book = rulebook(id)
    if book.engine == "highest-held":
        return
    players = max(book.players)
    match = play_match(Match(book, NAMES[:players], seed=3), random.Random(3))
    assert [str(round.deal.engine) for round in match.rounds] == list(book.engines[: book.rounds])
    first = first_starter(book, players, secret_from_seed(3))
    assert [round.starter for round in match.rounds] == [(first + turn) % players for turn in range(book.rounds)]
    assert [round.last for round in match.rounds] == [False] * (book.rounds - 1) + [True]


def test_in_pressman_the_holder_of_the_engine_starts_every_round() -> None:
    match = play_match(Match(rulebook("pressman"), NAMES[:4], seed=3), random.Random(3))
    assert {len(round.deal.hands[round.starter]) for round in match.rounds} == {14}
    assert len({round.starter for round in match.rounds}) > 1


# ---- Seeds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [7, "7", "tren", 2**70, -1])
def test_the_same_seed_is_the_same_match(seed: int | str) -> None:
    one, other = (
        play_match(Match(short("supertrain"), NAMES[:4], seed=seed), random.Random(5)).record().dumps()
        for _ in range(2)
    )
    assert one == other
    assert Record.loads(one).seed == seed


def test_without_a_seed_a_fresh_one_is_made_and_kept() -> None:
    one, other = (Match(rulebook("tactic"), ["Ann", "Ben"]) for _ in range(2))
    assert one.seed is not None
    assert one.seed != other.seed
    assert Match(rulebook("tactic"), ["Ann", "Ben"], seed=one.seed).round.deal == one.round.deal


@pytest.mark.parametrize("seed", [1.5, True, b"7", [7]])
def test_a_seed_is_a_number_or_a_text(seed: object) -> None:
    with pytest.raises(StationmasterError, match="a seed is a whole number or a text"):
        Match(rulebook("tactic"), ["Ann", "Ben"], seed=seed)  # type: ignore[arg-type]
    with pytest.raises(StationmasterError, match="a seed is a whole number or a text"):
        Deal.shuffle(rulebook("tactic"), 2, seed=seed)  # type: ignore[arg-type]


# ---- Players -----------------------------------------------------------------------------------------


def test_the_rulebook_says_how_many_play() -> None:
    with pytest.raises(RulebookError, match=r"players = 5: .* deals for 2, 3, 4"):
        Match(rulebook("puremco-9"), NAMES[:5])


@pytest.mark.parametrize("name", ["", "  ", "Ann\nBen", "\x1b[2J", "a\u2028b", "\ud800", 7, None])
def test_a_name_is_one_line_of_text(name: object) -> None:
    with pytest.raises(StationmasterError, match=r"seat 1 is called .*: a name is one line of text"):
        Match(rulebook("tactic"), ["Ann", name])  # type: ignore[list-item]


def test_names_come_as_a_list() -> None:
    with pytest.raises(StationmasterError, match="a list of names is needed"):
        Match(rulebook("tactic"), "Ann")


def test_names_may_be_of_any_script() -> None:
    names = ["Íñigo", "李小龍", "👩‍👩‍👧", "Ann"]
    record = Match(rulebook("tactic"), names, seed=1).record()
    assert Record.loads(record.dumps()).replay().names == tuple(names)


# ---- Deals that are given ----------------------------------------------------------------------------


def test_the_same_deals_can_be_played_at_a_second_table() -> None:
    first = play_match(Match(short("tactic", 3), NAMES[:3], seed=1), random.Random(1))
    second = Match(short("tactic", 3), NAMES[3:6], deals=[round.deal for round in first.rounds])
    play_match(second, random.Random(2))
    assert [round.deal for round in second.rounds] == [round.deal for round in first.rounds]
    assert second.seed is None
    assert second.record().replay().totals == second.totals


def test_deals_may_come_from_a_function() -> None:
    book, asked = short("tactic", 3), []

    def supply(number: int, starter: int | None) -> Deal:
        asked.append((number, starter))
        return Deal.shuffle(book, 2, number, seed="supply", starter=starter)

    play_match(Match(book, ["Ann", "Ben"], deals=supply), random.Random(2))
    assert asked == [(1, 0), (2, 1), (3, 0)]


def test_one_deal_may_be_given_for_the_next_round() -> None:
    match = Match(short("tactic"), ["Ann", "Ben"], seed=1)
    play_round(match, random.Random(1))
    deal = Deal.shuffle(match.book, 2, 2, seed="other", starter=1)
    assert match.next_round(deal).deal is deal


def test_deals_that_are_used_up_are_not_replaced_in_silence() -> None:
    deal = Deal.shuffle(short("tactic"), 2, 1, seed=1)
    match = Match(short("tactic"), ["Ann", "Ben"], deals=[deal])
    play_round(match, random.Random(1))
    with pytest.raises(DealError, match="no deal for round 2: those given are used up"):
        match.next_round()
    assert match.number == 1


def test_a_deal_that_cannot_be_is_refused() -> None:
    match = Match(short("tactic"), ["Ann", "Ben"], seed=1)
    play_round(match, random.Random(1))
    book = match.book
    with pytest.raises(DealError, match="the engine is 12-12; in round 2 it is 11-11"):
        match.next_round(Deal.shuffle(book, 2, 1, seed=1, starter=1))
    with pytest.raises(DealError, match="seat 0 starts; it is the turn of seat 1 to start"):
        match.next_round(Deal.shuffle(book, 2, 2, seed=1, starter=0))
    with pytest.raises(DealError, match="there are 3 hands, and 2 players"):
        match.next_round(Deal.shuffle(book, 3, 2, seed=1, starter=1))
    assert match.number == 1


# ---- The pot -----------------------------------------------------------------------------------------


def test_the_pot_of_a_blocked_round_stays_and_the_last_one_is_shared() -> None:
    match, pots = pot_match(pass_fee=5)
    assert [outcome.ending for outcome in match.outcomes()] == ["blocked", "out", "blocked"]
    assert pots == [3 * 25 + 5 * 5, 0, 0]
    # Round 2: 100 + 75 for Ben, less his 25. Round 3: 75 + 25 is 33 each; the odd cent goes to Cleo, who started.
    assert [outcome.cents for outcome in match.outcomes()] == [(-35, -35, -30), (-25, 150, -25), (-2, 3, -1)]
    assert match.money == (-62, 118, -56)


def test_two_odd_cents_go_clockwise_from_the_starter() -> None:
    match, pots = pot_match(pass_fee=10)
    assert pots == [3 * 25 + 5 * 10, 0, 0]
    # Round 3: 125 is 41 each; the odd cents go to Cleo, who started, and on to Ann.
    assert [outcome.cents for outcome in match.outcomes()] == [(-45, -45, -35), (-25, 175, -25), (-3, 6, -3)]


def test_the_money_decides_where_it_is_the_object_of_the_match() -> None:
    match, _ = pot_match(pass_fee=5)
    assert match.totals == (3, 6, 10)
    assert match.winners == (1,)


def test_the_pot_grows_while_a_round_runs() -> None:
    book = rulebook("quarter-pot").with_changes(highest=3, deal={3: 3}, rounds=3)
    match = Match(book, NAMES[:3], deals=POT_DEALS)
    assert match.pot == 75
    for move in POT_MOVES[0].split()[:7]:
        match.round.push(move)
    assert match.pot == 80


@pytest.mark.parametrize("seed", range(30))
def test_no_cent_is_lost(seed: int) -> None:
    book = rulebook("quarter-pot").with_changes(highest=4, deal={3: 4}, rounds=5)
    match, rng = Match(book, NAMES[:3], seed=seed), random.Random(seed)
    play_round(match, rng)
    while not match.over:
        assert sum(match.money) + match.pot == 0
        match.next_round()
        play_round(match, rng)
    assert sum(match.money) == 0
    assert match.pot == 0


# ---- Who wins ----------------------------------------------------------------------------------------


def won(monkeypatch: pytest.MonkeyPatch, points: list[tuple[int, ...]], **changes: object) -> tuple[int, ...] | None:
    """Who wins a match with these points in its rounds."""
    match = Match(rulebook("tactic").with_changes(**changes), NAMES[: len(points[0])], seed=1)
    cents = (0,) * match.players
    monkeypatch.setattr(Match, "outcomes", lambda _: [Outcome("out", row, cents) for row in points])
    monkeypatch.setattr(Match, "over", True)
    return match.winners


def test_the_lowest_total_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    assert won(monkeypatch, [(0, 9, 30), (20, 0, 5)]) == (1,)


def test_equal_totals_share_the_win(monkeypatch: pytest.MonkeyPatch) -> None:
    assert won(monkeypatch, [(0, 5, 30), (12, 7, 0)]) == (0, 1)


def test_more_rounds_at_zero_break_the_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    assert won(monkeypatch, [(0, 5, 30), (12, 7, 0)], tie_break="most-zeros") == (0,)


def test_then_the_lowest_round_above_zero_breaks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [(0, 4, 0), (0, 0, 9), (9, 0, 0), (3, 8, 3)]
    assert won(monkeypatch, points, tie_break="most-zeros") == (0, 2)


def test_no_round_above_zero_is_as_low_as_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert won(monkeypatch, [(0, 0), (0, 0)], tie_break="most-zeros") == (0, 1)


@pytest.mark.parametrize("tie_break", ["shared", "most-zeros"])
@pytest.mark.parametrize("objective", ["lowest-points", "most-money"])
def test_both_referees_name_the_same_winners(objective: str, tie_break: str) -> None:
    book = rulebook("quarter-pot").with_changes(
        highest=3, deal={3: 3}, rounds=4, pass_fee=0, objective=objective, tie_break=tie_break
    )
    shared = 0
    for seed in range(60):
        match = play_match(Match(book, NAMES[:3], seed=seed), random.Random(seed))
        points = [list(outcome.points) for outcome in match.outcomes()]
        cents = [list(outcome.cents) for outcome in match.outcomes()]
        totals, winners = oracle.match_totals(points, cents, book)
        assert match.totals == tuple(totals)
        assert match.winners == tuple(winners)
        shared += len(winners) > 1
    assert shared or tie_break == "most-zeros"
