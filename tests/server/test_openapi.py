"""The documentation of the API: every way in is in it, and the server does what it says."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from server.fake_hall import FakeHall
from server.running import GENEROUS, Running
from stationmaster.server import app
from stationmaster.server.api import ENDPOINTS
from stationmaster.server.app import make_app, openapi
from stationmaster.server.denied import STATUS
from stationmaster.server.settings import Settings
from stationmaster.words import LANGUAGES, catalogue

DOCUMENT = msgspec.json.decode(openapi())
METHODS = {"get", "post", "put", "patch", "delete"}


def documented() -> set[tuple[str, str]]:
    return {(method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item if method in METHODS}


def test_every_route_is_documented() -> None:
    door = make_app(FakeHall(), Settings())
    routed = {(method, route.path) for route in door.routes for method in route.methods or () if method != "HEAD"}
    assert routed - {("GET", "/api/openapi.json")} == documented()


def test_every_reference_leads_somewhere() -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [one for value in part.values() for one in references(value)]
        return [one for value in part for one in references(value)] if isinstance(part, list) else []

    found = set(references(DOCUMENT))
    assert found
    assert {one.rpartition("/")[2] for one in found} <= set(DOCUMENT["components"]["schemas"])
    operations = [operation["operationId"] for item in DOCUMENT["paths"].values() for operation in item.values()]
    assert len(operations) == len(set(operations))


def test_everything_refused_at_the_door_has_its_sentence_and_its_status() -> None:
    folder = Path(app.__file__).parent
    source = "".join(path.read_text() for path in folder.rglob("*.py"))
    used = set(re.findall(r'Denied\(\s*"([a-z-]+)"', source)) | {"no-such-page", "wrong-method"}
    for language in LANGUAGES:
        said = {key.removeprefix("door.error.") for key in catalogue(language) if key.startswith("door.error.")}
        assert said == used
    assert used <= set(STATUS)


def test_every_endpoint_gives_what_it_says(server: Running) -> None:
    with server.client() as client:
        assert client.get("/api/openapi.json").json() == DOCUMENT
        for endpoint in ENDPOINTS:
            if endpoint.method == "GET" and "{" not in endpoint.path and endpoint.person == "no":
                answer = client.get(endpoint.path)
                assert answer.status_code == endpoint.status
                assert answer.headers["content-type"].startswith(endpoint.kind)
                if endpoint.gives is not None:
                    msgspec.json.decode(answer.content, type=endpoint.gives)


# ---- What fuzzing finds -------------------------------------------------------------------------------


def hall() -> FakeHall:
    found = FakeHall()
    found.add("OPEN", public=True)
    return found


door = make_app(hall(), Settings(limits=GENEROUS, admin_token="the-token-of-the-admin"))
schema = schemathesis.openapi.from_dict(DOCUMENT)
quick = settings(max_examples=8, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])
long = settings(max_examples=400, suppress_health_check=list(HealthCheck))


def asked(case: schemathesis.Case) -> None:
    """Ask, and hold the answer against the document: a status and a body that it names, and never a 500."""
    request = case.as_transport_kwargs(base_url="http://server.example")
    headers = {name: value for name, value in request.get("headers", {}).items() if value.isascii()}
    headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in (request.get("cookies") or {}).items())

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=door)
        async with httpx.AsyncClient(transport=transport, base_url="http://server.example") as client:
            body = {key: request[key] for key in ("json", "data", "params") if request.get(key) is not None}
            if isinstance(body.get("data"), bytes):
                body["content"] = body.pop("data")
            return await client.request(request["method"], request["url"], headers=headers, **body)

    answer = asyncio.run(ask())
    assert answer.status_code < 500, answer.text
    item = DOCUMENT["paths"][case.path].get(case.method.lower())
    if item is None:
        assert answer.status_code == 405
        return
    assert str(answer.status_code) in item["responses"], (answer.status_code, answer.text)
    if answer.status_code >= 400:
        assert answer.json()["sentence"]


@schema.parametrize()
@quick
def test_no_request_is_answered_but_as_documented(case: schemathesis.Case) -> None:
    asked(case)


@pytest.mark.long
@schema.parametrize()
@long
def test_no_request_at_all_is_answered_but_as_documented(case: schemathesis.Case) -> None:
    asked(case)
