"""What of a table may leave the server while it is played: nothing that tells a hidden tile.

The secret of a round tells every hand, and its moves tell the tiles that were drawn. So a round that runs stays here
whole: the table leaves as it stood before that round's deal was promised, and the round is dealt anew where it arrives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from stationmaster.server import entries as e
from stationmaster.server.summary import row_of
from stationmaster.server.table import Table
from stationmaster.store.base import Kept, StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.store.base import Step


def as_it_may_leave(kept: Kept) -> Kept:
    """A table up to its last round that has ended."""
    steps = kept.steps
    try:
        table = made_of(steps)
    except msgspec.MsgspecError as error:
        raise StoreError(f"table {steps[0].table}: a step of it cannot be read: {error}") from None
    if table.stage not in ("deal", "play"):
        return kept
    before = next(at for at in range(len(steps) - 1, -1, -1) if promises(steps[at], table.dealing))
    left = steps[:before]
    return Kept(left, row_of(made_of(left)), kept.talk)


def made_of(steps: Sequence[Step]) -> Table:
    """The table that these steps have made."""
    table = Table(steps[0].table)
    for step in steps:
        table.apply(step.version, step.at, e.decode(step.data))
    return table


def promises(step: Step, round: int) -> bool:
    """Whether the deal of this round begins in this step."""
    return any(isinstance(entry, e.Promised) and entry.round == round for entry in e.decode(step.data).entries)
