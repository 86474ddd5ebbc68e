"""One node, from its start to its graceful end."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any

import msgspec
import uvicorn

from stationmaster.server import listening
from stationmaster.server.app import make_app
from stationmaster.server.frames import Frames, Patient
from stationmaster.server.logs import note, trouble
from stationmaster.words import say

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from stationmaster.server.app import Door
    from stationmaster.server.hallway import Hall
    from stationmaster.server.settings import Settings
    from stationmaster.server.tls import Certificate

# Together under the 5 s that a stop may take.
HALL_STOPS = 2
CONNECTIONS_CLOSE = 1
STORE_CLOSES = 1
DAILY = 24 * 3600.0
PING = 25.0  # seconds; a client that is gone without a word is noticed after twice as long
INTERRUPTED, ENDED = 130, 143
COLLECTOR = (20_000, 20, 1_000)  # new objects, and collections of each kind, from one to the next


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """How a node is started."""

    host: str
    port: int
    settings: Settings
    language: str
    certificate: Certificate | None = None
    open: bool = False  # show it in a browser


OpenHall = Callable[[], AbstractAsyncContextManager["Hall"]]


class Node(uvicorn.Server):
    """uvicorn with an end in order: first the tables, then the connections."""

    def __init__(self, config: uvicorn.Config, door: Door, announced: Callable[[], None]) -> None:
        super().__init__(config)
        self.door = door
        self.announced = announced  # where it can be reached
        self.failed = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so: from here on a signal is obeyed in order."""
        await super().startup(sockets)
        self.announced()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are asked to stop; a second one stops at once."""
        kinds = (signal.SIGINT, signal.SIGTERM)
        before = {kind: signal.signal(kind, self.on_signal) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)

    def on_signal(self, kind: int, frame: FrameType | None) -> None:
        """Somebody asks the server to stop."""
        if self.should_exit:
            os._exit(INTERRUPTED if kind == signal.SIGINT else ENDED)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, tell the lines to come back, close them."""
        for server in self.servers:
            server.close()
        self.door.close()
        await within(HALL_STOPS, "the tables did not stop in time", self.door.house.hall.stop())
        await super().shutdown(sockets)


async def within(seconds: float, late: str, doing: Awaitable[None]) -> None:
    """Do something that may fail or hang, so that what comes after it is done all the same."""
    try:
        async with asyncio.timeout(seconds):
            await doing
    except TimeoutError:
        note(late)
    except Exception as error:
        trouble("stopping failed", error)


def configured(door: Door, plan: Plan) -> uvicorn.Config:
    """uvicorn's settings. Each differs from its default for a reason."""
    secured: dict[str, Any] = {}
    if plan.certificate is not None:
        secured = {"ssl_certfile": plan.certificate.certificate, "ssl_keyfile": plan.certificate.key}
    return uvicorn.Config(
        door,
        http=Patient,
        ws=Frames,
        lifespan="off",
        log_config=None,
        access_log=False,  # addresses of tables are invitations, so paths are not written down
        server_header=False,
        proxy_headers=False,  # the door believes the proxies that are named, and only those
        ws_max_size=plan.settings.limits.frame_bytes,
        ws_per_message_deflate=False,  # frames are short, and told to four seats: it costs more than all the rest
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=CONNECTIONS_CLOSE,
        **secured,
    )


async def run_node(plan: Plan, listener: socket.socket, open_hall: OpenHall) -> int:
    """Serve until somebody asks to stop; the exit code."""
    async with open_hall() as hall:
        door = make_app(hall, plan.settings)

        def announced() -> None:
            announce(plan, listener)
            note("started", port=listener.getsockname()[1])

        node = Node(configured(door, plan), door, announced)
        spare_the_collector()
        tasks = [asyncio.create_task(keep_running(node, hall))]
        if plan.certificate is not None:
            tasks.append(asyncio.create_task(keep_fresh(node, plan.certificate)))
        await node.serve(sockets=[listener])
        # Not cancelled: it counts until the process has ended, whatever still clings to a database that is away.
        asyncio.get_running_loop().call_later(STORE_CLOSES, end_at_once, node.failed)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    note("stopped")
    print(say("serve.failed" if node.failed else "serve.stopped", plan.language), flush=True)
    return 1 if node.failed else 0


def spare_the_collector() -> None:
    """Have Python look for lost circles of objects far more seldom.

    Tables are many objects that live long. Python would go through all of them again and again, which takes a third
    of a second with a thousand tables, during which nobody is answered. Of the circles that are lost, the young ones
    are found as before.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


def end_at_once(failed: bool) -> None:
    """The database does not close. What was acknowledged is on disk all the same, so nothing is waited for."""
    note("not everything has ended in time")
    os._exit(1 if failed else 0)


async def keep_running(node: Node, hall: Hall) -> None:
    """Bots and clocks. Without them a node is of no use: it stops, and whoever watches over it starts it anew."""
    try:
        await hall.run()
    except Exception as error:
        trouble("the tables' clock failed", error)
        node.failed = node.should_exit = True


async def keep_fresh(node: Node, certificate: Certificate) -> None:
    """Renew the certificate before it ends, under play."""
    while True:
        await asyncio.sleep(DAILY)
        if certificate.ensure() and node.config.ssl is not None:
            node.config.ssl.load_cert_chain(certificate.certificate, certificate.key)
            note("the certificate was renewed", fingerprint=certificate.fingerprint())


def announce(plan: Plan, listener: socket.socket) -> None:
    """Say by which addresses people come, and draw the one for phones."""
    here, network = listening.urls(listener, secure=plan.certificate is not None)
    print(say("serve.runs", plan.language))
    for key, url in (("here", here), ("network", network), ("public", plan.settings.public)):
        if url is not None:
            print(say(f"serve.{key}", plan.language, url=url))
    if plan.certificate is not None:
        print(say("serve.fingerprint", plan.language, fingerprint=plan.certificate.fingerprint()))
    shown = plan.settings.public or network
    if shown is not None and sys.stdout.isatty():
        print(listening.qr_code(shown), end="")
    sys.stdout.flush()
    if plan.open and has_display():
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()


def has_display() -> bool:
    """Whether somebody sits in front of this machine, who could see a browser."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def serve(plan: Plan, open_hall: OpenHall) -> int:
    """Listen, and serve until somebody asks to stop; the exit code."""
    listener = listening.listen(plan.host, plan.port, plan.language)
    open_many_files()
    with listener, asyncio.Runner(loop_factory=fast_loop()) as runner:
        return runner.run(run_node(plan, listener, open_hall))


def fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop, where there is one."""
    try:
        import uvloop
    except ImportError:  # Windows
        return None
    return uvloop.new_event_loop


def open_many_files() -> None:
    """Each connection is an open file, and most systems begin with a thousand."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
