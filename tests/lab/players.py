"""Small bots for the tests of the laboratory; workers import them as ``lab.players:Heaviest``."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random

import stationmaster as sm


def points(observation: sm.Observation, move: sm.Move) -> int:
    return move.tile.points(observation.book) if move.tile else -1


class Heaviest(sm.Bot):
    """Plays the tile with the most points; deterministic."""

    id = "heaviest"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        return sm.Advice(max(observation.legal_moves, key=lambda move: (points(observation, move), str(move))))


class Lightest(Heaviest):
    """Plays the tile with the fewest points."""

    id = "lightest"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        return sm.Advice(min(observation.legal_moves, key=lambda move: (points(observation, move), str(move))))


class Swayed(Heaviest):
    """Plays the heaviest tile where it leads the match, else the lightest."""

    id = "swayed"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        assert observation.standing is not None
        leads = observation.standing.leading(observation.book) == (observation.seat,)
        return (Heaviest if leads else Lightest).consider(self, observation, limit, rng)


class Alone(Heaviest):
    """Plays single rounds only."""

    id = "alone"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        assert observation.standing is None
        return super().consider(observation, limit, rng)


class Slow(Heaviest):
    """Takes a tenth of a second now and then, so that a run can be stopped in its middle."""

    id = "slow"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        if not observation.history:
            time.sleep(0.1)
        return super().consider(observation, limit, rng)


class KillsOnce(Heaviest):
    """Takes its process down, the first time that anybody asks it; the file DEATHS knows."""

    id = "kills-once"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        deaths = Path(os.environ["DEATHS"])
        if len(observation.history) > 20 and not deaths.exists():
            deaths.write_text("1")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().consider(observation, limit, rng)


class Kills(Heaviest):
    """Takes its process down every time."""

    id = "kills"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().consider(observation, limit, rng)


class Cheats(Heaviest):
    """Plays what is not legal."""

    id = "cheats"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        return sm.Advice(sm.Move.parse("pass" if observation.legal_moves[0].tile else "0-0@M"))


class Breaks(Heaviest):
    """Raises an error of its own."""

    id = "breaks"

    def consider(self, observation: sm.Observation, limit: sm.Limit, rng: Random) -> sm.Advice:
        raise KeyError("nothing here")


class Unfinished(sm.Bot):
    """Lacks what it needs."""

    id = "unfinished"


class Needy(Heaviest):
    """Wants to be told something."""

    id = "needy"

    def __init__(self, what: str) -> None:
        self.what = what
