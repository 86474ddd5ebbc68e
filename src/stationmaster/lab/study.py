"""Studies: files that say what is to be played, so that anybody can play the same again.

    title = "Does going first matter?"
    questions = ["place"]
    seed = "first"
    deals = 2000
    rulebooks = ["puremco-12", "tactic"]
    players = [2, 4]
    tables = [["planner"]]

Every rulebook is played with every number of players, every house rule and every table. A table with fewer bots than
players is filled up with its last bot. What a rulebook does not deal for is left out.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from stationmaster.errors import RulebookError, StationmasterError
from stationmaster.lab.entrants import entrant, read_limit
from stationmaster.lab.job import Cell, Job, Lineup, cell
from stationmaster.lab.match import figures
from stationmaster.lab.statistics import Interval, mean_interval
from stationmaster.lab.tally import Samples, mean_of_samples
from stationmaster.rulebooks.parameters import plainly
from stationmaster.rulebooks.rulebook import Rulebook

if TYPE_CHECKING:
    from stationmaster.lab.frame import Frame
    from stationmaster.lab.work import Task


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A house rule that is put on every rulebook of the study."""

    name: str
    changes: dict[str, Any] = {}


class StudyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study as it is written."""

    title: str
    rulebooks: list[str]
    players: list[int]
    tables: list[list[str]]
    seed: str | int = 1
    deals: int | None = None  # of each cell; or matches, never both
    matches: int | None = None
    limit: str | int | None = None  # of bots that have none of their own
    house: list[House] = []
    questions: list[Literal["place", "endings", "luck", "rules", "mexican", "money"]] = []


class Study(msgspec.Struct, frozen=True):
    """A study, read: the job, so many samples of each cell, and what was left out."""

    job: Job
    samples: int
    left_out: tuple[str, ...]


def read_study(path: Path, read_rulebook: Callable[[str], Rulebook]) -> Study:
    """Read a study file. Rulebooks in files are found beside it."""
    try:
        file = msgspec.convert(tomllib.loads(path.read_text("utf-8")), StudyFile)
    except UnicodeDecodeError:
        raise StationmasterError(f"{path} is not a text file (UTF-8), so it is not a study") from None
    except tomllib.TOMLDecodeError as error:
        raise StationmasterError(f"{path} is not a TOML file: {error}") from None
    except msgspec.ValidationError as error:
        where = str(error).partition("`$")[2].rstrip("`").lstrip(".")
        what = plainly(str(error)).replace("object contains", "it has an").replace("object missing", "it lacks the")
        fields = ", ".join(StudyFile.__struct_fields__)
        raise StationmasterError(f"{path}: {f'{where}: ' if where else ''}{what}; a study has {fields}") from None
    try:
        return _study(file, path, read_rulebook)
    except StationmasterError as error:
        raise StationmasterError(f"{path}: {error}") from None


def _study(file: StudyFile, path: Path, read_rulebook: Callable[[str], Rulebook]) -> Study:
    if (file.deals is None) == (file.matches is None):
        raise StationmasterError("give deals = … for single rounds, or matches = … for whole matches, one of them")
    samples = file.deals or file.matches or 0
    if samples < 1:
        raise StationmasterError(f"{samples} deals or matches: at least 1")
    for name in ("rulebooks", "players", "tables"):
        if not getattr(file, name):
            raise StationmasterError(f"{name} is empty: at least one is needed")
    default = read_limit(str(file.limit)) if file.limit is not None else None
    texts = list(dict.fromkeys(bot for table in file.tables for bot in table))
    entrants = tuple(entrant(text, default) for text in texts)
    cells: list[Cell] = []
    left_out: dict[str, list[int]] = {}
    for name in file.rulebooks:
        book = read_rulebook(str(path.parent / name) if name.endswith(".toml") else name)
        for house in file.house or [House("")]:
            ruled = _ruled(book, house)
            for players in file.players:
                if players not in book.deal:
                    missing = left_out.setdefault(book.id, [])
                    missing += [players] if players not in missing else []
                    continue
                for table in file.tables:
                    lineup = _lineup(table, texts, players)
                    cells.append(
                        cell(
                            ruled,
                            players,
                            (lineup,),
                            matches=file.matches is not None,
                            rulebook=book.id,
                            house=house.name,
                        )
                    )
    if not cells:
        raise StationmasterError(f"none of its rulebooks deals for {', '.join(map(str, file.players))} players")
    job = Job("study", str(file.seed), entrants, tuple(cells), file.title, tuple(file.questions))
    return Study(job, samples, tuple(f"{id} ({', '.join(map(str, seats))})" for id, seats in left_out.items()))


def _ruled(book: Rulebook, house: House) -> Rulebook:
    if not house.changes:
        return book
    try:
        return book.with_changes(id=f"{book.id}-{house.name.replace(' ', '-')}", **house.changes)
    except RulebookError as error:
        raise StationmasterError(f"house rule {house.name!r} on {book.id}: {error}") from None


def _lineup(table: list[str], texts: list[str], players: int) -> Lineup:
    if not table:
        raise StationmasterError("a table has no bots: at least one is needed")
    if len(table) > players:
        raise StationmasterError(f"the table {table} has {len(table)} bots, and {players} play")
    filled = table + [table[-1]] * (players - len(table))
    return tuple(texts.index(bot) for bot in filled)


class Course:
    """How far a study is, and how many points a seat gets in each of its cells."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.job = study.job
        self.rounds = 0
        self.latest = 0  # the cell that something was played of last
        self._points = [Samples(study.samples) for _ in study.job.cells]

    def add(self, task: Task, of: Frame) -> bool:
        """Take in what was played; a study never has enough."""
        self._points[task.cell].put(task, mean_of_samples(task, of, of["points"]))
        self.rounds += len(of["points"]) // self.job.cells[task.cell].players
        self.latest = task.cell
        return False

    @property
    def count(self) -> int:
        """How many samples were played, of all cells."""
        return sum(points.count for points in self._points)

    def points(self, cell: int) -> Interval:
        """Points of a seat a round."""
        return mean_interval(self._points[cell].all()[0])

    def figures(self) -> dict[str, Any]:
        """All of it for a program to read."""
        return {
            "title": self.job.title,
            "seed": self.job.seed,
            "samples": self.count,
            "rounds": self.rounds,
            "left_out": list(self.study.left_out),
            "cells": [
                {
                    "rulebook": cell.rulebook,
                    "house": cell.house,
                    "players": cell.players,
                    "table": [self.job.labels[who] for who in cell.tables[0]],
                    "whole_matches": cell.matches,
                    "points": figures(self.points(number)),
                }
                for number, cell in enumerate(self.job.cells)
            ],
        }
