"""Whether bots that think hold the server up: `python bench/thinkers.py` (half a minute).

A task on the event loop wants to be waked every millisecond, while so many people keep asking for moves and hints; how
much later than wanted it is waked is what every table would feel. The same is measured with nobody asking, with the
bots in processes of their own, and, for comparison, in threads of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any

import stationmaster as sm
from stationmaster.bots.levels import LEVELS
from stationmaster.server.thinkers import Thinkers
from stationmaster.server.thinking import Question, answer, to_bytes, to_question

EVERY = 0.001
Ask = Callable[[sm.Observation, str, int], Awaitable[object]]


def spots(count: int = 40) -> list[sm.Observation]:
    """Moments of a round at which there is a choice."""
    book, rng, found = sm.rulebook("puremco-12"), Random(1), []
    while len(found) < count:
        round = sm.Round(book, sm.Deal.shuffle(book, players=4, number=1, seed=len(found)))
        for _ in range(rng.randrange(60)):
            if round.turn is not None:
                round.push(rng.choice(round.legal_moves()))
        if round.turn is not None and len(round.legal_moves()) > 1:
            found.append(round.observe(round.turn))
    return found


async def late(until: float) -> list[float]:
    """By how much the ticker was waked too late, in ms."""
    found = []
    while (now := perf_counter()) < until:
        await asyncio.sleep(EVERY)
        found.append((perf_counter() - now - EVERY) * 1000)
    return sorted(found)


async def beside(ask: Ask | None, levels: tuple[str, ...], askers: int, seconds: float) -> dict[str, float]:
    """How late the ticker is while so many ask one thing after the other."""
    seen, until, answered = spots(), perf_counter() + seconds, 0

    async def keep_asking(ask: Ask, number: int) -> None:
        nonlocal answered
        rng = Random(number)
        while perf_counter() < until:
            await ask(rng.choice(seen), rng.choice(levels), rng.randrange(1000))
            answered += 1

    tasks = [asyncio.create_task(keep_asking(ask, i)) for i in range(askers)] if ask is not None else []
    found = await late(until)
    await asyncio.gather(*tasks)
    return {
        "p50_ms": found[len(found) // 2],
        "p99_ms": found[int(len(found) * 0.99)],
        "max_ms": found[-1],
        "answers_per_s": answered / seconds,
    }


async def in_thread(seen: sm.Observation, level: str, seed: int) -> None:
    """The same in a thread of this process."""
    await asyncio.to_thread(answer, Question("move", seen, level, seed))


async def measure(workers: int, askers: int, seconds: float) -> dict[str, Any]:
    """Everything, one after the other."""
    people = LEVELS[:4]  # the levels that are Python; the stationmaster is mostly compiled
    figures: dict[str, Any] = {"nobody": await beside(None, people, 0, seconds)}
    thinkers = Thinkers(workers)
    started = perf_counter()
    await thinkers.start()
    figures["start_s"] = perf_counter() - started
    try:

        async def in_process(seen: sm.Observation, level: str, seed: int) -> None:
            await thinkers.move(seen, level, seed=seed)

        for name, ask in (("processes", in_process), ("threads", in_thread)):
            figures[name] = await beside(ask, people, askers, seconds)
            figures[f"{name}, stationmaster"] = await beside(ask, ("stationmaster",), askers, seconds)
    finally:
        await thinkers.close()
    return figures


def sending() -> dict[str, float]:
    """What an observation costs to send, in µs and bytes."""
    seen = [Question("move", one) for one in spots()]
    sent = [to_bytes(one) for one in seen]
    times = {"encode_us": (to_bytes, seen), "decode_us": (to_question, sent)}
    figures: dict[str, float] = {"bytes": sum(map(len, sent)) / len(sent)}
    for name, (do, things) in times.items():
        best = float("inf")
        for _ in range(20):
            started = perf_counter()
            for thing in things:
                do(thing)  # type: ignore[operator]
            best = min(best, (perf_counter() - started) / len(things))
        figures[name] = best * 1e6
    return figures


def main() -> int:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--workers", type=int, default=1, help="processes that think (default: %(default)s)")
    parser.add_argument("--askers", type=int, default=4, help="who keep asking (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=4.0, help="of each measurement (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="for a program to read")
    options = parser.parse_args()
    with suppress(ImportError):
        import uvloop

        uvloop.install()
    figures = {
        "cores": os.cpu_count(),
        "sending": sending(),
        **asyncio.run(measure(options.workers, options.askers, options.seconds)),
    }
    if options.json:
        json.dump(figures, sys.stdout, indent=2)
        return 0
    print(
        "An observation: {bytes:.0f} bytes, {encode_us:.0f} µs to encode, {decode_us:.0f} µs to decode.".format(
            **figures["sending"]
        )
    )
    print(f"Ready after {figures['start_s']:.2f} s.")
    print(f"{'waked late by':28}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'answers/s':>11}")
    for name, row in figures.items():
        if isinstance(row, dict) and "p99_ms" in row:
            times = f"{row['p50_ms']:9.2f}{row['p99_ms']:9.2f}{row['max_ms']:9.1f}"
            print(f"{name:28}{times}{row['answers_per_s']:11.0f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
