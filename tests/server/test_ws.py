"""The way to a table, over real WebSockets: what comes through, and what is turned away with which code."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from server.running import GENEROUS, Running, running
from stationmaster.server.people import holder_of
from stationmaster.server.settings import Limits, Rate, Settings


def heard(line: ClientConnection) -> dict[str, object]:
    found: dict[str, object] = json.loads(line.recv(timeout=20))
    return found


def closed(line: ClientConnection) -> int | None:
    """The code with which a connection ends, whatever is told before."""
    try:
        while True:
            line.recv(timeout=20)
    except ConnectionClosed as end:
        return end.rcvd and end.rcvd.code


# ---- What comes through --------------------------------------------------------------------------------


def test_a_move_is_told_to_everybody_at_the_table(server: Running) -> None:
    with server.line() as ann, server.line() as ben, server.line("/ws/QUIET") as cleo:
        for line in (ann, ben, cleo):
            assert "welcome" in heard(line)
        ann.send('{"play": "12-5@0", "version": 0, "id": "a"}')
        assert heard(ann)["id"] == heard(ben)["id"] == "a"
        cleo.send('{"play": "1-1@0", "version": 0, "id": "c"}')
        assert heard(cleo)["id"] == "c"


def test_what_a_client_has_seen_and_reads_is_passed_on(server: Running) -> None:
    with server.line("/ws/OPEN?after=41&language=es") as line:
        assert heard(line) == {"welcome": {"seats": [], "language": "es"}, "version": 41}
    with server.line("/ws/OPEN?after=-1&language=xx") as line:
        assert heard(line) == {"welcome": {"seats": [], "language": "en"}, "version": 0}


def test_a_cookie_or_a_bearer_holds_its_seats(server: Running) -> None:
    with server.client() as client:
        made = client.post("/api/tables", json={"name": "Ann"}).json()
        secret = client.cookies["stationmaster"]
    path = f"/ws/{made['code']}"
    for headers in ({"Cookie": f"a=b; stationmaster={secret}"}, {"Authorization": f"Bearer {secret}"}):
        with server.line(path, additional_headers=headers) as line:
            assert heard(line)["welcome"] == {"seats": [0], "language": "en"}
    for headers in ({}, {"Authorization": f"Bearer {holder_of(secret)}"}):
        with server.line(path, additional_headers=headers) as line:
            assert heard(line)["welcome"] == {"seats": [], "language": "en"}


def test_frames_of_every_length_arrive_whole(server: Running) -> None:
    with server.line() as line:
        heard(line)
        for length in (1, 40, 125, 126, 200, 4000):
            line.send(json.dumps({"id": "x" * length}))
            assert heard(line)["id"] == "x" * length


def test_a_page_of_this_server_may_connect(server: Running) -> None:
    with server.line(origin=server.url) as line:
        assert "welcome" in heard(line)


# ---- What is turned away ------------------------------------------------------------------------------


def test_another_sites_page_may_not_connect(server: Running) -> None:
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as found:
            server.line(origin=origin).__enter__()
        assert found.value.response.status_code == 403
        assert json.loads(found.value.response.body)["error"] == "wrong-origin"


def test_a_table_that_is_not_there(server: Running) -> None:
    with server.line("/ws/NONE?language=es") as line:
        assert heard(line)["error"] == "no-such-table"
        assert closed(line) == 4404
    with pytest.raises(InvalidStatus) as found:
        server.line("/ws/").__enter__()
    assert found.value.response.status_code == 404


def test_malformed_frames_are_answered_and_the_line_stays(server: Running) -> None:
    with server.line() as line:
        heard(line)
        for frame in ("", "nonsense", "[]", "\0", "{" * 4000, '{"id": 5'):
            line.send(frame)
            assert heard(line)["error"] == "bad-frame", frame
        line.send('{"id": "still here"}')
        assert heard(line)["id"] == "still here"


def test_bytes_are_no_text(server: Running) -> None:
    with server.line() as line:
        line.send(b'{"id": "a"}')
        assert closed(line) == 1003


def test_a_frame_that_is_too_large_closes_the_line(server: Running) -> None:
    with server.line() as line:
        line.send("x" * (GENEROUS.frame_bytes + 1))
        assert closed(line) == 1009


def test_what_goes_wrong_in_the_server_is_not_told(server: Running) -> None:
    with server.line() as line:
        heard(line)
        line.send('{"fail": true}')
        assert closed(line) == 1011
    assert "12-5" not in server.log.read_text()
    assert any(entry.get("error") == "RuntimeError" for entry in server.logged())


def raw(server: Running, path: str = "/ws/OPEN") -> socket.socket:
    """A connection on which anything can be written, and which reads nothing by itself."""
    found = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    key = base64.b64encode(os.urandom(16)).decode()
    found.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    read = b""
    while not read.endswith(b"\r\n\r\n"):
        read += found.recv(1)
    assert read.startswith(b"HTTP/1.1 101 ")
    return found


def until_the_end(connection: socket.socket) -> bytes:
    read = b""
    while chunk := connection.recv(65_536):
        read += chunk
    return read


@pytest.mark.parametrize(
    ("written", "code"),
    [
        (b"\x81\x05hello", 1002),  # not masked
        (b"\xf1\x80\0\0\0\0", 1002),  # bits that nothing uses
        (b"\x81\x82\0\0\0\0\xff\xff", 1007),  # no UTF-8
        (b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 1009),  # longer than anything
    ],
)
def test_what_is_no_frame_closes_the_line(server: Running, written: bytes, code: int) -> None:
    with raw(server) as connection:
        connection.sendall(written)
        assert code.to_bytes(2, "big") in until_the_end(connection)[-126:]


def test_a_client_that_vanishes_takes_nobody_along(server: Running) -> None:
    with server.line() as ann:
        heard(ann)
        for _ in range(20):
            raw(server).close()
        ann.send('{"id": "a"}')
        assert heard(ann)["id"] == "a"


def test_a_client_that_does_not_read_is_dropped_and_the_others_are_told(server: Running) -> None:
    with raw(server) as slow, server.line() as fast:
        heard(fast)
        dropped = "stationmaster_dropped_total 0"
        with server.client() as client:
            while dropped == "stationmaster_dropped_total 0":  # until the buffers of the system are full
                fast.send('{"burst": 100}')
                for _ in range(100):
                    assert heard(fast).keys() == {"burst"}
                figures = client.get("/metrics").text.splitlines()
                dropped = next(line for line in figures if line.startswith("stationmaster_dropped_total"))
        assert until_the_end(slow)[-2:] == (1013).to_bytes(2, "big")
        fast.send('{"id": "still here"}')
        assert heard(fast)["id"] == "still here"


# ---- Limits -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    limits = Limits(frames=Rate(10, 3600), talk=Rate(3, 3600))
    with running(tmp_path_factory.mktemp("strict"), Settings(limits=limits)) as found:
        yield found


def test_a_flood_is_answered_with_its_code_and_then_closed(strict: Running) -> None:
    with strict.line() as line, strict.line() as other:
        heard(line)
        for number in range(12):
            line.send(json.dumps({"id": str(number)}))
        answers = [heard(line) for _ in range(12)]
        assert [answer.get("error") for answer in answers] == [None] * 10 + ["too-fast"] * 2
        assert answers[-1]["id"] == "11"
        heard(other)
        other.send('{"id": "calm"}')
        while heard(other).get("id") != "calm":
            pass
        for _ in range(100):
            line.send("{}")
        assert closed(line) == 1008


def test_who_says_too_much_waits_and_plays_on(strict: Running) -> None:
    with strict.line() as line:
        heard(line)
        for number in range(4):
            line.send(json.dumps({"say": "hello", "id": str(number)}))
        assert [heard(line).get("error") for _ in range(4)] == [None, None, None, "too-fast"]
        line.send('{"play": "12-5@0", "id": "p"}')
        assert heard(line)["id"] == "p"


def test_codes_cannot_be_tried_out_one_after_the_other(tmp_path: Path) -> None:
    with running(tmp_path, Settings(limits=Limits(guesses=Rate(3, 3600)))) as server, server.client() as client:
        assert client.get("/api/tables/AAAAAA").status_code == 404
        assert client.post("/api/tables/AAAAAB/join", json={"name": "Eve"}).status_code == 404
        with server.line("/ws/AAAAAC") as line:
            assert heard(line)["error"] == "no-such-table"
        answer = client.get("/api/tables/OPEN")
        assert (answer.status_code, answer.json()["error"]) == (429, "too-many-requests")
        assert int(answer.headers["retry-after"]) > 0
        with pytest.raises(InvalidStatus) as refused, server.line():
            pass
        assert refused.value.response.status_code == 429
        assert client.get("/api/tables").status_code == 200


def test_an_address_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    settings = Settings(limits=Limits(connections=2, connects=Rate(5, 3600)))
    with running(tmp_path, settings) as server:
        with server.line(), server.line():
            with pytest.raises(InvalidStatus) as found:
                server.line().__enter__()
            assert json.loads(found.value.response.body)["error"] == "too-many-connections"
            with server.client() as client:
                assert client.get("/healthz").status_code == 200
        for _ in range(2):
            with contextlib.suppress(InvalidStatus):
                server.line().__enter__()
        with pytest.raises(InvalidStatus) as found:
            server.line().__enter__()
    assert found.value.response.status_code == 429
    assert json.loads(found.value.response.body)["error"] == "too-many-requests"
    assert int(found.value.response.headers["retry-after"]) > 0
