"""Whatever is done to a round, in whatever order: tiles are kept, reasons are given, and what is taken back is gone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from both import house_mix
from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import tile_set
from stationmaster.errors import DealError, IllegalMoveError, NotationError, StationmasterError
from stationmaster.rulebooks.rulebook import Rulebook, rulebook, rulebooks
from stationmaster.words import LANGUAGES

NAMES = [f"Player {seat}" for seat in range(14)]


def snapshot(round: Round) -> tuple[object, ...]:
    return round._state.key(), round.moves[:], round.legal_moves(), round.outcome(), round.pot_now, round._lacks[:]


class Rounds(RuleBasedStateMachine):
    """A round, and copies that were left lying."""

    @initialize(
        book=st.sampled_from(rulebooks()),
        mix=st.none() | st.integers(0, 400),
        players=st.integers(0, 20),
        seed=st.integers(0, 10_000),
    )
    def begin(self, book: str, mix: int | None, players: int, seed: int) -> None:
        self.book: Rulebook = rulebook(book)
        seats = self.book.players[players % len(self.book.players)]
        if mix is not None:
            self.book, seats = house_mix(mix)
        try:
            deal = Deal.shuffle(self.book, seats, 1 + seed % len(self.book.engines), seed=seed)
        except DealError:  # no double to begin with: nobody can be dealt that
            assert self.book.engine == "highest-held"
            deal = Deal(engine="1-1", starter=0, hands=[["0-1"]], bone_pile=["0-0"])
        self.round = Round(self.book, deal, pot=seed % 100, last=seed % 2 == 0)
        self.whole = Counter(self.tiles())
        self.copies: list[tuple[Round, Any]] = []

    def tiles(self) -> list[Any]:
        round = self.round
        placed = [move.tile for line in round.trains.values() for move in line]
        return [round.deal.engine, *round.bone_pile, *(tile for hand in round.hands for tile in hand), *placed]

    @precondition(lambda self: self.round.turn is not None)
    @rule(which=st.integers(0, 999), as_text=st.booleans(), times=st.integers(1, 8))
    def push(self, which: int, as_text: bool, times: int) -> None:
        for step in range(times):
            legal = self.round.legal_moves()
            if not legal:
                return
            move = legal[(which + step) % len(legal)]
            before = snapshot(self.round)
            events = self.round.push(str(move) if as_text else move)
            assert events
            for event in events:
                for language in LANGUAGES:
                    assert event.sentence(language, NAMES)
                for seat in (None, *range(self.round.players)):
                    assert event.seen_by(seat).sentence(names=NAMES)
            after = snapshot(self.round)
            assert self.round.pop() is move
            assert snapshot(self.round) == before
            assert self.round.push(move) == events
            assert snapshot(self.round) == after

    @rule(text=st.data())
    def push_what_is_not_legal(self, text: st.DataObject) -> None:
        tile = text.draw(st.sampled_from(tile_set(18, True)))
        train = text.draw(st.sampled_from([*range(14), "M"]))
        ways = [f"{tile}@{train}", "-".join(reversed(str(tile).split("-"))) + f"@{train}", "draw", "pass", "stop"]
        move = Move.parse(text.draw(st.sampled_from(ways)))
        before = snapshot(self.round)
        if move in self.round.legal_moves():
            assert self.round.why_illegal(move) is None
            return
        reason = self.round.why_illegal(move)
        assert reason is not None
        for language in LANGUAGES:
            sentence = reason.sentence(language, NAMES)
            assert sentence.strip()
            assert "{" not in sentence
            assert reason.clause_text(language)
        if reason.example is not None:
            assert Move.parse(reason.example) in self.round.legal_moves()
        with pytest.raises(IllegalMoveError) as caught:
            self.round.push(move)
        assert caught.value.reason == reason
        assert str(caught.value) == reason.sentence()
        assert snapshot(self.round) == before

    @rule(junk=st.text(max_size=8))
    def push_what_is_no_move(self, junk: str) -> None:
        before = snapshot(self.round)
        try:
            Move.parse(junk)
        except NotationError:
            with pytest.raises(StationmasterError):
                self.round.push(junk)
            assert snapshot(self.round) == before

    @precondition(lambda self: self.round.moves)
    @rule(count=st.integers(1, 12))
    def pop(self, count: int) -> None:
        for _ in range(min(count, len(self.round.moves))):
            seat, move = self.round.moves[-1]
            assert self.round.pop() is move
            assert self.round.turn == seat
            assert move in self.round.legal_moves()

    @rule()
    def leave_a_copy(self) -> None:
        self.copies = [*self.copies[-3:], (self.round.copy(), snapshot(self.round))]

    @precondition(lambda self: self.copies)
    @rule(which=st.integers(0, 3))
    def go_on_with_a_copy(self, which: int) -> None:
        copy, was = self.copies[which % len(self.copies)]
        assert snapshot(copy) == was
        self.round = copy.copy()

    @invariant()
    def no_tile_is_lost_or_made(self) -> None:
        assert Counter(self.tiles()) == self.whole

    @invariant()
    def it_is_over_or_somebody_can_move(self) -> None:
        round = self.round
        assert (round.turn is None) == (round.outcome() is not None)
        assert (round.turn is None) == (not round.legal_moves())
        assert round.legal_moves() == sorted(set(round.legal_moves()))
        if round.turn is not None:
            assert 0 <= round.turn < round.players
            assert all(round.why_illegal(move) is None for move in round.legal_moves())

    @invariant()
    def trains_hang_together(self) -> None:
        for train, line in self.round.trains.items():
            end = str(self.round.deal.engine).partition("-")[0]
            for move in line:
                attached, exposed = str(move).partition("@")[0].split("-")
                assert "W" in (attached, end) or attached == end
                end = exposed if exposed.isdigit() else "W"
            assert self.round.end_of(train) == end

    @invariant()
    def the_money_adds_up(self) -> None:
        cents = self.round._settled()[0]
        assert sum(cents) + self.round.pot_now == self.round.pot

    @invariant()
    def who_is_out_has_no_points(self) -> None:
        outcome = self.round.outcome()
        if outcome is not None:
            empty = [not hand for hand in self.round.hands]
            assert outcome.ending == ("out" if any(empty) else "blocked")
            assert all(points == 0 for points, out in zip(outcome.points, empty, strict=True) if out)

    @invariant()
    def copies_are_left_alone(self) -> None:
        for copy, was in self.copies:
            assert snapshot(copy) == was


TestRounds = Rounds.TestCase
TestRounds.settings = settings(max_examples=120, stateful_step_count=40)


@pytest.mark.long
def test_many_rounds() -> None:
    run_state_machine_as_test(Rounds, settings=settings(max_examples=4000, stateful_step_count=60))
