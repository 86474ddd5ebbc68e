"""Deals led by what was chosen: as likely as the likelihood of ``evidence.py`` makes them, by enumeration.

The likelihood, from its words: every choice of a hidden seat counts by how far it lies behind what the planner would
have chosen with that hand, divided by the scale, at most so much; a deal is less likely by e to the sum of that.
"""

from __future__ import annotations

from collections import Counter
from math import exp
from random import Random
from typing import Any

import pytest

import stationmaster as sm
from engine.deals import SMALL, all_deals, could_have_been, key, small, spots
from planner.pure_planner import all_interpreted, interpreted
from stationmaster.bots.evidence import Evidence
from stationmaster.engine.tiles import Tile, tile_set
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

pytestmark = pytest.mark.core

SCALE, ODDEST = 5.0, 2.0
TINY: dict[str, Any] = {"highest": 1, "deal": {2: 3}, "rounds": 3}


def led(seen: sm.Observation, seed: int, scale: float = SCALE, most: float = ODDEST) -> tuple[Any, Evidence]:
    """A dealer for what was seen, and what leads it."""
    worlds = seen.worlds(Random(seed))
    planner = Planner(weights_for(seen.book))
    planner.weigh(worlds.state())
    return worlds, Evidence(worlds, planner, scale, most)


def oddity(
    seen: sm.Observation,
    deal: sm.Deal,
    scale: float = SCALE,
    most: float = ODDEST,
    known: dict[Any, float] | None = None,
) -> float:
    """How odd the choices of the hidden seats are in this deal, one by one, every plan made anew."""
    planner = Planner(weights_for(seen.book))
    round = sm.Round(seen.book, deal, layout=seen.layout)
    total = 0.0
    for number, made in enumerate(seen.history):
        placements = [move for move in round.legal_moves() if move.tile is not None]
        if seen.dealt[made.seat] is None and made.move.tile is not None and len(placements) > 1:
            at = (number, round.hands[made.seat])
            if known is None or at not in known:
                ratings = dict(planner.ratings(round._state))
                lag = min((max(ratings.values()) - ratings[made.move.code]) / scale, most)
                if known is not None:
                    known[at] = lag
            total += lag if known is None else known[at]
        round.push(made.move)
    return total


def dealt(worlds: Any) -> tuple[tuple[str, ...], ...]:
    hands, _ = worlds.dealt()
    return tuple(tuple(sorted(str(Tile.from_code(code)) for code in hand)) for hand in hands)


def deal_of(seen: sm.Observation, worlds: Any) -> sm.Deal:
    """The deal that the dealer has come to."""
    hands, pile = worlds.dealt()
    return sm.Deal(
        engine=seen.engine,
        starter=seen.starter,
        hands=[map(Tile.from_code, hand) for hand in hands],
        bone_pile=map(Tile.from_code, pile),
    )


def likely(seen: sm.Observation, limit: int = 3000) -> Counter[Any]:
    """How likely the hands as dealt are, by enumeration; the order of the bone pile aside."""
    known: dict[Any, float] = {}
    weights: Counter[Any] = Counter()
    for deal in all_deals(seen, limit, drawn=True):
        if could_have_been(seen, deal):
            weights[key(deal)[0]] += exp(-oddity(seen, deal, known=known))  # type: ignore[assignment]
    return weights


def assert_as_likely(seen: sm.Observation, weights: Counter[Any], seed: int, *, steps: int, times: int) -> None:
    """Deals are met as often as enumeration says; so many steps lead to each, so many times over."""
    worlds, evidence = led(seen, seed)
    evidence.lead(400)
    samples = 12 * len(weights) + 1000
    whole = sum(weights.values())
    met: Counter[Any] = Counter()
    for _ in range(samples):
        for _ in range(times):
            evidence.next(steps)
        met[dealt(worlds)] += 1
    assert set(met) <= set(weights), "a deal that cannot have been"
    chi = freedom = 0.0
    few = expected_few = 0.0
    for hands, weight in weights.items():
        expected = samples * weight / whole
        if expected < 5:  # too seldom to be compared one by one
            few += met[hands]
            expected_few += expected
            continue
        chi += (met[hands] - expected) ** 2 / expected
        freedom += 1
    if expected_few > 5:
        chi += (few - expected_few) ** 2 / expected_few
        freedom += 1
    assert freedom > 1
    assert chi < freedom + 5.5 * (2 * freedom) ** 0.5 + 12, (seen.book.id, seen.seat, freedom, chi)


