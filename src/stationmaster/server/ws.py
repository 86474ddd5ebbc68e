"""The way to a table: one WebSocket for each connection of a person.

A move is told to everybody at the table, so what happens here happens most often in the whole server. Frames go out
by a plain call, without a task and without a wait: into the transport where the server offers that (``frames.py``), or
else into a queue that one task empties.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

import msgspec

from stationmaster.server import people
from stationmaster.server.denied import Denied, status_of
from stationmaster.server.headers import address_of, from_here, language_of
from stationmaster.server.limits import Bucket, whose
from stationmaster.server.logs import note, trouble
from stationmaster.server.protocol import id_of
from stationmaster.server.refusal import Refusal
from stationmaster.store.base import StoreError

if TYPE_CHECKING:
    from stationmaster.server.hallway import Line
    from stationmaster.server.house import House

DIRECT = "stationmaster.frames"  # what a server offers that lets us write frames ourselves
GONE_SLOW = 2.0  # seconds for a slow client to take its goodbye

# Codes of a close. Those from 4000 are ours; browsers show them to the page.
FINE, BINARY, POLICY, FAILED, RESTART, LATER = 1000, 1003, 1008, 1011, 1012, 1013
NOT_FOUND, NOT_ALLOWED = 4404, 4403
CLOSES = {404: NOT_FOUND, 403: NOT_ALLOWED, 429: LATER, 503: LATER, 500: FAILED}

MOST_REFUSED = 100  # frames in a row that were too fast; then the connection is closed

_encode = msgspec.json.Encoder().encode


class Client:
    """One connection's way out. ``send`` never waits; who does not take what is told is dropped."""

    __slots__ = ("_closing", "_direct", "_most", "_out", "_queue", "_size", "_wake", "closed", "metrics", "slow")

    def __init__(self, house: House, direct: Any, out: Any) -> None:
        self.metrics = house.metrics
        self.closed = False
        self.slow = False
        self._direct = direct
        self._out = out
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._most = house.settings.limits.buffer_bytes
        self._wake = asyncio.Event()
        self._closing: int | None = None

    def send(self, frame: bytes) -> None:
        """Tell the client something."""
        if self.closed:
            return
        metrics = self.metrics
        metrics.frames_out += 1
        metrics.bytes_out += len(frame)
        if self._direct is not None:
            self._direct(frame)
            return
        self._size += len(frame)
        if self._size > self._most:
            self.drop()
            return
        self._queue.append(frame)
        self._wake.set()

    def drop(self) -> None:
        """The client is too slow: nothing more is kept for it."""
        if self.closed:
            return
        self.closed = self.slow = True
        self._queue.clear()
        self.metrics.dropped += 1
        self._wake.set()

    async def write(self) -> None:
        """Empty the queue, over and over, where the server takes frames one by one only."""
        queue, out = self._queue, self._out
        while not self.closed:
            await self._wake.wait()
            self._wake.clear()
            while queue:
                frame = queue.popleft()
                await out({"type": "websocket.send", "text": frame.decode()})
                self._size -= len(frame)


