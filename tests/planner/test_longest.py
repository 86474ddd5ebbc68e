"""The longest train against every train: the planner finds what trying them all finds, and lays it by the rules."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stationmaster as sm
from planner import naive
from planner.pure_planner import interpreted
from stationmaster.engine.layout import LETTER_A, WILD
from stationmaster.engine.tiles import end_text, tile_set
from stationmaster.planner import longest
from stationmaster.planner.leftovers import Leftovers
from stationmaster.planner.longest import longest_train
from stationmaster.planner.train import Trains

pytestmark = pytest.mark.core


class Spot(NamedTuple):
    """A hand and what is asked of it."""

    hand: list[str]
    end: naive.End
    covered: bool = False
    begun: bool = False
    most: str = "tiles"  # or "pips", or "weights"

    @property
    def weights(self) -> dict[sm.Tile, int] | None:
        """A weight for each tile that has nothing to do with its pips."""
        if self.most != "weights":
            return None
        return {sm.Tile(tile): Random(f"{tile} in {len(self.hand)}").randrange(10) for tile in self.hand}

    @property
    def worth(self) -> Callable[[list[str]], Any]:
        """What makes a train better than another."""
        weights = self.weights
        if weights is not None:
            return lambda tiles: sum(weights[sm.Tile(tile)] for tile in tiles)
        return naive.by_tiles if self.most == "tiles" else naive.by_pips


def ask(spot: Spot, seconds: float | None = None, by: Callable[..., sm.Train] = longest_train) -> sm.Train:
    most = spot.most if spot.most != "weights" else "tiles"
    return by(
        spot.hand,
        spot.end,
        covered=spot.covered,
        most=most,
        weights=spot.weights,
        begun=spot.begun,
        seconds=seconds,
    )


def laid(train: sm.Train) -> list[naive.Laid]:
    shown = [end_text(end) for end in train.ends]
    return [(str(tile), int(end) if end.isdecimal() else "W") for tile, end in zip(train.tiles, shown, strict=True)]


def check(spot: Spot, train: sm.Train) -> list[str]:
    """It is a train of this hand by the rules; its tiles."""
    assert naive.faults(spot.hand, spot.end, laid(train), spot.begun) is None, (spot, train)
    tiles = [str(tile) for tile in train.tiles]
    assert train.pips == sum(map(naive.pips, tiles))
    if spot.covered:
        assert not (tiles and naive.is_double(tiles[-1])), (spot, train)
    worth = spot.worth(tiles)
    assert train.bound >= (worth if spot.most == "weights" else worth[0])
    return tiles


def compare(spot: Spot) -> None:
    """It is one of the best."""
    train = ask(spot)
    best = naive.best(spot.hand, spot.end, spot.worth, spot.covered, spot.begun)
    assert spot.worth(check(spot, train)) == best, (spot, train)
    assert train.proven
    assert train.bound == (best if spot.most == "weights" else best[0])  # type: ignore[index]


def some_spot(rng: Random, most_tiles: int) -> Spot:
    """A small hand in which what is rare happens often: few numbers, many doubles, W-W and other wild tiles."""
    highest = rng.choice([1, 2, 3, 4, 5, 6, 12, 18])
    kind = rng.choice(["plain", "plain", "wild", "wild", "red", "red", "red alone"])
    tiles = [str(tile) for tile in tile_set(highest, wild_tiles=kind != "plain")]
    if kind == "red alone":
        tiles = [tile for tile in tiles if tile == "W-W" or not tile.endswith("W")]
    rng.shuffle(tiles)
    if rng.random() < 0.4:
        tiles.sort(key=lambda tile: not naive.is_double(tile) and rng.random() < 0.7)
    if kind.startswith("red"):
        tiles.sort(key="W-W".__ne__)
    hand = tiles[: rng.randint(1, most_tiles)]
    rng.shuffle(hand)
    end: naive.End = "W" if rng.random() < 0.15 else rng.randint(0, highest)
    most = rng.choice(["tiles", "tiles", "pips", "weights"])
    return Spot(hand, end, rng.random() < 0.5, end != "W" and rng.random() < 0.4, most)


# ---- Against every train ----------------------------------------------------------------------------


def test_every_hand_of_double_two() -> None:
    whole = [str(tile) for tile in tile_set(2, wild_tiles=False)]
    for size in range(len(whole) + 1):
        for hand in combinations(whole, size):
            for end in (0, 2, 3, "W"):
                for covered in (False, True):
                    compare(Spot(list(hand), end, covered))


def test_every_small_hand_with_wild_tiles() -> None:
    whole = ["0-0", "0-1", "1-1", "0-W", "1-W", "W-W", "A-W", "D-W"]
    for size in range(6):
        for hand in combinations(whole, size):
            for end in (0, 1, "W"):
                for covered in (False, True):
                    for begun in (False, True)[: 1 if end == "W" else 2]:
                        compare(Spot(list(hand), end, covered, begun))


@pytest.mark.parametrize("block", range(4))
def test_random_hands(block: int) -> None:
    for number in range(1500):
        compare(some_spot(Random(f"{block} {number}"), 5))


@pytest.mark.parametrize("block", range(2))
def test_random_hands_of_more_tiles(block: int) -> None:
    for number in range(100):
        compare(some_spot(Random(f"more {block} {number}"), 7))


@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_many_random_hands(block: int) -> None:
    for number in range(5000):
        compare(some_spot(Random(f"many {block} {number}"), 6))


def test_random_hands_without_wild_tiles() -> None:
    for number in range(500):
        rng = Random(number)
        whole = [str(tile) for tile in tile_set(rng.choice([3, 4, 5]), wild_tiles=False)]
        hand = rng.sample(whole, min(len(whole), rng.randint(7, 11)))
        compare(Spot(hand, rng.randrange(4), rng.random() < 0.7, most=rng.choice(["tiles", "weights"])))


@given(st.integers(0, 2**32))
def test_any_hand(seed: int) -> None:
    compare(some_spot(Random(seed), 4))


@pytest.mark.parametrize("red", [False, True])
def test_hands_with_one_number_and_a_wild_end_or_two(red: bool) -> None:
    """So few wild ends that nearly all of them are needed, and ends that have to be covered."""
    for number in range(250):
        rng = Random(number)
        whole = [str(tile) for tile in tile_set(rng.choice([2, 3]), wild_tiles=False)]
        halves = [f"{n}-W" for n in range(3)]
        hand = rng.sample(whole, min(len(whole), 5)) + rng.sample(halves, rng.randint(0 if red else 1, 2 - red))
        compare(Spot(hand + ["W-W"] * red, rng.randrange(4), not red or rng.random() < 0.5, most="weights"))


def test_hardly_a_hand_is_left_to_trying(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only hands in which W-W has to be covered; all others are proven without it, and no bound is wrong."""
    left = []
    monkeypatch.setattr(longest._Search, "try_all", lambda self, limit: left.append(self.covered))
    for number in range(4000):
        spot = some_spot(Random(f"apart {number}"), 5)
        train = ask(spot)
        best = naive.best(spot.hand, spot.end, spot.worth, spot.covered, spot.begun)
        assert train.bound >= (best if spot.most == "weights" else best[0])  # type: ignore[index]
        if train.proven or "W-W" not in spot.hand or not spot.covered:
            assert spot.worth(check(spot, train)) == best, (spot, train)
            assert train.proven, (spot, train)
    assert len(left) < 60
    assert all(left)


