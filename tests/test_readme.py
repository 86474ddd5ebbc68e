"""README.md holds what it says: its transcript is a real one, and what it shows to be typed works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
(SPOT,) = (text for kind, text in BLOCKS if kind == "toml")
CONSOLE = [text for kind, text in BLOCKS if kind == "console"]
TRANSCRIPT = CONSOLE[0]
COMMANDS = [line for text in CONSOLE for line in re.findall(r"^\$ (stationmaster .*?)(?: +#.*)?$", text, re.MULTILINE)]


def run(folder: Path, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run in an empty folder, with the spot of the README in it."""
    (folder / "spot.toml").write_text(SPOT, "utf-8")
    changes = {"XDG_DATA_HOME": str(folder / "data"), "STATIONMASTER_LANGUAGE": "en", "COLUMNS": "80"}
    source = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | changes | source,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def stationmaster(line: str) -> list[str]:
    """A line that calls stationmaster, as a command for this Python."""
    first, *rest = shlex.split(line)
    assert first == "stationmaster"
    return [sys.executable, "-m", "stationmaster", *rest]


def test_the_transcript_is_a_real_one(tmp_path: Path) -> None:
    line, _, said = TRANSCRIPT.removeprefix("$ ").partition("\n")
    typed = re.findall(r"^Your move\? (.+)$", said, re.MULTILINE)
    assert typed
    done = run(tmp_path, *stationmaster(line), typed="\n".join(typed) + "\n")
    assert done.stdout.startswith(said)


@pytest.mark.parametrize("text", PYTHON)
def test_the_programs_run(tmp_path: Path, text: str) -> None:
    done = run(tmp_path, sys.executable, "-c", text)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_lines_that_are_to_be_typed_work(tmp_path: Path) -> None:
    assert len(COMMANDS) > 5
    for line in COMMANDS:
        done = run(tmp_path, *stationmaster(line), typed="n\n" if " play " in line else "")
        assert (done.returncode, done.stderr) == (0, ""), line
    assert (tmp_path / "ours.toml").exists()


def test_the_spot_is_settled(tmp_path: Path) -> None:
    done = run(tmp_path, *stationmaster("stationmaster settle spot.toml"))
    assert done.returncode == 0
    assert "3-5@0" in done.stdout
