"""``stationmaster serve``: tables for a family, or for everybody."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import TYPE_CHECKING

from stationmaster.errors import StationmasterError
from stationmaster.server.logs import set_up
from stationmaster.server.settings import Settings, read_limits
from stationmaster.words import say

if TYPE_CHECKING:
    from stationmaster.server.settings import Limits
    from stationmaster.server.tls import Certificate

HOST, PORT = "0.0.0.0", 8012
KINDS = ("auto", "text", "json")

DESCRIPTION = """\
Serve tables to browsers and programs: in the home network by itself, or behind a proxy to everybody. It prints the
address for this machine and the one for the network, as a QR code too. Ctrl-C stops it; nothing that was played is
lost, and who plays comes back by itself when it runs again.
"""

EPILOG = """\
Every option can be given by the environment too: STATIONMASTER_ and its name, as STATIONMASTER_PORT=8080; several
values with commas between them. STATIONMASTER_ADMIN_TOKEN, which is no option because others could read it there,
lets whoever has it list and close tables. docs/deploy.md tells of proxies, several nodes, backups and upgrades.

limits: requests, tables, frames, talk, connects and guesses as so many in so many seconds; connections,
all_connections, frame_bytes, body_bytes and buffer_bytes as a number.

examples:
  stationmaster serve
  stationmaster serve --tls
  stationmaster serve --host 127.0.0.1 --proxy 127.0.0.1 --public https://trains.example.org --log json
  stationmaster serve --limit frames=40/2 --limit connections=200
"""


def arguments(parser: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """The command line of ``serve``."""
    parser.description, parser.epilog = DESCRIPTION, EPILOG
    parser.add_argument("--host", metavar="ADDRESS", help="where to listen (default: everywhere)")
    parser.add_argument("--port", metavar="PORT", help=f"default: {PORT}")
    parser.add_argument(
        "--database",
        metavar="FILE|URL",
        help="a file, or postgresql://… (default: a file in your data directory)",
    )
    parser.add_argument("--tls", action="store_true", default=None, help="encrypt, with a certificate of your own")
    parser.add_argument("--public", metavar="URL", help="where people reach it, when a proxy stands before it")
    parser.add_argument(
        "--proxy", metavar="NETWORK", action="append", help="a proxy that may say for whom it asks, as 127.0.0.1"
    )
    parser.add_argument(
        "--origin",
        metavar="URL",
        action="append",
        help="a further address that people type, where a proxy changes the host",
    )
    parser.add_argument(
        "--open", action="store_true", default=None, help="show it in a browser, where there is a display"
    )
    parser.add_argument("--limit", metavar="NAME=VALUE", action="append", help="change a limit; see below")
    parser.add_argument("--log", metavar="KIND", help="auto, text or json (default: auto, which is json into a file)")


def run(options: argparse.Namespace) -> int:
    """Read the options and the environment, and serve."""
    from stationmaster.server.opening import open_hall
    from stationmaster.server.serve import Plan, serve
    from stationmaster.store import database

    language = options.language
    log = str(given(options, "log") or "auto")
    if log not in KINDS:
        raise StationmasterError(say("serve.bad-log", language, kind=log))
    plan = Plan(
        host=str(given(options, "host") or HOST),
        port=port_of(str(given(options, "port") or PORT), language),
        settings=Settings(
            limits=limits_of(several(options, "limit"), language),
            public=given(options, "public"),
            origins=tuple(several(options, "origin")),
            proxies=tuple(several(options, "proxy")),
            admin_token=os.environ.get("STATIONMASTER_ADMIN_TOKEN") or None,
        ),
        language=language,
        certificate=certificate(language) if switched(options, "tls", language) else None,
        open=switched(options, "open", language),
    )
    set_up(log)
    return serve(plan, partial(open_hall, database(options.database)))


def given(options: argparse.Namespace, name: str) -> str | None:
    """An option, or else what the environment says."""
    value = getattr(options, name)
    return value if value is not None else os.environ.get(f"STATIONMASTER_{name.upper()}") or None


def several(options: argparse.Namespace, name: str) -> list[str]:
    """An option that may be given several times."""
    values = getattr(options, name)
    if values is not None:
        return list(values)
    texts = os.environ.get(f"STATIONMASTER_{name.upper()}", "").split(",")
    return [text.strip() for text in texts if text.strip()]


def switched(options: argparse.Namespace, name: str, language: str) -> bool:
    """An option that is there or not; 0 or 1 in the environment."""
    if getattr(options, name) is not None:
        return True
    variable = f"STATIONMASTER_{name.upper()}"
    value = os.environ.get(variable, "") or "0"
    if value not in ("0", "1"):
        raise StationmasterError(say("serve.bad-switch", language, name=variable, value=value))
    return value == "1"


def port_of(text: str, language: str) -> int:
    """A port."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= 65_535):
        raise StationmasterError(say("serve.bad-port", language, port=text))
    return int(text)


def limits_of(texts: list[str], language: str) -> Limits:
    """The limits that ``NAME=VALUE`` texts ask for."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise StationmasterError(say("serve.bad-limit", language, text=text))
        found[name.strip()] = value.strip()
    return read_limits(found)


def certificate(language: str) -> Certificate:
    """The certificate of the home network."""
    try:
        from stationmaster.server.tls import Certificate
    except ImportError:
        raise StationmasterError(say("serve.no-tls", language)) from None
    from stationmaster.store.places import data_folder

    found = Certificate(data_folder() / "tls")
    found.ensure()
    return found
