"""The rules as play: small deals, a few moves, what is legal then, and why another move is not.

The scenarios are the .toml files beside this one, one for each sheet; README.md says how to write one. Each is
played by the core and, where a second opinion is possible, by the oracle too.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from oracle import OracleRound, ends, highest_held, match_totals
from stationmaster.engine.deal import Deal, engine_from_hands, turned_tiles
from stationmaster.engine.moves import Move
from stationmaster.engine.position import Position
from stationmaster.engine.reasons import POINTS
from stationmaster.engine.round import Outcome, Round
from stationmaster.engine.shuffle import secret_from_seed
from stationmaster.engine.tiles import Tile
from stationmaster.errors import RulebookError
from stationmaster.match.match import Match
from stationmaster.rulebooks.clauses import REFEREE, SHEETS, clauses
from stationmaster.rulebooks.rulebook import Rulebook, rulebook
from stationmaster.words import LANGUAGES

HERE = Path(__file__).parent


# ---- How a scenario is written ------------------------------------------------------------------------


class Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every kind of scenario has."""

    name: str
    clauses: tuple[str, ...]
    rulebook: str
    changes: dict[str, Any] = {}
    xfail: str = ""  # the core is wrong here, and why

    def book(self, id: str | None = None) -> Rulebook:
        return rulebook(id or self.rulebook).with_changes(**self.changes)


