"""What lists and timers know of a table: its row in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from stationmaster.server.shapes import SeatSummary, Summary
from stationmaster.store.base import Row

if TYPE_CHECKING:
    from stationmaster.server.table import Table


def row_of(table: Table) -> Row:
    """The row of a table as it stands."""
    return Row(
        table=table.id,
        code=table.created.code,
        version=table.version,
        changed=table.at,
        public=table.created.public,
        over=table.stage == "over" or table.closed,
        due=table.due(),
        group=table.created.group,
        holders=tuple(table.holders),
        summary=msgspec.json.encode(summary_of(table)),
    )


def summary_of(table: Table) -> Summary:
    """What lists, results and statistics know of it."""
    match, book = table.match, table.book
    money = book.objective == "most-money"
    return Summary(
        rulebook=book.id,
        rulebook_name=book.name,
        rounds=book.rounds,
        seats=[SeatSummary(seat.name, seat.holder, seat.level) for seat in table.seats],
        money=money,
        locked=table.locked,
        started=table.stage != "seats",
        round=match.number if match is not None else 0,
        played=len(match.outcomes()) if match is not None else 0,
        totals=list(match.money if money else match.totals) if match is not None else [],
        winners=list(match.winners) if match is not None and match.winners is not None else None,
    )
