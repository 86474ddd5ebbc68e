"""Fair deals in a match: dealt from secret and texts, kept in the record, checked when it is replayed."""

from __future__ import annotations

import copy
import json
import random
from hashlib import sha256
from typing import Any

import pytest

from match.playing import NAMES, play_round
from stationmaster.engine.deal import Deal
from stationmaster.errors import DealError, RecordError
from stationmaster.match.fair import Fair, commitment, text_commitment
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

pytestmark = pytest.mark.core

FAIRS = [Fair.of(f"secret {number}".encode(), ["a text of Ann's", f"Béns {number}"]) for number in range(3)]


def fair_match(id: str, players: int = 2) -> Match:
    """Three rounds, each from a secret of its own."""
    match, rng = Match(rulebook(id).with_changes(rounds=3), NAMES[:players], deals=FAIRS[:1]), random.Random(1)
    for fair in FAIRS[1:]:
        play_round(match, rng)
        match.next_round(fair)
    play_round(match, rng)
    return match


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert Fair.of(b"abc", ["x"]) == Fair(commitment(b"abc"), "616263", ("x",))


@pytest.mark.parametrize("id", rulebooks())
def test_fair_rounds_are_dealt_recorded_and_checked(id: str) -> None:
    match = fair_match(id)
    starter = None
    for number, (round, fair) in enumerate(zip(match.rounds, FAIRS, strict=True), 1):
        deal = Deal.fair(match.book, 2, number, secret=bytes.fromhex(fair.secret), texts=fair.texts, starter=starter)
        assert round.deal == deal
        starter = (deal.starter + 1) % 2
    assert match.fair == tuple(FAIRS)
    assert match.seed is None
    record = match.record()
    assert [round.fair for round in record.rounds] == FAIRS
    assert "seed" not in json.loads(record.dumps())
    assert Record.loads(record.dumps()) == record
    assert record.replay().fair == tuple(FAIRS)


def test_fair_and_other_rounds_may_stand_in_one_match() -> None:
    match = Match(rulebook("tactic"), NAMES[:3], seed=1)
    play_round(match, random.Random(1))
    match.next_round(FAIRS[0])
    assert match.fair == (None, FAIRS[0])
    assert [round.fair for round in match.record().rounds] == [None, FAIRS[0]]
    assert Match.resume(match.record()).fair == match.fair


def test_a_secret_that_was_not_promised_is_no_deal() -> None:
    broken = Fair(FAIRS[0].commitment, FAIRS[1].secret, ())
    with pytest.raises(DealError, match="the secret is not the one that was promised"):
        Match(rulebook("tactic"), NAMES[:2], deals=[broken])


# ---- Fair deals that were not ------------------------------------------------------------------------

Document = dict[str, Any]


def broken(change: Any, round: int = 1) -> RecordError:
    """What is said of a record when the fair data or the deal of one round is changed."""
    document: Document = copy.deepcopy(GOOD)
    change(document["rounds"][round - 1])
    with pytest.raises(RecordError) as caught:
        Record.loads(json.dumps(document)).replay()
    assert (caught.value.round, caught.value.move) == (round, None)
    return caught.value


GOOD: Document = json.loads(fair_match("supertrain", 4).record().dumps())


def other_secret(round: Document) -> None:
    """A secret of the server's later choice, with a commitment to match."""
    round["fair"]["secret"] = b"later".hex()
    round["fair"]["commitment"] = sha256(b"later").hexdigest()


@pytest.mark.parametrize("round", [1, 2, 3])
def test_the_commitment_has_to_be_that_of_the_secret(round: int) -> None:
    error = broken(lambda entry: entry["fair"].update(secret=b"later".hex()), round)
    assert f"its SHA-256 is {sha256(b'later').hexdigest()}, and the commitment was " in str(error)


def test_the_deal_has_to_be_that_of_the_secret() -> None:
    for round in (1, 2, 3):
        assert "fair: " in str(broken(other_secret, round))
        assert "the secret and the texts give" in str(broken(other_secret, round))


@pytest.mark.parametrize(
    "change",
    [
        lambda texts: texts.reverse(),
        lambda texts: texts.pop(),
        lambda texts: texts.append(""),
        lambda texts: texts.__setitem__(0, texts[0].upper()),
    ],
)
def test_every_text_counts_and_so_does_their_order(change: Any) -> None:
    assert "the secret and the texts give" in str(broken(lambda entry: change(entry["fair"]["texts"]), 2))


