"""``stationmaster lab`` as a person and as a program use it."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.commands import Ran
from stationmaster.cli import lab
from stationmaster.lab import progress
from stationmaster.lab.progress import Progress
from stationmaster.lab.statistics import Interval
from stationmaster.lab.telling import between, duration, number, within

Run = Callable[..., Ran]
HEAVY = "lab.players:Heaviest"


def figures(ran: Ran) -> dict[str, Any]:
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_a_match_for_a_program(run: Run) -> None:
    found = figures(run("lab", "match", "greedy", "random", "--players", 3, "--deals", 12, "--workers", 1, "--json"))
    assert (found["a"], found["b"], found["rulebook"], found["players"]) == ("greedy", "random", "puremco-12", 3)
    assert (found["samples"], found["rounds"], found["complete"]) == (12, 36, True)
    assert found["difference"]["low"] < found["difference"]["mean"] < found["difference"]["high"]
    assert Path(found["folder"], "job.json").is_file()


def test_the_same_seed_brings_the_same_and_another_does_not(run: Run) -> None:
    def difference(seed: str) -> Any:
        line = ["lab", "match", "greedy", "random", "--deals", 6, "--workers", 1, "--json", "--fresh"]
        return figures(run(*line, "--seed", seed))["difference"]

    assert difference("1") == difference("1") != difference("2")


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", ["greedy (2 of 4 seats) against random (2), by tactic.", "8 deals in all rotations", "points a round"]),
        ("es", ["greedy (2 de 4 asientos) contra random (2), según tactic.", "8 repartos", "puntos por ronda"]),
    ],
)
def test_a_match_for_people(run: Run, home: Path, language: str, says: list[str]) -> None:
    line = ["lab", "match", "greedy", "random", "--rulebook", "tactic", "--seats", 2, "--deals", 8, "--workers", 1]
    code, out, err = run(*line, "--language", language, "--save", "there")
    assert (code, err) == (0, "")
    for one in says:
        assert one in out
    assert out.endswith("there.\n")


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_test_says_what_it_found(run: Run, language: str) -> None:
    line = ["lab", "match", HEAVY, "lab.players:Lightest", "--players", 2, "--workers", 1, "--language", language]
    decided = run(*line, "--sprt", 40, "--deals", 60)
    assert decided.code == 0
    assert re.search(r"\(H[01], LLR −?\d", decided.out)
    few = run(*line, "--sprt", "0.5", "--deals", 3, "--fresh")
    assert ("Open: " in few.out) == (language == "en")
    assert ("Sin decidir: " in few.out) == (language == "es")


def test_whole_matches_and_money(run: Run) -> None:
    line = ["lab", "match", "greedy", "random", "--rulebook", "quarter-pot", "--players", 2, "--matches", 2]
    found = figures(run(*line, "--workers", 1, "--json"))
    assert (found["whole_matches"], found["unit"], found["rounds"]) == (True, "cents", 2 * 2 * 16)
    for language, says in (("en", "% of the matches; its fair share"), ("es", "% de las partidas; lo justo")):
        assert says in run(*line, "--workers", 1, "--resume", "--language", language).out


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_ladder(run: Run, language: str) -> None:
    line = ["lab", "ladder", "random", "greedy", "random@9", "--players", 2, "--deals", 12, "--workers", 1]
    code, out, err = run(*line, "--language", language)
    assert (code, err) == (0, "")
    assert out.count("random@9") == 3
    assert "random – greedy" in out
    found = figures(run(*line, "--resume", "--json"))
    assert {one["bot"] for one in found["ratings"]} == {"random", "greedy", "random@9"}
    assert len(found["pairs"]) == 3
    assert found["samples"] == 12


def test_what_was_played_is_not_dropped_unasked(run: Run, home: Path) -> None:
    line = ["lab", "match", "greedy", "random", "--workers", 1, "--save", "there"]
    assert run(*line, "--deals", 4).code == 0
    code, _, err = run(*line, "--deals", 8)
    assert code == 2
    assert "there holds what was played of this before: go on with --resume, begin anew with --fresh" in err
    more = figures(run(*line, "--deals", 8, "--resume", "--json"))
    assert more["samples"] == 8
    code, _, err = run(*line, "--deals", 8, "--seed", 2, "--resume")
    assert (code, "there holds the results of something else" in err) == (2, True)
    assert run(*line, "--deals", 8, "--seed", 2, "--fresh").code == 0
    assert run("lab", "match", "greedy", "random", "--save", home.parent).code == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["match", "plannr", "random"], "no bot is called 'plannr'"),
        (["match", "greedy", "random@soon"], "'soon' is no limit: write 50ms or 0.1s for time a move"),
        (["match", "greedy", "random", "--limit", "5min"], "'5min' is no limit"),
        (["match", "greedy", "random", "--players", "99"], "deals for"),
        (["match", "greedy", "random", "--seats", "4"], "A takes from 1 to 3 of 4 seats"),
        (["match", "greedy", "random", "--sprt", "-1"], "--sprt -1: how much better A would be, above 0"),
        (["match", "greedy", "random", "--deals", "0"], "argument --deals: 0 is not above 0"),
        (["match", "greedy", "random", "--deals", "3", "--matches", "3"], "not allowed with argument"),
        (["match", "greedy", "random", "--rulebook", "tactik"], "did you mean 'tactic'?"),
        (["ladder", "greedy"], "a ladder takes two bots or more"),
        (["study", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["report", "."], ". has no results: there is no job.json in it"),
    ],
)
def test_what_is_wrong_is_said(run: Run, line: list[str], says: str) -> None:
    code, out, err = run("lab", *line)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_without_its_libraries(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "LIBRARIES", ("numpy", "not_there"))
    code, _, err = run("lab", "match", "greedy", "random")
    assert code == 2
    assert err == (
        "stationmaster: the laboratory needs not_there: make lab installs it "
        "(outside of a checkout: pip install 'stationmaster[lab]')\n"
    )


@pytest.mark.parametrize("what", [[], ["match"], ["ladder"], ["study"], ["report"]])
def test_help_has_examples(run: Run, what: list[str]) -> None:
    code, out, _ = run("lab", *what, "--help")
    assert code == 0
    assert out.count("stationmaster lab") >= 2


# ---- Figures as people read them ----


def test_numbers() -> None:
    assert [number(1234.5, "en", 1), number(-1234.5, "es", 1), number(-0.04, "en", 1)] == ["1,234.5", "−1.234,5", "0.0"]
    assert number(float("nan")) == "–"
    assert [duration(9.4), duration(750), duration(3723)] == ["0:09", "12:30", "1:02:03"]


def test_an_interval_is_told_with_as_many_digits_as_it_knows() -> None:
    assert within(Interval(-18.234, -18.634, -17.834, 9)) == "−18.23 ± 0.40"
    assert within(Interval(123.4, 111.4, 135.4, 9)) == "123 ± 12"
    assert within(Interval(0.314, 0.305, 0.323, 9), "es", percent=True) == "31,40 ± 0,90 %"
    assert within(Interval(5.0, float("nan"), float("nan"), 1)) == "5.00"
    assert between(Interval(0.004, 0.002, 0.009, 9)) == "0.40 % (0.20–0.90)"


# ---- How far it is ----


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def test_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    bar = Progress(1000, "en")
    bar.begin(200, 800)
    clock[0] += 10
    bar.show(600, 2400, lambda: "A less B: −3 ± 1")
    clock[0] += 0.01
    bar.show(601, 2404, lambda: pytest.fail("too soon to be looked at"))
    shown = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert shown == "\r━━━━━━━━━━━━──────── 600 of 1,000 deals · A less B: −3 ± 1 · 160 rounds/s · 0:10 left"
    bar.clear()
    assert sys.stderr.getvalue().split("\r")[-2].strip() == ""  # type: ignore[attr-defined]


def test_a_line_now_and_then_in_a_file(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    bar = Progress(10, "es", matches=True)
    for done in range(4):
        clock[0] += 20
        bar.show(done, done, lambda: "")
    bar.clear()
    lines = ["1 de 10 partidas · 0,0 rondas/s · faltan 6:00", "3 de 10 partidas · 0,0 rondas/s · faltan 3:07"]
    assert sys.stderr.getvalue().splitlines() == lines  # type: ignore[attr-defined]
