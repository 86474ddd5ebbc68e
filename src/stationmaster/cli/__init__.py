"""The command ``stationmaster``. One file a command; only the one that is used is imported."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from stationmaster.errors import StationmasterError
from stationmaster.words import DEFAULT, LANGUAGES, say

__all__ = ["main"]

# Exit codes: fine; the thing asked about is not fine; wrong usage or bad input. As shells do: 128 + the signal.
FINE, NOT_FINE, WRONG = 0, 1, 2
INTERRUPTED, PIPE_CLOSED = 130, 141

COMMANDS = {
    "play": "play a match in this terminal",
    "serve": "serve tables to browsers and programs, in the home network or to everybody",
    "rules": "the rulebooks: list, show, compare, clauses, house rules",
    "settle": "settle an argument: what is legal in a spot, and by which clause",
    "train": "find the longest train in a hand",
    "replay": "step through the record of a match",
    "text": "print the record of a match as text, with its score sheet",
    "check": "check records of matches",
    "verify": "verify the deals of a match: nobody chose them, and your own texts are in them",
    "deal": "print the deal that follows from a seed, or from a secret and texts",
    "bots": "the bots: list them, or check whether one of your own keeps its promises",
    "lab": "let bots play many rounds: A against B, ladders, studies, reports",
    "db": "the server's database: back up, restore, export, import, check",
    "bench": "measure how fast the referee is",
    "doctor": "see whether all is well with this installation",
}

EXAMPLES = """\
examples:
  stationmaster play --plain                     play Tactic's rules against three bots
  stationmaster rules show pressman              the rules in words
  stationmaster settle spot.toml                 who is right?
  stationmaster check *.json                     are these records whole?

`stationmaster COMMAND --help` says more about each. Exit codes: 0 fine; 1 what was asked about
is not fine, as a broken record; 2 wrong usage or a file that cannot be read.
"""


class Parser(argparse.ArgumentParser):
    """Says what was wrong in one line, and where to read more."""

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG, f"stationmaster: {message}\nstationmaster: see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    speak_any_script()
    try:
        code = run(list(sys.argv[1:] if argv is None else argv))
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read the output has read enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except OSError as error:
        what = error.strerror or str(error)
        return complain(f"{error.filename}: {what}" if error.filename else what)
    except StationmasterError as error:
        return complain(str(error))
    return code


def run(given: Sequence[str]) -> int:
    """Read the command line and do what it says."""
    try:
        options = parser_for(given).parse_args(given)
    except SystemExit as leaving:  # after --help, --version, or what Parser.error said
        return leaving.code if isinstance(leaving.code, int) else FINE
    options.asked_language = getattr(options, "language", None)
    options.language = language_of(options)
    code: int = import_module(f"stationmaster.cli.{options.command}").run(options)
    return code


def complain(message: str) -> int:
    """Say on stderr what was wrong; the exit code for it."""
    print(f"stationmaster: {message}", file=sys.stderr)
    return WRONG


def parser_for(given: Sequence[str]) -> Parser:
    """The parser of the whole command line; of the commands only the one that is used is filled in."""
    shared = Parser(add_help=False)
    shared.add_argument(
        "--language",
        choices=LANGUAGES,
        default=argparse.SUPPRESS,
        help="of what is said (default: STATIONMASTER_LANGUAGE, or the language of the terminal, or English)",
    )
    parser = Parser(
        prog="stationmaster",
        description="Mexican Train dominoes by the rulebook: play, settle arguments, keep and check records.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[shared],
    )
    parser.add_argument(
        "--version", action=Version, nargs=0, help="say which version this is, and whether it is compiled"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, title="commands")
    used = next((word for word in given if word in COMMANDS), None)
    for name, about in COMMANDS.items():
        sub = commands.add_parser(
            name, help=about, description=None, parents=[shared], formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name == used:
            import_module(f"stationmaster.cli.{name}").arguments(sub, shared)
    return parser


class Version(argparse.Action):
    """Prints the version and leaves."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from stationmaster import __version__, engine

        how = "cli.version.compiled" if engine.compiled else "cli.version.interpreted"
        print(say("cli.version.line", default_language(), version=__version__, how=f"@{how}"))
        raise SystemExit(FINE)


def language_of(options: argparse.Namespace) -> str:
    """The language asked for."""
    asked: str | None = getattr(options, "language", None)
    return asked or default_language()


def default_language() -> str:
    """The language of STATIONMASTER_LANGUAGE, or else of the terminal, or else English."""
    asked = os.environ.get("STATIONMASTER_LANGUAGE")
    if asked:
        if asked not in LANGUAGES:
            raise StationmasterError(f"STATIONMASTER_LANGUAGE={asked}: there are {', '.join(LANGUAGES)}")
        return asked
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(variable):
            code = os.environ[variable][:2].lower()
            return code if code in LANGUAGES else DEFAULT
    return DEFAULT


def speak_any_script() -> None:
    """A terminal that cannot show a letter shows a question mark, and a byte that is no letter is read as one."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
