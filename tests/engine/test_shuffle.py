"""The pinned shuffle: a second program, written from what ``engine/shuffle.py`` says, and vectors for a third.

``tests/golden/shuffle.json`` never changes. A program that checks fair deals in another language can be
tested with it: ``streams`` are numbers, ``shuffles`` lists in their new order, ``deals`` whole deals.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import oracle
from stationmaster.engine.deal import Deal, first_starter, turned_tiles
from stationmaster.engine.shuffle import Stream, secret_from_seed
from stationmaster.rulebooks.rulebook import Rulebook, rulebook, rulebooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Entry = dict[str, Any]
VECTORS: dict[str, list[Entry]] = json.loads((Path(__file__).parents[1] / "golden/shuffle.json").read_text("utf-8"))


# ---- The second program ------------------------------------------------------------------------------


def words(secret: bytes, texts: list[str], number: int, purpose: str) -> Iterator[int]:
    """Steps 1 and 2: the endless row of 32-bit numbers."""
    key = hashlib.sha256()
    key.update(b"stationmaster/deal/1")
    for field in (secret, *[text.encode() for text in texts], b"%d" % number, purpose.encode("ascii")):
        key.update(bytes([len(field) >> 24, len(field) >> 16 & 255, len(field) >> 8 & 255, len(field) & 255]))
        key.update(field)
    i = 0
    while True:
        digest = hashlib.sha256(key.digest() + bytes.fromhex(f"{i:016x}")).hexdigest()
        yield from (int(digest[start : start + 8], 16) for start in range(0, 64, 8))
        i += 1


def number_below(n: int, row: Iterator[int]) -> int:
    """Step 3: numbers that would favour the low remainders are left out."""
    return next(word for word in row if word < 2**32 // n * n) % n


def mix(items: list[Any], row: Iterator[int]) -> list[Any]:
    """Step 4, as a new list."""
    mixed = list(items)
    for last in reversed(range(1, len(mixed))):
        other = number_below(last + 1, row)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def deal_again(
    book: Rulebook, players: int, number: int, secret: bytes, texts: list[str], starter: int | None
) -> Entry:
    """The deal of a round, from what the page says of tiles, hands and starters."""

    def row(purpose: str, round: int = number) -> Iterator[int]:
        return words(secret, texts, round, purpose)

    tiles = oracle.tile_set(book)
    engine = None if book.engine == "highest-held" else oracle.engines(book)[number - 1]
    mixed = mix([tile for tile in tiles if tile != engine], row("tiles"))
    size = book.deal[players]
    hands = [mixed[seat * size : seat * size + size] for seat in range(players)]
    pile = mixed[players * size :]
    if engine is None:
        engine, starter = oracle.highest_held(hands, pile, number)
    elif starter is None:
        starter = (starter_again(book, players, row) + number - 1) % players
    return {"engine": engine, "starter": starter, "hands": hands, "bone_pile": pile}


def starter_again(book: Rulebook, players: int, row: Callable[[str, int], Iterator[int]]) -> int:
    if book.starter == "seat":
        return book.first_starter % players
    if book.starter == "random":
        return number_below(players, row("starter", 1))
    return turn_again(book, players, row("turned", 1))[-1][0][0]


def turn_again(book: Rulebook, players: int, row: Iterator[int]) -> list[list[tuple[int, str]]]:
    """Everybody turns a tile; those who tie for the most dots turn again."""
    turns: list[list[tuple[int, str]]] = []
    seats = list(range(players))
    while len(seats) > 1 or not turns:
        mixed = mix(oracle.tile_set(book), row)
        turns.append(sorted(zip(seats, mixed, strict=False), key=lambda turned: -dots(book, turned[1])))
        most = dots(book, turns[-1][0][1])
        seats = sorted(seat for seat, tile in turns[-1] if dots(book, tile) == most)
    return turns


def dots(book: Rulebook, tile: str) -> int:
    return sum(book.wild_points if oracle.is_wild(end) else int(end) for end in oracle.ends(tile))


def as_texts(deal: Deal) -> Entry:
    return {
        "engine": str(deal.engine),
        "starter": deal.starter,
        "hands": [list(map(str, hand)) for hand in deal.hands],
        "bone_pile": list(map(str, deal.bone_pile)),
    }


# ---- The vectors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", VECTORS["seeds"], ids=lambda entry: repr(entry["seed"]))
def test_a_seed_stands_for_a_secret(entry: Entry) -> None:
    assert secret_from_seed(entry["seed"]).hex() == entry["secret"]
    assert hashlib.sha256(f"stationmaster seed {entry['seed']}".encode()).hexdigest() == entry["secret"]


@pytest.mark.parametrize("entry", VECTORS["streams"], ids=lambda entry: f"{entry['purpose']}-{entry['number']}")
def test_numbers(entry: Entry) -> None:
    source = bytes.fromhex(entry["secret"]), entry["texts"], entry["number"], entry["purpose"]
    stream, row = Stream(*source), words(*source)
    assert [stream.word() for _ in entry["words"]] == entry["words"]
    assert [next(row) for _ in entry["words"]] == entry["words"]
    stream, row = Stream(*source), words(*source)
    n = entry["below"]
    assert [stream.below(n) for _ in entry["numbers"]] == entry["numbers"]
    assert [number_below(n, row) for _ in entry["numbers"]] == entry["numbers"]


@pytest.mark.parametrize("entry", VECTORS["deals"], ids=lambda entry: f"{entry['rulebook']}-{entry['players']}")
def test_whole_deals(entry: Entry) -> None:
    book, players, number = rulebook(entry["rulebook"]), entry["players"], entry["number"]
    secret, texts, starter = bytes.fromhex(entry["secret"]), entry["texts"], entry["starter"]
    deal = Deal.fair(book, players, number, secret=secret, texts=texts, starter=starter)
    assert as_texts(deal) == entry["deal"]
    assert deal_again(book, players, number, secret, texts, starter) == entry["deal"]


@pytest.mark.parametrize("entry", VECTORS["turned"], ids=lambda entry: f"{len(entry['turns'])}-turns")
def test_tiles_turned_for_the_start(entry: Entry) -> None:
    book, players, secret = rulebook(entry["rulebook"]), entry["players"], bytes.fromhex(entry["secret"])
    turns = turned_tiles(book, players, secret, entry["texts"])
    assert [[[seat, str(tile)] for seat, tile in turn] for turn in turns] == entry["turns"]
    again = turn_again(book, players, words(secret, entry["texts"], 1, "turned"))
    assert [[[seat, tile] for seat, tile in turn] for turn in again] == entry["turns"]
    assert first_starter(book, players, secret, entry["texts"]) == entry["turns"][-1][0][0]


def test_the_vectors_meet_every_case() -> None:
    assert {entry["rulebook"] for entry in VECTORS["deals"]} == set(rulebooks())
    assert any(entry["texts"] and not "".join(entry["texts"]).isascii() for entry in VECTORS["streams"])
    assert any(len(entry["turns"]) > 1 for entry in VECTORS["turned"]), "a tie"
    pressman = [entry for entry in VECTORS["deals"] if entry["rulebook"] == "pressman"]
    drawn = [entry for entry in pressman if sum(map(len, entry["deal"]["hands"])) >= entry["players"] * 15]
    assert drawn, "nobody holds a double, and it is drawn"
    passed_over = [
        entry
        for entry in VECTORS["streams"]
        if any(word >= 2**32 // entry["below"] * entry["below"] for word in entry["words"])
    ]
    assert passed_over, "a word that is not below the largest multiple"


# ---- Beyond the vectors --------------------------------------------------------------------------------


@pytest.mark.parametrize("id", rulebooks())
def test_both_programs_deal_alike(id: str) -> None:
    book = rulebook(id)
    for players in book.players:
        for number in (1, 2, book.rounds):
            seed = f"{id} {players} {number}"
            deal = Deal.shuffle(book, players, number, seed=seed)
            assert as_texts(deal) == deal_again(book, players, number, secret_from_seed(seed), [], None)
            deal.check(book, whole=True)


def test_everything_that_goes_in_counts() -> None:
    def first(*source: Any) -> int:
        return Stream(*source).word()

    plain = first(b"secret", ["a", "b"], 1, "tiles")
    others = [
        first(b"Secret", ["a", "b"], 1, "tiles"),
        first(b"secret", ["a", "B"], 1, "tiles"),
        first(b"secret", ["b", "a"], 1, "tiles"),
        first(b"secret", ["ab"], 1, "tiles"),
        first(b"secret", ["", "a", "b"], 1, "tiles"),
        first(b"secreta", ["b"], 1, "tiles"),
        first(b"secret", ["a", "b"], 2, "tiles"),
        first(b"secret", ["a", "b"], 1, "turned"),
    ]
    assert len({plain, *others}) == 1 + len(others)


def test_every_order_is_as_likely() -> None:
    counts: dict[tuple[int, ...], int] = {}
    stream = Stream(b"", [], 1, "any")
    for _ in range(2400):
        order = tuple(stream.shuffled([0, 1, 2, 3]))  # type: ignore[list-item]
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 41.6  # chi², 23 degrees, 1 %
