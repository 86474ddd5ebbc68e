"""The whole server as a person starts it: the command, a file of tables, bots, a browser, a stop and a new start."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from cli.commands import command


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``stationmaster serve`` in this folder, and its address."""
    changes = {"XDG_DATA_HOME": str(folder), "STATIONMASTER_LANGUAGE": "en", "STATIONMASTER_PORT": "0"}
    with (folder / "log").open("a") as log:
        process = subprocess.Popen(
            command("serve", "--host", "127.0.0.1"),
            env=os.environ | changes,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            assert process.stdout is not None
            process.stdout.readline()
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, (folder / "log").read_text()
            yield process, found[0]
        finally:
            process.kill()
            process.communicate()


def until(line: ClientConnection, key: str) -> dict[str, Any]:
    """The next frame with this key."""
    while True:
        frame: dict[str, Any] = json.loads(line.recv(timeout=30))
        assert "error" not in frame, frame
        if key in frame:
            return frame


def test_a_table_outlives_the_server(tmp_path: Path) -> None:
    with served(tmp_path) as (process, url), httpx.Client(base_url=url, timeout=30) as ann:
        assert ann.get("/readyz").json()["state"] == "ready"
        asked = {"name": "Ann", "seats": 3, "bots": ["passenger", "passenger"], "pace": 0}
        made = ann.post("/api/tables", json=asked).json()
        secret = ann.cookies["stationmaster"]
        headers = {"Cookie": f"stationmaster={secret}"}
        path = f"{url.replace('http', 'ws')}/ws/{made['code']}"
        with connect(path, additional_headers=headers) as line:
            version = until(line, "welcome")["version"]
            line.send(json.dumps({"start": True, "version": version, "id": "s"}))
            seen = until(line, "id")["version"]
            process.send_signal(signal.SIGTERM)
            until(line, "goodbye")
        assert process.wait(30) == 0
    with served(tmp_path) as (process, url), httpx.Client(base_url=url, timeout=30) as ann:
        ann.cookies.set("stationmaster", secret)
        assert [table["code"] for table in ann.get("/api/me/tables").json()["tables"]] == [made["code"]]
        assert ann.get(f"/api/tables/{made['code']}").json()["started"]
        path = f"{url.replace('http', 'ws')}/ws/{made['code']}?after={seen}"
        with connect(path, additional_headers=headers) as line:
            assert until(line, "events")["version"] == seen + 1  # the deal goes on where it was
        day = ann.post("/api/tables", json={"name": "Ann", "day": True}).json()
        assert ann.get(f"/api/tables/{day['code']}").json()["group"] == ann.get("/api/day").json()["group"]
        assert ann.get(f"/api/tables/{day['code']}/record").json()["error"] == "not-started"
    assert secret not in (tmp_path / "log").read_text()


def test_a_second_server_on_the_same_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path):
        changes = {"XDG_DATA_HOME": str(tmp_path), "STATIONMASTER_LANGUAGE": "en"}
        second = subprocess.run(
            command("serve", "--host", "127.0.0.1", "--port", "0"),
            env=os.environ | changes,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert second.returncode == 2
        assert "one process serves one file" in second.stderr
        assert second.stderr.count("\n") == 1
