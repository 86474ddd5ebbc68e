"""Why a move: what it does to the hand, in a sentence's key and what fills it in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stationmaster.planner.line_up import line_up, own_end, shown_by
from stationmaster.planner.longest import longest_train

if TYPE_CHECKING:
    from stationmaster.bots.thinking import Thought
    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation

Because = tuple[str, dict[str, Any]]


def because(observation: Observation, move: Move) -> Because:
    """What a move does to the train that the hand could make, and to the points in it."""
    tile, seat = move.tile, observation.seat
    if tile is None or seat is None:
        return "bot.why.stop", {}
    lined_up = line_up(observation)
    before = len(lined_up.train.tiles)
    rest = list(observation.hand)
    rest.remove(tile)
    own = move.train == seat
    if not rest:
        return "bot.why.out", {}
    end, begun = shown_by(move) if own else own_end(observation, seat)
    after = len(longest_train(rest, end, begun=begun).tiles)
    if tile.is_double and any(one.low == tile.low or one.high == tile.low for one in rest):
        return "bot.why.double", {"tile": str(tile)}
    if own and seat in observation.markers:
        return "bot.why.marker", {"count": after}
    if own and after >= before - 1:
        return "bot.why.goes-on", {"count": after}
    if not own and after >= before:
        return "bot.why.keeps", {"count": after, **shed(tile.points(observation.book))}
    return "bot.why.gives-up", {"count": before - after - own, **shed(tile.points(observation.book))}


def shed(points: int) -> dict[str, Any]:
    """How many pips, in words of their own: the sentence's number is that of the tiles."""
    return {"pips": "@bot.why.pip" if points == 1 else "@bot.why.pips", "points": points}


def played_out(thought: Thought) -> Because:
    """That rounds played out ended better so than with the planner's move, or that the match stood better then."""
    key = "bot.why.played-out-match" if thought.for_match else "bot.why.played-out"
    return key, {"count": thought.tried[0].deals, "other": thought.planned}
