"""Going out in this turn: seen by everybody who has few tiles left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.engine.moves import Move

if TYPE_CHECKING:
    from stationmaster.engine.core import State
    from stationmaster.engine.observation import Observation

FEW = 4  # tiles: with so few in the hand everybody sees whether they all go down in this turn


def ways_out(observation: Observation, state: State) -> list[Move]:
    """The placements with which the whole hand goes down in this turn."""
    if len(observation.hand) > FEW:
        return []
    seat = state.look()[0]
    return [move for move in observation.legal_moves if move.tile is not None and _goes_out(state, move.code, seat)]


def _goes_out(state: State, code: int, seat: int) -> bool:
    """Whether this placement is the last of the hand, or others of the same turn are."""
    state.push(code)
    legal = state.legal()
    if not legal:
        out = state.size(seat) == 0
    else:
        placements = [one for one in legal if Move.from_code(one).tile is not None]
        out = state.look()[0] == seat and any(_goes_out(state, one, seat) for one in placements)
    state.pop()
    return out
