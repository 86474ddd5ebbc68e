"""All against all: tables of mixed bots, a rating for each, and how each pair does at one table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from stationmaster.errors import StationmasterError
from stationmaster.lab.frame import better
from stationmaster.lab.job import Job, cell
from stationmaster.lab.match import figures
from stationmaster.lab.statistics import Interval, mean_interval
from stationmaster.lab.tally import mean_of_samples

if TYPE_CHECKING:
    from stationmaster.lab.entrants import Entrant
    from stationmaster.lab.frame import Frame
    from stationmaster.lab.job import Lineup
    from stationmaster.lab.statistics import Floats
    from stationmaster.lab.work import Task
    from stationmaster.rulebooks.rulebook import Rulebook

MOST_TABLES = 2000
Z = 1.959964  # a rating is a normal distribution: so many deviations hold 95 % of it


def ladder_job(entrants: Sequence[Entrant], book: Rulebook, players: int, *, seed: str, matches: bool = False) -> Job:
    """Every table that these bots can make: all different if there are enough, else each at least once."""
    if len(entrants) < 2 or players < 2:
        raise StationmasterError("a ladder takes two bots or more, and two players or more")
    tables = tuple(tables_of(len(entrants), players))
    return Job("ladder", seed, tuple(entrants), (cell(book, players, tables, matches=matches),))


def tables_of(bots: int, players: int) -> Iterable[Lineup]:
    """Who can sit together."""
    if bots >= players:
        if comb(bots, players) > MOST_TABLES:
            raise StationmasterError(
                f"{bots} bots at {players} seats make {comb(bots, players)} tables: at most {MOST_TABLES}"
            )
        return combinations(range(bots), players)
    everybody = tuple(range(bots))
    return (tuple(sorted(everybody + more)) for more in combinations_with_replacement(everybody, players - bots))


class Rating(msgspec.Struct, frozen=True):
    """How strong a bot is: by Plackett and Luce's model, 25 for the middle of the ladder as it begins."""

    bot: str
    rating: Interval
    points: Interval  # points (or cents) a round less the mean of its table
    share: Interval  # of the rounds it played in, how many it won, as times the fair share


class Pair(msgspec.Struct, frozen=True):
    """How two do at one table: the first's points a round less the second's, and how often it is ahead."""

    a: str
    b: str
    difference: Interval
    ahead: Interval


