"""``stationmaster rules``: the rulebooks, and house rules made from them."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from stationmaster.cli.output import filled, print_json, read_rulebook
from stationmaster.errors import RulebookError
from stationmaster.rulebooks.clauses import REFEREE, SHEETS, clauses, sheet_of
from stationmaster.rulebooks.prose import book_name, compare, describe, format_comparison, format_rules
from stationmaster.rulebooks.rulebook import (
    PARAMETERS,
    Rulebook,
    rulebook,
    rulebook_for_record,
    rulebooks,
    save_house_rules,
    unknown_parameter,
)
from stationmaster.words import say

DESCRIPTION = """\
The printed rulebooks, and house rules made from them. Without more, lists them.
Where a command takes an ID, the file of a house rule will do as well.
"""

EXAMPLES = """\
examples:
  stationmaster rules
  stationmaster rules show tactic
  stationmaster rules compare tactic pressman
  stationmaster rules clauses supertrain
  stationmaster rules house tactic rounds=5 open_hands=true --save ours.toml
  stationmaster rules show ours.toml
"""

HOUSE = f"""\
Take a printed rulebook, change parameters, and save the result. Values are written as in TOML: numbers, true
or false, a deal as 'deal={{ 4 = 13 }}'; a word needs no quotes. The parameters are:
{fill(", ".join(PARAMETERS), 100, initial_indent="  ", subsequent_indent="  ")}
A deal given here changes the hands of the numbers of players that it names and leaves the others; 'deal={{ 8 = 0 }}'
takes one out. In a file, the deal under [changes] is the whole table.
"""

HOUSE_EXAMPLES = """\
examples:
  stationmaster rules house tactic rounds=5 open_hands=true --save ours.toml
  stationmaster rules house puremco-12 double_blank=50 --name "Sunday rules" --save sunday.toml
  stationmaster rules house pressman second_double=last-tile      (says what would change, saves nothing)
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``rules``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("--json", action="store_true", help="print the list for a program to read")
    parser.set_defaults(action=list_them)
    actions = parser.add_subparsers(title="what to do", metavar="ACTION")

    def add(name: str, about: str, action: Any, **more: Any) -> argparse.ArgumentParser:
        sub = actions.add_parser(
            name,
            help=about,
            description=more.get("description", about.capitalize() + "."),
            epilog=more.get("epilog"),
            parents=[shared],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="for a program to read")
        sub.set_defaults(action=action)
        return sub

    add("show", "print a rulebook in words", show).add_argument("book", metavar="ID|FILE.toml")
    comparing = add("compare", "print where two rulebooks differ", compare_them)
    comparing.add_argument("book", metavar="A")
    comparing.add_argument("other", metavar="B")
    listing = add("clauses", "print the clauses of a sheet", list_clauses)
    listing.add_argument(
        "book", metavar="ID", help=f"a rulebook, a sheet, or {REFEREE!r} for the rulings on all sheets"
    )
    house = add("house", "make a house rule", make_house_rules, description=HOUSE, epilog=HOUSE_EXAMPLES)
    house.add_argument("book", metavar="BASE")
    house.add_argument("changes", metavar="PARAMETER=VALUE", nargs="+")
    house.add_argument("--id", help="what the house rule is called in records (default: BASE-house)")
    house.add_argument("--name", help="what people call it")
    house.add_argument("--save", metavar="FILE", help="where to save it; a file that is there already is kept")


def run(options: argparse.Namespace) -> int:
    """List, show, compare or make rulebooks."""
    options.action(options)
    return 0


