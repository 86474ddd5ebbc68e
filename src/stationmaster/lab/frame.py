"""Results as columns: one row for each seat of each round played. What each column means is in ``COLUMNS``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stationmaster.engine.tiles import Tile
from stationmaster.lab.rounds import OF_ROUND
from stationmaster.lab.work import HEAD, SEAT, columns

if TYPE_CHECKING:
    from stationmaster.lab.job import Cell, Job

Column = NDArray[Any]
Frame = dict[str, Column]  # columns by name, all of one length

_TEXT = pa.dictionary(pa.int16(), pa.string())

COLUMNS: dict[str, tuple[Any, str]] = {
    "cell": (pa.int16(), "which part of the job: one rulebook, number of players and kind of tables"),
    "rulebook": (_TEXT, "the id of the rulebook"),
    "house": (_TEXT, "what the house rule is called, where several are compared; else empty"),
    "players": (pa.int8(), "how many play"),
    "matches": (pa.bool_(), "whether whole matches are played: then a sample has all the rounds of one"),
    "sample": (pa.int32(), "the number of the deal, or of the match; with its rotations it is one sample"),
    "rotation": (pa.int8(), "how many seats the bots have moved on; the deals are the same in every rotation"),
    "round": (pa.int8(), "the number of the round by the rulebook, from 1"),
    "engine": (_TEXT, "the engine"),
    "starter": (pa.int8(), "the seat that started the round"),
    "seat": (pa.int8(), "the seat of this row"),
    "place": (pa.int8(), "how many seats behind the starter, clockwise; 0 is the starter"),
    "entrant": (pa.int8(), "the number of the bot that sat here"),
    "bot": (_TEXT, "who that is, with the limit"),
    "points": (pa.int16(), "points of the round; fewer are better"),
    "cents": (pa.int32(), "what the seat took from the pot less what it paid in"),
    "won": (pa.float32(), "its share of the round won: 1, or less where several are equal, or 0"),
    "blocked": (pa.bool_(), "whether the round ended blocked"),
    "pile": (pa.int16(), "tiles left in the bone pile"),
    "tiles": (pa.int16(), "tiles left in the hand"),
    "turns": (pa.int16(), "turns of this seat"),
    "placed": (pa.int16(), "tiles it placed"),
    "draws": (pa.int16(), "tiles it drew"),
    "passes": (pa.int16(), "times it passed"),
    "mexican": (pa.int16(), "in which of its turns it began the Mexican Train, from 1; 0 if it did not"),
}

SCHEMA = pa.schema([pa.field(name, kind, metadata={"says": says}) for name, (kind, says) in COLUMNS.items()])


def frame(job: Job, number: int, rows: bytes) -> Frame:
    """What a worker handed back, as columns of numbers; texts come in when it is written."""
    cell = job.cells[number]
    seats = cell.players
    table = np.frombuffer(rows, dtype=np.int32).reshape(-1, columns(seats))
    made: Frame = {}
    for at, name in enumerate((*HEAD, *OF_ROUND)):
        made[name] = np.repeat(table[:, at], seats)
    by_seat = table[:, len(HEAD) + len(OF_ROUND) :].reshape(-1, len(SEAT))
    for at, name in enumerate(SEAT):
        made[name] = by_seat[:, at]
    made["seat"] = np.tile(np.arange(seats, dtype=np.int32), len(table))
    made["place"] = (made["seat"] - made["starter"]) % seats
    made["won"] = won(better(made, cell.book.objective), seats)
    return made


def better(of: Frame, objective: str) -> Column:
    """What the rulebook counts, so that more is better: cents, or points with their sign turned."""
    return of["cents"] if objective == "most-money" else -of["points"]


def won(counts: Column, seats: int) -> Column:
    """Each seat's share of its round."""
    rounds = counts.reshape(-1, seats)
    best = rounds == rounds.max(axis=1, keepdims=True)
    shares: Column = (best / best.sum(axis=1, keepdims=True)).astype(np.float32).reshape(-1)
    return shares


def matches_won(of: Frame, cell: Cell) -> Column:
    """Each seat's share of its match, a row for each seat of each match. Its rounds stand one behind the other."""
    seats, rounds = cell.players, cell.rounds
    counts = better(of, cell.book.objective).reshape(-1, rounds, seats).sum(axis=1)
    if cell.book.tie_break == "most-zeros":
        points = of["points"].reshape(-1, rounds, seats)
        most = np.int64(points.max() + 2)
        lowest = np.where(points > 0, points, most - 1).min(axis=1)
        lowest[lowest == most - 1] = 0
        counts = (counts.astype(np.int64) * (rounds + 1) + (points == 0).sum(axis=1)) * most - lowest
    return won(counts.reshape(-1), seats)


def arrow(job: Job, number: int, made: Frame) -> pa.Table:
    """The columns as they are written, texts and all."""
    cell, count = job.cells[number], len(made["seat"])
    engines = sorted(set(made["engine"].tolist()))
    texts = {
        "rulebook": (np.zeros(count, np.int16), [cell.rulebook]),
        "house": (np.zeros(count, np.int16), [cell.house]),
        "engine": (
            np.searchsorted(engines, made["engine"]).astype(np.int16),
            [str(Tile.from_code(n)) for n in engines],
        ),
        "bot": (made["entrant"].astype(np.int16), job.labels),
    }
    constants = {"cell": number, "players": cell.players, "matches": cell.matches}
    arrays = []
    for name, (kind, _) in COLUMNS.items():
        if name in texts:
            at, words = texts[name]
            arrays.append(pa.DictionaryArray.from_arrays(pa.array(at), pa.array(words, pa.string())))
        elif name in constants:
            arrays.append(pa.array(np.full(count, constants[name]), kind))
        elif name == "blocked":
            arrays.append(pa.array(made[name] != 0))
        else:
            arrays.append(pa.array(made[name].astype(kind.to_pandas_dtype()), kind))
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def unpack(table: pa.Table) -> Frame:
    """Columns of numbers again, from what was written."""
    return {
        name: table.column(name).to_numpy() for name, (kind, _) in COLUMNS.items() if not pa.types.is_dictionary(kind)
    }
