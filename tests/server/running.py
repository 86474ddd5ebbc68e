"""A server in a process of its own, as tests talk to it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect

from stationmaster.server.settings import Limits, Rate, Settings

MANY = Rate(1_000_000, 1)
GENEROUS = Limits(requests=MANY, tables=MANY, frames=MANY, talk=MANY, connects=MANY, guesses=MANY)
PROGRAM = Path(__file__).parent / "run_fake.py"


class Running:
    """A server that runs."""

    def __init__(self, process: subprocess.Popen[str], url: str, log: Path) -> None:
        self.process = process
        self.url = url
        self.port = int(url.rpartition(":")[2])
        self.log = log

    def client(self, **headers: str) -> httpx.Client:
        """A browser or a program, with cookies of its own."""
        return httpx.Client(base_url=self.url, headers=headers, timeout=20)

    def line(self, path: str = "/ws/OPEN", **options: Any) -> ClientConnection:
        """A connection to a table."""
        return connect(f"ws://127.0.0.1:{self.port}{path}", **options)

    def logged(self) -> list[dict[str, Any]]:
        """What the server wrote down."""
        return [msgspec.json.decode(line) for line in self.log.read_text().splitlines() if line]


@contextmanager
def running(folder: Path, settings: Settings | None = None, **more: Any) -> Iterator[Running]:
    """A server over the fake hall, until the end of the block."""
    start = msgspec.json.encode({"settings": settings or Settings(limits=GENEROUS)} | more).decode()
    log = folder / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), start],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        try:
            assert process.stdout is not None
            process.stdout.readline()
            found = re.search(r"https?://\S+", process.stdout.readline())
            assert found, log.read_text()
            yield Running(process, found[0], log)
        finally:
            process.kill()
            process.communicate()
