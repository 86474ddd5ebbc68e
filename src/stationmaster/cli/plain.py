"""Play line by line: whose turn it is, what lies where, the hand, the moves by number, and what the others did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stationmaster.cli.answers import Answer, read_answer, words
from stationmaster.cli.opponents import hint
from stationmaster.cli.output import ask, filled
from stationmaster.cli.telling import Telling
from stationmaster.engine.events import Event, RoundEnded, TurnBegan
from stationmaster.engine.moves import Move
from stationmaster.engine.observation import Observation
from stationmaster.engine.reasons import Reason
from stationmaster.engine.tiles import LETTERS, Tile, end_text, tile_set
from stationmaster.errors import NotationError, StationmasterError
from stationmaster.match.match import Match
from stationmaster.match.text import format_score_sheet
from stationmaster.rulebooks.prose import format_rules

if TYPE_CHECKING:
    from stationmaster.cli.opponents import Opponents

ME = 0


class Left(Exception):  # noqa: N818 - leaving is no error
    """The player has left the table; the match is saved."""


class Plain:
    """A match with one person at seat 0 and bots at the others, told in sentences."""

    def __init__(
        self,
        match: Match,
        path: Path,
        language: str,
        others: Opponents,
        *,
        auto: bool = False,
        full: bool | None = None,
    ) -> None:
        """``full``: tell the whole table at every turn, or never; None: at the first turn of a round."""
        self.match = match
        self.path = path
        self.auto = auto
        self.full = full
        self.tell = Telling(match.names, language, ME)
        self.others = others
        self.fresh_turn = True  # the table has not been told in this turn
        self.first_turn = True  # nor in this round

    def play(self) -> None:
        """Play the match to its end."""
        self.print(
            self.tell.say("play.welcome", name=self.match.book.name, players=self.tell.listing(self.match.names))
        )
        if self.others.names:
            self.print(" ".join(self.others.about(self.match.names[1:], self.tell.language)))
        self.print(self.tell.say("play.help-hint"))
        while True:
            self.play_round()
            if self.match.over:
                break
            self.between_rounds()
            self.match.next_round()
            self.save()
        self.print()
        print(self.tell.say("play.finished", file=self.path))

    def play_round(self) -> None:
        """Play this round to its end, from wherever it stands."""
        round = self.match.round
        self.print()
        self.print_heading()
        self.fresh_turn = self.first_turn = True
        while (turn := round.turn) is not None:
            if turn == ME:
                self.my_decision()
            else:
                self.make(self.others.advise(self.match, turn).move)
        self.print_ending()

    def print_heading(self) -> None:
        """Which round this is; where it has begun already, also what was played last."""
        round, starter = self.match.round, self.match.round.deal.starter
        if not round.moves:
            key = "table.round-mine" if starter == ME else "table.round"
        else:
            key = "play.back-over" if round.turn is None else "play.back"
        values = {"number": self.match.number, "rounds": self.match.book.rounds, "engine": round.deal.engine}
        self.print(self.tell.say(key, **values, name=self.tell.player(starter)))
        if round.moves and round.turn is not None:
            self.print_last()

    def print_last(self) -> None:
        """What was played since my last turn, and that turn too."""
        round = self.match.round.copy()
        moves = list(round.moves)
        start = len(moves)
        while start and moves[start - 1][0] == ME:  # what I have played in this turn so far
            start -= 1
        while start and moves[start - 1][0] != ME:
            start -= 1
        while start and moves[start - 1][0] == ME:
            start -= 1
        self.print(self.tell.say("play.since" if moves else "play.nothing-yet"))
        while len(round.moves) > start:
            round.pop()
        for _, move in moves[start:]:
            self.print(self.tell.events([event.seen_by(ME) for event in round.push(move)]))

    def make(self, move: Move) -> None:
        """Make a move, save it, and say what happened."""
        full_turn_follows = self.match.round.must_draw  # after the draw that D asks for
        events = self.match.round.push(move)
        self.save()
        self.fresh_turn = full_turn_follows or any(isinstance(event, TurnBegan) for event in events)
        seen: list[Event] = [event.seen_by(ME) for event in events]
        self.print(self.tell.events(seen))

    def save(self) -> None:
        """Write the match to its file, whole or not at all."""
        try:
            self.match.record().save(self.path)
        except OSError as error:
            problem = error.strerror or str(error)
            raise StationmasterError(self.tell.say("play.not-saved", file=self.path, problem=problem)) from None

    # ---- My turn ----

    def my_decision(self) -> None:
        """Say how things stand, and ask until a legal move comes."""
        seen = self.match.round.observe(ME)
        self.print()
        self.print(self.expected(seen))
        only = seen.legal_moves[0] if len(seen.legal_moves) == 1 else None
        if self.auto and only is not None and only.kind in ("draw", "pass"):
            self.make(only)
            return
        if self.fresh_turn:
            self.print_situation(seen)
        self.print_moves(seen.legal_moves)
        while True:
            answer = self.ask("play.your-move", seen.legal_moves)
            if answer.word is None and answer.move is not None and self.match.round.why_illegal(answer.move) is None:
                self.make(answer.move)
                return
            if answer.word == "" and only is not None:
                self.make(only)
                return
            self.respond(answer, seen)

    def print_situation(self, seen: Observation) -> None:
        """The table and the hand: the whole, or at later turns only what matters now."""
        if self.first_turn if self.full is None else self.full:
            self.print_lines(self.tell.table(seen))
            self.print(self.tell.hand(ME, seen.hand, seen.legal_moves))
        else:
            if not seen.open_doubles:  # an open double has been told, and binds
                self.print(self.tell.table_briefly(seen))
            self.print(self.tell.hand_of(ME, seen.hand))  # what fits is in the list of moves
        self.print_open_hands(seen)
        self.first_turn = False

    def expected(self, seen: Observation) -> str:
        """The one sentence that says what is expected."""
        kinds = [move.kind for move in seen.legal_moves]
        forced = "" if "place" in kinds else f"-{kinds[0]}"  # what there is to do when nothing fits
        if seen.phase == "must-draw":
            return self.tell.say("play.expected.must-draw")
        if seen.drawn is not None:
            return self.tell.say("play.expected.drawn-pass" if forced else "play.expected.drawn-fits", tile=seen.drawn)
        if seen.phase != "play":
            after_double = seen.phase == "string" and "stop" not in kinds
            return self.tell.say(f"play.expected.{'follow-up' if after_double else seen.phase}{forced}")
        if not seen.open_doubles:
            return self.tell.say(f"play.expected.turn{forced}")
        doubles = [
            self.tell.say("play.double-on", end=self.end(seen, train), train=self.tell.train(train))
            for train in seen.open_doubles
        ]
        return self.tell.say(f"play.expected.cover{forced}", doubles=self.tell.listing(doubles))

    def end(self, seen: Observation, train: int | str) -> str:
        """The end that a train shows."""
        laid = seen.trains[train]  # type: ignore[index]
        return str(laid[-1].tile).split("-")[0]

    def respond(self, answer: Answer, seen: Observation) -> None:
        """Answer anything but a legal move."""
        tell = self.tell
        count = len(seen.legal_moves)
        if answer.word == "why":
            self.print_why(answer, seen)
        elif answer.trouble == "no-train":
            trains = self.tell.listing(self.match.names[1:])
            self.print(tell.say("play.no-train", text=answer.text[:60], trains=trains))
        elif answer.trouble == "range":
            self.print(tell.say("play.range", text=answer.text, count=count))
        elif answer.word == "tile":
            self.print_tile(answer.about, seen)
        elif answer.move is not None:
            reason = self.match.round.why_illegal(answer.move)
            if reason is not None:
                self.print_reason(answer.move, reason)
        elif answer.several:
            choices = [f"{seen.legal_moves.index(move) + 1}: {tell.move(move)}" for move in answer.several]
            self.print(tell.say("play.several", tile=answer.several[0].tile, choices="; ".join(choices)))
        elif answer.word == "table":
            self.print_lines(tell.table(seen))
        elif answer.word == "hand":
            self.print(tell.hand(ME, seen.hand, seen.legal_moves))
            self.print_open_hands(seen)
        elif answer.word == "moves":
            self.print_moves(seen.legal_moves)
        elif answer.word == "hint":
            self.print_hint(seen)
        elif not self.common(answer):
            key = "play.not-understood" if answer.text else "play.choose"
            self.print(tell.say(key, text=answer.text[:60], count=count))

    def common(self, answer: Answer) -> bool:
        """What can be asked for at any time; whether it was."""
        language = self.tell.language
        if answer.word == "quit":
            raise Left
        if answer.word == "help":
            self.print_help()
        elif answer.word == "last":
            self.print_last()
        elif answer.word == "score":
            print(format_score_sheet(self.match, language), end="")
        elif answer.word == "rules":
            print(format_rules(self.match.book, language), end="")
        elif answer.word == "save":
            print(self.tell.say("play.saved", file=self.path))
        else:
            return False
        return True

    def ask(self, prompt: str, legal: Sequence[Move]) -> Answer:
        """Ask, and read what is typed. No more input means that the player leaves."""
        try:
            text = ask(self.tell.say(prompt))
        except EOFError:
            print()
            raise Left from None
        return read_answer(text, legal, self.match.round, self.tell.language, self.match.names, ME)

    # ---- Between rounds ----

    def print_ending(self) -> None:
        """How the round ended: the hands, the points, the score sheet."""
        outcome = self.match.round.outcome()
        assert outcome is not None
        hands = [[str(tile) for tile in hand] for hand in self.match.round.hands]
        ended = RoundEnded(outcome.ending, list(outcome.points), list(outcome.cents), hands)
        self.print()
        self.print_lines(self.tell.ending(ended, self.match.book.uses_money))
        self.print()
        print(format_score_sheet(self.match, self.tell.language), end="")

    def between_rounds(self) -> None:
        """Wait until the player is ready for the next round; any word but those of ``common`` will do."""
        self.print()
        while self.common(self.ask("play.next-round", ())):
            pass

    # ---- Printing ----

    def print(self, text: str = "") -> None:
        """One sentence or more, in lines that fit."""
        print(filled(text) if text else "")

    def print_lines(self, lines: Sequence[str]) -> None:
        """Several lines."""
        for line in lines:
            print(filled(line, "", "  "))

    def print_moves(self, moves: Sequence[Move]) -> None:
        """The legal moves by number."""
        if len(moves) == 1:
            self.print(self.tell.say("play.one-move", move=self.tell.move(moves[0])))
            return
        print(self.tell.say("play.moves"))
        for number, move in enumerate(moves, 1):
            print(filled(f"{number}: {self.tell.move(move)}", "", "   "))

    def print_hint(self, seen: Observation) -> None:
        """What I might play, and why."""
        advice = hint(self.match, ME)
        number = seen.legal_moves.index(advice.move) + 1
        why = advice.sentence(self.tell.language, self.tell.move)
        self.print(self.tell.say("play.hint", number=number, move=self.tell.move(advice.move)) + f" {why}")

    def print_open_hands(self, seen: Observation) -> None:
        """The hands of the others, if they lie open."""
        if seen.book.open_hands:
            for seat, hand in enumerate(seen.hands):
                if seat != ME and hand is not None:
                    self.print_lines([self.tell.hand_of(seat, hand)])

    def print_why(self, answer: Answer, seen: Observation) -> None:
        """Why a move is not legal, or that it is and what it does."""
        move = answer.move
        if answer.trouble == "range":
            self.print(self.tell.say("play.range", text=answer.about, count=len(seen.legal_moves)))
        elif move is None:
            self.print(self.tell.say("play.why-what"))
        elif (reason := self.match.round.why_illegal(move)) is not None:
            self.print_reason(move, reason)
        elif move.train is None:
            kind = "must-draw" if seen.must_draw else move.kind
            self.print(self.tell.say(f"play.{kind}-is-legal"))
        else:
            text = self.tell.say("play.it-is-legal", move=move, words=self.tell.move(move))
            laid = seen.trains[move.train]
            if laid and laid[-1].tile is not None and laid[-1].tile.is_double:
                text += " " + self.tell.say("play.it-covers", end=self.end(seen, move.train))
            self.print(text)

    def print_tile(self, typed: str, seen: Observation) -> None:
        """What a tile is: how it joins, what it counts, what its letter does, and whether I hold it."""
        book = self.match.book
        try:
            tile = Tile.parse(typed.replace(" ", ""))
        except NotationError:
            self.print(self.tell.say("play.tile-what"))
            return
        if tile not in tile_set(book.highest, book.wild_tiles):
            self.print(self.tell.say("play.tile.none", tile=tile))
            return
        if tile.low in LETTERS:
            letter = end_text(tile.low).lower()
            text = self.tell.say(f"rules.wild.{letter}{'-bound' * (letter == 'a' and book.open_doubles_bind)}")
        elif tile.is_wild:
            text = self.tell.say("rules.wild.double" if tile.is_double else "rules.wild.numbered", example=tile)
        else:
            kind = "double" if tile.is_double else "plain"
            text = self.tell.say(f"play.tile.{kind}", tile=tile, low=end_text(tile.low), high=end_text(tile.high))
        points = self.tell.say("play.tile.points", count=tile.points(book))
        held = self.tell.say("play.tile.held" if tile in seen.hand else "play.tile.not-held")
        self.print(f"{text} {points} {held}")

    def print_reason(self, move: Move, reason: Reason) -> None:
        """Why a move is not legal, and the clause."""
        language = self.tell.language
        key = "play.not-legal" if move.tile is not None else f"play.{move.kind}-not-legal"
        sentence = reason.sentence(language, self.match.names, ME)
        self.print(self.tell.say(key, move=move, sentence=sentence))
        self.print(self.tell.say("play.clause", clause=reason.clause, text=reason.clause_text(language)))

    def print_help(self) -> None:
        """The words that are understood, and how a move is written."""
        language = self.tell.language
        self.print(self.tell.say("play.help.title"))
        for word, typed in words(language).items():
            print(filled(f"{typed}: {self.tell.say(f'play.help.{word}')}", "  ", "    "))
        names = self.match.names
        others = self.tell.listing(f"{seat} {names[seat]}" for seat in range(1, self.match.players))
        key = "play.help.trains" if others else "play.help.trains-alone"
        self.print(self.tell.say("play.help.notation"))
        self.print(self.tell.say(key, others=others, name=names[-1].replace(" ", "")))
        if self.match.book.wild_tiles:
            letters = [end_text(letter) for letter in LETTERS]
            meant = "; ".join(f"{letter}, {self.tell.say(f'table.letter.{letter.lower()}')}" for letter in letters)
            self.print(self.tell.say("play.help.letters", letters=meant))
