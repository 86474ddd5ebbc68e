"""Watches the process in which a bot is asked: one that hangs is stopped, one that died is noticed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

import msgspec

from stationmaster.bots.contract.findings import Asking, Begin, Done, Finding, Message, Question, Ready, Refused, Sit
from stationmaster.errors import StationmasterError

if TYPE_CHECKING:
    from collections.abc import Callable

IMPORTING = 10  # times as long as an answer, that a bot may take to be imported
TO_SAY_WHERE = 0.5  # seconds that a process which hangs has for that
OURS = str(Path(__file__).parents[2])  # where the package lies


class Watched:
    """A process that asks one bot, for as long as the bot lets it."""

    def __init__(self, name: str, seed: int | str, patience: float, hash_seed: int) -> None:
        """``patience``: seconds for one answer; ``hash_seed``: how texts hash, otherwise in each process anew."""
        self.seed = seed
        self.patience = patience
        self.question = Question()
        self.over = False  # it hung, or died
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - for as long as the process runs
        paths = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "stationmaster.bots.contract.asking"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            env=os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": str(hash_seed)},
        )
        self.said: Queue[Message | None] = Queue()
        self.listener = Thread(target=self._listen, daemon=True)
        self.listener.start()
        self._say(Begin(name, seed))
        first = self._heard(IMPORTING * patience)
        if isinstance(first, Ready):
            self.id = first.id
            return
        self.close()
        if isinstance(first, Finding):
            raise StationmasterError(f"{name} cannot be imported. {first.sentence()}")
        raise StationmasterError(first.why if isinstance(first, Refused) else f"{name}: not understood: {first}")

    def sit(self, sit: Sit, found: Callable[[Finding], None]) -> Done:
        """Have the bot asked at a table; if it hangs or dies there, that is found, and this process is over."""
        self.question = Question(sit.table)
        self._say(sit)
        while True:
            message = self._heard()
            if isinstance(message, Asking):
                self.question = message.question
            elif isinstance(message, Finding):
                found(message)
                if self.over:
                    return Done()
            elif isinstance(message, Done):
                return message

    def close(self) -> None:
        """Stop the process, whatever it does, and put everything away."""
        self.process.kill()
        self.process.wait()
        self.listener.join()
        for pipe in (self.process.stdin, self.process.stdout, self.errors):
            with suppress(OSError):  # what could not be written any more
                pipe.close()  # type: ignore[union-attr]

    # ---- Between the processes ----

    def _say(self, message: Begin | Sit) -> None:
        assert self.process.stdin is not None
        with suppress(OSError):  # it has died; that is noticed where it should answer
            self.process.stdin.write(msgspec.json.encode(message) + b"\n")
            self.process.stdin.flush()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
        for line in self.process.stdout:
            self.said.put(decoder.decode(line))
        self.said.put(None)

    def _heard(self, patience: float | None = None) -> Message:
        """What the process says next, or what is found when it says nothing more."""
        try:
            message = self.said.get(timeout=patience or self.patience)
        except Empty:
            self.over = True
            self._let_it_say_where()
            self.process.kill()
            self.process.wait()
            return self._finding("in-time", "hung", seconds=f"{patience or self.patience:g}")
        if message is None:
            self.over = True
            code = self.process.wait()
            how = signal.Signals(-code).name if code < 0 else str(code)
            return self._finding("answers", "killed" if code < 0 else "exited", how=how)
        return message

    def _finding(self, promise: str, key: str, **places: str) -> Finding:
        return Finding(promise, key, {**places, "where": self._where()}, self.question, self.seed)

    def _let_it_say_where(self) -> None:
        if hasattr(signal, "SIGUSR1"):
            self.process.send_signal(signal.SIGUSR1)
            for _ in range(10):  # until all is written
                size = os.fstat(self.errors.fileno()).st_size
                sleep(TO_SAY_WHERE / 10)
                if 0 < size == os.fstat(self.errors.fileno()).st_size:
                    break

    def _where(self) -> str:
        """The line of the bot's own code that it was at last, as its process told on the way out."""
        self.errors.seek(0)
        told = self.errors.read().decode("utf-8", "replace").rpartition("(most recent call first)")[2]
        for file, line in re.findall(r'File "(.*)", line (\d+)', told):
            if not file.startswith((OURS, "<")):
                return f" ({Path(file).name}, line {line})"
        return ""
