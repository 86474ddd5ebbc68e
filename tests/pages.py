"""Pages of the documentation: their blocks, and how what they show is run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page: their kind, as ``python``, and their text."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def commands(texts: list[str]) -> list[str]:
    """The lines that call stationmaster, of texts of the kind ``console``."""
    return [line for text in texts for line in re.findall(r"^\$ (stationmaster .*?)(?: +#.*)?$", text, re.MULTILINE)]


def stationmaster(line: str) -> list[str]:
    """A line that calls stationmaster, as a command for this Python."""
    first, *rest = shlex.split(line)
    assert first == "stationmaster"
    return [sys.executable, "-m", "stationmaster", *rest]


def run(folder: Path, *command: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run in this folder, as a person would in a terminal of 80 columns."""
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


def complaints(said: str) -> str:
    """What a command has said besides its answer, without how far it is: on a busy machine it says so now and then."""
    return "".join(line for line in said.splitlines(keepends=True) if not re.match(r"Table \d+ of \d+, ", line))
