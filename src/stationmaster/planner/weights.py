"""How much things matter to the planner, in pips.

Found by playing: one number or two were changed at a time, and the change stood when a planner that plays by it was
better among planners that do not (``Planner.duel``), over several tables, and again on other deals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from stationmaster.rulebooks.rulebook import Rulebook


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """What speaks for a placement, and against it. What it costs the planned train comes off besides."""

    per_tile: float = 16.0  # a tile laid, besides its pips: whoever has few tiles left goes out
    own: float = 0.375  # of a tile's worth counts on the own train: it could wait, nobody else may play there
    elsewhere: float = 10.0  # a tile laid on another train: the place may be gone by the next turn
    opening: float = -5.0  # … that it begins, and others can go on from
    marker: float = 32.5  # the own marker comes off
    covered: float = 12.0  # a double that the hand can cover: two tiles in one turn
    half_covered: float = 7.0  # … but only with a tile that the plan wants elsewhere
    bare: float = 20.0  # a double that the hand cannot cover
    bare_own: float = 20.0  # … on the own train
    shows_plan: float = -2.5  # shows others a number that the plan wants: what is laid there is gone for the plan
    shows_dead_end: float = -5.0  # shows on the Mexican train or another's a number that the hand has no tile for
    urgent: float = 1.0  # a pip more, divided by the tiles of whoever has fewest, when that is at most six


POINTS = Weights()
WILD = Weights(elsewhere=18.0, own=0.5, bare=17.5, half_covered=5.0, shows_dead_end=6.0, urgent=2.0)
MONEY = Weights(per_tile=32.0, own=0.4, elsewhere=5.0)


def weights_for(book: Rulebook) -> Weights:
    """What fits a rulebook: in a game for the pot only going out pays, and with wild ends no number is a dead end."""
    if book.objective == "most-money":
        return MONEY
    return WILD if book.wild_tiles else POINTS
