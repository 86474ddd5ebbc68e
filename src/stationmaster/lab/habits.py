"""Bots with one habit, for studies that ask what the habit is worth: the same bot with it and without it, on the same
deals, at the same table. What players do and how they fare goes together for many reasons; this takes one apart.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from stationmaster.bots import Advice, Bot, bot, bots

if TYPE_CHECKING:
    from random import Random

    from stationmaster.bots import Limit
    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation

BEST = ("planner", "greedy")  # whose habits are looked at: the first of these that there is


class Habit(Bot):
    """Plays as another bot does, but for some moves that it prefers or avoids."""

    inner: ClassVar[str] = next(id for id in BEST if id in bots())

    @abstractmethod
    def wanted(self, observation: Observation) -> list[Move]:
        """The moves that the habit leaves; none where it has nothing to say."""

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """The other bot's move, or the best by its reckoning of those that the habit leaves."""
        advice = bot(self.inner).consider(observation, limit, rng)
        wanted = self.wanted(observation)
        if not wanted or advice.move in wanted:
            return advice

        def worth(move: Move) -> tuple[float, int]:
            points = move.tile.points(observation.book) if move.tile is not None else 0
            return advice.values.get(move, float("-inf")), points

        return Advice(max(wanted, key=worth), advice.values)


def begins_mexican(observation: Observation, move: Move) -> bool:
    """Whether a move begins the Mexican Train."""
    return move.train == "M" and not observation.trains["M"]


class BeginsMexican(Habit):
    """Begins the Mexican Train whenever it can."""

    id = "begins-mexican"

    def wanted(self, observation: Observation) -> list[Move]:
        return [move for move in observation.legal_moves if begins_mexican(observation, move)]


class WaitsForMexican(Habit):
    """Leaves it to others to begin the Mexican Train, as long as it has another tile to place."""

    id = "waits-for-mexican"

    def wanted(self, observation: Observation) -> list[Move]:
        others = [move for move in observation.legal_moves if not begins_mexican(observation, move)]
        return others if any(move.tile is not None for move in others) else []
