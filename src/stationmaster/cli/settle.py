"""``stationmaster settle``: who is right?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from stationmaster.cli.output import filled, print_json
from stationmaster.cli.spot import FORMAT, LeftOut, Spot, as_it_joins, load_spot, others_that_hold
from stationmaster.cli.telling import Telling
from stationmaster.engine.moves import Move
from stationmaster.engine.reasons import Reason
from stationmaster.engine.round import Round
from stationmaster.errors import IllegalMoveError, StationmasterError
from stationmaster.rulebooks.prose import book_name
from stationmaster.rulebooks.rulebook import Rulebook
from stationmaster.words import listing, say

DESCRIPTION = """\
Settle an argument. From a spot on the table, written down in a file, print what the player to move may do,
whether the moves asked about are legal, by which clause of the sheet if they are not, and what each other
rulebook would say.
"""

EXAMPLES = f"""\
{FORMAT}
examples:
  stationmaster settle spot.toml
  stationmaster settle spot.toml --move 5-7@0 --move draw
  stationmaster settle spot.toml --json
"""


class Verdict(msgspec.Struct, frozen=True):
    """What one rulebook says of a move: legal, or the reason why not."""

    book: Rulebook
    reason: Reason | None

    @property
    def legal(self) -> bool:
        return self.reason is None


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``settle``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("file", metavar="FILE", type=Path, help="the spot, as described below")
    parser.add_argument(
        "--move", metavar="MOVE", action="append", default=[], help="ask about this move (may be given several times)"
    )
    parser.add_argument("--json", action="store_true", help="print the answer for a program to read")


def run(options: argparse.Namespace) -> int:
    """Print what is legal, why not, and what others would say."""
    spot, book = load_spot(options.file)
    try:
        round = spot.round(spot.position(book))
        written = [*spot.asked, *map(spot.read_move, options.move)]
        read = [Asked(move, as_it_joins(move, round)) for move in written]
        asked = list({one.move: one for one in reversed(read)}.values())[::-1]
        others, left_out = others_that_hold(spot, book)
    except IllegalMoveError as error:
        why = f"{error.reason.move} is not legal: {error.reason.sentence(names=spot.names)}"
        raise StationmasterError(f"{options.file}: played: {why}") from None
    except StationmasterError as error:
        raise StationmasterError(f"{options.file}: {error}") from None
    if options.json:
        print_json(as_json(book, round, others, left_out, asked, spot.names, options.language))
    else:
        lines = in_words(spot, book, round, others, asked, options.language)
        print("\n".join([*lines, *about_left_out(left_out, options.language)]))
    return 0


class Asked(msgspec.Struct, frozen=True):
    """A move that is asked about: as it was written, and as it is read."""

    written: Move
    move: Move


def in_words(
    spot: Spot,
    book: Rulebook,
    round: Round,
    others: Sequence[tuple[Rulebook, Round]],
    asked: Sequence[Asked],
    language: str,
) -> list[str]:
    """The whole answer, line by line."""
    tell = Telling(spot.names, language)
    lines = [filled(tell.say("cli.settle.book", name=book_name(book, language))), ""]
    lines += [filled(line, "", "  ") for line in tell.table(round.observe(None), spot.known_hands(round.players))]
    if spot.played:
        moves = tell.listing(move for _, move in round.moves)
        lines.append(filled(tell.say("cli.settle.played", moves=moves, count=len(spot.played)), "", "  "))
    if spot.bone_pile is None and round.bone_pile:
        lines.append(filled(tell.say("cli.settle.pile-not-given", count=len(round.bone_pile)), "", "  "))
    lines.append("")
    legal = round.legal_moves()
    if round.turn is None:
        lines.append(tell.say("cli.settle.over"))
    else:
        name = tell.player(round.turn)
        lines.append(filled(tell.say("cli.settle.turn", name=name)))
        lines.append(filled(tell.hand(round.turn, round.hands[round.turn], legal)))
        lines.append(tell.say("cli.settle.legal", count=len(legal)))
        width = max(map(len, map(str, legal)))
        lines += [f"  {str(move).ljust(width)}  {explained(tell, move)}".rstrip() for move in legal]
    for one in asked:
        lines.append("")
        if one.move != one.written:
            lines.append(filled(tell.say("cli.settle.read-as", asked=one.written, move=one.move)))
        lines += about_move(tell, one.move, Verdict(book, round.why_illegal(one.move)), others)
    if not asked:
        lines += about_moves(tell, legal, others)
    return lines


def explained(tell: Telling, move: Move) -> str:
    """A move in words, if they say more than its notation."""
    words = tell.move(move)
    return "" if words == str(move) else words


def about_move(tell: Telling, move: Move, verdict: Verdict, others: Sequence[tuple[Rulebook, Round]]) -> list[str]:
    """One move asked about: what the rulebook says, and the others."""
    reason = verdict.reason
    if reason is None:
        key = "cli.settle.is-legal" if move.kind == "place" else "cli.settle.is-legal-word"
        lines = [filled(tell.say(key, move=move, words=tell.move(move)))]
    else:
        key = "cli.settle.is-not" if move.kind == "place" else "cli.settle.is-not-word"
        lines = [
            filled(tell.say(key, move=move, words=tell.move(move))),
            filled(reason.sentence(tell.language, tell.names), "  "),
            filled(f"{reason.clause}: {reason.clause_text(tell.language)}", "  "),
        ]
    verdicts = [Verdict(other, round.why_illegal(move)) for other, round in others]
    agreeing = [one.book.id for one in verdicts if one.legal]
    if agreeing:
        key = "cli.settle.also-legal" if verdict.legal else "cli.settle.legal-elsewhere"
        lines.append(filled(tell.say(key, names=tell.listing(agreeing)), "  ", "    "))
    refusals: dict[str, list[Verdict]] = {}
    for one in verdicts:
        if one.reason is not None:
            refusals.setdefault(one.reason.sentence(tell.language, tell.names), []).append(one)
    for sentence, group in refusals.items():
        clauses = ", ".join(dict.fromkeys(one.reason.clause for one in group if one.reason is not None))
        key = "cli.settle.not-elsewhere" if verdict.legal else "cli.settle.nor-elsewhere"
        if reason is not None and sentence == reason.sentence(tell.language, tell.names):
            key = "cli.settle.same-reason"
        names = tell.listing(one.book.id for one in group)
        lines.append(filled(tell.say(key, names=names, sentence=sentence, clauses=clauses), "  ", "    "))
    return lines


def about_moves(tell: Telling, legal: Sequence[Move], others: Sequence[tuple[Rulebook, Round]]) -> list[str]:
    """Which rulebooks would allow other moves in this spot."""
    groups: dict[tuple[str, str], list[str]] = {}
    for other, round in others:
        there = round.legal_moves()
        more = ", ".join(str(move) for move in there if move not in legal)
        less = ", ".join(str(move) for move in legal if move not in there)
        groups.setdefault((more, less), []).append(other.id)
    lines = []
    for (more, less), names in groups.items():
        what = "both" if more and less else "more" if more else "less" if less else "same"
        text = tell.say(f"cli.settle.{what}", names=tell.listing(names), more=more, less=less)
        lines.append(filled(text, "", "  "))
    return ["", *lines] if lines else []


def about_left_out(left_out: Sequence[LeftOut], language: str) -> list[str]:
    """Which rulebooks say nothing of this spot, and why."""
    groups: dict[tuple[str, object], list[str]] = {}
    for one in left_out:
        groups.setdefault((one.why, one.tile), []).append(one.book.id)
    lines = []
    for (why, tile), ids in groups.items():
        names = listing(ids, language)
        text = say(f"cli.settle.not-compared-{why}", language, names=names, count=len(ids), tile=tile)
        lines.append(filled(text, "", "  "))
    return ["", *lines] if lines else []


def as_json(
    book: Rulebook,
    round: Round,
    others: Sequence[tuple[Rulebook, Round]],
    left_out: Sequence[LeftOut],
    asked: Sequence[Asked],
    names: Sequence[str] | None,
    language: str,
) -> dict[str, Any]:
    """The whole answer for a program."""

    def verdict(reason: Reason | None) -> dict[str, Any]:
        if reason is None:
            return {"legal": True}
        return {
            "legal": False,
            "code": reason.code,
            "clause": reason.clause,
            "clause_text": reason.clause_text(language),
            "sentence": reason.sentence(language, names),
        }

    return {
        "rulebook": book.id,
        "turn": round.turn,
        "legal_moves": [str(move) for move in round.legal_moves()],
        "asked": [
            {
                "move": str(one.move),
                "written": str(one.written),
                **verdict(round.why_illegal(one.move)),
                "others": {other.id: verdict(there.why_illegal(one.move)) for other, there in others},
            }
            for one in asked
        ],
        "others": {other.id: [str(move) for move in there.legal_moves()] for other, there in others},
        "not_compared": {
            one.book.id: {"why": one.why} | ({} if one.tile is None else {"tile": str(one.tile)}) for one in left_out
        },
    }
