"""How a server is set: its limits, and who may do what. The defaults are those of a family's own server."""

from __future__ import annotations

import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any
from urllib.parse import urlsplit

import msgspec

from stationmaster.errors import StationmasterError
from stationmaster.server.protocol import LARGEST_FRAME

MOST = 1_000_000_000


class SettingsError(StationmasterError):
    """A setting that cannot be; the message names it and says what would be right."""


class Rate(msgspec.Struct, frozen=True):
    """So many in so many seconds; so many may come at once."""

    count: int
    seconds: int

    def __str__(self) -> str:
        return f"{self.count}/{self.seconds}"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much anybody may ask for. An address is one IPv4 address, or one /64 of IPv6."""

    requests: Rate = Rate(600, 60)  # over HTTP, of an address, and of a person
    tables: Rate = Rate(60, 3600)  # laid, of an address, and of a person
    frames: Rate = Rate(60, 3)  # sent over a connection
    talk: Rate = Rate(12, 12)  # chats and reactions, of a person
    connects: Rate = Rate(120, 60)  # connections begun, of an address
    guesses: Rate = Rate(30, 60)  # tables asked for that are not there, of an address
    connections: int = 64  # open at once, of an address
    all_connections: int = 12_000  # open at once, of everybody
    frame_bytes: int = 2 * LARGEST_FRAME  # of one frame; a table refuses a large one, a larger one is not even read
    body_bytes: int = 65_536  # of one body over HTTP
    buffer_bytes: int = 524_288  # told to a client that has not taken it yet; a client with more is dropped


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All that a server is told when it starts."""

    limits: Limits = Limits()
    public: str | None = None  # where people reach it, when that is not where it listens
    origins: tuple[str, ...] = ()  # further addresses that people type, where a proxy changes the host
    proxies: tuple[str, ...] = ()  # networks whose X-Forwarded headers are believed
    admin_token: str | None = None

    def __post_init__(self) -> None:
        for name, urls in (("public", () if self.public is None else (self.public,)), ("origin", self.origins)):
            for url in urls:
                if origin_of(url) != url:
                    raise SettingsError(
                        f"{name} = {url!r}: an address is https:// or http:// and a host, as https://trains.example.org"
                    )
        if self.admin_token is not None and len(self.admin_token) < 16:
            raise SettingsError("the admin token has fewer than 16 signs; take a long random one")
        self.networks()

    def __repr__(self) -> str:
        return f"Settings(public={self.public!r}, limits={self.limits!r})"  # without the token

    def networks(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """The networks of the proxies that are believed."""
        found = []
        for proxy in self.proxies:
            try:
                found.append(ip_network(proxy))
            except ValueError:
                raise SettingsError(
                    f"proxy = {proxy!r}: a proxy is an address or a network, as 127.0.0.1 or 10.0.0.0/8"
                ) from None
        return tuple(found)


def origin_of(url: str) -> str | None:
    """Scheme, host and port of an address, as browsers write an Origin; None when it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + ("" if port in (None, usual) else f":{port}")


def read_limits(given: dict[str, str]) -> Limits:
    """The limits, with those changed that are given as texts: ``{"frames": "40/2", "connections": "100"}``."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(Limits)}
    changes: dict[str, Any] = {}
    for name, text in given.items():
        if name not in kinds:
            raise SettingsError(f"{name!r} is not a limit; there are {', '.join(kinds)}")
        changes[name] = _rate(name, text) if kinds[name] in (Rate, "Rate") else _whole(name, text)
    return msgspec.structs.replace(Limits(), **changes)


def _rate(name: str, text: str) -> Rate:
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip(), re.ASCII)
    if found is None or not int(found[1]) or not int(found[2]):
        raise SettingsError(f"{name} = {text!r}: this limit is so many in so many seconds, as 40/2")
    return Rate(int(found[1]), int(found[2]))


def _whole(name: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,10}", text.strip(), re.ASCII) or not 0 < int(text) <= MOST:
        raise SettingsError(f"{name} = {text!r}: this limit is a whole number, as 64")
    return int(text)
