"""Counts the move sequences of the deals in perft.toml afresh, by both referees, and writes them there.

    python tests/perft/make.py

A count changes when a rule does: say so in the commit. New deals are written by hand: all but the counts.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import oracle
from stationmaster.engine.deal import Deal
from stationmaster.engine.round import Round
from stationmaster.rulebooks.rulebook import rulebook

FILE = Path(__file__).with_name("perft.toml")
HEAD = """\
# For each deal, how many sequences of 1, 2, 3 … legal moves there are. Deals need not be whole sets.
# `python tests/perft/make.py` counts afresh.
"""
MOST = 150_000  # sequences; deeper is not counted
MOST_BY_ORACLE = 5_000
DEEPEST = 10


def deals() -> list[dict[str, Any]]:
    """The deals of the file, as they stand there."""
    found: list[dict[str, Any]] = tomllib.loads(FILE.read_text("utf-8"))["deal"]
    return found


def round_of(deal: dict[str, Any]) -> Round:
    """The deal at the core's table."""
    hands = [hand.split() for hand in deal["hands"]]
    given = Deal(engine=deal["engine"], starter=deal["starter"], hands=hands, bone_pile=deal["bone_pile"].split())
    return Round(rulebook(deal["rulebook"]), given)


def oracle_of(deal: dict[str, Any]) -> oracle.OracleRound:
    """The deal at the oracle's table."""
    hands = [hand.split() for hand in deal["hands"]]
    book = rulebook(deal["rulebook"])
    return oracle.OracleRound(book, deal["engine"], deal["starter"], hands, deal["bone_pile"].split())


def perft(state: Any, depth: int) -> int:
    """The number of move sequences of this length, by the core."""
    moves = state.legal()
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        state.push(move)
        count += perft(state, depth - 1)
        state.pop()
    return count


def count(deal: dict[str, Any]) -> list[int]:
    """The counts of a deal, by length, as far as they are not too many; the oracle agrees with the lower ones."""
    counts: list[int] = []
    while len(counts) < DEEPEST:
        depth = len(counts) + 1
        found = perft(round_of(deal)._state, depth)
        if (found > MOST and depth > 3) or found == 0:
            break
        if found <= MOST_BY_ORACLE and oracle.perft(oracle_of(deal), depth) != found:
            raise SystemExit(f"the core and the oracle disagree at depth {depth} of {deal}")
        counts.append(found)
    return counts


def text(deal: dict[str, Any]) -> str:
    """A deal as it stands in the file."""
    lines = ["[[deal]]"]
    for key in ("rulebook", "about", "engine"):
        lines.append(f'{key} = "{deal[key]}"')
    lines.append(f"starter = {deal['starter']}")
    lines += ["hands = [", *(f'  "{hand}",' for hand in deal["hands"]), "]"]
    lines += [f'bone_pile = "{deal["bone_pile"]}"', f"counts = {deal['counts']}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    again = [deal | {"counts": count(deal)} for deal in deals()]
    FILE.write_text("\n".join([HEAD, *map(text, again)]), "utf-8")
    print(*(f"{deal['rulebook']:12} {deal['about']:40} {deal['counts']}" for deal in again), sep="\n")
