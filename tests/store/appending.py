"""A process that stores steps until it is killed, and says of each when it is stored: ``TABLE VERSION``.

python appending.py URL TABLES      store
python appending.py URL 0           open the database only, and close it
"""

from __future__ import annotations

import asyncio
import os
import sys

from stationmaster.store import Row, Step, Store, open_store


def data_of(table: str, version: int) -> bytes:
    """What a step says, to know it again."""
    return f'{{"entries": [], "table": "{table}", "version": {version}}}'.encode()


async def play(store: Store, table: str) -> None:
    """Store step after step of a table, from the last one on."""
    version = len(await store.read(table))
    while True:
        version += 1
        row = Row(table, table, version, version, True, False, version, None, ("ann",), b"{}")
        await store.append(Step(table, version, version, data_of(table, version)), row)
        os.write(1, f"{table} {version}\n".encode())


async def main(url: str, tables: int) -> None:
    store = await open_store(url)
    print("open", flush=True)
    if tables:
        await asyncio.gather(*(play(store, f"t{number}") for number in range(tables)))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
