"""The process in which bots think for the tables of a server: a question comes in, an answer goes out.

``thinkers.py`` starts it, watches over it and replaces it. It ends by itself when nobody asks any more, also when
the server was killed. A question carries the whole observation, so it keeps nothing between two of them.
"""

from __future__ import annotations

import contextlib
import os
import sys
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from stationmaster.bots import bot
from stationmaster.bots.bot import Limit
from stationmaster.bots.levels import ADVISER, LEVELS, THINKING
from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.observation import Observation
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import Tile, end_text
from stationmaster.planner.line_up import line_up
from stationmaster.rulebooks.rulebook import rulebook
from stationmaster.words import DEFAULT, LANGUAGES, catalogue

if TYPE_CHECKING:
    from typing import BinaryIO

COURTESY = 10  # how far these processes stand back (nice) where the server itself needs the processor
READY = b"ready"


# ---- Questions and answers -------------------------------------------------------------------------


class Question(msgspec.Struct, frozen=True):
    """What a seat may want to know, and all that it takes to answer."""

    wanted: Literal["move", "hint", "line-up"]
    observation: Observation
    level: str = ADVISER
    seed: int = 0
    limit: Limit = THINKING
    language: str = DEFAULT


class Chosen(msgspec.Struct, frozen=True, tag="move", tag_field="answer"):
    """The move that a bot makes."""

    move: str


class Option(msgspec.Struct, frozen=True):
    """A move that was thought about, and what it is worth beside the best: 0 or less, in points a round."""

    move: str
    worth: float


class Hint(msgspec.Struct, frozen=True, tag="hint", tag_field="answer"):
    """What a player might do, why, and what else was thought about, the best first."""

    move: str
    why: str
    options: tuple[Option, ...]


class Spare(msgspec.Struct, frozen=True):
    """A tile that is not in the planned train, and where it could go now."""

    tile: str
    moves: tuple[str, ...]


class LinedUp(msgspec.Struct, frozen=True, tag="line-up", tag_field="answer"):
    """A hand lined up: the planned train with what each of its tiles shows once it lies, and the extras."""

    end: str  # what the own train shows now
    train: tuple[str, ...]
    shows: tuple[str, ...]
    pips: int
    proven: bool  # no train from here is better
    extras: tuple[Spare, ...]


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="answer"):
    """That there is no answer, and what went wrong."""

    error: str


Answer = Chosen | Hint | LinedUp | Failed


def _number(value: Any) -> int:
    """Tiles and moves travel as their numbers: there is one object of each."""
    code: int = value.code
    return code


def _of_number(kind: type[Tile | Move], number: int) -> Tile | Move:
    return kind.from_code(number)


to_bytes = msgspec.msgpack.Encoder(enc_hook=_number).encode
to_question = msgspec.msgpack.Decoder(Question, dec_hook=_of_number).decode


# ---- Thinking --------------------------------------------------------------------------------------


def answer(question: Question) -> Answer:
    """What the seat wanted to know. The same question gets the same answer, unless its limit is one of seconds."""
    seen = question.observation
    if question.wanted == "line-up":
        return lined_up(seen)
    advice = bot(question.level).consider(seen, question.limit, Random(question.seed))
    if question.wanted == "move":
        return Chosen(str(advice.move))
    options = sorted(advice.values.items(), key=lambda option: (-option[1], option[0] != advice.move))
    return Hint(
        str(advice.move),
        advice.sentence(question.language),
        tuple(Option(str(move), round(worth, 2)) for move, worth in options),
    )


def lined_up(seen: Observation) -> LinedUp:
    """The hand of the seat lined up, as it can be sent."""
    found = line_up(seen)
    return LinedUp(
        end_text(found.end),
        tuple(map(str, found.train.tiles)),
        tuple(map(end_text, found.train.ends)),
        found.train.pips,
        found.train.proven,
        tuple(Spare(str(extra.tile), tuple(map(str, extra.moves))) for extra in found.extras),
    )


def warm_up() -> None:
    """Do once what takes long only once: load the bots and the words, and think a first time."""
    book = rulebook("tactic")
    seen = Round(book, Deal.shuffle(book, players=2, number=1, seed=1)).observe(None)
    seen = Round(book, Deal.shuffle(book, players=2, number=1, seed=1)).observe(seen.turn)
    for language in LANGUAGES:
        catalogue(language)
    for level in LEVELS:
        answer(Question("hint", seen, level, limit=Limit(playouts=1)))
    lined_up(to_question(to_bytes(Question("line-up", seen))).observation)


# ---- The process -----------------------------------------------------------------------------------


def framed(data: bytes) -> bytes:
    """A message with its length before it."""
    return len(data).to_bytes(4, "big") + data


def serve(inbox: BinaryIO, outbox: BinaryIO) -> None:
    """Answer one question after the other, until there are no more."""

    def tell(data: bytes) -> None:
        outbox.write(framed(data))
        outbox.flush()

    tell(READY)
    while len(size := inbox.read(4)) == 4:
        try:
            found = answer(to_question(inbox.read(int.from_bytes(size, "big"))))
        except Exception as error:  # whatever goes wrong in here is told, and the next question is answered
            found = Failed(f"{type(error).__name__}: {error}")
        tell(to_bytes(found))


def main() -> None:
    """Answer on the output what is asked on the input; what anybody prints goes to the errors."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    warm_up()
    with contextlib.suppress(BrokenPipeError):  # the server is gone
        serve(inbox, outbox)


if __name__ == "__main__":
    main()
