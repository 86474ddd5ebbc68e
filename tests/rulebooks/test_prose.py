"""The rules in words: every parameter shows, in every language, and the text reads well in a terminal."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from stationmaster.errors import RulebookError
from stationmaster.rulebooks import prose
from stationmaster.rulebooks.clauses import clause
from stationmaster.rulebooks.prose import book_name, compare, describe, format_comparison, format_rules
from stationmaster.rulebooks.rulebook import PARAMETERS, Rulebook, rulebook, rulebooks
from stationmaster.words import LANGUAGES, catalogue, say

# Values to try for each parameter; those that contradict the rest of a rulebook are refused and skipped.
VALUES: dict[str, list[Any]] = {
    "highest": list(range(1, 19)),
    "wild_tiles": [False, True],
    "deal": [{2: 5}, {2: 5, 3: 5}, {2: 5, 4: 5}, {2: 5, 3: 4}, {1: 1}, {1: 2, 2: 2, 3: 2}, {2: 1, 3: 2, 4: 1}],
    "engine": ["descending", "highest-held"],
    "last_engine": ["0-0", "1-1", "2-2", "12-12", "W-W"],
    "rounds": [1, 2, 5, 12, 13, 14, 100],
    "starter": ["random", "turned-tile", "seat", "engine-holder"],
    "first_starter": [0, 1, 2, 7],
    "open_hands": [False, True],
    "first_turn": ["any-train", "own-tile", "own-string"],
    "first_turn_out": ["ends-round", "others-finish"],
    "own_train_first": [False, True],
    "follow_up": ["anywhere", "on-double"],
    "follow_up_draw": [False, True],
    "second_double": ["third-tile", "last-tile", "free", "never"],
    "open_doubles_bind": [False, True],
    "double_blank": [0, 1, 25, 50],
    "wild_points": [0, 1, 10],
    "ante": [0, 1, 25, 100],
    "pass_fee": [0, 1, 5],
    "objective": ["lowest-points", "most-money"],
    "tie_break": ["shared", "most-zeros"],
}
# Rulebooks from which a single change is possible where the printed ones would refuse it.
SMALL = rulebook("tactic-nine").with_changes(rounds=1, deal={2: 3}, last_engine="1-1")
HOUSE_RULES = [
    SMALL,
    SMALL.with_changes(wild_tiles=True, ante=10),
    rulebook("supertrain").with_changes(wild_points=0, rounds=1, last_engine="0-0", deal={2: 3}),
    rulebook("tactic").with_changes(ante=5, first_turn="own-tile", open_doubles_bind=False),
]
BOOKS = [rulebook(id) for id in rulebooks()] + HOUSE_RULES
# No rulebook can change its way to an engine alone.
COUPLED = {"descending": {"starter": "seat"}, "highest-held": {"starter": "engine-holder", "last_engine": "0-0"}}


def changed(book: Rulebook, field: str, value: Any) -> Rulebook | None:
    """The rulebook with one parameter changed, or None where that is refused."""
    try:
        return book.with_changes(**{field: value}, **(COUPLED[value] if field == "engine" else {}))
    except RulebookError:
        return None


def words(book: Rulebook, language: str) -> str:
    return repr(describe(book, language))


def test_values_to_try_are_there_for_every_parameter() -> None:
    assert tuple(VALUES) == PARAMETERS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("field", PARAMETERS)
def test_every_value_of_every_parameter_shows_in_the_rules(field: str, language: str) -> None:
    shown = []
    for book in BOOKS:
        values = [(value, other) for value in VALUES[field] if (other := changed(book, field, value)) is not None]
        for (_, one), (_, other) in combinations(values, 2):
            assert words(one, language) != words(other, language)
        if len(values) > 1:
            shown += [value for value, _ in values]
    if field == "starter":
        shown.append("engine-holder")  # comes with the engine alone, which is compared under that name
    assert all(value in shown for value in VALUES[field])


@st.composite
def house_rules(draw: st.DrawFn) -> Rulebook:
    book = draw(st.sampled_from(BOOKS))
    for field in draw(st.lists(st.sampled_from(PARAMETERS), max_size=4)):
        book = changed(book, field, draw(st.sampled_from(VALUES[field]))) or book
    return book


@settings(max_examples=150, deadline=None)
@given(house_rules(), st.sampled_from(PARAMETERS), st.data(), st.sampled_from(LANGUAGES))
def test_house_rules_that_differ_read_differently(
    book: Rulebook, field: str, data: st.DataObject, language: str
) -> None:
    other = changed(book, field, data.draw(st.sampled_from(VALUES[field])))
    assume(other is not None)
    assert other is not None
    assert (words(book, language) == words(other, language)) == (book.parameters() == other.parameters())


@settings(max_examples=100, deadline=None)
@given(house_rules(), house_rules(), st.sampled_from(LANGUAGES))
def test_a_comparison_names_what_differs_and_nothing_else(a: Rulebook, b: Rulebook, language: str) -> None:
    differences = compare(a, b, language)
    assert [one.field for one in differences] == [
        field for field in PARAMETERS if getattr(a, field) != getattr(b, field)
    ]
    for one in differences:
        assert one.a_words != one.b_words
        assert (clause(one.clause_a).text(language), clause(one.clause_b).text(language)) != ("", "")
    assert len({one.label for one in differences}) == len(differences)


def test_the_rules_do_not_depend_on_the_name_of_a_rulebook() -> None:
    for book in BOOKS:
        assert describe(book.with_changes(id="sundays", name="Sundays")) == describe(book)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.id)
def test_the_text_fits_any_terminal_and_reads_as_sentences(book: Rulebook, language: str) -> None:
    text = format_rules(book, language)
    assert text.startswith(book_name(book, language) + "\n")
    assert text.endswith(".\n")
    for line in text.splitlines():
        assert len(line) <= prose.WIDTH
        assert line == line.rstrip()
        assert not re.search(r"[{}@\t]|  \S.*  ", line)
    for heading, sentences in describe(book, language):
        assert f"\n{heading}\n" in text
        for sentence in sentences:
            assert sentence.startswith("- ") or sentence[0].isupper()
            assert sentence.startswith("- ") or sentence[-1] in ".:"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_rules_is_told_somewhere(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: set[str] = set()

    def listening(key: str, language: str, /, **values: object) -> str:
        told.add(key)
        return say(key, language, **values)

    monkeypatch.setattr(prose, "say", listening)
    variants = [changed(book, field, value) for book in BOOKS for field in PARAMETERS for value in VALUES[field]]
    books = [book for book in variants if book is not None]
    books.append(rulebook("front-porch").with_changes(ante=5))
    books.append(rulebook("supertrain").with_changes(open_doubles_bind=False))
    books.append(rulebook("tactic").with_changes(last_engine="12-12", rounds=1))
    for book in books:
        format_rules(book, language)
        format_comparison(book, rulebook("pressman"), language)
    format_comparison(SMALL, SMALL, language)
    assert {key for key in catalogue(language) if key.startswith("rules.")} == told


def test_hands_are_listed_with_equal_ones_together() -> None:
    text = format_rules(rulebook("tactic"))
    assert "  - 2 or 3 players: 16 tiles each\n  - 4 players: 15 tiles each\n" in text
    text = format_rules(rulebook("puremco-18"))
    assert "  - 2 to 6 players: 15 tiles each\n  - 7 or 8 players: 13 tiles each\n  - 9 to 14 players: 11" in text
    house = rulebook("tactic").with_changes(deal={1: 1, 2: 10, 4: 10, 6: 10})
    assert "  - 1 player: 1 tile each\n  - 2, 4 or 6 players: 10 tiles each\n" in format_rules(house)


def test_money_is_written_as_money() -> None:
    assert "each player pays $0.25 into the pot" in flat(format_rules(rulebook("quarter-pot")))
    assert "paga 0,25 $ al bote" in flat(format_rules(rulebook("quarter-pot"), "es"))
    assert "Money" not in format_rules(rulebook("tactic"))


def test_a_house_rule_says_what_it_is_based_on() -> None:
    house = rulebook("pressman").with_changes(name="Sundays", rounds=5)
    assert format_rules(house).startswith("Sundays\nHouse rules, based on Pressman.\n\nThe box\n")


def test_a_name_that_nobody_chose_is_told_in_the_language() -> None:
    house = rulebook("pressman").with_changes(rounds=5)
    assert book_name(house) == house.name == "Pressman, house rules"
    assert book_name(house, "es") == "Pressman, con reglas de la casa"
    assert book_name(rulebook("pressman"), "es") == "Pressman"
    assert "Pressman y Pressman, con reglas de la casa" in flat(format_comparison(rulebook("pressman"), house, "es"))


def test_the_shortest_rounds_read_well() -> None:
    one = rulebook("tactic").with_changes(rounds=1)
    assert "In the only round it is 12-12. With more rounds it would be" in flat(format_rules(one))
    assert "A match is one round." in format_rules(one)
    five = rulebook("tactic").with_changes(rounds=5)
    assert "as far as 8-8 in round 5, the last." in flat(format_rules(five))


def test_a_comparison_reads_well() -> None:
    text = format_comparison(rulebook("tactic"), rulebook("puremco-12"))
    assert text == (
        "Tactic and Puremco Mexican Train, double-12 compared\n"
        "\n"
        "Who starts the first round\n"
        "  Tactic: a seat that the table names (tactic.11)\n"
        "  Puremco Mexican Train, double-12: decided at random (puremco.33)\n"
        "\n"
        "A second double after the first\n"
        "  Tactic: only as your last tile (tactic.24)\n"
        "  Puremco Mexican Train, double-12: if you hold a third tile for one of the\n"
        "    two, or as your last tile (puremco.15)\n"
    )


def test_a_comparison_names_house_rules_and_equal_rulebooks() -> None:
    tactic = rulebook("tactic")
    assert "  Tactic, house rules: 5 (house rule)\n" in format_comparison(tactic, tactic.with_changes(rounds=5))
    assert "Both are played by the same rules." in format_comparison(tactic, tactic)
    assert compare(tactic, tactic) == []


def flat(text: str) -> str:
    """The text without its line breaks."""
    return re.sub(r"\s+", " ", text)
