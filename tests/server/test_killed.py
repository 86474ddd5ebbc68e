"""A node is killed while people and bots play, over and over: nothing that it told is lost, and all come back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from server.clients import Group, Person, all_back, at_tables, check_records, check_tables, in_time
from server.nodes import Node

SHORT = {"rulebook": "tactic", "changes": {"rounds": 2}}
RANDOM = Random(0xDEAD)


def four_people(*urls: str, think: float = 0.0) -> list[Group]:
    """Three tables: four people, two and bots, and one among bots."""
    people = [Person(name, urls) for name in ("Ann", "Ben", "Cyd", "Dan")]
    return [
        Group(people, 1, think=think, seats=4, rulebook=SHORT),
        Group(people[:2], 2, think=think, seats=4, bots=["passenger", "porter"], rulebook=SHORT),
        Group(people[3:], 3, think=think, seats=3, bots=["passenger", "conductor"], rulebook=SHORT),
    ]


async def kill(node: Node, groups: Sequence[Group], times: int, rng: Random) -> list[float]:
    """Kill a node at random moments, and start it again; the seconds until all were back, each time."""
    took = []
    for number in range(times):
        while not all(group.playing for group in groups):  # somebody is just laying a table
            await asyncio.sleep(0.01)
        await asyncio.sleep(rng.uniform(0, 0.5))
        if number % 5 == 4:  # while it is starting, or people are coming back
            node.kill()
            node.start()
            await asyncio.sleep(rng.uniform(0, 1))
        killed = monotonic()
        node.kill()
        node.start()
        took.append(await all_back(at_tables(groups), killed))
    return took


async def play_while_killing(database: str, folder: Path, times: int, rng: Random) -> list[float]:
    node = Node(database, folder)
    try:
        groups = four_people(node.url)
        killing = asyncio.create_task(kill(node, groups, times, rng))
        async with asyncio.TaskGroup() as all_play:
            for group in groups:
                all_play.create_task(in_time(group.play(killing.done), groups, 60 + 20 * times))
        await check_records(groups, folder)
        assert not node.errors()
    finally:
        node.kill()
    assert await check_tables(database, groups) > 10 * times
    return sorted(await killing)


def test_a_node_is_killed_under_play(database: str, tmp_path: Path) -> None:
    took = asyncio.run(play_while_killing(database, tmp_path, 10, Random(1)))
    print(f"all are back {took[len(took) // 2]:.2f} s after the kill, at most {took[-1]:.2f} s")


@pytest.mark.long
def test_a_node_is_killed_a_hundred_times(database: str, tmp_path: Path) -> None:
    took = asyncio.run(play_while_killing(database, tmp_path, 100, Random(2)))
    print(f"all are back {took[len(took) // 2]:.2f} s after the kill, at most {took[-1]:.2f} s")
