"""The core as its source says: the same file, run interpreted beside the compiled one, and questioned.

``witnessed`` rewrites that source so that every condition of the referee tells what it was.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import stationmaster.engine
import stationmaster.engine.round

SOURCE = Path(stationmaster.engine.__file__).with_name("core.py")
NAME = "stationmaster.engine.core"


@cache
def interpreted() -> ModuleType:
    """The core, interpreted, as a module of its own; the installed one stays what it is."""
    return _run(compile(SOURCE.read_text("utf-8"), str(SOURCE), "exec"))


def _run(code: Any, **given: Any) -> ModuleType:
    spec = importlib.util.spec_from_file_location(NAME, SOURCE)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(given)
    usual = sys.modules.get(NAME)
    try:
        sys.modules[NAME] = module
        exec(code, module.__dict__)
    finally:
        if usual is not None:
            sys.modules[NAME] = usual
    return module


@contextmanager
def rounds_by(module: ModuleType) -> Iterator[None]:
    """Rounds that begin in here are refereed by this core."""
    usual = stationmaster.engine.round.State
    try:
        stationmaster.engine.round.State = module.State  # type: ignore[misc]
        yield
    finally:
        stationmaster.engine.round.State = usual  # type: ignore[misc]


# ---- What the conditions were -----------------------------------------------------------------------

Condition = tuple[str, str]  # function, source


class _Witness(ast.NodeTransformer):
    """Lets every condition of a round's state pass through ``_was``, which notes whether it held."""

    def __init__(self, besides: set[str]) -> None:
        self.besides = besides
        self.function: str | None = None
        self.conditions: list[Condition] = []

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name not in self.besides:
            self.function = node.name
            node.body = [self.visit(statement) for statement in node.body]
            self.function = None
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if node.name == "State":
            self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        node.test = self._noted(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        node.test = self._noted(node.test)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        node.test = self._noted(node.test)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        node.values = [self._noted(value) for value in node.values]
        return node

    def _noted(self, test: ast.expr) -> ast.expr:
        if self.function is None or isinstance(test, ast.BoolOp) or _is_noted(test):
            return test  # the parts of "and" and "or" are noted one by one
        if "cython.compiled" in ast.unparse(test):
            return test
        self.conditions.append((self.function, ast.unparse(test)))
        call = ast.Call(ast.Name("_was", ast.Load()), [ast.Constant(len(self.conditions) - 1), test], [])
        return ast.copy_location(call, test)


def _is_noted(test: ast.expr) -> bool:
    return isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "_was"


def witnessed(besides: set[str]) -> tuple[ModuleType, Callable[[], list[str]]]:
    """The interpreted core, and what its conditions have not been yet, true or false; some functions aside."""
    tree = ast.parse(SOURCE.read_text("utf-8"))
    witness = _Witness(besides)
    tree = ast.fix_missing_locations(witness.visit(tree))
    seen: set[tuple[int, bool]] = set()

    def was(number: int, value: Any) -> Any:
        seen.add((number, bool(value)))
        return value

    def unseen() -> list[str]:
        return [
            f"{function}: {source} was never {'true' if truth else 'false'}"
            for number, (function, source) in enumerate(witness.conditions)
            for truth in (True, False)
            if (number, truth) not in seen
        ]

    return _run(compile(tree, str(SOURCE), "exec"), _was=was), unseen
