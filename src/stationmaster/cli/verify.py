"""``stationmaster verify``: did anybody choose these deals?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stationmaster.cli.matches import load_record, naming
from stationmaster.cli.output import filled, print_json
from stationmaster.errors import RecordError, StationmasterError
from stationmaster.match.kept import Kept, KeptFinding, compare, read_kept, seat_of
from stationmaster.match.verify import Findings, RoundFinding, verify
from stationmaster.rulebooks.prose import book_name
from stationmaster.words import listing, say

if TYPE_CHECKING:
    from stationmaster.match.record import Record

DESCRIPTION = """\
Say of every round of a record whether its deal was a fair one: whether it follows from the secret of the server
and the texts of the players, whether the secret is the one that the server had promised, and the texts those
whose hashes were sent before; who starts, and the tiles turned or drawn for it; and that every move is legal
and every result right.

With your own texts it says whether they are in the record, at your seat. They are what makes a deal fair for
you: whoever made it could not know them. A file may hold the commitments and the hashes too that you were told.
"""

EXAMPLES = """\
examples:
  stationmaster verify match.json
  stationmaster verify match.json --mine 5f0c27a1 99b1d4e0       one text for each round
  stationmaster verify match.json --mine-file texts.json --seat Ann

The file is a JSON list with an entry for each round: a text, null where you sent none, or an object with "text",
"commitment" and "hashes" (by seat, as you were told them). Or it has one text on each line.

Exit code 0 when everything holds, 1 when something does not or a text of yours is missing, 2 when a file
cannot be read. docs/fair-deals.md says how it works and what it cannot prove.
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``verify``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("file", metavar="FILE", type=Path)
    mine = parser.add_mutually_exclusive_group()
    mine.add_argument("--mine", metavar="TEXT", nargs="+", help="your own texts, one for each round from the first on")
    mine.add_argument("--mine-file", metavar="FILE", type=Path, help="a file with what you kept")
    parser.add_argument(
        "--seat", metavar="SEAT", help="your seat, counted from 0, or your name (default: where your texts are)"
    )
    parser.add_argument("--json", action="store_true", help="print the findings for a program to read")


def run(options: argparse.Namespace) -> int:
    """Verify a record: 1 if something does not hold."""
    kept = read_mine(options)
    try:
        record = load_record(options.file)
        findings = verify(record)
    except RecordError as error:
        return broken(options, str(error).removeprefix(f"{options.file}: "))
    seat = seat_of(record, kept) if options.seat is None else read_seat(options.seat, record)
    mine = compare(record, kept, seat)
    if options.json:
        print_json(as_json(options.file, record, findings, seat, mine))
    else:
        for line in in_words(options.file, record, findings, seat, mine, options.language):
            print(filled(line, "", "  "))
    return 0 if findings.fine and all(one.fine for one in mine) else 1


def broken(options: argparse.Namespace, problem: str) -> int:
    """What is not a record at all, or does not even begin."""
    if options.json:
        print_json({"file": str(options.file), "fine": False, "problem": problem})
    else:
        print(say("cli.check.broken", options.language, file=options.file, problem=problem))
    return 1


def read_mine(options: argparse.Namespace) -> list[Kept]:
    """What the player kept."""
    if options.mine is not None:
        return [Kept(text) for text in options.mine]
    if options.mine_file is None:
        if options.seat is not None:
            raise StationmasterError("--seat: give your texts too, with --mine or --mine-file")
        return []
    path: Path = options.mine_file
    try:
        return read_kept(path.read_bytes())
    except RecordError as error:  # the file of the player, not the record: wrong usage
        raise StationmasterError(str(naming(path, error))) from None


def read_seat(given: str, record: Record) -> int:
    """The seat that is named so, or has this number."""
    if given in record.players:
        return record.players.index(given)
    if given.isdecimal() and len(given) < 3 and int(given) < len(record.players):
        return int(given)
    seats = ", ".join(f"{seat} ({name})" for seat, name in enumerate(record.players))
    raise StationmasterError(f"--seat {given}: the seats of this record are {seats}")


# ---- For programs ------------------------------------------------------------------------------------


def as_json(
    file: Path, record: Record, findings: Findings, seat: int | None, mine: tuple[KeptFinding, ...]
) -> dict[str, Any]:
    """Everything that was found."""
    return {
        "file": str(file),
        "fine": findings.fine and all(one.fine for one in mine),
        "rulebook": findings.match.book.id,
        "players": record.players,
        "seed": record.seed,
        "faults": findings.faults,
        "fair_deals": fair_deals(findings),
        "rounds": findings.rounds,
        "mine": {"seat": seat, "fine": all(one.fine for one in mine), "rounds": mine} if mine else None,
    }


def fair_deals(findings: Findings) -> int:
    """How many deals nobody chose."""
    return sum(round.fair for round in findings.rounds)


# ---- For people --------------------------------------------------------------------------------------


