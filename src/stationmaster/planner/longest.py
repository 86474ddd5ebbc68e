"""The longest train that a hand can make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import Literal

import msgspec

from stationmaster.engine.layout import LETTER_A, LETTER_D, NOTHING, NUMBERS, WILD
from stationmaster.engine.tiles import HIGHEST, LETTERS, Tile, W, parse_end
from stationmaster.errors import NotationError, StationmasterError
from stationmaster.planner.laying import straight, with_wilds
from stationmaster.planner.leftovers import Leftovers
from stationmaster.planner.train import Trains

Most = Literal["tiles", "pips"]
Path = list[tuple[int, int]]  # (attached, exposed) of each tile, as the core numbers ends

SURE = 25  # tiles: hands up to this size are always searched to the end
QUICK = 300  # cases, or places, looked at between two looks at the clock
SECONDS = 0.015  # for a larger hand, when nobody says how long
FOREVER = 1 << 30
WILD_PIPS = 10  # what a wild end counts
ONE_TILE = 1 << 13  # in a weight: more than all pips of the largest set together
ONE_PIP = 1 << 8  # … more than all of its tiles
HEAVIEST = (1 << 30) // 190 >> 8
ANYWHERE, NOWHERE = -1, -2  # where W-W lies, or the train ends (see ``Leftovers``)


class Train(msgspec.Struct, frozen=True):
    """A train planned from a hand: the tiles in their order, and whether there is no better one."""

    tiles: tuple[Tile, ...]  # in the order in which they are laid
    ends: tuple[int, ...]  # the end that each shows once it lies, numbered as ``Tile.low`` and ``Tile.high`` are
    pips: int  # of its tiles; a wild end counts 10
    proven: bool  # no train from here is better
    bound: int  # no train from here has more tiles (or more pips, or weighs more, if that was asked for)


def longest_train(
    hand: Iterable[Tile | str],
    end: int | str,
    *,
    covered: bool = False,
    most: Most = "tiles",
    weights: Mapping[Tile, int] | None = None,
    seconds: float | None = None,
    begun: bool = False,
) -> Train:
    """The train with the most tiles, of those the one with the most pips, from an open end.

    ``most="pips"`` turns the two round; ``weights`` gives each tile a worth of its own instead. ``covered``: no
    double lies at the very end, where nothing covers it. ``begun``: the end belongs to a tile that is no double,
    and not to the engine; only W-W asks. Up to 25 tiles the answer is proven. A larger hand, or one with ``seconds``
    to spend, gives the best found in that time, and how much more there could be at most.

    >>> print(*longest_train(["5-12", "5-7", "7-7", "1-2"], 12).tiles)
    5-12 5-7 7-7
    """
    if most not in ("tiles", "pips"):
        raise StationmasterError(f"most = {most!r}: a train is the one with the most tiles, or pips")
    started = perf_counter()
    tiles = hand if isinstance(hand, tuple | list) else tuple(hand)
    start = _end(end)
    search = _at_rest.pop() if _at_rest else _Search()
    trains = search.trains
    trains.clear()
    search.wild = start == WILD
    letters = LETTER_A
    for tile in tiles:
        if tile.__class__ is not Tile:
            tile = Tile.of(tile)
        low, high = tile.low, tile.high
        if weights is None:
            points = (low if low <= HIGHEST else WILD_PIPS) + (high if high <= HIGHEST else WILD_PIPS)
            weight = ONE_TILE + points if most == "tiles" else points * ONE_PIP + 1
        else:
            weight = _weight(weights, tile) * ONE_PIP + 1
        if high == W:
            search.wild = True
            if low == LETTER_A:
                low = letters
                letters += 1
            low, high = (WILD, WILD) if low == W else (WILD, low) if low > WILD else (low, WILD)
        if letters > LETTER_D or not trains.add(low, high, weight):
            raise NotationError(f"{tile} is in the hand more often than in any set")
    sure = len(tiles) <= SURE and seconds is None
    until = None if sure else started + (SECONDS if seconds is None else seconds)
    search.run(start, not begun, covered, until)
    _at_rest.append(search)
    return search.train(most if weights is None else "weight")


class _Search:
    """One search for the best train.

    First with W-W and the end anywhere. What is found nearly always can be laid so, and then there is no better one.
    Otherwise W-W would lie on a double, or a double that has to be covered would lie at the end: then each place for
    W-W and each end is tried apart. What is still open after that, a few hands that need W-W covered, is left to
    trying every train.
    """

    def __init__(self) -> None:
        self.trains = Trains()
        self.leftovers = Leftovers()
        self.wild = False
        self.start = 0
        self.engine = True
        self.covered = False
        self.best = 0
        self.bound = 0
        self.path: Path = []

    def run(self, start: int, engine: bool, covered: bool, until: float | None) -> None:
        """Find the best train from here, or the best of those found until then."""
        self.start, self.engine, self.covered = start, engine, covered
        limit = FOREVER if until is None else QUICK
        self.best, self.path = 0, []
        while True:
            self.look(limit, until)
            if self.best >= self.bound or until is None or perf_counter() >= until:
                return
            limit *= 2

    def look(self, limit: int, until: float | None) -> None:
        """Look for a better train, in so many cases at most."""
        trains, leftovers = self.trains, self.leftovers
        _, self.bound = leftovers.search(trains, self.start, self.covered, self.engine, limit)
        self.take(ANYWHERE, ANYWHERE, [])
        if self.best >= self.bound or not self.wild:
            return
        bound = self.best
        for way in self.ways():
            bound = max(bound, self.try_way(*way, limit))
            if self.best >= self.bound or (until is not None and perf_counter() >= until):
                return
        self.bound = min(self.bound, bound)
        if self.best >= self.bound:
            return
        self.try_all(min(limit * 16, FOREVER))

    def try_all(self, limit: int) -> None:
        """Try every train, at so many places at most."""
        weight, all_tried, path = self.trains.seek(self.start, self.engine, self.covered, self.best, limit)
        if weight > self.best:
            self.best, self.path = weight, path
        if all_tried:
            self.bound = self.best

    def ways(self) -> Iterator[tuple[int, int, int]]:
        """Where W-W may lie, where the train ends, and with which wild tile: together these are all trains."""
        halves, letters = self.trains.wilds()
        places = [WILD, *range(NUMBERS), NOWHERE] if WILD in letters else [ANYWHERE]
        if not self.covered:
            yield from ((place, ANYWHERE, NOTHING) for place in places)
            return
        if WILD not in letters:
            yield ANYWHERE, WILD, NOTHING
        else:  # a wild tile joins any train, by its wild end, and covers it
            tiles = [v for v in range(NUMBERS) if halves >> v & 1] + [b for b in letters[:1] if b != WILD]
            yield from ((place, ANYWHERE, tile) for tile in tiles for place in places)
        yield from ((place, last, NOTHING) for last in range(NUMBERS) for place in places)

    def try_way(self, place: int, last: int, tile: int, limit: int) -> int:
        """Look for a better train of this kind; no train of this kind weighs more than what is returned."""
        trains = self.trains
        weight = 0
        if tile != NOTHING:
            weight = trains.total([(WILD, tile)])
            trains.remove(WILD, tile)
        found: int
        bound: int
        found, bound = self.leftovers.attempt(
            trains, place, last, self.covered and tile == NOTHING, self.best - weight, limit
        )
        if found + weight > self.best:
            self.take(place, last, [] if tile == NOTHING else [(WILD, tile)])
        if tile != NOTHING:
            trains.put_back(WILD, tile)
        return bound + weight

    def take(self, place: int, last: int, then: Path) -> None:
        """Lay what the search has found, if it can be laid so and is better than what is there."""
        rows, changes, doubles = self.leftovers.found()
        path: Path | None
        if changes:
            halves, letters = self.trains.wilds()
            if place != ANYWHERE and WILD in letters:
                letters.remove(WILD)
            path = with_wilds(self.start, self.engine, rows, changes, doubles, halves, letters, place, last)
        else:
            path = straight(rows, self.start, doubles)
        if path is None:
            return
        path += then
        while self.covered and path and path[-1][0] == path[-1][1]:
            path.pop()
        weight = self.trains.total(path)
        if weight > self.best:
            self.best, self.path = weight, path

    def train(self, most: str) -> Train:
        """The best train, in the words of the table."""
        tiles = []
        ends = []
        pips = 0
        for a, b in self.path:
            low = a if a < WILD else W if a == WILD else LETTER_A if a < LETTER_D else a
            high = b if b < WILD else W if b == WILD else LETTER_A if b < LETTER_D else b
            tiles.append(Tile(low, high))
            ends.append(high)
            pips += (low if low <= HIGHEST else WILD_PIPS) + (high if high <= HIGHEST else WILD_PIPS)
        bound = self.bound // (ONE_TILE if most == "tiles" else ONE_PIP)
        return Train(tuple(tiles), tuple(ends), pips, self.best >= self.bound, bound)


_at_rest: list[_Search] = []  # searches that nobody runs now


def _end(end: int | str) -> int:
    """An open end as the core numbers it; a letter is a wild end like any other."""
    value = parse_end(end.strip().upper()) if isinstance(end, str) else end
    if value == W or value in LETTERS:
        return WILD
    if not 0 <= value <= HIGHEST:
        raise NotationError(f"{end!r} is not an end of a tile: 0 to {HIGHEST}, or W")
    return value


def _weight(weights: Mapping[Tile, int], tile: Tile) -> int:
    weight = weights.get(tile, 0)
    if not 0 <= weight <= HEAVIEST:
        raise StationmasterError(f"weights: {tile} weighs {weight}; a weight is a whole number from 0 to {HEAVIEST}")
    return weight
