"""``stationmaster settle``: a spot in a file, what is legal, why not, and what others would say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
from cli.commands import Ran
from stationmaster.cli.spot import FORMAT, Spot
from stationmaster.words import catalogue

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
    assert (
        "For the same reason not under puremco-12, puremco-15, puremco-18, supertrain, quarter-pot and pressman "
        "(puremco.12, quarter-pot.24, pressman.22)."
    ) in out
    assert out.endswith("Not compared: puremco-9 and tactic-nine, whose sets have no 12-12.")


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


THE_OTHER_WAY_ROUND = """
rulebook = "puremco-9"
engine = "9-9"
hands = [["1-2"], []]
bone_pile = []
[trains]
M = ["9-2"]
1 = ["9-0", "0-0"]
"""


def test_a_tile_written_the_other_way_round_is_turned(settle: Callable[..., Ran]) -> None:
    written, turned = (plain(settle(THE_OTHER_WAY_ROUND, "--move", move)) for move in ("1-2@M", "2-1@M"))
    read_as = "1-2@M is read as 2-1@M: only that way round does the tile join. "
    assert written.replace(read_as, "") == turned
    assert read_as in written
    assert "2-1@M is not legal: 1-2 on the Mexican Train, showing 1. The double 0" in turned
    assert "Legal under front-porch." in turned
    (asked,) = json.loads(settle(THE_OTHER_WAY_ROUND, "--move", "1-2@M", "--move", "2-1@M", "--json").out)["asked"]
    assert (asked["move"], asked["written"], asked["others"]["front-porch"]) == ("2-1@M", "1-2@M", {"legal": True})


def test_a_tile_that_joins_neither_way_is_left_as_it_is_written(settle: Callable[..., Ran]) -> None:
    out = plain(settle(THE_OTHER_WAY_ROUND, "--move", "3-1@M", "--move", "3-1@9", "--move", "9-W@0"))
    assert "read as" not in out
    assert "3-1@M is not legal" in out
    assert "3-1@9 is not legal" in out


def test_without_a_bone_pile_there_is_something_to_draw(settle: Callable[..., Ran]) -> None:
    out = plain(settle('engine = "12-12"\nhands = [["1-2"]]'))
    assert "bone_pile is not given: all 89 tiles that are not seen are taken to lie there, so there is" in out
    assert "One move is legal: draw draw a tile" in out
    assert "is not given" not in plain(settle('engine = "12-12"\nhands = [["1-2"]]\nbone_pile = 0'))


def test_words_that_are_moves_are_not_said_twice(settle: Callable[..., Ran]) -> None:
    ran = settle('engine = "12-12"\nhands = [["1-2"]]\nbone_pile = 0\nmoves = ["pass", "draw"]')
    assert "\n  pass\n" in ran.out
    assert "\npass is legal.\n" in ran.out
    assert "\ndraw is not legal.\n" in ran.out


def test_players_are_called_by_their_names(settle: Callable[..., Ran]) -> None:
    by_seat = OPEN_DOUBLE.replace('"Ben"', '"Ben the Elder"')
    by_name = (
        by_seat.replace("turn = 0", 'turn = "ann"')
        .replace("markers = [1]", 'markers = ["ben the  elder"]')
        .replace('hands = [["5-7", "7-7", "3-4", "1-12"], [], []]', 'hands = { ANN = ["5-7", "7-7", "3-4", "1-12"] }')
        .replace('move = "5-7@0"', 'moves = ["5-7@Ann", "7-5@Ben the Elder"]\nfirst_turns = []')
        .replace('0 = ["12-5"]\n1 = ', 'Ann = ["12-5"]\n"Ben the Elder" = ')
        .replace("M = [", "m = [")
    )
    assert settle(by_name).out == settle(by_seat, "--move", "7-5@ben the elder").out
    assert plain(settle(by_name.replace("first_turns = []", 'first_turns = ["Cleo"]'))) == plain(settle(by_name))


def test_rulebooks_that_are_not_compared_say_why(settle: Callable[..., Ran]) -> None:
    def left_out(spot: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(settle(spot, "--json").out)["not_compared"]
        return found

    spot = 'rulebook = "supertrain"\nengine = "1-1"\nhands = [["1-2"]]\nbone_pile = 5\n'
    assert left_out(spot) == {}
    assert left_out(spot + "must_draw = true")["tactic"] == {"why": "wild"}
    assert left_out(spot + "players = 9")["tactic"] == {"why": "players"}
    assert left_out(spot.replace("1-2", "1-W"))["tactic"] == {"why": "tile", "tile": "1-W"}
    assert left_out(spot.replace("= 5", "= 60")) == {"puremco-9": {"why": "small"}, "tactic-nine": {"why": "small"}}
    out = plain(settle(spot.replace("= 5", "= 60")))
    assert out.endswith("Not compared: puremco-9 and tactic-nine, whose sets have too few tiles for this.")


def test_bytes_that_are_no_text(settle: Callable[..., Ran], run: Run, home: Path) -> None:
    (home / "spot.toml").write_bytes(b'engine = "\xff"')
    assert run("settle", "spot.toml").err == (
        "stationmaster: spot.toml is not a text file (UTF-8), so it is not a TOML file\n"
    )


HALF_A_TURN = """
names = ["Ann", "Ben"]
engine = "12-12"
hands = [["7-7", "7-9", "1-12", "5-5"], []]
bone_pile = 20
trains = { 0 = ["12-7"], 1 = ["12-5"] }
markers = [1]
played = ["7-7@ann"]
"""


def test_a_turn_may_be_half_played(settle: Callable[..., Ran]) -> None:
    """Arguments are about doubles, and those arise in the middle of a turn."""
    out = plain(settle(HALF_A_TURN, "--move", "5-5@Ben"))
    assert "Ann's train: 2 tiles, shows 7." in out
    assert "Played from there on: 7-7@0." in out
    assert "It is Ann's turn. Ann holds 3 tiles: 1-12, 5-5, 7-9. Of these, 1-12 and 7-9 fit." in out
    assert "2 moves are legal: 12-1@M 1-12 on the Mexican Train, showing 1 7-9@0" in out
    assert "5-5@1 is not legal" in out
    assert "tactic.24: " in out
    assert "Legal under puremco-12, puremco-15, puremco-18, supertrain and front-porch." in out
    answer = json.loads(settle(HALF_A_TURN, "--json").out)
    assert answer["others"]["pressman"] == answer["others"]["quarter-pot"] == ["7-9@0"]


def test_sheets_by_which_play_would_have_gone_another_way_are_not_compared(settle: Callable[..., Ran]) -> None:
    """5-7 beside an open double is no move in Tactic; a double that nothing can cover ends a turn in Pressman only."""
    beside = OPEN_DOUBLE.replace('"tactic"', '"front-porch"').replace('move = "5-7@0"', 'played = ["5-7@0"]')
    out = plain(settle(beside))
    assert "It is Ben's turn." in out
    assert "pressman and tactic, by whose rules play would have gone another way." in out
    assert json.loads(settle(beside, "--json").out)["not_compared"]["tactic"] == {"why": "played"}
    dead = """