class Sockets:
    """All connections to tables."""

    def __init__(self, house: House) -> None:
        self.house = house

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """One connection, from its first word to its last."""
        await receive()  # websocket.connect
        house = self.house
        address = address_of(scope, house.networks)
        try:
            table = self.at_the_door(scope, address)
        except Denied as denied:
            house.metrics.refusals[denied.code] += 1
            await turned_away(denied, language_of(scope), scope, send)
            return
        who = whose(address)
        house.connections.add(who)
        house.metrics.connections += 1
        house.metrics.connected += 1
        try:
            await self.at_the_table(table, address, scope, receive, send)
        finally:
            house.connections.remove(who)
            house.metrics.connections -= 1

    def at_the_door(self, scope: Any, address: str) -> str:
        """The table that is asked for; refuses who may not come in at all."""
        house, limits = self.house, self.house.settings.limits
        found = re.fullmatch(r"/ws/([^/]{1,64})", unquote(scope["path"]))
        if found is None:
            raise Denied("no-such-page")
        if not from_here(scope, house.settings, house.networks):
            raise Denied("wrong-origin")
        if house.closing:
            raise Denied("closing")
        who = whose(address)
        wait = house.may_guess(address)
        if not house.connects.take(who):
            wait = house.connects.of(who).wait()
        if wait:
            raise Denied("too-many-requests", wait=wait, seconds=wait)
        if house.connections.of(who) >= limits.connections or house.connections.all >= limits.all_connections:
            raise Denied("too-many-connections")
        return found[1]

    async def at_the_table(self, table: str, address: str, scope: Any, receive: Any, send: Any) -> None:
        """Open the line, pass frames on until the client is gone, close the line."""
        house = self.house
        secret = people.secret_of(scope["headers"])
        holder = None if secret is None else people.holder_of(secret)
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        after = asked.get("after", [""])[0]
        language = language_of(scope)
        await send({"type": "websocket.accept"})
        offered = scope.get("extensions", {}).get(DIRECT)
        client = Client(house, None, send)
        writing: asyncio.Task[None] | None = None
        if offered is not None:
            client._direct = offered.start(client, house.settings.limits.buffer_bytes)
        else:
            writing = asyncio.create_task(client.write())
        line: Line | None = None
        code = FINE
        try:
            line = await house.hall.open_line(
                table,
                holder,
                after=int(after) if re.fullmatch(r"[0-9]{1,15}", after) else None,
                language=language,
                send=client.send,
                may_talk=partial(house.talk.take, holder or whose(address)),
            )
            code = await self.listen(line, client, language, receive)
        except Exception as error:  # the edge of the server: a client is told, and the others are not hurt
            if isinstance(error, StoreError):
                trouble("the database cannot be used", error)
                error = Refusal("store-unavailable")
            if isinstance(error, Refusal):
                house.metrics.refusals[error.code] += 1
                if error.code == "no-such-table":
                    house.guessed(address)
                code = CLOSES.get(status_of(error), POLICY)
                client.send(_encode({"error": error.code, "sentence": error.sentence(language)}))
            elif type(error).__name__ != "ClientDisconnected":
                trouble("a connection failed", error)
                code = FAILED
        finally:
            if line is not None:
                await line.close()
            await self.leave(client, code, writing, send)

    async def listen(self, line: Line, client: Client, language: str, receive: Any) -> int:
        """Pass frames on; the code of the close when it is we who close."""
        house, metrics = self.house, self.house.metrics
        bucket, refused = Bucket(house.settings.limits.frames), 0
        command, took = line.command, metrics.took
        while True:
            message = await receive()
            if message["type"] != "websocket.receive" or client.closed:
                return LATER if client.slow else FINE
            text = message.get("text")
            if text is None:
                return BINARY
            metrics.frames_in += 1
            if not bucket.take():
                refused += 1
                if refused > MOST_REFUSED:
                    note("a connection was closed: too many frames")
                    return POLICY
                self.refuse(text, client, language)
                continue
            refused = 0
            began = perf_counter()
            await command(text)
            took(perf_counter() - began)

    def refuse(self, text: str, client: Client, language: str) -> None:
        """Answer a frame that goes no further."""
        refusal = Refusal("too-fast")
        self.house.metrics.refusals[refusal.code] += 1
        answer = {"error": refusal.code, "sentence": refusal.sentence(language)}
        id = id_of(text)
        if id is not None:
            answer["id"] = id
        client.send(_encode(answer))

    async def leave(self, client: Client, code: int, writing: asyncio.Task[None] | None, send: Any) -> None:
        """Close the connection, unless the client did."""
        if client.slow:
            code = LATER
        client.closed = True
        try:
            if writing is not None:
                client._wake.set()
                if client.slow:
                    writing.cancel()
                await asyncio.wait([writing], timeout=GONE_SLOW)
                writing.cancel()
            await asyncio.wait_for(send({"type": "websocket.close", "code": code}), GONE_SLOW)
        except (TimeoutError, asyncio.CancelledError, RuntimeError, OSError) as error:
            if isinstance(error, asyncio.CancelledError):
                raise
        except Exception as error:
            if type(error).__name__ != "ClientDisconnected":  # each server has its own
                raise


async def turned_away(denied: Denied, language: str, scope: Any, send: Any) -> None:
    """A no before the connection is one: an answer over HTTP, which programs can read."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY})
        return
    body = _encode({"error": denied.code, "sentence": denied.sentence(language)})
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if denied.wait is not None:
        headers.append((b"retry-after", str(denied.wait).encode()))
    await send({"type": "websocket.http.response.start", "status": status_of(denied), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
