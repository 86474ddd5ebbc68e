"""What a table tells its clients: the shape of every frame, and of every event in it.

What is told is put together in ``told.py`` and ``live.py`` as plain values, because most of it is told to all at once
and encoded once. The schema in docs/protocol is made of these classes, and the tests hold every frame of real matches
to them: nothing is told that stands not here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stationmaster.engine.events import AnyEvent
from stationmaster.rulebooks.rulebook import MOST_SEATS
from stationmaster.server.protocol import Command, Hex

Version = Annotated[int, Meta(ge=0, description="The steps of a table count from 1")]
At = Annotated[int, Meta(description="Milliseconds since 1970, by the server's clock")]
Seat = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
SeatText = Annotated[str, Meta(description="A seat, as a key", pattern="^[0-9]+$")]
TrainName = Annotated[int | str, Meta(description='The seat of its owner, or "M", the Mexican Train')]
TileText = Annotated[str, Meta(description='As "5-12"')]
MoveText = Annotated[str, Meta(description='As "12-5@0", "draw", "pass" or "stop"')]
Stage = Literal["seats", "deal", "play", "between", "over"]
Phase = Annotated[str, Meta(description='What the decision is about: "play", "follow-up", "string" …')]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A frame, or a part of one. A later version of the program may tell more: leave what you do not know."""


# ---- Events around the game --------------------------------------------------------------------------


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
    """The last moves are taken back. Who is connected gets a welcome in place of this step."""

    count: int


class Ready(OfSeat, frozen=True, tag="ready"):
    """A seat is ready for the next round."""


class Held(OfSeat, frozen=True, kw_only=True, tag="held"):
    """A bot plays for the owner of the seat, until the owner is back."""

    level: str


class Returned(OfSeat, frozen=True, tag="returned"):
    """The owner of the seat is back."""


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
    | Closed
)


# ---- The view ----------------------------------------------------------------------------------------


class SeatView(Frame, frozen=True, kw_only=True):
    """A seat, and who sits there."""

    name: str
    taken: bool
    level: Annotated[str | None, Meta(description="Of the bot that sits here")]
    held: Annotated[str | None, Meta(description="The level of the bot that plays for the owner, who is away")]
    muted: bool
    host: bool


class Mine(Frame, frozen=True, kw_only=True):
    """What only one seat may know."""

    hand: list[TileText] | UnsetType = UNSET
    drew: Annotated[TileText, Meta(description="A tile that came to the hand")] | UnsetType = UNSET
    legal: Annotated[list[MoveText], Meta(description="The legal moves, when the seat is to move")] | UnsetType = UNSET
    drawn: Annotated[TileText, Meta(description="The tile just drawn, when no other may be placed")] | UnsetType = UNSET


class Now(Frame, frozen=True, kw_only=True):
    """What is waited for. ``turn`` and what follows it are there when a seat is to move."""

    stage: Stage
    turn: Seat | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    open_doubles: Annotated[list[TrainName], Meta(description="That bind the seat to move")] | UnsetType = UNSET
    direction: Annotated[int, Meta(description="1 or -1")] | UnsetType = UNSET
    until: Annotated[int | None, Meta(description="When the time for the move is up")] | UnsetType = UNSET
    paused: Annotated[int, Meta(description="The seat that has paused the match")] | UnsetType = UNSET


class DealView(Frame, frozen=True, kw_only=True):
    """The deal that is being made."""

    round: int
    commitment: Hex
    hashed: dict[SeatText, Hex]
    asked: bool
    texted: list[Seat]


class ResultView(Frame, frozen=True, kw_only=True):
    """How a round ended."""

    ending: str
    points: list[int]
    cents: list[int]


class FairView(Frame, frozen=True, kw_only=True):
    """What the deal of a round was made of; the secret when the round is over."""

    commitment: Hex
    texts: list[str]
    secret: str | UnsetType = UNSET


class MatchView(Frame, frozen=True, kw_only=True):
    """How the match stands."""

    number: Annotated[int, Meta(description="Of the round that is played, from 1")]
    rounds: int
    totals: list[int]
    money: list[int]
    pot: int
    over: bool
    winners: list[Seat] | None
    leading: list[Seat]
    results: list[ResultView]
    deals: list[FairView]


class RoundView(Frame, frozen=True, kw_only=True):
    """What lies on the table for everybody to see."""

    engine: TileText
    starter: Seat
    trains: Annotated[dict[str, list[MoveText]], Meta(description='By seat, and under "M" the Mexican Train')]
    markers: list[Seat]
    hand_sizes: list[int]
    hands: list[list[TileText] | None]
    bone_pile_count: int
    moves: Annotated[int, Meta(description="How many there were")]
    last: Annotated[list[tuple[Seat, MoveText]], Meta(description="The last 24 moves")]


class TalkFrame(Frame, frozen=True, kw_only=True):
    """Somebody said something."""

    talk: Annotated[int, Meta(ge=1, description="What is said counts from 1")]
    at: At
    seat: Seat
    name: str
    say: str | UnsetType = UNSET
    react: str | UnsetType = UNSET


class View(Now, frozen=True, kw_only=True):
    """Everything that somebody may see of a table."""

    table: str
    code: str
    rulebook: Annotated[dict[str, Any], Meta(description="Every parameter")]
    you: Annotated[list[Seat], Meta(description="The seats that you hold")]
    seats: list[SeatView]
    present: Annotated[list[Seat], Meta(description="The seats whose owners are here")]
    public: bool
    clock: Annotated[int | None, Meta(description="Seconds for a move")]
    hints: bool
    watchers: bool
    locked: bool
    closed: bool
    after: Annotated[str | None, Meta(description="The table that this is the rematch of")]
    group: str | None
    ready: list[Seat]
    takeback: Annotated[int | None, Meta(description="The seat that asks to take a move back")]
    takeback_agreed: list[Seat]
    deal: DealView | UnsetType = UNSET
    match: MatchView | UnsetType = UNSET
    round: RoundView | UnsetType = UNSET
    mine: dict[SeatText, Mine] | UnsetType = UNSET
    talk: list[TalkFrame]


