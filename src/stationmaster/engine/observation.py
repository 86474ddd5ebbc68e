"""What a seat knows of a round: put together field by field from what it has seen, and nothing else.

A bot, a player's screen and a spectator get an observation, never a round. ``sample`` deals the tiles
that the seat has not seen so that everything it has seen could have happened.
"""

from __future__ import annotations

from struct import unpack
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.engine.core import State, Worlds
from stationmaster.engine.deal import Deal
from stationmaster.engine.layout import LETTER_A
from stationmaster.engine.moves import Move, Train
from stationmaster.engine.round import PHASES, Lack, Layout, Outcome, Round, core_end, core_state
from stationmaster.engine.standing import Standing
from stationmaster.engine.tiles import Tile, tile_set
from stationmaster.errors import DealError
from stationmaster.rulebooks.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

FORGOTTEN = 12  # deals until a sampler has forgotten the one that it was set up with
ANY_DOUBLE = 31
PHASE_NUMBERS = {name: number for number, name in PHASES.items()}


class Made(msgspec.Struct, frozen=True):
    """A move that was made; ``drawn`` is the tile when the observer may know it."""

    seat: int
    move: Move
    drawn: Tile | None = None


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat has seen of a round; ``seat`` None is a spectator."""

    seat: int | None
    book: Rulebook
    engine: Tile
    starter: int
    players: int
    # The table now
    turn: int | None
    direction: int
    trains: dict[Train, tuple[Move, ...]]
    markers: tuple[int, ...]
    open_doubles: tuple[Train, ...]
    hand_sizes: tuple[int, ...]
    bone_pile_count: int
    pot: int
    outcome: Outcome | None
    # What is in sight of the hands
    hand: tuple[Tile, ...]  # the own
    hands: tuple[tuple[Tile, ...] | None, ...]  # all that lie open to this seat
    dealt: tuple[tuple[Tile, ...] | None, ...]  # the same hands as play began
    dealt_sizes: tuple[int, ...]
    # The seat's own decision, when it is its turn
    legal_moves: tuple[Move, ...]
    drawn: Tile | None  # the tile drawn just now, the only one that may be placed
    phase: str  # what the decision is about; see ``Round.phase``
    # What happened
    history: tuple[Made, ...]
    lacks: tuple[Lack, ...]  # what draws, passes and turns that ended by themselves have shown
    layout: Layout | None  # what lay on the table before the first move, if it was laid out by hand
    # The match
    standing: Standing | None  # as the round was dealt; None where it is not one of a match

    @property
    def must_draw(self) -> bool:
        """The seat to move has to draw a tile first, because of D."""
        return self.phase == "must-draw"

    def encode(self) -> bytes:
        """All of it as JSON."""
        return msgspec.json.encode(self, enc_hook=_encode)

    def sample(self, rng: Random) -> Round:
        """A round in which everything that this seat has seen has happened, the unseen tiles dealt at random.

        Every deal that agrees with what was seen is as likely as any other. For many of them, use ``samples``.
        """
        return next(self.samples(rng))

    def samples(self, rng: Random) -> Iterator[Round]:
        """One such round after the other, without an end."""
        worlds = self.worlds(rng)
        while True:
            yield self._round(worlds)
            worlds.step()

    def worlds(self, rng: Random) -> Worlds:
        """The core's dealer of such rounds, the first deal made; ``step`` goes on to the next."""
        worlds = Worlds(self._start(), rng.getrandbits(32))
        _Evidence(self).explain(worlds)
        worlds.step(FORGOTTEN)
        return worlds

    def _start(self) -> State:
        """The table before the first move, with empty hands."""
        state = core_state(self.book, self.players)
        state.load(core_end(self.engine.low), self.starter, [[] for _ in range(self.players)], [])
        if self.layout is not None:
            self.layout.lay(state, self.players)
        return state

    def _round(self, worlds: Worlds) -> Round:
        hands, pile = worlds.dealt()
        deal = Deal(
            engine=self.engine,
            starter=self.starter,
            hands=[map(Tile.from_code, hand) for hand in hands],
            bone_pile=map(Tile.from_code, pile),
        )
        round = Round(self.book, deal, layout=self.layout, standing=self.standing)
        for made in self.history:
            round.push(made.move)
        return round


