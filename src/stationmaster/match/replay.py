"""A record played again: everything it says is checked, and the first thing that does not hold is named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from stationmaster.engine.deal import Deal, check_players
from stationmaster.engine.moves import Move
from stationmaster.engine.tiles import Tile
from stationmaster.errors import IllegalMoveError, NotationError, RecordError, StationmasterError
from stationmaster.match.deals import check_deal, next_starter
from stationmaster.match.match import Match
from stationmaster.match.record import FORMAT, Record, RoundRecord, unknown_format
from stationmaster.rulebooks.rulebook import Rulebook, rulebook_from_record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stationmaster.engine.round import Round

_MOVE = re.compile(r"(0|[1-9][0-9]?) (\S{1,12})")
_LONGEST_TILE = 8


def replay(record: Record) -> Match:
    """The match that the record tells of, at its end."""
    match = _begun(record)
    _go_through(match, record)
    return match


def replay_as_far_as_it_holds(record: Record) -> tuple[Match, RecordError | None]:
    """The match up to the first thing in the record that does not hold, and what that is.

    A record of which not even the first deal holds is refused as ``replay`` refuses it.
    """
    match = _begun(record)
    try:
        _go_through(match, record)
    except RecordError as fault:
        if not match.rounds:
            raise
        return match, fault
    return match, None


def _begun(record: Record) -> Match:
    """The match before its first deal."""
    book = _rulebook(record)
    match = Match.__new__(Match)
    try:
        check_players(book, len(record.players))
        match._begin(book, record.players, record.seed)
    except StationmasterError as error:
        raise RecordError(str(error)) from None
    return match


def _go_through(match: Match, record: Record) -> None:
    """Play everything that the record says, and refuse the first thing that does not hold."""
    book = match.book
    if not record.rounds:
        raise RecordError("there are no rounds; a match begins with its first deal")
    for number, entry in enumerate(record.rounds, 1):
        if number > book.rounds:
            raise RecordError(f"a match of {book.name} has {_count(book.rounds, 'round')}", round=number)
        if number > 1 and match.round.turn is not None:
            raise RecordError("the round has not ended, and a further one follows it", round=number - 1)
        _deal(match, entry, number)
        _play(match, entry, number)
    _check_end(match, record)


def _rulebook(record: Record) -> Rulebook:
    if record.format != FORMAT:
        raise unknown_format(record.format)
    try:
        return rulebook_from_record(record.rulebook)
    except ValueError as error:
        raise RecordError(f"rulebook: {error}") from None


# ---- The deal --------------------------------------------------------------------------------------


def _deal(match: Match, entry: RoundRecord, number: int) -> None:
    """Begin a round by the deal that the record gives, if the rulebook gives one like it."""
    starter = next_starter(match.book, match.players, match.round.deal if match.rounds else None)
    try:
        deal = deal_of(entry)
        check_deal(deal, match.book, match.players, number, starter=starter)
        if entry.fair is not None:
            entry.fair.verify(deal, match.book, number, starter=starter)
    except StationmasterError as error:
        raise RecordError(str(error), round=number) from None
    match._add(deal, entry.fair)


def deal_of(entry: RoundRecord) -> Deal:
    """The deal that is written in a record, whether or not there is such a one."""
    return Deal(
        engine=_tile(entry.engine, "engine"),
        starter=entry.starter,
        hands=[_tiles(hand, f"the hand of seat {seat}") for seat, hand in enumerate(entry.hands)],
        bone_pile=_tiles(entry.bone_pile, "bone pile"),
    )


def _tiles(texts: Iterable[str], where: str) -> list[Tile]:
    return [_tile(text, where) for text in texts]


def _tile(text: str, where: str) -> Tile:
    try:
        tile = Tile.parse(text[:_LONGEST_TILE])
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None
    if text != str(tile):
        raise NotationError(f"{where}: {text[:80]!r} is written {tile} in a record")
    return tile


# ---- The moves ---------------------------------------------------------------------------------------


def _play(match: Match, entry: RoundRecord, number: int) -> None:
    """Make the moves of the record, and compare how the round ended."""
    round, names = match.round, match.names
    for place, text in enumerate(entry.moves, 1):
        seat, move = _move(text, number, place)
        turn = round.turn
        if turn is None:
            raise RecordError(f"{text}: the round ended with move {place - 1}", round=number, move=place)
        if seat != turn:
            whose = f"seat {turn}, {names[turn]}"
            raise RecordError(f"{text}: it is the turn of {whose}, not of seat {seat}", round=number, move=place)
        try:
            round.push(move)
        except IllegalMoveError as error:
            sentence = error.reason.sentence(names=names)
            raise RecordError(f"{text} is not legal: {sentence}", round=number, move=place) from None
    _check_outcome(round, entry, number)


def _move(text: str, number: int, place: int) -> tuple[int, Move]:
    parts = _MOVE.fullmatch(text)
    if parts is None:
        what = f"{text[:80]!r} is not a recorded move; write the seat and the move, as '0 12-5@0'"
        raise RecordError(what, round=number, move=place)
    try:
        move = Move.parse(parts[2])
    except NotationError as error:
        raise RecordError(str(error), round=number, move=place) from None
    if str(move) != parts[2]:
        raise RecordError(f"{parts[2]!r} is written {move} in a record", round=number, move=place)
    return int(parts[1]), move


# ---- The end -----------------------------------------------------------------------------------------


def _check_outcome(round: Round, entry: RoundRecord, number: int) -> None:
    outcome = round.outcome()
    if outcome is None:
        for field in ("ending", "points", "cents"):
            value = getattr(entry, field)
            if value is not None:
                given = _written(value)
                raise RecordError(f"{field} is {given}, and the round has not ended: it should be null", round=number)
        return
    for field in ("ending", "points", "cents"):
        _compare(field, getattr(entry, field), getattr(outcome, field), round=number)


def _check_end(match: Match, record: Record) -> None:
    if not match.over:
        for field in ("totals", "winners"):
            value = getattr(record, field)
            if value is not None:
                raise RecordError(f"{field} is {_written(value)}, and the match is not over: it should be null")
        return
    _compare("totals", record.totals, match.totals)
    _compare("winners", record.winners, match.winners)


def _compare(field: str, given: object, right: object, round: int | None = None) -> None:
    if given != right:
        raise RecordError(f"{field} is {_written(given)}, and should be {_written(right)}", round=round)


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(map(str, value[:14])) + (", …]" if len(value) > 14 else "]")
    return "null" if value is None else repr(value)[:80]


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
