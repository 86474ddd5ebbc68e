"""What several commands share: printing JSON, reading rulebooks, wrapping text."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import wrap

import msgspec

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.rulebook import Rulebook, load_house_rules, rulebook, rulebooks

WIDTH = 78


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
    """A text in lines that fit a terminal; nothing is broken at a dash."""
    rest = first if rest is None else rest
    return "\n".join(
        wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False)
    )


def read_rulebook(name: str) -> Rulebook:
    """A printed rulebook by its id, or house rules by their file."""
    if name in rulebooks():
        return rulebook(name)
    if name.endswith(".toml") or Path(name).is_file():
        return load_house_rules(name)
    try:
        return rulebook(name)
    except RulebookError as error:
        raise RulebookError(f"{error}; house rules are given as a file, FILE.toml", field="id", value=name) from None
