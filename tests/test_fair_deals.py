"""docs/fair-deals.md: its checker makes every deal of the test vectors again, and finds what was tampered with."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from match.test_verify import DOCUMENT, drawing, fair_record, text
from pages import blocks, commands, run, stationmaster
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebook_for_record, rulebooks

PAGE = Path(__file__).parents[1] / "docs" / "fair-deals.md"
(PROGRAM,) = (text for kind, text in blocks(PAGE) if kind == "python")
(SHOWN,) = (json.loads(text) for kind, text in blocks(PAGE) if kind == "json")
VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "golden/shuffle.json").read_text("utf-8")
)


def checker() -> Any:
    module = ModuleType("fair_deal")
    exec(PROGRAM, module.__dict__)
    return module


CHECKER = checker()


def rules(id: str) -> dict[str, Any]:
    return json.loads(json.dumps(rulebook_for_record(rulebook(id))))


def tampered(*path: str | int, to: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(DOCUMENT)
    place: Any = document["rounds"][1]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return document


# ---- The checker ----


def test_the_checker_needs_nothing_but_python() -> None:
    imported = [line for line in PROGRAM.splitlines() if "import" in line]
    assert imported == ["import hashlib, itertools, json, sys"]


@pytest.mark.parametrize("entry", VECTORS["streams"], ids=lambda entry: f"{entry['purpose']}-{entry['number']}")
def test_it_makes_the_numbers(entry: dict[str, Any]) -> None:
    source = bytes.fromhex(entry["secret"]), entry["texts"], entry["number"], entry["purpose"]
    words, below = CHECKER.numbers(*source), CHECKER.numbers(*source)
    assert [words(2**32) for _ in entry["words"]] == entry["words"]
    assert [below(entry["below"]) for _ in entry["numbers"]] == entry["numbers"]


@pytest.mark.parametrize("entry", VECTORS["deals"], ids=lambda entry: f"{entry['rulebook']}-{entry['players']}")
def test_it_makes_the_deals(entry: dict[str, Any]) -> None:
    secret, right = bytes.fromhex(entry["secret"]), entry["deal"]
    source = entry["players"], entry["number"], secret, entry["texts"]
    assert CHECKER.deal(rules(entry["rulebook"]), *source, right["engine"], entry["starter"]) == right


@pytest.mark.parametrize("entry", VECTORS["turned"], ids=lambda entry: f"{len(entry['turns'])}-turns")
def test_it_turns_the_tiles(entry: dict[str, Any]) -> None:
    below = CHECKER.numbers(bytes.fromhex(entry["secret"]), entry["texts"], 1, "turned")
    turns, starter = CHECKER.turned(rules(entry["rulebook"]), entry["players"], below)
    assert turns == [dict(turn) for turn in entry["turns"]]
    assert starter == entry["turns"][-1][0][0]


@pytest.mark.parametrize("id", rulebooks())
def test_it_finds_fair_deals_fair(id: str) -> None:
    assert list(CHECKER.check(json.loads(fair_record(id).dumps()))) == [[], [], []]


def test_it_finds_an_engine_that_was_drawn() -> None:
    record = Match(rulebook("pressman"), ["Ann"], deals=[drawing()]).record()
    assert list(CHECKER.check(json.loads(record.dumps()))) == [[]]


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        (tampered("fair", "commitment", to="0" * 64), ["secret"]),
        (tampered("fair", "secret", to="00"), ["secret", "hands", "bone_pile"]),
        (tampered("fair", "texts", 2, to="late"), ["texts", "hands", "bone_pile"]),
        (tampered("fair", "hashes", 0, to=None), ["texts"]),
        (tampered("bone_pile", 0, to="0-0"), ["bone_pile"]),
        (tampered("starter", to=5), ["starter"]),
        (tampered("fair", to=None), None),
    ],
)
def test_it_finds_what_does_not_hold(document: dict[str, Any], wrong: list[str] | None) -> None:
    first, second, *_ = CHECKER.check(document)
    assert (first, second) == ([], wrong)


def test_it_runs_as_it_stands_on_the_page(tmp_path: Path) -> None:
    (tmp_path / "fair_deal.py").write_text(PROGRAM, "utf-8")
    document = tampered("fair", "commitment", to="")
    del document["rounds"][0]["fair"]
    (tmp_path / "match.json").write_text(json.dumps(document), "utf-8")
    done = run(tmp_path, sys.executable, "fair_deal.py", "match.json")
    assert (done.stdout, done.stderr) == ("1 no fair deal\n2 wrong: secret\n3 fair\n", "")


# ---- The page ----


def test_its_commands_work(tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(DOCUMENT, "utf-8")
    (tmp_path / "texts.json").write_text(json.dumps([text(0, number) for number in (1, 2, 3)]), "utf-8")
    lines = commands([shown for kind, shown in blocks(PAGE) if kind == "text"])
    assert len(lines) == 2
    for line in lines:
        done = run(tmp_path, *stationmaster(line))
        assert (done.returncode, done.stderr) == (0, ""), line


def test_what_the_page_shows_is_in_the_vectors() -> None:
    (stream,), (deal,), (turned,) = SHOWN["streams"], SHOWN["deals"], SHOWN["turned"]
    (whole,) = (entry for entry in VECTORS["streams"] if entry["secret"] == stream["secret"])
    assert stream == whole | {"words": whole["words"][:4], "numbers": whole["numbers"][:6]}
    (whole,) = (entry for entry in VECTORS["deals"] if entry["secret"] == deal["secret"])
    hands, pile = [hand.split() for hand in deal.pop("hands")], deal.pop("bone_pile").split()
    assert whole["deal"] == {
        "engine": deal.pop("engine"),
        "starter": deal["starter"],
        "hands": hands,
        "bone_pile": pile,
    }
    assert deal.items() <= (whole | {"starter": 0}).items()
    (whole,) = (entry for entry in VECTORS["turned"] if entry["secret"] == turned["secret"])
    turns = [text.split(" by the seats ") for text in turned.pop("turns")]
    shown = [dict(zip(map(int, seats.split()), tiles.split(), strict=True)) for tiles, seats in turns]
    assert shown == [dict(turn) for turn in whole["turns"]]
    assert turned.items() <= whole.items()


def test_what_it_says_of_the_record_is_what_a_record_has() -> None:
    fair = json.loads(Record.loads(DOCUMENT).dumps())["rounds"][1]["fair"]
    shown = next(block for kind, block in blocks(PAGE) if kind == "text" and '"fair"' in block)
    assert [name for name in fair if f'"{name}": ' in shown] == list(fair)
