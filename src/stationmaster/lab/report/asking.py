"""Asking the rows of results: every mean is one of sample means, because only samples are independent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from stationmaster.lab.statistics import Interval, interval
from stationmaster.words import say

if TYPE_CHECKING:
    from stationmaster.lab.results import Results

Row = dict[str, Any]

AT_HAND = 5_000_000  # rows that are read once and kept; more are read again for every question


class Rows:
    """The rows of a folder of results, behind SQL; the table is called ``rows``."""

    def __init__(self, results: Results, language: str) -> None:
        self.job = results.job
        self.language = language
        self._base = duckdb.connect(":memory:")
        self._base.execute("set threads to 2")
        files = self._base.from_parquet(results.files())
        if results.rows() < AT_HAND:
            files.create("rows")
        else:
            files.create_view("rows")

    def ask(self, question: str) -> list[Row]:
        """The answer to a question, row by row."""
        asked = self._base.execute(question)
        names = [column[0] for column in asked.description or ()]
        return [dict(zip(names, row, strict=True)) for row in asked.fetchall()]

    def means(self, value: str, keys: str = "cell", of: str = "rows") -> list[Row]:
        """The mean of a value over samples, for each of ``keys``, with its interval.

        ``value`` is one number for each sample (and each of the keys), made of its rows: ``avg(points)``. ``of`` are
        the rows: a table, or a question in brackets.
        """
        found = self.ask(
            f"select {keys}, avg(x) as mean, stddev_samp(x) as deviation, count(x) as samples from "
            f"(select {keys}, sample, {value} as x from {of} group by {keys}, sample) "
            f"where x is not null group by {keys} order by {keys}"
        )
        for row in found:
            row["is"] = interval(row.pop("mean"), row.pop("deviation") or 0.0, row.pop("samples"))
        return found

    def by_cell(self, value: str, of: str = "rows") -> dict[int, Interval]:
        """The mean of a value over samples, for each cell."""
        return {row["cell"]: row["is"] for row in self.means(value, "cell", of)}

    def sizes(self) -> list[Row]:
        """Of each cell: samples, rounds."""
        return self.ask(
            "select cell, count(distinct sample) as samples, count(*) // any_value(players) as rounds "
            "from rows group by cell order by cell"
        )

    def counted(self, cell: int) -> str:
        """The column that the rulebook of a cell counts."""
        return "cents" if self.by_money(cell) else "points"

    def by_money(self, cell: int) -> bool:
        """Whether the rulebook of a cell counts money."""
        return self.job.cells[cell].book.objective == "most-money"

    def name(self, number: int) -> str:
        """What a cell is called: what it does not share with all the others; the rulebook at least."""
        parts = [self._parts(at) for at in range(len(self.job.cells))]
        return " · ".join(
            part
            for at, part in enumerate(parts[number])
            if part and (at == 0 or len({other[at] for other in parts}) > 1)
        )

    def _parts(self, number: int) -> tuple[str, str, str, str]:
        cell, labels = self.job.cells[number], self.job.labels
        who = dict.fromkeys(bot for table in cell.tables for bot in table)
        players = say("lab.players", self.language, count=cell.players)
        return cell.rulebook, cell.house, players, ", ".join(labels[bot] for bot in who)
