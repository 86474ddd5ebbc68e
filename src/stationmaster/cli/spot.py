"""A spot on the table as a TOML file: the trains, the markers, the hands and whose turn it is."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from stationmaster.engine.moves import Move, Train
from stationmaster.engine.position import Position
from stationmaster.errors import DealError, StationmasterError
from stationmaster.match.match import is_plain
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook, load_house_rules, rulebook, rulebooks

FORMAT = """\
The file of a spot is TOML. Only the engine and the hand of the player to move have to be there.

  rulebook = "tactic"               # or the file of a house rule, "ours.toml", beside this one
  names = ["Ann", "Ben", "Cleo"]    # in the order of their seats, which count from 0
  engine = "12-12"
  turn = 0                          # the seat to move; without it 0
  hands = [["5-7", "3-4"], [], []]  # partial hands will do; or { 0 = ["5-7", "3-4"] }
  markers = [1]                     # the seats whose trains have a marker
  bone_pile = 20                    # how many tiles, or which, the next one first; without it none
  players = 3                       # without it as many as there are names, or as are mentioned
  first_turns = []                  # seats yet to take their first turn; without it none, or on a bare table all
  direction = 1                     # 1 clockwise, -1 the other way round
  must_draw = false                 # whether D was played just before
  moves = ["5-7@0", "draw"]         # what to ask about; or move = "5-7@0"

  [trains]                          # the tiles as they lie, the end that joins first
  0 = ["12-5"]
  M = ["12-3", "3-3"]

A move is written as the end that joins, the end that shows, and the train: 5-7@0 joins its 5 to the train
of seat 0, 3-4@M plays on the Mexican Train. Other moves: draw, pass, stop.
"""

EXAMPLE = 'engine = "12-12", turn = 0, hands = [["5-7"], []]'


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spot as its file tells it."""

    engine: str
    hands: list[list[str]] | dict[int, list[str]]
    rulebook: str = "tactic"
    names: list[str] | None = None
    turn: int = 0
    trains: dict[str, list[str]] = {}
    markers: list[int] = []
    bone_pile: int | list[str] = []
    players: int | None = None
    first_turns: list[int] | None = None
    direction: int = 1
    must_draw: bool = False
    move: str | None = None
    moves: list[str] = []

    @property
    def asked(self) -> list[Move]:
        """The moves that the file asks about."""
        return [Move.parse(text) for text in ([] if self.move is None else [self.move]) + self.moves]

    def position(self, book: Rulebook) -> Position:
        """The spot under a rulebook."""
        for name in self.names or ():
            if not is_plain(name):
                raise DealError(f"names: {name!r} is not a name: one line of text, not empty")
        seats = len(self.names) if self.names is not None and self.players is None else self.players
        for seat in self.first_turns or ():
            if not 0 <= seat < MOST_SEATS:
                raise DealError(f"first_turns: {seat} is not a seat; seats count from 0")
        trains: dict[Train | str, list[str]] = dict(self.trains.items())
        position = Position(
            book,
            engine=self.engine,
            trains=trains,
            markers=self.markers,
            hands=self.hands,
            bone_pile=self.bone_pile,
            turn=self.turn,
            players=seats,
            direction=self.direction,
            first_turns=self.first_turns,
            must_draw=self.must_draw,
        )
        if self.names is not None and len(self.names) != position.players:
            raise DealError(f"names: {len(self.names)} names for {position.players} players")
        return position

    def known_hands(self, players: int) -> list[bool]:
        """The seats whose hands are given."""
        if isinstance(self.hands, dict):
            return [seat in self.hands for seat in range(players)]
        return [seat < len(self.hands) and bool(self.hands[seat]) for seat in range(players)]


def load_spot(path: Path) -> tuple[Spot, Rulebook]:
    """The spot in a file, and its rulebook."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StationmasterError(f"{path} is not a TOML file: {error}") from None
    try:
        spot = msgspec.convert(values, Spot, str_keys=True)
        return spot, _rulebook(spot.rulebook, path)
    except msgspec.ValidationError as error:
        raise StationmasterError(f"{path}: {_what_is_wrong(str(error), values)}") from None


def _rulebook(name: str, beside: Path) -> Rulebook:
    if name.endswith(".toml"):
        return load_house_rules(beside.parent / name)
    try:
        return rulebook(name)
    except StationmasterError as error:
        raise StationmasterError(f"{beside}: {error}") from None


def _what_is_wrong(what: str, values: dict[str, Any]) -> str:
    """What the validator said, in the words of the file."""
    fields = Spot.__struct_fields__
    for field in values:
        if field not in fields:
            near = get_close_matches(field, fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"a spot has {', '.join(fields)}"
            return f"{field} is not a part of a spot: {hint}"
    for field in ("engine", "hands"):
        if field not in values:
            return f"{field} is missing; at least the engine and a hand have to be there, as {EXAMPLE}"
    where = what.partition("`$.")[2].rstrip("`")
    expected = re.sub(r"`(\w+)`", lambda kind: _KINDS.get(kind[1], kind[1]), what.partition(" - at ")[0])
    return f"{where}: {expected[:1].lower() + expected[1:]}" if where else expected


_KINDS = {"str": "a text", "int": "a whole number", "bool": "true or false", "array": "a list", "object": "a table"}


def others_that_hold(spot: Spot, book: Rulebook) -> list[tuple[Rulebook, Position]]:
    """The other printed rulebooks whose set of tiles can make this spot."""
    held = []
    for id in rulebooks():
        other = rulebook(id)
        if id == book.id or (spot.must_draw and not other.wild_tiles):
            continue
        try:
            position = spot.position(other)
        except StationmasterError:
            continue
        if position.players <= max(other.players):
            held.append((other, position))
    return held
