"""What the transport asks of the tables: the hall, its lines, and what the store says of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stationmaster.server.shapes import NewTable


class RowLike(Protocol):
    """A row of the store, as far as lists need it."""

    @property
    def table(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def changed(self) -> int: ...
    @property
    def public(self) -> bool: ...
    @property
    def over(self) -> bool: ...
    @property
    def group(self) -> str | None: ...
    @property
    def summary(self) -> bytes: ...


class StoreLike(Protocol):
    """The store, as far as lists need it."""

    async def row(self, table: str) -> RowLike | None:
        """A table's row, by the table's id."""

    async def row_by_code(self, code: str) -> RowLike | None:
        """A table's row, by its code."""

    async def rows(
        self,
        *,
        holder: str | None = None,
        group: str | None = None,
        public: bool | None = None,
        over: bool | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> Sequence[RowLike]:
        """The rows for which all of this holds, the latest changed first."""

    async def check(self) -> None:
        """Raises when the store cannot be used."""

    async def close(self) -> None:
        """Everything is on disk after it."""


class Line(Protocol):
    """One connection of one person to one table."""

    async def command(self, frame: bytes | str) -> None:
        """Do what a client sent, and answer it by ``send``."""

    async def close(self) -> None:
        """The connection is gone."""


class Hall(Protocol):
    """All tables of this node."""

    @property
    def store(self) -> Any:
        """What keeps them; a ``StoreLike``."""

    async def create(self, wanted: NewTable, holder: str) -> RowLike:
        """Lay a table, and seat who laid it."""

    async def join(self, table_or_code: str, holder: str, name: str, seat: int | None = None) -> int:
        """Take a seat; its number."""

    async def open_line(
        self,
        table_or_code: str,
        holder: str | None,
        *,
        after: int | None,
        language: str,
        send: Callable[[bytes], None],
        may_talk: Callable[[], bool],
    ) -> Line:
        """Connect somebody to a table; ``may_talk`` is asked before they say something."""

    def day(self) -> str:
        """The group of today's deals."""

    async def rematch(self, table_id: str, holder: str) -> RowLike:
        """The same people once more, at a table of their own."""

    async def record(self, table: str, holder: str | None) -> Any:
        """The record of a match, as far as everybody may know it; it has ``dumps()``."""

    async def close_table(self, table: str) -> None:
        """The admin ends a table."""

    async def run(self) -> None:
        """Bots, clocks and what other nodes tell, until it is cancelled."""

    async def stop(self) -> None:
        """Lines are told to come back; what was acknowledged is on disk."""
