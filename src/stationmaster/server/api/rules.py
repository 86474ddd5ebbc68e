"""Rulebooks: the printed ones, what they say, and whether a house rule can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.prose import book_name, compare, describe
from stationmaster.rulebooks.rulebook import PARAMETERS, RULEBOOKS, rulebook, unknown_parameter
from stationmaster.server import shapes
from stationmaster.server.denied import Denied
from stationmaster.server.endpoint import Asked, Endpoint, Query

if TYPE_CHECKING:
    from stationmaster.rulebooks.rulebook import Rulebook

THAN = Query("than", "The id of a rulebook to compare with", choices=RULEBOOKS)
LANGUAGE = Query("language", "Of the words; else as Accept-Language says", choices=("en", "es"))


def in_full(book: Rulebook, than: Rulebook | None, language: str) -> shapes.RulebookInFull:
    """A rulebook in words, and where it differs from another."""
    return shapes.RulebookInFull(
        id=book.id,
        name=book_name(book, language),
        based_on=book.based_on,
        players=list(book.players),
        parameters=book.parameters(),
        sections=[
            shapes.Section(heading=heading, sentences=sentences) for heading, sentences in describe(book, language)
        ],
        than=None if than is None else than.id,
        differences=[]
        if than is None
        else [
            shapes.Differing(
                parameter=one.field,
                label=one.label,
                here=one.a_words,
                there=one.b_words,
                clause_here=one.clause_a,
                clause_there=one.clause_b,
            )
            for one in compare(book, than, language)
        ],
    )


def house_rules(wanted: shapes.HouseRules) -> Rulebook:
    """The rulebook that house rules make; refuses what cannot be."""
    for field in wanted.changes:
        if field not in PARAMETERS:
            raise Denied("bad-rules", field=f"changes.{field[:60]}", what=unknown_parameter(field[:60]))
    try:
        return rulebook(wanted.rulebook).with_changes(name=wanted.name, **wanted.changes)
    except RulebookError as error:
        field = "rulebook" if error.field == "id" else f"changes.{error.field}" if error.field else "changes"
        raise Denied("bad-rules", field=field, what=str(error)) from None


async def listing(asked: Asked) -> shapes.RulebookList:
    """The printed rulebooks."""
    return shapes.RulebookList(
        rulebooks=[
            shapes.Printed(
                id=book.id, name=book.name, players=list(book.players), rounds=book.rounds, tiles=book.tile_count
            )
            for book in map(rulebook, RULEBOOKS)
        ]
    )


async def show(asked: Asked) -> shapes.RulebookInFull:
    """One of them in words."""
    id, than = asked.part("rulebook"), asked.query("than")
    asked.query("language")
    if id not in RULEBOOKS:
        raise Denied("no-such-rulebook", name=id[:60], right=", ".join(RULEBOOKS))
    return in_full(rulebook(id), None if than is None else rulebook(than), asked.language)


async def check(asked: Asked) -> shapes.RulebookInFull:
    """Whether house rules can be, and what they say."""
    asked.query("language")
    book = house_rules(await asked.body(shapes.HouseRules))
    return in_full(book, rulebook(book.based_on or book.id), asked.language)


ENDPOINTS = (
    Endpoint(
        method="GET",
        path="/api/rulebooks",
        does=listing,
        says="The printed rulebooks",
        gives=shapes.RulebookList,
        group="rules",
    ),
    Endpoint(
        method="GET",
        path="/api/rulebooks/{rulebook}",
        does=show,
        says="A rulebook in words, and where it differs from another",
        gives=shapes.RulebookInFull,
        query=(LANGUAGE, THAN),
        group="rules",
        refusals=("no-such-rulebook", "bad-query"),
    ),
    Endpoint(
        method="POST",
        path="/api/rulebooks/house",
        does=check,
        says="Check house rules: what they say, and where they differ from the printed ones",
        takes=shapes.HouseRules,
        gives=shapes.RulebookInFull,
        query=(LANGUAGE,),
        group="rules",
        refusals=("bad-rules", "bad-query"),
    ),
)
