"""How a bot is named, wherever one can be: by its id, by its class in a module, or by its class in a file.

``greedy`` is one of the bots that are here, ``mybot:Mine`` the class ``Mine`` of the module ``mybot``, and
``bots/mybot.py:Mine`` the same by its file. Modules are looked for in the current folder first, as with
``python -m``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import getfile, isabstract
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stationmaster.bots import bot, bots
from stationmaster.bots.bot import Bot
from stationmaster.errors import StationmasterError
from stationmaster.words import DEFAULT, listing, say

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


def named_bot(name: str) -> Bot:
    """The bot with this name: an id, ``module:Class`` or ``path/to/file.py:Class``."""
    if name in bots():
        return bot(name)
    where, colon, called = name.rpartition(":")
    if not colon or not where or not called:
        raise StationmasterError(
            f"no bot is called {name!r}: there are {', '.join(bots())}; "
            "a bot of your own is named by its class, as mybot:Mine or path/to/mybot.py:Mine"
        )
    module = _from_file(Path(where)) if where.endswith(".py") else _module(where)
    return _made(getattr(module, called, None), name, module, called)


def name_of(kind: type[Bot]) -> str:
    """The name by which another process finds this class."""
    called = kind.__qualname__
    if "<locals>" in called:
        raise StationmasterError(f"{called} cannot be found by its name: it has to stand at the top of its module")
    if kind.__module__ == "__main__" or "." not in kind.__module__:
        return f"{getfile(kind)}:{called}"
    return f"{kind.__module__}:{called}"


def about(bot: Bot, names: Sequence[str], language: str = DEFAULT) -> str:
    """How this bot plays, said of those who play so: "Ben and Cleo play by chance: …"."""
    called = {"names": listing(list(names), language), "count": len(names)}
    if is_ours(bot):
        return say(f"bot.about.{bot.id}", language, **called)
    return say("bot.about-other", language, id=bot.id, **called)


def is_ours(bot: Bot) -> bool:
    """Whether this is one of the bots that are here, and not one of somebody's own."""
    return type(bot).__module__.startswith("stationmaster.")


# ---- Finding it ------------------------------------------------------------------------------------


def _module(name: str, folder: Path | None = None) -> ModuleType:
    """The module with this name, looked for in this folder first."""
    first = str(folder or Path.cwd())
    if first not in sys.path:
        sys.path.insert(0, first)
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:  # somebody's own code may raise anything
        if isinstance(error, ModuleNotFoundError) and error.name and f"{name}.".startswith(f"{error.name}."):
            raise StationmasterError(
                f"there is no module {error.name!r}, neither in {first} nor where Python looks for modules"
            ) from None
        raise StationmasterError(f"{name} cannot be imported: {what_was_raised(error)}") from error


def _from_file(path: Path) -> ModuleType:
    """The module in a file, by its own name, so that other processes find it by the same."""
    if not path.is_file():
        raise StationmasterError(f"there is no file {path}")
    name, path = path.stem, path.resolve()
    if name in sys.stdlib_module_names:
        raise StationmasterError(f"{path}: Python has a module {name!r} of its own; give the file another name")
    module = _module(name, path.parent)
    if module.__file__ is None or Path(module.__file__).resolve() != path:
        found = module.__file__ or "a folder of that name"
        raise StationmasterError(f"{path}: a module {name!r} is there already ({found}); give the file another name")
    return module


def _made(found: Any, name: str, module: ModuleType, called: str) -> Bot:
    """The bot, made from its class; a bot that is ready in the module will do as well."""
    if found is None:
        classes = [
            one
            for one, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, Bot) and not isabstract(value)
        ]
        there = f"its bots are {', '.join(classes)}" if classes else "nor is any other bot in it"
        raise StationmasterError(f"there is no {called!r} in {module.__name__}; {there}")
    if isinstance(found, type) and issubclass(found, Bot):
        try:
            made = found()
        except (Exception, SystemExit) as error:
            raise StationmasterError(f"{name} cannot be made without arguments: {what_was_raised(error)}") from error
    elif isinstance(found, Bot):
        made = found
    else:
        raise StationmasterError(f"{name} is not a bot: it has to be a class that derives from stationmaster.Bot")
    id = getattr(made, "id", None)
    if not isinstance(id, str) or not id:
        raise StationmasterError(f'{name} has no id: write id = "{called.lower()}" in the class')
    return made


def what_was_raised(error: BaseException) -> str:
    """What was raised, and in which line of which file."""
    line = error.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    where = ""
    if line is not None:
        file = Path(line.tb_frame.f_code.co_filename)
        where = f" ({file.name}, line {line.tb_lineno})" if file.suffix == ".py" else ""
    return f"{type(error).__name__}: {error}{where}"
