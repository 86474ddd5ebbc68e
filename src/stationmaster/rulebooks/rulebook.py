"""A rulebook: everything in which the printed sheets differ, as named parameters.

The referee reads parameters and never a rulebook's name, so a house rule is nothing but a rulebook
with parameters changed. Each parameter names the clause it rests on (see ``clauses.py``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.errors import RulebookError
from stationmaster.rulebooks.parameters import (
    MOST_SEATS,
    MOST_TILES,
    PARAMETERS,
    Parameters,
    checked,
    plainly,
    unknown_parameter,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "HOUSE",
    "MOST_SEATS",
    "PARAMETERS",
    "REVISION",
    "RULEBOOKS",
    "Parameters",
    "Rulebook",
    "load_house_rules",
    "rulebook",
    "rulebook_for_record",
    "rulebook_from_record",
    "rulebooks",
    "save_house_rules",
    "unknown_parameter",
]

REVISION = 1  # of the engine's rules; a correction of a rule raises it, and records keep the one they were played under
HOUSE_SUFFIX = ", house rules"  # of a name that nobody chose
HOUSE = "house"  # the clause of a parameter that a house rule changed


class Rulebook(Parameters, frozen=True, kw_only=True):
    """The rules that one table plays by: ``stationmaster.rulebook("tactic")``."""

    id: str
    name: str
    revision: int = REVISION
    based_on: str | None = None  # the printed rulebook, when this is a house rule
    clauses: dict[str, str] = msgspec.field(default_factory=dict)  # parameter or rule point -> clause id

    def __post_init__(self) -> None:
        _check_identity(self)
        _check(self)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that can sit down, in order."""
        return tuple(sorted(self.deal))

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines of the rounds, in order, as tiles in notation (the highest first)."""
        last = self.last_engine
        lowest = 0 if last == "W-W" else int(last.split("-")[0])
        numbers = tuple(f"{n}-{n}" for n in range(self.highest, lowest - 1, -1))
        return (*numbers, "W-W") if last == "W-W" else numbers

    @property
    def tile_count(self) -> int:
        """How many tiles the whole set has."""
        return (self.highest + 1) * (self.highest + 2) // 2 + self.wild_tile_count

    @property
    def wild_tile_count(self) -> int:
        """How many of them are wild: one with each number, W-W, and seven with letters."""
        return self.highest + 1 + 8 if self.wild_tiles else 0

    @property
    def uses_money(self) -> bool:
        """Whether anybody pays anything."""
        return bool(self.ante or self.pass_fee)

    def clause(self, point: str) -> str:
        """The clause that a parameter or a rule point rests on."""
        return self.clauses.get(point) or self.clauses.get("otherwise", HOUSE)

    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value, in the order of the sheet."""
        return {name: getattr(self, name) for name in PARAMETERS}

    def with_changes(self, *, id: str | None = None, name: str | None = None, **changes: Any) -> Rulebook:
        """The same rulebook with some parameters changed: a house rule.

        >>> rulebook("tactic").with_changes(rounds=5, open_hands=True).rounds
        5
        """
        for field, value in changes.items():
            if field not in PARAMETERS:
                raise RulebookError(unknown_parameter(field), field=field, value=value)
        values = self.parameters() | changes
        checked(values)
        changed = {field for field in changes if values[field] != getattr(self, field)}
        id = id or (self.id if not changed else f"{self.id.removesuffix('-house')}-house")
        if id in RULEBOOKS and (changed or id != self.id):
            raise RulebookError(
                f"id = {id!r} is a printed rulebook; a house rule has an id of its own", field="id", value=id
            )
        based_on = self.based_on or (self.id if id != self.id and self.id in RULEBOOKS else None)
        return _make(
            values,
            id=id,
            name=name or (self.name if not changed else self.name.removesuffix(HOUSE_SUFFIX) + HOUSE_SUFFIX),
            revision=self.revision,
            based_on=based_on,
            clauses=_house_clauses(based_on, values) if based_on else self.clauses | dict.fromkeys(changed, HOUSE),
        )

    def changes(self) -> dict[str, Any]:
        """What a house rule changes of the printed rulebook it is based on."""
        if self.based_on is None:
            return {}
        printed = rulebook(self.based_on)
        return {name: value for name, value in self.parameters().items() if value != getattr(printed, name)}


def _house_clauses(based_on: str, values: dict[str, Any]) -> dict[str, str]:
    """The clauses of a house rule: the printed ones, except where it decides for itself."""
    printed = rulebook(based_on)
    changed = {field for field in PARAMETERS if values[field] != getattr(printed, field)}
    return printed.clauses | dict.fromkeys(changed, HOUSE)


# ---- Is it one rulebook? ----------------------------------------------------------------------------

_ID = re.compile(r"\w[\w .-]{0,59}")  # matches are kept in files that have the id in their names
_LONGEST_NAME = 120


