"""What a table tells: of a step, a part that everybody gets and a part for one seat; and the whole view of a seat.

Nothing here takes from a view what somebody must not see. The public part is put together from what lies open on
the table, a seat's own part from what that seat may know (``Observation``, and ``Event.seen_by``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.engine.events import Drew

if TYPE_CHECKING:
    from stationmaster.engine.events import Event
    from stationmaster.engine.round import Round
    from stationmaster.server.table import Table

_encode = msgspec.json.Encoder().encode


class Happened:
    """What a step brought about, as it is applied."""

    __slots__ = ("all_anew", "at", "drew", "events", "hands", "seats", "version")

    def __init__(self, version: int, at: int) -> None:
        self.version = version
        self.at = at
        self.events: list[Any] = []
        self.drew: tuple[int, str] | None = None  # a tile that only this seat may see
        self.hands: set[int] = set()  # seats that are told their hand
        self.seats = False  # who sits where is otherwise, so all seats are told
        self.all_anew = False  # so much is otherwise that everybody gets the whole view

    def table(self, event: str, **values: Any) -> None:
        """Something that happened around the game."""
        self.events.append({"event": event, **values})

    def game(self, events: tuple[Event, ...], mover: int) -> None:
        """Something that happened in the game."""
        for event in events:
            if isinstance(event, Drew):
                if not event.open:
                    assert event.tile is not None
                    self.drew = mover, event.tile
                self.events.append(event.seen_by(None))
            else:
                self.events.append(event)

    def hand(self, seat: int) -> None:
        """This seat is told its hand."""
        self.hands.add(seat)


class Told(msgspec.Struct, frozen=True):
    """A step as it is told: JSON, still open at its end, and for each seat what only that seat gets."""

    version: int
    public: bytes
    private: dict[int, bytes]
    all_anew: bool
    seats: bool

    @classmethod
    def of(cls, table: Table, happened: Happened) -> Told:
        """What the table, just after the step, tells of it."""
        public: dict[str, Any] = {"version": happened.version, "at": happened.at}
        public |= now(table)
        public["events"] = happened.events
        seats = happened.seats and not happened.all_anew  # the whole view has them
        if seats:
            public["seats"] = seats_now(table)
        private: dict[int, dict[str, Any]] = {}
        if happened.drew is not None:
            private[happened.drew[0]] = {"drew": happened.drew[1]}
        round = table.round
        if round is not None:
            for seat in happened.hands:
                private.setdefault(seat, {})["hand"] = [str(tile) for tile in round.observe(seat).hand]
        turn = table.turn
        if turn is not None and table.seats[turn].holder is not None:
            private.setdefault(turn, {}).update(decision(table, turn))
        return cls(
            happened.version,
            _encode(public)[:-1],
            {seat: _encode(mine) for seat, mine in private.items()},
            happened.all_anew,
            seats,
        )

    def frame(self, seats: tuple[int, ...], id: str | None = None, anew: bytes | None = None) -> bytes:
        """What somebody at these seats is told; ``id`` is of the command that this answers, ``anew`` the whole view."""
        parts = [self.public]
        if self.seats:
            parts.append(b',"you":' + _encode(seats))
        mine = [(seat, self.private[seat]) for seat in seats if seat in self.private]
        if mine:
            inner = b",".join(b'"%d":%s' % (seat, part) for seat, part in mine)
            parts.append(b',"mine":{%s}' % inner)
        if anew is not None:
            parts.append(b',"welcome":' + anew)
        if id is not None:
            parts.append(b',"id":' + _encode(id))
        parts.append(b"}")
        return b"".join(parts)


def now(table: Table) -> dict[str, Any]:
    """What is waited for."""
    found: dict[str, Any] = {"stage": table.stage}
    turn = table.turn
    if turn is not None:
        round = table.match.round  # type: ignore[union-attr]
        found["turn"] = turn
        found["phase"] = round.phase
        found["open_doubles"] = round.open_doubles
        found["direction"] = round.direction
        if table.created.clock is not None and table.paused is None:
            found["until"] = table.due()
    if table.paused is not None:
        found["paused"] = table.paused
    return found


def decision(table: Table, seat: int) -> dict[str, Any]:
    """What the seat to move may do, and the tile that it has just drawn, where only that one may be placed."""
    assert table.match is not None
    round = table.match.round
    found: dict[str, Any] = {"legal": [move._text for move in round.legal_moves()]}
    if round.moves and round.moves[-1][1].kind == "draw":
        drawn = round.observe(seat).drawn
        if drawn is not None:
            found["drawn"] = str(drawn)
    return found


def seats_now(table: Table) -> list[dict[str, Any]]:
    """Who sits where."""
    return [
        {
            "name": seat.name,
            "taken": seat.taken,
            "level": seat.level,
            "held": seat.held,
            "muted": seat.muted,
            "host": seat.holder is not None and seat.holder == table.host,
        }
        for seat in table.seats
    ]


def welcome(table: Table, seats: tuple[int, ...], talk: list[Any], present: list[int]) -> bytes:
    """The whole view of somebody who holds these seats, in a frame of its own."""
    return b'{"welcome":%s,"version":%d,"at":%d}' % (view(table, seats, talk, present), table.version, table.at)


def view(table: Table, seats: tuple[int, ...], talk: list[Any], present: list[int]) -> bytes:
    """The whole view of somebody who holds these seats; without a seat, a watcher's."""
    created = table.created
    seen: dict[str, Any] = {
        "table": table.id,
        "code": created.code,
        "rulebook": created.rulebook,
        "you": list(seats),
        "seats": seats_now(table),
        "present": present,
        "public": created.public,
        "clock": created.clock,
        "hints": table.hints,
        "watchers": created.watchers,
        "locked": table.locked,
        "closed": table.closed,
        "after": created.after,
        "rematch": table.rematch,
        "group": created.group,
        "ready": sorted(table.ready),
        "takeback": table.back,
        "takeback_agreed": sorted(table.agreed) if table.back is not None else [],
        **now(table),
    }
    if table.stage == "deal":
        seen["deal"] = {
            "round": table.dealing,
            "commitment": table.commitment,
            "hashed": {str(seat): hash for seat, hash in sorted(table.hashes.items())},
            "asked": table.asked,
            "texted": sorted(table.texts),
        }
    if table.match is not None:
        seen["match"] = _match(table)
        seen["round"] = _round(table)
        seen["mine"] = {str(seat): mine(table, seat) for seat in seats}
    seen["talk"] = talk
    return _encode(seen)


