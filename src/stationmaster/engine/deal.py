"""A deal: the engine, who starts, the hands and the bone pile, as play begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stationmaster.engine.shuffle import Stream, secret_from_seed
from stationmaster.engine.tiles import Tile, tile_set
from stationmaster.errors import DealError, RulebookError
from stationmaster.rulebooks.rulebook import MOST_SEATS, Rulebook

Tiles = Iterable[Tile | str]


class Deal:
    """What lies where as a round begins.

    >>> Deal(engine="12-12", starter=0, hands=[["0-12"], ["5-12"]], bone_pile=["4-7"]).engine
    Tile('12-12')
    """

    __slots__ = ("bone_pile", "engine", "hands", "starter")

    engine: Tile
    starter: int
    hands: tuple[tuple[Tile, ...], ...]
    bone_pile: tuple[Tile, ...]

    def __init__(self, *, engine: Tile | str, starter: int, hands: Iterable[Tiles], bone_pile: Tiles = ()) -> None:
        self.engine = Tile.of(engine)
        self.starter = starter
        self.hands = tuple(tuple(Tile.of(tile) for tile in hand) for hand in hands)
        self.bone_pile = tuple(Tile.of(tile) for tile in bone_pile)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deal) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.engine, self.starter, self.hands, self.bone_pile

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(hand)) for hand in self.hands)
        return f"<Deal engine {self.engine}, starter {self.starter}, hands {sizes}, bone pile {len(self.bone_pile)}>"

    # ---- Shuffling -----------------------------------------------------------------------------

    @classmethod
    def shuffle(
        cls, book: Rulebook, players: int, number: int = 1, *, seed: int | str, starter: int | None = None
    ) -> Deal:
        """Deal round ``number`` from a seed: the same seed means the same deal for ever.

        ``starter`` is given when the match knows it; otherwise the first round's starter is found as the
        rulebook says and the start moves on clockwise.
        """
        return cls.fair(book, players, number, secret=secret_from_seed(seed), starter=starter)

    @classmethod
    def fair(
        cls,
        book: Rulebook,
        players: int,
        number: int = 1,
        *,
        secret: bytes,
        texts: Sequence[str] = (),
        starter: int | None = None,
    ) -> Deal:
        """Deal round ``number`` from a secret and the texts of the players, as ``shuffle.py`` describes."""
        check_players(book, players)
        if number < 1 or (number > len(book.engines) and book.engine == "descending"):
            raise DealError(f"there is no round {number}: {book.name} has {len(book.engines)} engines")
        if starter is None:
            starter = (first_starter(book, players, secret, texts) + number - 1) % players
        elif not 0 <= starter < players:
            raise DealError(f"starter {starter}: seats count from 0 to {players - 1}")
        size = book.deal[players]
        whole = tile_set(book.highest, book.wild_tiles)
        engine = None if book.engine == "highest-held" else Tile.parse(book.engines[number - 1])
        order = Stream(secret, texts, number, "tiles").shuffled([tile for tile in whole if tile is not engine])
        hands = [order[seat * size : (seat + 1) * size] for seat in range(players)]
        pile = order[players * size :]
        if engine is None:
            engine, starter = engine_from_hands(hands, pile, first=(number - 1) % players)
        return cls(engine=engine, starter=starter, hands=hands, bone_pile=pile)

    # ---- Checking ------------------------------------------------------------------------------

    def check(self, book: Rulebook, *, whole: bool = False) -> None:
        """Refuse a deal that the set of tiles does not allow; ``whole``: nor one that leaves tiles out."""
        if not self.engine.is_double:
            raise DealError(f"the engine {self.engine} is not a double")
        if not 0 <= self.starter < len(self.hands):
            raise DealError(f"starter {self.starter}: seats count from 0 to {len(self.hands) - 1}")
        check_tiles(
            book,
            [
                ("as the engine", [self.engine]),
                *((f"in the hand of seat {seat}", hand) for seat, hand in enumerate(self.hands)),
                ("in the bone pile", self.bone_pile),
            ],
            whole=whole,
        )


def check_players(book: Rulebook, players: int) -> None:
    """Refuse a number of players that the rulebook has no hand size for."""
    if players not in book.deal:
        numbers = ", ".join(str(seats) for seats in book.players)
        can_be_added = players in range(1, MOST_SEATS + 1)
        hint = f"; a house rule can add a hand size, as deal = {{{players} = …}}" if can_be_added else ""
        raise RulebookError(
            f"players = {players}: {book.name} deals for {numbers}{hint}",
            field="deal",
            value=players,
        )


def check_tiles(book: Rulebook, places: Iterable[tuple[str, Iterable[Tile]]], *, whole: bool = False) -> None:
    """Refuse tiles that are not of the set, or there too often, or (``whole``) missing.

    ``places``: "in the bone pile" and the like, each with the tiles that lie there.
    """
    left: dict[Tile, int] = {}
    for tile in tile_set(book.highest, book.wild_tiles):
        left[tile] = left.get(tile, 0) + 1
    found: dict[Tile, list[str]] = {}
    for place, tiles in places:
        for tile in tiles:
            if tile not in left:
                kind = f" with {book.wild_tile_count} wild tiles" if book.wild_tiles else ""
                raise DealError(f"{tile} is not a tile of a double-{book.highest} set{kind}")
            found.setdefault(tile, []).append(place)
            if left[tile] == 0:
                raise DealError(f"{tile} is there once too often: {' and again '.join(found[tile])}")
            left[tile] -= 1
    if whole and any(left.values()):
        missing = ", ".join(str(tile) for tile, count in left.items() if count)
        raise DealError(f"tiles of the set are missing: {missing}")


def first_starter(book: Rulebook, players: int, secret: bytes, texts: Sequence[str] = ()) -> int:
    """The seat that starts the first round."""
    if book.starter == "seat":
        return book.first_starter % players
    if book.starter == "turned-tile":
        return turned_tiles(book, players, secret, texts)[-1][0][0]
    if book.starter == "engine-holder":
        return 0
    return Stream(secret, texts, 1, "starter").below(players)


def turned_tiles(
    book: Rulebook, players: int, secret: bytes, texts: Sequence[str] = ()
) -> list[list[tuple[int, Tile]]]:
    """The tiles that are turned for the start, turn by turn, the highest first; the last turn has one winner."""
    stream = Stream(secret, texts, 1, "turned")
    whole = tile_set(book.highest, book.wild_tiles)
    seats = list(range(players))
    turns: list[list[tuple[int, Tile]]] = []
    while True:
        order = stream.shuffled(whole)
        turned = sorted(zip(seats, order, strict=False), key=lambda one: -_pips(one[1], book))
        turns.append(turned)
        most = _pips(turned[0][1], book)
        seats = sorted(seat for seat, tile in turned if _pips(tile, book) == most)
        if len(seats) == 1:
            return turns


def _pips(tile: Tile, book: Rulebook) -> int:
    return 0 if tile.code == 0 else tile.points(book)


def engine_from_hands(hands: list[list[Tile]], pile: list[Tile], *, first: int) -> tuple[Tile, int]:
    """The highest double held becomes the engine, its holder the starter.

    If nobody holds a double, all draw one tile each in turn, from seat ``first``, until a double comes.
    """
    held = [(tile, seat) for seat, hand in enumerate(hands) for tile in hand if tile.is_double]
    if held:
        engine, starter = max(held, key=lambda one: one[0].code)
    else:
        starter = first
        while True:
            if not pile:
                raise DealError("no double in the hands and none in the bone pile: there is no engine")
            engine = pile.pop(0)
            hands[starter].append(engine)
            if engine.is_double:
                break
            starter = (starter + 1) % len(hands)
    hands[starter].remove(engine)
    return engine, starter
