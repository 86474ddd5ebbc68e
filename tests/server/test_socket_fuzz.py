"""Whatever is written to a socket, the server answers it with a code or closes with a code, and serves the others."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.sync.client import ClientConnection, connect

from server.test_whole import served
from stationmaster.server.codes import CODES
from stationmaster.server.protocol import LARGEST_FRAME, VERBS
from stationmaster.server.settings import Limits

CLOSES = {1000, 1002, 1003, 1007, 1008, 1009}  # docs/protocol.md: what a client may have done to be closed
MANY = ("requests", "tables", "frames", "talk", "connects", "guesses")
FUZZ = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=120)
MORE = settings(FUZZ, max_examples=5_000)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(0, 13)
    | st.sampled_from([10**400, -(2**63), 2**64, 1e308, -0.0, 0.1])
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=40)  # half of a surrogate pair is a character too
    | st.sampled_from(
        ["", "draw", "pass", "5-12@0", "99-99@M", "0" * 64, "ask", "hint", "clap", "\0", "\ud800", "porter"]
    )
)
KEYS = st.sampled_from(["seat", "level", "on", "name", "id"]) | st.text(max_size=5)
ANYTHING = st.recursive(SCALARS, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(KEYS, parts, max_size=3))
AT_SEATS = st.fixed_dictionaries(
    {"seat": ANYTHING}, optional={"level": ANYTHING, "on": ANYTHING, "name": ANYTHING, "more": ANYTHING}
)
VERB = st.tuples(st.sampled_from(VERBS), ANYTHING | AT_SEATS | st.just(True))
COMMAND = st.builds(
    lambda verbs, more: {"version": 1, "id": "a", **dict(verbs), **more},
    st.lists(VERB, min_size=1, max_size=2),
    st.fixed_dictionaries({}, optional={"version": ANYTHING, "id": ANYTHING, "seat": ANYTHING, "more": ANYTHING}),
)
DEEP = st.builds(lambda sign, depth: sign * depth, st.sampled_from(["[", '{"a":', '{"bot":']), st.integers(1, 1_300))
TEXTS = (COMMAND | ANYTHING).map(json.dumps) | st.text(max_size=200) | DEEP
FRAMES = st.lists(
    st.tuples(
        st.integers(0, 255), st.binary(max_size=200) | st.sampled_from([b'{"id":"a"}', b"\xff", b"\xc3", b"[" * 126])
    ),
    min_size=1,
    max_size=4,
)


class Rough:
    """A server, a table at which a match is played, and the host's own line to it."""

    def __init__(self, url: str, secret: str, code: str) -> None:
        self.url = url
        self.port = int(url.rpartition(":")[2])
        self.secret = secret
        self.path = f"/ws/{code}"
        self.calm: ClientConnection
        self.count = 0

    def line(self) -> connect:
        """A connection of the host's to the table."""
        headers = {"Authorization": f"Bearer {self.secret}"}
        return connect(f"ws://127.0.0.1:{self.port}{self.path}", additional_headers=headers, max_size=None)

    def lives(self) -> None:
        """Others are served as ever; who was made to leave sits down again."""
        told = self.asked(ask="view")
        if not told[-2]["welcome"]["you"]:
            self.asked(sit={"name": f"Ann {self.count}"})

    def asked(self, **command: Any) -> list[dict[str, Any]]:
        """All that is told until this is answered."""
        self.count += 1
        id = f"calm {self.count}"
        self.calm.send(json.dumps({**command, "version": 1, "id": id}))
        told: list[dict[str, Any]] = [{}]
        while id not in (told[-1].get("ok"), told[-1].get("id")):
            told.append(json.loads(self.calm.recv(timeout=20)))
        return told


@pytest.fixture(scope="module")
def rough(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rough]:
    limits = ",".join(f"{name}=1000000/1" for name in MANY)
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STATIONMASTER_LIMIT", limits)
        with served(folder) as (process, url), httpx.Client(base_url=url, timeout=30) as ann:
            wanted = {"name": "Ann", "seats": 3, "bots": ["passenger", "passenger"], "pace": 0}
            made = ann.post("/api/tables", json=wanted).json()
            found = Rough(url, ann.cookies["stationmaster"], made["code"])
            with found.line() as found.calm:
                yield found
            assert process.poll() is None
            assert '"level":"error"' not in (folder / "log").read_text()


def answer(line: ClientConnection) -> dict[str, Any]:
    """The answer to what was sent last; every frame of a client has one."""
    while True:
        frame: dict[str, Any] = json.loads(line.recv(timeout=20))
        if "id" in frame or any(kind in frame for kind in ("ok", "answer", "error")):
            return frame


