"""A round of the game: whose turn it is, what is legal, what happened, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.engine import layout as at
from stationmaster.engine.core import State
from stationmaster.engine.deal import Deal
from stationmaster.engine.events import (
    DeadDouble,
    DoubleCovered,
    DoubleLeftOpen,
    Drew,
    Event,
    MarkerLaid,
    MarkerTaken,
    OneTileLeft,
    Paid,
    Passed,
    Placed,
    PlaysAgain,
    Reversed,
    RoundEnded,
    Stopped,
    TrainBegun,
    TurnBegan,
    TurnEndedByItself,
    WentOut,
    WillDraw,
    WillSkip,
)
from stationmaster.engine.moves import Move, Train
from stationmaster.engine.reasons import POINTS, Reason
from stationmaster.engine.tiles import LETTERS, Tile, W, end_text
from stationmaster.errors import DealError, IllegalMoveError, NotationError
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook

if TYPE_CHECKING:
    from stationmaster.engine.observation import Observation
    from stationmaster.engine.standing import Standing

FIRST_TURNS = {"any-train": at.ANY_TRAIN, "own-tile": at.OWN_TILE, "own-string": at.OWN_STRING}
SECOND_DOUBLES = {"third-tile": at.THIRD_TILE, "last-tile": at.LAST_TILE, "free": at.FREE, "never": at.NEVER}
PHASES = {
    at.PLAY: "play",
    at.FOLLOW: "follow-up",
    at.TWO: "two-doubles",
    at.EXTRA: "extra-play",
    at.STRING: "string",
    at.MUST_DRAW: "must-draw",
}
ENDINGS = {at.OUT: "out", at.BLOCKED: "blocked"}


class Outcome(msgspec.Struct, frozen=True):
    """How a round ended: "out" or "blocked", everybody's points, and what each won or paid in cents."""

    ending: str
    points: tuple[int, ...]
    cents: tuple[int, ...]


class Lack(msgspec.Struct, frozen=True):
    """What a seat showed that it does not hold, when it drew, passed or its turn ended by itself.

    ``rows`` are the tiles as the core's rows; ``move`` is how many moves had been made; ``joint``: a deal has
    to be checked by playing it through, because one tile's absence hangs on another's presence.
    """

    seat: int
    move: int
    rows: bytes
    joint: bool = False


class Layout(msgspec.Struct, frozen=True):
    """What lay on the table before the first move: nothing in a deal, a spot laid out by hand otherwise."""

    lines: dict[Train, tuple[Move, ...]]
    markers: frozenset[int]
    first_turns: frozenset[int]
    direction: int
    must_draw: bool

    def lay(self, state: State, players: int) -> None:
        """Put it on the core's table."""
        state.lay_out(
            {
                players if train == "M" else train: [(move.tile.code, move.exposed) for move in line if move.tile]
                for train, line in self.lines.items()
            },
            sum(1 << seat for seat in self.markers),
            sum(1 << seat for seat in self.first_turns),
            self.direction,
            self.must_draw,
        )


def core_state(book: Rulebook, players: int) -> State:
    """An empty table of the core under this rulebook."""
    state = State()
    state.rules(
        players,
        book.highest,
        book.wild_tiles,
        FIRST_TURNS[book.first_turn],
        book.first_turn_out == "others-finish",
        book.own_train_first,
        book.follow_up == "on-double",
        book.follow_up_draw,
        SECOND_DOUBLES[book.second_double],
        book.open_doubles_bind,
        book.double_blank,
        book.wild_points,
    )
    return state


def core_end(end: int) -> int:
    """An end as the core numbers it."""
    return at.WILD if end == W else end


def _again(
    book: Rulebook,
    deal: Deal,
    pot: int,
    last: bool,
    layout: Layout | None,
    standing: Standing | None,
    moves: list[Move],
) -> Round:
    round = Round(book, deal, pot=pot, last=last, layout=layout, standing=standing)
    for move in moves:
        round.push(move)
    return round


