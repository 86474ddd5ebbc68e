"""Makes the picture in the README, of a table in the middle of a round: ``python -m web.picture FILE``, in tests/."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from web.conftest import CHROMIUM, Server
from web.devices import Device

SIZE = 1200, 740
LAID = 24  # tiles on the table


def main(file: Path) -> None:
    """Play for a while, and take the picture at our own turn, with a tile chosen."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        ann = Device(browser, server.url, "Ann", SIZE)
        page = ann.open()
        page.click("[data-do=play]")
        ann.seated()
        ann.play_until(
            lambda: (
                page.locator(".strip svg").count() >= LAID
                and page.locator("[data-tile]:not(.dull)").count() > 0
                and "Your turn." in ann.said()
            )
        )
        ann.press("[data-tile]:not(.dull)")
        page.mouse.move(0, 0)
        page.screenshot(path=file)
        ann.close()
        browser.close()
        server.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
