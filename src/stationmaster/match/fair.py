"""Fair deals: the secret of the server and the texts of the players, and whether a deal came from them."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from stationmaster.engine.deal import Deal
from stationmaster.errors import DealError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stationmaster.rulebooks.rulebook import Rulebook


def commitment(secret: bytes) -> str:
    """What the server publishes before the players show their texts: SHA-256 of its secret, in hex."""
    return sha256(secret).hexdigest()


class Fair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a fair deal was made from; the deal follows from it as ``engine/shuffle.py`` describes.

    >>> Fair.of(b"secret", ["a text of Ann's"]).secret
    '736563726574'
    """

    commitment: str
    secret: str  # in hex
    texts: tuple[str, ...]

    @classmethod
    def of(cls, secret: bytes, texts: Iterable[str] = ()) -> Fair:
        """From the secret itself."""
        return cls(commitment(secret), secret.hex(), tuple(texts))

    def deal(self, book: Rulebook, players: int, number: int, *, starter: int | None = None) -> Deal:
        """The one deal that the secret and the texts give, if the secret is the one that was promised."""
        try:
            secret = bytes.fromhex(self.secret)
        except ValueError:
            raise DealError(f"fair: the secret {self.secret[:80]!r} is not written in hex") from None
        if secret.hex() != self.secret:
            raise DealError(f"fair: the secret is written {secret.hex()}, without capitals or spaces")
        if commitment(secret) != self.commitment:
            raise DealError(
                f"fair: the secret is not the one that was promised: its SHA-256 is {commitment(secret)}, "
                f"and the commitment was {self.commitment[:80]}"
            )
        try:
            return Deal.fair(book, players, number, secret=secret, texts=self.texts, starter=starter)
        except UnicodeEncodeError:
            raise DealError("fair: one of the texts cannot be written in UTF-8") from None

    def verify(self, deal: Deal, book: Rulebook, number: int, *, starter: int | None = None) -> None:
        """Refuse a deal that did not come from this secret and these texts.

        ``starter`` is None in the first round: who starts follows from the secret and the texts too.
        """
        right = self.deal(book, len(deal.hands), number, starter=starter)
        if deal.engine is not right.engine:
            raise DealError(f"fair: the engine is {deal.engine}; the secret and the texts give {right.engine}")
        if deal.starter != right.starter:
            raise DealError(f"fair: seat {deal.starter} starts; the secret and the texts give seat {right.starter}")
        for seat, (hand, right_hand) in enumerate(zip(deal.hands, right.hands, strict=True)):
            if hand != right_hand:
                given = " ".join(map(str, right_hand))
                raise DealError(f"fair: the hand of seat {seat} is another; the secret and the texts give {given}")
        if deal.bone_pile != right.bone_pile:
            given = " ".join(map(str, right.bone_pile))
            raise DealError(f"fair: the bone pile is another; the secret and the texts give {given}")
