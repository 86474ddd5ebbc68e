"""Who plays, as the command line names it: ``planner``, ``rollout@50ms``, ``rollout@400``, ``mybots:Heaviest@0.1s``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from stationmaster.bots import Bot, Limit
from stationmaster.bots.naming import named_bot
from stationmaster.errors import StationmasterError

_LIMIT = re.compile(r"(?P<number>\d+(?:\.\d+)?|\.\d+)(?P<unit>ms|s|)")
HOW = "write 50ms or 0.1s for time a move, or a whole number of playouts a move, as 400"


def read_limit(text: str) -> Limit:
    """A limit as it is written: "50ms", "0.1s", or "400" playouts."""
    match = _LIMIT.fullmatch(text)
    if match is None or float(match["number"]) <= 0 or (not match["unit"] and not match["number"].isdecimal()):
        raise StationmasterError(f"{text!r} is no limit: {HOW}")
    number = float(match["number"])
    if not match["unit"]:
        return Limit(playouts=int(number))
    return Limit(seconds=number / 1000 if match["unit"] == "ms" else number)


def limit_text(limit: Limit) -> str:
    """A limit as it is written; empty where there is none."""
    if limit.playouts is not None:
        return str(limit.playouts)
    if limit.seconds is None:
        return ""
    return f"{limit.seconds * 1000:g}ms" if limit.seconds < 1 else f"{limit.seconds:g}s"


class Entrant(msgspec.Struct, frozen=True):
    """A bot and how long it may think."""

    name: str
    limit: Limit = Limit()

    @property
    def bot(self) -> Bot:
        """The bot itself."""
        return named_bot(self.name)

    def __str__(self) -> str:
        limit = limit_text(self.limit)
        return f"{self.name}@{limit}" if limit else self.name


def entrant(text: str, default: Limit | None = None) -> Entrant:
    """Read who plays; without a limit of its own it gets the default one."""
    name, at, limit = text.partition("@")
    if at and not limit:
        raise StationmasterError(f"{text!r} lacks the limit behind @: {HOW}")
    found = Entrant(name, read_limit(limit) if at else default or Limit())
    found.bot  # noqa: B018  # whoever is not there is missed now, not in a worker
    return found


def labels(entrants: Sequence[Entrant]) -> list[str]:
    """What each is called in the results: those who are written alike are told apart by a number."""
    texts = [str(one) for one in entrants]
    seen: dict[str, int] = {}
    told = []
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
        told.append(text if seen[text] == 1 else f"{text} #{seen[text]}")
    return told
