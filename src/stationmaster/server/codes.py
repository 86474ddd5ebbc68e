"""Why a table says no: a code for programs, and a sentence in ``words/`` under ``server.error.CODE`` for people.

A sentence that fills in a place is asked for with it: ``illegal`` with the ``reason``'s own sentence,
``not-your-turn`` with the ``name`` of whose turn it is, ``too-large``, ``bad-name``, ``bad-group`` and ``bad-id`` with
the ``limit``, ``bad-level`` with the ``levels`` there are, ``too-few-players`` and ``too-many-seats`` with the
``count`` that would do, ``bad-clock`` with the ``least`` and the ``most`` seconds, ``seats-free`` with the ``count``.
"""

from __future__ import annotations

from typing import Literal, get_args

Code = Literal[
    # The message itself.
    "bad-frame",
    "too-large",
    "unknown-verb",
    "bad-id",
    "bad-version",
    "needs-seat",
    "too-fast",
    # Who may do it, and where.
    "no-such-table",
    "no-such-seat",
    "not-seated",
    "not-your-seat",
    "not-host",
    "removed",
    "muted",
    "no-watchers",
    # Sitting down.
    "seat-taken",
    "table-full",
    "same-for-all",
    "table-locked",
    "name-taken",
    "bad-name",
    "bad-level",
    "bad-clock",
    "bad-group",
    "too-few-players",
    "too-many-seats",
    # When it can be done.
    "seats-free",
    "not-started",
    "already-started",
    "round-not-over",
    "match-over",
    "paused",
    "not-paused",
    # A move.
    "not-your-turn",
    "stale",
    "illegal",
    "no-takeback",
    "takeback-across-draw",
    "takeback-not-asked",
    "hints-off",
    # A fair deal.
    "not-asked",
    "already-given",
    "bad-text",
    # The server's own trouble.
    "store-unavailable",
    "internal",
]

CODES: tuple[Code, ...] = get_args(Code)
