"""The second referee itself: small deals from the referee's book, and random play that always ends."""

from __future__ import annotations

import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from oracle import (
    OracleRound,
    choose_stacked,
    deal_random,
    engines,
    highest_held,
    is_double,
    match_totals,
    perft,
    tile_set,
)
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

SET_SIZES = {
    "puremco-9": 55,
    "puremco-12": 91,
    "puremco-15": 136,
    "puremco-18": 190,
    "supertrain": 112,
    "quarter-pot": 136,
    "front-porch": 91,
    "pressman": 91,
    "tactic": 91,
    "tactic-nine": 55,
}


def changed(id: str, **changes: Any) -> SimpleNamespace:
    """A printed rulebook with parameters changed, also to what a rulebook itself would refuse."""
    return SimpleNamespace(**(rulebook(id).parameters() | changes))


def table(book: Any, engine: str, hands: list[str], pile: str = "", starter: int = 0, **more: Any) -> OracleRound:
    """A round from hands written as ``"1-2 3-4"``."""
    if isinstance(book, str):
        book = rulebook(book)
    return OracleRound(book, engine, starter, [hand.split() for hand in hands], pile.split(), **more)


def play(round: OracleRound, moves: str) -> None:
    """Play moves written as ``"0 12-5@0, 1 draw"``, each by the seat named."""
    for text in moves.split(", "):
        seat, move = text.split()
        assert round.turn == int(seat), text
        round.play(move)


# ---- The set, the deal, the match


@pytest.mark.parametrize("id", rulebooks())
def test_the_set_has_its_tiles(id: str) -> None:
    tiles = tile_set(rulebook(id))
    assert len(tiles) == SET_SIZES[id]
    assert len(set(tiles)) == len(tiles) - (2 if id == "supertrain" else 0)


def test_the_points_of_the_supertrain_set_are_1460() -> None:
    round = OracleRound(rulebook("supertrain"), "0-0", 0, [tile_set(rulebook("supertrain"))], [])
    assert round.points() == [1460]


def test_tiles_stand_in_one_order() -> None:
    tiles = tile_set(rulebook("supertrain"))
    assert tiles[:2] == ["0-0", "0-1"]
    assert tiles[13:15] == ["0-W", "1-1"]
    assert tiles[-8:] == ["A-W", "A-W", "A-W", "D-W", "R-W", "S-W", "T-W", "W-W"]


def test_the_engines_descend() -> None:
    assert engines(rulebook("supertrain"))[-2:] == ["0-0", "W-W"]
    assert engines(rulebook("front-porch"))[-1] == "1-1"
    assert len(engines(rulebook("puremco-18"))) == 19


def test_the_highest_double_held_is_the_engine() -> None:
    hands = [["3-3", "1-2"], ["5-5", "11-12"]]
    assert highest_held(hands, [], 1) == ("5-5", 1)
    assert hands == [["3-3", "1-2"], ["11-12"]]


def test_who_draws_a_double_when_nobody_holds_one_starts() -> None:
    hands, pile = [["1-2"], ["2-3"], ["3-4"]], ["4-5", "5-6", "7-7", "8-8"]
    assert highest_held(hands, pile, 2) == ("7-7", 0)
    assert hands == [["1-2"], ["2-3", "4-5"], ["3-4", "5-6"]]
    assert pile == ["8-8"]


def test_the_lowest_total_wins_and_equal_totals_share() -> None:
    book = rulebook("tactic")
    points, cents = [[0, 7, 5], [12, 5, 20]], [[0, 0, 0], [0, 0, 0]]
    assert match_totals(points, cents, book) == ([12, 12, 25], [0, 1])
    assert match_totals(points, cents, changed("tactic", tie_break="most-zeros")) == ([12, 12, 25], [0])
    assert match_totals([[3, 5], [5, 3]], [], changed("tactic", tie_break="most-zeros"))[1] == [0, 1]
    assert match_totals([[3, 4], [5, 4]], [], changed("tactic", tie_break="most-zeros"))[1] == [0]


def test_most_money_wins_where_money_is_the_object() -> None:
    assert match_totals([[0, 7], [9, 0]], [[25, -25], [-30, 30]], rulebook("quarter-pot")) == ([9, 7], [1])


# ---- A turn


