# cython: language_level=3
"""The planner's way of playing: protect the best train of the hand, and lay what is not in it elsewhere first.

It sees the hand of the seat to play and what lies on the table, nothing else; the bot ``planner`` and every playout
play by this very code. A plan is the train of the hand that weighs most (``leftovers.py``), as a set of tiles: what
each may be followed by is worked out when it is laid. So a plan stands as long as only its next tile, or tiles
outside of it, leave the hand, and need not be made again at every move. Weights are made so that no two sets of tiles
weigh the same, as good as ever: then a plan kept and a plan made anew are the same, and so are their moves.

Two simpler ways of playing live here too, for tables of mixed players: by chance, and the heaviest tile.
"""

from __future__ import annotations

import cython

from stationmaster.planner.weights import POINTS, Weights

if cython.compiled:
    from cython.cimports.stationmaster.engine.bits import lowest, popcount
    from cython.cimports.stationmaster.engine.core import State
    from cython.cimports.stationmaster.engine.layout import (
        GREEDY,
        LETTER_A,
        LETTER_D,
        NOTHING,
        NUMBERS,
        OUT,
        PIP,
        PLANNER,
        RANDOM,
        ROWS,
        RUNNING,
        WILD,
        WILD_BIT,
    )
    from cython.cimports.stationmaster.planner.leftovers import Leftovers
    from cython.cimports.stationmaster.planner.train import Trains
else:
    from stationmaster.engine.bits import lowest, popcount
    from stationmaster.engine.core import State
    from stationmaster.engine.layout import (
        GREEDY,
        LETTER_A,
        LETTER_D,
        NOTHING,
        NUMBERS,
        OUT,
        PIP,
        PLANNER,
        RANDOM,
        ROWS,
        RUNNING,
        WILD,
        WILD_BIT,
    )
    from stationmaster.planner.leftovers import Leftovers
    from stationmaster.planner.train import Trains

LAID = cython.declare(cython.int, 66 * 19)  # where Leftovers leaves the tiles of the best train
CASES = cython.declare(cython.int, 40)  # of a plan, looked at
MOST_RATED = cython.declare(cython.int, 640)
LOW = cython.declare(cython.int, -(1 << 30))
NEAR = cython.declare(cython.int, 6)  # tiles: somebody with so few may go out soon


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.cfunc
@cython.exceptval(check=False)
def scattered(tile: cython.ulonglong) -> cython.int:
    """A number of its own for each tile, below half a pip."""
    tile = (tile * 1103515245 + 12345) & 0x7FFFFFFF
    tile = ((tile ^ tile >> 15) * 1812433253) & 0x7FFFFFFF
    return cython.cast(cython.int, tile >> 12 & 2047)


