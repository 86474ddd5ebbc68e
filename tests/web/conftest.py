"""A browser, and a server in a process of its own: the app as people have it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from stationmaster.server import pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Server:
    """``stationmaster serve``, which can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = "0"
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Until it has said where it is."""
        limits = [f"--limit={name}=1000000/1" for name in ("requests", "tables", "frames", "talk", "connects")]
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "stationmaster", "serve", "--host", "127.0.0.1", "--port", self.port),
                *("--database", str(self.folder / "tables.db"), "--log", "text", *limits),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = found[1]
                break
        self.reading = threading.Thread(target=self.process.stdout.read)
        self.reading.start()

    def kill(self) -> None:
        """At once, as a power cut does."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.reading.join()
        self.process.stdout.close()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    if pages.built() is None:
        pytest.skip("the web app is not built; see `make web`")
    found = Server(tmp_path)
    found.start()
    yield found
    found.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()
