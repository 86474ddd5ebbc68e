"""The process in which a bot is asked. It may hang, die or print: the one who watches (``watching.py``) sees to that.

At each question the bot is asked several times: as it is; made anew; and made anew while other tiles lie hidden. A
round that agrees with the observation is always in reach of a bot that looks for one where it should not, and it is
not always the same round: so a bot that looks gives different advice, and is found out.
"""

from __future__ import annotations

import copy
import faulthandler
import math
import os
import pickle
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import msgspec

from stationmaster.bots.bot import Advice, Bot
from stationmaster.bots.contract.findings import Asking, Begin, Done, Finding, Message, Question, Ready, Refused, Sit
from stationmaster.bots.contract.tables import Table, liked, table, worth_asking
from stationmaster.bots.naming import named_bot, what_was_raised
from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.errors import StationmasterError
from stationmaster.words import LANGUAGES

PLAYOUTS = (1, 4, 16)
SECONDS = (0.01, 0.05)
TIMED = 50  # answers at a table with a clock
TRIES = 3  # at a question whose answer comes late …
LATE = 4  # … unless so many have been late already
AGAIN = 4  # times more, where two answers differ
LONGEST = 200  # letters of what a bot says of itself


def allowed(seconds: float) -> float:
    """How long an answer may take that is given so many seconds: a fifth more, and 5 ms for what cannot be helped."""
    return 1.2 * seconds + 0.005


