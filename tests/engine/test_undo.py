"""Taking back: a round is exactly as it was, at every step, and all the way to the deal."""

from __future__ import annotations

import random

import pytest

from both import both, house_mix
from stationmaster.engine.round import Round
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

pytestmark = pytest.mark.core

Snapshot = tuple[object, ...]


def snapshot(round: Round) -> Snapshot:
    """Everything that a round is and says."""
    return (
        round._state.key(),
        [str(move) for move in round.legal_moves()],
        round.turn,
        round.markers,
        round.direction,
        round.trains,
        round.hands,
        round.bone_pile,
        round.open_doubles,
        round.outcome(),
        round.pot_now,
        list(round.moves),
        list(round._lacks),
    )


def play_and_take_back(round: Round, rng: random.Random) -> None:
    """Random play that takes back now and then, every move once at least, and everything at the end."""
    before = [snapshot(round)]
    while round.turn is not None:
        moves = round.legal_moves()
        for move in rng.sample(moves, min(2, len(moves))):
            events = round.push(move)
            after = snapshot(round)
            assert round.pop() is move
            assert snapshot(round) == before[-1]
            assert round.push(move) == events
            assert snapshot(round) == after
            round.pop()
        for _ in range(rng.choice([0, 0, 0, 0, 0, 0, 0, 1, 3])):  # a few moves back, and on by others
            if len(before) > 1:
                before.pop()
                round.pop()
                assert snapshot(round) == before[-1]
        round.push(rng.choice(round.legal_moves()))
        before.append(snapshot(round))
    for earlier in reversed(before[:-1]):
        round.pop()
        assert snapshot(round) == earlier
    assert round.moves == []
    with pytest.raises(IndexError, match="no move has been made"):
        round.pop()


@pytest.mark.parametrize("id", rulebooks())
def test_taking_back_restores_everything(id: str) -> None:
    book = rulebook(id)
    for players in book.players[:: max(1, len(book.players) // 3)]:
        for number in range(2):
            table, rng, _ = both(book, players, number)
            play_and_take_back(table.round, rng)


def test_taking_back_under_house_rules() -> None:
    for mix in range(120):
        book, players = house_mix(mix)
        table, rng, _ = both(book, players, 1)
        play_and_take_back(table.round, rng)


@pytest.mark.parametrize("id", rulebooks())
def test_a_copy_goes_its_own_way(id: str) -> None:
    table, rng, _ = both(rulebook(id), 4, 1)
    round = table.round
    while round.turn is not None:
        here = snapshot(round)
        other = round.copy()
        assert snapshot(other) == here
        for _ in range(4):
            if other.turn is not None:
                other.push(rng.choice(other.legal_moves()))
        assert snapshot(round) == here
        there = snapshot(other)
        round.push(rng.choice(round.legal_moves()))
        assert snapshot(other) == there
        while other.moves != list(here[-2]):  # type: ignore[call-overload]
            other.pop()
        assert snapshot(other) == here
    copy = round.copy()
    while copy.moves:
        copy.pop()
    assert round.outcome() is not None
