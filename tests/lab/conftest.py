"""The command line at hand, and bots of the tests that worker processes find."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import run  # noqa: F401


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Results are kept apart for each test, English is spoken, and files are named from an empty folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("STATIONMASTER_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.chdir(tmp_path)
    return tmp_path
