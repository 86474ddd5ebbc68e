"""What happens at the table, one small fact at a time.

Every move yields a tuple of events. ``event.seen_by(seat)`` is what that seat may know of it: only a drawn
tile is hidden, from everybody but the one who drew it. ``event.sentence()`` says it in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from stationmaster.words import DEFAULT, listing, money, say


def player_name(seat: int, names: Sequence[str] | None, language: str) -> str:
    """What a seat is called."""
    return names[seat] if names is not None else say("player.unnamed", language, number=seat + 1)


def train_name(train: int | str, names: Sequence[str] | None, language: str, me: int | None = None) -> str:
    """What a train is called: "Ben's train", "the Mexican train"; for the one who sits at seat ``me`` "your train"."""
    if train == "M":
        return say("train.mexican", language)
    if me is not None and train == me:
        return say("train.own", language)
    return say("train.of", language, name=player_name(int(train), names, language))


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that happened at the table."""

    def seen_by(self, seat: int | None) -> Event:
        """What a seat may know of it; None is a spectator."""
        return self

    def sentence(self, language: str = DEFAULT, names: Sequence[str] | None = None) -> str:
        """The event in words."""
        return say(f"event.{self.__struct_config__.tag}", language, **self._values(language, names))

    def _values(self, language: str, names: Sequence[str] | None) -> Mapping[str, Any]:
        values = msgspec.structs.asdict(self)
        if isinstance(values.get("seat"), int):
            values["name"] = player_name(values["seat"], names, language)
        if "train" in values:
            values["train"] = train_name(values["train"], names, language)
        return values


class Placed(Event, frozen=True, tag="placed"):
    """A tile was placed: ``move`` is the notation."""

    seat: int
    move: str
    tile: str
    train: int | str
    end: str  # what the train shows now


class Drew(Event, frozen=True, tag="drew"):
    """A tile was drawn; ``tile`` is None for everybody but the one who drew it (and in open hands)."""

    seat: int
    tile: str | None
    open: bool = False

    def seen_by(self, seat: int | None) -> Event:
        return self if self.open or seat == self.seat else Drew(self.seat, None)

    def sentence(self, language: str = DEFAULT, names: Sequence[str] | None = None) -> str:
        key = "event.drew-hidden" if self.tile is None else "event.drew"
        return say(key, language, **self._values(language, names))


class Passed(Event, frozen=True, tag="passed"):
    """A seat could neither play nor draw."""

    seat: int


class Paid(Event, frozen=True, tag="paid"):
    """A seat paid into the pot."""

    seat: int
    cents: int

    def _values(self, language: str, names: Sequence[str] | None) -> Mapping[str, Any]:
        return {**super()._values(language, names), "money": money(self.cents, language)}


class MarkerLaid(Event, frozen=True, tag="marker-laid"):
    """A seat laid its marker: its train is open to everybody."""

    seat: int


class MarkerTaken(Event, frozen=True, tag="marker-taken"):
    """A seat played on its own train and took its marker up."""

    seat: int


class TrainBegun(Event, frozen=True, tag="train-begun"):
    """A train has its first tile."""

    seat: int
    train: int | str


class DoubleCovered(Event, frozen=True, tag="double-covered"):
    """An exposed double was played on."""

    seat: int
    train: int | str


class DoubleLeftOpen(Event, frozen=True, tag="double-left-open"):
    """A turn ended with a double uncovered that binds everybody now."""

    seat: int
    train: int | str
    end: str


class DeadDouble(Event, frozen=True, tag="dead-double"):
    """A double was laid that no tile can cover any more: it binds nobody."""

    seat: int
    train: int | str
    end: str


class OneTileLeft(Event, frozen=True, tag="one-tile-left"):
    """A seat taps its last tile on the table."""

    seat: int


class WentOut(Event, frozen=True, tag="went-out"):
    """A seat placed its last tile on a first turn, and those who have not had theirs still take it."""

    seat: int


class Reversed(Event, frozen=True, tag="reversed"):
    """The direction of play has turned."""

    seat: int


class WillSkip(Event, frozen=True, tag="will-skip"):
    """The next seat is passed over."""

    seat: int


class WillDraw(Event, frozen=True, tag="will-draw"):
    """The next seat to play has to draw a tile first."""

    seat: int


class PlaysAgain(Event, frozen=True, tag="plays-again"):
    """A seat has one more play."""

    seat: int


class Stopped(Event, frozen=True, tag="stopped"):
    """A seat left its string of tiles as it is."""

    seat: int


class TurnEndedByItself(Event, frozen=True, tag="turn-ended-by-itself"):
    """Nothing more could be placed, so the turn ended."""

    seat: int


class TurnBegan(Event, frozen=True, tag="turn-began"):
    """It is this seat's turn."""

    seat: int


class RoundEnded(Event, frozen=True, tag="round-ended"):
    """The round is over; the hands are laid open."""

    ending: str
    points: list[int]
    cents: list[int]
    hands: list[list[str]]

    def sentence(self, language: str = DEFAULT, names: Sequence[str] | None = None) -> str:
        if self.ending == "blocked":
            return say("event.round-blocked", language)
        out = [player_name(seat, names, language) for seat, hand in enumerate(self.hands) if not hand]
        return say("event.round-out", language, name=listing(out, language))


AnyEvent = (
    Placed
    | Drew
    | Passed
    | Paid
    | MarkerLaid
    | MarkerTaken
    | TrainBegun
    | DoubleCovered
    | DoubleLeftOpen
    | DeadDouble
    | OneTileLeft
    | WentOut
    | Reversed
    | WillSkip
    | WillDraw
    | PlaysAgain
    | Stopped
    | TurnEndedByItself
    | TurnBegan
    | RoundEnded
)
