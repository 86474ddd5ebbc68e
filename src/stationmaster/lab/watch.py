# cython: language_level=3
"""Watching a round that bots of the core play among themselves: nothing is built for Python until it is over.

What is noted is what ``rounds.Noted`` notes of rounds played through observations, and a test holds the two together.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.stationmaster.engine.core import State
    from cython.cimports.stationmaster.engine.layout import BLOCKED, RUNNING
    from cython.cimports.stationmaster.planner.policy import Planner
else:
    from stationmaster.engine.core import State
    from stationmaster.engine.layout import BLOCKED, RUNNING
    from stationmaster.planner.policy import Planner


@cython.final
@cython.cclass
class Watch:
    """A table in the core, and somebody who counts."""

    planner: Planner
    state: State
    turns: cython.int[14]
    placed: cython.int[14]
    draws: cython.int[14]
    mexican: cython.int[14]
    end_of_fields: cython.int

    def __init__(self, start: State, weights: object) -> None:
        """``start``: a state with the rules of the table; ``weights``: what matters to its planner there."""
        self.planner = Planner(weights)
        self.state = start.copy()
        self.planner.weigh(self.state)
        if not cython.compiled:
            for name in ("turns", "placed", "draws", "mexican"):
                setattr(self, name, [0] * 14)

    def play(self, start: State, kinds: tuple, seed: cython.uint) -> list:
        """Play a dealt round out, each seat by its kind of policy; ``rounds.OF_ROUND``, and OF_SEAT of each seat.

        Cents are left at 0: ``settle`` says what they are.
        """
        state: State = self.state
        seat: cython.int
        state.copy_from(start)
        state.seed(seed)
        for seat in range(state.players):
            self.planner.kinds[seat] = kinds[seat]
        with cython.nogil:
            self.play_out(state)
        row: list = [1 if state.ending == BLOCKED else 0, state.pile_end - state.pile_next]
        for seat in range(state.players):
            row += [
                state.hand_points(seat), 0, state.sizes[seat], self.turns[seat], self.placed[seat], self.draws[seat],
                state.passes[seat], self.mexican[seat],
            ]  # fmt: skip
        return row

    def settle(
        self, starter: cython.int, pot: cython.int, last: cython.bint, ante: cython.int, fee: cython.int
    ) -> tuple:
        """What each seat took from the pot less what it paid in the round just played, and what stays in the pot."""
        return self.state.settle(starter, pot, last, ante, fee)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play_out(self, state: State) -> cython.void:
        seat: cython.int
        turns: cython.int = state.turns
        laid: cython.int
        pile_next: cython.int
        mexican: cython.uint = cython.cast(cython.uint, 1) << state.players
        begun: cython.bint = False
        for seat in range(state.players):
            self.turns[seat] = 0
            self.placed[seat] = 0
            self.draws[seat] = 0
            self.mexican[seat] = 0
        self.planner.forget()
        self.turns[state.turn] = 1
        while state.ending == RUNNING:
            seat = state.turn
            laid = state.laid
            pile_next = state.pile_next
            self.planner.move(state)
            self.placed[seat] += state.laid - laid
            self.draws[seat] += state.pile_next - pile_next
            if not begun and state.begun & mexican:
                begun = True
                self.mexican[seat] = self.turns[seat]
            if state.turns != turns and state.ending == RUNNING:
                turns = state.turns
                self.turns[state.turn] += 1
