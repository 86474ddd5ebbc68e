"""The contract of bots: every bot here keeps it, and whoever breaks a promise is found out and told how."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import stationmaster as sm
from bots import bad_bots
from bots.bad_bots import Bad
from stationmaster.bots import contract
from stationmaster.bots.contract import PROMISES, Examination, check
from stationmaster.bots.contract.tables import QUICK, liked, table, table_names, worth_asking
from stationmaster.words import LANGUAGES, catalogue

BAD = [bad for bad in vars(bad_bots).values() if isinstance(bad, type) and issubclass(bad, Bad) and bad is not Bad]
FILE = bad_bots.__file__
AT = ("supertrain-3", "tactic-4")
QUICK_UNTIMED = [name for name in QUICK if not name.startswith("clock-")]  # no test goes by how busy the machine is


@pytest.mark.parametrize("id", sm.bots())
def test_the_bots_that_are_here_keep_it(id: str) -> None:
    report = check(id, tables=QUICK_UNTIMED)
    assert report.kept, report
    assert report.complete
    assert report.seated == len(QUICK) - 1
    assert report.answers > 400
    assert str(report).endswith("All 11 promises are kept.")


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.__name__)
def test_a_bot_that_breaks_it_is_found_out(bad: type[Bad]) -> None:
    tables, patience = AT, 20.0
    if bad.breaks[0] == "in-time":
        tables, patience = ("clock-1",), 1.0
    report = check(f"{FILE}:{bad.__name__}", tables=tables, patience=patience)
    assert {(one.promise, one.key) for one in report.findings} == {bad.breaks}
    assert set(report.counts) == {bad.breaks[0]}, "and of nothing else"
    assert not report.kept
    assert "1 of 11 promises is broken." in str(report)
    assert f"BROKEN   {catalogue('en')[f'contract.promise.{bad.breaks[0]}']}" in str(report)


def test_every_promise_is_broken_by_some_bot() -> None:
    assert {bad.breaks[0] for bad in BAD} == set(PROMISES)


def test_a_finding_says_where_and_shows_it_again() -> None:
    report = check(f"{FILE}:ForgetsTheDouble", tables=["tactic-4", "supertrain-3"])
    found = report.findings[0]
    seen = found.observation()
    assert seen.open_doubles
    assert seen.seat == seen.turn
    move = sm.Move(found.places["move"])
    assert move not in seen.legal_moves
    assert "is open. Until someone covers it" in found.sentence()
    assert "está abierto" in found.sentence("es")
    text = str(report)
    assert f"After {len(seen.history)} moves: {seen.history[0].move} " in text
    assert f"To ask again: stationmaster bots check {FILE}:ForgetsTheDouble --seed 1 --table {found.table.name}" in text
    again = check(f"{FILE}:ForgetsTheDouble", tables=[found.table.name])
    assert again.findings[0] == found


def test_the_line_of_the_bot_is_named() -> None:
    lines = Path(FILE).read_text("utf-8").splitlines()
    said = [check(f"{FILE}:{name}", tables=["tactic-2"], patience=1).findings[0] for name in ("Raises", "Hangs")]
    number = lines.index('        return {}["what"]') + 1
    assert said[0].sentence() == f"It raised KeyError: 'what' (bad_bots.py, line {number})"
    loop = lines.index("        while True:") + 1
    assert said[1].sentence() in [f"It had not answered after 1 s (bad_bots.py, line {n})." for n in (loop, loop + 1)]


def test_a_bot_that_hangs_or_dies_is_not_asked_for_ever() -> None:
    report = check(f"{FILE}:Exits")
    assert report.given_up
    assert not report.complete
    assert report.counts["answers"] == 3
    assert len({one.question.table for one in report.findings}) == 3
    assert "the other tables were left out" in str(report)
    assert str(report).count("unknown  ") == 10


def test_it_can_be_given_a_class_and_says_the_same_again() -> None:
    one, two = (check(type(sm.bot("greedy")), tables=["tactic-3"]) for _ in range(2))
    assert one.kept
    assert (one.answers, one.seated) == (two.answers, two.seated)
    assert one.name == "stationmaster.bots.greedy:GreedyBot"
    other = check("greedy", tables=["tactic-3"], seed="another")
    assert other.answers != one.answers


def test_answers_are_timed_at_some_tables() -> None:
    report = check("greedy", tables=["clock-1", "tactic-2"])
    assert [given for given, _, _ in report.quantiles()] == [0.01, 0.05]
    assert len(report.times) > 30
    assert "Given 10.0 ms, half of the answers came within" in str(report)


def test_an_answer_that_was_late_is_shown() -> None:
    found = check(f"{FILE}:Late", tables=["clock-1"]).findings[0]
    assert (found.table.name, found.question.seconds) == ("clock-1", 0.01)
    assert len(found.observation().legal_moves) > 1


def test_what_is_known_so_far_is_told_on_the_way() -> None:
    told: list[tuple[int, str]] = []
    Examination("greedy", tables=AT[:2]).run(lambda report, name: told.append((report.seated, name)))
    assert told == list(enumerate(AT[:2]))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("chess", "no bot is called 'chess'"),
        (f"{FILE}:Nobody", "there is no 'Nobody' in bad_bots; its bots are .*Stops"),
    ],
)
def test_a_bot_that_is_not_there_is_refused(name: str, why: str) -> None:
    with pytest.raises(sm.StationmasterError, match=why):
        check(name)


@pytest.mark.parametrize("name", ["chess-4", "tactic-14", "clock-9", "open-chess", "tactic", "-4", "house-x"])
def test_a_table_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(sm.StationmasterError, match=f"there is no table '{name}': tables are called as tactic-4, "):
        check("greedy", tables=[name])


def test_a_bot_that_cannot_be_imported_in_time_is_refused(tmp_path: Path) -> None:
    (tmp_path / "slowbot.py").write_text("while True:\n    pass\n")
    with pytest.raises(sm.StationmasterError, match=r"cannot be imported. It had not answered .*\(slowbot.py, "):
        check(f"{tmp_path}/slowbot.py:Mine", patience=0.2)


# ---- The tables ----


@pytest.mark.parametrize("quick", [True, False])
def test_the_tables_hold_everything_that_the_rules_can_bring(quick: bool) -> None:
    names = table_names(quick)
    assert len(set(names)) == len(names)
    met: Counter[str] = Counter()
    for name in names:
        here = table(name, 1)
        met[f"{here.players} players"] += 1
        met[here.book.based_on or here.book.id] += 1
        met["open hands"] += here.book.open_hands
        met[f"double-{here.book.highest}"] += 1
        met[f"W-W as engine {here.round().deal.engine == sm.Tile('W-W')}"] += 1
        round, rng = here.round(), Random(1)
        while round.turn is not None:
            legal = round.legal_moves()
            if worth_asking(round, legal, rng):
                met[round.phase] += 1
                met["drawn"] += round.observe(round.turn).drawn is not None
                for move in legal:
                    met[move.kind] += 1
                    met[str(move.tile)] += 1
            round.push(liked(legal, rng))
    assert all(met[f"{players} players"] for players in range(1, 15))
    assert all(met[id] for id in sm.rulebooks())
    for what in ("play", "follow-up", "string", "must-draw", "draw", "pass", "stop", "drawn"):
        assert met[what] > 1, what
    letters = [f"{letter}-W" for letter in "ADRST"]
    for what in ("extra-play", "open hands", "double-18", "W-W as engine True", "W-W", *letters):
        assert met[what], what
    assert quick or met["two-doubles"]


# ---- The words ----


def test_there_is_a_sentence_for_everything_that_can_be_found() -> None:
    said = set()
    for path in Path(contract.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
    for language in LANGUAGES:
        keys = [key.split(".")[1:] for key in catalogue(language) if key.startswith("contract.")]
        assert {key[1] for key in keys if key[0] == "promise"} == set(PROMISES)
        found = {key[1] for key in keys if key[0] == "found"}
        assert found <= said
        assert {bad.breaks[1] for bad in BAD} <= found
        chosen = {"kept", "broken", "unknown"}
        assert {f"contract.{key[0]}" for key in keys if len(key) == 1 and key[0] not in chosen} <= said
    report = check(f"{FILE}:Hangs", tables=["house-3"], patience=1)
    assert "NO CUMPLE  Respeta el tiempo que se le da. Una vez no:" in report.lines("es")
