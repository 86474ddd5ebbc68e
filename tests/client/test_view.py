"""What a client makes of the steps is what a fresh welcome tells: by every rulebook, whatever happens at the table."""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from serving import Seen, hall, holder_of
from stationmaster.match.fair import text_commitment
from stationmaster.rulebooks.rulebook import RULEBOOKS, rulebook
from stationmaster.server.shapes import HouseRules, NewTable

if TYPE_CHECKING:
    from stationmaster.server.hall import Hall

OPEN = {"open_hands": True}
BOOKS = [(book, {"rounds": 1}) for book in RULEBOOKS] + [("tactic", {"rounds": 2, **OPEN}), ("pressman", OPEN)]


@pytest.mark.parametrize(
    ("book", "changes"), BOOKS, ids=[f"{book}{' open' * (OPEN.items() <= changes.items())}" for book, changes in BOOKS]
)
def test_a_view_is_what_a_welcome_tells(book: str, changes: dict[str, object]) -> None:
    asyncio.run(Evening(book, changes).play())


class Evening:
    """A match with everything that can happen around it: two people at four seats, and one who watches."""

    def __init__(self, book: str, changes: dict[str, object]) -> None:
        if book == "pressman":
            changes = {"rounds": 2, **changes}
        self.seats = min(max(rulebook(book).deal), 4)
        self.wanted = NewTable(
            name="Ann", rulebook=HouseRules(rulebook=book, changes=changes), seats=self.seats, clock=30
        )
        self.rng = random.Random(book)
        self.now = 1_000_000

    async def play(self) -> None:
        async with hall(clock=lambda: self.now) as house:
            house.fresh_secret = lambda group, round: f"{round:064x}"  # type: ignore[method-assign]
            row = await house.create(self.wanted, holder_of("ann"))
            await self.match(house, row.table)

    async def match(self, house: Hall, table: str) -> None:
        self.live = await house.table(table)
        self.lines = [await Seen(holder and holder_of(holder)).open(house, table) for holder in ("ann", "ben", "")]
        ann, ben, _ = self.lines
        self.agree()
        for seat in range(1, self.seats):
            await (ben if seat < 3 else ann).do(sit={"name": f"Seat {seat}", "seat": seat})
            self.agree()
        await ann.do(start=True)
        while self.live.table.stage != "over":
            self.now += 10
            self.agree()
            if self.rng.random() < 0.2:
                await self.anything()
                continue
            await {"deal": self.deal, "between": self.between, "play": self.move}[self.live.table.stage]()
        self.agree()

    def agree(self) -> None:
        for line in self.lines:
            if line.line.open:
                line.agrees()

    async def deal(self) -> None:
        number = self.live.table.dealing
        for line in self.lines:
            for seat in line.view.you:
                await line.do(promise=text_commitment(f"{number} {seat}"), seat=seat)
        self.agree()
        for line in self.lines:
            for seat in line.view.you:
                await line.do(text=f"{number} {seat}", seat=seat)
        if self.live.table.stage == "deal":  # a bot plays for everybody who is there
            await self.wait()

    async def between(self) -> None:
        for line in reversed(self.lines):
            for seat in line.view.you:
                await line.do(next=True, seat=seat)
                self.agree()
        if self.live.table.paused is not None:
            await self.resume()

    async def resume(self) -> None:
        for line in self.lines[:2]:
            await line.do(pause=False, seat=line.view.you[0])

    async def move(self) -> None:
        turn = self.live.table.turn
        if self.live.table.paused is not None:
            await self.resume()
        for line in self.lines:
            if line.view.my_turn is not None and self.rng.random() < 0.98:
                await line.do(play=self.rng.choice(line.view.legal), seat=turn)
                return
        await self.wait()

    async def wait(self) -> None:
        """Until a bot, a clock or a deal does something by itself."""
        due = self.live.table.due()
        assert due is not None
        self.now = max(self.now, due)
        await self.live.act()

    async def anything(self) -> None:
        """Something around the game, by anybody; some of it is refused."""
        line = self.rng.choice(self.lines[:2])
        seat = self.rng.randrange(self.seats)
        table = self.live.table
        match self.rng.randrange(13):
            case 0:
                await line.do(lock=not table.locked)
                await line.do(hints=not table.hints)
            case 1:
                await line.do(mute={"seat": seat, "on": not table.seats[seat].muted})
            case 2:
                await line.do(name=f"Name {self.rng.randrange(100)}", seat=seat)
            case 3:
                await line.do(pause=True, seat=seat)
            case 4:
                await line.do(takeback="ask", seat=seat)
            case 5:
                await line.do(takeback="ask", seat=seat)
                self.agree()
                for one in self.lines[:2]:
                    await one.do(takeback=self.rng.choice(["agree", "agree", "refuse"]), seat=one.view.you[0])
            case 6:
                await line.do(hold={"seat": seat, "level": "porter"})
                await self.wait_if_due()
                self.agree()
                await line.do(back=True, seat=seat)
            case 7 if len(line.view.you) > 1:
                await line.do(leave=True, seat=line.view.you[-1])
            case 8 if len(self.lines[1].view.you) > 1:
                await line.do(remove=self.lines[1].view.you[-1])
                await self.wait_if_due()
            case 9:
                await line.do(sit={"name": f"Late {self.rng.randrange(100)}"})
            case 10:
                await line.do(host=seat)
                await line.do(bot={"seat": seat, "level": "porter"})
            case 11:
                await line.do(say="Well, well")
                await line.do(react="clap", seat=line.view.you[0])
            case _:
                away = self.rng.choice(self.lines)
                await away.close()
                for _ in range(self.rng.randrange(5)):
                    await self.wait_if_due()
                await self.lines[self.lines[0] is away].do(name=f"Name {self.rng.randrange(100)}", seat=seat)
                self.agree()
                await away.again()

    async def wait_if_due(self) -> None:
        if self.live.table.due() is not None:
            await self.wait()
