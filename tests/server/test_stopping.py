"""A node that is asked to stop under play: all are told to come back, nothing is lost, and they do come back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from server.clients import Group, all_back, at_tables, check_records, check_tables, in_time, under_way
from server.nodes import Node
from server.test_killed import four_people

if TYPE_CHECKING:
    from postgres import Postgres


async def stop_and_start(node: Node, groups: list[Group]) -> None:
    """Stop a node in the middle of play, and start it again."""
    await under_way(groups)
    there = at_tables(groups)
    before = [player.goodbyes for player in there]
    began = monotonic()
    code, seconds = await asyncio.to_thread(node.stop)
    assert code == 0
    node.start()
    took = await all_back(there, began)
    for player, goodbyes in zip(there, before, strict=True):
        assert player.goodbyes == goodbyes + 1 or player.over
    print(f"stopped {seconds:.2f} s after it was asked to; all are back after {took:.2f} s")


def test_a_node_is_stopped_under_play(database: str, tmp_path: Path) -> None:
    node = Node(database, tmp_path)
    groups = four_people(node.url, think=0.02)

    async def play() -> None:
        stopping = asyncio.create_task(stop_and_start(node, groups))
        async with asyncio.TaskGroup() as all_play:
            for group in groups:
                all_play.create_task(in_time(group.play(stopping.done), groups))
        await stopping
        await check_records(groups, tmp_path)

    try:
        asyncio.run(play())
        assert node.stop()[0] == 0
        assert not node.errors()
        asyncio.run(check_tables(database, groups))  # and the file may be opened again
    finally:
        node.kill()


def test_a_node_is_stopped_while_its_database_is_away(postgres: Postgres, tmp_path: Path) -> None:
    node = Node(postgres.fresh(), tmp_path)
    groups = four_people(node.url, think=0.02)

    async def stop() -> None:
        await under_way(groups)
        await asyncio.to_thread(postgres.stop)
        try:
            await asyncio.sleep(0.5)
            code, seconds = await asyncio.to_thread(node.stop)
        finally:
            await asyncio.to_thread(postgres.start)
        assert code == 0
        print(f"stopped {seconds:.2f} s after it was asked to, without its database")
        node.start()
        await under_way(groups)

    async def play() -> None:
        stopping = asyncio.create_task(stop())
        async with asyncio.TaskGroup() as all_play:
            for group in groups:
                all_play.create_task(in_time(group.play(stopping.done), groups))
        await stopping

    try:
        asyncio.run(play())
        asyncio.run(check_tables(node.database, groups))
    finally:
        node.kill()