@pytest.mark.parametrize("rulebook", sorted(SMALL))
def test_deals_are_as_likely_as_the_choices_make_them(rulebook: str) -> None:
    book = small(rulebook) if rulebook != "supertrain" else sm.rulebook(rulebook).with_changes(**TINY)
    compared = 0
    for seen in spots(book, range(200), Random(f"evidence {rulebook}")):
        try:
            weights = likely(seen)
        except OverflowError:
            continue
        if not 3 <= len(weights) <= 150 or max(weights.values()) < 1.5 * min(weights.values()):
            continue  # one deal, or all as likely as each other
        assert_as_likely(seen, weights, compared, steps=40, times=1)
        compared += 1
        if compared == 3:
            break
    assert compared >= 2


def test_what_only_a_ring_can_reach_is_reached_in_few_steps_too() -> None:
    """Three seats with one hidden tile each: seat 1 lacks 2, seat 3 lacks 1, seat 2 lacks 3.

    Of 1-5, 2-5 and 3-5 no two can change places, only all three.
    """
    book = sm.rulebook("puremco-9").with_changes(highest=6, deal={4: 4}, rounds=7)
    hands = {1: ["1-5", "0-3"], 2: ["2-5", "1-2"], 3: ["3-5", "3-6"]}
    named = {"6-6", "4-6", "0-6", *(tile for hand in hands.values() for tile in hand)}
    rest = [str(tile) for tile in tile_set(6, False) if str(tile) not in named]
    trains: dict[Any, str] = {1: "6-4", 3: "6-0"}
    round = sm.Position(book, engine="6-6", trains=trains, hands={0: rest, **hands}, bone_pile=()).round()
    for move in ("6-2@M", "pass", "2-1@M", "pass", "1-3@M", "0-3@3", "pass", "3-6@M"):
        round.push(move)
    seen = round.observe(0)
    weights = likely(seen)
    assert {hands[1] for hands in weights} == {("0-3", "1-5"), ("0-3", "3-5")}
    assert_as_likely(seen, weights, 1, steps=3, times=16)


@pytest.mark.parametrize("stop", [False, True], ids=["goes on", "stops"])
def test_who_goes_on_with_a_string_or_stops_it_holds_a_tile_that_goes_on(stop: bool) -> None:
    book = sm.rulebook("front-porch").with_changes(highest=3, deal={2: 3}, rounds=3)
    hands = [["0-3", "0-1", "1-1"], ["1-2", "2-2", "0-0"]]
    round = sm.Round(book, sm.Deal(engine="3-3", starter=0, hands=hands, bone_pile=["0-2", "1-3", "2-3"]))
    round.push("3-0@0")
    if stop:
        round.push("stop")
    for seat in (1, None):
        seen = round.observe(seat)
        assert_as_likely(seen, likely(seen), 1, steps=30, times=1)


@pytest.mark.parametrize("rulebook", ["puremco-12", "supertrain", "front-porch", "tactic", "quarter-pot"])
def test_the_likelihood_is_that_of_plans_made_anew(rulebook: str) -> None:
    """In real rounds, at deals that it comes to: what it makes of the choices is what going through them makes."""
    book = sm.rulebook(rulebook)
    planner = Planner(weights_for(book))
    rng = Random(rulebook)
    met: set[str] = set()
    asked = 0
    for players in (2, 3, 5):
        round = sm.Round(book, sm.Deal.shuffle(book, players, 2, seed=f"led {players}"))
        while round.turn is not None:
            if round.moves and rng.random() < 0.08:
                seen = round.observe(rng.choice([None, round.turn, *range(players)]))
                worlds, evidence = led(seen, asked)
                told = evidence.lead(20)[2]
                for _ in range(3):
                    assert told == pytest.approx(oddity(seen, deal_of(seen, worlds)))
                    assert seen._round(worlds).observe(seen.seat).encode() == seen.encode()
                    told = evidence.next(8)
                asked += 1
                met |= {made.move.kind for made in seen.history if made.seat != seen.seat}
            legal = round.legal_moves()
            by_plan = sm.Move.from_code(planner.choice(round._state))
            round.push(rng.choice(legal) if rng.random() < 0.3 else by_plan)
    assert asked >= 6
    assert met >= ({"place", "draw", "stop"} if rulebook == "front-porch" else {"place", "draw", "pass"})


