# cython: language_level=3
"""Odd numbers paired by the lightest ways between them: what the Chinese postman needs (see ``leftovers.py``)."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import lowest, popcount
    from cython.cimports.stationmaster.engine.layout import NUMBERS
else:
    from stationmaster.engine.bits import lowest, popcount
    from stationmaster.engine.layout import NUMBERS

FAR = cython.declare(cython.int, 1 << 28)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.final
@cython.cclass
class Pairing:
    """Tiles as ways between numbers, and the lightest of them that pair the odd numbers."""

    weight: cython.int[361]  # of the tile a-b: [a * 19 + b]
    # Given
    near: cython.uint[19]  # rows of the tiles that may be taken; then the numbers that a way was found to
    odd: cython.int[19]  # the numbers to pair
    unpaired: cython.uint  # the same as a mask; then those that are left
    # Found
    dist: cython.int[361]  # the lightest way from a to b
    via: cython.uchar[361]  # … and its first step
    cost: cython.int[524288]  # the lightest way to pair this set of the odd numbers
    taken: cython.uint[19]  # rows of the tiles of the lightest pairing
    end_of_fields: cython.int

    def __init__(self) -> None:
        if not cython.compiled:
            self.unpaired = self.end_of_fields = 0
            for name, length in (
                ("weight", 361),
                ("near", 19),
                ("odd", 19),
                ("dist", 361),
                ("via", 361),
                ("cost", 1 << NUMBERS),
                ("taken", 19),
            ):
                setattr(self, name, [0] * length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def at_least(self, count: cython.int, free: cython.int) -> cython.int:
        """No pairing weighs less: every odd number but those that are free loses a tile, and a tile serves two."""
        i: cython.int
        base: cython.int
        weight: cython.int
        lightest: cython.int
        heaviest: cython.int = 0
        total: cython.int = 0
        row: cython.uint
        for i in range(count):
            base = self.odd[i] * NUMBERS
            row = self.near[self.odd[i]]
            lightest = FAR >> 5
            while row:
                weight = self.weight[base + lowest(row)]
                row &= row - 1
                if weight < lightest:
                    lightest = weight
            total += lightest
            if lightest > heaviest:
                heaviest = lightest
        return (total - free * heaviest + 1) >> 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def measure(self, whole: cython.uint) -> cython.void:
        """The lightest ways between all of these numbers (Floyd and Warshall)."""
        a: cython.int
        b: cython.int
        m: cython.int
        way: cython.int
        row: cython.uint
        left: cython.uint = whole
        between: cython.uint = 0
        rows: cython.uint
        columns: cython.uint
        while left:
            a = lowest(left)
            left &= left - 1
            row = self.near[a]
            self.taken[a] = 0
            if row & (row - 1):
                between |= bit(a)
            columns = whole
            while columns:
                b = lowest(columns)
                columns &= columns - 1
                self.dist[a * NUMBERS + b] = FAR
            while row:
                b = lowest(row)
                row &= row - 1
                self.dist[a * NUMBERS + b] = self.weight[a * NUMBERS + b]
                self.via[a * NUMBERS + b] = b
        while between:
            m = lowest(between)
            between &= between - 1
            rows = self.near[m]
            left = 0
            while rows:
                a = lowest(rows)
                rows &= rows - 1
                way = self.dist[a * NUMBERS + m]
                columns = left
                while columns:
                    b = lowest(columns)
                    columns &= columns - 1
                    if way + self.dist[m * NUMBERS + b] < self.dist[a * NUMBERS + b]:
                        self.dist[a * NUMBERS + b] = way + self.dist[m * NUMBERS + b]
                        self.dist[b * NUMBERS + a] = self.dist[a * NUMBERS + b]
                        self.via[a * NUMBERS + b] = self.via[a * NUMBERS + m]
                        self.via[b * NUMBERS + a] = self.via[b * NUMBERS + m]
                left |= bit(a)
            rows = self.near[m]
            while rows:
                a = lowest(rows)
                rows &= rows - 1
                self.near[a] |= left & ~bit(a)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pair(self, count: cython.int, paired: cython.int) -> cython.int:
        """Pair so many of the odd numbers at the least cost, and take the tiles between them; what they weigh."""
        chosen: cython.uint
        others: cython.uint
        first: cython.int
        other: cython.int
        cost: cython.int
        best: cython.int
        lightest: cython.int = FAR
        answer: cython.uint = 0
        self.cost[0] = 0
        for chosen in range(1, bit(count)):
            if popcount(chosen) & 1 or popcount(chosen) > paired:
                continue
            first = lowest(chosen)
            others = chosen & (chosen - 1)
            best = FAR
            while others:
                other = lowest(others)
                others &= others - 1
                cost = self.cost[chosen & ~(bit(first) | bit(other))]
                cost += self.dist[self.odd[first] * NUMBERS + self.odd[other]]
                if cost < best:
                    best = cost
            self.cost[chosen] = best
            if popcount(chosen) == paired and best < lightest:
                lightest = best
                answer = chosen
        if lightest < FAR:
            self.take_out(answer)
        return lightest

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_out(self, chosen: cython.uint) -> cython.void:
        """Walk the table of costs back, and take the tiles on the way from each number to its partner."""
        first: cython.int
        other: cython.int
        a: cython.int
        b: cython.int
        step: cython.int
        cost: cython.int
        others: cython.uint
        while chosen:
            first = lowest(chosen)
            others = chosen & (chosen - 1)
            while others:
                other = lowest(others)
                others &= others - 1
                cost = self.cost[chosen & ~(bit(first) | bit(other))]
                if self.cost[chosen] == cost + self.dist[self.odd[first] * NUMBERS + self.odd[other]]:
                    a = self.odd[first]
                    b = self.odd[other]
                    self.unpaired &= ~(bit(a) | bit(b))
                    while a != b:
                        step = self.via[a * NUMBERS + b]
                        self.taken[a] ^= bit(step)
                        self.taken[step] ^= bit(a)
                        a = step
                    chosen &= ~(bit(first) | bit(other))
                    break
