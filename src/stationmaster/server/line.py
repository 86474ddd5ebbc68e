"""A line: one connection of one person to one table, whatever carries it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.server import protocol
from stationmaster.server.refusal import Refusal
from stationmaster.store.base import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from stationmaster.server.live import Live

log = logging.getLogger(__name__)


def always() -> bool:
    """Whoever says something may say it."""
    return True


class Line:
    """One connection of one person to one table."""

    def __init__(
        self,
        live: Live,
        holder: str | None,
        language: str,
        send: Callable[[bytes], None],
        may_talk: Callable[[], bool],
    ) -> None:
        self.live = live
        self.holder = holder
        self.language = language
        self.send = send
        self.may_talk = may_talk
        self.open = True
        self.told_seats: tuple[int, ...] = self.seats  # as they were when this line was told a step

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that this person holds."""
        return self.live.table.seats_of(self.holder)

    async def command(self, frame: bytes | str) -> None:
        """Do what a client sent, and answer it."""
        id = verb = None
        try:
            command = protocol.read(frame)
            id, verb = command.id, command.verb
            if self.holder is None and verb != "ask":
                raise Refusal("not-seated")
            if verb in protocol.TALK:
                await self.live.talk(self, command)
            elif verb in protocol.QUESTIONS:
                await self.live.question(self, command)
            else:
                await self.live.command(self, command)
        except Refusal as refusal:
            self.refuse(refusal, id or protocol.id_of(frame))
        except StoreError:
            log.warning("the store cannot be used", exc_info=True)
            self.refuse(Refusal("store-unavailable"), id)
        except Exception:
            log.exception("table %s: the command %s failed", self.live.table.id, verb)
            self.refuse(Refusal("internal"), id or protocol.id_of(frame))

    def refuse(self, refusal: Refusal, id: str | None) -> None:
        """Say no, and why."""
        more: dict[str, Any] = {}
        if refusal.reason is not None:
            reason = refusal.reason
            more["reason"] = {**msgspec.structs.asdict(reason), "clause_text": reason.clause_text(self.language)}
        if "what" in refusal.values:
            more["what"] = refusal.values["what"]
        self.tell(protocol.refused(refusal, id, self.live.version, self.language, **more))

    def tell(self, frame: bytes) -> None:
        """Send, as long as somebody is there; a line that cannot be sent to is closed, and the others go on."""
        if self.open:
            try:
                self.send(frame)
            except Exception:
                log.warning("table %s: a line broke", self.live.table.id, exc_info=True)
                self.open = False
                self.live.hall.spawn(self.live.gone(self))

    async def close(self) -> None:
        """The connection is gone."""
        if self.open:
            self.open = False
            await self.live.gone(self)