@pytest.mark.parametrize("scale", [2.0, 8.0])
def test_deals_that_make_sense_come_first(scale: float) -> None:
    """The more an odd choice counts, the less odd the choices are in the deals it leads to."""
    book = sm.rulebook("puremco-12")
    round = sm.Round(book, sm.Deal.shuffle(book, 4, seed=4))
    planner = Planner()
    while len(round.moves) < 24:
        round.push(sm.Move.from_code(planner.choice(round._state)))
    seen = round.observe(round.turn)
    worlds = seen.worlds(Random(1))
    by_chance = []
    for _ in range(60):
        by_chance.append(oddity(seen, deal_of(seen, worlds), scale, 3.0))
        worlds.step()
    _, evidence = led(seen, 1, scale, 3.0)
    tried, taken, _ = evidence.lead(300)
    assert 0 < taken < tried <= 300
    led_there = [evidence.next(10) for _ in range(60)]
    assert sum(led_there) < 0.7 * sum(by_chance)


def test_equal_tiles_that_were_played_are_no_likelier_than_they_are() -> None:
    """Who played A-W may hold more of the three: it counts once, whichever of them it was."""
    book = sm.rulebook("supertrain").with_changes(**TINY)
    hands = [["A-W", "A-W", "0-1"], ["0-0", "D-W", "0-W"]]
    round = sm.Round(
        book,
        sm.Deal(engine="1-1", starter=0, hands=hands, bone_pile=["A-W", "1-W", "W-W", "R-W", "S-W", "T-W"]),
    )
    round.push("W-A@0")
    seen = round.observe(1)
    weights = likely(seen)
    assert {hands[0].count("A-W") for hands in weights} == {1, 2, 3}
    assert_as_likely(seen, weights, 1, steps=30, times=1)


def test_nothing_hidden_is_nothing_to_lead() -> None:
    book = sm.rulebook("tactic").with_changes(open_hands=True)
    round = sm.Round(book, sm.Deal.shuffle(book, 3, seed=2))
    while len(round.moves) < 9:
        round.push(round.legal_moves()[0])
    seen = round.observe(round.turn)
    worlds, evidence = led(seen, 1)
    piles = set()
    assert evidence.lead(50) == (0, 0, 0)
    for _ in range(5):
        assert evidence.next(9) == 0
        assert seen._round(worlds).observe(seen.seat).encode() == seen.encode()
        piles.add(tuple(worlds.dealt()[1]))
    assert len(piles) == 5, "only the bone pile is hidden"


@pytest.mark.parametrize("rulebook", ["puremco-12", "supertrain", "front-porch"])
def test_interpreted_it_leads_to_the_same_deals(rulebook: str) -> None:
    book = sm.rulebook(rulebook)
    round = sm.Round(book, sm.Deal.shuffle(book, 3, 2, seed=6))
    planner = Planner(weights_for(book))
    while len(round.moves) < 16:
        round.push(sm.Move.from_code(planner.choice(round._state)))
    seen = round.observe(round.turn)
    worlds, evidence = led(seen, 3)
    mine = [evidence.lead(24), dealt(worlds), evidence.next(12), dealt(worlds)]
    with all_interpreted():
        worlds = seen.worlds(Random(3))
        pure = interpreted("planner.policy").Planner(weights_for(book))
        pure.weigh(worlds.state())
        evidence = interpreted("bots.evidence").Evidence(worlds, pure, SCALE, ODDEST)
        theirs = [evidence.lead(24), dealt(worlds), evidence.next(12), dealt(worlds)]
    assert mine == theirs
