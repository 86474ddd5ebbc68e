"""Tables on their way from one database to another: as lines of JSON, the same for every kind of database.

A table's lines stand together. Its steps are only ever added to, so what was read of it while it was played is the
table as it stood a moment ago. The last line says how much there was, so that a file that breaks off is told from a
whole one.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import BinaryIO

import msgspec

from stationmaster.store.base import Conflict, Kept, Row, Step, Store, StoreError, Talk

FORMAT = 1
BATCH = 2000  # steps that are taken over at once, or little more

Change = Callable[[Kept], Kept]
Told = Callable[[int, int], None]  # how much is done, and of how much


class Line(msgspec.Struct, frozen=True, tag_field="line", tag=str.lower):
    """A line of the file."""


class Head(Line, frozen=True):
    """The first line. ``everything``: the server's own secrets are in it, and those of rounds that run."""

    format: int
    everything: bool


class Setting(Line, frozen=True):
    name: str
    value: str


class StepLine(Line, frozen=True, tag="step"):
    table: str
    version: int
    at: int
    data: msgspec.Raw


class TalkLine(Line, frozen=True, tag="talk"):
    table: str
    number: int
    at: int
    data: msgspec.Raw


class RowLine(Line, frozen=True, tag="row"):
    table: str
    code: str
    version: int
    changed: int
    public: bool
    over: bool
    due: int | None
    group: str | None
    holders: tuple[str, ...]
    summary: msgspec.Raw


class End(Line, frozen=True):
    """The last line."""

    tables: int
    steps: int


AnyLine = Head | Setting | StepLine | TalkLine | RowLine | End

_decoder = msgspec.json.Decoder(AnyLine)


def same(kept: Kept) -> Kept:
    """The change that changes nothing: a backup holds everything."""
    return kept


async def export_lines(store: Store, change: Change, told: Told, *, everything: bool = False) -> AsyncIterator[bytes]:
    """Every table as lines, a table at a time. ``change`` takes out of each what must not leave."""
    total = await store.count()
    tables = steps = 0
    yield written(Head(FORMAT, everything))
    if everything:
        for name, value in (await store.settings()).items():
            yield written(Setting(name, value))
    page = await store.tables()
    while page:
        for table in page:
            told(tables, max(total, tables))
            kept = change(await store.keep(table))
            yield b"".join(map(written, lines_of(kept)))
            tables += 1
            steps += len(kept.steps)
        page = await store.tables(after=page[-1])
    told(tables, tables)
    yield written(End(tables, steps))


def written(line: Line) -> bytes:
    """A line as it stands in the file."""
    return msgspec.json.encode(line) + b"\n"


def lines_of(kept: Kept) -> Iterator[Line]:
    """The lines of one table."""
    for step in kept.steps:
        yield StepLine(step.table, step.version, step.at, as_raw(step.data, step.table))
    for talk in kept.talk:
        yield TalkLine(talk.table, talk.number, talk.at, as_raw(talk.data, talk.table))
    if kept.row is not None:
        r = kept.row
        facts = (r.table, r.code, r.version, r.changed, r.public, r.over, r.due, r.group, r.holders)
        yield RowLine(*facts, summary=as_raw(r.summary, r.table))


def as_raw(data: bytes, table: str) -> msgspec.Raw:
    """JSON that goes into a line as it stands; between its parts a line's end is as good as a space."""
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StoreError(f"table {table}: something is stored there that is not JSON: {error}") from None
    return msgspec.Raw(data.replace(b"\n", b" ").replace(b"\r", b" "))


# ---- Reading ----------------------------------------------------------------------------------------


