"""How bots are named: by an id, by a class in a module, by a class in a file; and what is said when there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import stationmaster as sm
from stationmaster.bots.naming import about, name_of, named_bot

BOT = """
import stationmaster as sm


class Mine(sm.Bot):
    id = "mine"

    def consider(self, observation, limit, rng):
        return sm.Advice(observation.legal_moves[0])


class Nameless(Mine):
    id = ""


class Needy(Mine):
    def __init__(self, strength):
        self.strength = strength


class Unready(sm.Bot):
    id = "unready"


ready = Needy(5)
tune = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, from which nothing stays imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    return tmp_path


def write(folder: Path, name: str, text: str = BOT) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def refused(name: str) -> str:
    with pytest.raises(sm.StationmasterError) as error:
        named_bot(name)
    return str(error.value)


def test_a_bot_has_its_id() -> None:
    assert named_bot("greedy") is sm.bot("greedy")
    said = refused("chess")
    assert said.startswith("no bot is called 'chess': there are random, greedy")
    assert said.endswith("a bot of your own is named by its class, as mybot:Mine or path/to/mybot.py:Mine")
    assert refused("") != said
    assert refused(":Mine")


def test_a_module_is_looked_for_in_the_current_folder(folder: Path) -> None:
    write(folder, "ourbot.py")
    mine = named_bot("ourbot:Mine")
    assert mine.id == "mine"
    assert named_bot("ourbot:Mine") is not mine
    assert named_bot("stationmaster.bots.greedy:GreedyBot").id == "greedy"
    assert named_bot("ourbot:ready").strength == 5  # type: ignore[attr-defined]


def test_a_file_is_named_by_its_path(folder: Path) -> None:
    path = write(folder, "bots here/filebot.py", "from nextto import Mine\n")
    write(folder, "bots here/nextto.py")
    assert named_bot("bots here/filebot.py:Mine").id == "mine"
    assert type(named_bot(f"{path}:Mine")) is type(named_bot("bots here/filebot.py:Mine"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("abot:Nobody", "there is no 'Nobody' in abot; its bots are Mine, Nameless, Needy"),
        ("abot:tune", "abot:tune is not a bot: it has to be a class that derives from stationmaster.Bot"),
        ("abot:Nameless", 'abot:Nameless has no id: write id = "nameless" in the class'),
        ("abot:Needy", "abot:Needy cannot be made without arguments: TypeError: "),
        ("abot:Unready", "abot:Unready cannot be made without arguments: TypeError: Can't instantiate abstract class"),
        ("nobot:Mine", "there is no module 'nobot', neither in "),
        ("no.bot:Mine", "there is no module 'no', neither in "),
        ("nobot.py:Mine", "there is no file nobot.py"),
        ("random.py:Mine", "{folder}/random.py: Python has a module 'random' of its own; give the file another name"),
        ("empty:Mine", "there is no 'Mine' in empty; nor is any other bot in it"),
        ("broken:Mine", "broken cannot be imported: ZeroDivisionError: division by zero (broken.py, line 2)"),
        ("wrong:Mine", "wrong cannot be imported: SyntaxError: "),
        ("leaving:Mine", "leaving cannot be imported: SystemExit: 3 (leaving.py, line 1)"),
        (
            "needing:Mine",
            "needing cannot be imported: ModuleNotFoundError: No module named 'whatever' (needing.py, ",
        ),
    ],
)
def test_what_is_wrong_is_said(folder: Path, name: str, said: str) -> None:
    write(folder, "abot.py")
    write(folder, "random.py")
    write(folder, "empty.py", "")
    write(folder, "broken.py", "\n1 / 0\n")
    write(folder, "wrong.py", "def\n")
    write(folder, "leaving.py", "raise SystemExit(3)\n")
    write(folder, "needing.py", "import whatever\n")
    assert refused(name).startswith(said.format(folder=folder.resolve()))


def test_two_files_of_one_name_are_not_mixed_up(folder: Path) -> None:
    write(folder, "old/twin.py")
    write(folder, "new/twin.py")
    named_bot("old/twin.py:Mine")
    assert "a module 'twin' is there already" in refused("new/twin.py:Mine")


def test_a_class_is_found_again_by_its_name(folder: Path) -> None:
    write(folder, "namedbot.py")
    name = name_of(type(named_bot("namedbot:Mine")))
    assert name == f"{folder.resolve()}/namedbot.py:Mine"
    assert name_of(type(sm.bot("random"))) == "stationmaster.bots.random:RandomBot"
    code = f"from stationmaster.bots.naming import named_bot; print(named_bot({name!r}).id)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "mine\n"

    class Inner(type(sm.bot("random"))):  # type: ignore[misc]
        pass

    with pytest.raises(sm.StationmasterError, match="it has to stand at the top of its module"):
        name_of(Inner)


def test_how_a_bot_plays_is_told(folder: Path) -> None:
    write(folder, "toldbot.py")
    assert about(sm.bot("greedy"), ["Ben", "Cleo"]) == "Ben and Cleo always play the tile that counts the most."
    assert about(named_bot("toldbot:Mine"), ["Ben"]) == "Ben plays as the bot mine does."
    assert about(named_bot("toldbot:Mine"), ["Ben", "Cleo"], "es") == "Ben y Cleo juegan como el bot mine."
