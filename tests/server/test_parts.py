"""The small parts of the door: buckets, clean names, addresses, figures and what is written down."""

from __future__ import annotations

import json
import logging
import unicodedata
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.fake_hall import FakeHall
from stationmaster.server.api.people import tallied
from stationmaster.server.api.together import compared
from stationmaster.server.cleaning import LONGEST_NAME, clean_name, clean_said, cleaned
from stationmaster.server.headers import address_of, base_of, from_here, is_secure, language_of
from stationmaster.server.limits import Bucket, Buckets, Counts, whose
from stationmaster.server.logs import JsonLines, Lines
from stationmaster.server.metrics import Metrics
from stationmaster.server.people import holder_of, secret_of
from stationmaster.server.settings import Limits, Rate, Settings, SettingsError, origin_of, read_limits
from stationmaster.server.shapes import SeatSummary

# ---- Buckets -----------------------------------------------------------------------------------------


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_gives_so_many_at_once_and_so_many_in_time() -> None:
    clock = Clock()
    bucket = Bucket(Rate(3, 6), clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.wait() <= 3
    clock.now += 2.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_what_is_refused_takes_nothing_out() -> None:
    clock = Clock()
    bucket = Bucket(Rate(1, 1), clock)
    assert bucket.take()
    for _ in range(9):
        clock.now += 0.1
        assert not bucket.take()
    clock.now += 0.2
    assert bucket.take()


def test_buckets_do_not_grow_for_ever() -> None:
    buckets = Buckets(Rate(1, 1), Clock(), most=3)
    assert [buckets.take(who) for who in "abca"] == [True, True, True, False]
    assert buckets.take("d")
    assert len(buckets) == 3
    assert not buckets.take("a")  # who came last is known still
    assert buckets.take("b")


def test_counts_forget_who_is_gone() -> None:
    counts = Counts()
    counts.add("a")
    counts.add("a")
    counts.remove("a")
    assert (counts.of("a"), counts.of("b"), counts.all) == (1, 0, 1)
    counts.remove("a")
    assert counts._of == {}


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("2001:db8:1:2::ffff", "2001:0db8:0001:0002"),
        ("fe80::1%eth0", "fe80:0000:0000:0000"),
        ("", ""),
    ],
)
def test_a_home_is_one_address(address: str, counted: str) -> None:
    assert whose(address) == counted


# ---- Names and chat ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann \t of\n Green  ", "Ann of Green"),
        ("Ann\u202egpj.exe", "Anngpj.exe"),
        ("\u2066Ann\u2069", "Ann"),
        ("A\u0000nn\u001b[31m", "Ann[31m"),
        ("Z" + "\u0301" * 40, "Ź\u0301\u0301"),
        ("\u200b\u200b", ""),
        ("   ", ""),
        ("\u3164", ""),
        ("\u0301", ""),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("孫悟空", "孫悟空"),
        ("سارة", "سارة"),
        ("नेहा", "नेहा"),
        ("👩‍🚂 Ann", "👩‍🚂 Ann"),
        ("x" * 100, "x" * 24),
        ("'; DROP TABLE seats", "'; DROP TABLE seats"),
        ("<b>Ann</b>", "<b>Ann</b>"),
    ],
)
def test_names_are_cleaned_of_what_cannot_be_seen(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@given(st.text(max_size=200))
def test_a_clean_text_is_one_short_line_and_stays_as_it_is(text: str) -> None:
    clean = clean_name(text)
    assert len(clean) <= LONGEST_NAME
    assert clean == clean.strip()
    assert not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in clean)
    assert not set(clean) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert clean_name(clean) == clean


def test_a_long_text_costs_no_more_than_a_short_one() -> None:
    assert cleaned("\u200b" * 10_000_000 + "x", 24) == ""
    assert len(clean_said("y" * 10_000)) == 500


# ---- Where a request comes from ---------------------------------------------------------------------


def scope(client: str = "192.0.2.1", scheme: str = "http", query: str = "", **headers: str) -> dict[str, Any]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"client": (client, 1), "scheme": scheme, "headers": named, "query_string": query.encode()}


BEHIND = Settings(proxies=("127.0.0.1", "10.0.0.0/8"))


@pytest.mark.parametrize(
    ("client", "forwarded", "found"),
    [
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "203.0.113.9, 10.1.2.3", "203.0.113.9"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "nonsense, 10.1.2.3", "10.1.2.3"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
    ],
)
def test_only_a_named_proxy_says_for_whom_it_asks(client: str, forwarded: str, found: str) -> None:
    asked = scope(client, x_forwarded_for=forwarded)
    assert address_of(asked, BEHIND.networks()) == found
    assert address_of(asked, ()) == client


def test_only_a_named_proxy_says_that_it_is_encrypted() -> None:
    assert is_secure(scope("127.0.0.1", x_forwarded_proto="https"), BEHIND.networks())
    assert not is_secure(scope("192.0.2.1", x_forwarded_proto="https"), BEHIND.networks())
    assert is_secure(scope(scheme="wss"), ())


