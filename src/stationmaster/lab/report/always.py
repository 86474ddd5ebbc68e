"""What every report tells: the runs themselves, points, how long rounds are, who wins them, which end blocked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.lab.ladder import Climb
from stationmaster.lab.match import Standing
from stationmaster.lab.report.parts import Bars, Column, Dots, Record, Section, Table
from stationmaster.lab.said import ladder_lines, match_lines
from stationmaster.lab.statistics import share_interval
from stationmaster.lab.telling import unit
from stationmaster.words import say

if TYPE_CHECKING:
    from stationmaster.lab.report.asking import Rows
    from stationmaster.lab.results import Results

MOST_PANELS = 24  # small plots in a section; tables tell the rest
PANEL_BARS = 30


def column(name: str, how: str, language: str, **values: str) -> Column:
    """A column with its title."""
    return Column(name, say(f"lab.column.{name}", language, **values), how)


# ---- Matches and ladders ----------------------------------------------------------------------------


def runs(results: Results, language: str) -> list[Section]:
    """What a match or a ladder was played for; a study asks its own questions."""
    job, target = results.job, max(results.sizes().values())
    if job.kind == "match":
        standing = Standing(job, target)
        for task, made in results.frames():
            standing.add(task, made)
        return [Section("match", say("lab.section.match", language), match_lines(standing, language)[:4])]
    if job.kind == "ladder":
        climb = Climb(job, target)
        for task, made in results.frames():
            climb.add(task, made)
        return [_ladder(climb, language)]
    return []


def _ladder(climb: Climb, language: str) -> Section:
    counted = unit(climb.by_money, language)
    ratings, pairs = climb.ratings(), climb.pairs()
    return Section(
        "ladder",
        say("lab.section.ladder", language),
        [ladder_lines(climb, language)[0], say("lab.says.ladder", language)],
        [
            Table(
                [
                    column("bot", "text", language),
                    column("rating", "mean", language),
                    column("against", "mean", language, unit=counted),
                    column("times", "mean", language),
                ],
                [{"bot": one.bot, "rating": one.rating, "against": one.points, "times": one.share} for one in ratings],
            ),
            Table(
                [
                    column("pair", "text", language),
                    column("difference", "mean", language, unit=counted),
                    column("ahead", "percent", language),
                ],
                [{"pair": f"{one.a} – {one.b}", "difference": one.difference, "ahead": one.ahead} for one in pairs],
            ),
        ],
        [
            Dots(
                say("lab.section.ladder", language),
                [(one.bot, one.rating) for one in ratings],
                say("lab.column.rating", language),
            )
        ],
    )


# ---- Of every run -----------------------------------------------------------------------------------


def overview(rows: Rows, language: str) -> list[Section]:
    """What was played, and what a round is like."""
    turns = rows.by_cell("sum(turns) * any_value(players) / count(*)")
    points = rows.by_cell("avg(points)")
    records: list[Record] = [
        {
            "part": rows.name(row["cell"]),
            "samples": row["samples"],
            "rounds": row["rounds"],
            "points": points[row["cell"]],
            "turns": turns[row["cell"]],
        }
        for row in rows.sizes()
    ]
    columns = [
        column("part", "text", language),
        column("samples", "count", language),
        column("rounds", "count", language),
        column("points", "mean", language),
        column("turns", "mean", language),
    ]
    return [Section("overview", say("lab.section.overview", language), [], [Table(columns, records)])]


def bots(rows: Rows, language: str) -> list[Section]:
    """How different bots do at one table."""
    mixed = [number for number, cell in enumerate(rows.job.cells) if len({*sum(cell.tables, ())}) > 1]
    if not mixed:
        return []
    records: list[Record] = []
    plots = []
    for number in mixed:
        counted = rows.counted(number)
        less = f"{counted} - avg({counted}) over (partition by cell, sample, rotation, round)"
        of = f"(select *, {less} as own from rows where cell = {number})"
        own = rows.means("avg(own)", "entrant", of)
        share = rows.means("avg(won) * any_value(players)", "entrant", of)
        these = [
            {
                "part": rows.name(number),
                "bot": rows.job.labels[row["entrant"]],
                "against": row["is"],
                "times": won["is"],
            }
            for row, won in zip(own, share, strict=True)
        ]
        records += these
        plots.append(
            Dots(
                rows.name(number),
                [(record["bot"], record["against"]) for record in these],
                say("lab.column.against", language, unit=unit(rows.by_money(number), language)),
                0.0,
            )
        )
    counted = " / ".join(dict.fromkeys(unit(rows.by_money(number), language) for number in mixed))
    columns = [
        column("part", "text", language),
        column("bot", "text", language),
        column("against", "mean", language, unit=counted),
        column("times", "mean", language),
    ]
    return [
        Section(
            "bots",
            say("lab.section.bots", language),
            [say("lab.says.bots", language)],
            [Table(columns, records)],
            plots[:MOST_PANELS],
        )
    ]


def points(rows: Rows, language: str) -> list[Section]:
    """How the points of a hand are spread."""
    found = rows.ask(
        "select cell, entrant, points, count(*) as times from rows group by cell, entrant, points order by all"
    )
    panels: dict[tuple[int, int], dict[int, int]] = {}
    for row in found:
        panels.setdefault((row["cell"], row["entrant"]), {})[row["points"]] = row["times"]
    plots = [
        histogram(_panel(rows, cell, entrant), counts, say("lab.column.points", language))
        for (cell, entrant), counts in panels.items()
    ]
    return [_panels("points", plots, language)]


def lengths(rows: Rows, language: str) -> list[Section]:
    """How many turns a round has."""
    found = rows.ask(
        "select cell, length, count(*) as times from (select cell, sum(turns) as length from rows "
        "group by cell, sample, rotation, round) group by cell, length order by all"
    )
    panels: dict[int, dict[int, int]] = {}
    for row in found:
        panels.setdefault(row["cell"], {})[int(row["length"])] = row["times"]
    plots = [histogram(rows.name(cell), counts, say("lab.column.turns", language)) for cell, counts in panels.items()]
    return [_panels("lengths", plots, language)]


def _panels(name: str, plots: list[Bars], language: str) -> Section:
    says = [say(f"lab.says.{name}", language)]
    if len(plots) > MOST_PANELS:
        says.append(say("lab.says.first-panels", language, shown=MOST_PANELS, all=len(plots)))
    return Section(name, say(f"lab.section.{name}", language), says, plots=plots[:MOST_PANELS])


def _panel(rows: Rows, cell: int, entrant: int) -> str:
    bot = rows.job.labels[entrant]
    alone = len({*sum(rows.job.cells[cell].tables, ())}) == 1
    return rows.name(cell) if alone else f"{rows.name(cell)}: {bot}"


def histogram(title: str, counts: dict[int, int], axis: str) -> Bars:
    """Numbers and how often each came, in as many bars as can be seen apart; the last one per cent aside."""
    total = sum(counts.values())
    low, gone, high = min(counts), 0, max(counts)
    for value in sorted(counts):
        gone += counts[value]
        if gone >= 0.995 * total:
            high = value
            break
    width = max(1, -(-(high - low + 1) // PANEL_BARS))
    bars = [0] * -(-(high - low + 1) // width)
    for value, times in counts.items():
        if value <= high:
            bars[(value - low) // width] += times
    return Bars(title, low, width, bars, sum(value * times for value, times in counts.items()) / total, axis)


def places(rows: Rows, language: str) -> list[Section]:
    """Who wins rounds, by place behind the starter."""
    found = rows.means("avg(won) * any_value(players)", "cell, place")
    records = [{"part": rows.name(row["cell"]), "place": row["place"] + 1, "times": row["is"]} for row in found]
    plots = [
        Dots(
            rows.name(cell),
            [(say("lab.place", language, place=row["place"] + 1), row["is"]) for row in found if row["cell"] == cell],
            say("lab.column.times", language),
            1.0,
        )
        for cell in dict.fromkeys(row["cell"] for row in found)
    ]
    columns = [
        column("part", "text", language),
        column("place", "count", language),
        column("times", "mean", language),
    ]
    return [
        Section(
            "places",
            say("lab.section.places", language),
            [say("lab.says.places", language)],
            [Table(columns, records)],
            plots[:8],
        )
    ]


def blocked(rows: Rows, language: str) -> list[Section]:
    """How many rounds nobody ends."""
    shares = rows.ask(
        "select cell, avg(blocked::int) as share, count(distinct sample) as samples "
        "from rows group by cell order by cell"
    )
    intervals = [
        (rows.name(row["cell"]), share_interval(row["share"] * row["samples"], row["samples"])) for row in shares
    ]
    columns = [column("part", "text", language), column("blocked", "share", language)]
    return [
        Section(
            "blocked",
            say("lab.section.blocked", language),
            [say("lab.says.blocked", language)],
            [Table(columns, [{"part": name, "blocked": share} for name, share in intervals])],
            [Dots(say("lab.section.blocked", language), intervals, say("lab.column.blocked", language), percent=True)],
        )
    ]


ALWAYS = (overview, bots, points, lengths, places, blocked)