class Asker:
    """Asks one bot."""

    def __init__(self, bot: Bot, seed: int | str, printed: Printed, tell: Callable[[Message], None]) -> None:
        self.bot = bot
        self.seed = seed
        self.printed = printed
        self.tell = tell
        self.count = 0  # of all questions: Python's own random numbers begin differently at each
        self.found: Counter[str] = Counter()  # how often each promise was not kept
        self.question = Question()
        self.taken = 0.0  # seconds, by the last answer
        self.times: list[tuple[Question, float]] = []
        if text := printed.since():
            self.broken("quiet", "printed", text=short(text))
        self.made = self._pickled(bot)

    def fresh(self) -> Bot:
        """The bot as it was made, with nothing that it could remember."""
        if self.made is None:
            return copy.copy(self.bot)
        bot: Bot = pickle.loads(self.made)
        return bot

    def _pickled(self, bot: Bot) -> bytes | None:
        try:
            pickled = pickle.dumps(bot)
            if type(pickle.loads(pickled)) is type(bot):
                return pickled
            self.broken("pickles", "pickled-other")
        except Exception as error:  # somebody's own code may raise anything
            self.broken("pickles", "not-pickled", error=short(error))
        return None

    def broken(self, promise: str, key: str, **places: object) -> None:
        """Say that a promise is not kept."""
        self.found[promise] += 1
        self.tell(Finding(promise, key, places, self.question, self.seed))

    # ---- At a table ----

    def sit(self, name: str) -> Done:
        """Play at a table, asking on the way."""
        here = table(name, self.seed)
        rng = random.Random(f"{self.seed} {name} play")
        round = here.round()
        answers: list[tuple[Question, str]] = []
        self.times = []
        while round.turn is not None:
            legal = round.legal_moves()
            move = None
            if self.is_asked(here, round, rng):
                self.question = self.put(here, round, len(answers) + len(self.times))
                del round  # while the bot is asked, there is no round in this process but the one meant for it
                if here.clock:
                    move = self.against_the_clock()
                else:
                    move = self.ask(self.bot) if here.whole else self.thoroughly()
                    if move is not None:
                        answers.append((self.question, str(move)))
                round = here.round(self.question.moves)
            by_chance = liked(legal, rng)
            round.push(move or by_chance)
        if not here.whole and not here.clock:
            self.again(answers, rng)
            self._pickled(self.bot)
        return Done(tuple(answers), tuple(self.times))

    def is_asked(self, here: Table, round: Round, rng: random.Random) -> bool:
        """Whether the bot is asked about this decision."""
        if here.clock:
            return len(self.times) < TIMED and len(round.legal_moves()) > 1
        return here.whole or worth_asking(round, round.legal_moves(), rng)

    def put(self, here: Table, round: Round, number: int) -> Question:
        """The question that this decision is, the next one at this table."""
        seconds = SECONDS[number % len(SECONDS)] if here.clock else None
        playouts = PLAYOUTS[number % len(PLAYOUTS)]
        unlimited = here.clock or (here.whole and number == 0)  # once in a whole round there is no limit at all
        moves = tuple(str(move) for _, move in round.moves)
        asked = f"{self.seed} {here.name} {len(moves)}"
        return Question(here.name, moves, None if unlimited else playouts, seconds, asked)

    def thoroughly(self) -> Move | None:
        """The move that is advised, and whether nothing but the observation decides it."""
        dice = self.found["own-numbers"]
        move = self.ask(self.bot)
        if move is None or self.found["own-numbers"] > dice:
            return move  # what is wrong has been said; more of it would follow from that
        anew = self.ask(self.fresh())
        hidden = self.ask(self.fresh(), world=1)
        if anew is None or hidden is None:
            return move
        if anew is hidden is move:
            self.choose(move)
        elif self._by_chance(anew, hidden):
            other = hidden if anew is not hidden else move
            self.broken("repeatable", "changes", one=str(anew), other=str(other))
        elif anew is not hidden:
            self.broken("fair", "peeks", one=str(anew), other=str(hidden))
        else:
            self.broken("forgets", "remembers", one=str(anew), other=str(move))
        return move

    def _by_chance(self, anew: Move, hidden: Move) -> bool:
        """Whether the bot, made anew, answers the same questions otherwise; if it ever did, that is why."""
        return bool(self.found["repeatable"]) or any(
            self.ask(self.fresh()) is not anew or self.ask(self.fresh(), world=1) is not hidden for _ in range(AGAIN)
        )

    def again(self, answers: Sequence[tuple[Question, str]], rng: random.Random) -> None:
        """Ask everything once more in another order, unless it is known already that any time is different."""
        if not self.found["own-numbers"] and not self.found["repeatable"]:
            self.repeat(answers, rng, "forgets", "other-order")

    def repeat(self, answers: Sequence[tuple[Question, str]], rng: random.Random, promise: str, key: str) -> None:
        """Ask all of these in any order, expecting the moves that were advised before."""
        for question, advised in rng.sample(answers, len(answers)):
            self.question = question
            move = self.ask(self.bot)
            if move is not None and str(move) != advised:
                self.broken(promise, key, one=advised, other=str(move))

    def against_the_clock(self) -> Move | None:
        """The move that is advised, and how long it took."""
        if not self.times:
            self.ask(self.bot)  # whatever takes long only once has been done now
        seconds = self.question.seconds or 0.0
        move = self.ask(self.bot)
        taken = self.taken
        late = sum(taken > allowed(question.seconds or 0.0) for question, taken in self.times)
        for _ in range(TRIES - 1):
            if taken > allowed(seconds) and late < LATE:  # the machine may have been busy with something else
                self.ask(self.bot)
                taken = min(taken, self.taken)
        self.times.append((self.question, taken))
        return move

    # ---- Asking ----

    def ask(self, bot: Bot, world: int = 0) -> Move | None:
        """The move that this bot advises, if it is one that can be made; ``world``: other tiles lie hidden."""
        answer = self._call(bot.consider, world)
        if answer is None:
            return None
        advice, legal = answer
        if not isinstance(advice, Advice):
            self.broken("advice", "no-advice", what=short(advice))
            return None
        if not self._is_legal(advice.move, legal):
            return None
        self._check_words(advice, legal)
        return advice.move

    def choose(self, advised: Move) -> None:
        """Ask for the move alone."""
        answer = self._call(self.fresh().choose, 0)
        if self.found["repeatable"]:
            return
        if answer is not None and self._is_legal(*answer) and answer[0] is not advised:
            self.broken("advice", "chooses-other", one=str(advised), other=str(answer[0]))

    def _call(self, method: Callable[..., Any], world: int) -> tuple[Any, Sequence[Move]] | None:
        """What the bot answers, and what it may; None if it raises. What it does besides is noticed."""
        round = table(self.question.table, self.seed).round(self.question.moves)
        if world:
            round = round.observe(round.turn).sample(random.Random(world))
        # in reach of a bot that looks into the frame that called it, or among all objects that there are
        seen, same = round.observe(round.turn), round.observe(round.turn)
        book, deal, clauses = seen.book, dict(seen.book.deal), dict(seen.book.clauses)
        self.count += 1
        self.tell(Asking(self.question))
        dice = Dice(self.count)
        limit, rng = self.question.limit, random.Random(self.question.asked)
        answer = None
        started = perf_counter()
        try:
            answer = method(seen, limit, rng), same.legal_moves
        except (Exception, SystemExit, GeneratorExit) as error:  # somebody's own code may raise anything
            self.broken("answers", "raised", error=what_was_raised(error)[:LONGEST])
        self.taken = perf_counter() - started
        if (module := dice.thrown()) is not None:
            self.broken("own-numbers", "dice", module=module)
        if seen != same or (book.deal, book.clauses) != (deal, clauses):
            fields = [name for name in seen.__struct_fields__ if getattr(seen, name) != getattr(same, name)]
            self.broken("leaves-alone", "changed", fields=", ".join(fields or ["book"]))
            for kept, was in ((book.deal, deal), (book.clauses, clauses)):
                kept.clear()
                kept.update(was)  # type: ignore[arg-type]
        if text := self.printed.since():
            self.broken("quiet", "printed", text=short(text))
        return answer

    def _is_legal(self, move: object, legal: Sequence[Move]) -> bool:
        if not isinstance(move, Move):
            self.broken("advice", "no-move", what=short(move))
            return False
        if move not in legal:
            self.broken("legal", "illegal", move=str(move))
            return False
        return True

    def _check_words(self, advice: Advice, legal: Sequence[Move]) -> None:
        if not isinstance(advice.values, Mapping):
            self.broken("advice", "no-values", what=short(advice.values))
        else:
            values: Mapping[Any, Any] = advice.values  # whatever it says there
            for move, value in values.items():
                if move not in legal:
                    self.broken("advice", "value-of-illegal", move=short(str(move)))
                elif not (isinstance(value, int | float) and math.isfinite(value)):
                    self.broken("advice", "no-value", move=str(move), value=short(value))
        for language in LANGUAGES:
            try:
                if not isinstance(advice.sentence(language), str):
                    self.broken("advice", "no-why", what=short(advice.why))
            except Exception as error:  # what the bot fills in may be anything
                self.broken("advice", "cannot-say-why", language=language, error=short(error))


