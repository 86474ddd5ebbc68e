"""The questions that studies ask, each answered in a section of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stationmaster.lab.report.always import column
from stationmaster.lab.report.parts import Dots, Record, Section, Table
from stationmaster.lab.statistics import share_interval
from stationmaster.lab.telling import number as told
from stationmaster.lab.telling import unit
from stationmaster.words import say

if TYPE_CHECKING:
    from stationmaster.lab.report.asking import Rows

LENGTHS = (1, 5, 13)  # rounds after which the luck of a match is looked at, and after the last one
LATE = 4  # turns from here on are one


def place(rows: Rows, language: str) -> Section:
    """Does going first matter?"""
    records: list[Record] = []
    dots = []
    for number, cell in enumerate(rows.job.cells):
        if cell.players == 1:
            continue
        counted, of = rows.counted(number), f"(select * from rows where cell = {number})"
        first = f"avg({counted}) filter (where place = 0) - avg({counted}) filter (where place > 0)"
        last = f"avg({counted}) filter (where place = players - 1) - avg({counted}) filter (where place < players - 1)"
        wins = "avg(won) filter (where place = 0) * any_value(players)"
        record: Record = {
            "part": rows.name(number),
            "unit": unit(rows.by_money(number), language),
            "first": rows.by_cell(first, of)[number],
            "last": rows.by_cell(last, of)[number],
            "times": rows.by_cell(wins, of)[number],
        }
        records.append(record)
        dots.append((record["part"], record["times"]))
    columns = [
        column("part", "text", language),
        column("first", "mean", language),
        column("last", "mean", language),
        column("unit", "text", language),
        column("times", "mean", language),
    ]
    plot = Dots(say("lab.section.place", language), dots, say("lab.column.times", language), 1.0)
    return _section("place", [Table(columns, records)], [plot], language)


def endings(rows: Rows, language: str) -> Section:
    """How many rounds end blocked?"""
    shares = {
        row["cell"]: row
        for row in rows.ask(
            "select cell, avg(blocked::int) as share, count(distinct sample) as samples from rows group by cell"
        )
    }
    turns = rows.by_cell("sum(turns) * any_value(players) / count(*)")
    passes = rows.by_cell("sum(passes) * any_value(players) / count(*)")
    pile = rows.by_cell("avg(pile)")
    records: list[Record] = [
        {
            "part": rows.name(number),
            "blocked": share_interval(row["share"] * row["samples"], row["samples"]),
            "turns": turns[number],
            "passes": passes[number],
            "pile": pile[number],
        }
        for number, row in sorted(shares.items())
    ]
    columns = [
        column("part", "text", language),
        column("blocked", "share", language),
        column("turns", "mean", language),
        column("passes", "mean", language),
        column("pile", "mean", language),
    ]
    return _section("endings", [Table(columns, records)], [], language)


def luck(rows: Rows, language: str) -> Section:
    """How often does the better player win, after one round, after some, after all?"""
    records: list[Record] = []
    plots = []
    for number, cell in enumerate(rows.job.cells):
        who = sorted({*sum(cell.tables, ())})
        if not cell.matches or len(who) != 2 or len(cell.tables) > 1:
            continue
        better = rows.counted(number) if rows.by_money(number) else "-points"
        asked = rows.ask(f"select entrant, avg({better}) as mean from rows where cell = {number} group by entrant")
        means = {row["entrant"]: row["mean"] for row in asked}
        best = max(who, key=lambda bot: means[bot])
        seats = cell.tables[0].count(best)
        lengths = sorted({length for length in (*LENGTHS, cell.book.rounds) if length <= cell.book.rounds})
        these: list[Record] = []
        for length in lengths:
            totals = (
                f"(select *, count(*) filter (where total = most) over match as ties from "
                f"(select *, max(total) over match as most from (select cell, sample, rotation, seat, "
                f"any_value(entrant) as entrant, sum({better}) as total from rows "
                f"where cell = {number} and round <= {length} group by cell, sample, rotation, seat) "
                f"window match as (partition by cell, sample, rotation)) "
                f"window match as (partition by cell, sample, rotation))"
            )
            wins = f"sum((total = most and entrant = {best})::int / ties) / count(distinct rotation)"
            pairs = (
                f"(select one.cell, one.sample, (one.total > other.total)::int + (one.total = other.total)::int / 2 "
                f"as ahead from {totals} one join {totals} other using (cell, sample, rotation) "
                f"where one.entrant = {best} and other.entrant <> {best})"
            )
            these.append(
                {
                    "part": rows.name(number),
                    "better": rows.job.labels[best],
                    "rounds": length,
                    "wins": rows.by_cell(wins, totals)[number],
                    "fair": f"{told(100 * seats / cell.players, language, 1)} %",
                    "ahead": rows.by_cell("avg(ahead)", pairs)[number],
                }
            )
        records += these
        plots.append(
            Dots(
                rows.name(number),
                [(say("lab.after", language, count=one["rounds"]), one["wins"]) for one in these],
                say("lab.column.wins", language),
                seats / cell.players,
                percent=True,
            )
        )
    columns = [
        column("part", "text", language),
        column("better", "text", language),
        column("rounds", "count", language),
        column("wins", "percent", language),
        column("fair", "text", language),
        column("ahead", "percent", language),
    ]
    return _section("luck", [Table(columns, records)], plots, language)


def rules(rows: Rows, language: str) -> Section:
    """What does a house rule change? The same deals by each of them, compared deal by deal with the first."""
    measures = {
        "more-points": "avg(points)",
        "more-turns": "sum(turns) * any_value(players) / count(*)",
        "more-draws": "sum(draws) * any_value(players) / count(*)",
        "more-passes": "sum(passes) * any_value(players) / count(*)",
    }
    first: dict[tuple[str, int, object], int] = {}
    points = rows.by_cell("avg(points)")
    records: list[Record] = []
    dots = []
    for number, cell in enumerate(rows.job.cells):
        base = first.setdefault((cell.rulebook, cell.players, cell.tables), number)
        record: Record = {"part": rows.name(number), "points": points[number]}
        if number == base:
            record |= dict.fromkeys(measures, "–")
        else:
            less = f"any_value(x) filter (where cell = {number}) - any_value(x) filter (where cell = {base})"
            for name, measure in measures.items():
                each = f"select cell, sample, {measure} as x from rows group by cell, sample"
                record[name] = rows.means(less, "one", f"(select 1 as one, * from ({each}))")[0]["is"]
            dots.append((record["part"], record["more-points"]))
        records.append(record)
    columns = [
        column("part", "text", language),
        column("points", "mean", language),
        *(column(name, "mean", language) for name in measures),
    ]
    plot = Dots(say("lab.section.rules", language), dots, say("lab.column.more-points", language), 0.0)
    return _section("rules", [Table(columns, records)], [plot] if dots else [], language)


def mexican(rows: Rows, language: str) -> Section:
    """Is starting the Mexican Train early good?"""
    began = "max(mexican) over (partition by cell, sample, rotation, round)"
    of = f"(select *, least({began}, {LATE}) as began from rows)"
    shares = {
        (row["cell"], row["began"]): row["share"]
        for row in rows.ask(
            "select cell, began, count(*) / sum(count(*)) over (partition by cell) as share "
            f"from {of} group by cell, began"
        )
    }
    less = "avg(points) filter (where mexican > 0) - avg(points) filter (where mexican = 0)"
    wins = "avg(won) filter (where mexican > 0) * any_value(players)"
    gains = {(row["cell"], row["began"]): row["is"] for row in rows.means(less, "cell, began", of)}
    times = {(row["cell"], row["began"]): row["is"] for row in rows.means(wins, "cell, began", of)}
    records: list[Record] = []
    plots = []
    for number in range(len(rows.job.cells)):
        turns = sorted(began for cell, began in shares if cell == number)
        these = [
            {
                "part": rows.name(number),
                "turn": say("lab.turn.never", language)
                if not turn
                else say("lab.turn.late" if turn == LATE else "lab.turn.in", language, turn=turn),
                "happens": f"{told(100 * shares[number, turn], language, 1)} %",
                "gain": gains.get((number, turn), "–"),
                "times": times.get((number, turn), "–"),
            }
            for turn in turns
        ]
        records += these
        known = [(record["turn"], record["gain"]) for record in these if record["gain"] != "–"]
        plots.append(Dots(rows.name(number), known, say("lab.column.gain", language), 0.0))
    columns = [
        column("part", "text", language),
        column("turn", "text", language),
        column("happens", "text", language),
        column("gain", "mean", language),
        column("times", "mean", language),
    ]
    return _section("mexican", [Table(columns, records)], plots, language)


def money(rows: Rows, language: str) -> Section:
    """Is the pot game fair?"""
    cells = [number for number, cell in enumerate(rows.job.cells) if cell.book.uses_money]
    listed = ", ".join(map(str, cells)) or "-1"
    of = f"(select * from rows where cell in ({listed}))"
    by_place = rows.means("avg(cents)", "cell, place", of)
    spread = {
        row["cell"]: row["spread"]
        for row in rows.ask(
            "select cell, stddev_samp(cents) as spread from (select cell, sum(cents) as cents "
            f"from {of} group by cell, sample, rotation, seat) group by cell order by cell"
        )
    }
    records: list[Record] = [
        {
            "part": rows.name(row["cell"]),
            "place": row["place"] + 1,
            "cents": row["is"],
        }
        for row in by_place
    ]
    wide = [
        {"part": rows.name(number), "spread": told(spread[number] or 0.0, language)}
        for number in cells
        if number in spread
    ]
    plots = [
        Dots(
            rows.name(number),
            [
                (say("lab.place", language, place=row["place"] + 1), row["is"])
                for row in by_place
                if row["cell"] == number
            ],
            say("lab.column.cents", language),
            0.0,
        )
        for number in cells
    ]
    tables = [
        Table(
            [column("part", "text", language), column("place", "count", language), column("cents", "mean", language)],
            records,
        ),
        Table([column("part", "text", language), column("spread", "text", language)], wide),
    ]
    return _section("money", tables, plots, language)


def _section(name: str, tables: list[Table], plots: list[Dots], language: str) -> Section:
    return Section(name, say(f"lab.section.{name}", language), [say(f"lab.says.{name}", language)], tables, plots)


ANSWERS: dict[str, Callable[[Rows, str], Section]] = {
    "place": place,
    "endings": endings,
    "luck": luck,
    "rules": rules,
    "mexican": mexican,
    "money": money,
}
