"""What is played follows from the job alone: deals, who sits where, random numbers."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec
import pytest

import stationmaster as sm
from stationmaster.lab.entrants import Entrant, entrant, labels, limit_text, read_limit
from stationmaster.lab.job import Job, cell, distinct_rotations
from stationmaster.lab.ladder import tables_of
from stationmaster.lab.rounds import Streams

BOOK = sm.rulebook("puremco-12")


# ---- Who plays ----


@pytest.mark.parametrize(
    ("text", "name", "limit"),
    [
        ("random", "random", sm.Limit()),
        ("random@50ms", "random", sm.Limit(seconds=0.05)),
        ("random@0.1s", "random", sm.Limit(seconds=0.1)),
        ("random@2s", "random", sm.Limit(seconds=2)),
        ("random@400", "random", sm.Limit(playouts=400)),
        ("lab.players:Heaviest@7", "lab.players:Heaviest", sm.Limit(playouts=7)),
    ],
)
def test_a_bot_and_its_limit(text: str, name: str, limit: sm.Limit) -> None:
    found = entrant(text)
    assert (found.name, found.limit) == (name, limit)
    assert entrant(str(found)) == found


def test_the_default_limit_is_for_those_without_one() -> None:
    assert entrant("random", sm.Limit(playouts=5)).limit == sm.Limit(playouts=5)
    assert entrant("random@9", sm.Limit(playouts=5)).limit == sm.Limit(playouts=9)


@pytest.mark.parametrize(
    "text", ["random@", "random@fast", "random@0", "random@1.5", "random@-3", "random@0ms", "random@5m"]
)
def test_limits_that_are_none(text: str) -> None:
    with pytest.raises(sm.StationmasterError, match="50ms"):
        entrant(text)


def test_limits_read_as_they_are_written() -> None:
    for text in ("50ms", "0.5ms", "999ms", "1s", "2.5s", "400"):
        assert limit_text(read_limit(text)) == text


def test_bots_of_one_name_are_told_apart() -> None:
    assert labels([entrant("random"), entrant("random"), entrant("random@5")]) == ["random", "random #2", "random@5"]


# ---- Who sits where ----


def test_every_bot_comes_to_every_seat_once() -> None:
    assert distinct_rotations((0, 1, 1, 1)) == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    assert distinct_rotations((0, 1, 0, 1)) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert distinct_rotations((0, 0, 0)) == [(0, 0, 0)]
    assert len(distinct_rotations((0, 1, 2, 3, 4))) == 5
    for table in permutations((0, 0, 1, 2)):
        for seat in range(4):
            held = Counter(lineup[seat] for lineup in distinct_rotations(table))
            assert held == {0: 2, 1: 1, 2: 1}


def test_the_order_around_the_table_is_drawn_for_each_sample() -> None:
    mixed = cell(BOOK, 4, ((0, 0, 1, 1),))
    seen = {tuple(sorted(mixed.lineups("seed", sample))) for sample in range(40)}
    assert {len(lineups) for lineups in seen} == {2, 4}, "side by side, and across"
    assert mixed.lineups("seed", 3) == mixed.lineups("seed", 3)


def test_all_tables_of_a_ladder() -> None:
    assert list(tables_of(4, 3)) == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert list(tables_of(3, 3)) == [(0, 1, 2)]
    assert list(tables_of(2, 4)) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    with pytest.raises(sm.StationmasterError, match="at most 2000"):
        list(tables_of(20, 10))


# ---- What is dealt ----


def test_every_engine_comes_at_every_table() -> None:
    five = cell(sm.rulebook("puremco-9"), 4, tuple(tables_of(5, 4)))  # five tables and ten engines: 5 divides 10
    met = Counter(
        (five.tables[sample % len(five.tables)], five.deals("1", sample)[0][1].engine) for sample in range(5 * 10 * 2)
    )
    assert len(met) == 5 * 10
    assert set(met.values()) == {2}


def test_the_same_deal_in_every_cell_of_the_same_set() -> None:
    house = BOOK.with_changes(open_doubles_bind=False)
    one, other = cell(BOOK, 4, ((0, 1, 1, 1),)), cell(house, 4, ((1, 1, 1, 1),))
    assert one.deals("seed", 5) == other.deals("seed", 5)
    assert one.deals("seed", 5) != one.deals("seed", 6)
    assert one.deals("seed", 5) != one.deals("other", 5)


@pytest.mark.parametrize("id", ["tactic", "pressman", "supertrain"])
def test_a_match_is_dealt_as_matches_are(id: str) -> None:
    book = sm.rulebook(id)
    deals = cell(book, 3, ((0, 1, 2),), matches=True).deals("7", 2)
    assert [number for number, _ in deals] == list(range(1, book.rounds + 1))
    match = sm.Match(book, ["Ann", "Ben", "Cleo"], deals=[deal for _, deal in deals])
    while not match.over:  # the match takes no deal that cannot be its next
        while match.round.turn is not None:
            match.round.push(match.round.legal_moves()[0])
        if not match.over:
            match.next_round()
    assert [round.deal for round in match.rounds] == [deal for _, deal in deals]


def test_no_two_seats_share_random_numbers() -> None:
    seeds = {
        Streams("seed", sample, rotation, number).seat(seat).getrandbits(64)
        for sample in range(3)
        for rotation in range(3)
        for number in range(1, 4)
        for seat in range(3)
    }
    assert len(seeds) == 81
    assert Streams("seed", 1, 2, 3).seat(0).random() == Streams("seed", 1, 2, 3).seat(0).random()


def test_a_job_travels_whole() -> None:
    job = Job("match", "1", (entrant("random@5"), Entrant("random")), (cell(BOOK, 4, ((0, 1, 1, 1),)),))
    again = msgspec.json.decode(msgspec.json.encode(job), type=Job)
    assert again == job
    assert again.key == job.key
    assert again.cells[0].book == BOOK
    assert Job("match", "2", job.entrants, job.cells).key != job.key
