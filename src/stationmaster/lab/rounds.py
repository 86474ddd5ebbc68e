"""Playing one round with bots, and what is noted of it."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol

from stationmaster.engine.events import Drew, Event, Passed, Placed, TrainBegun, TurnBegan
from stationmaster.engine.round import Round, core_end, core_state
from stationmaster.errors import StationmasterError
from stationmaster.lab.job import number_from
from stationmaster.lab.watch import Watch
from stationmaster.planner.weights import weights_for

if TYPE_CHECKING:
    from stationmaster.engine.deal import Deal
    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation
    from stationmaster.engine.standing import Standing
    from stationmaster.lab.entrants import Entrant
    from stationmaster.lab.job import Lineup
    from stationmaster.rulebooks.rulebook import Rulebook

# What is noted of a round, and of each seat, as whole numbers.
OF_ROUND = ("blocked", "pile")
OF_SEAT = ("points", "cents", "tiles", "turns", "placed", "draws", "passes", "mexican")


class Streams:
    """The random numbers of one round: each seat has its own, and no two rounds share any."""

    def __init__(self, seed: str, sample: int, rotation: int, number: int) -> None:
        self._parts = (seed, sample, rotation, number)

    def seat(self, seat: int) -> Random:
        """The random numbers of one seat."""
        return Random(number_from(*self._parts, seat))

    def core(self) -> int:
        """Where the core's fast generator begins."""
        return number_from(*self._parts, "core") & 0xFFFFFFFF or 1


class Table(Protocol):
    """Where bots sit down: plays a round, and says what is noted of it and what stays in the pot."""

    def play(
        self, deal: Deal, lineup: Lineup, pot: int, last: bool, streams: Streams, standing: Standing | None = None
    ) -> tuple[list[int], int]:
        """OF_ROUND, then OF_SEAT for each seat, all in one row; and the pot."""


class Observed:
    """A table for any bots: each sees its observation, and its moves go through the referee."""

    def __init__(self, book: Rulebook, entrants: Sequence[Entrant]) -> None:
        self.book = book
        self.entrants = entrants
        self.bots = [one.bot for one in entrants]

    def play(
        self, deal: Deal, lineup: Lineup, pot: int, last: bool, streams: Streams, standing: Standing | None = None
    ) -> tuple[list[int], int]:
        """Play a round move by move."""
        round = Round(self.book, deal, pot=pot, last=last, standing=standing)
        rngs = [streams.seat(seat) for seat in range(len(lineup))]
        seen = Noted(len(lineup), deal.starter)
        while (seat := round.turn) is not None:
            who = lineup[seat]
            move = self.ask(who, round.observe(seat), rngs[seat])
            try:
                seen.note(round.push(move))
            except (StationmasterError, TypeError, AttributeError) as error:
                where = f"in round {deal.engine} after {len(round.moves)} moves, at seat {seat}"
                raise StationmasterError(f"{self.entrants[who]} played {move!s} {where}: {error}") from None
        return seen.row(round), round.pot_now

    def ask(self, who: int, observation: Observation, rng: Random) -> Move:
        """The move that a bot chooses. Bots come from anywhere, so whatever goes wrong in one is said as its own."""
        entrant = self.entrants[who]
        try:
            return self.bots[who].choose(observation, entrant.limit, rng)
        except StationmasterError:
            raise
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise StationmasterError(f"{entrant} broke down at {last.filename}:{last.lineno}: {what}") from error


class InCore:
    """A table for bots whose way of playing the core knows: the same rounds, without Python in their midst."""

    def __init__(self, book: Rulebook, players: int, entrants: Sequence[Entrant]) -> None:
        self.book = book
        self.policies = [one.bot.policy for one in entrants]
        self._start = core_state(book, players)
        self._watch = Watch(self._start, weights_for(book))
        self._deal: Deal | None = None

    def play(
        self, deal: Deal, lineup: Lineup, pot: int, last: bool, streams: Streams, standing: Standing | None = None
    ) -> tuple[list[int], int]:
        """Play a round out. How the match stands is nothing to those who play here."""
        if deal is not self._deal:  # it is played in all rotations, one after the other
            hands = [[tile.code for tile in hand] for hand in deal.hands]
            self._start.load(core_end(deal.engine.low), deal.starter, hands, [tile.code for tile in deal.bone_pile])
            self._deal = deal
        row: list[int] = self._watch.play(self._start, tuple(self.policies[who] for who in lineup), streams.core())
        if not self.book.uses_money:
            return row, 0
        cents, pot = self._watch.settle(deal.starter, pot, last, self.book.ante, self.book.pass_fee)
        row[len(OF_ROUND) + OF_SEAT.index("cents") :: len(OF_SEAT)] = cents
        return row, pot


def table(book: Rulebook, lineup: Lineup, entrants: Sequence[Entrant]) -> Table:
    """Where these sit down: in the core if it knows how all of them play."""
    if all(entrants[who].bot.policy is not None for who in lineup):
        return InCore(book, len(lineup), entrants)
    return Observed(book, entrants)


class Noted:
    """What happens in a round, counted."""

    def __init__(self, players: int, starter: int) -> None:
        self.turns = [0] * players
        self.placed = [0] * players
        self.draws = [0] * players
        self.passes = [0] * players
        self.mexican = [0] * players
        self.turns[starter] = 1

    def note(self, events: Sequence[Event]) -> None:
        """Count what a move brought."""
        for event in events:
            kind = event.__class__
            if kind is TurnBegan:
                self.turns[event.seat] += 1  # type: ignore[attr-defined]
            elif kind is Placed:
                self.placed[event.seat] += 1  # type: ignore[attr-defined]
            elif kind is Drew:
                self.draws[event.seat] += 1  # type: ignore[attr-defined]
            elif kind is Passed:
                self.passes[event.seat] += 1  # type: ignore[attr-defined]
            elif kind is TrainBegun and event.train == "M":  # type: ignore[attr-defined]
                self.mexican[event.seat] = self.turns[event.seat]  # type: ignore[attr-defined]

    def row(self, round: Round) -> list[int]:
        """The round, now over, as one row of numbers."""
        outcome = round.outcome()
        assert outcome is not None
        row = [int(outcome.ending == "blocked"), len(round.bone_pile)]
        for seat, hand in enumerate(round.hands):
            row += (
                outcome.points[seat],
                outcome.cents[seat],
                len(hand),
                self.turns[seat],
                self.placed[seat],
                self.draws[seat],
                self.passes[seat],
                self.mexican[seat],
            )
        return row
