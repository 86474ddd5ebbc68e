"""People with a phone or a desk in front of them, who do what their screen offers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
CHANGED = "before => document.querySelector('.screen').dataset.version !== before"
PHONE, DESK = (360, 640), (1440, 900)


class Device:
    """One browser of one person."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        name: str,
        size: tuple[int, int] = PHONE,
        scheme: Literal["light", "dark"] = "light",
        **settings: Any,
    ) -> None:
        self.url = url
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            color_scheme=scheme,
            locale="en-GB",
            reduced_motion="reduce",
        )
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        kept = json.dumps({"name": name, "quick": True, **settings})
        self.page.add_init_script(f"localStorage.stationmaster ??= {json.dumps(kept)}")

    def close(self) -> None:
        """Nothing has gone wrong in the page; a server that was away is no error of the page."""
        self.context.close()
        assert [text for text in self.wrong if "ERR_CONNECTION" not in text and "WebSocket" not in text] == []

    def open(self, path: str = "/") -> Page:
        """Go to an address."""
        self.page.goto(self.url + path)
        return self.page

    @property
    def stage(self) -> str | None:
        """What the table is at."""
        return self.page.locator(".screen").get_attribute("data-stage")

    @property
    def hand(self) -> list[str]:
        """The tiles in the tray."""
        found: list[str] = self.page.eval_on_selector_all("[data-tile]", "all => all.map(one => one.dataset.tile)")
        return found

    def press(self, selector: str) -> None:
        """Tap on a phone, click at a desk."""
        self.page.locator(selector).first.click()

    def move(self) -> bool:
        """Make a move by what lights up; False when it is somebody else's turn."""
        page = self.page
        if page.locator("[data-move]:enabled").count():
            self.press("[data-move]:enabled")
        elif page.locator(".sent").count():  # on its way
            return False
        elif page.locator(".sign.turn").count() and page.locator("[data-tile]:not(.dull)").count():
            if not page.locator("[data-lit=true]").count():
                self.press("[data-tile]:not(.dull)")
            page.locator("[data-lit=true]").first.click()
            if page.locator(".which button").count():
                self.press(".which button")
        else:
            return False
        return True

    def play_until(self, done: Callable[[], bool], moves: int = 400) -> None:
        """Move whenever it is the turn, until something is so."""
        for _ in range(moves):
            if done():
                return
            before = self.page.locator(".screen").get_attribute("data-version")
            if self.move() and not done():
                self.page.wait_for_function(CHANGED, arg=before)
            else:
                self.page.wait_for_timeout(30)
        raise AssertionError(f"after {moves} looks: {self.said()}")

    def said(self) -> str:
        """What stands on the sign."""
        sign = self.page.locator(".sign")
        return sign.inner_text() if sign.count() else ""

    def seated(self) -> None:
        """There is a hand in the tray."""
        expect(self.page.locator("[data-tile]").first).to_be_visible(timeout=15_000)

    def accessible(self) -> None:
        """axe finds nothing to complain about."""
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)")
        said = [f"{one['id']} {node['html']}: {node.get('failureSummary')}" for one in found for node in one["nodes"]]
        assert not said, "\n".join(said)
