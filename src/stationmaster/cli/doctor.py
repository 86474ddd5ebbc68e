"""``stationmaster doctor``: is all well with this installation?"""

from __future__ import annotations

import argparse
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from stationmaster import __version__, engine
from stationmaster.cli.matches import matches_folder, why_not_writable
from stationmaster.cli.output import filled, print_json
from stationmaster.words import say

EXAMPLES = """\
examples:
  stationmaster doctor
  stationmaster doctor --json

Exit code 1 when something needs to be put right; an interpreted core is slow, and no fault.
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``doctor``."""
    parser.description, parser.epilog = "See whether all is well, and what to do if it is not.", EXAMPLES
    parser.add_argument("--json", action="store_true", help="print the findings for a program to read")


def run(options: argparse.Namespace) -> int:
    """Look, say what was found, and what to do."""
    folder = matches_folder()
    trouble = why_not_writable(folder)
    if options.json:
        print_json(findings(folder, trouble))
    else:
        for line in in_words(folder, trouble, options.language):
            print(filled(line, "", "  "))
    return 1 if trouble else 0


def findings(folder: Path, trouble: str | None) -> dict[str, Any]:
    """What there is, for a program."""
    return {
        "version": __version__,
        "compiled": engine.compiled,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(),
        "packages": packages(),
        "matches": str(folder),
        "matches_writable": trouble is None,
        "trouble": trouble,
    }


def packages() -> dict[str, str | None]:
    """The versions of what Stationmaster needs."""
    found: dict[str, str | None] = {}
    for name in ("msgspec", "Cython"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def in_words(folder: Path, trouble: str | None, language: str) -> list[str]:
    """What there is, and what to do, for people."""
    how = "cli.version.compiled" if engine.compiled else "cli.version.interpreted"
    lines = [
        say("cli.version.line", language, version=__version__, how=f"@{how}"),
        say("cli.doctor.python", language, version=platform.python_version(), where=sys.executable),
        say(
            "cli.doctor.packages",
            language,
            packages=", ".join(f"{name} {number or '-'}" for name, number in packages().items()),
        ),
    ]
    if trouble is None:
        lines.append(say("cli.doctor.folder", language, folder=folder))
    else:
        lines.append(say("cli.doctor.no-folder", language, folder=folder, trouble=trouble))
        lines.append(say("cli.doctor.no-folder-what-to-do", language))
    if not engine.compiled:
        lines.append(say("cli.doctor.interpreted-what-to-do", language))
    elif trouble is None:
        lines.append(say("cli.doctor.fine", language))
    return lines
