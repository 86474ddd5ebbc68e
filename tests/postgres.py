"""A PostgreSQL server of the tests' own, on this machine alone, gone at their end.

Where it is not installed, what needs it is left out; with CI set that is a failure. PostgreSQL refuses to run as root,
so root's tests run it as the user that its package made.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

IN_CI = os.environ.get("CI", "") not in ("", "0", "false")
WHAT_TO_DO = "PostgreSQL is not installed here (Debian, Ubuntu: apt-get install postgresql)"


def programs() -> Path | None:
    """The folder of initdb and pg_ctl: Debian keeps them out of PATH."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    found = shutil.which("initdb")
    folders += [Path(found).resolve().parent] if found else []
    return next((folder for folder in reversed(folders) if (folder / "pg_ctl").exists()), None)


class Postgres:
    """A server with its files in a folder of its own."""

    def __init__(self, folder: Path, bin: Path, *, fsync: bool = False) -> None:
        self.folder = folder
        self.bin = bin
        self._fsync = "on" if fsync else "off"  # off: what a stopped server wrote is safe with this machine's kernel
        self._user = "postgres" if os.geteuid() == 0 else None
        if self._user is not None:
            owner = pwd.getpwnam(self._user)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._numbers = count(1)
        locale = ("--encoding=UTF8", "--locale=C.UTF-8")
        self.run("initdb", "-D", folder / "data", "-U", "stationmaster", "-A", "trust", "--no-sync", *locale)
        self.start()

    def url(self, database: str) -> str:
        """How programs reach a database."""
        return f"postgresql://stationmaster@127.0.0.1:{self.port}/{database}"

    def fresh(self) -> str:
        """The address of a new database."""
        name = f"fresh{next(self._numbers)}"
        self.sql("postgres", f"CREATE DATABASE {name}")
        return self.url(name)

    def sql(self, database: str, text: str) -> str:
        """Let psql run statements; what it prints."""
        return self.run("psql", "-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-d", self.url(database), "-c", text)

    def start(self) -> None:
        """Let it run, until it answers."""
        settings = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync={self._fsync}"
        log = self.folder / "log"
        self.run("pg_ctl", "start", "-w", "-s", "-D", self.folder / "data", "-l", log, "-o", settings)

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: at once, as when its machine goes down, or another way that pg_ctl knows."""
        self.run("pg_ctl", "stop", "-w", "-s", "-D", self.folder / "data", "-m", mode)

    def run(self, program: str, *args: object) -> str:
        """Run one of PostgreSQL's programs."""
        done = subprocess.run(
            [self.bin / program, *map(str, args)],
            user=self._user,
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if not name.startswith("PG")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr or self._log()}")
        return done.stdout

    def _log(self) -> str:
        log = self.folder / "log"
        return log.read_text()[-2000:] if log.exists() else ""


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server."""
    bin = programs()
    if bin is None:
        if IN_CI:
            pytest.fail(WHAT_TO_DO)
        pytest.skip(f"LEFT OUT: {WHAT_TO_DO}")
    folder = Path(tempfile.mkdtemp(prefix="stationmaster-"))  # not pytest's: PostgreSQL's user may not enter that
    try:
        server = Postgres(folder, bin)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
