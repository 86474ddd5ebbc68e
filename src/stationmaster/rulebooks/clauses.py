"""The clauses: what each printed sheet says, sentence by sentence, in this project's own words.

A clause such as ``tactic.7`` names its section of the sheet and the parameters or parts of the code
that carry it; its text stands in ``words`` under ``clause.tactic.7``. Where a sheet is silent, the
clauses ``referee.…`` rule for all of them.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import msgspec

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.rulebook import HOUSE
from stationmaster.words import DEFAULT, say

SHEETS = ("puremco", "supertrain", "quarter-pot", "front-porch", "pressman", "tactic")
REFEREE = "referee"
RULING = "ruling"  # the section of a clause that decides what the sheet leaves open


class Clause(msgspec.Struct, frozen=True):
    """One rule of one sheet."""

    id: str
    sheet: str
    section: str  # the sheet's own heading, or "ruling"
    carries: tuple[str, ...]  # parameters, or "core: …", "deal: …", "match: …" for what code does

    def heading(self, language: str = DEFAULT) -> str:
        """The section in the language of the reader."""
        return say("section." + "-".join(re.findall("[a-z]+", self.section.lower())), language)

    def text(self, language: str = DEFAULT) -> str:
        """What the clause says, in one or two sentences."""
        return say(f"clause.{self.id}", language)


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    section: str
    carries: tuple[str, ...]


class _ClausesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clause: tuple[_Entry, ...]


@cache
def clauses(sheet: str) -> tuple[Clause, ...]:
    """All clauses of a sheet, in its order; ``"referee"`` gives the rulings for every sheet."""
    if sheet not in (*SHEETS, REFEREE):
        raise RulebookError(f"no sheet is called {sheet!r}: there are {', '.join((*SHEETS, REFEREE))}")
    text = (Path(__file__).parent / "clauses" / f"{sheet}.toml").read_text("utf-8")
    file = msgspec.convert(tomllib.loads(text), _ClausesFile)
    return tuple(Clause(entry.id, sheet, entry.section, entry.carries) for entry in file.clause)


@cache
def _by_id() -> dict[str, Clause]:
    house = Clause(HOUSE, HOUSE, "house rule", ())
    return {HOUSE: house} | {clause.id: clause for sheet in (*SHEETS, REFEREE) for clause in clauses(sheet)}


def clause(id: str) -> Clause:
    """The clause with this id. ``"house"`` is what a table decided for itself."""
    try:
        return _by_id()[id]
    except KeyError:
        sheet = id.partition(".")[0]
        if sheet in (*SHEETS, REFEREE):
            hint = f"{sheet} has {clauses(sheet)[0].id} to {clauses(sheet)[-1].id}"
        else:
            hint = f"a clause is named like tactic.7, and the sheets are {', '.join((*SHEETS, REFEREE))}"
        raise RulebookError(f"no clause is called {id!r}: {hint}") from None


def sheet_of(book_id: str) -> str:
    """The sheet that a printed rulebook follows: tactic-nine is a variation on the sheet of tactic."""
    for sheet in SHEETS:
        if book_id == sheet or book_id.startswith(f"{sheet}-"):
            return sheet
    raise RulebookError(
        f"{book_id!r} follows no printed sheet: there are {', '.join(SHEETS)}", field="id", value=book_id
    )
