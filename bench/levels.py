"""How strong the levels for people are: `python bench/levels.py`, or `make levels` (about an hour).

    python bench/levels.py              play what is missing, then write docs/levels.md and the ratings
    python bench/levels.py --workers 1

Each level plays against the one below it, half of the seats each, under several rulebooks and numbers of players, by
`stationmaster lab match`. What was played is kept in build/levels and gone on with.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import pairwise
from math import log10
from pathlib import Path
from statistics import fmean
from typing import Any

from stationmaster.bots.levels import FIRST, LEVELS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "levels.md"
RATINGS = ROOT / "src" / "stationmaster" / "bots" / "ratings.toml"
KEPT = ROOT / "build" / "levels"
MARKS = "<!-- written by make levels -->", "<!-- as far as here -->"

# Rulebook, players, deals of each pair; and deals of the stationmaster, who takes its time, against the dispatcher.
CELLS = (
    ("puremco-12", 4, 160, 120),
    ("puremco-12", 2, 400, 100),
    ("puremco-12", 8, 80, 80),
    ("tactic", 4, 160, 40),
    ("supertrain", 4, 120, 20),
    ("quarter-pot", 4, 160, 40),
    ("front-porch", 4, 160, 0),
    ("pressman", 3, 200, 0),
    ("puremco-18", 6, 150, 0),
    ("tactic-nine", 3, 240, 0),
)


def measure(a: str, b: str, rulebook: str, players: int, deals: int, workers: int | None) -> dict[str, Any]:
    """A against B at one kind of table, or what was played of that before."""
    folder = KEPT / f"{rulebook}-{players}-{a}-{b}"
    line: list[object] = ["lab", "match", a, b, "--rulebook", rulebook, "--players", players]
    line += ["--seats", players // 2, "--deals", deals, "--seed", "levels", "--save", folder, "--resume", "--json"]
    if workers:
        line += ["--workers", workers]
    command = [sys.executable, "-m", "stationmaster", *map(str, line)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def step(share: float, seats: int, players: int) -> float:
    """How far A is rated above B when A's seats together win this share: 400 for ten times a seat's chance."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return 400 * log10(share / (1 - share) * (players - seats) / seats)


def steps(found: dict[str, Any]) -> tuple[float, float, float]:
    """The step of a match, and between what it lies."""
    share, seats, players = found["share"], found["seats"], found["players"]
    mean, low, high = (step(share[name], seats, players) for name in ("mean", "low", "high"))
    return mean, low, high


def rows(found: dict[tuple[str, str], list[dict[str, Any]]]) -> list[str]:
    """The table, as lines of the page."""
    lines = []
    for (a, b), cells in found.items():
        lines += [f"### {a} against {b}", ""]
        lines += ["| rulebook | players | rounds | points a round | rounds won, of 50 % | step in rating |"]
        lines += ["|---|---|---|---|---|---|"]
        for one in cells:
            mean, low, high = steps(one)
            points, share, fair = one["difference"], one["share"], one["fair_share"]
            unit = "¢" if one["unit"] == "cents" else ""
            ahead = f"{points['mean']:+.1f} ± {(points['high'] - points['low']) / 2:.1f}{unit}"
            of = f" of {100 * fair:.0f}" if one["players"] % 2 else ""
            lines.append(
                f"| `{one['rulebook']}` | {one['players']} | {one['rounds']:,} | {ahead} "
                f"| {100 * share['mean']:.1f} ± {50 * (share['high'] - share['low']):.1f}{of} "
                f"| {mean:+.0f} ({low:+.0f} to {high:+.0f}) |"
            )
        lines.append("")
    return lines


def ratings(found: dict[tuple[str, str], list[dict[str, Any]]]) -> dict[str, int]:
    """The passenger's is set; each other lies above the one below by the mean of its steps."""
    rated, at = {LEVELS[0]: FIRST}, float(FIRST)
    for lower, upper in pairwise(LEVELS):
        at += fmean(steps(one)[0] for one in found[upper, lower])
        rated[upper] = round(at / 10) * 10
    return rated


def write(found: dict[tuple[str, str], list[dict[str, Any]]]) -> None:
    """The page and the ratings."""
    rated = ratings(found)
    lines = ["| level | rating |", "|---|---|", *(f"| `{id}` | {rating} |" for id, rating in rated.items()), ""]
    before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    text = "\n".join([MARKS[0], "", *lines, *rows(found)]) + MARKS[1]
    PAGE.write_text(before + text + after, "utf-8")
    about = "# Written by `make levels`: what was measured, and what a rating is, stands in docs/levels.md.\n"
    RATINGS.write_text(about + "".join(f"{id} = {rating}\n" for id, rating in rated.items()), "utf-8")


def main() -> int:
    """Measure what is missing, and write."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, metavar="N", help="processes that play (default: all cores)")
    workers = parser.parse_args().workers
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for lower, upper in pairwise(LEVELS):
        for rulebook, players, deals, top in CELLS:
            count = top if upper == LEVELS[-1] else deals
            if count:
                one = measure(upper, lower, rulebook, players, count, workers)
                found.setdefault((upper, lower), []).append(one)
                mean, low, high = steps(one)
                said = f"{upper} v {lower}, {rulebook}, {players}: {one['difference']['mean']:+.1f} points"
                print(f"{said}, step {mean:+.0f} ({low:+.0f} to {high:+.0f})", flush=True)
    write(found)
    print(f"written: {PAGE.relative_to(ROOT)}, {RATINGS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (KeyboardInterrupt, subprocess.CalledProcessError) as error:
        sys.exit(130 if isinstance(error, KeyboardInterrupt) else error.returncode)
