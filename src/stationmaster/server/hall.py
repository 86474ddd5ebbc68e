"""The hall: all tables of one node, those in memory and those at rest in the store."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from stationmaster.errors import StationmasterError
from stationmaster.match.record import Record
from stationmaster.server import decide, protocol
from stationmaster.server import entries as e
from stationmaster.server.laying import CODE_LENGTH, chosen_group, first_entries, fresh_code, rematch_entries
from stationmaster.server.line import Line, always
from stationmaster.server.live import Live
from stationmaster.server.refusal import Refusal
from stationmaster.server.summary import row_of
from stationmaster.server.table import DAY, Table
from stationmaster.server.told import Told
from stationmaster.store.base import CodeTaken, Step, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation
    from stationmaster.server.shapes import NewTable
    from stationmaster.store.base import Due, Notice, Row, Store

LEASE = 3_000  # ms after which another node does what a table has to do by itself, when this one gives no sign
CLAIMS = 64  # at once
LOOK_AGAIN = 1_000  # ms until the store is asked again for what is due: other nodes may have died
PRESENT = 45_000  # ms that somebody counts as here without another sign of the node
HEARTBEAT = 15_000
REST = 60_000  # ms without a line after which a table leaves memory
GOODBYE = 1.0  # seconds that a table's last step has to be stored, when the node stops
COME_BACK = 2  # seconds after which clients of a node that stops should try again
log = logging.getLogger(__name__)


class Thinking(Protocol):
    """Whoever finds the moves of the bots, and hints."""

    async def move(self, observation: Observation, level: str, *, seed: int) -> Move:
        """What a bot of this level plays."""

    async def hint(self, observation: Observation, *, language: str) -> Any:
        """What somebody might play, and why."""

    async def line_up(self, observation: Observation) -> Any:
        """The planned train and the extras."""


def now_ms() -> int:
    """The time, in ms since 1970."""
    return int(time() * 1000)


class Hall:
    """All tables of this node."""

    def __init__(
        self, store: Store, thinkers: Thinking, *, node: str | None = None, clock: Callable[[], int] = now_ms
    ) -> None:
        self.store = store
        self.thinkers = thinkers
        self.node = node or store.node
        self.clock = clock
        self.live: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Future[Live]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self.acting: set[Due] = set()  # what this node has claimed, and not done yet
        self.waking = asyncio.Event()
        self.wakes_at: int | None = None
        self.stopping = False
        self.key = b""  # of this server's duplicate tables

    # ---- Laying tables -------------------------------------------------------------------------

    async def create(self, wanted: NewTable, holder: str) -> Row:
        """Lay a table, and seat who laid it."""
        group = self.day() if wanted.day else chosen_group(wanted.group)
        if group is not None:
            await self.know_key()
        id = secrets.token_urlsafe(12)
        for _ in range(20):
            with contextlib.suppress(CodeTaken):
                return await self.lay(id, first_entries(wanted, holder, fresh_code(), group), holder)
        raise StoreError("no free code was found for the table")

    async def lay(self, id: str, entries: list[e.AnyEntry], holder: str | None) -> Row:
        """Store the first step of a table."""
        table = Table(id)
        step = Step(id, 1, self.clock(), e.encode(e.StepData(entries, holder)))
        table.apply(1, step.at, e.StepData(entries, holder))
        row = row_of(table)
        await self.store.append(step, row)
        return row

    async def rematch(self, table_id: str, holder: str) -> Row:
        """The same people once more, at a table of their own; another one starts. The old table tells of it."""
        live = await self.table(table_id)
        row = await self.lay_rematch(live, holder)
        told = e.Rematch(live.table.seats_of(holder)[0], row.table, row.code)
        await live.do(lambda table: [told] if table.rematch is None else [])
        return row

    async def lay_rematch(self, live: Live, holder: str) -> Row:
        """The table of a rematch; there is one only, whoever asks."""
        async with live.lock:
            if live.unsure:
                await live.read_anew()
            old = live.table
            if not old.seats_of(holder):
                raise Refusal("not-seated")
            if old.stage != "over":
                raise Refusal("round-not-over")
            known = await self.store.setting(f"rematch/{old.id}", secrets.token_urlsafe(12))
            row = await self.store.row(known)
            if row is not None:
                return row
            try:
                return await self.lay(known, rematch_entries(old, fresh_code()), holder)
            except StoreError:
                row = await self.store.row(known)  # somebody else of the table was faster
                if row is None:
                    raise
                return row

    def day(self) -> str:
        """The group of today's deals, by UTC."""
        return f"{DAY}{datetime.fromtimestamp(self.clock() / 1000, UTC).date().isoformat()}"

    async def know_key(self) -> None:
        """Whoever knows this key knows the deals of all groups, so it stays in the store."""
        if not self.key:
            self.key = bytes.fromhex(await self.store.setting("group-key", secrets.token_hex(32)))

    def fresh_secret(self, group: str | None, round: int) -> str:
        """The secret of a round, in hex."""
        if group is None:
            return secrets.token_hex(32)
        if not self.key:
            raise StoreError("the key of the duplicate tables has not been read")
        return hmac.digest(self.key, f"{group}/{round}".encode(), "sha256").hex()

    # ---- Finding tables ------------------------------------------------------------------------

    async def find(self, table_or_code: str) -> str:
        """The id of a table, from itself or from its code."""
        if table_or_code in self.live:
            return table_or_code
        row = await self.store.row(table_or_code)
        if row is None and len(table_or_code) == CODE_LENGTH:
            row = await self.store.row_by_code(table_or_code.upper())
        if row is None:
            raise Refusal("no-such-table")
        return row.table

    async def table(self, table_or_code: str) -> Live:
        """A table, in memory."""
        id = await self.find(table_or_code)
        while True:
            live = self.live.get(id)
            if live is not None:
                return live
            loading = self.loading.get(id)
            if loading is None:
                break
            await asyncio.wait([loading])
        loading = self.loading[id] = asyncio.get_running_loop().create_future()
        try:
            table, _ = await self.read_table(id)
            if table.created.group is not None:
                await self.know_key()
            live = Live(self, table)
            row = await self.store.row(id)
            live.due = row.due if row is not None else None
            self.live[id] = live
        finally:
            del self.loading[id]
            loading.cancel()
        async with live.lock:
            await live.catch_up()  # what was stored while it was read: notices of that found no table here
            await live.see_present()
        return live

    async def read_table(
        self, id: str, told_after: int | None = None, to: int | None = None
    ) -> tuple[Table, list[Told]]:
        """A table from its steps up to a version, and what it tells of those after one."""
        table = Table(id)
        told: list[Told] = []
        for number, step in enumerate((await self.store.read(id))[:to]):
            happened = table.apply(step.version, step.at, e.decode(step.data))
            if told_after is not None and step.version > told_after:
                told.append(Told.of(table, happened))
            if number % 500 == 499:
                await asyncio.sleep(0)
        if not table.version:
            raise Refusal("no-such-table")
        return table, told

    async def told_from(self, id: str, after: int, to: int) -> list[Told]:
        """What a table has told of these steps."""
        return (await self.read_table(id, after, to))[1]

    # ---- What people do ------------------------------------------------------------------------

    async def join(self, table_or_code: str, holder: str, name: str, seat: int | None = None) -> int:
        """Take a seat; its number. Who sits there already keeps it."""
        live = await self.table(table_or_code)
        found: list[int] = []

        def sit(table: Table) -> list[e.AnyEntry]:
            held = table.seats_of(holder)
            if held and (seat is None or seat in held):
                found[:] = [held[0] if seat is None else seat]
                return []
            entries = decide.sit(table, holder, name, seat)
            found[:] = [entry.seat for entry in entries if isinstance(entry, e.Sat)]
            return entries

        await live.do(sit)
        return found[0]

    async def open_line(
        self,
        table_or_code: str,
        holder: str | None,
        *,
        after: int | None = None,
        language: str,
        send: Callable[[bytes], None],
        may_talk: Callable[[], bool] = always,
    ) -> Line:
        """Connect somebody to a table; ``may_talk`` is asked before they say something."""
        if self.stopping:
            raise Refusal("store-unavailable")
        live = await self.table(table_or_code)
        line = Line(live, holder, language, send, may_talk)
        if not line.seats and not live.table.created.watchers:
            raise Refusal("no-watchers")
        try:
            await live.add(line, after)
        except BaseException:  # nobody has the line yet who could close it
            line.open = False
            self.spawn(live.gone(line))
            raise
        return line

    async def record(self, table_or_code: str, holder: str | None) -> Record:
        """The record of a match, of the rounds that have ended."""
        live = await self.table(table_or_code)
        async with live.lock:
            if live.unsure:
                await live.read_anew()
            table = live.table
            here = holder in table.holders and holder not in table.removed
            if not table.created.watchers and not here:
                raise Refusal("no-watchers")
            match = table.match
            if match is None or not match.outcomes():
                raise Refusal("not-started" if match is None else "round-not-over")
            record = Record.of(match)
            if match.round.turn is not None:
                record = msgspec.structs.replace(record, rounds=record.rounds[:-1])
            return record

    async def close_table(self, table: str) -> None:
        """The admin ends a table."""
        live = await self.table(table)
        await live.do(lambda one: [] if one.closed else [e.Closed()])

    # ---- What runs beside ----------------------------------------------------------------------

    async def run(self) -> None:
        """Bots, clocks and what other nodes tell, until it is cancelled."""
        stop_listening = self.store.listen(self.noticed)
        self.spawn(self.beat())
        self.spawn(self.keep_claimed())
        try:
            while not self.stopping:
                try:
                    await self.claim()
                except StoreError as error:
                    log.warning("what is due cannot be read now: %s", error)
                    await asyncio.sleep(LOOK_AGAIN / 1000)
        finally:
            stop_listening()

    async def claim(self) -> None:
        """Do what is due, and sleep until something is again."""
        self.waking.clear()
        self.wakes_at = None  # until it is known: whatever will be due is looked for once more
        claimed = await self.store.claim(self.node, self.clock(), LEASE, CLAIMS)
        for due in claimed:
            if due not in self.acting:  # or it takes longer than a lease
                self.acting.add(due)
                self.spawn(self.act(due))
        if len(claimed) == CLAIMS:
            return
        next_due = await self.store.next_due()
        now = self.clock()
        wait = LOOK_AGAIN if next_due is None else max(0, min(LOOK_AGAIN, next_due - now))
        self.wakes_at = now + wait
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.waking.wait(), wait / 1000)

    def wake(self, due: int) -> None:
        """Something will be due then."""
        if self.wakes_at is None or due < self.wakes_at:
            self.waking.set()

    async def act(self, due: Due) -> None:
        """Do what one table has to do."""
        try:
            live = await self.table(due.table)
            await live.act()
        except StoreError as error:
            log.warning("table %s: what is due has to wait: %s", due.table, error)
        except StationmasterError:
            log.exception("table %s: what was due failed", due.table)
        finally:
            self.acting.discard(due)

    async def keep_claimed(self) -> None:
        """Say now and then that this node still works on what it has claimed: a bot may think for long."""
        while not self.stopping:
            before = set(self.acting)
            await asyncio.sleep(LEASE / 3000)
            late = before & self.acting
            if late:
                try:
                    await self.store.keep_claimed(self.node, {due.table for due in late}, self.clock() + LEASE)
                except StoreError as error:
                    log.warning("what was claimed may be claimed once more: %s", error)

    def noticed(self, notice: Notice) -> None:
        """Another node has stored something."""
        if notice.table is None:
            for live in self.live.values():
                self.spawn(self.refresh(live, talk=True))
            self.waking.set()
            return
        found = self.live.get(notice.table)
        if found is not None and (notice.version is None or notice.version > found.version):
            self.spawn(self.refresh(found, talk=notice.version is None))

    async def refresh(self, live: Live, *, talk: bool) -> None:
        """Read what is new at a table."""
        try:
            async with live.lock:
                await live.catch_up()
                if talk:
                    await live.hear()
                    await live.see_present()
        except StoreError as error:
            live.unsure = True
            log.warning("table %s cannot be read now: %s", live.table.id, error)

    async def beat(self) -> None:
        """Say now and then that this node is there; let tables rest that nobody uses."""
        while not self.stopping:
            await asyncio.sleep(HEARTBEAT / 1000)
            try:
                await self.store.keep_present(self.node, self.present_until())
                await self.see_present()
            except StoreError as error:
                log.warning("the store cannot be used: %s", error)
            for id, live in list(self.live.items()):
                if not live.lines and not live.lock.locked() and self.clock() - live.used > REST:
                    del self.live[id]

    async def see_present(self) -> None:
        """Look who is where: nobody tells of those who were there through a node that has died."""
        used = [id for id, live in self.live.items() if live.lines]
        found = await self.store.present_at(used, self.clock()) if used else {}
        for id in used:
            live = self.live.get(id)
            if live is not None and live.with_own(found.get(id, ())) != live.present:
                async with live.lock:
                    await live.see_present()

    def present_until(self) -> int:
        """How long somebody who is here counts as here."""
        return self.clock() + PRESENT

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something beside."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("something went wrong", exc_info=task.exception())

    async def stop(self) -> None:
        """Lines are told to come back; what was acknowledged is on disk."""
        self.stopping = True
        await asyncio.gather(*(self.say_goodbye(live) for live in list(self.live.values())))
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def say_goodbye(self, live: Live) -> None:
        """What is just being stored is told before, unless the store is away."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE), live.lock:
                pass
        live.tell_all(protocol.frame(goodbye="restart", come_back=COME_BACK))
