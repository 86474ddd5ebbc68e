"""What happens around the game, apart from the moves: the shape of every event that a table tells."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from stationmaster.rulebooks.rulebook import MOST_SEATS
from stationmaster.server.protocol import Hex

Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
TileText = Annotated[str, Meta(description='As "5-12"')]


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened around the game."""


class OfSeat(TableEvent, frozen=True, kw_only=True):
    """Something that happened to a seat, or that somebody there did."""

    seat: Seat
    name: str


class Created(TableEvent, frozen=True, tag="created"):
    """The table was laid."""


class Sat(OfSeat, frozen=True, tag="sat"):
    """A person took the seat."""


class BotSat(OfSeat, frozen=True, tag="bot-sat"):
    """A bot took the seat."""

    level: str


class Left(OfSeat, frozen=True, tag="left"):
    """Who sat there gave up the seat; in a match a bot plays on there."""


class Removed(OfSeat, frozen=True, tag="removed"):
    """The host took the seat from who sat there."""


class Renamed(TableEvent, frozen=True, kw_only=True, tag="renamed"):
    """A seat is called otherwise now."""

    seat: Seat
    old: str
    name: str


class Hosted(OfSeat, frozen=True, tag="hosted"):
    """Who sits there is the host now."""


class Locked(TableEvent, frozen=True, tag="locked"):
    """Nobody new can sit down."""


class Unlocked(TableEvent, frozen=True, tag="unlocked"):
    """Whoever is invited can sit down again."""


class HintsOn(TableEvent, frozen=True, tag="hints-on"):
    """Hints may be asked for."""


class HintsOff(TableEvent, frozen=True, tag="hints-off"):
    """Hints may not be asked for any more."""


class Muted(OfSeat, frozen=True, tag="muted"):
    """What is said from this seat is not told any more."""


class Unmuted(OfSeat, frozen=True, tag="unmuted"):
    """It is told again."""


class Paused(OfSeat, frozen=True, tag="paused"):
    """Clocks and bots stand still."""


class Resumed(OfSeat, frozen=True, tag="resumed"):
    """Play goes on."""


class Started(TableEvent, frozen=True, tag="started"):
    """The seats are set, and the match begins."""


class Promised(TableEvent, frozen=True, kw_only=True, tag="promised"):
    """The server has made its secret for the next deal. Send ``promise``."""

    round: int
    commitment: Hex


class Hashed(OfSeat, frozen=True, kw_only=True, tag="hashed"):
    """A seat has chosen its text for the deal."""

    hash: Hex


class Asked(TableEvent, frozen=True, kw_only=True, tag="asked"):
    """All have chosen, or time is up. Send ``text``."""

    round: int


class Texted(OfSeat, frozen=True, tag="texted"):
    """A seat has shown its text; it is told with the deal."""


class Dealt(TableEvent, frozen=True, kw_only=True, tag="dealt"):
    """A round is dealt; ``mine`` has the hand."""

    round: int
    engine: TileText
    starter: Seat
    hand_sizes: list[int]
    bone_pile_count: int
    pot: Annotated[int, Meta(description="In cents, as all money")]
    hands: Annotated[list[list[TileText] | None], Meta(description="Those that lie open to everybody")]
    texts: Annotated[list[str], Meta(description="By seat; empty for who showed none")]


class Shown(TableEvent, frozen=True, kw_only=True, tag="shown"):
    """A round has ended: its secret, and how the match stands."""

    round: int
    secret: Annotated[str, Meta(description="In hex")]
    commitment: Hex
    totals: list[int]
    money: list[int]
    pot: int
    leading: list[Seat]


class MatchOver(TableEvent, frozen=True, kw_only=True, tag="match-over"):
    """The match is over."""

    winners: list[Seat]


class ClockRanOut(OfSeat, frozen=True, tag="clock-ran-out"):
    """Time for a move is up, so a bot makes this one."""


class TakebackAsked(OfSeat, frozen=True, tag="takeback-asked"):
    """A seat would like to take its last move back."""


class TakebackAgreed(OfSeat, frozen=True, tag="takeback-agreed"):
    """A seat agrees to that."""


class TakebackRefused(OfSeat, frozen=True, tag="takeback-refused"):
    """A seat does not, so the move stays."""


class TakenBack(OfSeat, frozen=True, kw_only=True, tag="taken-back"):
    """The last moves are taken back. The step brings the whole view."""

    count: int


class Ready(OfSeat, frozen=True, tag="ready"):
    """A seat is ready for the next round."""


class Held(OfSeat, frozen=True, kw_only=True, tag="held"):
    """A bot plays for the owner of the seat, until the owner is back."""

    level: str


class Returned(OfSeat, frozen=True, tag="returned"):
    """The owner of the seat is back."""


class Rematch(OfSeat, frozen=True, kw_only=True, tag="rematch"):
    """A table for the same people once more is laid: who sits here has a seat there."""

    table: str
    code: str


class Closed(TableEvent, frozen=True, tag="closed"):
    """The table was closed by whoever runs the server."""


AnyTableEvent = (
    Created
    | Sat
    | BotSat
    | Left
    | Removed
    | Renamed
    | Hosted
    | Locked
    | Unlocked
    | HintsOn
    | HintsOff
    | Muted
    | Unmuted
    | Paused
    | Resumed
    | Started
    | Promised
    | Hashed
    | Asked
    | Texted
    | Dealt
    | Shown
    | MatchOver
    | ClockRanOut
    | TakebackAsked
    | TakebackAgreed
    | TakebackRefused
    | TakenBack
    | Ready
    | Held
    | Returned
    | Rematch
    | Closed
)
