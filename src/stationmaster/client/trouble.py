"""What can go wrong between a client and a server."""

from __future__ import annotations

from typing import Any

from stationmaster.errors import StationmasterError


class ClientError(StationmasterError):
    """The server cannot be reached, or is none."""


class Refused(ClientError):  # noqa: N818 - nothing went wrong: the server says no
    """The server says no: ``code`` is for programs, ``reason`` is there when a move is not legal."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer["sentence"])
        self.code: str = answer["error"]
        self.reason: dict[str, Any] | None = answer.get("reason")