class Round:
    """One round, from the deal to the last tile. ``push`` plays a move, ``pop`` takes it back exactly."""

    __slots__ = ("_lacks", "_shown", "_state", "book", "deal", "last", "layout", "moves", "pot", "standing", "starter")

    def __init__(
        self,
        book: Rulebook,
        deal: Deal,
        *,
        pot: int = 0,
        last: bool = False,
        layout: Layout | None = None,
        standing: Standing | None = None,
    ) -> None:
        """``pot`` is what earlier rounds left in the pot; ``last``: it is shared if this round ends blocked;
        ``layout``: what already lies on the table; ``standing``: how the match stands, if it is a round of one."""
        if not 1 <= len(deal.hands) <= MOST_SEATS:
            raise DealError(f"{len(deal.hands)} hands: from 1 to {MOST_SEATS} seats can play")
        deal.check(book)
        self.book = book
        self.deal = deal
        self.pot = pot
        self.last = last
        self.starter = deal.starter
        self.layout = layout
        self.standing = standing
        self.moves: list[tuple[int, Move]] = []
        self._lacks: list[Lack] = []
        self._shown: list[int] = []  # how many lacks there were before each move
        self._state = core_state(book, len(deal.hands))
        self._state.load(
            core_end(deal.engine.low),
            deal.starter,
            [[tile.code for tile in hand] for hand in deal.hands],
            [tile.code for tile in deal.bone_pile],
        )
        if layout is not None:
            layout.lay(self._state, len(deal.hands))
        self._state.track(False)

    def __repr__(self) -> str:
        whose = "over" if self.turn is None else f"turn of seat {self.turn}"
        return (
            f"<Round {self.book.id}, engine {self.deal.engine}, {self.players} seats, {len(self.moves)} moves, {whose}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled and deeply copied as what it is: a deal, and the moves since."""
        moves = [move for _, move in self.moves]
        return _again, (self.book, self.deal, self.pot, self.last, self.layout, self.standing, moves)

    # ---- Where it stands -----------------------------------------------------------------------

    @property
    def players(self) -> int:
        """How many seats play."""
        return len(self.deal.hands)

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the round is over."""
        seat = self._state.whose()
        return None if seat < 0 else seat

    @property
    def direction(self) -> int:
        """1 clockwise, -1 the other way round."""
        direction: int = self._state.look()[2]
        return direction

    @property
    def markers(self) -> frozenset[int]:
        """The seats whose trains have a marker."""
        marked = self._state.look()[4]
        return frozenset(seat for seat in range(self.players) if marked >> seat & 1)

    @property
    def trains(self) -> dict[Train, tuple[Move, ...]]:
        """The tiles of each train, in order, as the placements that laid them."""
        trains: dict[Train, list[Move]] = {seat: [] for seat in range(self.players)}
        trains["M"] = []
        if self.layout is not None:
            trains |= {train: list(line) for train, line in self.layout.lines.items()}
        for _, move in self.moves:
            if move.train is not None:
                trains[move.train].append(move)
        return {train: tuple(line) for train, line in trains.items()}

    @property
    def hands(self) -> tuple[tuple[Tile, ...], ...]:
        """Every hand, in order. Only the referee sees this; players get an observation."""
        return tuple(tuple(map(Tile.from_code, self._state.hand(seat))) for seat in range(self.players))

    @property
    def bone_pile(self) -> tuple[Tile, ...]:
        """The bone pile, the next tile to be drawn first. Only the referee sees this."""
        return tuple(map(Tile.from_code, self._state.bone_pile()))

    @property
    def drawn(self) -> Tile | None:
        """The tile that the seat to move has just drawn, the only one that it may place; nobody else sees it."""
        code: int = self._state.drawn_tile()
        return Tile.from_code(code) if code >= 0 else None

    @property
    def open_doubles(self) -> tuple[Train, ...]:
        """The trains with an open double that binds the seat to move."""
        return self._trains_in(self._state.look()[8])

    @property
    def phase(self) -> str:
        """What the next decision is about: "play", "follow-up" (of a double), "two-doubles" (one of which has to be
        covered), "extra-play" (after T), "string" (a first turn that goes on) or "must-draw" (after D)."""
        return PHASES[self._state.look()[1]]

    def decision(self) -> tuple[str, tuple[Train, ...], int]:
        """What the next decision is about, the open doubles that bind, and the direction: all three at one look."""
        look = self._state.look()
        return PHASES[look[1]], self._trains_in(look[8]) if look[8] else (), look[2]

    @property
    def must_draw(self) -> bool:
        """The seat to move has to draw a tile first, because of D."""
        return self.phase == "must-draw"

    def end_of(self, train: Train) -> str:
        """What a train shows: the end that the next tile has to join."""
        if train != "M" and train not in range(self.players):
            raise NotationError(f"there is no train {train!r} here: 0 to {self.players - 1}, or M, the Mexican Train")
        return end_text(self._state.end(self._index(train)))

    def _index(self, train: Train) -> int:
        return self.players if train == "M" else int(train)

    def _trains_in(self, mask: int) -> tuple[Train, ...]:
        return tuple("M" if n == self.players else n for n in range(self.players + 1) if mask >> n & 1)

    # ---- Moves ---------------------------------------------------------------------------------

    def legal_moves(self) -> list[Move]:
        """Every legal move of the seat to move, in the canonical order."""
        of = Move._by_code
        return [of.get(code) or Move.from_code(code) for code in self._state.legal()]

    def push(self, move: Move | str) -> tuple[Event, ...]:
        """Play a move for the seat whose turn it is; what happened."""
        if move.__class__ is not Move:
            move = Move.parse(move)  # type: ignore[arg-type]
        state = self._state
        code: int = move.code
        if not state.allows(code):
            reason = self.why_illegal(move)
            assert reason is not None
            raise IllegalMoveError(reason)
        seat: int = state.whose()
        self._shown.append(len(self._lacks))
        if code == at.PASS_CODE or (code == at.DRAW_CODE and not self.must_draw):
            rows = state.lacks()
            self._lacks.append(Lack(seat, len(self.moves), rows, state.track(False)))
        flags: int = state.push(code)
        self.moves.append((seat, move))
        if flags & at.ENDED_BY_ITSELF:
            self._lacks.append(Lack(seat, len(self.moves), state.void_rows(), state.track(False)))
        return self._events(seat, move, flags)

    def pop(self) -> Move:
        """Take the last move back; the round is exactly as it was."""
        if not self.moves:
            raise IndexError("no move has been made in this round")
        _, move = self.moves.pop()
        self._state.pop()
        del self._lacks[self._shown.pop() :]
        return move

    def _events(self, seat: int, move: Move, flags: int) -> tuple[Event, ...]:
        state = self._state
        happened: list[Event] = []
        if move.tile is not None:
            train: Train = move.train  # type: ignore[assignment]
            exposed: int = move.exposed  # type: ignore[assignment]
            happened.append(Placed(seat, move._text, move.tile._text, train, end_text(W if exposed > 19 else exposed)))
            if flags:
                if flags & at.BEGAN_TRAIN:
                    happened.append(TrainBegun(seat, train))
                if flags & at.COVERED:
                    happened.append(DoubleCovered(seat, train))
                if flags & at.TOOK_MARKER:
                    happened.append(MarkerTaken(seat))
                if flags & at.ONE_LEFT:
                    happened.append(OneTileLeft(seat))
            if move.tile.is_double and state.size(seat) and not state.lives(self._index(train)):
                happened.append(DeadDouble(seat, train, end_text(exposed)))
            if exposed in LETTERS and state.size(seat):
                happened += self._letter(seat, exposed, flags)
            if not state.size(seat) and state.whose() >= 0:
                happened.append(WentOut(seat))
        elif move.kind == "draw":
            hidden = not self.book.open_hands
            drawn = self._state.newest_tile()
            happened.append(Drew(seat, Tile.from_code(drawn)._text, open=not hidden))
        elif move.kind == "pass":
            happened.append(Passed(seat))
            if self.book.pass_fee:
                happened.append(Paid(seat, self.book.pass_fee))
            if flags & at.LAID_MARKER:
                happened.append(MarkerLaid(seat))
        else:
            happened.append(Stopped(seat))
        turn: int = state.whose()
        if turn < 0:
            happened.append(self._ended())
        elif flags & at.ENDED_TURN:
            if flags & at.ENDED_BY_ITSELF:
                happened.append(TurnEndedByItself(seat))
            left_open = state.left_open_now()
            if left_open:
                for train in self._trains_in(left_open):
                    happened.append(DoubleLeftOpen(seat, train, self.end_of(train)))
            happened.append(TurnBegan(turn))
        return tuple(happened)

    def _letter(self, seat: int, letter: int, flags: int) -> list[Event]:
        """What a letter brings; nothing is said of what has no effect."""
        if letter == at.LETTER_D and self.bone_pile:
            return [WillDraw(seat)]
        if letter == at.LETTER_R and self.players > 2:
            return [Reversed(seat)]
        if letter == at.LETTER_S:
            return [WillSkip(seat)]
        if letter == at.LETTER_T and not flags & at.ENDED_TURN and self.phase == "extra-play":
            return [PlaysAgain(seat)]
        return []

    def _ended(self) -> RoundEnded:
        outcome = self.outcome()
        assert outcome is not None
        hands = [[str(tile) for tile in hand] for hand in self.hands]
        return RoundEnded(outcome.ending, list(outcome.points), list(outcome.cents), hands)

    def why_illegal(self, move: Move | str) -> Reason | None:
        """Why the seat to move may not make this move; None when it may."""
        move = Move.of(move)
        refusal = self._state.refusal(move.code)
        if refusal is None:
            return None
        code, train, end = refusal
        example = next((str(legal) for legal in self.legal_moves() if legal.kind == "place"), None)
        shown: Train | None = None if train < 0 else "M" if train == self.players else train
        if code == "no-train":
            shown = move.train
        point = "blocked" if code == "over" and self._state.look()[3] == at.BLOCKED else POINTS[code]
        clause = self.book.clause(point)
        return Reason(code, clause, str(move), shown, None if end < 0 else end, example)

    # ---- The end -------------------------------------------------------------------------------

    def outcome(self) -> Outcome | None:
        """How the round ended; None while it runs."""
        ending = ENDINGS.get(self._state.look()[3])
        if ending is None:
            return None
        points = tuple(self._state.points_of(seat) for seat in range(self.players))
        return Outcome(ending, points, tuple(self._settled()[0]))

    @property
    def pot_now(self) -> int:
        """What lies in the pot: the antes and fees so far, or what stays there after the round."""
        return self._settled()[1]

    def _settled(self) -> tuple[list[int], int]:
        book = self.book
        settled: tuple[list[int], int] = self._state.settle(self.starter, self.pot, self.last, book.ante, book.pass_fee)
        return settled

    # ---- What a seat knows ---------------------------------------------------------------------

    def observe(self, seat: int | None) -> Observation:
        """What this seat has seen; None is a spectator."""
        from stationmaster.engine.observation import observe

        return observe(self, seat)

    def copy(self) -> Round:
        """The same round, to play on without touching this one. Its moves can be taken back too."""
        other = Round.__new__(Round)
        for name in ("book", "deal", "pot", "last", "starter", "layout", "standing"):
            setattr(other, name, getattr(self, name))
        other.moves = list(self.moves)
        other._lacks = list(self._lacks)
        other._shown = list(self._shown)
        other._state = self._state.copy()
        return other
