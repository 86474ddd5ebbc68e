"""The ten printed rulebooks say what the referee's table says, and house rules are checked and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.rulebook import (
    HOUSE,
    PARAMETERS,
    REVISION,
    RULEBOOKS,
    load_house_rules,
    rulebook,
    rulebook_for_record,
    rulebook_from_record,
    rulebooks,
    save_house_rules,
)

if TYPE_CHECKING:
    from pathlib import Path

# Transcribed by hand from the referee's tables: set, tiles, hands, first and last engine, rounds.
TABLE: dict[str, tuple[int, int, dict[int, int], str, str, int]] = {
    "puremco-9": (9, 55, {2: 15, 3: 13, 4: 10}, "9-9", "0-0", 10),
    "puremco-12": (12, 91, {2: 16, 3: 16, 4: 15, 5: 14, 6: 12, 7: 10, 8: 9}, "12-12", "0-0", 13),
    "puremco-15": (
        15,
        136,
        {2: 15, 3: 15, 4: 15, 5: 15, 6: 15, 7: 13, 8: 13, 9: 11, 10: 11, 11: 11, 12: 11},
        "15-15",
        "0-0",
        16,
    ),
    "puremco-18": (
        18,
        190,
        {2: 15, 3: 15, 4: 15, 5: 15, 6: 15, 7: 13, 8: 13, 9: 11, 10: 11, 11: 11, 12: 11, 13: 11, 14: 11},
        "18-18",
        "0-0",
        19,
    ),
    "supertrain": (12, 112, {2: 25, 3: 23, 4: 18, 5: 16, 6: 14, 7: 12, 8: 11}, "12-12", "W-W", 14),
    "quarter-pot": (15, 136, {2: 20, 3: 20, 4: 20, 5: 17, 6: 15, 7: 13, 8: 12}, "15-15", "0-0", 16),
    "front-porch": (12, 91, {2: 16, 3: 15, 4: 14, 5: 12, 6: 11, 7: 10, 8: 9}, "12-12", "1-1", 12),
    "pressman": (12, 91, {1: 15, 2: 15, 3: 15, 4: 15, 5: 11, 6: 11, 7: 8, 8: 8}, "12-12", "0-0", 13),
    "tactic": (12, 91, {2: 16, 3: 16, 4: 15, 5: 14, 6: 12, 7: 10, 8: 9}, "12-12", "0-0", 13),
    "tactic-nine": (9, 55, {2: 15, 3: 13, 4: 10}, "9-9", "0-0", 10),
}

# What a turn is like, for those that differ from the commonest answer.
COMMON: dict[str, Any] = {
    "wild_tiles": False,
    "engine": "descending",
    "starter": "random",
    "first_starter": 0,
    "open_hands": False,
    "first_turn": "any-train",
    "first_turn_out": "ends-round",
    "own_train_first": False,
    "follow_up": "anywhere",
    "follow_up_draw": True,
    "second_double": "third-tile",
    "open_doubles_bind": True,
    "double_blank": 0,
    "wild_points": 0,
    "ante": 0,
    "pass_fee": 0,
    "objective": "lowest-points",
    "tie_break": "shared",
}
PUREMCO: dict[str, Any] = {}
TACTIC = {"starter": "seat", "second_double": "last-tile"}
OTHERWISE: dict[str, dict[str, Any]] = {
    "puremco-9": PUREMCO,
    "puremco-12": PUREMCO,
    "puremco-15": PUREMCO,
    "puremco-18": PUREMCO,
    "supertrain": {"wild_tiles": True, "wild_points": 10},
    "quarter-pot": {
        "follow_up": "on-double",
        "second_double": "last-tile",
        "ante": 25,
        "pass_fee": 5,
        "objective": "most-money",
    },
    "front-porch": {
        "starter": "turned-tile",
        "first_turn": "own-string",
        "first_turn_out": "others-finish",
        "follow_up_draw": False,
        "second_double": "free",
        "open_doubles_bind": False,
    },
    "pressman": {
        "engine": "highest-held",
        "starter": "engine-holder",
        "first_turn": "own-tile",
        "own_train_first": True,
        "follow_up": "on-double",
        "second_double": "never",
    },
    "tactic": TACTIC,
    "tactic-nine": TACTIC,
}


def test_there_are_ten_rulebooks() -> None:
    assert rulebooks() == RULEBOOKS == tuple(TABLE)
    assert len({rulebook(id).name for id in rulebooks()}) == 10


@pytest.mark.parametrize("id", TABLE)
def test_a_rulebook_has_the_tiles_hands_and_engines_of_the_table(id: str) -> None:
    book = rulebook(id)
    highest, tiles, deal, first, last, rounds = TABLE[id]
    assert (book.id, book.highest, book.tile_count, book.deal) == (id, highest, tiles, deal)
    assert book.players == tuple(deal)
    assert (book.engines[0], book.engines[-1], book.rounds) == (first, last, rounds)
    if book.engine == "descending":
        assert len(book.engines) == rounds


@pytest.mark.parametrize("id", TABLE)
def test_a_rulebook_answers_every_question_as_its_sheet_does(id: str) -> None:
    answers = rulebook(id).parameters()
    in_table = {"highest", "deal", "last_engine", "rounds"}
    assert {field: value for field, value in answers.items() if field not in in_table} == COMMON | OTHERWISE[id]
    assert tuple(answers) == PARAMETERS


def test_the_engines_come_down_one_by_one() -> None:
    assert rulebook("tactic-nine").engines == tuple(f"{n}-{n}" for n in range(9, -1, -1))
    assert rulebook("supertrain").engines[-3:] == ("1-1", "0-0", "W-W")
    assert rulebook("front-porch").engines[-1] == "1-1"


def test_wild_tiles_are_counted_with_the_set() -> None:
    assert rulebook("supertrain").wild_tile_count == 21
    assert rulebook("tactic").wild_tile_count == 0
    assert rulebook("tactic-nine").with_changes(wild_tiles=True).tile_count == 55 + 18


def test_only_the_pot_is_played_for_money() -> None:
    assert [id for id in rulebooks() if rulebook(id).uses_money] == ["quarter-pot"]


def test_an_unknown_rulebook_is_refused_with_the_nearest() -> None:
    with pytest.raises(RulebookError, match=r"no rulebook is called 'tactics': did you mean 'tactic'\?"):
        rulebook("tactics")
    with pytest.raises(RulebookError, match="there are puremco-9, puremco-12"):
        rulebook("xyz")


# ---- House rules ----------------------------------------------------------------------------------


def test_a_house_rule_is_a_rulebook_with_parameters_changed() -> None:
    book = rulebook("tactic")
    house = book.with_changes(rounds=5, open_hands=True)
    assert (house.rounds, house.open_hands, house.highest) == (5, True, 12)
    assert (house.id, house.name, house.based_on) == ("tactic-house", "Tactic, house rules", "tactic")
    assert house.changes() == {"rounds": 5, "open_hands": True}
    assert (house.clause("rounds"), house.clause("follow_up")) == (HOUSE, book.clause("follow_up"))
    assert book.rounds == 13, "the printed rulebook stays as it is"
    assert book.changes() == {}


def test_house_rules_can_be_changed_again_and_named() -> None:
    house = rulebook("tactic").with_changes(id="sundays", name="Sundays", rounds=5)
    again = house.with_changes(double_blank=25)
    assert (again.id, again.name, again.based_on) == ("sundays-house", "Sundays, house rules", "tactic")
    assert again.changes() == {"rounds": 5, "double_blank": 25}
    back = again.with_changes(rounds=13)
    assert back.changes() == {"double_blank": 25}
    assert back.clause("rounds") == "tactic.33"


def test_changing_nothing_gives_the_same_rulebook() -> None:
    book = rulebook("tactic")
    assert book.with_changes() == book
    assert book.with_changes(rounds=13, deal={str(seats): size for seats, size in book.deal.items()}) == book


def test_a_house_rule_may_not_take_a_printed_name() -> None:
    with pytest.raises(RulebookError, match="id = 'tactic' is a printed rulebook"):
        rulebook("tactic").with_changes(id="tactic", rounds=5)
    with pytest.raises(RulebookError, match="id = 'pressman' is a printed rulebook"):
        rulebook("tactic").with_changes(id="pressman")


@pytest.mark.parametrize("id", ["../ours", "a/b", "a\\b", "a\nb", ".ours", " ", "q" * 61])
def test_an_id_can_be_part_of_a_files_name(id: str) -> None:
    with pytest.raises(RulebookError, match="an id is made of letters, digits and dashes") as caught:
        rulebook("tactic").with_changes(id=id, rounds=5)
    assert caught.value.field == "id"
    assert rulebook("tactic").with_changes(id="los-domingos_2", rounds=5).id == "los-domingos_2"


@pytest.mark.parametrize("name", [" ", "Sun\nday", "\x1b[2J", "x" * 121])
def test_a_name_can_be_printed(name: str) -> None:
    with pytest.raises(RulebookError, match="a name is one line of text") as caught:
        rulebook("tactic").with_changes(name=name, rounds=5)
    assert caught.value.field == "name"


REFUSALS: list[tuple[str, dict[str, Any], str, str]] = [
    ("supertrain", {"highest": 17}, "highest", "a set has at most 190"),
    # rulebook, changes, the field that is named, what would be right
    ("tactic", {"highest": 19}, "highest", "expected a whole number, at most 18"),
    ("tactic", {"highest": 9}, "rounds", "there are 10 engines, 9-9 to 0-0; choose rounds = 10 or fewer"),
    ("tactic", {"highest": 9, "rounds": 10}, "deal", "4 players with 15 tiles need 60, and there are 54 to deal"),
    ("tactic", {"highest": "12"}, "highest", "expected a whole number, got a text"),
    ("tactic", {"wild_tiles": 1}, "wild_tiles", "expected true or false"),
    ("tactic", {"deal": {}}, "deal", "at least one number of players needs a hand size"),
    ("tactic", {"deal": {4: 23}}, "deal", "4 players with 23 tiles need 92, and there are 90 to deal; at most 22 each"),
    ("tactic", {"deal": {15: 5}}, "deal", "15 is not a number of players from 1 to 14"),
    ("tactic", {"deal": {0: 5}}, "deal", "0 is not a number of players from 1 to 14"),
    ("tactic", {"deal": {"two": 5}}, "deal", "'two' is not a number of players"),
    ("tactic", {"deal": {4: 0}}, "deal", "a deal is a hand size for each number of players, as { 4 = 15 }"),
    ("tactic", {"deal": 15}, "deal", "a deal is a hand size for each number of players"),
    ("pressman", {"deal": {7: 14}}, "deal", "need 98, and there are 91 to deal; at most 13 each"),
    ("tactic", {"engine": "ascending"}, "engine", "choose one of 'descending', 'highest-held'"),
    ("tactic", {"engine": "highest-held"}, "starter", "'engine-holder'"),
    (
        "supertrain",
        {"engine": "highest-held", "starter": "engine-holder", "last_engine": "0-0"},
        "engine",
        "descending",
    ),
    ("tactic", {"last_engine": "13-13"}, "last_engine", "the doubles of this set are 0-0 to 12-12"),
    ("tactic", {"last_engine": "W-W"}, "last_engine", "W-W needs wild_tiles = true"),
    ("tactic", {"last_engine": "5-4"}, "last_engine", "the doubles of this set are 0-0 to 12-12"),
    ("pressman", {"last_engine": "1-1"}, "last_engine", "leave it at '0-0'"),
    ("tactic", {"rounds": 14}, "rounds", "there are 13 engines, 12-12 to 0-0"),
    ("tactic", {"rounds": 0}, "rounds", "a whole number, at least 1"),
    ("front-porch", {"rounds": 13}, "rounds", "there are 12 engines, 12-12 to 1-1"),
    ("tactic", {"starter": "engine-holder"}, "starter", "'random', 'turned-tile' or 'seat'"),
    ("tactic", {"starter": "oldest"}, "starter", "choose one of 'random', 'turned-tile', 'seat', 'engine-holder'"),
    ("tactic", {"first_starter": 8}, "first_starter", "with 8 players at most 7"),
    ("pressman", {"first_starter": 1}, "first_starter", "only starter = 'seat' names a seat"),
    ("tactic", {"open_hands": "yes"}, "open_hands", "expected true or false"),
    ("tactic", {"first_turn": "string"}, "first_turn", "choose one of 'any-train', 'own-tile', 'own-string'"),
    ("tactic", {"first_turn_out": "others-finish"}, "first_turn_out", "it needs first_turn = 'own-string'"),
    ("tactic", {"own_train_first": None}, "own_train_first", "expected true or false"),
    ("tactic", {"follow_up": "nowhere"}, "follow_up", "choose one of 'anywhere', 'on-double'"),
    ("tactic", {"follow_up_draw": "no"}, "follow_up_draw", "expected true or false"),
    ("puremco-12", {"follow_up": "on-double"}, "second_double", "choose 'last-tile' or 'never'"),
    ("pressman", {"second_double": "free"}, "second_double", "or follow_up = 'anywhere'"),
    ("tactic", {"open_doubles_bind": 0}, "open_doubles_bind", "expected true or false"),
    ("tactic", {"double_blank": -1}, "double_blank", "a whole number, at least 0"),
    ("tactic", {"wild_points": 10}, "wild_points", "0 unless wild_tiles = true"),
    ("tactic", {"ante": -5}, "ante", "a whole number, at least 0"),
    ("tactic", {"pass_fee": 0.05}, "pass_fee", "expected a whole number"),
    ("tactic", {"objective": "most-money"}, "objective", "no money to win while ante and pass_fee are 0"),
    ("tactic", {"objective": "highest"}, "objective", "choose one of 'lowest-points', 'most-money'"),
    ("tactic", {"tie_break": "coin"}, "tie_break", "choose one of 'shared', 'most-zeros'"),
]


@pytest.mark.parametrize(("id", "changes", "field", "right"), REFUSALS)
def test_a_refusal_names_the_field_the_value_and_what_would_be_right(
    id: str, changes: dict[str, Any], field: str, right: str
) -> None:
    with pytest.raises(RulebookError) as refused:
        rulebook(id).with_changes(**changes)
    message = str(refused.value)
    assert message.startswith(field)
    assert right in message
    assert refused.value.field == field
    value = refused.value.value
    named = [value, *value] if isinstance(value, dict) else [value]  # of a deal, a number of players may be enough
    assert any(repr(part) in message for part in named)


def test_every_parameter_has_a_refusal_of_its_own() -> None:
    assert {field for _, _, field, _ in REFUSALS} == set(PARAMETERS)


def test_an_unknown_parameter_is_refused_with_the_nearest() -> None:
    with pytest.raises(RulebookError, match=r"'round' is not a parameter of a rulebook: did you mean 'rounds'\?"):
        rulebook("tactic").with_changes(round=5)
    with pytest.raises(RulebookError, match="the parameters are highest, wild_tiles") as refused:
        rulebook("tactic").with_changes(zzz=5)
    assert (refused.value.field, refused.value.value) == ("zzz", 5)


# ---- House rules in files -------------------------------------------------------------------------

HOUSE_RULES: list[tuple[str, dict[str, Any]]] = [
    ("tactic", {"rounds": 5, "open_hands": True, "deal": {2: 10, 9: 8}, "first_starter": 3}),
    ("supertrain", {"wild_points": 25, "last_engine": "0-0", "rounds": 13}),
    ("pressman", {"rounds": 40, "tie_break": "most-zeros"}),
    ("quarter-pot", {"ante": 100, "name": 'The "big" pot \\ ¡Ándale!'}),
    ("front-porch", {}),
]


@pytest.mark.parametrize(("id", "changes"), HOUSE_RULES)
def test_a_house_rule_comes_back_from_its_file(id: str, changes: dict[str, Any], tmp_path: Path) -> None:
    house = rulebook(id).with_changes(**changes)
    save_house_rules(house, tmp_path / "house.toml")
    assert load_house_rules(tmp_path / "house.toml") == house
    assert load_house_rules(str(tmp_path / "house.toml")) == house


def test_a_house_rule_can_be_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "sundays.toml"
    path.write_text('based_on = "tactic"\nid = "sundays"\n\n[changes]\nrounds = 5\ndeal = { 4 = 12 }\n', "utf-8")
    house = load_house_rules(path)
    assert (house.id, house.rounds, house.deal, house.based_on) == ("sundays", 5, {4: 12}, "tactic")


BAD_FILES = [
    ('based_on = "tactic"\n[changes]\nrounds = "five"\n', "rounds = 'five': expected a whole number, got a text"),
    ('based_on = "tactic"\n[changes]\nround = 5\n', "'round' is not a parameter of a rulebook: did you mean 'rounds'?"),
    ('based_on = "tactic"\n[changes]\nid = "x"\n', "'id' is not a parameter of a rulebook"),
    ('based_on = "tactic"\n[changes]\nrounds = 99\n', "rounds = 99: there are 13 engines"),
    ('based_on = "tactics"\n[changes]\nrounds = 5\n', "did you mean 'tactic'?"),
    ('based_on = "tactic"\nrounds = 5\n[changes]\n', "rounds belongs in the table [changes]"),
    ('based_on = "tactic"\ncolour = "red"\n[changes]\n', "unknown field `colour`"),
    ("based_on = 5\n[changes]\n", "based_on: expected a text, got a whole number"),
    ("[changes]\nrounds = 5\n", "required field `based_on`"),
    ('based_on = "tactic"\n', "required field `changes`"),
    ('based_on = "tactic"\nchanges = 5\n', "changes: expected a table, got a whole number"),
    ('based_on = "tactic"\n[changes\n', "is not a TOML file"),
    ('id = "pressman"\nbased_on = "tactic"\n[changes]\nrounds = 5\n', "id = 'pressman' is a printed rulebook"),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES)
def test_a_bad_file_is_refused_with_its_name_and_what_is_wrong(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulebookError) as refused:
        load_house_rules(path)
    assert str(refused.value).startswith(str(path))
    assert message in str(refused.value)


def test_a_missing_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match=r"none\.toml: No such file or directory"):
        load_house_rules(tmp_path / "none.toml")
    with pytest.raises(RulebookError, match="Is a directory"):
        load_house_rules(tmp_path)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulebookError, match="is not a TOML file"):
        load_house_rules(tmp_path / "house.toml")


# ---- Rulebooks in records -------------------------------------------------------------------------


@pytest.mark.parametrize("id", TABLE)
def test_a_printed_rulebook_comes_back_from_a_record(id: str) -> None:
    values = rulebook_for_record(rulebook(id))
    assert list(values)[:2] == ["id", "revision"]
    assert set(PARAMETERS) < set(values)
    assert rulebook_from_record(values) == rulebook(id)


@pytest.mark.parametrize(("id", "changes"), HOUSE_RULES)
def test_a_house_rule_comes_back_from_a_record(id: str, changes: dict[str, Any]) -> None:
    house = rulebook(id).with_changes(**changes)
    assert rulebook_from_record(rulebook_for_record(house)) == house
    undone = house.with_changes(**{field: getattr(rulebook(id), field) for field in house.changes()})
    assert rulebook_from_record(rulebook_for_record(undone)) == undone


def test_a_record_may_bring_a_rulebook_of_its_own() -> None:
    values = rulebook_for_record(rulebook("tactic").with_changes(rounds=5)) | {"id": "elsewhere"}
    del values["based_on"]
    book = rulebook_from_record(values)
    assert (book.id, book.rounds, book.clause("rounds")) == ("elsewhere", 5, HOUSE)
    assert rulebook_from_record(rulebook_for_record(book)) == book


BAD_RECORDS: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 5}, "rounds = 5: tactic says 13; a house rule has an id of its own"),
    ({"id": 5}, "a record's rulebook has an id and a revision"),
    ({"revision": "1"}, "a record's rulebook has an id and a revision"),
    ({"revision": REVISION + 1}, f"revision = {REVISION + 1}: this program knows the revisions 1 to {REVISION}"),
    ({"revision": 0}, "revision = 0"),
    ({"based_on": "pressman"}, "based_on = 'pressman'"),
    ({"id": "house", "based_on": "chess"}, "based_on = 'chess': a house rule"),
    ({"id": "house", "based_on": 5}, "based_on = 5: a house rule"),
    ({"id": "house", "rounds": 14}, "rounds = 14: there are 13 engines"),
    ({"roundz": 5}, "'roundz' is not a parameter of a rulebook: did you mean 'rounds'?"),
    ({"rounds": None}, "rounds = None: expected a whole number"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD_RECORDS)
def test_a_record_with_a_wrong_rulebook_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(RulebookError) as refused:
        rulebook_from_record(rulebook_for_record(rulebook("tactic")) | wrong)
    assert message in str(refused.value)


def test_a_record_has_to_give_every_parameter() -> None:
    values = rulebook_for_record(rulebook("tactic"))
    del values["deal"]
    with pytest.raises(RulebookError, match="deal is missing: every parameter has to be given"):
        rulebook_from_record(values)
