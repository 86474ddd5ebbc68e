"""Every sentence that people read, by key, in each language.

A key such as ``reason.open-double`` stands in ``en.toml`` and ``es.toml`` as a text with named
places: ``"The double {number} on {train} is open."`` A text that depends on a number is a table with
``one`` and ``other``; the value ``count`` chooses. A place may name a further key with ``@``: the
value ``@train.mexican`` is looked up in the same language before it is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from stationmaster.errors import WordsError

LANGUAGES = ("en", "es")
DEFAULT = "en"

Text = str | Mapping[str, str]


@cache
def catalogue(language: str) -> Mapping[str, Text]:
    """All texts of a language by their full key."""
    if language not in LANGUAGES:
        raise WordsError(f"no words in {language!r}: there are {', '.join(LANGUAGES)}")
    import tomllib  # only who reads words pays for these
    from pathlib import Path

    text = (Path(__file__).parent / f"{language}.toml").read_text("utf-8")
    texts: dict[str, Text] = {}

    def collect(prefix: str, table: Mapping[str, Any]) -> None:
        for name, entry in table.items():
            if isinstance(entry, str) or set(entry) == {"one", "other"}:
                texts[prefix + name] = entry
            else:
                collect(f"{prefix}{name}.", entry)

    collect("", tomllib.loads(text))
    return texts


def say(key: str, language: str = DEFAULT, /, **values: object) -> str:
    """The sentence with this key, its places filled in."""
    texts = catalogue(language)
    try:
        text = texts[key]
    except KeyError:
        raise WordsError(f"no words for {key!r} in {language!r}") from None
    if not isinstance(text, str):
        text = text["one" if values.get("count") == 1 else "other"]
    keys = {
        name: value[1:]
        for name, value in values.items()
        if isinstance(value, str) and value.startswith("@") and value[1:] in texts  # a player may be called "@ann"
    }
    if keys:
        plain = {name: value for name, value in values.items() if name not in keys}
        values = plain | {name: say(further, language, **plain) for name, further in keys.items()}
    try:
        return text.format_map(values)
    except KeyError as missing:
        raise WordsError(f"{key!r} in {language!r} asks for {missing}, which was not given") from None


def listing(parts: list[str], language: str = DEFAULT, /, last: str = "and") -> str:
    """Several things in a row as people say them: "1, 2 and 3"."""
    if len(parts) < 2:
        return "".join(parts)
    word = say(f"list.{last}", language)
    for sound, before in _BEFORE_ITS_OWN_SOUND.get((language, last), {}).items():
        if re.match(sound, parts[-1], re.IGNORECASE):
            word = before
    return ", ".join(parts[:-1]) + f" {word} {parts[-1]}"


# Spanish: "Ana e Inés", "7 u 8" (siete u ocho), "10 u 11" (diez u once).
_BEFORE_ITS_OWN_SOUND = {("es", "and"): {r"h?[ií](?![aeo])": "e"}, ("es", "or"): {r"h?[oó]|8|11\b": "u"}}


def money(cents: int, language: str = DEFAULT, /) -> str:
    """Cents the way the reader writes them: "$1.25", "-$0.05"; "1,25 $"."""
    sign, whole, part = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    return f"{sign}{whole},{part:02} $" if language == "es" else f"{sign}${whole}.{part:02}"