def _check_identity(book: Rulebook) -> None:
    """Refuse an id or a name that cannot be typed, printed or be part of a file's name."""
    if not _ID.fullmatch(book.id):
        raise RulebookError(
            f"id = {book.id[:80]!r}: an id is made of letters, digits and dashes, 60 at most, as 'sunday-rules'",
            field="id",
            value=book.id,
        )
    if not book.name.strip() or not book.name.isprintable() or len(book.name) > _LONGEST_NAME:
        raise RulebookError(
            f"name = {book.name[:80]!r}: a name is one line of text, not empty, of {_LONGEST_NAME} signs at most",
            field="name",
            value=book.name,
        )


def _check(book: Rulebook) -> None:
    """Refuse what contradicts itself or cannot be dealt."""

    def refuse(field: str, right: str) -> None:
        value = getattr(book, field)
        raise RulebookError(f"{field} = {value!r}: {right}", field=field, value=value)

    if not book.deal:
        refuse("deal", "at least one number of players needs a hand size, as deal = {4 = 15}")
    if book.tile_count > MOST_TILES:
        refuse("highest", f"with the wild tiles that makes {book.tile_count} tiles, and a set has at most {MOST_TILES}")
    _check_engines(book, refuse)
    left = book.tile_count - (book.engine == "descending")
    fitting = {seats: left // seats for seats, size in book.deal.items() if seats * size > left}
    for seats, most in fitting.items():
        size = book.deal[seats]
        others = f"; this would fit: {_toml(fitting)}" if len(fitting) > 1 and all(fitting.values()) else ""
        refuse(
            "deal",
            f"{seats} players with {size} tiles need {seats * size}, and there are {left} to deal; "
            f"at most {most} each{others}",
        )
    if book.wild_points and not book.wild_tiles:
        refuse("wild_points", "no tile of this set has a red train or a letter, so it is 0 unless wild_tiles = true")
    if book.starter == "seat" and book.first_starter >= max(book.deal):
        refuse("first_starter", f"seats count from 0, so with {max(book.deal)} players at most {max(book.deal) - 1}")
    if book.starter != "seat" and book.first_starter != 0:
        refuse("first_starter", f"only starter = 'seat' names a seat, and starter is {book.starter!r}")
    if book.follow_up == "on-double" and book.second_double in ("third-tile", "free"):
        refuse(
            "second_double",
            "a follow-up that has to go on the double cannot be a second double; "
            "choose 'last-tile' or 'never', or follow_up = 'anywhere'",
        )
    if book.first_turn_out == "others-finish" and book.first_turn != "own-string":
        refuse("first_turn_out", "nobody can go out on a first turn of one tile; it needs first_turn = 'own-string'")
    if book.objective == "most-money" and not book.uses_money:
        refuse("objective", "there is no money to win while ante and pass_fee are 0")


def _check_engines(book: Rulebook, refuse: Any) -> None:
    allowed = {f"{n}-{n}" for n in range(book.highest + 1)} | ({"W-W"} if book.wild_tiles else set())
    if book.last_engine not in allowed:
        more = "" if book.wild_tiles or book.last_engine != "W-W" else "; W-W needs wild_tiles = true"
        refuse("last_engine", f"the doubles of this set are 0-0 to {book.highest}-{book.highest}{more}")
    if book.engine == "highest-held":
        if book.starter != "engine-holder":
            refuse("starter", "when the engine is the highest double held, its holder starts: 'engine-holder'")
        if book.last_engine != "0-0":
            refuse("last_engine", "any double can be the highest held, so there is no last one; leave it at '0-0'")
        if book.wild_tiles:
            refuse("engine", "no sheet says whether W-W is the highest double; use 'descending' with wild tiles")
    else:
        if book.starter == "engine-holder":
            refuse("starter", "nobody holds an engine that is taken out of the set; 'random', 'turned-tile' or 'seat'")
        if book.rounds > len(book.engines):
            most = len(book.engines)
            lower = "" if book.last_engine in ("0-0", "W-W") else ", or a lower last_engine"
            refuse(
                "rounds",
                f"there are {most} engines, {book.engines[0]} to {book.last_engine}; "
                f"choose rounds = {most} or fewer{lower}",
            )


def _make(values: dict[str, Any], **identity: Any) -> Rulebook:
    return Rulebook(**msgspec.structs.asdict(checked(dict(values))), **identity)


# ---- The printed rulebooks, and house rules in files -------------------------------------------------

RULEBOOKS = (
    "puremco-9",
    "puremco-12",
    "puremco-15",
    "puremco-18",
    "supertrain",
    "quarter-pot",
    "front-porch",
    "pressman",
    "tactic",
    "tactic-nine",
)


class _Ruled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter in a rulebook's file: what it is, and by which clause."""

    value: Any = msgspec.field(name="is")
    by: str


class _RulebookFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    parameters: dict[str, _Ruled]
    rules: dict[str, str]  # rule points that are the same in every sheet, and where this sheet says so


class _HouseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    based_on: str
    changes: dict[str, Any]
    id: str | None = None
    name: str | None = None


def rulebooks() -> tuple[str, ...]:
    """The ids of the printed rulebooks."""
    return RULEBOOKS


@cache
def rulebook(id: str) -> Rulebook:
    """The printed rulebook with this id."""
    if id not in RULEBOOKS:
        from difflib import get_close_matches

        near = get_close_matches(str(id), RULEBOOKS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(RULEBOOKS)}"
        raise RulebookError(f"no rulebook is called {id!r}: {hint}", field="id", value=id)
    import tomllib  # here and below: importing the package is quick, who reads a file pays for it
    from pathlib import Path

    text = (Path(__file__).parent / f"{id}.toml").read_text("utf-8")
    file = msgspec.convert(tomllib.loads(text), _RulebookFile)
    values = {field: ruled.value for field, ruled in file.parameters.items()}
    clauses = {field: ruled.by for field, ruled in file.parameters.items()} | file.rules
    return _make(values, id=file.id, name=file.name, clauses=clauses)


def load_house_rules(path: str | Path) -> Rulebook:
    """A house rule from a TOML file: ``based_on``, and a table of ``changes``."""
    import tomllib
    from pathlib import Path

    path = Path(path)
    try:
        values = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RulebookError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RulebookError(f"{path} is not a text file (UTF-8), so it is not a TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{path} is not a TOML file: {error}") from None
    for field in values:
        if field in PARAMETERS:
            raise RulebookError(f"{path}: {field} belongs in the table [changes]", field=field, value=values[field])
    try:
        file = msgspec.convert(values, _HouseFile)
    except msgspec.ValidationError as error:
        what = str(error).replace("Object contains", "it has an").replace("Object missing", "it lacks the")
        if what.startswith("Expected"):
            what = f"{what.partition('`$.')[2].rstrip('`') or 'the file'}: {plainly(what)}"
        raise RulebookError(
            f'{path}: {what}; a house rule has based_on = "…", a table [changes], and an id and a name if you like'
        ) from None
    try:
        for field in file.changes:
            if field not in PARAMETERS:
                raise RulebookError(unknown_parameter(field), field=field, value=file.changes[field])
        return rulebook(file.based_on).with_changes(id=file.id, name=file.name, **file.changes)
    except RulebookError as error:
        raise RulebookError(f"{path}: {error}", field=error.field, value=error.value) from None


def save_house_rules(book: Rulebook, path: str | Path) -> None:
    """Write a house rule as a TOML file that ``load_house_rules`` reads back."""
    lines = [f"id = {_toml(book.id)}", f"name = {_toml(book.name)}"]
    lines += [f"based_on = {_toml(book.based_on or book.id)}", "", "[changes]"]
    lines += [f"{field} = {_toml(value)}" for field, value in book.changes().items()]
    from pathlib import Path

    Path(path).write_text("\n".join(lines) + "\n", "utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + " }"
    return str(value) if isinstance(value, int) else msgspec.json.encode(value).decode()


def rulebook_from_record(values: dict[str, Any]) -> Rulebook:
    """The rulebook that a record was played under: id, revision and every parameter."""
    values = dict(values)
    id, revision = values.pop("id", None), values.pop("revision", None)
    if not isinstance(id, str) or not isinstance(revision, int) or isinstance(revision, bool):
        raise RulebookError("a record's rulebook has an id and a revision")
    if not 1 <= revision <= REVISION:
        raise RulebookError(
            f"revision = {revision!r}: this program knows the revisions 1 to {REVISION}",
            field="revision",
            value=revision,
        )
    name, based_on = values.pop("name", id), values.pop("based_on", None)
    if based_on is not None and (based_on not in RULEBOOKS or id in RULEBOOKS):
        raise RulebookError(
            f"based_on = {based_on!r}: a house rule, with an id of its own, is based on {', '.join(RULEBOOKS)}",
            field="based_on",
            value=based_on,
        )
    given = msgspec.structs.asdict(checked(values))
    clauses = _house_clauses(based_on or id, given) if based_on or id in RULEBOOKS else {}
    if id in RULEBOOKS and revision == REVISION:  # an older one may say what has been corrected since
        for field, value in given.items():
            if clauses[field] == HOUSE:
                raise RulebookError(
                    f"{field} = {value!r}: {id} says {getattr(rulebook(id), field)!r}; "
                    "a house rule has an id of its own and based_on",
                    field=field,
                    value=value,
                )
    return _make(given, id=id, name=str(name), revision=revision, based_on=based_on, clauses=clauses)


def rulebook_for_record(book: Rulebook) -> dict[str, Any]:
    """What a record says of its rulebook: enough to play by it again without this program's files."""
    head: dict[str, Any] = {"id": book.id, "revision": book.revision, "name": book.name}
    if book.based_on:
        head["based_on"] = book.based_on
    values = book.parameters()
    values["deal"] = {str(seats): size for seats, size in book.deal.items()}
    return head | values
