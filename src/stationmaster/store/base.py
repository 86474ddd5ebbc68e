"""What the server keeps of its tables, and what it asks of whatever keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from stationmaster.errors import StationmasterError


class StoreError(StationmasterError):
    """The database cannot be used now. Of a step that was being stored nobody knows: read the table again."""


class Conflict(StoreError):  # noqa: N818 - it is no fault: somebody at the table was faster
    """Somebody else has stored this table's step of this version."""


class CodeTaken(StoreError):  # noqa: N818
    """Another table has this code for invitations."""


class Step(msgspec.Struct, frozen=True):
    """One thing that happened at a table, whole or not at all."""

    table: str
    version: int  # 1, 2, 3 … of this table
    at: int  # ms since 1970
    data: bytes  # JSON; the store does not look into it


class Row(msgspec.Struct, frozen=True):
    """What lists and timers need to know of a table; it follows from the table's steps."""

    table: str
    code: str  # for invitations; no two tables have the same
    version: int  # of the step that it was written with
    changed: int  # ms, of that step
    public: bool
    over: bool
    due: int | None  # ms, when the table has to do something by itself
    group: str | None  # of duplicate tables
    holders: tuple[str, ...]  # who holds a seat, or held one
    summary: bytes  # JSON, for lists, results and statistics


class Talk(msgspec.Struct, frozen=True):
    """Something said at a table."""

    table: str
    number: int  # 1, 2, 3 … of this table
    at: int
    data: bytes


class Due(msgspec.Struct, frozen=True):
    """A table that has to do something by itself now."""

    table: str
    at: int


class Notice(msgspec.Struct, frozen=True):
    """Another node has stored something."""

    table: str | None  # None: notices may have been lost, so everything is to be read again
    version: int | None  # of the step; None: somebody spoke, came or went
    node: str  # who stored it


class Kept(msgspec.Struct, frozen=True):
    """Everything that is kept of one table, to carry it elsewhere."""

    steps: list[Step]
    row: Row | None
    talk: list[Talk]


class Store(ABC):
    """Where tables are kept. Every method may raise StoreError; time is always the caller's."""

    node: str  # what this node is called in notices and leases; of one process, new with each start

    @abstractmethod
    async def append(self, step: Step, row: Row | None = None) -> None:
        """Store the next step of a table; on disk when this returns.

        Conflict unless its version is the last one's + 1. The row replaces the table's, in the same transaction, and
        ends a lease on it; without one it stays as it is.
        """

    @abstractmethod
    async def read(self, table: str, after: int = 0) -> list[Step]:
        """The steps of a table that come after a version; none of a table that nobody knows."""

    @abstractmethod
    async def read_many(self, after: Mapping[str, int]) -> dict[str, list[Step]]:
        """The same of several tables at once; tables without such steps are not in it."""

    @abstractmethod
    async def row(self, table: str) -> Row | None:
        """The row of a table."""

    @abstractmethod
    async def row_by_code(self, code: str) -> Row | None:
        """The row of the table that this code invites to."""

    @abstractmethod
    async def rows(
        self,
        *,
        holder: str | None = None,
        group: str | None = None,
        public: bool | None = None,
        over: bool | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Row]:
        """The rows of which all this is true, the one changed last first.

        Those changed in the same millisecond are never parted, so there may be a few more than ``limit``; ``before``
        the last one's ``changed`` is the next page.
        """

    @abstractmethod
    async def claim(self, node: str, now: int, lease_ms: int, limit: int) -> list[Due]:
        """Tables that are due, the longest waiting first: each goes to one node only until its lease is over."""

    @abstractmethod
    async def keep_claimed(self, node: str, tables: Collection[str], until: int) -> None:
        """This node still works on what it has claimed of these tables, so no other one takes it."""

    @abstractmethod
    async def next_due(self) -> int | None:
        """When the next table can be claimed, so that one can sleep until then."""

    @abstractmethod
    async def add_talk(self, table: str, at: int, data: bytes) -> Talk:
        """Keep what was said at a table; it gets the table's next number."""

    @abstractmethod
    async def read_talk(self, table: str, after: int = 0, limit: int = 100) -> list[Talk]:
        """What was said last at a table, in order."""

    @abstractmethod
    async def set_present(self, table: str, holder: str, node: str, until: int) -> None:
        """Somebody is at a table, through this node, until then."""

    @abstractmethod
    async def unset_present(self, table: str, holder: str, node: str) -> None:
        """Somebody's last line to a table through this node is closed."""

    @abstractmethod
    async def keep_present(self, node: str, until: int) -> None:
        """Everybody who is present through this node still is."""

    @abstractmethod
    async def present_at(self, tables: Collection[str], now: int) -> dict[str, set[str]]:
        """Who is at each of these tables, through any node; tables where nobody is are not in it."""

    async def present(self, table: str, now: int) -> set[str]:
        """Who is at a table, through any node."""
        return (await self.present_at((table,), now)).get(table, set())

    @abstractmethod
    async def setting(self, name: str, value: str | None = None) -> str:
        """A value that is kept once: the first one given stays, for every node. Empty when none was ever given."""

    @abstractmethod
    def listen(self, told: Callable[[Notice], None]) -> Callable[[], None]:
        """Be told, in the event loop, of everything that *others* store; what this returns ends it."""

    @abstractmethod
    async def check(self) -> None:
        """StoreError unless steps could be stored and read now."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was begun, and let go of the database."""

    # ---- Carrying tables from one store to another (transfer.py) ----

    @abstractmethod
    async def tables(self, after: str = "", limit: int = 1000) -> list[str]:
        """The tables that have steps, in the order of their names, those that come after a name."""

    @abstractmethod
    async def count(self) -> int:
        """How many tables have steps."""

    @abstractmethod
    async def settings(self) -> dict[str, str]:
        """All that ``setting`` keeps."""

    @abstractmethod
    async def put(self, kept: Sequence[Kept]) -> None:
        """Take over whole tables, all or none of them; Conflict when one has steps here already."""

    async def keep(self, table: str) -> Kept:
        """Everything that is kept of a table."""
        row = await self.row(table)  # before the steps: it may lag behind them, not they behind it
        return Kept(await self.read(table), row, await self.read_talk(table, limit=2**62))


def chosen(
    mark: str,
    *,
    holder: str | None,
    group: str | None,
    public: bool | None,
    over: bool | None,
    before: int | None,
) -> tuple[str, tuple[Any, ...]]:
    """What ``Store.rows`` asks for, in SQL, and the values for its places, each written as ``mark``."""
    conditions, values = ["true"], list[Any]()
    if holder is not None:
        conditions.append(f"id IN (SELECT table_id FROM holders WHERE holder = {mark})")
        values.append(holder)
    if group is not None:
        conditions.append(f"in_group = {mark}")
        values.append(group)
    if public is not None:
        conditions.append("is_public" if public else "NOT is_public")
    if over is not None:
        conditions.append("is_over" if over else "NOT is_over")
    if before is not None:
        conditions.append(f"changed < {mark}")
        values.append(before)
    return " AND ".join(conditions), tuple(values)