def _match(table: Table) -> dict[str, Any]:
    match = table.match
    assert match is not None
    return {
        "number": match.number,
        "rounds": match.book.rounds,
        "totals": match.totals,
        "money": match.money,
        "pot": match.pot,
        "over": match.over,
        "winners": match.winners,
        "leading": match.leading if match.outcomes() else [],
        "results": [
            {"ending": outcome.ending, "points": outcome.points, "cents": outcome.cents} for outcome in match.outcomes()
        ],
        "deals": [
            {"commitment": fair.commitment, "texts": fair.texts}
            | ({"secret": fair.secret} if round.turn is None else {})
            for fair, round in zip(match.fair, match.rounds, strict=True)
            if fair is not None
        ],
    }


def _round(table: Table) -> dict[str, Any]:
    """What lies on the table for everybody to see."""
    assert table.match is not None
    seen = table.match.round.observe(None)
    return {
        "engine": str(seen.engine),
        "starter": seen.starter,
        "trains": {str(train): [str(move) for move in line] for train, line in seen.trains.items()},
        "markers": seen.markers,
        "hand_sizes": seen.hand_sizes,
        "hands": open_hands(table.match.round),
        "bone_pile_count": seen.bone_pile_count,
        "moves": len(seen.history),
        "last": [[made.seat, str(made.move)] for made in seen.history[-24:]],
    }


def open_hands(round: Round) -> list[list[str] | None]:
    """The hands that lie open to everybody: all when the round is over or the rulebook says so, or else none."""
    hands = round.observe(None).hands
    return [None if hand is None else [str(tile) for tile in hand] for hand in hands]


def mine(table: Table, seat: int) -> dict[str, Any]:
    """What one seat sees besides."""
    assert table.match is not None
    seen = table.match.round.observe(seat)
    own: dict[str, Any] = {"hand": [str(tile) for tile in seen.hand]}
    if table.turn == seat:
        own |= decision(table, seat)
    return own
