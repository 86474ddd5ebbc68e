"""The deal of the day: what is played, and which group of tables plays it. The same for everybody."""

from __future__ import annotations

from datetime import UTC, datetime

BOOK = "puremco-12"
SEATS = 4
ROUNDS = 1
LEVEL = "conductor"  # of the bots that take the other seats


def group_of(at: int) -> str:
    """The group of all tables that play the deals of a day; ``at`` is in milliseconds since 1970."""
    return f"day-{datetime.fromtimestamp(at / 1000, UTC).date().isoformat()}"
