"""What goes over HTTP: laying tables, sitting down, records. Small and seldom, so in a thread of its own each time."""

from __future__ import annotations

import asyncio
import http.client
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import msgspec

from stationmaster.client.client import Client
from stationmaster.client.trouble import ClientError, Refused

if TYPE_CHECKING:
    from ssl import SSLContext

WAIT = 30.0  # seconds for an answer


class Server:
    """A server, and who we are there: whoever has the ``secret`` plays as us."""

    def __init__(
        self, url: str, secret: str | None = None, *, language: str = "en", ssl: SSLContext | None = None
    ) -> None:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ClientError(f"{url} is not the address of a server; one is http://localhost:8300")
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.secret = secret or secrets.token_hex(16)
        self.language = language
        self.ssl = ssl

    async def create(self, name: str, rulebook: str | dict[str, Any] = "tactic", **more: Any) -> dict[str, Any]:
        """Lay a table, and sit down there: its ``table``, its ``code``, the ``link`` and our ``seat``."""
        return await self.ask("POST", "/api/tables", {"name": name, "rulebook": rulebook, **more})

    async def join(self, table_or_code: str, name: str, seat: int | None = None) -> int:
        """Take a seat; its number."""
        body: dict[str, Any] = {"name": name} if seat is None else {"name": name, "seat": seat}
        answer = await self.ask("POST", f"/api/tables/{quote(table_or_code, safe='')}/join", body)
        return int(answer["seat"])

    async def record(self, table_or_code: str) -> dict[str, Any]:
        """The record of a match, of the rounds that are over."""
        return await self.ask("GET", f"/api/tables/{quote(table_or_code, safe='')}/record")

    def client(self, table_or_code: str, **more: Any) -> Client:
        """A client for a table."""
        url = f"{self.base}/ws/{quote(table_or_code, safe='')}"
        return Client(url, self.secret, language=self.language, ssl=self.ssl, **more)

    async def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Ask for anything else that the server's /api/openapi.json describes."""
        try:
            status, data = await asyncio.to_thread(self._ask, method, path, body)
        except (OSError, http.client.HTTPException) as error:
            raise ClientError(f"{self.base} does not answer: {error}") from None
        try:
            answer = msgspec.json.decode(data, type=dict[str, Any])
        except msgspec.MsgspecError:
            raise ClientError(f"{self.base}{path} does not answer as a server of Stationmaster does") from None
        if status >= 400:
            if "error" not in answer or "sentence" not in answer:
                raise ClientError(f"{self.base}{path} answers with the status {status}")
            raise Refused(answer)
        return answer

    def _ask(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        scheme, host = self.base.split("://")
        if scheme == "https":
            connection = http.client.HTTPSConnection(host, timeout=WAIT, context=self.ssl)
        else:
            connection = http.client.HTTPConnection(host, timeout=WAIT)  # type: ignore[assignment]
        headers = {"Authorization": f"Bearer {self.secret}", "Accept-Language": self.language}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = msgspec.json.encode(body)
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()
