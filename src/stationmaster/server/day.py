"""The deal of the day: which rulebook it is played by. The same on every server, so that people can talk about it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import msgspec

from stationmaster.rulebooks.rulebook import RULEBOOKS, rulebook

FIRST = date(2026, 1, 1)
SEATS = 4
ROUNDS = 3  # a quarter of an hour


class DayDeal(msgspec.Struct, frozen=True):
    """What is played on a day."""

    day: date
    group: str  # of all tables that play it
    rulebook: str
    seats: int
    rounds: int


def deal_of(day: date) -> DayDeal:
    """What is played on this day: each rulebook in its turn."""
    books = [id for id in RULEBOOKS if SEATS in rulebook(id).players]
    id = books[(day - FIRST).days % len(books)]
    return DayDeal(day, f"day-{day.isoformat()}", id, SEATS, min(ROUNDS, rulebook(id).rounds))


def today(at: int) -> DayDeal:
    """What is played now; ``at`` is in milliseconds since 1970."""
    return deal_of(datetime.fromtimestamp(at / 1000, UTC).date())
