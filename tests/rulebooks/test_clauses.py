"""Every clause of every sheet is told in both languages and carried by something."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.clauses import REFEREE, RULING, SHEETS, Clause, clause, clauses, sheet_of
from stationmaster.rulebooks.rulebook import HOUSE, PARAMETERS, rulebook, rulebooks
from stationmaster.words import LANGUAGES, catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
EVERY = [one for sheet in (*SHEETS, REFEREE) for one in clauses(sheet)]
POINTS = {point for id in rulebooks() for point in rulebook(id).clauses} - set(PARAMETERS) - {"otherwise"}
CODE = {
    "core": (POINTS - {"winner"}) | {"turn_order"},
    "deal": {"engine", "shuffle", "bone_pile", "turned_tiles", "no_double"},
    "match": {"winner", "rotation"},
}
CLAUSE_ID = re.compile(rf"(?:{'|'.join((*SHEETS, REFEREE))})\.\d+(?:\.\d+)?")


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_clauses_of_a_sheet_are_numbered_in_its_order(sheet: str) -> None:
    assert [one.id for one in clauses(sheet)] == [f"{sheet}.{n}" for n in range(1, len(clauses(sheet)) + 1)]
    sections = [one.section for one in clauses(sheet)]
    assert sections == sorted(sections, key=RULING.__eq__), "rulings come last"


def test_the_referee_rules_every_numbered_paragraph() -> None:
    paragraphs = ["2", *(f"2.{n}" for n in range(1, 15)), "3", *(f"3.{n}" for n in range(1, 11))]
    assert [one.id for one in clauses(REFEREE)] == [f"referee.{paragraph}" for paragraph in paragraphs]


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_a_clause_is_told_in_every_language(one: Clause) -> None:
    texts = [one.text(language) for language in LANGUAGES]
    assert len(set(texts)) == len(LANGUAGES)
    for text in texts:
        assert text[0].isupper()
        assert text.endswith(".")


def test_every_heading_is_told_in_every_language() -> None:
    sections = {one.section for one in EVERY} | {clause(HOUSE).section}
    headings = {language: {one.heading(language) for one in [*EVERY, clause(HOUSE)]} for language in LANGUAGES}
    assert headings["en"] == sections - {RULING} | {"Where the sheet is silent"}
    assert len(headings["es"]) == len(sections)
    assert headings["en"] & headings["es"] == set()
    assert len([key for key in catalogue("en") if key.startswith("section.")]) == len(sections)


def test_no_text_is_left_without_its_clause() -> None:
    told = {key.removeprefix("clause.") for key in catalogue("en") if key.startswith("clause.")}
    assert told == {one.id for one in EVERY} | {HOUSE}


def test_no_two_clauses_of_a_sheet_say_the_same() -> None:
    for sheet in (*SHEETS, REFEREE):
        texts = [one.text() for one in clauses(sheet)]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.id)
def test_a_clause_is_carried_by_parameters_or_code(one: Clause) -> None:
    assert one.section
    assert one.carries
    for carried in one.carries:
        part, colon, what = carried.partition(": ")
        assert what in CODE[part] if colon else carried in PARAMETERS


@pytest.mark.parametrize("id", rulebooks())
def test_what_a_rulebook_rests_on_says_so(id: str) -> None:
    book = rulebook(id)
    for point in (*PARAMETERS, *POINTS):
        carries = clause(book.clause(point)).carries
        assert {point, f"core: {point}", f"match: {point}"} & set(carries), (point, book.clause(point))
    assert clause(book.clauses["otherwise"]).sheet == REFEREE
    assert book.clause("something that no sheet has") == "referee.2"


@pytest.mark.parametrize("id", rulebooks())
def test_a_rulebook_rests_on_its_own_sheet_or_on_rulings(id: str) -> None:
    sheet = sheet_of(id)
    allowed = {sheet, REFEREE} | ({"puremco"} if sheet == "supertrain" else set())
    assert {clause(id).sheet for id in rulebook(id).clauses.values()} <= allowed


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_parameter_is_settled_for_every_sheet(sheet: str) -> None:
    followed = (sheet, "puremco") if sheet == "supertrain" else (sheet,)
    settled = {carried for source in (*followed, REFEREE) for one in clauses(source) for carried in one.carries}
    assert set(PARAMETERS) <= settled


def test_every_clause_that_is_named_anywhere_exists() -> None:
    named = set(_named_in_python()) | set(_named_in_toml())
    assert len(named) > 100
    assert named <= {one.id for one in EVERY}


def _named_in_python() -> Iterator[str]:
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and CLAUSE_ID.fullmatch(node.value):
                yield node.value


def _named_in_toml() -> Iterator[str]:
    def strings(value: object) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for entry in value.values():
                yield from strings(entry)
        elif isinstance(value, list):
            for entry in value:
                yield from strings(entry)

    for path in (*(ROOT / "src").rglob("*.toml"), *(ROOT / "tests").rglob("*.toml")):
        for text in strings(tomllib.loads(path.read_text("utf-8"))):
            if CLAUSE_ID.fullmatch(text):
                yield text


def test_a_clause_is_found_by_its_id() -> None:
    assert clause("tactic.7").sheet == "tactic"
    assert clause("referee.2.14").section == "The match"
    assert clause(HOUSE).text() == "The table plays this by its own rule."
    with pytest.raises(RulebookError, match=r"no clause is called 'tactic\.70': tactic has tactic\.1 to tactic\.39"):
        clause("tactic.70")
    with pytest.raises(RulebookError, match="a clause is named like"):
        clause("whist.1")
    with pytest.raises(RulebookError, match="no sheet is called 'whist'"):
        clauses("whist")


def test_each_printed_rulebook_follows_a_sheet() -> None:
    assert [sheet_of(id) for id in ("puremco-18", "supertrain", "tactic-nine", "quarter-pot")] == [
        "puremco",
        "supertrain",
        "tactic",
        "quarter-pot",
    ]
    assert {sheet_of(id) for id in rulebooks()} == set(SHEETS)
    with pytest.raises(RulebookError, match="'sundays' follows no printed sheet"):
        sheet_of("sundays")
