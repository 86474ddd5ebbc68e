"""What clients say to a table: one verb a frame, with the version they know and an id of their own.

``docs/protocol.md`` tells it in full; the schemas there are made from these classes.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec

from stationmaster.server.cleaning import LONGEST_SAID
from stationmaster.server.refusal import Refusal

LARGEST_FRAME = 4096  # bytes; the largest that makes sense is a chat line
LONGEST_ID = 64
LONGEST_TEXT = 200  # characters of a text for the deal
REACTIONS = ("clap", "laugh", "wow", "oops", "thanks", "train", "heart", "thinking")

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=13)]


class SitAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A further seat, played from the same device."""

    name: str
    seat: SeatNumber | None = None


class BotAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot for a seat; ``level`` None: none any more."""

    seat: SeatNumber
    level: str | None


class SwitchAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that can be on or off for a seat."""

    seat: SeatNumber
    on: bool


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A frame from a client. Exactly one of the verbs is given."""

    version: Annotated[int, msgspec.Meta(ge=0)]  # the last that the client has seen
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID)]
    seat: SeatNumber | None = None  # for whom, where somebody holds several seats
    # In the game
    play: Annotated[str, msgspec.Meta(max_length=16)] | None = None
    promise: Hex | None = None  # SHA-256 of the text for the deal
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)] | None = None
    takeback: Literal["ask", "agree", "refuse"] | None = None
    next: Literal[True] | None = None  # ready for the next round
    # The own seat
    sit: SitAt | None = None
    leave: Literal[True] | None = None
    name: str | None = None
    back: Literal[True] | None = None
    # For the host
    start: Literal[True] | None = None
    bot: BotAt | None = None
    hold: BotAt | None = None
    remove: SeatNumber | None = None
    host: SeatNumber | None = None
    lock: bool | None = None
    hints: bool | None = None
    mute: SwitchAt | None = None
    pause: bool | None = None
    # Talk, and questions
    say: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_SAID)] | None = None
    react: Literal["clap", "laugh", "wow", "oops", "thanks", "train", "heart", "thinking"] | None = None
    ask: Literal["hint", "line-up", "view"] | None = None
    why: Annotated[str, msgspec.Meta(max_length=16)] | None = None

    @property
    def verb(self) -> str:
        """Which verb is given."""
        values = _verbs(self)
        if values.count(None) != len(VERBS) - 1:
            raise Refusal("unknown-verb", verbs=", ".join(VERBS))
        return next(name for name, value in zip(VERBS, values, strict=True) if value is not None)


VERBS = tuple(name for name in Command.__struct_fields__ if name not in ("version", "id", "seat"))
_verbs = attrgetter(*VERBS)
TALK = frozenset({"say", "react"})  # have a stream of their own, and no version
QUESTIONS = frozenset({"ask", "why"})  # change nothing

_NO_ID = ("missing required field `id`", "at `$.id`")  # how msgspec says it
_decoder = msgspec.json.Decoder(Command)
_encode = msgspec.json.Encoder().encode


class _Id(msgspec.Struct):
    id: Any = None


def size(frame: bytes | str) -> int:
    """How many bytes a frame had on its way."""
    return len(frame) if isinstance(frame, bytes) or frame.isascii() else len(frame.encode())


def read(frame: bytes | str) -> Command:
    """The command in a frame; refuses what is none."""
    if size(frame) > LARGEST_FRAME:
        raise Refusal("too-large", limit=LARGEST_FRAME)
    try:
        return _decoder.decode(frame)
    except msgspec.ValidationError as error:
        if str(error).endswith(_NO_ID):
            raise Refusal("bad-id", limit=LONGEST_ID) from None
        raise Refusal("bad-frame", what=str(error)[:200]) from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refusal("bad-frame", what=str(error)[:200]) from None


def id_of(frame: bytes | str) -> str | None:
    """The id of a frame that is not a command, so that the answer can be told from others."""
    if size(frame) > LARGEST_FRAME:
        return None
    try:
        id = msgspec.json.decode(frame, type=_Id).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return id if isinstance(id, str) and len(id) <= LONGEST_ID else None


def done(id: str, version: int) -> bytes:
    """A command that was done, at which version."""
    return b'{"ok":%s,"version":%d}' % (_encode(id), version)


def refused(refusal: Refusal, id: str | None, version: int, language: str, **more: Any) -> bytes:
    """A command that was not done, and why."""
    answer: dict[str, Any] = {"error": refusal.code, "sentence": refusal.sentence(language), "version": version}
    if id is not None:
        answer["id"] = id
    return _encode(answer | more)


def frame(**values: Any) -> bytes:
    """Any other frame."""
    return _encode(values)
