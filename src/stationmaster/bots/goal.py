# cython: language_level=3
"""What the end of a round is worth to a seat.

A round by itself: its points, less those of the others on average; in a game for the pot the same in cents.

A round of a match: the chance to win the match, in per cent. The rounds that follow are taken to be even, so that a
lead is worth the more the fewer of them there are; how far they may still carry two players apart was measured
(``SPREAD``, below). At the beginning of a match that comes to the same as the points; who leads towards its end has no
use for more of them, and who is behind needs a round that ends well, not one that ends well on average. A little of the
points counts besides, for matches that are decided.

In the last round, too, winning is not all that counts as long as the round is open: whether a round played out in some
deal is just won or just lost is mostly luck, so that a few hundred of them say more when a near miss counts (``EVEN``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

if TYPE_CHECKING:
    from stationmaster.engine.observation import Observation

if cython.compiled:
    from cython.cimports.libc.math import exp
    from cython.cimports.stationmaster.engine.core import State
    from cython.cimports.stationmaster.engine.layout import BLOCKED, OUT, RUNNING
else:
    from math import exp

    from stationmaster.engine.core import State
    from stationmaster.engine.layout import BLOCKED, OUT, RUNNING

GRAIN = cython.declare(cython.double, 4096.0)  # worth is counted in so small parts of a per cent

# How far a round carries two planners apart, as the width of the logistic curve that fits best: by the highest number
# and the players (measured: 27.7, 20.4, 18.0 and 16.2 points with 2, 4, 6 and 8 of them and a double-12 set), and in
# the pot game by ante and fee (80 and 73 cents with 4 and 8).
SPREAD, SPREAD_OF_FEW = 1.1, 2.2
SPREAD_ANTE, SPREAD_FEE = 2.6, 3.0
EVEN = 1.0  # rounds that are taken to follow besides, as long as this one is wholly open
# Per cent of a match that a point counts (or a cent) where the match is decided
BESIDES, BESIDES_MONEY = 0.1, 0.025
# By how much two moves usually differ in one deal: points, antes, per cent of a match
NOISE, NOISE_MONEY, NOISE_MATCH = 30.0, 5.0, 15.0


def still_open(observation: Observation) -> float:
    """How much of the round is still open: the tiles of whoever has fewest, of those that were dealt."""
    return min(observation.hand_sizes) / max(1, *observation.dealt_sizes)


@cython.final
@cython.cclass
class Goal:
    """What counts at a table, and how much of it the end of a round is."""

    players: cython.int
    money: cython.bint
    pot: cython.int  # as it would be if nobody had passed in this round
    fee: cython.int
    shared: cython.bint  # the pot is shared if the round ends blocked
    # The match
    match: cython.bint
    to_come: cython.int  # rounds that follow this one
    zeros_decide: cython.bint
    spread: cython.double
    besides: cython.double
    noise: cython.double  # by how much the worth of two moves usually differs in one deal
    total: cython.int[14]  # before this round; fewer are better, so money with its sign turned
    zeros: cython.int[14]
    lowest: cython.int[14]
    # A round that has ended
    brought: cython.double[14]  # points or cents, more are better
    value: cython.double[14]
    end_of_fields: cython.int

    def __init__(self) -> None:
        self.match = False
        if not cython.compiled:
            for name in ["players", "money", "pot", "fee", "shared", "to_come", "zeros_decide"]:
                setattr(self, name, 0)
            self.spread = self.besides = self.noise = 0.0
            for name in ["total", "zeros", "lowest", "brought", "value"]:
                setattr(self, name, [0] * 14)

    def set_up(self, observation: Observation, for_match: cython.bint, certain: cython.bint = False) -> None:
        """Take over what counts; ``for_match``: the match, if it has rounds enough and is known.

        ``certain``: the ends that will be looked at are what is bound to happen, not what may.
        """
        book = observation.book
        passes: cython.int = 0
        i: cython.int
        for made in observation.history:
            passes += made.move.kind == "pass"
        self.players = observation.players
        self.money = book.objective == "most-money"
        self.fee = book.pass_fee
        self.pot = observation.pot - self.fee * passes
        self.noise = NOISE_MONEY * max(book.ante, book.pass_fee, 1) if self.money else NOISE
        standing = observation.standing
        if standing is None or standing.rounds == 1 or not for_match:
            return
        self.match = True
        self.noise = NOISE_MATCH
        self.to_come = standing.to_come
        self.shared = self.to_come == 0
        self.zeros_decide = book.tie_break == "most-zeros"
        if self.money:
            self.spread = SPREAD_ANTE * book.ante + SPREAD_FEE * book.pass_fee
        else:
            self.spread = SPREAD * book.highest * (1 + SPREAD_OF_FEW / self.players)
        self.spread = (
            max(self.spread, 1.0) * (self.to_come + (0.0 if certain else EVEN * still_open(observation))) ** 0.5
        )
        self.besides = BESIDES_MONEY if self.money else BESIDES
        for i in range(self.players):
            self.total[i] = -standing.cents[i] if self.money else standing.points[i]
            self.zeros[i] = standing.zeros[i]
            self.lowest[i] = standing.lowest[i]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self, state: State) -> cython.void:
        """What a round that has ended so brings each seat, in ``brought``."""
        i: cython.int
        takers: cython.int = 0
        pot: cython.int = self.pot
        takes: cython.bint
        for i in range(self.players):
            if not self.money:
                self.brought[i] = -state.hand_points(i)
                continue
            pot += self.fee * state.passes[i]
            self.brought[i] = -self.fee * state.passes[i]
            takers += self.takes(state, i)
        if takers:
            for i in range(self.players):
                takes = self.takes(state, i)
                if takes:
                    self.brought[i] += cython.cast(cython.double, pot) / takers

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def takes(self, state: State, seat: cython.int) -> cython.bint:
        """Does the seat have a share of the pot?"""
        if state.ending == OUT:
            return state.sizes[seat] == 0
        return self.shared and state.ending == BLOCKED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def judge(self, state: State) -> cython.void:
        """What the end of a round is worth to each seat, in ``value``."""
        i: cython.int
        self.count(state)
        for i in range(self.players):
            self.value[i] = self.weigh(state, i)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def worth(self, state: State, seat: cython.int) -> cython.double:
        """What the end of a round is worth to this seat."""
        self.count(state)
        return self.weigh(state, seat)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weigh(self, state: State, seat: cython.int) -> cython.double:
        """What it is worth, when it has been counted."""
        value: cython.double = self.ahead(seat)
        if self.match:  # in whole grains, so that sums come out the same on every machine
            value = self.besides * value + 100 * self.chance(state, seat)
            value = cython.cast(cython.longlong, value * GRAIN) / GRAIN
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ahead(self, seat: cython.int) -> cython.double:
        """What the round brings the seat, less what it brings the others on average."""
        i: cython.int
        others: cython.double = 0
        for i in range(self.players):
            if i != seat:
                others += self.brought[i]
        return self.brought[seat] - others / (self.players - 1) if self.players > 1 else self.brought[seat]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chance(self, state: State, seat: cython.int) -> cython.double:
        """The chance to win the match."""
        i: cython.int
        own: cython.double = self.total[seat] - self.brought[seat]
        other: cython.double
        sum: cython.double = 1
        equal: cython.int = 1
        order: cython.int
        for i in range(self.players):
            if i == seat:
                continue
            other = self.total[i] - self.brought[i]
            if self.spread > 0:
                sum += exp((own - other) / self.spread)
                continue
            order = (own > other) - (own < other)
            if order == 0 and self.zeros_decide:
                order = self.by_zeros(state, seat, i)
            if order > 0:
                return 0
            equal += order == 0
        return 1 / sum if self.spread > 0 else cython.cast(cython.double, 1) / equal

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def by_zeros(self, state: State, one: cython.int, other: cython.int) -> cython.int:
        """With equal totals: below 0 when the one wins, above when the other does, 0 when they share."""
        a: cython.int = state.hand_points(one)
        b: cython.int = state.hand_points(other)
        more: cython.int = (self.zeros[other] + (b == 0)) - (self.zeros[one] + (a == 0))
        if more:
            return more
        if a == 0 or (self.lowest[one] and self.lowest[one] < a):
            a = self.lowest[one]
        if b == 0 or (self.lowest[other] and self.lowest[other] < b):
            b = self.lowest[other]
        return a - b

    # ---- For Python ----------------------------------------------------------------------------

    def for_match(self) -> bool:
        """Whether it is the match that counts."""
        return self.match

    def worth_of(self, state: State, seat: cython.int) -> float:
        """What the end of a round is worth to this seat."""
        if state.ending == RUNNING:
            raise ValueError("the round has not ended")
        return self.worth(state, seat)
