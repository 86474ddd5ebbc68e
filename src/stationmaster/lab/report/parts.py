"""What a report is made of, before it becomes a page or a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from stationmaster.lab.match import figures
from stationmaster.lab.statistics import Interval
from stationmaster.lab.telling import between, number, within

Record = dict[str, Any]  # what a row of a table is about, by column


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its name for programs, its title, and how its values are told."""

    name: str
    title: str
    how: str = "text"  # "text", "count", "mean", "percent" (even interval), "share" (Wilson's)

    def tell(self, record: Record, language: str) -> str:
        """A value, for people."""
        value = record[self.name]
        if self.how == "count":
            return number(value, language)
        if isinstance(value, Interval):
            if self.how == "share":
                return between(value, language)
            return within(value, language, percent=self.how == "percent")
        return str(value)


class Table(msgspec.Struct, frozen=True):
    """Rows that say something."""

    columns: Sequence[Column]
    records: Sequence[Record]

    def rows(self, language: str) -> list[list[str]]:
        """All values, for people."""
        return [[column.tell(record, language) for column in self.columns] for record in self.records]

    @property
    def head(self) -> list[str]:
        """The titles."""
        return [column.title for column in self.columns]


class Bars(msgspec.Struct, frozen=True):
    """How often each number came: a histogram. ``counts`` begin at ``first``, each for ``width`` numbers."""

    title: str
    first: int
    width: int
    counts: Sequence[int]
    mean: float
    axis: str


class Dots(msgspec.Struct, frozen=True):
    """Means with their intervals, one below the other."""

    title: str
    rows: Sequence[tuple[str, Interval]]
    axis: str
    reference: float | None = None  # a line to compare with
    percent: bool = False


class Section(msgspec.Struct, frozen=True):
    """One thing that results say."""

    name: str
    title: str
    says: Sequence[str]
    tables: Sequence[Table] = ()
    plots: Sequence[Bars | Dots] = ()

    def figures(self) -> dict[str, Any]:
        """Its tables, for a program to read."""

        def plain(value: Any) -> Any:
            return figures(value) if isinstance(value, Interval) else value

        return {
            "section": self.name,
            "title": self.title,
            "tables": [
                [{column.name: plain(record[column.name]) for column in table.columns} for record in table.records]
                for table in self.tables
            ],
        }


class Document(msgspec.Struct, frozen=True):
    """A whole report."""

    title: str
    about: Sequence[str]
    sections: Sequence[Section]

    def figures(self) -> dict[str, Any]:
        """All tables, for a program to read."""
        return {"title": self.title, "sections": [section.figures() for section in self.sections]}
