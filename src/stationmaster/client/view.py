"""What a client knows of its table: the view that the server told it, and every step since, written into it.

This is bookkeeping. No rule of the game is in here: what may be played, whose turn it is and who has won is told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from stationmaster.engine.tiles import Tile
from stationmaster.rulebooks.rulebook import Rulebook, rulebook_from_record

NOW = ("stage", "turn", "phase", "open_doubles", "direction", "until", "paused")
LAST = 24  # moves that the view keeps
TALK = 50  # things said that it keeps

Data = dict[str, Any]


class View:
    """A table as somebody sees it; ``data`` is what a fresh welcome would tell."""

    def __init__(self, frame: Data) -> None:
        self.data: Data = frame["welcome"]
        self.version: int = frame["version"]
        self.at: int = frame["at"]

    @cached_property
    def book(self) -> Rulebook:
        """The rulebook that the table plays by."""
        return rulebook_from_record(self.data["rulebook"])

    # ---- Where it stands -----------------------------------------------------------------------

    @property
    def you(self) -> list[int]:
        """The seats that you hold."""
        return list(self.data["you"])

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        return [seat["name"] for seat in self.data["seats"]]

    @property
    def stage(self) -> str:
        """ "seats", "deal", "play", "between" or "over"."""
        return str(self.data["stage"])

    @property
    def turn(self) -> int | None:
        """The seat that is to move."""
        return self.data.get("turn")

    @property
    def my_turn(self) -> int | None:
        """The seat of yours that is to move."""
        turn = self.turn
        return turn if turn in self.data["you"] else None

    def hand(self, seat: int) -> list[str]:
        """The tiles of a seat of yours."""
        return list(self.data["mine"][str(seat)]["hand"])

    @property
    def legal(self) -> list[str]:
        """What the seat of yours that is to move may play; nothing when none is."""
        turn = self.my_turn
        return [] if turn is None else list(self.data["mine"][str(turn)]["legal"])

    @property
    def totals(self) -> list[int]:
        """The points of each seat in the rounds that are over."""
        return list(self.data["match"]["totals"]) if "match" in self.data else []

    # ---- What is told --------------------------------------------------------------------------

    def step(self, step: Data) -> None:
        """Write down what happened."""
        self.version, self.at = step["version"], step["at"]
        if "welcome" in step:  # so much is otherwise that all is told anew
            self.data = step["welcome"]
            return
        data = self.data
        for key in NOW:
            if key in step:
                data[key] = step[key]
            else:
                data.pop(key, None)
        mine: Data = data.get("mine", {})
        for own in mine.values():
            own.pop("legal", None)
            own.pop("drawn", None)
        told: Data = step.get("mine", {})
        for event in step["events"]:
            write = _WRITE.get(event["event"])
            if write is not None:
                write(data, event)
        if "seats" in step:
            data["seats"], data["you"] = step["seats"], step["you"]
        if "match" in data:
            self._mine(told)

    def _mine(self, told: Data) -> None:
        known = self.data.get("mine", {})
        mine = self.data["mine"] = {str(seat): known.get(str(seat), {}) for seat in self.data["you"]}
        for seat, own in mine.items():
            news = told.get(seat, {})
            if "drew" in news and "hand" in own:
                own["hand"] = in_order([*own["hand"], news["drew"]])
            if "hand" in news:
                own["hand"] = list(news["hand"])
            own |= {key: news[key] for key in ("legal", "drawn") if key in news}

    def present(self, frame: Data) -> None:
        """Write down who is here."""
        self.data["present"] = frame["present"]

    def talk(self, frame: Data) -> None:
        """Write down what was said."""
        talk = self.data["talk"]
        if not talk or frame["talk"] > talk[-1]["talk"]:
            talk.append(frame)
            del talk[:-TALK]

    def resumed(self, frame: Data) -> None:
        """All that was missed is told."""
        self.data["you"], self.data["talk"] = frame["you"], frame["talk"]
        if "match" in self.data:
            self._mine({})


def in_order(tiles: list[str]) -> list[str]:
    """The tiles of a hand, as they are always told."""
    return sorted(tiles, key=Tile.parse)


# ---- Events ------------------------------------------------------------------------------------------


def _promised(data: Data, event: Data) -> None:
    data["deal"] = {
        "round": event["round"],
        "commitment": event["commitment"],
        "hashed": {},
        "asked": False,
        "texted": [],
    }
    data["ready"] = []


def _hashed(data: Data, event: Data) -> None:
    hashed = data["deal"]["hashed"]
    hashed[str(event["seat"])] = event["hash"]


def _asked(data: Data, event: Data) -> None:
    data["deal"]["asked"] = True


def _texted(data: Data, event: Data) -> None:
    data["deal"]["texted"] = sorted([*data["deal"]["texted"], event["seat"]])


def _dealt(data: Data, event: Data) -> None:
    deal = data.pop("deal")
    seats = len(data["seats"])
    match = data.setdefault("match", _first(data["rulebook"]["rounds"], seats))
    match |= {"number": event["round"], "pot": event["pot"]}
    match["deals"].append({"commitment": deal["commitment"], "texts": event["texts"]})
    trains: Data = {str(seat): [] for seat in range(seats)}
    data["round"] = {
        "engine": event["engine"],
        "starter": event["starter"],
        "trains": {**trains, "M": []},
        "markers": [],
        "hand_sizes": list(event["hand_sizes"]),
        "hands": [None if hand is None else list(hand) for hand in event["hands"]],
        "bone_pile_count": event["bone_pile_count"],
        "moves": 0,
        "last": [],
    }


def _first(rounds: int, seats: int) -> Data:
    """A match before its first round."""
    return {
        "rounds": rounds,
        "totals": [0] * seats,
        "money": [0] * seats,
        "over": False,
        "winners": None,
        "leading": [],
        "results": [],
        "deals": [],
    }


def _moved(data: Data, seat: int, move: str) -> Data:
    round: Data = data["round"]
    round["moves"] += 1
    round["last"] = [*round["last"], [seat, move]][-LAST:]
    data["takeback"], data["takeback_agreed"] = None, []
    return round


def _placed(data: Data, event: Data) -> None:
    seat, tile = event["seat"], event["tile"]
    round = _moved(data, seat, event["move"])
    round["trains"][str(event["train"])].append(event["move"])
    round["hand_sizes"][seat] -= 1
    for hand in _hands(data, seat):
        hand.remove(tile)


def _drew(data: Data, event: Data) -> None:
    seat = event["seat"]
    round = _moved(data, seat, "draw")
    round["hand_sizes"][seat] += 1
    round["bone_pile_count"] -= 1
    if event["tile"] is not None:
        for hand in _hands(data, seat):
            hand[:] = in_order([*hand, event["tile"]])


def _hands(data: Data, seat: int) -> list[list[str]]:
    """Where the hand of a seat is written down: as an own one, as an open one, both, or nowhere."""
    own = data["mine"].get(str(seat), {}).get("hand")
    open = data["round"]["hands"][seat]
    return [hand for hand in (own, open) if hand is not None]


def _passed(data: Data, event: Data) -> None:
    _moved(data, event["seat"], "pass")


def _stopped(data: Data, event: Data) -> None:
    _moved(data, event["seat"], "stop")


def _paid(data: Data, event: Data) -> None:
    data["match"]["pot"] += event["cents"]


def _marker_laid(data: Data, event: Data) -> None:
    data["round"]["markers"] = sorted({*data["round"]["markers"], event["seat"]})


def _marker_taken(data: Data, event: Data) -> None:
    data["round"]["markers"] = [seat for seat in data["round"]["markers"] if seat != event["seat"]]


def _round_ended(data: Data, event: Data) -> None:
    data["round"]["hands"] = event["hands"]
    data["match"]["results"].append({key: event[key] for key in ("ending", "points", "cents")})


def _shown(data: Data, event: Data) -> None:
    match = data["match"]
    match |= {key: event[key] for key in ("totals", "money", "pot", "leading")}
    match["deals"][-1]["secret"] = event["secret"]


def _match_over(data: Data, event: Data) -> None:
    data["match"] |= {"over": True, "winners": event["winners"]}


def _ready(data: Data, event: Data) -> None:
    data["ready"] = sorted({*data["ready"], event["seat"]})


def _takeback_asked(data: Data, event: Data) -> None:
    data["takeback"], data["takeback_agreed"] = event["seat"], [event["seat"]]


def _takeback_agreed(data: Data, event: Data) -> None:
    data["takeback_agreed"] = sorted({*data["takeback_agreed"], event["seat"]})


def _takeback_refused(data: Data, event: Data) -> None:
    data["takeback"], data["takeback_agreed"] = None, []


def _given_up(data: Data, event: Data) -> None:
    seat = event["seat"]
    data["ready"] = [one for one in data["ready"] if one != seat]
    if data["takeback"] == seat:
        data["takeback"], data["takeback_agreed"] = None, []
    data["takeback_agreed"] = [one for one in data["takeback_agreed"] if one != seat]


def _rematch(data: Data, event: Data) -> None:
    data["rematch"] = {"table": event["table"], "code": event["code"]}


def _set(key: str, value: bool) -> Callable[[Data, Data], None]:
    def write(data: Data, event: Data) -> None:
        data[key] = value

    return write


_WRITE: dict[str, Callable[[Data, Data], None]] = {
    "locked": _set("locked", True),
    "unlocked": _set("locked", False),
    "hints-on": _set("hints", True),
    "hints-off": _set("hints", False),
    "closed": _set("closed", True),
    "rematch": _rematch,
    "left": _given_up,
    "removed": _given_up,
    "promised": _promised,
    "hashed": _hashed,
    "asked": _asked,
    "texted": _texted,
    "dealt": _dealt,
    "placed": _placed,
    "drew": _drew,
    "passed": _passed,
    "stopped": _stopped,
    "paid": _paid,
    "marker-laid": _marker_laid,
    "marker-taken": _marker_taken,
    "round-ended": _round_ended,
    "shown": _shown,
    "match-over": _match_over,
    "ready": _ready,
    "takeback-asked": _takeback_asked,
    "takeback-agreed": _takeback_agreed,
    "takeback-refused": _takeback_refused,
}
