"""A record looked at round by round: what holds is told, whatever became of another round."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from match.playing import NAMES, play_moves, play_round
from stationmaster.engine.deal import turned_tiles
from stationmaster.errors import RecordError
from stationmaster.match.fair import Fair, text_commitment
from stationmaster.match.kept import Kept, compare, read_kept, seat_of
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.match.verify import Findings, verify
from stationmaster.rulebooks.rulebook import rulebook, rulebooks

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.core

EVERYTHING = ("secret", "texts", "tiles", "starter", "moves")


def text(seat: int, number: int) -> str:
    return f"{NAMES[seat]}'s text of round {number}"


def fair(number: int, players: int = 3, withheld: tuple[int, ...] = ()) -> Fair:
    """The last seat is a bot's, which adds nothing; who withholds had sent a hash."""
    texts = [text(seat, number) for seat in range(players - 1)]
    hashes = [text_commitment(text) for text in texts]
    return Fair.of(
        b"secret %d" % number,
        [*("" if seat in withheld else text for seat, text in enumerate(texts)), ""],
        [*hashes, None],
    )


def fair_record(id: str = "front-porch", players: int = 3) -> Record:
    """Three rounds; in the second, seat 1 shows no text; the third is still played."""
    fairs = [fair(1, players), fair(2, players, (1,)), fair(3, players)]
    match, rng = Match(rulebook(id).with_changes(rounds=3), NAMES[:players], deals=fairs[:1]), random.Random(1)
    for one in fairs[1:]:
        play_round(match, rng)
        match.next_round(one)
    play_moves(match, rng, 5)
    return match.record()


RECORD = fair_record()
DOCUMENT = RECORD.dumps()


def changed(change: Callable[[dict[str, Any]], object]) -> Record:
    document = json.loads(DOCUMENT)
    change(document)
    return Record.loads(json.dumps(document))


def holding(findings: Findings) -> list[tuple[str, ...]]:
    return [found.holds for found in findings.rounds]


@pytest.mark.parametrize("id", rulebooks())
def test_everything_holds(id: str) -> None:
    findings = verify(fair_record(id))
    assert findings.fine
    assert holding(findings) == [EVERYTHING] * 3
    assert [found.texts for found in findings.rounds] == [
        ("promised", "promised", "none"),
        ("promised", "withheld", "none"),
        ("promised", "promised", "none"),
    ]
    assert [found.over for found in findings.rounds] == [True, True, False]
    assert all(found.fair and found.source == "fair" for found in findings.rounds)


def test_the_tiles_that_were_turned_are_told() -> None:
    first, *others = verify(RECORD).rounds
    turns = turned_tiles(rulebook("front-porch"), 3, b"secret 1", fair(1).texts)
    assert first.turned == tuple(tuple((seat, str(tile)) for seat, tile in turn) for turn in turns)
    assert first.turned[-1][0][0] == RECORD.rounds[0].starter
    assert not any(found.turned for found in others)


def test_an_engine_that_was_drawn_is_told() -> None:
    match = Match(rulebook("pressman"), ["Ann"], deals=[drawing()])
    assert [found.drawn for found in verify(match.record()).rounds] == [True]
    assert not any(found.drawn for found in verify(fair_record("pressman")).rounds)


def drawing() -> Fair:
    """The first secret of these with which nobody is dealt a double."""
    book = rulebook("pressman")
    for number in range(10_000):
        one = Fair.of(b"%d" % number, ["Ann's"])
        if len(one.deal(book, 1, 1).hands[0]) >= book.deal[1]:
            return one
    raise AssertionError("there is none")


