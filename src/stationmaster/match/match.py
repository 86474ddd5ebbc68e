"""A match: round after round, who starts, the totals, the pot, and who wins."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from stationmaster.engine.deal import Deal, check_players
from stationmaster.engine.round import Outcome, Round
from stationmaster.engine.shuffle import check_seed
from stationmaster.engine.standing import Standing
from stationmaster.errors import DealError, StationmasterError
from stationmaster.match.deals import check_deal, next_starter
from stationmaster.match.fair import Fair

if TYPE_CHECKING:
    from stationmaster.match.record import Record
    from stationmaster.rulebooks.rulebook import Rulebook

Dealt = Deal | Fair
Deals = Iterable[Dealt] | Callable[[int, int | None], Dealt]


class Match:
    """Rounds by one rulebook and one table of players. Play in ``round``; ``next_round`` deals the next.

    >>> from stationmaster.rulebooks.rulebook import rulebook
    >>> match = Match(rulebook("tactic"), ["Ann", "Ben"], seed=7)
    >>> match.number, match.totals, match.winners
    (1, (0, 0), None)
    """

    book: Rulebook
    names: tuple[str, ...]
    seed: int | str | None  # None as long as every deal was given
    _deals: Callable[[int, int | None], Dealt] | None

    def __init__(
        self, book: Rulebook, names: Sequence[str], seed: int | str | None = None, *, deals: Deals | None = None
    ) -> None:
        """Without a seed a fresh one is made, and kept.

        ``deals`` are used in place of the seed's: deals, or what fair deals are made from, in the order of the
        rounds; or a function of the number of the round and of the seat that starts it (None where the deal
        itself decides that).
        """
        self._begin(book, names, seed)
        self._deals = _supply(deals)
        self.next_round()

    @classmethod
    def resume(cls, record: Record, *, deals: Deals | None = None) -> Match:
        """Play on from a record, in the middle of a round too.

        The rounds to come are dealt from ``deals``, or else from the record's seed, or else from a fresh one.
        """
        match = record.replay()
        match._deals = _supply(deals)
        return match

    def _begin(self, book: Rulebook, names: Sequence[str], seed: int | str | None) -> None:
        check_players(book, len(names))
        _check_names(names)
        if seed is not None:
            check_seed(seed)
        self.book = book
        self.names = tuple(names)
        self.seed = seed
        self._rounds: list[Round] = []
        self._fair: list[Fair | None] = []
        self._deals = None

    # ---- Where it stands -----------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many seats play."""
        return len(self.names)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds so far, this one too. Those before it are over: leave them as they are."""
        return tuple(self._rounds)

    @property
    def fair(self) -> tuple[Fair | None, ...]:
        """What each round's deal was made from, where it was a fair one."""
        return tuple(self._fair)

    @property
    def round(self) -> Round:
        """The round that is played, or that was played last."""
        return self._rounds[-1]

    @property
    def number(self) -> int:
        """The number of this round, from 1."""
        return len(self._rounds)

    @property
    def over(self) -> bool:
        """Whether the last round has ended."""
        return self.number == self.book.rounds and self.round.turn is None

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat in the rounds that have ended."""
        return self.standing.points

    @property
    def money(self) -> tuple[int, ...]:
        """What each seat has won or paid in the rounds that have ended, in cents."""
        return self.standing.cents

    @property
    def pot(self) -> int:
        """What lies in the pot now, in cents."""
        return self.round.pot_now

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats that have won, None until the match is over."""
        return self.leading if self.over else None

    @property
    def leading(self) -> tuple[int, ...]:
        """The seats that would win if the match ended with the rounds that have ended."""
        return self.standing.leading(self.book)

    @property
    def standing(self) -> Standing:
        """What the rounds that have ended have brought each seat."""
        standing = Standing.first(self.book.rounds, self.players)
        for outcome in self.outcomes():
            standing = standing.after(outcome.points, outcome.cents)
        return standing

    def outcomes(self) -> list[Outcome]:
        """How each round that has ended ended."""
        return [outcome for round in self._rounds if (outcome := round.outcome()) is not None]

    def __repr__(self) -> str:
        names = ", ".join(self.names)
        return f"<Match {self.book.id}, round {self.number} of {self.book.rounds}, {names}>"

    # ---- Dealing -------------------------------------------------------------------------------

    def next_round(self, deal: Dealt | None = None) -> Round:
        """Deal the next round; ``deal`` is used in place of the one that would come next."""
        if self._rounds:
            turn = self.round.turn
            if turn is not None:
                raise StationmasterError(f"round {self.number} still runs: it is the turn of {self.names[turn]}")
            if self.over:
                raise StationmasterError(f"the match is over: round {self.number} was the last")
        number = self.number + 1
        starter = next_starter(self.book, self.players, self.round.deal if self._rounds else None)
        if deal is None and self._deals is not None:
            deal = self._deals(number, starter)
        if deal is None:
            if self.seed is None:
                self.seed = os.urandom(16).hex()
            shuffled = Deal.shuffle(self.book, self.players, number, seed=self.seed, starter=starter)
            return self._add(shuffled, None)
        if isinstance(deal, Fair):
            return self._add(deal.deal(self.book, self.players, number, starter=starter), deal)
        check_deal(deal, self.book, self.players, number, starter=starter)
        return self._add(deal, None)

    def _add(self, deal: Deal, fair: Fair | None) -> Round:
        pot = self.pot if self._rounds else 0
        round = Round(self.book, deal, pot=pot, last=self.number + 1 == self.book.rounds, standing=self.standing)
        self._rounds.append(round)
        self._fair.append(fair)
        return round

    # ---- Its record ----------------------------------------------------------------------------

    def record(self) -> Record:
        """Everything about the match so far, the hidden tiles too."""
        from stationmaster.match.record import Record

        return Record.of(self)


def _supply(deals: Deals | None) -> Callable[[int, int | None], Dealt] | None:
    if deals is None or callable(deals):
        return deals
    supply: Iterator[Dealt] = iter(deals)

    def next_deal(number: int, starter: int | None) -> Dealt:
        for deal in supply:
            return deal
        raise DealError(f"no deal for round {number}: those given are used up")

    return next_deal


def _check_names(names: Sequence[object]) -> None:
    if isinstance(names, str):
        raise StationmasterError(f"names = {names!r}: a list of names is needed, one for each seat")
    for seat, name in enumerate(names):
        if not isinstance(name, str) or not is_plain(name):
            raise StationmasterError(
                f"seat {seat} is called {name!r}: a name is one line of text, not empty, without control characters"
            )


def is_plain(text: str) -> bool:
    """One line that can be shown in a terminal and written to a file."""
    if not text.strip() or text.splitlines() != [text]:
        return False
    return not any(ord(sign) < 32 or 127 <= ord(sign) < 160 or 0xD800 <= ord(sign) < 0xE000 for sign in text)
