"""Runs: the same results however many play, in whatever order, and however often they stop or die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import stationmaster as sm
from cli.commands import command, environment
from stationmaster.lab.entrants import entrant
from stationmaster.lab.frame import COLUMNS, SCHEMA, Frame
from stationmaster.lab.job import Job, cell
from stationmaster.lab.match import Standing, match_job
from stationmaster.lab.results import Results
from stationmaster.lab.run import carry_out
from stationmaster.lab.work import Task

HEAVY, LIGHT, ONCE, ALWAYS = (f"lab.players:{name}" for name in ("Heaviest", "Lightest", "KillsOnce", "Kills"))
BOOK = sm.rulebook("tactic")


def a_job(a: str = HEAVY, b: str = "random", players: int = 2, seed: str = "1", matches: bool = False) -> Job:
    return match_job(entrant(a), entrant(b), BOOK, players, 1, seed=seed, matches=matches)


def play(folder: Path, job: Job, samples: int, **options: Any) -> Frame:
    """Play so many samples of every cell; all rows in order."""
    results = Results(folder, job) if folder.exists() else Results.new(folder, job)
    carry_out(results, [samples] * len(job.cells), lambda task, made: False, **options)
    return rows(results)


def rows(results: Results) -> Frame:
    frames = [made for _, made in results.frames()]
    return {name: np.concatenate([made[name] for made in frames]) for name in frames[0]}


def same(one: Frame, other: Frame) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_any_number_of_workers_brings_the_same(tmp_path: Path) -> None:
    job = a_job()
    alone = play(tmp_path / "alone", job, 30, workers=1)
    assert same(alone, play(tmp_path / "two", job, 30, workers=2))
    assert len(alone["points"]) == 30 * 2 * 2
    assert not same(alone, play(tmp_path / "other", a_job(seed="2"), 30, workers=1))


def test_what_is_missing_is_played_and_nothing_else(tmp_path: Path) -> None:
    job = a_job()
    whole = play(tmp_path / "whole", job, 20, workers=1)
    folder = tmp_path / "pieces"
    results = Results.new(folder, job)
    stops = 0

    class EnoughError(Exception):
        pass

    def stop_twice(task: Task, made: Frame) -> bool:
        nonlocal stops
        stops += 1
        if stops in (2, 5):
            raise EnoughError
        return False

    for _ in range(2):
        with pytest.raises(EnoughError):
            carry_out(results, [20], stop_twice, workers=1)
    before = results.sizes()[0]
    assert 0 < before < 20
    assert results.missing(0, 20) != []
    assert same(whole, play(folder, job, 20, workers=1))
    assert results.missing(0, 20) == []
    # More of it later, and the first ones stay.
    more = play(folder, job, 25, workers=1)
    assert same(whole, {name: column[: len(whole["seat"])] for name, column in more.items()})
    assert len(results.files()) == 1, "put into one file"


def test_gaps_are_found(tmp_path: Path) -> None:
    job = Job("study", "1", (entrant("random"),), (cell(BOOK, 2, ((0, 0),)), cell(BOOK, 3, ((0, 0, 0),))))
    results = Results.new(tmp_path / "gaps", job)
    for number, first, last in ((0, 2, 4), (0, 7, 9), (1, 0, 3), (0, 2, 3)):
        (results.folder / f"{number:04}-{first:08}-{last:08}.parquet").touch()
    assert results.missing(0, 12) == [(0, 2), (4, 7), (9, 12)]
    assert results.missing(0, 8) == [(0, 2), (4, 7)]
    assert results.missing(0, 3) == [(0, 2)]
    assert results.missing(1, 3) == []


def test_a_worker_that_dies_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths = tmp_path / "deaths"
    monkeypatch.setenv("DEATHS", str(deaths))
    played = play(tmp_path / "dying", a_job(ONCE, LIGHT), 12, workers=2)
    assert deaths.exists()
    assert same(played, play(tmp_path / "again", a_job(ONCE, LIGHT), 12, workers=2))
    healthy = play(tmp_path / "healthy", a_job(HEAVY, LIGHT), 12, workers=1)
    assert same(played, healthy)


def test_a_bot_that_kills_every_worker_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(sm.StationmasterError, match=r"worker after worker dies over samples \d+ to \d+"):
        play(tmp_path / "kills", a_job(ALWAYS), 12, workers=2)


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("lab.players:Cheats", r"lab.players:Cheats played .* in round \d+-\d+ after \d+ moves, at seat \d: .*"),
        ("lab.players:Breaks", r"lab.players:Breaks broke down at .*players.py:\d+: KeyError: 'nothing here'"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_fails_is_named(tmp_path: Path, bot: str, says: str, workers: int) -> None:
    with pytest.raises(sm.StationmasterError, match=says):
        play(tmp_path / "fails", a_job(bot), 4, workers=workers)


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    results = Results.new(tmp_path / "mine", a_job())

    def meanwhile(task: Task, made: Frame) -> bool:
        with pytest.raises(sm.StationmasterError, match="another run is filling"):
            carry_out(Results.read(results.folder), [4], lambda task, made: False, workers=1)
        return True

    assert carry_out(results, [4], meanwhile, workers=1)


def test_results_are_read_back_with_their_job(tmp_path: Path) -> None:
    job = a_job()
    play(tmp_path / "there", job, 2, workers=1)
    assert Results.read(tmp_path / "there").job == job
    with pytest.raises(sm.StationmasterError, match=r"has no results: there is no job.json in it"):
        Results.read(tmp_path)
    (tmp_path / "there" / "job.json").write_text("{}")
    with pytest.raises(sm.StationmasterError, match="is not the job of results"):
        Results.read(tmp_path / "there")
    with pytest.raises(sm.StationmasterError, match="holds something else"):
        Results.new(tmp_path, job)


def test_every_column_says_what_it_is() -> None:
    assert all(SCHEMA.field(name).metadata[b"says"] for name in COLUMNS)
    assert len(SCHEMA) == len(COLUMNS)


# ---- What is noted ----


@pytest.mark.parametrize("id", sm.rulebooks())
def test_what_is_noted_of_a_round_adds_up(tmp_path: Path, id: str) -> None:
    book = sm.rulebook(id)
    job = Job(
        "study",
        "1",
        (entrant("random"),),
        (cell(book, 3, ((0, 0, 0),)) if 3 in book.deal else cell(book, 2, ((0, 0),)),),
    )
    of = play(tmp_path / "noted", job, 26, workers=1)
    players = job.cells[0].players
    by_round = {name: column.reshape(-1, players) for name, column in of.items()}
    if book.engine == "descending":
        (file,) = Results.read(tmp_path / "noted").files()
        engines = pq.read_table(file).column("engine").to_pylist()
        assert set(engines) == set(book.engines[: book.rounds])
        dealt = book.deal[players]
        assert np.array_equal(dealt + of["draws"] - of["placed"], of["tiles"])
    in_play = by_round["tiles"].sum(1) + by_round["placed"].sum(1) + by_round["pile"][:, 0] + 1
    assert set(in_play) == {book.tile_count}
    assert np.array_equal(by_round["won"].sum(1), np.ones(26))
    assert ((by_round["mexican"] > 0).sum(1) <= 1).all()
    assert (by_round["mexican"] <= by_round["turns"]).all()
    out = (by_round["tiles"] == 0).any(1)
    assert np.array_equal(out, by_round["blocked"][:, 0] == 0)
    assert set(of["place"][of["seat"] == of["starter"]]) == {0}
    assert (by_round["cents"].sum(1) == 0).all(), "nothing stays in the pot of a single round"
    assert book.uses_money == of["cents"].any()


def test_a_match_is_played_as_the_match_plays_it(tmp_path: Path) -> None:
    book = sm.rulebook("quarter-pot").with_changes(rounds=4)
    job = match_job(entrant(HEAVY), entrant(LIGHT), book, 3, 1, seed="pot", matches=True)
    of = play(tmp_path / "match", job, 3, workers=1)
    heavy, light = (one.bot for one in job.entrants)
    for sample in range(3):
        deals = [deal for _, deal in job.cells[0].deals("pot", sample)]
        for rotation, lineup in enumerate(job.cells[0].lineups("pot", sample)):
            match = sm.Match(book, ["Ann", "Ben", "Cleo"], deals=deals)
            rng = __import__("random").Random(1)
            while True:
                round = match.round
                while round.turn is not None:
                    bot = (heavy, light)[lineup[round.turn]]
                    round.push(bot.choose(round.observe(round.turn), sm.Limit(), rng))
                if match.over:
                    break
                match.next_round()
            mine = (of["sample"] == sample) & (of["rotation"] == rotation)
            assert tuple(of["points"][mine].reshape(-1, 3).sum(0)) == match.totals
            assert tuple(of["cents"][mine].reshape(-1, 3).sum(0)) == match.money


def test_every_round_of_a_match_is_played_with_what_it_stands_at(tmp_path: Path) -> None:
    """The bot says by its moves what it sees: it plays its heaviest tile where it leads, else the lightest."""
    book = sm.rulebook("quarter-pot").with_changes(rounds=4)
    job = match_job(entrant("lab.players:Swayed"), entrant(LIGHT), book, 3, 1, seed="stand", matches=True)
    of = play(tmp_path / "match", job, 2, workers=1)
    swayed, light = (one.bot for one in job.entrants)
    leads = 0
    for sample in range(2):
        deals = [deal for _, deal in job.cells[0].deals("stand", sample)]
        for rotation, lineup in enumerate(job.cells[0].lineups("stand", sample)):
            match = sm.Match(book, ["Ann", "Ben", "Cleo"], deals=deals)
            rng = __import__("random").Random(1)
            while True:
                round = match.round
                leads += bool(match.number > 1 and match.leading == (lineup.index(0),))
                while round.turn is not None:
                    bot = (swayed, light)[lineup[round.turn]]
                    round.push(bot.choose(round.observe(round.turn), sm.Limit(), rng))
                if match.over:
                    break
                match.next_round()
            mine = (of["sample"] == sample) & (of["rotation"] == rotation)
            assert tuple(of["points"][mine].reshape(-1, 3).sum(0)) == match.totals
    assert leads
    single = match_job(entrant("lab.players:Alone"), entrant(LIGHT), book, 3, 1, seed="stand")
    assert len(play(tmp_path / "single", single, 2, workers=1)["points"]) == 2 * 3 * 3


# ---- A cluster ----


@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_a_cluster_brings_the_same_though_a_worker_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dask.distributed import LocalCluster

    deaths = tmp_path / "deaths"
    monkeypatch.setenv("DEATHS", str(deaths))
    job = a_job(ONCE, LIGHT)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=60) as cluster:
        played = play(tmp_path / "cluster", job, 12, scheduler=cluster.scheduler_address)
    assert deaths.exists()
    assert same(played, play(tmp_path / "here", job, 12, workers=1))


def test_no_scheduler_there(tmp_path: Path) -> None:
    with pytest.raises(sm.StationmasterError, match="no Dask scheduler answers at nonsense://nowhere"):
        play(tmp_path / "none", a_job(), 4, scheduler="nonsense://nowhere")


# ---- Stopped by hand ----


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_was_played(tmp_path: Path, workers: int) -> None:
    line = [
        "lab",
        "match",
        "lab.players:Slow",
        LIGHT,
        "--players",
        "2",
        "--deals",
        "24",
        "--workers",
        workers,
        "--json",
    ]
    settings = environment(PYTHONPATH=os.environ["PYTHONPATH"], STATIONMASTER_LANGUAGE="en")

    def start(*more: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command(*line, *more),
            env=settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    folder = tmp_path / "results"
    process = start("--save", folder)
    try:
        until = time.monotonic() + 60
        while len(list(folder.glob("*.parquet"))) < 3 and time.monotonic() < until:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert f"kept in {folder}" in err
    stopped = json.loads(out)
    assert not stopped["complete"]
    assert 0 < stopped["samples"] < 24
    assert Results.read(folder).sizes()[0] >= stopped["samples"]

    found = []
    for more in (["--save", folder, "--resume"], ["--save", tmp_path / "at-once"]):
        process = start(*more)
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        found.append({name: json.loads(out)[name] for name in ("difference", "share", "samples", "rounds", "complete")})
    assert found[0] == found[1]
    assert found[0]["samples"] == 24


def test_the_test_decides_by_the_samples_in_their_order(tmp_path: Path) -> None:
    """However the work is cut, and whatever was played besides: the verdict falls at the same deal."""
    from stationmaster.lab.statistics import Sprt

    job, sprt = a_job(LIGHT, HEAVY), Sprt(high=12.0, least=5)
    found = []
    for workers in (1, 2):
        standing = Standing(job, 100, sprt)
        results = Results.new(tmp_path / str(workers), job)
        assert carry_out(results, [100], standing.add, workers=workers)
        found.append((standing.verdict, standing.difference, standing.share))
    assert found[0] == found[1]
    assert found[0][0].accepted == "H0"
    assert found[0][0].samples < 100
