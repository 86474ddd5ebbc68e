"""Makes the database of a release that the tests open with every later version.

    python tests/server/released/make.py 1

Run once, with the code of that release, and kept: VERSION.db is the file, VERSION.json what its tables are like.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from server.clients import Person, Player
from server.nodes import Node

HERE = Path(__file__).parent
NAMES = ("Ann", "Ben")
SHORT = {"rulebook": "tactic", "changes": {"rounds": 2}}
Until = Callable[[Player], bool]


def people(*urls: str) -> list[Person]:
    """Those who play, with the secrets that they have in every release."""
    found = [Person(name, urls) for name in NAMES]
    for number, person in enumerate(found, 1):
        person.keep_secret(f"{number:032x}")
    return found


class Stage(Player):
    """Somebody who plays until something is so, and then does nothing more."""

    until_then: Until

    def wanted(self) -> dict[str, Any] | None:
        return None if self.until_then(self) else super().wanted()


def moves(count: int) -> Until:
    """So many moves of the first round, at least."""
    return lambda player: player.stage == "play" and (player.version or 0) > count


def stage(name: str) -> Until:
    """Where the table stands."""
    return lambda player: player.stage == name


WANTED: dict[str, tuple[dict[str, Any], Until, dict[str, Any] | None]] = {
    "over": ({"seats": 3, "bots": ["passenger"]}, stage("over"), None),
    "playing": ({"seats": 2}, moves(12), {"say": "Until tomorrow"}),
    "with a bot": (
        {"seats": 3, "bots": ["conductor"], "clock": 60},
        moves(20),
        {"hold": {"seat": 1, "level": "porter"}},
    ),
    "between": ({"seats": 2, "public": True}, stage("between"), None),
    "dealing": ({"seats": 2}, lambda player: player.stage == "deal" and len(player.deal["hashed"]) == 1, None),
    "paused": ({"seats": 2, "hints": False}, moves(14), {"pause": True}),
    "waiting": ({"seats": 2}, stage("seats"), None),
}


async def play(url: str) -> dict[str, Any]:
    """Lay the tables and play at each of them as far as is wanted; what they are like then."""
    found = {}
    for seed, (name, (wanted, until, last)) in enumerate(WANTED.items()):
        first, second = people(url)
        table = await first.lay(rulebook=SHORT, **wanted)
        await second.join(table)
        players = [Stage(person, table, seed) for person in (first, second)]
        tasks = []
        for player in players:
            player.until_then = until
            tasks.append(asyncio.create_task(player.play()))
        for player in players:
            await player.until(until)
        if last is not None:
            players[0].pending = {**last, "version": players[0].version, "id": "last"}
            assert players[0].socket is not None
            await players[0].send(players[0].socket)
            await players[0].until(lambda player: player.pending is None)
        await asyncio.sleep(0.2)
        versions = [player.version or 0 for player in players]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        found[table] = {"name": name, "version": max(versions), "stage": players[0].stage}
        if name == "over":
            found[table]["record"] = (await first.ask("GET", f"/api/tables/{table}/record")).json()
    return found


def main(version: str) -> None:
    """Make both."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "tables.db"
        node = Node(str(database), Path(folder))
        try:
            found = asyncio.run(play(node.url))
        finally:
            node.kill()
        (HERE / f"{version}.db").unlink(missing_ok=True)
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA page_size = 1024")
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute(f"VACUUM INTO '{HERE / version}.db'")
    (HERE / f"{version}.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
