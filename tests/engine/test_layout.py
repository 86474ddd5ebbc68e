"""layout.py and layout.pxd are one list of numbers: the interpreted core reads the one, the compiled core the other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import stationmaster.engine
from engine.pxd import MODULES, pxd
from stationmaster.engine import layout

ENGINE = Path(stationmaster.engine.__file__).parent
PACKAGE = ENGINE.parent
PYTHON = {name: value for name, value in vars(layout).items() if name.isupper()}
COMPILER = {
    name: eval(value, {"__builtins__": {}})
    for name, value in re.findall(r"^ +([A-Z_]+) = ([-0-9 <>+()|]+)$", (ENGINE / "layout.pxd").read_text("utf-8"), re.M)
}


def test_the_compiler_gets_the_same_numbers() -> None:
    assert PYTHON == COMPILER
    assert len(COMPILER) > 40


def test_every_line_of_the_compilers_list_is_understood() -> None:
    lines = [line.strip() for line in (ENGINE / "layout.pxd").read_text("utf-8").splitlines()]
    assert [line for line in lines if line and not line.startswith(("#", "cdef enum"))] == [
        line for line in lines if line.partition(" = ")[0] in COMPILER
    ]


def test_the_core_imports_the_same_names_either_way() -> None:
    tree = ast.parse((ENGINE / "core.py").read_text("utf-8"))
    choices = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "cython.compiled"]
    assert len(choices) == 1
    ways = []
    for half in (choices[0].body, choices[0].orelse):
        imports = [node for node in half if isinstance(node, ast.ImportFrom)]
        ways.append(
            [((node.module or "").rpartition(".")[2], [alias.name for alias in node.names]) for node in imports]
        )
    assert ways[0] == ways[1]


def test_letters_are_bits_of_the_wild_row() -> None:
    letters = [layout.LETTER_A, layout.LETTER_A + 1, layout.LETTER_A + 2]
    letters += [layout.LETTER_D, layout.LETTER_R, layout.LETTER_S, layout.LETTER_T]
    assert sum(1 << letter for letter in letters) == layout.LETTER_BITS
    assert sum(1 << letter for letter in letters[:3]) == layout.A_BITS
    assert 1 << layout.WILD == layout.WILD_BIT
    assert max(letters) < 32


@pytest.mark.parametrize("module", MODULES)
def test_other_compiled_modules_see_a_module_as_it_is(module: str) -> None:
    path = PACKAGE / module
    assert path.with_suffix(".pxd").read_text("utf-8") == pxd(path), "python tests/engine/pxd.py writes it afresh"
