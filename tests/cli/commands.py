"""The command line as another program starts it, and what such tests need."""

from __future__ import annotations

import os
import sys
from random import Random
from typing import NamedTuple

import stationmaster as sm


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def command(*args: object) -> list[str]:
    """The command in a process of its own."""
    return [sys.executable, "-m", "stationmaster", *map(str, args)]


def environment(**changes: str) -> dict[str, str]:
    """This process's environment with changes."""
    return os.environ | changes


def ones(count: int = 3000) -> str:
    """What is typed to play the first move of the list, over and over; between rounds it goes on."""
    return "1\n" * count


def record_text(id: str = "tactic", rounds: int = 2, moves: int | None = None) -> str:
    """The record of a match of Ann and Ben at random: a short one, or one that breaks off after so many moves."""
    match = sm.Match(sm.rulebook(id).with_changes(rounds=rounds), ["Ann", "Ben"], seed=1)
    rng = Random(1)
    made = 0
    while made != moves:
        if match.round.turn is None:
            if match.over:
                break
            match.next_round()
        match.round.push(rng.choice(match.round.legal_moves()))
        made += 1
    return match.record().dumps()
