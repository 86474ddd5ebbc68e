"""The record of a match: one JSON document, enough to play everything again without a random number.

``Match.record()`` writes it, ``Record.loads`` reads it, and ``replay`` plays it again and checks
everything that it says. The seed is there for information; the deals themselves are in the record.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import msgspec

from stationmaster.errors import RecordError
from stationmaster.match.fair import Fair
from stationmaster.rulebooks.rulebook import rulebook_for_record

if TYPE_CHECKING:
    from pathlib import Path

    from stationmaster.match.match import Match

FORMAT = "stationmaster/1"
MOVES_A_LINE = 12


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round: the deal as play begins, the moves, and how it ended (None while it runs)."""

    engine: str
    starter: int
    hands: tuple[tuple[str, ...], ...]
    bone_pile: tuple[str, ...]
    moves: tuple[str, ...]  # "0 12-5@0": the seat and its move
    ending: str | None
    points: tuple[int, ...] | None
    cents: tuple[int, ...] | None
    fair: Fair | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match on paper: ``Record.load(path).replay()`` plays it again and refuses what does not hold."""

    format: str
    rulebook: dict[str, Any]
    players: tuple[str, ...]
    seed: int | str | None = None
    rounds: tuple[RoundRecord, ...]
    totals: tuple[int, ...] | None
    winners: tuple[int, ...] | None

    @classmethod
    def of(cls, match: Match) -> Record:
        """What a record says of this match."""
        rounds = []
        for round, fair in zip(match.rounds, match.fair, strict=True):
            outcome = round.outcome()
            rounds.append(
                RoundRecord(
                    engine=str(round.deal.engine),
                    starter=round.deal.starter,
                    hands=tuple(tuple(map(str, hand)) for hand in round.deal.hands),
                    bone_pile=tuple(map(str, round.deal.bone_pile)),
                    moves=tuple(f"{seat} {move}" for seat, move in round.moves),
                    ending=None if outcome is None else outcome.ending,
                    points=None if outcome is None else outcome.points,
                    cents=None if outcome is None else outcome.cents,
                    fair=fair,
                )
            )
        return cls(
            format=FORMAT,
            rulebook=rulebook_for_record(match.book),
            players=match.names,
            seed=match.seed,
            rounds=tuple(rounds),
            totals=match.totals if match.over else None,
            winners=match.winners,
        )

    def replay(self) -> Match:
        """Play everything again and check it; the match as it stands at the end of the record."""
        from stationmaster.match.replay import replay

        return replay(self)

    # ---- Reading -------------------------------------------------------------------------------

    @classmethod
    def loads(cls, text: str | bytes) -> Record:
        """The record that is written so. What it says is checked by ``replay``."""
        try:
            data = text.encode("utf-8") if isinstance(text, str) else text
        except UnicodeEncodeError:
            raise RecordError("this is not a text file (UTF-8)") from None
        try:
            record = msgspec.json.decode(data, type=cls)
        except msgspec.ValidationError as error:
            raise _unknown_format(data) or _misfit(str(error)) from None
        except msgspec.DecodeError as error:
            raise RecordError(f"this is not a JSON document: {_position(str(error), data)}") from None
        except UnicodeDecodeError:
            raise RecordError("this is not a text file (UTF-8)") from None
        except RecursionError:
            raise RecordError("this is not a record: lists are nested too deeply") from None
        if record.format != FORMAT:
            raise unknown_format(record.format)
        return record

    @classmethod
    def load(cls, path: str | Path) -> Record:
        """The record in a file."""
        from pathlib import Path

        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror or error}") from None
        return cls.loads(data)

    # ---- Writing -------------------------------------------------------------------------------

    def dumps(self) -> str:
        """The record as JSON, a line for each hand and for each dozen moves; the same record, the same text."""
        head = [
            _pair("format", self.format),
            _block("rulebook", "{}", [_pair(*item) for item in self.rulebook.items()]),
        ]
        head.append(_pair("players", self.players))
        if self.seed is not None:
            head.append(_pair("seed", self.seed))
        head.append(_block("rounds", "[]", [_round(round) for round in self.rounds]))
        head += [_pair("totals", self.totals), _pair("winners", self.winners)]
        return "{" + ",\n ".join(head) + "}\n"

    def save(self, path: str | Path) -> None:
        """Write the record to a file: whole or not at all, whatever happens meanwhile."""
        from pathlib import Path

        path = Path(path).resolve()
        fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
        try:
            with fresh.open("wb") as file:
                file.write(self.dumps().encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode("utf-8")


def _pair(name: str, value: object) -> str:
    return f"{_json(name)}: {_json(value)}"


def _block(name: str, brackets: str, lines: list[str]) -> str:
    """A list or an object with a line for each of its entries."""
    return f"{_json(name)}: {brackets[0]}" + ",".join(f"\n  {line}" for line in lines) + brackets[1]


def _round(round: RoundRecord) -> str:
    moves = [round.moves[i : i + MOVES_A_LINE] for i in range(0, len(round.moves), MOVES_A_LINE)]
    parts = [
        f"{_pair('engine', round.engine)}, {_pair('starter', round.starter)}",
        _block("hands", "[]", [_json(hand) for hand in round.hands]),
        _pair("bone_pile", round.bone_pile),
        _block("moves", "[]", [_json(chunk)[1:-1] for chunk in moves]),
        f"{_pair('ending', round.ending)}, {_pair('points', round.points)}, {_pair('cents', round.cents)}",
    ]
    if round.fair is not None:
        parts.append(_pair("fair", round.fair))
    return "{" + ",\n   ".join(part.replace("\n", "\n  ") for part in parts) + "}"


# ---- What is wrong with a text -----------------------------------------------------------------------

_KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _unknown_format(data: bytes) -> RecordError | None:
    """Of several things wrong, an unknown format is the one to name."""
    try:
        format = msgspec.json.decode(data, type=_AnyRecord).format
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return None if format == FORMAT else unknown_format(format)


def unknown_format(format: str) -> RecordError:
    """The complaint about a record that this program does not read."""
    return RecordError(f"the format is {format[:80]!r}, and this program reads {FORMAT!r}")


class _AnyRecord(msgspec.Struct):
    format: str


def _position(what: str, data: bytes) -> str:
    """The complaint with a line and a column in place of the count of bytes."""
    found = re.search(r"\(byte (\d+)\)", what)
    if found is None:
        return "it breaks off" if "truncated" in what else _lower(what)
    before = data[: int(found[1])]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"line {line}, column {column}"


def _misfit(error: str) -> RecordError:
    """The complaint of the decoder in the words of a record, with its round and move."""
    what, _, path = error.partition(" - at `$")
    path = path.rstrip("`")
    inside = re.match(r"\.rounds\[(\d+)\](?:\.moves\[(\d+)\]$)?", path)
    round, move = (int(n) + 1 if n else None for n in inside.groups()) if inside else (None, None)
    place = (path[inside.end() :] if inside else path).lstrip(".")
    named = re.fullmatch(r"Object (missing required|contains unknown) field `(.*)`", what, re.DOTALL)
    expected = re.fullmatch(r"Expected `(.*)`, got `(.*)`", what)
    if named is not None:
        field = f"{place}.{named[2]}" if place else named[2]
        complaint = f"{field} is missing" if named[1] == "missing required" else f"{field[:80]} is not a field here"
    elif expected is not None:
        should, is_now = (
            " or ".join(_KINDS.get(kind, kind) for kind in side.split(" | ")) for side in expected.groups()
        )
        where = place or ("the move" if move else "the round" if round else "the record")
        complaint = f"{where} should be {should}, and is {is_now}"
    else:
        complaint = f"{place}: {_lower(what)}" if place else _lower(what)
    return RecordError(complaint, round=round, move=move)


def _lower(what: str) -> str:
    return what[:1].lower() + what[1:]
