"""The server as one ASGI application: who may come in, by which way, and what a no looks like."""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route, Router

from stationmaster.errors import RulebookError
from stationmaster.server import people
from stationmaster.server.api import ENDPOINTS
from stationmaster.server.denied import Denied, status_of
from stationmaster.server.endpoint import Asked, Endpoint, Plain
from stationmaster.server.headers import address_of, from_here, language_of
from stationmaster.server.house import House
from stationmaster.server.logs import note, trouble
from stationmaster.server.openapi import document
from stationmaster.server.pages import FOR_APP, FOR_PAGE, SAFETY, built, plain_page
from stationmaster.server.refusal import Refusal
from stationmaster.server.shapes import Trouble
from stationmaster.server.ws import Sockets
from stationmaster.store.base import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from stationmaster.server.hallway import Hall
    from stationmaster.server.settings import Settings

SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
UNCOUNTED = frozenset(("/healthz", "/readyz", "/metrics"))  # asked by machines, all the time
_encode = msgspec.json.Encoder().encode


@cache
def openapi() -> bytes:
    """The documentation of the API."""
    return msgspec.json.encode(document(ENDPOINTS))


def answered(asked: Asked, endpoint: Endpoint, given: Any) -> Response:
    """What an endpoint gave, as a response."""
    if isinstance(given, Plain):
        response = Response(given.body, given.status, given.headers, given.kind)
    else:
        response = Response(_encode(given), endpoint.status, {"cache-control": "no-store"}, "application/json")
    cookie = asked.set_cookie()
    if cookie is not None:
        response.headers["set-cookie"] = cookie
    return response


def refused(refusal: Refusal, language: str) -> Response:
    """A no, as a response."""
    told = Trouble(error=refusal.code, sentence=refusal.sentence(language))
    headers = {"cache-control": "no-store"}
    if isinstance(refusal, Denied):
        if refusal.field is not None:
            told = msgspec.structs.replace(told, field=refusal.field)
        if refusal.wait is not None:
            headers["retry-after"] = str(refusal.wait)
        if refusal.code in ("nobody", "not-admin"):
            headers["www-authenticate"] = "Bearer"
    return Response(_encode(told), status_of(refusal), headers, "application/json")


def as_refusal(error: Exception) -> Refusal:
    """What a client is told of anything that went wrong; what it is not told is written down."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, HTTPException) and error.status_code in (404, 405):
        return Denied("no-such-page" if error.status_code == 404 else "wrong-method")
    if isinstance(error, StoreError):
        trouble("the database cannot be used", error)
        return Refusal("store-unavailable")
    if isinstance(error, RulebookError):
        return Denied("bad-rules", what=str(error))
    trouble("a request failed", error)
    return Refusal("internal")


class Door:
    """The whole application: everybody comes in here."""

    def __init__(self, hall: Hall, settings: Settings, static: Path | None = None) -> None:
        self.house = House(hall, settings)
        self.sockets = Sockets(self.house)
        self.app = built(static)
        self.routes = [self.route(endpoint) for endpoint in ENDPOINTS]
        self.routes.append(Route("/api/openapi.json", self.documentation, methods=["GET"]))
        self.routes.sort(key=lambda route: "{" in route.path)  # /house before /{rulebook}
        self.router = Router(self.routes, redirect_slashes=False)

    def route(self, endpoint: Endpoint) -> Route:
        """An endpoint as a route of Starlette."""

        async def handle(request: Request) -> Response:
            asked = Asked(request, self.house, endpoint)
            return answered(asked, endpoint, await endpoint.does(asked))

        return Route(endpoint.path, handle, methods=[endpoint.method], name=endpoint.path)

    async def documentation(self, request: Request) -> Response:
        """The documentation of the API."""
        return Response(openapi(), 200, {"cache-control": "no-cache"}, "application/json")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let somebody in."""
        if scope["type"] == "http":
            await self.http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
        else:
            await lifespan(receive, send)

    async def http(self, scope: Any, receive: Any, send: Any) -> None:
        """One request over HTTP: look who it is, answer it, count it."""
        house, began, status = self.house, time.perf_counter(), 500
        scope["stationmaster.address"] = address_of(scope, house.networks)
        policy = FOR_APP

        async def safely(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", ()),
                    *SAFETY,
                    (b"content-security-policy", policy),
                    (b"vary", b"Accept-Language, Cookie, Authorization"),
                ]
            await send(message)

        route = self.route_of(scope)
        try:
            self.look(scope)
            if route is None and not scope["path"].startswith(("/api/", "/ws/")) and scope["method"] in ("GET", "HEAD"):
                if self.app is not None:
                    await self.app(scope, receive, safely)
                elif scope["path"] == "/":
                    policy = FOR_PAGE
                    page = plain_page(ENDPOINTS, language_of(scope))
                    await Response(page, media_type="text/html")(scope, receive, safely)
                else:
                    raise Denied("no-such-page")
            else:
                scope["app"] = self  # Starlette then raises what it would answer by itself
                await self.router(scope, receive, safely)
        except Exception as error:  # the edge of the server: everything is answered
            refusal = as_refusal(error)
            if refusal.code == "no-such-table":
                house.guessed(scope["stationmaster.address"])
            house.metrics.refusals[refusal.code] += 1
            await refused(refusal, language_of(scope))(scope, receive, safely)
        finally:
            name = route.path if route is not None else "other"
            house.metrics.requests[scope["method"] if route is not None else "any", name, status] += 1
            if scope["method"] not in SAFE:
                note("request", method=scope["method"], route=name, status=status, ms=elapsed(began))

    def look(self, scope: Any) -> None:
        """Refuse who comes too often, and what another page may have sent in somebody's name."""
        if scope["path"] in UNCOUNTED:
            return
        secret = people.secret_of(scope["headers"])
        holder = None if secret is None else people.holder_of(secret)
        address = scope["stationmaster.address"]
        wait = self.house.may_ask(address, holder)
        if scope["path"].startswith("/api/tables/"):
            wait = wait or self.house.may_guess(address)
        if wait:
            raise Denied("too-many-requests", wait=wait, seconds=wait)
        if scope["method"] not in SAFE and not from_here(scope, self.house.settings, self.house.networks):
            raise Denied("wrong-origin")

    def route_of(self, scope: Any) -> Route | None:
        """The way a request comes in by, None when there is none."""
        part = None
        for route in self.routes:
            match, _ = route.matches(scope)
            if match == Match.FULL:
                return route
            if match == Match.PARTIAL:
                part = part or route
        return part

    def close(self) -> None:
        """Nobody new is let in from now on."""
        self.house.closing = True


async def lifespan(receive: Any, send: Any) -> None:
    """Whoever starts the application starts and stops the hall too, so there is nothing to do here."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def elapsed(began: float) -> float:
    """Milliseconds since then."""
    return round((time.perf_counter() - began) * 1000, 1)


def make_app(hall: Hall, settings: Settings, static: Path | None = None) -> Door:
    """The application for a hall; ``static`` is the folder of the web app, if not the usual one."""
    return Door(hall, settings, static)
