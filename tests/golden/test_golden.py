"""The golden matches, one of each rulebook and some left in the middle: whatever changes, they stay what they were.

They are what earlier versions stored. A later one opens every one of them, and plays on.
"""

from __future__ import annotations

import random
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from golden.make import FOLDER, SUMS, golden, path_of
from match.playing import play_match
from stationmaster.errors import RulebookError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks import rulebook as module
from stationmaster.rulebooks.rulebook import REVISION, rulebook, rulebook_from_record, rulebooks

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.core

ALL = pytest.mark.parametrize("path", golden(), ids=lambda path: path.stem)


def test_every_rulebook_has_a_golden_match_of_every_revision() -> None:
    matches = {(record.rulebook["id"], record.rulebook["revision"]) for record in map(Record.load, golden())}
    printed = {(id, revision) for id in rulebooks() for revision in range(1, REVISION + 1)}
    assert printed <= matches, "tests/golden/make.py plays those that are missing"


def test_no_golden_file_was_ever_changed() -> None:
    sums = dict(reversed(line.split("  ")) for line in SUMS.read_text("utf-8").splitlines())
    assert sums == {path.name: sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.json")}


@ALL
def test_it_replays_and_is_written_as_it_was(path: Path) -> None:
    text = path.read_text("utf-8")
    match = Record.loads(text).replay()
    assert match.record().dumps() == text
    assert match.over == (not path.stem.startswith("running"))


@pytest.mark.parametrize("id", rulebooks())
def test_it_is_what_the_rulebook_says_today(id: str) -> None:
    match = Record.load(path_of(id)).replay()
    assert match.book == rulebook(id)
    assert match.number == rulebook(id).rounds


@pytest.mark.parametrize("id", rulebooks())
def test_its_seed_and_its_moves_make_it_again(id: str) -> None:
    record = Record.load(path_of(id))
    assert record.seed is not None
    match = Match(rulebook(id), record.players, record.seed)
    for number, round in enumerate(record.rounds, 1):
        if number > 1:
            match.next_round()
        for move in round.moves:
            seat, _, text = move.partition(" ")
            assert match.round.turn == int(seat)
            match.round.push(text)
    assert match.record().dumps() == path_of(id).read_text("utf-8")


# ---- A later version ---------------------------------------------------------------------------------


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A version of the program whose rules have been corrected: Tactic's and SuperTrain's, and with them a revision."""
    printed = module.rulebook
    corrected = {id: msgspec.structs.replace(printed(id), double_blank=77, revision=REVISION + 1) for id in rulebooks()}
    monkeypatch.setattr(module, "REVISION", REVISION + 1)
    monkeypatch.setattr(module, "rulebook", corrected.__getitem__)
    yield REVISION + 1
    assert module.rulebook("tactic").double_blank == 77


@ALL
def test_a_later_version_opens_what_an_earlier_one_stored(path: Path, later: int) -> None:
    text = path.read_text("utf-8")
    match = Record.loads(text).replay()
    assert match.book.revision < later
    assert match.book.double_blank != 77
    assert match.record().dumps() == text


@pytest.mark.parametrize("name", ["running-fair", "running-without-hashes"])
def test_a_table_is_played_to_its_end_by_the_rules_it_was_begun_with(name: str, later: int) -> None:
    record = Record.load(path_of(name))
    match = play_match(Match.resume(record), random.Random(1))
    assert match.over
    again = Record.loads(match.record().dumps()).replay()
    assert again.book == match.book
    assert again.record().rulebook == record.rulebook
    assert again.fair[:2] == tuple(round.fair for round in record.rounds)


def test_a_house_rule_on_an_older_revision_stays_with_it(later: int) -> None:
    book = Record.load(path_of("running-fair")).replay().book
    house = book.with_changes(rounds=2)
    assert (house.revision, house.rounds) == (later - 1, 2)
    with pytest.raises(RulebookError, match="rounds = 90: there are 14 engines"):
        book.with_changes(rounds=90)


def test_a_record_of_this_revision_has_to_say_what_the_rulebook_says(later: int) -> None:
    values = Record.load(path_of("tactic")).rulebook
    assert rulebook_from_record(values).double_blank != 77
    with pytest.raises(RulebookError, match=r"double_blank = \d+: tactic says 77"):
        rulebook_from_record(values | {"revision": later})
    with pytest.raises(RulebookError, match=f"this program knows the revisions 1 to {later}"):
        rulebook_from_record(values | {"revision": later + 1})


def test_an_older_revision_is_no_way_round_the_checks(later: int) -> None:
    values = Record.load(path_of("running-fair")).rulebook
    assert values["wild_tiles"]
    with pytest.raises(RulebookError, match="a set has at most 190"):
        rulebook_from_record(values | {"highest": 18})
