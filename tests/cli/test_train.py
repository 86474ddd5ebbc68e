"""``stationmaster train``: the longest train in a hand, in words and for programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.commands import Ran

Run = Callable[..., Ran]


def test_the_train_and_what_is_left_over(run: Run) -> None:
    assert run("train", 12, "12-5", "5-7", "7-7", "1-2") == (
        0,
        """\
The longest train from 12 has 3 tiles, 43 pips:
  12-5 5-7 7-7
Left over, 1 tile, 3 pips: 1-2
There is no longer train in this hand.
""",
        "",
    )


def test_in_spanish(run: Run) -> None:
    out = run("train", 12, "12-5", "1-2", "--language", "es").out
    assert "El tren más largo desde 12 tiene 1 ficha, 17 puntos:" in out
    assert "Sobra 1 ficha, 3 puntos: 1-2" in out


def test_nothing_left_over_and_nothing_laid(run: Run) -> None:
    assert "No tile is left over." in run("train", 5, "5-7").out
    assert run("train", 5, "1-2").out == "No tile of this hand fits 5.\n"


def test_wild_tiles(run: Run) -> None:
    out = run("train", 9, "9-W", "a-w", "W-W", "4-4", "--set", "supertrain").out
    assert "has 4 tiles, 67 pips" in out
    assert "No tile is left over." in out
    assert "\n  9-9 9-3 W-W 3-3\n" in run("train", 9, "W-W", "9-3", "3-3", "9-9").out


def test_the_red_double_asks_whether_the_train_is_begun(run: Run) -> None:
    assert "fits 9" in run("train", 9, "W-W").out
    assert "has 1 tile, 20 pips" in run("train", 9, "W-W", "--begun").out


def test_covered_and_pips(run: Run) -> None:
    assert "  5-7\n" in run("train", 5, "5-7", "7-7", "--covered").out
    out = run("train", 12, "12-1", "1-2", "12-11", "--pips").out
    assert "The train from 12 with the most pips has 1 tile, 23 pips:\n  12-11\n" in out
    assert "There is no train with more pips in this hand." in out


def test_a_hand_from_a_file(run: Run, home: Path) -> None:
    (home / "hand.txt").write_text("12-5, 5-7 # the first two\n\n7-7\n", "utf-8")
    assert "  12-5 5-7 7-7 7-1\n" in run("train", 12, "1-7", "--file", "hand.txt").out


def test_a_hand_too_large_for_the_time_gets_a_bound(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stationmaster.planner.longest.QUICK", 1)
    hand = ["0-0", "0-2", "0-5", "0-9", "1-7", "3-7", "4-6", "6-9", "7-8", "8-8"]
    out = run("train", 9, *hand, "--seconds", 0).out
    assert "The longest train from 9 has 2 tiles" in out
    assert "It is the longest that was found; no train in this hand has more than 3 tiles." in out
    found = json.loads(run("train", 9, *hand, "--seconds", 0, "--json").out)
    assert (found["tiles"], found["proven"], found["bound"]) == (2, False, 3)
    assert "has 3 tiles" in run("train", 9, *hand).out


def test_for_a_program(run: Run) -> None:
    assert json.loads(run("train", 12, "12-5", "5-7", "1-2", "2-2", "--json").out) == {
        "end": "12",
        "train": ["12-5", "5-7"],
        "tiles": 2,
        "pips": 29,
        "extras": ["1-2", "2-2"],
        "extra_pips": 7,
        "most": "tiles",
        "proven": True,
        "bound": 2,
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["12"], "no tiles are given; write them behind the end"),
        (["12-5", "5-7"], "'12-5' is not an end of a tile"),
        (["12", "12_5"], "'12_5' is not a tile; write both ends"),
        (["12", "12-19"], "'19' is not an end of a tile"),
        (["12", "5-5", "5-5"], "5-5 is in the hand more often than in any set"),
        (["12", "12-13", "--set", "12"], "--set 12: there is no 12-13 in this set"),
        (["12", "3-W", "--set", "12"], "--set 12: there is no 3-W in this set; wild tiles are of --set supertrain"),
        (["12", "5-5", "5-5", "--set", "12"], "--set 12: 5-5 is in the hand 2 times"),
        (["12", "10-3", "--set", "tactic-nine"], "--set tactic-nine: there is no 3-10 in this set"),
        (["12", "5-5", "--set", "19"], "--set 19: the sets go from double-1 to double-18"),
        (["12", "5-5", "--set", "nobody"], "no rulebook is called 'nobody'"),
        (["12", "--file", "none.txt"], "none.txt: No such file or directory"),
        (["12", "--file", "noise"], "noise is not a text file (UTF-8)"),
        (["12", "--file", "bad.txt"], "bad.txt, line 2: '5' is not a tile"),
        (["12", "5-5", "--seconds", "soon"], "invalid float value: 'soon'"),
    ],
)
def test_mistakes(run: Run, home: Path, words: list[str], message: str) -> None:
    (home / "noise").write_bytes(b"\xff noise")
    (home / "bad.txt").write_text("5-5\n5-7 5\n", "utf-8")
    code, out, err = run("train", *words)
    assert (code, out) == (2, "")
    assert err.startswith("stationmaster: ")
    assert message in err
    assert "Traceback" not in err
