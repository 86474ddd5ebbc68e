"""The bot that plays rounds out: the planner's best moves, tried in many deals that could be the real one.

What it does
    It deals the tiles that it has not seen at random, so that everything it has seen could have happened: who drew or
    passed held nothing that fitted. In each such deal it makes one of its moves and plays the round to its end, every
    seat as the planner would. Then the same deal with another move. What counts is how the round ends for itself, less
    how it ends for the others. Moves that fall behind are dropped, and the rest is tried in more deals
    (``thinking.py``).

Why
    The planner judges a move by rules of thumb. This bot sees what comes of it: who is stopped by a double that is
    left open, whether the round will last long enough to lay the whole train, what an end will be worth to others. How
    much it finds is a question of noise: the end of a round varies by some thirty points from deal to deal, and moves
    differ by three. So the same deals serve all moves, and it leaves the planner's move only for one that is better
    after all that is known has been weighed together.

What it misses
    Deals are equally likely to it when the draws and passes allow them. What others chose to play says more than that:
    the bot ``belief`` listens to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Bot, choices
from stationmaster.bots.thinking import think
from stationmaster.bots.why import because, played_out

if TYPE_CHECKING:
    from random import Random

    from stationmaster.bots.bot import Limit
    from stationmaster.engine.observation import Observation


class RolloutBot(Bot):
    """Plays rounds out in deals that could be the real one."""

    id = "rollout"
    believing = False
    for_match = False  # in a match, goes for the match rather than for the round alone

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """The move after which rounds end best."""
        legal = choices(observation)
        if len(legal) == 1:
            return Advice(legal[0], why="bot.why.only")
        thought = think(observation, limit, rng, believing=self.believing, for_match=self.for_match)
        best = thought.tried[0]
        values = {tried.move: tried.worth - best.worth for tried in thought.tried}
        why = because(observation, best.move) if best.move == thought.planned else played_out(thought)
        return Advice(best.move, values, *why)
