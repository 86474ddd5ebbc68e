"""What goes over HTTP: the bodies that are taken and the answers that are given.

The documentation of the API is made of these, so a comment of a field stands in its ``Meta``.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stationmaster.rulebooks.rulebook import MOST_SEATS
from stationmaster.server.cleaning import LONGEST_GROUP

SHORTEST_CLOCK, LONGEST_CLOCK = 5, 86_400  # seconds for a move

Name = Annotated[str, Meta(min_length=1, max_length=100, description="A name; it is cleaned, and cut after 24 signs")]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS, description="Seats count from 0")]
Level = Annotated[str, Meta(max_length=40, description="A level, as `conductor`")]


class Taken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is taken is exactly what is described."""


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What is given may have more fields in a later version."""


# ---- Taken -----------------------------------------------------------------------------------------


class HouseRules(Taken, frozen=True, kw_only=True):
    """A printed rulebook with parameters changed."""

    rulebook: Annotated[str, Meta(max_length=60, description="The id of the printed rulebook")]
    changes: Annotated[dict[str, Any], Meta(description="Parameters and their values, as `rounds` and 5")] = {}
    name: Annotated[str, Meta(min_length=1, max_length=120)] | None = None


class NewTable(Taken, frozen=True, kw_only=True):
    """A table to lay."""

    name: Name
    rulebook: Annotated[str, Meta(max_length=60)] | HouseRules = "tactic"
    seats: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 4
    bots: Annotated[list[Level], Meta(max_length=MOST_SEATS, description="They take the last seats")] = []
    public: Annotated[bool, Meta(description="In the list of tables, for anybody to join")] = False
    clock: Annotated[
        int,
        Meta(description="Seconds for a move", extra_json_schema={"minimum": SHORTEST_CLOCK, "maximum": LONGEST_CLOCK}),
    ] | (None) = None
    pace: Annotated[float, Meta(ge=0, le=5, description="How long bots take: 0 not at all, 1 as people do")] = 1.0
    hints: bool = True
    watchers: bool = True
    day: Annotated[bool, Meta(description="With the deals of the day; the rulebook and the seats are the day's")] = (
        False
    )
    group: Annotated[
        str,
        Meta(min_length=1, max_length=LONGEST_GROUP, description="Tables of a group have the same deals; without a /"),
    ] | (None) = None


class Joining(Taken, frozen=True, kw_only=True):
    """Somebody who would like to sit down."""

    name: Name
    seat: Seat | None = None


class Adopting(Taken, frozen=True, kw_only=True):
    """The secret of a personal link."""

    secret: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


# ---- Given -----------------------------------------------------------------------------------------


class Trouble(Given, frozen=True, kw_only=True):
    """Why something was not done."""

    error: Annotated[str, Meta(description="A code, for programs")]
    sentence: Annotated[str, Meta(description="Why, in the language asked for")]
    field: Annotated[str, Meta(description="What of the body is wrong")] | UnsetType = UNSET


class Place(Given, frozen=True, kw_only=True):
    """A seat in a list of tables."""

    name: str
    level: Annotated[str, Meta(description="Of the bot that sits here")] | None = None
    taken: bool = False


class TableInfo(Given, frozen=True, kw_only=True):
    """What anybody who knows a table may know of it."""

    table: str
    code: Annotated[str, Meta(description="For invitations")]
    rulebook: str
    rulebook_name: str
    public: bool
    over: bool
    locked: bool
    started: bool
    round: Annotated[int, Meta(description="From 1; 0 before play")]
    rounds: int
    seats: list[Place]
    totals: Annotated[list[int], Meta(description="By seat, of the rounds that are over")]
    winners: list[int] | None
    group: str | None
    changed: Annotated[int, Meta(description="Milliseconds since 1970")]
    mine: Annotated[list[int], Meta(description="Your seats")]


class Tables(Given, frozen=True, kw_only=True):
    """A list of tables, the latest changed first."""

    tables: list[TableInfo]
    more: Annotated[int, Meta(description="Ask with `before` set to this for those that follow")] | None = None


class Made(Given, frozen=True, kw_only=True):
    """A table was laid."""

    table: str
    code: str
    link: Annotated[str, Meta(description="For those whom you invite")]
    seat: Annotated[int, Meta(description="Yours")] | None


class Sat(Given, frozen=True, kw_only=True):
    """Somebody sits down."""

    table: str
    seat: int


class Link(Given, frozen=True, kw_only=True):
    """What brings you to another device. Whoever has it plays as you."""

    link: str
    secret: str


class Score(Given, frozen=True, kw_only=True):
    """How somebody did by one rulebook."""

    rulebook: str
    rulebook_name: str
    matches: int
    wins: Annotated[float, Meta(description="A win that is shared by two counts a half to each")]
    rounds: int
    points_a_round: float | None


class Statistics(Given, frozen=True, kw_only=True):
    """How somebody did in all matches that are over."""

    matches: int
    wins: float
    rulebooks: list[Score]


class Printed(Given, frozen=True, kw_only=True):
    """A rulebook in a list."""

    id: str
    name: str
    players: list[int]
    rounds: int
    tiles: int


class RulebookList(Given, frozen=True, kw_only=True):
    """The printed rulebooks."""

    rulebooks: list[Printed]


class Section(Given, frozen=True, kw_only=True):
    """A part of the rules."""

    heading: str
    sentences: list[str]


class Differing(Given, frozen=True, kw_only=True):
    """Where two rulebooks differ."""

    parameter: str
    label: str
    here: str
    there: str
    clause_here: str
    clause_there: str


class RulebookInFull(Given, frozen=True, kw_only=True):
    """A rulebook in words, and parameter by parameter."""

    id: str
    name: str
    based_on: str | None
    players: list[int]
    parameters: dict[str, Any]
    sections: list[Section]
    than: Annotated[str, Meta(description="The rulebook that it is compared with")] | None
    differences: list[Differing]


class Day(Given, frozen=True, kw_only=True):
    """The deal of the day: the same for everybody."""

    day: Annotated[str, Meta(description="As 2026-11-19, by UTC")]
    group: str
    rulebook: str
    rulebook_name: str
    rounds: int
    seats: int


class Result(Given, frozen=True, kw_only=True):
    """How one seat of one table did against the others who had its tiles."""

    name: str
    level: str | None
    table: Annotated[str | None, Meta(description="Of public tables and of yours: others are by invitation")]
    seat: int
    total: int
    difference: Annotated[float, Meta(description="To the mean of this seat at all tables; above 0 is better")]
    mine: bool


class Results(Given, frozen=True, kw_only=True):
    """Who did best with the same deals; the best first."""

    group: str
    finished: Annotated[int, Meta(description="Tables that have played to the end")]
    playing: int
    results: list[Result]


class State(Given, frozen=True, kw_only=True):
    """Whether the server is well."""

    state: str
    version: str


class Person(Given, frozen=True, kw_only=True):
    """Whether this browser or program is somebody already."""

    known: bool


class InForce(Given, frozen=True, kw_only=True):
    """The limits, and how far they are used."""

    limits: dict[str, str]
    connections: int
    addresses: int


class AdminTables(Given, frozen=True, kw_only=True):
    """All tables, the latest changed first."""

    tables: list[TableInfo]
    more: int | None = None


class Closed(Given, frozen=True, kw_only=True):
    """A table was closed."""

    table: str


# ---- What a row says of its table ----------------------------------------------------------------------


class SeatSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat, for lists and statistics."""

    name: str
    holder: str | None = None
    level: str | None = None


class Summary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lists, results and statistics know of a table: the ``summary`` of its row."""

    rulebook: str  # the id
    rulebook_name: str
    rounds: int
    seats: list[SeatSummary]
    money: bool = False  # more is better, and totals are cents
    locked: bool = False
    started: bool = False
    round: int = 0
    played: int = 0  # rounds that are over
    totals: list[int] = []
    winners: list[int] | None = None
