"""The command line at hand: matches kept apart for each test, and ``run`` for a command in this process."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.commands import Ran, record_text
from stationmaster.cli import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Matches are kept apart for each test, English is spoken, and files are named from an empty folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("STATIONMASTER_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "78")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def matches(home: Path) -> Path:
    """The folder where matches are kept."""
    return home / "data" / "stationmaster" / "matches"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process, with what is typed."""

    def run(*args: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main([str(arg) for arg in args])
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def record(home: Path) -> Path:
    """The file of a short match that is over."""
    path = home / "match.json"
    path.write_text(record_text(), "utf-8")
    return path
