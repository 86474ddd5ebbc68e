"""``check``, ``text`` and ``replay``: records of matches."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
import stationmaster.match.fair as sm_fair
from cli.commands import Ran, command, record_text
from stationmaster.cli.replay import Replay
from stationmaster.match.text import format_match

Run = Callable[..., Ran]


# ---- check ----


def test_a_whole_record_is_fine(run: Run, record: Path) -> None:
    code, out, _ = run("check", record)
    assert code == 0
    assert re.fullmatch(
        rf"{record}: fine\. Tactic, house rules, Ann and Ben, 2 rounds; won by \w+\. The deals come from the seed\.\n",
        out,
    )


def test_an_unfinished_record_is_fine_so_far(run: Run, home: Path) -> None:
    (home / "half.json").write_text(record_text(moves=5))
    code, out, _ = run("check", "half.json")
    assert code == 0
    assert out == (
        "half.json: fine so far. Tactic, house rules, Ann and Ben, 0 of 2 rounds ended. The deals come from the seed.\n"
    )


def broken(text: str) -> str:
    """The same record, with a total that does not add up."""
    return re.sub(r'"totals": \[\d+', '"totals": [7777', text)


def test_one_broken_record_among_others(run: Run, record: Path, home: Path) -> None:
    (home / "broken.json").write_text(broken(record.read_text()))
    code, out, err = run("check", record, "broken.json", record)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("broken.json: broken. totals is [7777")
    assert ": fine." in lines[0]
    assert ": fine." in lines[2]


def test_round_and_move_of_what_is_wrong_are_named(run: Run, record: Path, home: Path) -> None:
    text = record.read_text()
    second = sm.Record.loads(text).rounds[0].moves[1]
    (home / "broken.json").write_text(text.replace(f'"{second}"', '"1 0-0@5"', 1))
    found = json.loads(run("check", "broken.json", "--json").out)[0]
    assert (found["fine"], found["round"], found["move"]) == (False, 1, 2)
    assert found["problem"].startswith("round 1, move 2: 1 0-0@5 is not legal")


def test_deals_that_do_not_come_from_the_seed_are_told(run: Run, record: Path, home: Path) -> None:
    (home / "other.json").write_text(record.read_text().replace('"seed": 1,', '"seed": 2,'))
    code, out, _ = run("check", "other.json")
    assert code == 0
    assert out.endswith(". The deals of rounds 1 and 2 do not come from the seed it names.\n")
    found = json.loads(run("check", "other.json", record, "--json").out)
    assert [one["not_from_seed"] for one in found] == [[1, 2], []]
    assert [one["fine"] for one in found] == [True, True]
    for seed in (str(10**30), '"\\ud83d"'):  # seeds of which nothing can come, or that cannot be read
        (home / "other.json").write_text(record.read_text().replace('"seed": 1,', f'"seed": {seed},'))
        assert run("check", "other.json").err == ""


def test_fair_deals_are_checked_against_their_commitments(run: Run, home: Path) -> None:
    fair = [sm_fair.Fair.of(bytes([number]), ["a", "b"]) for number in range(2)]
    match = sm.Match(sm.rulebook("pressman"), ["Ann", "Ben"], deals=fair)
    match.record().save(home / "fair.json")
    assert run("check", "fair.json").out.endswith(" One deal checked against its commitment.\n")
    assert json.loads(run("check", "fair.json", "--json").out)[0]["fair_deals"] == 1
    text = (home / "fair.json").read_text()
    (home / "fair.json").write_text(text.replace('"secret":"00"', '"secret":"01"'))
    code, out, _ = run("check", "fair.json")
    assert code == 1
    assert "the secret is not the one that was promised" in out


# ---- deal ----


def test_the_deals_of_a_record_can_be_dealt_again(run: Run, record: Path) -> None:
    match = sm.Record.load(record)
    for number, played in enumerate(match.rounds, 1):
        args = ("--rulebook", "tactic", "--players", 2, "--round", number, "--seed", match.seed)
        dealt = json.loads(run("deal", *args, "--json").out)
        assert (dealt["engine"], dealt["starter"]) == (played.engine, played.starter)
        assert dealt["hands"] == [list(hand) for hand in played.hands]
        assert dealt["bone_pile"] == list(played.bone_pile)
        out = " ".join(run("deal", *args).out.split())
        assert f"Tactic, 2 players, round {number}. The engine is the {played.engine}, and Player" in out
        assert f"Player 1 (seat 0): {' '.join(played.hands[0])} Player 2 (seat 1): " in out
        assert f"Bone pile: {' '.join(played.bone_pile)}" in out


def test_a_fair_deal_follows_from_its_secret_and_texts(run: Run) -> None:
    args = ("deal", "--rulebook", "pressman", "--players", 2, "--secret", "736563726574", "--text", "a", "--text", "b")
    deal = sm_fair.Fair.of(b"secret", ["a", "b"]).deal(sm.rulebook("pressman"), 2, 1)
    dealt = json.loads(run(*args, "--json").out)
    assert dealt["commitment"] == sm_fair.commitment(b"secret")
    assert dealt["hands"] == [[str(tile) for tile in hand] for hand in deal.hands]
    assert f"The commitment to this secret is {sm_fair.commitment(b'secret')}." in run(*args).out
    assert json.loads(run("deal", "--players", 2, "--secret", "00", "--starter", 1, "--json").out)["starter"] == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--seed", "1"], "the following arguments are required: --players"),
        (["--players", "2"], "one of the arguments --seed --secret is required"),
        (["--players", "9", "--seed", "1"], "players = 9: Tactic deals for"),
        (["--players", "2", "--seed", "1", "--text", "a"], "texts go with a --secret"),
        (["--players", "2", "--secret", "xy"], "'xy' is not written in hex"),
        (["--players", "2", "--seed", "1", "--round", "14"], "--round 14: a match of Tactic has 13 rounds"),
        (["--players", "2", "--seed", "1", "--round", "0"], "there is no round 0"),
        (["--players", "2", "--seed", "1", "--starter", "2"], "starter 2: seats count from 0 to 1"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(run: Run, args: list[str], message: str) -> None:
    code, out, err = run("deal", *args)
    assert (code, out) == (2, "")
    assert message in err


def test_a_file_that_cannot_be_read(run: Run, record: Path) -> None:
    code, out, _ = run("check", "none.json", record)
    assert code == 2
    assert out.startswith("none.json: cannot be read. No such file or directory\n")
    assert ": fine." in out


def test_findings_as_json(run: Run, record: Path) -> None:
    code, out, _ = run("check", record, "none.json", "--json")
    fine, missing = json.loads(out)
    assert code == 2
    assert fine["fine"]
    assert fine["over"]
    assert fine["winners"] == list(sm.Record.load(record).replay().winners or ())
    assert not missing["fine"]


# ---- text ----


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_record_as_text(run: Run, record: Path, language: str) -> None:
    out = run("text", record, "--language", language).out
    assert out == format_match(sm.Record.load(record), language)


@pytest.mark.parametrize("how", ["text", "replay"])
def test_a_broken_record_is_told_as_far_as_it_holds(run: Run, record: Path, how: str) -> None:
    whole = run(how, record).out
    text = record.read_text()
    record.write_text(broken(text))
    code, out, err = run(how, record)
    assert (code, out) == (1, whole)
    assert err.startswith(f"stationmaster: {record}: totals is [7777")
    fourth = sm.Record.loads(text).rounds[0].moves[3]
    record.write_text(text.replace(f'"{fourth}"', '"1 0-0@5"', 1))
    code, out, err = run(how, record)
    assert code == 1
    assert "still being played" in out
    assert whole.startswith(out[: out.index("Score sheet" if how == "text" else "Round  Engine")][:200])
    assert err.startswith(f"stationmaster: {record}: round 1, move 4: 1 0-0@5 is not legal")
    record.write_text(re.sub(r'"engine": "12-12"', '"engine": "11-11"', text, count=1))
    code, out, err = run(how, record)
    assert (code, out) == (2, "")
    assert "round 1: the engine is 11-11" in err


def test_hands_and_bone_pile_are_wrapped(run: Run, record: Path) -> None:
    lines = run("text", record).out.splitlines()
    hands = lines.index("Hands:")
    pile = next(place for place, line in enumerate(lines) if line.startswith("Bone pile: "))
    turns = lines.index("Turns:")
    assert all(len(line) <= 78 for line in lines[hands:turns])
    assert all(line.startswith("  ") for line in lines[pile + 1 : turns])
    assert turns > pile + 2


# ---- replay ----


def test_without_a_terminal_everything_is_printed(run: Run, record: Path) -> None:
    code, out, err = run("replay", record)
    assert (code, err) == (0, "")
    match = sm.Record.load(record).replay()
    for round in match.rounds:
        assert f"The engine is {round.deal.engine}." in out
        for number, (seat, _) in enumerate(round.moves, 1):
            assert f"\n{number}. {match.names[seat]} " in out
    assert out.count("The round is") == 2
    assert out.rstrip().endswith("points.")


def test_an_unfinished_match_is_printed_as_far_as_it_goes(run: Run, home: Path) -> None:
    (home / "half.json").write_text(record_text(moves=5))
    out = run("replay", "half.json").out
    assert "\n5. " in out
    assert "\n6. " not in out
    assert "still being played" in out


@pytest.fixture
def replay(record: Path) -> Replay:
    return Replay(sm.Record.load(record).replay(), "en")


def stands(replay: Replay) -> tuple[int, int]:
    """The round, from 1, and the move where a replay stands; the round on the table agrees with it."""
    moves = replay.match.rounds[replay.place.round].moves
    assert replay.round.moves == moves[: replay.place.move]
    return replay.place.round + 1, replay.place.move


def test_stepping_through(replay: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    last = replay.last_move()
    for answer, place in [
        ("", (1, 1)),
        ("", (1, 2)),
        ("b", (1, 1)),
        ("b", (1, 0)),
        ("b", (1, 0)),
        ("7", (1, 7)),
        ("3", (1, 3)),
        ("999", (1, 3)),
        ("9" * 5000, (1, 3)),
        ("r", (2, 0)),
        ("r", (2, 0)),
        ("r 3", (2, 0)),
        ("b", (1, last)),
        ("", (2, 0)),
        ("r 1", (1, 0)),
        ("r one", (1, 0)),
        ("what", (1, 0)),
        ("t", (1, 0)),
    ]:
        replay.answer(answer)
        assert stands(replay) == place, answer
    out = capsys.readouterr().out
    assert f"The moves of this round are 0 to {last}." in out
    assert "The rounds of this record are 1 to 2." in out
    assert "This is the beginning of the match." in out
    assert out.count("Enter: the next move.") == 3


def test_a_step_says_what_changed_and_t_the_whole_table(replay: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    names = replay.match.names
    replay.answer("")
    out = capsys.readouterr().out
    turn = replay.round.turn
    assert turn is not None
    assert f"It is {names[turn]}'s turn. {names[turn]} holds " in out
    assert "The Mexican Train: " not in out
    replay.answer("t")
    assert "The Mexican Train: " in capsys.readouterr().out
    replay.answer("b")
    assert "Move 1 is taken back." in capsys.readouterr().out


def test_the_rounds_of_the_match_are_counted_not_those_of_the_record(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return "q"

    monkeypatch.setattr("builtins.input", ask)
    Replay(sm.Match(sm.rulebook("tactic"), ["Ann", "Ben"], seed=1), "en").step_through()
    assert asked == ["Round 1 of 13, move 0 of 0: "]
    assert "Round 1 of 13. The engine is 12-12." in capsys.readouterr().out


def test_at_the_end_there_is_no_next_move(replay: Replay, capsys: pytest.CaptureFixture[str]) -> None:
    replay.answer("r 2")
    replay.answer(str(replay.last_move() - 1))
    replay.answer("")
    assert "The round is" in capsys.readouterr().out
    replay.answer("")
    assert capsys.readouterr().out == "This is the end of the match.\n"


def test_stepping_in_a_terminal(record: Path) -> None:
    ours, theirs = os.openpty()
    process = subprocess.Popen(command("replay", record), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(theirs)
    try:
        os.write(ours, b"\n\nb\nq\n")
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        os.close(ours)
    assert process.returncode == 0
    assert err == b""
    assert [line.split(b":")[0] for line in out.splitlines() if b"move 1 of" in line or b"move 2 of" in line]
