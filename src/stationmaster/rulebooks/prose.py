"""The rules of any rulebook in words that a family would read at the table.

Everything is said from the parameters, so a house rule prints as right as a printed sheet does.
"""

from __future__ import annotations

from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING

import msgspec

from stationmaster.rulebooks.rulebook import HOUSE, HOUSE_SUFFIX, PARAMETERS, Rulebook, rulebook
from stationmaster.words import DEFAULT, listing, money, say

if TYPE_CHECKING:
    from collections.abc import Callable

WIDTH = 78
ITEM = "- "  # begins a sentence that is one line of a list


class Difference(msgspec.Struct, frozen=True):
    """One thing in which two rulebooks differ, in words, and the clause that each rests on."""

    field: str
    label: str
    a_words: str
    b_words: str
    clause_a: str
    clause_b: str


class _Telling:
    """One rulebook being told in one language."""

    def __init__(self, book: Rulebook, language: str) -> None:
        self.book = book
        self.language = language

    def say(self, key: str, **values: object) -> str:
        return say(f"rules.{key}", self.language, **values)

    def money(self, cents: int) -> str:
        return money(cents, self.language)

    def numbers_of_players(self, seats: tuple[int, ...], last: str = "and") -> str:
        """ "2 to 8 players"; "2, 4 and 6 players"."""
        if len(seats) > 2 and seats[-1] - seats[0] == len(seats) - 1:
            return self.say("players.range", first=seats[0], last=seats[-1])
        numbers = listing([str(number) for number in seats], self.language, last=last)
        return self.say("players.list", numbers=numbers, count=seats[-1])

    def hands(self) -> list[tuple[str, int]]:
        """The deal table: who gets how many tiles, equal neighbours together."""
        rows = []
        for size, group in groupby(self.book.players, key=lambda seats: self.book.deal[seats]):
            rows.append((self.numbers_of_players(tuple(group), last="or"), size))
        return rows

    # ---- The sections, in the order in which a table needs them ----

    def box(self) -> list[str]:
        book = self.book
        kind = "box.wild" if book.wild_tiles else "box.numbers"
        return [
            self.say(kind, highest=book.highest, tiles=book.tile_count, wild=book.wild_tile_count),
            self.say("box.players", players=self.numbers_of_players(book.players)),
            self.say("box.coins" if book.uses_money else "box.things"),
        ]

    def setup(self) -> list[str]:
        book = self.book
        from_set = book.engine == "descending"
        lines = [self.say("setup.engine"), self._engines()] if from_set else []
        lines.append(self.say("setup.mix-rest" if from_set else "setup.mix-all"))
        lines += [ITEM + self.say("setup.hand", players=players, count=size) for players, size in self.hands()]
        lines.append(self.say("setup.pile"))
        lines.append(self.say("setup.visible" if book.open_hands else "setup.hidden"))
        return lines

    def _engines(self) -> str:
        book, engines = self.book, self.book.engines
        if len(engines) == 1:
            return self.say("setup.engine-one", first=engines[0])
        wild_last = book.last_engine == "W-W"
        descent = self.say("setup.descent-wild" if wild_last else "setup.descent", last=book.last_engine)
        if book.rounds == len(engines):
            return self.say("setup.engine-all", first=engines[0], descent=descent, rounds=book.rounds)
        here = engines[book.rounds - 1]
        return self.say(
            "setup.engine-some", first=engines[0], descent=descent, rounds=book.rounds, here=here, count=book.rounds
        )

    def start(self) -> list[str]:
        book = self.book
        if book.starter == "engine-holder":
            return [self.say("start.engine-holder"), self.say("start.no-double"), self.say("start.again")]
        return [self.say(f"start.{book.starter}", number=book.first_starter + 1), self.say("start.rotate")]

    def turn(self) -> list[str]:
        lines = [self.say("turn.clockwise"), self.say("turn.one-tile"), self.say("turn.where")]
        lines.append(self.say("turn.own-first" if self.book.own_train_first else "turn.begin-marked"))
        lines.append(self.say("turn.must"))
        return lines

    def first(self) -> list[str]:
        book = self.book
        lines = [self.say(f"first.{book.first_turn}")]
        if book.first_turn == "own-string":
            lines.append(self.say("first.own-string-draw"))
        if book.first_turn != "any-train" and book.open_doubles_bind:
            lines.append(self.say("first.open-double"))
        return lines

    def stuck(self) -> list[str]:
        fee = self.book.pass_fee
        marker = self.say("stuck.marker-fee", fee=self.money(fee)) if fee else self.say("stuck.marker")
        return [self.say("stuck.draw"), marker, self.say("stuck.open"), self.say("stuck.off")]

    def doubles(self) -> list[str]:
        book = self.book
        second = book.second_double
        if second == "last-tile" and book.follow_up == "on-double":
            second_line = self.say("doubles.last-tile-on-double")
        else:
            second_line = self.say(f"doubles.{second}")
        return [
            self.say(f"doubles.{book.follow_up}"),
            self.say("doubles.draw" if book.follow_up_draw else "doubles.no-draw"),
            second_line,
            self.say("doubles.last"),
        ]

    def open(self) -> list[str]:
        book = self.book
        owed = self.say(f"open.dead-{book.follow_up}")
        if not book.open_doubles_bind:
            return [self.say("open.free"), owed]
        covered = self.say("open.covered-wild" if book.wild_tiles else "open.covered")
        return [self.say("open.bind"), self.say("open.cannot"), covered, self.say("open.dead"), owed]

    def wild(self) -> list[str]:
        book = self.book
        if not book.wild_tiles:
            return []
        lines = [self.say("wild.ends"), self.say("wild.numbered", example=self._example())]
        lines += [self.say("wild.lengthwise"), self.say("wild.double")]
        if book.last_engine == "W-W":
            lines.append(self.say("wild.engine"))
        lines.append(self.say("wild.letters"))
        anywhere = "wild.a-bound" if book.open_doubles_bind else "wild.a"
        lines += [ITEM + self.say(key) for key in (anywhere, "wild.d", "wild.r", "wild.s", "wild.t")]
        if book.second_double != "free":
            lines.append(self.say("wild.two" if book.second_double == "third-tile" else "wild.one"))
        return [*lines, self.say("wild.last")]

    def _example(self) -> str:
        return f"{min(3, self.book.highest)}-W"

    def mexican(self) -> list[str]:
        book = self.book
        if book.own_train_first:
            begin = "mexican.own-first"
        else:
            begin = "mexican.any" if book.first_turn == "any-train" else "mexican.not-first"
        return [self.say("mexican.is"), self.say(begin)]

    def end(self) -> list[str]:
        out = "end.out" if self.book.first_turn_out == "ends-round" else "end.out-first"
        return [self.say("end.notice"), self.say(out), self.say("end.blocked")]

    def points(self) -> list[str]:
        book = self.book
        lines = [self.say("points.count")]
        blank = book.double_blank
        lines.append(self.say("points.blank", count=blank) if blank else self.say("points.blank-nothing"))
        if book.wild_tiles:
            each = book.wild_points
            lines.append(
                self.say(
                    "points.wild" if each else "points.wild-nothing",
                    count=each,
                    example=self._example(),
                    example_points=min(3, book.highest) + each,
                    double_points=2 * each,
                )
            )
        return lines

    def pot(self) -> list[str]:
        book = self.book
        if not book.uses_money:
            return []
        ante, fee = book.ante, book.pass_fee
        lines = [self.say("money.ante", amount=self.money(ante)) if ante else self.say("money.no-ante")]
        lines.append(self.say("money.fee", amount=self.money(fee)) if fee else self.say("money.no-fee"))
        lines.append(self.say("money.pot"))
        if book.first_turn_out == "others-finish":
            lines.append(self.say("money.pot-shared"))
        return [*lines, self.say("money.last")]

    def win(self) -> list[str]:
        book = self.book
        lines = [self.say("win.rounds", count=book.rounds), self.say(f"win.{book.objective}")]
        if book.uses_money and book.objective == "lowest-points":
            lines.append(self.say("win.money-aside"))
        return [*lines, self.say(f"win.{book.tie_break}")]

    # ---- One parameter ----

    def value(self, field: str) -> str:
        """A parameter's value in a few words."""
        book = self.book
        value = getattr(book, field)
        if field == "deal":
            return "; ".join(self.say("value.hand", players=players, count=size) for players, size in self.hands())
        if field == "highest":
            return self.say("value.set", highest=value)
        if field == "last_engine":
            return str(value) if book.engine == "descending" else self.say("compare.no-descent")
        if field == "first_starter":
            named = book.starter == "seat"
            return self.say("value.player", number=value + 1) if named else self.say("compare.no-seat")
        if field == "wild_points" and not book.wild_tiles:
            return self.say("compare.no-wild")
        if field in ("ante", "pass_fee"):
            return self.money(value) if value else self.say("value.nothing")
        if isinstance(value, bool):
            return self.say(f"value.{field}.{'yes' if value else 'no'}", wild=book.wild_tile_count)
        if isinstance(value, int):
            return self.say("value.number", count=value)
        return self.say(f"value.{field}.{value}")


