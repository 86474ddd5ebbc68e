"""Bots at work in processes of their own: what they answer, and what happens when one dies, hangs or is left alone."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

import stationmaster as sm
from stationmaster.bots.levels import ADVISER, THINKING
from stationmaster.server.thinkers import Thinkers
from stationmaster.server.thinking import Question, to_bytes, to_question
from stationmaster.words import LANGUAGES

LEVELS = [level.id for level in sm.levels()]
FEW = sm.Limit(playouts=40)
A = TypeVar("A")
SOON = 20.0  # seconds until something has happened for certain


def seen(rulebook: str = "tactic", players: int = 4, moves: int = 12, seed: int = 5) -> sm.Observation:
    """What the seat sees whose turn it is, at a moment where it has a choice."""
    book = sm.rulebook(rulebook)
    round = sm.Round(book, sm.Deal.shuffle(book, players=players, number=1, seed=seed))
    rng = Random(seed)
    while len(round.moves) < moves or len(round.legal_moves()) < 3:
        round.push(rng.choice(round.legal_moves()))
    return round.observe(round.turn)


@asynccontextmanager
async def working(workers: int = 1, patience: float = 15.0) -> AsyncIterator[Thinkers]:
    """Thinkers at work; none of their processes is left behind."""
    thinkers = Thinkers(workers, patience=patience)
    await thinkers.start()
    pids = set(thinkers.pids)
    try:
        yield thinkers
        pids |= set(thinkers.pids)
    finally:
        await thinkers.close()
    assert not [pid for pid in pids if is_there(pid)]


def is_there(pid: int) -> bool:
    """Whether this process runs; one that only waits to be counted does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def until(true: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    while not true():
        await asyncio.sleep(0.01)


def run(what: Coroutine[Any, Any, A]) -> A:
    """Do this, and fail if it has not come to an end soon."""

    async def soon() -> A:
        async with asyncio.timeout(SOON):
            return await what

    return asyncio.run(soon())


async def tick(what: Awaitable[object]) -> int:
    """How many turns the event loop could take while this was done."""
    task = asyncio.ensure_future(what)
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    task.result()
    return turns


# ---- What they answer ------------------------------------------------------------------------------


def test_every_level_plays_there_what_it_plays_here() -> None:
    async def play() -> None:
        async with working() as thinkers:
            for rulebook, players in (("tactic", 2), ("supertrain", 5), ("puremco-18", 8)):
                here = seen(rulebook, players)
                for level in LEVELS:
                    move = await thinkers.move(here, level, seed=9, limit=FEW)
                    assert move is sm.bot(level).choose(here, FEW, Random(9)), (rulebook, level)

    run(play())


def test_without_a_limit_it_is_a_moments_thought() -> None:
    here = seen()

    async def play() -> sm.Move:
        async with working() as thinkers:
            return await thinkers.move(here, "stationmaster", seed=1)

    assert run(play()) is sm.bot("stationmaster").choose(here, THINKING, Random(1))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hint_is_a_move_a_reason_and_what_else_there_is(language: str) -> None:
    here = seen()

    async def ask() -> None:
        async with working() as thinkers:
            hint = await thinkers.hint(here, language=language)
            advice = sm.bot(ADVISER).consider(here, THINKING, Random(0))
            assert hint.move == str(advice.move) == hint.options[0].move
            assert hint.why == advice.sentence(language)
            assert hint.why.endswith(".")
            worths = [option.worth for option in hint.options]
            assert len(worths) > 1
            assert worths == sorted(worths, reverse=True)
            assert worths[0] == 0
            assert {option.move for option in hint.options} <= set(map(str, here.legal_moves))
            assert await thinkers.hint(here, language=language) == hint, "asked again, it says the same"

    run(ask())


def test_a_hand_is_lined_up() -> None:
    here = seen()

    async def ask() -> None:
        async with working() as thinkers:
            found = await thinkers.line_up(here)
        meant = sm.line_up(here)
        assert found.train == tuple(map(str, meant.train.tiles))
        assert [(one.tile, one.moves) for one in found.extras] == [
            (str(extra.tile), tuple(map(str, extra.moves))) for extra in meant.extras
        ]
        end = found.end
        for tile, shows in zip(found.train, found.shows, strict=True):
            assert sm.Tile(tile) == sm.Tile(f"{end}-{shows}"), "each joins what the one before it shows"
            end = shows

    run(ask())


def test_who_may_not_choose_is_told_so() -> None:
    book = sm.rulebook("tactic")
    round = sm.Round(book, sm.Deal.shuffle(book, players=2, number=1, seed=1))
    assert round.turn is not None
    other = round.observe(1 - round.turn)

    async def ask() -> None:
        thinkers = Thinkers()
        with pytest.raises(sm.StationmasterError, match="no move to choose"):
            await thinkers.move(other, "conductor", seed=1)
        with pytest.raises(sm.StationmasterError, match="no move to choose"):
            await thinkers.hint(other, language="en")
        with pytest.raises(sm.WordsError, match="no words in 'fr'"):
            await thinkers.hint(round.observe(round.turn), language="fr")
        with pytest.raises(sm.DealError, match="a spectator has no hand"):
            await thinkers.line_up(round.observe(None))
        assert thinkers.pids == (), "for that nobody has to think"

    run(ask())


def test_an_only_move_is_made_without_asking_anybody() -> None:
    here = sm.Position(sm.rulebook("tactic"), engine="12-12", hands=[["0-1"], ["0-2"]], bone_pile=None).round()

    async def play() -> None:
        thinkers = Thinkers()
        assert str(await thinkers.move(here.observe(0), "stationmaster", seed=1)) == "draw"
        assert thinkers.pids == ()

    run(play())


@pytest.mark.parametrize("rulebook", sm.rulebooks())
def test_an_observation_arrives_as_it_was_sent(rulebook: str) -> None:
    book = sm.rulebook(rulebook)
    round = sm.Round(book, sm.Deal.shuffle(book, players=4, number=1, seed=2), pot=130)
    rng = Random(2)
    while round.turn is not None:
        for seat in (None, round.turn):
            sent = Question("move", round.observe(seat))
            assert to_question(to_bytes(sent)) == sent
        round.push(rng.choice(round.legal_moves()))
    spot = sm.Position(book, engine=book.engines[0], trains={1: f"{book.highest}-3"}, hands=[["0-1"], []], markers=[1])
    sent = Question("line-up", spot.round().observe(0), limit=sm.Limit(seconds=0.5))
    assert to_question(to_bytes(sent)) == sent


# ---- When something goes wrong ---------------------------------------------------------------------


def test_a_process_that_is_killed_is_replaced_and_the_question_asked_again() -> None:
    here = seen()
    long = sm.Limit(seconds=0.5)

    async def play() -> None:
        async with working() as thinkers:
            (pid,) = thinkers.pids
            asked = asyncio.create_task(thinkers.move(here, "stationmaster", seed=1, limit=long))
            await asyncio.sleep(0.1)
            os.kill(pid, signal.SIGKILL)
            assert await asked in here.legal_moves
            assert thinkers.pids
            assert thinkers.pids != (pid,)
            os.kill(thinkers.pids[0], signal.SIGKILL)  # at rest, too
            assert await thinkers.move(here, "porter", seed=3) is sm.bot("porter").choose(here, FEW, Random(3))

    run(play())


def test_a_process_that_hangs_is_replaced() -> None:
    here = seen()

    async def play() -> None:
        async with working(patience=1.0) as thinkers:
            (pid,) = thinkers.pids
            os.kill(pid, signal.SIGSTOP)
            assert await thinkers.move(here, "porter", seed=3) is sm.bot("porter").choose(here, FEW, Random(3))
            assert thinkers.pids != (pid,)
            assert not is_there(pid)

    run(play())


def test_where_no_process_can_answer_the_planner_does(caplog: pytest.LogCaptureFixture) -> None:
    here = seen()

    async def hold_all(thinkers: Thinkers, stopped: set[int]) -> None:
        while True:
            for pid in set(thinkers.pids) - stopped:
                os.kill(pid, signal.SIGSTOP)
                stopped.add(pid)
            await asyncio.sleep(0.001)

    async def play() -> None:
        stopped: set[int] = set()
        async with working(patience=0.3) as thinkers:
            holding = asyncio.create_task(hold_all(thinkers, stopped))
            await asyncio.sleep(0.05)
            # The new process hangs before it is ready: nobody waits a minute for it.
            thinkers._workers[0].starting = 0.5
            move = await thinkers.move(here, "passenger", seed=4, limit=FEW)
            assert move is sm.bot("planner").choose(here, FEW, Random(4))
            assert len(stopped) == 2, "it was tried twice"
            holding.cancel()
            assert await thinkers.move(here, "porter", seed=3) is sm.bot("porter").choose(here, FEW, Random(3))

    with caplog.at_level(logging.WARNING):
        run(play())
    assert "the planner gives it" in caplog.text


def test_who_stops_waiting_does_no_harm() -> None:
    here = seen()

    async def play() -> None:
        async with working() as thinkers:
            (pid,) = thinkers.pids
            slow = [sm.Limit(seconds=seconds) for seconds in (0.3, 30, 30, 30)]
            asked = [asyncio.create_task(thinkers.move(here, "stationmaster", seed=1, limit=one)) for one in slow]
            last = asyncio.create_task(thinkers.move(here, "porter", seed=3))
            await asyncio.sleep(0.1)  # the first is thought about, the others wait
            for one in asked:
                one.cancel()
            assert await last is sm.bot("porter").choose(here, FEW, Random(3)), "not the answer to another's question"
            assert [one.cancelled() for one in asked] == [True] * 4
            assert thinkers.pids == (pid,)

    run(play())


def test_who_asked_first_is_answered_first() -> None:
    here = seen()
    order: list[int] = []

    async def play() -> None:
        async with working() as thinkers:

            async def ask(number: int) -> None:
                await thinkers.move(here, LEVELS[number % 5], seed=number, limit=FEW)
                order.append(number)

            await asyncio.gather(*(ask(number) for number in range(20)))

    run(play())
    assert order == list(range(20))


def test_two_think_at_the_same_time() -> None:
    here = seen()

    async def play() -> None:
        async with working(2) as thinkers:
            one, other = thinkers.pids
            os.kill(one, signal.SIGSTOP)
            os.kill(other, signal.SIGSTOP)
            asked = [asyncio.create_task(thinkers.move(here, "porter", seed=3)) for _ in range(2)]
            await asyncio.sleep(0.05)
            os.kill(one, signal.SIGCONT)
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            assert sum(task.done() for task in asked) == 1, "the other process still has the other question"
            os.kill(other, signal.SIGCONT)
            await asyncio.gather(*asked)

    run(play())


def test_the_event_loop_goes_on_meanwhile() -> None:
    here = seen()

    async def play() -> None:
        async with working() as thinkers:
            assert await tick(thinkers.move(here, "stationmaster", seed=1, limit=sm.Limit(seconds=0.2))) > 100
            assert await tick(thinkers.hint(here, language="es")) > 100

    run(play())


# ---- The end ---------------------------------------------------------------------------------------


def test_who_still_waits_at_the_end_is_told() -> None:
    here = seen()

    async def play() -> None:
        thinkers = Thinkers()
        await thinkers.start()
        slow = sm.Limit(seconds=30)
        asked = [asyncio.create_task(thinkers.move(here, "stationmaster", seed=i, limit=slow)) for i in range(3)]
        await asyncio.sleep(0.05)
        await thinkers.close()
        for one in asked:
            with pytest.raises(sm.StationmasterError, match="gone home"):
                await one
        with pytest.raises(sm.StationmasterError, match="gone home"):
            await thinkers.line_up(here)
        await thinkers.close()

    run(play())


def test_they_can_be_sent_home_after_a_process_was_killed_and_before_any_was_there() -> None:
    async def play() -> None:
        thinkers = Thinkers(2)
        await thinkers.close()
        thinkers = Thinkers(2)
        await thinkers.start()
        os.kill(thinkers.pids[0], signal.SIGKILL)
        pids = thinkers.pids
        await thinkers.close()
        assert not any(map(is_there, pids))

    run(play())


def test_the_processes_end_when_the_server_is_killed() -> None:
    program = (
        "import asyncio\n"
        "from stationmaster.server.thinkers import Thinkers\n"
        "async def main():\n"
        "    thinkers = Thinkers()\n"
        "    await thinkers.start()\n"
        "    print(*thinkers.pids, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert is_there(pid)
        server.kill()
    run(until(lambda: not is_there(pid)))


# ---- As people do ----------------------------------------------------------------------------------
