"""What the server writes down: what happened, where and how long it took; no secret, no text, no tile.

For people at a terminal one line each; for programs one JSON document a line. Only the fields given to ``note`` are
written, and an exception's type and place, never its values.
"""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec

LOGGER = "stationmaster.server"
_log = logging.getLogger(LOGGER)


def note(what: str, level: int = logging.INFO, **fields: Any) -> None:
    """Write down that something happened."""
    if _log.isEnabledFor(level):
        _log.log(level, what, extra={"fields": fields})


def trouble(what: str, error: BaseException, **fields: Any) -> None:
    """Write down what went wrong and where, without what was in it."""
    note(what, logging.ERROR, error=type(error).__name__, where=places(error), **fields)


class JsonLines(logging.Formatter):
    """One JSON document a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        said: dict[str, Any] = {"at": at(record), "level": record.levelname.lower(), "event": record.getMessage()}
        if record.name != LOGGER:
            said["from"] = record.name
        return msgspec.json.encode(said | getattr(record, "fields", {}) | error_of(record), enc_hook=str).decode()


class Lines(logging.Formatter):
    """One line that a person can read."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields = getattr(record, "fields", {}) | error_of(record)
        told = " ".join(f"{name}={value}" for name, value in fields.items())
        sign = "" if record.levelno < logging.WARNING else f"{record.levelname.lower()}: "
        return f"{at(record)[11:19]} {sign}{record.getMessage()}{'  ' + told if told else ''}"


def error_of(record: logging.LogRecord) -> dict[str, Any]:
    """The kind and the place of an exception that was written down; what it says may hold anything."""
    error = record.exc_info[1] if record.exc_info else None
    return {} if error is None else {"error": type(error).__name__, "where": places(error)}


def places(error: BaseException) -> list[str]:
    """Where something went wrong, the innermost last."""
    found = traceback.extract_tb(error.__traceback__)[-6:]
    return [f"{place.filename.rpartition('stationmaster/')[2]}:{place.lineno} {place.name}" for place in found]


def at(record: logging.LogRecord) -> str:
    """When it was, by UTC."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ours(record: logging.LogRecord) -> bool:
    """Whether it is trouble of the server's: anybody can send what is no UTF-8, as often as they like."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def set_up(kind: str, level: int = logging.INFO) -> None:
    """Write to stderr: ``json``, ``text``, or ``auto``, which is text on a terminal."""
    as_json = kind == "json" or (kind == "auto" and not (sys.stderr is not None and sys.stderr.isatty()))
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else Lines())
    for name, least in ((LOGGER, level), ("uvicorn.error", logging.ERROR), ("psycopg", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(least)
        logger.propagate = False
        logger.filters[:] = [ours]
