"""The client's part in the fair deals: a text of its own in each, and a look afterwards whether all was as promised."""

from __future__ import annotations

import secrets
from typing import Any

from stationmaster.client.view import Data, View
from stationmaster.engine.deal import Deal
from stationmaster.errors import DealError, StationmasterError
from stationmaster.match.deals import next_starter
from stationmaster.match.fair import Fair, text_commitment


class Deals:
    """What this client knows of the deal of each round, from whoever told it."""

    def __init__(self) -> None:
        self.texts: dict[tuple[int, int], str] = {}  # by round and seat
        self.given: set[tuple[str, int, int]] = set()  # what was sent
        self.round = _Seen(0)
        self.last: Deal | None = None  # of the round before, checked

    def wanted(self, view: View) -> list[Data]:
        """The commands that the deal waits for."""
        deal = view.data.get("deal")
        if view.stage != "deal" or deal is None:
            return []
        wanted: list[Data] = []
        for seat in view.data["you"]:
            key = deal["round"], seat
            known = deal["hashed"].get(str(seat))
            if known is None and not deal["asked"] and view.data["seats"][seat]["held"] is None:
                text = self.texts.setdefault(key, secrets.token_hex(16))
                wanted += self._once("promise", text_commitment(text), *key)
            elif deal["asked"] and seat not in deal["texted"] and known == self.hash(*key):
                wanted += self._once("text", self.texts[key], *key)
        return wanted

    def hash(self, round: int, seat: int) -> str:
        """What a text of ours is promised by; another device of the same person may have been faster with its own."""
        text = self.texts.get((round, seat))
        return "" if text is None else text_commitment(text)

    def _once(self, verb: str, value: str, round: int, seat: int) -> list[Data]:
        if (verb, round, seat) in self.given:
            return []
        self.given.add((verb, round, seat))
        return [{verb: value, "seat": seat}]

    # ---- What is seen --------------------------------------------------------------------------

    def step(self, view: View, step: Data) -> list[Data]:
        """Note what a step says of the deal; what this client has to say about it, as events."""
        said: list[Data] = []
        seen = self.round
        for event in step["events"]:
            match event["event"]:
                case "promised":
                    seen = self.round = _Seen(event["round"], event["commitment"])
                case "hashed":
                    seen.hashes[event["seat"]] = event["hash"]
                case "texted":
                    seen.texted.add(event["seat"])
                case "dealt":
                    seen.dealt = event
                    seen.held = [set() for _ in event["hand_sizes"]]
                    seen.hands = {seat: own["hand"] for seat, own in step.get("mine", {}).items() if "hand" in own}
                case "placed" if seen.dealt is not None:
                    seen.held[event["seat"]].add(event["tile"])
                case "drew" if seen.dealt is not None:
                    seen.draws.append(event["seat"])
                case "round-ended" if seen.dealt is not None:
                    for held, hand in zip(seen.held, event["hands"], strict=True):
                        held |= set(hand)
                case "shown":
                    said.append(self.judged(view, event))
        return said

    def anew(self, view: View) -> None:
        """All is told anew: a deal that is being made is seen from here on, one that is made was not seen."""
        deal = view.data.get("deal")
        self.last = None
        if deal is None:
            self.round = _Seen(0)
        else:
            self.round = _Seen(deal["round"], deal["commitment"])
            self.round.hashes = {int(seat): hash for seat, hash in deal["hashed"].items()}
            self.round.texted = set(deal["texted"])

    def judged(self, view: View, shown: Data) -> Data:
        """Whether the deal of the round that has ended is the one that was promised."""
        number: int = shown["round"]
        whole = self.round.dealt is not None
        try:
            self.check(view, shown)
        except DealError as error:
            return {"event": "deal-wrong", "round": number, "why": str(error)}
        except StationmasterError:  # rules that a later version of the program knows
            whole = False
        return {"event": "deal-checked", "round": number, "whole": whole}

    def check(self, view: View, shown: Data) -> None:
        """Refuse a deal that is not what was promised, as far as this client has seen it made."""
        seen, seats = self.round, len(view.data["seats"])
        commitment = seen.commitment or shown["commitment"]
        texts = tuple(view.data["match"]["deals"][-1]["texts"])
        hashes = tuple(seen.hashes.get(seat) for seat in range(seats)) if seen.dealt is not None else ()
        fair = Fair(commitment, shown["secret"], texts, hashes)
        fair.check_secret()
        for (round, seat), text in self.texts.items():
            sent = round == shown["round"] and ("text", round, seat) in self.given
            if sent and texts[seat] != text and (texts[seat] or seat in seen.texted):
                raise DealError(f"the text of seat {seat} is {texts[seat]!r}, and this client sent {text!r}")
        if seen.dealt is None:
            return
        book = view.book
        starter: int | None = seen.dealt["starter"]
        if shown["round"] == 1 or self.last is not None:
            starter = next_starter(book, seats, self.last)
        elif book.starter == "engine-holder":
            starter = None
        self.last = deal = fair.deal(book, seats, shown["round"], starter=starter)
        seen.compare(deal)


class _Seen:
    """What was seen of one round that says how its tiles lay."""

    def __init__(self, round: int, commitment: str = "") -> None:
        self.round = round
        self.commitment = commitment
        self.hashes: dict[int, str] = {}
        self.texted: set[int] = set()
        self.dealt: Data | None = None
        self.hands: dict[str, list[str]] = {}  # of seats of our own, as dealt
        self.held: list[set[str]] = []  # by seat, every tile that it ever held
        self.draws: list[int] = []  # the seats that drew, in order

    def compare(self, deal: Deal) -> None:
        """Refuse this deal if the round was another one."""
        told = self.dealt
        assert told is not None
        right: Any = {
            "engine": str(deal.engine),
            "starter": deal.starter,
            "hand_sizes": [len(hand) for hand in deal.hands],
            "bone_pile_count": len(deal.bone_pile),
        }
        for key, value in right.items():
            if told[key] != value:
                raise DealError(f"the {key} should be {value}, by the secret and the texts, and was {told[key]}")
        for own, hand in self.hands.items():
            if set(hand) != {str(tile) for tile in deal.hands[int(own)]}:
                raise DealError(f"seat {own} was dealt other tiles than follow from the secret and the texts")
        held = [{str(tile) for tile in hand} for hand in deal.hands]
        for seat, tile in zip(self.draws, deal.bone_pile, strict=False):
            held[seat].add(str(tile))
        for number, (one, other) in enumerate(zip(held, self.held, strict=True)):
            if one != other:
                tiles = ", ".join(sorted(one ^ other))
                raise DealError(f"seat {number} held other tiles than follow from the secret and the texts: {tiles}")
