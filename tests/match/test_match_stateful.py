"""A match under any sequence of moves, take-backs, saves and new rounds that hypothesis thinks of."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import oracle
from match.playing import NAMES, play_round
from stationmaster.errors import StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

ROUNDS = 3


class Table(RuleBasedStateMachine):
    """A match, and beside it what it should say."""

    match: Match

    @initialize(id=st.sampled_from(rulebooks()), data=st.data(), seed=st.integers(0, 99), ante=st.sampled_from([0, 25]))
    def sit_down(self, id: str, data: st.DataObject, seed: int, ante: int) -> None:
        book = rulebook(id).with_changes(rounds=ROUNDS)
        if ante != book.ante and not (ante == 0 and book.objective == "most-money"):
            book = book.with_changes(ante=ante)
        players = data.draw(st.sampled_from(book.players))
        self.match = Match(book, NAMES[:players], seed=seed)
        self.moves: list[tuple[int, Any]] = []
        self.settled = 0  # cents of the rounds before this one

    @precondition(lambda self: self.match.round.turn is not None)
    @rule(choice=st.integers(0, 10_000))
    def push(self, choice: int) -> None:
        legal = self.match.round.legal_moves()
        move = legal[choice % len(legal)]
        turn = self.match.round.turn
        assert turn is not None
        self.match.round.push(move)
        self.moves.append((turn, move))

    @precondition(lambda self: self.moves)
    @rule(count=st.integers(1, 30))
    def pop(self, count: int) -> None:
        for _ in range(min(count, len(self.moves))):
            assert self.match.round.pop() == self.moves.pop()[1]

    @precondition(lambda self: self.match.round.turn is not None)
    @rule(seed=st.integers(0, 99))
    def play_on(self, seed: int) -> None:
        play_round(self.match, random.Random(seed))
        self.moves = list(self.match.round.moves)

    @rule()
    def save_and_resume(self) -> None:
        record = self.match.record()
        resumed = Match.resume(Record.loads(record.dumps()))
        assert resumed.record() == record
        self.match = resumed

    @rule()
    def next_round(self) -> None:
        match = self.match
        if match.round.turn is not None or match.over:
            with pytest.raises(StationmasterError):
                match.next_round()
            return
        outcome = match.round.outcome()
        assert outcome is not None
        self.settled += sum(outcome.cents)
        before = match.round
        match.next_round()
        assert match.rounds[-2] is before
        if match.book.starter != "engine-holder":
            assert match.round.starter == (before.starter + 1) % match.players
        self.moves = []

    @invariant()
    def the_round_is_what_was_played(self) -> None:
        assert self.match.round.moves == self.moves
        assert self.match.number == len(self.match.rounds) <= ROUNDS
        assert self.match.over == (self.match.number == ROUNDS and self.match.round.turn is None)

    @invariant()
    def the_totals_and_the_winners_are_those_of_the_rounds(self) -> None:
        match = self.match
        ended = [outcome for round in match.rounds if (outcome := round.outcome()) is not None]
        assert len(ended) == match.number - (match.round.turn is not None)
        points, cents = [list(outcome.points) for outcome in ended], [list(outcome.cents) for outcome in ended]
        if match.over:
            assert (list(match.totals), list(match.winners or ())) == oracle.match_totals(points, cents, match.book)
        else:
            assert match.winners is None
            assert list(match.totals) == [sum(row[seat] for row in points) for seat in range(match.players)]

    @invariant()
    def every_cent_is_somewhere(self) -> None:
        match = self.match
        assert match.round.pot == -self.settled, "what the rounds before left in the pot"
        if match.round.turn is None:
            assert sum(match.money) + match.pot == 0
        else:
            passes = sum(move.kind == "pass" for _, move in self.moves)
            paid = match.book.ante * match.players + match.book.pass_fee * passes
            assert match.pot == match.round.pot + paid


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=40, stateful_step_count=30)
TestTable.pytestmark = [pytest.mark.core]
