"""Moves in the notation of the table: ``12-5@0``, ``W-3@M``, ``draw``, ``pass``, ``stop``.

``12-5@0`` joins the tile's 12 to the train of seat 0 and shows its 5. A letter tile is always written
with W attached, because both its ends are wild.
"""

from __future__ import annotations

import re
from typing import ClassVar, Literal

from stationmaster.engine.layout import DRAW_CODE, MEXICAN, PASS_CODE, SEATS, STOP_CODE
from stationmaster.engine.tiles import LETTERS, Tile, W, end_text, parse_end
from stationmaster.errors import NotationError

Kind = Literal["place", "draw", "pass", "stop"]
Train = int | Literal["M"]

_PLACEMENT = re.compile(r"([0-9]{1,2}|[A-Z])-([0-9]{1,2}|[A-Z])@([0-9]{1,2}|M)")
_WORDS: dict[str, tuple[Kind, int]] = {
    "draw": ("draw", DRAW_CODE),
    "pass": ("pass", PASS_CODE),
    "stop": ("stop", STOP_CODE),
}


class Move:
    """One move. There is one object for each move, so moves compare and hash quickly, and sort canonically.

    >>> Move.parse("12-5@0").tile
    Tile('5-12')
    """

    __slots__ = ("_text", "attached", "code", "exposed", "kind", "tile", "train")

    kind: Kind
    tile: Tile | None
    attached: int | None  # the end that joins the train …
    exposed: int | None  # … and the one that shows
    train: Train | None
    code: int
    _text: str
    _by_text: ClassVar[dict[str, Move]] = {}
    _by_code: ClassVar[dict[int, Move]] = {}

    @classmethod
    def place(cls, attached: int, exposed: int, train: Train) -> Move:
        """The placement that joins one end to a train and shows the other."""
        tile = Tile(attached, exposed)
        if tile.is_wild and tile.low in LETTERS:
            attached, exposed = W, tile.low
        number = MEXICAN if train == "M" else int(train)
        if not 0 <= number <= MEXICAN or (number == MEXICAN and train != "M"):
            raise NotationError(
                f"there is no train {train!r}: a train is named by its seat, 0 to {SEATS - 1}, or M, the Mexican Train"
            )
        code = ((tile.code << 4 | number) << 5) | attached
        move = cls._by_code.get(code)
        if move is None:
            move = cls._make("place", code, f"{end_text(attached)}-{end_text(exposed)}@{train}")
            move.tile, move.attached, move.exposed, move.train = tile, attached, exposed, train
        return move

    @classmethod
    def _make(cls, kind: Kind, code: int, text: str) -> Move:
        move = super().__new__(cls)
        move.kind, move.code, move._text = kind, code, text
        move.tile = move.attached = move.exposed = move.train = None
        cls._by_code[code] = cls._by_text[text] = move
        return move

    def __new__(cls, text: str) -> Move:
        return cls.parse(text)

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move that is written so."""
        move = cls._by_text.get(text)
        if move is not None:
            return move
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is not a move: a text such as 12-5@0 is")
        plain = text.strip()
        if plain.lower() in _WORDS:
            kind, code = _WORDS[plain.lower()]
            return cls._by_code.get(code) or cls._make(kind, code, kind)
        match = _PLACEMENT.fullmatch(plain.upper())
        if match is None:
            raise NotationError(f"{text!r} is not a move; write 12-5@0 or W-3@M, or draw, pass, stop")
        first, second, train = match.groups()
        return cls.place(parse_end(first), parse_end(second), "M" if train == "M" else int(train))

    @classmethod
    def of(cls, move: Move | str) -> Move:
        """A move, from itself or from its text."""
        return move if isinstance(move, Move) else cls.parse(move)

    @classmethod
    def from_code(cls, code: int) -> Move:
        """The move with this number (``code``)."""
        move = cls._by_code.get(code)
        if move is not None:
            return move
        for kind, word_code in _WORDS.values():
            if code == word_code:
                return cls._make(kind, code, kind)
        attached, train = code & 31, code >> 5 & 15
        low, high = code >> 14, code >> 9 & 31
        return cls.place(attached, high if attached == low else low, "M" if train == MEXICAN else train)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Move('{self._text}')"

    def __lt__(self, other: Move) -> bool:
        return self.code < other.code

    def __reduce__(self) -> tuple[type[Move], tuple[str]]:
        return Move, (self._text,)
