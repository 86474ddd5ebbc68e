"""Tiles and moves: their notation there and back, their order, and what is not one."""

from __future__ import annotations

import copy
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
import stationmaster as sm
from stationmaster.engine.tiles import Tile, W, end_text, parse_end, tile_set
from stationmaster.errors import NotationError

NUMBERS = [str(number) for number in range(19)]
ALL = tile_set(18, True)
PLACEMENTS = [
    f"{attached}-{exposed}@{train}"
    for tile in dict.fromkeys(map(str, ALL))
    for attached, exposed in oracle.ways(tile)
    for train in [*range(14), "M"]
]


def test_the_sets_are_those_of_the_oracle() -> None:
    for highest in range(1, 19):
        for wild in (False, True):
            tiles = [str(tile) for tile in tile_set(highest, wild)]
            assert tiles == list(oracle._whole_set(highest, wild))


@pytest.mark.parametrize("text", dict.fromkeys(map(str, ALL)))
def test_a_tile_is_written_and_read(text: str) -> None:
    tile = Tile.parse(text)
    low, high = text.split("-")
    assert str(tile) == text
    assert Tile.parse(f" {high}-{low} ".lower()) is tile
    assert Tile.of(text) is tile
    assert Tile.of(tile) is tile
    assert Tile.from_code(tile.code) is tile
    assert (end_text(tile.low), end_text(tile.high)) == (low, high)
    assert tile.is_double == (low == high)
    assert tile.is_wild == (high == "W")
    assert repr(tile) == f"Tile('{text}')"


def test_tiles_sort_as_they_are_written_down() -> None:
    shuffled = list(ALL)
    random.Random(1).shuffle(shuffled)
    assert sorted(shuffled) == list(ALL)
    assert [str(tile) for tile in ALL] == sorted(map(str, ALL), key=oracle.rank)


def test_the_three_a_tiles_are_one() -> None:
    tiles = [tile for tile in ALL if str(tile) == "A-W"]
    assert len(tiles) == 3
    assert len(set(tiles)) == 1


def test_a_tile_stays_itself_when_it_is_copied_or_packed() -> None:
    tile, move = Tile.parse("5-12"), sm.Move.parse("12-5@M")
    assert copy.deepcopy(tile) is tile
    assert pickle.loads(pickle.dumps(tile)) is tile
    assert copy.deepcopy(move) is move
    assert pickle.loads(pickle.dumps(move)) is move


@pytest.mark.parametrize(
    ("tile", "book", "points"),
    [
        ("0-0", "tactic", 0),
        ("5-12", "tactic", 17),
        ("3-W", "supertrain", 13),
        ("W-W", "supertrain", 20),
        ("A-W", "supertrain", 20),
    ],
)
def test_points(tile: str, book: str, points: int) -> None:
    assert Tile.parse(tile).points(sm.rulebook(book)) == points


def test_a_double_blank_counts_what_the_house_says() -> None:
    assert Tile.parse("0-0").points(sm.rulebook("tactic").with_changes(double_blank=50)) == 50


@pytest.mark.parametrize(
    "text",
    ["", "5", "5-", "-5", "5-19", "19-19", "A-A", "3-A", "A-D", "5--6", "5-6-7", "x-y", "W", "５-6", "05-6", "+5-6"],
)
def test_what_is_not_a_tile_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Tile.parse(text)


def test_an_end_is_written_and_read() -> None:
    for text in [*NUMBERS, *oracle.LETTERS, "W"]:
        assert end_text(parse_end(text)) == text
    assert [end_text(end) for end in sorted(map(parse_end, oracle.END_ORDER))] == list(oracle.END_ORDER)
    assert parse_end("W") == W


# ---- Moves ------------------------------------------------------------------------------------------


def test_a_move_is_written_and_read() -> None:
    for text in [*PLACEMENTS, "draw", "pass", "stop"]:
        move = sm.Move.parse(text)
        assert str(move) == text
        assert sm.Move.parse(f" {text.upper()}\n") is move
        assert sm.Move.from_code(move.code) is move
        assert sm.Move.of(move) is move
        assert sm.Move(text) is move
        assert repr(move) == f"Move('{text}')"


def test_a_placement_says_what_it_is() -> None:
    move = sm.Move.parse("12-5@0")
    assert (move.kind, move.tile, move.train) == ("place", Tile.parse("5-12"), 0)
    assert (move.attached, move.exposed) == (12, 5)
    mexican = sm.Move.parse("W-3@M")
    assert (str(mexican.tile), mexican.train, mexican.attached) == ("3-W", "M", W)
    draw = sm.Move.parse("draw")
    assert (draw.kind, draw.tile, draw.train, draw.attached, draw.exposed) == ("draw", None, None, None, None)


def test_a_letter_is_written_with_w_attached() -> None:
    assert str(sm.Move.parse("A-W@1")) == "W-A@1"
    assert sm.Move.parse("T-W@M") is sm.Move.parse("W-T@M")


def test_moves_sort_by_tile_train_and_attached_end() -> None:
    """In the order of the oracle, which sorts by the referee's book."""

    def order(text: str) -> tuple[object, ...]:
        attached, exposed = text.partition("@")[0].split("-")
        train = text.partition("@")[2]
        ends = sorted((oracle.END_ORDER[attached], oracle.END_ORDER[exposed]))
        return ends, 14 if train == "M" else int(train), oracle.END_ORDER[attached]

    texts = list(PLACEMENTS)
    random.Random(1).shuffle(texts)
    moves = sorted(map(sm.Move.parse, [*texts, "pass", "draw", "stop"]))
    assert [str(move) for move in moves] == [*sorted(PLACEMENTS, key=order), "stop", "draw", "pass"]


@pytest.mark.parametrize(
    "text",
    [
        "", "12-5", "12-5@", "@0", "12-5@14", "12-5@-1", "12-5@m0", "19-5@0", "A-A@0", "3-A@0", "draw it", "12 5@0",
        "12-5@0@0", "٣-5@0", "12-5@٣", "W-W@15",
    ],
)  # fmt: skip
def test_what_is_not_a_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        sm.Move.parse(text)


@given(st.text(alphabet="0123456789ADRSTWMadrwm-@ drawpstoi\n", max_size=12) | st.text(max_size=8))
def test_any_text_is_a_move_or_a_notation_error(text: str) -> None:
    for parse in (sm.Move.parse, Tile.parse):
        try:
            thing = parse(text)
        except NotationError:
            continue
        assert parse(str(thing)) is thing


@pytest.mark.parametrize("nothing", [None, 5, b"draw", ["draw"]])
def test_what_is_no_text_is_no_move_and_no_tile(nothing: object) -> None:
    with pytest.raises((NotationError, TypeError)):
        sm.Move.parse(nothing)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="is not a tile: a text such as"):
        sm.Tile.parse(nothing)  # type: ignore[arg-type]


@pytest.mark.parametrize("train", [4, 14, 99, -1, "Q", "0"])
def test_only_trains_that_are_there_show_an_end(train: object) -> None:
    round = sm.Round(sm.rulebook("tactic"), sm.Deal.shuffle(sm.rulebook("tactic"), 4, seed=1))
    assert [round.end_of(there) for there in (0, 3, "M")] == ["12"] * 3
    with pytest.raises(NotationError, match=f"there is no train {train!r} here"):
        round.end_of(train)  # type: ignore[arg-type]
