"""The public surface: what other programs may count on is listed, importable and typed."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import metadata, resources

import stationmaster as sm
import stationmaster.engine

# A name that goes is a break for others: the changelog says so, and the version.
PUBLIC = {
    "Advice",
    "Bot",
    "Deal",
    "DealError",
    "Event",
    "Extra",
    "IllegalMoveError",
    "Limit",
    "LineUp",
    "Match",
    "Move",
    "NotationError",
    "Observation",
    "Outcome",
    "Position",
    "Reason",
    "Record",
    "RecordError",
    "Round",
    "Rulebook",
    "RulebookError",
    "StationmasterError",
    "Tile",
    "Train",
    "WordsError",
    "bot",
    "bots",
    "engine",
    "line_up",
    "load_house_rules",
    "longest_train",
    "rulebook",
    "rulebooks",
    "save_house_rules",
}


def test_the_list_is_sorted_and_holds_what_it_promised() -> None:
    assert list(sm.__all__) == sorted(sm.__all__)
    assert set(sm.__all__) >= PUBLIC


def test_every_name_is_there_and_says_what_it_is() -> None:
    for name in sm.__all__:
        assert inspect.getdoc(getattr(sm, name)), name


def test_nothing_else_is_public() -> None:
    names = {name for name in vars(sm) if not name.startswith("_") and not inspect.ismodule(getattr(sm, name))}
    assert names <= set(sm.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert resources.files("stationmaster").joinpath("py.typed").is_file()


def test_public_methods_are_annotated() -> None:
    for name in sm.__all__:
        thing = inspect.unwrap(getattr(sm, name))
        for member in [thing] if inspect.isfunction(thing) else vars(thing).values():
            if not inspect.isfunction(member) or member.__name__.startswith("_"):
                continue
            assert "return" in member.__annotations__, f"{name}: {member.__qualname__}"


def test_it_says_whether_the_core_is_compiled() -> None:
    assert isinstance(stationmaster.engine.compiled, bool)


def test_errors_are_one_tree() -> None:
    for name in sm.__all__:
        thing = getattr(sm, name)
        if name.endswith("Error"):
            assert issubclass(thing, sm.StationmasterError)
            assert issubclass(thing, ValueError)


def test_the_version_is_the_packages() -> None:
    try:
        installed = metadata.version("stationmaster")
    except metadata.PackageNotFoundError:
        return  # run from the source tree
    assert sm.__version__ == installed


def test_an_import_brings_in_little() -> None:
    """No compiler, no test tools, no web: a start takes some hundredths of a second."""
    program = "import sys, stationmaster; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    path = str(resources.files("stationmaster").joinpath("..").resolve())  # type: ignore[attr-defined]
    out = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}); {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    brought = set(out.stdout.split())
    assert {"stationmaster", "msgspec"} <= brought
    assert not brought & {"pytest", "hypothesis", "setuptools", "asyncio", "argparse", "unittest"}
