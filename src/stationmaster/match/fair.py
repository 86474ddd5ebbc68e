"""Fair deals: the secret of the server and the texts of the players, and whether a deal came from them.

``docs/fair-deals.md`` tells the whole of it, step by step.
"""

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


def text_commitment(text: str) -> str:
    """What a player sends before anybody shows a text: SHA-256 of the text in UTF-8, in hex.

    >>> text_commitment("abc")[:16]
    'ba7816bf8f01cfea'
    """
    return sha256(_utf8(text)).hexdigest()


class Fair(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a fair deal was made from; the deal follows from it as ``engine/shuffle.py`` describes.

    >>> Fair.of(b"secret", ["a text of Ann's"]).secret
    '736563726574'
    """

    commitment: str
    secret: str  # in hex
    texts: tuple[str, ...]  # by seat; "" for a bot, and for whoever showed none
    hashes: tuple[str | None, ...] = ()  # by seat, what was sent before the texts; () where nobody wrote them down

    @classmethod
    def of(cls, secret: bytes, texts: Iterable[str] = (), hashes: Iterable[str | None] = ()) -> Fair:
        """From the secret itself."""
        return cls(commitment(secret), secret.hex(), tuple(texts), tuple(hashes))

    # ---- The deal that follows -----------------------------------------------------------------

    def deal(self, book: Rulebook, players: int, number: int, *, starter: int | None = None) -> Deal:
        """The one deal that the secret and the texts give, if they are the ones that were promised."""
        self.check_secret()
        self.check_texts(players)
        return self.follow(book, players, number, starter=starter)

    def follow(self, book: Rulebook, players: int, number: int, *, starter: int | None = None) -> Deal:
        """The one deal that the secret and the texts give, whatever was promised."""
        for text in self.texts:
            _utf8(text)
        return Deal.fair(book, players, number, secret=self.secret_bytes(), texts=self.texts, starter=starter)

    def secret_bytes(self) -> bytes:
        """The secret, if it is written as it should be."""
        try:
            secret = bytes.fromhex(self.secret)
        except ValueError:
            raise DealError(f"fair: the secret {self.secret[:80]!r} is not written in hex") from None
        if secret.hex() != self.secret:
            raise DealError(f"fair: the secret is written {secret.hex()}, without capitals or spaces")
        return secret

    # ---- What was promised ---------------------------------------------------------------------

    def check_secret(self) -> None:
        """Refuse a secret that is not the one that was promised."""
        promised = commitment(self.secret_bytes())
        if promised != self.commitment:
            raise DealError(
                f"fair: the secret is not the one that was promised: its SHA-256 is {promised}, "
                f"and the commitment was {self.commitment[:80]}"
            )

    def check_texts(self, players: int) -> None:
        """Refuse texts that are not the ones that were promised, where it is known what was."""
        if not self.hashes:
            return
        if len(self.texts) != players or len(self.hashes) != players:
            raise DealError(
                f"fair: {players} players have a text and a hash each; "
                f"there are {len(self.texts)} texts and {len(self.hashes)} hashes"
            )
        for seat, (text, promised) in enumerate(zip(self.texts, self.hashes, strict=True)):
            if text and promised is None:
                raise DealError(f"fair: seat {seat} shows a text, and had sent no hash of one")
            if text and text_commitment(text) != promised:
                raise DealError(
                    f"fair: the text of seat {seat} is not the one that was promised: its SHA-256 is "
                    f"{text_commitment(text)}, and the hash was {(promised or '')[:80]}"
                )

    # ---- Is it this deal? ----------------------------------------------------------------------

    def verify(self, deal: Deal, book: Rulebook, number: int, *, starter: int | None = None) -> None:
        """Refuse a deal that did not come from this secret and these texts.

        ``starter`` is None in the first round: who starts follows from the secret and the texts too.
        """
        right = self.deal(book, len(deal.hands), number, starter=starter)
        check_tiles(deal, right)
        check_starter(deal, right)


def check_tiles(deal: Deal, right: Deal) -> None:
    """Refuse a deal whose tiles do not lie where they lie in the right one."""
    if deal.engine is not right.engine:
        raise DealError(f"fair: the engine is {deal.engine}; the secret and the texts give {right.engine}")
    for seat, (hand, right_hand) in enumerate(zip(deal.hands, right.hands, strict=True)):
        if hand != right_hand:
            given = " ".join(map(str, right_hand))
            raise DealError(f"fair: the hand of seat {seat} is another; the secret and the texts give {given}")
    if deal.bone_pile != right.bone_pile:
        given = " ".join(map(str, right.bone_pile))
        raise DealError(f"fair: the bone pile is another; the secret and the texts give {given}")


def check_starter(deal: Deal, right: Deal) -> None:
    """Refuse a deal in which somebody else starts than in the right one."""
    if deal.starter != right.starter:
        raise DealError(f"fair: seat {deal.starter} starts; the secret and the texts give seat {right.starter}")


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise DealError("fair: one of the texts cannot be written in UTF-8") from None
