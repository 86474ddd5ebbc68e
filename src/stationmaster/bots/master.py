"""The bot that plays for the match: what ``belief`` does, with an eye on the totals and on the end of the round.

What it does
    What the bot ``belief`` does, and three things besides. It goes out when it can. In a match it asks of the end of a
    round what it does for the match: the chance to win it, by the totals and the rounds to come (``goal.py``). And when
    little is hidden any more, because nearly all unseen tiles are in one hand, it tries all that it can still do
    (``ending.py``): in the one deal that is left, or in each of some.

Why
    Whoever leads before the last round wants no risk, and whoever is behind wants one; to both, points are no matter.
    Where all tiles are known, playing rounds out in many deals is waste: there is but one. And a plan that is made for
    the very end beats the planner's, which knows its own hand only.

What it misses
    It takes the rounds to come to be even, whoever plays them, and the others to end a round as the planner would.
    With three or more players much is hidden to the end; trying everything in each of many deals was measured there,
    and found no more than playing the deals out.
"""

from __future__ import annotations

from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Limit
from stationmaster.bots.ending import Ending
from stationmaster.bots.evidence import Evidence
from stationmaster.bots.goal import Goal
from stationmaster.bots.rollout import RolloutBot
from stationmaster.bots.thinking import ODDEST, PLAYOUTS, SCALE
from stationmaster.bots.ways_out import FEW, ways_out
from stationmaster.bots.why import because
from stationmaster.engine.moves import Move
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

if TYPE_CHECKING:
    from random import Random

    from stationmaster.engine.observation import Observation

A_PLAYOUT, A_SECOND = 40, 200_000  # of all that can still be done, so much is looked at; a seventh of the time
A_DEAL = 3000  # … and so much in each of several deals
LEFT = 8  # tiles in the bone pile, with which all is tried in some deals
DEALS, ENOUGH = 60, 5  # at most, and at least
FIRST_STEPS, STEPS = 60, 6  # when the deals are led by what the other has chosen


class MasterBot(RolloutBot):
    """Plays for the match, in deals that make sense of what the others have chosen."""

    id = "master"
    believing = True
    for_match = True

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """Out, if it can be; the best, where little is hidden; else the move after which it stands best."""
        began = perf_counter()
        if len(observation.legal_moves) > 1:
            known = all_is_known(observation)
            advice = best_ending(observation, limit, rng) if known else None
            if advice is None and len(observation.hand) <= FEW:
                advice = out_now(observation, rng)
            if advice is None and not known and little_is_hidden(observation):
                advice = best_ending(observation, limit, rng)
            if advice is not None:
                return advice
        if limit.seconds is not None:
            left = max(limit.seconds - (perf_counter() - began), limit.seconds / 2)
            limit = Limit(seconds=left, playouts=limit.playouts)
        return super().consider(observation, limit, rng)


def out_now(observation: Observation, rng: Random) -> Advice | None:
    """A way out in this turn. Whoever is behind in the last round may want the round to go on, and has to think."""
    if is_behind_at_last(observation):
        return None
    out = ways_out(observation, observation.worlds(rng).state())
    return Advice(out[0], dict.fromkeys(out, 0.0), *because(observation, out[0])) if out else None


def is_behind_at_last(observation: Observation) -> bool:
    """Whether it is the last round of a match, and somebody else has fewer points."""
    standing, seat = observation.standing, observation.seat
    if standing is None or seat is None or standing.to_come or standing.rounds == 1:
        return False
    return observation.book.objective == "lowest-points" and standing.points[seat] > min(standing.points)


def hidden_hands(observation: Observation) -> int:
    """How many hands there are of which something is hidden."""
    return sum(hand is None and size > 0 for hand, size in zip(observation.hands, observation.hand_sizes, strict=True))


def all_is_known(observation: Observation) -> bool:
    """Whether no tile is left whose place is not known."""
    return observation.bone_pile_count == 0 and hidden_hands(observation) < 2


def little_is_hidden(observation: Observation) -> bool:
    """Whether all unseen tiles are in one hand, but for a few in the bone pile."""
    return observation.bone_pile_count <= LEFT and hidden_hands(observation) < 2


def best_ending(observation: Observation, limit: Limit, rng: Random) -> Advice | None:
    """The move that is best to the end of the round; None when there is too much to look at."""
    weights, goal, certain = weights_for(observation.book), Goal(), all_is_known(observation)
    goal.set_up(observation, True, certain)
    planner = Planner(weights)
    ending, worlds = Ending(goal, planner), observation.worlds(rng)
    planned: int = planner.choice(worlds.state())
    most = [A_PLAYOUT * (limit.playouts or PLAYOUTS)] if limit.seconds is None or limit.playouts else []
    most += [int(A_SECOND * limit.seconds)] if limit.seconds is not None else []
    left = min(most)
    until = inf if limit.seconds is None else perf_counter() + limit.seconds / 2
    if certain:
        total: dict[int, float] = ending.worths(worlds.state(), left)
        deals = len(total)
    else:
        evidence = Evidence(worlds, planner, SCALE, ODDEST)
        evidence.lead(FIRST_STEPS)
        total, deals = {}, 0
        while deals < DEALS and left > 0 and perf_counter() < until:
            state = worlds.state()
            worths = ending.worths(state, min(A_DEAL, left)) or ending.played_out(state)
            for number, worth in worths.items():
                total[number] = total.get(number, 0.0) + worth
            left -= ending.looked()
            deals += 1
            evidence.next(STEPS)
        if deals < ENOUGH:
            return None
    total = {number: worth for number, worth in total.items() if Move.from_code(number).tile is not None}  # goes on
    if not total:
        return None
    best = max(total, key=lambda number: (total[number], number == planned))
    move = Move.from_code(best)
    values = {
        Move.from_code(number): (worth - total[best]) / (1 if certain else deals) for number, worth in total.items()
    }
    if best == planned:
        return Advice(move, values, *because(observation, move))
    other = {"other": Move.from_code(planned)}
    if certain:
        return Advice(move, values, "bot.why.certain", other)
    key = "bot.why.played-out-match" if goal.for_match() else "bot.why.played-out"
    return Advice(move, values, key, {"count": deals, **other})
