"""A node of its own process over the fake hall: ``python run_fake.py SETTINGS``, with the settings as JSON."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from server.fake_hall import FakeHall
from stationmaster.server import frames, pages, serve
from stationmaster.server.logs import note, set_up
from stationmaster.server.serve import Plan
from stationmaster.server.settings import Settings
from stationmaster.server.tls import Certificate


class Start(msgspec.Struct):
    settings: Settings
    tls: str | None = None
    failing: bool = False
    stuck: bool = False  # the hall does not stop
    patience: float | None = None  # with those who connect and ask for nothing


class Failing(FakeHall):
    async def run(self) -> None:
        raise RuntimeError("a secret that is in no log")


class Stuck(FakeHall):
    async def stop(self) -> None:
        note("stopping")
        await asyncio.Event().wait()


def main() -> int:
    start = msgspec.json.decode(sys.argv[1], type=Start)
    if start.patience is not None:
        frames.FIRST_REQUEST = start.patience
    if start.stuck:
        serve.HALL_STOPS = 60  # so that the second signal comes while the first is still obeyed, however busy it is
    certificate = None
    if start.tls is not None:
        certificate = Certificate(Path(start.tls))
        certificate.ensure()

    @asynccontextmanager
    async def open_hall() -> AsyncIterator[FakeHall]:
        hall = Failing() if start.failing else Stuck() if start.stuck else FakeHall()
        hall.add("OPEN", public=True)
        hall.add("QUIET")
        yield hall
        assert hall.stopped
        print("closed", flush=True)

    pages.STATIC = Path("no web app")  # whether it is built is no matter of these tests
    set_up("json")
    plan = Plan(host="127.0.0.1", port=0, settings=start.settings, language="en", certificate=certificate)
    return serve.serve(plan, open_hall)


if __name__ == "__main__":
    sys.exit(main())
