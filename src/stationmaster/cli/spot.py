"""A spot on the table as a TOML file: the trains, the markers, the hands and whose turn it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from stationmaster.engine.moves import Move, Train
from stationmaster.engine.position import Position
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import HIGHEST, Tile, end_text, tile_set
from stationmaster.errors import DealError, IllegalMoveError, StationmasterError
from stationmaster.match.match import is_plain
from stationmaster.rulebooks.parameters import plainly
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook, load_house_rules, rulebook, rulebooks

FORMAT = """\
The file of a spot is TOML. Only the engine and the hand of the player to move have to be there.

  rulebook = "tactic"               # or the file of a house rule, "ours.toml", beside this one
  names = ["Ann", "Ben", "Cleo"]    # in the order of their seats, which count from 0
  engine = "12-12"
  turn = 0                          # the seat to move, or its player, "Ann"; without it 0
  hands = [["5-7", "3-4"], [], []]  # partial hands will do; or { 0 = ["5-7"] }, or { Ann = ["5-7"] }
  markers = [1]                     # whose trains have a marker: seats, or players, ["Ben"]
  bone_pile = 20                    # how many tiles, or which, the next one first; without it all that nobody sees
  players = 3                       # without it as many as there are names, or as are mentioned
  first_turns = []                  # seats yet to take their first turn; without it none, or on a bare table all
  direction = 1                     # 1 clockwise, -1 the other way round
  must_draw = false                 # whether D was played just before
  played = []                       # moves made from here on, as ["7-7@0"]: the question may fall in mid-turn
  moves = ["5-7@0", "draw"]         # what to ask about; or move = "5-7@0"

  [trains]                          # the tiles as they lie, the end that joins first
  0 = ["12-5"]
  M = ["12-3", "3-3"]

A move is written as the end that joins, the end that shows, and the train: 5-7@0 joins its 5 to the train
of seat 0, 5-7@Ann to Ann's, and 3-4@M plays on the Mexican Train. A tile that joins only the other way round is
read so. Other moves: draw, pass, stop. Wherever a seat is named, the name of its player will do, in capitals or not.
"""

Key = TypeVar("Key")
NO_NAMES = 'seats count from 0; to call players by name, write names = ["Ann", "Ben"]'
EXAMPLE = 'engine = "12-12", turn = 0, hands = [["5-7"], []]'


class Spot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spot as its file tells it."""

    engine: str
    hands: list[list[str]] | dict[str, list[str]]
    rulebook: str = "tactic"
    names: list[str] | None = None
    turn: int | str = 0
    trains: dict[str, list[str]] = {}
    markers: list[int | str] = []
    bone_pile: int | list[str] | None = None
    players: int | None = None
    first_turns: list[int | str] | None = None
    direction: int = 1
    must_draw: bool = False
    played: list[str] = []
    move: str | None = None
    moves: list[str] = []

    def round(self, position: Position) -> Round:
        """The round in this spot, after the moves that were played from it on."""
        round = position.round()
        for text in self.played:
            round.push(as_it_joins(self.read_move(text), round))
        return round

    @property
    def asked(self) -> list[Move]:
        """The moves that the file asks about."""
        return [self.read_move(text) for text in ([] if self.move is None else [self.move]) + self.moves]

    def read_move(self, text: str) -> Move:
        """The move that is written so; a train may be called by its player."""
        tile, at, train = text.partition("@")
        if not at or train.strip().upper() == "M" or train.strip().isdecimal() or not self.names:
            return Move.parse(text)
        return Move.parse(f"{tile.strip()}@{self.seat(train, 'the train')}")

    def seat(self, who: int | str, field: str) -> int:
        """The seat of a player, from its number or from the player's name."""
        if isinstance(who, int) or (who.strip().isdecimal() and len(who) < 7):
            return int(who)
        names = self.names or []
        if who in names:
            return names.index(who)
        wanted = " ".join(who.split()).casefold()
        seats = [seat for seat, name in enumerate(names) if " ".join(name.split()).casefold() == wanted]
        if len(seats) == 1:
            return seats[0]
        if seats:
            raise DealError(f"{field}: {len(seats)} players are called {who!r}; write the seat, as {seats[0]}")
        known = f"seats count from 0, and the players are {', '.join(names)}" if names else NO_NAMES
        raise DealError(f"{field}: nobody here is called {who!r}; {known}")

    def _train(self, name: str) -> Train | str:
        return name.upper() if name.upper() == "M" else self.seat(name, "trains") if self.names else name

    def position(self, book: Rulebook) -> Position:
        """The spot under a rulebook."""
        for name in self.names or ():
            if not is_plain(name):
                raise DealError(f"names: {name!r} is not a name: one line of text, not empty")
        seats = len(self.names) if self.names is not None and self.players is None else self.players
        for one, name in enumerate(self.names or ()):
            if name in (self.names or ())[:one]:
                raise DealError(f"names: two players are called {name!r}; tell them apart")
        first_turns = None if self.first_turns is None else [self.seat(who, "first_turns") for who in self.first_turns]
        for seat in first_turns or ():
            if not 0 <= seat < MOST_SEATS:
                raise DealError(f"first_turns: {seat} is not a seat; seats count from 0")
        position = Position(
            book,
            engine=self.engine,
            trains=self._by(self._train, self.trains, "trains"),
            markers=[self.seat(who, "markers") for who in self.markers],
            hands=self._hands(),
            bone_pile=self.bone_pile,
            turn=self.seat(self.turn, "turn"),
            players=seats,
            direction=self.direction,
            first_turns=first_turns,
            must_draw=self.must_draw,
        )
        if self.names is not None and len(self.names) != position.players:
            raise DealError(f"names: {len(self.names)} names for {position.players} players")
        return position

    def known_hands(self, players: int) -> list[bool]:
        """The seats whose hands are given."""
        hands = self._hands()
        given = isinstance(self.hands, dict)  # an empty hand in a list only keeps the place
        return [seat in hands and (given or bool(hands[seat])) for seat in range(players)]

    def _hands(self) -> dict[int, list[str]]:
        if isinstance(self.hands, dict):
            return self._by(lambda name: self.seat(name, "hands"), self.hands, "hands")
        return dict(enumerate(self.hands))

    @staticmethod
    def _by(key: Callable[[str], Key], values: dict[str, list[str]], field: str) -> dict[Key, list[str]]:
        """The same lists by seat; nobody is named twice."""
        found: dict[Key, list[str]] = {}
        for name, tiles in values.items():
            if key(name) in found:
                raise DealError(f"{field}: {name!r} is named twice, once by the seat")
            found[key(name)] = tiles
        return found


