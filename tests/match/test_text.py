"""A match in words, and its score sheet."""

from __future__ import annotations

import random

import pytest

from match.playing import NAMES, POT_DEALS, POT_MOVES, play_match, play_moves, pot_match
from stationmaster.engine.standing import Standing
from stationmaster.match.match import Match
from stationmaster.match.text import format_match, format_score_sheet
from stationmaster.rulebooks.rulebook import rulebook, rulebooks
from stationmaster.words import LANGUAGES

pytestmark = pytest.mark.core


def test_the_score_sheet_of_a_match_with_money() -> None:
    match, _ = pot_match(pass_fee=5)
    sheet = """\
Points
Round  Engine  Ann  Ben  Cleo
1      3-3       0    2     1
2      2-2       3    0     7
3      1-1       0    4     2
Total            3    6    10

Money
Round  Engine      Ann      Ben     Cleo
1      3-3      -$0.35   -$0.35   -$0.30
2      2-2      -$0.25    $1.50   -$0.25
3      1-1      -$0.02    $0.03   -$0.01
Total           -$0.62    $1.18   -$0.56

Blocked: rounds 1 and 3.

The match goes to Ben, with $1.18.
"""
    lines = [line.split() for line in sheet.splitlines()]
    told = format_score_sheet(match)
    assert [line.split() for line in told.splitlines()] == lines
    assert told.startswith(sheet[: sheet.index("\n\n")])
    assert format_score_sheet(match.record()) == told


def test_the_columns_stand_under_each_other() -> None:
    match = play_match(Match(rulebook("puremco-15"), NAMES[:12], seed=1), random.Random(1))
    table = format_score_sheet(match).split("\n\n")[0].splitlines()
    assert len(table) == 1 + 16 + 1
    assert len(set(map(len, table))) == 1
    for name in match.names:
        end = table[0].index(f" {name}") + 1 + len(name)
        assert all(line[end - 1].isdecimal() and line[end : end + 1] in (" ", "") for line in table[1:])


def test_wide_letters_take_two_columns() -> None:
    match = play_match(Match(rulebook("tactic-nine"), ["李小龍", "Zoe\u0301"], seed=1), random.Random(1))
    head, first, *_ = format_score_sheet(match).splitlines()
    assert len(first) == len(head) + 3 - 1  # three wide letters; one accent that takes no room


def test_the_score_sheet_while_the_first_round_runs() -> None:
    match = Match(rulebook("tactic"), ["Ann", "Ben"], seed=1)
    assert format_score_sheet(match).splitlines() == [
        "Round  Engine  Ann  Ben",
        "1      12-12   still being played",
        "Total            0    0",
    ]


def test_the_score_sheet_says_who_leads_and_what_lies_in_the_pot() -> None:
    book = rulebook("quarter-pot").with_changes(highest=3, deal={3: 3}, rounds=3)
    match = Match(book, NAMES[:3], deals=POT_DEALS)
    for move in POT_MOVES[0].split():
        match.round.push(move)
    match.next_round()
    told = format_score_sheet(match)
    assert "2      2-2     still being played\n" in told
    assert "\nIn the pot: $1.75.\n\nBlocked: round 1.\n\nIn the lead after round 1: Cleo, with -$0.30.\n" in told


def test_equal_scores_share_the_lead_and_the_win(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play_match(Match(rulebook("tactic").with_changes(rounds=1), NAMES[:3], seed=1), random.Random(1))
    monkeypatch.setattr(Match, "standing", Standing.first(1, 3).after((1, 8, 1), (0, 0, 0)))
    assert format_score_sheet(match).endswith("\nAnn and Cleo share the win, with 1 point each.\n")
    assert format_score_sheet(match, "es").endswith("\nAnn y Cleo comparten la victoria, con 1 punto cada uno.\n")
    monkeypatch.setattr(Match, "over", False)
    assert format_score_sheet(match).endswith("\nIn the lead after round 1: Ann and Cleo, with 1 point each.\n")


def test_a_match_in_words() -> None:
    match, _ = pot_match(pass_fee=5)
    told = format_match(match)
    assert told.startswith(
        """\
Double-15 for the pot, house rules
Players: Ann, Ben and Cleo.
A house rule based on Double-15 for the pot, which changes:
  The set: double-3
  Tiles in a hand: 3 players: 3
  Rounds in a match: 3

Round 1 of 3
The engine is the 3-3, and Ann starts.
Hands:
  Ann: 2-3 0-0 0-2
  Ben: 1-2 1-3 1-1
  Cleo: 0-1 2-2 0-3
There is no bone pile.
Turns:
   1. Ann: 3-2 on Ann's train
   2. Ben: 3-1 on Ben's train
   3. Cleo: 3-0 on the Mexican Train
   4. Ann: 0-2 on the Mexican Train
   5. Ben: 1-2 on Ben's train
   6. Cleo: 2-2 on the Mexican Train
   7. Ann: passes and lays the marker
"""
    )
    assert (
        """\
  11. Ben: passes
The round is blocked: the bone pile is empty and nobody can play.
Points: Ann 0, Ben 2, Cleo 1.
Won and paid: Ann -$0.35, Ben -$0.35, Cleo -$0.30.

Round 2 of 3
"""
        in told
    )
    assert "  4. Ben: 1-1 on Ben's train, 1-3 on Ben's train\nThe round is over. Out: Ben.\n" in told
    assert told.endswith("\nScore sheet\n\n" + format_score_sheet(match))
    assert format_match(match.record()) == told


def test_drawn_tiles_and_the_seed_are_told() -> None:
    match = Match(rulebook("tactic"), ["Ann", "Ben"], seed="tren")
    play_moves(match, random.Random(1), 60)
    told = format_match(match)
    assert "\nSeed: tren\n" in told
    assert "\nThe round is still being played.\n" in told
    drawn = match.round.deal.bone_pile[0]
    assert f"draws {drawn}, " in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", rulebooks())
def test_every_match_can_be_told(id: str, language: str) -> None:
    match = play_match(Match(rulebook(id).with_changes(rounds=2), NAMES[:2], seed=1), random.Random(1))
    told = format_match(match, language)
    turns = [line for line in told.splitlines() if line.lstrip()[:1].isdecimal() and ". " in line]
    assert sum(line.count(",") + 1 for line in turns) == sum(len(round.moves) for round in match.rounds)