class Arriving:
    """What a file of lines holds, checked while it is read."""

    def __init__(self, file: BinaryIO, name: str, told: Told) -> None:
        self._file = file
        self._size = file.seek(0, os.SEEK_END)
        file.seek(0)
        self._lines = enumerate(file, 1)
        self._name = name
        self._told = told
        self._number = 0
        self.settings: dict[str, str] = {}
        self.tables = 0
        self.steps = 0
        head = self._next()
        if not isinstance(head, Head):
            raise self._wrong("this is not a file of stationmaster db export or backup")
        if head.format != FORMAT:
            raise self._wrong(f"format {head.format} is of a later version; this program knows {FORMAT}")
        self.everything = head.everything

    def __iter__(self) -> Iterator[Kept]:
        """The tables, one after the other."""
        kept = Kept([], None, [])
        table: str | None = None
        while not isinstance(line := self._next(), End):
            if isinstance(line, Setting):
                self.settings[line.name] = line.value
                continue
            if isinstance(line, Head):
                raise self._wrong("a second beginning")
            if line.table != table:
                if table is not None:
                    yield self._whole(kept)
                kept, table = Kept([], None, []), line.table
            kept = self._added(kept, line)
        if table is not None:
            yield self._whole(kept)
        if (line.tables, line.steps) != (self.tables, self.steps):
            raise self._wrong(
                f"of {line.tables} tables with {line.steps} steps, {self.tables} with {self.steps} are here"
            )

    def _added(self, kept: Kept, line: StepLine | TalkLine | RowLine) -> Kept:
        """A table with one line more."""
        if isinstance(line, StepLine):
            if line.version != len(kept.steps) + 1:
                raise self._wrong(f"table {line.table}: version {line.version} comes after {len(kept.steps)}")
            kept.steps.append(Step(line.table, line.version, line.at, bytes(line.data)))
        elif isinstance(line, TalkLine):
            kept.talk.append(Talk(line.table, line.number, line.at, bytes(line.data)))
        else:
            facts = (line.table, line.code, line.version, line.changed, line.public, line.over, line.due, line.group)
            return Kept(kept.steps, Row(*facts, holders=line.holders, summary=bytes(line.summary)), kept.talk)
        return kept

    def _whole(self, kept: Kept) -> Kept:
        if not kept.steps:
            raise self._wrong("a table without steps")
        self.tables += 1
        self.steps += len(kept.steps)
        self._told(self._file.tell(), self._size)
        return kept

    def _next(self) -> AnyLine:
        try:
            self._number, text = next(self._lines)
        except StopIteration:
            raise self._wrong("the file breaks off here" if self._number else "the file is empty") from None
        try:
            line: AnyLine = _decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if self._number == 1:
                raise self._wrong("this is not a file of stationmaster db export or backup") from None
            raise self._wrong(f"this line cannot be read: {error}") from None
        return line

    def _wrong(self, what: str) -> StoreError:
        return StoreError(f"{self._name}, line {self._number}: {what}")


def in_batches(tables: Iterable[Kept]) -> Iterator[list[Kept]]:
    """Tables as many at a time as are taken over at once."""
    batch: list[Kept] = []
    steps = 0
    for kept in tables:
        batch.append(kept)
        steps += len(kept.steps)
        if steps >= BATCH:
            yield batch
            batch, steps = [], 0
    if batch:
        yield batch


async def import_tables(store: Store, tables: Iterable[Kept]) -> tuple[int, int]:
    """Add tables to a database: how many were added, and how many were there already, as far or further.

    Whoever was interrupted begins again: what is there is left as it is.
    """
    added = there = 0
    for batch in in_batches(tables):
        stored = await store.read_many({kept.steps[0].table: 0 for kept in batch})
        new = []
        for kept in batch:
            table = kept.steps[0].table
            if table not in stored:
                new.append(kept)
            elif stored[table][: len(kept.steps)] != kept.steps:
                raise Conflict(f"table {table} is here already, with other steps; nothing of it was changed")
        if new:
            await store.put(new)
        added += len(new)
        there += len(batch) - len(new)
    return added, there


# ---- Looking ----------------------------------------------------------------------------------------


async def faults(store: Store, told: Told) -> AsyncIterator[str]:
    """What does not hold in a database, table by table."""
    total, done = await store.count(), 0
    page = await store.tables()
    while page:
        for table in page:
            told(done, max(total, done))
            done += 1
            kept = await store.keep(table)
            versions = [step.version for step in kept.steps]
            if versions != list(range(1, len(versions) + 1)):
                missing = set(range(1, versions[-1])).difference(versions)
                yield f"table {table}: steps are missing: {', '.join(map(str, sorted(missing)[:10]))}"
            if kept.row is not None and kept.row.version > versions[-1]:
                yield f"table {table}: its row is of version {kept.row.version}, its last step of {versions[-1]}"
            try:
                for _ in lines_of(kept):
                    pass
            except StoreError as error:
                yield str(error)
        page = await store.tables(after=page[-1])
