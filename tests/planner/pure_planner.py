"""The planner's compiled modules as their sources say: the same files, run interpreted beside the compiled ones."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import stationmaster.planner

FOLDER = Path(stationmaster.planner.__file__).parent
MODULES = ("train", "pairing", "leftovers", "laying", "longest")  # each uses those before it


@cache
def interpreted() -> ModuleType:
    """``planner.longest`` and everything of the planner that it stands on, interpreted."""
    names = [f"stationmaster.planner.{name}" for name in MODULES]
    usual = {name: import_module(name) for name in names}
    try:
        for name in names:
            source = FOLDER / f"{name.rpartition('.')[2]}.py"
            spec = importlib.util.spec_from_file_location(name, source)
            assert spec is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            exec(compile(source.read_text("utf-8"), str(source), "exec"), module.__dict__)
        return sys.modules[names[-1]]
    finally:
        sys.modules.update(usual)
