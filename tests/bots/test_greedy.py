"""The bot that plays the tile that counts the most: which that is, between equals too, and the same in the core."""

from __future__ import annotations

from random import Random

import oracle
import stationmaster as sm
from both import house_mix
from stationmaster.engine import layout
from stationmaster.planner.policy import Planner


def advice(round: sm.Round) -> sm.Advice:
    """What the bot says at this point of a round."""
    return sm.bot("greedy").consider(round.observe(round.turn), sm.Limit(), Random(1))


def spot(rulebook: str, hand: list[str], **more: object) -> sm.Round:
    """Ann's turn with this hand; 12 is the engine, and on the Mexican Train lies 12-5."""
    table = {"engine": "12-12", "trains": {"M": "12-5"}, "first_turns": (), "bone_pile": 5} | more
    return sm.Position(sm.rulebook(rulebook), hands=[hand, ["0-1"]], **table).round()


def test_the_tile_that_counts_the_most_is_played() -> None:
    said = advice(spot("tactic", ["12-3", "12-4", "5-10", "11-11"]))
    assert str(said.move) == "12-4@0"
    assert said.sentence() == "No tile that can be played counts more than 4-12, 16 points."
    assert {str(move): value for move, value in said.values.items()} == {
        "12-3@0": -1.0,
        "12-4@0": 0.0,
        "5-10@M": -1.0,
    }


def test_wild_ends_and_the_double_blank_count_what_the_table_charges() -> None:
    assert str(advice(spot("supertrain", ["12-9", "W-W", "5-W"])).move) == "12-9@0"
    book = sm.rulebook("supertrain").with_changes(wild_points=25)
    hands = [["12-9", "R-W", "5-W"], ["0-1"]]
    table = sm.Position(book, engine="12-12", trains={"M": "12-5"}, hands=hands, bone_pile=5)
    assert str(advice(table.round()).move) == "W-R@0"
    blank = sm.rulebook("tactic").with_changes(double_blank=50)
    table = sm.Position(blank, engine="12-12", trains={"0": "12-0"}, hands=[["0-0", "0-11"], []], bone_pile=5)
    assert str(advice(table.round()).move) == "0-0@0"


def test_of_equals_it_is_the_first_in_the_canonical_order() -> None:
    round = spot("tactic", ["4-9", "5-8"], trains={0: "12-9", "M": "12-8 8-4"}, markers=[1])
    assert str(advice(round).move) == "9-4@0", "the lower end first; the Mexican Train last"
    round = spot("tactic", ["12-8"], trains={0: "12-9"}, markers=[1])
    assert str(advice(round).move) == "12-8@1"


def test_where_there_is_one_move_it_says_so() -> None:
    said = advice(spot("tactic", ["1-2"]))
    assert str(said.move) == "draw"
    assert said.sentence() == "It is the only legal move."
    assert said.sentence("es") == "Es la única jugada legal."


def test_it_never_stops_a_string() -> None:
    book = sm.rulebook("front-porch").with_changes(first_turn="own-string")
    asked = 0
    for seed in range(20):
        round = sm.Round(book, sm.Deal.shuffle(book, 4, seed=seed))
        while round.turn is not None:
            move = advice(round).move
            if sm.Move("stop") in round.legal_moves():
                asked += 1
                assert move.kind == "place"
            round.push(move)
    assert asked > 20


# ---- The same policy in the core -------------------------------------------------------------------


def test_the_core_calls_the_policies_by_the_same_numbers() -> None:
    kinds = [layout.RANDOM, layout.GREEDY, layout.PLANNER]
    assert [sm.bot(id).policy for id in ("random", "greedy", "planner")] == kinds
    assert sm.Bot.policy is None


def test_the_core_plays_the_same_at_every_decision() -> None:
    tables = [(sm.rulebook(id), players) for id in sm.rulebooks() for players in sm.rulebook(id).players]
    tables += [house_mix(number) for number in range(100)]
    different = [(book.id, players, *where) for book, players in tables for where in differences(book, players)]
    assert different == []


def differences(book: sm.Rulebook, players: int) -> list[tuple[str, str, str]]:
    """Where bot and core make different moves in a round of random play: the moves so far, the bot's, the core's."""
    rng = Random(f"{book.id}/{players}")
    planner = Planner()
    planner.set_kinds([layout.GREEDY] * 14)
    number = rng.randrange(min(book.rounds, len(book.engines))) + 1
    round = sm.Round(book, sm.Deal.shuffle(book, players, number, seed=f"greedy/{book.id}"))
    found = []
    while round.turn is not None:
        mine = advice(round).move
        core = sm.Move.from_code(planner.choice(round._state.copy()))
        if mine is not core:
            found.append((" ".join(str(move) for _, move in round.moves), str(mine), str(core)))
        round.push(oracle.choose_stacked([str(move) for move in round.legal_moves()], rng))
    return found
