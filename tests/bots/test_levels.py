"""The levels for people: who is weaker sees less and slips as people do, and nobody plays what looks mad."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import msgspec
import pytest

import oracle
import stationmaster as sm
from both import house_mix
from stationmaster.bots.people import PLAYOUTS, Person, Stationmaster
from stationmaster.lab.entrants import entrant
from stationmaster.lab.frame import frame
from stationmaster.lab.match import Standing, match_job
from stationmaster.lab.work import Task, play
from stationmaster.words import LANGUAGES, catalogue

LEVELS = [level.id for level in sm.levels()]
PEOPLE = [id for id in LEVELS if isinstance(sm.bot(id), Person)]
QUICK = sm.Limit(playouts=12)


def spot(hand: list[str], rulebook: str = "tactic", **more: object) -> sm.Observation:
    """Ann's turn with this hand; her train shows 5, the Mexican Train 9, and Ben's has a marker and shows 8."""
    table: dict[str, object] = {"trains": {0: "12-5", 1: "12-8", "M": "12-9"}, "markers": [1], "engine": "12-12"} | more
    laid = sum(len(train.split()) for train in table["trains"].values())  # type: ignore[attr-defined]
    others = ["0-10", "0-12"]
    pile = 91 - 1 - laid - len(hand) - len(others)
    return sm.Position(sm.rulebook(rulebook), hands=[hand, others], bone_pile=pile, **table).round().observe(0)


def played(id: str, seen: sm.Observation, times: int = 200) -> Counter[str]:
    """What a level plays here, by how often."""
    return Counter(str(sm.bot(id).choose(seen, QUICK, Random(seed))) for seed in range(times))


# ---- What they are ---------------------------------------------------------------------------------


def test_there_are_five_and_each_is_rated_above_the_one_before() -> None:
    assert LEVELS == ["passenger", "porter", "conductor", "dispatcher", "stationmaster"]
    assert list(sm.bots())[-5:] == LEVELS
    ratings = [level.rating for level in sm.levels()]
    assert ratings[0] == 1000
    assert all(30 < upper - lower < 150 for lower, upper in pairwise(ratings)), "in steps that are about even"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", LEVELS)
def test_each_has_a_name_and_says_how_it_plays(id: str, language: str) -> None:
    words = catalogue(language)
    assert str(words[f"level.{id}"])[0].isupper()
    assert str(words[f"level.plays.{id}"])[0].islower()
    assert words[f"bot.about.{id}"]


def test_who_is_stronger_looks_farther_ahead() -> None:
    passenger, porter, conductor, dispatcher = (sm.bot(id) for id in PEOPLE)
    assert passenger.ahead < porter.ahead < conductor.ahead
    assert dispatcher.ahead is None, "the whole train"


def test_the_stationmaster_has_a_limit_of_its_own_and_keeps_to_another() -> None:
    seen = spot(["5-7", "7-9", "9-1", "8-3", "2-4"])
    bot = Stationmaster()
    free, same = (bot.consider(seen, limit, Random(1)) for limit in (sm.Limit(), sm.Limit(playouts=PLAYOUTS)))
    assert free == same
    assert bot.consider(seen, QUICK, Random(1)) == sm.bot("master").consider(seen, QUICK, Random(1))


# ---- What they see ---------------------------------------------------------------------------------


def test_the_passenger_plays_what_is_heavy_and_who_looks_ahead_what_leads_on() -> None:
    seen = spot(["5-11", "5-3", "3-10", "10-10", "10-6"])  # 5-11 is heavy, and the end of the train
    assert played("passenger", seen).most_common(1)[0][0] == "5-11@0"
    for id in LEVELS[2:]:
        assert played(id, seen).most_common(1)[0][0] == "5-3@0", id


@pytest.mark.parametrize("id", PEOPLE)
def test_other_trains_are_overlooked_as_often_as_it_says(id: str) -> None:
    seen = spot(["5-4", "9-11"])  # the own train leads nowhere, and 9-11 is an extra
    bot = sm.bot(id)
    assert isinstance(bot, Person)
    noticed = sum(len(bot.noticed(seen, Random(seed))) == 2 for seed in range(1000))
    assert noticed == pytest.approx(1000 * (1 - bot.overlooks), abs=60)
    assert set(bot.noticed(seen, Random(1))) <= set(seen.legal_moves)


@pytest.mark.parametrize("id", PEOPLE)
def test_nobody_overlooks_the_own_train_or_the_only_place_or_a_double(id: str) -> None:
    bot = sm.bot(id)
    assert isinstance(bot, Person)
    double = spot(["8-1", "5-7"], trains={0: "12-5", 1: "12-8 8-8", "M": "12-9"})
    for seed in range(50):
        assert any(move.train == 0 for move in bot.noticed(spot(["5-7", "9-1"]), Random(seed)))
        assert [str(move) for move in bot.noticed(spot(["9-1", "0-4"]), Random(seed))] == ["9-1@M"]
        assert [str(move) for move in bot.noticed(double, Random(seed))] == ["8-1@1"]


def test_the_weaker_forget_an_extra_more_often() -> None:
    seen = spot(["5-7", "7-2", "9-11"])  # the train can wait; the extra might not find its place again
    extra = [played(id, seen)["9-11@M"] for id in ("passenger", "porter", "dispatcher")]
    assert extra[0] < extra[1] < extra[2]


# ---- What none of them does ------------------------------------------------------------------------


@pytest.mark.parametrize("id", LEVELS)
def test_who_can_go_out_does(id: str) -> None:
    assert played(id, spot(["5-1"]), 10) == {"5-1@0": 10}
    both = spot(["5-5", "5-11"])  # the heavy tile first would leave the double behind
    assert played(id, both, 50) == {"5-5@0": 50}
    assert played(id, spot(["9-9", "9-11"], rulebook="puremco-12"), 50) == {"9-9@M": 50}


def goes_out(round: sm.Round, move: sm.Move) -> bool:
    """Whether this placement, or others of the same turn after it, leave nothing in the hand."""
    seat, turns = round.turn, len(round.moves)
    round.push(move)
    more = [one for one in round.legal_moves() if one.tile is not None] if round.turn == seat else []
    out = (not round.hands[seat] and round.turn is None) or any(goes_out(round, one) for one in more)
    round.pop()
    assert (round.turn, len(round.moves)) == (seat, turns)
    return out


def mad(round: sm.Round, seen: sm.Observation, move: sm.Move) -> str:
    """What looks mad about this move; empty where nothing does."""
    if move.tile is None:
        return "stops" if any(one.tile for one in seen.legal_moves) else ""
    out = [one for one in seen.legal_moves if one.tile is not None and len(seen.hand) <= 4 and goes_out(round, one)]
    if out and move not in out:
        return f"does not go out by {out[0]}"
    own = [one for one in seen.legal_moves if one.train == seen.seat and one.tile is not None]
    ends = {end for tile in seen.hand if tile is not move.tile for end in (tile.low, tile.high)}
    if len(seen.hand) > 4 and move in own and move.exposed not in ends and not seen.book.wild_tiles:
        for one in own:
            rest = {end for tile in seen.hand if tile is not one.tile for end in (tile.low, tile.high)}
            if one.exposed in rest and one.tile.points(seen.book) >= move.tile.points(seen.book):
                return f"ends the own train, and {one} would not"
    return ""


@pytest.mark.parametrize("id", LEVELS)
def test_nobody_plays_what_looks_mad(id: str) -> None:
    bot, rng, found, asked = sm.bot(id), Random(f"mad {id}"), list[str](), 0
    tables = [(sm.rulebook(book), players) for book in sm.rulebooks() for players in (2, 4)]
    tables += [house_mix(number) for number in range(10)]
    for book, players in tables if id in PEOPLE else tables[::6]:
        round = sm.Round(book, sm.Deal.shuffle(book, players, seed=f"mad/{book.id}"))
        while round.turn is not None:
            seen = round.observe(round.turn)
            if len(seen.legal_moves) > 1:
                asked += 1
                move = bot.choose(seen, QUICK, rng)
                assert move in seen.legal_moves
                found += [what] if (what := mad(round, seen, move)) else []
            round.push(oracle.choose_stacked([str(one) for one in round.legal_moves()], rng))
    assert asked > 80
    assert found == []


@pytest.mark.parametrize("id", PEOPLE)
def test_what_is_said_is_what_was_seen(id: str) -> None:
    seen = spot(["5-3", "3-10", "10-6", "5-1"])
    advice = (sm.bot(id).consider(seen, QUICK, Random(seed)) for seed in range(100))
    said = next(one for one in advice if str(one.move) == "5-3@0")
    assert said.sentence() == {
        "passenger": "3-5 fits there, and sheds 8 pips.",
        "porter": "3-5 fits there, and sheds 8 pips; 1 tile more can follow on your train.",
        "conductor": "3-5 fits there, and sheds 8 pips; 2 tiles more can follow on your train.",
    }.get(id, "It goes on with your train; 2 tiles of it are left in your hand.")
    assert max(said.values.values()) == said.values[said.move] == 0


def test_one_pip_is_one_pip() -> None:
    seen = spot(["0-1", "4-9", "7-8"], trains={0: "12-5 5-0", 1: "12-8", "M": "12-11"})
    bot = sm.bot("passenger")
    assert isinstance(bot, Person)
    said = [sm.Advice(sm.Move(move), {}, *bot.reason(seen, sm.Move(move))).sentence() for move in ("0-1@0", "8-7@1")]
    assert said == ["0-1 fits there, and sheds 1 pip.", "7-8 fits there, and sheds 15 pips."]


# ---- How strong they are ---------------------------------------------------------------------------


@pytest.mark.parametrize(("lower", "upper"), [(0, 2), (1, 3)])
def test_two_levels_up_is_clearly_better(lower: int, upper: int) -> None:
    share = rounds_won(LEVELS[upper], LEVELS[lower], "puremco-12", deals=30)
    assert share > 0.55


@pytest.mark.long
@pytest.mark.parametrize("rulebook", ["puremco-12", "tactic", "supertrain", "quarter-pot"])
@pytest.mark.parametrize(("lower", "upper"), list(pairwise(LEVELS[:4])))
def test_a_level_up_is_better(lower: str, upper: str, rulebook: str) -> None:
    assert rounds_won(upper, lower, rulebook, deals=150) > 0.5


def rounds_won(a: str, b: str, rulebook: str, deals: int) -> float:
    """The share of rounds that two of A win against two of B; always the same, for the deals are."""
    job = match_job(entrant(a), entrant(b), sm.rulebook(rulebook), 4, 2, seed="levels")
    standing = Standing(job, deals)
    task = Task(0, 0, deals)
    standing.add(task, frame(job, 0, play(msgspec.json.encode(job), task).rows))
    return standing.share.mean
