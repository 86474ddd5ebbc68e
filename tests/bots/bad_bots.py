"""Bots that break the contract, each in one way; ``breaks`` says which promise, and how it is found."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import signal
import sys
import time
from typing import TYPE_CHECKING, Any, ClassVar

import stationmaster as sm

if TYPE_CHECKING:
    from stationmaster.bots import Limit


class Bad(sm.Bot):
    """Plays the first legal move, but for what the others do."""

    id = "bad"
    breaks: ClassVar[tuple[str, str]]

    def move(self, seen: sm.Observation) -> Any:
        return seen.legal_moves[0]

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return sm.Advice(self.move(observation))


class Stops(Bad):
    breaks = ("legal", "illegal")

    def move(self, seen: sm.Observation) -> Any:
        return sm.Move("stop")


class ForgetsTheDouble(Bad):
    """Plays what would fit if no open double had to be covered: only some tables show that."""

    breaks = ("legal", "illegal")

    def move(self, seen: sm.Observation) -> Any:
        if seen.open_doubles and seen.legal_moves[0].kind == "place":
            shown = seen.trains[seen.seat][-1:] or (None,)
            end = shown[0].exposed if shown[0] is not None else seen.engine.low
            for tile in seen.hand:
                if end in (tile.low, tile.high):
                    return sm.Move.place(end, tile.high if end == tile.low else tile.low, seen.seat)
        return seen.legal_moves[0]


class SaysAText(Bad):
    breaks = ("advice", "no-move")

    def move(self, seen: sm.Observation) -> Any:
        return str(seen.legal_moves[0])


class SaysNothing(Bad):
    breaks = ("advice", "no-advice")

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return None


class ValuesWhatCannotBe(Bad):
    breaks = ("advice", "value-of-illegal")

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return sm.Advice(self.move(observation), {sm.Move("18-17@13"): 1.0})


class ValuesNothing(Bad):
    breaks = ("advice", "no-value")

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return sm.Advice(self.move(observation), {self.move(observation): float("nan")})


class CannotSayWhy(Bad):
    breaks = ("advice", "cannot-say-why")

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return sm.Advice(self.move(observation), why="bot.why.greedy")


class ChoosesAnother(Bad):
    breaks = ("advice", "chooses-other")

    def choose(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        return observation.legal_moves[-1]


class Raises(Bad):
    breaks = ("answers", "raised")

    def move(self, seen: sm.Observation) -> Any:
        return {}["what"]


class CannotGoBackwards(Bad):
    """Raises only after R has been played."""

    breaks = ("answers", "raised")

    def move(self, seen: sm.Observation) -> Any:
        assert seen.direction == 1
        return seen.legal_moves[0]


class Leaves(Bad):
    breaks = ("answers", "raised")

    def move(self, seen: sm.Observation) -> Any:
        sys.exit("I have had enough")


class Exits(Bad):
    breaks = ("answers", "exited")

    def move(self, seen: sm.Observation) -> Any:
        os._exit(3)


class Crashes(Bad):
    breaks = ("answers", "killed")

    def move(self, seen: sm.Observation) -> Any:
        signal.raise_signal(signal.SIGKILL)


class Hangs(Bad):
    breaks = ("in-time", "hung")

    def move(self, seen: sm.Observation) -> Any:
        while True:
            pass


class HangsWithTheLock(Bad):
    """Sleeps in C with Python's lock held, so that no other thread of the process can do anything."""

    breaks = ("in-time", "hung")

    def move(self, seen: sm.Observation) -> Any:
        ctypes.PyDLL(None).sleep(100)


class Late(Bad):
    breaks = ("in-time", "late")

    def consider(self, observation: sm.Observation, limit: Limit, rng: random.Random) -> Any:
        time.sleep(1.5 * (limit.seconds or 0) + 0.005)
        return sm.Advice(self.move(observation))


class SharedDice(Bad):
    breaks = ("own-numbers", "dice")

    def move(self, seen: sm.Observation) -> Any:
        return random.choice(seen.legal_moves)


class OwnDice(Bad):
    breaks = ("repeatable", "changes")

    def move(self, seen: sm.Observation) -> Any:
        return random.SystemRandom().choice(seen.legal_moves)


class GoesByHashes(Bad):
    breaks = ("repeatable", "other-process")

    def move(self, seen: sm.Observation) -> Any:
        return max(seen.legal_moves, key=lambda move: hash(f"{move}!"))


class Counts(Bad):
    breaks = ("forgets", "remembers")

    def __init__(self) -> None:
        self.asked = 0

    def move(self, seen: sm.Observation) -> Any:
        self.asked += 1
        return seen.legal_moves[self.asked % len(seen.legal_moves)]


class IsMoody(Bad):
    """Says the same again when asked the same again, but not later; and what it was made with does not help."""

    breaks = ("forgets", "other-order")
    last: ClassVar[Any] = None
    mood: ClassVar[int] = 0

    def move(self, seen: sm.Observation) -> Any:
        key = (seen.hand, seen.trains)
        if key != IsMoody.last:
            IsMoody.last, IsMoody.mood = key, IsMoody.mood + 1
        return seen.legal_moves[IsMoody.mood % len(seen.legal_moves)]


def by_hidden_tiles(round: sm.Round, seen: sm.Observation) -> sm.Move:
    """A move that hangs on what the others hold."""
    hidden = sum(tile.code for hand in round.hands for tile in hand)
    return seen.legal_moves[hidden % len(seen.legal_moves)]


class LooksAtTheTable(Bad):
    """Looks for the round in the frames that called."""

    breaks = ("fair", "peeks")

    def move(self, seen: sm.Observation) -> Any:
        frame = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, sm.Round):
                    return by_hidden_tiles(value, seen)
            frame = frame.f_back
        return seen.legal_moves[0]


class SearchesTheRoom(Bad):
    """Looks for a round among all objects that there are."""

    breaks = ("fair", "peeks")

    def move(self, seen: sm.Observation) -> Any:
        lists = [thing for thing in gc.get_objects() if type(thing) is list]
        moves = [made.move for made in seen.history]
        for thing in lists:  # a round itself is not tracked, its list of moves is
            if [move for _, move in pairs(thing)] == moves:
                for owner in gc.get_referrers(thing):
                    if isinstance(owner, sm.Round):
                        return by_hidden_tiles(owner, seen)
        return seen.legal_moves[0]


def pairs(thing: list[Any]) -> list[Any]:
    return [one for one in thing if type(one) is tuple and len(one) == 2]


class ClearsTheTable(Bad):
    breaks = ("leaves-alone", "changed")

    def move(self, seen: sm.Observation) -> Any:
        seen.trains.clear()
        return seen.legal_moves[0]


class ChangesTheRules(Bad):
    breaks = ("leaves-alone", "changed")

    def move(self, seen: sm.Observation) -> Any:
        seen.book.deal[13] = 1
        return seen.legal_moves[0]


class HoldsAFunction(Bad):
    breaks = ("pickles", "not-pickled")

    def __init__(self) -> None:
        self.points = lambda move: move.tile.points


class Talks(Bad):
    breaks = ("quiet", "printed")

    def move(self, seen: sm.Observation) -> Any:
        print("hm,", seen.legal_moves[0])
        return seen.legal_moves[0]


class TalksBelow(Bad):
    breaks = ("quiet", "printed")

    def move(self, seen: sm.Observation) -> Any:
        os.write(1, b"hm\n")
        return seen.legal_moves[0]
