"""docs/lab.md holds what it says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from cli.commands import Ran
from stationmaster.lab.frame import COLUMNS

TEXT = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
LINES = re.findall(r"^\$ stationmaster (.+)$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("line", LINES)
def test_what_is_typed_works(run: Callable[..., Ran], line: str) -> None:
    code, out, err = run(*shlex.split(line), "--workers", 1)
    assert (code, err) == (0, "")
    assert out


def test_every_column_is_there() -> None:
    assert re.findall(r"^\| `(\w+)` \| (.+) \|$", TEXT, re.MULTILINE)[-len(COLUMNS) :] == [
        (name, says) for name, (_, says) in COLUMNS.items()
    ]


def test_the_question_can_be_asked(run: Callable[..., Ran]) -> None:
    (question,) = re.findall(r"```sql\n(.+?);\n```", TEXT, re.DOTALL)
    assert run("lab", "match", "greedy", "random", "--deals", 3, "--save", "game", "--workers", 1).code == 0
    answer = duckdb.sql(question).fetchall()
    assert {bot for bot, *_ in answer} == {"greedy", "random"}
    assert sum(row[-1] for row in answer) == 3 * 4 * 4
