"""Names and chat are cleaned of what would spoil the page for others. What people say is theirs."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 24
LONGEST_SAID = 500
LONGEST_GROUP = 64
MOST_MARKS = 2  # on one letter; more make towers that cover the lines above and below

# Turn the direction of the text after them, or cannot be seen. The joiner of emoji and of some scripts stays.
_UNSEEN = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\u2800\u3164"
    "\ufeff\uffa0\ufffe\uffff\ufff9\ufffa\ufffb"
)
_JOINERS = "\u200c\u200d"
_CONTROL = frozenset(("Cc", "Cs", "Cn", "Co"))
_SPACES = frozenset(("Zs", "Zl", "Zp"))
_EXTENDERS = range(0xE0000, 0xE1000)  # tags, which flags of regions are made of, and which say nothing that is seen


def cleaned(text: str, longest: int) -> str:
    """The text on one line, without what cannot be seen and without towers of marks; empty when nothing is left."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", text[: 8 * longest]):
        kind = unicodedata.category(sign)
        if kind in _SPACES or sign in "\t\n\r\v\f":
            sign, marks = " ", 0
        elif kind in _CONTROL or sign in _UNSEEN or ord(sign) in _EXTENDERS:
            continue
        elif kind in ("Mn", "Me", "Mc"):
            marks += 1
            if marks > MOST_MARKS or not kept or kept[-1] == " ":
                continue
        elif sign not in _JOINERS:
            marks = 0
        kept.append(sign)
    line = " ".join("".join(kept).split(" ")).strip(" " + _JOINERS)
    while "  " in line:
        line = line.replace("  ", " ")
    line = line[:longest].strip(" " + _JOINERS)
    return line if any(unicodedata.category(sign)[0] in "LNPS" for sign in line) else ""


def clean_name(text: str) -> str:
    """A name as it is shown; empty when nothing is left of it."""
    return cleaned(text, LONGEST_NAME)


def clean_said(text: str) -> str:
    """Something said at a table as it is shown; empty when nothing is left of it."""
    return cleaned(text, LONGEST_SAID)
