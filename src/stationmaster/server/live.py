"""A table that is in memory: its mailbox, the lines that lead to it, and what they are told.

Everything that changes a table goes through here one after the other: who asks is known, the command is read, what it
brings about is decided, *stored*, applied, and then told. If the store fails nothing is told; if somebody at another
node was faster, the table catches up and what was asked is decided anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.errors import StationmasterError
from stationmaster.server import decide, protocol
from stationmaster.server import entries as e
from stationmaster.server.cleaning import clean_said
from stationmaster.server.refusal import Refusal
from stationmaster.server.summary import row_of
from stationmaster.server.table import CLOCK_LEVEL, Table
from stationmaster.server.told import Told, view, welcome
from stationmaster.store.base import Conflict, Step, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from stationmaster.server.hall import Hall
    from stationmaster.server.line import Line
    from stationmaster.server.protocol import Command
    from stationmaster.store.base import Talk

TOLD_KEPT = 200  # steps that can be told again without reading them
TALK_KEPT = 50
TRIES = 8  # when others are faster
SETTLE = 0.5  # seconds until the store is asked what became of a step
log = logging.getLogger(__name__)


class Live:
    """A table in memory."""

    def __init__(self, hall: Hall, table: Table) -> None:
        self.hall = hall
        self.table = table
        self.lock = asyncio.Lock()
        self.talking = asyncio.Lock()  # talk waits for talk, never for a move
        self.lines: dict[Line, None] = {}
        self.told: deque[Told] = deque(maxlen=TOLD_KEPT)
        self.version = table.version  # as it was told
        self.unsure = False  # whether something was stored is not known: read before anything else
        self.present: frozenset[str] = frozenset()
        self.here: list[int] = []  # the seats whose owners are here, as it was told last
        self.talked: deque[Talk] = deque(maxlen=TALK_KEPT)
        self.heard = 0  # the number of the last that was said
        self.due: int | None = None  # as the row in the store says
        self.used = hall.clock()

    # ---- What is decided -----------------------------------------------------------------------

    async def command(self, line: Line, command: Command) -> None:
        """Somebody asks for something."""
        holder = line.holder
        assert holder is not None
        async with self.lock:
            for _ in range(TRIES):
                if self.unsure or command.version > self.table.version:
                    await self.catch_up()
                answered = self.table.answered(holder, command.id)
                if answered is not None:
                    line.tell(protocol.done(command.id, answered))
                    return
                asking = decide.Asking(holder, self.present, self.fresh_secret)
                entries = decide.decide(self.table, command, asking)
                if not entries:
                    line.tell(protocol.done(command.id, self.table.version))
                    return
                if await self.commit(e.StepData(entries, holder, command.id), line):
                    return
        raise Refusal("stale")

    async def do(self, decided: Callable[[Table], Iterable[e.AnyEntry]]) -> bool:
        """Something that nobody asked for by a command; whether there was anything to do."""
        async with self.lock:
            for _ in range(TRIES):
                if self.unsure:
                    await self.read_anew()
                entries = list(decided(self.table))
                if not entries:
                    return False
                if await self.commit(e.StepData(entries)):
                    return True
        raise Refusal("stale")

    async def commit(self, data: e.StepData, line: Line | None = None) -> bool:
        """Apply a step, store it, and then, and only then, tell it; False when somebody was faster.

        The lock is held, so nobody sees the table between. When the store fails, the table is read anew before
        anything else is done: what it holds then is what is stored.
        """
        table = self.table
        step = Step(table.id, table.version + 1, max(self.hall.clock(), table.at), e.encode(data))
        self.unsure = True
        try:
            told = Told.of(table, table.apply(step.version, step.at, data))
            due = table.due()
            timed = due is not None or self.due is not None
            if timed or table.stage != "play" or any(type(entry) not in _QUIET for entry in data.entries):
                await self.hall.store.append(step, row_of(table))
                self.due = due
                if due is not None:
                    self.hall.wake(due)
            else:
                await self.hall.store.append(step)
        except Conflict:
            return False
        except BaseException:  # also when who asked has gone away meanwhile
            self.hall.spawn(self.settle())
            raise
        self.unsure = False
        self.tell(told, line, data.id)
        return True

    def tell(self, told: Told, line: Line | None = None, id: str | None = None) -> None:
        """Tell a step to everybody; ``line`` is where the command with this id came from."""
        self.told.append(told)
        self.version = told.version
        self.used = self.hall.clock()
        plain = told.public + b"}"
        own, watchers = told.private.keys(), self.table.created.watchers
        for one in self.lines:
            seats = one.seats
            if not (seats or watchers or one.told_seats):
                continue  # gave up the seat at a table that nobody may watch, and was told so
            one.told_seats = seats
            if told.all_anew:
                anew = view(self.table, seats, self.all_said(), self.seats_present())
                one.tell(told.frame(seats, id if one is line else None, anew))
            elif one is line:
                one.tell(told.frame(seats, id))
            elif told.seats or not own.isdisjoint(seats):
                one.tell(told.frame(seats))
            else:
                one.tell(plain)
        if (told.seats or told.all_anew) and self.seats_present() != self.here:
            self.tell_present()  # seats have come to others

    async def read_anew(self) -> None:
        """Take the table from the store, and tell what is new. The lock is held."""
        store, id = self.hall.store, self.table.id
        table, _ = await self.hall.read_table(id, to=self.version)
        news = await store.read(id, self.version)
        row = await store.row(id)
        self.table = table
        self.unsure = False
        self.follow(news)
        self.due = row.due if row is not None else None

    async def settle(self) -> None:
        """Find out whether a step was stored, and tell it if it was; nobody may ever ask again."""
        while self.unsure and not self.hall.stopping:
            await asyncio.sleep(SETTLE)
            with suppress(StoreError):
                async with self.lock:
                    await self.catch_up()

    async def catch_up(self) -> None:
        """Read and tell what other nodes have stored. The lock is held."""
        if self.unsure:
            await self.read_anew()
            return
        steps = await self.hall.store.read(self.table.id, self.table.version)
        if steps:
            self.follow(steps)

    def follow(self, steps: Iterable[Step]) -> None:
        """Bring the table on by what other nodes have stored, and tell it. The lock is held."""
        for step in steps:
            if step.version == self.table.version + 1:
                happened = self.table.apply(step.version, step.at, e.decode(step.data))
                self.tell(Told.of(self.table, happened))
        self.due = self.table.due()  # whoever stored them wrote the row

    def fresh_secret(self, round: int) -> str:
        """The secret of a round: a fresh one, or the one that all tables of a group have."""
        return self.hall.fresh_secret(self.table.created.group, round)

    # ---- By itself -----------------------------------------------------------------------------

    async def act(self) -> None:
        """Do what the table has to do by itself now."""
        async with self.lock:
            await self.catch_up()
            due = self.table.due()
        if due is None or due > self.hall.clock():
            return
        if self.table.stage == "deal":
            await self.do(lambda table: decide.deal_runs_out(table) if table.due() == due else [])
            return
        table, round = self.table, self.table.round
        seat, decision = table.turn, table.decision
        if seat is None or round is None:
            return
        level = table.seats[seat].bot or CLOCK_LEVEL
        began = table.began
        move = await self.hall.thinkers.move(round.observe(seat), level, seed=self.seed(seat))

        def still(table: Table) -> list[e.AnyEntry]:
            if (table.decision, table.began, table.due()) != (decision, began, due):
                return []  # its owner is back, or has moved
            return decide.move_of_bot(table, move)

        await self.do(still)

    def seed(self, seat: int) -> int:
        """What a bot's chance comes from; at tables with the same deals the same moves get the same answers."""
        table, match = self.table, self.table.match
        assert match is not None
        where = table.created.group or table.id
        text = f"{where}/{match.number}/{len(match.round.moves)}/{seat}"
        return int.from_bytes(sha256(text.encode()).digest()[:8], "big")

    # ---- Lines ---------------------------------------------------------------------------------

    async def add(self, line: Line, after: int | None) -> None:
        """Somebody is here: everything that they lack is told, and their seats are theirs again."""
        async with self.lock:
            if self.unsure or (after is not None and after > self.table.version):
                await self.catch_up()
            if line.holder is not None:
                await self.come(line.holder)
            await self.hear()
            if not after or after > self.table.version:
                line.tell(self.welcome(line))
            else:
                await self.tell_again(line, after)
            self.lines[line] = None
            self.tell_present()
        if line.holder is not None:
            holder = line.holder
            await self.do(lambda table: decide.returned(table, table.seats_of(holder)))

    async def tell_again(self, line: Line, after: int) -> None:
        """What a client has missed, step by step, or the whole view where much is otherwise."""
        if after < self.table.version:
            told: Iterable[Told] = self.told
            if not self.told or self.told[0].version > after + 1:
                told = await self.hall.told_from(self.table.id, after, self.table.version)
            missed = [one for one in told if one.version > after]
            if any(one.all_anew for one in missed):
                line.tell(self.welcome(line))
            else:
                for one in missed:
                    line.tell(one.frame(line.seats))
        line.tell(protocol.frame(resumed=self.table.version, you=list(line.seats), talk=self.all_said()))

    async def gone(self, line: Line) -> None:
        """A line is closed."""
        self.lines.pop(line, None)
        self.used = self.hall.clock()
        async with self.lock:  # a new line of the same person may just be opened
            if line.holder in self.present and not any(other.holder == line.holder for other in self.lines):
                assert line.holder is not None
                try:
                    await self.hall.store.unset_present(self.table.id, line.holder, self.hall.node)
                    await self.see_present()
                except StoreError:
                    self.present -= {line.holder}
                    self.tell_present()

    async def come(self, holder: str) -> None:
        """Somebody is at the table, with a seat or before they take one; through this node too, if not only."""
        if holder not in self.present or not any(line.holder == holder for line in self.lines):
            await self.hall.store.set_present(self.table.id, holder, self.hall.node, self.hall.present_until())
            self.present |= {holder}

    async def see_present(self) -> None:
        """Look who is here, through other nodes too."""
        now = self.with_own(await self.hall.store.present(self.table.id, self.hall.clock()))
        if now != self.present:
            self.present = now
            self.tell_present()

    def with_own(self, present: Iterable[str]) -> frozenset[str]:
        """Those too who are here through this node, even where the store has not been told so for a while."""
        return frozenset(present) | {line.holder for line in self.lines if line.holder is not None}

    def tell_present(self) -> None:
        """Tell everybody who is here."""
        self.here = self.seats_present()
        self.tell_all(protocol.frame(present=self.here))

    def seats_present(self) -> list[int]:
        """The seats whose owners are here."""
        return [number for number, seat in enumerate(self.table.seats) if seat.holder in self.present]

    def tell_all(self, frame: bytes) -> None:
        """The same to everybody."""
        watchers = self.table.created.watchers
        for line in self.lines:
            if watchers or line.told_seats:
                line.tell(frame)

    def welcome(self, line: Line) -> bytes:
        """The whole view of a line."""
        return welcome(self.table, line.seats, self.all_said(), self.seats_present())

    # ---- Talk and questions --------------------------------------------------------------------

    async def talk(self, line: Line, command: Command) -> None:
        """Somebody says something, to all at the table."""
        seat = line.seats[0] if command.seat is None and line.seats else None
        if seat is None:
            seat = decide.own_seat(self.table, command, line.holder or "")
        if self.table.seats[seat].muted:
            raise Refusal("muted")
        if not line.may_talk():
            raise Refusal("too-fast")
        said: dict[str, Any] = {"seat": seat, "name": self.table.seats[seat].name}
        if command.react is not None:
            said["react"] = command.react
        else:
            said["say"] = clean_said(command.say or "")
            if not said["say"]:
                raise Refusal("bad-frame")
        by = {"by": line.holder, "id": command.id}
        async with self.talking:
            await self.hear()
            if not any(by.items() <= msgspec.json.decode(talk.data).items() for talk in self.talked):
                await self.hall.store.add_talk(self.table.id, self.hall.clock(), protocol.frame(**said, **by))
                await self.hear()
        line.tell(protocol.done(command.id, self.table.version))

    async def hear(self) -> None:
        """Tell what was said since."""
        for talk in await self.hall.store.read_talk(self.table.id, self.heard, TALK_KEPT):
            if talk.number > self.heard:
                self.heard = talk.number
                self.talked.append(talk)
                self.tell_all(protocol.frame(**self.saying(talk)))

    def all_said(self) -> list[dict[str, Any]]:
        """What was said last, as it is told."""
        return [self.saying(one) for one in self.talked]

    def saying(self, talk: Talk) -> dict[str, Any]:
        """Something said, as it is told: without whose message it was, which is there to know a repeated one."""
        said = msgspec.json.decode(talk.data)
        return {
            "talk": talk.number,
            "at": talk.at,
            **{key: said[key] for key in ("seat", "name", "say", "react") if key in said},
        }

    async def question(self, line: Line, command: Command) -> None:
        """Somebody wants to know something; nothing changes."""
        async with self.lock:
            if self.unsure:
                await self.read_anew()
            self.answer_now(line, command)

    def answer_now(self, line: Line, command: Command) -> None:
        """Answer, or send somebody to find the answer. The lock is held."""
        if command.ask == "view":
            if not line.seats and not self.table.created.watchers:
                raise Refusal("no-watchers")
            line.tell(self.welcome(line))
            line.tell(protocol.done(command.id, self.table.version))
            return
        table = self.table
        seat = decide.own_seat(table, command, line.holder or "")
        round = table.round
        if round is None:
            raise Refusal("not-started")
        if command.why is not None:
            if table.turn != seat:
                raise Refusal("not-your-turn", name=table.seats[table.turn].name if table.turn is not None else "")
            decide.checked_move(table, command.why, seat)
            line.tell(protocol.frame(answer=command.id, version=table.version, legal=True))
            return
        if not table.hints:
            raise Refusal("hints-off")
        seen = round.observe(seat)
        if command.ask == "hint":
            if table.turn != seat:
                raise Refusal("not-your-turn", name=table.seats[table.turn].name if table.turn is not None else "")
            ask = self.hall.thinkers.hint(seen, language=line.language)
        else:
            ask = self.hall.thinkers.line_up(seen)
        self.hall.spawn(self.answer(line, command, ask))

    async def answer(self, line: Line, command: Command, ask: Any) -> None:
        """Tell what a thinker found, when it has."""
        version = self.table.version
        try:
            found = await ask
        except StationmasterError:
            line.refuse(Refusal("internal"), command.id)
        else:
            line.tell(protocol.frame(**{"answer": command.id, "version": version, str(command.ask): found}))


_QUIET = {e.Moved, e.BackAsked, e.BackAgreed, e.BackRefused}  # lists and timers need not know of these
