"""Throws damaged texts at everything that reads one: only a StationmasterError may come back.

    python fuzz/fuzz_notation.py --seconds 60
    python fuzz/fuzz_notation.py --seconds 60 --seed 7 --only position

What is right is damaged at random (characters, words, values, whole branches), so that most of it gets past the first
check. Anything else than a refusal is printed with the input that brought it, and the exit code is 1. What is
accepted has to work as well: moves are written and read again, rounds are played on and taken back.
"""

from __future__ import annotations

import argparse
import atexit
import json
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stationmaster.cli.spot import load_spot
from stationmaster.engine.deal import Deal
from stationmaster.engine.moves import Move
from stationmaster.engine.position import Position
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import Tile, tile_set
from stationmaster.errors import StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import PARAMETERS, load_house_rules, rulebook, rulebooks, save_house_rules

SCRATCH = Path(tempfile.mkdtemp(prefix="stationmaster-fuzz-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
ALL_TILES = [str(tile) for tile in tile_set(18, True)]
CHARACTERS = "0123456789-@MWADRSTmw \n\t\"'[]{}=,.:#\\/\x00٣½éß🁣"
WORDS = ["draw", "pass", "stop", "W-W", "A-W", "12-12", "0-0", "M", "-1", "true", "1e9", "99999999999999999999", "null"]
VALUES: list[Any] = [
    None, True, False, 0, 1, -1, 3, 14, 15, 190, 2**31, 2**63, 10**30, 0.5, float("inf"), "", "0", "M", "W-W", "19-19",
    [], {}, [[]], [[], []], ["12-5"], {"0": 1}, [None], "any-train", "own-string", "third-tile", "highest-held",
]  # fmt: skip


def damaged(text: str, rng: random.Random) -> str:
    """The text with a few characters or words lost, doubled, swapped or put in."""
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 8])):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice([0, 1, 1, 2, 5, 20]))
        put = rng.choice(
            ["", rng.choice(CHARACTERS), rng.choice(WORDS), rng.choice(ALL_TILES), text[at:to] * 2, text[to:at:-1]]
        )
        text = text[:at] + put + text[to:]
    return text


def bent(value: Any, rng: random.Random, chance: float) -> Any:
    """The value with some of what it holds lost, doubled, swapped for something else, or damaged."""
    if rng.random() < chance:
        return rng.choice(VALUES)
    if isinstance(value, dict):
        entries = [(key, bent(entry, rng, chance)) for key, entry in value.items() if rng.random() > chance]
        return {(damaged(key, rng) if isinstance(key, str) and rng.random() < chance else key): e for key, e in entries}
    if isinstance(value, list):
        kept = [bent(entry, rng, chance) for entry in value if rng.random() > chance]
        if kept and rng.random() < chance * 3:
            kept.insert(rng.randrange(len(kept)), rng.choice(kept))
        return kept
    if isinstance(value, str) and rng.random() < chance:
        return damaged(value, rng)
    if isinstance(value, int) and rng.random() < chance:
        return value + rng.choice([-1, 1, 7, -100])
    return value


def play_on(round: Round, rng: random.Random) -> None:
    """A round that is accepted can be played, told about, and taken back."""
    before = round._state.key()
    seats = [None, *range(round.players)]
    for _ in range(rng.choice([2, 20, 200])):
        legal = round.legal_moves()
        assert bool(legal) == (round.turn is not None)
        if not legal:
            break
        anything = random_move(rng)
        assert (round.why_illegal(anything) is None) == (anything in legal)
        for event in round.push(rng.choice(legal)):
            assert event.seen_by(rng.choice(seats)).sentence(rng.choice(["en", "es"]))
        round.observe(rng.choice(seats)).encode()
    while round.moves:
        round.pop()
    assert round._state.key() == before


def random_move(rng: random.Random) -> Move:
    ends = rng.choice(ALL_TILES).split("-")
    rng.shuffle(ends)
    return Move.parse(rng.choice(["draw", "pass", "stop", f"{'-'.join(ends)}@{rng.choice([*range(14), 'M'])}"]))


# ---- What is fuzzed ---------------------------------------------------------------------------------


