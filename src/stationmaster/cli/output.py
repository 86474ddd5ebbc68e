"""What several commands share: printing JSON, reading rulebooks, wrapping text."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from shlex import quote
from textwrap import wrap

import msgspec

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.rulebook import Rulebook, load_house_rules, rulebook, rulebooks

NARROWEST = 20  # a terminal that says it is narrower is not believed


def width() -> int | None:
    """How wide lines may be: as the terminal is, or as COLUMNS says. None into a file: there, nothing is wrapped."""
    if os.environ.get("COLUMNS", "").isdecimal() or (sys.stdout is not None and sys.stdout.isatty()):
        return max(NARROWEST, shutil.get_terminal_size().columns)
    return None


def this_program() -> str:
    """What to type in a shell to start this program as it was started."""
    started = Path(sys.argv[0])
    if started.name == "__main__.py":
        return f"{quote(sys.executable)} -m stationmaster"
    found = shutil.which("stationmaster")
    if started.name != "stationmaster" or (found and started.exists() and Path(found).samefile(started)):
        return "stationmaster"
    return quote(str(started))


def print_json(value: object) -> None:
    """Print a value for a program to read."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def ask(question: str) -> str:
    """Ask a question and read the answer. An answer from a file is shown, so that the output reads as a talk."""
    if sys.stdin is None:  # the program was started without any input
        raise EOFError
    answer = input(f"{question} ")
    if not sys.stdin.isatty():
        print(answer)
    return answer


def filled(text: str, first: str = "", rest: str | None = None) -> str:
    """A text in lines that fit the terminal; nothing is broken at a dash, and no sum of money."""
    columns = width()
    if columns is None:
        return first + text
    together = text.replace(" $", "\N{NO-BREAK SPACE}$")
    rest = first if rest is None else rest
    lines = wrap(
        together,
        columns,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}$", " $")


def read_rulebook(name: str) -> Rulebook:
    """A printed rulebook by its id, or house rules by their file."""
    if name in rulebooks():
        return rulebook(name)
    if name.endswith(".toml") or Path(name).is_file():
        return load_house_rules(name)
    try:
        return rulebook(name)
    except RulebookError as error:
        what = f"{error} House" if str(error).endswith("?") else f"{error}; house"
        raise RulebookError(f"{what} rules are given as a file, FILE.toml", field="id", value=name) from None
