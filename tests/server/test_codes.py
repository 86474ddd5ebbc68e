"""What a table says no to, and what happens at it, has its words in every language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from stationmaster.server.codes import CODES
from stationmaster.words import LANGUAGES, catalogue, say

# What each sentence is asked for with; codes that are not here need nothing.
FILLED: dict[str, dict[str, Any]] = {
    "not-your-turn": {"name": "Ann"},
    "illegal": {"reason": "12-5 is not in your hand. Play a tile that is."},
    "too-large": {"limit": 4096},
    "bad-name": {"limit": 40},
    "bad-id": {"limit": 64},
    "bad-level": {"levels": "passenger, porter"},
    "too-few-players": {"count": 2},
    "seats-free": {"count": 2},
    "bad-group": {"limit": 64},
    "too-many-seats": {"count": 8},
    "bad-clock": {"least": 5, "most": 600},
}

PLAIN = ("created", "started", "locked", "unlocked", "hints-on", "hints-off", "asked", "closed")
OF_A_PLAYER = (
    *("sat", "left", "removed", "held", "returned", "hosted", "paused", "resumed", "ready"),
    *("takeback-asked", "takeback-agreed", "takeback-refused", "clock-ran-out", "muted", "unmuted"),
    *("hashed", "texted", "rematch"),
)
OF_A_ROUND = ("promised", "dealt", "shown")
EVENTS: dict[str, dict[str, Any]] = {
    **{event: {} for event in PLAIN},
    **{event: {"name": "Ann"} for event in OF_A_PLAYER},
    **{event: {"round": 3} for event in OF_A_ROUND},
    "bot-sat": {"name": "Ben", "level": "@level.porter"},
    "renamed": {"old": "Ann", "name": "Anna"},
    "taken-back": {"name": "Ann", "count": 1},
    "match-over": {"winners": "Ann", "count": 1},
}


def keys(language: str, block: str) -> set[str]:
    return {key.removeprefix(block) for key in catalogue(language) if key.startswith(block)}


def test_each_code_is_there_once() -> None:
    assert len(CODES) == len(set(CODES))
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in CODES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_its_words_and_all_words_have_a_code(language: str) -> None:
    assert keys(language, "server.error.") == set(CODES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_a_refusal_says_what_is_wrong_and_what_to_do(code: str, language: str) -> None:
    sentence = say(f"server.error.{code}", language, **FILLED.get(code, {}))
    assert len(re.findall(r"[.?](?= [A-ZÁÉÍÓÚ¿]|$)", sentence)) >= 2, sentence
    assert sentence.endswith(".")
    assert all(str(value) in sentence for value in FILLED.get(code, {}).values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_happens_is_told(language: str) -> None:
    assert keys(language, "server.event.") == set(EVENTS)
    for event, values in EVENTS.items():
        sentence = say(f"server.event.{event}", language, **values)
        assert sentence.endswith("."), sentence
        assert all(str(value) in sentence for value in values.values() if value != 1 and "@" not in str(value))


def test_several_moves_and_several_winners_are_told_as_such() -> None:
    assert say("server.event.taken-back", name="Ann", count=3) == ("The last 3 moves are taken back. It is Ann's turn.")
    assert say("server.event.match-over", "es", winners="Ana y Eva", count=2) == (
        "La partida ha terminado. Comparten la victoria Ana y Eva."
    )
