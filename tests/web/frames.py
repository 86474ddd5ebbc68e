"""What is told at tables where everything happens, written down for the tests of the web app's view.

Each line of the file is a frame, or ``{"fresh": …}``: the welcome that the view should be equal to by now.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from client.test_view import Evening
from serving import Seen

BOOKS = ("tactic", "supertrain", "quarter-pot", "front-porch")


class Written(Evening):
    """An evening of which every line is written down."""

    def __init__(self, book: str, changes: dict[str, object]) -> None:
        super().__init__(book, changes)
        self.views: dict[int, list[bytes]] = {}
        self.noted: dict[int, int] = {}

    def agree(self) -> None:
        super().agree()
        for line in self.lines:
            if line.line.open:
                self.note(line)

    def note(self, line: Seen) -> None:
        """The frames since the last look, and what the view is then."""
        written = self.views.setdefault(id(line), [])
        first = self.noted.get(id(line), 0)
        if first == len(line.frames):
            return
        written += [msgspec.json.encode(frame) for frame in line.frames[first:]]
        self.noted[id(line)] = len(line.frames)
        written.append(b'{"fresh":%s}' % line.line.live.welcome(line.line))


def main(file: Path) -> None:
    """Play, and write."""
    parts: list[bytes] = []
    for book in BOOKS:
        evening = Written(book, {"rounds": 1, "open_hands": book == "tactic"})
        asyncio.run(evening.play())
        for written in evening.views.values():
            parts.append(b'{"table":"%s"}' % book.encode())
            parts += written
    file.write_bytes(b"\n".join(parts))
