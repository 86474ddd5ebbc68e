"""The bot that plays by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Bot, choices

if TYPE_CHECKING:
    from random import Random

    from stationmaster.bots.bot import Limit
    from stationmaster.engine.observation import Observation


class RandomBot(Bot):
    """Plays any legal move, each as likely as any other."""

    id = "random"
    policy = 0

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """One of the legal moves, by the given random numbers."""
        return Advice(rng.choice(choices(observation)), why="bot.why.random")
