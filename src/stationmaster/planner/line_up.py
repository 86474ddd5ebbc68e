"""A hand lined up as players do it: the train that is planned, and the extras for other trains."""

from __future__ import annotations

from collections import Counter

import msgspec

from stationmaster.engine.moves import Move
from stationmaster.engine.observation import Observation
from stationmaster.engine.tiles import LETTERS, Tile, W
from stationmaster.errors import DealError
from stationmaster.planner.longest import Most, Train, longest_train


class Extra(msgspec.Struct, frozen=True):
    """A tile that is not in the planned train, and where it could go now."""

    tile: Tile
    moves: tuple[Move, ...]  # those that are legal; none when it is another seat's turn


class LineUp(msgspec.Struct, frozen=True):
    """A hand lined up: the train that is planned, and the extras."""

    end: int  # what the own train shows now, as ``Tile.low`` and ``Tile.high`` number ends
    train: Train
    extras: tuple[Extra, ...]


def line_up(observation: Observation, *, covered: bool = False, most: Most = "tiles") -> LineUp:
    """The hand of the seat that observes, lined up from where its own train ends.

    Where the extras could go is known on the seat's own turn only; see ``longest_train`` for the rest.
    """
    seat = observation.seat
    if seat is None:
        raise DealError("a spectator has no hand to line up; observe a seat")
    end, begun = own_end(observation, seat)
    train = longest_train(observation.hand, end, covered=covered, most=most, begun=begun)
    left = Counter(observation.hand) - Counter(train.tiles)
    return LineUp(end, train, tuple(Extra(tile, _places(observation, tile)) for tile in sorted(left.elements())))


def own_end(observation: Observation, seat: int) -> tuple[int, bool]:
    """What a seat's train shows, and whether that is the end of a tile that is no double, nor the engine."""
    laid = observation.trains[seat]
    return shown_by(laid[-1]) if laid else (observation.engine.low, False)


def shown_by(move: Move) -> tuple[int, bool]:
    """The same of a train whose last tile was laid so."""
    assert move.tile is not None
    assert move.exposed is not None
    return W if move.exposed in LETTERS else move.exposed, not move.tile.is_double


def _places(observation: Observation, tile: Tile) -> tuple[Move, ...]:
    return tuple(move for move in observation.legal_moves if move.tile == tile)
