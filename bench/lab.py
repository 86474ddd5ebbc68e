"""How fast the laboratory plays: `python bench/lab.py` (some minutes).

    python bench/lab.py                             planner against planner, with one worker and with two
    python bench/lab.py --rounds 1000000            a million rounds with all workers
    python bench/lab.py --a greedy --b random --json

Each measurement is a run of `stationmaster lab match` in a process of its own, all included: starting, dealing,
playing, counting, writing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

PLAYERS = 4


def match(a: str, b: str, rounds: int, workers: int, rulebook: str) -> dict[str, float]:
    """Rounds a second of a whole run, and how long it took."""
    with tempfile.TemporaryDirectory() as folder:
        line = ["lab", "match", a, b, "--rulebook", rulebook, "--players", PLAYERS, "--deals", rounds // PLAYERS]
        line += ["--workers", workers, "--save", Path(folder, "results"), "--json"]
        started = perf_counter()
        command = [sys.executable, "-m", "stationmaster", *map(str, line)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        seconds = perf_counter() - started
    played: dict[str, Any] = json.loads(done.stdout)
    return {"rounds": played["rounds"], "seconds": seconds, "rounds_per_s": played["rounds"] / seconds}


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--a", default="planner", help="(default: %(default)s)")
    parser.add_argument("--b", default="planner", help="(default: %(default)s)")
    parser.add_argument("--rulebook", default="puremco-12", help="(default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=200_000, help="of each measurement (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="compared with one (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="for a program to read")
    options = parser.parse_args()
    given = options.a, options.b, options.rounds
    one = match(*given, 1, options.rulebook)
    more = match(*given, options.workers, options.rulebook)
    figures: dict[str, Any] = {
        "a": options.a,
        "b": options.b,
        "rulebook": options.rulebook,
        "one": one,
        "workers": options.workers,
        "more": more,
        "ratio": more["rounds_per_s"] / one["rounds_per_s"],
        "seconds_for_a_million": 1_000_000 / more["rounds_per_s"],
    }
    if options.json:
        print(json.dumps(figures, indent=2))
        return 0
    print(f"{options.a} against {options.b}, {options.rulebook}, {PLAYERS} players")
    for workers, run in ((1, one), (options.workers, more)):
        speed = f"{run['rounds_per_s']:,.0f} a second"
        print(f"workers {workers}: {run['rounds']:,} rounds in {run['seconds']:.1f} s, {speed}")
    print(f"ratio {figures['ratio']:.2f}; a million rounds take {figures['seconds_for_a_million']:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
