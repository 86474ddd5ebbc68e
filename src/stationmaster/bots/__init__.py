"""Players made of code, behind one interface: an observation goes in, a move comes out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Bot, Limit
from stationmaster.errors import StationmasterError

if TYPE_CHECKING:
    from typing import Any

__all__ = ["Advice", "Bot", "Limit", "bot", "bots"]

# Where each bot lives; a module is imported when its bot is first asked for.
_BOTS = {
    "random": ("stationmaster.bots.random", "RandomBot"),
    "greedy": ("stationmaster.bots.greedy", "GreedyBot"),
    "planner": ("stationmaster.bots.planner", "PlannerBot"),
    "rollout": ("stationmaster.bots.rollout", "RolloutBot"),
    "belief": ("stationmaster.bots.belief", "BeliefBot"),
    "master": ("stationmaster.bots.master", "MasterBot"),
    # The levels for people, from the weakest to the strongest
    "passenger": ("stationmaster.bots.people", "Passenger"),
    "porter": ("stationmaster.bots.people", "Porter"),
    "conductor": ("stationmaster.bots.people", "Conductor"),
    "dispatcher": ("stationmaster.bots.people", "Dispatcher"),
    "stationmaster": ("stationmaster.bots.people", "Stationmaster"),
}


def bots() -> tuple[str, ...]:
    """The ids of the bots."""
    return tuple(_BOTS)


@cache
def bot(id: str) -> Bot:
    """The bot with this id."""
    if id not in _BOTS:
        raise StationmasterError(f"no bot is called {id!r}: there are {', '.join(_BOTS)}")
    module, name = _BOTS[id]
    made: Any = getattr(import_module(module), name)
    bot: Bot = made()
    return bot
