"""The web app in a real browser, against a real server: what a person would do first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from web.devices import DESK, PHONE, Device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from playwright.sync_api import Browser

    from web.conftest import Server


@pytest.fixture
def device(browser: Browser, server: Server) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def make(name: str, *rest: Any, **settings: Any) -> Device:
        made.append(Device(browser, server.url, name, *rest, **settings))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_play_now_plays_a_whole_round_on_a_phone(device: Callable[..., Device]) -> None:
    ann = device("Ann")
    ann.open().click("[data-do=play]")
    ann.seated()
    assert len(ann.hand) in (15, 16)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    ann.play_until(lambda: ann.stage == "between")
    sheet = ann.page.locator("table").first
    expect(sheet).to_contain_text("Ann")
    expect(sheet.locator("tbody tr")).to_have_count(1)
    ann.press("[data-do=next]")
    ann.seated()
    expect(ann.page.locator(".round")).to_contain_text("Round 2")


def test_two_people_on_two_devices(device: Callable[..., Device]) -> None:
    ann, ben = device("Ann", DESK), device("Ben")
    ann.open("/host")
    ann.page.get_by_label("Puremco Mexican Train, double-9").check()
    ann.page.get_by_label("Seats").select_option("2")
    ann.press("[data-do=lay]")
    code = ann.page.locator(".code").inner_text()
    expect(ann.page.locator("[data-do=start]")).to_be_disabled()

    ben.open().get_by_label("Code or link").fill(f" {code.lower()} ")
    ben.page.get_by_role("button", name="Go to the table").click()
    ben.page.get_by_role("button", name="Sit down").click()
    expect(ben.page.locator("[data-expected]")).to_contain_text("Ann begins the match")
    ann.press("[data-do=start]")
    ann.seated()
    ben.seated()
    assert not set(ann.hand) & set(ben.hand)
    for _ in range(6):
        for one in (ann, ben):
            other = ben if one is ann else ann
            one.play_until(lambda other=other: "Your turn" in other.said() or other.stage != "play")
    assert len(ann.hand) + len(ben.hand) < 30 + 8

    # A reload keeps the seat, the hand and the turn.
    before = sorted(ben.hand), ben.page.locator("[data-expected]").inner_text()
    ben.page.reload()
    ben.seated()
    assert (sorted(ben.hand), ben.page.locator("[data-expected]").inner_text()) == before


def test_a_server_that_is_killed_comes_back(device: Callable[..., Device], server: Server) -> None:
    ann = device("Ann")
    ann.open().click("[data-do=play]")
    ann.seated()
    ann.play_until(lambda: len(ann.hand) < 15 and "Your turn" in ann.said())
    server.kill()
    expect(ann.page.locator(".expected")).to_contain_text("The connection is lost")
    before = sorted(ann.hand)
    server.start()
    expect(ann.page.locator("[data-expected]")).to_be_visible(timeout=20_000)
    assert sorted(ann.hand) == before
    ann.play_until(lambda: sorted(ann.hand) != before)


def test_a_tile_that_does_not_fit_says_why(device: Callable[..., Device]) -> None:
    ann = device("Ann")
    ann.open().click("[data-do=play]")
    ann.seated()
    ann.play_until(lambda: ann.page.locator("[data-tile].dull").count() > 0)
    ann.press("[data-tile].dull")
    expect(ann.page.get_by_role("alert")).to_contain_text("This cannot be played now.")
    expect(ann.page.get_by_role("alert")).to_contain_text("By the rules of this table")


def test_a_turn_by_keys_alone(device: Callable[..., Device]) -> None:
    ann = device("Ann", DESK)
    page = ann.open()
    page.get_by_role("button", name="Play now").focus()
    page.keyboard.press("Enter")
    ann.seated()
    ann.play_until(lambda: bool(ann.page.locator("[data-tile]:not(.dull)").count() and "Your turn." in ann.said()))
    before = ann.hand
    tile = page.locator("[data-tile]:not(.dull)").first
    tile.focus()
    page.keyboard.press("Enter")
    expect(tile).to_have_attribute("aria-pressed", "true")
    page.locator("[data-lit=true]").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("many => document.querySelectorAll('[data-tile]').length < many", arg=len(before))
    expect(page.get_by_role("log")).to_contain_text("You play")


def test_the_language_can_be_changed_at_the_table(device: Callable[..., Device]) -> None:
    ann = device("Ann")
    ann.open().click("[data-do=play]")
    ann.seated()
    ann.page.get_by_role("button", name="More").click()
    ann.page.get_by_label("Español").check()
    expect(ann.page.get_by_role("heading", name="Más")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.lang") == "es"
    ann.page.get_by_role("button", name="Cerrar").click()
    ann.seated()


def test_a_table_that_is_not_there_is_said(device: Callable[..., Device]) -> None:
    ann = device("Ann")
    ann.open("/t/NOSUCH")
    expect(ann.page.get_by_role("alert")).to_contain_text("There is no table with this link or code.")
    ann.wrong.clear()  # the browser notes each 404


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (PHONE, "dark"), (DESK, "light"), (DESK, "dark")])
def test_axe_finds_nothing(device: Callable[..., Device], size: tuple[int, int], scheme: str) -> None:
    ann = device("Ann", size, scheme)
    ann.open()
    ann.page.locator("summary").click()
    ann.accessible()
    ann.open("/host")
    ann.page.wait_for_selector("[data-do=lay]")
    ann.accessible()
    ann.press("[data-do=lay]")
    ann.page.wait_for_selector(".code")
    ann.accessible()
    ann.open().click("[data-do=play]")
    ann.seated()
    ann.accessible()
    ann.play_until(lambda: ann.page.locator("[data-tile].dull").count() > 0)
    ann.press("[data-tile].dull")
    ann.page.wait_for_selector("[role=alert]")
    ann.accessible()
    ann.page.get_by_role("button", name="More").click()
    ann.accessible()
    ann.page.keyboard.press("Escape")
    ann.page.get_by_role("button", name="Rules").click()
    ann.page.wait_for_selector("dialog h3")
    ann.accessible()
    ann.page.keyboard.press("Escape")
    ann.play_until(lambda: ann.stage == "between")
    ann.accessible()