def load_spot(path: Path) -> tuple[Spot, Rulebook]:
    """The spot in a file, and its rulebook."""
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise StationmasterError(f"{path} is not a text file (UTF-8), so it is not a TOML file") from None
    except tomllib.TOMLDecodeError as error:
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
    where = re.sub(r"\[(\d+|\.\.\.)\]", "", where)
    return f"{where}: {plainly(what)}" if where else plainly(what)


def as_it_joins(move: Move, round: Round) -> Move:
    """The move with the tile turned round, if it joins its train only so."""
    if move.train is None or move.attached is None or move.exposed is None:
        return move
    if move.train != "M" and move.train >= round.players:
        return move
    end = round.end_of(move.train)
    joins = [not end.isdecimal() or side > HIGHEST or end_text(side) == end for side in (move.attached, move.exposed)]
    return Move.place(move.exposed, move.attached, move.train) if joins == [False, True] else move


class LeftOut(msgspec.Struct, frozen=True):
    """A rulebook that cannot say anything of a spot: "tile", "small", "players", "wild" or "played" (the moves that
    led there are not legal, or lead to another turn), and the tile it lacks."""

    book: Rulebook
    why: str
    tile: Tile | None = None


def others_that_hold(spot: Spot, book: Rulebook) -> tuple[list[tuple[Rulebook, Round]], list[LeftOut]]:
    """The spot by the other printed rulebooks that can come to it, and those that are left out."""
    held, left_out = [], []
    here = spot.position(book)
    turn = spot.round(here).turn
    seen = [here.engine, *(tile for hand in here.hands for tile in hand)]
    seen += [move.tile for line in here.lines.values() for move in line if move.tile is not None]
    if isinstance(spot.bone_pile, list):
        seen += here.bone_pile
    for other in map(rulebook, rulebooks()):
        if other.id == book.id:
            continue
        whole = tile_set(other.highest, other.wild_tiles)
        missing = next((tile for tile in seen if tile not in whole), None)
        if missing is not None:
            left_out.append(LeftOut(other, "tile", missing))
        elif spot.must_draw and not other.wild_tiles:
            left_out.append(LeftOut(other, "wild"))
        elif here.players > max(other.players):
            left_out.append(LeftOut(other, "players"))
        else:
            try:
                there = spot.round(spot.position(other))
            except IllegalMoveError:
                left_out.append(LeftOut(other, "played"))
            except StationmasterError:
                left_out.append(LeftOut(other, "small"))
            else:
                if there.turn == turn:
                    held.append((other, there))
                else:
                    left_out.append(LeftOut(other, "played"))
    return held, left_out
