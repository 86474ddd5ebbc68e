"""A hand lined up: the planned train from the own train's end, and the extras with the places for them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import stationmaster as sm
from planner import naive
from stationmaster.engine.tiles import end_text


def spot(**more: object) -> sm.Round:
    """Ann's train shows 5, Ben's is marked and shows 9."""
    given: dict[str, object] = {
        "engine": "12-12",
        "trains": {0: ["12-5"], 1: ["12-9"]},
        "markers": [1],
        "hands": [["5-7", "7-7", "7-2", "9-3", "12-4", "1-8"], ["0-1"]],
        "bone_pile": 20,
        "turn": 0,
    }
    return sm.Position(sm.rulebook("puremco-12"), **(given | more)).round()


def test_a_hand_is_lined_up_from_its_own_trains_end() -> None:
    lined = sm.line_up(spot().observe(0))
    assert lined.end == 5
    assert [str(tile) for tile in lined.train.tiles] == ["5-7", "7-7", "2-7"]
    assert lined.train.proven
    assert [(str(extra.tile), [str(move) for move in extra.moves]) for extra in lined.extras] == [
        ("1-8", []),
        ("3-9", ["9-3@1"]),
        ("4-12", ["12-4@M"]),
    ]


def test_a_train_not_begun_begins_with_the_engine() -> None:
    lined = sm.line_up(spot(trains={}, markers=[]).observe(0))
    assert lined.end == 12
    assert [str(tile) for tile in lined.train.tiles] == ["4-12"]


def test_the_plan_can_be_asked_for_pips_or_a_covered_end() -> None:
    seen = spot(hands=[["5-7", "7-7", "5-11"], ["0-1"]]).observe(0)
    assert [str(tile) for tile in sm.line_up(seen).train.tiles] == ["5-7", "7-7"]
    assert [str(tile) for tile in sm.line_up(seen, covered=True).train.tiles] == ["5-11"]
    seen = spot(hands=[["5-1", "1-0", "5-11"], ["0-2"]]).observe(0)
    assert [str(tile) for tile in sm.line_up(seen).train.tiles] == ["1-5", "0-1"]
    assert [str(tile) for tile in sm.line_up(seen, most="pips").train.tiles] == ["5-11"]


def test_on_another_seats_turn_there_are_no_places_yet() -> None:
    lined = sm.line_up(spot(turn=1).observe(0))
    assert [str(tile) for tile in lined.train.tiles] == ["5-7", "7-7", "2-7"]
    assert [extra.moves for extra in lined.extras] == [(), (), ()]


def test_a_spectator_has_no_hand() -> None:
    with pytest.raises(sm.DealError, match="a spectator has no hand"):
        sm.line_up(spot().observe(None))


@pytest.mark.parametrize("id", sm.rulebooks())
def test_in_any_round(id: str) -> None:
    """Every seat, all the way through a round: the plan is a train by the rules, and all other tiles are extras."""
    book = sm.rulebook(id)
    rng = Random(id)
    round = sm.Round(book, sm.Deal.shuffle(book, 4, rng.randint(1, book.rounds), seed=id))
    while round.turn is not None:
        for seat in range(4):
            seen = round.observe(seat)
            lined = sm.line_up(seen)
            line = seen.trains[seat]
            end: naive.End = lined.end if lined.end < 19 else "W"
            assert end == naive.ends(str(line[-1].tile if line else seen.engine))[0] or line
            begun = bool(line) and not line[-1].tile.is_double  # type: ignore[union-attr]
            shown = [end_text(show) for show in lined.train.ends]
            laid = [
                (str(tile), int(show) if show.isdecimal() else "W")
                for tile, show in zip(lined.train.tiles, shown, strict=True)
            ]
            assert naive.faults([str(tile) for tile in seen.hand], end, laid, begun) is None
            assert Counter(lined.train.tiles) + Counter(extra.tile for extra in lined.extras) == Counter(seen.hand)
            for extra in lined.extras:
                assert (
                    extra.moves
                    == tuple(move for move in round.legal_moves() if move.tile == extra.tile)[
                        : None if seat == round.turn else 0
                    ]
                )
            if seat == round.turn:
                follow_the_plan(round, lined, seat)
        round.push(rng.choice(round.legal_moves()))


def follow_the_plan(round: sm.Round, lined: sm.LineUp, seat: int) -> None:
    """Where the own train is open to any of its tiles, the plan's first tile may be played on it."""
    own = [move for move in round.legal_moves() if move.train == seat]
    if round.observe(seat).drawn is None and not round.open_doubles and own and round.phase == "play":
        assert lined.train.tiles
        assert lined.train.tiles[0] in {move.tile for move in own}