# ---- What holds of every hand -----------------------------------------------------------------------


def big_spot(rng: Random, sizes: tuple[int, ...]) -> Spot:
    highest, wild = rng.choice([(9, False), (12, False), (12, True), (15, False), (18, False), (18, True)])
    whole = [str(tile) for tile in tile_set(highest, wild)]
    hand = rng.sample(whole, min(len(whole), rng.choice(sizes)))
    return Spot(hand, rng.choice([*range(highest + 1), "W"]), rng.random() < 0.3)


def test_hands_up_to_25_tiles_are_proven() -> None:
    for number in range(300):
        spot = big_spot(Random(number), (10, 15, 20, 24, 25))
        train = ask(spot)
        tiles = check(spot, train)
        assert train.proven
        assert train.bound == len(tiles)


def test_larger_hands_have_a_bound() -> None:
    for number in range(40):
        spot = big_spot(Random(number), (26, 40, 80, 136, 190))
        for seconds in (None, 0.0):
            train = ask(spot, seconds)
            tiles = check(spot, train)
            assert train.bound == len(tiles) or not train.proven


def test_a_search_that_is_cut_short_never_promises_too_little() -> None:
    unproven = 0
    for number in range(400):
        spot = big_spot(Random(number), (8, 12, 16, 20))
        truth = ask(spot)
        hand = trains(spot)
        end = WILD if spot.end == "W" else int(spot.end)
        for limit in (1, 2, 3):
            found, bound = Leftovers().search(hand, end, spot.covered, True, limit)
            assert bound >= hand.total(inner(truth))
            unproven += found < bound
    assert unproven > 20


