# cython: language_level=3
"""The search that bots share: the moves in question, tried in the same sampled deals, each round played out.

A deal that agrees with what the seat has seen is dealt. In it each move still in question is made and the round
played to its end, every seat by the planner's policy and its own hand. What a move is worth is how the round ends
for the seat (``goal.py``). Only differences to the planner's own move count, deal by
deal, so that a lucky deal is lucky for every move.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.bots.evidence import Evidence
    from cython.cimports.stationmaster.bots.goal import Goal
    from cython.cimports.stationmaster.engine.core import State, Worlds
    from cython.cimports.stationmaster.engine.layout import PIP
    from cython.cimports.stationmaster.planner.policy import Planner
else:
    from stationmaster.bots.evidence import Evidence
    from stationmaster.bots.goal import Goal
    from stationmaster.engine.core import State, Worlds
    from stationmaster.engine.layout import PIP
    from stationmaster.planner.policy import Planner

MOST = cython.declare(cython.int, 32)  # moves in question


@cython.final
@cython.cclass
class Search:
    """The moves in question at one decision, and what is known of each."""

    worlds: Worlds
    evidence: Evidence  # leads the deals, if ``believing``
    believing: cython.bint
    steps: cython.int  # from one deal to the next
    planner: Planner  # plays the rounds out
    plans: Planner  # everybody's plans in the deal at hand, before the move
    state: State
    seat: cython.int
    goal: Goal  # what counts
    # The moves, the planner's own first
    count: cython.int
    train: cython.int[32]
    attached: cython.int[32]
    exposed: cython.int[32]
    gap: cython.int[32]  # by which the planner's score of it lies behind
    open: cython.bint[32]  # still in question
    deals: cython.int[32]
    total: cython.double[32]  # of the differences to the first move
    squares: cython.double[32]
    playouts: cython.longlong
    end_of_fields: cython.int

    def __init__(self, worlds: Worlds, planner: Planner, plans: Planner, evidence: Evidence, goal: Goal) -> None:
        self.worlds = worlds
        self.planner = planner
        self.plans = plans
        self.evidence = evidence
        self.goal = goal
        self.believing = False
        self.state = State()
        if not cython.compiled:
            for name in "steps seat count".split():
                setattr(self, name, 0)
            for name in "train attached exposed gap open deals total squares".split():
                setattr(self, name, [0] * MOST)
        self.playouts = 0

    def set_up(self, most: cython.int, steps: cython.int) -> int:
        """Take the placements that the planner rates highest; how many there are."""
        i: cython.int
        self.steps = steps
        self.seat = self.worlds.world.turn
        self.planner.weigh(self.worlds.world)
        self.plans.weigh(self.worlds.world)
        self.plans.forget()
        self.plans.rate_all(self.worlds.world)
        self.count = min(self.plans.rated, most, MOST)
        for i in range(self.count):
            self.train[i] = self.plans.rated_train[i]
            self.attached[i] = self.plans.rated_attached[i]
            self.exposed[i] = self.plans.rated_exposed[i]
            self.gap[i] = self.plans.rated_score[0] - self.plans.rated_score[i]
            self.open[i] = True
            self.deals[i] = 0
            self.total[i] = 0
            self.squares[i] = 0
        return self.count

    def believe(self, steps: cython.int) -> None:
        """Lead the deals by what the others have chosen from now on, so many steps at first."""
        self.believing = True
        with cython.nogil:
            self.evidence.begin(steps)

    def lead(self, steps: cython.int) -> None:
        """So many steps more, without trying a move in the deals."""
        with cython.nogil:
            self.evidence.go_on(steps)

    # ---- One deal ------------------------------------------------------------------------------

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deal(self) -> cython.void:
        """Try every move that is in question in one more deal."""
        i: cython.int
        first: cython.double
        value: cython.double
        if self.believing:
            self.evidence.go_on(self.steps)
        else:
            self.worlds.next_deal(self.steps)
        for i in range(self.worlds.world.players):
            if i != self.seat:
                self.plans.make_plan(self.worlds.world, i)
        first = self.play_out(0)
        self.deals[0] += 1
        for i in range(1, self.count):
            if self.open[i]:
                value = self.play_out(i) - first
                self.deals[i] += 1
                self.total[i] += value
                self.squares[i] += value * value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_out(self, i: cython.int) -> cython.double:
        """Make this move in the deal at hand and play the round to its end; what it was worth."""
        self.state.copy_from(self.worlds.world)
        self.planner.copy_plans(self.plans, self.state.players)
        self.planner.note(self.state, self.seat, self.train[i], self.attached[i], self.exposed[i])
        self.state.place(self.train[i], self.attached[i], self.exposed[i])
        self.planner.play_out(self.state)
        self.playouts += 1
        return self.goal.worth(self.state, self.seat)

    # ---- For Python ----------------------------------------------------------------------------

    def more(self, deals: cython.int) -> int:
        """So many deals more; how many rounds have been played out by now."""
        i: cython.int
        with cython.nogil:
            for i in range(deals):
                self.deal()
        return self.playouts

    def found(self, i: cython.int) -> tuple:
        """(deals, sum of the differences to the first move, sum of their squares, gap in the planner's score)."""
        return self.deals[i], self.total[i], self.squares[i], cython.cast(cython.double, self.gap[i]) / PIP

    def noise(self) -> float:
        """By how much the worth of two moves usually differs in one deal."""
        return self.goal.noise

    def drop(self, i: cython.int) -> None:
        """This move is no longer in question."""
        self.open[i] = False

    def number(self, i: cython.int) -> int:
        """The number of this move."""
        return self.worlds.world.number_of(self.train[i], self.attached[i], self.exposed[i])
