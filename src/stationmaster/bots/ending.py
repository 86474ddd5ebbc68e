# cython: language_level=3
"""The end of a round in a deal where nothing is hidden: the true one, when all unseen tiles are in one hand.

The seat tries everything that it can still do; the others play as the planner would. That they would answer as well as
can be was tried too: against players that plan, and against players that play rounds out, it finds less or no more.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.bots.goal import Goal
    from cython.cimports.stationmaster.engine.bits import lowest
    from cython.cimports.stationmaster.engine.core import State
    from cython.cimports.stationmaster.engine.layout import RUNNING
    from cython.cimports.stationmaster.planner.policy import Planner
else:
    from stationmaster.bots.goal import Goal
    from stationmaster.engine.bits import lowest
    from stationmaster.engine.core import State
    from stationmaster.engine.layout import RUNNING
    from stationmaster.planner.policy import Planner

CHOICES = 40  # one after the other, at most


@cython.final
@cython.cclass
class Choice:
    """One choice of the seat, and room for all that may follow from it."""

    state: State
    then: Choice | None

    def __init__(self, choices: cython.int) -> None:
        self.state = State()
        self.then = Choice(choices - 1) if choices > 1 else None


@cython.final
@cython.cclass
class Ending:
    """Everything that a seat can still do."""

    goal: Goal
    planner: Planner  # plays for the others
    seat: cython.int
    looked_at: cython.longlong  # ends of the round, and choices
    most: cython.longlong
    end_of_fields: cython.int

    def __init__(self, goal: Goal, planner: Planner) -> None:
        self.goal = goal
        self.planner = planner
        if not cython.compiled:
            self.seat = self.looked_at = self.most = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_on(self, state: State) -> cython.void:
        """Play to the seat's next choice, or to the end."""
        found: cython.int
        while state.ending == RUNNING:
            if state.turn != self.seat:
                self.planner.forget()
                self.planner.move(state)
                continue
            found = state.find() if state.found < 0 else state.found
            if found + state.may_stop() > 1:
                return
            if found:
                state.place_nth(0)
            elif state.may_stop():
                state.stop()
            elif state.may_draw():
                state.draw()
            else:
                state.give_up()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def best(self, choice: Choice) -> cython.double:
        """What the round is worth from here on; whatever, once too much has been looked at."""
        value: cython.double
        best: cython.double = -1e18
        slot: cython.int
        train: cython.int
        a: cython.int
        fits: cython.uint
        self.play_on(choice.state)
        self.looked_at += 1
        if choice.state.ending != RUNNING:
            return self.goal.worth(choice.state, self.seat)
        if choice.then is None:
            self.looked_at = self.most + 1
            return best
        if choice.state.may_stop():
            choice.then.state.copy_from(choice.state)
            choice.then.state.stop()
            best = self.best(choice.then)
        for slot in range(choice.state.slots):
            fits = choice.state.slot_fits[slot]
            train = choice.state.train_of(slot)
            a = choice.state.attached_of(slot) if fits else 0
            while fits:
                if self.looked_at > self.most:
                    return best
                choice.then.state.copy_from(choice.state)
                choice.then.state.place(train, a, lowest(fits))
                fits &= fits - 1
                value = self.best(choice.then)
                if value > best:
                    best = value
        return best

    # ---- For Python ----------------------------------------------------------------------------

    def worths(self, state: State, most: cython.longlong) -> dict[int, float]:
        """What each move of the seat to play is worth, by its number; nothing when there is too much to look at."""
        first: Choice = Choice(CHOICES)
        found: dict = {}
        value: cython.double
        self.seat = state.turn
        self.looked_at = 0
        self.most = most
        self.planner.weigh(state)
        for number in state.legal():
            first.state.copy_from(state)
            first.state.push(number)
            with cython.nogil:
                value = self.best(first)
            if self.looked_at > most:
                return {}
            found[number] = value
        return found

    def looked(self) -> int:
        """How much was looked at."""
        return self.looked_at

    def played_out(self, state: State) -> dict[int, float]:
        """What each move is worth when everybody plays on as the planner would."""
        then: State = State()
        found: dict = {}
        self.planner.weigh(state)
        for number in state.legal():
            then.copy_from(state)
            then.push(number)
            self.planner.play(then)
            found[number] = self.goal.worth(then, state.turn)
        return found