def observe(round: Round, seat: int | None) -> Observation:
    """What a seat has seen of a round."""
    if seat is not None and not 0 <= seat < round.players:
        raise DealError(f"seat {seat}: seats count from 0 to {round.players - 1}")
    over = round.turn is None
    shown = [over or round.book.open_hands or one == seat for one in range(round.players)]
    hands = round.hands
    mine = seat is not None and round.turn == seat
    return Observation(
        seat=seat,
        book=round.book,
        engine=round.deal.engine,
        starter=round.starter,
        players=round.players,
        turn=round.turn,
        direction=round.direction,
        trains=round.trains,
        markers=tuple(sorted(round.markers)),
        open_doubles=round.open_doubles,
        hand_sizes=tuple(len(hand) for hand in hands),
        bone_pile_count=len(round.bone_pile),
        pot=round.pot_now,
        outcome=round.outcome(),
        hand=hands[seat] if seat is not None else (),
        hands=tuple(hand if open else None for hand, open in zip(hands, shown, strict=True)),
        dealt=tuple(tuple(sorted(hand)) if open else None for hand, open in zip(round.deal.hands, shown, strict=True)),
        dealt_sizes=tuple(len(hand) for hand in round.deal.hands),
        legal_moves=tuple(round.legal_moves()) if mine else (),
        drawn=round.drawn if mine else None,
        phase=round.phase,
        history=_history(round, shown),
        lacks=tuple(round._lacks),
        layout=round.layout,
        standing=round.standing,
    )


def _history(round: Round, shown: list[bool]) -> tuple[Made, ...]:
    made = []
    draws = iter(round.deal.bone_pile)
    for seat, move in round.moves:
        drawn = next(draws) if move.kind == "draw" else None
        made.append(Made(seat, move, drawn if shown[seat] else None))
    return tuple(made)


def _encode(value: Any) -> Any:
    if isinstance(value, Tile | Move):
        return str(value)
    raise NotImplementedError(f"{type(value)} has no place in an observation")


