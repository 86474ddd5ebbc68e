"""A table in short plain sentences, for terminals and for screen readers: no drawings, no colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from stationmaster.engine.events import Drew, Event, RoundEnded, TrainBegun, TurnBegan, player_name, train_name
from stationmaster.engine.moves import Move, Train
from stationmaster.engine.tiles import LETTERS, Tile, W, end_text
from stationmaster.words import catalogue, listing, money, say

if TYPE_CHECKING:
    from stationmaster.engine.observation import Observation


class Telling:
    """How one table is told in one language: to the one who sits at seat ``me``, or to somebody looking on."""

    def __init__(self, names: Sequence[str] | None, language: str, me: int | None = None) -> None:
        self.names = names
        self.language = language
        self.me = me

    def say(self, key: str, **values: object) -> str:
        """The sentence with this key."""
        return say(key, self.language, **values)

    def listing(self, parts: Iterable[object], last: str = "and") -> str:
        """Several things in a row, as people say them."""
        return listing([str(part) for part in parts], self.language, last=last)

    def player(self, seat: int) -> str:
        """A player's name."""
        return player_name(seat, self.names, self.language)

    def train(self, train: Train | str) -> str:
        """What a train is called: "your train", "Ben's train", "the Mexican Train"."""
        return train_name(train, self.names, self.language, self.me)

    # ---- The table ----

    def table(self, seen: Observation, known: Sequence[bool] | None = None) -> list[str]:
        """What lies where, a line for each train; ``known``: of whom it is known how many tiles they hold."""
        pile = "table.pile" if seen.bone_pile_count else "table.pile-empty"
        lines = [self.say("table.engine", engine=seen.engine) + " " + self.say(pile, count=seen.bone_pile_count)]
        if seen.book.uses_money:
            lines[0] += " " + self.say("table.pot", money=money(seen.pot, self.language))
        if seen.direction < 0 and seen.players > 2:
            lines[0] += " " + self.say("table.backwards")
        for train in ("M", *range(seen.players)):
            line = self._train_line(seen, train)
            if train != "M" and train != self.me and (known is None or known[int(train)]):
                size = seen.hand_sizes[int(train)]
                line += " " + self.say("table.holds", name=self.player(int(train)), count=size)
            lines.append(line)
        return lines

    def table_briefly(self, seen: Observation) -> str:
        """The trains that are open to me, and what they show."""
        trains: list[Train] = [train for train in seen.trains if train in (self.me, "M") or train in seen.markers]
        shown = []
        for train in sorted(trains, key=lambda train: (train != self.me, train == "M", train)):
            laid = seen.trains[train]
            end = _end(laid[-1].exposed or 0) if laid else ""
            shown.append(self.say("table.short" if laid else "table.short-not-begun", train=self.train(train), end=end))
        return self.say("table.open-to-you", trains=self.listing(shown))

    def _train_line(self, seen: Observation, train: Train) -> str:
        laid = seen.trains[train]
        if laid:
            exposed = laid[-1].exposed
            assert exposed is not None
            end = "table.wild-end" if exposed > 19 else "table.end"
            text = self.say(
                "table.train", train=self.train(train), count=len(laid), end=self.say(end, end=_end(exposed))
            )
        else:
            wild = seen.engine.low == W
            begins = self.say("table.begins-wild") if wild else self.say("table.begins", end=_end(seen.engine.low))
            text = self.say("table.train-not-begun", train=self.train(train), end=begins)
        if train in seen.markers:
            text += " " + self.say("table.marker")
        if train in seen.open_doubles:
            text += " " + self.say("table.open-double")
        return capital(text)

    def hand(self, seat: int, hand: Sequence[Tile], fitting: Sequence[Move]) -> str:
        """The hand of the seat to move, in order, and which of its tiles fit."""
        fit = {move.tile for move in fitting if move.tile is not None}
        whole = self.hand_of(seat, hand)
        if not hand:
            return whole
        if not fit:
            return whole + " " + self.say("table.none-fits")
        if len(fit) == len(set(hand)):
            return whole + " " + (self.say("table.all-fit") if len(hand) > 1 else self.say("table.it-fits"))
        return whole + " " + self.say("table.fitting", tiles=self.listing(sorted(fit)), count=len(fit))

    def hand_of(self, seat: int, hand: Sequence[Tile]) -> str:
        """A hand in order: my own, or one that lies open."""
        mine = "table.hand" if seat == self.me else "table.hand-of"
        return self.say(
            mine if hand else f"{mine}-empty", name=self.player(seat), count=len(hand), tiles=self.tiles(sorted(hand))
        )

    def tiles(self, tiles: Iterable[object]) -> str:
        """Tiles in a row."""
        return ", ".join(str(tile) for tile in tiles)

    # ---- Moves and events ----

    def move(self, move: Move) -> str:
        """A move in words: "5-12 on Ben's train, showing 5"."""
        if move.kind != "place":
            return self.say(f"table.move.{move.kind}")
        assert move.tile is not None
        assert move.train is not None
        assert move.exposed is not None
        train = self.train(move.train)
        if move.tile.low in LETTERS:
            what = self.say(f"table.letter.{end_text(move.tile.low).lower()}")
            return self.say("table.move.letter", tile=move.tile, train=train, what=what)
        kind = "double" if move.tile.is_double else "tile"
        return self.say(f"table.move.{kind}", tile=move.tile, train=train, end=_end(move.exposed))

    def events(self, events: Iterable[Event]) -> str:
        """What happened, in one line; what goes without saying is left out."""
        return " ".join(self.event(event) for event in events if not _goes_without_saying(event))

    def event(self, event: Event) -> str:
        """One thing that happened: "You draw 4-7." "Ben plays 5-7 on your train, which now shows 7." """
        if self.me is None:
            return event.sentence(self.language, self.names)
        values = asdict(event)
        seat = values["seat"]
        values |= {"name": self.player(seat), "money": money(values.get("cents", 0), self.language)}
        if "train" in values:
            values["train"] = self.train(values["train"])
        tag = "drew-hidden" if isinstance(event, Drew) and event.tile is None else event.__struct_config__.tag
        mine = f"table.you.{tag}"
        return self.say(mine if seat == self.me and mine in catalogue(self.language) else f"event.{tag}", **values)

    def ending(self, ended: RoundEnded, uses_money: bool) -> list[str]:
        """How a round ended: the hands laid open, with their points."""
        lines = [ended.sentence(self.language, self.names)]
        for seat, hand in enumerate(ended.hands):
            values = {"name": self.player(seat), "tiles": self.tiles(hand), "count": len(hand)}
            values["points"] = self.say("score.count", count=ended.points[seat])
            line = self.say("table.left" if hand else "table.left-nothing", **values)
            if uses_money:
                cents = ended.cents[seat]
                key = "table.wins" if cents > 0 else "table.pays" if cents else "table.no-money"
                line += " " + self.say(key, money=money(abs(cents), self.language))
            lines.append(line)
        return lines


def _goes_without_saying(event: Event) -> bool:
    """Whose turn it is, how a round ended (told at length elsewhere), and that one's own train begins."""
    if isinstance(event, TrainBegun):
        return event.train == event.seat
    return isinstance(event, TurnBegan | RoundEnded)


def _end(end: int) -> str:
    return end_text(W if end > 19 else end)


def capital(text: str) -> str:
    """The same text as a sentence begins."""
    return text[:1].upper() + text[1:]
