"""README.md holds what it says: its transcript is a real one, and what it shows to be typed works."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pages import blocks, commands, complaints, run, stationmaster

README = Path(__file__).parents[1] / "README.md"
BLOCKS = blocks(README)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
(SPOT,) = (text for kind, text in BLOCKS if kind == "toml")
CONSOLE = [text for kind, text in BLOCKS if kind == "console"]
TRANSCRIPT = CONSOLE[0]
COMMANDS = commands(CONSOLE)


@pytest.fixture(autouse=True)
def spot(tmp_path: Path) -> None:
    """The spot of the README lies in the folder where its commands are typed."""
    (tmp_path / "spot.toml").write_text(SPOT, "utf-8")


def test_the_transcript_is_a_real_one(tmp_path: Path) -> None:
    line, _, said = TRANSCRIPT.removeprefix("$ ").partition("\n")
    typed = re.findall(r"^Your move\? (.+)$", said, re.MULTILINE)
    assert typed
    done = run(tmp_path, *stationmaster(line), typed="\n".join(typed) + "\n")
    assert done.stdout.startswith(said)


@pytest.mark.parametrize("text", PYTHON)
def test_the_programs_run(tmp_path: Path, text: str) -> None:
    done = run(tmp_path, sys.executable, "-c", text)
    assert (done.returncode, complaints(done.stderr)) == (0, "")


def test_the_lines_that_are_to_be_typed_work(tmp_path: Path) -> None:
    assert len(COMMANDS) > 5
    for line in COMMANDS:
        done = run(tmp_path, *stationmaster(line), typed="n\n" if " play " in line else "")
        assert (done.returncode, complaints(done.stderr)) == (0, ""), line
    assert (tmp_path / "ours.toml").exists()


def test_the_spot_is_settled(tmp_path: Path) -> None:
    done = run(tmp_path, *stationmaster("stationmaster settle spot.toml"))
    assert done.returncode == 0
    assert "3-5@0" in done.stdout
