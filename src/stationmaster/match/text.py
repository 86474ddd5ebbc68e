"""A match as people read it: its rounds move by move, and its score sheet."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from stationmaster.engine.events import Drew, Event, MarkerLaid, RoundEnded, TurnBegan, train_name
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import end_text
from stationmaster.match.record import Record
from stationmaster.rulebooks.prose import WIDTH, book_name, compare
from stationmaster.rulebooks.rulebook import rulebook
from stationmaster.words import DEFAULT, listing, money, say

if TYPE_CHECKING:
    from stationmaster.engine.moves import Move
    from stationmaster.match.match import Match

GAP = "  "
TO_THE_RIGHT = 2  # the columns from here on are numbers


def format_match(match: Match | Record, language: str = DEFAULT) -> str:
    """The whole match in words, with its score sheet. A record is checked first."""
    match = _match(match)
    book = match.book
    lines = [book_name(book, language), say("text.players", language, names=listing(list(match.names), language))]
    if match.seed is not None:
        lines.append(say("text.seed", language, seed=match.seed))
    if book.based_on is not None:
        printed = rulebook(book.based_on)
        lines.append(say("text.house", language, name=printed.name))
        for change in compare(printed, book, language):
            lines.append(f"{GAP}{change.label}: {change.b_words}")
    for number in range(1, match.number + 1):
        lines += ["", *_round(match, number, language)]
    lines += ["", say("score.title", language), "", *_score_sheet(match, language)]
    return "\n".join(lines) + "\n"


def format_score_sheet(match: Match | Record, language: str = DEFAULT) -> str:
    """The score sheet: a line for each round, a column for each player, the totals, and who leads or has won."""
    return "\n".join(_score_sheet(_match(match), language)) + "\n"


def _match(match: Match | Record) -> Match:
    return match.replay() if isinstance(match, Record) else match


# ---- A round -----------------------------------------------------------------------------------------


def _round(match: Match, number: int, language: str) -> list[str]:
    round, names = match.rounds[number - 1], match.names
    deal = round.deal
    lines = [
        say("text.round", language, number=number, rounds=match.book.rounds),
        say("text.engine", language, engine=deal.engine, name=names[deal.starter]),
        say("text.hands", language),
    ]
    for name, hand in zip(names, deal.hands, strict=True):
        lines += _filled(f"{name}: {' '.join(map(str, hand))}", GAP)
    pile = "text.bone-pile" if deal.bone_pile else "text.no-bone-pile"
    lines += _filled(say(pile, language, tiles=" ".join(map(str, deal.bone_pile))))
    lines.append(say("text.moves", language))
    turns, end = _turns(match, round, language)
    width = len(str(len(turns)))
    lines += [f"{GAP}{place:>{width}}. {turn}" for place, turn in enumerate(turns, 1)]
    if end is None:
        lines.append(say("text.running", language))
        return lines
    lines.append(end.sentence(language, names))
    outcome = round.outcome()
    assert outcome is not None
    lines.append(say("text.points", language, points=_each(names, [str(count) for count in outcome.points])))
    if match.book.uses_money:
        lines.append(
            say("text.money", language, money=_each(names, [money(cents, language) for cents in outcome.cents]))
        )
    return lines


def _filled(text: str, first: str = "") -> list[str]:
    return wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=first + GAP,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _each(names: tuple[str, ...], values: list[str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))


def _turns(match: Match, played: Round, language: str) -> tuple[list[str], RoundEnded | None]:
    """A line for each turn, and how the round ended."""
    round = Round(match.book, played.deal, pot=played.pot, last=played.last)
    turns: list[str] = []
    doings: list[str] = []
    end = None
    for place, (seat, move) in enumerate(played.moves, 1):
        events = round.push(move)
        doings.append(_doing(move, events, match.names, language))
        end = next((event for event in events if isinstance(event, RoundEnded)), None)
        if end is not None or place == len(played.moves) or any(isinstance(event, TurnBegan) for event in events):
            turns.append(f"{match.names[seat]}: {', '.join(doings)}")
            doings = []
    return turns, end


def _doing(move: Move, events: tuple[Event, ...], names: tuple[str, ...], language: str) -> str:
    """What one move does, in a few words."""
    if move.attached is not None and move.exposed is not None and move.train is not None:
        tile = f"{end_text(move.attached)}-{end_text(move.exposed)}"
        return say("text.place", language, tile=tile, train=train_name(move.train, names, language))
    if move.kind == "draw":
        return say("text.draw", language, tile=next(event.tile for event in events if isinstance(event, Drew)))
    if move.kind == "pass":
        laid = any(isinstance(event, MarkerLaid) for event in events)
        return say("text.pass-and-mark" if laid else "text.pass", language)
    return say("text.stop", language)


# ---- The score sheet -----------------------------------------------------------------------------------


def _score_sheet(match: Match, language: str) -> list[str]:
    uses_money = match.book.uses_money
    points = [[str(count) for count in outcome.points] for outcome in match.outcomes()]
    lines = [say("score.points-title", language)] if uses_money else []
    lines += _table(match, points, [str(count) for count in match.totals], language)
    if uses_money:
        cents = [[money(count, language) for count in outcome.cents] for outcome in match.outcomes()]
        lines += ["", say("score.money-title", language)]
        lines += _table(match, cents, [money(count, language) for count in match.money], language)
        if match.pot:
            lines += ["", say("score.pot", language, money=money(match.pot, language))]
    blocked = [str(number) for number, end in enumerate(match.outcomes(), 1) if end.ending == "blocked"]
    if blocked:
        lines += ["", say("score.blocked", language, count=len(blocked), rounds=listing(blocked, language))]
    if match.outcomes():
        lines += ["", _standing(match, language)]
    return lines


def _table(match: Match, rows: list[list[str]], totals: list[str], language: str) -> list[str]:
    """Columns under the names of the players; a round that still runs says so."""
    head = [say("score.round", language), say("score.engine", language), *match.names]
    table = [head]
    for number, row in enumerate(rows, 1):
        table.append([str(number), str(match.rounds[number - 1].deal.engine), *row])
    running = match.number > len(rows)
    if running:
        table.append([str(match.number), str(match.round.deal.engine)])
    table.append([say("score.total", language), "", *totals])
    widths = [max(_width(row[column]) for row in table if column < len(row)) for column in range(len(head))]
    lines = [_line(row, widths) for row in table]
    if running:
        lines[-2] += GAP + say("score.running", language)
    return lines


def _line(cells: list[str], widths: list[int]) -> str:
    padded = []
    for column, (cell, width) in enumerate(zip(cells, widths, strict=False)):
        space = " " * (width - _width(cell))
        padded.append(cell + space if column < TO_THE_RIGHT else space + cell)
    return GAP.join(padded)


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def _standing(match: Match, language: str) -> str:
    """Who has won, or who leads."""
    seats = match.leading
    if match.book.objective == "most-money":
        score = money(match.money[seats[0]], language)
    else:
        score = say("score.count", language, count=match.totals[seats[0]])
    names = listing([match.names[seat] for seat in seats], language)
    key = "score.won" if match.over else "score.leads"
    return say(key, language, count=len(seats), names=names, score=score, number=len(match.outcomes()))
