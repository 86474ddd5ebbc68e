"""A client of a table, for programs: it stays connected, keeps the view, and takes part in the deals by itself."""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from stationmaster.client.deals import Deals
from stationmaster.client.trouble import ClientError, Refused
from stationmaster.client.view import Data, View

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from ssl import SSLContext

FIRST_WAIT, LONGEST_WAIT = 0.25, 15.0  # seconds until the next try to connect
EVENTS_KEPT = 10_000  # that nobody has taken yet
LARGEST_FRAME = 4 * 1024 * 1024
NOT_AGAIN = (1003, 1008, 4403, 4404)  # closes after which another try would end alike
log = logging.getLogger(__name__)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Client:
    """One person at one table.

    ``url`` is the link of an invitation or the address of the WebSocket; ``secret`` is the person's, and without one
    the client watches. Connect with ``async with``; ``view`` is the table as it stands; ``async for event in client``
    gives what happens, the view being brought up to date before.
    """

    view: View

    def __init__(
        self, url: str, secret: str | None = None, *, language: str = "en", ssl: SSLContext | None = None
    ) -> None:
        self.address = socket_address(url)
        self.language = language
        self.deals = Deals()
        self._headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
        self._ssl = ssl
        self._ids = secrets.token_hex(6)
        self._count = 0
        self._unanswered: dict[str, tuple[str, asyncio.Future[Data]]] = {}
        self._socket: ClientConnection | None = None
        self._at_table = False  # this connection has been welcomed
        self._events: deque[Data] = deque(maxlen=EVENTS_KEPT)
        self._news = asyncio.Event()
        self._ready = asyncio.Event()
        self._work: set[asyncio.Task[Any]] = set()
        self._stay: asyncio.Task[None] | None = None
        self._ended: ClientError | None = None
        self._closed = False
        self._come_back = 0.0
        self._asked: tuple[Any, ...] | None = None  # the decision that was told to be ours

    # ---- Coming and going ----------------------------------------------------------------------

    async def __aenter__(self) -> Client:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def connect(self) -> View:
        """Connect, and wait for the view of the table."""
        if self._stay is None:
            self._stay = asyncio.create_task(self._stay_connected())
        await self._ready.wait()
        if self._ended is not None:
            raise self._ended
        return self.view

    async def close(self) -> None:
        """Leave the table alone; seats are kept."""
        self._closed = True
        tasks = [task for task in (self._stay, *self._work) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._end(ClientError("the client is closed"))

    async def _stay_connected(self) -> None:
        """Connect over and over, until it makes no sense."""
        tries = 0
        while True:
            trouble, again = await self._be_connected()
            if not again or not self._ready.is_set():
                self._end(trouble)
                return
            log.info("%s", trouble)
            tries = 0 if self._at_table else tries + 1
            if self._at_table:
                self._say({"event": "lost"})
            self._socket, self._at_table, self._ended = None, False, None
            wait = self._come_back or min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(tries, 10))
            self._come_back = 0.0
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))  # or all would come back at once

    async def _be_connected(self) -> tuple[ClientError, bool]:
        """One connection, to its end; why it ended, and whether to try again."""
        after = f"&after={self.view.version}" if self._ready.is_set() else ""
        try:
            async with connect(
                f"{self.address}?language={self.language}{after}",
                additional_headers=self._headers,
                compression=None,
                max_size=LARGEST_FRAME,
                ssl=self._ssl,
                user_agent_header="stationmaster",
            ) as socket:
                self._socket = socket
                while True:
                    self._take(_decode(await socket.recv(decode=False)))
        except Exception as error:
            return self._why_lost(error)

    def _why_lost(self, error: Exception) -> tuple[ClientError, bool]:
        """Why there is no connection any more, and whether to try again."""
        if isinstance(error, InvalidStatus):
            status = error.response.status_code
            again = status >= 500 or status in (408, 425, 429)
            try:
                return Refused(_decode(error.response.body)), again
            except (msgspec.MsgspecError, KeyError):
                return ClientError(f"{self.address}: {error}"), again
        if isinstance(error, ConnectionClosed):
            again = error.rcvd is None or error.rcvd.code not in NOT_AGAIN
            return self._ended or ClientError(f"{self.address}: the server has closed the connection"), again
        if isinstance(error, OSError | InvalidHandshake | TimeoutError):
            return ClientError(f"{self.address} cannot be reached: {error}"), True
        log.error("%s: what the server told cannot be followed", self.address, exc_info=error)
        return ClientError(f"{self.address}: what the server told cannot be followed: {error!r}"), False

    def _end(self, error: ClientError) -> None:
        """There is no more to come."""
        self._ended = self._ended or error
        self._closed = True
        for _, waiting in self._unanswered.values():
            if not waiting.done():
                waiting.set_exception(self._ended)
                waiting.exception()  # whoever waits is told; where nobody does, nothing is to be said
        self._unanswered.clear()
        self._ready.set()
        self._news.set()

    # ---- What is told --------------------------------------------------------------------------

    def _take(self, frame: Data) -> None:
        if "events" in frame:
            self._step(frame)
        elif "welcome" in frame:
            self._welcome(frame)
        elif "resumed" in frame:
            self.view.resumed(frame)
            self._here({"event": "back"})
        elif "talk" in frame:
            self.view.talk(frame)
            self._say({"event": "talk", **frame})
        elif "present" in frame:
            self.view.present(frame)
            self._say({"event": "present", **frame})
        elif "ok" in frame:
            self._answered(frame["ok"], frame)
        elif "answer" in frame:
            self._answered(frame["answer"], frame)
        elif "error" in frame:
            self._refused(frame)
        elif "goodbye" in frame:
            self._come_back = float(frame["come_back"])
            self._spawn(self._socket.close())  # type: ignore[union-attr]

    def _step(self, step: Data) -> None:
        if step["version"] <= self.view.version:
            return
        if step["version"] > self.view.version + 1:  # something got lost on the way: come back, and be told
            self._spawn(self._socket.close())  # type: ignore[union-attr]
            return
        self.view.step(step)
        judged = self.deals.step(self.view, step)
        for event in (*step["events"], *judged):
            self._say(event)
        if "id" in step:
            self._answered(step["id"], step)
        self._go_on()

    def _welcome(self, frame: Data) -> None:
        nothing_missed = self._ready.is_set() and frame["version"] <= self.view.version + 1
        self.view = View(frame)
        if not nothing_missed:
            self.deals.anew(self.view)
        self._asked = None
        self._here({"event": "welcome"})

    def _here(self, event: Data) -> None:
        """The view is whole; what has not been answered is asked again."""
        self._say(event)
        first = not self._at_table
        self._at_table = True
        self._ready.set()
        if first:
            for text, _ in list(self._unanswered.values()):
                self._spawn(self._send(text))
        self._go_on()

    def _go_on(self) -> None:
        """Do what this client does by itself, and say when a seat of ours is to move."""
        for verbs in self.deals.wanted(self.view):
            self._spawn(self._by_itself(verbs))
        view = self.view
        seat = view.my_turn
        if seat is None or "paused" in view.data or view.data["seats"][seat]["held"] is not None:
            self._asked = None
            return
        decision = view.data["match"]["number"], view.data["round"]["moves"], seat
        if decision != self._asked:
            self._asked = decision
            self._say({"event": "your-turn", "seat": seat, "legal": view.legal, "version": view.version})

    async def _by_itself(self, verbs: Data) -> None:
        try:
            await self.do(**verbs)
        except ClientError as error:  # too late, or another device of ours was faster
            log.debug("%s: %s", verbs, error)

    def _refused(self, frame: Data) -> None:
        waiting = self._unanswered.pop(frame.get("id", ""), None)
        if waiting is not None:
            if not waiting[1].done():
                waiting[1].set_exception(Refused(frame))
        elif not self._at_table:
            self._ended = Refused(frame)  # unless the server closes with a code that lets us try again
        else:
            log.warning("%s: %s", self.address, frame["sentence"])

    def _answered(self, id: str, frame: Data) -> None:
        waiting = self._unanswered.pop(id, None)
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(frame)

    def _say(self, event: Data) -> None:
        self._events.append(event)
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[Data]:
        """What happens: the events of the table and of the game as they are told, and the client's own.

        Its own are ``welcome`` (all is told anew), ``lost`` and ``back`` (the connection), ``present``, ``talk``,
        ``your-turn`` (with ``seat``, ``legal`` and ``version``), and at the end of a round ``deal-checked`` or
        ``deal-wrong`` (with ``why``). It ends with the client; when the server wants us no more, with an error.
        """
        while True:
            while self._events:
                yield self._events.popleft()
            if self._closed:
                if self._ended is not None and self._stay is not None and not self._stay.cancelled():
                    raise self._ended
                return
            self._news.clear()
            await self._news.wait()

    # ---- What is asked -------------------------------------------------------------------------

    async def do(self, *, seat: int | None = None, version: int | None = None, **verb: Any) -> Data:
        """Send a command, as ``do(play="12-5@0")``; the frame that answers it. Raises ``Refused``.

        A command that is not answered because the connection is lost is sent again, with the same id, until it is.
        ``version`` is the one that the decision was made at, by default the latest.
        """
        if self._closed or not self._ready.is_set():
            raise self._ended or ClientError("the client is not connected; use `async with` or `connect`")
        self._count += 1
        id = f"{self._ids}-{self._count}"
        frame = {**verb, "version": self.view.version if version is None else version, "id": id}
        if seat is not None:
            frame["seat"] = seat
        text = _encode(frame).decode()
        answer = asyncio.get_running_loop().create_future()
        self._unanswered[id] = text, answer
        try:
            if self._at_table:
                await self._send(text)
            found: Data = await answer
            return found
        finally:
            self._unanswered.pop(id, None)

    async def play(self, move: object, *, seat: int | None = None, version: int | None = None) -> Data:
        """Make a move, a ``Move`` or its notation."""
        return await self.do(play=str(move), seat=seat, version=version)

    async def say(self, text: str) -> None:
        """Say something to all at the table."""
        await self.do(say=text)

    async def react(self, what: str) -> None:
        """Clap, laugh, …"""
        await self.do(react=what)

    async def _send(self, text: str) -> None:
        socket = self._socket
        if socket is None:
            return
        try:
            await socket.send(text)
        except ConnectionClosed:
            return  # it is sent again when the connection is back

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def socket_address(url: str) -> str:
    """Where a table's WebSocket is, from its own address or from the link of an invitation."""
    parts = urlsplit(url if "//" in url else f"http://{url}")
    secure = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    place, _, table = parts.path.rstrip("/").rpartition("/")
    if secure is None or not parts.netloc or not table or place not in ("/t", "/ws"):
        raise ClientError(f"{url} is not the address of a table; one is https://example.org/t/ABCDEF")
    return f"{secure}://{parts.netloc}/ws/{table}"
