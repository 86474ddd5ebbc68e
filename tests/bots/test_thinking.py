"""How bots that search spend their time: within the limit, the same again, and what is certain is believed."""

from __future__ import annotations

from random import Random

import pytest

import stationmaster as sm
from bots.spots import decisions, last_tiles
from planner.pure_planner import all_interpreted
from stationmaster.bots.thinking import CANDIDATES, PLAYOUTS, think
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

SEARCHING = ("rollout", "belief", "master")


def some(rulebook: str, players: int, seed: int, among: int = 2, nth: int = 3) -> sm.Observation:
    """What is seen at a decision of a round."""
    for number, round in enumerate(decisions(sm.rulebook(rulebook), players, seed, among=among)):
        if number == nth:
            return round.observe(round.turn)
    raise AssertionError("a round with few decisions")


@pytest.mark.parametrize("believing", [False, True])
@pytest.mark.parametrize("rulebook", ["puremco-12", "supertrain", "quarter-pot"])
def test_never_more_rounds_are_played_out_than_allowed(rulebook: str, believing: bool) -> None:
    seen = some(rulebook, 4, 1, among=4)
    used = []
    for playouts in [*range(1, 40), 64, 99, 100, 250]:
        thought = think(seen, sm.Limit(playouts=playouts), Random(1), believing=believing)
        assert thought.playouts <= playouts
        used.append(thought.playouts > playouts - CANDIDATES)
        assert sum(tried.deals for tried in thought.tried) == thought.playouts
        assert (len(thought.tried) > 1) == (thought.playouts > 0)
    assert sum(used) > 15, "unless all else falls behind, the limit is used"


def test_without_a_limit_there_is_one() -> None:
    seen = some("puremco-12", 4, 1)
    assert PLAYOUTS - CANDIDATES < think(seen, sm.Limit(), Random(1)).playouts <= PLAYOUTS


@pytest.mark.parametrize("bot", SEARCHING)
@pytest.mark.parametrize("limit", [sm.Limit(playouts=1), sm.Limit(seconds=1e-6), sm.Limit(seconds=1e-6, playouts=9)])
@pytest.mark.parametrize("rulebook", ["tactic", "supertrain", "quarter-pot"])
def test_who_has_no_time_plays_as_the_planner_and_says_what_it_would(bot: str, limit: sm.Limit, rulebook: str) -> None:
    for number, round in enumerate(decisions(sm.rulebook(rulebook), 3, 2)):
        if number % 5:
            continue
        seen = round.observe(round.turn)
        planned = sm.bot("planner").consider(seen, limit, Random(1))
        advice = sm.bot(bot).consider(seen, limit, Random(1))
        assert (advice.move, advice.why, advice.places) == (planned.move, planned.why, planned.places)
        assert advice.values == {advice.move: 0.0}


@pytest.mark.parametrize("bot", ["planner", *SEARCHING])
def test_an_only_move_needs_no_thought(bot: str) -> None:
    met = set()
    for rulebook in ("puremco-12", "supertrain"):
        for round in decisions(sm.rulebook(rulebook), 3, 4, among=0):
            legal = round.legal_moves()
            if len(legal) == 1:
                advice = sm.bot(bot).consider(round.observe(round.turn), sm.Limit(playouts=50), Random(1))
                assert advice == sm.Advice(legal[0], why="bot.why.only")
                met.add(legal[0].kind)
    assert met == {"place", "draw", "pass"}


def test_one_placement_or_a_stop_is_no_more_than_the_placement_to_try() -> None:
    for seed in range(9):
        for round in decisions(sm.rulebook("front-porch"), 4, seed, among=1):
            kinds = [move.kind for move in round.legal_moves()]
            if kinds == ["place", "stop"]:
                seen = round.observe(round.turn)
                thought = think(seen, sm.Limit(playouts=50), Random(1))
                assert thought.playouts == 0
                assert [tried.move for tried in thought.tried] == [thought.planned] == [round.legal_moves()[0]]
                return
    pytest.fail("no such spot")


@pytest.mark.parametrize("bot", SEARCHING)
@pytest.mark.parametrize("rulebook", ["puremco-12", "supertrain", "quarter-pot", "front-porch"])
def test_the_same_again_for_the_same_numbers(bot: str, rulebook: str) -> None:
    values = set()
    for number, round in enumerate(decisions(sm.rulebook(rulebook), 3, 6)):
        if number % 9:
            continue
        seen = round.observe(round.turn)
        limit = sm.Limit(playouts=60)
        one, two = (sm.bot(bot).consider(seen, limit, Random(7)) for _ in range(2))
        assert one == two
        other = sm.bot(bot).consider(seen, limit, Random(8))
        values.add(other.values == one.values)
        planned = Planner(weights_for(seen.book)).choice(round._state)
        assert think(seen, limit, Random(7), believing=bot != "rollout").planned.code == planned
        assert max(one.values.values()) == one.values[one.move] == 0
        assert set(one.values) <= set(seen.legal_moves)
    assert False in values, "other deals, other values"


