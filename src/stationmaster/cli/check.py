"""``stationmaster check``: are these records whole?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from stationmaster.cli.matches import load_match
from stationmaster.cli.output import print_json
from stationmaster.errors import RecordError
from stationmaster.match.deals import not_from_seed
from stationmaster.match.match import Match
from stationmaster.rulebooks.prose import book_name
from stationmaster.words import listing, say

DESCRIPTION = """\
Play records again and compare everything they say: that each deal is one that the rulebook gives, every
move, points, totals and winners. A deal with a secret and texts ("fair") has to follow from them, and the
secret has to be the one that the commitment promised. Where a record names a seed, it is said whether the
deals come from it; a record whose deals do not is fine all the same, for the deals themselves are in it.
"""

EXAMPLES = """\
examples:
  stationmaster check match.json
  stationmaster check *.json --json

Exit code 0 when all records are whole, 1 when one is broken, 2 when a file cannot be read.
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``check``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true", help="print the findings for a program to read")


def run(options: argparse.Namespace) -> int:
    """Check every file: 1 if a record is broken, 2 if a file cannot be read."""
    findings, code = [], 0
    for path in options.files:
        finding: dict[str, Any] = {"file": str(path), "fine": True}
        match = None
        try:
            match = load_match(path)
        except RecordError as error:
            problem = str(error).removeprefix(f"{path}: ")
            finding |= {"fine": False, "problem": problem, "round": error.round, "move": error.move}
            code = max(code, 1)
        except OSError as error:
            finding |= {"fine": False, "readable": False, "problem": error.strerror or str(error)}
            code = 2
        else:
            finding |= facts(match)
        findings.append(finding)
        if not options.json:
            print(in_words(finding, match, options.language), flush=True)
    if options.json:
        print_json(findings)
    return code


def facts(match: Match) -> dict[str, Any]:
    """What a whole record tells of."""
    return {
        "rulebook": match.book.id,
        "name": match.book.name,
        "players": match.names,
        "seed": match.seed,
        "not_from_seed": not_from_seed(match),
        "fair_deals": sum(fair is not None for fair in match.fair),
        "rounds": len(match.outcomes()),
        "rounds_in_all": match.book.rounds,
        "over": match.over,
        "totals": match.totals,
        "winners": match.winners,
    }


def in_words(finding: dict[str, Any], match: Match | None, language: str) -> str:
    """The line for one file."""
    if match is None:
        key = "cli.check.broken" if finding.get("readable", True) else "cli.check.unreadable"
        return say(key, language, file=finding["file"], problem=finding["problem"])
    line = say(
        "cli.check.fine" if finding["over"] else "cli.check.unfinished",
        language,
        file=finding["file"],
        name=book_name(match.book, language),
        players=listing(list(finding["players"]), language),
        count=finding["rounds"],
        all=finding["rounds_in_all"],
        winners=listing([finding["players"][seat] for seat in finding["winners"] or ()], language),
    )
    return " ".join([line, *about_deals(finding, match, language)])


def about_deals(finding: dict[str, Any], match: Match, language: str) -> list[str]:
    """Where the deals come from, as far as the record says."""
    strange, fair = finding["not_from_seed"], finding["fair_deals"]
    lines = []
    if fair:
        lines.append(say("cli.check.fair", language, count=fair))
    if strange:
        rounds = listing([str(number) for number in strange], language)
        lines.append(say("cli.check.not-from-seed", language, count=len(strange), rounds=rounds))
    elif match.seed is not None and fair < match.number:
        lines.append(say("cli.check.from-seed", language))
    return lines
