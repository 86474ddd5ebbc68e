"""What every bot promises, and the examination that holds it to that.

Who writes a bot can ask for it on the command line, ``stationmaster bots check mybot:Mine``, or in a test:

    from stationmaster.bots.contract import check

    def test_my_bot_keeps_the_contract():
        report = check("mybot:Mine", quick=True)
        assert report.kept, report

The bot is asked in a process of its own, so that one that hangs or dies is found out too. Each thing that is found
names the table, the seed and the moves before it; ``finding.observation()`` is what the bot was shown.
"""

from __future__ import annotations

import math
from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.bots.contract.asking import allowed
from stationmaster.bots.contract.findings import PROMISES, Done, Finding, Question, Sit
from stationmaster.bots.contract.tables import table, table_names
from stationmaster.bots.contract.watching import Watched
from stationmaster.bots.naming import name_of
from stationmaster.words import DEFAULT, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stationmaster.bots.bot import Bot

__all__ = ["PROMISES", "Examination", "Finding", "Report", "check"]

PATIENCE = 20.0  # seconds for one answer
TOLD = 3  # of what breaks one promise so many are told, from as many tables; the others are counted
DEATHS = 3  # so often a bot may hang or die before no more is asked
ELSEWHERE = 200  # answers that are asked for again in another process


