"""``stationmaster bench`` and ``doctor``: the figures that they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import stationmaster as sm
from cli.commands import Ran

Run = Callable[..., Ran]


def figures(ran: Ran) -> dict[str, Any]:
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


@pytest.mark.parametrize("id", sm.rulebooks())
def test_playouts_are_measured(run: Run, id: str) -> None:
    found = figures(run("bench", "playouts", "--rulebook", id, "--rounds", 6, "--repeat", 1, "--json"))
    assert found["rulebook"] == id
    assert found["compiled"] == sm.engine.compiled
    assert (found["rounds"], found["threads"], found["players"]) == (6, 1, 4)
    assert found["rounds_per_s"] == pytest.approx(6 / found["seconds"])
    assert found["decisions_per_s"] == pytest.approx(6 * found["decisions_per_round"] / found["seconds"])


def test_threads_share_the_rounds(run: Run) -> None:
    found = figures(run("bench", "playouts", "--rounds", 7, "--threads", 2, "--repeat", 1, "--json"))
    assert (found["rounds"], found["threads"]) == (7, 2)


def test_the_same_seed_plays_the_same_rounds(run: Run) -> None:
    def points(seed: int) -> float:
        ran = run("bench", "playouts", "--rounds", 5, "--repeat", 1, "--seed", seed, "--json")
        per_round: float = figures(ran)["points_per_round"]
        return per_round

    assert points(1) == points(1) != points(2)


@pytest.mark.parametrize(
    ("what", "rate", "options"),
    [
        ("api", "moves_per_s", ["--rounds", "2"]),
        ("copy", "ns_per_copy", []),
        ("sample", "deals_per_s", ["--deals", "20"]),
        ("train", "hands", ["--hands", "2"]),
        ("start", "import_ms", []),
    ],
)
def test_the_rest_is_measured(run: Run, what: str, rate: str, options: list[str]) -> None:
    found = figures(run("bench", what, *options, "--repeat", 1, "--json"))
    assert found[rate] >= 0
    assert found["compiled"] == sm.engine.compiled


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("what", ["playouts", "api", "copy", "sample"])
def test_figures_for_people(run: Run, what: str, language: str) -> None:
    few = {"playouts": ["--rounds", 5], "api": ["--rounds", 1], "copy": [], "sample": ["--deals", 20]}[what]
    code, out, err = run("bench", what, *few, "--repeat", 1, "--language", language)
    assert (code, err) == (0, "")
    assert ": puremco-12\n" in out
    assert all(": " in line for line in out.splitlines())


@pytest.mark.parametrize(("language", "word"), [("en", "unproven 0"), ("es", "sin probar 0")])
def test_trains_are_measured(run: Run, language: str, word: str) -> None:
    found = figures(run("bench", "train", "--hands", 3, "--repeat", 2, "--json"))
    assert found["hands"] == 3
    assert {15, 20, 25, 40} <= {kind["tiles"] for kind in found["kinds"]}
    for kind in found["kinds"]:
        assert 0 < kind["p50_us"] <= kind["max_us"]
        assert kind["unproven"] == kind["gap"] == 0 or kind["tiles"] > 25
    code, out, err = run("bench", "train", "--hands", 2, "--repeat", 1, "--language", language)
    assert (code, err) == (0, "")
    assert len([line for line in out.splitlines() if word in line]) >= len(found["kinds"]) - 1


# ---- doctor ----


def test_all_is_well(run: Run, matches: Path) -> None:
    code, out, err = run("doctor")
    assert (code, err) == (0, "")
    assert sm.__version__ in out
    assert str(matches) in out.replace("\n  ", " ")
    assert ("All is well." in out) == sm.engine.compiled


def test_what_to_do_when_the_core_is_interpreted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sm.engine, "compiled", False)
    code, out, _ = run("doctor")
    assert code == 0
    assert "get a C compiler" in " ".join(out.split())


def test_what_to_do_when_matches_cannot_be_saved(run: Run, home: Path) -> None:
    (home / "data").write_text("a file where a folder should be")
    code, out, _ = run("doctor")
    assert code == 1
    assert "play with --save FILE" in " ".join(out.split())
    assert "All is well." not in out
    code, _, err = run("play")
    assert code == 2
    assert err.endswith("choose where to keep the match with --save FILE\n")


def test_findings_as_json(run: Run, matches: Path) -> None:
    found = figures(run("doctor", "--json"))
    assert found["matches"] == str(matches)
    assert found["matches_writable"]
    assert found["trouble"] is None