def trains(spot: Spot) -> Trains:
    """The hand in the core's numbers, each tile worth 1000 and its pips."""
    hand = Trains()
    letters = LETTER_A
    for text in spot.hand:
        tile = sm.Tile(text)
        low, high = tile.low, tile.high
        if tile.is_wild:
            if low == LETTER_A:
                low, letters = letters, letters + 1
            low, high = (WILD, WILD) if tile.is_double else (WILD, low) if low > WILD else (low, WILD)
        assert hand.add(low, high, 1000 + naive.pips(text))
    return hand


def inner(train: sm.Train) -> list[tuple[int, int]]:
    """The tiles of a train in the core's numbers."""
    letters = LETTER_A
    path = []
    for tile in train.tiles:
        low = tile.low
        if low == LETTER_A:
            low, letters = letters, letters + 1
        path.append(
            (WILD, WILD) if tile.is_wild and tile.is_double else (low, WILD) if tile.is_wild else (low, tile.high)
        )
    return [(b, a) if a > WILD else (a, b) for a, b in path]


@pytest.mark.parametrize(
    ("highest", "most"),
    [(2, 6), (9, 51), (12, 91), (15, 129), (18, 190)],  # all; or all but one for every two numbers, less both ends
)
def test_whole_sets(highest: int, most: int) -> None:
    whole = tile_set(highest, wild_tiles=False)
    train = longest_train(whole, highest, seconds=10.0)
    check(Spot([str(tile) for tile in whole], highest), train)
    assert (len(train.tiles), train.bound, train.proven) == (most, most, True)


def test_a_tile_more_never_makes_it_shorter() -> None:
    for number in range(60):
        rng = Random(number)
        spot = big_spot(rng, (16, 20))
        train = ask(spot)
        shorter = ask(spot._replace(hand=spot.hand[:-1]))
        assert len(shorter.tiles) <= len(train.tiles)


def test_doubles_lie_where_their_number_first_shows() -> None:
    met = 0
    for number in range(300):
        spot = big_spot(Random(number), (10, 16, 25))
        if "W-W" in spot.hand:
            continue
        shown = [spot.end, *(end for _, end in laid(ask(spot)))]
        for at, (tile, _) in enumerate(laid(ask(spot))):
            if naive.is_double(tile):
                number_of_it = int(tile.partition("-")[0])
                first = shown.index(number_of_it)
                assert first in (at, at + 1)  # it is laid on the number, or on a wild end and shows it
                met += 1
    assert met > 300


# ---- Interpreted and compiled -----------------------------------------------------------------------


def test_interpreted_it_finds_the_same_trains() -> None:
    other = interpreted()
    assert sm.engine.compiled == (Leftovers is not other.Leftovers and "cython" in type(Leftovers.search).__name__)
    for number in range(60):
        rng = Random(number)
        for spot in (some_spot(rng, 7), big_spot(rng, (12, 20, 25))):
            mine, theirs = ask(spot), ask(spot, by=other.longest_train)
            assert (mine.tiles, mine.ends, mine.bound) == (theirs.tiles, theirs.ends, theirs.bound)


# ---- Trying -----------------------------------------------------------------------------------------


def test_trying_finds_the_same() -> None:
    for number in range(300):
        spot = some_spot(Random(f"try {number}"), 5)._replace(most="tiles")
        hand = trains(spot)
        end = WILD if spot.end == "W" else int(spot.end)
        weight, all_tried, path = hand.seek(end, end != WILD and not spot.begun, spot.covered, 0, 10**9)
        tiles, pips = naive.best(spot.hand, spot.end, naive.by_tiles, spot.covered, spot.begun)  # type: ignore[misc]
        assert (weight, all_tried) == (1000 * tiles + pips, True)
        assert hand.total(path) == weight


def test_trying_stops_at_its_limit() -> None:
    hand = trains(big_spot(Random(1), (25,)))
    weight, all_tried, path = hand.seek(3, True, False, 0, 100)
    assert not all_tried
    assert hand.total(path) == weight


