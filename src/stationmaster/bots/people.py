"""The five levels for people, from the passenger to the stationmaster: the weaker somebody is, the less is seen.

What they do
    The passenger plays the heaviest tile that fits, mostly on the own train. The porter also looks what can follow on
    the own train, one tile far; the conductor four tiles far. The dispatcher plans the whole train, as the bot
    ``planner`` does. The stationmaster plays the round out in deals that make sense of what the others have chosen,
    and goes for the match towards its end, as the bot ``master`` does.

How they are weaker
    By seeing less. Who looks one tile ahead does not know that the heavy tile holds the long train together. Who
    overlooks a train does not notice, in this turn, that it is open: the extra that would have gone there stays in the
    hand. The Mexican Train and those of others are overlooked, never the own one, nor a double that has to be covered;
    and who finds nothing to play looks round once more. Moves that are about as good are taken for each other
    (``wavers``). All slips come from the random numbers that are given, so the same seed slips the same way.

    How far somebody looks is what counts at a table of two, where there are few trains to overlook; at a table of
    eight it is the other way round. The two together keep the levels apart at every table.

What none of them does
    Nobody makes a move by chance. Whoever can go out in this turn, with a double and the tile that covers it too, does.
    Nobody lays a tile on the own train that nothing in the hand fits while another as heavy leads on there. And nobody
    is far from the best of what was noticed: ``wavers`` is a few pips.

How strong they are
    In docs/levels.md, with the tables at which it was measured (``make levels``). In short: at a table of four, each
    ends a round some five points better than the one below it, and wins nearly six rounds of ten against it; under
    every rulebook, and with however many players it was measured, the order is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from stationmaster.bots.bot import Advice, Bot, Limit, choices
from stationmaster.bots.master import MasterBot
from stationmaster.bots.ways_out import ways_out
from stationmaster.bots.why import because, shed
from stationmaster.engine.moves import Move
from stationmaster.engine.tiles import LETTERS, W
from stationmaster.planner.policy import Planner
from stationmaster.planner.weights import weights_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from stationmaster.bots.why import Because
    from stationmaster.engine.core import State
    from stationmaster.engine.observation import Observation
    from stationmaster.engine.tiles import Tile

GLANCE = 4  # tiles that fit the same end, the heaviest, are all that one looks at when looking ahead
PLAYOUTS = 1500  # of the stationmaster, when nobody says how long it may think


class Person(Bot):
    """Somebody who sees a part of what there is to see, and plays the best of it."""

    ahead: ClassVar[int | None]  # tiles of the own train that it looks ahead; None: the whole train, as the planner
    overlooks: ClassVar[float]  # how often it does not notice that a train is open, other than its own
    wavers: ClassVar[float]  # pips: moves that lie no farther apart than twice that may be taken for each other

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """The best placement of those that it notices."""
        legal = choices(observation)
        if len(legal) == 1:
            return Advice(legal[0], why="bot.why.only")
        state = observation.worlds(rng).state()
        moves = ways_out(observation, state) or sensible(observation, self.noticed(observation, rng))
        scores = self.scores(observation, state)
        felt = {move: scores[move] + rng.uniform(-self.wavers, self.wavers) for move in moves}
        best = max(felt, key=lambda move: felt[move])
        values = {move: score - felt[best] for move, score in felt.items()}
        return Advice(best, values, *self.reason(observation, best))

    def noticed(self, observation: Observation, rng: Random) -> list[Move]:
        """The placements that come to mind. A double that has to be covered, and the own train, nobody overlooks."""
        moves = [move for move in observation.legal_moves if move.tile is not None]
        overlooked = {
            train
            for train in dict.fromkeys(move.train for move in moves)
            if train != observation.seat and train not in observation.open_doubles and rng.random() < self.overlooks
        }
        # Who finds nothing to play looks round once more before drawing a tile.
        return [move for move in moves if move.train not in overlooked] or moves

    def scores(self, observation: Observation, state: State) -> dict[Move, float]:
        """What it makes of every placement, in pips."""
        if self.ahead is None:
            ratings = Planner(weights_for(observation.book)).ratings(state)
            return {Move.from_code(number): score for number, score in ratings}
        sight = Sight(observation, self.ahead)
        return {move: sight.score(move) for move in observation.legal_moves if move.tile is not None}

    def reason(self, observation: Observation, move: Move) -> Because:
        """Why, by what it looked at."""
        key, places = because(observation, move)
        if self.ahead is None or key.rpartition(".")[2] in ("out", "double", "marker"):
            return key, places
        assert move.tile is not None
        seen = Sight(observation, self.ahead).after(move)
        tiles = {"tile": str(move.tile), "count": len(seen), **shed(move.tile.points(observation.book))}
        return ("bot.why.goes-on-with" if seen else "bot.why.fits"), tiles


class Sight:
    """A hand as somebody sees it who looks some tiles ahead: the next tiles of the own train, and no farther."""

    def __init__(self, observation: Observation, ahead: int) -> None:
        self.seat = observation.seat
        self.ahead = ahead
        self.hand = observation.hand
        self.marked = observation.seat in observation.markers
        self.weights = weights_for(observation.book)
        self.weight = {tile: tile.points(observation.book) + self.weights.per_tile for tile in self.hand}
        laid = observation.trains[observation.seat] if observation.seat is not None else ()
        self.end = _joins(laid[-1].exposed) if laid else observation.engine.low

    def score(self, move: Move) -> float:
        """What it sheds now, and what can follow on the own train."""
        assert move.tile is not None
        now = self.weight[move.tile]
        then = sum(self.weight[tile] for tile in self.after(move))
        if move.train != self.seat:
            return now + self.weights.elsewhere + then
        return now * (1 + self.weights.own) + self.weights.marker * self.marked + then

    def after(self, move: Move) -> tuple[Tile, ...]:
        """The tiles that it sees on its own train after this move."""
        assert move.tile is not None
        rest = list(self.hand)
        rest.remove(move.tile)
        end = _joins(move.exposed) if move.train == self.seat else self.end
        return self.best(end, rest, self.ahead)[1]

    def best(self, end: int, tiles: Sequence[Tile], ahead: int) -> tuple[float, tuple[Tile, ...]]:
        """The heaviest that these tiles can go on with from this end. Wild tiles it keeps in mind for a bad day."""
        found: tuple[float, tuple[Tile, ...]] = (0.0, ())
        if not ahead:
            return found
        fitting = [tile for tile in tiles if not tile.is_wild and end in (tile.low, tile.high, W)]
        for tile in sorted(fitting, key=lambda tile: -self.weight[tile])[:GLANCE]:
            rest = [one for one in tiles if one is not tile]
            for shown in {tile.low, tile.high} if end == W else (tile.low + tile.high - end,):
                weight, more = self.best(shown, rest, ahead - 1)
                if self.weight[tile] + weight > found[0]:
                    found = self.weight[tile] + weight, (tile, *more)
        return found


def _joins(end: int | None) -> int:
    """What fits an end: its own number, or with a letter too, anything."""
    assert end is not None
    return W if end in LETTERS else end


def sensible(observation: Observation, moves: list[Move]) -> list[Move]:
    """All of these but the tiles with which the own train cannot go on while one as heavy could be laid that it can."""
    book, own = observation.book, [move for move in moves if move.train == observation.seat]
    goes_on = [move for move in own if leads_on(observation.hand, move)]
    most = max((_tile(move).points(book) for move in goes_on), default=-1)
    return [move for move in moves if move not in own or move in goes_on or _tile(move).points(book) > most]


def leads_on(hand: Sequence[Tile], move: Move) -> bool:
    """Whether this hand holds a tile that fits what a placement shows."""
    tile, shown = _tile(move), _joins(move.exposed)
    return shown == W or any(one.is_wild or shown in (one.low, one.high) for one in hand if one is not tile)


def _tile(move: Move) -> Tile:
    assert move.tile is not None
    return move.tile


class Passenger(Person):
    """Plays the heaviest tile that fits, mostly on the own train."""

    id = "passenger"
    ahead = 0
    overlooks = 0.6
    wavers = 6.0


class Porter(Person):
    """Looks a tile ahead."""

    id = "porter"
    ahead = 1
    overlooks = 0.35
    wavers = 8.0


class Conductor(Person):
    """Looks four tiles ahead, and forgets extras."""

    id = "conductor"
    ahead = 4
    overlooks = 0.4
    wavers = 6.0


class Dispatcher(Person):
    """Plans the whole train as the planner does, and misses a place now and then."""

    id = "dispatcher"
    ahead = None
    overlooks = 0.2
    wavers = 14.0


class Stationmaster(MasterBot):
    """Plays rounds out, as it could go on if what the others have chosen makes sense."""

    id = "stationmaster"

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """As the bot ``master``; so many playouts where nobody says how long it may think."""
        return super().consider(observation, Limit(playouts=PLAYOUTS) if limit == Limit() else limit, rng)
