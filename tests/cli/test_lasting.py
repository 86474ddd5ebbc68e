"""A match is never lost: killed, interrupted, in a closed terminal; and nobody else plays at it meanwhile."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import stationmaster as sm
from cli.commands import Ran, command, environment, ones

Run = Callable[..., Ran]

PATIENCE = 30  # seconds
PLAY = ["play", "--plain", "--save", "match.json", "--seed", 7, "--name", "Ann"]
GO_ON = ["play", "--plain", "--resume", "match.json"]


def moves_in(path: Path) -> list[str]:
    """All moves of a match, which is whole as far as it goes."""
    match = sm.Record.load(path).replay()
    return [f"{seat} {move}" for round in match.rounds for seat, move in round.moves]


# ---- Killed ----


def test_a_killed_match_is_whole_and_goes_on(run: Run, home: Path) -> None:
    options = [*PLAY, "--rounds", 1]
    run(*options[:2], "--save", "unbroken.json", *options[4:], typed=ones())
    before: list[str] = []
    for kill in range(5):
        words = options if kill == 0 else GO_ON
        with subprocess.Popen(command(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for _ in range(kill + 1):
                wait_for(process.stdout.fileno(), "Your move?")
                process.stdin.write(b"1\n")
                process.stdin.flush()
            process.kill()
            process.wait()
        after = moves_in(home / "match.json")
        assert after[: len(before)] == before
        assert len(after) >= len(before) + kill, "what was answered before the last question is there"
        before = after
    assert run(*GO_ON, typed=ones()).code == 0
    assert (home / "match.json").read_text() == (home / "unbroken.json").read_text()
    left = sorted(path.name for path in home.iterdir() if path.suffix != ".manner")
    assert left == ["match.json", "unbroken.json"], "nothing is left behind"


def test_a_full_disk_is_said_and_costs_one_move(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*PLAY, "--rounds", 1, typed="1\nquit\n")
    before = moves_in(home / "match.json")
    saves: list[int] = []

    def full(file: int) -> None:
        saves.append(file)
        if len(saves) > 4:  # two for each file that is written: it, and its folder
            raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        ran = run(*GO_ON, typed="1\n1\n1\n")
    assert ran.code == 2
    assert ran.err.startswith("stationmaster: the last move cannot be saved: No space left on device. All before it is")
    after = moves_in(home / "match.json")
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    assert run(*GO_ON, typed=ones()).code == 0


def test_a_match_killed_at_any_moment_is_whole(home: Path) -> None:
    before: list[str] = []
    (home / "ones").write_text(ones())
    for kill in range(8):
        with (home / "ones").open() as typed, (home / "printed").open("w") as printed:
            process = subprocess.Popen(command(*(PLAY if kill == 0 else GO_ON)), stdin=typed, stdout=printed)
            deadline = time.monotonic() + PATIENCE
            while not changed(home / "match.json", before) and time.monotonic() < deadline:
                time.sleep(0.002)
            time.sleep(0.003 * kill)
            process.kill()
            process.wait()
        after = moves_in(home / "match.json")
        assert after[: len(before)] == before
        before = after
    assert len(before) > 8


def changed(path: Path, moves: list[str]) -> bool:
    """Whether a match has gone on since it had these moves."""
    with suppress(sm.StationmasterError):
        return len(moves_in(path)) > len(moves)
    return False


def wait_for(stream: int, text: str) -> str:
    """Read what a process prints until this text comes."""
    read = b""
    deadline = time.monotonic() + PATIENCE
    while text.encode() not in read:
        ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"{text!r} did not come after {read.decode()!r}"
        some = os.read(stream, 1 << 16)
        assert some, f"it ended without {text!r}, after {read.decode()!r}"
        read += some
    return read.decode()


def press_until_ended(process: subprocess.Popen[Any], press: Callable[[], object]) -> int:
    """Press until the process has ended: a signal that comes just before a read is not noticed until the next."""
    for _ in range(PATIENCE):
        press()
        with suppress(subprocess.TimeoutExpired):
            return process.wait(1)
    raise AssertionError("it has not ended")


# ---- In a terminal of its own ----


class Terminal:
    """A command in a real terminal, with real keys."""

    def __init__(self, *args: object) -> None:
        self.keys, self.theirs = os.openpty()
        # Whoever leads a session and opens a terminal has it as its own, so that Ctrl-C reaches it.
        shell = ["sh", "-c", 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&1', "sh", os.ttyname(self.theirs)]
        self.process = subprocess.Popen([*shell, *command(*args)], start_new_session=True)

    def type(self, keys: str) -> None:
        os.write(self.keys, keys.encode())

    def wait_for(self, text: str) -> str:
        return wait_for(self.keys, text)

    def ended(self) -> int:
        """The exit code."""
        return self.process.wait(PATIENCE)

    def leave_by(self, key: str) -> tuple[int, str]:
        """Press a key until it has ended the command; the exit code, and what was printed."""
        code = press_until_ended(self.process, lambda: self.type(key))
        printed = b""
        while select.select([self.keys], [], [], 0)[0]:
            printed += os.read(self.keys, 1 << 16)
        return code, printed.decode()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.theirs)
        with suppress(OSError):
            os.close(self.keys)


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_one(*args: object) -> Terminal:
        opened.append(Terminal(*args))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_by_a_key_loses_nothing(
    terminal: Callable[..., Terminal], home: Path, run: Run, key: str, code: int
) -> None:
    table = terminal(*PLAY)
    table.wait_for("Your move?")
    table.type("1\r")
    table.wait_for("Your move?")
    left, said = table.leave_by(key)
    assert left == code
    assert "The match is saved in match.json." in said
    assert "stationmaster play --plain --resume match.json" in said
    assert "Traceback" not in said
    moves = moves_in(home / "match.json")
    assert moves[0] == "0 12-0@0"
    assert len(moves) >= 4
    assert run(*GO_ON, typed="1\n").code == 0
    assert moves_in(home / "match.json")[: len(moves)] == moves


def test_a_closed_terminal_loses_nothing(terminal: Callable[..., Terminal], home: Path) -> None:
    table = terminal(*PLAY)
    table.wait_for("Your move?")
    table.type("1\r")
    table.wait_for("Your move?")
    os.close(table.keys)
    table.ended()
    assert len(moves_in(home / "match.json")) >= 4


def test_ctrl_c_at_the_first_question_ends_quietly(terminal: Callable[..., Terminal], run: Run) -> None:
    run("play", "--plain", typed="1\n")
    table = terminal("play", "--plain")
    table.wait_for("Play on with that match?")
    code, said = table.leave_by("\x03")
    assert code == 130
    assert "Traceback" not in said


def test_a_replay_in_a_terminal(terminal: Callable[..., Terminal], record: Path) -> None:
    reader = terminal("replay", record)
    steps = [("", "move 1 of"), ("", "move 2 of"), ("b", "move 1 of"), ("r", "Round 2 of 2, move 0 of")]
    for keys, text in steps:
        reader.type(f"{keys}\r")
        reader.wait_for(text)
    reader.type("q\r")
    assert reader.ended() == 0


# ---- Two at one match ----


def test_nobody_else_may_play_at_a_match_meanwhile(terminal: Callable[..., Terminal], run: Run, home: Path) -> None:
    table = terminal(*PLAY)
    table.wait_for("Your move?")
    code, _, err = run(*GO_ON)
    assert (code, err) == (2, "stationmaster: match.json: this match is being played in another terminal\n")
    table.type("quit\r")
    assert table.ended() == 0
    assert run(*GO_ON).code == 0


def test_the_name_is_asked_for_once(terminal: Callable[..., Terminal], home: Path) -> None:
    first = terminal("play", "--plain")
    first.wait_for("Your name? (Enter: You)")
    first.type("Zoe\r")
    assert "At the table: Zoe, Ben, Cleo and Dora." in first.wait_for("Your move?")
    first.type("quit\r")
    first.ended()
    again = terminal("play", "--plain", "--new")
    assert "At the table: Zoe, Ben, Cleo and Dora." in again.wait_for("Your move?")


def plain(text: str) -> str:
    """All in one line."""
    return " ".join(text.split())


def test_a_match_that_is_being_played_is_not_offered(terminal: Callable[..., Terminal], run: Run, home: Path) -> None:
    table = terminal("play", "--plain", "--name", "Ann")
    table.wait_for("Your move?")
    (path,) = (home / "data/stationmaster/matches").glob("*-tactic.json")
    code, _, err = run("play", "--plain", "--resume")
    assert (code, err) == (2, f"stationmaster: {path}: this match is being played in another terminal\n")
    assert "It is being played in another terminal." in plain(run("play", "--list").out)
    assert "Play on with that match?" not in run("play", "--plain", typed="").out
    assert table.leave_by("\x03")[0] == 130


def test_an_interrupt_from_elsewhere_is_like_ctrl_c(home: Path) -> None:
    with subprocess.Popen(command(*PLAY), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        wait_for(process.stdout.fileno(), "Your move?")
        code = press_until_ended(process, lambda: process.send_signal(signal.SIGINT))
        said = process.stdout.read()
    assert code == 130
    assert b"The match is saved in match.json." in said


# ---- tmux ----


@pytest.mark.skipif(shutil.which("tmux") is None, reason="LEFT OUT: tmux is not here, so play was not tried in it")
def test_a_few_moves_in_tmux(home: Path) -> None:
    server = f"stationmaster-{os.getpid()}"

    def tmux(*args: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", server, "-f", "/dev/null", *args],
            check=True,
            capture_output=True,
            text=True,
            env=environment(TERM="screen", LC_ALL="C.UTF-8"),
        )
        return done.stdout

    def wait_on_screen(text: str) -> str:
        deadline = time.monotonic() + PATIENCE
        while text not in (screen := tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "play")):
            assert time.monotonic() < deadline, f"{text!r} did not come:\n{screen}"
            time.sleep(0.05)
        return screen

    tmux("new-session", "-d", "-s", "play", "-x", "100", "-y", "40", "-c", str(home))
    try:
        tmux("send-keys", "-t", "play", " ".join(["exec", *command(*PLAY)]), "Enter")
        wait_on_screen("6: 10-12 on the Mexican Train, showing 10")
        tmux("send-keys", "-t", "play", "whyy 5-5", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace", " 5-5", "Enter")
        assert "5-5 is not in your hand." in wait_on_screen("By referee.2")
        tmux("send-keys", "-t", "play", "1", "Enter")
        wait_on_screen("You play 0-12 on your train, which now shows 0.")
        tmux("send-keys", "-t", "play", "quit", "Enter")
        deadline = time.monotonic() + PATIENCE
        while (home / ".match.json.lock").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        subprocess.run(["tmux", "-L", server, "kill-server"], capture_output=True, check=False)
    assert moves_in(home / "match.json")[0] == "0 12-0@0"
