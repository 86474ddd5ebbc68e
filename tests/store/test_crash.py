"""A node that is killed loses nothing that it said was stored, and leaves nothing twice or by half."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from store import appending
from store.conftest import Place

TABLES = 8


@contextmanager
def node(place: Place, tables: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that stores steps; killed at the end."""
    command = [sys.executable, appending.__file__, place.url, str(tables)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


async def assert_nothing_is_lost(place: Place, said: dict[str, int]) -> None:
    """Every step that was said to be stored is there, once, and its row is not ahead of it."""
    async with place.open() as store:
        for table, version in said.items():
            steps = await store.read(table)
            assert len(steps) >= version, f"{table}: said to be stored, and lost"
            assert [step.version for step in steps] == list(range(1, len(steps) + 1))
            assert all(step.data == appending.data_of(table, step.version) for step in steps)
            row = await store.row(table)
            assert row is not None
            assert row.version == len(steps), "row and step come together"
            assert [found.table for found in await store.rows(holder="ann", limit=1000)].count(table) == 1


def killed_at_random(place: Place, times: int, seed: int) -> dict[str, int]:
    """Kill a node in the middle of its work, over and over; the last version that it said to be stored, by table."""
    rng = Random(seed)
    said: dict[str, int] = {}
    for _ in range(times):
        with node(place, TABLES) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"open\n"
            for _ in range(rng.randrange(1, 400)):
                table, version = process.stdout.readline().decode().split()
                assert int(version) > said.get(table, 0)
                said[table] = int(version)
            process.kill()
            *rest, _half = process.stdout.read().decode().split("\n")  # what it said before it died
            said |= {line.split()[0]: int(line.split()[1]) for line in rest}
    return said


async def test_a_node_is_killed(place: Place) -> None:
    await assert_nothing_is_lost(place, killed_at_random(place, times=3, seed=1))


@pytest.mark.long
async def test_a_node_is_killed_many_times(place: Place) -> None:
    await assert_nothing_is_lost(place, killed_at_random(place, times=60, seed=2))


def test_three_nodes_start_at_once(place: Place) -> None:
    """On an empty database: one makes it, the others find it made. An SQLite file one has, and the others say so."""
    command = [sys.executable, appending.__file__, place.url, "0"]
    nodes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)]
    said = [process.communicate() for process in nodes]
    assert (b"open\n", b"") in said
    if place.kind == "postgres":
        assert said == [(b"open\n", b"")] * 3
    for out, err in said:
        assert out == b"open\n" or b"one process serves one file" in err
