"""Where the matches played in this terminal are kept, one file each, and only one player at a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from glob import escape
from pathlib import Path

from stationmaster.errors import RecordError, StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.record import Record

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two terminals from one match there
    fcntl = None  # type: ignore[assignment]


def matches_folder() -> Path:
    """The folder of the matches: in XDG_DATA_HOME, or else in ~/.local/share."""
    given = os.environ.get("XDG_DATA_HOME", "")
    if given.startswith("/"):  # as the standard has it, anything else is ignored
        return Path(given, "stationmaster", "matches")
    try:
        home = Path.home()
    except RuntimeError:
        raise StationmasterError("there is no home directory to keep matches in; set XDG_DATA_HOME") from None
    return home / ".local" / "share" / "stationmaster" / "matches"


def why_not_writable(folder: Path) -> str | None:
    """What keeps matches from being saved in a folder; None when nothing does."""
    attempt = folder / f".attempt.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        attempt.write_bytes(b"")
        attempt.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return None


def fresh_path(book_id: str) -> Path:
    """A new file for a match that begins now."""
    folder = matches_folder()
    trouble = why_not_writable(folder)
    if trouble is not None:
        raise StationmasterError(f"{folder}: {trouble}; choose where to keep the match with --save FILE")
    return unused(folder / f"{datetime.now():%Y-%m-%d-%H%M%S}-{book_id}.json")


def unused(path: Path) -> Path:
    """This path, or the first numbered one like it that no file has: match.json, match-2.json …"""
    number, candidate = 1, path
    while candidate.exists():
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate


def load_record(path: Path) -> Record:
    """The record in a file; what is wrong with it is said with the file's name."""
    try:
        return Record.loads(path.read_bytes())
    except RecordError as error:
        raise naming(path, error) from None


def load_match(path: Path) -> Match:
    """The match in a file, played again to where it stands."""
    record = load_record(path)
    try:
        return record.replay()
    except RecordError as error:
        raise naming(path, error) from None


def naming(path: Path, error: RecordError) -> RecordError:
    """The same complaint with the file's name before it."""
    named = RecordError(f"{path}: {error}")
    named.round, named.move = error.round, error.move
    return named


def unfinished() -> Path | None:
    """The match that was played last, if it is not over and nobody sits at it now."""
    folder = matches_folder()
    with suppress(OSError):
        for path in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True):
            with suppress(StationmasterError, OSError):
                if load_record(path).winners is None:
                    load_match(path)  # a broken one is nothing to go on with
                    with sole_player(path):
                        return path
    return None


@contextmanager
def sole_player(path: Path) -> Iterator[None]:
    """Sit down at a match alone: nobody else in another terminal may go on with the same file meanwhile."""
    if fcntl is None:
        yield
        return
    lock = path.with_name(f".{path.name}.lock")
    while True:
        file = os.open(lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise StationmasterError(f"{path}: this match is being played in another terminal") from None
        with suppress(FileNotFoundError):
            if os.path.samestat(lock.stat(), os.fstat(file)):
                break
        os.close(file)  # the one before took its lock away just now
    try:
        for half_written in path.parent.glob(f".{escape(path.name)}.*.new"):  # by a process that was killed
            half_written.unlink(missing_ok=True)
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
        os.close(file)
