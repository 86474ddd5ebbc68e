"""The bot that plays for the match: what ``belief`` does, with an eye on the totals and on the end of the round.

What it does
    What the bot ``belief`` does, and three things besides. It goes out when it can. In a match it asks of the end of a
    round what it does for the match: the chance to win it, by the totals and the rounds to come (``goal.py``). And when
    nothing is hidden any more, because the bone pile is empty and all unseen tiles are in one hand, it tries all that
    it can still do (``ending.py``).

Why
    Whoever leads before the last round wants no risk, and whoever is behind wants one; to both, points are no matter.
    Where all tiles are known, playing rounds out in many deals is waste: there is but one.

What it misses
    It takes the rounds to come to be even, whoever plays them, and the others to end a round as the planner would.
    With three or more players something is mostly hidden to the end; trying everything in each of many deals was
    measured, and found no more than playing the deals out.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Limit
from stationmaster.bots.ending import Ending
from stationmaster.bots.goal import Goal
from stationmaster.bots.rollout import RolloutBot
from stationmaster.bots.thinking import PLAYOUTS
from stationmaster.bots.ways_out import FEW, ways_out
from stationmaster.bots.why import because
from stationmaster.engine.moves import Move
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

if TYPE_CHECKING:
    from random import Random

    from stationmaster.engine.core import State
    from stationmaster.engine.observation import Observation

A_PLAYOUT, A_SECOND = 40, 200_000  # of all that can still be done, so much is looked at; a seventh of the time


class MasterBot(RolloutBot):
    """Plays for the match, in deals that make sense of what the others have chosen."""

    id = "master"
    believing = True
    for_match = True

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """Out, if it can be; the best, if that is certain; else the move after which it stands best."""
        began = perf_counter()
        if len(observation.legal_moves) > 1:
            known = all_is_known(observation)
            if known or len(observation.hand) <= FEW:
                state = observation.worlds(rng).state()
                advice = best_ending(observation, state, limit) if known else None
                advice = advice or out_now(observation, state)
                if advice is not None:
                    return advice
        if limit.seconds is not None:
            left = max(limit.seconds - (perf_counter() - began), limit.seconds / 2)
            limit = Limit(seconds=left, playouts=limit.playouts)
        return super().consider(observation, limit, rng)


def out_now(observation: Observation, state: State) -> Advice | None:
    """A way out in this turn. Whoever is behind in the last round may want the round to go on, and has to think."""
    out = ways_out(observation, state)
    if not out or is_behind_at_last(observation):
        return None
    return Advice(out[0], dict.fromkeys(out, 0.0), *because(observation, out[0]))


def is_behind_at_last(observation: Observation) -> bool:
    """Whether it is the last round of a match, and somebody else has fewer points."""
    standing, seat = observation.standing, observation.seat
    if standing is None or seat is None or standing.to_come or standing.rounds == 1:
        return False
    return observation.book.objective == "lowest-points" and standing.points[seat] > min(standing.points)


def all_is_known(observation: Observation) -> bool:
    """Whether no tile is left whose place is not known."""
    hidden = [seat for seat, hand in enumerate(observation.hands) if hand is None and observation.hand_sizes[seat]]
    return observation.bone_pile_count == 0 and len(hidden) < 2


def best_ending(observation: Observation, state: State, limit: Limit) -> Advice | None:
    """The move that is best to the end of the round; None when there is too much to look at."""
    weights, goal = weights_for(observation.book), Goal()
    goal.set_up(observation, True, True)
    most = [A_PLAYOUT * (limit.playouts or PLAYOUTS)] if limit.seconds is None or limit.playouts else []
    most += [int(A_SECOND * limit.seconds)] if limit.seconds is not None else []
    worths = Ending(goal, Planner(weights)).worths(state, min(most))
    if not worths:
        return None
    planned: int = Planner(weights).choice(state)
    best = max(worths, key=lambda number: (worths[number], number == planned))
    move = Move.from_code(best)
    values = {Move.from_code(number): worth - worths[best] for number, worth in worths.items()}
    if best == planned:
        return Advice(move, values, *because(observation, move))
    return Advice(move, values, "bot.why.certain", {"other": Move.from_code(planned)})
