# cython: language_level=3
"""A hand with the weights of its tiles, and the best train in it by trying.

Trying finds the best train of any hand by the rules as they stand, and takes its time. ``leftovers.py`` is the quick
way; what is left to trying are a few hands with wild tiles (see ``longest.py``). A number at which an odd count of
tiles ends loses one of them, unless the train begins or ends there or goes over to a wild end: that bounds what a
train still can gain.

The rows of a hand are the core's (see ``engine/core.py``). Weights are any whole numbers above zero.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import lowest, popcount
    from cython.cimports.stationmaster.engine.core import State
    from cython.cimports.stationmaster.engine.layout import LETTER_A, LETTER_BITS, NUMBERS, ROWS, WILD, WILD_BIT
else:
    from stationmaster.engine.bits import lowest, popcount
    from stationmaster.engine.core import State
    from stationmaster.engine.layout import LETTER_A, LETTER_BITS, NUMBERS, ROWS, WILD, WILD_BIT


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.final
@cython.cclass
class Trains:
    """A hand, what its tiles weigh, and the best train found in it."""

    hand: cython.uint[20]  # what is left of it while the search runs, and all of it before and after
    weight: cython.int[640]  # of the tile a-b, both ways round: [a * 32 + b]
    # The search
    covered: cython.bint  # a double at the very end does not count
    left: cython.int  # what is left weighs
    lightest: cython.int
    odd: cython.uint  # numbers with an odd count of what is left
    nodes: cython.int
    limit: cython.int
    now_a: cython.uchar[192]
    now_b: cython.uchar[192]
    # What was found
    best: cython.int
    length: cython.int
    path_a: cython.uchar[192]
    path_b: cython.uchar[192]
    end_of_fields: cython.int

    def __init__(self) -> None:
        if not cython.compiled:
            for name in "covered left lightest odd nodes limit best length end_of_fields".split():
                setattr(self, name, 0)
            for name, length in (
                ("hand", 20),
                ("weight", 640),
                ("now_a", 192),
                ("now_b", 192),
                ("path_a", 192),
                ("path_b", 192),
            ):
                setattr(self, name, [0] * length)

    # ---- The hand ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_hand(self, state: State, seat: cython.int) -> cython.void:
        """The tiles that a seat holds."""
        row: cython.int
        for row in range(ROWS):
            self.hand[row] = state.hands[seat * ROWS + row]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def lift(self, a: cython.int, b: cython.int) -> cython.void:
        """Take a tile out of the hand."""
        self.hand[a] &= ~bit(b)
        if b < ROWS:
            self.hand[b] &= ~bit(a)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, a: cython.int, b: cython.int) -> cython.void:
        """Put a tile into the hand."""
        self.hand[a] |= bit(b)
        if b < ROWS:
            self.hand[b] |= bit(a)

    def remove(self, a: cython.int, b: cython.int) -> None:
        """Take a tile out of the hand; ``put_back`` undoes it."""
        self.lift(a, b)

    def put_back(self, a: cython.int, b: cython.int) -> None:
        """Put a tile back."""
        self.put(a, b)

    def clear(self) -> None:
        """An empty hand."""
        row: cython.int
        for row in range(ROWS):
            self.hand[row] = 0

    def add(self, a: cython.int, b: cython.int, weight: cython.int) -> bool:
        """One tile more, as the core numbers its ends; False if the hand has it."""
        if self.hand[a] & bit(b):
            return False
        self.put(a, b)
        self.weight[a * 32 + b] = weight
        if b < ROWS:
            self.weight[b * 32 + a] = weight
        return True

    def wilds(self) -> tuple:
        """The numbers n of its tiles n-W, as a mask, and the other ends of its wild tiles without a number, W last."""
        row: cython.uint = self.hand[WILD]
        return row & (WILD_BIT - 1), [b for b in range(LETTER_A, 32) if row & bit(b)] + [WILD] * (row & WILD_BIT != 0)

    def total(self, path: list) -> int:
        """What these tiles weigh."""
        return sum([self.weight[a * 32 + b] for a, b in path])

    # ---- The search ----------------------------------------------------------------------------

    def seek(
        self, end: cython.int, on_double: cython.bint, covered: cython.bint, at_least: cython.int, limit: cython.int
    ) -> tuple:
        """Try every train from this end, at so many places at most: is there one that weighs more than ``at_least``?

        (weight, whether all were tried, [(attached, exposed)]).
        """
        a: cython.int
        b: cython.int
        w: cython.int
        row: cython.uint
        self.covered = covered
        self.limit = limit
        self.nodes = 0
        self.best = at_least
        self.length = 0
        self.left = 0
        self.odd = 0
        self.lightest = 1 << 28
        for a in range(ROWS):
            row = self.hand[a] & ~(bit(a) - 1)
            if a < WILD and popcount(self.hand[a] & ~bit(a)) & 1:
                self.odd |= bit(a)
            while row:
                b = lowest(row)
                row &= row - 1
                w = self.weight[a * 32 + b]
                self.left += w
                if w < self.lightest:
                    self.lightest = w
        with cython.nogil:
            self.follow(end, on_double, 0, 0)
        path: list = [(self.path_a[a], self.path_b[a]) for a in range(self.length)]
        return self.best, self.nodes <= limit, path

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def most(self, end: cython.int) -> cython.int:
        """No train from here weighs more than this."""
        row: cython.uint = self.hand[WILD]
        odd: cython.uint = self.odd
        free: cython.int = 1 + popcount(row & (WILD_BIT - 1)) + 2 * popcount(row & (LETTER_BITS | WILD_BIT))
        if end == WILD:
            free += 1
        else:
            odd ^= bit(end)
        free = popcount(odd) - free
        return self.left - ((free + 1) >> 1) * self.lightest if free > 0 else self.left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(self, end: cython.int, on_double: cython.bint, depth: cython.int, total: cython.int) -> cython.void:
        """Try every way on from this end; ``on_double``: what shows is a double."""
        i: cython.int
        row: cython.uint
        self.nodes += 1
        if total > self.best and not (self.covered and on_double and depth):
            self.best = total
            self.length = depth
            for i in range(depth):
                self.path_a[i] = self.now_a[i]
                self.path_b[i] = self.now_b[i]
        if total + self.most(end) <= self.best:
            return
        if self.hand[WILD] & WILD_BIT and not on_double:
            self.step(WILD, WILD, depth, total)
        if end < WILD:
            self.follow_number(end, depth, total)
        else:
            for i in range(NUMBERS):
                self.follow_number(i, depth, total)
        row = self.hand[WILD] & (WILD_BIT - 1)
        while row:
            self.step(WILD, lowest(row), depth, total)
            row &= row - 1
        row = self.hand[WILD] & LETTER_BITS
        if row:  # all letters are laid in the end, so it does not matter which comes first
            self.step(WILD, lowest(row), depth, total)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow_number(self, v: cython.int, depth: cython.int, total: cython.int) -> cython.void:
        """Try the tiles that join by this number; nothing is lost when its double comes first."""
        row: cython.uint = self.hand[v]
        if row & bit(v):
            self.step(v, v, depth, total)
            return
        while row:
            self.step(v, lowest(row), depth, total)
            row &= row - 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, a: cython.int, b: cython.int, depth: cython.int, total: cython.int) -> cython.void:
        """Lay one tile, try every way on, and take it back."""
        w: cython.int = self.weight[a * 32 + b]
        ends: cython.uint = (bit(a) ^ bit(b)) & (WILD_BIT - 1)
        if self.nodes > self.limit:
            return
        self.lift(a, b)
        self.now_a[depth] = a
        self.now_b[depth] = b
        self.left -= w
        self.odd ^= ends
        self.follow(b if b < WILD else WILD, a == b, depth + 1, total + w)
        self.odd ^= ends
        self.left += w
        self.put(a, b)
