"""A table: what its steps, one after the other, have made of it.

``apply`` takes a step and brings the table on; it never refuses, because what is stored was decided. Whether
something may happen is decided before, in ``decide.py``. There is no clock and no chance in here: the same steps give
the same table on every node and in every later version of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stationmaster.engine.moves import Move
from stationmaster.match.fair import Fair
from stationmaster.match.match import Match
from stationmaster.rulebooks.rulebook import rulebook_from_record
from stationmaster.server import entries as e
from stationmaster.server.told import Happened, open_hands

if TYPE_CHECKING:
    from stationmaster.engine.round import Round
    from stationmaster.rulebooks.rulebook import Rulebook

DEAL_WAIT = 3000  # ms for the texts of a deal to be chosen, and as long for them to be shown
CLOCK_MISSES = 2  # after so many moves that the clock made, a bot holds the seat
CLOCK_LEVEL = "conductor"  # the bot that plays for who is away
IDS_KEPT = 256  # answers to commands that are kept, so that a repeated one is answered and not done again
STAGES = ("seats", "deal", "play", "between", "over")
DAY = "day-"  # begins the name of a group of tables with the deals of one day


class Seat:
    """A place at the table, and who sits there."""

    __slots__ = ("held", "holder", "level", "missed", "muted", "name")

    def __init__(self, name: str = "", holder: str | None = None, level: str | None = None) -> None:
        self.name = name
        self.holder = holder  # None: a bot, or nobody
        self.level = level  # of the bot that sits here
        self.held: str | None = None  # the level of the bot that plays for its owner
        self.missed = 0  # moves in a row that the clock made
        self.muted = False

    @property
    def taken(self) -> bool:
        """Whether anybody sits here."""
        return self.holder is not None or self.level is not None

    @property
    def bot(self) -> str | None:
        """The level of the bot that plays here now, None when its owner does."""
        return self.held or self.level


class Table:
    """All that is known of one table, at one version."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.version = 0
        self.at = 0  # when the last step was made
        self.created: e.Created
        self.book: Rulebook
        self.seats: list[Seat] = []
        self.held_seats: dict[str | None, tuple[int, ...]] = {}
        self.host: str | None = None
        self.stage = "seats"
        self.locked = self.closed = False
        self.hints = True
        self.paused: int | None = None
        self.rematch: dict[str, str] | None = None  # the table at which it goes on
        self.match: Match | None = None
        self.began = 0  # when what is waited for now began
        self.decision = 0  # the version at which it arose: a move that was chosen before it is stale
        # The deal that is made
        self.dealing = 0  # the round, from 1
        self.secret = self.commitment = ""
        self.hashes: dict[int, str] = {}
        self.texts: dict[int, str] = {}
        self.asked = False
        # What else is going on
        self.back: int | None = None  # who would like to take a move back
        self.agreed: set[int] = set()
        self.ready: set[int] = set()
        self.holders: dict[str, None] = {}  # all who ever sat here
        self.removed: set[str] = set()  # who may not sit down here again
        self.silenced: set[str] = set()  # who is muted, on whatever seat they sit down next
        self.ids: dict[tuple[str, str], int] = {}

    # ---- Where it stands -----------------------------------------------------------------------

    @property
    def round(self) -> Round | None:
        """The round that is played, or was played last."""
        return self.match.round if self.match is not None else None

    @property
    def turn(self) -> int | None:
        """The seat that is to move, None when nobody is."""
        return self.match.round.turn if self.match is not None and self.stage == "play" else None

    @property
    def of_the_day(self) -> bool:
        """Whether the deal of the day is played here: one person, and bots that are the same for everybody."""
        return self.created.group is not None and self.created.group.startswith(DAY)

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return [seat.name for seat in self.seats]

    def seats_of(self, holder: str | None) -> tuple[int, ...]:
        """The seats that somebody holds."""
        return self.held_seats.get(holder, ())

    def _seated(self) -> None:
        """Somebody has sat down or left: note who holds which seats, because that is asked all the time."""
        self.held_seats = {}
        for number, seat in enumerate(self.seats):
            if seat.holder is not None:
                self.held_seats[seat.holder] = (*self.held_seats.get(seat.holder, ()), number)

    def people(self) -> list[int]:
        """The seats at which a person plays now."""
        return [number for number, seat in enumerate(self.seats) if seat.holder is not None and seat.held is None]

    def answered(self, holder: str, id: str) -> int | None:
        """The version that this command led to, if it was done before."""
        return self.ids.get((holder, id))

    def moves_back(self, seat: int) -> int:
        """How many moves would be taken back so that this seat can make its last one anew; 0 when there is none."""
        if self.stage != "play" or self.match is None:
            return 0
        moves = self.match.round.moves
        for count, (mover, _) in enumerate(reversed(moves), 1):
            if mover == seat:
                return count
        return 0

    # ---- What it does by itself ----------------------------------------------------------------

    def due(self) -> int | None:
        """When it has to do something by itself, in ms; None when it waits for people."""
        if self.paused is not None or self.closed:
            return None
        if self.stage == "deal":
            return self.began + DEAL_WAIT
        turn = self.turn
        if turn is None:
            return None
        if self.seats[turn].bot is not None:
            return self.began + self.bot_pause()
        if self.created.clock is not None:
            return self.began + 1000 * self.created.clock
        return None

    def bot_pause(self) -> int:
        """How long the bot to move takes, in ms: as people do, longer where there is something to choose."""
        round = self.match.round if self.match is not None else None
        if round is None or not self.created.pace:
            return 0
        choices = min(len(round.legal_moves()), 8)
        wavering = (self.decision * 7919 + len(round.moves) * 104729) % 600  # the same on every node
        return round_up(self.created.pace * (400 if choices == 1 else 700 + 100 * choices + wavering))

    # ---- One step ------------------------------------------------------------------------------

    def apply(self, version: int, at: int, data: e.StepData) -> Happened:
        """Bring the table on by one step; what happened, for those who are told."""
        happened = Happened(version, at)
        if data.by is not None and data.id is not None:
            if len(self.ids) >= IDS_KEPT:
                del self.ids[next(iter(self.ids))]
            self.ids[data.by, data.id] = version
        self.version, self.at = version, at
        for entry in data.entries:
            _APPLY[type(entry)](self, entry, happened)
        return happened

    def _created(self, entry: e.Created, happened: Happened) -> None:
        self.created = entry
        self.book = rulebook_from_record(entry.rulebook)
        self.seats = [Seat() for _ in range(entry.seats)]
        self.host = entry.host
        self.hints = entry.hints
        self.removed, self.silenced = set(entry.removed), set(entry.silenced)
        happened.table("created")

    def _sat(self, entry: e.Sat, happened: Happened) -> None:
        self.seats[entry.seat] = Seat(entry.name, entry.holder, entry.level)
        self._seated()
        if self.turn == entry.seat:
            self.began = self.at
        if entry.holder is not None:
            self.holders[entry.holder] = None
            self.seats[entry.seat].muted = entry.holder in self.silenced
            happened.all_anew = True  # whose the seat is says who may see its hand
            happened.table("sat", seat=entry.seat, name=entry.name)
        else:
            happened.table("bot-sat", seat=entry.seat, name=entry.name, level=entry.level)
        happened.hand(entry.seat)
        happened.seats = True
        self._rename(happened)

    def _left(self, entry: e.Left, happened: Happened) -> None:
        happened.table("left", seat=entry.seat, name=self.seats[entry.seat].name)
        self._give_up(entry.seat, happened)

    def _removed(self, entry: e.Removed, happened: Happened) -> None:
        seat = self.seats[entry.seat]
        happened.table("removed", seat=entry.seat, name=seat.name)
        if seat.holder is not None and seat.holder != self.host:
            self.removed.add(seat.holder)
        self._give_up(entry.seat, happened)

    def _give_up(self, number: int, happened: Happened) -> None:
        """The seat is free again, or in a match a bot's."""
        seat = self.seats[number]
        if self.stage == "seats":
            self.seats[number] = Seat()
        else:
            self.seats[number] = Seat(seat.name, None, CLOCK_LEVEL)
            if self.turn == number:
                self.began = self.at
        self._seated()
        if seat.holder == self.host and not self.seats_of(seat.holder):
            self.host = None  # whoever is there takes over, or whoever sits down next
        self.ready.discard(number)
        self.agreed.discard(number)
        if self.back == number:
            self.back = None
        happened.all_anew = True
        happened.seats = True

    def _named(self, entry: e.Named, happened: Happened) -> None:
        happened.table("renamed", seat=entry.seat, old=self.seats[entry.seat].name, name=entry.name)
        self.seats[entry.seat].name = entry.name
        happened.seats = True
        self._rename(happened)

    def _rename(self, happened: Happened) -> None:
        if self.match is not None:
            self.match.names = tuple(self.names)

    def _hosted(self, entry: e.Hosted, happened: Happened) -> None:
        self.host = self.seats[entry.seat].holder
        happened.seats = True
        happened.table("hosted", seat=entry.seat, name=self.seats[entry.seat].name)

    def _locked(self, entry: e.Locked, happened: Happened) -> None:
        self.locked = entry.on
        happened.table("locked" if entry.on else "unlocked")

    def _hints(self, entry: e.Hints, happened: Happened) -> None:
        self.hints = entry.on
        happened.table("hints-on" if entry.on else "hints-off")

    def _muted(self, entry: e.Muted, happened: Happened) -> None:
        seat = self.seats[entry.seat]
        seat.muted = entry.on
        if seat.holder is not None:
            for number in self.seats_of(seat.holder):
                self.seats[number].muted = entry.on
            (self.silenced.add if entry.on else self.silenced.discard)(seat.holder)
        happened.table("muted" if entry.on else "unmuted", seat=entry.seat, name=seat.name)
        happened.seats = True

    def _paused(self, entry: e.Paused, happened: Happened) -> None:
        self.paused = entry.seat
        happened.table("paused", seat=entry.seat, name=self.seats[entry.seat].name)

    def _resumed(self, entry: e.Resumed, happened: Happened) -> None:
        self.paused = None
        self.began = self.at
        happened.table("resumed", seat=entry.seat, name=self.seats[entry.seat].name)

    def _started(self, entry: e.Started, happened: Happened) -> None:
        happened.table("started")

    # ---- The deal ------------------------------------------------------------------------------

    def _promised(self, entry: e.Promised, happened: Happened) -> None:
        self.stage = "deal"
        self.began, self.decision = self.at, self.version
        self.dealing, self.secret, self.commitment = entry.round, entry.secret, entry.commitment
        self.hashes, self.texts, self.asked = {}, {}, False
        self.ready.clear()
        happened.table("promised", round=entry.round, commitment=entry.commitment)

    def _hashed(self, entry: e.Hashed, happened: Happened) -> None:
        self.hashes[entry.seat] = entry.hash
        happened.table("hashed", seat=entry.seat, name=self.seats[entry.seat].name, hash=entry.hash)

    def _asked(self, entry: e.Asked, happened: Happened) -> None:
        self.asked = True
        self.began = self.at
        happened.table("asked", round=self.dealing)

    def _texted(self, entry: e.Texted, happened: Happened) -> None:
        self.texts[entry.seat] = entry.text
        happened.table("texted", seat=entry.seat, name=self.seats[entry.seat].name)

    def _dealt(self, entry: e.Dealt, happened: Happened) -> None:
        texts = tuple(self.texts.get(seat, "") for seat in range(len(self.seats)))
        fair = Fair.of(bytes.fromhex(self.secret), texts, self._hashes())
        if self.match is None:
            self.match = Match(self.book, self.names, deals=[fair])
        else:
            self.match.next_round(fair)
        self.stage = "play"
        self.began, self.decision = self.at, self.version
        for seat in self.seats:
            seat.missed = 0
        round = self.match.round
        happened.table(
            "dealt",
            round=self.dealing,
            engine=str(round.deal.engine),
            starter=round.starter,
            hand_sizes=[len(hand) for hand in round.hands],
            bone_pile_count=len(round.bone_pile),
            pot=round.pot_now,
            hands=open_hands(round),
            texts=list(texts),
        )
        for number in range(len(self.seats)):
            happened.hand(number)

    def _hashes(self) -> tuple[str | None, ...]:
        return tuple(self.hashes.get(seat) for seat in range(len(self.seats)))

    # ---- Play ----------------------------------------------------------------------------------

    def _moved(self, entry: e.Moved, happened: Happened) -> None:
        match = self.match
        assert match is not None
        round = match.round
        seat = round.turn
        assert seat is not None
        if entry.by == "clock":
            self.seats[seat].missed += 1
            happened.table("clock-ran-out", seat=seat, name=self.seats[seat].name)
        elif not entry.by:
            self.seats[seat].missed = 0
        self.back = None
        events = round.push(Move.parse(entry.move))
        self.began, self.decision = self.at, self.version
        happened.game(events, seat)
        if round.turn is None:
            self._round_over(happened)

    def _round_over(self, happened: Happened) -> None:
        match = self.match
        assert match is not None
        self.stage = "over" if match.over else "between"
        happened.table(
            "shown",
            round=match.number,
            secret=self.secret,
            commitment=self.commitment,
            totals=list(match.totals),
            money=list(match.money),
            pot=match.pot,
            leading=list(match.leading),
        )
        if match.over:
            assert match.winners is not None
            happened.table("match-over", winners=list(match.winners))

    def _back_asked(self, entry: e.BackAsked, happened: Happened) -> None:
        self.back = entry.seat
        self.agreed = {entry.seat}
        happened.table("takeback-asked", seat=entry.seat, name=self.seats[entry.seat].name)

    def _back_agreed(self, entry: e.BackAgreed, happened: Happened) -> None:
        self.agreed.add(entry.seat)
        happened.table("takeback-agreed", seat=entry.seat, name=self.seats[entry.seat].name)

    def _back_refused(self, entry: e.BackRefused, happened: Happened) -> None:
        self.back = None
        happened.table("takeback-refused", seat=entry.seat, name=self.seats[entry.seat].name)

    def _taken_back(self, entry: e.TakenBack, happened: Happened) -> None:
        assert self.match is not None
        for _ in range(entry.count):
            self.match.round.pop()
        self.back = None
        self.began, self.decision = self.at, self.version
        turn = self.match.round.turn
        assert turn is not None
        happened.table("taken-back", count=entry.count, seat=turn, name=self.seats[turn].name)
        happened.all_anew = True

    # ---- Between rounds, and who is away -------------------------------------------------------

    def _ready(self, entry: e.Ready, happened: Happened) -> None:
        self.ready.add(entry.seat)
        happened.table("ready", seat=entry.seat, name=self.seats[entry.seat].name)

    def _held(self, entry: e.Held, happened: Happened) -> None:
        self.seats[entry.seat].held = entry.level
        happened.seats = True
        if self.turn == entry.seat:
            self.began = self.at
        happened.table("held", seat=entry.seat, name=self.seats[entry.seat].name, level=entry.level)

    def _returned(self, entry: e.Returned, happened: Happened) -> None:
        seat = self.seats[entry.seat]
        seat.held, seat.missed = None, 0
        happened.seats = True
        if self.turn == entry.seat:
            self.began = self.at
        happened.table("returned", seat=entry.seat, name=seat.name)

    def _rematch(self, entry: e.Rematch, happened: Happened) -> None:
        self.rematch = {"table": entry.table, "code": entry.code}
        name = self.seats[entry.seat].name
        happened.table("rematch", seat=entry.seat, name=name, table=entry.table, code=entry.code)

    def _closed(self, entry: e.Closed, happened: Happened) -> None:
        self.closed = True
        happened.table("closed")


_APPLY: dict[type, Any] = {
    e.Created: Table._created,
    e.Sat: Table._sat,
    e.Left: Table._left,
    e.Removed: Table._removed,
    e.Named: Table._named,
    e.Hosted: Table._hosted,
    e.Locked: Table._locked,
    e.Hints: Table._hints,
    e.Muted: Table._muted,
    e.Paused: Table._paused,
    e.Resumed: Table._resumed,
    e.Started: Table._started,
    e.Promised: Table._promised,
    e.Hashed: Table._hashed,
    e.Asked: Table._asked,
    e.Texted: Table._texted,
    e.Dealt: Table._dealt,
    e.Moved: Table._moved,
    e.BackAsked: Table._back_asked,
    e.BackAgreed: Table._back_agreed,
    e.BackRefused: Table._back_refused,
    e.TakenBack: Table._taken_back,
    e.Ready: Table._ready,
    e.Held: Table._held,
    e.Returned: Table._returned,
    e.Rematch: Table._rematch,
    e.Closed: Table._closed,
}


def round_up(ms: float) -> int:
    """Whole milliseconds."""
    return int(ms) + (ms != int(ms))
