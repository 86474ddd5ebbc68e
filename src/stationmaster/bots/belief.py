"""The bot that believes its eyes: it plays rounds out in deals that make sense of what the others have chosen.

What it does
    What the bot ``rollout`` does, but with other deals. Somebody who lays a tile on the own train while the 12-11 would
    have fitted elsewhere, probably does not hold the 12-11. So it asks of every deal what each of the others would have
    chosen in it, if they play about as the planner does, and how far that is from what they did choose. Deals are led
    towards those in which it is not far (``evidence.py``).

Why
    Random hands play badly: they fit the ends of their trains only by chance, while real players have laid them so that
    they can go on. In deals that make sense of what was chosen, the others go on as they really will.

What it misses
    Others need not think as the planner does, so an odd choice counts only so much. And leading deals takes time that
    is missing for playing them out.
"""

from __future__ import annotations

from stationmaster.bots.rollout import RolloutBot


class BeliefBot(RolloutBot):
    """Plays rounds out in deals that make sense of what the others have chosen."""

    id = "belief"
    believing = True
