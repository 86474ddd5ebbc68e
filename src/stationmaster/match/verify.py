"""A record looked at round by round: what holds, what does not, and where each deal came from.

``replay`` refuses the first thing that does not hold. Here the deal of every round is looked at for itself,
so that a fair deal is known as fair whatever became of another round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import msgspec

from stationmaster.engine.deal import Deal, turned_tiles
from stationmaster.errors import StationmasterError
from stationmaster.match.deals import next_starter, not_from_seed
from stationmaster.match.fair import Fair, check_starter, check_tiles
from stationmaster.match.replay import deal_of, replay_as_far_as_it_holds

if TYPE_CHECKING:
    from stationmaster.errors import RecordError
    from stationmaster.match.match import Match
    from stationmaster.match.record import Record, RoundRecord

Source = Literal["fair", "seed", "given"]
Text = Literal["promised", "unpromised", "withheld", "none"]
Check = Literal["secret", "texts", "tiles", "starter", "moves"]


class RoundFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one round."""

    number: int
    source: Source | None  # what the deal came from; None when the round could not be looked at
    holds: tuple[Check, ...]  # what was looked at and is as the record says
    faults: tuple[str, ...]  # what is not, in words
    texts: tuple[Text, ...]  # by seat: shown as promised, shown without its hash in the record, not shown, none
    turned: tuple[tuple[tuple[int, str], ...], ...]  # the tiles turned for the start, as (seat, tile)
    drawn: bool  # nobody held a double, so the engine was drawn
    over: bool

    @property
    def fair(self) -> bool:
        """Whether the deal follows from a promised secret and at least one player's text."""
        added = any(text in ("promised", "unpromised") for text in self.texts)
        return added and {"secret", "texts", "tiles", "starter"} <= set(self.holds)


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of a record."""

    match: Match  # as far as it can be played again
    rounds: tuple[RoundFinding, ...]
    faults: tuple[str, ...]  # of the match as a whole, as its totals

    @property
    def fine(self) -> bool:
        """Whether everything holds that the record says."""
        return not self.faults and not any(round.faults for round in self.rounds)


def verify(record: Record) -> Findings:
    """Look at everything that a record says.

    A record of which not even the first deal can be read and played from is refused as ``replay`` refuses it.
    """
    match, fault = replay_as_far_as_it_holds(
        msgspec.structs.replace(record, rounds=tuple(msgspec.structs.replace(one, fair=None) for one in record.rounds))
    )
    strange = not_from_seed(match)
    rounds: list[RoundFinding] = []
    last: Deal | None = None
    for number, entry in enumerate(record.rounds, 1):
        look = _Look(match, number, entry, last)
        if entry.fair is not None:
            look.at_fair_deal(entry.fair)
        elif number <= match.number:
            look.source = "given" if match.seed is None or number in strange else "seed"
        look.at_moves(fault)
        rounds.append(look.finding())
        last = look.deal
    return Findings(
        match=match,
        rounds=tuple(rounds),
        faults=(str(fault),) if fault is not None and fault.round is None else (),
    )


class _Look:
    """One round while it is looked at."""

    def __init__(self, match: Match, number: int, entry: RoundRecord, last: Deal | None) -> None:
        self.match, self.number, self.entry = match, number, entry
        self.first = number == 1
        self.starter = next_starter(match.book, match.players, last)
        self.source: Source | None = None
        self.holds: list[Check] = []
        self.faults: list[str] = []
        self.texts: tuple[Text, ...] = ()
        self.turned: tuple[tuple[tuple[int, str], ...], ...] = ()
        self.deal: Deal | None = None
        try:
            self.deal = deal_of(entry)
        except StationmasterError as error:
            self.faults.append(str(error))

    def check(self, name: Check, refuse: Callable[[], object]) -> None:
        """Note whether something holds."""
        try:
            refuse()
        except StationmasterError as error:
            self.faults.append(str(error))
        else:
            self.holds.append(name)

    def at_fair_deal(self, fair: Fair) -> None:
        """Secret, texts, tiles and starter, each for itself."""
        match, number, deal = self.match, self.number, self.deal
        self.source = "fair"
        self.texts = _texts(fair, match.players)
        self.check("secret", fair.check_secret)
        self.check("texts", lambda: fair.check_texts(match.players))
        if deal is None or len(deal.hands) != match.players:
            return
        try:
            right = fair.follow(match.book, match.players, number, starter=self.starter)
        except StationmasterError as error:
            if str(error) not in self.faults:
                self.faults.append(str(error))
            return
        self.check("tiles", lambda: check_tiles(deal, right))
        self.check("starter", lambda: check_starter(deal, right))
        if match.book.starter == "turned-tile" and self.first:
            turns = turned_tiles(match.book, match.players, fair.secret_bytes(), fair.texts)
            self.turned = tuple(tuple((seat, str(tile)) for seat, tile in turn) for turn in turns)

    def at_moves(self, fault: RecordError | None) -> None:
        """Whether the round could be played again, up to its result."""
        if fault is not None and fault.round == self.number:
            what = str(fault).removeprefix(f"round {self.number}: ")
            if what not in self.faults:
                self.faults.append(what)
        elif self.number <= self.match.number:
            self.holds.append("moves")

    def finding(self) -> RoundFinding:
        """What was found."""
        match, deal = self.match, self.deal
        drawn = False
        if deal is not None and match.book.engine == "highest-held":
            drawn = sum(map(len, deal.hands)) >= match.players * match.book.deal[match.players]
        return RoundFinding(
            number=self.number,
            source=self.source,
            holds=tuple(self.holds),
            faults=tuple(self.faults),
            texts=self.texts,
            turned=self.turned,
            drawn=drawn,
            over=self.entry.ending is not None,
        )


def _texts(fair: Fair, players: int) -> tuple[Text, ...]:
    """What became of each seat's text; () where they do not stand one for each seat."""
    if len(fair.texts) != players or (fair.hashes and len(fair.hashes) != players):
        return ()
    hashes = fair.hashes or (None,) * players
    return tuple(
        ("promised" if promised else "unpromised") if text else ("withheld" if promised else "none")
        for text, promised in zip(fair.texts, hashes, strict=True)
    )