def test_legal_moves_draw_and_marker() -> None:
    round = table("puremco-9", "9-9", ["2-9 1-9 0-0", "4-5 6-7"], "3-4 5-9")
    assert round.legal() == ["9-1@0", "9-1@M", "9-2@0", "9-2@M"]
    play(round, "0 9-2@0, 1 draw, 1 pass")
    assert (round.markers, round.hands[1]) == ({1}, ["4-5", "6-7", "3-4"])
    assert round.legal() == ["9-1@1", "9-1@M"]  # a marked train not yet begun may be begun by another seat
    play(round, "0 9-1@1")
    assert round.legal() == ["draw"]
    play(round, "1 draw")
    assert round.legal() == ["9-5@M"]  # only the drawn tile; the own train now ends in 1
    with pytest.raises(ValueError, match="not legal"):
        round.play("4-5@M")


def test_only_a_placement_on_the_own_train_takes_the_marker_up() -> None:
    round = table("puremco-9", "9-9", ["1-9 3-9 0-0", "4-5 6-7 3-8"], "2-2 5-9")
    play(round, "0 9-1@0, 1 draw, 1 pass, 0 9-3@M, 1 3-8@M")
    assert round.markers == {1}
    play(round, "0 draw, 0 9-5@1, 1 5-4@1")
    assert round.markers == set()


def test_a_second_double_needs_its_third_tile() -> None:
    lead = "0 9-3@0, 1 9-5@M, 0 3-3@0"
    round = table("puremco-9", "9-9", ["3-9 3-3 5-5 5-6 1-1", "5-9 7-8 7-7"], "2-2")
    play(round, lead)
    assert round.legal() == ["5-5@M", "5-6@M"]
    play(round, "0 5-5@M")
    assert round.legal() == ["5-6@M"]
    play(round, "0 5-6@M")
    assert (round.turn, round.legal()) == (1, ["draw"])  # bound to the open double 3

    without = table("puremco-9", "9-9", ["3-9 3-3 5-5 1-1", "5-9 7-8 7-7"], "2-2")
    play(without, lead)
    assert without.legal() == ["draw"]

    last = table("puremco-9", "9-9", ["3-9 3-3 5-5", "5-9 7-8 7-7"], "2-2")
    play(last, lead)
    assert last.legal() == ["5-5@M"]
    play(last, "0 5-5@M")
    assert (last.ending, last.turn, last.points()) == ("out", None, [0, 29])


def test_a_follow_up_double_only_as_the_last_tile() -> None:
    for id in ("tactic-nine", "quarter-pot"):
        round = table(changed(id, highest=9), "9-9", ["3-9 3-3 5-5", "5-9 7-8 7-7"], "2-2")
        play(round, "0 9-3@0, 1 9-5@M, 0 3-3@0")
        assert round.legal() == ["5-5@M"], id
        longer = table(changed(id, highest=9), "9-9", ["3-9 3-3 5-5 5-6", "5-9 7-8 7-7"], "2-2")
        play(longer, "0 9-3@0, 1 9-5@M, 0 3-3@0")
        assert longer.legal() == (["5-6@M"] if id == "tactic-nine" else ["draw"]), id
    never = table("pressman", "9-9", ["3-9 3-3 5-5", "5-9 7-8 7-7"], "2-2")
    play(never, "0 9-3@0, 1 9-5@1, 0 3-3@0")
    assert never.legal() == ["draw"]


def test_a_dead_double_binds_nobody() -> None:
    def round(id: str) -> OracleRound:
        round = table(changed(id, highest=2), "2-2", ["1-2 0-1 2-2", "0-2 0-0 1-1"])
        play(round, "0 2-1@0, 1 2-0@1, 0 1-0@0, 1 0-0@1")
        return round

    elsewhere = round("puremco-9")
    assert elsewhere.legal() == ["pass"]  # it asks for a follow-up elsewhere, and there is none
    play(elsewhere, "1 pass")
    assert (elsewhere.markers, elsewhere.legal()) == ({1}, ["2-2@M"])
    ended = round("quarter-pot")
    assert (ended.turn, ended.markers, ended.legal()) == (0, set(), ["2-2@M"])


def test_a_live_double_binds_everybody() -> None:
    hands = ["0-2 0-0 1-1", "1-2 0-1 2-2"]
    bound = table(changed("puremco-9", highest=2), "2-2", hands)
    play(bound, "0 2-0@0, 1 2-1@1, 0 0-0@0, 0 pass")
    assert bound.legal() == ["0-1@0"]
    free = table(changed("front-porch", highest=2), "2-2", hands)
    play(free, "0 2-0@0, 0 0-0@0, 0 pass, 1 2-1@1, 1 stop, 0 pass")
    assert free.legal() == ["0-1@0", "1-0@1", "2-2@M"]


def test_a_block_counts_no_pass_before_a_new_marker() -> None:
    round = table("puremco-9", "9-9", ["1-2 3-9", "4-5", "6-7"])
    play(round, "0 9-3@0, 1 pass, 2 pass, 0 pass")
    assert (round.ending, round.passed) == (None, {0})  # each marker was new
    play(round, "1 pass, 2 pass")
    assert (round.ending, round.turn, round.points()) == ("blocked", None, [3, 9, 13])


