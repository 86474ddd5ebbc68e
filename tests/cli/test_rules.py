"""``stationmaster rules``: list, show, compare, clauses, house rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
from cli.commands import Ran
from stationmaster.rulebooks.clauses import REFEREE, SHEETS, clauses
from stationmaster.rulebooks.rulebook import PARAMETERS
from stationmaster.words import LANGUAGES

Run = Callable[..., Ran]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_rulebooks_are_listed(run: Run, language: str) -> None:
    code, out, err = run("rules", "--language", language)
    assert (code, err) == (0, "")
    for line, id in zip(out.splitlines(), sm.rulebooks(), strict=False):
        assert line.split()[0] == id
        assert sm.rulebook(id).name in line


def test_the_list_as_json(run: Run) -> None:
    listed = json.loads(run("rules", "--json").out)
    assert [book["id"] for book in listed] == list(sm.rulebooks())
    assert listed[0] == {
        "id": "puremco-9",
        "name": "Puremco Mexican Train, double-9",
        "players": [2, 3, 4],
        "tiles": 55,
        "rounds": 10,
    }


@pytest.mark.parametrize("id", sm.rulebooks())
def test_a_rulebook_is_shown_in_words(run: Run, id: str) -> None:
    code, out, _ = run("rules", "show", id)
    assert code == 0
    assert out.startswith(sm.rulebook(id).name)


def test_a_rulebook_as_json(run: Run) -> None:
    shown = json.loads(run("rules", "show", "tactic", "--json").out)
    assert shown["rulebook"]["rounds"] == 13
    assert set(shown["clauses"]) == set(PARAMETERS)
    assert shown["sections"][0]["heading"] == "The box"


def test_two_rulebooks_are_compared(run: Run) -> None:
    out = run("rules", "compare", "tactic", "front-porch").out
    assert out.startswith("Tactic and Front Porch Classics compared")
    assert "front-porch.13" in out
    assert "the same rules" in run("rules", "compare", "tactic", "tactic").out


def test_a_comparison_as_json(run: Run) -> None:
    fields = [one["field"] for one in json.loads(run("rules", "compare", "tactic", "tactic-nine", "--json").out)]
    assert {"highest", "deal", "rounds"} <= set(fields)


@pytest.mark.parametrize("sheet", [*SHEETS, REFEREE])
def test_the_clauses_of_a_sheet_are_listed(run: Run, sheet: str) -> None:
    out = " ".join(run("rules", "clauses", sheet).out.split())
    listed = json.loads(run("rules", "clauses", sheet, "--json").out)
    assert [one["id"] for one in listed] == [one.id for one in clauses(sheet)]
    for one in clauses(sheet):
        assert f"{one.id}: {one.text()}" in out
        assert one.section in out or one.section == "ruling"


def test_the_clauses_of_a_rulebook_are_those_of_its_sheet(run: Run) -> None:
    assert run("rules", "clauses", "puremco-15") == run("rules", "clauses", "puremco")


# ---- House rules ----


def test_a_house_rule_is_made_saved_and_used(run: Run, home: Path) -> None:
    out = run("rules", "house", "tactic", "rounds=5", "open_hands=true", "--name", "Ours", "--save", "ours.toml").out
    assert "Ours: 5 (house rule)" in out
    assert "Saved in ours.toml." in out
    book = sm.load_house_rules(home / "ours.toml")
    assert (book.rounds, book.open_hands, book.name, book.based_on) == (5, True, "Ours", "tactic")
    assert run("rules", "show", "ours.toml").out.startswith("Ours\n")
    assert "rounds = 5" in (home / "ours.toml").read_text()
    assert "Tactic and Ours compared" in run("rules", "compare", "tactic", "ours.toml").out
    assert run("rules", "clauses", "ours.toml") == run("rules", "clauses", "tactic")


def test_a_house_rule_may_be_made_from_another(run: Run, home: Path) -> None:
    run("rules", "house", "tactic", "rounds=5", "--save", "one.toml")
    run("rules", "house", "one.toml", "double_blank=50", "--id", "two", "--save", "two.toml")
    book = sm.load_house_rules(home / "two.toml")
    assert (book.id, book.rounds, book.double_blank) == ("two", 5, 50)


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("rounds=5", "rounds", 5),
        ("rounds = 5", "rounds", 5),
        ("open_hands=true", "open_hands", True),
        ("deal={ 2 = 5, 4 = 3 }", "deal", {2: 5, 3: 16, 4: 3, 5: 14, 6: 12, 7: 10, 8: 9}),
        ("deal={ 4 = 13, 8 = 0 }", "deal", {2: 16, 3: 16, 4: 13, 5: 14, 6: 12, 7: 10}),
        ("second_double=never", "second_double", "never"),
        ('second_double="never"', "second_double", "never"),
        ("last_engine=6-6", "last_engine", "6-6"),
    ],
)
def test_values_are_written_as_in_toml_and_words_without_quotes(
    run: Run, home: Path, text: str, field: str, value: object
) -> None:
    more = ["rounds=7"] if field == "last_engine" else []
    assert run("rules", "house", "tactic", text, *more, "--save", "house.toml").code == 0
    assert getattr(sm.load_house_rules(home / "house.toml"), field) == value


def test_a_file_that_is_there_is_kept(run: Run, home: Path) -> None:
    (home / "ours.toml").write_text("mine")
    assert run("rules", "house", "tactic", "rounds=5", "--save", "ours.toml").code == 2
    assert (home / "ours.toml").read_text() == "mine"


def test_what_contradicts_although_nobody_gave_it_is_said_with_what_would_be_right(run: Run) -> None:
    code, out, err = run("rules", "house", "tactic", "highest=9")
    assert (code, out) == (2, "")
    assert err == (
        "stationmaster: Tactic has rounds = 13: there are 10 engines, 9-9 to 0-0; choose rounds = 10 or fewer. "
        "So give rounds=… too\n"
    )
    fits = "{ 4 = 13, 5 = 10, 6 = 9, 7 = 7, 8 = 6 }"
    assert (
        f"this would fit: {fits}. So give deal=… too" in run("rules", "house", "tactic", "highest=9", "rounds=10").err
    )
    assert run("rules", "house", "tactic", "highest=9", "rounds=10", f"deal={fits}").code == 0
    assert "lower last_engine" in run("rules", "house", "front-porch", "highest=9").err
    assert run("rules", "house", "tactic", "rounds=50").err.startswith("stationmaster: rounds = 50: there are 13")


def test_a_deal_that_is_no_table_is_refused(run: Run) -> None:
    assert "deal = 4: expected a table, got a whole number" in run("rules", "house", "tactic", "deal=4").err
    assert "'four' is not a number of players" in run("rules", "house", "tactic", "deal={ four = 4 }").err
    assert "rounds = 101: expected a whole number, at most 100" in run("rules", "house", "tactic", "rounds=101").err


def test_headings_are_told_in_the_language(run: Run) -> None:
    out = run("rules", "clauses", "tactic", "--language", "es").out.splitlines()
    assert out[0] == "Contenido"
    assert "Set up" not in out
    assert json.loads(run("rules", "clauses", "tactic", "--language", "es", "--json").out)[0]["heading"] == "Contenido"


def test_a_house_rule_as_json(run: Run) -> None:
    assert json.loads(run("rules", "house", "tactic", "rounds=5", "--json").out)["rounds"] == 5
