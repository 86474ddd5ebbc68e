"""What a player types at the table: a number, a move in notation, a tile, or a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import msgspec

from stationmaster.engine.moves import Move
from stationmaster.engine.round import Round
from stationmaster.engine.tiles import Tile
from stationmaster.errors import NotationError
from stationmaster.words import DEFAULT, say

WORDS = (
    "draw", "pass", "stop", "hand", "table", "moves", "score", "rules",
    "hint", "why", "tile", "last", "save", "help", "quit",
)  # fmt: skip


class Answer(msgspec.Struct, frozen=True):
    """What was typed, as far as it was understood."""

    text: str
    word: str | None = None  # one of WORDS but draw, pass and stop; "" when nothing was typed
    move: Move | None = None
    several: tuple[Move, ...] = ()  # the moves that a tile alone could mean
    about: str = ""  # what stood after the words "why" and "tile"
    trouble: str = ""  # "range": a number that no move has; "no-train": a train that is not there


def words(language: str) -> dict[str, str]:
    """What is typed for each word in a language."""
    return {word: say(f"play.word.{word}", language) for word in WORDS}


def read_answer(
    text: str, legal: Sequence[Move], round: Round, language: str, names: Sequence[str] = (), me: int = 0
) -> Answer:
    """Understand what was typed; the English words are understood in every language."""
    text = " ".join(text.split())
    if not text:
        return Answer(text, word="")
    first, _, rest = text.partition(" ")
    word = find_word(first, language)
    for spoken in (DEFAULT, language):
        also = plain_letters(say("play.also.why", spoken))
        if f"{plain_letters(text)} ".startswith(f"{also} "):
            word, rest = "why", " ".join(text.split()[len(also.split()) :])
    if word == "why":
        meant = read_move(rest, legal, round, language, names, me) if rest else Answer(rest)
        move = meant.move or (meant.several[0] if meant.several else None)
        return Answer(text, word="why", move=move, about=meant.text, trouble=meant.trouble)
    if word == "tile":
        return Answer(text, word="tile", about=rest)
    if word is not None and not rest and word not in ("draw", "pass", "stop"):
        return Answer(text, word=word)
    return read_move(text, legal, round, language, names, me)


def find_word(typed: str, language: str) -> str | None:
    """The word that was typed, or begun so that it can only be that one."""
    typed = plain_letters(typed)
    if typed == "?":
        return "help"
    known = {plain_letters(text): word for spoken in (DEFAULT, language) for word, text in words(spoken).items()}
    if typed in known:
        return known[typed]
    meant = {word for text, word in known.items() if text.startswith(typed)}
    return meant.pop() if len(meant) == 1 else None


def plain_letters(text: str) -> str:
    """Small letters without accents."""
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def read_move(
    text: str, legal: Sequence[Move], round: Round, language: str, names: Sequence[str] = (), me: int = 0
) -> Answer:
    """The move that was typed: its number, its notation, a word, or only the tile."""
    if numbered := re.fullmatch(r"([0-9]{1,6})[.:)]?", text):
        number = int(numbered[1])
        if 1 <= number <= len(legal):
            return Answer(text, move=legal[number - 1])
        return Answer(numbered[1], trouble="range")
    word = find_word(text, language)
    if word in ("draw", "pass", "stop"):
        return Answer(text, move=Move.parse(word))
    text = text.replace(" ", "")
    try:
        if "@" in text:
            laid, _, called = text.partition("@")
            train = find_train(called, names, language, me)
            if train is None:
                Tile.parse(laid)
                return Answer(called, trouble="no-train")
            return Answer(text, move=turned(Move.parse(f"{laid}@{train}"), legal))
        tile = Tile.parse(text)
    except NotationError:
        return Answer(text)
    meant = tuple(move for move in legal if move.tile is tile)
    if len(meant) == 1:
        return Answer(text, move=meant[0])
    return Answer(text, several=meant) if meant else Answer(text, move=nearest(tile, round))


def find_train(called: str, names: Sequence[str], language: str, me: int) -> str | None:
    """The train that was named: by its seat, by M, by whose it is, or by the beginning of a name."""
    called = plain_letters(called)
    if called.isdecimal() or called == "m":
        return called.upper()
    for spoken in (DEFAULT, language):
        if called in plain_letters(say("play.also.mine", spoken)).split():
            return str(me)
    known = [(plain_letters(name).replace(" ", ""), str(seat)) for seat, name in enumerate(names)]
    exact = [train for name, train in known if name == called]
    mexican = [
        (plain_letters(say("play.also.mexican", spoken)).replace(" ", ""), "M") for spoken in (DEFAULT, language)
    ]
    begun = {train for name, train in [*known, *mexican] if called and name.startswith(called)}
    meant = exact or sorted(begun)
    return meant[0] if len(meant) == 1 else None


def turned(move: Move, legal: Sequence[Move]) -> Move:
    """The move, or the same with the tile turned round if only that is legal."""
    if move in legal or move.attached is None or move.exposed is None or move.train is None:
        return move
    other = Move.place(move.exposed, move.attached, move.train)
    return other if other in legal else move


def nearest(tile: Tile, round: Round) -> Move:
    """A placement of a tile that fits nowhere: one whose refusal says the most."""
    seat = round.turn or 0
    trains = [seat, "M", *(other for other in range(round.players) if other != seat)]
    tries = [Move.place(a, b, train) for train in trains for a, b in ((tile.low, tile.high), (tile.high, tile.low))]  # type: ignore[arg-type]
    says_little = ("no-fit", "not-marked")
    for move in tries:
        reason = round.why_illegal(move)
        if reason is not None and reason.code not in says_little:
            return move
    return tries[0]