def describe(book: Rulebook, language: str = DEFAULT) -> list[tuple[str, list[str]]]:
    """The whole rules, section by section. A sentence that begins with "- " is a line of a list."""
    telling = _Telling(book, language)
    sections: tuple[tuple[str, Callable[[], list[str]]], ...] = (
        ("box", telling.box),
        ("setup", telling.setup),
        ("start", telling.start),
        ("turn", telling.turn),
        ("first", telling.first),
        ("stuck", telling.stuck),
        ("doubles", telling.doubles),
        ("open", telling.open),
        ("wild", telling.wild),
        ("mexican", telling.mexican),
        ("end", telling.end),
        ("points", telling.points),
        ("money", telling.pot),
        ("win", telling.win),
    )
    told = [(telling.say(f"heading.{name}"), tell()) for name, tell in sections]
    return [(heading, sentences) for heading, sentences in told if sentences]


def compare(a: Rulebook, b: Rulebook, language: str = DEFAULT) -> list[Difference]:
    """Where two rulebooks differ, parameter by parameter."""
    first, second = _Telling(a, language), _Telling(b, language)
    return [
        Difference(
            field,
            first.say(f"label.{field}"),
            first.value(field),
            second.value(field),
            a.clause(field),
            b.clause(field),
        )
        for field in PARAMETERS
        if getattr(a, field) != getattr(b, field)
    ]


