"""Why a table does not do what somebody asked for: a code, and a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stationmaster.errors import StationmasterError
from stationmaster.words import DEFAULT, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.engine.reasons import Reason


class Refusal(StationmasterError):  # noqa: N818 - nothing went wrong: the table says no
    """Nothing was changed; ``code`` says why, and ``reason`` too when it is a rule of the game."""

    def __init__(
        self,
        code: str,
        reason: Reason | None = None,
        names: Sequence[str] | None = None,
        me: int | None = None,
        **values: Any,
    ) -> None:
        self.code = code
        self.reason = reason
        self.names = names  # of the players, and the seat that is told, for the reason's sentence
        self.me = me
        self.values = values
        super().__init__(self.sentence())

    def sentence(self, language: str = DEFAULT) -> str:
        """Why, in words."""
        values = self.values
        if self.reason is not None:
            values = {**values, "reason": self.reason.sentence(language, self.names, self.me)}
        return say(f"server.error.{self.code}", language, **values)
