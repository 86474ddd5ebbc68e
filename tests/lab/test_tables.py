"""The two ways of playing a round: what is noted is the same, through observations and in the core."""

from __future__ import annotations

from random import Random

import pytest

import stationmaster as sm
from stationmaster.engine.round import core_state
from stationmaster.lab.entrants import entrant
from stationmaster.lab.job import cell
from stationmaster.lab.rounds import InCore, Noted, Observed, Streams, table
from stationmaster.lab.watch import Watch
from stationmaster.planner.weights import weights_for

GAMES = [(id, players) for id in sm.rulebooks() for players in sm.rulebook(id).players if players in (1, 2, 4, 7)]
DETERMINISTIC = [id for id in sm.bots() if sm.bot(id).policy]  # 0 is chance, which has a generator of its own there


@pytest.mark.core
@pytest.mark.parametrize(("id", "players"), GAMES)
def test_the_core_is_watched_as_events_tell_it(id: str, players: int) -> None:
    """The same moves by chance, once by the core alone and once through the referee."""
    book = sm.rulebook(id)
    watch = Watch(core_state(book, players), weights_for(book))
    for number in range(1, 7):
        deal = sm.Deal.shuffle(book, players, number, seed="watched")
        start = sm.Round(book, deal)._state
        row = watch.play(start, (0,) * players, number)
        round = sm.Round(book, deal)
        round._state.seed(number)
        seen = Noted(players, deal.starter)
        while round.turn is not None:
            seen.note(round.push(sm.Move.from_code(round._state.random_move())))
        outcome = round.outcome()
        assert outcome is not None
        row[3::8] = watch.settle(deal.starter, 0, False, book.ante, book.pass_fee)[0]
        assert row == seen.row(round)


@pytest.mark.parametrize("bot", DETERMINISTIC)
def test_a_bot_plays_the_same_in_the_core(bot: str) -> None:
    for id, players in GAMES:
        book, entrants = sm.rulebook(id), [entrant(bot)]
        in_core, observed = InCore(book, players, entrants), Observed(book, entrants)
        game = cell(book, players, ((0,) * players,))
        for sample in range(2):
            for number, deal in game.deals("both", sample):
                streams = Streams("both", sample, 0, number)
                given = (deal, (0,) * players, 30 if book.uses_money else 0, sample == 0, streams)
                assert in_core.play(*given) == observed.play(*given)


def test_the_core_is_taken_where_it_knows_everybody() -> None:
    book, entrants = sm.rulebook("tactic"), [entrant("random"), entrant("greedy"), entrant("lab.players:Heaviest")]
    assert isinstance(table(book, (0, 1, 0), entrants), InCore)
    assert isinstance(table(book, (0, 2), entrants), Observed)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_everybody_plays_by_their_own_policy(seat: int) -> None:
    """Greedy among those who play by chance is left with fewer points, wherever it sits."""
    book, entrants = sm.rulebook("puremco-12"), [entrant("random"), entrant("greedy")]
    there = InCore(book, 3, entrants)
    lineup = tuple(int(at == seat) for at in range(3))
    points = [0, 0, 0]
    for sample in range(150):
        for number, deal in cell(book, 3, (lineup,)).deals("policies", sample):
            row, _ = there.play(deal, lineup, 0, True, Streams("policies", sample, 0, number))
            points = [sum(both) for both in zip(points, row[2::8], strict=True)]
    assert points[seat] == min(points)


def test_a_deal_is_played_from_its_beginning_every_time() -> None:
    book, entrants = sm.rulebook("tactic"), [entrant("greedy")]
    there = InCore(book, 2, entrants)
    deals = [deal for sample in range(3) for _, deal in cell(book, 2, ((0, 0),)).deals("again", sample)]
    streams = Streams("again", 0, 0, 1)
    first = [there.play(deal, (0, 0), 0, True, streams) for deal in deals]
    assert [there.play(deal, (0, 0), 0, True, streams) for deal in deals] == first
    assert [there.play(deal, (0, 0), 0, True, streams) for deal in reversed(deals)] == first[::-1]


@pytest.mark.parametrize("habit", ["BeginsMexican", "WaitsForMexican"])
def test_habits_are_kept(habit: str) -> None:
    book = sm.rulebook("puremco-12")
    bot = entrant(f"stationmaster.lab.habits:{habit}").bot
    rng = Random(1)
    met = other = 0
    for number in range(1, 5):
        round = sm.Round(book, sm.Deal.shuffle(book, 3, number, seed="habits"))
        while round.turn is not None:
            seen = round.observe(round.turn)
            move = bot.choose(seen, sm.Limit(playouts=1), rng)
            assert move in seen.legal_moves
            if not seen.trains["M"]:
                places = {one.train for one in seen.legal_moves if one.tile is not None}
                if "M" in places and len(places) > 1:
                    met += 1
                    assert (move.train == "M") == (habit == "BeginsMexican")
                elif places == {"M"}:
                    other += 1
                    assert move.train == "M", "nothing else can be placed"
            round.push(move)
    assert met
    assert other or habit == "BeginsMexican"