TAMPERED: dict[str, tuple[Callable[[dict[str, Any]], object], int, tuple[str, ...], str]] = {
    "secret": (
        lambda d: d["rounds"][1]["fair"].update(secret="00"),
        2,
        ("texts", "starter", "moves"),
        "the secret is not the one that was promised",
    ),
    "commitment": (
        lambda d: d["rounds"][1]["fair"].update(commitment="0" * 64),
        2,
        ("texts", "tiles", "starter", "moves"),
        "and the commitment was 000",
    ),
    "not hex": (
        lambda d: d["rounds"][1]["fair"].update(secret="xyz"),
        2,
        ("texts", "moves"),
        "'xyz' is not written in hex",
    ),
    "text": (
        lambda d: d["rounds"][0]["fair"]["texts"].__setitem__(0, "another"),
        1,
        ("secret", "moves"),
        "the text of seat 0 is not the one that was promised",
    ),
    "unpromised text": (
        lambda d: d["rounds"][0]["fair"]["texts"].__setitem__(2, "late"),
        1,
        ("secret", "moves"),
        "seat 2 shows a text, and had sent no hash of one",
    ),
    "hash": (
        lambda d: d["rounds"][2]["fair"]["hashes"].__setitem__(1, None),
        3,
        ("secret", "tiles", "starter", "moves"),
        "seat 1 shows a text, and had sent no hash of one",
    ),
    "too few texts": (
        lambda d: d["rounds"][2]["fair"]["texts"].pop(),
        3,
        ("secret", "starter", "moves"),
        "there are 2 texts and 3 hashes",
    ),
    "pile": (
        lambda d: d["rounds"][2]["bone_pile"].reverse(),
        3,
        ("secret", "texts", "starter"),
        "the bone pile is another",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_does_not_hold_is_named_and_the_rest_is_told_all_the_same(what: str) -> None:
    change, number, holds, message = TAMPERED[what]
    findings = verify(changed(change))
    assert not findings.fine
    assert message in " ".join(findings.rounds[number - 1].faults)
    assert set(holds) <= set(findings.rounds[number - 1].holds) < set(EVERYTHING)
    assert not findings.rounds[number - 1].fair
    assert [found.holds == EVERYTHING for found in findings.rounds].count(True) == 2


def test_one_thing_is_said_once() -> None:
    findings = verify(changed(TAMPERED["not hex"][0]))
    assert len(findings.rounds[1].faults) == 1


def test_another_starter_in_the_first_round_is_seen() -> None:
    wrong = (RECORD.rounds[0].starter + 1) % 3
    findings = verify(changed(lambda d: d["rounds"][0].update(starter=wrong)))
    assert f"fair: seat {wrong} starts; the secret and the texts give seat" in findings.rounds[0].faults[0]
    assert findings.rounds[0].holds == ("secret", "texts", "tiles")


def test_after_an_illegal_move_deals_are_still_verified() -> None:
    findings = verify(changed(lambda d: d["rounds"][0]["moves"].__setitem__(1, "1 0-0@5")))
    assert [found.holds[:4] for found in findings.rounds] == [EVERYTHING[:4]] * 3
    assert [found.fair for found in findings.rounds] == [True] * 3
    assert ["moves" in found.holds for found in findings.rounds] == [False] * 3
    assert "move 2: 1 0-0@5" in findings.rounds[0].faults[0]
    assert [found.faults for found in findings.rounds[1:]] == [(), ()]
    assert findings.faults == ()


def test_a_fault_of_the_match_is_one_of_no_round() -> None:
    findings = verify(changed(lambda d: d.update(totals=[1, 2, 3])))
    assert holding(findings) == [EVERYTHING] * 3
    assert findings.faults == ("totals is [1, 2, 3], and the match is not over: it should be null",)
    assert not findings.fine


def test_a_later_deal_that_cannot_be_read_is_a_fault_of_its_round() -> None:
    findings = verify(changed(lambda d: d["rounds"][1].update(engine="x-y")))
    assert [found.fair for found in findings.rounds] == [True, False, False]
    assert len(findings.rounds[1].faults) == 1
    with pytest.raises(RecordError, match="round 1: engine"):
        verify(changed(lambda d: d["rounds"][0].update(engine="x-y")))


def test_a_hand_too_many_is_a_fault() -> None:
    findings = verify(changed(lambda d: d["rounds"][1]["hands"].append([])))
    assert "there are 4 hands, and 3 players" in findings.rounds[1].faults


def test_deals_from_elsewhere_are_said_to_be_so() -> None:
    match, rng = Match(rulebook("tactic").with_changes(rounds=3), NAMES[:3], seed=1), random.Random(1)
    play_round(match, rng)
    match.next_round(fair(2))
    play_round(match, rng)
    match.next_round()
    record = match.record()
    assert [found.source for found in verify(record).rounds] == ["seed", "fair", "seed"]
    other = Record.loads(record.dumps().replace('"seed": 1,', '"seed": 2,'))
    assert [found.source for found in verify(other).rounds] == ["given", "fair", "given"]
    assert verify(other).fine
    none = Record.loads(record.dumps().replace(' "seed": 1,\n', ""))
    assert [found.source for found in verify(none).rounds] == ["given", "fair", "given"]


def test_a_deal_that_the_server_made_alone_is_not_a_fair_one() -> None:
    alone = Match(rulebook("tactic"), NAMES[:2], deals=[Fair.of(b"secret", ["", ""], [None, None])])
    (found,) = verify(alone.record()).rounds
    assert (found.holds, found.fair) == (EVERYTHING, False)


# ---- What a player kept -------------------------------------------------------------------------------

ANN = [Kept(text(0, number)) for number in (1, 2, 3)]


def states(kept: list[Kept], seat: int | None = None, record: Record = RECORD) -> list[str]:
    return [found.state for found in compare(record, kept, seat_of(record, kept) if seat is None else seat)]


def test_my_texts_are_found_at_my_seat() -> None:
    assert seat_of(RECORD, ANN) == 0
    found = compare(RECORD, ANN, 0)
    assert [one.state for one in found] == ["there"] * 3
    assert all(one.fine for one in found)


def test_a_text_of_mine_that_is_missing_is_missed() -> None:
    ben = [Kept(text(1, number)) for number in (1, 2, 3)]
    assert seat_of(RECORD, ben) == 1
    assert states(ben) == ["there", "promised", "there"]
    assert not compare(RECORD, ben, 1)[1].fine
    without = changed(lambda d: [d["rounds"][1]["fair"].pop("hashes")])
    assert states(ben, record=without) == ["there", "missing", "there"]
    assert states([ANN[0], Kept("something else"), ANN[2]]) == ["there", "other", "there"]
    assert states(ANN, seat=1) == ["other", "missing", "other"]
    assert states([Kept("a"), Kept("b")]) == ["missing", "missing"]
    assert seat_of(RECORD, [Kept("a"), Kept("")]) is None
    assert seat_of(RECORD, [Kept(), ben[1]]) == 1, "by the hash alone"


def test_rounds_that_are_not_in_the_record() -> None:
    more = [*ANN, Kept("of the fourth"), Kept()]
    assert states(more) == ["there", "there", "there", "not-yet", "nothing"]
    over = changed(lambda d: d.update(winners=[0]))
    assert states(more, record=over) == ["there", "there", "there", "missing", "nothing"]
    assert states(ANN[:1]) == ["there"]


def test_a_round_that_was_no_fair_deal_is_missed() -> None:
    plain = changed(lambda d: d["rounds"][1].pop("fair"))
    assert states(ANN, record=plain) == ["there", "no-fair-deal", "there"]
    told = [ANN[0], Kept(commitment="0" * 64), ANN[2]]
    assert states(told, record=plain) == ["there", "no-fair-deal", "there"]
    assert states([ANN[0], Kept(), ANN[2]], record=plain) == ["there", "nothing", "there"]


def test_what_i_was_told_has_to_be_in_the_record_too() -> None:
    told = fair(1)
    (found,) = compare(RECORD, [Kept(text(0, 1), told.commitment, told.hashes)], 0)
    assert (found.fine, found.same_commitment, found.same_hashes) == (True, True, True)
    (found,) = compare(RECORD, [Kept(text(0, 1), fair(2).commitment, told.hashes)], 0)
    assert (found.fine, found.same_commitment) == (False, False)
    (found,) = compare(RECORD, [Kept(text(0, 1), None, (*told.hashes[:2], "0" * 64))], 0)
    assert (found.fine, found.same_commitment, found.same_hashes) == (False, None, False)


def test_what_was_kept_is_read_in_each_way() -> None:
    assert read_kept(b"one\n\ntwo\n") == [Kept("one"), Kept(), Kept("two")]
    assert read_kept("\ufeff\r\nÑ\r\n".encode()) == [Kept(), Kept("Ñ")]
    assert read_kept(b' ["one", null, {"text": "two", "commitment": "ab", "hashes": ["cd", null]}]') == [
        Kept("one"),
        Kept(),
        Kept("two", "ab", ("cd", None)),
    ]
    for wrong in (b"[1]", b'["a"', b'[{"texts": "a"}]', b'["\xff"]'):
        with pytest.raises(RecordError, match=r"what was kept is a list|not a text file"):
            read_kept(wrong)