def short(value: object) -> str:
    """A value as it is told, not at any length; an error with its kind."""
    if isinstance(value, BaseException):
        text = f"{type(value).__name__}: {value}"
    else:
        text = value if isinstance(value, str) else f"{type(value).__name__} {value!r}"
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


class Dice:
    """Python's own random numbers, and numpy's: begun anew, and looked at for whether they were used."""

    def __init__(self, number: int) -> None:
        random.seed(number)
        self.python = random.getstate()
        numpy: Any = sys.modules.get("numpy.random")
        self.numpy = None
        if numpy is not None:
            numpy.seed(number)
            self.numpy = numpy.get_state()[1:3]

    def thrown(self) -> str | None:
        """The module whose random numbers were used."""
        if random.getstate() != self.python:
            return "random"
        if self.numpy is not None:
            now = sys.modules["numpy.random"].get_state()[1:3]
            if now[1] != self.numpy[1] or (now[0] != self.numpy[0]).any():
                return "numpy.random"
        return None


class Printed:
    """What this process prints, caught in a file."""

    def __init__(self) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - open for as long as the process runs
        sys.stdout.flush()
        os.dup2(self.file.fileno(), sys.stdout.fileno())
        self.read = 0

    def since(self) -> str:
        """What was printed since it was last asked for."""
        sys.stdout.flush()
        size = os.fstat(self.file.fileno()).st_size
        if size == self.read:
            return ""
        self.file.seek(self.read)
        text = self.file.read(size - self.read)
        self.read = size
        return text.decode("utf-8", "replace").strip() or "\\n"


def main() -> None:
    """Do what is said on the input, and tell on the output; the bot itself has neither."""
    inbox, outbox = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    faulthandler.enable()
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1)  # says where it hangs

    def tell(message: Message) -> None:
        outbox.write(msgspec.json.encode(message) + b"\n")
        outbox.flush()

    begin = msgspec.json.decode(inbox.readline(), type=Begin)
    printed = Printed()
    try:
        bot = named_bot(begin.name)
    except StationmasterError as error:
        tell(Refused(str(error)))
        return
    tell(Ready(bot.id))
    asker = Asker(bot, begin.seed, printed, tell)
    for line in inbox:
        sit = msgspec.json.decode(line, type=Sit)
        if sit.again:
            asker.repeat(sit.again, random.Random(str(begin.seed)), "repeatable", "other-process")
            tell(Done())
        else:
            tell(asker.sit(sit.table))


if __name__ == "__main__":
    main()
