"""The documentation of the HTTP API, made of the endpoints and of the structs that they take and give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from stationmaster import __version__
from stationmaster.server.denied import STATUS
from stationmaster.server.endpoint import Endpoint
from stationmaster.server.shapes import Trouble

REF = "#/components/schemas/{name}"
ANYWHERE = ("too-many-requests", "wrong-host", "store-unavailable")
CHANGING = ("wrong-origin",)
WITH_BODY = ("not-json", "body-too-large", "bad-body", "too-slow")
PARTS = {
    "table": "The id or the code of a table",
    "rulebook": "The id of a printed rulebook",
    "group": "The name of a group of tables with the same deals",
}
ABOUT = """\
The tables themselves are played at over a WebSocket, `/ws/{table}`; this is the rest.

Every error is a `Trouble`: a code for programs, and a sentence in the language asked for (`?language=es`, or the
header Accept-Language). A browser is known by its cookie, which no script can read; a program makes a person with
`POST /api/people` and sends the secret as `Authorization: Bearer SECRET`.
"""


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document, OpenAPI 3.1."""
    kinds = [Trouble, *dict.fromkeys(kind for one in endpoints for kind in (one.takes, one.gives) if kind is not None)]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    found = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        paths.setdefault(one.path, {})[one.method.lower()] = operation(one, found)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Stationmaster",
            "version": __version__,
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "stationmaster"},
                "bearer": {"type": "http", "scheme": "bearer"},
                "admin": {"type": "http", "scheme": "bearer", "description": "The admin's token"},
            },
        },
    }


def operation(one: Endpoint, found: dict[Any, Any]) -> dict[str, Any]:
    """One endpoint as the document has it."""
    told: dict[str, Any] = {
        "operationId": f"{one.does.__module__.rpartition('.')[2]}_{one.does.__name__}",
        "summary": one.says,
        "tags": [one.group],
        "responses": responses(one, found),
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "description": PARTS[name], "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", one.path)
    ]
    for query in one.query:
        schema: dict[str, Any] = {"type": query.kind}
        if query.kind == "integer":
            schema |= {"minimum": 0, "maximum": 999_999_999_999_999}
        if query.choices:
            schema["enum"] = list(query.choices)
        parameters.append({"name": query.name, "in": "query", "description": query.says, "schema": schema})
    if parameters:
        told["parameters"] = parameters
    if one.takes is not None:
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": found[one.takes]}}}
    known: list[dict[str, list[str]]] = [{"cookie": []}, {"bearer": []}]
    if one.person == "admin":
        told["security"] = [{"admin": []}]
    elif one.person != "no":
        told["security"] = known if one.person == "needed" else [{}, *known]
    return told


def responses(one: Endpoint, found: dict[Any, Any]) -> dict[str, Any]:
    """What an endpoint may answer, by status."""
    content: dict[str, Any] = {one.kind: {"schema": found[one.gives]} if one.gives is not None else {}}
    told: dict[str, Any] = {
        str(one.status): {"description": HTTPStatus(one.status).phrase, "content": content},
    }
    codes = [*one.refusals, *ANYWHERE]
    if one.method != "GET":
        codes += CHANGING
    if one.takes is not None:
        codes += WITH_BODY
    if one.person == "needed":
        codes.append("nobody")
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(STATUS.get(code, 409), []).append(code)
    for status, some in sorted(by_status.items()):
        told[str(status)] = {
            "description": ", ".join(f"`{code}`" for code in some),
            "content": {"application/json": {"schema": found[Trouble]}},
        }
    return told
