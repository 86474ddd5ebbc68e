# cython: language_level=3
"""What the choices of the others say of their hands.

Every seat is taken to play about as the planner does. A deal in which somebody has passed over a much better move than
the one that was made is unlikely, the more so the better that move was. So the sampled deals are led towards those in
which all that was chosen makes sense: two tiles change places, or a ring of them, and the change stands if the
choices of the seats concerned make about as much sense as before (Metropolis). What a seat chooses hangs on its own
hand and on what everybody sees, so only the seats whose tiles changed are gone through again.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.stationmaster.engine.core import State, Worlds
    from cython.cimports.stationmaster.engine.layout import NOTHING, PIP, STOP_CODE
    from cython.cimports.stationmaster.planner.policy import Planner
else:
    from math import log

    from stationmaster.engine.core import State, Worlds
    from stationmaster.engine.layout import NOTHING, PIP, STOP_CODE
    from stationmaster.planner.policy import Planner


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bit(n: cython.int) -> cython.uint:
    return cython.cast(cython.uint, 1) << n


@cython.final
@cython.cclass
class Evidence:
    """Leads the deals of a dealer towards those that make sense of what was chosen."""

    worlds: Worlds
    state: State
    planner: Planner
    hidden: cython.uint
    scale: cython.double
    most: cython.double
    oddity: cython.double[14]  # of each seat's choices in the deal at hand
    fresh: cython.double[14]
    ways: cython.double  # the deal comes up in so many ways too many (its logarithm); see Worlds.fair_letters
    fresh_ways: cython.double
    kept: cython.int[190]
    steps: cython.uint
    tried: cython.longlong
    taken: cython.longlong
    end_of_fields: cython.int

    def __init__(self, worlds: Worlds, planner: Planner, scale: float, most: float) -> None:
        self.worlds = worlds
        self.state = worlds.world
        self.planner = planner
        self.scale = scale * PIP
        self.most = most
        self.tried = self.taken = 0
        self.hidden = 0
        self.steps = 0
        if not cython.compiled:
            self.end_of_fields = 0
            self.ways = self.fresh_ways = 0.0
            for name, length in (("oddity", 14), ("fresh", 14), ("kept", 190)):
                setattr(self, name, [0] * length)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(self, seats: cython.uint, most: cython.double) -> cython.bint:
        """Work out in ``fresh`` how odd the choices of these seats were; False when a move would not have been legal, or more than ``most``."""
        i: cython.int
        s: cython.int
        code: cython.int
        train: cython.int
        a: cython.int
        b: cython.int
        lag: cython.double
        total: cython.double
        self.fresh_ways = log(self.worlds.letter_ways()) if self.worlds.letters_played else 0.0
        total = self.fresh_ways
        if total > most:
            return False
        self.worlds.deal_out()
        self.planner.forget()
        for s in range(self.state.players):
            if seats & bit(s):
                self.fresh[s] = 0
        for i in range(self.worlds.moves):
            s = self.state.turn
            code = self.worlds.played[i]
            if self.worlds.joint and not self.state.may(code):
                return False
            if seats & bit(s):
                if code < STOP_CODE:
                    train = self.worlds.train_played(i)
                    a = self.worlds.attached_played(i)
                    b = self.worlds.exposed_played(i)
                    lag = self.planner.lag(self.state, train, a, b) / self.scale
                    if lag > self.most:
                        lag = self.most
                    self.fresh[s] += lag
                    total += lag
                    if total > most:
                        return False
                    self.planner.note(self.state, s, train, a, b)
                elif self.state.drawn >= 0 or code == STOP_CODE:
                    self.planner.plan_end[s] = NOTHING
            self.worlds.make_move(i)
        return not self.worlds.joint or (
            self.state.whose() == self.worlds.turn and self.state.phase == self.worlds.phase
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, ring: cython.bint) -> cython.void:
        """Let tiles change places, if what was chosen makes sense then."""
        n: cython.int = self.worlds.n
        one: cython.int = 0
        other: cython.int = 0
        i: cython.int
        s: cython.int
        tile: cython.int
        seats: cython.uint = 0
        most: cython.double = -log((self.worlds.below(1 << 24) + 1) / 16777217.0)  # what a step may cost
        if ring:
            for i in range(n):
                self.kept[i] = self.worlds.tile_at[i]
            self.worlds.ring()
            for i in range(n):
                if self.kept[i] != self.worlds.tile_at[i] and self.worlds.slot_seat[i] >= 0:
                    seats |= bit(self.worlds.slot_seat[i])
        else:
            one = self.worlds.below(n - self.worlds.pile_slots)
            other = self.worlds.below(n)
            if (
                self.worlds.slot_seat[one] == self.worlds.slot_seat[other]
                and self.worlds.slot_move[one] == self.worlds.slot_move[other]
            ):
                return
            tile = self.worlds.tile_at[one]
            if (
                not self.worlds.may_lie[tile * 190 + other]
                or not self.worlds.may_lie[self.worlds.tile_at[other] * 190 + one]
            ):
                return
            self.worlds.tile_at[one] = self.worlds.tile_at[other]
            self.worlds.tile_at[other] = tile
            seats = bit(self.worlds.slot_seat[one])
            if self.worlds.slot_seat[other] >= 0:
                seats |= bit(self.worlds.slot_seat[other])
        if seats == 0:
            return
        self.tried += 1
        most += self.ways
        for s in range(self.state.players):
            if seats & bit(s):
                most += self.oddity[s]
        if self.weigh(seats, most):
            self.taken += 1
            self.ways = self.fresh_ways
            for s in range(self.state.players):
                if seats & bit(s):
                    self.oddity[s] = self.fresh[s]
            return
        if ring:
            for i in range(n):
                self.worlds.tile_at[i] = self.kept[i]
        else:
            tile = self.worlds.tile_at[one]
            self.worlds.tile_at[one] = self.worlds.tile_at[other]
            self.worlds.tile_at[other] = tile

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin(self, steps: cython.int) -> cython.void:
        """From any deal to one that makes sense, in so many steps."""
        s: cython.int
        for s in range(self.worlds.n):
            if self.worlds.slot_seat[s] >= 0:
                self.hidden |= bit(self.worlds.slot_seat[s])
        self.weigh(self.hidden, 1e9)
        self.ways = self.fresh_ways
        for s in range(self.state.players):
            self.oddity[s] = self.fresh[s] if self.hidden & bit(s) else 0
        self.go_on(steps)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_on(self, steps: cython.int) -> cython.void:
        """So many steps, and a bone pile shuffled anew."""
        i: cython.int
        s: cython.int
        tile: cython.int
        first: cython.int = self.worlds.n - self.worlds.pile_slots
        if self.hidden:
            for i in range(steps):
                self.steps += 1
                self.step(self.steps % 8 == 0)  # however few steps lead from one deal to the next
        for i in range(self.worlds.pile_slots - 1, 0, -1):
            s = first + self.worlds.below(i + 1)
            tile = self.worlds.tile_at[first + i]
            self.worlds.tile_at[first + i] = self.worlds.tile_at[s]
            self.worlds.tile_at[s] = tile
        self.worlds.play_to_now()

    def lead(self, steps: cython.int) -> tuple:
        """Python: begin."""
        with cython.nogil:
            self.begin(steps)
        return self.tried, self.taken, sum(self.oddity[s] for s in range(self.state.players) if self.hidden >> s & 1)

    def next(self, steps: cython.int) -> float:
        with cython.nogil:
            self.go_on(steps)
        return sum(self.oddity[s] for s in range(self.state.players) if self.hidden >> s & 1)
