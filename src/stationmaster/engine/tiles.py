"""Ends and tiles, in the notation of the table: ``5-12``, ``3-W``, ``W-W``, ``A-W``.

An end is a number that sorts as the notation says: 0–18 for the numbers, then A, D, R, S, T and W.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from stationmaster.errors import NotationError

if TYPE_CHECKING:
    from stationmaster.rulebooks.rulebook import Parameters

HIGHEST = 18
SYMBOLS = {20: "A", 23: "D", 24: "R", 25: "S", 26: "T", 31: "W"}
W = 31
LETTERS = (20, 23, 24, 25, 26)
_ENDS = {str(n): n for n in range(HIGHEST + 1)} | {text: end for end, text in SYMBOLS.items()}


def end_text(end: int) -> str:
    """How an end is written: ``12``, ``W``, ``A``."""
    return SYMBOLS.get(end) or str(end)


def parse_end(text: str) -> int:
    """The end that is written so."""
    try:
        return _ENDS[text]
    except KeyError:
        raise NotationError(f"{text!r} is not an end of a tile: 0 to {HIGHEST}, W, A, D, R, S or T") from None


class Tile:
    """A domino. There is one object for each tile, so tiles compare and hash quickly; the three A-W are equal.

    >>> Tile.parse("12-5")
    Tile('5-12')
    """

    __slots__ = ("_text", "code", "high", "low")

    low: int
    high: int
    code: int  # low << 5 | high: sorts as tiles sort
    _text: str
    _all: ClassVar[dict[int, Tile]] = {}

    def __new__(cls, a: int | str, b: int | None = None) -> Tile:
        """``Tile(5, 12)`` by its ends, or ``Tile("5-12")`` by its text."""
        if isinstance(a, str) or b is None:
            return cls.parse(str(a))
        low, high = (a, b) if a <= b else (b, a)
        tile = cls._all.get(low << 5 | high)
        if tile is None:
            if end_text(low) not in _ENDS or end_text(high) not in _ENDS or high in LETTERS or low < 0:
                raise NotationError(
                    f"there is no tile {end_text(low)}-{end_text(high)}: "
                    f"numbers go to {HIGHEST}, and letters stand beside W"
                )
            tile = super().__new__(cls)
            tile.low, tile.high, tile.code = low, high, low << 5 | high
            tile._text = f"{end_text(low)}-{end_text(high)}"
            cls._all[tile.code] = tile
        return tile

    @classmethod
    def parse(cls, text: str) -> Tile:
        """The tile that is written so, either end first."""
        if not isinstance(text, str):
            raise NotationError(f"{text!r} is not a tile: a text such as 5-12 is")
        first, dash, second = text.strip().upper().partition("-")
        if not dash:
            raise NotationError(f"{text!r} is not a tile; write both ends, as 5-12")
        return cls(parse_end(first), parse_end(second))

    @classmethod
    def of(cls, tile: Tile | str) -> Tile:
        """A tile, from itself or from its text."""
        return tile if isinstance(tile, Tile) else cls.parse(tile)

    @classmethod
    def from_code(cls, code: int) -> Tile:
        return cls(code >> 5, code & 31)

    @property
    def is_double(self) -> bool:
        """Both ends are the same: 7-7, W-W. A letter tile is no double."""
        return self.low == self.high

    @property
    def is_wild(self) -> bool:
        """One end at least joins any end."""
        return self.high == W

    def points(self, book: Parameters) -> int:
        """What the tile counts when it is left in a hand."""
        if self.code == 0:
            return book.double_blank
        return sum(end if end <= HIGHEST else book.wild_points for end in (self.low, self.high))

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Tile('{self._text}')"

    def __lt__(self, other: Tile) -> bool:
        return self.code < other.code

    def __reduce__(self) -> tuple[type[Tile], tuple[int, int]]:
        return Tile, (self.low, self.high)


@cache
def tile_set(highest: int, wild_tiles: bool) -> tuple[Tile, ...]:
    """The whole set in order, the three A-W one after the other."""
    tiles = [Tile(a, b) for a in range(highest + 1) for b in range(a, highest + 1)]
    if wild_tiles:
        tiles += [Tile(n, W) for n in range(highest + 1)] + [Tile(W, W)]
        tiles += [Tile(letter, W) for letter in (20, *LETTERS)] + [Tile(20, W)]
    return tuple(sorted(tiles))
