"""``verify``: whether a deal was a fair one, in words, and a player's own texts in the record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

import stationmaster as sm
from cli.commands import Ran
from match.test_verify import DOCUMENT, RECORD, drawing, fair, text
from stationmaster.cli import verify
from stationmaster.engine.deal import turned_tiles
from stationmaster.match.fair import Fair
from stationmaster.match.kept import State
from stationmaster.match.verify import Text
from stationmaster.words import catalogue

Run = Callable[..., Ran]
MINE = [text(1, 1), "", text(1, 3)]


@pytest.fixture
def match(home: Path) -> Path:
    """Ann, Ben and Cleo by Front Porch's rules; in the second round Ben showed no text, and Cleo never did."""
    path = home / "match.json"
    path.write_text(DOCUMENT, "utf-8")
    return path


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round on one line."""
    monkeypatch.setenv("COLUMNS", "9999")


def broken(match: Path, old: str, new: str, count: int = 1) -> None:
    whole = match.read_text("utf-8")
    assert old in whole
    match.write_text(whole.replace(old, new, count), "utf-8")


def test_each_round_is_told_in_words(run: Run, match: Path) -> None:
    code, out, err = run("verify", match)
    assert (code, err) == (0, "")
    title, first, second, third, last = out.splitlines()
    assert title == f"{match}: Front Porch Classics, house rules, Ann, Ben and Cleo."
    assert first.startswith(
        "Round 1. The secret of the server fits its commitment. The texts of Ann and Ben fit their hashes. No text "
        "came from Cleo, so it counts as empty; a bot's does too. Engine, hands and bone pile follow from the secret "
        f"and the texts. That {RECORD.players[RECORD.rounds[0].starter]} starts follows from them too: turned were "
    )
    assert first.endswith(f" All {len(RECORD.rounds[0].moves)} moves are legal, and the result is right.")
    assert "The text of Ann fits its hash. Ben had sent a hash and showed no text, so it counts as empty." in second
    assert f"It is {RECORD.players[RECORD.rounds[1].starter]}'s turn to start." in second
    assert third.endswith("All 5 moves are legal.")
    assert last == "Everything in this record holds. It has 3 fair deals among 3 rounds."


@pytest.mark.parametrize(
    ("id", "words"),
    [
        ("pressman", "held the highest double, and starts."),
        ("puremco-12", "starts follows from them too."),
        ("tactic", "starts, as the rules say."),
    ],
)
def test_how_the_start_was_found(run: Run, home: Path, id: str, words: str) -> None:
    sm.Match(sm.rulebook(id), ["Ann", "Ben", "Cleo"], deals=[fair(1)]).record().save(home / "a.json")
    out = run("verify", "a.json").out
    assert words in out
    assert "Nothing has been played in it yet." in out


def test_an_engine_that_was_drawn(run: Run, home: Path) -> None:
    match = sm.Match(sm.rulebook("pressman"), ["Ann"], deals=[drawing()])
    match.record().save(home / "a.json")
    out = run("verify", "a.json").out
    assert f"Nobody held a double; Ann drew {match.round.deal.engine}, and starts." in out
    assert "The text of Ann went in; the record does not have its hash." in out


def test_a_tie_is_told_turn_by_turn(run: Run, home: Path) -> None:
    book, names = sm.rulebook("front-porch"), ["Ann", "Ben", "Cleo"]
    for number in range(1000):
        deal = Fair.of(b"%d" % number, ["a", "b", "c"])
        if len(turned_tiles(book, 3, b"%d" % number, deal.texts)) == 2:
            break
    match = sm.Match(book, names, deals=[deal])
    match.record().save(home / "a.json")
    first, again = turned_tiles(book, 3, deal.secret_bytes(), deal.texts)
    out = run("verify", "a.json").out
    assert f"turned were {first[0][1]} by {names[first[0][0]]}, {first[1][1]} by {names[first[1][0]]} and " in out
    assert f"There was a tie, so turned again were {again[0][1]} by {names[match.round.deal.starter]} and " in out


def test_texts_of_no_seat_and_of_nobody(run: Run, home: Path) -> None:
    for texts, words in [
        (["a"], "1 text went in, and the record does not say from which seat."),
        ([], "No player's text went in, so the server alone made this deal."),
        (["", ""], "No player's text went in, so the server alone made this deal. Engine"),
    ]:
        deal = Fair.of(b"secret", texts)
        sm.Match(sm.rulebook("tactic"), ["Ann", "Ben"], deals=[deal]).record().save(home / "a.json")
        code, out, _ = run("verify", "a.json")
        assert code == 0
        assert words in out
        assert "It has 0 fair deals among 1 round." in out


def test_deals_that_are_not_fair_ones(run: Run, record: Path) -> None:
    out = run("verify", record).out
    assert "Round 1. This is not a fair deal: it follows from the seed 1, and whoever knows" in out
    assert out.endswith("Everything in this record holds. It has 0 fair deals among 2 rounds.\n")
    broken(record, '"seed": 1,', '"seed": 2,')
    assert "Round 2. This is not a fair deal, and it does not come from the seed 2 either." in run("verify", record).out
    broken(record, ' "seed": 2,\n', "")
    assert run("verify", record).out.count("nothing in the record says where it comes from.") == 2


def test_what_does_not_hold_is_named(run: Run, match: Path) -> None:
    broken(match, f'"secret":"{b"secret 2".hex()}"', '"secret":"00"')
    broken(match, RECORD.rounds[2].moves[1], "1 0-0@2")
    code, out, err = run("verify", match)
    assert (code, err) == (1, "")
    _, first, second, third, last = out.splitlines()
    assert "DOES NOT HOLD" not in first
    assert "DOES NOT HOLD: fair: the secret is not the one that was promised" in second
    assert "DOES NOT HOLD: fair: the hand of seat 0 is another; the secret and the texts give" in second
    assert "DOES NOT HOLD: round 3, move 2: 1 0-0@2" in third
    assert last == "3 things in this record do not hold."


def test_moves_after_a_fault_are_not_said_to_be_legal(run: Run, match: Path) -> None:
    broken(match, RECORD.rounds[0].moves[1], "1 0-0@2")
    _, first, second, third, last = run("verify", match).out.splitlines()
    assert "legal." not in first.partition("DOES NOT HOLD")[0]
    assert "cannot be checked" not in first
    for line in (second, third):
        assert line.endswith("Its moves cannot be checked, because something before them does not hold.")
    assert last == "1 thing in this record does not hold."


def test_a_fault_of_the_whole_match(run: Run, match: Path) -> None:
    broken(match, '"totals": null', '"totals": [1, 2, 3]')
    code, out, _ = run("verify", match)
    assert code == 1
    assert "\nDOES NOT HOLD: totals is [1, 2, 3], and the match is not over" in out


def test_what_is_no_record(run: Run, match: Path, home: Path) -> None:
    (home / "noise").write_bytes(b"{")
    assert run("verify", "noise").out == "noise: broken. this is not a JSON document: it breaks off\n"
    code, out, _ = run("verify", "noise", "--json")
    assert code == 1
    assert json.loads(out) == {
        "file": "noise",
        "fine": False,
        "problem": "this is not a JSON document: it breaks off",
    }
    broken(match, '"engine": "12-12"', '"engine": "x"')
    assert run("verify", match).out.startswith(f"{match}: broken. round 1: engine: ")
    code, out, err = run("verify", "none.json")
    assert (code, out) == (2, "")
    assert err == "stationmaster: none.json: No such file or directory\n"


# ---- My texts ----


def test_my_texts_are_there(run: Run, match: Path) -> None:
    code, out, _ = run("verify", match, "--mine", *MINE)
    lines = out.splitlines()
    assert code == 0
    assert lines[1] == "Your texts are looked for at the seat of Ben."
    assert lines[2].endswith("Your text is in it.")
    assert "Your text" not in lines[3]
    assert lines[-1] == "All 2 of your texts are where they belong."


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        ([text(1, 1), text(1, 2), text(1, 3)], "Round 2.*YOUR TEXT IS MISSING: the record has your hash, and not"),
        ([text(1, 1), "", "other"], "Round 3.*YOUR TEXT IS MISSING: the record has another one at your seat"),
        (["nothing", "of", "it"], "None of your texts is in this record"),
    ],
)
def test_a_text_of_mine_is_missing(run: Run, match: Path, mine: list[str], words: str) -> None:
    code, out, _ = run("verify", match, "--mine", *mine)
    assert code == 1
    assert all(word in out for word in words.split(".*"))
    assert "not as you kept" in out.splitlines()[-1]


def test_my_seat_may_be_named(run: Run, match: Path) -> None:
    for seat in ("1", "Ben"):
        assert run("verify", match, "--mine", *MINE, "--seat", seat).code == 0
    assert run("verify", match, "--mine", *MINE, "--seat", "Ann").code == 1
    code, out, err = run("verify", match, "--mine", *MINE, "--seat", "Dan")
    assert (code, out) == (2, "")
    assert "--seat Dan: the seats of this record are 0 (Ann), 1 (Ben), 2 (Cleo)" in err
    assert "give your texts too" in run("verify", match, "--seat", "Ann").err


def test_a_file_of_what_was_kept(run: Run, match: Path, home: Path) -> None:
    told = fair(1)
    kept = [{"text": text(1, 1), "commitment": told.commitment, "hashes": told.hashes}, None, text(1, 3), "four"]
    (home / "kept.json").write_text(json.dumps(kept), "utf-8")
    code, out, _ = run("verify", match, "--mine-file", "kept.json")
    assert code == 0
    assert "The commitment is the one that you were told. So are the hashes those that you were told." in out
    assert "Round 4 is not in the record yet, so your text of it cannot be looked for." in out
    (home / "kept.json").write_text(json.dumps([{"text": text(1, 1), "commitment": "0", "hashes": ["1"]}]), "utf-8")
    code, out, _ = run("verify", match, "--mine-file", "kept.json")
    assert code == 1
    assert "THE COMMITMENT IS ANOTHER ONE than the one that you were told. THE HASHES ARE OTHERS" in out
    (home / "kept.txt").write_text("\n".join(MINE), "utf-8")
    assert run("verify", match, "--mine-file", "kept.txt").code == 0
    (home / "kept.txt").write_text("[1]", "utf-8")
    code, out, err = run("verify", match, "--mine-file", "kept.txt")
    assert (code, out) == (2, "")
    assert err.startswith("stationmaster: kept.txt: Expected `str | object | null`, got `int`")


def test_a_round_that_was_left_out_of_a_match_that_is_over(run: Run, match: Path) -> None:
    broken(match, '"winners": null', '"winners": [0]')
    assert "ROUND 4 IS MISSING from the record" in run("verify", match, "--mine", *MINE, "four").out


def test_a_round_that_is_said_not_to_have_been_fair(run: Run, match: Path) -> None:
    document = json.loads(DOCUMENT)
    del document["rounds"][0]["fair"]
    match.write_text(json.dumps(document), "utf-8")
    code, out, _ = run("verify", match, "--mine", *MINE)
    assert code == 1
    assert "YOU KEPT A TEXT OR A COMMITMENT OF THIS ROUND" in out


# ---- As it is said elsewhere ----


def test_findings_as_json(run: Run, match: Path) -> None:
    code, out, _ = run("verify", match, "--json", "--mine", *MINE)
    found = json.loads(out)
    assert (code, found["fine"], found["fair_deals"]) == (0, True, 3)
    assert found["rounds"][1]["texts"] == ["promised", "withheld", "none"]
    assert found["mine"]["seat"] == 1
    assert [one["state"] for one in found["mine"]["rounds"]] == ["there", "nothing", "there"]
    code, out, _ = run("verify", match, "--json", "--mine", "other")
    assert (code, json.loads(out)["fine"], json.loads(out)["mine"]["seat"]) == (1, False, None)
    assert json.loads(run("verify", match, "--json").out)["mine"] is None


def test_it_is_told_in_spanish_too(run: Run, match: Path) -> None:
    out = run("verify", match, "--mine", *MINE, "--language", "es").out
    assert "Ronda 1. El secreto del servidor corresponde a su compromiso." in out
    assert out.endswith("Tus 2 textos están donde deben.\n")


def test_no_sentence_of_it_is_left_over() -> None:
    source = Path(verify.__file__).read_text("utf-8")
    chosen = {
        *(f"cli.verify.texts-{state}" for state in get_args(Text)),
        *(f"cli.verify.starter-{how}" for how in ("random", "turned", "seat", "held", "drawn", "next")),
        *(f"cli.verify.{key}" for key in ("moves-none", "moves-and-result", "moves")),
        *(f"cli.verify.mine.{state}" for state in ("there", "missing", "other", "promised", "no-fair-deal")),
        *(f"cli.verify.mine.{same}-{what}" for same in ("same", "other") for what in ("commitment", "hashes")),
    }
    keys = {key for key in catalogue("en") if key.startswith("cli.verify.")}
    assert {key for key in keys if f'"{key}"' not in source} - chosen == set()
    assert chosen <= keys
    assert set(get_args(State)) == {"there", "missing", "other", "promised", "no-fair-deal", "not-yet", "nothing"}