def move(rng: random.Random) -> str:
    text = damaged(str(random_move(rng)), rng)
    remember(text)
    read = Move.parse(text)
    assert Move.parse(str(read)) is read
    assert Move.from_code(read.code) is read
    return text


def tile(rng: random.Random) -> str:
    text = damaged(rng.choice(ALL_TILES), rng)
    remember(text)
    read = Tile.parse(text)
    assert Tile.parse(str(read)) is read
    assert str(read) in ALL_TILES
    return text


def deal(rng: random.Random) -> None:
    book = rulebook(rng.choice(rulebooks()))
    right = Deal.shuffle(book, rng.choice(book.players), 1, seed=rng.randrange(1000))
    given = {
        "engine": str(right.engine),
        "starter": right.starter,
        "hands": [[str(tile) for tile in hand] for hand in right.hands],
        "bone_pile": [str(tile) for tile in right.bone_pile],
    }
    chance = rng.choice([0, 0.002, 0.02])
    texts = bent_texts(given, rng, chance)
    remember((book.id, texts))
    play_on(Round(book, Deal(**texts), pot=rng.randrange(500), last=rng.random() < 0.5), rng)


def position(rng: random.Random) -> None:
    book = rulebook(rng.choice(rulebooks()))
    given = random_position(book, rng)
    texts = bent_texts(given, rng, rng.choice([0, 0, 0.01, 0.05]))
    remember((book.id, texts))
    play_on(Position(book, **texts).round(), rng)


def random_position(book: Any, rng: random.Random) -> dict[str, Any]:
    """A spot in which every tile lies once and every train hangs together."""
    players = rng.choice(book.players)
    engine = rng.choice(book.engines)
    tiles = [str(tile) for tile in tile_set(book.highest, book.wild_tiles)]
    tiles.remove(engine)
    rng.shuffle(tiles)
    trains: dict[Any, list[str]] = {}
    for train in rng.sample([*range(players), "M"], rng.randint(0, players + 1)):
        end, line = engine.partition("-")[0], []
        for _ in range(rng.choice([1, 2, 3, 9])):
            found = next((one for one in tiles if end in (*one.split("-"), "W") or "W" in one), None)
            if found is None or (found == "W-W" and (not line or line[-1].split("-")[0] == line[-1].split("-")[1])):
                break
            low, high = found.split("-")
            attached, exposed = (high, low) if low in "ADRST" or (high == end and rng.random() < 0.9) else (low, high)
            if attached not in (end, "W") and end != "W":
                attached, exposed = exposed, attached
            tiles.remove(found)
            line.append(f"{attached}-{exposed}")
            end = exposed if exposed.isdigit() else "W"
        if line:
            trains[train] = line
    hands = [[tiles.pop() for _ in range(min(len(tiles), rng.choice([0, 1, 2, 5])))] for _ in range(players)]
    return {
        "engine": engine,
        "trains": trains,
        "markers": [seat for seat in range(players) if rng.random() < 0.3],
        "hands": hands,
        "bone_pile": rng.choice([0, 1, len(tiles), tiles[:3]]),
        "turn": rng.randrange(players),
        "players": players,
        "direction": rng.choice([1, 1, -1]),
        "first_turns": [seat for seat in range(players) if rng.random() < 0.3],
        "must_draw": rng.random() < 0.2,
    }


def bent_texts(given: dict[str, Any], rng: random.Random, chance: float) -> dict[str, Any]:
    """Arguments of the right types with wrong values: texts are damaged, numbers moved, entries lost or doubled."""

    def bend(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: bend(entry) for key, entry in value.items()}
        if isinstance(value, list):
            kept = [bend(entry) for entry in value if rng.random() >= chance]
            return kept + kept[-1:] if rng.random() < chance else kept
        if rng.random() >= chance or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return value + rng.choice([-3, -1, 1, 2, 200])
        return rng.choice([damaged(value, rng), rng.choice(ALL_TILES)])

    return {key: bend(value) for key, value in given.items()}


