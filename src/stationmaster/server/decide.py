"""What may happen at a table: a command goes in, entries come out, or a refusal that says why not.

Nothing is changed here. What is decided is stored first; then the table applies it (``table.py``) and it is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from stationmaster.bots.levels import LEVELS
from stationmaster.engine.moves import Move
from stationmaster.errors import NotationError
from stationmaster.match.fair import commitment, text_commitment
from stationmaster.server import entries as e
from stationmaster.server.cleaning import LONGEST_NAME, clean_name
from stationmaster.server.refusal import Refusal
from stationmaster.server.table import CLOCK_LEVEL, CLOCK_MISSES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stationmaster.server.protocol import Command
    from stationmaster.server.table import Table

BOT_NAMES = (
    "Ada",
    "Bruno",
    "Clara",
    "Dora",
    "Emil",
    "Frida",
    "Gus",
    "Hilda",
    "Iris",
    "Juno",
    "Kurt",
    "Lena",
    "Milo",
    "Nora",
)


class Asking(msgspec.Struct, frozen=True):
    """Who asks for something, and what is known besides the table."""

    holder: str
    present: frozenset[str]  # who is at the table now, by holder
    secret: Callable[[int], str]  # makes the secret for a round, in hex


def decide(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    """What this command brings about."""
    if command.version > table.version:
        raise Refusal("bad-version")
    if table.closed:
        raise Refusal("match-over")
    verb = command.verb
    if verb in _FOR_HOST and asking.holder != table.host and not for_a_host_who_is_away(table, command, asking):
        raise Refusal("not-host")
    if verb in _IN_TIME and table.stage == "over":
        raise Refusal("match-over")
    if verb in _NOT_THAT_DAY and table.of_the_day:
        raise Refusal("same-for-all")
    if verb in _FOR_HOST:
        return _FOR_HOST[verb](table, command, asking)
    if verb == "sit":
        assert command.sit is not None
        return sit(table, asking.holder, command.sit.name, command.sit.seat)
    return _FOR_SEATS[verb](table, command, asking, own_seat(table, command, asking.holder))


def for_a_host_who_is_away(table: Table, command: Command, asking: Asking) -> bool:
    """Whether somebody would like a bot to play for the host, who is not there to ask: or nobody could play on."""
    return (
        command.hold is not None
        and table.host not in asking.present
        and command.hold.seat in table.seats_of(table.host)
        and bool(table.seats_of(asking.holder))
    )


def own_seat(table: Table, command: Command, holder: str) -> int:
    """The seat that a command is for."""
    seats = table.seats_of(holder)
    if not seats:
        raise Refusal("not-seated")
    if command.seat is None:
        if len(seats) == 1:
            return seats[0]
        if command.play is not None and table.turn in seats:
            return table.turn
        raise Refusal("needs-seat")
    if command.seat not in seats:
        raise Refusal("not-your-seat")
    return command.seat


# ---- Seats -------------------------------------------------------------------------------------------


def sit(table: Table, holder: str, name: str, seat: int | None) -> list[e.AnyEntry]:
    """Take a seat: a free one, or in a match one at which a bot sits."""
    if table.closed or table.stage == "over":
        raise Refusal("match-over")
    if holder in table.removed:
        raise Refusal("removed")
    if table.locked and holder != table.host:
        raise Refusal("table-locked")
    free = [number for number, one in enumerate(table.seats) if not one.taken]
    free += [number for number, one in enumerate(table.seats) if one.level is not None]
    if table.created.group is not None and table.stage != "seats":
        free = []  # at a duplicate table everybody plays the whole of it
    if table.of_the_day:
        free = [number for number in free if not table.seats[number].taken]  # the bots are the same for everybody
    if seat is not None:
        if not 0 <= seat < len(table.seats):
            raise Refusal("no-such-seat")
        if seat not in free:
            raise Refusal("same-for-all" if table.of_the_day else "seat-taken")
    elif not free:
        raise Refusal("table-full")
    else:
        seat = free[0]
    entries: list[e.AnyEntry] = [e.Sat(seat, new_name(table, name, seat), holder)]
    if table.host is None:
        entries.append(e.Hosted(seat))
    return entries


def new_name(table: Table, name: str, seat: int) -> str:
    """A name that can be shown, and that nobody else has here."""
    cleaned = clean_name(name)
    if not cleaned:
        raise Refusal("bad-name", limit=LONGEST_NAME)
    if any(cleaned.casefold() == one.name.casefold() for number, one in enumerate(table.seats) if number != seat):
        raise Refusal("name-taken")
    return cleaned


def _leave(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    if table.stage == "over":
        return []  # who played stays in the results
    return _without(table, e.Left(seat), seat)


def _without(table: Table, entry: e.AnyEntry, seat: int) -> list[e.AnyEntry]:
    """A seat is given up; the host's role goes to the next person, and the deal need not wait for it."""
    entries: list[e.AnyEntry] = [entry]
    holder = table.seats[seat].holder
    still_there = any(number != seat for number in table.seats_of(holder))
    if holder == table.host and not still_there:
        others = [number for number, one in enumerate(table.seats) if one.holder not in (None, holder)]
        if others:
            entries.append(e.Hosted(next((number for number in others if number > seat), others[0])))
    if table.stage == "deal":
        entries += _deal_goes_on(table, {seat})
    if table.back != seat:
        entries += _all_agree(table, table.agreed, seat)
    return entries


