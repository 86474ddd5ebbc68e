"""``check``, ``text`` and ``replay``: records of matches."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
from cli.commands import Ran, command, record_text
from stationmaster.cli.replay import Replay
from stationmaster.match.text import format_match

Run = Callable[..., Ran]


# ---- check ----


def test_a_whole_record_is_fine(run: Run, record: Path) -> None:
    code, out, _ = run("check", record)
    assert code == 0
    assert re.fullmatch(rf"{record}: fine\. Tactic, house rules, Ann and Ben, 2 rounds; won by \w+\.\n", out)


def test_an_unfinished_record_is_fine_so_far(run: Run, home: Path) -> None:
    (home / "half.json").write_text(record_text(moves=5))
    code, out, _ = run("check", "half.json")
    assert code == 0
    assert out == "half.json: fine so far. Tactic, house rules, Ann and Ben, 0 of 2 rounds ended.\n"


def broken(text: str) -> str:
    """The same record, with a total that does not add up."""
    return re.sub(r'"totals": \[\d+', '"totals": [7777', text)


def test_one_broken_record_among_others(run: Run, record: Path, home: Path) -> None:
    (home / "broken.json").write_text(broken(record.read_text()))
    code, out, err = run("check", record, "broken.json", record)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("broken.json: broken. totals is [7777")
    assert ": fine." in lines[0]
    assert ": fine." in lines[2]


def test_round_and_move_of_what_is_wrong_are_named(run: Run, record: Path, home: Path) -> None:
    text = record.read_text()
    second = sm.Record.loads(text).rounds[0].moves[1]
    (home / "broken.json").write_text(text.replace(f'"{second}"', '"1 0-0@5"', 1))
    found = json.loads(run("check", "broken.json", "--json").out)[0]
    assert (found["fine"], found["round"], found["move"]) == (False, 1, 2)
    assert found["problem"].startswith("round 1, move 2: 1 0-0@5 is not legal")


def test_a_file_that_cannot_be_read(run: Run, record: Path) -> None:
    code, out, _ = run("check", "none.json", record)
    assert code == 2
    assert out.startswith("none.json: cannot be read. No such file or directory\n")
    assert ": fine." in out


def test_findings_as_json(run: Run, record: Path) -> None:
    code, out, _ = run("check", record, "none.json", "--json")
    fine, missing = json.loads(out)
    assert code == 2
    assert fine["fine"]
    assert fine["over"]
    assert fine["winners"] == list(sm.Record.load(record).replay().winners or ())
    assert not missing["fine"]


# ---- text ----


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_record_as_text(run: Run, record: Path, language: str) -> None:
    out = run("text", record, "--language", language).out
    assert out == format_match(sm.Record.load(record), language)


def test_a_broken_record_has_no_text(run: Run, record: Path) -> None:
    record.write_text(broken(record.read_text()))
    code, out, err = run("text", record)
    assert (code, out) == (2, "")
    assert err.startswith(f"stationmaster: {record}: totals is [7777")


# ---- replay ----


def test_without_a_terminal_everything_is_printed(run: Run, record: Path) -> None:
    code, out, err = run("replay", record)
    assert (code, err) == (0, "")
    match = sm.Record.load(record).replay()
    for round in match.rounds:
        assert f"The engine is {round.deal.engine}." in out
        for number, (seat, move) in enumerate(round.moves, 1):
            assert f"\n{number}. {seat} {move}:" in out
    assert out.count("The round is") == 2
    assert out.rstrip().endswith("points.")


def test_an_unfinished_match_is_printed_as_far_as_it_goes(run: Run, home: Path) -> None:
    (home / "half.json").write_text(record_text(moves=5))
    out = run("replay", "half.json").out
    assert "\n5. " in out
    assert "\n6. " not in out
    assert "still being played" in out


@pytest.fixture
def replay(record: Path) -> Replay:
    return Replay(sm.Record.load(record).replay(), "en")


def stands(replay: Replay) -> tuple[int, int]:
    """The round, from 1, and the move where a replay stands; the round on the table agrees with it."""
    moves = replay.match.rounds[replay.place.round].moves
    assert replay.round.moves == moves[: replay.place.move]
    return replay.place.round + 1, replay.place.move


def test_stepping_through(replay: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    last = replay.last_move()
    for answer, place in [
        ("", (1, 1)),
        ("", (1, 2)),
        ("b", (1, 1)),
        ("b", (1, 0)),
        ("b", (1, 0)),
        ("7", (1, 7)),
        ("3", (1, 3)),
        ("999", (1, 3)),
        ("9" * 5000, (1, 3)),
        ("r", (2, 0)),
        ("r", (2, 0)),
        ("r 3", (2, 0)),
        ("b", (1, last)),
        ("", (2, 0)),
        ("r 1", (1, 0)),
        ("r one", (1, 0)),
        ("what", (1, 0)),
    ]:
        replay.answer(answer)
        assert stands(replay) == place, answer
    out = capsys.readouterr().out
    assert f"The moves of this round are 0 to {last}." in out
    assert "The rounds of this record are 1 to 2." in out
    assert "This is the beginning of the match." in out
    assert out.count("Enter: the next move.") == 3


def test_at_the_end_there_is_no_next_move(replay: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    replay.answer("r 2")
    replay.answer(str(replay.last_move() - 1))
    replay.answer("")
    assert "The round is" in capsys.readouterr().out
    replay.answer("")
    assert capsys.readouterr().out == "This is the end of the match.\n"


def test_stepping_in_a_terminal(record: Path) -> None:
    ours, theirs = os.openpty()
    process = subprocess.Popen(command("replay", record), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(theirs)
    try:
        os.write(ours, b"\n\nb\nq\n")
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == 0
    assert err == b""
    assert [line.split(b":")[0] for line in out.splitlines() if b"move 1 of" in line or b"move 2 of" in line]
