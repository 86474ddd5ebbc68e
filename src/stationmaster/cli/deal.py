"""``stationmaster deal``: the deal that follows from a seed, or from a secret and texts."""

from __future__ import annotations

import argparse

from stationmaster.cli.output import filled, print_json, read_rulebook
from stationmaster.engine.deal import Deal
from stationmaster.errors import DealError
from stationmaster.match.fair import commitment
from stationmaster.rulebooks.prose import book_name
from stationmaster.words import say

DESCRIPTION = """\
Print the deal that follows from a seed, or from a secret and the texts of the players, so that anyone can
check one. The same seed, or secret and texts, give the same deal for ever.

In a fair deal the server first publishes the commitment to its secret, the SHA-256 of it; then the players
show their texts; after the round the server shows the secret. Whoever puts the secret and the texts in here
gets the commitment and the deal, and can compare both.
"""

EXAMPLES = """\
In the records of fair deals secret and texts stand under "fair". The start moves round clockwise: with a secret
for each round, name the seat that started with --starter in every round but the first.

examples:
  stationmaster deal --rulebook tactic --players 3 --round 1 --seed 7
  stationmaster deal --rulebook tactic --players 2 --secret 736563726574 --text "Ann's" --text "Ben's"
  stationmaster deal --rulebook pressman --players 4 --round 2 --seed 7 --json
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``deal``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("--rulebook", metavar="ID|FILE.toml", default="tactic", help="default: tactic")
    parser.add_argument("--players", metavar="N", type=int, required=True)
    parser.add_argument("--round", metavar="R", type=int, default=1, help="counted from 1 (default: 1)")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--seed", metavar="SEED", help="a whole number or a text")
    source.add_argument("--secret", metavar="HEX", help="the secret of the server, in hex")
    parser.add_argument(
        "--text", metavar="TEXT", action="append", default=[], help="a player's text, in the order of the seats"
    )
    parser.add_argument("--starter", metavar="SEAT", type=int, help="the seat that starts, counted from 0")
    parser.add_argument("--json", action="store_true", help="print the deal for a program to read")


def run(options: argparse.Namespace) -> int:
    """Print the one deal that follows."""
    book = read_rulebook(options.rulebook)
    if options.round > book.rounds:
        raise DealError(f"--round {options.round}: a match of {book.name} has {book.rounds} rounds")
    promised = None
    if options.seed is not None:
        if options.text:
            raise DealError("--text: texts go with a --secret; a seed stands alone")
        deal = Deal.shuffle(book, options.players, options.round, seed=options.seed, starter=options.starter)
    else:
        secret = read_hex(options.secret)
        promised = commitment(secret)
        deal = Deal.fair(
            book, options.players, options.round, secret=secret, texts=options.text, starter=options.starter
        )
    if options.json:
        print_json(as_json(deal) | ({} if promised is None else {"commitment": promised}))
        return 0
    language = options.language
    name = book_name(book, language)
    print(filled(say("cli.deal.title", language, name=name, count=options.players, number=options.round)))
    if promised is not None:
        print(say("cli.deal.commitment", language, commitment=promised))
    starter = say("player.unnamed", language, number=deal.starter + 1)
    print(filled(say("text.engine", language, engine=deal.engine, name=starter)))
    for seat, hand in enumerate(deal.hands):
        tiles = " ".join(map(str, hand))
        print(filled(say("cli.deal.hand", language, number=seat + 1, seat=seat, tiles=tiles), "", "  "))
    pile = "text.bone-pile" if deal.bone_pile else "text.no-bone-pile"
    print(filled(say(pile, language, tiles=" ".join(map(str, deal.bone_pile))), "", "  "))
    return 0


def as_json(deal: Deal) -> dict[str, object]:
    """The deal as a record has it."""
    return {
        "engine": str(deal.engine),
        "starter": deal.starter,
        "hands": [[str(tile) for tile in hand] for hand in deal.hands],
        "bone_pile": [str(tile) for tile in deal.bone_pile],
    }


def read_hex(text: str) -> bytes:
    """The bytes that are written so."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise DealError(f"--secret: {text[:80]!r} is not written in hex, two signs from 0 to f for each byte") from None