class Climb:
    """What is known so far of a ladder."""

    def __init__(self, job: Job, target: int) -> None:
        self.job = job
        self.target = target
        self.rounds = 0
        self.count = 0
        self.by_money = job.cells[0].book.objective == "most-money"
        bots = len(job.entrants)
        self._own: list[list[Floats]] = [[] for _ in range(bots)]
        self._shares: list[list[Floats]] = [[] for _ in range(bots)]
        self._pairs: dict[tuple[int, int], list[tuple[Floats, Floats]]] = {
            pair: [] for pair in combinations(range(bots), 2)
        }
        self._games: dict[int, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = {}

    def add(self, task: Task, of: Frame) -> bool:
        """Take in what was played; a ladder never has enough."""
        if task.last > self.target:
            inside = of["sample"] < self.target
            of = {name: column[inside] for name, column in of.items()}
        players = self.job.cells[0].players
        who = of["entrant"].reshape(-1, players)
        if not len(who):
            return False
        counts = (of["cents"] if self.by_money else of["points"]).reshape(-1, players).astype(float)
        ranked = better(of, self.job.cells[0].book.objective).reshape(-1, players)
        one = {"sample": of["sample"][::players]}
        own = counts - counts.mean(axis=1, keepdims=True)
        seats = [who == bot for bot in range(len(self.job.entrants))]
        for bot, at in enumerate(seats):
            self._own[bot].append(_present(mean_of_samples(task, of, own.ravel(), at.ravel())))
            share = of["won"].reshape(-1, players) * players
            self._shares[bot].append(_present(mean_of_samples(task, of, share.ravel(), at.ravel())))
        for (a, b), known in self._pairs.items():
            both = seats[a].any(axis=1) & seats[b].any(axis=1)
            if not both.any():
                continue
            at_a, at_b = seats[a][both], seats[b][both]
            mean_a = (counts[both] * at_a).sum(axis=1) / at_a.sum(axis=1)
            mean_b = (counts[both] * at_b).sum(axis=1) / at_b.sum(axis=1)
            better_a = (ranked[both] * at_a).sum(axis=1) / at_a.sum(axis=1)
            better_b = (ranked[both] * at_b).sum(axis=1) / at_b.sum(axis=1)
            ahead = (better_a > better_b) + (better_a == better_b) / 2
            these = {"sample": one["sample"][both]}
            known.append(
                (
                    _present(mean_of_samples(task, these, mean_a - mean_b)),
                    _present(mean_of_samples(task, these, ahead)),
                )
            )
        self._games[task.first] = who.astype(np.int8), ranked.astype(np.int32)
        self.rounds += len(who)
        self.count += min(task.last, self.target) - task.first
        return False

    def leader(self) -> tuple[str, Interval]:
        """Who is best so far, by points (or cents) against the mean of the table."""
        intervals = [mean_interval(np.concatenate(own)) for own in self._own]
        sign = -1 if self.by_money else 1
        best = min(range(len(intervals)), key=lambda bot: np.nan_to_num(sign * intervals[bot].mean, nan=np.inf))
        return self.job.labels[best], intervals[best]

    def ratings(self) -> list[Rating]:
        """All bots, the strongest first."""
        rated = rate(len(self.job.entrants), (self._games[first] for first in sorted(self._games)))
        found = [
            Rating(label, rating, mean_interval(np.concatenate(own)), mean_interval(np.concatenate(share)))
            for label, rating, own, share in zip(self.job.labels, rated, self._own, self._shares, strict=True)
        ]
        return sorted(found, key=lambda one: -one.rating.mean)

    def pairs(self) -> list[Pair]:
        """All pairs that met."""
        labels = self.job.labels
        return [
            Pair(
                labels[a],
                labels[b],
                mean_interval(np.concatenate([difference for difference, _ in known])),
                mean_interval(np.concatenate([ahead for _, ahead in known])),
            )
            for (a, b), known in self._pairs.items()
            if known
        ]

    def figures(self) -> dict[str, Any]:
        """All of it for a program to read."""
        cell = self.job.cells[0]
        return {
            "rulebook": cell.book.id,
            "players": cell.players,
            "seed": self.job.seed,
            "whole_matches": cell.matches,
            "samples": self.count,
            "rounds": self.rounds,
            "unit": "cents" if self.by_money else "points",
            "ratings": [
                {
                    "bot": one.bot,
                    "rating": figures(one.rating),
                    "against_table": figures(one.points),
                    "share_of_fair": figures(one.share),
                }
                for one in self.ratings()
            ],
            "pairs": [
                {"a": one.a, "b": one.b, "difference": figures(one.difference), "ahead": figures(one.ahead)}
                for one in self.pairs()
            ],
        }


def _present(means: Floats) -> Floats:
    return means[~np.isnan(means)]


def rate(bots: int, games: Iterable[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]) -> list[Interval]:
    """A rating for each bot, from who sat where and how each did (more is better), game by game in their order.

    Bots do not learn, so a rating does not drift (tau is 0) and its deviation shrinks with every game. Who sits at a
    table more than once moves by the mean of its seats.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(bots)]
    played = [0] * bots
    for lineups, results in games:
        for lineup, result in zip(lineups.tolist(), results.tolist(), strict=True):
            rated = model.rate([[ratings[bot]] for bot in lineup], scores=result)
            seats: dict[int, list[Any]] = {}
            for bot, (one,) in zip(lineup, rated, strict=True):
                seats.setdefault(bot, []).append(one)
            for bot, moved in seats.items():
                played[bot] += 1
                ratings[bot] = model.rating(
                    mu=sum(one.mu for one in moved) / len(moved), sigma=sum(one.sigma for one in moved) / len(moved)
                )
    return [
        Interval(one.mu, one.mu - Z * one.sigma, one.mu + Z * one.sigma, count)
        for one, count in zip(ratings, played, strict=True)
    ]