engine = "12-12"
hands = [["7-7", "1-12"], ["1-2"]]
played = ["7-7@0"]
[trains]
0 = ["12-7", "7-0", "0-1", "1-7", "7-2", "2-3", "3-7", "7-4", "4-5", "5-7", "7-6", "6-8", "8-7", "7-9", "9-10", "10-7"]
1 = ["12-11", "11-7"]
"""
    answer = json.loads(settle(dead, "--json").out)
    assert answer["legal_moves"] == answer["others"]["puremco-12"] == ["12-1@M"]
    assert answer["others"]["quarter-pot"] == ["draw"], "a double-15 has more sevens"
    assert answer["not_compared"]["pressman"] == {"why": "played"}


def test_on_a_bare_table_everybody_has_a_first_turn_to_come(settle: Callable[..., Ran]) -> None:
    bare = 'rulebook = "front-porch"\nengine = "12-12"\nhands = [["1-12"], ["2-3"]]\n'
    assert json.loads(settle(bare, "--json").out)["legal_moves"] == ["12-1@0"]
    later = bare + "first_turns = []\n"
    assert json.loads(settle(later, "--json").out)["legal_moves"] == ["12-1@0", "12-1@M"]
    begun = bare + 'trains = { 1 = ["12-5"] }\n'
    assert json.loads(settle(begun, "--json").out)["legal_moves"] == ["12-1@0", "12-1@M"]


WRONG = {
    "hands = [[]]": "engine is missing",
    'engine = "12-12"': "hands is missing",
    'engine = "12-12"\nhands = [["1-2"]]\ntrun = 1': "trun is not a part of a spot: did you mean turn?",
    'engine = "12-12"\nhands = [["1-2"]]\nxyz = 1': "xyz is not a part of a spot: a spot has engine, hands,",
    'engine = "12-12"\nhands = [["1-2"]]\nplayers = "2"': "players: expected a whole number or nothing, got a text",
    'engine = "12-12"\nhands = "5-7"': "hands: expected a table or a list, got a text",
    'engine = "12-12"\nhands = [["1-2"]]\nturn = "Ann"': "turn: nobody here is called 'Ann'; seats count from 0; to",
    'engine = "12-12"\nhands = [["1-2"]]\nnames = ["Ann"]\nmove = "12-1@Ben"': "the train: nobody here is called 'Ben'",
    'engine = "12-12"\nhands = [["1-2"]]\nnames = ["Ann"]\nmarkers = ["Ben"]': "and the players are Ann",
    'engine = "12-12"\nhands = [[]]\nnames = ["Ann", "ann"]\nmarkers = ["ANN"]': "markers: 2 players are called 'ANN'",
    'engine = "12-12"\nhands = { 0 = [], Ann = [] }\nnames = ["Ann"]': "hands: 'Ann' is named twice",
    'engine = "12-12"\nhands = [["1-2"]]\nnames = ["Ann", "Ann"]': "names: two players are called 'Ann'",
    'engine = "12-12"\nhands = [["1-2"]]\ntrains = { X = ["12-3"] }': "a train is named by its seat, 0 to 13, or M,",
    'engine = "12-12"\nhands = { x = ["1-2"] }': "hands: nobody here is called 'x'; seats count from 0",
    'engine = "12-12"\nhands = [["1-12"]]\ntrains = { 0 = ["12-1"] }': "in the hand of seat 0 and again on the train",
    'engine = "12-12"\nhands = [["1-12"]]\ntrains = { M = ["12-1"] }': "and again on the Mexican Train",
    'engine = "12-12"\nhands = [["12-12"]]': "12-12 is there once too often: as the engine and again in the hand",
    'engine = "12-12"\nhands = [["1-2"]]\nbone_pile = ["1-2"]': "and again in the bone pile",
    'engine = "12-12"\nhands = [["1-2"]]\nbone_pile = -1': "bone_pile = -1: from 0 to 89 tiles can lie there",
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
    'engine = "12-12"\nhands = [["1-2"]]\nplayed = ["1-2"]': "'1-2' is not a move",
    'engine = "12-12"\nhands = [["1-2"]]\nplayed = ["pass"]': "played: pass is not legal: ",
    'engine = "12-12"\nhands = [["1-12", "3-4"]]\nplayed = ["1-12@0", "3-4@0"]': "played: 3-4@0 is not legal: ",
    'engine = "12-12"\nhands = [["1-2"]]\nplayed = "pass"': "played: expected a list, got a text",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_with_a_spot_is_said(settle: Callable[..., Ran], text: str) -> None:
    code, out, err = settle(text)
    assert (code, out) == (2, "")
    assert err.startswith("stationmaster: ")
    assert WRONG[text] in err


def test_no_sentence_of_these_commands_is_left_over() -> None:
    source = "\n".join(path.read_text("utf-8") for path in Path(sm.__file__).parent.joinpath("cli").glob("*.py"))
    mine = [
        key
        for key in catalogue("en")
        if key.startswith("cli.") and not key.startswith(("cli.bench.", "cli.db.", "cli.verify."))
    ]
    chosen = {
        *(f"cli.settle.{what}" for what in ("same", "more", "less", "both")),
        *(f"cli.settle.not-compared-{why}" for why in ("tile", "small", "players", "wild", "played")),
    }
    assert {key for key in mine if f'"{key}"' not in source and f'"@{key}"' not in source} == chosen
