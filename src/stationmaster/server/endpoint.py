"""One way into the server over HTTP: what it takes, what it gives, and how a request becomes a call.

Routes and documentation are made of the same list of endpoints, so neither can lack what the other has.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from stationmaster.rulebooks.parameters import plainly
from stationmaster.server import people
from stationmaster.server.denied import Denied
from stationmaster.server.headers import base_of, header, is_secure, language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from stationmaster.server.house import House

T = TypeVar("T")
WHOLE_BODY = 15.0  # seconds for a body to come


class Query(msgspec.Struct, frozen=True):
    """Something that may stand after the ``?``."""

    name: str
    says: str
    kind: Literal["string", "integer"] = "string"
    choices: tuple[str, ...] = ()


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A way into the server."""

    method: str
    path: str  # with its parts in braces, as /api/tables/{table}
    does: Callable[[Asked], Awaitable[Any]]
    says: str  # for programmers, so in English only
    gives: Any = None  # a struct; None: something of its own kind
    kind: str = "application/json"  # of what is given
    takes: Any = None
    status: int = 200
    query: tuple[Query, ...] = ()
    refusals: tuple[str, ...] = ()  # codes, besides those that any endpoint has
    group: str = "tables"
    person: Literal["no", "if-known", "needed", "made", "admin"] = "no"  # made: who is nobody yet becomes somebody


class Plain(msgspec.Struct, frozen=True):
    """An answer that is not JSON made of a struct."""

    body: bytes
    kind: str
    headers: dict[str, str] = {}
    status: int = 200


class Asked:
    """A request, as the endpoints see it."""

    def __init__(self, request: Request, house: House, endpoint: Endpoint) -> None:
        self.request = request
        self.house = house
        self.endpoint = endpoint
        self.language = language_of(request.scope)
        self.address: str = request.scope["stationmaster.address"]
        self.secret = people.secret_of(request.scope["headers"])
        self.fresh: str | None = None  # the secret of a person who was made by this request
        self._kept: str | None = None

    # ---- Who ---------------------------------------------------------------------------------------

    @property
    def holder(self) -> str | None:
        """Who asks, None when it is nobody yet."""
        return None if self.secret is None else people.holder_of(self.secret)

    def somebody(self) -> str:
        """Who asks; refuses who is nobody yet."""
        if self.secret is None:
            raise Denied("nobody")
        return people.holder_of(self.secret)

    def anybody(self) -> str:
        """Who asks; who is nobody yet becomes somebody by it."""
        if self.secret is None:
            self.secret = self.fresh = people.fresh_secret()
        return people.holder_of(self.secret)

    def keep(self, secret: str) -> None:
        """Make the browser keep a secret."""
        self._kept = secret

    def set_cookie(self) -> str | None:
        """The header for a secret that the browser is to keep."""
        secret = self._kept or self.fresh
        if secret is None:
            return None
        return people.cookie(secret, secure=is_secure(self.request.scope, self.house.networks))

    def base(self) -> str:
        """The address by which the server was reached."""
        base = base_of(self.request.scope, self.house.settings, self.house.networks)
        if base is None:
            raise Denied("wrong-host")
        return base

    # ---- What --------------------------------------------------------------------------------------

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def query(self, name: str) -> str | None:
        """What stands after the ``?`` under this name."""
        value = self.request.query_params.get(name)
        choices = next(query.choices for query in self.endpoint.query if query.name == name)
        if value is not None and choices and value not in choices:
            raise Denied("bad-query", field=name, name=name, right=", ".join(choices))
        return value

    def whole(self, name: str) -> int | None:
        """A whole number after the ``?``."""
        value = self.query(name)
        if value is None:
            return None
        if not re.fullmatch(r"[0-9]{1,15}", value):
            raise Denied("bad-query", field=name, name=name, right="0, 1, 2 …")
        return int(value)

    async def body(self, kind: type[T]) -> T:
        """The body as a struct; refuses a body that is too long, no JSON, or not as described."""
        if header(self.request.scope["headers"], b"content-type").partition(";")[0].strip() != "application/json":
            raise Denied("not-json")
        most = self.house.settings.limits.body_bytes
        read = bytearray()
        try:
            async with asyncio.timeout(WHOLE_BODY):
                async for chunk in self.request.stream():
                    read += chunk
                    if len(read) > most:
                        raise Denied("body-too-large", count=most)
        except TimeoutError:
            raise Denied("too-slow") from None
        return decoded(bytes(read), kind)


def decoded(body: bytes, kind: type[T]) -> T:
    """JSON as a struct; refuses what is not as described, and names it."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        found = re.search(r"field `([^`]*)`", what)
        inner = path.rstrip("`").lstrip(".")
        field = ".".join(filter(None, (inner, found[1] if found else "")))[:100]
        raise Denied(
            "bad-body", field=field or "body", what=f"{field}: {plainly(what)}" if field else plainly(what)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Denied("bad-body", field="body", what="not JSON") from None
    except RecursionError:
        raise Denied("bad-body", field="body", what="nested too deeply") from None
