"""``stationmaster bots``: the list, and an examination with its findings, its exit code and what it says on the way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
from cli.commands import Ran, command
from stationmaster.bots.contract import PROMISES, Report
from stationmaster.cli.bots import Progress
from stationmaster.words import LANGUAGES

Run = Callable[..., Ran]
BAD = Path(__file__).parents[1] / "bots" / "bad_bots.py"


def test_every_bot_is_listed_in_a_line(run: Run) -> None:
    code, out, err = run("bots")
    assert (code, err) == (0, "")
    listed, levels, more = out.split("\n\n")
    plain = [line.split()[0] for line in listed.splitlines() if not line.startswith(" ")]
    named = [line.strip() for line in levels.splitlines()[1:] if not line.startswith("    ")]
    assert plain + [line.partition(":")[0] for line in named] == list(sm.bots())
    assert named[1].startswith(f"porter: Porter, rating {sm.levels()[1].rating}: looks a tile ahead")
    assert "mybot:Mine" in more
    assert run("bots", "list").out == out
    told = json.loads(run("bots", "list", "--json").out)
    assert [bot["id"] for bot in told] == list(sm.bots())
    assert [bot["rating"] for bot in told if bot["rating"]] == [level.rating for level in sm.levels()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_keeps_its_promises(run: Run, language: str) -> None:
    code, out, err = run("bots", "check", "greedy", "--table", "tactic-2", "--language", language)
    assert (code, err) == (0, "")
    assert out.count("kept  " if language == "en" else "cumple  ") == len(PROMISES)


def test_a_bot_that_breaks_one(run: Run) -> None:
    code, out, err = run("bots", "check", f"{BAD}:Talks", "--table", "tactic-2", "--seed", "x")
    assert (code, err) == (1, "")
    text = " ".join(out.split())
    assert "BROKEN It prints nothing." in text
    assert "It printed: hm, " in text
    assert f"To ask again: stationmaster bots check {BAD}:Talks --seed x --table tactic-2" in text
    assert all(len(line) <= 78 or str(BAD) in line for line in out.splitlines())


def test_the_findings_for_a_program(run: Run) -> None:
    code, out, _ = run("bots", "check", f"{BAD}:Stops", "--table", "tactic-2", "--json")
    told = json.loads(out)
    assert code == 1
    assert (told["kept"], told["complete"], told["tables"]) == (False, True, 1)
    assert list(told["promises"]) == list(PROMISES)
    assert {name for name, count in told["promises"].items() if count} == {"legal"}
    (found,) = told["findings"]
    assert (found["what"], found["table"], found["again"].split()[-1]) == ("illegal", "tactic-2", "tactic-2")
    assert found["sentence"].startswith("It advised stop. ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["chess"], "no bot is called 'chess'"),
        ([f"{BAD}:Nobody"], "there is no 'Nobody' in bad_bots"),
        (["greedy", "--table", "nowhere"], "there is no table 'nowhere'"),
        (["greedy", "--patience", "0"], "0 is not above 0"),
        ([], "the following arguments are required: BOT"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, options: list[str], said: str) -> None:
    code, out, err = run("bots", "check", *options)
    assert (code, out) == (2, "")
    assert said in err


def test_what_was_found_is_told_when_it_is_interrupted(home: Path) -> None:
    (home / "waiting.py").write_text(
        "import pathlib, time\n"
        "import stationmaster as sm\n"
        "class Waiting(sm.Bot):\n"
        "    id = 'waiting'\n"
        "    def consider(self, observation, limit, rng):\n"
        "        print('here')\n"
        "        if pathlib.Path('asked').exists():\n"
        "            time.sleep(1000)\n"
        "        pathlib.Path('asked').touch()\n"
        "        return sm.Advice(observation.legal_moves[0])\n"
    )
    words = command("bots", "check", "waiting:Waiting", "--patience", "999")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=home) as process:
        while not (home / "asked").exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, err) == (130, "")
    assert "It printed: here" in out
    assert out.endswith("Interrupted: this is what was found so far.\n")


def test_how_far_it_is_is_told_on_the_way(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("greedy", 1, tables=9, seated=3)
    into_a_file = Progress("en")
    into_a_file.tell(report, "tactic-4")
    assert capsys.readouterr().err == "", "nothing in the first seconds"
    monkeypatch.setattr("stationmaster.cli.bots.EVERY", 0.0)
    into_a_file.tell(report, "tactic-4")
    into_a_file.clear()
    assert capsys.readouterr().err == "Table 4 of 9, tactic-4; promises broken so far: 0\n"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    terminal = Progress("es")
    terminal.tell(report, "tactic-nine-4")
    terminal.tell(report, "tactic-4")
    terminal.clear()
    _, one, two, gone, _ = capsys.readouterr().err.split("\r")
    assert one == "Mesa 4 de 9, tactic-nine-4; promesas rotas hasta ahora: 0"
    assert two == "Mesa 4 de 9, tactic-4; promesas rotas hasta ahora: 0     ", "what was there is written over"
    assert gone == " " * len(one)