class _Evidence:
    """What an observation says of where the unseen tiles can be, in the core's terms."""

    def __init__(self, observation: Observation) -> None:
        self.seen = observation
        self.fixed: list[tuple[int, int]] = []  # tiles known as dealt
        self.slots: list[tuple[int, int]] = []  # (seat, move of the draw, or -1 as dealt)
        self.draws: list[tuple[int, int]] = []  # (slot or -1, tile)
        self.tiles: list[tuple[int, int, int]] = []  # (tile, seat that played it or -1, move)
        self._collect()

    def explain(self, worlds: Worlds) -> None:
        """Tell the core."""
        seen = self.seen
        worlds.set_up(
            self.slots,
            self.tiles,
            self.fixed,
            self.draws,
            [made.move.code for made in seen.history],
            seen.bone_pile_count,
            self._joint(),
            -1 if seen.turn is None else seen.turn,
            PHASE_NUMBERS[seen.phase],
        )
        for lack in seen.lacks:
            if seen.dealt[lack.seat] is None:
                worlds.add_lack(lack.seat, lack.move, list(unpack("20I", lack.rows)))
        if not worlds.solve(self._highest_double()):
            raise DealError("no deal agrees with what this seat has seen")

    def _joint(self) -> bool:
        """Was something shown that tiles one by one cannot tell, so that deals have to be played through?

        Who stops a string, or goes on in his turn after a tile, holds one of several tiles that he could place.
        """
        seen = self.seen
        last = seen.history[-1] if seen.history else None
        goes_on = last is not None and last.seat == seen.turn and last.move.kind == "place"
        stopped = any(made.move.kind == "stop" for made in seen.history)
        return goes_on or stopped or any(lack.joint for lack in seen.lacks)

    def _collect(self) -> None:
        seen = self.seen
        kept = self._kept_draws()
        for seat, hand in enumerate(seen.dealt):
            if hand is not None:
                self.fixed += [(seat, tile.code) for tile in hand]
        as_dealt = [0 if hand is not None else size for hand, size in zip(seen.dealt, seen.dealt_sizes, strict=True)]
        just_drawn = self._placed_at_once()
        first_kept: dict[int, int] = {}
        for move in sorted(kept):
            first_kept.setdefault(seen.history[move].seat, move)
        for number, made in enumerate(seen.history):
            if made.move.tile is None or seen.dealt[made.seat] is not None or number in just_drawn.values():
                continue
            if number > first_kept.get(made.seat, number) or made.move.tile.low == LETTER_A:
                self.tiles.append((made.move.tile.code, made.seat, number))
            else:  # nothing had been drawn and kept, and it is the only one: it was dealt
                self.fixed.append((made.seat, made.move.tile.code))
                as_dealt[made.seat] -= 1
        self.tiles += [(tile.code, -1, -1) for tile in self._unseen(just_drawn)]
        for seat, count in enumerate(as_dealt):
            self.slots += [(seat, -1)] * count
        for number, made in enumerate(seen.history):
            if made.move.kind != "draw":
                continue
            if number in kept:
                self.draws.append((len(self.slots), 0))
                self.slots.append((made.seat, number))
            else:
                tile = made.drawn or seen.history[just_drawn[number]].move.tile
                assert tile is not None
                self.draws.append((-1, tile.code))
        self.slots += [(-1, -1)] * seen.bone_pile_count
        if len(self.slots) != len(self.tiles):
            raise DealError(
                f"{len(self.tiles)} tiles are not seen, and hands and bone pile have room for {len(self.slots)}: "
                "a position with tiles left out cannot be dealt"
            )

    def _placed_at_once(self) -> dict[int, int]:
        """Hidden draws whose tile was placed by the next move: only the drawn tile may be. Draw -> placement."""
        seen = self.seen
        free = {lack.move for lack in seen.lacks}  # a draw that D forced shows nothing and binds nobody
        return {
            number: number + 1
            for number, made in enumerate(seen.history[:-1])
            if made.move.kind == "draw"
            and seen.dealt[made.seat] is None
            and number in free
            and seen.history[number + 1].seat == made.seat
            and seen.history[number + 1].move.kind == "place"
        }

    def _kept_draws(self) -> set[int]:
        """Hidden draws whose tile is not known."""
        at_once = self._placed_at_once()
        return {
            number
            for number, made in enumerate(self.seen.history)
            if made.move.kind == "draw" and self.seen.dealt[made.seat] is None and number not in at_once
        }

    def _unseen(self, just_drawn: dict[int, int]) -> list[Tile]:
        """The tiles of the set that are neither on the table nor known to be in a hand."""
        seen = self.seen
        left = list(tile_set(seen.book.highest, seen.book.wild_tiles))
        known = [seen.engine, *(move.tile for line in seen.trains.values() for move in line if move.tile is not None)]
        known += [tile for hand in seen.hands if hand is not None for tile in hand]
        for tile in known:
            left.remove(tile)
        return left

    def _highest_double(self) -> int:
        """The highest double that a hidden hand can have held as dealt."""
        seen = self.seen
        if seen.book.engine != "highest-held" or seen.layout is not None:
            return ANY_DOUBLE
        regular = seen.players * seen.book.deal.get(seen.players, 0) - 1
        if sum(seen.dealt_sizes) == regular:
            return seen.engine.low
        return -1 if sum(seen.dealt_sizes) > regular > 0 else ANY_DOUBLE