def test_a_first_turn_on_the_own_train_does_not_count_towards_a_block() -> None:
    round = table("pressman", "9-9", ["1-2", "4-5"])
    play(round, "0 pass, 1 pass, 0 pass")
    assert (round.ending, round.passed) == (None, {0})
    play(round, "1 pass")
    assert round.ending == "blocked"


# ---- Money


def test_the_pot_is_taken_carried_or_shared() -> None:
    def blocked(**more: Any) -> OracleRound:
        round = table("quarter-pot", "9-9", ["1-2 3-9", "4-5", "6-7"], pot=100, **more)
        play(round, "0 9-3@0, 1 pass, 2 pass, 0 pass, 1 pass, 2 pass")
        return round

    assert (blocked().cents(), blocked().pot) == ([-30, -35, -35], 200)
    last = blocked(last_round=True)
    assert (last.cents(), last.pot) == ([37, 32, 31], 0)  # 200 in three: odd cents clockwise from the starter
    out = table("quarter-pot", "9-9", ["3-9", "4-5"], pot=100)
    play(out, "0 9-3@0")
    assert (out.cents(), out.pot) == ([125, -25], 0)


# ---- First turns


def test_a_string_on_the_first_turn() -> None:
    round = table("front-porch", "12-12", ["5-12 5-5 5-7 7-8 4-12", "3-12 1-2"], "0-1")
    assert round.legal() == ["12-4@0", "12-5@0"]
    play(round, "0 12-5@0")
    assert round.legal() == ["5-5@0", "5-7@0", "stop"]
    play(round, "0 5-5@0")
    assert round.legal() == ["5-7@0"]
    play(round, "0 5-7@0, 0 7-8@0")
    assert round.turn == 1  # nothing further: the turn ended by itself
    assert round.legal() == ["12-3@1"]
    play(round, "1 12-3@1")
    assert round.legal() == ["12-4@M"]  # the Mexican train is not for first turns


def test_out_on_a_first_turn_lets_the_others_take_theirs() -> None:
    round = table("front-porch", "12-12", ["5-12 5-7", "3-12 3-4 1-1", "2-12"], "0-1")
    play(round, "0 12-5@0, 0 5-7@0")
    assert (round.ending, round.turn) == (None, 1)
    play(round, "1 12-3@1, 1 stop, 2 12-2@2")
    assert (round.ending, round.points()) == ("out", [0, 9, 0])


def test_a_drawn_first_tile_is_the_whole_turn() -> None:
    round = table("front-porch", "12-12", ["5-7 7-8", "3-12 1-2"], "5-12")
    play(round, "0 draw, 0 12-5@0")
    assert round.turn == 1


def test_pressman_begins_its_own_train_first() -> None:
    round = table("pressman", "9-9", ["3-4 5-6 1-9", "2-9 4-9 6-6"], "7-7 8-8")
    assert round.legal() == ["9-1@0"]
    play(round, "0 9-1@0, 1 9-2@1")
    assert round.legal() == ["draw"]
    play(round, "0 draw, 0 pass")
    assert round.legal() == ["9-4@M"]
    late = table("pressman", "9-9", ["3-4 5-6", "2-9 4-9 6-6"], "7-7 1-9")
    play(late, "0 draw, 0 pass")
    assert late.legal() == ["9-2@1", "9-4@1"]  # the first turn
    play(late, "1 9-2@1, 0 draw")
    assert late.legal() == ["9-1@0"]  # its own train is not begun: neither M nor another's
    assert late.bone_pile == []


# ---- SuperTrain


def test_wild_tiles_join_either_way() -> None:
    round = table("supertrain", "12-12", ["3-W A-W W-W 5-12", "A-W 4-5 1-12"], "0-1")
    wild = ["W-3@0", "W-3@M", "W-A@0", "W-A@1", "W-A@M"]
    assert round.legal() == [*wild[:2], "12-5@0", "12-5@M", *wild[2:]]  # W-W begins no train on a number
    play(round, "0 W-A@1")
    assert round.legal() == ["1-12@1", "12-1@1", "12-1@M", "4-5@1", "5-4@1", "W-A@0", "W-A@1", "W-A@M"]
    assert round.markers == set()


