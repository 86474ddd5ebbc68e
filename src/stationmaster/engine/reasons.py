"""Why a move is not legal: a code, the clause it rests on, and a sentence that settles the argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from stationmaster.engine.events import train_name
from stationmaster.engine.moves import Move
from stationmaster.engine.tiles import end_text
from stationmaster.words import DEFAULT, say

# The parameter or rule point of the rulebook that each reason rests on; "otherwise" is the referee's own list of
# what is legal, where a sheet has nothing to say.
POINTS = {
    "over": "out",
    "no-train": "otherwise",
    "not-in-set": "highest",
    "not-held": "otherwise",
    "must-draw": "draw_letter",
    "must-play": "must_play",
    "must-play-or-stop": "first_turn",
    "draw-first": "draw",
    "drawn-already": "draw",
    "drawn-only": "draw",
    "pile-empty": "empty_pile",
    "no-draw-here": "follow_up_draw",
    "no-fit": "matching",
    "not-marked": "trains",
    "open-double": "open_doubles_bind",
    "first-turn-own-train": "first_turn",
    "string-own-train": "first_turn",
    "stop-without-string": "otherwise",
    "stop-on-double": "double",
    "own-train-first": "own_train_first",
    "follow-on-double": "follow_up",
    "two-doubles": "two_doubles",
    "second-double-third-tile": "second_double",
    "second-double-last-tile": "second_double",
    "second-double-never": "second_double",
    "wild-double-on-double": "train_train",
}


class Reason(msgspec.Struct, frozen=True):
    """Why a move is not legal now."""

    code: str
    clause: str  # as ``tactic.7``
    move: str
    train: int | str | None = None
    end: int | None = None
    example: str | None = None  # a placement that is legal instead

    def sentence(self, language: str = DEFAULT, names: Sequence[str] | None = None, me: int | None = None) -> str:
        """The reason in words; told to the one who sits at seat ``me``, if given."""
        move = Move.parse(self.move)
        values: dict[str, Any] = {"move": self.move, "tile": move.tile or self.move, "example": self.example or ""}
        if self.code == "no-train":
            values["train"] = str(self.train)
        elif self.train is not None:
            values["train"] = train_name(self.train, names, language, me)
        if self.end is not None:
            values["end"] = end_text(self.end)
        return say(f"reason.{self.code}", language, **values)

    def clause_text(self, language: str = DEFAULT) -> str:
        """The clause in words; empty for a house rule."""
        from stationmaster.rulebooks.clauses import clause

        return say("clause.house", language) if self.clause == "house" else clause(self.clause).text(language)
