"""What a bot is: something that looks at an observation and advises a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

import msgspec

from stationmaster.engine.moves import Move
from stationmaster.engine.observation import Observation
from stationmaster.errors import StationmasterError
from stationmaster.words import DEFAULT, catalogue, say

if TYPE_CHECKING:
    from random import Random


class Limit(msgspec.Struct, frozen=True):
    """How long a bot may think: so many seconds, or so many rounds played out (exactly repeatable)."""

    seconds: float | None = None
    playouts: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "playouts"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} = {value!r}: more than 0, or None for no limit")


class Advice(msgspec.Struct, frozen=True):
    """The move a bot would make, what it holds each move to be worth, and why."""

    move: Move
    values: Mapping[Move, float] = {}  # more is better; in points a round, less what the best move brings
    why: str = ""  # a sentence of its own, or a key in words, as ``bot.why.random``
    places: Mapping[str, object] = {}  # what the sentence with this key fills in

    def sentence(self, language: str = DEFAULT, name: Callable[[Move], str] = str) -> str:
        """Why, in words; empty where the bot does not say. ``name`` says what a move is called, if not its notation."""
        if self.why not in catalogue(language):
            return self.why
        places = {key: name(one) if isinstance(one, Move) else one for key, one in self.places.items()}
        return say(self.why, language, **places)


def choices(observation: Observation) -> tuple[Move, ...]:
    """The moves that the seat may choose from; an error where it has nothing to choose."""
    if observation.legal_moves:
        return observation.legal_moves
    key = "over" if observation.turn is None else "spectator" if observation.seat is None else "turn"
    raise StationmasterError(say(f"bot.no-choice.{key}", seat=observation.seat, turn=observation.turn))


class Bot(ABC):
    """A player made of code. It never sees a round, only what its seat has seen.

    A bot keeps nothing between moves: the same observation, limit and random numbers give the same advice.
    """

    id: ClassVar[str]
    policy: ClassVar[int | None] = None  # what the core calls this way of playing in its own playouts, if it knows it

    @abstractmethod
    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """The move to make for the seat whose turn it is, and what there is to say for it."""

    def choose(self, observation: Observation, limit: Limit, rng: Random) -> Move:
        """The move to make."""
        return self.consider(observation, limit, rng).move
