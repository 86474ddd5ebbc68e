"""Tables: lay one, find one, sit down, take the record home."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from stationmaster.server import shapes
from stationmaster.server.cleaning import clean_name
from stationmaster.server.denied import Denied
from stationmaster.server.endpoint import Asked, Endpoint, Plain, Query
from stationmaster.server.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.server.hallway import RowLike

BEFORE = Query("before", "Only what last changed before this, in milliseconds since 1970", "integer")
PAGE = 50

_summary = msgspec.json.Decoder(shapes.Summary)


def summary_of(row: RowLike) -> shapes.Summary:
    """What a row says of its table."""
    return _summary.decode(row.summary)


def info(row: RowLike, holder: str | None) -> shapes.TableInfo:
    """A row as anybody may see it: who holds the seats is not in it."""
    summary = summary_of(row)
    return shapes.TableInfo(
        table=row.table,
        code=row.code,
        rulebook=summary.rulebook,
        rulebook_name=summary.rulebook_name,
        public=row.public,
        over=row.over,
        locked=summary.locked,
        started=summary.started,
        round=summary.round,
        rounds=summary.rounds,
        seats=[
            shapes.Place(name=seat.name, level=seat.level, taken=bool(seat.holder or seat.level))
            for seat in summary.seats
        ],
        totals=summary.totals,
        winners=summary.winners,
        group=row.group,
        changed=row.changed,
        mine=[number for number, seat in enumerate(summary.seats) if holder is not None and seat.holder == holder],
    )


def page(rows: Sequence[RowLike], holder: str | None) -> tuple[list[shapes.TableInfo], int | None]:
    """A list of tables, and where the next one begins."""
    return [info(row, holder) for row in rows], rows[-1].changed if len(rows) >= PAGE else None


async def find(asked: Asked) -> RowLike:
    """The row of the table that is named by its id or its code."""
    name = asked.part("table")
    store = asked.house.store
    row = await store.row(name) or await store.row_by_code(name.upper()) or await store.row_by_code(name)
    if row is None:
        raise Refusal("no-such-table")
    return row


def named(text: str) -> str:
    """A name, cleaned; refuses one of which nothing is left."""
    name = clean_name(text)
    if not name:
        raise Denied("empty-name", field="name")
    return name


async def listing(asked: Asked) -> shapes.Tables:
    """The public tables that have not ended."""
    before = asked.whole("before")
    rows = await asked.house.store.rows(public=True, over=False, before=before, limit=PAGE)
    tables, more = page(rows, asked.holder)
    return shapes.Tables(tables=tables, more=more)


async def create(asked: Asked) -> shapes.Made:
    """Lay a table; who lays it is its host, and sits at seat 0."""
    wanted = await asked.body(shapes.NewTable)
    wanted = msgspec.structs.replace(wanted, name=named(wanted.name))
    base = asked.base()
    wait = asked.house.may_lay(asked.address, asked.anybody())
    if wait:
        raise Denied("too-many-tables", wait=wait, seconds=wait)
    row = await asked.house.hall.create(wanted, asked.anybody())
    return shapes.Made(table=row.table, code=row.code, link=f"{base}/t/{row.code}", seat=0)


async def look(asked: Asked) -> shapes.TableInfo:
    """A table, by its id or its code."""
    return info(await find(asked), asked.holder)


async def join(asked: Asked) -> shapes.Sat:
    """Sit down: at a seat that is named, or at the first that is free."""
    wanted = await asked.body(shapes.Joining)
    name = named(wanted.name)
    row = await find(asked)
    seat = await asked.house.hall.join(row.table, asked.anybody(), name, wanted.seat)
    return shapes.Sat(table=row.table, seat=seat)


async def rematch(asked: Asked) -> shapes.Made:
    """The same people once more; another one starts. Who asks later comes to the same table."""
    holder, base = asked.somebody(), asked.base()
    row = await asked.house.hall.rematch((await find(asked)).table, holder)
    seats = info(row, holder).mine
    return shapes.Made(table=row.table, code=row.code, link=f"{base}/t/{row.code}", seat=seats[0] if seats else None)


async def record(asked: Asked) -> Plain:
    """The record of a match, without what is still hidden."""
    row = await find(asked)
    record = await asked.house.hall.record(row.table, asked.holder)
    file = f'attachment; filename="stationmaster-{"".join(sign for sign in row.code if sign.isalnum())}.json"'
    return Plain(
        record.dumps().encode(), "application/json", {"content-disposition": file, "cache-control": "no-store"}
    )


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/tables",
        does=listing,
        says="The public tables that have not ended, the latest changed first",
        gives=shapes.Tables,
        query=(BEFORE,),
        person="if-known",
        refusals=("bad-query",),
    ),
    Endpoint(
        method="POST",
        path="/api/tables",
        does=create,
        says="Lay a table",
        takes=shapes.NewTable,
        gives=shapes.Made,
        status=201,
        person="made",
        refusals=(
            "too-many-tables",
            "bad-rules",
            "too-few-players",
            "too-many-seats",
            "bad-level",
            "bad-clock",
            "bad-group",
        ),
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{table}",
        does=look,
        says="A table, by its id or its code",
        gives=shapes.TableInfo,
        person="if-known",
        refusals=("no-such-table",),
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{table}/join",
        does=join,
        says="Sit down at a table",
        takes=shapes.Joining,
        gives=shapes.Sat,
        person="made",
        refusals=(
            "no-such-table",
            "table-locked",
            "table-full",
            "seat-taken",
            "no-such-seat",
            "name-taken",
            "removed",
            "same-for-all",
        ),
    ),
    Endpoint(
        method="POST",
        path="/api/tables/{table}/rematch",
        does=rematch,
        says="The same people once more, at a table of their own; another one starts",
        gives=shapes.Made,
        status=201,
        person="needed",
        refusals=("no-such-table", "not-seated", "round-not-over"),
    ),
    Endpoint(
        method="GET",
        path="/api/tables/{table}/record",
        does=record,
        says="The record of a match as a file, without what is still hidden",
        person="if-known",
        refusals=("no-such-table", "not-started", "round-not-over", "no-watchers"),
    ),
)
