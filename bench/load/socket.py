"""The least that a WebSocket client needs, quick enough for thousands of connections in one process."""

from __future__ import annotations

import asyncio
import base64
import os
from typing import Any

LOOPBACK = "127.0.0.1"
TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
UNMASKED = b"\0\0\0\0"  # a client has to mask what it sends; with these four bytes it stays as it is


class BrokenError(Exception):
    """A connection that was refused or lost."""


class Socket(asyncio.Protocol):
    """One connection. What comes in goes to ``heard``."""

    __slots__ = ("_buffer", "_lines", "closed", "opened", "transport")

    def __init__(self, path: str, port: int, headers: dict[str, str]) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._lines = (
            f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{more}\r\n"
        )
        self._buffer = b""
        self.closed: int | None = None  # the code of the close
        self.opened: asyncio.Future[None] | None = asyncio.get_running_loop().create_future()
        self.transport: asyncio.Transport | None = None

    async def open(self, port: int) -> None:
        """Connect, and be let in."""
        await asyncio.get_running_loop().create_connection(lambda: self, LOOPBACK, port)
        assert self.opened is not None
        await self.opened
        self.opened = None

    def heard(self, data: bytes) -> None:
        """A text frame came in."""
        raise NotImplementedError

    def lost(self) -> None:
        """The connection is gone."""

    def say(self, data: bytes) -> None:
        """Send a text frame."""
        self._send(TEXT, data)

    def close(self) -> None:
        """Leave."""
        if self.transport is not None and self.closed is None:
            self._send(CLOSE, b"\x03\xe8")
            self.closed = 1000
            self.transport.close()

    def _send(self, kind: int, data: bytes) -> None:
        assert self.transport is not None
        size = len(data)
        if size < 126:
            head = bytes((kind, 0x80 | size))
        else:
            head = bytes((kind, 0xFE)) + size.to_bytes(2, "big")
        self.transport.write(head + UNMASKED + data)

    # ---- What the event loop calls ----

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._lines.encode())

    def connection_lost(self, error: Exception | None) -> None:
        if self.opened is not None and not self.opened.done():
            self.opened.set_exception(BrokenError(f"the connection was closed before it was open: {error}"))
        if self.closed is None:
            self.closed = 1006
        self.lost()

    def data_received(self, data: bytes) -> None:
        if self._buffer:
            data = self._buffer + data
            self._buffer = b""
        if self.opened is not None and not self.opened.done():
            data = self._opening(data)
            if not data:
                return
        at, end = 0, len(data)
        while end - at >= 2:
            size = data[at + 1]
            begin = at + 2
            if size >= 126:
                wide = 2 if size == 126 else 8
                if end - begin < wide:
                    break
                size = int.from_bytes(data[begin : begin + wide], "big")
                begin += wide
            if end - begin < size:
                break
            kind = data[at]
            at = begin + size
            if kind == TEXT:
                self.heard(data[begin:at])
            else:
                self._control(kind, data[begin:at])
        if at < end:
            self._buffer = data[at:]

    def _opening(self, data: bytes) -> bytes:
        assert self.opened is not None
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            self._buffer = data
            return b""
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            self.opened.set_exception(BrokenError(f"refused: {data[:300].decode('latin-1')}"))
            return b""
        self.opened.set_result(None)
        return rest

    def _control(self, kind: int, data: bytes) -> None:
        if kind == PING:
            self._send(PONG, data)
        elif kind == CLOSE:
            self.closed = int.from_bytes(data[:2], "big") if len(data) >= 2 else 1005
            assert self.transport is not None
            self.transport.close()
        elif kind != PONG:
            raise BrokenError(f"a frame of kind {kind:#x}: a text in one piece is expected")
