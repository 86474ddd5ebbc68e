"""The .pxd files of compiled modules, as they follow from the .py files: `python tests/engine/pxd.py` writes them.

A compiled module that reads the fields of another's classes and calls their functions in C needs both declared once
more, in a .pxd. Every line of it stands in the .py file already.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "src/stationmaster"
MODULES = (  # those whose classes another compiled module uses
    "engine/core.py",
    "planner/train.py",
    "planner/pairing.py",
    "planner/leftovers.py",
    "planner/policy.py",
    "bots/evidence.py",
    "bots/goal.py",
    "bots/search.py",
)

HEAD = """\
# Written by tests/engine/pxd.py from {name}, where it is said what each of these is; a test compares the two.
cimport cython
"""

TYPES = {
    "int": "int",
    "bint": "bint",
    "uint": "unsigned int",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "uchar": "unsigned char",
    "ushort": "unsigned short",
    "short": "short",
    "float": "float",
    "double": "double",
    "void": "void",
}


def declared(annotation: ast.expr | None, name: str) -> str:
    """A name with its type, as C writes it."""
    text = ast.unparse(annotation) if annotation is not None else "object"
    match = re.fullmatch(r"cython\.(\w+)(\[\d+\])?", text)
    kind = TYPES[match[1]] if match else text.removesuffix(" | None")
    return f"{kind} {name}{(match and match[2]) or ''}"


def lines_of(node: ast.ClassDef) -> list[str]:
    """The fields of a class and its functions that become C."""
    lines = ["", "", "@cython.final", f"cdef class {node.name}:"]
    for part in node.body:
        if isinstance(part, ast.AnnAssign):
            lines.append(f"    cdef {declared(part.annotation, ast.unparse(part.target))}")
    for part in node.body:
        if not isinstance(part, ast.FunctionDef):
            continue
        marks = {ast.unparse(mark) for mark in part.decorator_list}
        if marks & {"cython.cfunc", "cython.ccall"}:
            kind = "cdef" if "cython.cfunc" in marks else "cpdef"
            given = ["self", *(declared(one.annotation, one.arg) for one in part.args.args[1:])]
            ends = " noexcept" if "cython.exceptval(check=False)" in marks else ""
            ends += " nogil" if "cython.nogil" in marks else ""
            name = declared(part.returns, part.name)
            lines.append(f"    {kind} {name}({', '.join(given)}){ends}")
    return lines


def imported(tree: ast.Module, used: str) -> list[str]:
    """The classes of other compiled modules that the declarations name."""
    lines = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cython.cimports."):
            names = [one.name for one in node.names if re.search(rf"\b{one.name}\b", used) and one.name.istitle()]
            if names:
                lines.append(f"from {(node.module or '').removeprefix('cython.cimports.')} cimport {', '.join(names)}")
    return lines


def pxd(path: Path) -> str:
    """The whole file."""
    tree = ast.parse(path.read_text("utf-8"))
    classes = [line for node in tree.body if isinstance(node, ast.ClassDef) for line in lines_of(node)]
    return HEAD.format(name=path.name) + "\n".join([*imported(tree, "\n".join(classes)), *classes]) + "\n"


if __name__ == "__main__":
    for module in MODULES:
        path = PACKAGE / module
        path.with_suffix(".pxd").write_text(pxd(path), "utf-8")
