"""A spot laid out by hand: for settling an argument, and for tests that read as play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stationmaster.engine.deal import Deal, Tiles, check_tiles
from stationmaster.engine.moves import Move, Train
from stationmaster.engine.round import Layout, Round
from stationmaster.engine.tiles import HIGHEST, Tile, W, end_text, tile_set
from stationmaster.errors import DealError, NotationError
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook


class Position:
    """Trains, markers, hands and whose turn it is.

    A train is a list of tiles as they lie, the attached end first: ``["12-5", "5-7", "7-7"]``, or the same in
    one text, ``"12-5 5-7 7-7"``; a tile written the other way round is turned if it joins only so. Hands may be
    partial or left out: only the hand of the seat to move matters for what is legal. The bone pile may be its
    tiles, or only how many there are; which they are is then made up from the tiles not seen. None: all of those.
    """

    def __init__(
        self,
        book: Rulebook,
        *,
        engine: Tile | str,
        trains: Mapping[Any, Sequence[str]] | None = None,  # by seat, and M
        markers: Iterable[int] = (),
        hands: Sequence[Tiles] | Mapping[int, Tiles],
        bone_pile: Tiles | int | None = (),
        turn: int = 0,
        players: int | None = None,
        direction: int = 1,
        first_turns: Iterable[int] | None = None,
        must_draw: bool = False,
    ) -> None:
        """``first_turns``: the seats that have yet to take their first turn; without it, everybody has had it
        as soon as anything lies on the table. ``must_draw``: D was laid just before."""
        self.book = book
        self.engine = Tile.of(engine)
        given = dict(enumerate(hands)) if not isinstance(hands, Mapping) else {int(s): h for s, h in hands.items()}
        self.trains = {
            self._train(name): tuple(line.split() if isinstance(line, str) else line)
            for name, line in (trains or {}).items()
        }
        self.markers = frozenset(int(seat) for seat in markers)
        self.turn = turn
        seats = {turn, *given, *self.markers, *(train for train in self.trains if train != "M")}
        self.players = max(int(seat) for seat in seats) + 1 if players is None else players
        if not 1 <= self.players <= MOST_SEATS or any(not 0 <= int(seat) < self.players for seat in seats):
            raise DealError(f"seats count from 0 to {self.players - 1}, and there are at most {MOST_SEATS}")
        self.hands = tuple(tuple(Tile.of(tile) for tile in given.get(seat, ())) for seat in range(self.players))
        self.direction = direction
        if direction not in (1, -1):
            raise DealError(f"direction {direction}: 1 is clockwise, -1 the other way round")
        begun = any(self.trains.values()) or bool(self.markers)
        default = () if begun else range(self.players)
        self.first_turns = frozenset(default if first_turns is None else first_turns)
        if not all(0 <= seat < self.players for seat in self.first_turns):
            raise DealError(f"first_turns: seats count from 0 to {self.players - 1}")
        self.must_draw = must_draw
        self.lines = {train: self._line(train, texts) for train, texts in self.trains.items()}
        seen = [self.engine, *(tile for hand in self.hands for tile in hand)]
        seen += [move.tile for line in self.lines.values() for move in line if move.tile is not None]
        if bone_pile is None or isinstance(bone_pile, int):
            bone_pile = self._unseen(seen, bone_pile)
        self.bone_pile = tuple(Tile.of(tile) for tile in bone_pile)
        check_tiles(
            book,
            [
                ("as the engine", [self.engine]),
                *((f"in the hand of seat {seat}", hand) for seat, hand in enumerate(self.hands)),
                *((_on(train), [move.tile for move in line if move.tile]) for train, line in self.lines.items()),
                ("in the bone pile", self.bone_pile),
            ],
        )

    @staticmethod
    def _train(name: Train | str) -> Train:
        if name == "M" or (isinstance(name, int) and not isinstance(name, bool)):
            return name
        if isinstance(name, str) and name.isdigit():
            return int(name)
        raise NotationError(
            f"there is no train {name!r}: a train is named by its seat, 0 to {MOST_SEATS - 1}, or M, the Mexican Train"
        )

    def _line(self, train: Train, texts: Sequence[str]) -> tuple[Move, ...]:
        """The tiles of a train as placements, each joining the one before."""
        end = self.engine.low
        line = []
        for text in texts:
            move = Move.parse(f"{text}@{train}")
            assert move.attached is not None
            assert move.exposed is not None
            if end != W and move.attached not in (end, W) and move.exposed in (end, W):
                move = Move.place(move.exposed, move.attached, train)
            if end != W and move.attached not in (end, W):
                raise DealError(f"train {train}: {text} does not join {end_text(end)}; write the end that joins first")
            line.append(move)
            assert move.exposed is not None
            end = W if move.exposed > HIGHEST else move.exposed
        return tuple(line)

    def _unseen(self, seen: Sequence[Tile], count: int | None) -> list[Tile]:
        left = list(tile_set(self.book.highest, self.book.wild_tiles))
        for tile in seen:
            if tile in left:
                left.remove(tile)
        if count is not None and not 0 <= count <= len(left):
            raise DealError(f"bone_pile = {count}: from 0 to {len(left)} tiles can lie there, as many as are not seen")
        return left[:count]

    def round(self) -> Round:
        """The round as it stands here."""
        deal = Deal(engine=self.engine, starter=self.turn, hands=self.hands, bone_pile=self.bone_pile)
        must_draw = self.must_draw and bool(self.bone_pile)
        layout = Layout(self.lines, self.markers, self.first_turns, self.direction, must_draw)
        return Round(self.book, deal, layout=layout)


def _on(train: Train) -> str:
    return "on the Mexican Train" if train == "M" else f"on the train of seat {train}"
