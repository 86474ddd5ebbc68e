"""What is stored of a table: entries, a few of them in each step.

A table is nothing but its steps, one after the other: whoever applies them from the first has the table (see
``table.py``). An entry says what was decided, not what followed from it: the deal follows from the secret and the
texts, the end of a round from its last move. Entries are kept for ever, so a kind of entry never changes its meaning;
a field that is added has a default.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Entry(msgspec.Struct, frozen=True, tag_field="entry", tag=str.lower, omit_defaults=True):
    """Something that was decided at a table."""


class Created(Entry, frozen=True, kw_only=True):
    """Somebody laid a table."""

    rulebook: dict[str, Any]  # every parameter
    seats: int
    host: str  # the holder
    code: str  # for invitations
    public: bool = False
    clock: int | None = None  # seconds for a move
    pace: float = 1.0  # how long bots take: 0 not at all, 1 as people do
    hints: bool = True
    watchers: bool = True
    group: str | None = None  # tables with the same deals
    after: str | None = None  # the table that this one is the rematch of
    removed: tuple[str, ...] = ()  # holders whom the host took from that table
    silenced: tuple[str, ...] = ()  # and those who were muted there


class Sat(Entry, frozen=True):
    """A person or a bot took a seat."""

    seat: int
    name: str
    holder: str | None = None
    level: str | None = None  # of a bot


class Left(Entry, frozen=True):
    """Somebody gave up a seat; in a match a bot plays on there."""

    seat: int


class Removed(Entry, frozen=True):
    """The host took a seat from somebody."""

    seat: int


class Named(Entry, frozen=True):
    """A seat is called otherwise now."""

    seat: int
    name: str


class Hosted(Entry, frozen=True):
    """Somebody else is the host."""

    seat: int


class Locked(Entry, frozen=True):
    """Nobody may join any more, or they may again."""

    on: bool


class Hints(Entry, frozen=True):
    """Hints may be asked for, or not any more."""

    on: bool


class Muted(Entry, frozen=True):
    """What somebody says is not told any more, or it is again."""

    seat: int
    on: bool


class Paused(Entry, frozen=True):
    """Clocks and bots stand still."""

    seat: int


class Resumed(Entry, frozen=True):
    """Play goes on."""

    seat: int


class Started(Entry, frozen=True):
    """The seats are set, and the match begins."""


class Promised(Entry, frozen=True):
    """The server has made a secret for the next deal, and shows its SHA-256."""

    round: int
    commitment: str
    secret: str  # in hex; told when the round has ended


class Hashed(Entry, frozen=True):
    """A seat has chosen its text for the deal, and shows its SHA-256."""

    seat: int
    hash: str


class Asked(Entry, frozen=True):
    """All have chosen, or time is up: the texts may be shown now."""


class Texted(Entry, frozen=True):
    """A seat shows its text."""

    seat: int
    text: str


class Dealt(Entry, frozen=True):
    """The tiles are dealt, from the secret and the texts that are there."""


class Moved(Entry, frozen=True):
    """A move of the seat whose turn it is."""

    move: str
    by: str = ""  # "bot": a bot made it; "clock": the clock ran out, and a bot made it


class BackAsked(Entry, frozen=True, tag="back-asked"):
    """A seat would like to take its last move back."""

    seat: int


class BackAgreed(Entry, frozen=True, tag="back-agreed"):
    """A seat agrees to that."""

    seat: int


class BackRefused(Entry, frozen=True, tag="back-refused"):
    """A seat does not, or who asked thought better of it."""

    seat: int


class TakenBack(Entry, frozen=True, tag="taken-back"):
    """The last moves are taken back: the record keeps only those that stand."""

    count: int


class Ready(Entry, frozen=True):
    """A seat has seen how the round ended."""

    seat: int


class Held(Entry, frozen=True):
    """A bot plays for somebody who is away, until the owner is back."""

    seat: int
    level: str
    by: str = ""  # "clock": the clock ran out twice


class Returned(Entry, frozen=True):
    """The owner of a seat is back."""

    seat: int


class Rematch(Entry, frozen=True):
    """A table for the same people once more was laid; who was at this seat asked for it."""

    seat: int
    table: str
    code: str


class Closed(Entry, frozen=True):
    """The table was closed by whoever runs the server."""


AnyEntry = (
    Created
    | Sat
    | Left
    | Removed
    | Named
    | Hosted
    | Locked
    | Hints
    | Muted
    | Paused
    | Resumed
    | Started
    | Promised
    | Hashed
    | Asked
    | Texted
    | Dealt
    | Moved
    | BackAsked
    | BackAgreed
    | BackRefused
    | TakenBack
    | Ready
    | Held
    | Returned
    | Rematch
    | Closed
)


class StepData(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of a step: the entries, and whose command they answer."""

    entries: list[AnyEntry]
    by: str | None = None  # the holder
    id: str | None = None  # of the command


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(StepData)


def encode(data: StepData) -> bytes:
    """As it is stored."""
    return _encoder.encode(data)


def decode(data: bytes) -> StepData:
    """From what is stored."""
    return _decoder.decode(data)
