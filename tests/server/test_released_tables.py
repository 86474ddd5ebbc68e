"""The tables that any release has stored are opened by this one, and those that ran play on."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from server.clients import Group, Player, check_records, check_tables, in_time
from server.nodes import Node
from server.released.make import HERE, WANTED, people

VERSIONS = sorted(file.stem for file in HERE.glob("*.db"))


class Later(Player):
    """Somebody who comes back after a long time, and goes on."""

    def wanted(self) -> dict[str, Any] | None:
        if self.pending is None and self.paused and self.host:
            return {"pause": False}
        return super().wanted()


async def play_on(node: Node, found: dict[str, Any], folder: Path) -> list[Group]:
    """Come back to every table, and play to its end."""
    groups = []
    for number, (table, was) in enumerate(found.items()):
        group = Group(people(node.url), number)
        group.playing = [Later(person, table, number) for person in group.people]
        groups.append(group)
        listed = (await group.people[0].ask("GET", f"/api/tables/{table}")).json()
        assert listed["mine"] == [0], was
        assert listed["over"] == (was["stage"] == "over"), was
        if "record" in was:
            assert (await group.people[0].ask("GET", f"/api/tables/{table}/record")).json() == was["record"]
    tables = {row["table"] for row in (await groups[0].people[1].ask("GET", "/api/me/tables")).json()["tables"]}
    assert tables == set(found)
    async with asyncio.TaskGroup() as all_play:
        for group in groups:
            for player in group.playing:
                all_play.create_task(in_time(player.play(), groups))
    for group in groups:
        group.played = group.playing
    await check_records(groups, folder)
    return groups


def test_there_is_a_database_of_each_release() -> None:
    assert VERSIONS
    for version in VERSIONS:
        found = json.loads((HERE / f"{version}.json").read_text("utf-8"))
        assert {was["name"] for was in found.values()} <= set(WANTED)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_tables_of_an_earlier_release(version: str, tmp_path: Path) -> None:
    shutil.copyfile(HERE / f"{version}.db", tmp_path / "tables.db")
    found = json.loads((HERE / f"{version}.json").read_text("utf-8"))
    node = Node(str(tmp_path / "tables.db"), tmp_path)
    try:
        groups = asyncio.run(play_on(node, found, tmp_path))
        assert not node.errors()
        assert node.stop()[0] == 0
        asyncio.run(check_tables(node.database, groups))
    finally:
        node.kill()
    for group in groups:
        for player in group.played:
            assert player.welcomed[0] >= found[player.table]["version"], "nothing that was stored is missing"
