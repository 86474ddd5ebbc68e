"""What stands in a report, and in which order: what was asked first, then what is always told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.errors import StationmasterError
from stationmaster.lab.report.always import ALWAYS, runs
from stationmaster.lab.report.asking import Rows
from stationmaster.lab.report.parts import Document, Section
from stationmaster.lab.report.questions import ANSWERS
from stationmaster.lab.said import clock_note
from stationmaster.lab.telling import number
from stationmaster.words import listing, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.lab.results import Results


def document(results: Sequence[Results], language: str) -> Document:
    """A report of one or several folders of results."""
    sections: list[Section] = []
    about = [say("lab.report.about", language)]
    titles = []
    for one in results:
        if not one.begun():
            raise StationmasterError(f"{one.folder} has no results yet: nothing of it was played")
        rows = Rows(one, language)
        titles.append(title_of(one, language))
        about.append(_about(one, rows, titles[-1] if len(results) > 1 else "", language))
        about += clock_note(one.job.repeatable, language)
        found = runs(one, language) + [ANSWERS[question](rows, language) for question in one.job.questions]
        found += [section for always in ALWAYS for section in always(rows, language)]
        if len(results) > 1:
            found = [
                Section(section.name, f"{titles[-1]}: {section.title}", section.says, section.tables, section.plots)
                for section in found
            ]
        sections += found
    return Document(titles[0] if len(titles) == 1 else say("lab.report.title", language), about, sections)


def title_of(results: Results, language: str) -> str:
    """What a run is called."""
    job = results.job
    if job.title:
        return job.title
    bots = listing(list(job.labels), language)
    return say(f"lab.report.{job.kind}", language, bots=bots, rulebook=job.cells[0].rulebook)


def _about(results: Results, rows: Rows, title: str, language: str) -> str:
    sizes = rows.sizes()
    told = say(
        "lab.report.played",
        language,
        samples=number(sum(row["samples"] for row in sizes), language),
        rounds=number(sum(row["rounds"] for row in sizes), language),
        seed=results.job.seed,
        version=results.job.version,
        bots=listing(list(results.job.labels), language),
    )
    return f"{title}: {told}" if title else told
