"""What all parts of one server share: its hall, its settings, its limits and its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.server.headers import inside
from stationmaster.server.limits import Buckets, Counts, whose
from stationmaster.server.metrics import Metrics

if TYPE_CHECKING:
    from stationmaster.server.hallway import Hall, StoreLike
    from stationmaster.server.settings import Settings


SOCKETS = 2  # for each connection to a table that an address may have: browsers keep some for pages too


class House:
    """One server process, as those who come through the door find it."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self.hall = hall
        self.settings = settings
        self.networks = settings.networks()
        self.metrics = Metrics()
        self.closing = False  # nobody new is let in
        limits = settings.limits
        self.requests = Buckets(limits.requests)
        self.tables = Buckets(limits.tables)
        self.talk = Buckets(limits.talk)
        self.connects = Buckets(limits.connects)
        self.guesses = Buckets(limits.guesses)
        self.connections = Counts()
        self.sockets = Counts()  # of any kind, from the moment they are open

    @property
    def store(self) -> StoreLike:
        """What keeps the tables."""
        store: StoreLike = self.hall.store
        return store

    def let_in(self, address: str) -> str | None:
        """Count a socket that was opened; for whom it is counted, None when they have enough. A proxy may have more."""
        who = whose(address)
        if self.sockets.of(who) >= SOCKETS * self.settings.limits.connections and not inside(address, self.networks):
            return None
        self.sockets.add(who)
        return who

    def may_ask(self, address: str, holder: str | None) -> int:
        """Count a request; 0 when it is within the limits, or else the seconds to wait."""
        return self._may(self.requests, address, holder)

    def may_lay(self, address: str, holder: str) -> int:
        """Count a new table; 0 when it is within the limits, or else the seconds to wait."""
        return self._may(self.tables, address, holder)

    def may_guess(self, address: str) -> int:
        """0 for who may ask for another table, or else the seconds to wait: codes are short enough to be tried out."""
        bucket = self.guesses.of(whose(address))
        return 0 if bucket.has() else bucket.wait()

    def guessed(self, address: str) -> None:
        """Somebody asked for a table that is not there."""
        self.guesses.take(whose(address))

    def _may(self, buckets: Buckets, address: str, holder: str | None) -> int:
        for who in (whose(address), holder):
            if who is not None and not buckets.take(who):
                return buckets.of(who).wait()
        return 0