def in_words(
    file: Path, record: Record, findings: Findings, seat: int | None, mine: tuple[KeptFinding, ...], language: str
) -> list[str]:
    """A line for each round, and what it comes to."""
    names, match = record.players, findings.match
    lines = [
        say(
            "cli.verify.title",
            language,
            file=file,
            name=book_name(match.book, language),
            players=listing(list(names), language),
        )
    ]
    if mine:
        key = "cli.verify.mine.nowhere" if seat is None else "cli.verify.mine.seat"
        lines.append(say(key, language, name="" if seat is None else names[seat]))
    own = {one.number: one for one in mine}
    for found in findings.rounds:
        parts = about_deal(found, record, findings, language)
        parts += [say("cli.verify.fault", language, problem=problem) for problem in found.faults]
        parts += about_moves(found, len(record.rounds[found.number - 1].moves), language)
        if found.number in own:
            parts += about_mine(own[found.number], language)
        lines.append(" ".join([say("cli.verify.round", language, number=found.number), *parts]))
    for later in mine[len(record.rounds) :]:
        if later.state != "nothing":
            key = "cli.verify.mine.not-yet" if later.state == "not-yet" else "cli.verify.mine.not-there"
            lines.append(say(key, language, number=later.number))
    lines += [say("cli.verify.fault", language, problem=problem) for problem in findings.faults]
    return [*lines, *in_short(findings, mine, language)]


def in_short(findings: Findings, mine: tuple[KeptFinding, ...], language: str) -> list[str]:
    """What all of it comes to."""
    if findings.fine:
        rounds = say("cli.verify.rounds", language, count=len(findings.rounds))
        lines = [say("cli.verify.fine", language, count=fair_deals(findings), rounds=rounds)]
    else:
        count = len(findings.faults) + sum(len(round.faults) for round in findings.rounds)
        lines = [say("cli.verify.not-fine", language, count=count)]
    wrong = sum(not one.fine for one in mine)
    there = sum(one.state == "there" for one in mine)
    if wrong:
        lines.append(say("cli.verify.mine.not-all", language, count=wrong))
    elif there:
        lines.append(say("cli.verify.mine.all-there", language, count=there))
    return lines


def about_deal(found: RoundFinding, record: Record, findings: Findings, language: str) -> list[str]:
    """Where the deal came from, and what holds of it."""
    match, names = findings.match, record.players
    if found.source == "seed":
        return [say("cli.verify.seed", language, seed=match.seed)]
    if found.source == "given":
        key = "cli.verify.given" if match.seed is None else "cli.verify.not-from-seed"
        return [say(key, language, seed=match.seed)]
    parts = []
    if "secret" in found.holds:
        parts.append(say("cli.verify.secret", language))
    if "texts" in found.holds:
        parts += about_texts(found, record, language)
    if "tiles" in found.holds:
        parts.append(say("cli.verify.tiles", language))
    if "starter" in found.holds:
        entry = record.rounds[found.number - 1]
        how = how_the_start_was_found(found, match.book.starter)
        turns = [in_a_row(turn, names, language) for turn in found.turned] or [""]
        name, engine = names[entry.starter], entry.engine
        parts.append(say(f"cli.verify.starter-{how}", language, name=name, engine=engine, tiles=turns[0]))
        parts += [say("cli.verify.starter-turned-again", language, tiles=tiles) for tiles in turns[1:]]
    return parts


def in_a_row(turn: tuple[tuple[int, str], ...], names: tuple[str, ...], language: str) -> str:
    """The tiles that were turned at once, and by whom."""
    return listing(
        [say("cli.verify.starter-turned-tile", language, tile=tile, name=names[seat]) for seat, tile in turn], language
    )


def how_the_start_was_found(found: RoundFinding, starter: str) -> str:
    """The word for it in ``cli.verify``."""
    if starter == "engine-holder":
        return "drawn" if found.drawn else "held"
    if found.number > 1:
        return "next"
    return {"random": "random", "turned-tile": "turned", "seat": "seat"}[starter]


def about_texts(found: RoundFinding, record: Record, language: str) -> list[str]:
    """Whose texts went in, and whose did not come."""
    fair = record.rounds[found.number - 1].fair
    given = 0 if fair is None else sum(map(bool, fair.texts))
    if not found.texts and given:
        return [say("cli.verify.texts-by-no-seat", language, count=given)]
    parts = [] if given else [say("cli.verify.texts-nobody", language)]
    for state in ("promised", "unpromised", "withheld", "none"):
        whose = [record.players[seat] for seat, text in enumerate(found.texts) if text == state]
        if whose and (given or state != "none"):
            names = listing(whose, language)
            parts.append(say(f"cli.verify.texts-{state}", language, count=len(whose), names=names))
    return parts


def about_moves(found: RoundFinding, moves: int, language: str) -> list[str]:
    """Whether everything that was played holds."""
    if "moves" in found.holds:
        key = "moves-none" if not moves else "moves-and-result" if found.over else "moves"
        return [say(f"cli.verify.{key}", language, count=moves)]
    return [] if found.faults else [say("cli.verify.not-played", language)]


def about_mine(found: KeptFinding, language: str) -> list[str]:
    """Whether what the player kept is in the record."""
    parts = [] if found.state == "nothing" else [say(f"cli.verify.mine.{found.state}", language)]
    if found.same_commitment is not None:
        key = "same-commitment" if found.same_commitment else "other-commitment"
        parts.append(say(f"cli.verify.mine.{key}", language))
    if found.same_hashes is not None:
        key = "same-hashes" if found.same_hashes else "other-hashes"
        parts.append(say(f"cli.verify.mine.{key}", language))
    return parts
