"""The core and the oracle say the same at every step of random play.

Compared are the legal moves in their order, whose turn it is, markers, the trains' ends, open doubles, hands,
and at the end the points, the ending and the money. As many rounds as you like:

    pytest tests/engine/test_agreement.py --rounds 2000 -n 2
"""

from __future__ import annotations

import random

import pytest

import oracle
from both import Both, both, compare, house_mix
from stationmaster.engine.tiles import end_text
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

# Rounds by their numbers; those of `core` are played against the build with bounds checks as well.
ROUNDS = [
    pytest.param(range(5), marks=pytest.mark.core),
    pytest.param(range(5, 25)),
    *(pytest.param(range(start, start + 35), marks=pytest.mark.long) for start in range(25, 200, 35)),
]
MIXES = [
    pytest.param(range(150), marks=pytest.mark.core),
    *(pytest.param(range(start, start + 350)) for start in range(150, 850, 350)),
    *(pytest.param(range(start, start + 1000), marks=pytest.mark.long) for start in range(850, 20_850, 1000)),
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    asked: int | None = metafunc.config.getoption("rounds")
    for name, usual, step in (("rounds", ROUNDS, 50), ("mixes", MIXES, 1000)):
        if name in metafunc.fixturenames:
            ranges = [range(start, min(start + step, asked)) for start in range(0, asked, step)] if asked else usual
            metafunc.parametrize(name, ranges, ids=lambda some: f"{some.start}-{some.stop - 1}")


@pytest.mark.parametrize("id", rulebooks())
def test_both_referees_say_the_same(id: str, rounds: range) -> None:
    book = rulebook(id)
    for players in book.players:
        for number in rounds:
            compare(book, players, number)


def test_both_referees_say_the_same_of_house_rules(mixes: range) -> None:
    for mix in mixes:
        book, players = house_mix(mix)
        for number in range(3):
            compare(book, players, number)


@pytest.mark.core
def test_both_referees_say_the_same_of_a_dead_double_in_a_string() -> None:
    """The last 4 of the set is laid in a string, where a follow-up belongs on the double: nothing could follow it."""
    book = rulebook("tactic").with_changes(
        highest=4,
        deal={2: 7},
        rounds=5,
        first_turn="own-string",
        first_turn_out="others-finish",
        follow_up="on-double",
    )
    hands = [["4-4", "0-0", "2-2", "3-3", "2-3", "1-3", "2-4"], ["1-2", "0-1", "0-4", "0-3", "3-4", "1-4", "0-2"]]
    table = Both(book, ("1-1", 1, hands, []))
    moves = "1-2@1 2-0@1 0-3@1 3-4@1 4-0@1 0-1@1 1-4@1 1-3@0 3-3@0 3-2@0 2-2@0 2-4@0 4-4@0"
    for move in moves.split():
        assert move in table.check()
        table.play(move)
    table.check()


def test_house_rules_are_mixed_from_everything() -> None:
    mixes = [house_mix(number)[0] for number in range(300)]
    for field, values in {
        "wild_tiles": {True, False},
        "engine": {"descending", "highest-held"},
        "first_turn": {"any-train", "own-tile", "own-string"},
        "first_turn_out": {"ends-round", "others-finish"},
        "own_train_first": {True, False},
        "follow_up": {"anywhere", "on-double"},
        "follow_up_draw": {True, False},
        "second_double": {"third-tile", "last-tile", "free", "never"},
        "open_doubles_bind": {True, False},
    }.items():
        assert {getattr(book, field) for book in mixes} == values


def test_a_disagreement_is_noticed() -> None:
    """One tile more in a hand that nobody plays is enough."""
    table, _, _ = both(rulebook("tactic"), 4, 0)
    assert table.naive.turn is not None
    other = (table.naive.turn + 1) % 4
    table.naive.hands[other].append(table.naive.bone_pile.pop())
    with pytest.raises(AssertionError):
        table.play_out(random.Random(1), stacked=False)


def test_stacked_deals_bring_what_is_rare() -> None:
    """Half of the rounds are stacked; without that the rules for rare tiles would hardly be compared."""
    letters, second_doubles = 0, 0
    for number in range(1, 60, 2):
        table, rng, stacked = both(rulebook("supertrain"), 4, number)
        assert stacked
        table.play_out(rng, stacked)
        before = None  # who has just laid a double
        for seat, move in table.round.moves:
            double = move.tile is not None and move.tile.is_double
            letters += move.tile is not None and end_text(move.tile.low) in oracle.LETTERS
            second_doubles += double and before == seat
            before = seat if double else None
    assert letters > 100
    assert second_doubles > 30


def test_a_disagreement_is_told_so_that_it_can_be_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle.OracleRound, "points", lambda round: [-1] * len(round.hands))
    with pytest.raises(AssertionError) as caught:
        compare(rulebook("tactic"), 2, 3)
    told = "\n".join(caught.value.__notes__)
    for word in ("seed", "rules", "engine", "hand 1", "pile", "moves", "oracle", "core"):
        assert f"\n{word} " in f"\n{told}"
