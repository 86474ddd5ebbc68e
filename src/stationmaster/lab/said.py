"""What a run brought, in lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.lab.telling import number, unit, within
from stationmaster.words import listing, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.lab.ladder import Climb
    from stationmaster.lab.match import Standing
    from stationmaster.lab.study import Course


def match_known(standing: Standing, language: str) -> str:
    """A match so far, in a few words."""
    a, b = standing.job.labels
    known = say("lab.match.known", language, a=a, b=b, difference=within(standing.difference, language))
    if standing.sprt is None:
        return known
    verdict = standing.verdict
    return f"{known} · LLR {number(verdict.llr, language, 2)} (±{number(verdict.upper, language, 2)})"


def match_lines(standing: Standing, language: str) -> list[str]:
    """A match, told."""
    cell = standing.job.cells[0]
    a, b = standing.job.labels
    counted = standing.difference.samples
    lines = [
        say(
            "lab.match.who",
            language,
            a=a,
            b=b,
            rulebook=cell.rulebook,
            players=cell.players,
            seats=standing.seats,
            others=cell.players - standing.seats,
        ),
        say(
            "lab.match.matches" if cell.matches else "lab.match.deals",
            language,
            count=counted,
            number=number(counted, language),
            rounds=number(standing.counted_rounds, language),
            seed=standing.job.seed,
        ),
        say(
            "lab.match.money" if standing.by_money else "lab.match.points",
            language,
            a=a,
            b=b,
            difference=within(standing.difference, language),
        ),
        say(
            "lab.match.share-matches" if cell.matches else "lab.match.share",
            language,
            a=a,
            share=within(standing.share, language, percent=True),
            fair=number(100 * standing.seats / cell.players, language, 1),
        ),
    ]
    if standing.sprt is not None:
        verdict = standing.verdict
        key = {"H0": "lab.sprt.no-better", "H1": "lab.sprt.better", None: "lab.sprt.open"}[verdict.accepted]
        lines.append(
            say(
                key,
                language,
                a=a,
                b=b,
                gain=number(standing.sprt.high, language, 2).rstrip("0").rstrip(".,"),
                unit=unit(standing.by_money, language),
                llr=number(verdict.llr, language, 2),
                bound=number(verdict.upper, language, 2),
                samples=number(verdict.samples, language),
            )
        )
    return lines + clock_note(standing.job.repeatable, language)


def ladder_known(climb: Climb, language: str) -> str:
    """A ladder so far, in a few words."""
    bot, points = climb.leader()
    return say("lab.ladder.known", language, bot=bot, points=within(points, language))


def ladder_lines(climb: Climb, language: str) -> list[str]:
    """A ladder, told."""
    cell = climb.job.cells[0]
    lines = [
        say(
            "lab.ladder.what",
            language,
            rulebook=cell.rulebook,
            players=cell.players,
            deals=number(climb.count, language),
            rounds=number(climb.rounds, language),
            seed=climb.job.seed,
        ),
        "",
    ]
    counted = unit(climb.by_money, language)
    lines += table(
        [say(f"lab.ladder.{name}", language, unit=counted) for name in ("bot", "rating", "against", "share")],
        [
            [
                one.bot,
                within(one.rating, language),
                within(one.points, language),
                within(one.share, language),
            ]
            for one in climb.ratings()
        ],
    )
    lines.append("")
    lines += table(
        [say(f"lab.ladder.{name}", language, unit=counted) for name in ("pair", "difference", "ahead")],
        [
            [f"{one.a} – {one.b}", within(one.difference, language), within(one.ahead, language, percent=True)]
            for one in climb.pairs()
        ],
    )
    return lines + clock_note(climb.job.repeatable, language)


def study_known(course: Course, language: str) -> str:
    """A study so far, in a few words."""
    cell = course.job.cells[course.latest]
    return say(
        "lab.study.known",
        language,
        cell=course.latest + 1,
        cells=len(course.job.cells),
        rulebook=f"{cell.rulebook}, {cell.house}" if cell.house else cell.rulebook,
        players=cell.players,
        points=within(course.points(course.latest), language),
    )


def study_lines(course: Course, language: str) -> list[str]:
    """A study, told; its report says more."""
    lines = [
        course.job.title,
        say(
            "lab.study.what",
            language,
            cells=number(len(course.job.cells), language),
            rounds=number(course.rounds, language),
            seed=course.job.seed,
        ),
    ]
    if course.study.left_out:
        lines.append(say("lab.study.left-out", language, what=listing(list(course.study.left_out), language)))
    return lines + clock_note(course.job.repeatable, language)


def clock_note(repeatable: bool, language: str) -> list[str]:
    """What has to be said where bots think by the clock."""
    return [] if repeatable else [say("lab.clock", language)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns in line: the first to the left, the numbers to the right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [
            text.ljust(width) if at == 0 else text.rjust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    return [line(head), "  ".join("─" * width for width in widths), *map(line, rows)]