@cython.final
@cython.cclass
class Planner:
    """The plans of all seats of a round, and what each seat does by its own."""

    trains: Trains
    leftovers: Leftovers
    kinds: cython.int[14]  # how each seat plays
    # How much things matter, in PIP of a pip; planner/weights.py says what each is
    per_tile: cython.int
    own: cython.int
    elsewhere: cython.int
    opening: cython.int
    marker: cython.int
    covered: cython.int
    half_covered: cython.int
    bare: cython.int
    bare_own: cython.int
    shows_plan: cython.int
    shows_dead_end: cython.int
    urgent: cython.int
    # The plans
    plan_end: cython.int[14]  # the end that the plan begins at, or NOTHING where there is none
    plan_total: cython.int[14]
    plan: cython.uint[280]  # its tiles, as rows
    # What was chosen
    train: cython.int  # or NOTHING: draw, pass or stop
    attached: cython.int
    exposed: cython.int
    score: cython.int
    # All placements, when all were rated, the one that would be chosen first; of more than there is room for, the best
    rated: cython.int
    rated_train: cython.int[640]
    rated_attached: cython.int[640]
    rated_exposed: cython.int[640]
    rated_score: cython.int[640]
    end_of_fields: cython.int

    def __init__(self, weights: Weights = POINTS) -> None:
        self.trains = Trains()
        self.leftovers = Leftovers()
        if not cython.compiled:
            for name in "train attached exposed score rated".split():
                setattr(self, name, 0)
            for name, length in (
                ("kinds", 14), ("plan_end", 14), ("plan_total", 14), ("plan", 280), ("rated_train", 640),
                ("rated_attached", 640), ("rated_exposed", 640), ("rated_score", 640),
            ):  # fmt: skip
                setattr(self, name, [0] * length)
        self.per_tile = round(weights.per_tile * PIP)
        self.own = round(weights.own * PIP)
        self.elsewhere = round(weights.elsewhere * PIP)
        self.opening = round(weights.opening * PIP)
        self.marker = round(weights.marker * PIP)
        self.covered = round(weights.covered * PIP)
        self.half_covered = round(weights.half_covered * PIP)
        self.bare = round(weights.bare * PIP)
        self.bare_own = round(weights.bare_own * PIP)
        self.shows_plan = round(weights.shows_plan * PIP)
        self.shows_dead_end = round(weights.shows_dead_end * PIP)
        self.urgent = round(weights.urgent * PIP)
        i: cython.int
        for i in range(14):
            self.kinds[i] = PLANNER
        self.forget()

    def weigh(self, state: State) -> None:
        """What each tile of a set weighs in a plan: its pips, something for being a tile, and a little of its own."""
        a: cython.int
        b: cython.int
        c: cython.int
        w: cython.int
        for a in range(ROWS):
            for b in range(27):
                c = LETTER_A if LETTER_A <= b < LETTER_D else b  # which of the three it is, nobody sees
                w = (a if a < WILD else state.wild_points) + (b if b < WILD else state.wild_points)
                if a == 0 and b == 0:
                    w = state.double_blank
                w = w * PIP + self.per_tile
                w += scattered(min(a, c) * 32 + max(a, c))
                self.trains.weight[a * 32 + b] = w
                if b < ROWS:
                    self.trains.weight[b * 32 + a] = w

    # ---- Plans ---------------------------------------------------------------------------------

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def forget(self) -> cython.void:
        """No seat has a plan."""
        i: cython.int
        for i in range(14):
            self.plan_end[i] = NOTHING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def copy_plans(self, other: Planner, players: cython.int) -> cython.void:
        """The same plans as another's."""
        i: cython.int
        for i in range(players):
            self.plan_end[i] = other.plan_end[i]
            self.plan_total[i] = other.plan_total[i]
        for i in range(players * ROWS):
            self.plan[i] = other.plan[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make_plan(self, state: State, seat: cython.int) -> cython.void:
        """The best train of this hand, from where its own train ends."""
        v: cython.int
        base: cython.int = seat * ROWS
        end: cython.int = state.ends[seat]
        row: cython.uint
        double: cython.uint
        self.trains.take_hand(state, seat)
        self.leftovers.solve(self.trains, end, CASES, -1)
        self.plan_end[seat] = end
        self.plan_total[seat] = self.leftovers.best + self.leftovers.wilds
        for v in range(NUMBERS):
            row = self.leftovers.rows[LAID + v]
            double = self.trains.hand[v] & bit(v)
            if double and (row or v == end):
                row |= double
            row |= self.trains.hand[v] & WILD_BIT
            self.plan[base + v] = row
        self.plan[base + WILD] = self.trains.hand[WILD]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def loss(self, state: State, train: cython.int, a: cython.int, b: cython.int, most: cython.int) -> cython.int:
        """What the plan loses when a-b is laid there: what the best train of the rest lacks. From ``most`` on, ``most``."""
        seat: cython.int = state.turn
        end: cython.int = self.plan_end[seat]
        total: cython.int = self.plan_total[seat]
        self.trains.take_hand(state, seat)
        self.trains.lift(a, b)
        if train == seat:
            end = b if b < WILD else WILD
            total -= self.trains.weight[a * 32 + b]
        self.leftovers.solve(self.trains, end, CASES, total - most if most < total else -1)
        return total - self.leftovers.best - self.leftovers.wilds

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leads_on(self, base: cython.int, a: cython.int, b: cython.int) -> cython.bint:
        """The plan without a-b, laid first, is still one train from b."""
        seen: cython.uint
        fresh: cython.uint
        left: cython.uint
        rest: cython.uint = 0
        v: cython.int
        if a == b or a >= WILD or b >= WILD:
            return True
        for v in range(NUMBERS):
            if self.plan[base + v]:
                rest |= bit(v)
        if (self.plan[base + a] & ~bit(b)) == 0:
            rest &= ~bit(a)
        if (self.plan[base + b] & ~bit(a)) == 0:
            rest &= ~bit(b)
        if self.plan[base + a] & bit(a) and (self.plan[base + a] & ~(bit(a) | bit(b))) == 0:
            return False  # the double would be left behind
        seen = bit(b)
        fresh = seen
        while fresh:
            v = lowest(fresh)
            fresh &= fresh - 1
            left = self.plan[base + v] & ~seen
            if v == b:
                left &= ~bit(a)
            elif v == a:
                left &= ~bit(b)
            seen |= left
            fresh |= left
        return (rest & ~seen) == 0

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def keeps_plan(self, base: cython.int, own: cython.bint, a: cython.int, b: cython.int) -> cython.bint:
        """Does the plan stand as it is when a-b is laid? If not, what it loses has to be worked out."""
        if self.plan[base + a] & bit(b):
            return own and self.leads_on(base, a, b)
        return not own

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def note(self, state: State, seat: cython.int, train: cython.int, a: cython.int, b: cython.int) -> cython.void:
        """The seat is about to place a-b: does its plan stand?"""
        base: cython.int = seat * ROWS
        if self.plan_end[seat] < 0:
            return
        if state.wild or (train == seat and self.plan_end[seat] != a) or not self.keeps_plan(base, train == seat, a, b):
            self.plan_end[seat] = NOTHING
        elif train == seat:
            self.plan[base + a] &= ~bit(b)
            self.plan[base + b] &= ~bit(a)
            self.plan_end[seat] = b
            self.plan_total[seat] -= self.trains.weight[a * 32 + b]

    # ---- Choosing ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose(self, state: State) -> cython.void:
        """The move of the seat to play: a placement, or train NOTHING for whatever else there is."""
        count: cython.int = state.find() if state.found < 0 else state.found
        kind: cython.int = self.kinds[state.turn]
        self.train = NOTHING
        if count == 0:
            return
        if kind == RANDOM:
            self.take_nth(state, state.below(count + state.may_stop()))
        elif kind == GREEDY:
            self.choose_heaviest(state)
        elif count == 1 and not state.may_stop():
            self.take_nth(state, 0)
        else:
            if state.drawn >= 0:
                self.plan_end[state.turn] = NOTHING  # the tile just drawn may be part of a better one
            self.choose_by_plan(state)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, train: cython.int, a: cython.int, b: cython.int, score: cython.int) -> cython.void:
        self.train = train
        self.attached = a
        self.exposed = b
        self.score = score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_nth(self, state: State, k: cython.int) -> cython.void:
        """The k-th of the placements that the core has found, if there are so many."""
        slot: cython.int
        fits: cython.uint
        n: cython.int
        for slot in range(state.slots):
            fits = state.slot_fits[slot]
            n = popcount(fits)
            if k < n:
                while k:
                    fits &= fits - 1
                    k -= 1
                self.take(state.train_of(slot), state.attached_of(slot), lowest(fits), 0)
                return
            k -= n

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_heaviest(self, state: State) -> cython.void:
        """The tile that counts the most; of equals the first in the canonical order."""
        slot: cython.int
        fits: cython.uint
        a: cython.int
        b: cython.int
        points: cython.int
        number: cython.int
        first: cython.int = 0
        self.score = LOW
        for slot in range(state.slots):
            fits = state.slot_fits[slot]
            a = state.attached_of(slot)
            while fits:
                b = lowest(fits)
                fits &= fits - 1
                points = (a if a < WILD else state.wild_points) + (b if b < WILD else state.wild_points)
                if a == 0 and b == 0:
                    points = state.double_blank
                if points < self.score:
                    continue
                number = state.number_of(state.train_of(slot), a, b)
                if points > self.score or number < first:
                    first = number
                    self.take(state.train_of(slot), a, b, points)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def choose_by_plan(self, state: State) -> cython.void:
        """Of the placements the one with the highest score."""
        if self.plan_end[state.turn] != state.ends[state.turn]:
            self.make_plan(state, state.turn)
        self.score = LOW
        self.seek_better(state)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def seek_better(self, state: State) -> cython.void:
        """Take the placement with the highest score above the one now; those whose loss is to be worked out come last."""
        seat: cython.int = state.turn
        base: cython.int = seat * ROWS
        turn: cython.int
        slot: cython.int
        train: cython.int
        a: cython.int
        b: cython.int
        score: cython.int
        fits: cython.uint
        keeps: cython.bint
        later: cython.bint = False
        for turn in range(2):
            for slot in range(state.slots):
                fits = state.slot_fits[slot]
                if fits == 0:
                    continue
                a = state.attached_of(slot)
                train = state.train_of(slot)
                while fits:
                    b = lowest(fits)
                    fits &= fits - 1
                    keeps = self.keeps_plan(base, train == seat, a, b)
                    if keeps == turn:
                        later = later or turn == 0
                        continue
                    score = self.rate(state, base, train, a, b)
                    if score > self.score and not keeps:
                        score -= self.loss(state, train, a, b, score - self.score if self.score > LOW else -LOW)
                    if score > self.score:
                        self.take(train, a, b, score)
            if not later:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rate(self, state: State, base: cython.int, train: cython.int, a: cython.int, b: cython.int) -> cython.int:
        """What speaks for a placement, the loss to the plan aside."""
        score: cython.int
        weight: cython.int = self.trains.weight[a * 32 + b]
        begins: cython.bint = (state.begun & bit(train)) == 0
        row: cython.uint
        if train == state.turn:
            score = (weight >> 6) * self.own >> 6
            if state.marked & bit(train):
                score += self.marker
        else:
            score = self.elsewhere + weight
            if begins:
                score += self.opening
            if a != b and b < WILD and self.plan[base + b]:
                score += self.shows_plan
        if a == b:
            row = state.hands[base + a] & ~bit(a)
            if row == 0:
                score += self.bare
                if train == state.turn:
                    score += self.bare_own
            elif train == state.turn or row & ~self.plan[base + a]:
                score += self.covered
            else:
                score += self.half_covered
        elif b < WILD and (state.hands[base + b] & ~bit(a)) == 0:
            score += self.shows_dead_end
        if self.urgent:
            score += self.hurry(state, a, b)
        return score

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def hurry(self, state: State, a: cython.int, b: cython.int) -> cython.int:
        """How much more a tile's pips matter because somebody else may go out soon."""
        least: cython.int = NEAR + 1
        i: cython.int
        for i in range(state.players):
            if i != state.turn and state.sizes[i] < least:
                least = state.sizes[i]
        if least > NEAR:
            return 0
        return ((a if a < WILD else 10) + (b if b < WILD else 10)) * self.urgent // (least if least else 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lag(self, state: State, train: cython.int, a: cython.int, b: cython.int) -> cython.int:
        """How far a placement's score lies behind that of the planner's own choice, in PIP of a pip."""
        seat: cython.int = state.turn
        count: cython.int = state.find() if state.found < 0 else state.found
        score: cython.int
        if count < 2:
            return 0
        if state.drawn >= 0 or self.plan_end[seat] != state.ends[seat]:
            self.make_plan(state, seat)
        score = self.rate(state, seat * ROWS, train, a, b)
        if not self.keeps_plan(seat * ROWS, train == seat, a, b):
            score -= self.loss(state, train, a, b, -LOW)
        self.score = score
        self.seek_better(state)
        return self.score - score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def rate_all(self, state: State) -> cython.void:
        """Every placement with its score: the planner's choice first, then the best first."""
        seat: cython.int = state.turn
        slot: cython.int
        train: cython.int
        a: cython.int
        b: cython.int
        i: cython.int
        k: cython.int
        score: cython.int
        fits: cython.uint
        self.rated = 0
        if state.found < 0:
            state.find()
        self.make_plan(state, seat)
        self.choose_by_plan(state)
        for slot in range(state.slots):
            fits = state.slot_fits[slot]
            a = state.attached_of(slot)
            train = state.train_of(slot)
            while fits:
                b = lowest(fits)
                fits &= fits - 1
                score = self.rate(state, seat * ROWS, train, a, b)
                if not self.keeps_plan(seat * ROWS, train == seat, a, b):
                    score -= self.loss(state, train, a, b, -LOW)
                i = self.rated
                while i > 0 and self.rated_score[i - 1] < score:
                    i -= 1
                if train == self.train and a == self.attached and b == self.exposed:
                    i = 0
                elif i == 0 and self.rated and self.rated_score[0] == self.score:
                    i = 1
                if self.rated < MOST_RATED:
                    self.rated += 1
                elif i == MOST_RATED:
                    continue
                k = self.rated - 1
                while k > i:
                    self.rated_train[k] = self.rated_train[k - 1]
                    self.rated_attached[k] = self.rated_attached[k - 1]
                    self.rated_exposed[k] = self.rated_exposed[k - 1]
                    self.rated_score[k] = self.rated_score[k - 1]
                    k -= 1
                self.rated_train[i] = train
                self.rated_attached[i] = a
                self.rated_exposed[i] = b
                self.rated_score[i] = score

    # ---- Playing -------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, state: State) -> cython.void:
        """Make one move for the seat to play."""
        seat: cython.int = state.turn
        self.choose(state)
        if self.train >= 0:
            self.note(state, seat, self.train, self.attached, self.exposed)
            state.place(self.train, self.attached, self.exposed)
        elif state.found:
            state.stop()
        elif state.may_draw():
            state.draw()
            if state.drawn < 0:  # D made it draw: what the tile is good for, the plan made next will show
                self.plan_end[seat] = NOTHING
        else:
            if state.drawn >= 0:
                self.plan_end[seat] = NOTHING
            state.give_up()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_out(self, state: State) -> cython.void:
        """Play the round to its end."""
        while state.ending == RUNNING:
            self.move(state)

    # ---- For Python ----------------------------------------------------------------------------

    def set_kinds(self, kinds: list) -> None:
        """How each seat plays: RANDOM, GREEDY or PLANNER."""
        for i, kind in enumerate(kinds):
            self.kinds[i] = kind

    def play(self, state: State) -> None:
        """Play a round to its end, every seat in its way and planning afresh."""
        self.weigh(state)
        self.forget()
        with cython.nogil:
            self.play_out(state)

    def choice(self, state: State) -> int:
        """The number of the move that the seat to play makes, planned afresh."""
        self.weigh(state)
        self.forget()
        self.choose(state)
        if self.train >= 0:
            return state.number_of(self.train, self.attached, self.exposed)
        rest: list = state.legal()
        return rest[len(rest) - 1]  # draw or pass, or stop, which comes last

    def ratings(self, state: State) -> list:
        """(number, score in pips) of every placement, the planner's own choice first, then the best first."""
        self.weigh(state)
        self.rate_all(state)
        return [
            (
                state.number_of(self.rated_train[i], self.rated_attached[i], self.rated_exposed[i]),
                cython.cast(cython.double, self.rated_score[i]) / PIP,
            )
            for i in range(self.rated)
        ]

    def duel(
        self, other: Planner, state: State, deals: cython.int, hand_size: cython.int, seed: cython.uint, fee: cython.int
    ) -> tuple:
        """One seat by these weights, the rest by another's, every deal in all rotations: what tuning goes by.

        (mean difference of points a round, its standard error, share of rounds won times players; with a ``fee``
        for every pass, the difference is in cents, the pot won by who goes out, instead).
        """
        first: State = State()
        d: cython.int
        r: cython.int
        s: cython.int
        n: cython.int = state.players
        value: cython.double
        own: cython.double
        sum: cython.double
        least: cython.double
        mean: cython.double
        pot: cython.double
        total: cython.double = 0
        squares: cython.double = 0
        won: cython.double = 0
        variance: cython.double
        state.rng = seed
        self.weigh(state)
        other.weigh(state)
        with cython.nogil:
            for d in range(deals):
                state.deal_random(state.highest - d % (state.highest + 1), hand_size, d % n)
                first.copy_from(state)
                mean = 0
                for r in range(n):
                    state.copy_from(first)
                    self.forget()
                    other.forget()
                    while state.ending == RUNNING:
                        if state.turn == r:
                            self.move(state)
                        else:
                            other.move(state)
                    sum = 0
                    own = 0
                    least = 1e9
                    pot = 0
                    for s in range(n):
                        pot += 25 + fee * state.passes[s]
                    for s in range(n):
                        value = state.hand_points(s)
                        if fee:
                            value = fee * state.passes[s] + 25
                            if state.ending == OUT and state.sizes[s] == 0:
                                value -= pot
                        sum += value
                        if s == r:
                            own = value
                        elif value < least:
                            least = value
                    if own < least:
                        won += 1
                    elif own == least:
                        won += 0.5
                    mean += own - (sum - own) / (n - 1)
                mean /= n
                total += mean
                squares += mean * mean
        mean = total / deals
        variance = max(squares / deals - mean * mean, 0.0)  # where no deal differs, rounding may take it below
        return mean, (variance / deals) ** 0.5, won / deals
