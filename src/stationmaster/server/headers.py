"""What the headers of a request say: where it comes from, whether it may change anything, which language it reads."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from stationmaster.server.settings import origin_of
from stationmaster.words import DEFAULT, LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Network, IPv6Network

    from stationmaster.server.settings import Settings

    Networks = tuple[IPv4Network | IPv6Network, ...]

Headers = list[tuple[bytes, bytes]]
Scope = Any  # of ASGI

_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?")


def header(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str:
    """The first header with this name; empty when there is none."""
    for key, value in headers:
        if key == name:
            return value.decode("latin-1")
    return ""


def address_of(scope: Scope, networks: Networks) -> str:
    """Whose request it is: who connected, or whom a proxy that is believed names."""
    client = scope.get("client")
    address: str = client[0] if client else ""
    if not networks or not inside(address, networks):
        return address
    named = ",".join(value.decode("latin-1") for key, value in scope["headers"] if key == b"x-forwarded-for")
    for hop in reversed([hop.strip() for hop in named.split(",") if hop.strip()]):
        try:
            ip_address(hop)
        except ValueError:
            return address
        address = hop
        if not inside(hop, networks):
            break
    return address


def inside(address: str, networks: Networks) -> bool:
    """Whether an address is in one of these networks."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return any(parsed in network for network in networks)


def is_secure(scope: Scope, networks: Networks) -> bool:
    """Whether the browser's side of the connection is encrypted."""
    if scope.get("scheme") in ("https", "wss"):
        return True
    client = scope.get("client")
    return bool(
        networks
        and client
        and inside(client[0], networks)
        and header(scope["headers"], b"x-forwarded-proto").strip().lower() == "https"
    )


def base_of(scope: Scope, settings: Settings, networks: Networks) -> str | None:
    """The address that the server was reached by, as an origin; None when the request does not name it well."""
    if settings.public is not None:
        return settings.public
    host = header(scope["headers"], b"host")
    if not _HOST.fullmatch(host):
        return None
    return origin_of(f"{'https' if is_secure(scope, networks) else 'http'}://{host}")


def from_here(scope: Scope, settings: Settings, networks: Networks) -> bool:
    """Whether a request comes from a page of this server, or from no page at all, as a program's does."""
    headers: Headers = scope["headers"]
    site = header(headers, b"sec-fetch-site")
    origin = header(headers, b"origin")
    if not origin:
        return site in ("", "same-origin", "none")
    found = origin_of(origin)
    if found is None or found != origin.lower():
        return False
    if found in settings.origins or found == settings.public:
        return True
    host = header(headers, b"host")
    if not _HOST.fullmatch(host):
        return False
    # The host is what counts: a proxy may have taken the encryption off, and not said so.
    return found in (origin_of(f"http://{host}"), origin_of(f"https://{host}"))


def language_of(scope: Scope) -> str:
    """The language asked for: in the address, or by the browser, or else English."""
    for name, value in parse_qsl(scope["query_string"].decode("latin-1")):
        if name == "language" and value in LANGUAGES:
            return str(value)
    best, language = 0.0, DEFAULT
    for part in header(scope["headers"], b"accept-language")[:200].split(","):
        tag, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        code = tag.strip()[:2].lower()
        if code in LANGUAGES and best < weight <= 1.0:
            best, language = weight, code
    return language