def test_who_starts_the_first_round_has_to_follow_too() -> None:
    right = GOOD["rounds"][0]["starter"]
    wrong = (right + 1) % 4
    error = broken(lambda entry: entry.update(starter=wrong))
    assert str(error) == f"round 1: fair: seat {wrong} starts; the secret and the texts give seat {right}"


def test_two_tiles_that_changed_places_are_seen() -> None:
    def swap(entry: Document) -> None:
        one, other = entry["hands"][2], entry["bone_pile"]
        one[0], other[0] = other[0], one[0]

    assert "fair: the hand of seat 2 is another; the secret and the texts give " in str(broken(swap))
    assert "fair: the bone pile is another" in str(broken(lambda entry: entry["bone_pile"].reverse()))


@pytest.mark.parametrize("secret", ["xyz", "abc", FAIRS[0].secret.upper() + "AB", "73 65"])
def test_a_secret_is_written_in_hex(secret: str) -> None:
    assert "fair: the secret" in str(broken(lambda entry: entry["fair"].update(secret=secret)))


def test_it_is_written_in_one_way_only() -> None:
    def capitals(entry: Document) -> None:
        entry["fair"].update(secret="AB", commitment=commitment(b"\xab"))

    assert "fair: the secret is written ab, without capitals or spaces" in str(broken(capitals))


def test_the_engine_that_was_held_has_to_follow_too() -> None:
    record = fair_match("pressman").record()
    right = record.rounds[0].engine
    document: Document = json.loads(record.dumps())
    for secret in (b"a", b"b", b"c", b"d"):
        document["rounds"][0]["fair"].update(secret=secret.hex(), commitment=commitment(secret))
        with pytest.raises(RecordError, match="fair: ") as caught:
            Record.loads(json.dumps(document)).replay()
        if f"fair: the engine is {right}; the secret and the texts give " in str(caught.value):
            return
    pytest.fail("no other engine came up")


def test_fair_data_is_complete_or_not_there() -> None:
    assert str(broken(lambda entry: entry["fair"].pop("texts"))) == "round 1: fair.texts is missing"
    assert str(broken(lambda entry: entry["fair"].update(salt=""))) == "round 1: fair.salt is not a field here"


# ---- Texts that were promised -------------------------------------------------------------------------

TEXTS = ["a text of Ann's", "Béns", ""]
HASHES = [text_commitment("a text of Ann's"), text_commitment("Béns"), None]
PROMISED = Fair.of(b"secret", TEXTS, HASHES)


def test_a_text_is_promised_by_its_sha_256() -> None:
    assert text_commitment("Ñ 🚂") == sha256("Ñ 🚂".encode()).hexdigest()
    with pytest.raises(DealError, match="one of the texts cannot be written in UTF-8"):
        text_commitment("\ud83d")


def test_hashes_change_nothing_of_the_deal_and_stand_in_the_record() -> None:
    match = Match(rulebook("tactic"), NAMES[:3], deals=[PROMISED])
    assert match.round.deal == Match(rulebook("tactic"), NAMES[:3], deals=[Fair.of(b"secret", TEXTS)]).round.deal
    record = match.record()
    assert json.loads(record.dumps())["rounds"][0]["fair"]["hashes"] == HASHES
    assert Record.loads(record.dumps()) == record
    assert record.replay().fair == (PROMISED,)


def test_a_record_without_hashes_is_read_and_written_as_it_was() -> None:
    text = fair_match("tactic").record().dumps()
    assert '"hashes"' not in text
    assert Record.loads(text).replay().record().dumps() == text


def test_a_hash_without_a_text_is_a_text_that_did_not_come() -> None:
    Fair.of(b"secret", ["", "Béns", ""], HASHES).deal(rulebook("tactic"), 3, 1)


@pytest.mark.parametrize(
    ("texts", "hashes", "message"),
    [
        (["another", *TEXTS[1:]], HASHES, "the text of seat 0 is not the one that was promised: its SHA-256 is "),
        ([*TEXTS[:2], "late"], HASHES, "seat 2 shows a text, and had sent no hash of one"),
        (TEXTS[:2], HASHES, "there are 2 texts and 3 hashes"),
        (TEXTS, HASHES[:2], "there are 3 texts and 2 hashes"),
        ([TEXTS[1], TEXTS[0], ""], HASHES, "the text of seat 0 is not the one that was promised"),
        (TEXTS, [str(HASHES[0]).upper(), *HASHES[1:]], "the text of seat 0 is not the one that was promised"),
    ],
)
def test_a_text_that_was_not_promised_is_no_deal(texts: list[str], hashes: list[str | None], message: str) -> None:
    with pytest.raises(DealError, match=message):
        Fair.of(b"secret", texts, hashes).deal(rulebook("tactic"), 3, 1)
