"""Frames written straight into the transport, for uvicorn.

ASGI takes a message for every frame, and awaits it. A move is told to four seats, so that is most of what a server
does. ``Frames`` is uvicorn's own protocol with one more way out: a plain call that puts a text frame together and
hands it to the transport. A client that does not take what is written is known by the transport's own high-water mark.

It also keeps those out who connect and then say nothing, before there is any request that could be counted.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from asyncio.transports import BaseTransport
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from stationmaster.server.ws import DIRECT, LATER

if TYPE_CHECKING:
    from collections.abc import Callable

    from stationmaster.server.house import House
    from stationmaster.server.ws import Client

TAKE_GOODBYE = 10.0  # seconds for a slow client to take the close; then the connection is cut
STILL_SAID = 65_536  # bytes that may still come when the close has been sent: they were on their way
FIRST_REQUEST = 15.0  # seconds to say what is wanted
_SHORT = tuple(bytes((0x81, length)) for length in range(126))  # a whole text frame, by the length of its content


class Frames(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a way to write frames without waiting."""

    told: Client | None = None
    still_said = 0
    counted: str | None = None
    _write: Callable[[bytes], Any]

    def handle_connect(self, event: Any) -> None:
        """A client would like a WebSocket."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            cast("dict[str, Any]", self.scope["extensions"])[DIRECT] = self

    def start(self, client: Client, most: int) -> Callable[[bytes], None]:
        """From now on frames are written by the function given back."""
        self.told = client
        self.transport.set_write_buffer_limits(high=most)
        self._write = self.transport.write
        return self.write

    def write(self, frame: bytes) -> None:
        """Write a text frame."""
        if self.close_sent or self.disconnected:
            return
        length = len(frame)
        if length < 126:
            self._write(_SHORT[length] + frame)
        elif length < 65_536:
            self._write(b"\x81\x7e" + length.to_bytes(2, "big") + frame)
        else:
            self._write(b"\x81\x7f" + length.to_bytes(8, "big") + frame)

    def data_received(self, data: bytes) -> None:
        """Something came. Whoever goes on and on after the close is cut off: to read that, too, takes time."""
        if self.close_sent:
            self.still_said += len(data)
            if self.still_said > STILL_SAID:
                self.transport.abort()
                return
        super().data_received(data)

    def pause_writing(self) -> None:
        """More than may wait is waiting: this client is too slow."""
        super().pause_writing()
        if self.told is None or self.close_sent or self.disconnected:
            return
        self.told.drop()
        self.conn.send_close(LATER)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": LATER})
        self.loop.call_later(TAKE_GOODBYE, self.transport.abort)

    def shutdown(self) -> None:
        """The server stops."""
        if self.told is not None:
            self.told.closed = True
        super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        super().connection_lost(exc)
        let_go(self)
        if self.told is not None:
            self.told.closed = True


class Patient(H11Protocol):
    """uvicorn's HTTP, for so long: who connects and asks for nothing is cut off."""

    counted: str | None = None
    _impatient: TimerHandle | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Somebody connected; who has too many connections already does so in vain."""
        super().connection_made(cast("Transport", transport))
        self.counted = house_of(self).let_in(self.client[0] if self.client else "")
        if self.counted is None:
            self.transport.abort()
            return
        self._impatient = self.loop.call_later(FIRST_REQUEST, self.cut_off)

    def handle_events(self) -> None:
        """Something came; a whole head of a request stops the clock."""
        super().handle_events()
        if self._impatient is not None and self.cycle is not None:
            self.wait_no_more()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """From now on it is a WebSocket's connection."""
        self.wait_no_more()
        super().handle_websocket_upgrade(event)
        now = self.transport.get_protocol()
        if isinstance(now, Frames):
            now.counted, self.counted = self.counted, None

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody is gone."""
        self.wait_no_more()
        super().connection_lost(exc)
        let_go(self)

    def wait_no_more(self) -> None:
        """Stop the clock."""
        if self._impatient is not None:
            self._impatient.cancel()
            self._impatient = None

    def cut_off(self) -> None:
        """Nothing came in time."""
        self._impatient = None
        self.transport.abort()


def house_of(protocol: Frames | Patient) -> House:
    """Whose connection it is."""
    house: House = cast("Any", protocol.config.app).house
    return house


def let_go(protocol: Frames | Patient) -> None:
    """A connection that was counted is gone."""
    if protocol.counted is not None:
        house_of(protocol).sockets.remove(protocol.counted)
        protocol.counted = None
