"""How bots that search spend their time: fewer and fewer moves are tried in more and more deals.

What is known before the first deal: the planner's own move is the best on average, and a move is worth less the
farther it lies behind in the planner's score, but the score does not tell all. How much it tells was measured
(`PRIOR`, below). What the deals show is weighed against that by its own uncertainty, so that a move that was only
lucky does not look better than it is. Another move than the planner's is made when it is better in that weighing.
"""

from __future__ import annotations

from math import ceil, log2, sqrt
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from stationmaster.bots.evidence import Evidence
from stationmaster.bots.goal import Goal
from stationmaster.bots.search import Search
from stationmaster.engine.moves import Move
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

if TYPE_CHECKING:
    from random import Random

    from stationmaster.bots.bot import Limit
    from stationmaster.engine.observation import Observation

PLAYOUTS = 600  # when no limit is given
CANDIDATES = 8  # moves that are tried, the planner's best
HOPELESS = 2.5  # standard errors behind the best: not tried any more
APART = 10  # rings from one deal to the next, so that they have little in common
FIRST_STEPS, AT_ONCE, STEPS = 300, 20, 3  # when the deals are led by what the others have chosen
SCALE, ODDEST = 2.0, 3.0  # pips that make a choice e times less likely, and how odd a choice counts at most
BETWEEN_LOOKS = 0.002  # seconds between two looks at the clock


class Prior(msgspec.Struct, frozen=True):
    """What a move is worth before it is tried, in units of the noise of one deal."""

    other: float = -0.018  # any other move than the planner's
    gap: float = -0.0055  # … and for each pip by which its score lies behind
    spread: float = 0.15  # how much the worth of moves with the same score differs


PRIOR = Prior()


class Tried(msgspec.Struct, frozen=True):
    """A move that was tried."""

    move: Move
    worth: float  # better than the planner's own move, as far as is known: points a round, cents, per cent of a match
    deals: int


class Thought(msgspec.Struct, frozen=True):
    """What came of thinking."""

    tried: tuple[Tried, ...]  # the best first
    planned: Move  # what the planner would do
    playouts: int
    for_match: bool = False  # worth is in per cent of the chance to win the match


def think(
    observation: Observation, limit: Limit, rng: Random, *, believing: bool = False, for_match: bool = False
) -> Thought:
    """Try the placements until the limit is reached. It is the seat's turn, and there is one to try.

    ``believing``: in deals led by what the others have chosen; ``for_match``: for the match, not the round alone.
    """
    budget = _Budget(limit)
    book = observation.book
    worlds = observation.worlds(rng)
    planner, plans = Planner(weights_for(book)), Planner(weights_for(book))
    goal = Goal()
    goal.set_up(observation, for_match)
    search = Search(worlds, planner, plans, Evidence(worlds, planner, SCALE, ODDEST), goal)
    count: int = search.set_up(CANDIDATES, STEPS if believing else APART)
    if believing and count > 1:
        _believe(search, budget)
    open = list(range(1, count))
    stages = max(1, ceil(log2(count)))
    stage = deals = made = 0
    look = 16
    while open and budget.allows(made, len(open) + 1):
        batch = budget.batch(made, deals, len(open) + 1)
        made = search.more(batch)
        deals += batch
        stage_ended = budget.share(made) >= (stage + 1) / stages
        if not stage_ended and deals < look:
            continue
        look = 2 * deals
        known = sorted((_known(search, i) for i in open), reverse=True)
        if stage_ended:
            stage += 1
            known = known[: max(1, len(open) // 2)]
        best = max(0.0, known[0][0])
        known = [(worth, doubt, i) for worth, doubt, i in known if worth + HOPELESS * doubt >= best]
        left = [i for _, _, i in known]
        for i in open:
            if i not in left:
                search.drop(i)
        open = left
    return _thought(search, count, open, made, goal.for_match())


def _believe(search: Search, budget: _Budget) -> None:
    """Lead the deals a first stretch, but not for longer than a fifth of the time."""
    search.believe(AT_ONCE)
    gone = AT_ONCE
    while gone < FIRST_STEPS and budget.share(0) < 0.2:
        search.lead(AT_ONCE)
        gone += AT_ONCE


def _known(search: Search, i: int) -> tuple[float, float, int]:
    """What a move is worth, and the doubt about it, when what was known before and the deals are put together."""
    deals, total, squares, gap = search.found(i)
    mean = total / deals
    # However alike the deals were, one more could be another: so nothing is certain at once, and all in the end.
    variance = max(squares / deals - mean * mean, 0.0) + (search.noise() / deals) ** 2
    before = (PRIOR.other + PRIOR.gap * gap) * sqrt(variance)
    seen, believed = deals / variance, 1 / (PRIOR.spread**2 * variance)
    return (mean * seen + before * believed) / (seen + believed), 1 / sqrt(seen + believed), i


def _thought(search: Search, count: int, open: list[int], made: int, for_match: bool) -> Thought:
    moves = [Move.from_code(search.number(i)) for i in range(count)]
    tried = [(0.0, 0, search.found(0)[0])]
    for i in range(1, count):
        deals = search.found(i)[0]
        if deals:
            worth = _known(search, i)[0]
            tried.append((worth if i in open else min(worth, 0.0), -i, deals))
    tried.sort(reverse=True)
    return Thought(tuple(Tried(moves[-i], worth, deals) for worth, i, deals in tried), moves[0], made, for_match)


class _Budget:
    """Seconds or playouts, and how much of them is spent."""

    def __init__(self, limit: Limit) -> None:
        self.began = self.first = perf_counter()  # of all, and of the first deal
        self.seconds = limit.seconds
        self.playouts = limit.playouts or (PLAYOUTS if limit.seconds is None else None)

    def share(self, made: int) -> float:
        """How much of the limit is spent; 1 is all of it."""
        spent = 0.0
        if self.playouts is not None:
            spent = made / self.playouts
        if self.seconds is not None:
            spent = max(spent, (perf_counter() - self.began) / self.seconds)
        return spent

    def allows(self, made: int, more: int) -> bool:
        """Whether there is time, and so many playouts may follow."""
        return self.share(made) < 1 and (self.playouts is None or made + more <= self.playouts)

    def batch(self, made: int, deals: int, moves: int) -> int:
        """How many deals may be tried before the limit is looked at again, with so many moves in question."""
        batch = 8
        if self.seconds is not None:
            now = perf_counter()
            if not deals:
                self.first = now
                return 1
            left = min(BETWEEN_LOOKS, self.seconds / 20, self.seconds - (now - self.began))
            batch = int(left * deals / (now - self.first))
        if self.playouts is not None:
            batch = min(batch, (self.playouts - made) // moves)
        return max(1, min(batch, 64))
