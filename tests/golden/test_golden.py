"""The golden matches, one of each rulebook: whatever changes in the code, they stay what they were."""

from __future__ import annotations

import pytest

from golden.make import FOLDER, path_of
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

pytestmark = pytest.mark.core


def test_every_rulebook_has_a_golden_match() -> None:
    matches = {path.stem for path in FOLDER.glob("*.json")} - {"shuffle"}
    assert matches == set(rulebooks()), "tests/golden/make.py plays those that are missing"


@pytest.mark.parametrize("id", rulebooks())
def test_it_replays_and_is_written_as_it_was(id: str) -> None:
    text = path_of(id).read_text("utf-8")
    match = Record.loads(text).replay()
    assert match.book == rulebook(id)
    assert match.over
    assert match.number == rulebook(id).rounds
    assert match.record().dumps() == text


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
