"""What the door says no to, before any table hears of it; and which status each no has."""

from __future__ import annotations

from typing import Any

from stationmaster.server.refusal import Refusal
from stationmaster.words import DEFAULT, say


class Denied(Refusal):
    """A request that is turned away at the door; ``status`` is the one of HTTP."""

    def __init__(self, code: str, *, field: str | None = None, wait: int | None = None, **values: Any) -> None:
        self.field = field
        self.wait = wait  # seconds, after which it may be tried again
        super().__init__(code, **values)

    def sentence(self, language: str = DEFAULT) -> str:
        """Why, in words."""
        return say(f"door.error.{self.code}", language, **self.values)


STATUS = {
    # At the door
    "bad-body": 422,
    "bad-query": 422,
    "bad-rules": 422,
    "not-json": 415,
    "body-too-large": 413,
    "wrong-origin": 403,
    "wrong-host": 400,
    "too-many-requests": 429,
    "too-many-tables": 429,
    "too-many-connections": 429,
    "no-such-page": 404,
    "wrong-method": 405,
    "too-slow": 408,
    "empty-name": 422,
    "no-such-rulebook": 404,
    "nobody": 401,
    "not-admin": 403,
    "closing": 503,
    # At the table
    "no-such-table": 404,
    "no-such-seat": 404,
    "not-seated": 403,
    "not-your-seat": 403,
    "not-host": 403,
    "removed": 403,
    "muted": 403,
    "no-watchers": 403,
    "table-locked": 403,
    "too-fast": 429,
    "bad-name": 422,
    "bad-level": 422,
    "bad-clock": 422,
    "bad-group": 422,
    "bad-id": 422,
    "too-few-players": 422,
    "too-many-seats": 422,
    "too-large": 413,
    "store-unavailable": 503,
    "internal": 500,
}


def status_of(refusal: Refusal) -> int:
    """The status that goes with a refusal: unless it says otherwise, the table is just not in a state for it."""
    return STATUS.get(refusal.code, 409)
