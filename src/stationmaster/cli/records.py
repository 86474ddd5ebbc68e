"""Records that are shown as far as they hold."""

from __future__ import annotations

import sys
from pathlib import Path

from stationmaster.cli.matches import load_record, naming
from stationmaster.errors import RecordError
from stationmaster.match.match import Match
from stationmaster.match.replay import replay_as_far_as_it_holds


def load_as_far_as_it_holds(path: Path) -> tuple[Match, RecordError | None]:
    """The match in a file up to the first thing that does not hold, and what that is."""
    record = load_record(path)
    try:
        match, fault = replay_as_far_as_it_holds(record)
    except RecordError as error:
        raise naming(path, error) from None
    return match, None if fault is None else naming(path, fault)


def told(fault: RecordError | None) -> int:
    """Say on stderr what does not hold, after all that does; the exit code."""
    if fault is None:
        return 0
    sys.stdout.flush()
    print(f"stationmaster: {fault}", file=sys.stderr)
    return 1
