"""Plays the golden matches that are missing: ``PYTHONPATH=tests python tests/golden/make.py``.

A golden match is never made again: it says what the rules were when it was played, and what a record looked like.
A correction of the rules raises the revision; then there is a match of every rulebook under the new one too,
and the old ones still replay. ``SHA256SUMS`` says that none was changed.
"""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path

from match.playing import NAMES, play_match, play_moves, play_round
from stationmaster.match.fair import Fair, text_commitment
from stationmaster.match.match import Match
from stationmaster.rulebooks.rulebook import REVISION, rulebook, rulebooks

FOLDER = Path(__file__).parent
SUMS = FOLDER / "SHA256SUMS"
SEED = 2024
PLAYERS = {"puremco-15": 4, "puremco-18": 3, "quarter-pot": 3, "pressman": 2, "tactic-nine": 2}
OTHERWISE = 4


def path_of(id: str) -> Path:
    """Where the golden match of a rulebook stands."""
    return FOLDER / (f"{id}.json" if REVISION == 1 else f"{id}-revision-{REVISION}.json")


def golden() -> list[Path]:
    """All golden matches, those of older revisions too."""
    return sorted(path for path in FOLDER.glob("*.json") if path.name != "shuffle.json")


def whole(id: str) -> Match:
    """A match by a printed rulebook, dealt from a seed and played to its end."""
    return play_match(Match(rulebook(id), NAMES[: PLAYERS.get(id, OTHERWISE)], seed=SEED), random.Random(SEED))


def fair(number: int, hashes: bool) -> Fair:
    """What a round of three players is dealt from: one shows no text, one is a bot."""
    texts = [f"Ann's text of round {number}", "", ""]
    promised = [text_commitment(texts[0]), text_commitment("not shown"), None]
    return Fair.of(b"secret %d" % number, texts, promised if hashes else ())


def running(id: str, hashes: bool) -> Match:
    """A match by house rules that is not over, dealt fairly; a table that was left in the middle of a round."""
    book = rulebook(id).with_changes(name="At Ann's", rounds=3, ante=10, pass_fee=5, tie_break="most-zeros")
    match, rng = Match(book, NAMES[:3], deals=[fair(1, hashes)]), random.Random(SEED)
    play_round(match, rng)
    match.next_round(fair(2, hashes))
    play_moves(match, rng, 20)
    return match


def main() -> None:
    matches = {id: lambda id=id: whole(id) for id in rulebooks()}
    matches["running-fair"] = lambda: running("supertrain", hashes=True)
    matches["running-without-hashes"] = lambda: running("quarter-pot", hashes=False)
    for id, make in matches.items():
        if not path_of(id).exists():
            make().record().save(path_of(id))
            with SUMS.open("a") as sums:
                sums.write(f"{sha256(path_of(id).read_bytes()).hexdigest()}  {path_of(id).name}\n")
            print(path_of(id))


if __name__ == "__main__":
    main()
