"""Buckets: each request takes a token out, and time puts them back in. An empty bucket has to wait."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from stationmaster.server.settings import Rate

MOST_KEPT = 50_000  # who has not been seen for longest is forgotten first; a forgotten bucket is full


class Bucket:
    """One bucket. What is refused takes nothing out, so that waiting always helps."""

    __slots__ = ("at", "capacity", "clock", "left", "speed")

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic) -> None:
        self.capacity = float(rate.count)
        self.speed = rate.count / rate.seconds
        self.left = self.capacity
        self.clock = clock
        self.at = clock()

    def has(self) -> bool:
        """Whether there is one."""
        now = self.clock()
        left = self.left + (now - self.at) * self.speed
        self.at = now
        self.left = left = min(left, self.capacity)
        return left >= 1.0

    def take(self) -> bool:
        """Take one, if there is one."""
        if not self.has():
            return False
        self.left -= 1.0
        return True

    def wait(self) -> int:
        """Whole seconds until there is one again."""
        return max(1, int((1.0 - self.left) / self.speed) + 1)


class Buckets:
    """A bucket for everybody who comes, by whatever tells them apart."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = monotonic, most: int = MOST_KEPT) -> None:
        self.rate = rate
        self.clock = clock
        self.most = most
        self._of: OrderedDict[Hashable, Bucket] = OrderedDict()

    def of(self, who: Hashable) -> Bucket:
        """The bucket of somebody."""
        bucket = self._of.get(who)
        if bucket is None:
            while len(self._of) >= self.most:
                self._of.popitem(last=False)
            bucket = self._of[who] = Bucket(self.rate, self.clock)
        else:
            self._of.move_to_end(who)
        return bucket

    def take(self, who: Hashable) -> bool:
        """Take one out of somebody's bucket, if there is one."""
        return self.of(who).take()

    def __len__(self) -> int:
        return len(self._of)


class Counts:
    """How many of something everybody has open."""

    def __init__(self) -> None:
        self.all = 0
        self._of: dict[Hashable, int] = {}

    def of(self, who: Hashable) -> int:
        """How many somebody has."""
        return self._of.get(who, 0)

    def add(self, who: Hashable) -> None:
        """One more."""
        self.all += 1
        self._of[who] = self._of.get(who, 0) + 1

    def remove(self, who: Hashable) -> None:
        """One fewer."""
        self.all -= 1
        left = self._of[who] - 1
        if left:
            self._of[who] = left
        else:
            del self._of[who]


def whose(address: str) -> str:
    """Whom an address is counted for: a home has one IPv4 address, or a whole /64 of IPv6."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return ":".join(parsed.exploded.split(":")[:4])
    return str(parsed)
