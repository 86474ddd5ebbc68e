"""The command as a whole: help, version, languages, and what it says to a person's mistakes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import stationmaster as sm
from cli.commands import Ran, command, environment
from stationmaster.cli import COMMANDS, main

Run = Callable[..., Ran]
SUBCOMMANDS = [
    *([name] for name in COMMANDS),
    *(["rules", action] for action in ("show", "compare", "clauses", "house")),
    *(["bench", what] for what in ("playouts", "api", "copy", "sample", "train", "start")),
]


@pytest.mark.parametrize("words", [[], *SUBCOMMANDS], ids=" ".join)
def test_every_command_has_help(run: Run, words: list[str]) -> None:
    code, out, err = run(*words, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(" ".join(["usage: stationmaster", *words]))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_examples(run: Run, name: str) -> None:
    assert f"stationmaster {name}" in run(name, "--help").out.split("examples:")[1]


def test_help_lists_the_commands(run: Run) -> None:
    out = run("--help").out
    assert all(f"    {name} " in out for name in COMMANDS)


@pytest.mark.parametrize(("language", "how"), [("en", "core"), ("es", "núcleo")])
def test_the_version_says_whether_it_is_compiled(
    run: Run, monkeypatch: pytest.MonkeyPatch, language: str, how: str
) -> None:
    monkeypatch.setenv("STATIONMASTER_LANGUAGE", language)
    out = run("--version").out
    assert sm.__version__ in out
    assert how in out
    monkeypatch.setattr(sm.engine, "compiled", not sm.engine.compiled)
    assert run("--version").out != out


WRONG = [
    ([], "the following arguments are required: COMMAND"),
    (["plya"], "invalid choice: 'plya'"),
    (["rules", "sohw"], "invalid choice: 'sohw'"),
    (["rules", "show"], "the following arguments are required"),
    (["rules", "show", "tacti"], "did you mean 'tactic'? House rules are given as a file"),
    (["rules", "show", "none.toml"], "none.toml: No such file or directory"),
    (["rules", "compare", "tactic", "nobody"], "no rulebook is called 'nobody'"),
    (["rules", "clauses", "nobody"], "no rulebook is called 'nobody'"),
    (["rules", "house", "tactic", "rounds"], "'rounds' changes nothing"),
    (["rules", "house", "tactic", "ronds=5"], "did you mean 'rounds'?"),
    (["rules", "house", "tactic", "rounds=50"], "rounds = 50: there are 13 engines"),
    (["rules", "house", "tactic", "rounds=13"], "nothing is changed"),
    (["rules", "house", "tactic", "rounds=5", "rounds=6"], "rounds is given twice"),
    (["rules", "house", "tactic", "rounds=5", "--save", "folder"], "folder: a file with this name is there already"),
    (["settle"], "the following arguments are required: FILE"),
    (["settle", "none.toml"], "none.toml: No such file or directory"),
    (["settle", "noise"], "noise is not a text file (UTF-8), so it is not a TOML file"),
    (["replay", "none.json"], "none.json: No such file or directory"),
    (["replay", "noise"], "noise: this is not"),
    (["text", "none.json"], "none.json: No such file or directory"),
    (["text", "folder"], "folder: Is a directory"),
    (["text", "noise"], "noise: this is not"),
    (["check"], "the following arguments are required: FILE"),
    (["bench"], "the following arguments are required: WHAT"),
    (["bench", "playouts", "--rounds", "0"], "0 is not above 0"),
    (["bench", "playouts", "--players", "9"], "players = 9"),
    (["bench", "api", "--rulebook", "nobody"], "no rulebook is called 'nobody'"),
    (["play", "--players", "many"], "invalid int value: 'many'"),
    (["play", "--players", "9"], "players = 9: Tactic deals for 2, 3, 4, 5, 6, 7, 8; a house rule can add a hand size"),
    (["play", "--players", "15"], "players = 15: Tactic deals for 2, 3, 4, 5, 6, 7, 8\n"),
    (["play", "--rulebook", "nobody"], "no rulebook is called 'nobody'"),
    (["play", "--rounds", "14"], "rounds = 14: there are 13 engines"),
    (["play", "--rounds", "0"], "rounds = 0"),
    (["play", "--name", ""], "seat 0 is called ''"),
    (["play", "--name", "A\nB"], "seat 0 is called"),
    (["play", "--resume"], "there is no match to go on with"),
    (["play", "--resume", "none.json"], "none.json: No such file or directory"),
    (["play", "--resume", "noise"], "noise: this is not"),
    (["play", "--resume", "--players", "3"], "--players is for a new one"),
    (["play", "--save", "noise"], "So it is not overwritten"),
    (["play", "--save", "none/match.json"], "none/match.json: there is no folder none; make it"),
    (["rules", "--language", "de"], "invalid choice: 'de'"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=lambda value: " ".join(value) if value is not str else "")
def test_a_mistake_gets_a_message_and_no_traceback(run: Run, home: Path, words: list[str], message: str) -> None:
    (home / "noise").write_bytes(b"\xff noise")
    (home / "folder").mkdir()
    code, _, err = run(*words)
    assert code == 2
    assert err.startswith("stationmaster: ")
    assert message in err
    assert "Traceback" not in err
    assert (home / "noise").read_bytes() == b"\xff noise"


def test_a_mistake_in_a_process_of_its_own() -> None:
    done = subprocess.run(command("rules", "show", "nobody"), capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("stationmaster: no rulebook is called 'nobody'")


@pytest.mark.parametrize(
    ("words", "code"), [(["rules"], 141), (["rules", "clauses", "pressman"], 141), (["--help"], 0)]
)
def test_output_that_nobody_reads_on_is_no_mistake(words: list[str], code: int) -> None:
    with subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == code


def test_output_that_cannot_be_written_is_said() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command("rules"), stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "stationmaster: No space left on device\n"


def test_a_terminal_without_the_letters_is_no_mistake() -> None:
    done = subprocess.run(
        command("rules", "show", "tactic", "--language", "es"),
        capture_output=True,
        env=environment(PYTHONIOENCODING="ascii"),
    )
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"?" in done.stdout


def test_bytes_that_are_no_letters_may_be_typed() -> None:
    done = subprocess.run(command("play", "--plain"), input=b"\xff\xfe\n\x00\nquit\n", capture_output=True)
    assert done.returncode == 0
    assert done.stderr == b""


def test_no_input_at_all_means_to_leave() -> None:
    shell = ["sh", "-c", '"$@" <&-', "sh", *command("play", "--plain")]
    done = subprocess.run(shell, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "The match is saved in" in done.stdout


# ---- Languages ----


@pytest.mark.parametrize("words", [["--language", "es", "rules"], ["rules", "--language", "es"]])
def test_the_language_may_be_asked_for_before_and_after_the_command(run: Run, words: list[str]) -> None:
    assert "fichas" in run(*words).out


@pytest.mark.parametrize(
    ("environment", "word"),
    [
        ({"STATIONMASTER_LANGUAGE": "es"}, "fichas"),
        ({"STATIONMASTER_LANGUAGE": "en", "LANG": "es_ES.UTF-8"}, "tiles"),
        ({"LANG": "es_MX.UTF-8"}, "fichas"),
        ({"LC_ALL": "es_ES.UTF-8", "LANG": "en_GB.UTF-8"}, "fichas"),
        ({"LANG": "de_DE.UTF-8"}, "tiles"),
        ({"LANG": "C"}, "tiles"),
        ({}, "tiles"),
    ],
    ids=str,
)
def test_the_language_of_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], word: str
) -> None:
    for name in ("STATIONMASTER_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert word in run("rules").out


def test_a_language_that_is_not_there_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATIONMASTER_LANGUAGE", "de")
    assert run("rules") == (2, "", "stationmaster: STATIONMASTER_LANGUAGE=de: there are en, es\n")


# ---- The edge ----


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (OSError(5, "I/O error", "disk"), 2)])
def test_what_happens_at_the_edge(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    def fail(options: object) -> int:
        raise error

    monkeypatch.setattr("stationmaster.cli.rules.run", fail)
    assert main(["rules"]) == code
    assert "Traceback" not in capsys.readouterr().err
