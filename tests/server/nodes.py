"""Nodes in processes of their own, which may be killed, stopped, and started again at the same address."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

NO_LIMITS = ("requests", "tables", "frames", "talk", "connects")


class Node:
    """``stationmaster serve`` over a database."""

    def __init__(
        self,
        database: str,
        folder: Path,
        name: str = "node",
        *,
        limits: tuple[str, ...] = (),
        program: tuple[str, ...] = ("-m", "stationmaster"),
    ) -> None:
        self.database = database
        self.log = folder / f"{name}.log"
        self.limits = [*(f"{limit}=1000000/1" for limit in NO_LIMITS), *limits]
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it; who asks it something waits until it answers."""
        command = [sys.executable, *self.program, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--database", self.database, "--log", "json"]
        command += [part for limit in self.limits for part in ("--limit", limit)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STATIONMASTER_")}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)

    def kill(self) -> None:
        """Kill it, as when its machine loses power."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> tuple[int, float]:
        """Ask it to stop; its exit code, and the seconds that it took."""
        assert self.process is not None
        began = monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60), monotonic() - began

    def logged(self) -> list[dict[str, Any]]:
        """What it wrote down, each time that it ran."""
        lines = self.log.read_text().splitlines()
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]

    def errors(self) -> list[Any]:
        """What it wrote down of what should not happen; what is no log at all, too."""
        text = self.log.read_text()
        assert "Traceback" not in text, text[-5000:]
        return [line for line in self.logged() if line.get("level") in ("error", "critical")]
