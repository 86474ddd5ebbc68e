"""The same file compiled and interpreted, the same functions in playouts and in ``Round``: equal checksums."""

from __future__ import annotations

from typing import Any

import pytest

import stationmaster.engine
from both import house_mix
from pure import interpreted
from stationmaster.engine import core
from stationmaster.engine.deal import Deal
from stationmaster.engine.layout import WILD
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round, core_state
from stationmaster.engine.tiles import Tile, W, end_text
from stationmaster.rulebooks.rulebook import Rulebook, rulebook, rulebooks

pytestmark = pytest.mark.core

MASK = 0xFFFFFFFF


def state(book: Rulebook, players: int, module: Any = core) -> Any:
    """An empty table, of the installed core or of another."""
    usual, stationmaster.engine.round.State = stationmaster.engine.round.State, module.State
    try:
        return core_state(book, players)
    finally:
        stationmaster.engine.round.State = usual  # type: ignore[misc]


def engine_of(book: Rulebook, number: int) -> int:
    """The engine of a round as ``random_rounds`` takes it; -1 for the highest double held."""
    if book.engine == "highest-held":
        return -1
    end = Tile.parse(book.engines[number % len(book.engines)]).low
    return WILD if end == W else end


def play(book: Rulebook, players: int, number: int, rounds: int, module: Any = core) -> tuple[int, ...]:
    return tuple(
        state(book, players, module).random_rounds(
            rounds, engine_of(book, number), book.deal[players], 1 + number * 977
        )
    )


def test_the_source_runs_interpreted_beside_the_installed_core() -> None:
    assert interpreted().State is not core.State
    assert interpreted().__file__.endswith("core.py")
    assert stationmaster.engine.compiled == (not core.__file__.endswith(".py"))


@pytest.mark.parametrize("id", rulebooks())
def test_compiled_and_interpreted_play_the_same(id: str) -> None:
    book = rulebook(id)
    numbers = range(0, len(book.engines), 5) if book.engine == "descending" else range(3)
    for players in {book.players[0], 4, book.players[-1]}:
        for number in (*numbers, len(book.engines) - 1):
            slow = play(book, players, number, 2, interpreted())
            assert play(book, players, number, 2) == slow, (players, number)
            assert sum(slow) > 0


def test_compiled_and_interpreted_play_house_rules_the_same() -> None:
    for mix in range(150):
        book, players = house_mix(mix)
        assert play(book, players, mix, 2) == play(book, players, mix, 2, interpreted()), mix


@pytest.mark.parametrize("id", rulebooks())
def test_rounds_and_playouts_are_one_set_of_rules(id: str) -> None:
    """``Round.push``, driven by the core's own generator, makes the very rounds that the playouts make."""
    book = rulebook(id)
    for players in {book.players[0], 3, book.players[-1]}:
        for number in range(3):
            assert by_rounds(book, players, number, 4) == play(book, players, number, 4)


def test_rounds_and_playouts_are_one_set_of_rules_under_house_rules() -> None:
    for mix in range(150):
        book, players = house_mix(mix)
        assert by_rounds(book, players, mix, 3) == play(book, players, mix, 3), mix


def by_rounds(book: Rulebook, players: int, number: int, rounds: int) -> tuple[int, ...]:
    """What ``random_rounds`` returns, counted from rounds that are played through the public interface."""
    dealer = state(book, players)
    dealer.seed(1 + number * 977)
    counts = {"place": 0, "draw": 0, "pass": 0, "stop": 0}
    total, blocked, checksum = 0, 0, 0
    for one in range(rounds):
        dealer.deal(engine_of(book, number), book.deal[players], one % players)
        round = Round(
            book,
            Deal(
                engine=Tile.parse(f"{end_text(dealer.end(0))}-{end_text(dealer.end(0))}"),
                starter=dealer.whose(),
                hands=[[Tile.from_code(code) for code in dealer.hand(seat)] for seat in range(players)],
                bone_pile=[Tile.from_code(code) for code in dealer.bone_pile()],
            ),
        )
        passes = [0] * players
        while round.turn is not None:
            code = dealer.random_move()
            move = Move.from_code(code)
            assert move in round.legal_moves()
            passes[round.turn] += move.kind == "pass"
            counts[move.kind] += 1
            round.push(move)
            dealer.push(code)
        assert dealer.whose() == -1
        outcome = round.outcome()
        assert outcome is not None
        blocked += outcome.ending == "blocked"
        for seat in range(players):
            total += outcome.points[seat]
            checksum = (checksum * 31 + outcome.points[seat] + passes[seat]) & MASK
        drawn = sum(move.kind == "draw" for _, move in round.moves)
        laid = 1 + sum(move.kind == "place" for _, move in round.moves)
        dealt_or_drawn = book.tile_count - (book.engine == "descending") - len(round.deal.bone_pile) + drawn
        checksum = (checksum * 31 + dealt_or_drawn * 256 + laid) & MASK
    return total, counts["place"], counts["draw"], counts["pass"], counts["stop"], blocked, checksum


def test_a_playout_never_plays_what_is_not_legal() -> None:
    dealer = state(rulebook("supertrain"), 4)
    for seed in range(1, 20):
        dealer.seed(seed)
        dealer.deal(12, 18, 0)
        while dealer.whose() >= 0:
            code = dealer.random_move()
            assert dealer.allows(code)
            dealer.push(code)
