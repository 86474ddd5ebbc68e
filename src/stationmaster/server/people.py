"""Who is asking: a person is a secret that only their devices know.

The server stores and passes on the SHA-256 of it, which opens nothing. The personal link carries the secret after the
``#``, which browsers never send: it is in no log, no Referer and no history of a proxy.
"""

from __future__ import annotations

import hmac
import re
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING

from stationmaster.server.headers import header

if TYPE_CHECKING:
    from stationmaster.server.headers import Headers

COOKIE = "stationmaster"
TWO_YEARS = 2 * 365 * 24 * 3600
_SECRET = re.compile(r"[0-9a-f]{32}")  # 128 bits


def fresh_secret() -> str:
    """A new person."""
    return secrets.token_hex(16)


def is_secret(text: str) -> bool:
    """Whether this can be somebody's secret."""
    return _SECRET.fullmatch(text) is not None


def holder_of(secret: str) -> str:
    """What is stored of a person."""
    return sha256(secret.encode()).hexdigest()[:32]


def bearer(headers: Headers) -> str | None:
    """What a program shows of itself."""
    given = header(headers, b"authorization")
    kind, _, token = given.partition(" ")
    return token.strip() if kind.lower() == "bearer" and token.strip() else None


def secret_of(headers: Headers) -> str | None:
    """The secret that came with a request: a program's, or else a browser's. None when there is none."""
    token = bearer(headers)
    if token is not None:
        return token if is_secret(token) else None
    for name, value in headers:
        if name == b"cookie":
            for part in value.decode("latin-1").split(";"):
                key, _, secret = part.strip().partition("=")
                if key == COOKIE and is_secret(secret):
                    return secret
    return None


def cookie(secret: str, *, secure: bool) -> str:
    """The header that makes a browser keep the secret, where no script can read it."""
    return f"{COOKIE}={secret}; Path=/; Max-Age={TWO_YEARS}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def personal_link(base: str, secret: str) -> str:
    """What brings a person's seats, matches and statistics to another device."""
    return f"{base}/me#{secret}"


def is_admin(headers: Headers, token: str | None) -> bool:
    """Whether a request shows the admin's token."""
    given = bearer(headers)
    return token is not None and given is not None and hmac.compare_digest(given.encode(), token.encode())
