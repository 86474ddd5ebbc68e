"""What a browser gets: the web app when it is built, or else a plain page that says the server runs."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.staticfiles import StaticFiles

from stationmaster import __version__
from stationmaster.words import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stationmaster.server.endpoint import Endpoint

STATIC = Path(__file__).parent / "static"

STYLE = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fffdf7}h1{font-size:1.5rem}code{font-size:.95em}li{margin:.3rem 0}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#1d1b18}a{color:#9cf}}"
)
_STYLE_HASH = b64encode(sha256(STYLE.encode()).digest()).decode()

# Nothing from elsewhere, nothing inline, and in nobody's frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'{style}; img-src 'self' data:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
SAFETY: tuple[tuple[bytes, bytes], ...] = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
FOR_APP = POLICY.format(style="").encode()
FOR_PAGE = POLICY.format(style=f" 'sha256-{_STYLE_HASH}'").encode()


def plain_page(endpoints: Sequence[Endpoint], language: str) -> str:
    """The page of a server without the web app. It needs no script."""
    items = "\n".join(
        f"<li><code>{escape(one.method)} {escape(one.path)}</code> {escape(one.says)}</li>"
        for one in endpoints
        if one.group != "admin"
    )
    return f"""<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Stationmaster</title><style>{STYLE}</style></head>
<body>
<h1>{escape(say("door.page.title", language))}</h1>
<p>{escape(say("door.page.runs", language, version=__version__))}</p>
<p>{escape(say("door.page.play", language))}</p>
<p>{escape(say("door.page.api", language))} <a href="/api/openapi.json"><code>/api/openapi.json</code></a></p>
<ul lang="en">
<li><code>WebSocket /ws/{{table}}</code> Play at a table, or watch it</li>
{items}
</ul>
</body>
</html>
"""


class App(StaticFiles):
    """The files of the web app; an address that is no file is one of its pages."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self.index = folder / "index.html"

    def lookup_path(self, path: str) -> Any:
        """The file, or the page from which the app goes on by itself."""
        full, stat = super().lookup_path(path)
        if (stat is None or Path(full).is_dir()) and not Path(path).suffix:
            return super().lookup_path("index.html")
        return full, stat

    def file_response(self, full_path: Any, *rest: Any, **named: Any) -> Any:
        """A file whose name changes with its content is kept for ever; others are asked for each time."""
        response = super().file_response(full_path, *rest, **named)
        kept = "assets" in Path(full_path).relative_to(self.index.parent).parts[:1]
        response.headers["cache-control"] = "public, max-age=31536000, immutable" if kept else "no-cache"
        return response


def built(folder: Path | None = None) -> App | None:
    """The web app, if it is there."""
    folder = STATIC if folder is None else folder
    return App(folder) if (folder / "index.html").is_file() else None
