"""Both catalogues say the same things, and every sentence that the code asks for is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from stationmaster import words
from stationmaster.errors import WordsError
from stationmaster.words import LANGUAGES, catalogue, listing, money, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path(__file__).parents[2] / "src"


def forms(text: str | Mapping[str, str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def places(text: str | Mapping[str, str]) -> set[str]:
    """The names of the places that a text fills in, in whichever number it is said."""
    return {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name is not None}


def test_every_language_has_the_same_keys() -> None:
    keys = {language: set(catalogue(language)) for language in LANGUAGES}
    for language in LANGUAGES:
        assert keys[language] - keys["en"] == set(), f"only in {language}"
        assert keys["en"] - keys[language] == set(), f"not in {language}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fills_the_same_places(language: str) -> None:
    english = catalogue("en")
    different = {key for key, text in catalogue(language).items() if places(text) != places(english[key])}
    assert different == set()
    unlike = {
        key for key, text in catalogue(language).items() if isinstance(text, str) != isinstance(english[key], str)
    }
    assert unlike == set(), "one text, or one for each number, in every language"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_place_has_a_plain_name(language: str) -> None:
    for key, text in catalogue(language).items():
        assert all(re.fullmatch("[a-z_]+", place) for place in places(text)), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_empty_or_ends_in_space(language: str) -> None:
    for key, text in catalogue(language).items():
        for form in forms(text):
            assert form, key
            assert form == form.strip(), key


def asked_for() -> Iterator[tuple[str, str]]:
    """Every key that stands literally in the source: ``say("…")``, or ``"@…"`` for a place."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in ("say", "words.say"):
                key = text_of(node.args[0])
                if key is not None:
                    yield path.name, key
            place = text_of(node)
            if place is not None and re.fullmatch(r"@[a-z]+(\.[\w-]+)+", place):
                yield path.name, place[1:]


def text_of(node: ast.AST) -> str | None:
    """A literal text in the source."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_sentence_that_the_source_asks_for_is_there() -> None:
    keys = set(asked_for())
    assert keys
    assert {(file, key) for file, key in keys if key not in catalogue("en")} == set()


# ---- How it is said -------------------------------------------------------------------------------


@pytest.fixture
def sample(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {
        "plain": "Here is {what}.",
        "tiles": {"one": "{count} tile", "other": "{count} tiles"},
        "train.mexican": "the Mexican Train",
        "train.of": "{name}'s train",
    }
    monkeypatch.setattr(words, "catalogue", {"en": texts, "es": texts}.__getitem__)


@pytest.mark.usefixtures("sample")
def test_places_are_filled_in() -> None:
    assert say("plain", what="a tile") == "Here is a tile."
    assert say("plain", "es", what=5) == "Here is 5."


@pytest.mark.usefixtures("sample")
def test_the_count_chooses_the_number() -> None:
    assert [say("tiles", count=count) for count in (0, 1, 2)] == ["0 tiles", "1 tile", "2 tiles"]


@pytest.mark.usefixtures("sample")
def test_a_place_may_name_a_further_key() -> None:
    assert say("plain", what="@train.mexican") == "Here is the Mexican Train."
    assert say("plain", what="@train.of", name="Ann") == "Here is Ann's train."


@pytest.mark.usefixtures("sample")
def test_a_name_that_only_looks_like_a_key_stays_as_it_is() -> None:
    assert say("train.of", name="@ann") == "@ann's train"
    assert say("train.of", name="{x}") == "{x}'s train"


@pytest.mark.usefixtures("sample")
def test_a_missing_key_or_value_is_an_error() -> None:
    with pytest.raises(WordsError, match="no words for 'nonsense' in 'en'"):
        say("nonsense")
    with pytest.raises(WordsError, match="'plain' in 'es' asks for 'what', which was not given"):
        say("plain", "es")
    with pytest.raises(WordsError, match=r"'train\.of' in 'en' asks for 'name'"):
        say("plain", what="@train.of")


def test_a_language_that_is_not_there_is_an_error() -> None:
    with pytest.raises(WordsError, match="no words in 'de': there are en, es"):
        say("list.and", "de")


def test_things_in_a_row_are_listed_as_people_do() -> None:
    assert [listing(parts) for parts in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]
    assert listing(["1", "2"], last="or") == "1 or 2"
    assert listing(["a", "b", "c"], "es") == "a, b y c"


def test_spanish_changes_the_word_before_its_own_sound() -> None:
    assert [listing(["Ana", name], "es") for name in ("Inés", "Hilda", "Hielo", "Yara")] == [
        "Ana e Inés",
        "Ana e Hilda",
        "Ana y Hielo",
        "Ana y Yara",
    ]
    assert [listing(["7", number], "es", last="or") for number in ("8", "11", "12", "1")] == [
        "7 u 8",
        "7 u 11",
        "7 o 12",
        "7 o 1",
    ]
    assert listing(["Ann", "Ida"]) == "Ann and Ida"


def test_money_is_written_as_its_readers_write_it() -> None:
    assert [money(cents) for cents in (0, 5, 125, -5, -1200)] == ["$0.00", "$0.05", "$1.25", "-$0.05", "-$12.00"]
    assert [money(cents, "es") for cents in (5, -125)] == ["0,05 $", "-1,25 $"]
