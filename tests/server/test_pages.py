"""The web app, when it is built: its files, its pages, and nothing else of the machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from server.fake_hall import FakeHall
from stationmaster.server.app import make_app
from stationmaster.server.settings import Settings


@pytest.fixture
def static(tmp_path: Path) -> Path:
    (tmp_path / "private.txt").write_text("not for anybody")
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>the app</title>")
    (folder / "assets" / "app-1a2b.js").write_text("play()")
    (folder / "icon.svg").write_text("<svg/>")
    return folder


def got(static: Path, path: str, method: str = "GET") -> httpx.Response:
    async def get() -> httpx.Response:
        transport = httpx.ASGITransport(app=make_app(FakeHall(), Settings(), static))
        async with httpx.AsyncClient(transport=transport, base_url="http://server.example") as client:
            return await client.request(method, path)

    return asyncio.run(get())


@pytest.mark.parametrize("path", ["/", "/t/ABCDEF", "/me", "/rules/tactic", "/index.html"])
def test_every_page_is_the_app(static: Path, path: str) -> None:
    answer = got(static, path)
    assert answer.status_code == 200
    assert "the app" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert "style-src 'self';" in answer.headers["content-security-policy"]


def test_files_with_their_content_in_the_name_are_kept(static: Path) -> None:
    assert "immutable" in got(static, "/assets/app-1a2b.js").headers["cache-control"]
    assert got(static, "/assets/app-1a2b.js").headers["content-type"].startswith("text/javascript")
    assert got(static, "/icon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/nothing.js", "/assets/other.js", "/api/nothing", "/ws/ABCDEF", "/../private.txt", "/%2e%2e/private.txt"],
)
def test_what_is_not_there_is_said_in_json(static: Path, path: str) -> None:
    answer = got(static, path)
    assert (answer.status_code, answer.json()["error"]) == (404, "no-such-page")


def test_pages_are_only_read(static: Path) -> None:
    assert got(static, "/", "POST").json()["error"] == "no-such-page"
