"""Whether a deal is one that the rulebook gives in this round: engine, starter, hand sizes, the whole set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.engine.deal import Deal
from stationmaster.engine.tiles import Tile
from stationmaster.errors import DealError

if TYPE_CHECKING:
    from stationmaster.match.match import Match
    from stationmaster.rulebooks.rulebook import Rulebook


def next_starter(book: Rulebook, players: int, last: Deal | None) -> int | None:
    """Who starts after this deal: the next seat clockwise. None: it has yet to be found, as the rulebook says."""
    if book.starter == "engine-holder":
        return None
    if last is None:
        return book.first_starter % players if book.starter == "seat" else None
    return (last.starter + 1) % players


def check_deal(deal: Deal, book: Rulebook, players: int, number: int, *, starter: int | None) -> None:
    """Refuse a deal that cannot be round ``number`` of a match; ``starter`` as ``next_starter`` found it."""
    if len(deal.hands) != players:
        raise DealError(f"there are {len(deal.hands)} hands, and {players} players")
    if book.engine == "highest-held":
        deal.check(book, whole=True)
        _check_held(deal, book, players, number)
        return
    engine = Tile.parse(book.engines[number - 1])
    if deal.engine is not engine:
        raise DealError(f"the engine is {deal.engine}; in round {number} it is {engine}")
    if starter is not None and deal.starter != starter:
        raise DealError(f"seat {deal.starter} starts; it is the turn of seat {starter} to start")
    deal.check(book, whole=True)
    _check_sizes(deal, [book.deal[players]] * players, f"{players} players get {book.deal[players]} each")


def not_from_seed(match: Match) -> list[int]:
    """The rounds, from 1, whose deals do not follow from the match's seed; fair deals come from elsewhere."""
    if match.seed is None:
        return []
    strange = []
    last: Deal | None = None
    for number, (round, fair) in enumerate(zip(match.rounds, match.fair, strict=True), 1):
        starter = next_starter(match.book, match.players, last)
        last = round.deal
        if fair is not None:
            continue
        try:
            deal = Deal.shuffle(match.book, match.players, number, seed=match.seed, starter=starter)
        except ValueError:  # no engine comes of it, or the seed cannot be written in UTF-8
            strange.append(number)
        else:
            if deal != round.deal:
                strange.append(number)
    return strange


def _check_held(deal: Deal, book: Rulebook, players: int, number: int) -> None:
    """The engine is the highest double that was held, or the first one drawn when nobody held any."""
    size = book.deal[players]
    drawn = sum(map(len, deal.hands)) + 1 - players * size  # tiles drawn for the engine, the engine included
    if drawn <= 0:
        sizes = [size - (seat == deal.starter) for seat in range(players)]
        _check_sizes(deal, sizes, f"{players} players get {size} each, and the engine came out of the starter's hand")
        for seat, tile in _doubles(deal):
            if tile.code > deal.engine.code:
                raise DealError(
                    f"the engine is {deal.engine}; seat {seat} holds {tile}, and the highest double held is the engine"
                )
        return
    drew = [(number - 1 + turn) % players for turn in range(drawn)]
    tiles = "1 tile was" if drawn == 1 else f"{drawn} tiles were"
    why = f"{tiles} drawn for the engine, in turn from seat {drew[0]}"
    for seat, tile in _doubles(deal):
        raise DealError(f"{why}; but nobody draws for it while seat {seat} holds {tile}")
    if deal.starter != drew[-1]:
        raise DealError(f"{why}; so seat {drew[-1]} drew it and starts, not seat {deal.starter}")
    sizes = [size + drew.count(seat) - (seat == deal.starter) for seat in range(players)]
    _check_sizes(deal, sizes, why)


def _doubles(deal: Deal) -> list[tuple[int, Tile]]:
    return [(seat, tile) for seat, hand in enumerate(deal.hands) for tile in hand if tile.is_double]


def _check_sizes(deal: Deal, sizes: list[int], why: str) -> None:
    for seat, (hand, size) in enumerate(zip(deal.hands, sizes, strict=True)):
        if len(hand) != size:
            raise DealError(f"seat {seat} has {_tiles(len(hand))}, and should have {size}: {why}")


def _tiles(count: int) -> str:
    return "1 tile" if count == 1 else f"{count} tiles"