# ---- Frames ------------------------------------------------------------------------------------------


class Welcome(Frame, frozen=True, kw_only=True):
    """The whole view: the first frame of a connection, and whenever so much is otherwise that all is told anew."""

    welcome: View
    version: Version
    at: At


class Step(Now, frozen=True, kw_only=True):
    """What happened, in one step."""

    version: Version
    at: At
    events: list[AnyTableEvent | AnyEvent]
    seats: Annotated[list[SeatView], Meta(description="All of them, when one is otherwise")] | UnsetType = UNSET
    you: Annotated[list[Seat], Meta(description="With ``seats``: those that you hold")] | UnsetType = UNSET
    mine: Annotated[dict[SeatText, Mine], Meta(description="By seat that you hold")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="Of your command that this is the answer to")] | UnsetType = UNSET


class Done(Frame, frozen=True, kw_only=True):
    """The command with this id was done, at this version."""

    ok: str
    version: Version


class ReasonView(Frame, frozen=True, kw_only=True):
    """Why a move is not legal."""

    code: str
    clause: Annotated[str, Meta(description="The clause of the rulebook that it rests on")]
    move: MoveText
    train: TrainName | None
    end: int | None
    example: Annotated[str | None, Meta(description="A move that is legal")]
    clause_text: str


class Refused(Frame, frozen=True, kw_only=True):
    """Something was not done."""

    error: Annotated[str, Meta(description="A code, for programs")]
    sentence: Annotated[str, Meta(description="Why, and what to do, in the language asked for")]
    version: Version | UnsetType = UNSET
    id: str | UnsetType = UNSET
    reason: ReasonView | UnsetType = UNSET
    what: Annotated[str, Meta(description="What of the frame is wrong, for programmers")] | UnsetType = UNSET


class Present(Frame, frozen=True, kw_only=True):
    """The seats whose owners are here."""

    present: list[Seat]


class Caught(Frame, frozen=True, kw_only=True):
    """All that was missed has been told."""

    resumed: Version
    you: list[Seat]
    talk: list[TalkFrame]


class OptionView(Frame, frozen=True, kw_only=True):
    """A move that was thought about."""

    move: MoveText
    worth: Annotated[float, Meta(description="Beside the best: 0 or less, in points a round")]


class HintView(Frame, frozen=True, kw_only=True, tag="hint", tag_field="answer"):
    """What might be played, and why."""

    move: MoveText
    why: str
    options: list[OptionView]


class SpareView(Frame, frozen=True, kw_only=True):
    """A tile that is not in the planned train, and where it could go now."""

    tile: TileText
    moves: list[MoveText]


class LineUpView(Frame, frozen=True, kw_only=True, tag="line-up", tag_field="answer"):
    """The planned train, and the extras."""

    end: Annotated[str, Meta(description="What the own train shows now")]
    train: list[TileText]
    shows: Annotated[list[str], Meta(description="What each tile shows once it lies")]
    pips: int
    proven: Annotated[bool, Meta(description="No train from here is better")]
    extras: list[SpareView]


class Answer(Frame, frozen=True, kw_only=True, rename={"line_up": "line-up"}):
    """The answer to a question; its id is ``answer``."""

    answer: str
    version: Version
    hint: HintView | UnsetType = UNSET
    line_up: LineUpView | UnsetType = UNSET
    legal: Annotated[bool, Meta(description="To ``why``: this move is legal")] | UnsetType = UNSET


class Goodbye(Frame, frozen=True, kw_only=True):
    """The server stops; try again after ``come_back`` seconds."""

    goodbye: Literal["restart"]
    come_back: int


FRAMES: dict[str, type[Frame]] = {  # by the key that no other frame has
    "welcome": Welcome,
    "events": Step,
    "ok": Done,
    "error": Refused,
    "talk": TalkFrame,
    "present": Present,
    "resumed": Caught,
    "answer": Answer,
    "goodbye": Goodbye,
}


def kind_of(frame: dict[str, Any]) -> str:
    """Which frame it is; ``talk`` stands in ``resumed`` too."""
    if "resumed" in frame:
        return "resumed"
    return next(kind for kind in FRAMES if kind in frame)


# ---- Schemas -----------------------------------------------------------------------------------------

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def client_schema() -> dict[str, Any]:
    """What clients send, as JSON Schema."""
    from stationmaster.server.protocol import VERBS

    [command], parts = msgspec.json.schema_components([Command], ref_template="#/$defs/{name}")
    parts["Command"]["oneOf"] = [{"required": [verb]} for verb in VERBS]
    for verb in VERBS:  # null is the same as nothing, and nobody needs to send it
        _without_null(parts["Command"]["properties"], verb)
    _without_null(parts["Command"]["properties"], "seat")
    return {"$schema": DIALECT, "title": "Frames from a client to a table", **command, "$defs": parts}


def server_schema() -> dict[str, Any]:
    """What a server sends, as JSON Schema."""
    frames, parts = msgspec.json.schema_components(FRAMES.values(), ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "Frames from a table to a client", "anyOf": list(frames), "$defs": parts}


def _without_null(properties: dict[str, Any], name: str) -> None:
    known = properties[name]
    known.pop("default", None)
    kinds = [kind for kind in known.pop("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) == 1:
        properties[name] = {**kinds[0], **known}
    elif kinds:
        known["anyOf"] = kinds
