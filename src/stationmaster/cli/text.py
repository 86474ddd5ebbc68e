"""``stationmaster text``: the record of a match as people read it."""

from __future__ import annotations

import argparse
from pathlib import Path

from stationmaster.cli.records import load_as_far_as_it_holds, told
from stationmaster.match.text import format_match

DESCRIPTION = """\
Print the record of a match as text, with its score sheet. A record that is broken is printed as far as it
holds; then comes what does not, with exit code 1.
"""

EXAMPLES = """\
examples:
  stationmaster text match.json
  stationmaster text match.json --language es > match.txt
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``text``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("file", metavar="FILE", type=Path)


def run(options: argparse.Namespace) -> int:
    """Print the whole match, or what holds of it."""
    match, fault = load_as_far_as_it_holds(options.file)
    print(format_match(match, options.language), end="")
    return told(fault)
