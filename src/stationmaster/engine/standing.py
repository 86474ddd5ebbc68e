"""How a match stands as one of its rounds is dealt: public, so a part of what every seat sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.rulebooks.rulebook import Rulebook


class Standing(msgspec.Struct, frozen=True):
    """What the rounds that have ended have brought each seat, and how many are still to come."""

    number: int  # of the round that is played, from 1
    rounds: int  # of the match
    points: tuple[int, ...]
    cents: tuple[int, ...]
    # What decides between equal points where the rulebook says so
    zeros: tuple[int, ...]  # rounds without a point
    lowest: tuple[int, ...]  # the fewest points of any other round; 0 where there is none

    @classmethod
    def first(cls, rounds: int, players: int) -> Standing:
        """How every match begins."""
        nothing = (0,) * players
        return cls(1, rounds, nothing, nothing, nothing, nothing)

    @property
    def to_come(self) -> int:
        """How many rounds follow this one."""
        return self.rounds - self.number

    def after(self, points: Sequence[int], cents: Sequence[int]) -> Standing:
        """How it stands when this round has ended so."""
        lowest = (min(filter(None, pair), default=0) for pair in zip(self.lowest, points, strict=True))
        return Standing(
            self.number + 1,
            self.rounds,
            _sums(self.points, points),
            _sums(self.cents, cents),
            _sums(self.zeros, [count == 0 for count in points]),
            tuple(lowest),
        )

    def leading(self, book: Rulebook) -> tuple[int, ...]:
        """The seats that would win if no round followed."""
        decided = self.points if book.objective == "lowest-points" else tuple(-cents for cents in self.cents)
        ranks: list[tuple[int, ...]] = [(count,) for count in decided]
        if book.tie_break == "most-zeros":
            ranks = [(decided[seat], -self.zeros[seat], self.lowest[seat]) for seat in range(len(decided))]
        best = min(ranks)
        return tuple(seat for seat, rank in enumerate(ranks) if rank == best)


def _sums(before: Sequence[int], now: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(before, now, strict=True))
