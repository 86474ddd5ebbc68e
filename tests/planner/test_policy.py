"""The planner's way of playing in the core: legal, fair, the same compiled and interpreted, and its plans stand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import stationmaster as sm
from both import house_mix
from planner.pure_planner import all_interpreted, interpreted
from stationmaster.engine.layout import GREEDY, PLANNER, RANDOM
from stationmaster.engine.moves import Move
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import POINTS, Weights, weights_for

pytestmark = pytest.mark.core


def rounds(book: sm.Rulebook, players: int, seed: int | str) -> sm.Round:
    """A round of some number, dealt."""
    number = 1 + Random(f"{book.id} {seed}").randrange(min(book.rounds, len(book.engines)))
    return sm.Round(book, sm.Deal.shuffle(book, players, number, seed=seed))


def placements(round: sm.Round) -> list[int]:
    """The numbers of the placements that are legal now."""
    return [move.code for move in round.legal_moves() if move.tile is not None]


# ---- Whole rounds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", sm.rulebooks())
def test_interpreted_it_plays_the_same(id: str) -> None:
    book = sm.rulebook(id)
    pure = interpreted("planner.policy").Planner(weights_for(book))
    mine = Planner(weights_for(book))
    assert sm.engine.compiled == ("cython" in type(Planner.play).__name__)
    for players in sorted({book.players[0], 4, book.players[-1]}):
        for kinds in ([PLANNER] * players, [RANDOM, GREEDY, PLANNER, PLANNER] * 4):
            mine.set_kinds(kinds[:players])
            pure.set_kinds(kinds[:players])
            here = rounds(book, players, players)
            with all_interpreted():
                there = rounds(book, players, players)
            here._state.seed(players)
            there._state.seed(players)
            mine.play(here._state)
            pure.play(there._state)
            assert here._state.key() == there._state.key()


@pytest.mark.parametrize("id", ["puremco-12", "supertrain", "front-porch"])
def test_interpreted_it_rates_the_same(id: str) -> None:
    book = sm.rulebook(id)
    pure, mine = interpreted("planner.policy").Planner(weights_for(book)), Planner(weights_for(book))
    here, rng = rounds(book, 4, "rates"), Random(id)
    with all_interpreted():
        there = rounds(book, 4, "rates")
    while here.turn is not None:
        if len(placements(here)) > 1 and rng.random() < 0.3:
            assert mine.ratings(here._state) == pure.ratings(there._state)
        move = rng.choice(here.legal_moves())
        here.push(move)
        there.push(move)


def play_afresh(round: sm.Round, planner: Planner) -> None:
    """Play a round out, every plan made anew at every decision; every choice is one that the rules allow."""
    while round.turn is not None:
        code = planner.choice(round._state)
        assert Move.from_code(code) in round.legal_moves()
        round.push(Move.from_code(code))


def assert_plans_stand(book: sm.Rulebook, first: sm.Round) -> None:
    kept = first._state.copy()
    Planner(weights_for(book)).play(kept)
    play_afresh(first, Planner(weights_for(book)))
    assert kept.key() == first._state.key()


@pytest.mark.parametrize("id", sm.rulebooks())
def test_a_plan_that_is_kept_is_the_plan_made_anew(id: str) -> None:
    book = sm.rulebook(id)
    for players in book.players:
        for seed in range(4):
            assert_plans_stand(book, rounds(book, players, seed))


def test_so_it_is_under_house_rules_and_its_moves_are_legal() -> None:
    tables, kinds = set(), set()
    for number in range(250):
        book, players = house_mix(number)
        round = sm.Round(book, sm.Deal.shuffle(book, players, seed=f"policy {number}"))
        assert_plans_stand(book, round)
        tables |= {f"{players} players", f"double-{book.highest}", f"wild {book.wild_tiles}"}
        kinds |= {move.kind for _, move in round.moves}
    assert {"1 players", "14 players", "double-18", "wild True", "wild False"} <= tables
    assert kinds >= {"place", "draw", "pass"}


@pytest.mark.parametrize("kind", [GREEDY, PLANNER])
@pytest.mark.parametrize("id", ["puremco-12", "supertrain", "front-porch", "quarter-pot"])
def test_what_is_hidden_decides_nothing(id: str, kind: int) -> None:
    book = sm.rulebook(id)
    rng = Random(id)
    planner = Planner(weights_for(book))
    planner.set_kinds([kind] * 14)
    asked = 0
    for players in (2, 4, 8):
        round = rounds(book, players, "hidden")
        while round.turn is not None:
            choice = Move.from_code(planner.choice(round._state))
            if len(placements(round)) > 1:
                ratings = planner.ratings(round._state)
                worlds = round.observe(round.turn).worlds(rng)
                for _ in range(3):
                    worlds.step()
                    asked += 1
                    assert Move.from_code(planner.choice(worlds.state())) == choice
                    assert planner.ratings(worlds.state()) == ratings
            round.push(choice if rng.random() < 0.7 else rng.choice(round.legal_moves()))
    assert asked > 100


# ---- The ways of playing ----------------------------------------------------------------------------


def test_each_seat_plays_in_its_own_way() -> None:
    """By chance is worse than the heaviest tile, and that is worse than a plan, wherever they sit."""
    book = sm.rulebook("puremco-12")
    planner = Planner()
    for kinds in ([RANDOM, GREEDY, PLANNER], [PLANNER, RANDOM, GREEDY], [GREEDY, PLANNER, RANDOM]):
        points = [0, 0, 0]
        planner.set_kinds(kinds)
        for seed in range(150):
            state = rounds(book, 3, seed)._state
            state.seed(seed + 1)
            planner.play(state)
            for seat in range(3):
                points[kinds[seat]] += state.points_of(seat)
        assert points[RANDOM] > points[GREEDY] + 150 > points[PLANNER] + 900


def test_by_chance_every_move_is_made_as_often_also_stopping() -> None:
    book = sm.rulebook("front-porch")
    planner = Planner()
    planner.set_kinds([RANDOM] * 4)
    met: set[str] = set()
    for seed in range(40):
        round = rounds(book, 3, seed)
        while len(round.moves) < 6 and round.turn is not None:
            legal = round.legal_moves()
            if len(legal) > 1 and not met >= {move.kind for move in legal}:
                round._state.seed(seed + 1)
                times = dict.fromkeys(legal, 0)
                for _ in range(200 * len(legal)):
                    times[Move.from_code(planner.choice(round._state))] += 1
                assert all(130 < count < 280 for count in times.values()), times
                met |= {move.kind for move in legal}
            round.push(legal[0])
    assert met == {"place", "stop"}


def test_the_heaviest_tile_is_what_greedy_plays() -> None:
    for id in ("tactic", "supertrain"):
        book = sm.rulebook(id)
        planner = Planner()
        planner.set_kinds([GREEDY] * 4)
        round = rounds(book, 4, "heaviest")
        while round.turn is not None:
            legal = round.legal_moves()
            move = Move.from_code(planner.choice(round._state))
            if move.tile is not None:
                most = max(one.tile.points(book) for one in legal if one.tile is not None)
                assert move == next(one for one in legal if one.tile and one.tile.points(book) == most)
            round.push(move)


# ---- Ratings ----------------------------------------------------------------------------------------


def assert_rated(round: sm.Round, planner: Planner) -> None:
    ratings = planner.ratings(round._state)
    numbers = [number for number, _ in ratings]
    assert numbers[0] == planner.choice(round._state), "its own choice first"
    assert sorted(numbers) == sorted(placements(round)), "every placement once"
    scores = [score for _, score in ratings]
    assert scores == sorted(scores, reverse=True), "then the best first"


@pytest.mark.parametrize("id", sm.rulebooks())
def test_every_placement_is_rated_once_the_planners_own_first(id: str) -> None:
    book = sm.rulebook(id)
    rng = Random(id)
    planner = Planner(weights_for(book))
    most = 0
    for players in {book.players[0], book.players[-1]}:
        for seed in range(3):
            round = rounds(book, players, seed)
            while round.turn is not None:
                if placements(round):
                    assert_rated(round, planner)
                    most = max(most, len(placements(round)))
                round.push(rng.choice(round.legal_moves()))
    assert most > 5


def test_equal_tiles_and_wild_ends_are_rated_once_too() -> None:
    spot = sm.Position(
        sm.rulebook("supertrain"),
        engine="12-12",
        trains={0: "12-W", 1: "12-5 5-W", "M": "12-3"},
        markers=[1],
        hands=[["A-W", "A-W", "A-W", "4-W", "W-W", "1-2", "3-3", "7-8"], ["1-1"], ["2-2"]],
        bone_pile=None,
    )
    round = spot.round()
    assert_rated(round, Planner(weights_for(round.book)))
    moves = [str(move) for move in round.legal_moves()]
    for move in ("W-A@0", "W-A@2", "W-A@M", "1-2@0", "2-1@0", "1-2@1", "W-W@0", "3-3@M", "W-4@1", "4-W@1"):
        assert moves.count(move) == 1, moves


def test_of_more_placements_than_there_is_room_for_the_best_are_rated() -> None:
    """Fourteen trains with wild ends, all marked, and a hand with half of the set."""
    book = sm.rulebook("supertrain").with_changes(deal={14: 5})
    wilds = [f"12-{n}" for n in range(12)]
    trains: dict[Any, str] = {seat: f"12-{seat} {seat}-W" for seat in range(12)}
    trains |= {12: "12-W D-W", 13: "W-T"}
    hand = [f"{a}-{b}" for a in range(12) for b in range(a, 12)][:40]
    assert not set(hand) & set(wilds)
    spot = sm.Position(book, engine="12-12", trains=trains, markers=range(14), hands=[hand], bone_pile=None, players=14)
    round = spot.round()
    planner = Planner(weights_for(book))
    ratings = planner.ratings(round._state)
    assert len(placements(round)) > 900
    assert ratings[0][0] == planner.choice(round._state)
    assert len({number for number, _ in ratings}) == len(ratings) > 600
    assert {number for number, _ in ratings} <= set(placements(round))
    scores = [score for _, score in ratings]
    assert scores == sorted(scores, reverse=True)
    for size in (4, 8, 16, 24):  # the fewer tiles, the fewer are left out: what is rated is rated as ever
        fewer = sm.Position(
            book, engine="12-12", trains=trains, markers=range(14), hands=[hand[:size]], bone_pile=None, players=14
        )
        if len(placements(fewer.round())) <= len(ratings):
            assert_rated(fewer.round(), planner)


# ---- A duel -----------------------------------------------------------------------------------------

SPENDTHRIFT = Weights(own=3.0, elsewhere=-40.0, marker=0.0)


@pytest.mark.parametrize("fee", [0, 5])
def test_a_duel_is_what_comes_of_playing_every_deal_in_all_rotations(fee: int) -> None:
    book = sm.rulebook("quarter-pot" if fee else "tactic")
    players, deals, size = 3, 6, 12
    one, other = Planner(SPENDTHRIFT), Planner(POINTS)
    mean, error, won = one.duel(other, rounds(book, players, 1)._state, deals, size, 77, fee)
    dealer = rounds(book, players, 1)._state
    dealer.seed(77)
    samples = []
    wins = 0.0
    for deal in range(deals):
        dealer.deal(book.highest - deal % (book.highest + 1), size, deal % players)
        differences = []
        for seat in range(players):
            state = dealer.copy()
            while (turn := state.whose()) >= 0:
                state.push((one if turn == seat else other).choice(state))
            costs = [float(state.points_of(one)) for one in range(players)]
            if fee:
                costs = [25.0 + fee * state.passes_of(one) for one in range(players)]
                for out in (one for one in range(players) if state.size(one) == 0):
                    costs[out] -= sum(25.0 + fee * state.passes_of(one) for one in range(players))
            own = costs.pop(seat)
            differences.append(own - sum(costs) / (players - 1))
            wins += 1.0 if own < min(costs) else 0.5 if own == min(costs) else 0.0
        samples.append(sum(differences) / players)
    average = sum(samples) / deals
    variance = sum(sample**2 for sample in samples) / deals - average**2
    assert mean == pytest.approx(average)
    assert error == pytest.approx((variance / deals) ** 0.5)
    assert won == pytest.approx(wins / deals)
    assert mean > 0, "worse weights leave more points"


def test_a_duel_of_equals_is_even() -> None:
    mean, error, won = Planner().duel(Planner(), rounds(sm.rulebook("tactic"), 4, 1)._state, 3, 12, 5, 0)
    assert mean == pytest.approx(0, abs=1e-9)
    assert error == pytest.approx(0, abs=1e-6)
    assert isinstance(error, float)
    assert won == pytest.approx(1)
