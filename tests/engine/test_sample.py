"""Sampled rounds agree with everything a seat has seen, and are as likely as enumeration says."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import stationmaster as sm
from engine.deals import SMALL, all_deals, could_have_been, key, small, spots
from stationmaster.engine.tiles import Tile


@pytest.mark.parametrize("rulebook", sorted(SMALL))
def test_the_distribution_is_that_of_enumeration(rulebook):
    book = small(rulebook)
    rng = Random(rulebook)
    compared = 0
    for seen in spots(book, range(60), rng):
        try:
            possible = Counter(key(deal) for deal in all_deals(seen, 12_000) if could_have_been(seen, deal))
        except OverflowError:
            continue
        if not 2 <= len(possible) <= 1500:
            continue
        weights = sum(possible.values())  # equal tiles: a deal counts as often as it can come about
        samples = 12 * len(possible) + 1500
        worlds = seen.worlds(rng)
        met: Counter = Counter()
        for _ in range(samples):
            hands, pile = worlds.dealt()
            met[
                tuple(tuple(sorted(str(Tile.from_code(code)) for code in hand)) for hand in hands),
                tuple(str(Tile.from_code(code)) for code in pile),
            ] += 1
            worlds.step()
        assert set(met) <= set(possible), "a deal that cannot have been"
        chi = sum((met[deal] - samples * n / weights) ** 2 / (samples * n / weights) for deal, n in possible.items())
        freedom = len(possible) - 1
        assert chi < freedom + 5.5 * (2 * freedom) ** 0.5 + 12, (rulebook, seen.seat, freedom, chi)
        compared += 1
        if compared == 6:
            break
    assert compared >= 3


@pytest.mark.parametrize("rulebook", sm.rulebooks())
def test_what_was_seen_has_happened_in_every_sampled_round(rulebook):
    book = sm.rulebook(rulebook)
    rng = Random(rulebook)
    for players in (book.players[0], book.players[-1]):
        for open_hands in (False, True):
            table = book.with_changes(open_hands=open_hands)
            round = sm.Round(table, sm.Deal.shuffle(table, players, 2, seed=players))
            while round.turn is not None:
                if rng.random() < 0.1:
                    seen = round.observe(rng.choice([None, *range(players)]))
                    sampled = seen.sample(rng)
                    assert sampled.observe(seen.seat).encode() == seen.encode()
                    sampled.deal.check(table, whole=True)
                round.push(rng.choice(round.legal_moves()))


def test_a_second_deal_is_another_one_and_the_same_numbers_give_the_same():
    book = sm.rulebook("tactic")
    seen = sm.Round(book, sm.Deal.shuffle(book, 4, 1, seed=3)).observe(2)
    samples = seen.samples(Random(5))
    first, second = next(samples).deal, next(samples).deal
    assert first != second
    assert seen.sample(Random(5)).deal == first


def test_pressmans_engine_says_that_nobody_holds_a_higher_double():
    book = small("pressman")
    seen = sm.Round(book, sm.Deal(engine="1-1", starter=0, hands=[["0-1"], ["1-2", "0-0"], ["1-3", "0-2"]],
                                  bone_pile=["2-2", "3-3", "2-3", "0-3"])).observe(0)  # fmt: skip
    for _, sampled in zip(range(200), seen.samples(Random(1)), strict=False):
        assert {"2-2", "3-3"} <= {str(tile) for tile in sampled.bone_pile}


@pytest.mark.parametrize("stop", [False, True], ids=["goes on", "stops"])
def test_who_goes_on_with_a_string_or_stops_it_holds_a_tile_that_goes_on(stop):
    book = sm.rulebook("front-porch").with_changes(highest=3, deal={2: 3}, rounds=3)
    hands = [["0-3", "0-1", "1-1"], ["1-2", "2-2", "0-0"]]
    round = sm.Round(book, sm.Deal(engine="3-3", starter=0, hands=hands, bone_pile=["0-2", "1-3", "2-3"]))
    round.push("3-0@0")
    if stop:
        round.push("stop")
    for seat in (1, None):
        seen = round.observe(seat)
        possible = {key(deal) for deal in all_deals(seen, 20_000) if could_have_been(seen, deal)}
        samples = seen.samples(Random(1))
        met = {key(next(samples).deal) for _ in range(len(possible) * 3)}
        assert met <= possible
        assert len(met) > len(possible) // 2


def test_a_position_with_tiles_left_out_cannot_be_dealt():
    spot = sm.Position(sm.rulebook("tactic"), engine="12-12", hands=[["12-5"], ["3-3"]], bone_pile=2)
    with pytest.raises(sm.DealError, match="left out"):
        spot.round().observe(0).sample(Random(1))
