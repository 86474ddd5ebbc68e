"""What a bot promises, what was found, and what the two processes of an examination say to each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.bots.bot import Limit
from stationmaster.bots.contract.tables import Table, table
from stationmaster.words import DEFAULT, say

if TYPE_CHECKING:
    from stationmaster.engine.observation import Observation

# Each is a sentence in words, under ``contract.promise``.
PROMISES = (
    "answers",
    "legal",
    "advice",
    "in-time",
    "repeatable",
    "forgets",
    "fair",
    "own-numbers",
    "leaves-alone",
    "pickles",
    "quiet",
)


class Question(msgspec.Struct, frozen=True):
    """A decision that the bot was asked about: at this table, after these moves, given this much time."""

    table: str = ""  # empty: not at a table, but when it was made
    moves: tuple[str, ...] = ()
    playouts: int | None = None
    seconds: float | None = None
    asked: str = ""  # what its random numbers come from

    @property
    def limit(self) -> Limit:
        """How long it may think."""
        return Limit(self.seconds, self.playouts)


class Finding(msgspec.Struct, frozen=True, tag="finding"):
    """A promise that was not kept: where, and how."""

    promise: str
    key: str  # the sentence, under ``contract.found``
    places: Mapping[str, Any] = {}
    question: Question = Question()
    seed: int | str = 1

    @property
    def table(self) -> Table:
        """The table at which it happened."""
        return table(self.question.table, self.seed)

    def observation(self) -> Observation:
        """What the bot was shown."""
        round = self.table.round(self.question.moves)
        return round.observe(round.turn)

    def sentence(self, language: str = DEFAULT) -> str:
        """What was found, in words."""
        places = dict(self.places)
        if self.key == "illegal":
            reason = self.table.round(self.question.moves).why_illegal(places["move"])
            places["reason"] = reason.sentence(language) if reason is not None else ""
        return say(f"contract.found.{self.key}", language, **places)


# ---- What is said between the processes ------------------------------------------------------------


class Begin(msgspec.Struct, frozen=True):
    """To the one who asks: this is the bot, this the seed."""

    name: str
    seed: int | str


class Sit(msgspec.Struct, frozen=True):
    """To the one who asks: sit down at this table; or ask these questions again, whatever order they are in."""

    table: str = ""
    again: tuple[tuple[Question, str], ...] = ()  # with the moves that were advised


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The bot is there."""

    id: str


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """There is no such bot."""

    why: str


class Asking(msgspec.Struct, frozen=True, tag="asking"):
    """This is asked now; if nothing more comes, the bot hangs."""

    question: Question


class Done(msgspec.Struct, frozen=True, tag="done"):
    """Everything has been asked at this table."""

    answers: tuple[tuple[Question, str], ...] = ()
    times: tuple[tuple[Question, float], ...] = ()  # the seconds that the answers took


Message = Ready | Refused | Asking | Finding | Done
