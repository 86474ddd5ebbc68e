"""What the pages in docs/ show is true: their programs run, and their commands do what is said of them.

A block of Python whose first line is a comment with the name of a file is that file; others are programs that may
use it. Commands stand after a $ in blocks of the kind ``console``; those in blocks of ``text`` are not run.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from pages import blocks, commands, complaints, run, stationmaster
from stationmaster.bots.contract.tables import QUICK, table_names

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
BOT = DOCS / "write-a-bot.md"


def lay_out(folder: Path, page: Path) -> list[str]:
    """Write the files of a page into a folder; the programs that are left."""
    programs = []
    for kind, text in blocks(page):
        if kind != "python":
            continue
        named = re.match(r"# (\w+\.py)\n", text)
        if named:
            (folder / named[1]).write_text(text, "utf-8")
        else:
            programs.append(text)
    return programs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_programs_of_a_page_run(tmp_path: Path, page: Path) -> None:
    for text in lay_out(tmp_path, page):
        done = run(tmp_path, sys.executable, "-c", text)
        assert (done.returncode, complaints(done.stderr)) == (0, ""), text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_work(tmp_path: Path, page: Path) -> None:
    lay_out(tmp_path, page)
    for line in commands([text for kind, text in blocks(page) if kind == "console"]):
        done = run(tmp_path, *stationmaster(line), typed="hint\nquit\n" if " play " in line else "")
        assert (done.returncode, complaints(done.stderr)) == (0, ""), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_a_bot_takes_30_lines() -> None:
    first = next(text for kind, text in blocks(BOT) if kind == "python")
    lines = [line for line in first.splitlines() if line.strip()]
    assert len(lines) <= 31, "and the comment that names the file"
    assert f"at {len(table_names(quick=False))} tables" in BOT.read_text("utf-8")
    assert f"at {len(QUICK)} of them" in BOT.read_text("utf-8")


def test_what_an_observation_holds_is_told() -> None:
    from stationmaster.engine.observation import Observation

    told = {
        name
        for line in BOT.read_text("utf-8").splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    untold = {"outcome", "dealt", "dealt_sizes", "layout"}  # of an observation of a round that is over, or for sample
    assert told == set(Observation.__struct_fields__) - untold


def test_the_bots_of_the_page_keep_the_contract(tmp_path: Path) -> None:
    lay_out(tmp_path, BOT)
    done = run(tmp_path, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mybot.py")
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    words = "stationmaster bots check thinker:Thinker --table tactic-3 --table house-1"
    done = run(tmp_path, *stationmaster(words))
    assert done.returncode == 0, done.stdout
