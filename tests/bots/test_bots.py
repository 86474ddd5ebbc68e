"""Every bot: it gets an observation and gives a legal move, and the same again for the same random numbers."""

from __future__ import annotations

import pydoc
from collections import Counter
from random import Random

import pytest

import stationmaster as sm
from stationmaster.words import LANGUAGES


def rounds(id: str) -> sm.Round:
    book = sm.rulebook(id)
    return sm.Round(book, sm.Deal.shuffle(book, 4, seed=id))


@pytest.mark.parametrize("id", sm.bots())
@pytest.mark.parametrize("book", sm.rulebooks())
def test_a_bot_plays_a_whole_round_by_legal_moves(id: str, book: str) -> None:
    bot, round = sm.bot(id), rounds(book)
    rng = Random(3)
    while round.turn is not None:
        round.push(bot.choose(round.observe(round.turn), sm.Limit(playouts=10), rng))
    assert round.outcome() is not None


@pytest.mark.parametrize("id", sm.bots())
def test_the_same_random_numbers_give_the_same_advice(id: str) -> None:
    bot, seen = sm.bot(id), rounds("tactic").observe(0)
    limit = sm.Limit(playouts=10)
    advice = [bot.consider(seen, limit, Random(seed)) for seed in (1, 1, 2, 2)]
    assert advice[0] == advice[1]
    assert advice[2] == advice[3]
    assert bot.choose(seen, limit, Random(1)) == advice[0].move


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id", sm.bots())
def test_a_bot_says_why(id: str, language: str) -> None:
    advice = sm.bot(id).consider(rounds("tactic").observe(0), sm.Limit(playouts=10), Random(1))
    assert advice.sentence(language).endswith(".")


def test_chance_plays_every_legal_move_equally_often() -> None:
    seen = rounds("supertrain").observe(rounds("supertrain").turn)
    bot, rng = sm.bot("random"), Random(5)
    count = Counter(bot.choose(seen, sm.Limit(), rng) for _ in range(600 * len(seen.legal_moves)))
    assert set(count) == set(seen.legal_moves)
    assert all(500 < times < 700 for times in count.values())


def test_a_bot_that_is_not_there_is_refused() -> None:
    with pytest.raises(sm.StationmasterError, match="no bot is called 'chess': there are random"):
        sm.bot("chess")


def test_advice_need_not_say_why_and_may_say_it_freely() -> None:
    move = sm.Move.parse("draw")
    assert sm.Advice(move).sentence() == ""
    assert sm.Advice(move, why="It feels {right}.").sentence("es") == "It feels {right}."
    assert sm.Advice(move).values == {}


@pytest.mark.parametrize("name", sm.__all__)
def test_help_can_be_asked_for(name: str) -> None:
    assert pydoc.render_doc(getattr(sm, name), renderer=pydoc.plaintext)


def test_there_is_one_of_each_bot() -> None:
    assert sm.bot("random") is sm.bot("random")
    assert [sm.bot(id).id for id in sm.bots()] == list(sm.bots())


@pytest.mark.parametrize("limit", [{"seconds": 0}, {"seconds": -1.0}, {"playouts": 0}])
def test_a_limit_is_more_than_nothing(limit: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        sm.Limit(**limit)


def test_no_limit_is_a_limit_too() -> None:
    assert sm.Limit() == sm.Limit(seconds=None, playouts=None)
