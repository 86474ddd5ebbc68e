"""Several nodes on one PostgreSQL under play: one dies, one comes, the database is restarted; play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest

from server.clients import (
    Group,
    Person,
    Player,
    Sleeper,
    all_back,
    at_tables,
    check_records,
    check_tables,
    in_time,
    under_way,
)
from server.nodes import Node
from stationmaster.server import entries as e
from stationmaster.store import open_store

if TYPE_CHECKING:
    from postgres import Postgres

SHORT = {"rulebook": "tactic", "changes": {"rounds": 2}}
HASTY = (str(Path(__file__).parent / "run_hasty.py"),)
CLOCK = 5  # seconds, the shortest that there is


def spread(one: Node, two: Node) -> list[Group]:
    """Tables at which some have come through one node, and some through the other."""
    names = ("Ann", "Ben", "Cyd", "Dan")
    people = [
        Person(name, [one.url, two.url] if number % 2 else [two.url, one.url]) for number, name in enumerate(names)
    ]
    return [
        Group(people, 1, seats=4, rulebook=SHORT, think=0.03),
        Group(people[1:3], 2, seats=4, bots=["passenger", "porter"], rulebook=SHORT, think=0.03),
        Group(people[3:], 3, seats=3, bots=["passenger"] * 2, rulebook=SHORT, think=0.03),
    ]


async def play(
    groups: Sequence[Group],
    happening: Callable[[], Awaitable[None]],
    folder: Path,
    *nodes: Node,
    seconds: float = 120,
) -> None:
    """Play while something happens to the nodes; afterwards everything is as it was told."""
    happens = asyncio.ensure_future(happening())
    async with asyncio.TaskGroup() as all_play:
        for group in groups:
            all_play.create_task(in_time(group.play(happens.done), groups, seconds))
    await happens
    await check_records(groups, folder)
    assert not [error for node in nodes for error in node.errors()]
    assert await check_tables(nodes[0].database, groups) > 0


def test_one_of_two_nodes_dies_and_a_third_one_comes(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.fresh()
    one, two = Node(database, tmp_path, "one"), Node(database, tmp_path, "two")
    nodes = [one, two]
    groups = spread(one, two)
    people = groups[0].people

    async def happening() -> None:
        await under_way(groups)
        there = at_tables(groups, one.url)
        killed = monotonic()
        one.kill()
        print(f"all are at the other node {await all_back(there, killed):.2f} s after the kill")
        await under_way(groups)
        three = Node(database, tmp_path, "three")
        nodes.append(three)
        for person in people[:2]:
            person.urls = [three.url, two.url]
        moved = [player for player in at_tables(groups) if player.person in people[:2]]
        began = monotonic()
        for player in moved:
            player.go_elsewhere()
        await all_back(moved, began)
        await under_way(groups)
        there = at_tables(groups, two.url)
        for person in people:
            person.urls = [three.url]
        killed = monotonic()
        two.kill()
        await all_back(there, killed)
        await under_way(groups)

    try:
        asyncio.run(play(groups, happening, tmp_path, *nodes))
    finally:
        for node in nodes:
            node.kill()


def test_postgresql_is_restarted_under_play(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.fresh()
    nodes = [Node(database, tmp_path, "one"), Node(database, tmp_path, "two")]
    groups = spread(*nodes)

    async def happening() -> None:
        for seconds in (0.0, 1.5):
            await under_way(groups)
            began = monotonic()
            await asyncio.to_thread(postgres.stop, "immediate")
            await asyncio.sleep(seconds)
            await asyncio.to_thread(postgres.start)
            there = monotonic()
            await under_way(groups)
            print(f"away {there - began:.2f} s; ten moves at every table {monotonic() - there:.2f} s after that")

    try:
        asyncio.run(play(groups, happening, tmp_path, *nodes))
    finally:
        for node in nodes:
            node.kill()


@pytest.mark.long
def test_whatever_may_happen_to_two_nodes_happens(postgres: Postgres, tmp_path: Path) -> None:
    """Killed, stopped, the database restarted, or away for longer than anybody waits for a connection."""
    database = postgres.fresh()
    nodes = [Node(database, tmp_path, "one"), Node(database, tmp_path, "two")]
    groups = spread(*nodes)
    rng = Random(3)

    def restart(seconds: float) -> None:
        postgres.stop("immediate")
        sleep(seconds)
        postgres.start()

    async def happening() -> None:
        for what in rng.sample(["kill", "kill", "kill", "stop", "restart"] * 8 + ["away"], k=41):
            await under_way(groups)
            await asyncio.sleep(rng.uniform(0, 0.5))
            node = rng.choice(nodes)
            there = at_tables(groups, node.url)
            began = monotonic()
            match what:
                case "kill":
                    node.kill()
                    node.start()
                    await all_back(there, began)
                case "stop":
                    code, _ = await asyncio.to_thread(node.stop)
                    assert code == 0
                    node.start()
                    await all_back(there, began)
                case "restart":
                    await asyncio.to_thread(restart, rng.uniform(0, 1))
                case "away":
                    await asyncio.to_thread(restart, 15)
            back = monotonic()
            await under_way(groups)
            print(f"{what}: {back - began:.2f} s; ten moves at every table {monotonic() - back:.2f} s after that")

    try:
        asyncio.run(play(groups, happening, tmp_path, *nodes, seconds=1200))
    finally:
        for node in nodes:
            node.kill()


def test_bots_and_clocks_happen_once(postgres: Postgres, tmp_path: Path) -> None:
    """Both nodes have the tables in memory, and both look what is due."""
    database = postgres.fresh()
    one, two = Node(database, tmp_path, "one"), Node(database, tmp_path, "two")
    ann, ben = Person("Ann", [one.url]), Person("Ben", [two.url])
    book = {"rulebook": "tactic", "changes": {"rounds": 1}}
    groups = [
        Group([ann], 1, kind=Sleeper, seats=3, bots=["passenger", "conductor"], rulebook=book, clock=CLOCK),
        Group([ben, ann], 2, seats=4, bots=["passenger", "conductor"], rulebook=book),
    ]

    async def nothing() -> None:
        pass

    try:
        asyncio.run(play(groups, nothing, tmp_path, one, two))
        asyncio.run(assert_clocks_ran(database, groups[0].played[0].table))
    finally:
        one.kill()
        two.kill()


async def assert_clocks_ran(database: str, table: str) -> None:
    """Whoever sleeps was given the whole time for each move, and after two of them a bot played on."""
    store = await open_store(database)
    try:
        steps = await store.read(table)
    finally:
        await store.close()
    clocks = 0
    before = 0
    for step in steps:
        moved = [entry for entry in e.decode(step.data).entries if isinstance(entry, e.Moved | e.Dealt | e.Held)]
        for entry in moved:
            if isinstance(entry, e.Moved) and entry.by == "clock":
                assert step.at >= before + 1000 * CLOCK
                clocks += 1
        if moved:
            before = step.at
    assert clocks == 2


def test_who_came_through_a_node_that_died_is_no_longer_there(postgres: Postgres, tmp_path: Path) -> None:
    database = postgres.fresh()
    one, two = (Node(database, tmp_path, name, program=HASTY) for name in ("one", "two"))
    ann, ben = Person("Ann", [one.url]), Person("Ben", [two.url])

    async def look() -> None:
        table = await ann.lay(seats=3, rulebook=SHORT)
        await ben.join(table)
        players = [Player(ann, table), Player(ben, table)]
        tasks = [asyncio.create_task(player.play()) for player in players]
        for player in players:
            await player.until(lambda each: each.present == [0, 1])
        one.kill()
        await players[1].until(lambda each: each.present == [1])
        one.start()
        await players[1].until(lambda each: each.present == [0, 1])
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    try:
        asyncio.run(asyncio.wait_for(look(), 120))
    finally:
        one.kill()
        two.kill()
