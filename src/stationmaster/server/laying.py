"""How a table begins: the rulebook and the seats that somebody asks for, as the first entries of a table."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from stationmaster.rulebooks.rulebook import Rulebook, rulebook, rulebook_for_record
from stationmaster.server import decide
from stationmaster.server import entries as e
from stationmaster.server.cleaning import LONGEST_GROUP, cleaned
from stationmaster.server.refusal import Refusal
from stationmaster.server.shapes import LONGEST_CLOCK, SHORTEST_CLOCK, HouseRules, NewTable
from stationmaster.server.table import DAY, Table

CODE_SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which are taken for 1 and 0
CODE_LENGTH = 6
DAY_BOOK, DAY_SEATS, DAY_ROUNDS, DAY_LEVEL = "puremco-12", 4, 1, "conductor"  # the deal of the day


def fresh_code() -> str:
    """A code for invitations."""
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def first_entries(wanted: NewTable, holder: str, code: str, group: str | None) -> list[e.AnyEntry]:
    """The first step of a table: it is laid, and whoever laid it and the bots sit down."""
    book = rulebook(DAY_BOOK).with_changes(rounds=DAY_ROUNDS) if wanted.day else chosen_book(wanted.rulebook)
    seats = DAY_SEATS if wanted.day else wanted.seats
    levels = [DAY_LEVEL] * (seats - 1) if wanted.day else wanted.bots
    if seats not in book.deal:
        most = max(book.deal)
        raise Refusal(
            "too-many-seats" if seats > most else "too-few-players", count=most if seats > most else min(book.deal)
        )
    if len(levels) >= seats:
        raise Refusal("table-full")
    if wanted.clock is not None and not SHORTEST_CLOCK <= wanted.clock <= LONGEST_CLOCK:
        raise Refusal("bad-clock", least=SHORTEST_CLOCK, most=LONGEST_CLOCK)
    table = Table("")
    entries: list[e.AnyEntry] = []

    def add(entry: e.AnyEntry) -> None:
        table.apply(1, 0, e.StepData([entry]))
        entries.append(entry)

    add(
        e.Created(
            rulebook=rulebook_for_record(book),
            seats=seats,
            host=holder,
            code=code,
            public=wanted.public,
            clock=wanted.clock,
            pace=wanted.pace,
            hints=wanted.hints,
            watchers=wanted.watchers,
            group=group,
        )
    )
    add(e.Sat(0, decide.new_name(table, wanted.name, 0), holder))
    for seat, level in enumerate(levels, seats - len(levels)):
        decide.check_level(level)
        add(e.Sat(seat, decide.bot_name(table), None, level))
    return entries


def chosen_group(wanted: str | None) -> str | None:
    """The name that somebody gives to tables with the same deals; days have theirs already, those to come too."""
    if wanted is None:
        return None
    group = cleaned(wanted, LONGEST_GROUP)
    if not group or "/" in group or group.casefold().startswith(DAY):
        raise Refusal("bad-group", limit=LONGEST_GROUP)
    return group


def chosen_book(wanted: str | HouseRules) -> Rulebook:
    """The rulebook that somebody asks for."""
    if isinstance(wanted, str):
        return rulebook(wanted)
    named = {} if wanted.name is None else {"name": wanted.name}
    return rulebook(wanted.rulebook).with_changes(**named, **wanted.changes)


def rematch_entries(old: Table, code: str) -> list[e.AnyEntry]:
    """The first step of a rematch: the same seats, and the start goes to the next seat."""
    book = old.book
    if book.starter != "engine-holder" and old.match is not None:
        first = (old.match.rounds[0].starter + 1) % len(old.seats)
        book = book.with_changes(starter="seat", first_starter=first)
    group = old.created.group
    entries: list[e.AnyEntry] = [
        replace(
            old.created,
            rulebook=rulebook_for_record(book),
            host=old.host or old.created.host,
            code=code,
            hints=old.hints,
            removed=tuple(sorted(old.removed)),
            silenced=tuple(sorted(old.silenced)),
            group=None if group is None or group.startswith(DAY) else f"{group}+",
            after=old.id,
        )
    ]
    entries += [
        e.Sat(number, seat.name, seat.holder, seat.level)
        for number, seat in enumerate(old.seats)
        if seat.holder is not None or seat.level is not None
    ]
    return entries
