"""The bot that plays the tile that counts the most.

What it does
    Of all tiles that it may place, it lays the one with the most points: those that the tile would count if it were
    left in the hand, as the rulebook at hand counts them. So red trains and letters are worth what this table charges
    for them, and the double blank too. Between moves that shed the same, it makes the first in the canonical order:
    the tile with the lower ends, then the train with the lower seat (the Mexican Train last), then the lower end
    joined. It places as long as it can and never stops a string of tiles; where nothing can be placed, there is one
    legal move, and it makes that.

Why
    This is what most people do at their first table, and not without reason. A round ends when somebody else goes out,
    mostly before one is out oneself, and then what is left counts: a heavy tile laid today cannot be counted tomorrow.
    It takes no thought, no memory and no guess at what others hold. So it is the yardstick that every better bot has
    to beat, and a quick one: the core plays the same policy in its own playouts (``policy``).

What it misses
    The train. A hand is worth what it can still lay, and the heaviest tile is often the one that holds the longest
    train together: played on the Mexican Train, or out of turn on the own one, it leaves two ends that never meet. It
    lays tiles on its own train that others would take just as well, and so shuts the way for those that fit nowhere
    else.

    Doubles. It lays 12-12 at once, for nothing weighs more, whether it holds a tile to cover it or not. Then it draws,
    lays its marker, and has opened its train to everybody.

    The others. It does not look at who is nearly out, at markers, at what the passes have shown, or at what it offers
    to the player after it. It plays the first round of a match as it plays the last.

    Numbers. A tile is not only its points: fewer tiles left means fewer turns until one is out. It would rather keep
    three light tiles than one heavy one, and in a game for the pot, where only going out pays, that is the wrong way
    round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.bots.bot import Advice, Bot, choices

if TYPE_CHECKING:
    from random import Random

    from stationmaster.bots.bot import Limit
    from stationmaster.engine.moves import Move
    from stationmaster.engine.observation import Observation


class GreedyBot(Bot):
    """Plays the tile that counts the most."""

    id = "greedy"
    policy = 1

    def consider(self, observation: Observation, limit: Limit, rng: Random) -> Advice:
        """The first of the placements that shed the most points."""
        moves = choices(observation)
        if len(moves) == 1:
            return Advice(moves[0], why="bot.why.only")

        def shed(move: Move) -> int:
            return move.tile.points(observation.book) if move.tile is not None else -1

        best = max(moves, key=shed)
        values = {move: float(shed(move) - shed(best)) for move in moves}
        return Advice(best, values, "bot.why.greedy", {"tile": str(best.tile), "count": shed(best)})
