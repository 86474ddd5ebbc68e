"""Every measurement, for every rulebook: `make bench`.

    python bench/run.py                  all of it (a minute or two)
    python bench/run.py --json           for a program to read
    python bench/run.py --limit PATH     compared with a yardstick, run in turns with it

The yardstick is any program that plays rounds at random: called as `PATH ROUNDS PLAYERS HIGHEST HAND`, it prints
numbers on one line, the last of them the seconds it took. Its speed and ours, for Puremco's double-12 with four
players, are the best of several runs each, in turns, so that a busy moment of the machine meets both alike.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from typing import Any

import stationmaster as sm

YARDSTICK = "puremco-12"
PLAYERS = 4


def bench(what: str, *options: object) -> dict[str, Any]:
    """One measurement by `stationmaster bench`, in a process of its own."""
    command = [sys.executable, "-m", "stationmaster", "bench", what, *map(str, options), "--json"]
    if sys.stderr.isatty():  # somebody waits
        print("measuring", *command[4:-1], file=sys.stderr)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def of_rulebook(id: str) -> dict[str, Any]:
    """What is measured for each rulebook."""
    playouts = bench("playouts", "--rulebook", id)
    api = bench("api", "--rulebook", id)
    copy = bench("copy", "--rulebook", id)
    sample = bench("sample", "--rulebook", id)
    return {
        "players": playouts["players"],
        "rounds_per_s": playouts["rounds_per_s"],
        "decisions_per_s": playouts["decisions_per_s"],
        "moves_per_s": api["moves_per_s"],
        "ns_per_copy": copy["ns_per_copy"],
        "bytes": copy["bytes"],
        "deals_per_s": sample["deals_per_s"],
    }


def against(yardstick: str, runs: int) -> dict[str, float]:
    """Our rounds a second and the yardstick's, and the ratio of the best of each."""
    book = sm.rulebook(YARDSTICK)
    rounds = 200_000 if sm.engine.compiled else 1000
    command = [yardstick, str(rounds), str(PLAYERS), str(book.highest), str(book.deal[PLAYERS])]
    ours, theirs = [], []
    for seed in range(1, runs + 1):
        figures = bench(
            "playouts", "--rulebook", YARDSTICK, "--players", PLAYERS, "--rounds", rounds, "--repeat", 1, "--seed", seed
        )
        ours.append(figures["rounds_per_s"])
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        theirs.append(rounds / float(printed.split()[-1]))
    return {"ours": max(ours), "theirs": max(theirs), "ratio": max(ours) / max(theirs)}


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", metavar="PATH", help="a yardstick to compare with")
    parser.add_argument("--runs", type=int, default=7, help="of the yardstick and of ours (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="for a program to read")
    options = parser.parse_args()
    figures: dict[str, Any] = {"compiled": sm.engine.compiled}
    if options.limit:
        figures["limit"] = against(options.limit, options.runs)
    one, two = (bench("playouts", "--threads", threads)["rounds_per_s"] for threads in (1, 2))
    figures["threads"] = {"one": one, "two": two, "ratio": two / one}
    figures["start"] = bench("start")
    figures["train"] = bench("train")
    figures["rulebooks"] = {id: of_rulebook(id) for id in sm.rulebooks()}
    print(json.dumps(figures, indent=2) if options.json else as_text(figures))
    return 0


def as_text(figures: dict[str, Any]) -> str:
    """The figures for people."""
    lines = [f"The core is {'compiled' if figures['compiled'] else 'interpreted'}."]
    if "limit" in figures:
        limit = figures["limit"]
        lines.append(
            f"Yardstick: {limit['theirs']:,.0f} rounds a second; ours {limit['ours']:,.0f}; ratio {limit['ratio']:.2f}"
        )
    threads, start = figures["threads"], figures["start"]
    lines.append(f"Two threads: {threads['ratio']:.2f} times one")
    lines.append(f"Over a bare start of Python: import {start['import_ms']:.0f} ms, --help {start['help_ms']:.0f} ms")
    for kind in figures["train"]["kinds"]:
        lines.append(
            f"Longest train, double-{kind['highest']}{' and wild tiles' if kind['wild'] else ''}, {kind['tiles']} tiles"
            f"{', covered' if kind['covered'] else ''}: p50 {kind['p50_us']:.1f} µs, "
            f"max {kind['max_us']:.0f} µs, {kind['unproven']} unproven, gap {kind['gap']}"
        )
    lines.append("")
    columns = ("players", "rounds_per_s", "decisions_per_s", "moves_per_s", "ns_per_copy", "bytes", "deals_per_s")
    heads = ("players", "rounds/s", "decisions/s", "API moves/s", "ns/copy", "bytes", "deals/s")
    lines.append("rulebook".ljust(12) + "".join(head.rjust(13) for head in heads))
    for id, row in figures["rulebooks"].items():
        lines.append(id.ljust(12) + "".join(f"{row[column]:,.0f}".rjust(13) for column in columns))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
