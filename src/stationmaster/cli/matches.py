"""Where the matches played in this terminal are kept, one file each, and only one player at a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from glob import escape
from pathlib import Path

import msgspec

from stationmaster.errors import RecordError, StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.store.places import data_folder
from stationmaster.words import LANGUAGES

try:
    import fcntl
except ImportError:  # Windows: nothing keeps two terminals from one match there
    fcntl = None  # type: ignore[assignment]


def matches_folder() -> Path:
    """The folder of the matches."""
    return data_folder() / "matches"


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


class Saved(msgspec.Struct, frozen=True):
    """A file in the folder of the matches: a record, or what is wrong with it."""

    path: Path
    when: datetime
    record: Record | None
    trouble: str = ""


def saved_matches() -> Iterator[Saved]:
    """The matches that are kept, the one played last first. Broken ones are among them."""
    times = {}
    for path in matches_folder().glob("*.json"):
        with suppress(OSError):  # taken away just now
            times[path] = path.stat().st_mtime
    for path in sorted(times, key=lambda path: (times[path], path.name), reverse=True):
        when = datetime.fromtimestamp(times[path])
        try:
            yield Saved(path, when, load_record(path))
        except RecordError as error:
            yield Saved(path, when, None, str(error))
        except OSError as error:
            yield Saved(path, when, None, f"{path}: {error.strerror}")


def unfinished(broken: list[str], *, also_busy: bool) -> Path | None:
    """The match that was played last and is not over, whole; ``broken`` gathers what is wrong with later ones.

    ``also_busy``: one that is being played in another terminal counts too.
    """
    for saved in saved_matches():
        if saved.record is None:
            broken.append(saved.trouble)
        elif saved.record.winners is None and (also_busy or not is_busy(saved.path)):
            try:
                load_match(saved.path)
            except (StationmasterError, OSError) as error:
                broken.append(str(error))
            else:
                return saved.path
    return None


def is_busy(path: Path) -> bool:
    """Whether somebody plays at this match in another terminal."""
    if not _lock_of(path).exists():
        return False
    try:
        with sole_player(path):
            return False
    except StationmasterError:
        return True


def last_name() -> str | None:
    """What the player was called in the match that was played last."""
    return next((saved.record.players[0] for saved in saved_matches() if saved.record and saved.record.players), None)


# ---- How a match is played, in a small file beside it ----------------------------------------------


class Manner(msgspec.Struct, frozen=True):
    """How a match is played in this terminal, which its record does not say."""

    language: str | None = None
    bots: tuple[str, ...] = ()  # at the seats from 1 on


def keep_manner(path: Path, manner: Manner) -> None:
    """Remember how a match is played."""
    with suppress(OSError):
        _manner_of(path).write_bytes(msgspec.json.encode(manner) + b"\n")


def kept_manner(path: Path) -> Manner:
    """How a match was played last, as far as that is known."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        manner = msgspec.json.decode(_manner_of(path).read_bytes(), type=Manner)
        return manner if manner.language in LANGUAGES else Manner(None, manner.bots)
    return Manner()


def move_match(path: Path, to: Path) -> None:
    """Give a match another file, and what is kept beside it too."""
    path.rename(to)
    with suppress(OSError):
        shutil.move(_manner_of(path), _manner_of(to))


def _manner_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.manner")


def _lock_of(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


# ---- Alone at a match ------------------------------------------------------------------------------


@contextmanager
def sole_player(path: Path) -> Iterator[None]:
    """Sit down at a match alone: nobody else in another terminal may go on with the same file meanwhile."""
    if fcntl is None:
        yield
        return
    lock = _lock_of(path)
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