@pytest.mark.parametrize(
    ("headers", "may"),
    [
        ({}, True),
        ({"host": "a.example", "origin": "http://a.example"}, True),
        ({"host": "a.example", "origin": "https://a.example"}, True),
        ({"host": "a.example:8012", "origin": "http://a.example:8012"}, True),
        ({"host": "a.example:8012", "origin": "http://a.example"}, False),
        ({"host": "a.example", "origin": "http://b.example"}, False),
        ({"host": "a.example", "origin": "null"}, False),
        ({"host": "a.example", "origin": "http://a.example@b.example"}, False),
        ({"host": "a.example", "origin": "http://a.example/x"}, False),
        ({"host": "a.example@b.example", "origin": "http://b.example"}, False),
        ({"origin": "http://a.example"}, False),
        ({"host": "internal", "origin": "https://trains.example"}, True),
        ({"host": "internal", "origin": "https://friend.example"}, True),
        ({"host": "a.example", "sec_fetch_site": "cross-site"}, False),
        ({"host": "a.example", "sec_fetch_site": "same-origin"}, True),
    ],
)
def test_a_page_of_another_host_is_told_apart(headers: dict[str, str], may: bool) -> None:
    settings = Settings(public="https://trains.example", origins=("https://friend.example",))
    assert from_here(scope(**headers), settings, ()) is may


def test_links_name_the_address_by_which_the_server_was_reached() -> None:
    assert base_of(scope(host="192.0.2.5:8012"), Settings(), ()) == "http://192.0.2.5:8012"
    assert base_of(scope(host="[2001:db8::1]:8012", scheme="https"), Settings(), ()) == "https://[2001:db8::1]:8012"
    assert base_of(scope(host="evil/../x"), Settings(), ()) is None
    assert base_of(scope(host="x"), Settings(public="https://trains.example"), ()) == "https://trains.example"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("es", "es"), ("en, es", "en"), ("en;q=0.3, es-AR;q=0.4", "es"), ("de", "en"), ("es;q=x", "en"), ("es;q=9", "en")],
)
def test_the_browsers_language_is_spoken(accepted: str, language: str) -> None:
    assert language_of(scope(accept_language=accepted)) == language
    assert language_of(scope(accept_language=accepted, query="language=es")) == "es"


def test_a_secret_is_read_from_cookie_or_bearer_and_from_nothing_else() -> None:
    secret = "0123456789abcdef" * 2
    assert secret_of([(b"cookie", f"x=1; stationmaster={secret}".encode())]) == secret
    assert secret_of([(b"authorization", f"bearer {secret}".encode())]) == secret
    for wrong in (secret[:-1], secret + "0", secret.upper(), "", "x" * 32):
        assert secret_of([(b"cookie", f"stationmaster={wrong}".encode())]) is None
        assert secret_of([(b"authorization", f"Bearer {wrong}".encode())]) is None
    assert secret not in holder_of(secret)


# ---- Settings ---------------------------------------------------------------------------------------


def test_limits_are_read_from_texts() -> None:
    found = read_limits({"frames": "40/2", "connections": "9"})
    assert (found.frames, found.connections, found.talk) == (Rate(40, 2), 9, Limits().talk)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("speed", "1", "'speed' is not a limit; there are requests"),
        ("frames", "40", "so many in so many seconds"),
        ("frames", "0/1", "so many in so many seconds"),
        ("connections", "40/2", "a whole number"),
        ("connections", "-1", "a whole number"),
        ("connections", "0", "a whole number"),
    ],
)
def test_a_limit_that_cannot_be_is_named(name: str, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        read_limits({name: text})


@pytest.mark.parametrize(
    "wrong",
    [
        {"public": "trains.example"},
        {"public": "https://trains.example/"},
        {"public": "ftp://trains.example"},
        {"origins": ("*",)},
        {"proxies": ("everybody",)},
        {"proxies": ("10.0.0.1/8",)},
        {"admin_token": "short"},
    ],
)
def test_a_setting_that_cannot_be_is_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=r"public =|origin =|proxy =|admin token"):
        Settings(**wrong)


def test_an_origin_is_written_as_browsers_do() -> None:
    assert origin_of("HTTPS://Trains.Example:443/x?y") == "https://trains.example"
    assert origin_of("http://[::1]:8012/") == "http://[::1]:8012"
    assert origin_of("http://x:99999") is None


# ---- Figures and logs --------------------------------------------------------------------------------


def test_times_are_counted_in_their_buckets() -> None:
    metrics = Metrics()
    for seconds in (0.0005, 0.02, 0.02, 5.0):
        metrics.took(seconds)
    text = metrics.text()
    assert 'stationmaster_command_seconds_bucket{le="0.001"} 1\n' in text
    assert 'stationmaster_command_seconds_bucket{le="0.025"} 3\n' in text
    assert 'stationmaster_command_seconds_bucket{le="1"} 3\n' in text
    assert 'stationmaster_command_seconds_bucket{le="+Inf"} 4\n' in text


def logged(formatter: logging.Formatter, error: Exception | None = None, **fields: Any) -> str:
    name = "stationmaster.server"
    info = None if error is None else (type(error), error, error.__traceback__)
    record = logging.LogRecord(name, logging.ERROR, __file__, 1, "it failed", (), info)
    record.fields = fields
    return formatter.format(record)


