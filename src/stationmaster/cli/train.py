"""``stationmaster train``: the longest train in a hand."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from stationmaster.cli.output import filled, print_json, read_rulebook
from stationmaster.engine.tiles import HIGHEST, Tile, end_text, tile_set
from stationmaster.errors import NotationError
from stationmaster.planner.longest import WILD_PIPS, Train, longest_train
from stationmaster.words import say

DESCRIPTION = """\
Print the longest train in a hand: from the open end, the tiles in the order in which they are laid, of all
trains with the most tiles one with the most pips; then the tiles that are left over. Up to 25 tiles there is
no longer one. For more, the best that was found is printed, and how many tiles a train could have at most.
"""

EXAMPLES = """\
END is what the train shows: a number, W or a letter. Wild tiles are written 3-W, W-W, A-W. W-W may not lie on a
double, so not on the engine either; --begun says that END is not the engine's but a tile's that is no double.
A file has tiles between spaces, commas or new lines; what follows a # is not read.

examples:
  stationmaster train 12 12-5 5-7 7-7 1-2
  stationmaster train 18 --set 18 --file hand.txt
  stationmaster train 9 9-W A-W W-W 4-4 --set supertrain --covered
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``train``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("end", metavar="END", help="the open end of the train")
    parser.add_argument("tiles", metavar="TILE", nargs="*", help="a tile of the hand, as 5-12")
    parser.add_argument("--file", metavar="FILE", type=Path, help="read the hand, or more of it, from a file")
    parser.add_argument(
        "--set", metavar="N|ID", help="check that the tiles are of this set: double-N, or the one of a rulebook"
    )
    parser.add_argument("--pips", action="store_true", help="the train with the most pips, instead of the most tiles")
    parser.add_argument("--covered", action="store_true", help="no double at the very end: nothing would cover it")
    parser.add_argument("--begun", action="store_true", help="END is not the engine's; only W-W asks")
    parser.add_argument("--seconds", metavar="S", type=float, help="stop looking for a better train after this time")
    parser.add_argument("--json", action="store_true", help="print the train for a program to read")


def run(options: argparse.Namespace) -> int:
    """Print the train, what is left over, and whether there is no better one."""
    hand = [Tile.parse(text) for text in options.tiles]
    if options.file is not None:
        hand += read_hand(options.file)
    if not hand:
        raise NotationError("no tiles are given; write them behind the end, as 12 12-5 5-7, or name a --file")
    if options.set is not None:
        check_set(hand, options.set)
    train = longest_train(
        hand,
        options.end,
        covered=options.covered,
        most="pips" if options.pips else "tiles",
        seconds=options.seconds,
        begun=options.begun,
    )
    extras = sorted((Counter(hand) - Counter(train.tiles)).elements())
    if options.json:
        print_json(as_json(options, train, extras))
    else:
        print("\n".join(in_words(options, train, extras)))
    return 0


def read_hand(path: Path) -> list[Tile]:
    """The tiles in a file."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise NotationError(f"{path} is not a text file (UTF-8)") from None
    tiles = []
    for number, line in enumerate(lines, 1):
        for text in line.partition("#")[0].replace(",", " ").split():
            try:
                tiles.append(Tile.parse(text))
            except NotationError as error:
                raise NotationError(f"{path}, line {number}: {error}") from None
    return tiles


def check_set(hand: list[Tile], name: str) -> None:
    """Complain of a tile that the set does not have, or not so often."""
    if name.isdecimal():
        if not 0 < int(name) <= HIGHEST:
            raise NotationError(f"--set {name}: the sets go from double-1 to double-{HIGHEST}")
        whole = tile_set(int(name), wild_tiles=False)
    else:
        book = read_rulebook(name)
        whole = tile_set(book.highest, book.wild_tiles)
    for tile in sorted(set(hand)):
        if whole.count(tile) < hand.count(tile):
            if tile in whole:
                raise NotationError(f"--set {name}: {tile} is in the hand {hand.count(tile)} times")
            hint = "; wild tiles are of --set supertrain" if tile.is_wild and name.isdecimal() else ""
            raise NotationError(f"--set {name}: there is no {tile} in this set{hint}")


def laid(train: Train) -> list[str]:
    """The tiles as they are laid, the end that joins first."""
    return [
        f"{end_text(tile.high if end == tile.low else tile.low)}-{end_text(end)}"
        for tile, end in zip(train.tiles, train.ends, strict=True)
    ]


def pips(tiles: list[Tile]) -> int:
    """What tiles count; a wild end counts 10."""
    return sum(end if end <= HIGHEST else WILD_PIPS for tile in tiles for end in (tile.low, tile.high))


def in_words(options: argparse.Namespace, train: Train, extras: list[Tile]) -> list[str]:
    """The answer in lines."""
    language = options.language
    if not train.tiles and train.proven:
        return [filled(say("cli.train.none", language, end=options.end.upper()))]
    title = "cli.train.heaviest" if options.pips else "cli.train.longest"
    proven = "cli.train.proven-heaviest" if options.pips else "cli.train.proven-longest"
    bound = "cli.train.bound-heaviest" if options.pips else "cli.train.bound-longest"
    values = {"count": len(train.tiles), "end": options.end.upper(), "pips": train.pips}
    lines = [filled(say(title, language, **values)), filled(" ".join(laid(train)), "  ")]
    if extras:
        left = {"count": len(extras), "pips": pips(extras), "tiles": " ".join(map(str, extras))}
        lines.append(filled(say("cli.train.extras", language, **left), "", "  "))
    else:
        lines.append(say("cli.train.no-extras", language))
    lines.append(filled(say(proven if train.proven else bound, language, count=train.bound)))
    return lines


def as_json(options: argparse.Namespace, train: Train, extras: list[Tile]) -> dict[str, Any]:
    """The answer for a program."""
    return {
        "end": options.end.upper(),
        "train": laid(train),
        "tiles": len(train.tiles),
        "pips": train.pips,
        "extras": [str(tile) for tile in extras],
        "extra_pips": pips(extras),
        "most": "pips" if options.pips else "tiles",
        "proven": train.proven,
        "bound": train.bound,
    }
