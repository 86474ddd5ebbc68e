"""``stationmaster text``: the record of a match as people read it."""

from __future__ import annotations

import argparse
from pathlib import Path

from stationmaster.cli.matches import load_match
from stationmaster.match.text import format_match

EXAMPLES = """\
examples:
  stationmaster text match.json
  stationmaster text match.json --language es > match.txt
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``text``."""
    parser.description, parser.epilog = "Print the record of a match as text, with its score sheet.", EXAMPLES
    parser.add_argument("file", metavar="FILE", type=Path)


def run(options: argparse.Namespace) -> int:
    """Print the whole match."""
    print(format_match(load_match(options.file), options.language), end="")
    return 0
