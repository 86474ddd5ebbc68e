"""``stationmaster bots``: the bots that there are, and whether a bot keeps its promises."""

from __future__ import annotations

import argparse
import sys
from time import monotonic
from typing import TYPE_CHECKING

from stationmaster.bots import bot, bots
from stationmaster.bots.levels import levels
from stationmaster.cli.output import filled, print_json
from stationmaster.words import say

if TYPE_CHECKING:
    from stationmaster.bots.contract import Report

EVERY = 5.0  # seconds, between two lines of progress where none can be written over

DESCRIPTION = """\
List the bots, or check one: that it answers at every table, whatever the rules and however many play; that its moves
are legal and its advice sound; that it keeps to its time; that the same observation, random numbers and limit give
the same move; that it goes by what its seat has seen and keeps nothing between moves. A bot of your own is named by
its class, as mybot:Mine or path/to/mybot.py:Mine. It is asked in a process of its own.
"""

EXAMPLES = """\
examples:
  stationmaster bots
  stationmaster bots check greedy --quick
  stationmaster bots check mybot:Mine
  stationmaster bots check bots/mybot.py:Mine --table supertrain-5 --seed 7

Exit code 0 when every promise is kept, 1 when one is broken, 2 when there is no such bot.
In a test: from stationmaster.bots.contract import check; docs/write-a-bot.md says more.
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``bots``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.set_defaults(do=list_bots, json=False)
    parts = parser.add_subparsers(title="what to do", metavar="WHAT")
    some = parts.add_parser("list", help="list the bots (the default)", parents=[shared])
    some.add_argument("--json", action="store_true", help="print the list for a program to read")
    some = parts.add_parser("check", help="check whether a bot keeps its promises", parents=[shared])
    some.set_defaults(do=check)
    some.add_argument("bot", metavar="BOT", help="an id, module:Class or path/to/file.py:Class")
    some.add_argument("--quick", action="store_true", help="ask at fewer tables")
    some.add_argument("--seed", default="1", metavar="S", help="of the deals and the questions (default: %(default)s)")
    some.add_argument(
        "--table", action="append", default=[], metavar="NAME", help="ask at this table only, as supertrain-5"
    )
    some.add_argument(
        "--patience",
        type=seconds,
        default=20.0,
        metavar="SECONDS",
        help="how long an answer is waited for (default: %(default)g)",
    )
    some.add_argument("--json", action="store_true", help="print the findings for a program to read")


def seconds(text: str) -> float:
    """Some time above 0."""
    number = float(text)
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def run(options: argparse.Namespace) -> int:
    """List or check."""
    code: int = options.do(options)
    return code


def list_bots(options: argparse.Namespace) -> int:
    """Each bot in a line."""
    from stationmaster.bots.naming import about

    language: str = options.language
    ratings = {level.id: level.rating for level in levels()}
    if options.json:
        print_json([{"id": id, "about": about(bot(id), [id], language), "rating": ratings.get(id)} for id in bots()])
        return 0
    for id in bots():
        if id not in ratings:
            print(filled(about(bot(id), [id], language), "", "  "))
    print()
    print(say("cli.bots.levels", language))
    for id, rating in ratings.items():
        values = {"name": say(f"level.{id}", language), "rating": rating, "plays": say(f"level.plays.{id}", language)}
        print(filled(say("cli.bots.level", language, id=id, **values), "  ", "    "))
    print()
    print(filled(say("cli.bots.own", language)))
    return 0


def check(options: argparse.Namespace) -> int:
    """Ask one bot; 1 when it breaks a promise."""
    from stationmaster.bots.contract import Examination

    examination = Examination(
        options.bot, seed=options.seed, quick=options.quick, tables=options.table, patience=options.patience
    )
    progress = Progress(options.language)
    code = 0
    try:
        report = examination.run(progress.tell)
    except KeyboardInterrupt:
        report, code = examination.report, 130
    progress.clear()
    if options.json:
        print_json(report.as_data())
    else:
        for line in report.lines(options.language):
            print(filled(line, "", " " * (len(line) - len(line.lstrip()) + 2)))
        if code:
            print(say("cli.bots.interrupted", options.language))
    return code or (0 if report.kept else 1)


class Progress:
    """How far it is, on stderr: in one line that is written over, or in a line now and then."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.last = monotonic()
        self.written = 0

    def tell(self, report: Report, table: str) -> None:
        """Say at which table the bot is asked now."""
        if sys.stderr is None:
            return
        tty = sys.stderr.isatty()
        if not tty and monotonic() - self.last < EVERY:
            return
        self.last = monotonic()
        values = {"number": report.seated + 1, "all": report.tables, "table": table, "count": len(report.counts)}
        text = say("cli.bots.progress", self.language, **values)
        print(f"\r{text:{self.written}}" if tty else text, end="" if tty else "\n", file=sys.stderr, flush=True)
        self.written = max(self.written, len(text)) if tty else 0

    def clear(self) -> None:
        """Take the line away."""
        if self.written:
            print("\r" + " " * self.written + "\r", end="", file=sys.stderr, flush=True)