def whatever_is_said(rough: Rough, text: str) -> None:
    with rough.line() as line:
        line.send(text.encode("utf-8", "replace"), text=True)
        found = answer(line)
        assert "error" not in found or (found["error"] in CODES and found["error"] != "internal"), (text, found)
        assert "error" not in found or found["sentence"], (text, found)
    rough.lives()


@FUZZ
@given(text=TEXTS.filter(lambda text: len(text.encode("utf-8", "replace")) <= LARGEST_FRAME))
def test_whatever_is_said_is_answered(rough: Rough, text: str) -> None:
    whatever_is_said(rough, text)


@pytest.mark.long
@MORE
@given(text=TEXTS.filter(lambda text: len(text.encode("utf-8", "replace")) <= LARGEST_FRAME))
def test_whatever_is_said_is_answered_at_length(rough: Rough, text: str) -> None:
    whatever_is_said(rough, text)


def asked(rough: Rough, more: str = "") -> bytes:
    """A request for a WebSocket."""
    return (
        f"GET {rough.path} HTTP/1.1\r\nHost: 127.0.0.1:{rough.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
    ).encode()


def frame(first: int, content: bytes, masked: bool) -> bytes:
    """A frame of a WebSocket with any first byte: reserved bits, opcodes that there are not, parts without an end."""
    size = struct.pack("!B", len(content)) if len(content) < 126 else struct.pack("!BH", 126, len(content))
    if not masked:
        return bytes([first]) + size + content
    return bytes([first, size[0] | 0x80]) + size[1:] + b"\0\0\0\0" + content


def closed_with(told: bytes) -> int | None:
    """The code of the close among the frames that were told; None when there was none."""
    while len(told) >= 2:
        opcode, size, start = told[0] & 0x0F, told[1], 2
        if size == 126:
            size, start = int.from_bytes(told[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(told[2:10], "big"), 10
        if opcode == 8:
            return int.from_bytes(told[start : start + 2], "big") if size >= 2 else 1000
        told = told[start + size :]
    return None


def whatever_is_written(rough: Rough, frames: list[tuple[int, bytes]], masked: bool, tail: bytes) -> None:
    with socket.create_connection(("127.0.0.1", rough.port), timeout=20) as raw:
        raw.sendall(asked(rough, f"Authorization: Bearer {rough.secret}\r\n"))
        told = b""
        while b"\r\n\r\n" not in told:
            told += raw.recv(4096)
        told = told.partition(b"\r\n\r\n")[2]
        raw.sendall(b"".join(frame(first, content, masked) for first, content in frames) + tail)
        raw.shutdown(socket.SHUT_WR)
        while True:
            try:
                more = raw.recv(65_536)
            except ConnectionResetError:
                break
            if not more:
                break
            told += more
        assert closed_with(told) in (None, *CLOSES)
    rough.lives()


@FUZZ
@given(frames=FRAMES, masked=st.sampled_from([True, True, True, False]), tail=st.binary(max_size=12))
def test_whatever_is_written_hurts_nobody(
    rough: Rough, frames: list[tuple[int, bytes]], masked: bool, tail: bytes
) -> None:
    whatever_is_written(rough, frames, masked, tail)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([(0x81, b"\xff\xfe")], 1007),  # no UTF-8
        ([(0x01, b"\xc3"), (0x80, b"(")], 1007),  # nor when it comes in parts
        ([(0x82, b"{}")], 1003),  # bytes
        ([(0x83, b"{}")], 1002),  # no such opcode
        ([(0xC1, b"{}")], 1002),  # a reserved bit
        ([(0x80, b"{}")], 1002),  # the rest of nothing
        ([(0x01, b"{"), (0x81, b"}")], 1002),  # another begins before the end
        ([(0x09, b"")], 1002),  # a ping in parts
        ([(0x01, b"x" * 4_096)] + [(0x00, b"x" * 4_096)] * 2, 1009),
        ([(0x88, b"\x03")], 1002),  # half of a code
        ([(0x88, b"\x03\xe8bye")], 1000),
    ],
)
def test_what_closes_a_line_has_its_code(rough: Rough, frames: list[tuple[int, bytes]], code: int) -> None:
    assert Limits().frame_bytes == 2 * LARGEST_FRAME
    with socket.create_connection(("127.0.0.1", rough.port), timeout=20) as raw:
        raw.sendall(asked(rough))
        told = b""
        while b"\r\n\r\n" not in told or b"present" not in told:
            told += raw.recv(65_536)
        raw.sendall(b"".join(frame(first, content, True) for first, content in frames))
        told = told.partition(b"\r\n\r\n")[2]
        while closed_with(told) is None:
            more = raw.recv(65_536)
            assert more, told[-200:]
            told += more
        assert closed_with(told) == code
    rough.lives()