# ---- In the words of the game -----------------------------------------------------------------------


def test_a_double_is_part_of_the_train() -> None:
    train = longest_train(["12-5", "5-7", "7-7", "1-2"], 12)
    assert [str(tile) for tile in train.tiles] == ["5-12", "5-7", "7-7"]
    assert (train.ends, train.pips, train.proven, train.bound) == ((5, 7, 7), 43, True, 3)


def test_a_double_at_the_end_has_to_be_covered_if_asked() -> None:
    assert [str(tile) for tile in longest_train(["12-5", "5-7", "7-7"], 12, covered=True).tiles] == ["5-12", "5-7"]
    assert len(longest_train(["12-5", "5-7", "7-7", "7-8"], 12, covered=True).tiles) == 4


def test_ties_go_by_pips() -> None:
    assert [str(tile) for tile in longest_train(["12-1", "12-9"], 12).tiles] == ["9-12"]


def test_most_pips() -> None:
    hand = ["12-1", "1-2", "2-3", "12-11"]
    assert len(longest_train(hand, 12).tiles) == 3
    train = longest_train(hand, 12, most="pips")
    assert (train.pips, train.bound) == (23, 23)


def test_weights() -> None:
    hand = ["12-1", "1-2", "2-3", "12-11"]
    train = longest_train(hand, 12, weights={sm.Tile("11-12"): 5, sm.Tile("1-12"): 2, sm.Tile("1-2"): 2})
    assert [str(tile) for tile in train.tiles] == ["11-12"]
    assert train.bound == 5


def test_a_wild_end_joins_anything() -> None:
    train = longest_train(["3-W", "12-5"], 9)
    assert [str(tile) for tile in train.tiles] == ["3-W"]
    assert len(longest_train(["A-W", "12-5", "5-8"], 9).tiles) == 3
    assert len(longest_train(["12-5", "5-8"], "W").tiles) == 2


def test_all_three_a_are_laid() -> None:
    train = longest_train(["A-W", "A-W", "A-W"], "a")
    assert [str(tile) for tile in train.tiles] == ["A-W"] * 3


def test_the_red_double_lies_on_no_double() -> None:
    assert longest_train(["W-W"], 5).tiles == ()  # the engine is one
    assert len(longest_train(["W-W"], 5, begun=True).tiles) == 1
    assert len(longest_train(["W-W"], "W").tiles) == 1
    train = longest_train(["5-7", "7-7", "W-W"], 5)
    assert [str(tile) for tile in train.tiles] == ["5-7", "W-W", "7-7"]  # a double may lie on W-W


def test_nothing_fits() -> None:
    train = longest_train(["1-2"], 5)
    assert (train.tiles, train.ends, train.pips, train.proven, train.bound) == ((), (), 0, True, 0)
    assert longest_train([], 5).tiles == ()


def test_a_hand_may_be_any_iterable_of_tiles_or_texts() -> None:
    assert longest_train((sm.Tile(text) for text in ("1-2", "2-5")), "5").tiles == (sm.Tile("2-5"), sm.Tile("1-2"))


@pytest.mark.parametrize(
    ("hand", "end", "options", "message"),
    [
        (["1-2", "2-1"], 1, {}, "1-2 is in the hand more often than in any set"),
        (["A-W"] * 4, 1, {}, "A-W is in the hand more often than in any set"),
        (["W-W", "W-W"], 1, {}, "W-W is in the hand more often than in any set"),
        (["1-2"], 19, {}, "19 is not an end of a tile"),
        (["1-2"], -1, {}, "-1 is not an end of a tile"),
        (["1-2"], "x", {}, "'X' is not an end of a tile"),
        (["12"], 1, {}, "'12' is not a tile"),
        (["1-2"], 1, {"most": "points"}, "most = 'points'"),
        (["1-2"], 1, {"weights": {sm.Tile("1-2"): -1}}, "1-2 weighs -1; a weight is a whole number from 0 to"),
        (["1-2"], 1, {"weights": {sm.Tile("1-2"): 1 << 30}}, "1-2 weighs 1073741824"),
    ],
)
def test_what_cannot_be_asked(hand: list[str], end: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(sm.StationmasterError, match=message):
        longest_train(hand, end, **options)
    assert len(longest_train(["1-2"], 1).tiles) == 1  # and nothing of it is left