class Report(msgspec.Struct):
    """What an examination has found so far."""

    name: str
    seed: int | str
    tables: int  # in all
    seated: int = 0  # at so many of them the bot has been asked
    answers: int = 0  # to different questions; most of them were asked several times
    seconds: float = 0.0
    counts: Counter[str] = msgspec.field(default_factory=Counter)  # how often each promise was broken
    findings: list[Finding] = []
    times: list[tuple[Question, float]] = []  # the seconds that the answers took
    given_up: bool = False

    @property
    def kept(self) -> bool:
        """Whether no promise was broken."""
        return not self.counts

    @property
    def complete(self) -> bool:
        """Whether the bot was asked at every table."""
        return self.seated == self.tables

    def quantiles(self) -> list[tuple[float, float, float]]:
        """For each time given: within which half of the answers came, and within which 99 of 100 did."""
        by_given: dict[float, list[float]] = {}
        for question, taken in self.times:
            by_given.setdefault(question.seconds or 0.0, []).append(taken)
        rows = [(given, sorted(taken)) for given, taken in sorted(by_given.items())]
        return [(given, taken[len(taken) // 2], taken[math.ceil(0.99 * len(taken)) - 1]) for given, taken in rows]

    def to_reproduce(self, finding: Finding) -> str:
        """The command that asks again where this was found."""
        where = f" --table {finding.question.table}" if finding.question.table else ""
        return f"stationmaster bots check {self.name} --seed {self.seed}{where}"

    def lines(self, language: str = DEFAULT) -> list[str]:
        """All of it in words."""
        told = {"name": self.name, "seed": self.seed, "seconds": f"{self.seconds:.1f}"}
        lines = [say("contract.asked", language, count=self.answers, tables=self.seated, **told)]
        for promise in PROMISES:
            count = self.counts[promise]
            how = "broken" if count else "kept" if self.answers else "unknown"
            sentence = say(f"contract.promise.{promise}", language)
            lines.append(say(f"contract.{how}", language, promise=sentence, count=count))
            lines += [line for one in self.findings if one.promise == promise for line in self._found(one, language)]
        for given, half, most in self.quantiles():
            ms = {"given": given, "half": half, "most": most, "allowed": allowed(given)}
            lines.append(say("contract.times", language, **{name: f"{1000 * time:.1f}" for name, time in ms.items()}))
        if self.given_up:
            lines.append(say("contract.given-up", language))
        count = len(self.counts)
        lines.append(say("contract.sum" if count else "contract.sum-kept", language, count=count, all=len(PROMISES)))
        return lines

    def _found(self, finding: Finding, language: str) -> list[str]:
        lines = [finding.sentence(language)]
        if finding.question.table:
            here, moves = finding.table, finding.question.moves
            rules = {"table": here.name, "rules": here.book.name, "count": here.players, "number": here.number}
            limit = finding.question.limit
            lines.append(say("contract.where", language, seed=repr(here.seed), **rules))
            lines.append(say("contract.moves", language, count=len(moves), moves=" ".join(moves) or "-"))
            if changes := here.book.changes():
                text = ", ".join(f"{name}={value!r}" for name, value in changes.items())
                lines.append(say("contract.house", language, rules=text))
            lines.append(say("contract.limit", language, limit=repr(limit)))
        lines.append(say("contract.again", language, command=self.to_reproduce(finding)))
        return [f"  {line}" for line in lines]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def as_data(self) -> dict[str, Any]:
        """All of it for a program."""
        findings = [
            {"promise": one.promise, "what": one.key, "sentence": one.sentence(), "again": self.to_reproduce(one)}
            | msgspec.to_builtins(one.question)
            for one in self.findings
        ]
        return {
            "name": self.name,
            "seed": self.seed,
            "kept": self.kept,
            "complete": self.complete,
            "promises": {promise: self.counts[promise] for promise in PROMISES},  # how often each was broken
            "findings": findings,
            "tables": self.seated,
            "answers": self.answers,
            "seconds": self.seconds,
            "times": [dict(zip(("given", "p50", "p99"), row, strict=True)) for row in self.quantiles()],
        }


class Examination:
    """Asks a bot at one table after the other; ``report`` holds what is known so far."""

    def __init__(
        self,
        name: str,
        *,
        seed: int | str = 1,
        quick: bool = False,
        tables: Sequence[str] = (),
        patience: float = PATIENCE,
    ) -> None:
        self.names = tuple(tables) or table_names(quick)
        for one in self.names:
            table(one, seed)  # before anything is begun, for a name may be wrong
        self.patience = patience
        self.report = Report(name, seed, len(self.names))
        self.answers: list[tuple[Question, str]] = []

    def run(self, told: Callable[[Report, str], None] | None = None) -> Report:
        """Ask at every table; ``told`` is called before each with what is known."""
        began = monotonic()
        report, deaths = self.report, 0
        watched = self._open()
        try:
            for name in self.names:
                if watched.over:
                    deaths += 1
                    if deaths == DEATHS:
                        report.given_up = True
                        return report
                    watched.close()
                    watched = self._open()
                report.seconds = monotonic() - began
                if told is not None:
                    told(report, name)
                self._add(watched.sit(Sit(name), self._found))
            self._times()
            self._elsewhere()
        finally:
            watched.close()
            report.seconds = monotonic() - began
        return report

    def _open(self, hash_seed: int = 1) -> Watched:
        return Watched(self.report.name, self.report.seed, self.patience, hash_seed)

    def _found(self, finding: Finding) -> None:
        self.report.counts[finding.promise] += 1
        told = [one.question.table for one in self.report.findings if one.promise == finding.promise]
        if len(told) < TOLD and finding.question.table not in told:
            self.report.findings.append(finding)

    def _add(self, done: Done) -> None:
        self.report.seated += 1
        self.report.answers += len(done.answers) + len(done.times)
        self.report.times += done.times
        self.answers += done.answers

    def _times(self) -> None:
        """Whether the time given was kept: by 99 of 100 answers."""
        for given, _, most in self.report.quantiles():
            if most > allowed(given):
                ms = {"given": given, "most": most, "allowed": allowed(given)}
                late = [
                    question for question, taken in self.report.times if question.seconds == given and taken >= most
                ]
                places = {name: f"{1000 * one:.1f}" for name, one in ms.items()}
                self._found(Finding("in-time", "late", places, late[0], self.report.seed))

    def _elsewhere(self) -> None:
        """Ask some again in another process, where texts hash otherwise and nothing has been asked before."""
        known = any(self.report.counts[promise] for promise in ("own-numbers", "repeatable", "forgets"))
        if self.answers and not known:
            step = max(1, len(self.answers) // ELSEWHERE)
            watched = self._open(hash_seed=2)
            try:
                watched.sit(Sit(again=tuple(self.answers[::step])), self._found)
            finally:
                watched.close()


def check(
    bot: str | type[Bot],
    *,
    seed: int | str = 1,
    quick: bool = False,
    tables: Sequence[str] = (),
    patience: float = PATIENCE,
) -> Report:
    """Examine a bot, by its class or by the name that ``named_bot`` knows it by; ``report.kept`` says how it went.

    ``quick`` asks at fewer tables; ``tables`` names those to ask at; ``patience`` are the seconds after which an
    answer is no longer waited for.
    """
    name = bot if isinstance(bot, str) else name_of(bot)
    return Examination(name, seed=seed, quick=quick, tables=tables, patience=patience).run()
