"""A person's own: tables, statistics, and the link that brings them to another device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.server import shapes
from stationmaster.server.api.tables import BEFORE, PAGE, page, summary_of
from stationmaster.server.endpoint import Asked, Endpoint
from stationmaster.server.people import fresh_secret, personal_link

if TYPE_CHECKING:
    from stationmaster.server.hallway import RowLike

MOST_COUNTED = 10_000  # tables of a person, for statistics
AT_ONCE = 500


class Tally:
    """Matches by one rulebook, as they are added up."""

    def __init__(self, rulebook: str, name: str) -> None:
        self.rulebook = rulebook
        self.name = name
        self.matches = self.rounds = self.points = self.counted = 0
        self.wins = 0.0

    def add(self, summary: shapes.Summary, seat: int) -> None:
        """Count a match."""
        winners = summary.winners or []
        self.matches += 1
        self.wins += 1 / len(winners) if seat in winners else 0
        self.rounds += summary.played
        if not summary.money:
            self.points += summary.totals[seat]
            self.counted += summary.played

    def score(self) -> shapes.Score:
        """As it is told."""
        return shapes.Score(
            rulebook=self.rulebook,
            rulebook_name=self.name,
            matches=self.matches,
            wins=round(self.wins, 3),
            rounds=self.rounds,
            points_a_round=round(self.points / self.counted, 2) if self.counted else None,
        )


def tallied(rows: list[RowLike], holder: str) -> shapes.Statistics:
    """What somebody's finished matches add up to. Somebody at two seats has played two matches."""
    tallies: dict[str, Tally] = {}
    for row in rows:
        summary = summary_of(row)
        if summary.winners is None or len(summary.totals) != len(summary.seats):
            continue  # closed before its end
        for number, seat in enumerate(summary.seats):
            if seat.holder == holder:
                tally = tallies.setdefault(summary.rulebook, Tally(summary.rulebook, summary.rulebook_name))
                tally.add(summary, number)
    return shapes.Statistics(
        matches=sum(tally.matches for tally in tallies.values()),
        wins=round(sum(tally.wins for tally in tallies.values()), 3),
        rulebooks=[tally.score() for tally in sorted(tallies.values(), key=lambda tally: -tally.matches)],
    )


async def finished(asked: Asked, holder: str) -> list[RowLike]:
    """All tables at which somebody played to the end, as far as they are counted."""
    found: dict[str, RowLike] = {}
    before: int | None = None
    while len(found) < MOST_COUNTED:
        rows = await asked.house.store.rows(holder=holder, over=True, before=before, limit=AT_ONCE)
        found |= {row.table: row for row in rows}
        if len(rows) < AT_ONCE or rows[-1].changed == before:
            break
        before = rows[-1].changed
    return list(found.values())


async def who(asked: Asked) -> shapes.Person:
    """Whether a browser is somebody already."""
    return shapes.Person(known=asked.secret is not None)


async def tables(asked: Asked) -> shapes.Tables:
    """My tables."""
    holder = asked.somebody()
    before = asked.whole("before")
    tables, more = page(await asked.house.store.rows(holder=holder, before=before, limit=PAGE), holder)
    return shapes.Tables(tables=tables, more=more)


async def statistics(asked: Asked) -> shapes.Statistics:
    """My matches, added up."""
    holder = asked.somebody()
    return tallied(await finished(asked, holder), holder)


async def link(asked: Asked) -> shapes.Link:
    """My personal link."""
    asked.somebody()
    assert asked.secret is not None
    return shapes.Link(link=personal_link(asked.base(), asked.secret), secret=asked.secret)


async def adopt(asked: Asked) -> shapes.Person:
    """From now on this browser is the person of the link."""
    asked.keep((await asked.body(shapes.Adopting)).secret)
    return shapes.Person(known=True)


async def become(asked: Asked) -> shapes.Link:
    """A new person, for a program: it keeps the secret itself, and shows it as a bearer."""
    secret = fresh_secret()
    return shapes.Link(link=personal_link(asked.base(), secret), secret=secret)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/me",
        does=who,
        says="Whether this browser or program is somebody already",
        gives=shapes.Person,
        group="people",
        person="if-known",
    ),
    Endpoint(
        method="GET",
        path="/api/me/tables",
        does=tables,
        says="Tables at which you sit or sat, the latest changed first",
        gives=shapes.Tables,
        query=(BEFORE,),
        group="people",
        person="needed",
        refusals=("bad-query",),
    ),
    Endpoint(
        method="GET",
        path="/api/me/statistics",
        does=statistics,
        says="Your matches that are over, added up by rulebook",
        gives=shapes.Statistics,
        group="people",
        person="needed",
    ),
    Endpoint(
        method="POST",
        path="/api/me/link",
        does=link,
        says="The personal link that brings you to another device",
        gives=shapes.Link,
        group="people",
        person="needed",
    ),
    Endpoint(
        method="POST",
        path="/api/me/adopt",
        does=adopt,
        says="Be the person of a personal link in this browser",
        takes=shapes.Adopting,
        gives=shapes.Person,
        group="people",
    ),
    Endpoint(
        method="POST",
        path="/api/people",
        does=become,
        says="A new person, for programs: send the secret as `Authorization: Bearer SECRET`",
        gives=shapes.Link,
        status=201,
        group="people",
    ),
)
