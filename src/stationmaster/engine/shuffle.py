"""The one shuffle for deals that anybody plays or records: pinned, so that no seed ever changes its meaning.

It turns a secret, the texts that the players contributed and the number of the round into a deal. The
steps, for whoever wants to check one with a program of their own (test vectors in
``tests/golden/shuffle.json``):

1. ``key = SHA-256("stationmaster/deal/1" ‖ field(secret) ‖ field(text) for each text ‖ field(number) ‖
   field(purpose))``, where a field is its length in bytes as four bytes, big-endian, and the bytes;
   texts are UTF-8, the number and the purpose their ASCII text.
2. Words: SHA-256(key ‖ i) for i = 0, 1, 2 … as eight bytes, big-endian, cut into eight 32-bit numbers,
   big-endian.
3. A number below n: take the next word; if it is not below the largest multiple of n up to 2³², take the
   next instead; the answer is the word modulo n.
4. A shuffle of a list: for i from the last index down to 1, swap i with a number below i + 1.

The tiles are the whole set in canonical order without the engine (with it, where the highest double held
becomes the engine), shuffled with the purpose ``tiles``;
seat 0 takes the first tiles, seat 1 the next, and what is left is the bone pile, drawn from its front.
A random starter is a number below the number of players with the purpose ``starter``. When every player
turns a tile for the start, the whole set is shuffled with the purpose ``turned`` and the players take one
each from its front, by seat; those who tie turn again from the whole set, shuffled again from where that
stream has come to.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from stationmaster.engine.tiles import Tile
from stationmaster.errors import DealError

FORMAT = b"stationmaster/deal/1"


class Stream:
    """Numbers that follow from a secret, texts, a round and a purpose, and from nothing else."""

    def __init__(self, secret: bytes, texts: Sequence[str], number: int, purpose: str) -> None:
        parts = [secret, *(text.encode("utf-8") for text in texts), str(number).encode(), purpose.encode()]
        self._key = sha256(FORMAT + b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 32 bits."""
        if not self._words:
            digest = sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._words = [int.from_bytes(digest[i : i + 4], "big") for i in range(28, -4, -4)]
            self._block += 1
        return self._words.pop()

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as any other."""
        limit = (1 << 32) - (1 << 32) % n
        while (word := self.word()) >= limit:
            pass
        return word % n

    def shuffled(self, tiles: Sequence[Tile]) -> list[Tile]:
        """The tiles in a new order, each order as likely as any other."""
        order = list(tiles)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def check_seed(seed: object) -> None:
    """Refuse what would be taken for a seed by its text only, as None or 1.5."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise DealError(f"seed = {seed!r}: a seed is a whole number or a text")


def secret_from_seed(seed: int | str) -> bytes:
    """The secret that a seed stands for; 7 and "7" are the same seed."""
    check_seed(seed)
    return sha256(b"stationmaster seed " + str(seed).encode("utf-8")).digest()