def house_rules(rng: random.Random) -> None:
    book = rulebook(rng.choice(rulebooks()))
    changes = {}
    for field in rng.sample(PARAMETERS, rng.randrange(5)):
        value = rng.choice([getattr(book, field), getattr(rulebook(rng.choice(rulebooks())), field)])
        changes[field] = bent(value, rng, 0.1)
    path = SCRATCH / "house.toml"
    lines = [f'based_on = "{book.id}"', 'id = "ours"', "[changes]"]
    lines += [f"{field} = {toml(value)}" for field, value in changes.items()]
    text = damaged("\n".join(lines), rng)
    remember(text)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    house = load_house_rules(path)
    save_house_rules(house, path)
    assert load_house_rules(path) == house
    if house.engine == "descending" or house.highest > 4:
        play_on(Round(house, Deal.shuffle(house, rng.choice(house.players), 1, seed=1)), rng)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {toml(entry)}" for key, entry in value.items()) + " }"
    return "''" if value is None else json.dumps(value)


def spot(rng: random.Random) -> None:
    book = rulebook(rng.choice(rulebooks()))
    given = bent(random_position(book, rng), rng, rng.choice([0, 0.01, 0.05]))
    if not isinstance(given, dict):
        return
    trains = given.pop("trains", {})
    lines = [f'rulebook = "{book.id}"', *(f"{key} = {toml(value)}" for key, value in given.items()), "[trains]"]
    if isinstance(trains, dict):
        lines += [f"{json.dumps(str(train))} = {toml(line)}" for train, line in trains.items()]
    text = damaged("\n".join(lines), rng) if rng.random() < 0.3 else "\n".join(lines)
    remember(text)
    path = SCRATCH / "spot.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    read, its_book = load_spot(path)
    play_on(read.position(its_book).round(), rng)


def record(rng: random.Random) -> None:
    book = rulebook(rng.choice(["puremco-9", "tactic-nine", "supertrain", "quarter-pot", "pressman", "front-porch"]))
    book = book.with_changes(rounds=rng.choice([1, 2]))
    match = Match(book, ["Ann", "Ben", "Cleo"], seed=rng.randrange(20))
    while True:
        for _ in range(rng.choice([0, 5, 1000])):
            if match.round.turn is not None:
                match.round.push(rng.choice(match.round.legal_moves()))
        if match.round.turn is not None or match.over:
            break
        match.next_round()
    text = match.record().dumps()
    if rng.random() < 0.7:
        text = json.dumps(bent(json.loads(text), rng, rng.choice([0, 0.001, 0.01, 0.1])))
    if rng.random() < 0.3:
        text = damaged(text, rng)
    remember(text)
    read = Record.loads(text if rng.random() < 0.9 else text.encode("utf-8", "surrogatepass"))
    again = read.replay().record()
    assert Record.loads(again.dumps()).dumps() == again.dumps()


TARGETS: dict[str, Callable[[random.Random], Any]] = {
    "move": move,
    "tile": tile,
    "deal": deal,
    "position": position,
    "house-rules": house_rules,
    "spot": spot,
    "record": record,
}

_given: list[Any] = [None]


def remember(given: Any) -> None:
    """Remember what is given, to print it if something goes wrong."""
    _given[0] = given


def fuzz(names: list[str], seed: int, tries: int | None, seconds: float | None) -> tuple[Counter[str], list[str]]:
    """Try again and again; how often each was accepted or refused, and what should not have happened."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    end = None if seconds is None else time.monotonic() + seconds
    number = 0
    while len(wrong) < 5 and (number < tries if tries is not None else time.monotonic() < (end or 0)):
        name = names[number % len(names)]
        try:
            TARGETS[name](random.Random(f"{seed}/{name}/{number}"))
        except StationmasterError as refused:
            counts[f"{name} refused"] += 1
            if not str(refused):
                wrong.append(f"{name} {number}: refused without a word\n{_given[0]!r}")
        except Exception:
            wrong.append(f"{name} {number}:\n{traceback.format_exc()}given: {_given[0]!r}")
        else:
            counts[f"{name} accepted"] += 1
        number += 1
    return counts, wrong


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--tries", type=int, help="so many instead of so long")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=TARGETS, action="append")
    given = parser.parse_args(arguments)
    seconds = None if given.tries is not None else given.seconds
    counts, wrong = fuzz(given.only or list(TARGETS), given.seed, given.tries, seconds)
    print(*(f"{what}: {count}" for what, count in sorted(counts.items())), sep="\n")
    print(*wrong, sep="\n\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