def _name(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    assert command.name is not None
    return [e.Named(seat, new_name(table, command.name, seat))]


def _back(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    return returned(table, (seat,))


def returned(table: Table, seats: Sequence[int]) -> list[e.AnyEntry]:
    """The owner of these seats is there again, and plays those that a bot has held."""
    return [e.Returned(seat) for seat in seats if table.seats[seat].held is not None]


# ---- What the host may -------------------------------------------------------------------------------


def _start(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    if table.stage != "seats":
        raise Refusal("already-started")
    if not all(seat.taken for seat in table.seats):
        raise Refusal("seats-free", count=sum(not seat.taken for seat in table.seats))
    return [e.Started(), *promise(table, 1, asking)]


def _bot(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    at = command.bot
    assert at is not None
    _check_seat(table, at.seat)
    check_level(at.level)
    seat = table.seats[at.seat]
    if seat.holder is not None:
        raise Refusal("seat-taken")
    if at.level is None:
        if table.stage != "seats":
            raise Refusal("already-started")
        return [e.Removed(at.seat)] if seat.taken else []
    name = seat.name or bot_name(table)
    return [e.Sat(at.seat, name, None, at.level)]


def bot_name(table: Table) -> str:
    """A name that nobody has here."""
    taken = {seat.name.casefold() for seat in table.seats}
    return next(name for name in (*BOT_NAMES, *(f"{name} 2" for name in BOT_NAMES)) if name.casefold() not in taken)


def _hold(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    at = command.hold
    assert at is not None
    _check_seat(table, at.seat)
    check_level(at.level)
    seat = table.seats[at.seat]
    if table.stage == "seats":
        raise Refusal("not-started")
    if seat.holder is None:
        raise Refusal("seat-taken")
    if at.level is None:
        return returned(table, (at.seat,))
    entries: list[e.AnyEntry] = [e.Held(at.seat, at.level)]
    if table.stage == "deal":
        entries += _deal_goes_on(table, {at.seat})
    entries += _all_agree(table, table.agreed, at.seat)
    return entries


def _remove(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    assert command.remove is not None
    _check_seat(table, command.remove)
    if not table.seats[command.remove].taken:
        raise Refusal("no-such-seat")
    if table.seats[command.remove].holder is None and table.stage != "seats":
        raise Refusal("already-started")
    return _without(table, e.Removed(command.remove), command.remove)


def _host(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    assert command.host is not None
    _check_seat(table, command.host)
    if table.seats[command.host].holder is None:
        raise Refusal("no-such-seat")
    return [e.Hosted(command.host)]


def _lock(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    assert command.lock is not None
    return [e.Locked(command.lock)] if command.lock != table.locked else []


def _hints(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    assert command.hints is not None
    return [e.Hints(command.hints)] if command.hints != table.hints else []


def _mute(table: Table, command: Command, asking: Asking) -> list[e.AnyEntry]:
    assert command.mute is not None
    _check_seat(table, command.mute.seat)
    on = command.mute.on
    return [e.Muted(command.mute.seat, on)] if on != table.seats[command.mute.seat].muted else []


def _check_seat(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refusal("no-such-seat")


def check_level(level: str | None) -> None:
    """Refuse a level that no bot has."""
    if level is not None and level not in LEVELS:
        raise Refusal("bad-level", levels=", ".join(LEVELS))


def _pause(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    if command.pause:
        if table.stage not in ("deal", "play", "between"):
            raise Refusal("match-over" if table.stage == "over" else "not-started")
        if table.paused is not None:
            raise Refusal("paused")
        return [e.Paused(seat)]
    if table.paused is None:
        raise Refusal("not-paused")
    return [e.Resumed(seat)]


# ---- The deal ----------------------------------------------------------------------------------------


def promise(table: Table, round: int, asking: Asking) -> list[e.AnyEntry]:
    """The next round: the server's secret; where nobody has a text to add, the deal at once."""
    secret = asking.secret(round)
    entries: list[e.AnyEntry] = [e.Promised(round, commitment(bytes.fromhex(secret)), secret)]
    if table.created.group is not None or not table.people():
        entries += [e.Asked(), e.Dealt()]
    return entries


def _promise(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    assert command.promise is not None
    _check_deal(table, command, seat)
    if table.asked:
        raise Refusal("not-asked")
    if seat in table.hashes:
        raise Refusal("already-given")
    return [e.Hashed(seat, command.promise), *_deal_goes_on(table, {seat})]


def _text(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    assert command.text is not None
    _check_deal(table, command, seat)
    if not table.asked or seat not in table.hashes:
        raise Refusal("not-asked")
    if seat in table.texts:
        raise Refusal("already-given")
    try:
        fits = text_commitment(command.text) == table.hashes[seat]
    except UnicodeError:
        fits = False
    if not fits:
        raise Refusal("bad-text")
    return [e.Texted(seat, command.text), *_deal_goes_on(table, {seat})]


def _check_deal(table: Table, command: Command, seat: int) -> None:
    if table.stage != "deal":
        raise Refusal("not-asked")
    if command.version < table.decision:
        raise Refusal("stale")


def _deal_goes_on(table: Table, given: set[int]) -> list[e.AnyEntry]:
    """What follows when these seats have given what was asked, and nobody else has to."""
    if not table.asked:
        if any(seat not in table.hashes and seat not in given for seat in table.people()):
            return []
        promised = set(table.hashes) | (given & set(table.people()))
        return [e.Asked()] if promised else [e.Asked(), e.Dealt()]
    if any(seat not in table.texts and seat not in given for seat in table.hashes):
        return []
    return [e.Dealt()]


# ---- Play --------------------------------------------------------------------------------------------


def _play(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    assert command.play is not None
    _check_playing(table)
    if command.version < table.decision:
        raise Refusal("stale")
    turn = table.turn
    assert turn is not None
    if turn != seat:
        raise Refusal("not-your-turn", name=table.seats[turn].name)
    return [
        *returned(table, (seat,)),
        e.Moved(str(checked_move(table, command.play, seat))),
    ]


def checked_move(table: Table, text: str, seat: int) -> Move:
    """The move that is written so, if it is legal now."""
    match = table.match
    assert match is not None
    try:
        move = Move.parse(text)
    except NotationError as error:
        raise Refusal("bad-frame", what=str(error)) from None
    reason = match.round.why_illegal(move)
    if reason is not None:
        raise Refusal("illegal", reason, table.names, seat)
    return move


def _check_playing(table: Table) -> None:
    if table.stage == "seats":
        raise Refusal("not-started")
    if table.stage == "over":
        raise Refusal("match-over")
    if table.stage != "play":
        raise Refusal("stale")
    if table.paused is not None:
        raise Refusal("paused")


def _takeback(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    _check_playing(table)
    if command.takeback == "ask":
        if table.back is not None:
            raise Refusal("already-given")
        count = table.moves_back(seat)
        if not count:
            raise Refusal("no-takeback")
        _check_no_draw(table, count)
        return [e.BackAsked(seat), *_all_agree(table, {seat}, asker=seat)]
    else:
        if table.back is None:
            raise Refusal("takeback-not-asked")
        if command.takeback == "refuse":
            return [e.BackRefused(seat)]
        if seat in table.agreed:
            raise Refusal("already-given")
        return [e.BackAgreed(seat), *_all_agree(table, table.agreed | {seat})]


def _all_agree(
    table: Table, agreed: set[int], leaving: int | None = None, *, asker: int | None = None
) -> list[e.AnyEntry]:
    """The moves are taken back when all agree; seats of one person agree together, and bots to everything."""
    asker = table.back if asker is None else asker
    if asker is None:
        return []
    holders = {table.seats[one].holder for one in agreed}
    if any(table.seats[one].holder not in holders for one in table.people() if one != leaving):
        return []
    return [e.TakenBack(table.moves_back(asker))]


def _check_no_draw(table: Table, count: int) -> None:
    assert table.match is not None
    if any(move.kind == "draw" for _, move in table.match.round.moves[-count:]):
        raise Refusal("takeback-across-draw")


def _next(table: Table, command: Command, asking: Asking, seat: int) -> list[e.AnyEntry]:
    """Ready for the next round; it is dealt when all who are there are, or the host is."""
    if table.stage == "over":
        raise Refusal("match-over")
    if table.stage == "deal" and table.match is not None:
        return []  # somebody else has said so already
    if table.stage != "between":
        raise Refusal("round-not-over" if table.stage == "play" else "not-started")
    if table.paused is not None:
        raise Refusal("paused")
    if command.version < table.decision:
        raise Refusal("stale")
    assert table.match is not None
    entries: list[e.AnyEntry] = [] if seat in table.ready else [e.Ready(seat)]
    ready = {table.seats[one].holder for one in (*table.ready, seat)}
    waited_for = [table.seats[one].holder for one in table.people() if table.seats[one].holder in asking.present]
    if all(holder in ready for holder in waited_for) or asking.holder == table.host:
        entries += promise(table, table.match.number + 1, asking)
    elif not entries:
        raise Refusal("already-given")
    return entries


# ---- By itself ---------------------------------------------------------------------------------------


def deal_runs_out(table: Table) -> list[e.AnyEntry]:
    """Time is up for the texts: whoever has not chosen or shown one adds nothing."""
    if table.stage != "deal":
        return []
    if not table.asked and table.hashes:
        return [e.Asked()]
    return [e.Dealt()] if table.asked else [e.Asked(), e.Dealt()]


def move_of_bot(table: Table, move: Move) -> list[e.AnyEntry]:
    """A bot has chosen for the seat whose turn it is; after the clock ran out twice, it holds the seat."""
    seat = table.turn
    assert seat is not None
    if table.seats[seat].bot is not None:
        return [e.Moved(str(move), "bot")]
    entries: list[e.AnyEntry] = [e.Moved(str(move), "clock")]
    if table.seats[seat].missed + 1 >= CLOCK_MISSES:
        entries.insert(0, e.Held(seat, CLOCK_LEVEL, "clock"))
    return entries


_FOR_HOST = {
    "start": _start,
    "bot": _bot,
    "hold": _hold,
    "remove": _remove,
    "host": _host,
    "lock": _lock,
    "hints": _hints,
    "mute": _mute,
}
_NOT_THAT_DAY = {"bot", "hold", "remove"}  # or it would not be the same for everybody
_IN_TIME = {"bot", "hold", "remove", "name"}  # who has played how well is not changed afterwards
_FOR_SEATS = {
    "leave": _leave,
    "name": _name,
    "back": _back,
    "pause": _pause,
    "promise": _promise,
    "text": _text,
    "play": _play,
    "takeback": _takeback,
    "next": _next,
}
