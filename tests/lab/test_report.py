"""Studies and what reports say of them: figures computed once more by hand from the rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import stationmaster as sm
from cli.commands import Ran
from stationmaster.cli.output import read_rulebook
from stationmaster.lab.report import document, html, markdown, text
from stationmaster.lab.report.always import histogram
from stationmaster.lab.report.parts import Document
from stationmaster.lab.report.plots import ticks
from stationmaster.lab.results import Results
from stationmaster.lab.run import carry_out
from stationmaster.lab.statistics import mean_interval, share_interval
from stationmaster.lab.study import read_study

STUDIES = Path(__file__).parents[2] / "studies"
EVERYTHING = """
title = "A try of <everything>"
questions = ["place", "endings", "luck", "rules", "mexican", "money"]
seed = "try"
matches = 8
rulebooks = ["quarter-pot", "tactic"]
players = [2, 3]
tables = [["random"], ["greedy", "random"]]
house = [{ name = "as printed" }, { name = "no binding", changes = { open_doubles_bind = false } }]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """A small study of everything, played."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "all.toml").write_text(EVERYTHING)
    study = read_study(folder / "all.toml", read_rulebook)
    results = Results.new(folder / "results", study.job)
    carry_out(results, [study.samples] * len(study.job.cells), lambda task, made: False, workers=1)
    return results


@pytest.fixture(scope="module")
def rows(results: Results) -> list[dict[str, Any]]:
    """All its rows."""
    found: list[dict[str, Any]] = pa.concat_tables([pq.read_table(file) for file in results.files()]).to_pylist()
    return found


@pytest.fixture(scope="module")
def report(results: Results) -> Document:
    return document([results], "en")


def records(report: Document, section: str, table: int = 0) -> list[dict[str, Any]]:
    """A table of a section."""
    (one,) = (one for one in report.sections if one.name == section)
    return list(one.tables[table].records)


def by_sample(rows: list[dict[str, Any]], value: Callable[[list[dict[str, Any]]], float]) -> list[float]:
    """A number for each sample."""
    samples: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        samples.setdefault(row["sample"], []).append(row)
    return [value(samples[sample]) for sample in sorted(samples)]


def mean(values: Any) -> float:
    return float(np.mean(list(values)))


def near(found: Any, expected: Any) -> bool:
    return (found.mean, found.low, found.high) == pytest.approx((expected.mean, expected.low, expected.high), abs=1e-5)


PRINTED = "tactic · as printed · 3 players"


def of(rows: list[dict[str, Any]], **what: Any) -> list[dict[str, Any]]:
    return [row for row in rows if all(row[name] == value for name, value in what.items())]


# ---- The questions ----


def test_every_game_is_told_apart(report: Document) -> None:
    parts = [record["part"] for record in records(report, "overview")]
    assert len(parts) == len(set(parts)) == 16
    assert f"{PRINTED} · random" in parts


def test_going_first(report: Document, rows: list[dict[str, Any]]) -> None:
    (found,) = (one for one in records(report, "place") if one["part"] == f"{PRINTED} · random")
    mine = of(rows, rulebook="tactic", house="as printed", players=3, bot="random")
    mine = [row for row in mine if row["cell"] == mine[0]["cell"]]

    def first(sample: list[dict[str, Any]]) -> float:
        starters = [row["points"] for row in sample if row["seat"] == row["starter"]]
        return mean(starters) - mean(row["points"] for row in sample if row["seat"] != row["starter"])

    assert near(found["first"], mean_interval(by_sample(mine, first)))
    wins = by_sample(mine, lambda sample: 3 * mean(row["won"] for row in sample if row["place"] == 0))
    assert near(found["times"], mean_interval(wins))


def test_blocked_rounds(report: Document, rows: list[dict[str, Any]]) -> None:
    found = {one["part"]: one for one in records(report, "endings")}
    mine = of(rows, rulebook="quarter-pot", house="no binding", players=2, entrant=0)
    mine = [row for row in mine if row["cell"] == min(row["cell"] for row in mine)]
    share = mean(row["blocked"] for row in mine)
    assert 0 < share < 1
    assert near(found["quarter-pot · no binding · 2 players · random"]["blocked"], share_interval(share * 8, 8))


def test_luck(report: Document, rows: list[dict[str, Any]]) -> None:
    name = f"{PRINTED} · greedy, random"
    found = {one["rounds"]: one for one in records(report, "luck") if one["part"] == name}
    assert sorted(found) == [1, 5, 13]
    cell = next(row["cell"] for row in of(rows, rulebook="tactic", house="as printed", players=3, bot="greedy"))
    mine = of(rows, cell=cell)
    points = {bot: mean(row["points"] for row in of(mine, bot=bot)) for bot in ("greedy", "random")}
    better = min(points, key=lambda bot: points[bot])
    for rounds, record in found.items():
        assert record["better"] == better

        def wins(sample: list[dict[str, Any]], rounds: int = rounds) -> float:
            shares = []
            for rotation in {row["rotation"] for row in sample}:
                totals, bots = [0, 0, 0], ["", "", ""]
                for row in of(sample, rotation=rotation):
                    bots[row["seat"]] = row["bot"]
                    totals[row["seat"]] += row["points"] if row["round"] <= rounds else 0
                winners = [bot for bot, total in zip(bots, totals, strict=True) if total == min(totals)]
                shares.append(winners.count(better) / len(winners))
            return mean(shares)

        assert near(record["wins"], mean_interval(by_sample(mine, wins)))


def test_rules_are_compared_deal_by_deal(report: Document, rows: list[dict[str, Any]]) -> None:
    found = {one["part"]: one for one in records(report, "rules")}
    record = found["tactic · no binding · 2 players · greedy, random"]
    assert found["tactic · as printed · 2 players · greedy, random"]["more-points"] == "–"
    cells = [
        next(row["cell"] for row in of(rows, rulebook="tactic", house=house, players=2, bot="greedy"))
        for house in ("as printed", "no binding")
    ]
    points = [
        np.array(by_sample(of(rows, cell=cell), lambda sample: mean(row["points"] for row in sample))) for cell in cells
    ]
    assert near(record["more-points"], mean_interval(points[1] - points[0]))
    assert record["more-points"].samples == 8


def test_the_mexican_train(report: Document, rows: list[dict[str, Any]]) -> None:
    name = f"{PRINTED} · random"
    found = [one for one in records(report, "mexican") if one["part"] == name]
    cell = next(row["cell"] for row in rows if row["rulebook"] == "tactic" and row["players"] == 3)
    rounds: dict[tuple[int, int, int], list[dict[str, Any]]] = {}
    for row in of(rows, cell=cell):
        rounds.setdefault((row["sample"], row["rotation"], row["round"]), []).append(row)
    first = {key: seats for key, seats in rounds.items() if any(row["mexican"] == 1 for row in seats)}
    (record,) = (one for one in found if one["turn"] == "in turn 1")
    assert record["happens"] == f"{100 * len(first) / len(rounds):.1f} %"

    def gain(sample: list[dict[str, Any]]) -> float:
        began = mean(row["points"] for row in sample if row["mexican"])
        return began - mean(row["points"] for row in sample if not row["mexican"])

    assert near(record["gain"], mean_interval(by_sample([row for seats in first.values() for row in seats], gain)))


def test_money(report: Document, rows: list[dict[str, Any]]) -> None:
    found = records(report, "money")
    assert {one["part"].split(" · ")[0] for one in found} == {"quarter-pot"}
    name = "quarter-pot · as printed · 2 players · random"
    by_place = [one["cents"] for one in found if one["part"] == name]
    cell = next(row["cell"] for row in rows if row["rulebook"] == "quarter-pot" and row["players"] == 2)
    for place, cents in enumerate(by_place):
        expected = by_sample(of(rows, cell=cell, place=place), lambda sample: mean(row["cents"] for row in sample))
        assert near(cents, mean_interval(expected))


def test_bots_at_one_table(report: Document, rows: list[dict[str, Any]]) -> None:
    name = f"{PRINTED} · greedy, random"
    found = {one["bot"]: one for one in records(report, "bots") if one["part"] == name}
    assert set(found) == {"greedy", "random"}
    cell = next(row["cell"] for row in of(rows, rulebook="tactic", house="as printed", players=3, bot="greedy"))
    greedy = by_sample(
        of(rows, cell=cell),
        lambda sample: mean(row["points"] for row in of(sample, bot="greedy")) - mean(row["points"] for row in sample),
    )
    assert near(found["greedy"]["against"], mean_interval(greedy))
    assert found["greedy"]["against"].mean == pytest.approx(-2 * found["random"]["against"].mean)


# ---- Its forms ----


class Page(HTMLParser):
    """Checks that every element is closed, and collects what is asked for elsewhere."""

    EMPTY = frozenset({"meta", "line", "circle"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []
        self.seen: dict[str, int] = {}
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.outside += [value for name, value in attrs if name in ("src", "href") and value and value[0] != "#"]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_page_needs_nothing_else(results: Results, language: str) -> None:
    page = html(document([results], language), language)
    found = Page(page)
    assert found.outside == []
    assert "url(" not in page
    assert "A try of &lt;everything&gt;" in page
    assert found.seen["svg"] > 30
    assert found.seen["table"] > 8
    assert "nan" not in re.sub(r"<[^>]*>", "", page).lower().split()
    assert 'fill="nan"' not in page
    assert not re.search(r'="-?(nan|inf)', page)
    assert page.count('role="img"') == found.seen["svg"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_tables_for_a_text(results: Results, language: str) -> None:
    said = document([results], language)
    written, shown = markdown(said, language), text(said, language)
    assert written.startswith("# A try of <everything>\n")
    tables = [line for line in written.splitlines() if line.startswith("|")]
    assert len(tables) > 100
    for section in said.sections:
        assert f"## {section.title}" in written
        assert section.title in shown
    assert tables[2].count("|") == len(said.sections[0].tables[0].head) + 1


def test_several_results_in_one_report(results: Results) -> None:
    both = document([results, results], "en")
    assert both.title == "Several studies"
    assert len(both.sections) == 2 * len(document([results], "en").sections)
    assert both.sections[0].title == "A try of <everything>: Does going first matter?"


def test_bars_hold_every_number_but_the_last() -> None:
    few = histogram("few", {3: 5, 4: 1, 6: 2}, "points")
    assert (few.first, few.width, list(few.counts), few.mean) == (3, 1, [5, 1, 0, 2], 31 / 8)
    many = histogram("many", dict.fromkeys(range(1000), 1) | {5000: 1}, "points")
    assert many.first == 0
    assert sum(many.counts) == 996
    assert len(many.counts) <= 30


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [(0, 10, [0, 2, 4, 6, 8, 10]), (-0.03, 0.02, [-0.03, -0.02, -0.01, 0, 0.01, 0.02]), (7, 7, [7])],
)
def test_marks_are_round_numbers(low: float, high: float, marks: list[float]) -> None:
    assert ticks(low, high)[: len(marks)] == pytest.approx(marks)


# ---- Study files ----


def read(tmp_path: Path, text: str) -> Any:
    (tmp_path / "study.toml").write_text(text)
    return read_study(tmp_path / "study.toml", read_rulebook)


GOOD = 'title = "T"\nrulebooks = ["tactic"]\nplayers = [2]\ntables = [["random"]]\ndeals = 3\n'


def test_a_study_is_everything_with_everything(tmp_path: Path) -> None:
    sm.save_house_rules(sm.rulebook("pressman").with_changes(id="ours", double_blank=50), tmp_path / "ours.toml")
    study = read(
        tmp_path,
        'title = "T"\nseed = 5\nrulebooks = ["tactic", "ours.toml"]\nplayers = [9, 4]\nmatches = 7\nlimit = "5ms"\n'
        'tables = [["random", "greedy@3"], ["greedy"]]\n',
    )
    assert study.left_out == ("tactic (9)", "ours (9)")
    assert study.samples == 7
    assert [str(one) for one in study.job.entrants] == ["random@5ms", "greedy@3", "greedy@5ms"]
    cells = [
        (cell.rulebook, cell.players, cell.tables[0], cell.matches) for cell in study.job.cells if cell.players > 1
    ]
    assert cells == [
        ("tactic", 4, (0, 1, 1, 1), True),
        ("tactic", 4, (2, 2, 2, 2), True),
        ("ours", 4, (0, 1, 1, 1), True),
        ("ours", 4, (2, 2, 2, 2), True),
    ]
    assert study.job.cells[-1].book.double_blank == 50


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "is not a TOML file"),
        (GOOD.replace("title", "tilte"), "it has an unknown field tilte; a study has title, rulebooks"),
        (GOOD.replace('title = "T"\n', ""), "it lacks the required field title"),
        (GOOD.replace("[2]", '["two"]'), r"players\[0\]: expected a whole number, got a text"),
        (GOOD + "matches = 3\n", "give deals = … for single rounds, or matches = …"),
        (GOOD.replace("deals = 3", ""), "give deals = …"),
        (GOOD.replace("deals = 3", "deals = 0"), "0 deals or matches: at least 1"),
        (GOOD.replace("[2]", "[]"), "players is empty"),
        (GOOD.replace("[2]", "[11]"), "none of its rulebooks deals for 11 players"),
        (GOOD.replace('"tactic"', '"tactik"'), "did you mean 'tactic'"),
        (GOOD.replace('[["random"]]', "[[]]"), "a table has no bots"),
        (GOOD.replace('[["random"]]', '[["random", "random", "random"]]'), "has 3 bots, and 2 play"),
        (GOOD.replace('"random"', '"rndom"'), "no bot is called 'rndom'"),
        (
            GOOD + 'house = [{ name = "h", changes = { bind = true } }]',
            "house rule 'h' on tactic: 'bind' is not a parameter",
        ),
        (GOOD + 'questions = ["why"]', "questions"),
        (GOOD + 'limit = "soon"', "'soon' is no limit"),
    ],
)
def test_what_is_wrong_with_a_study(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(sm.StationmasterError, match=says) as refused:
        read(tmp_path, text)
    assert "study.toml" in str(refused.value)


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_studies_that_are_here_can_be_read(path: Path) -> None:
    study = read_study(path, read_rulebook)
    assert study.job.questions
    assert study.job.cells


# ---- The command ----


def test_from_a_file_to_a_page(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(GOOD.replace('"T"', '"Small"') + 'questions = ["place"]\n')
    code, out, err = run("lab", "study", "small.toml", "--save", "there", "--workers", 1)
    assert (code, err) == (0, "")
    assert "Small\n1 parts, 3 rounds, seed 1." in out
    assert run("lab", "report", "there") == Ran(0, "Written to there/report.html.\n", "")
    assert Page((tmp_path / "there" / "report.html").read_text()).seen["h2"] > 4
    assert run("lab", "report", "there", "--text").out.startswith("Small\n")
    figures = json.loads(run("lab", "report", "there", "--json").out)
    assert figures["sections"][0]["section"] == "place"
    assert figures["sections"][0]["tables"][0][0]["first"]["samples"] == 3
    assert run("lab", "report", "there", "--markdown", "--output", "small.md").code == 0
    assert (tmp_path / "small.md").read_text().startswith("# Small\n")
    code, _, err = run("lab", "report", "nowhere")
    assert (code, err) == (2, "stationmaster: nowhere has no results: there is no job.json in it\n")
