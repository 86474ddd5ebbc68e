"""The planner's and the search's compiled modules as their sources say: the same files, run interpreted beside them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pure
import stationmaster

FOLDER = Path(stationmaster.__file__).parent
CORE = "engine.core"
MODULES = (  # each uses those before it
    "planner.train",
    "planner.pairing",
    "planner.leftovers",
    "planner.laying",
    "planner.longest",
    "planner.policy",
    "bots.evidence",
    "bots.goal",
    "bots.ending",
    "bots.search",
)


@cache
def _all() -> dict[str, ModuleType]:
    names = [f"stationmaster.{name}" for name in (CORE, *MODULES)]
    usual = {name: import_module(name) for name in names}
    made = {CORE: pure.interpreted()}
    try:
        sys.modules[names[0]] = made[CORE]
        for name in MODULES:
            source = FOLDER / f"{name.replace('.', '/')}.py"
            spec = importlib.util.spec_from_file_location(f"stationmaster.{name}", source)
            assert spec is not None
            module = made[name] = sys.modules[f"stationmaster.{name}"] = importlib.util.module_from_spec(spec)
            exec(compile(source.read_text("utf-8"), str(source), "exec"), module.__dict__)
    finally:
        sys.modules.update(usual)
    return made


def interpreted(name: str = "planner.longest") -> ModuleType:
    """One of these modules, and everything of these that it stands on, interpreted."""
    return _all()[name]


@contextmanager
def all_interpreted() -> Iterator[None]:
    """In here nothing is compiled: rounds, dealers, plans and search."""
    core, policy = interpreted(CORE), interpreted("planner.policy")
    with (
        patch("stationmaster.engine.round.State", core.State),
        patch("stationmaster.engine.observation.State", core.State),
        patch("stationmaster.engine.observation.Worlds", core.Worlds),
        patch("stationmaster.bots.planner.Planner", policy.Planner),
        patch("stationmaster.bots.thinking.Planner", policy.Planner),
        patch("stationmaster.bots.thinking.Goal", interpreted("bots.goal").Goal),
        patch("stationmaster.bots.master.Goal", interpreted("bots.goal").Goal),
        patch("stationmaster.bots.master.Planner", policy.Planner),
        patch("stationmaster.bots.master.Evidence", interpreted("bots.evidence").Evidence),
        patch("stationmaster.bots.master.Ending", interpreted("bots.ending").Ending),
        patch("stationmaster.bots.thinking.Search", interpreted("bots.search").Search),
        patch("stationmaster.bots.thinking.Evidence", interpreted("bots.evidence").Evidence),
    ):
        yield
