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
from stationmaster.server.happenings import AnyTableEvent, Seat, TileText
from stationmaster.server.protocol import Hex

Version = Annotated[int, Meta(ge=0, description="The steps of a table count from 1")]
At = Annotated[int, Meta(description="Milliseconds since 1970, by the server's clock")]
SeatText = Annotated[str, Meta(description="A seat, as a key", pattern="^[0-9]+$")]
TrainName = Annotated[int | str, Meta(description='The seat of its owner, or "M", the Mexican Train')]
MoveText = Annotated[str, Meta(description='As "12-5@0", "draw", "pass" or "stop"')]
Stage = Literal["seats", "deal", "play", "between", "over"]
Phase = Annotated[str, Meta(description='What the decision is about: "play", "follow-up", "string" …')]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A frame, or a part of one. A later version of the program may tell more: leave what you do not know."""


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


class Rematch(Frame, frozen=True, kw_only=True):
    """Where the same people play once more."""

    table: str
    code: str


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
    rematch: Annotated[Rematch | None, Meta(description="The table of the rematch, when there is one")]
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
    welcome: (
        Annotated[View, Meta(description="The whole view, where a step changes so much that all is told anew")]
        | UnsetType
    ) = UNSET
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


FRAMES: dict[str, type[Frame]] = {  # by the first of these keys that they have
    "events": Step,
    "welcome": Welcome,
    "ok": Done,
    "error": Refused,
    "talk": TalkFrame,
    "present": Present,
    "resumed": Caught,
    "answer": Answer,
    "goodbye": Goodbye,
}


def kind_of(frame: dict[str, Any]) -> str:
    """Which frame it is; ``talk`` stands in ``resumed`` too, and a step may bring a welcome."""
    if "resumed" in frame:
        return "resumed"
    return next(kind for kind in FRAMES if kind in frame)