def test_a_log_line_is_one_line_of_json() -> None:
    found = json.loads(logged(JsonLines(), table="t\n1"))
    assert found["event"] == "it failed"
    assert found["table"] == "t\n1"
    assert found["at"].endswith("Z")
    assert "\n" not in logged(JsonLines(), table="t\n1")


@pytest.mark.parametrize("formatter", [JsonLines(), Lines()])
def test_what_an_exception_says_is_not_written_down(formatter: logging.Formatter) -> None:
    try:
        raise ValueError("the secret 0123")
    except ValueError as error:
        line = logged(formatter, error)
    assert "0123" not in line
    assert "ValueError" in line
    assert "test_parts.py" in line


# ---- Statistics and results --------------------------------------------------------------------------


def seats(*holders: str) -> list[SeatSummary]:
    return [SeatSummary(holder.upper(), holder) for holder in holders]


def test_statistics_add_up_matches_that_were_played_to_the_end() -> None:
    hall = FakeHall()
    ended: dict[str, Any] = {"over": True, "started": True, "rounds": 13, "played": 13}
    hall.add("A", seats=seats("ann", "ben"), totals=[130, 200], winners=[0], **ended)
    hall.add("B", seats=seats("ben", "ann"), totals=[26, 26], winners=[0, 1], **ended)
    hall.add("C", seats=seats("ann", "ben"), totals=[], over=True)  # closed before its end
    hall.add("D", seats=seats("ann", "ben"), totals=[50, -50], winners=[0], money=True, rulebook="pot", **ended)
    found = tallied(list(hall.store.tables.values()), "ann")
    assert (found.matches, found.wins) == (3, 2.5)
    scores = {score.rulebook: score for score in found.rulebooks}
    assert (scores["tactic"].points_a_round, scores["tactic"].rounds) == (6.0, 26)
    assert scores["pot"].points_a_round is None


def test_the_same_deals_are_compared_seat_by_seat() -> None:
    hall = FakeHall()
    for code, totals in (("A", [10, 90]), ("B", [30, 60]), ("C", [20, 30])):
        hall.add(code, seats=seats("ann", "ben"), totals=totals, winners=[0], over=True, group="g")
    hall.add("D", seats=seats("ann", "ben"), totals=[0, 0], group="g")
    found = compared("g", list(hall.store.tables.values()), "ann")
    assert (found.finished, found.playing) == (3, 1)
    told = [(result.table, result.seat, result.difference) for result in found.results]
    assert told == [
        ("t2", 1, 30.0),
        ("t0", 0, 10.0),
        ("t2", 0, 0.0),
        ("t1", 1, 0.0),
        ("t1", 0, -10.0),
        ("t0", 1, -30.0),
    ]
    assert [result.mine for result in found.results] == [False, True, True, False, True, False]
    assert "ann" not in msgspec.json.encode(found).decode()


def test_nobody_is_led_to_a_table_by_its_results_unless_it_is_public_or_theirs() -> None:
    hall = FakeHall()
    for code, holder, public in (("A", "ann", False), ("B", "ben", False), ("C", "cleo", True)):
        hall.add(code, seats=seats(holder), totals=[5], winners=[0], over=True, group="g", public=public)
    for holder, tables in (("ann", {"t0", "t2", None}), (None, {"t2", None})):
        found = compared("g", list(hall.store.tables.values()), holder)
        assert {result.table for result in found.results} == tables
        assert len(found.results) == 3


def test_only_tables_by_the_same_rules_are_compared() -> None:
    hall = FakeHall()
    for code, total, changes in (
        ("A", 10, {}),
        ("B", 30, {}),
        ("C", 90, {"rulebook": "pot"}),
        ("D", 70, {"rounds": 1}),
    ):
        hall.add(code, seats=seats("ann"), totals=[total], winners=[0], over=True, group="g", **changes)
    found = compared("g", list(hall.store.tables.values()), "ann")
    assert {result.table: result.difference for result in found.results} == {"t0": 10, "t1": -10, "t2": 0, "t3": 0}


def test_only_the_first_try_at_the_deal_of_the_day_counts() -> None:
    for group, counted in (("day-2026-11-20", {"t0", "t2"}), ("friends", {"t0", "t1", "t2"})):
        hall = FakeHall()
        for code, holder in (("A", "ann"), ("B", "ann"), ("C", "ben")):
            hall.add(code, seats=seats(holder), totals=[5], winners=[0], over=True, group=group, public=True)
        rows = list(hall.store.tables.values())[::-1]
        assert {result.table for result in compared(group, rows, None).results} == counted


def test_with_money_more_is_better() -> None:
    hall = FakeHall()
    for code, totals in (("A", [100, -100]), ("B", [-20, 20])):
        hall.add(
            code, seats=seats("ann", "ben"), totals=totals, winners=[0], over=True, group="g", money=True, public=True
        )
    found = compared("g", list(hall.store.tables.values()), None)
    assert [(one.table, one.seat) for one in found.results] == [("t0", 0), ("t1", 1), ("t1", 0), ("t0", 1)]
