"""The best train by trying them all: written from the rules, in the words of the table, without a look at the planner.

Slow on purpose. A hand is a list of tiles' texts; an end is a number, or "W" for a wild end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

End = int | str
Laid = tuple[str, End]  # a tile, and the end that it shows

LETTERS = "ADRST"


def ends(tile: str) -> tuple[End, End]:
    """Both ends of a tile; a letter is a wild end like W (3)."""
    first, second = tile.split("-")
    return tuple("W" if end == "W" or end in LETTERS else int(end) for end in (first, second))  # type: ignore[return-value]


def is_double(tile: str) -> bool:
    """Only W-W and the number doubles are doubles (3); the letter tiles are not."""
    first, second = tile.split("-")
    return first == second


def pips(tile: str) -> int:
    """What a tile counts: its pips, and 10 for each wild end."""
    return sum(10 if end == "W" else int(end) for end in ends(tile))


def joins(tile: str, end: End, on_double: bool) -> list[End]:
    """The ends that the tile may show when it is laid on this open end."""
    if tile == "W-W":  # may not be placed where a double is exposed (3.1)
        return [] if on_double else ["W"]
    a, b = ends(tile)
    return sorted({show for joined, show in ((a, b), (b, a)) if "W" in (joined, end) or joined == end}, key=str)


def trains(hand: Sequence[str], end: End, on_double: bool, laid: tuple[Laid, ...] = ()) -> Iterator[tuple[Laid, ...]]:
    """Every train that can be laid from here, none of no tiles left out; equal tiles are tried once."""
    yield laid
    for tile in set(hand):
        rest = list(hand)
        rest.remove(tile)
        for show in joins(tile, end, on_double):
            yield from trains(rest, show, is_double(tile), (*laid, (tile, show)))


def best(
    hand: Sequence[str], end: End, worth: Callable[[list[str]], object], covered: bool = False, begun: bool = False
) -> object:
    """The greatest worth of all trains; of those that do not end with a double, where it has to be covered.

    The end of a train not begun is the engine's, which is a double.
    """
    on_double = end != "W" and not begun
    tried = ([tile for tile, _ in train] for train in trains(hand, end, on_double))
    return max(worth(tiles) for tiles in tried if not (covered and tiles and is_double(tiles[-1])))  # type: ignore[type-var]


def by_tiles(tiles: list[str]) -> tuple[int, int]:
    """The most tiles, of those the most pips."""
    return len(tiles), sum(map(pips, tiles))


def by_pips(tiles: list[str]) -> tuple[int, int]:
    """The most pips, of those the most tiles."""
    return sum(map(pips, tiles)), len(tiles)


def faults(hand: Sequence[str], end: End, train: Sequence[Laid], begun: bool = False) -> str | None:
    """What is wrong with a train, laid tile by tile from this end out of this hand."""
    left = list(hand)
    on_double = end != "W" and not begun
    for tile, show in train:
        if tile not in left:
            return f"{tile} is not in the hand, or not so often"
        left.remove(tile)
        if show not in joins(tile, end, on_double):
            return f"{tile} cannot be laid on {end} so that it shows {show}"
        end, on_double = show, is_double(tile)
    return None
