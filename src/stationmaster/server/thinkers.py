"""Bots at work beside the server: processes that think, so that no table ever waits for another's bot.

Bots are partly Python, which holds the interpreter's lock: in a thread they would hold the server up. So a few
processes (``thinking.py``) stand ready with the bots loaded, and are asked one question at a time; who asks while all
are busy waits in the order of asking. A process that dies or hangs is replaced and asked once more; if that fails
too, the planner answers in the server itself, in a moment. Who stops waiting does no harm: the answer is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
from typing import TYPE_CHECKING, TypeVar

import msgspec

from stationmaster.bots.bot import choices
from stationmaster.bots.levels import THINKING
from stationmaster.engine.moves import Move
from stationmaster.errors import StationmasterError
from stationmaster.server.thinking import (
    Answer,
    Chosen,
    Failed,
    Hint,
    LinedUp,
    Question,
    answer,
    framed,
    lined_up,
    to_bytes,
)
from stationmaster.words import catalogue

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from stationmaster.bots.bot import Limit
    from stationmaster.engine.observation import Observation

__all__ = ["Hint", "LinedUp", "Thinkers"]

PATIENCE = 15.0  # seconds beyond its limit that an answer may take before the process counts as hanging
STARTING = 60.0  # … and to be ready, on a machine that has a lot to do
TRIES = 2
IN_HASTE = "planner"  # who answers where no process could

log = logging.getLogger(__name__)
to_answer = msgspec.msgpack.Decoder(Answer).decode
A = TypeVar("A", Chosen, Hint, LinedUp)


class Thinkers:
    """A few processes that think for the bots, and for people who want a hint."""

    def __init__(self, workers: int = 1, *, patience: float = PATIENCE) -> None:
        self._workers = [_Worker() for _ in range(workers)]
        self._patience = patience
        self._waiting: asyncio.Queue[_Request] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that are there now."""
        return tuple(worker.process.pid for worker in self._workers if worker.process is not None)

    async def start(self) -> None:
        """Start the processes and wait until they are ready; without this, the first who asks starts them."""
        self._begin()
        await asyncio.gather(*(worker.ready.wait() for worker in self._workers))

    async def move(self, observation: Observation, level: str, *, seed: int, limit: Limit | None = None) -> Move:
        """What a bot of this level plays for the seat whose turn it is."""
        legal = choices(observation)
        if len(legal) == 1:
            return legal[0]
        question = Question("move", observation, level, seed, limit or THINKING)
        return Move.parse((await self._ask(question, Chosen)).move)

    async def hint(self, observation: Observation, *, language: str) -> Hint:
        """What the seat whose turn it is might play, and why. Asked again, it says the same."""
        choices(observation)  # an error here where it is not this seat's turn …
        catalogue(language)  # … or where there is no such language
        return await self._ask(Question("hint", observation, language=language), Hint)

    async def line_up(self, observation: Observation) -> LinedUp:
        """The train that this seat's hand could make, and the extras."""
        if observation.seat is None:
            return lined_up(observation)  # which says that a spectator has none
        return await self._ask(Question("line-up", observation), LinedUp)

    async def close(self) -> None:
        """End the processes; who still waits for an answer is told that there is none."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._waiting.empty():
            self._waiting.get_nowait().refuse()

    def _begin(self) -> None:
        if self._closed:
            raise StationmasterError("the thinkers have gone home: nothing can be asked after close()")
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._work(worker)) for worker in self._workers]

    async def _ask(self, question: Question, kind: type[A]) -> A:
        self._begin()
        seconds = question.limit.seconds or 0.0
        request = _Request(framed(to_bytes(question)), seconds + self._patience)
        self._waiting.put_nowait(request)
        data = await request.answer
        found = to_answer(data) if data is not None else Failed("no process could answer")
        if isinstance(found, Failed):
            log.error("a bot had no answer, the planner gives it: %s %s: %s", question.wanted, question.level, found)
            found = await asyncio.to_thread(answer, msgspec.structs.replace(question, level=IN_HASTE))
        assert isinstance(found, kind)
        return found

    async def _work(self, worker: _Worker) -> None:
        """Take one request after the other to a process."""
        request = None
        try:
            with contextlib.suppress(OSError, EOFError, TimeoutError):  # it is tried again when somebody asks
                await worker.start()
            while True:
                request = await self._waiting.get()
                if not request.answer.done():
                    await self._bring(request, worker)
        finally:
            if request is not None:
                request.refuse()
            await worker.end()

    async def _bring(self, request: _Request, worker: _Worker) -> None:
        for _ in range(TRIES):
            try:
                data = await worker.ask(request.frame, request.patience)
            except (OSError, EOFError, TimeoutError) as error:
                log.warning("a process that thinks is replaced: %r", error)
                await worker.end()
            else:
                request.give(data)
                return
        request.give(None)


class _Request:
    """A question that somebody waits for, as it is sent."""

    def __init__(self, frame: bytes, patience: float) -> None:
        self.frame = frame
        self.patience = patience
        self.answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()

    def give(self, data: bytes | None) -> None:
        """Answer, if somebody still waits."""
        if not self.answer.done():
            self.answer.set_result(data)

    def refuse(self) -> None:
        """Say that nobody will answer."""
        if not self.answer.done():
            self.answer.set_exception(StationmasterError("the thinkers have gone home before they answered"))


class _Worker:
    """One process that thinks; it is started when it is needed and not there."""

    def __init__(self) -> None:
        self.process: Process | None = None
        self.starting = STARTING
        self.ready = asyncio.Event()

    async def start(self) -> Process:
        """The process, ready to be asked."""
        if self.process is None:
            try:
                # A session of its own, so that Ctrl-C in the terminal is the server's affair.
                self.process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "stationmaster.server.thinking"),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    start_new_session=True,
                )
                async with asyncio.timeout(self.starting):
                    await self._read(self.process)
            finally:
                self.ready.set()  # or it failed, and is tried again when somebody asks
        return self.process

    async def ask(self, frame: bytes, patience: float) -> bytes:
        """The process's answer; an error if it died, or did not answer in time."""
        process = await self.start()
        assert process.stdin is not None
        async with asyncio.timeout(patience):
            process.stdin.write(frame)
            await process.stdin.drain()
            return await self._read(process)

    async def _read(self, process: Process) -> bytes:
        assert process.stdout is not None
        size = await process.stdout.readexactly(4)
        return await process.stdout.readexactly(int.from_bytes(size, "big"))

    async def end(self) -> None:
        """End the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        # The pipes are read to their end, so that nothing of them stays behind.
        await asyncio.shield(process.communicate())
