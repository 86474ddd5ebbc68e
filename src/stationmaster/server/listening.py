"""Where the server listens, and by which addresses people reach it."""

from __future__ import annotations

import errno
import io
import socket
import sys

from stationmaster.errors import StationmasterError
from stationmaster.words import say

NOBODY = "192.0.2.1"  # an address of no machine; nothing is sent there, the system is only asked for the way


class ListenError(StationmasterError):
    """The server cannot listen there."""


def listen(host: str, port: int, language: str) -> socket.socket:
    """A socket that listens; says in one sentence why there can be none."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise ListenError(say("serve.no-host", language, host=host)) from None
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    if sys.platform != "win32":  # there it would let two servers have one port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        other = port + 1 if 1023 <= port < 65_535 else 8013
        keys = {
            errno.EADDRINUSE: "port-taken",
            errno.EACCES: "port-forbidden",
            errno.EADDRNOTAVAIL: "not-ours",
        }
        if error.errno not in keys:
            raise ListenError(f"{host}: {error.strerror or error}") from None
        raise ListenError(say(f"serve.{keys[error.errno]}", language, host=host, port=port, other=other)) from None
    listener.setblocking(False)
    return listener


def network_address() -> str | None:
    """The address of this machine in its network, None when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((NOBODY, 9))
            address: str = asking.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def urls(listener: socket.socket, *, secure: bool) -> tuple[str | None, str | None]:
    """By which addresses the server is reached: on this machine, and in its network."""
    host, port = listener.getsockname()[:2]
    scheme = "https" if secure else "http"
    if host in ("0.0.0.0", "::"):
        address = network_address()
        return f"{scheme}://localhost:{port}", None if address is None else f"{scheme}://{address}:{port}"
    shown = f"[{host}]" if ":" in host else host
    if host.startswith("127.") or host == "::1":
        return f"{scheme}://{shown}:{port}", None
    return None, f"{scheme}://{shown}:{port}"


def qr_code(url: str) -> str:
    """An address as a picture that a phone reads, in signs of a terminal."""
    import segno

    drawn = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()
