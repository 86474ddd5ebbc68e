"""Laying tables and sitting down over HTTP: what is asked, what is made of the answers."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from stationmaster.client import ClientError, Refused, Server

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stub(BaseHTTPRequestHandler):
    """Keeps what was asked, and answers as it is told."""

    asked: list[tuple[str, str, Any, dict[str, str]]]
    answers: dict[str, tuple[int, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.asked.append((self.command, self.path, json.loads(body) if body else None, dict(self.headers)))
        status, answer = self.answers[self.path]
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST  # noqa: N815 - http.server's name

    def log_message(self, *_: object) -> None:
        """Nothing on the screen."""


@pytest.fixture
def stub() -> Iterator[Stub]:
    kind = type("Kind", (Stub,), {"asked": [], "answers": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    kind.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield kind
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_table_is_laid_and_joined(stub: Any) -> None:
    made = {"table": "x1", "code": "ABCDEF", "link": f"{stub.url}/t/ABCDEF", "seat": 0}
    stub.answers["/api/tables"] = 201, json.dumps(made).encode()
    stub.answers["/api/tables/ABCDEF/join"] = 200, b'{"table": "x1", "seat": 2}'
    stub.answers["/api/tables/x1/record"] = 200, b'{"rounds": []}'
    server = Server(stub.url, "0" * 32, language="es")
    assert asyncio.run(server.create("Ann", "pressman", seats=3, bots=["porter"])) == made
    assert asyncio.run(server.join("ABCDEF", "Ben")) == 2
    assert asyncio.run(server.join("ABCDEF", "Ben", 2)) == 2
    assert asyncio.run(server.record("x1")) == {"rounds": []}
    assert [asked[:3] for asked in stub.asked] == [
        ("POST", "/api/tables", {"name": "Ann", "rulebook": "pressman", "seats": 3, "bots": ["porter"]}),
        ("POST", "/api/tables/ABCDEF/join", {"name": "Ben"}),
        ("POST", "/api/tables/ABCDEF/join", {"name": "Ben", "seat": 2}),
        ("GET", "/api/tables/x1/record", None),
    ]
    headers = stub.asked[0][3]
    assert headers["Authorization"] == "Bearer " + "0" * 32
    assert (headers["Accept-Language"], headers["Content-Type"]) == ("es", "application/json")
    client = server.client("ABCDEF")
    assert client.address == f"ws{stub.url[4:]}/ws/ABCDEF"
    assert client._headers == {"Authorization": "Bearer " + "0" * 32}


def test_without_a_secret_there_is_a_fresh_one() -> None:
    secrets = {Server("localhost:8300").secret for _ in range(3)}
    assert len(secrets) == 3
    assert all(len(bytes.fromhex(secret)) == 16 for secret in secrets)


def test_what_is_not_done_says_why(stub: Any) -> None:
    stub.answers["/api/tables/A/join"] = 409, b'{"error": "table-full", "sentence": "All seats are taken."}'
    stub.answers["/api/tables/B/join"] = 502, b'{"sorry": "no"}'
    stub.answers["/api/tables/C%2F/join"] = 200, b"<html>"
    server = Server(stub.url)
    with pytest.raises(Refused, match="All seats are taken") as refused:
        asyncio.run(server.join("A", "Ben"))
    assert refused.value.code == "table-full"
    with pytest.raises(ClientError, match="status 502"):
        asyncio.run(server.join("B", "Ben"))
    with pytest.raises(ClientError, match="as a server of Stationmaster does"):
        asyncio.run(server.join("C/", "Ben"))
    with pytest.raises(ClientError, match="does not answer"):
        asyncio.run(Server("http://127.0.0.1:1").join("A", "Ben"))
    with pytest.raises(ClientError, match="not the address of a server"):
        Server("ftp://example.org")
