"""Plays the golden match of a rulebook that has none yet: ``PYTHONPATH=tests python tests/golden/make.py``.

A golden match is never made again: it says what the rules were when it was played. A rulebook whose rules
are corrected raises the revision, and its old match still replays.
"""

from __future__ import annotations

import random
from pathlib import Path

from match.playing import NAMES, play_match
from stationmaster.match.match import Match
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

FOLDER = Path(__file__).parent
SEED = 2024
PLAYERS = {"puremco-15": 4, "puremco-18": 3, "quarter-pot": 3, "pressman": 2, "tactic-nine": 2}
OTHERWISE = 4


def path_of(id: str) -> Path:
    return FOLDER / f"{id}.json"


def main() -> None:
    for id in rulebooks():
        if not path_of(id).exists():
            match = Match(rulebook(id), NAMES[: PLAYERS.get(id, OTHERWISE)], seed=SEED)
            play_match(match, random.Random(SEED)).record().save(path_of(id))
            print(path_of(id))


if __name__ == "__main__":
    main()
