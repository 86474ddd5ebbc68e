"""A report as tables in a text: for the terminal, and in Markdown for docs/."""

from __future__ import annotations

from collections.abc import Sequence

from stationmaster.lab.report.parts import Document, Table
from stationmaster.lab.said import table


def text(of: Document, language: str) -> str:
    """For the terminal."""
    lines = [of.title, *of.about]
    for section in of.sections:
        lines += ["", section.title, "═" * len(section.title), *section.says]
        for one in section.tables:
            lines += ["", *table(one.head, one.rows(language))]
    return "\n".join(lines) + "\n"


def markdown(of: Document, language: str) -> str:
    """For a text in Markdown."""
    lines = [f"# {of.title}", "", *_paragraphs(of.about)]
    for section in of.sections:
        lines += [f"## {section.title}", "", *_paragraphs(section.says)]
        for one in section.tables:
            lines += [*_table(one, language), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _paragraphs(says: Sequence[str]) -> list[str]:
    return [line for paragraph in says for line in (paragraph, "")]


def _table(of: Table, language: str) -> list[str]:
    def line(row: list[str]) -> str:
        return "| " + " | ".join(value.replace("|", "\\|") for value in row) + " |"

    sides = [":--", *("--:" for _ in of.columns[1:])]
    return [line(of.head), line(sides), *map(line, of.rows(language))]
