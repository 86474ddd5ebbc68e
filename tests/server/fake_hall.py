"""A hall of the shape that the transport asks for, with tables at which nothing is played.

A move is told to every line of its table, and that is all: what is tested here is the way in and out.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from stationmaster.rulebooks.rulebook import rulebook
from stationmaster.server.refusal import Refusal
from stationmaster.server.shapes import NewTable, SeatSummary, Summary


class Row(msgspec.Struct, frozen=True):
    table: str
    code: str
    version: int
    changed: int
    public: bool
    over: bool
    due: int | None
    group: str | None
    holders: tuple[str, ...]
    summary: bytes


class FakeStore:
    def __init__(self) -> None:
        self.tables: dict[str, Row] = {}
        self.broken = False
        self.closed = False

    async def row(self, table: str) -> Row | None:
        return self.tables.get(table)

    async def row_by_code(self, code: str) -> Row | None:
        return next((row for row in self.tables.values() if row.code == code), None)

    async def rows(
        self,
        *,
        holder: str | None = None,
        group: str | None = None,
        public: bool | None = None,
        over: bool | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Row]:
        found = [
            row
            for row in self.tables.values()
            if (holder is None or holder in row.holders)
            and (group is None or row.group == group)
            and (public is None or row.public == public)
            and (over is None or row.over == over)
            and (before is None or row.changed < before)
        ]
        return sorted(found, key=lambda row: -row.changed)[:limit]

    async def check(self) -> None:
        if self.broken:
            raise ConnectionError("no database")

    async def close(self) -> None:
        self.closed = True


class FakeRecord:
    def dumps(self) -> str:
        return '{"format": "stationmaster/1"}\n'


class FakeLine:
    def __init__(
        self, hall: FakeHall, row: Row, holder: str | None, send: Callable[[bytes], None], may_talk: Callable[[], bool]
    ) -> None:
        self.hall = hall
        self.may_talk = may_talk
        self.table = row.table
        self.holder = holder
        self.send = send
        self.seats = tuple(
            number for number, seat in enumerate(summary(row).seats) if holder is not None and seat.holder == holder
        )

    async def command(self, frame: bytes | str) -> None:
        try:
            said: dict[str, Any] = json.loads(frame)
        except ValueError:
            self.send(b'{"error":"bad-frame","sentence":"?"}')
            return
        if not isinstance(said, dict):
            self.send(b'{"error":"bad-frame","sentence":"?"}')
        elif "burst" in said:  # much for everybody at the table
            block = b'{"burst":"' + b"x" * 8000 + b'"}'
            for _ in range(said["burst"]):
                self.hall.tell(self.table, block)
                await asyncio.sleep(0)
        elif "say" in said and not self.may_talk():
            self.send(json.dumps({"error": "too-fast", "id": said["id"]}).encode())
        elif "fail" in said:
            raise RuntimeError("12-5 in hand")
        else:
            self.hall.tell(self.table, json.dumps({"version": 1, "events": [], "id": said.get("id")}).encode())

    async def close(self) -> None:
        self.hall.lines[self.table].remove(self)


class FakeHall:
    def __init__(self) -> None:
        self.store = FakeStore()
        self.lines: dict[str, list[FakeLine]] = {}
        self.stopped = False

    def add(self, code: str, **changes: Any) -> Row:
        """A table as the store would have it."""
        row = Row(f"t{len(self.store.tables)}", code, 1, len(self.store.tables) + 1, False, False, None, None, (), b"")
        fields = {name: changes.pop(name) for name in ("public", "over", "group") if name in changes}
        told = Summary(**{"rulebook": "tactic", "rulebook_name": "Tactic", "rounds": 13, "seats": []} | changes)
        holders = tuple(seat.holder for seat in told.seats if seat.holder)
        row = msgspec.structs.replace(row, summary=msgspec.json.encode(told), holders=holders, **fields)
        self.store.tables[row.table] = row
        return row

    async def create(self, wanted: NewTable, holder: str) -> Row:
        name = wanted.rulebook if isinstance(wanted.rulebook, str) else wanted.rulebook.rulebook
        book = rulebook(name)
        seats = [SeatSummary(wanted.name, holder), *(SeatSummary("") for _ in range(wanted.seats - 1))]
        return self.add(
            secrets.token_hex(3).upper(),
            rulebook=book.id,
            rulebook_name=book.name,
            rounds=book.rounds,
            seats=seats,
            public=wanted.public,
        )

    async def join(self, table_or_code: str, holder: str, name: str, seat: int | None = None) -> int:
        row = self.store.tables[table_or_code]
        told = summary(row)
        free = [number for number, place in enumerate(told.seats) if place.holder is None]
        if seat is None and not free:
            raise Refusal("table-full")
        at = free[0] if seat is None else seat
        if at not in free:
            raise Refusal("seat-taken")
        told.seats[at] = SeatSummary(name, holder)
        self.store.tables[row.table] = msgspec.structs.replace(
            row, summary=msgspec.json.encode(told), holders=(*row.holders, holder)
        )
        return at

    async def open_line(
        self,
        table_or_code: str,
        holder: str | None,
        *,
        after: int | None,
        language: str,
        send: Callable[[bytes], None],
        may_talk: Callable[[], bool],
    ) -> FakeLine:
        row = await self.store.row(table_or_code) or await self.store.row_by_code(table_or_code)
        if row is None:
            raise Refusal("no-such-table")
        line = FakeLine(self, row, holder, send, may_talk)
        self.lines.setdefault(row.table, []).append(line)
        send(json.dumps({"welcome": {"seats": line.seats, "language": language}, "version": after or 0}).encode())
        return line

    def tell(self, table: str, frame: bytes) -> None:
        for line in self.lines[table]:
            line.send(frame)

    async def record(self, table: str, holder: str | None) -> FakeRecord:
        return FakeRecord()

    async def close_table(self, table: str) -> None:
        self.store.tables[table] = msgspec.structs.replace(self.store.tables[table], over=True)

    def day(self) -> str:
        return "day-2026-11-19"

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def stop(self) -> None:
        self.stopped = True
        for line in [line for lines in self.lines.values() for line in lines]:
            line.send(b'{"goodbye":"restart"}')


def summary(row: Row) -> Summary:
    return msgspec.json.decode(row.summary, type=Summary)


def some(words: Iterable[str]) -> list[SeatSummary]:
    return [SeatSummary(word) for word in words]


def milliseconds() -> int:
    return time.time_ns() // 1_000_000
