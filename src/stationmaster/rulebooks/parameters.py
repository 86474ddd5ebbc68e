"""The parameters of a rulebook: every question that the printed sheets answer differently."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from stationmaster.errors import RulebookError

MOST_SEATS = 14
MOST_TILES = 190  # a double-18 set; the core has room for no more

Seats = Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
HandSize = Annotated[int, msgspec.Meta(ge=1, le=MOST_TILES)]
Cents = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a sheet decides. Read the comments as the sheet's questions, the values as its answers."""

    # What is in the box
    highest: Annotated[int, msgspec.Meta(ge=1, le=18)]  # the highest number: 12 for a double-12 set
    wild_tiles: bool  # the wild tiles of SuperTrain too: n-W for every number, W-W, A-W ×3, D-W, R-W, S-W, T-W
    deal: dict[Seats, HandSize]  # tiles in each hand, by number of players; these numbers of players can play

    # Rounds, engines and who starts
    engine: Literal["descending", "highest-held"]  # taken out of the set, or out of the hand that holds the highest
    last_engine: str  # where the descent of engines ends: "0-0", "1-1" … or "W-W"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=100)]
    starter: Literal["random", "turned-tile", "seat", "engine-holder"]  # who starts the first round
    first_starter: Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]  # the seat, when starter is "seat"
    open_hands: bool  # all hands lie open; the bone pile does not

    # A turn
    first_turn: Literal["any-train", "own-tile", "own-string"]  # a seat's first turn: anywhere; one tile, or a
    # string of tiles, on the own train only
    first_turn_out: Literal["ends-round", "others-finish"]  # out on a first turn: do others still take theirs?
    own_train_first: bool  # only a seat whose own train is begun may begin the Mexican or another's train

    # Doubles
    follow_up: Literal["anywhere", "on-double"]  # where the tile after a double may go
    follow_up_draw: bool  # may a tile be drawn when the hand holds no follow-up?
    second_double: Literal["third-tile", "last-tile", "free", "never"]  # may the follow-up be a double?
    open_doubles_bind: bool  # does a double left open bind everybody until it is covered?

    # Points and money
    double_blank: Annotated[int, msgspec.Meta(ge=0, le=1000)]  # points for 0-0 left in a hand
    wild_points: Annotated[int, msgspec.Meta(ge=0, le=1000)]  # points for each W or letter end left in a hand
    ante: Cents  # each player pays into the pot as a round begins
    pass_fee: Cents  # and for every pass
    objective: Literal["lowest-points", "most-money"]
    tie_break: Literal["shared", "most-zeros"]  # equal totals share the win, or more zero rounds and then the
    # lowest single round above zero decide


PARAMETERS: tuple[str, ...] = tuple(Parameters.__struct_fields__)


def unknown_parameter(field: str) -> str:
    """The sentence for a parameter that no rulebook has, with the nearest one that they have."""
    from difflib import get_close_matches

    near = get_close_matches(field, PARAMETERS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the parameters are {', '.join(PARAMETERS)}"
    return f"{field!r} is not a parameter of a rulebook: {hint}"


def checked(values: dict[str, Any]) -> Parameters:
    """Check every value against its type, naming the field that does not fit."""
    deal = values.get("deal")
    if isinstance(deal, dict):
        for seats in deal:
            if not str(seats).isdecimal() or len(str(seats)) > 2 or not 1 <= int(seats) <= MOST_SEATS:
                raise RulebookError(
                    f"deal: {seats!r} is not a number of players from 1 to {MOST_SEATS}", field="deal", value=deal
                )
        values["deal"] = {int(seats): size for seats, size in sorted(deal.items(), key=lambda item: int(item[0]))}
    try:
        return msgspec.convert(values, Parameters, str_keys=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        field = path.rstrip("`").split("[")[0].split(".")[0] if path else None
        if field is None and "unknown field" in what:
            unknown = what.split("`")[1]
            raise RulebookError(unknown_parameter(unknown), field=unknown, value=values[unknown]) from None
        if field is None and "missing required field" in what:
            field = what.split("`")[1]
            raise RulebookError(f"{field} is missing: every parameter has to be given", field=field) from None
        value = values.get(field) if field else None
        raise RulebookError(f"{field} = {value!r}: {_expected(field, what)}", field=field, value=value) from None


def _expected(field: str | None, what: str) -> str:
    if field is not None and get_origin(_types()[field]) is Literal:
        return "choose one of " + ", ".join(repr(choice) for choice in get_args(_types()[field]))
    if field == "deal":
        return f"{plainly(what)}; a deal is a hand size for each number of players, as {{ 4 = 15 }}"
    return plainly(what)


_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
_BOUNDS = {"<=": "at most", ">=": "at least", "<": "below", ">": "above"}


def plainly(what: str) -> str:
    """What the validator expected, as people say it: "expected a whole number or a list, got a text"."""
    what = what.partition(" - at `")[0]
    what = re.sub(r"`int` ([<>]=?) ", lambda bound: f"a whole number, {_BOUNDS[bound[1]]} ", what)

    def kinds(found: re.Match[str]) -> str:
        return " or ".join(_KINDS.get(kind, kind) for kind in found[1].split(" | "))

    what = re.sub(r"`([a-z]+(?: \| [a-z]+)*)`", kinds, what)
    return what[:1].lower() + what[1:]


@cache
def _types() -> dict[str, Any]:
    return {field.name: field.type for field in msgspec.structs.fields(Parameters)}
