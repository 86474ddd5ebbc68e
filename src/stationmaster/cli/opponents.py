"""Who plays against a person, who gives hints, and how long they may think."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from stationmaster.bots import Advice, bot
from stationmaster.bots.levels import ADVISER, OPPONENT, THINKING
from stationmaster.bots.naming import about, is_ours, named_bot, what_was_raised
from stationmaster.errors import StationmasterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.bots import Bot
    from stationmaster.engine.observation import Observation
    from stationmaster.match.match import Match


class Opponents:
    """The bots at the seats from 1 on."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._bots = [named_bot(name) for name in self.names]

    @classmethod
    def read(cls, text: str | None, others: int) -> Opponents:
        """Those who were asked for: one name for all, or one for each, with commas between."""
        names = [OPPONENT] if text is None else [name.strip() for name in text.split(",")]
        if len(names) == 1:
            names *= others
        if len(names) != others:
            raise StationmasterError(
                f"--bots {text}: {len(names)} bots for {others} other players; name one for all, or one for each"
            )
        return cls(names)

    def advise(self, match: Match, seat: int) -> Advice:
        """What the bot at this seat would do now. The same match gets the same advice, also when it is resumed."""
        return advice(self._bots[seat - 1], self.names[seat - 1], match, seat)

    def about(self, players: Sequence[str], language: str) -> list[str]:
        """How the others play: a sentence for each way."""
        by_bot: dict[str, list[str]] = {}
        for name, player in zip(self.names, players, strict=True):
            by_bot.setdefault(name, []).append(player)
        return [about(named_bot(name), those, language) for name, those in by_bot.items()]


def hint(match: Match, seat: int) -> Advice:
    """What a player might do now, and why."""
    return advice(bot(ADVISER), ADVISER, match, seat)


def advice(bot: Bot, name: str, match: Match, seat: int) -> Advice:
    """What a bot advises; if it is somebody's own and fails, that is said and not shown as a fault of the program."""
    seen: Observation = match.round.observe(seat)
    rng = Random(None if match.seed is None else f"{match.seed} {match.number} {len(match.round.moves)}")
    if is_ours(bot):
        return bot.consider(seen, THINKING, rng)
    try:
        given = bot.consider(seen, THINKING, rng)
        if given.move in seen.legal_moves:
            return given
        trouble = f"advises {given.move}, which is not legal"
    except Exception as error:  # somebody's own code may raise anything
        trouble = f"raised {what_was_raised(error)}"
    raise StationmasterError(f"the bot {name} {trouble}. To see what is wrong: stationmaster bots check {name}")
