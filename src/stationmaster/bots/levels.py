"""The five levels for people: which bots they are, from the weakest to the strongest, and the rating of each.

A level is the bot with the same id, here, on the command line and in a record. How they play, and how they are weaker
than they could be, stands in ``people.py``; what was measured, in docs/levels.md. The ratings are read from
``ratings.toml``, which ``make levels`` writes.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from stationmaster.bots.bot import Limit
from stationmaster.engine import compiled

LEVELS = ("passenger", "porter", "conductor", "dispatcher", "stationmaster")
FIRST = 1000  # the rating of the passenger, that the others go by
OPPONENT = "conductor"  # who plays, unless somebody else is asked for: the level in the middle
ADVISER = "stationmaster" if compiled else "planner"  # who gives hints: the best who takes less than a moment
THINKING = Limit(playouts=1500 if compiled else 30)  # a moment; by no clock, so that a match goes on as it would


class Level(msgspec.Struct, frozen=True):
    """A level for people; who is rated 100 higher wins a round of two nearly two times of three."""

    id: str
    rating: int


@cache
def levels() -> tuple[Level, ...]:
    """The levels, from the weakest to the strongest."""
    ratings = tomllib.loads(files(__package__).joinpath("ratings.toml").read_text("utf-8"))
    return tuple(Level(id, ratings[id]) for id in LEVELS)
