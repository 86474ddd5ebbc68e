"""Records: written, read and played again, and matches that go on from them."""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING

import pytest

from match.playing import NAMES, play_match, play_moves, play_round
from stationmaster.errors import RecordError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.core


def again(match: Match) -> Match:
    """The match, by way of its record's text; nothing is lost on the way."""
    record = match.record()
    text = record.dumps()
    assert Record.loads(text) == record
    assert Record.loads(text.encode()) == record
    replayed = Record.loads(text).replay()
    assert replayed.record() == record
    assert replayed.record().dumps() == text
    assert (replayed.book, replayed.names, replayed.seed) == (match.book, match.names, match.seed)
    assert (replayed.totals, replayed.money, replayed.pot) == (match.totals, match.money, match.pot)
    assert (replayed.winners, replayed.over) == (match.winners, match.over)
    return replayed


@pytest.mark.parametrize("id", rulebooks())
def test_matches_of_every_number_of_players_are_there_and_back(id: str) -> None:
    for players in rulebook(id).players:
        book = rulebook(id).with_changes(rounds=2)
        again(play_match(Match(book, NAMES[:players], seed=players), random.Random(players)))


@pytest.mark.parametrize("id", rulebooks())
def test_a_running_match_is_there_and_back_at_any_time(id: str) -> None:
    match, rng = Match(rulebook(id), NAMES[:3], seed=id), random.Random(id)
    again(match)
    for _ in range(3):
        play_moves(match, rng, 7)
        again(match)
    play_round(match, rng)
    again(match)
    match.next_round()
    again(match)


@pytest.mark.parametrize("id", rulebooks())
def test_a_resumed_match_goes_on_as_if_nothing_had_happened(id: str) -> None:
    book = rulebook(id).with_changes(rounds=3)
    rng, same = random.Random(1), random.Random(1)
    match, resumed = (Match(book, NAMES[:2], seed="resume") for _ in range(2))
    for moves in (0, 1, 20, 1000):
        play_moves(match, rng, moves)
        play_moves(resumed, same, moves)
        resumed = Match.resume(Record.loads(resumed.record().dumps()))
    play_match(match, rng)
    play_match(resumed, same)
    assert match.record().dumps() == resumed.record().dumps()


def test_moves_made_before_the_record_can_be_taken_back() -> None:
    match = Match(rulebook("tactic"), NAMES[:2], seed=1)
    play_moves(match, random.Random(1), 20)
    resumed = Match.resume(match.record())
    for _ in range(20):
        assert resumed.round.pop() == match.round.pop()
    assert resumed.record() == match.record()


def test_a_record_without_a_seed_goes_on_from_a_fresh_one() -> None:
    match = Match(rulebook("tactic").with_changes(rounds=3), NAMES[:2], seed=1)
    play_round(match, random.Random(1))
    text = match.record().dumps().replace(' "seed": 1,\n', "")
    resumed = Match.resume(Record.loads(text))
    assert resumed.seed is None
    assert resumed.record().dumps() == text
    play_match(resumed, random.Random(1))
    assert resumed.seed is not None
    again(resumed)


def test_deals_may_be_given_for_the_rounds_to_come() -> None:
    match = Match(rulebook("tactic").with_changes(rounds=3), NAMES[:2], seed=1)
    play_match(match, random.Random(1))
    first = Match(match.book, NAMES[:2], seed=2)
    play_round(first, random.Random(2))
    resumed = Match.resume(first.record(), deals=[round.deal for round in match.rounds[1:]])
    play_match(resumed, random.Random(3))
    assert [round.deal for round in resumed.rounds[1:]] == [round.deal for round in match.rounds[1:]]


def test_a_house_rule_travels_in_the_record() -> None:
    book = rulebook("tactic").with_changes(name="At Ann's", rounds=2, ante=10, tie_break="most-zeros", open_hands=True)
    match = again(play_match(Match(book, NAMES[:3], seed=1), random.Random(1)))
    assert match.book.name == "At Ann's"
    assert match.book.changes() == {"rounds": 2, "ante": 10, "tie_break": "most-zeros", "open_hands": True}


# ---- What it looks like ------------------------------------------------------------------------------


def test_the_document_is_the_documented_one() -> None:
    match = Match(rulebook("quarter-pot").with_changes(highest=3, deal={2: 2}, rounds=1), ["Ann", "Ben"], seed=4)
    running = json.loads(match.record().dumps())
    assert list(running) == ["format", "rulebook", "players", "seed", "rounds", "totals", "winners"]
    assert (running["format"], running["players"], running["seed"]) == ("stationmaster/1", ["Ann", "Ben"], 4)
    assert (running["totals"], running["winners"]) == (None, None)
    assert running["rulebook"]["id"] == "quarter-pot-house"
    assert running["rulebook"]["revision"] == 1
    assert running["rulebook"]["deal"] == {"2": 2}
    (round,) = running["rounds"]
    assert list(round) == ["engine", "starter", "hands", "bone_pile", "moves", "ending", "points", "cents"]
    assert round["engine"] == "3-3"
    assert round["hands"] == [list(map(str, hand)) for hand in match.round.deal.hands]
    assert (round["moves"], round["ending"], round["points"], round["cents"]) == ([], None, None, None)
    play_match(match, random.Random(1))
    over = json.loads(match.record().dumps())
    (round,) = over["rounds"]
    assert round["moves"] == [f"{seat} {move}" for seat, move in match.round.moves]
    assert (round["ending"], sum(round["cents"])) == ("out", 0)
    assert over["totals"] == round["points"]
    assert over["winners"] == list(match.winners or ())


def test_lines_stay_short_enough_to_read() -> None:
    match = play_match(Match(rulebook("puremco-9"), NAMES[:2], seed=1), random.Random(1))
    assert max(map(len, match.record().dumps().splitlines())) < 260


# ---- Files -------------------------------------------------------------------------------------------


def test_a_record_is_saved_and_loaded(tmp_path: Path) -> None:
    record = Match(rulebook("tactic"), ["Íñigo", "Ann"], seed=1).record()
    record.save(tmp_path / "match.json")
    assert Record.load(tmp_path / "match.json") == record
    assert (tmp_path / "match.json").read_bytes() == record.dumps().encode()
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_a_save_that_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(rulebook("tactic"), NAMES[:2], seed=1)
    path = tmp_path / "match.json"
    match.record().save(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    play_moves(match, random.Random(1), 5)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        match.record().save(path)
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]


def test_a_saved_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "match.json")
    record = Match(rulebook("tactic"), NAMES[:2], seed=1).record()
    record.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert Record.load(tmp_path / "match.json") == record


def test_a_file_that_is_not_there_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nothing\.json: No such file"):
        Record.load(tmp_path / "nothing.json")
