"""Broken records: the first thing that does not hold is named, with its round and its move."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from match.playing import NAMES, play_match, play_moves, play_round
from stationmaster.errors import RecordError
from stationmaster.match.match import Match
from stationmaster.match.record import Record
from stationmaster.rulebooks.rulebook import rulebook

pytestmark = pytest.mark.core

Document = dict[str, Any]
Breaking = Callable[[Document], object]

GOOD: Document = json.loads(
    play_match(Match(rulebook("puremco-9").with_changes(rounds=2), ["Ann", "Ben"], seed=7), random.Random(7))
    .record()
    .dumps()
)
FIRST, SECOND = GOOD["rounds"]


def refused(document: Document | str | bytes) -> RecordError:
    text = json.dumps(document) if isinstance(document, dict) else document
    with pytest.raises(RecordError) as caught:
        Record.loads(text).replay()
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None, "the message is ours alone"
    assert len(str(caught.value)) < 600
    return caught.value


def swapped(texts: list[str], one: int, other: int) -> None:
    texts[one], texts[other] = texts[other], texts[one]


def first(document: Document) -> Document:
    round: Document = document["rounds"][0]
    return round


def second(document: Document) -> Document:
    round: Document = document["rounds"][1]
    return round


def not_over(document: Document) -> None:
    """Make it a match whose first round still runs, right so far."""
    del document["rounds"][1]
    del first(document)["moves"][10:]
    document["totals"] = document["winners"] = None
    first(document).update(ending=None, points=None, cents=None)


def test_the_record_that_the_others_are_made_from_is_right() -> None:
    assert Record.loads(json.dumps(GOOD)).replay().over
    running = copy.deepcopy(GOOD)
    not_over(running)
    assert not Record.loads(json.dumps(running)).replay().over


MOVES = len(FIRST["moves"])
LAST = FIRST["moves"][-1]
OUT = FIRST["points"].index(0)

BROKEN: dict[str, tuple[Breaking, str, int | None, int | None]] = {
    # The document
    "format": (
        lambda d: d.update(format="stationmaster/2"),
        "the format is 'stationmaster/2', and this program",
        None,
        None,
    ),
    "format and more": (lambda d: d.update(format="x", rounds=3), "the format is 'x'", None, None),
    "no format": (lambda d: d.pop("format"), "format is missing", None, None),
    "no totals": (lambda d: d.pop("totals"), "totals is missing", None, None),
    "unknown field": (lambda d: d.update(winer=0), "winer is not a field here", None, None),
    "players a text": (lambda d: d.update(players="Ann"), "players should be a list, and is a text", None, None),
    "a player a number": (
        lambda d: d["players"].insert(1, 3),
        r"players\[1\] should be a text, and is a whole number",
        None,
        None,
    ),
    "rounds null": (lambda d: d.update(rounds=None), "rounds should be a list, and is null", None, None),
    "seed a list": (
        lambda d: d.update(seed=[]),
        "seed should be a whole number or a text or null, and is a list",
        None,
        None,
    ),
    "no rounds": (lambda d: d.update(rounds=[]), "there are no rounds", None, None),
    # The rulebook and the players
    "no id": (lambda d: d["rulebook"].pop("id"), "rulebook: a record's rulebook has an id and a revision", None, None),
    "revision": (
        lambda d: d["rulebook"].update(revision=99),
        "rulebook: revision = 99: this program knows",
        None,
        None,
    ),
    "parameter missing": (lambda d: d["rulebook"].pop("follow_up"), "rulebook: follow_up is missing", None, None),
    "parameter unknown": (
        lambda d: d["rulebook"].update(follow=1),
        "rulebook: 'follow' is not a parameter",
        None,
        None,
    ),
    "parameter wrong": (lambda d: d["rulebook"].update(highest=99), "rulebook: highest = 99: ", None, None),
    "parameter changed": (
        lambda d: d["rulebook"].update(id="puremco-9", rounds=10, follow_up_draw=False, based_on=None),
        "rulebook: follow_up_draw = False: puremco-9 says True",
        None,
        None,
    ),
    "rulebook's name": (
        lambda d: d["rulebook"].update(name="\x1b[2J"),
        "rulebook: name = .* one line of text",
        None,
        None,
    ),
    "too many players": (lambda d: d.update(players=NAMES[:5]), "players = 5: .* deals for 2, 3, 4", None, None),
    "one player more": (lambda d: d["players"].append("Cleo"), "there are 2 hands, and 3 players", 1, None),
    "nameless player": (lambda d: d.update(players=["Ann", " "]), "seat 1 is called ' ': a name is", None, None),
    # The deal
    "round a list": (lambda d: d["rounds"].insert(1, []), "the round should be an object, and is a list", 2, None),
    "round lacks": (lambda d: second(d).pop("hands"), "hands is missing", 2, None),
    "round has more": (lambda d: second(d).update(hand=[]), "hand is not a field here", 2, None),
    "starter a text": (
        lambda d: second(d).update(starter="0"),
        "starter should be a whole number, and is a text",
        2,
        None,
    ),
    "tile a number": (
        lambda d: first(d)["hands"][1].insert(2, 5),
        r"hands\[1\]\[2\] should be a text, and is a whole",
        1,
        None,
    ),
    "engine": (lambda d: second(d).update(engine="9-9"), "the engine is 9-9; in round 2 it is 8-8", 2, None),
    "engine unreadable": (lambda d: first(d).update(engine="9/9"), "engine: '9/9' is not a tile", 1, None),
    "starter": (
        lambda d: second(d).update(starter=FIRST["starter"]),
        f"seat {FIRST['starter']} starts; it is the turn of seat {SECOND['starter']} to start",
        2,
        None,
    ),
    "starter not there": (lambda d: first(d).update(starter=2), "starter 2: seats count from 0 to 1", 1, None),
    "tile twice": (
        lambda d: first(d)["hands"][0].__setitem__(0, FIRST["hands"][0][1]),
        f"{FIRST['hands'][0][1]} is there once too often",
        1,
        None,
    ),
    "tile of another set": (
        lambda d: first(d)["hands"][0].__setitem__(0, "0-10"),
        "0-10 is not a tile of a double-9",
        1,
        None,
    ),
    "tile unreadable": (
        lambda d: first(d)["bone_pile"].__setitem__(0, "x" * 5000),
        "bone pile: .* is not a tile",
        1,
        None,
    ),
    "tile turned round": (
        lambda d: first(d)["hands"][1].__setitem__(FIRST["hands"][1].index("2-7"), "7-2"),
        "the hand of seat 1: '7-2' is written 2-7 in a record",
        1,
        None,
    ),
    "tile missing": (
        lambda d: first(d)["bone_pile"].pop(),
        f"tiles of the set are missing: {FIRST['bone_pile'][-1]}",
        1,
        None,
    ),
    "hand too large": (
        lambda d: first(d)["hands"][0].append(first(d)["bone_pile"].pop()),
        "seat 0 has 16 tiles, and should have 15: 2 players get 15 each",
        1,
        None,
    ),
    "hand missing": (lambda d: first(d)["hands"].pop(), "there are 1 hands, and 2 players", 1, None),
    # The moves
    "moves swapped": (lambda d: swapped(first(d)["moves"], 0, 1), "it is the turn of seat", 1, 1),
    "other seat": (
        lambda d: second(d)["moves"].__setitem__(0, f"{FIRST['starter']} {SECOND['moves'][0][2:]}"),
        f"it is the turn of seat {SECOND['starter']}, .*, not of seat {FIRST['starter']}",
        2,
        1,
    ),
    "seat not there": (lambda d: first(d)["moves"].__setitem__(0, "7 draw"), "7 draw: it is the turn of seat", 1, 1),
    "illegal pass": (
        lambda d: first(d)["moves"].__setitem__(0, f"{FIRST['starter']} pass"),
        f"{FIRST['starter']} pass is not legal: You can play, for example ",
        1,
        1,
    ),
    "train not there": (
        lambda d: first(d)["moves"].__setitem__(0, FIRST["moves"][0].split("@")[0] + "@5"),
        "is not legal: There is no train 5 here",
        1,
        1,
    ),
    "move left out": (lambda d: first(d)["moves"].pop(3), "is not legal|it is the turn of", 1, 4),
    "move twice": (lambda d: first(d)["moves"].insert(2, FIRST["moves"][1]), "is not legal|it is the turn of", 1, 3),
    "move unreadable": (lambda d: first(d)["moves"].__setitem__(4, "0 12/5@0"), "'12/5@0' is not a move", 1, 5),
    "move without a seat": (lambda d: first(d)["moves"].__setitem__(4, "draw"), "'draw' is not a recorded move", 1, 5),
    "seat with a zero": (lambda d: first(d)["moves"].__setitem__(4, "00 draw"), "is not a recorded move", 1, 5),
    "move with spaces": (lambda d: first(d)["moves"].__setitem__(4, "0  draw"), "is not a recorded move", 1, 5),
    "move with capitals": (
        lambda d: first(d)["moves"].__setitem__(4, "0 Draw"),
        "'Draw' is written draw in a record",
        1,
        5,
    ),
    "train without end": (
        lambda d: first(d)["moves"].__setitem__(4, "0 1-2@" + "9" * 9000),
        "is not a recorded move",
        1,
        5,
    ),
    "move a number": (
        lambda d: second(d)["moves"].__setitem__(2, 5),
        "the move should be a text, and is a whole",
        2,
        3,
    ),
    "move after the end": (
        lambda d: first(d)["moves"].append("0 draw"),
        f"0 draw: the round ended with move {MOVES}",
        1,
        MOVES + 1,
    ),
    # How rounds end
    "end cut off": (lambda d: first(d)["moves"].pop(), "ending is 'out', and the round has not ended", 1, None),
    "ending wrong": (lambda d: first(d).update(ending="blocked"), "ending is 'blocked', and should be 'out'", 1, None),
    "ending null": (lambda d: second(d).update(ending=None), "ending is null, and should be ", 2, None),
    "points wrong": (lambda d: first(d).update(points=[1, 2]), r"points is \[1, 2\], and should be \[", 1, None),
    "points null": (lambda d: first(d).update(points=None), r"points is null, and should be \[", 1, None),
    "points too many": (lambda d: first(d)["points"].append(0), r"points is \[.*\], and should be \[", 1, None),
    "cents wrong": (lambda d: first(d).update(cents=[5, -5]), r"cents is \[5, -5\], and should be \[0, 0\]", 1, None),
    "round that runs is followed": (
        lambda d: (
            first(d)["moves"].pop(),
            first(d).update(ending=None, points=None, cents=None),
        ),
        "the round has not ended, and a further one follows it",
        1,
        None,
    ),
    "round too many": (lambda d: d["rounds"].append(copy.deepcopy(SECOND)), "a match of .* has 2 rounds", 3, None),
    # The match
    "totals wrong": (lambda d: d.update(totals=[0, 0]), r"totals is \[0, 0\], and should be \[", None, None),
    "totals null": (lambda d: d.update(totals=None), r"totals is null, and should be \[", None, None),
    "winners wrong": (lambda d: d.update(winners=[0, 1]), r"winners is \[0, 1\], and should be \[", None, None),
    "round missing": (
        lambda d: d["rounds"].pop(),
        "totals is .*, and the match is not over: it should be null",
        None,
        None,
    ),
    "winners too early": (
        lambda d: (not_over(d), d.update(winners=[0])),
        r"winners is \[0\], and the match is not over: it should be null",
        None,
        None,
    ),
    "points too early": (
        lambda d: (not_over(d), first(d).update(points=[0, 0])),
        r"points is \[0, 0\], and the round has not ended: it should be null",
        1,
        None,
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_it_is_refused(name: str) -> None:
    breaking, message, round, move = BROKEN[name]
    document = copy.deepcopy(GOOD)
    breaking(document)
    error = refused(document)
    assert (error.round, error.move) == (round, move)
    place = "" if round is None else f"round {round}: " if move is None else f"round {round}, move {move}: "
    assert str(error).startswith(place)
    assert re.search(message, str(error)), str(error)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not a JSON document: it breaks off"),
        ("[]", "the record should be an object, and is a list"),
        ("null", "the record should be an object, and is null"),
        ('{"format": "stationmaster/1",', "this is not a JSON document: it breaks off"),
        ('{"format": "stationmaster/1",\n "players": [,]}', "this is not a JSON document: line 2, column 14"),
        (json.dumps(GOOD) + "}", "this is not a JSON document: "),
        (b'{"format": "\xff"}', "this is not a text file (UTF-8)"),
        ("\ud800", "this is not a text file (UTF-8)"),
        ('{"rulebook": {"deal": ' + "[" * 100_000, "this is not a record: lists are nested too deeply"),
        ('{"format": "stationmaster/1", "deal": ' + "[" * 100_000, "deal is not a field here"),
    ],
)
def test_a_text_that_is_no_record_is_refused(text: str | bytes, message: str) -> None:
    error = refused(text)
    assert message in str(error)
    assert (error.round, error.move) == (None, None)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_refused(share: float) -> None:
    text = json.dumps(GOOD)
    assert "it breaks off" in str(refused(text[: int(len(text) * share)]))


# ---- The engine out of a hand ------------------------------------------------------------------------


def pressman(seed: str = "held", players: int = 3) -> Document:
    """A Pressman match in its second round."""
    match = Match(rulebook("pressman"), NAMES[:players], seed=seed)
    play_round(match, random.Random(1))
    match.next_round()
    play_moves(match, random.Random(1), 5)
    document: Document = json.loads(match.record().dumps())
    return document


def is_double(tile: str) -> bool:
    low, _, high = tile.partition("-")
    return low == high


def test_the_engine_is_the_highest_double_held() -> None:
    document = pressman()
    round = second(document)
    seat, place = next(
        (seat, hand.index(tile))
        for seat, hand in enumerate(round["hands"])
        for tile in hand
        if is_double(tile) and seat != round["starter"]
    )
    held, round["hands"][seat][place] = round["hands"][seat][place], round["engine"]
    engine, round["engine"] = round["engine"], held
    error = refused(document)
    assert str(error) == (
        f"round 2: the engine is {held}; seat {seat} holds {engine}, and the highest double held is the engine"
    )


def test_the_engine_comes_out_of_the_starters_hand() -> None:
    document = pressman()
    second(document)["starter"] = other = (second(document)["starter"] + 1) % 3
    error = refused(document)
    assert "should have" in str(error)
    assert "the engine came out of the starter's hand" in str(error)
    assert (error.round, error.move) == (2, None)
    assert str(min(other, SECOND["starter"])) in str(error)


def test_the_whole_set_is_dealt_when_the_engine_is_held_too() -> None:
    document = pressman()
    missing = second(document)["bone_pile"].pop()
    assert str(refused(document)) == f"round 2: tiles of the set are missing: {missing}"


def drawn(seed: int = 0) -> Document:
    """A Pressman match of two whose second round began without a double in the hands, after some draws."""
    document: Document
    while True:
        match = Match(rulebook("pressman").with_changes(deal={2: 3}, rounds=2), NAMES[:2], seed=seed)
        play_round(match, random.Random(1))
        deal = match.next_round().deal
        if sum(map(len, deal.hands)) >= 2 * 3 + 2:  # three tiles drawn, the engine last
            document = json.loads(match.record().dumps())
            return document
        seed += 1


def test_tiles_drawn_for_the_engine_are_kept() -> None:
    document = drawn()
    round = second(document)
    draws = sum(map(len, round["hands"])) - 5
    assert draws >= 3
    assert round["starter"] == draws % 2  # the first to draw in round 2 is seat 1
    assert Record.loads(json.dumps(document)).replay().number == 2


def test_they_are_drawn_in_turn_by_the_right_seats() -> None:
    document = drawn()
    second(document)["starter"] ^= 1
    assert "tiles were drawn for the engine, in turn from seat 1; so seat" in str(refused(document))

    document = drawn()
    hands = second(document)["hands"]
    hands[0].append(hands[1].pop())
    assert "tiles were drawn for the engine, in turn from seat 1" in str(refused(document))
    assert refused(document).round == 2


def test_nobody_draws_for_the_engine_who_holds_a_double() -> None:
    document = drawn()
    round = second(document)
    double = next(tile for tile in round["bone_pile"] if is_double(tile))
    round["bone_pile"][round["bone_pile"].index(double)] = round["hands"][0][0]
    round["hands"][0][0] = double
    assert f"but nobody draws for it while seat 0 holds {double}" in str(refused(document))


# ---- Whatever is broken --------------------------------------------------------------------------------

JUNK: list[Any] = [None, True, -1, 0, 1, 2, 3, 2**80, 1.5, "", "0", "draw", "0 draw", "1 pass", "0-0", "9-9", "W-W"]
JUNK += ["A-W", "12-12", "out", "blocked", "\x00", "é", [], [[]], {}, {"0": 1}, [0], ["0-0"], ["0 draw"]]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in the document."""
    found = [path] if path else []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        found += places(entry, (*path, key))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_changed_is_refused_or_means_what_it_says(seed: int) -> None:
    rng = random.Random(seed)
    everywhere = places(GOOD)
    head = [path for path in everywhere if len(path) < 4 or path[2] != "hands"]
    held = 0
    for _ in range(60):
        document = copy.deepcopy(GOOD)
        *way, key = rng.choice(head if rng.random() < 0.7 else everywhere)
        inside: Any = document
        for step in way:
            inside = inside[step]
        change = rng.randrange(4)
        if change == 0:
            del inside[key]
        elif change == 1 and isinstance(inside, list):
            inside.insert(key, copy.deepcopy(rng.choice(inside)))
        elif change == 2 and isinstance(inside, list):
            rng.shuffle(inside)
        else:
            inside[key] = copy.deepcopy(rng.choice(JUNK))
        try:
            record = Record.loads(json.dumps(document))
            match = record.replay()
        except RecordError:
            continue
        held += 1
        assert match.record().rounds == record.rounds
        assert (match.totals, match.winners) == (record.totals, record.winners)
    assert held < 30