class Scenario(Written, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A spot in a round: what lies there, the moves that are made, and what holds after them."""

    engine: str
    hands: list[list[str]]
    bone_pile: list[str] = []
    turn: int = 0
    names: list[str] | None = None
    # on the table before the first move
    trains: dict[str, list[str]] = {}
    markers: list[int] = []
    first_turns: list[int] | None = None
    must_draw: bool = False
    backwards: bool = False
    pot: int = 0
    last: bool = False

    moves: list[str] = []
    # after the moves; what is not given is not asked
    legal: list[str] | None = None
    turn_after: int | None = None
    illegal: dict[str, str] = {}
    sentence: str | None = None
    said: list[str] | None = None
    told: list[str] | None = None
    markers_after: list[int] | None = None
    shows: dict[str, str] = {}
    open_doubles: list[int | str] | None = None
    direction: int | None = None
    ending: str | None = None
    points: list[int] | None = None
    cents: list[int] | None = None
    pot_after: int | None = None
    sees_hands: bool | None = None
    elsewhere: dict[str, list[str]] = {}

    @property
    def laid_out(self) -> bool:
        """Does something lie on the table before the first move?"""
        return bool(self.trains or self.markers or self.first_turns is not None or self.must_draw or self.backwards)


class Dealt(Written, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What the box holds and how it is dealt, for any seed."""

    tiles: int | None = None
    wild: int | None = None
    hands: dict[str, int] = {}
    pile: dict[str, int] = {}
    refused: list[int] = []
    engines: list[str] | None = None
    rounds: int | None = None
    starters: list[int] | None = None
    players: int | None = None
    seed: int | None = None
    turned: list[list[str]] | None = None


class Matched(Written, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match from the points of its rounds: totals and winners, or who starts each round."""

    players: int
    starters: list[int] | None = None
    points: list[list[int]] = []
    cents: list[list[int]] | None = None
    totals: list[int] | None = None
    winners: list[int] | None = None


class Engine(Written, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An engine that comes out of a hand: what the players drew, and what follows."""

    hands: list[list[str]]
    bone_pile: list[str] = []
    round: int = 1
    engine: str
    starter: int
    hands_after: list[list[str]]
    bone_pile_after: list[str]


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scenario: list[Scenario] = []
    deal: list[Dealt] = []
    engine: list[Engine] = []
    match: list[Matched] = []


def read() -> dict[str, ScenarioFile]:
    """Every file of scenarios by its name."""
    return {
        path.stem: msgspec.convert(tomllib.loads(path.read_text("utf-8")), ScenarioFile)
        for path in sorted(HERE.glob("*.toml"))
    }


FILES = read()


def each(kind: str) -> list[Any]:
    """All scenarios of a kind, as pytest takes them."""
    return [
        pytest.param(
            one, id=f"{name}: {one.name}", marks=[pytest.mark.xfail(reason=one.xfail, strict=True)] if one.xfail else []
        )
        for name, file in FILES.items()
        for one in getattr(file, kind)
    ]


# ---- A spot in a round --------------------------------------------------------------------------------


def begin(scenario: Scenario, book: Rulebook) -> Round:
    """The round before the first move."""
    if not scenario.laid_out:
        deal = Deal(engine=scenario.engine, starter=scenario.turn, hands=scenario.hands, bone_pile=scenario.bone_pile)
        return Round(book, deal, pot=scenario.pot, last=scenario.last)
    return Position(
        book,
        engine=scenario.engine,
        trains=scenario.trains,  # type: ignore[arg-type]
        markers=scenario.markers,
        hands=scenario.hands,
        bone_pile=scenario.bone_pile,
        turn=scenario.turn,
        direction=-1 if scenario.backwards else 1,
        first_turns=scenario.first_turns,
        must_draw=scenario.must_draw,
    ).round()


def second_opinion(scenario: Scenario, book: Rulebook) -> OracleRound:
    """The same for the oracle."""

    def texts(tiles: list[str]) -> list[str]:
        return [str(Tile.parse(tile)) for tile in tiles]

    oracle = OracleRound(
        book,
        str(Tile.parse(scenario.engine)),
        scenario.turn,
        [texts(hand) for hand in scenario.hands],
        texts(scenario.bone_pile),
        scenario.pot,
        scenario.last,
    )
    for train, line in scenario.trains.items():
        moves = [str(Move.parse(f"{text}@{train}")) for text in line]
        oracle.trains[train if train == "M" else int(train)] = [ends(move.partition("@")[0]) for move in moves]
    oracle.markers = set(scenario.markers)
    if scenario.laid_out:
        seats = set(range(len(scenario.hands)))
        waiting = scenario.first_turns if scenario.first_turns is not None else []
        if scenario.first_turns is None and not any(scenario.trains.values()) and not scenario.markers:
            waiting = sorted(seats)
        oracle.had_first_turn = seats - set(waiting)
    oracle.direction = -1 if scenario.backwards else 1
    oracle.must_draw = scenario.must_draw and bool(scenario.bone_pile)
    return oracle


def play(scenario: Scenario, book: Rulebook) -> tuple[Round, tuple[Any, ...]]:
    """Make the moves, asking the oracle at every step; the round, and what the last move did."""
    round, oracle = begin(scenario, book), second_opinion(scenario, book)
    happened: tuple[Any, ...] = ()
    for text in [*scenario.moves, ""]:
        assert oracle.turn == round.turn, f"before {text!r} the oracle gives the turn to seat {oracle.turn}"
        assert oracle.legal() == [str(move) for move in round.legal_moves()], f"the oracle differs before {text!r}"
        assert oracle.markers == round.markers
        if text:
            seat, move = text.split()
            assert round.turn == int(seat), f"{text}: it is seat {round.turn}'s turn"
            happened = round.push(move)
            oracle.play(str(Move.parse(move)))
    outcome = round.outcome()
    assert oracle.ending == (outcome.ending if outcome else None)
    if outcome:
        assert list(outcome.points) == oracle.points()
        if not scenario.laid_out:
            assert list(outcome.cents) == oracle.cents()
    return round, happened


@pytest.mark.parametrize("scenario", each("scenario"))
def test_scenario(scenario: Scenario) -> None:
    round, happened = play(scenario, scenario.book())
    outcome = round.outcome()
    found: dict[str, Any] = {
        "legal": [str(move) for move in round.legal_moves()],
        "turn_after": round.turn,
        "markers_after": sorted(round.markers),
        "open_doubles": list(round.open_doubles),
        "direction": round.direction,
        "ending": outcome.ending if outcome else None,
        "points": list(outcome.points) if outcome else None,
        "cents": list(outcome.cents) if outcome else None,
        "pot_after": round.pot_now,
    }
    expected = {field: getattr(scenario, field) for field in found if getattr(scenario, field) is not None}
    assert {field: found[field] for field in expected} == expected
    for train, end in scenario.shows.items():
        assert round.end_of("M" if train == "M" else int(train)) == end, train
    if scenario.moves:
        mover = int(scenario.moves[-1].split()[0])
        other = next((seat for seat in range(round.players) if seat != mover), None)
        for seat, sentences in ((mover, scenario.said), (other, scenario.told)):
            if sentences is not None:
                assert [event.seen_by(seat).sentence("en", scenario.names) for event in happened] == sentences
        for event in happened:
            assert all(event.sentence(language, scenario.names) for language in LANGUAGES)
    if scenario.sees_hands is not None:
        other = 1 - (round.turn or 0)
        seen = round.observe(other).hands
        assert all((seen[seat] is not None) == (scenario.sees_hands or seat == other) for seat in range(round.players))
    assert expected or scenario.illegal or scenario.shows or scenario.said or scenario.told or scenario.elsewhere


@pytest.mark.parametrize("scenario", [one for one in each("scenario") if one.values[0].illegal])
def test_why_not(scenario: Scenario) -> None:
    """The moves that are refused, each for its reason and by its clause."""
    round, _ = play(scenario, scenario.book())
    reasons = {text: round.why_illegal(text) for text in scenario.illegal}
    for text, expected in scenario.illegal.items():
        reason = reasons[text]
        assert reason is not None, f"{text} is legal"
        code, _, clause = expected.partition(" by ")
        assert reason.code == code, text
        assert not clause or reason.clause == clause, text
        assert all(reason.sentence(language, scenario.names) for language in LANGUAGES)
        assert all(reason.clause_text(language) for language in LANGUAGES)
    if scenario.sentence is not None:
        first = reasons[next(iter(scenario.illegal))]
        assert first is not None
        assert first.sentence("en", scenario.names) == scenario.sentence


@pytest.mark.parametrize(
    ("scenario", "id"),
    [
        pytest.param(one.values[0], id, id=f"{one.id}, by {id}")
        for one in each("scenario")
        for id in one.values[0].elsewhere
    ],
)
def test_the_same_spot_by_another_rulebook(scenario: Scenario, id: str) -> None:
    round, _ = play(scenario, scenario.book(id))
    assert [str(move) for move in round.legal_moves()] == scenario.elsewhere[id]


# ---- The box and the deal -----------------------------------------------------------------------------


@pytest.mark.parametrize("dealt", each("deal"))
def test_deal(dealt: Dealt) -> None:
    book = dealt.book()
    if dealt.tiles is not None:
        assert book.tile_count == dealt.tiles
    if dealt.wild is not None:
        assert book.wild_tile_count == dealt.wild
    if dealt.hands:
        assert {int(players): size for players, size in dealt.hands.items()} == book.deal
    if dealt.engines is not None:
        assert list(book.engines) == dealt.engines
    if dealt.rounds is not None:
        assert book.rounds == dealt.rounds
    numbers = range(1, book.rounds + 1)
    for players in map(int, dealt.hands or dealt.pile):
        for number in numbers:
            deal = Deal.shuffle(book, players, number, seed=number)
            deal.check(book, whole=True)
            if book.engine == "descending":
                assert str(deal.engine) == book.engines[number - 1]
                assert {len(hand) for hand in deal.hands} == {book.deal[players]}
            assert len(deal.bone_pile) == dealt.pile.get(str(players), len(deal.bone_pile))
    for players in dealt.refused:
        with pytest.raises(RulebookError):
            Deal.shuffle(book, players, seed=0)
    seeds = range(100) if dealt.seed is None else [dealt.seed]
    if dealt.starters is not None:
        assert dealt.players is not None
        starters = {Deal.shuffle(book, dealt.players, seed=seed).starter for seed in seeds}
        assert sorted(starters) == dealt.starters
    if dealt.turned is not None:
        assert dealt.players is not None
        assert dealt.seed is not None
        turns = turned_tiles(book, dealt.players, secret_from_seed(dealt.seed), ())
        assert [[f"{seat} {tile}" for seat, tile in sorted(turn)] for turn in turns] == dealt.turned


@pytest.mark.parametrize("one", each("engine"))
def test_engine_out_of_a_hand(one: Engine) -> None:
    first = (one.round - 1) % len(one.hands)
    hands = [[Tile.parse(tile) for tile in hand] for hand in one.hands]
    pile = [Tile.parse(tile) for tile in one.bone_pile]
    engine, starter = engine_from_hands(hands, pile, first=first)
    assert (str(engine), starter) == (one.engine, one.starter)
    assert [[str(tile) for tile in hand] for hand in hands] == one.hands_after
    assert [str(tile) for tile in pile] == one.bone_pile_after
    hands_too, pile_too = [list(hand) for hand in one.hands], list(one.bone_pile)
    assert highest_held(hands_too, pile_too, one.round) == (one.engine, one.starter)
    assert (hands_too, pile_too) == (one.hands_after, one.bone_pile_after)


# ---- The match ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("matched", [one for one in each("match") if one.values[0].starters])
def test_who_starts(matched: Matched) -> None:
    assert matched.starters is not None
    match = Match(matched.book(), [f"Player {seat}" for seat in range(matched.players)], seed=1)
    starters = [match.round.starter]
    while len(starters) < len(matched.starters):
        while match.round.turn is not None:
            match.round.push(match.round.legal_moves()[0])
        starters.append(match.next_round().starter)
    first = starters[0] - matched.starters[0]
    assert [(starter - first) % matched.players for starter in starters] == matched.starters


@pytest.mark.parametrize("matched", [one for one in each("match") if one.values[0].points])
def test_who_wins(matched: Matched, monkeypatch: pytest.MonkeyPatch) -> None:
    book = matched.book()
    assert len(matched.points) == book.rounds
    cents = matched.cents or [[0] * matched.players for _ in matched.points]
    outcomes = [Outcome("out", tuple(row), tuple(money)) for row, money in zip(matched.points, cents, strict=True)]
    match = Match(book, [f"Player {seat}" for seat in range(matched.players)], seed=1)
    monkeypatch.setattr(Match, "outcomes", lambda self: outcomes)
    assert matched.totals is None or list(match.totals) == matched.totals
    assert list(match.leading) == matched.winners
    assert match_totals(matched.points, cents, book) == (list(match.totals), matched.winners)


# ---- Nothing is missing -------------------------------------------------------------------------------


def everything() -> list[Written]:
    """All scenarios of all kinds."""
    return [one for file in FILES.values() for kind in file.__struct_fields__ for one in getattr(file, kind)]


@pytest.mark.parametrize("sheet", [*SHEETS, REFEREE])
def test_every_clause_has_a_scenario(sheet: str) -> None:
    named = {id for one in everything() for id in one.clauses}
    assert [clause.id for clause in clauses(sheet) if clause.id not in named] == []


def test_every_scenario_names_clauses_that_exist() -> None:
    known = {clause.id for sheet in (*SHEETS, REFEREE) for clause in clauses(sheet)}
    for one in everything():
        assert one.clauses, one.name
        assert set(one.clauses) <= known, one.name


def test_every_scenario_has_a_name_of_its_own() -> None:
    for file in FILES.values():
        names = [one.name for kind in file.__struct_fields__ for one in getattr(file, kind)]
        assert sorted(set(names)) == sorted(names)


def test_every_reason_is_given_in_some_scenario() -> None:
    given = {
        text.partition(" by ")[0] for file in FILES.values() for one in file.scenario for text in one.illegal.values()
    }
    assert sorted(given - set(POINTS)) == []
    assert sorted(set(POINTS) - given) == []
