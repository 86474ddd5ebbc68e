"""``stationmaster settle``: a spot in a file, what is legal, why not, and what others would say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.commands import Ran
from stationmaster.cli.spot import FORMAT, Spot

Run = Callable[..., Ran]

OPEN_DOUBLE = """
rulebook = "tactic"
names = ["Ann", "Ben", "Cleo"]
engine = "12-12"
turn = 0
hands = [["5-7", "7-7", "3-4", "1-12"], [], []]
markers = [1]
bone_pile = 20
move = "5-7@0"

[trains]
0 = ["12-5"]
1 = ["12-7"]
M = ["12-3", "3-3"]
"""


@pytest.fixture
def settle(run: Run, home: Path) -> Callable[..., Ran]:
    """Settle the spot that is written so."""

    def settle(text: str, *args: str) -> Ran:
        (home / "spot.toml").write_text(text, "utf-8")
        return run("settle", "spot.toml", *args)

    return settle


def plain(ran: Ran) -> str:
    """What was printed, in one line."""
    assert (ran.code, ran.err) == (0, "")
    return " ".join(ran.out.split())


def test_an_argument_is_settled(settle: Callable[..., Ran]) -> None:
    out = plain(settle(OPEN_DOUBLE))
    assert out.startswith("By the rules of Tactic. The engine is 12-12. There are 20 tiles in the bone pile.")
    assert "The Mexican Train: 2 tiles, shows 3. Open double." in out
    assert "Ann's train: 1 tile, shows 5. Ann holds 4 tiles." in out
    assert "Ben's train: 1 tile, shows 7. Marker. Cleo's train: not begun, begins with 12." in out
    assert "It is Ann's turn. Ann holds 4 tiles: 1-12, 3-4, 5-7, 7-7. Of these, 3-4 fits." in out
    assert "One move is legal: 3-4@M 3-4 on the Mexican Train, showing 4" in out
    assert "5-7@0 is not legal: 5-7 on Ann's train, showing 7." in out
    assert "The double 3 on the Mexican Train is open. Until someone covers it, nothing else may be played." in out
    assert "tactic.27: A double left uncovered" in out
    assert "Legal under front-porch." in out
    assert "Nor under puremco-12, puremco-15, puremco-18, supertrain, quarter-pot and pressman: The double 3" in out
    assert "(puremco.12, quarter-pot.24, pressman.22)" in out


def test_a_legal_move_is_compared_with_the_other_rulebooks(settle: Callable[..., Ran]) -> None:
    spot = 'engine = "12-12"\nhands = [["5-12"], []]\nfirst_turns = [0, 1]\nmove = "12-5@M"\n'
    out = plain(settle(spot))
    assert "12-5@M is legal: 5-12 on the Mexican Train, showing 5." in out
    assert "Also legal under puremco-12, puremco-15, puremco-18, supertrain and quarter-pot." in out
    assert "Not under front-porch and pressman: Your first turn is for your own train." in out
    assert "(front-porch." in out


def test_without_a_question_the_legal_moves_are_compared(settle: Callable[..., Ran]) -> None:
    out = plain(settle(OPEN_DOUBLE.replace('move = "5-7@0"', "")))
    assert "The same moves are legal under puremco-12" in out
    assert "Under front-porch these are legal too: 5-7@0, 7-5@1, 7-7@1." in out


def test_moves_may_be_asked_about_on_the_command_line(settle: Callable[..., Ran]) -> None:
    out = plain(settle(OPEN_DOUBLE, "--move", "draw", "--move", "3-4@M", "--move", "5-7@0"))
    assert "draw is not legal" in out
    assert "3-4@M is legal" in out
    assert out.count("5-7@0 is not legal") == 1


def test_the_answer_as_json(settle: Callable[..., Ran]) -> None:
    answer = json.loads(settle(OPEN_DOUBLE, "--move", "3-4@M", "--json").out)
    assert answer["turn"] == 0
    assert answer["legal_moves"] == ["3-4@M"]
    first, second = answer["asked"]
    assert (first["move"], first["legal"], first["code"], first["clause"]) == (
        "5-7@0",
        False,
        "open-double",
        "tactic.27",
    )
    assert first["others"]["front-porch"] == {"legal": True}
    assert first["others"]["pressman"]["clause"] == "pressman.22"
    assert "puremco-9" not in first["others"]
    assert second["legal"]
    assert answer["others"]["front-porch"] == ["3-4@M", "5-7@0", "7-5@1", "7-7@1"]


def test_in_spanish(settle: Callable[..., Ran]) -> None:
    out = plain(settle(OPEN_DOUBLE, "--language", "es"))
    assert "Según las reglas de Tactic." in out
    assert "5-7@0 no es legal" in out
    assert "Es legal según front-porch." in out


def test_the_example_of_the_help_can_be_settled(settle: Callable[..., Ran]) -> None:
    spot = "\n".join(line for line in FORMAT.splitlines() if line.startswith("  "))
    assert all(f"  {field} = " in spot for field in Spot.__struct_fields__ if field not in ("trains", "move"))
    out = plain(settle(spot))
    assert "It is Ann's turn." in out
    assert "5-7@0 is not legal" in out


def test_a_spot_may_be_played_by_a_house_rule(settle: Callable[..., Ran], home: Path) -> None:
    (home / "free.toml").write_text('based_on = "tactic"\n[changes]\nopen_doubles_bind = false\n')
    out = plain(settle(OPEN_DOUBLE.replace('"tactic"', '"free.toml"')))
    assert "5-7@0 is legal" in out
    assert "Not under puremco-12" in out


def test_only_wild_tiles_can_ask_for_a_draw_first(settle: Callable[..., Ran]) -> None:
    spot = (
        'rulebook = "supertrain"\nengine = "12-12"\nmust_draw = true\nhands = [["1-2"]]\nbone_pile = 5\nmove = "pass"'
    )
    answer = json.loads(settle(spot, "--json").out)
    assert answer["legal_moves"] == ["draw"]
    assert answer["asked"][0]["code"] == "must-draw"
    assert answer["others"] == {}


def test_hands_may_be_given_for_some_seats_only(settle: Callable[..., Ran]) -> None:
    out = plain(settle('engine = "12-12"\nturn = 1\nplayers = 3\nhands = { 1 = ["1-12"] }'))
    assert "It is Player 2's turn. Player 2 holds 1 tile: 1-12. It fits." in out
    assert "Player 3 holds" not in out


WRONG = {
    "hands = [[]]": "engine is missing",
    'engine = "12-12"': "hands is missing",
    'engine = "12-12"\nhands = [["1-2"]]\ntrun = 1': "trun is not a part of a spot: did you mean turn?",
    'engine = "12-12"\nhands = [["1-2"]]\nxyz = 1': "xyz is not a part of a spot: a spot has engine, hands,",
    'engine = "12-12"\nhands = [["1-2"]]\nturn = "0"': "turn: expected a whole number, got a text",
    'engine = "12-12"\nhands = { x = ["1-2"] }': "hands: expected a whole number, got a text",
    'engine = "12-12"\nhands = [["1-13"]]': "1-13 is not a tile of a double-12 set",
    'engine = "12-12"\nhands = [["1-2", "2-1"]]': "1-2 is there once too often",
    'engine = "12-12"\nhands = [["1-2"]]\nmove = "1"': "'1' is not a move",
    'engine = "12-12"\nhands = [["1-2"]]\nrulebook = "tacti"': "did you mean 'tactic'?",
    'engine = "12-12"\nhands = [["1-2"]]\nrulebook = "no.toml"': "no.toml: No such file",
    'engine = "12-12"\nhands = [["1-2"]]\nfirst_turns = [-1]': "first_turns: -1 is not a seat",
    'engine = "12-12"\nhands = [["1-2"]]\nbone_pile = 99': "bone_pile = 99",
    'engine = "12-12"\nhands = [["1-2"]]\ntrains = { 0 = ["1-3"] }': "1-3 does not join 12",
    'engine = "12-12"\nhands = [["1-2"]]\nnames = ["Ann", "Ben"]\nplayers = 1': "names: 2 names for 1 players",
    'engine = "12-12"\nhands = [["1-2"]]\nnames = ["\\u001b[2J"]': "is not a name",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_spot_is_said(settle: Callable[..., Ran], text: str) -> None:
    code, out, err = settle(text)
    assert (code, out) == (2, "")
    assert err.startswith("stationmaster: ")
    assert WRONG[text] in err
