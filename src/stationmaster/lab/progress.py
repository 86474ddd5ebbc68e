"""A line that says how far it is, and what is known so far."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from time import monotonic

from stationmaster.lab.telling import duration, number
from stationmaster.words import say

BAR = 20  # signs of the bar
OFTEN = 0.2  # seconds between two looks of somebody at a terminal
SELDOM = 30.0  # seconds between two lines in a file


class Progress:
    """Written over and over in a terminal; into a file, a line now and then."""

    def __init__(self, total: int, language: str, matches: bool = False) -> None:
        self.total = total
        self.language = language
        self.what = "lab.progress.matches" if matches else "lab.progress.deals"
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._began = self._shown = monotonic()
        self._before = 0  # done before this run began
        self._rounds_before = 0
        self._line = ""

    def begin(self, done: int, rounds: int) -> None:
        """Begin to count time: what was done before is not this run's speed."""
        self._before, self._rounds_before = done, rounds
        self._began = monotonic()

    @property
    def seconds(self) -> float:
        """How long this run has taken."""
        return monotonic() - self._began

    def speed(self, rounds: int) -> float:
        """Rounds a second of this run."""
        return (rounds - self._rounds_before) / max(self.seconds, 1e-6)

    def show(self, done: int, rounds: int, known: Callable[[], str]) -> None:
        """Show where it is, not too often."""
        now = monotonic()
        if sys.stderr is None or now - self._shown < (OFTEN if self._live else SELDOM):
            return
        self._shown = now
        parts = [say(self.what, self.language, done=self._number(done), total=self._number(self.total)), known()]
        if done > self._before:
            left = (self.total - done) * self.seconds / (done - self._before)
            parts += [
                say("lab.progress.speed", self.language, rounds=self._number(self.speed(rounds))),
                say("lab.progress.left", self.language, time=duration(left)),
            ]
        text = " · ".join(part for part in parts if part)
        if self._live:
            full = BAR * done // max(self.total, 1)
            self._write(f"{'━' * full}{'─' * (BAR - full)} {text}")
        else:
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away, for what comes after it."""
        if self._live and self._line:
            self._write("")

    def _write(self, line: str) -> None:
        line = line[: shutil.get_terminal_size().columns - 1]
        print(f"\r{line}{' ' * (len(self._line) - len(line))}", end="" if line else "\r", file=sys.stderr, flush=True)
        self._line = line

    def _number(self, value: float) -> str:
        return number(value, self.language, 0 if value >= 10 or value == int(value) else 1)
