"""The schemas in docs/protocol, made of the classes of the frames. ``make schema`` writes them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from stationmaster.server.messages import FRAMES
from stationmaster.server.protocol import VERBS, Command

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def client_schema() -> dict[str, Any]:
    """What clients send, as JSON Schema."""
    [command], parts = msgspec.json.schema_components([Command], ref_template="#/$defs/{name}")
    parts["Command"]["oneOf"] = [{"required": [verb]} for verb in VERBS]
    for name in (*VERBS, "seat"):  # null is the same as nothing, and nobody needs to send it
        _without_null(parts["Command"]["properties"], name)
    return {"$schema": DIALECT, "title": "Frames from a client to a table", **command, "$defs": parts}


def server_schema() -> dict[str, Any]:
    """What a server sends, as JSON Schema."""
    frames, parts = msgspec.json.schema_components(FRAMES.values(), ref_template="#/$defs/{name}")
    return {"$schema": DIALECT, "title": "Frames from a table to a client", "anyOf": list(frames), "$defs": parts}


def _without_null(properties: dict[str, Any], name: str) -> None:
    known = properties[name]
    known.pop("default", None)
    kinds = [kind for kind in known.pop("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) == 1:
        properties[name] = {**kinds[0], **known}
    elif kinds:
        known["anyOf"] = kinds


def files() -> dict[str, bytes]:
    """The files of the schemas, by name."""
    schemas = {"client.schema.json": client_schema(), "server.schema.json": server_schema()}
    return {
        name: msgspec.json.format(msgspec.json.encode(schema), indent=1) + b"\n" for name, schema in schemas.items()
    }


def write(folder: Path) -> None:
    """Write the schemas into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_bytes(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