def test_what_was_tried_is_told_best_first() -> None:
    for rulebook in ("puremco-12", "supertrain"):
        for number, round in enumerate(decisions(sm.rulebook(rulebook), 4, 8, among=5)):
            if number % 4:
                continue
            seen = round.observe(round.turn)
            thought = think(seen, sm.Limit(playouts=200), Random(3))
            worth = [tried.worth for tried in thought.tried]
            assert worth == sorted(worth, reverse=True)
            assert len({tried.move for tried in thought.tried}) == len(thought.tried) <= CANDIDATES
            assert next(tried.worth for tried in thought.tried if tried.move == thought.planned) == 0
            deals = {tried.move: tried.deals for tried in thought.tried}
            assert deals[thought.planned] == max(deals.values())
            assert min(deals.values()) < max(deals.values()), "some fall behind"


@pytest.mark.parametrize("believing", [False, True])
def test_what_is_certain_is_believed(believing: bool) -> None:
    """Where all lies open, rounds can be played out in one way only: the move that ends best is the best."""
    book = sm.rulebook("puremco-12").with_changes(highest=6, open_hands=True, deal={3: 9}, rounds=7)
    overruled = 0
    for seed in range(18):
        for round in decisions(book, 3, seed, among=2):
            seen = round.observe(round.turn)
            assert seen.bone_pile_count == 0
            worth = {}
            for move in seen.legal_moves:
                state = round._state.copy()
                state.push(move.code)
                Planner(weights_for(book)).play(state)
                points = [state.points_of(seat) for seat in range(3)]
                own = points.pop(round.turn or 0)
                worth[move] = sum(points) / 2 - own
            thought = think(seen, sm.Limit(playouts=400), Random(seed), believing=believing)
            best = max(worth.values())
            if best - worth[thought.planned] > 2 and len(worth) <= CANDIDATES:
                overruled += 1
                assert worth[thought.tried[0].move] == best
                assert thought.tried[0].worth == pytest.approx(best - worth[thought.planned], rel=0.5)
            assert worth[thought.tried[0].move] >= worth[thought.planned]
    assert overruled > 10


def test_in_a_game_for_the_pot_it_is_cents_that_count() -> None:
    worth = []
    for pot in (0, 300):
        thought = think(last_tiles("quarter-pot", pot), sm.Limit(playouts=400), Random(1))
        assert [str(tried.move) for tried in thought.tried] == ["2-2@M", "2-0@M"]
        worth.append(thought.tried[1].worth)
        assert -2 * (50 + pot) <= worth[-1] < -20
    assert worth[1] / worth[0] == pytest.approx(350 / 50, rel=0.05), "also those that are in the pot from before"
    points = think(last_tiles("puremco-12", 300), sm.Limit(playouts=400), Random(1))
    assert -5 <= points.tried[1].worth < -1


@pytest.mark.parametrize("believing", [False, True])
def test_interpreted_it_thinks_the_same(believing: bool) -> None:
    book = sm.rulebook("puremco-9").with_changes(highest=5, deal={3: 5}, rounds=6)
    for number, round in enumerate(decisions(book, 3, 1, among=2)):
        if number % 3:
            continue
        seen = round.observe(round.turn)
        mine = think(seen, sm.Limit(playouts=20), Random(2), believing=believing)
        with all_interpreted():
            assert think(seen, sm.Limit(playouts=20), Random(2), believing=believing) == mine


# ---- Whose turn it is -------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", sm.bots())
def test_who_has_no_move_to_choose_is_told_so(bot: str) -> None:
    round = sm.Round(sm.rulebook("tactic"), sm.Deal.shuffle(sm.rulebook("tactic"), 3, seed=1))
    turn = round.turn
    assert turn is not None
    other = (turn + 1) % 3
    for seat, told in ((other, f"Seat {other} has no move.* turn of seat {turn}"), (None, "A spectator has no move")):
        for ask in (sm.bot(bot).consider, sm.bot(bot).choose):
            with pytest.raises(sm.StationmasterError, match=rf"{told}.*round\.observe\({turn}\)"):
                ask(round.observe(seat), sm.Limit(playouts=5), Random(1))
    Planner().play(round._state)
    with pytest.raises(sm.StationmasterError, match="The round is over"):
        sm.bot(bot).consider(round.observe(0), sm.Limit(playouts=5), Random(1))