# ---- As plain text --------------------------------------------------------------------------------


def book_name(book: Rulebook, language: str = DEFAULT) -> str:
    """What a rulebook is called in a language: a name is a name, but "house rules" is translated."""
    name = book.name.removesuffix(HOUSE_SUFFIX)
    if book.based_on is None or name == book.name:
        return book.name
    return say("rules.house-name", language, name=name)


def format_rules(book: Rulebook, language: str = DEFAULT) -> str:
    """The whole rules as plain text, for any terminal and for screen readers."""
    lines = [book_name(book, language)]
    if book.based_on:
        lines += _filled(say("rules.house", language, name=rulebook(book.based_on).name))
    for heading, sentences in describe(book, language):
        lines += ["", heading]
        for is_item, group in groupby(sentences, key=lambda sentence: sentence.startswith(ITEM)):
            if is_item:
                for item in group:
                    lines += _filled(item, "  ", "    ")
            else:
                lines += _filled(" ".join(group), "  ", "  ")
    return "\n".join(lines) + "\n"


def format_comparison(a: Rulebook, b: Rulebook, language: str = DEFAULT) -> str:
    """Where two rulebooks differ, as plain text."""
    lines = _filled(say("rules.compare.title", language, a=book_name(a, language), b=book_name(b, language)))
    differences = compare(a, b, language)
    if not differences:
        lines += ["", say("rules.compare.same", language)]
    for one in differences:
        lines += ["", one.label]
        for book, words, clause in ((a, one.a_words, one.clause_a), (b, one.b_words, one.clause_b)):
            source = say("rules.compare.house", language) if clause == HOUSE else clause
            name = book_name(book, language)
            line = say("rules.compare.line", language, name=name, words=words, clause=source)
            lines += _filled(line, "  ", "    ")
    return "\n".join(lines) + "\n"


def _filled(text: str, first: str = "", rest: str = "") -> list[str]:
    return wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
