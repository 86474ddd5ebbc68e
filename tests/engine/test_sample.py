"""Sampled rounds agree with everything a seat has seen, and are as likely as enumeration says."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

import stationmaster as sm
from stationmaster.engine.tiles import Tile

SMALL = {
    "puremco-9": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "puremco-12": {"highest": 3, "deal": {2: 3}, "rounds": 4},
    "puremco-15": {"highest": 3, "deal": {4: 2}, "rounds": 4},
    "puremco-18": {"highest": 3, "deal": {2: 4}, "rounds": 4},
    "supertrain": {"highest": 1, "deal": {3: 3}, "rounds": 3},
    "quarter-pot": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "front-porch": {"highest": 3, "deal": {3: 2}, "rounds": 3},
    "pressman": {"highest": 3, "deal": {3: 2}},
    "tactic": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "tactic-nine": {"highest": 3, "deal": {2: 3}, "rounds": 4},
}


def small(rulebook: str, **changes: object) -> sm.Rulebook:
    return sm.rulebook(rulebook).with_changes(**SMALL[rulebook], **changes)


def all_deals(seen, limit: int):
    """Every deal of the unseen tiles, hidden hands as sets, by brute force."""
    dealt = [None if hand is None else list(hand) for hand in seen.dealt]
    known = [tile for hand in dealt if hand is not None for tile in hand]
    pool = list(sm.engine.tiles.tile_set(seen.book.highest, seen.book.wild_tiles))
    for tile in [seen.engine, *known]:
        pool.remove(tile)
    hidden = [seat for seat, hand in enumerate(dealt) if hand is None]

    def fill(seats, left):
        if not seats:
            for pile in permutations(left):
                yield [], pile
            return
        for hand in combinations(range(len(left)), seen.dealt_sizes[seats[0]]):
            rest = [tile for i, tile in enumerate(left) if i not in hand]
            for hands, pile in fill(seats[1:], rest):
                yield [[left[i] for i in hand], *hands], pile

    for count, (hands, pile) in enumerate(fill(hidden, pool)):
        if count >= limit:
            raise OverflowError
        whole = list(dealt)
        for seat, hand in zip(hidden, hands, strict=True):
            whole[seat] = hand
        yield sm.Deal(engine=seen.engine, starter=seen.starter, hands=whole, bone_pile=pile)


def could_have_been(seen, deal) -> bool:
    """Play the moves that were seen on this deal: does the seat see the very same?"""
    if seen.book.engine == "highest-held":
        doubles = [tile for hand in deal.hands for tile in hand if tile.is_double]
        extra = sum(seen.dealt_sizes) - seen.players * seen.book.deal[seen.players] + 1
        if any(extra or double.low > seen.engine.low for double in doubles):
            return False
    round = sm.Round(seen.book, deal)
    for made in seen.history:
        if round.turn != made.seat or made.move not in round.legal_moves():
            return False
        round.push(made.move)
    return round.observe(seen.seat).encode() == seen.encode()


def key(deal) -> tuple:
    return tuple(tuple(sorted(str(tile) for tile in hand)) for hand in deal.hands), tuple(map(str, deal.bone_pile))


def spots(book, seeds, rng):
    """Observations from random play."""
    for seed in seeds:
        number = 1 + seed % max(1, min(book.rounds, len(book.engines)))
        round = sm.Round(book, sm.Deal.shuffle(book, book.players[-1], number, seed=seed))
        stop_at = rng.randrange(2, 14)
        while round.turn is not None and len(round.moves) < stop_at:
            round.push(rng.choice(round.legal_moves()))
        if round.turn is not None:
            yield round.observe(rng.choice([None, *range(round.players)]))


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
