"""``stationmaster db``: backups, exports and what becomes of them, with either kind of database."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.commands import Ran, command
from stationmaster.store import Kept, database, open_store
from stationmaster.words import LANGUAGES
from store import appending
from store.conftest import row, step

if TYPE_CHECKING:
    from postgres import Postgres

Run = Callable[..., Ran]


def fill(url: str, tables: int = 3) -> None:
    """Tables of two steps, and a secret of the server."""

    async def work() -> None:
        store = await open_store(url)
        names = [f"t{number}" for number in range(tables)]
        await store.put([Kept([step(1, name), step(2, name)], row(2, name), []) for name in names])
        await store.setting("key", "secret")
        await store.close()

    asyncio.run(work())


def held(url: str) -> tuple[list[str], dict[str, str]]:
    """The tables of a database, and its settings."""

    async def work() -> tuple[list[str], dict[str, str]]:
        store = await open_store(url)
        try:
            for name in await store.tables():
                assert len(await store.read(name)) == 2
            return await store.tables(), await store.settings()
        finally:
            await store.close()

    return asyncio.run(work())


@pytest.fixture
def mine(home: Path) -> str:
    """The database of this user, with tables in it."""
    fill(database())
    return database()


@pytest.fixture
def theirs(postgres: Postgres) -> str:
    """A database of PostgreSQL, with tables in it."""
    url = postgres.fresh()
    fill(url)
    return url


@contextmanager
def served(url: str) -> Iterator[None]:
    """The database while a server stores steps in it."""
    with subprocess.Popen([sys.executable, appending.__file__, url, "4"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        for _ in range(20):
            server.stdout.readline()
        yield
        assert server.poll() is None
        server.kill()


WHOLE = (["t0", "t1", "t2"], {"key": "secret"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_backup_is_put_back(run: Run, mine: str, language: str) -> None:
    code, out, err = run("db", "backup", "kept.db", "--language", language)
    assert (code, err) == (0, "")
    assert "kept.db" in out
    assert Path("kept.db").stat().st_mode & 0o777 == 0o600
    fill(mine, tables=0)
    code, _, err = run("db", "restore", "kept.db")
    assert code == 2
    assert "this database holds tables; --force puts the backup in their place" in err
    assert run("db", "restore", "kept.db", "--force", "--language", language).code == 0
    assert held(mine) == WHOLE
    assert sorted(path.name for path in Path(mine).parent.iterdir()) == ["tables.db", "tables.db.lock"]


def test_a_backup_goes_where_nothing_is(run: Run, mine: str) -> None:
    run("db", "backup", "kept.db")
    code, out, _ = run("db", "restore", "kept.db", "--database", "new.db", "--json")
    assert (code, json.loads(out)) == (0, {"file": "kept.db", "count": 3})
    assert held("new.db") == WHOLE


def test_a_backup_of_either_kind_goes_into_either_kind(run: Run, mine: str, theirs: str, postgres: Postgres) -> None:
    assert run("db", "backup", "lines", "--database", theirs).code == 0
    assert Path("lines").stat().st_mode & 0o777 == 0o600
    assert run("db", "backup", "kept.db").code == 0
    for backup in ("lines", "kept.db"):
        fresh = postgres.fresh()
        assert run("db", "restore", backup, "--database", fresh).code == 0
        assert held(fresh) == WHOLE
        assert run("db", "restore", backup, "--database", f"from-{backup}.db").code == 0
        assert held(f"from-{backup}.db") == WHOLE
    code, _, err = run("db", "restore", "lines", "--database", theirs)
    assert code == 2
    assert "--force" in err
    assert run("db", "restore", "lines", "--database", theirs, "--force").code == 0
    assert held(theirs) == WHOLE


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_it_goes_on_being_served_meanwhile(run: Run, kind: str, home: Path, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgres").fresh() if kind == "postgres" else "played.db"
    with served(url):
        for part, file in (("backup", "kept"), ("export", "lines"), ("check", None)):
            code, out, err = run("db", part, *([file] if file else []), "--database", url, "--json")
            assert (code, err) == (0, "")
            assert json.loads(out).get("faults", []) == []
    assert run("db", "restore", "kept", "--database", "restored.db").code == 0
    assert run("db", "check", "--database", "restored.db").code == 0
    assert not [path for path in home.iterdir() if path.name.startswith(".")], "nothing is left lying about"


def test_an_export_is_imported(run: Run, mine: str, theirs: str, postgres: Postgres) -> None:
    for kind, url in (("sqlite", mine), ("postgres", theirs)):
        code, out, _ = run("db", "export", "tables.jsonl", "--database", url, "--json", "--force")
        assert (code, json.loads(out)) == (0, {"file": "tables.jsonl", "count": 3})
        assert "secret" not in Path("tables.jsonl").read_text()
        for to in (postgres.fresh(), f"from-{kind}.db"):
            first = run("db", "import", "tables.jsonl", "--database", to)
            assert first.out == "3 tables of tables.jsonl were added; 0 were there already.\n"
            again = run("db", "import", "tables.jsonl", "--database", to, "--json")
            assert json.loads(again.out) == {"file": "tables.jsonl", "count": 0, "there": 3}
            assert held(to) == (WHOLE[0], {})


def test_a_file_that_is_there_is_not_written_over(run: Run, mine: str) -> None:
    Path("kept.db").write_text("precious")
    for part in ("backup", "export"):
        code, _, err = run("db", part, "kept.db")
        assert (code, Path("kept.db").read_text()) == (2, "precious")
        assert "--force writes over it" in err
    assert run("db", "backup", "kept.db", "--force").code == 0
    assert run("db", "restore", "kept.db", "--database", "new.db").code == 0


def test_of_a_server_that_was_killed_nothing_gets_into_what_is_put_back(run: Run, mine: str) -> None:
    run("db", "backup", "kept.db")
    with served("played.db"):
        pass
    assert Path("played.db-wal").stat().st_size > 0
    assert run("db", "restore", "kept.db", "--database", "played.db", "--force").code == 0
    assert held("played.db") == WHOLE


def test_a_broken_backup_changes_nothing(run: Run, mine: str, theirs: str) -> None:
    run("db", "export", "lines")
    run("db", "backup", "kept.db")
    whole = Path("lines").read_bytes()
    Path("half").write_bytes(whole[: len(whole) // 2])
    damaged = bytearray(Path("kept.db").read_bytes())
    damaged[4096:] = os.urandom(len(damaged) - 4096)
    Path("damaged.db").write_bytes(damaged)
    Path("text").write_text("hello\n")
    for url in (mine, theirs):
        for backup in ("half", "damaged.db", "text"):
            code, _, err = run("db", "restore", backup, "--force", "--database", url)
            assert code == 2, backup
            assert "stationmaster: " in err
            assert held(url) == WHOLE
    assert run("db", "restore", "missing.db").err.startswith("stationmaster: missing.db: ")


def test_what_is_served_is_not_restored(run: Run, mine: str) -> None:
    run("db", "backup", "kept.db")
    with served(mine):
        code, _, err = run("db", "restore", "kept.db", "--force")
        assert code == 2
        assert "one process serves one file" in err
        assert run("db", "import", "kept.db").code == 2


def test_what_does_not_hold_is_said(run: Run, mine: str) -> None:
    assert run("db", "check").out == "3 tables, and everything in them holds.\n"

    async def harm() -> None:
        store = await open_store(mine)
        await store.put([Kept([step(1, "odd"), step(3, "odd", b"{oops")], None, [])])
        await store.close()

    asyncio.run(harm())
    code, out, _ = run("db", "check")
    assert code == 1
    assert "table odd: steps are missing: 2" in out
    assert "not JSON" in out
    assert "Restore a backup" in out
    code, out, _ = run("db", "check", "--json")
    assert code == 1
    assert len(json.loads(out)["faults"]) == 2


def test_a_database_that_is_not_there_is_not_made(run: Run, home: Path) -> None:
    for part in ("backup", "export", "check"):
        code, _, err = run("db", part, *(["file"] if part != "check" else []), "--database", "none.db")
        assert (code, err) == (2, "stationmaster: none.db: there is no such database\n")
    assert list(home.iterdir()) == []


def test_interrupted_it_leaves_nothing_behind(home: Path, mine: str) -> None:
    fill("big.db", tables=4000)
    before = sorted(home.iterdir())
    with subprocess.Popen(
        command("db", "export", "lines", "--database", "big.db"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as export:
        while not list(home.glob(".lines.*")):
            time.sleep(0.01)
        export.send_signal(signal.SIGINT)
        out, err = export.communicate()
        assert export.returncode == 130, (out, err)
        assert b"Traceback" not in err
    assert sorted(home.iterdir()) == before
