"""Small rounds, and every deal that agrees with what a seat has seen of them, by brute force."""

from __future__ import annotations

from itertools import combinations, permutations

import stationmaster as sm

SMALL = {
    "puremco-9": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "puremco-12": {"highest": 3, "deal": {2: 3}, "rounds": 4},
    "puremco-15": {"highest": 3, "deal": {4: 2}, "rounds": 4},
    "puremco-18": {"highest": 3, "deal": {2: 4}, "rounds": 4},
    "supertrain": {"highest": 1, "deal": {3: 3}, "rounds": 3},
    "quarter-pot": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "front-porch": {"highest": 3, "deal": {3: 2}, "rounds": 3},
    "pressman": {"highest": 3, "deal": {3: 2}},
    "tactic": {"highest": 3, "deal": {3: 2}, "rounds": 4},
    "tactic-nine": {"highest": 3, "deal": {2: 3}, "rounds": 4},
}


def small(rulebook: str, **changes: object) -> sm.Rulebook:
    return sm.rulebook(rulebook).with_changes(**SMALL[rulebook], **changes)


def all_deals(seen, limit: int, *, drawn: bool = False):
    """Every deal of the unseen tiles, hidden hands as sets, by brute force.

    ``drawn``: the bone pile in every order of the tiles that have been drawn, and the rest in one.
    """
    draws = sum(made.move.kind == "draw" for made in seen.history) if drawn else None
    dealt = [None if hand is None else list(hand) for hand in seen.dealt]
    known = [tile for hand in dealt if hand is not None for tile in hand]
    pool = list(sm.engine.tiles.tile_set(seen.book.highest, seen.book.wild_tiles))
    laid = [] if seen.layout is None else [move.tile for line in seen.layout.lines.values() for move in line]
    for tile in [seen.engine, *laid, *known]:
        pool.remove(tile)
    hidden = [seat for seat, hand in enumerate(dealt) if hand is None]

    def fill(seats, left):
        if not seats:
            for pile in permutations(range(len(left)), draws):
                yield [], [left[i] for i in (*pile, *sorted(set(range(len(left))) - set(pile)))]
            return
        for hand in combinations(range(len(left)), seen.dealt_sizes[seats[0]]):
            rest = [tile for i, tile in enumerate(left) if i not in hand]
            for hands, pile in fill(seats[1:], rest):
                yield [[left[i] for i in hand], *hands], pile

    for count, (hands, pile) in enumerate(fill(hidden, pool)):
        if count >= limit:
            raise OverflowError
        whole = list(dealt)
        for seat, hand in zip(hidden, hands, strict=True):
            whole[seat] = hand
        yield sm.Deal(engine=seen.engine, starter=seen.starter, hands=whole, bone_pile=pile)


def could_have_been(seen, deal) -> bool:
    """Play the moves that were seen on this deal: does the seat see the very same?"""
    if seen.book.engine == "highest-held":
        doubles = [tile for hand in deal.hands for tile in hand if tile.is_double]
        extra = sum(seen.dealt_sizes) - seen.players * seen.book.deal[seen.players] + 1
        if any(extra or double.low > seen.engine.low for double in doubles):
            return False
    round = sm.Round(seen.book, deal, layout=seen.layout)
    for made in seen.history:
        if round.turn != made.seat or made.move not in round.legal_moves():
            return False
        round.push(made.move)
    return round.observe(seen.seat).encode() == seen.encode()


def key(deal) -> tuple:
    return tuple(tuple(sorted(str(tile) for tile in hand)) for hand in deal.hands), tuple(map(str, deal.bone_pile))


def spots(book, seeds, rng):
    """Observations from random play."""
    for seed in seeds:
        number = 1 + seed % max(1, min(book.rounds, len(book.engines)))
        round = sm.Round(book, sm.Deal.shuffle(book, book.players[-1], number, seed=seed))
        stop_at = rng.randrange(2, 14)
        while round.turn is not None and len(round.moves) < stop_at:
            round.push(rng.choice(round.legal_moves()))
        if round.turn is not None:
            yield round.observe(rng.choice([None, *range(round.players)]))
