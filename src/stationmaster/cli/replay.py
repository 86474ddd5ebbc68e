"""``stationmaster replay``: step through the record of a match."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from stationmaster.cli.output import filled
from stationmaster.cli.records import load_as_far_as_it_holds, told
from stationmaster.cli.telling import Telling
from stationmaster.engine.events import RoundEnded
from stationmaster.engine.round import Round
from stationmaster.match.match import Match
from stationmaster.match.text import format_score_sheet

DESCRIPTION = """\
Step through a match, move by move. All hands lie open. When the input is not a terminal, everything is
printed, with the table before each move. A record that is broken is shown as far as it holds; then comes
what does not, with exit code 1.
"""

KEYS = """\
while stepping:
  Enter   the next move
  b       one move back
  t       the whole table
  12      to move 12 of this round
  r       the next round;  r 3  to round 3
  q       leave
"""

EXAMPLES = f"""\
{KEYS}
examples:
  stationmaster replay match.json
  stationmaster replay match.json | less
"""


class Place(msgspec.Struct, frozen=True):
    """Where in a match one is: a round, from 0, and how many of its moves have been made."""

    round: int
    move: int


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``replay``."""
    parser.description, parser.epilog = DESCRIPTION, EXAMPLES
    parser.add_argument("file", metavar="FILE", type=Path)


def run(options: argparse.Namespace) -> int:
    """Step through the match, or print all of it."""
    match, fault = load_as_far_as_it_holds(options.file)
    replay = Replay(match, options.language)
    if sys.stdin is not None and sys.stdin.isatty():
        replay.step_through()
    else:
        replay.print_all()
    return told(fault)


class Replay:
    """A match on its way from its first move to its last."""

    def __init__(self, match: Match, language: str) -> None:
        self.match = match
        self.tell = Telling(match.names, language)
        self.round = self._dealt(0)
        self.place = Place(0, 0)

    def _dealt(self, number: int) -> Round:
        """A round as it was dealt."""
        played = self.match.rounds[number]
        return Round(self.match.book, played.deal, pot=played.pot, last=played.last)

    def last_move(self) -> int:
        """How many moves this round has in all."""
        return len(self.match.rounds[self.place.round].moves)

    # ---- Stepping ----

    def step_through(self) -> None:
        """Ask after every move how to go on."""
        print(self.tell.say("cli.replay.keys"))
        self.print_heading()
        self.print_table()
        while True:
            prompt = self.tell.say(
                "cli.replay.prompt",
                number=self.place.round + 1,
                rounds=self.match.book.rounds,
                move=self.place.move,
                moves=self.last_move(),
            )
            try:
                answer = input(f"{prompt} ").strip().lower()
            except EOFError:
                print()
                return
            if answer in ("q", "quit"):
                return
            self.answer(answer)

    def answer(self, answer: str) -> None:
        """Do what was typed."""
        word, _, number = answer.partition(" ")
        number = number.strip()
        if answer == "":
            self.forward()
        elif answer == "t":
            self.print_table()
        elif answer == "b" and self.place.move > 0:
            print()
            print(filled(self.tell.say("cli.replay.back", number=self.place.move)))
            self.move_to(self.place.move - 1)
            self.print_turn()
        elif answer == "b" and self.place.round > 0:
            before = self.place.round - 1
            self.go(Place(before, len(self.match.rounds[before].moves)))
        elif answer == "b":
            print(self.tell.say("cli.replay.at-start"))
        elif is_number(answer):
            if int(answer) > self.last_move():
                print(self.tell.say("cli.replay.no-move", count=self.last_move()))
            else:
                self.go(Place(self.place.round, int(answer)))
        elif word == "r" and (is_number(number) or not number):
            self.go_to_round(int(number) if number else self.place.round + 2)
        else:
            print(self.tell.say("cli.replay.keys"))

    def go_to_round(self, number: int) -> None:
        """To the beginning of a round, counted from 1."""
        if 1 <= number <= len(self.match.rounds):
            self.go(Place(number - 1, 0))
        else:
            print(self.tell.say("cli.replay.no-round", count=len(self.match.rounds)))

    def forward(self) -> None:
        """One move on, or to the next round."""
        if self.place.move < self.last_move():
            self.print_move()
            self.print_turn()
        elif self.place.round + 1 < len(self.match.rounds):
            self.go(Place(self.place.round + 1, 0))
        else:
            print(self.tell.say("cli.replay.at-end"))

    def go(self, place: Place) -> None:
        """To any place in the match."""
        if place.round != self.place.round:
            self.round = self._dealt(place.round)
            self.place = Place(place.round, 0)
            self.print_heading()
        self.move_to(place.move)
        self.print_table()

    def move_to(self, number: int) -> None:
        """To a place in this round, without a word."""
        while self.place.move > number:
            self.round.pop()
            self.place = Place(self.place.round, self.place.move - 1)
        while self.place.move < number:
            self.push()

    def push(self) -> str:
        """Make the next move; what happened, in words."""
        _, move = self.match.rounds[self.place.round].moves[self.place.move]
        events = self.round.push(move)
        self.place = Place(self.place.round, self.place.move + 1)
        text = f"{self.place.move}. {self.tell.events(events)}"
        ended = [event for event in events if isinstance(event, RoundEnded)]
        return "\n".join([text, *(line for one in ended for line in self.tell.ending(one, self.match.book.uses_money))])

    # ---- Printing ----

    def print_all(self) -> None:
        """The whole match."""
        for number in range(len(self.match.rounds)):
            self.round, self.place = self._dealt(number), Place(number, 0)
            self.print_heading()
            while self.place.move < self.last_move():
                self.print_table()
                self.print_move()
            if self.round.turn is not None:
                self.print_table()
            print()
        print(format_score_sheet(self.match, self.tell.language), end="")

    def print_heading(self) -> None:
        """Which round this is."""
        deal = self.round.deal
        text = self.tell.say(
            "table.round",
            number=self.place.round + 1,
            rounds=self.match.book.rounds,
            engine=deal.engine,
            name=self.tell.player(deal.starter),
        )
        print(f"\n{filled(text)}")

    def print_table(self) -> None:
        """What lies where, and the hands."""
        print()
        for line in self.tell.table(self.round.observe(None)):
            print(filled(line, "", "  "))
        for seat, hand in enumerate(self.round.hands):
            print(filled(self.tell.hand_of(seat, hand), "", "  "))

    def print_turn(self) -> None:
        """Who moves next, and what is in that hand."""
        seat = self.round.turn
        if seat is not None:
            turn = self.tell.say("cli.settle.turn", name=self.tell.player(seat))
            print(filled(f"{turn} {self.tell.hand_of(seat, self.round.hands[seat])}", "", "  "))

    def print_move(self) -> None:
        """Make the next move and say what it did."""
        print()
        for line in self.push().split("\n"):
            print(filled(line, "", "  "))


def is_number(text: str) -> bool:
    """Whether a number was typed, of a size that a match can have."""
    return text.isdecimal() and len(text) < 7
