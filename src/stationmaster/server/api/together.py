"""The same deals for everybody: the deal of the day, and who did best with them."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from stationmaster.rulebooks.rulebook import rulebook
from stationmaster.server import shapes
from stationmaster.server.api.tables import summary_of
from stationmaster.server.endpoint import Asked, Endpoint
from stationmaster.server.laying import DAY_BOOK, DAY_ROUNDS, DAY_SEATS
from stationmaster.server.table import DAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.server.hallway import RowLike

MOST_TABLES = 1000


async def day(asked: Asked) -> shapes.Day:
    """What is played today."""
    group = asked.house.hall.day()
    return shapes.Day(
        day=group.removeprefix("day-"),
        group=group,
        rulebook=DAY_BOOK,
        rulebook_name=rulebook(DAY_BOOK).name,
        rounds=DAY_ROUNDS,
        seats=DAY_SEATS,
    )


def compared(group: str, rows: Sequence[RowLike], holder: str | None) -> shapes.Results:
    """Each seat against the same seat at the other tables: it had the same tiles."""
    over = [(row, summary) for row in rows if (summary := summary_of(row)).winners is not None]
    if group.startswith(DAY):
        over = firsts(over)
    by_seat: dict[tuple[str, int, int, int], list[int]] = {}
    for _, summary in over:
        for seat, total in enumerate(summary.totals):
            by_seat.setdefault(same(summary, seat), []).append(total)
    means = {seat: fmean(totals) for seat, totals in by_seat.items()}
    results = [
        shapes.Result(
            name=place.name,
            level=place.level,
            table=row.table if row.public or here else None,
            seat=seat,
            total=total,
            difference=round((total - mean if summary.money else mean - total), 2) + 0.0,
            mine=holder is not None and place.holder == holder,
        )
        for row, summary in over
        for here in [holder is not None and any(place.holder == holder for place in summary.seats)]
        for seat, (place, total) in enumerate(zip(summary.seats, summary.totals, strict=False))
        for mean in [means[same(summary, seat)]]
    ]
    results.sort(key=lambda result: (-result.difference, result.name, result.seat))
    return shapes.Results(group=group, finished=len(over), playing=sum(not row.over for row in rows), results=results)


def same(summary: shapes.Summary, seat: int) -> tuple[str, int, int, int]:
    """What has to be the same at two tables of a group for a seat to have had the same tiles."""
    return summary.rulebook, summary.rounds, len(summary.seats), seat


def firsts(over: list[tuple[RowLike, shapes.Summary]]) -> list[tuple[RowLike, shapes.Summary]]:
    """The first table of everybody: who plays the same deal again knows it."""
    known: set[str] = set()
    found = []
    for row, summary in sorted(over, key=lambda one: one[0].changed):
        people = {seat.holder for seat in summary.seats if seat.holder is not None}
        if not people or not people <= known:
            found.append((row, summary))
        known |= people
    return found


async def results(asked: Asked) -> shapes.Results:
    """Who did best with the deals of a group."""
    group = asked.part("group")
    rows = await asked.house.store.rows(group=group, limit=MOST_TABLES)
    return compared(group, rows, asked.holder)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/day",
        does=day,
        says="The deal of the day; lay a table with `day` to play it",
        gives=shapes.Day,
        group="together",
    ),
    Endpoint(
        method="GET",
        path="/api/groups/{group}",
        does=results,
        says="Who did best with the same deals: each seat against the same seat at the other tables",
        gives=shapes.Results,
        group="together",
        person="if-known",
    ),
)
