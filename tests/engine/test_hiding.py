"""What a seat may not know leaves no trace: swap tiles that it has not seen, and it is sent the very same bytes."""

from __future__ import annotations

import random

import msgspec
import pytest

import oracle
from both import both, house_mix
from stationmaster.engine.deal import Deal
from stationmaster.engine.events import Event
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import Tile
from stationmaster.rulebooks.rulebook import Rulebook, rulebook, rulebooks

Seat = int | None  # None is a spectator
Place = tuple[int, int]  # in the deal: (seat, or -1 for the bone pile; which tile there)


def sent(events: list[tuple[Event, ...]], seat: Seat) -> bytes:
    """Everything that happened, as it is sent to a seat."""
    return msgspec.json.encode([[event.seen_by(seat) for event in happened] for happened in events])


def unseen_places(round: Round, seat: Seat) -> list[Place]:
    """Where the tiles were dealt that this seat has not seen up to now."""
    hands = enumerate(round.hands)
    hidden = [tile for other, hand in hands if other != seat and not round.book.open_hands for tile in hand]
    hidden += round.bone_pile
    dealt = {(at, n): tile for at, hand in enumerate(round.deal.hands) for n, tile in enumerate(hand)}
    dealt |= {(-1, n): tile for n, tile in enumerate(round.deal.bone_pile)}
    a = Tile.parse("A-W")
    if hidden.count(a) < list(dealt.values()).count(a):  # equal tiles, of which some have been seen: leave them alone
        hidden = [tile for tile in hidden if tile is not a]
    return [place for place, tile in dealt.items() if tile in hidden]


def swapped(deal: Deal, places: list[Place], rng: random.Random) -> Deal:
    """The deal with some of these tiles in each other's place."""
    chosen = rng.sample(places, min(len(places), rng.choice([2, 2, 3, 5, 12])))
    hands, pile = [list(hand) for hand in deal.hands], list(deal.bone_pile)

    def tile_at(place: Place) -> Tile:
        return (pile if place[0] < 0 else hands[place[0]])[place[1]]

    tiles = [tile_at(place) for place in chosen]
    for place, tile in zip(chosen, [*tiles[1:], tiles[0]], strict=True):
        (pile if place[0] < 0 else hands[place[0]])[place[1]] = tile
    return Deal(engine=deal.engine, starter=deal.starter, hands=hands, bone_pile=pile)


def replay(of: Round, deal: Deal) -> tuple[Round, list[tuple[Event, ...]]] | None:
    """The same moves on another deal, if they are legal there and the turns begin and end in the same places."""
    true, round = Round(of.book, of.deal), Round(of.book, deal, pot=of.pot, last=of.last)
    events = []
    for seat, move in of.moves:
        if round.turn != seat or round.phase != true.phase or round.why_illegal(move) is not None:
            return None
        true.push(move)
        events.append(round.push(move))
    return (round, events) if (round.turn, round.phase) == (true.turn, true.phase) else None


def compare_other_deals(book: Rulebook, players: int, number: int, attempts: int = 6) -> int:
    """Play a round; now and then, swap what a seat has not seen. How many other deals could be compared."""
    table, rng, stacked = both(book, players, number)
    round = table.round
    events: list[tuple[Event, ...]] = []
    compared = 0
    while round.turn is not None:
        if rng.random() < 0.15:
            seat: Seat = rng.choice([None, *range(players)])
            places = unseen_places(round, seat)
            for _ in range(attempts if len(places) > 1 else 0):
                other = replay(round, swapped(round.deal, places, rng))
                if other is not None:
                    assert other[0].observe(seat).encode() == round.observe(seat).encode()
                    assert sent(other[1], seat) == sent(events, seat)
                    compared += other[0].deal != round.deal
        legal = [str(move) for move in round.legal_moves()]
        events.append(round.push(oracle.choose_stacked(legal, rng) if stacked else rng.choice(legal)))
    return compared


@pytest.mark.parametrize("open_hands", [False, True], ids=["hidden hands", "open hands"])
@pytest.mark.parametrize("id", rulebooks())
def test_swapping_unseen_tiles_changes_nothing_that_a_seat_is_sent(id: str, open_hands: bool) -> None:
    book = rulebook(id).with_changes(open_hands=open_hands)
    compared = 0
    for players in {max(2, book.players[0]), 4, book.players[-1]}:
        for number in range(3):
            compared += compare_other_deals(book, players, number)
    assert compared > 30


def test_swapping_unseen_tiles_changes_nothing_under_house_rules() -> None:
    compared = 0
    for mix in range(200):
        book, players = house_mix(mix)
        compared += compare_other_deals(book, players, 1)
    assert compared > 200


@pytest.mark.core
@pytest.mark.parametrize("id", rulebooks())
def test_a_sampled_round_is_sent_in_the_same_bytes(id: str) -> None:
    """Sampled deals differ from the true one in everything unseen at once."""
    book, rng = rulebook(id), random.Random(id)
    round, events = Round(book, Deal.shuffle(book, 3, 1, seed=3)), []
    different = 0
    while round.turn is not None:
        if rng.random() < 0.1:
            seat: Seat = rng.choice([None, *range(round.players)])
            seen = round.observe(seat)
            other = replay(round, seen.sample(rng).deal)
            assert other is not None
            assert other[0].observe(seat).encode() == seen.encode()
            assert sent(other[1], seat) == sent(events, seat)
            different += other[0].hands != round.hands
        events.append(round.push(rng.choice(round.legal_moves())))
    assert different


def test_the_comparison_would_notice_a_leak() -> None:
    """Of a swap between two hands, those who hold them are sent something else."""
    book = rulebook("tactic")
    deal = Deal.shuffle(book, 3, 1, seed=5)
    round = Round(book, deal)
    hands = [list(hand) for hand in deal.hands]
    hands[1][0], hands[2][0] = hands[2][0], hands[1][0]
    other = Round(book, Deal(engine=deal.engine, starter=deal.starter, hands=hands, bone_pile=deal.bone_pile))
    assert other.observe(0).encode() == round.observe(0).encode()
    assert other.observe(None).encode() == round.observe(None).encode()
    assert other.observe(1).encode() != round.observe(1).encode()
    assert other.observe(2).encode() != round.observe(2).encode()


def test_a_drawn_tile_is_sent_to_nobody_else() -> None:
    for open_hands in (False, True):
        book = rulebook("tactic").with_changes(open_hands=open_hands)
        deal = Deal(engine="12-12", starter=0, hands=[["1-2", "3-4"], ["5-6"]], bone_pile=["7-8"])
        events = Round(book, deal).push("draw")
        for seat, knows in ((0, True), (1, open_hands), (None, open_hands)):
            assert (b"7-8" in sent([events], seat)) == knows
