"""What a player's own device kept of the fair deals, held against a record.

A record is written after the fact. What makes a deal fair for a player is what the player's own device saw
before it: the commitment, the hashes of all, and the text that it added itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from stationmaster.errors import RecordError
from stationmaster.match.fair import text_commitment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.match.record import Record, RoundRecord


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What was kept of one round: the own text, and what all were told before any text was shown."""

    text: str = ""
    commitment: str | None = None
    hashes: tuple[str | None, ...] = ()


State = Literal["there", "missing", "other", "promised", "no-fair-deal", "not-yet", "nothing"]


class KeptFinding(msgspec.Struct, frozen=True, kw_only=True):
    """What was found of one round: is the text in the record, and is the rest what was told then?"""

    number: int
    state: State
    same_commitment: bool | None = None  # None where it was not kept
    same_hashes: bool | None = None

    @property
    def fine(self) -> bool:
        """Whether the record says what was kept."""
        there = self.state in ("there", "not-yet", "nothing")
        return there and self.same_commitment is not False and self.same_hashes is not False


def read_kept(data: bytes) -> list[Kept]:
    """A JSON list with a text, null or {"text", "commitment", "hashes"} for each round; or a text on each line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError("this is not a text file (UTF-8)") from None
    if not text.lstrip().startswith("["):
        return [Kept(line.strip()) for line in text.splitlines()]
    try:
        rounds = msgspec.json.decode(text, type=list[Kept | str | None])
    except msgspec.MsgspecError as error:
        raise RecordError(
            f"{error}; what was kept is a list with a text, null, or an object with text, commitment and hashes "
            "for each round"
        ) from None
    return [one if isinstance(one, Kept) else Kept(one or "") for one in rounds]


def seat_of(record: Record, kept: Sequence[Kept]) -> int | None:
    """The seat at which most of these texts stand; None when none of them is in the record."""
    found = [0] * len(record.players)
    for entry, mine in zip(record.rounds, kept, strict=False):
        for seat in range(len(found)):
            found[seat] += bool(mine.text) and (
                _at(entry, seat) == mine.text or _promised_at(entry, seat) == text_commitment(mine.text)
            )
    return found.index(max(found)) if any(found) else None


def compare(record: Record, kept: Sequence[Kept], seat: int | None) -> tuple[KeptFinding, ...]:
    """Hold what was kept against the record, round by round; ``seat`` as ``seat_of`` found it."""
    running = record.winners is None
    findings = []
    for number, mine in enumerate(kept, 1):
        if number > len(record.rounds):
            state: State = "nothing" if not mine.text else "not-yet" if running else "missing"
            findings.append(KeptFinding(number=number, state=state))
            continue
        entry = record.rounds[number - 1]
        fair = entry.fair
        findings.append(
            KeptFinding(
                number=number,
                state=_state(entry, seat, mine),
                same_commitment=None if fair is None or not mine.commitment else mine.commitment == fair.commitment,
                same_hashes=None if fair is None or not mine.hashes else mine.hashes == fair.hashes,
            )
        )
    return tuple(findings)


def _state(entry: RoundRecord, seat: int | None, mine: Kept) -> State:
    text = mine.text
    if entry.fair is None and (text or mine.commitment):
        return "no-fair-deal"
    if not text:
        return "nothing"
    if seat is None:
        return "missing"
    there = _at(entry, seat)
    if there == text:
        return "there"
    if there:
        return "other"
    return "promised" if _promised_at(entry, seat) == text_commitment(text) else "missing"


def _at(entry: RoundRecord, seat: int) -> str:
    """The text in the record at a seat."""
    return entry.fair.texts[seat] if entry.fair is not None and seat < len(entry.fair.texts) else ""


def _promised_at(entry: RoundRecord, seat: int) -> str | None:
    """The hash in the record at a seat."""
    return entry.fair.hashes[seat] if entry.fair is not None and seat < len(entry.fair.hashes) else None
