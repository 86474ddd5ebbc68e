"""Everything that can go wrong, as one tree.

    StationmasterError
    ├── RulebookError       a rulebook, a house rule or a deal table that cannot be
    ├── NotationError       a tile, an end or a move that cannot be read
    ├── DealError           a deal or a position that the set of tiles does not allow
    ├── IllegalMoveError    a move that the rules do not allow now; carries a Reason
    ├── RecordError         a record of a match that does not hold; says round and move
    ├── StoreError          a database that cannot be used now (store/base.py)
    └── WordsError          a sentence asked for by a key or a language that is not there

Each is also a ``ValueError``: the value given was wrong, and the message says what would be right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stationmaster.engine.reasons import Reason


class StationmasterError(ValueError):
    """Something given to the referee was wrong; the message says what, and what would be right."""


class RulebookError(StationmasterError):
    """A rulebook that contradicts itself, names an unknown parameter or cannot be dealt.

    ``field`` is the parameter, ``value`` what it was set to.
    """

    def __init__(self, message: str, *, field: str | None = None, value: object = None) -> None:
        super().__init__(message)
        self.field = field
        self.value = value


class NotationError(StationmasterError):
    """A tile, an end or a move that cannot be read."""


class DealError(StationmasterError):
    """A deal or a position that the set of tiles does not allow."""


class IllegalMoveError(StationmasterError):
    """A move that the rules do not allow now."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.sentence())
        self.reason = reason


class RecordError(StationmasterError):
    """A record of a match that does not hold.

    ``round`` counts from 1 and ``move`` from 1 within it; either is None where it does not apply.
    """

    def __init__(self, message: str, *, round: int | None = None, move: int | None = None) -> None:
        where = "" if round is None else f"round {round}: " if move is None else f"round {round}, move {move}: "
        super().__init__(where + message)
        self.round = round
        self.move = move


class WordsError(StationmasterError):
    """A sentence asked for by a key or in a language that is not there."""