def list_them(options: argparse.Namespace) -> None:
    books = [rulebook(id) for id in rulebooks()]
    if options.json:
        print_json(
            [
                {
                    "id": book.id,
                    "name": book.name,
                    "players": book.players,
                    "tiles": book.tile_count,
                    "rounds": book.rounds,
                }
                for book in books
            ]
        )
        return
    for book in books:
        first, last = book.players[0], book.players[-1]
        print(
            say(
                "cli.rules.line",
                options.language,
                id=book.id.ljust(max(map(len, rulebooks()))),
                name=book.name,
                tiles=book.tile_count,
                players=f"{first}–{last}",
                count=book.rounds,
            )
        )
    print()
    print(filled(say("cli.rules.more", options.language)))


def show(options: argparse.Namespace) -> None:
    book = read_rulebook(options.book)
    if options.json:
        sections = describe(book, options.language)
        print_json(
            {
                "rulebook": rulebook_for_record(book),
                "clauses": {field: book.clause(field) for field in PARAMETERS},
                "sections": [{"heading": heading, "sentences": sentences} for heading, sentences in sections],
            }
        )
    else:
        print(format_rules(book, options.language), end="")


def compare_them(options: argparse.Namespace) -> None:
    a, b = read_rulebook(options.book), read_rulebook(options.other)
    if options.json:
        print_json(compare(a, b, options.language))
    else:
        print(format_comparison(a, b, options.language), end="")


def list_clauses(options: argparse.Namespace) -> None:
    name = options.book
    sheet = name if name in (*SHEETS, REFEREE) else sheet_of_book(read_rulebook(name))
    language = options.language
    if options.json:
        print_json(
            [
                {
                    "id": one.id,
                    "section": one.section,
                    "heading": one.heading(language),
                    "carries": one.carries,
                    "text": one.text(language),
                }
                for one in clauses(sheet)
            ]
        )
        return
    section = None
    for one in clauses(sheet):
        if one.section != section:
            heading = one.heading(language)
            print(heading if section is None else f"\n{heading}")
            section = one.section
        print(filled(f"{one.id}: {one.text(language)}", "  ", "    "))
    if sheet != REFEREE:
        print()
        print(filled(say("cli.rules.referee", language)))


def sheet_of_book(book: Rulebook) -> str:
    """The sheet that a rulebook follows; a house rule follows that of the rulebook it changes."""
    return sheet_of(book.based_on or book.id)


def make_house_rules(options: argparse.Namespace) -> None:
    base = read_rulebook(options.book)
    changes = read_changes(options.changes)
    if isinstance(changes.get("deal"), dict):
        deal = {str(seats): size for seats, size in base.deal.items()} | changes["deal"]
        changes["deal"] = {seats: size for seats, size in deal.items() if size != 0 or isinstance(size, bool)}
    try:
        book = base.with_changes(id=options.id, name=options.name, **changes)
    except RulebookError as error:
        if error.field in changes or error.field not in PARAMETERS:
            raise
        what = f"{book_name(base)} has {error}. So give {error.field}=… too"
        raise RulebookError(what, field=error.field, value=error.value) from None
    if book.based_on is None:
        raise RulebookError(say("cli.rules.unchanged", options.language, name=book_name(base, options.language)))
    if options.json:
        print_json(rulebook_for_record(book))
    else:
        print(format_comparison(rulebook(book.based_on), book, options.language), end="")
    if options.save is None:
        return
    path = Path(options.save)
    if path.exists():
        raise FileExistsError(17, say("cli.exists", options.language), str(path))
    save_house_rules(book, path)
    if not options.json:
        print()
        print(say("cli.rules.saved", options.language, file=path))


def read_changes(texts: Sequence[str]) -> dict[str, Any]:
    """The changes that ``PARAMETER=VALUE`` texts ask for."""
    changes: dict[str, Any] = {}
    for text in texts:
        field, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise RulebookError(f"{text!r} changes nothing; write a parameter and its value, as rounds=5")
        if field not in PARAMETERS:
            raise RulebookError(unknown_parameter(field), field=field, value=value)
        if field in changes:
            raise RulebookError(f"{field} is given twice", field=field, value=value)
        try:
            changes[field] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:  # a word without its quotes
            changes[field] = value
    return changes
