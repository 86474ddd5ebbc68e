# cython: language_level=3
"""The longest train of a hand, proven: find the lightest tiles to leave over, so that the rest is one train.

Tiles are edges between numbers, and a train is a walk that uses each at most once. All tiles of a connected hand make
one walk when every number but the two ends has an even count of them (Euler). So the tiles to leave over are the
lightest set that makes the counts even: paths between pairs of odd numbers, the shortest of all pairings (the Chinese
postman's problem; Edmonds and Johnson 1973), with one number left unpaired, where the train ends. What is left over
bounds every train from above, and where the rest hangs together, it *is* the longest train.

Where it does not hang together, the case is split: either a tile that leads to the island is laid, this one or that
one, or the island is never reached. Each case is solved in the same way, and the bound cuts off most of them.

Wild ends. Think of a yard beside the numbers, in which every wild end lies: n-W leads from n to the yard, a letter
tile or W-W from the yard to the yard. A wild end joins anything, so a walk may also change between the yard and any
number without a tile. Only two changes never follow each other, for then no wild end would stand between, and that
can be arranged when there are no more changes than wild ends, and one after the last (Kotzig 1968; ``laying.py`` does
it). All wild tiles are always laid, in the end at the latest. So each wild end leaves one odd number more unpaired,
two of them reach an island, and the rest is as above.

Doubles are a gift at each number that is reached, but for two: one at the very end of a train that has to be covered,
and one that W-W would lie on (3.1). So ``attempt`` may be told at which number W-W lies, and at which the train ends;
a double there counts only where the number is met again, which may split the case once more.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import lowest, popcount
    from cython.cimports.stationmaster.engine.layout import LETTER_BITS, NOTHING, NUMBERS, WILD, WILD_BIT
    from cython.cimports.stationmaster.planner.pairing import Pairing
    from cython.cimports.stationmaster.planner.train import Trains
else:
    from stationmaster.engine.bits import lowest, popcount
    from stationmaster.engine.layout import LETTER_BITS, NOTHING, NUMBERS, WILD, WILD_BIT
    from stationmaster.planner.pairing import Pairing
    from stationmaster.planner.train import Trains

ALL = cython.declare(cython.uint, (1 << 19) - 1)  # numbers
NONE_SHOWS = cython.declare(cython.uint, 1 << 19)  # no wild end shows where one has to
FAR = cython.declare(cython.int, 1 << 28)
DEEPEST = cython.declare(cython.int, 63)
REST = cython.declare(cython.int, 65 * 19)  # after the cases: what is not left over in the case at hand
LAID = cython.declare(cython.int, 66 * 19)  # … and in the best of all
# Where W-W lies, or the train ends, besides at a number (or WILD, on a wild end)
ANYWHERE = cython.declare(cython.int, -1)
NOWHERE = cython.declare(cython.int, -2)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.final
@cython.cclass
class Leftovers:
    """A hand, and what of it has to be left over."""

    pairing: Pairing  # which knows what the tiles weigh
    double: cython.int[19]  # weight of the double of each number, 0 where the hand has none
    start: cython.int
    covered: cython.bint  # a double at the very end does not count
    engine: cython.bint  # the train begins on a double, on which W-W may not lie
    yard: cython.bint  # there are wild ends
    place: cython.int  # where W-W lies
    last: cython.int  # where the train ends
    half_wild: cython.uint  # numbers n of the tiles n-W
    letters: cython.int  # how many letter tiles there are, and W-W if it may lie anywhere
    wilds: cython.int  # what the wild tiles weigh
    # The cases, one below the other
    rows: cython.uint[1273]  # [depth * 19 + number]: the tiles that may be laid; then REST and LAID
    must: cython.uint[1273]  # those of them that have to be laid
    changes: cython.uchar[1273]  # at each number, between it and the yard, that have to be made; then REST and LAID
    between: cython.uint[1273]  # those of which one has to be laid, it is tried which
    numbers: cython.uint[65]  # that may be reached
    bare: cython.uint[65]  # numbers whose doubles are not laid
    free: cython.int[65]  # odd numbers that may be left unpaired
    # The answer
    best: cython.int
    bound: cython.int  # no train that was not tried weighs more
    proven: cython.bint
    laid_bare: cython.uint  # numbers whose doubles are not laid in the best
    nodes: cython.int
    limit: cython.int
    end_of_fields: cython.int

    def __init__(self) -> None:
        self.pairing = Pairing()
        self.covered = False
        self.engine = True
        if not cython.compiled:
            for name in (
                "start yard place last half_wild letters wilds best bound proven laid_bare nodes limit end_of_fields"
            ).split():
                setattr(self, name, 0)
            for name, length in (
                ("double", 19),
                ("rows", 1273),
                ("must", 1273),
                ("between", 1273),
                ("changes", 1273),
                ("numbers", 65),
                ("bare", 65),
                ("free", 65),
            ):
                setattr(self, name, [0] * length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def solve(self, hand: Trains, end: cython.int, limit: cython.int, at_least: cython.int) -> cython.void:
        """The longest train from a number that weighs more than this, in so many cases at most."""
        v: cython.int
        b: cython.int
        row: cython.uint
        for v in range(NUMBERS):
            row = hand.hand[v]
            self.double[v] = hand.weight[v * 33] if row & bit(v) else 0
            row &= (WILD_BIT - 1) & ~bit(v)
            self.rows[v] = row
            self.must[v] = 0
            self.changes[v] = 0
            while row:
                b = lowest(row)
                row &= row - 1
                self.pairing.weight[v * NUMBERS + b] = hand.weight[v * 32 + b]
        self.start = end
        self.place = ANYWHERE
        self.last = ANYWHERE
        self.run(hand, at_least, limit)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, hand: Trains, at_least: cython.int, limit: cython.int) -> cython.void:
        """Seek a train that weighs more than this, with W-W and the end where they are to be."""
        row: cython.uint = hand.hand[WILD]
        self.bare[0] = 0
        self.numbers[0] = ALL
        if self.place == NOWHERE:
            row &= ~WILD_BIT
        self.half_wild = row & (WILD_BIT - 1)
        self.letters = popcount(row & (LETTER_BITS if self.place >= 0 else LETTER_BITS | WILD_BIT))
        self.yard = row != 0 or self.start == WILD
        self.free[0] = 1 + popcount(self.half_wild) + 2 * self.letters + (self.start == WILD)
        self.wilds = 0
        if 0 <= self.place < WILD:  # W-W is a tile from here to the yard
            self.free[0] += 1
            self.changes[self.place] += 1
        if self.last == WILD:
            self.free[0] -= 2
        elif self.last >= 0:
            self.free[0] -= 1
            self.changes[self.last] += 1
        while row:
            self.wilds += hand.weight[WILD * 32 + lowest(row)]
            row &= row - 1
        self.best = at_least - self.wilds
        self.bound = self.best
        self.nodes = 0
        self.limit = limit
        self.split(0, FAR)
        self.proven = self.bound <= self.best
        if self.proven:
            self.bound = self.best

    # ---- The tiles of a case -------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reach(self, at: cython.int, start: cython.int) -> cython.uint:
        """The numbers that can be reached over these tiles."""
        seen: cython.uint = bit(start)
        fresh: cython.uint = seen
        left: cython.uint
        while fresh:
            left = self.rows[at + lowest(fresh)] & ~seen
            fresh &= fresh - 1
            seen |= left
            fresh |= left
        return seen

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def ways(self, at: cython.int, v: cython.int) -> cython.int:
        """How many tiles and changes meet at a number, and the start."""
        return popcount(self.rows[at + v]) + ((self.half_wild >> v) & 1) + self.changes[at + v] + (v == self.start)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_odd(self, at: cython.int, v: cython.int) -> cython.bint:
        """Whether that is an odd count."""
        return self.ways(at, v) & 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def worth(self, at: cython.int, numbers: cython.uint, bare: cython.uint) -> cython.int:
        """What the tiles at these numbers weigh, doubles too, but for those that are not laid."""
        total: cython.int = 0
        row: cython.uint
        v: cython.int
        while numbers:
            v = lowest(numbers)
            numbers &= numbers - 1
            if not (bare & bit(v)):
                total += self.double[v]
            row = self.rows[at + v] & ~(bit(v) - 1)
            while row:
                total += self.pairing.weight[v * NUMBERS + lowest(row)]
                row &= row - 1
        return total

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def turn_over(self, at: cython.int, a: cython.int, b: cython.int) -> cython.void:
        """A tile that was there is gone, and one that was gone is there."""
        self.rows[at + a] ^= bit(b)
        self.rows[at + b] ^= bit(a)

    # ---- One case ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split(self, depth: cython.int, above: cython.int) -> cython.void:
        """Solve the case at this depth, and where the rest is in pieces, the cases it falls into."""
        at: cython.int = depth * NUMBERS
        whole: cython.uint
        lost: cython.uint
        kept: cython.uint
        snag: cython.uint
        v: cython.int
        lone: cython.int
        bound: cython.int
        value: cython.int
        self.nodes += 1
        if self.nodes > self.limit or depth >= DEEPEST:
            if above > self.bound:
                self.bound = above
            return
        whole = self.numbers[depth] if self.yard else self.reach(at, self.start)
        for v in range(NUMBERS):
            if self.must[at + v] and not (whole & bit(v)):
                return
        bound = self.worth(at, whole, self.bare[depth])
        if bound <= self.best or self.free[depth] < 0:
            return
        bound -= self.leave_over(depth, whole, bound - self.best)
        if bound <= self.best:
            return
        for v in range(NUMBERS):
            self.changes[REST + v] = self.changes[at + v] + (self.yard and self.pairing.unpaired & bit(v) != 0)
        lost = whole & ~self.linked()
        if self.yard and lost:
            lost = self.link_islands(lost, (self.free[depth] - popcount(self.pairing.unpaired)) >> 1, self.bare[depth])
        kept = whole & ~lost
        value = bound - self.worth(REST, lost, self.bare[depth])
        lone = self.lone(kept, self.bare[depth])
        if lone >= 0:
            value -= self.double[lone]
        snag = self.snag() if self.yard and (self.place >= 0 or self.last >= 0) else 0
        if value > self.best and snag == 0 and not self.is_void(lone):
            self.best = value
            self.laid_bare = self.bare[depth] if lone < 0 else self.bare[depth] | bit(lone)
            for v in range(NUMBERS):
                self.rows[LAID + v] = self.rows[REST + v] if kept & bit(v) else 0
                self.changes[LAID + v] = self.changes[REST + v]
            if value == bound:
                return
        while lost:  # the piece that holds the first tile, or double, that is lost
            v = lowest(lost)
            if self.rows[REST + v] or (self.double[v] and not (self.bare[depth] & bit(v))):
                self.split_at(depth, self.reach(REST, v), bound)
                return
            lost &= lost - 1
        if lone >= 0:
            self.split_at_double(depth, lone, bound)
        elif snag == NONE_SHOWS:
            self.split_at_leftovers(depth, bound)
        elif snag:
            self.split_at(depth, snag, bound)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def linked(self) -> cython.uint:
        """The numbers that a walk over REST can reach."""
        v: cython.int
        seen: cython.uint = 0
        if self.start < NUMBERS:
            seen = self.reach(REST, self.start)
        if self.yard:
            for v in range(NUMBERS):
                if (self.half_wild & bit(v) or self.changes[REST + v]) and not (seen & bit(v)):
                    seen |= self.reach(REST, v)
        return seen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def link_islands(self, lost: cython.uint, spare: cython.int, bare: cython.uint) -> cython.uint:
        """Reach so many islands, the most worth first, by a change from the yard and one back; what is lost then."""
        left: cython.uint
        island: cython.uint
        best: cython.uint
        worth: cython.int
        most: cython.int
        while spare > 0:
            most = 0
            best = 0
            left = lost
            while left:
                island = self.reach(REST, lowest(left))
                left &= ~island
                worth = self.worth(REST, island, bare)
                if worth > most:
                    most = worth
                    best = island
            if best == 0:
                break
            self.changes[REST + lowest(best)] += 2
            lost &= ~best
            spare -= 1
        return lost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lone(self, kept: cython.uint, bare: cython.uint) -> cython.int:
        """A number with a double that lies at the end of the walk over REST, or under W-W, and cannot lie elsewhere."""
        v: cython.int
        turn: cython.int
        if not self.yard:
            if not self.covered:
                return NOTHING
            if self.rows[REST + self.start] == 0:
                return self.start if self.double[self.start] and not (bare & bit(self.start)) else NOTHING
            kept &= ~bit(self.start)
            while kept:
                v = lowest(kept)
                kept &= kept - 1
                if popcount(self.rows[REST + v]) == 1 and self.double[v] and not (bare & bit(v)):
                    return v
            return NOTHING
        if self.is_void(self.place):
            return self.place
        if self.is_void(self.last):
            return self.last
        for turn in range(2):
            v = self.place if turn == 0 else self.last
            if v < 0 or v == WILD or self.double[v] == 0 or bare & bit(v):
                continue
            if self.ways(REST, v) <= 2 + 2 * (self.place == self.last):
                return v
        return NOTHING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def snag(self) -> cython.uint:
        """What stands in the way of a walk over REST with W-W and the end where they are to be: a piece of it, or 0.

        The piece of the start, when only the end is there, and no way on to the wild tiles. The piece of W-W, when
        the way to it could only be the way to the end. NONE_SHOWS, when W-W could be reached only over a wild end,
        and none shows before it: every wild tile is laid upon a number and shows one.
        """
        v: cython.int
        piece: cython.uint
        left: cython.uint
        if not self.yard or self.start == WILD:
            piece = 0
        else:
            piece = self.reach(REST, self.start)
        if piece & self.at(self.last) and self.ways_out(piece) == 1:
            return piece
        if self.place < 0:
            return 0
        if self.place < WILD and self.last >= 0 and self.last < WILD and not (piece & bit(self.place)):
            left = self.reach(REST, self.place)
            if left & bit(self.last) and self.ways_out(left) == 2:
                return left
        if self.letters or self.start == WILD or piece & self.half_wild or self.half_wild & self.at(self.place):
            return 0
        if piece & self.at(self.place) and (self.place != self.start or not self.engine or self.comes_back()):
            return 0
        left = self.half_wild | self.at(self.place)
        while left:
            v = lowest(left)
            left &= left - 1
            if left & self.reach(REST, v):
                return 0
        return NONE_SHOWS

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def comes_back(self) -> cython.bint:
        """Whether a walk over REST leads from the start back to the start."""
        v: cython.int
        back: cython.bint = False
        row: cython.uint = self.rows[REST + self.start]
        while row and not back:
            v = lowest(row)
            row &= row - 1
            self.turn_over(REST, self.start, v)
            back = (self.reach(REST, v) >> self.start) & 1
            self.turn_over(REST, self.start, v)
        return back

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def at(self, v: cython.int) -> cython.uint:
        """A number as a mask, if it is one."""
        return bit(v) if 0 <= v < WILD else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ways_out(self, piece: cython.uint) -> cython.int:
        """How many wild tiles and changes lead from these numbers to the yard."""
        v: cython.int
        ways: cython.int = popcount(self.half_wild & piece)
        while piece:
            v = lowest(piece)
            piece &= piece - 1
            ways += self.changes[REST + v]
        return ways

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def is_void(self, v: cython.int) -> cython.bint:
        """W-W is to lie at this number, or the train to end, and no tile shows it; but a train that is begun does."""
        needed: cython.int = v == self.last
        if not self.yard or v < 0 or v == WILD:
            return False
        if v == self.place and (self.engine or v != self.start):
            needed += 1
        return popcount(self.rows[REST + v]) + ((self.half_wild >> v) & 1) < needed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_at(self, depth: cython.int, island: cython.uint, bound: cython.int) -> cython.void:
        """Either one of the tiles that lead to the island is laid, or a change leads there, or nothing does."""
        at: cython.int = depth * NUMBERS
        v: cython.int
        needed: cython.bint = False
        for v in range(NUMBERS):
            if island & bit(v):
                self.between[at + v] = self.rows[at + v] & ~island
                if self.must[at + v] or v == self.start or v == self.place or v == self.last:
                    needed = True
            else:
                self.between[at + v] = self.rows[at + v] & island
        self.lay_one_between(depth, bound)
        if self.yard:
            self.split_by_changes(depth, island, bound)
        if not needed:
            self.copy_case(depth)
            for v in range(NUMBERS):
                if island & bit(v):
                    self.rows[at + NUMBERS + v] = 0
            self.numbers[depth + 1] &= ~island
            self.split(depth + 1, bound)
        self.put_back(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_one_between(self, depth: cython.int, bound: cython.int) -> cython.void:
        """One of the tiles in ``between`` is laid: this one, or the next without this one. Then all are taken out."""
        at: cython.int = depth * NUMBERS
        a: cython.int
        b: cython.int
        row: cython.uint
        for a in range(NUMBERS):
            row = self.between[at + a] & ~(bit(a) - 1)
            while row:
                b = lowest(row)
                row &= row - 1
                self.copy_case(depth)
                self.must[at + NUMBERS + a] |= bit(b)
                self.must[at + NUMBERS + b] |= bit(a)
                self.split(depth + 1, bound)
                self.rows[at + a] &= ~bit(b)
                self.rows[at + b] &= ~bit(a)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put_back(self, at: cython.int) -> cython.void:
        """The case has the tiles in ``between`` again."""
        v: cython.int
        for v in range(NUMBERS):
            self.rows[at + v] |= self.between[at + v]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_by_changes(self, depth: cython.int, island: cython.uint, bound: cython.int) -> cython.void:
        """No tile leads to the island, but a change does: at one of its odd numbers, or twice where all are even."""
        at: cython.int = depth * NUMBERS
        below: cython.int = at + NUMBERS
        v: cython.int
        odd: cython.uint = 0
        for v in range(NUMBERS):
            if island & bit(v) and self.is_odd(at, v):
                odd |= bit(v)
        if odd == 0:
            self.copy_case(depth)
            self.changes[below + lowest(island)] += 2
            self.free[depth + 1] -= 2
            self.split(depth + 1, bound)
        while odd & (odd - 1):  # an even count of changes: one of all odd numbers but the last has one
            v = lowest(odd)
            odd &= odd - 1
            self.copy_case(depth)
            self.changes[below + v] += 1
            self.free[depth + 1] -= 1
            self.split(depth + 1, bound)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_at_double(self, depth: cython.int, v: cython.int, bound: cython.int) -> cython.void:
        """Either this double is not laid, or its number is met by another tile or change than it is now."""
        at: cython.int = depth * NUMBERS
        w: cython.int
        others: cython.uint = self.rows[at + v] & ~self.rows[REST + v]
        changes: cython.int = self.changes[REST + v] + 1
        void: cython.bint = self.is_void(v)
        for w in range(NUMBERS):
            self.between[at + w] = others if w == v else others & bit(w) and bit(v)
        if void:
            self.lay_one_between(depth, bound)
            self.put_back(at)
            return
        self.copy_case(depth)
        self.bare[depth + 1] |= bit(v)
        self.split(depth + 1, bound)
        self.lay_one_between(depth, bound)
        if self.yard:
            self.copy_case(depth)
            self.free[depth + 1] -= changes - self.changes[at + v]
            self.changes[at + NUMBERS + v] = changes
            self.split(depth + 1, bound)
        self.put_back(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def split_at_leftovers(self, depth: cython.int, bound: cython.int) -> cython.void:
        """No wild end shows where one has to: a tile is laid that joins pieces of REST, or brings the walk back."""
        at: cython.int = depth * NUMBERS
        v: cython.int
        first: cython.uint = self.reach(REST, self.start)
        for v in range(NUMBERS):
            if self.place == self.start and self.engine:
                self.between[at + v] = self.rows[at + v] & ~self.rows[REST + v]
            elif self.half_wild:
                self.between[at + v] = self.rows[at + v] & ~self.reach(REST, v)
            else:  # W-W is the first wild tile, so it is the start's piece that has to grow
                self.between[at + v] = self.rows[at + v] & (~first if first & bit(v) else first)
        self.lay_one_between(depth, bound)
        self.put_back(at)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def copy_case(self, depth: cython.int) -> cython.void:
        """The case below begins as this one."""
        i: cython.int
        at: cython.int = depth * NUMBERS
        self.free[depth + 1] = self.free[depth]
        self.numbers[depth + 1] = self.numbers[depth]
        self.bare[depth + 1] = self.bare[depth]
        for i in range(at, at + NUMBERS):
            self.rows[i + NUMBERS] = self.rows[i]
            self.must[i + NUMBERS] = self.must[i]
            self.changes[i + NUMBERS] = self.changes[i]

    # ---- What has to be left over --------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leave_over(self, depth: cython.int, whole: cython.uint, most: cython.int) -> cython.int:
        """Take the lightest tiles out of REST so that no more numbers than are free stay odd; what they weigh.

        Where it is plain that this weighs ``most`` or more, that is all that is worked out.
        """
        v: cython.int
        at: cython.int = depth * NUMBERS
        count: cython.int = 0
        cost: cython.int
        left: cython.uint = whole
        for v in range(NUMBERS):
            self.rows[REST + v] = 0
        self.pairing.unpaired = 0
        while left:
            v = lowest(left)
            left &= left - 1
            self.rows[REST + v] = self.rows[at + v]
            self.pairing.near[v] = self.rows[at + v] & ~self.must[at + v]
            if self.is_odd(at, v):
                self.pairing.odd[count] = v
                self.pairing.unpaired |= bit(v)
                count += 1
        if count <= self.free[depth]:
            return 0
        cost = self.pairing.at_least(count, self.free[depth])
        if cost >= most:
            return cost
        self.pairing.measure(whole)
        cost = self.pairing.pair(count, count - self.free[depth])
        left = whole
        while left:
            v = lowest(left)
            left &= left - 1
            self.rows[REST + v] ^= self.pairing.taken[v]
        return cost

    # ---- For Python ----------------------------------------------------------------------------

    def search(
        self, hand: Trains, end: cython.int, covered: cython.bint, engine: cython.bint, limit: cython.int
    ) -> tuple:
        """Seek the best train, W-W and the end anywhere: (its weight, no train weighs more than this)."""
        self.covered = covered
        self.engine = engine
        with cython.nogil:
            self.solve(hand, end, limit, -1)
        return self.best + self.wilds, self.bound + self.wilds

    def attempt(
        self,
        hand: Trains,
        place: cython.int,
        last: cython.int,
        covered: cython.bint,
        at_least: cython.int,
        limit: cython.int,
    ) -> tuple:
        """The same for the hand of the last search with W-W and the end where they are to be, if it is above this."""
        v: cython.int
        self.covered = covered
        self.place = place
        self.last = last
        for v in range(NUMBERS):
            self.changes[v] = 0
        with cython.nogil:
            self.run(hand, at_least, limit)
        return self.best + self.wilds, self.bound + self.wilds

    def found(self) -> tuple:
        """What the best train is made of: rows of tiles, its changes at each number, the doubles."""
        v: cython.int
        doubles: cython.uint = 0
        for v in range(NUMBERS):
            if self.double[v]:
                doubles |= bit(v)
        changes: list = [self.changes[LAID + v] for v in range(NUMBERS)] if self.yard else []
        return [self.rows[LAID + v] for v in range(NUMBERS)], changes, doubles & ~self.laid_bare