def test_letters_draw_skip_and_reverse() -> None:
    hands = ["D-W S-W R-W 1-1", "1-2 3-4", "3-12 5-6", "7-8 9-10"]
    draw = table("supertrain", "12-12", hands, "0-1 0-2")
    play(draw, "0 W-D@0")
    assert (draw.must_draw, draw.legal()) == (True, ["draw"])
    play(draw, "1 draw")
    assert (draw.must_draw, draw.legal()) == (False, ["draw"])
    empty = table("supertrain", "12-12", hands)
    play(empty, "0 W-D@0")
    assert (empty.must_draw, empty.legal()) == (False, ["pass"])
    skip = table("supertrain", "12-12", hands, "0-1")
    play(skip, "0 W-S@0")
    assert skip.turn == 2
    reverse = table("supertrain", "12-12", hands, "0-1")
    play(reverse, "0 W-R@0")
    assert (reverse.turn, reverse.direction) == (3, -1)


def test_twice_with_five_tiles() -> None:
    round = table("supertrain", "12-12", ["3-12 3-3 5-5 T-W 7-7 7-8 0-0", "5-12 1-2"], "0-1")
    play(round, "0 12-3@0, 1 12-5@M, 0 3-3@0")
    assert "5-5@M" in round.legal()
    play(round, "0 5-5@M")
    assert round.legal() == ["W-T@0", "W-T@M"]  # one of the two has to be covered
    play(round, "0 W-T@M")
    assert {"7-7@M", "7-8@M"} < set(round.legal())
    play(round, "0 7-7@M")
    assert round.legal() == ["7-8@M"]
    play(round, "0 7-8@M")
    assert (round.turn, round.legal()) == (1, ["draw"])  # the double 3 is open


def test_twice_ends_by_itself_when_nothing_fits() -> None:
    round = table("supertrain", "12-12", ["3-12 3-3 5-5 5-6 0-0", "5-12 T-W 1-2 4-7"], "0-1")
    play(round, "0 12-3@0, 1 12-5@M, 0 3-3@0, 0 5-5@M, 0 5-6@M")
    assert round.legal() == ["W-T@0"]  # the double 3 lies on a train without a marker
    play(round, "1 W-T@0")
    assert (round.turn, round.markers, round.bone_pile) == (0, set(), ["0-1"])


def test_a_number_double_covers_the_double_train() -> None:
    last = table("supertrain", "W-W", ["3-W 9-9 1-2", "A-W 8-8 0-5"], "0-1")
    play(last, "0 3-W@0")
    assert "8-8@1" in last.legal()  # on engine W-W a double may be the first tile
    round = table("supertrain", "12-12", ["12-W W-W 8-8 8-9 0-5", "4-5 6-7"], "0-1 1-3")
    play(round, "0 12-W@0, 1 draw, 1 pass, 0 W-W@0, 0 8-8@0")
    assert round.legal() == ["8-9@0"]


def test_where_no_follow_up_is_a_double_none_covers_the_double_train() -> None:
    round = table(changed("tactic", wild_tiles=True), "12-12", ["12-W W-W 8-8 8-9 0-5", "4-12 6-7"], "0-1 1-3")
    play(round, "0 12-W@0, 1 12-4@1, 0 W-W@0")
    assert round.legal() == ["0-5@0", "5-0@0", "8-9@0", "9-8@0"]


# ---- Counting and random play


def test_perft_counts_the_sequences() -> None:
    round = table("puremco-9", "9-9", ["2-9 1-9", "4-5 6-7"], "3-4")
    assert [perft(round, depth) for depth in range(4)] == [1, 4, 4, 4]
    before = round.key()
    perft(round, 6)
    assert round.key() == before


@pytest.mark.parametrize("stacked", [False, True], ids=["uniform", "stacked"])
@pytest.mark.parametrize("id", rulebooks())
def test_random_play_always_ends(id: str, stacked: bool) -> None:
    book = rulebook(id)
    rng = random.Random(f"{id} {stacked}")
    whole = Counter(tile_set(book))
    for players in book.players:
        for _ in range(2):
            number = rng.randint(1, book.rounds)
            engine, starter, hands, pile = deal_random(book, players, number, rng, stacked)
            dealt = Counter([engine, *pile, *(tile for hand in hands for tile in hand)])
            assert is_double(engine)
            assert dealt <= whole if stacked else dealt == whole
            round = OracleRound(book, engine, starter, hands, pile, pot=7, last_round=stacked)
            for _ in range(3000):
                if round.turn is None:
                    break
                round.play(choose_stacked(round.legal(), rng) if stacked else rng.choice(round.legal()))
            assert round.ending in ("out", "blocked")
            assert (0 in map(len, round.hands)) == (round.ending == "out")
            laid = [tile for line in round.trains.values() for tile in line]
            assert len(laid) + sum(map(len, round.hands)) + len(round.bone_pile) + 1 == sum(dealt.values())
            assert sum(round.cents()) + round.pot == 7
