"""What a table has told, in sentences: for clients that write, as the terminal does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import msgspec

from stationmaster.engine.events import AnyEvent, Event
from stationmaster.words import DEFAULT, listing, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OF_THE_GAME: Mapping[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}


def sentence(event: Mapping[str, Any], names: Sequence[str] | None = None, language: str = DEFAULT) -> str:
    """One event of a frame in words, whether it happened in the game or around it.

    >>> sentence({"event": "passed", "seat": 1}, ["Ann", "Ben"])
    'Ben passes.'
    >>> sentence({"event": "match-over", "winners": [0, 1]}, ["Ann", "Ben"])
    'The match is over. Ann and Ben share the win.'
    """
    name = event["event"]
    kind = _OF_THE_GAME.get(name)
    if kind is not None:
        return msgspec.convert(event, kind).sentence(language, names)
    values = {key: value for key, value in event.items() if key != "event"}
    if "level" in values:
        values["level"] = f"@level.{values['level']}"
    if "winners" in values:
        winners = [say("player.unnamed", language, number=seat + 1) for seat in values["winners"]]
        if names is not None:
            winners = [names[seat] for seat in values["winners"]]
        values |= {"winners": listing(winners, language), "count": len(winners)}
    return say(f"server.event.{name}", language, **values)
