"""The HTTP API as browsers and programs use it, over a real connection."""

from __future__ import annotations

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.running import Running
from stationmaster.server.settings import Settings
from stationmaster.words import catalogue


def laid(client: httpx.Client, **changes: object) -> dict[str, str]:
    """A table that was just laid."""
    answer = client.post("/api/tables", json={"name": "Ann", **changes})
    assert answer.status_code == 201, answer.text
    made: dict[str, str] = answer.json()
    return made


# ---- Tables ------------------------------------------------------------------------------------------


def test_somebody_lays_a_table_and_another_sits_down(server: Running) -> None:
    with server.client() as ann, server.client() as ben:
        made = laid(ann)
        assert made["link"] == f"{server.url}/t/{made['code']}"
        assert made["seat"] == 0
        assert ben.post(f"/api/tables/{made['code']}/join", json={"name": " Ben\u202e "}).json()["seat"] == 1
        info = ben.get(f"/api/tables/{made['table']}").json()
        assert [seat["name"] for seat in info["seats"]] == ["Ann", "Ben", "", ""]
        assert [seat["taken"] for seat in info["seats"]] == [True, True, False, False]
        assert info["mine"] == [1]
        assert ann.get(f"/api/tables/{made['code'].lower()}").json()["mine"] == [0]


def test_a_taken_seat_is_refused(server: Running) -> None:
    with server.client() as ann:
        made = laid(ann)
        answer = ann.post(f"/api/tables/{made['table']}/join", json={"name": "Ben", "seat": 0})
        assert (answer.status_code, answer.json()["error"]) == (409, "seat-taken")


def test_nobody_learns_who_holds_a_seat(server: Running) -> None:
    with server.client() as ann:
        made = laid(ann)
        text = ann.get(f"/api/tables/{made['table']}").text
        assert "holder" not in text
        assert ann.cookies["stationmaster"] not in text


def test_public_tables_are_listed_and_others_are_not(server: Running) -> None:
    with server.client() as ann:
        public, private = laid(ann, public=True), laid(ann)
        listed = {table["table"] for table in ann.get("/api/tables").json()["tables"]}
        assert public["table"] in listed
        assert private["table"] not in listed


def test_long_lists_come_in_pages(server: Running) -> None:
    with server.client() as ann:
        made = {laid(ann)["table"] for _ in range(60)}
        first = ann.get("/api/me/tables").json()
        second = ann.get("/api/me/tables", params={"before": first["more"]}).json()
        assert len(first["tables"]) == 50
        assert second.get("more") is None
        assert {table["table"] for table in first["tables"] + second["tables"]} == made


def test_a_record_is_a_file(server: Running) -> None:
    with server.client() as ann:
        answer = ann.get("/api/tables/OPEN/record")
        assert answer.headers["content-disposition"] == 'attachment; filename="stationmaster-OPEN.json"'
        assert answer.json() == {"format": "stationmaster/1"}


# ---- People ------------------------------------------------------------------------------------------


def test_the_cookie_is_kept_from_scripts_and_other_sites(server: Running) -> None:
    with server.client() as ann:
        answer = ann.post("/api/tables", json={"name": "Ann"})
        name, *attributes = answer.headers["set-cookie"].split("; ")
        assert len(name.removeprefix("stationmaster=")) == 32
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(attributes)
        assert "Secure" not in attributes
        assert "set-cookie" not in ann.post("/api/tables", json={"name": "Ann"}).headers


def test_a_personal_link_brings_seats_to_another_device(server: Running) -> None:
    with server.client() as phone, server.client() as tablet:
        made = laid(phone)
        assert tablet.get("/api/me").json() == {"known": False}
        link = phone.post("/api/me/link").json()
        page, _, secret = link["link"].partition("#")
        assert page == f"{server.url}/me"
        assert tablet.post("/api/me/adopt", json={"secret": secret}).json() == {"known": True}
        assert [table["table"] for table in tablet.get("/api/me/tables").json()["tables"]] == [made["table"]]


def test_a_program_is_somebody_by_its_bearer(server: Running) -> None:
    with server.client() as program:
        secret = program.post("/api/people").json()["secret"]
        assert not program.cookies
        made = program.post("/api/tables", json={"name": "Bot"}, headers={"Authorization": f"Bearer {secret}"})
        assert "set-cookie" not in made.headers
        tables = program.get("/api/me/tables", headers={"Authorization": f"Bearer {secret}"}).json()["tables"]
        assert [table["table"] for table in tables] == [made.json()["table"]]


@pytest.mark.parametrize("path", ["/api/me/tables", "/api/me/statistics"])
def test_who_is_nobody_has_nothing(server: Running, path: str) -> None:
    with server.client() as client:
        answer = client.get(path)
        assert (answer.status_code, answer.json()["error"]) == (401, "nobody")


# ---- Rules -------------------------------------------------------------------------------------------


def test_rulebooks_are_told_in_words(server: Running) -> None:
    with server.client() as client:
        assert len(client.get("/api/rulebooks").json()["rulebooks"]) == 10
        book = client.get("/api/rulebooks/pressman", params={"than": "tactic", "language": "es"}).json()
        assert book["than"] == "tactic"
        assert book["sections"][0]["heading"] == catalogue("es")["rules.heading.box"]
        assert {one["parameter"] for one in book["differences"]} >= {"deal"}


def test_house_rules_are_checked(server: Running) -> None:
    with server.client() as client:
        good = client.post("/api/rulebooks/house", json={"rulebook": "tactic", "changes": {"rounds": 5}}).json()
        assert [one["parameter"] for one in good["differences"]] == ["rounds"]
        bad = client.post("/api/rulebooks/house", json={"rulebook": "tactic", "changes": {"rounds": 0}})
        assert bad.status_code == 422
        assert bad.json()["field"] == "changes.rounds"
        assert "at least 1" in bad.json()["sentence"]


@pytest.mark.parametrize("changes", [{"id": "tactic"}, {"name": "x"}, {"self": 1}, {"roundz": 1}])
def test_changes_of_what_is_no_parameter_are_refused(server: Running, changes: dict[str, object]) -> None:
    with server.client() as client:
        answer = client.post("/api/rulebooks/house", json={"rulebook": "tactic", "changes": changes})
        assert (answer.status_code, answer.json()["error"]) == (422, "bad-rules")


# ---- Bodies that are not right -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"name": "Ann", "seats": "four"}', "seats"),
        ('{"name": "Ann", "seets": 4}', "seets"),
        ("{}", "name"),
        ('{"name": "Ann", "seats": 99}', "seats"),
        ('{"name": "Ann", "rulebook": {"rulebook": 1}}', "rulebook.rulebook"),
        ('{"name": "\\u200b"}', "name"),
        ("[]", "body"),
        ("nonsense", "body"),
        ("[" * 60_000, "body"),
        (b"\xff\xfe", "body"),
    ],
)
def test_what_is_wrong_in_a_body_is_named(server: Running, body: str | bytes, field: str) -> None:
    with server.client() as client:
        answer = client.post("/api/tables", content=body, headers={"content-type": "application/json"})
        assert answer.status_code == 422
        assert answer.json()["field"] == field
        assert "set-cookie" not in answer.headers


def test_a_body_that_is_no_json_or_too_large_is_refused(server: Running) -> None:
    with server.client() as client:
        assert client.post("/api/tables", content="{}").json()["error"] == "not-json"
        assert client.post("/api/tables", data={"name": "Ann"}).status_code == 415
        large = client.post("/api/tables", json={"name": "x" * 70_000})
        assert (large.status_code, large.json()["error"]) == (413, "body-too-large")


def test_errors_are_told_in_the_language_asked_for(server: Running) -> None:
    with server.client(**{"Accept-Language": "fr, es-MX;q=0.8, en;q=0.5"}) as client:
        sentence = catalogue("es")["server.error.no-such-table"]
        assert client.get("/api/tables/NONE").json() == {"error": "no-such-table", "sentence": sentence}
        english = catalogue("en")["server.error.no-such-table"]
        assert client.get("/api/tables/NONE", params={"language": "en"}).json()["sentence"] == english


def test_an_address_or_a_way_that_is_not_there(server: Running) -> None:
    with server.client() as client:
        for path in ("/api/nonsense", "/ws/OPEN", "/nonsense", "/api/tables/OPEN/"):
            answer = client.get(path)
            assert (answer.status_code, answer.json()["error"]) == (404, "no-such-page"), path
        assert client.delete("/api/tables").json()["error"] == "wrong-method"
        assert client.get("/api/tables", params={"before": "yesterday"}).json()["field"] == "before"


# ---- Other sites -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_sites_page_changes_nothing(server: Running, headers: dict[str, str]) -> None:
    with server.client(**headers) as client:
        answer = client.post("/api/tables", json={"name": "Ann"})
        assert (answer.status_code, answer.json()["error"]) == (403, "wrong-origin")
        assert "set-cookie" not in answer.headers
        assert client.get("/api/rulebooks").status_code == 200


def test_a_page_of_this_server_may(server: Running) -> None:
    with server.client(Origin=server.url, **{"Sec-Fetch-Site": "same-origin"}) as client:
        assert client.post("/api/tables", json={"name": "Ann"}).status_code == 201


@pytest.mark.parametrize("path", ["/", "/api/rulebooks", "/api/nonsense", "/healthz"])
def test_every_answer_has_the_safety_headers(server: Running, path: str) -> None:
    with server.client() as client:
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


# ---- Running it --------------------------------------------------------------------------------------


def test_the_page_without_the_web_app_says_that_the_server_runs(server: Running) -> None:
    with server.client(**{"Accept-Language": "es"}) as client:
        answer = client.get("/")
        assert '<html lang="es">' in answer.text
        assert "POST /api/tables" in answer.text
        assert "<script" not in answer.text


def test_health_and_readiness(server: Running) -> None:
    with server.client() as client:
        assert client.get("/healthz").json()["state"] == "alive"
        assert client.get("/readyz").json()["state"] == "ready"


def test_figures_are_prometheus_text(server: Running) -> None:
    with server.client() as client:
        client.get("/api/rulebooks")
        text = client.get("/metrics").text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    requests = families["stationmaster_http_requests"].samples
    assert any(sample.labels["route"] == "/api/rulebooks" and sample.value >= 1 for sample in requests)
    assert families["stationmaster_command_seconds"].type == "histogram"


def test_figures_are_not_for_those_whom_a_proxy_brings(server: Running) -> None:
    with server.client(**{"X-Forwarded-For": "203.0.113.9"}) as client:
        assert client.get("/metrics").json()["error"] == "not-admin"


@pytest.mark.parametrize("path", ["/api/admin/tables", "/api/admin/limits"])
def test_without_a_token_there_is_no_admin(server: Running, path: str) -> None:
    with server.client() as client:
        assert client.get(path).status_code == 403
        assert client.get(path, headers={"Authorization": "Bearer"}).status_code == 403
        assert client.get(path, headers={"Authorization": "Bearer None"}).status_code == 403


def test_settings_do_not_show_the_token() -> None:
    assert "a-long-secret-token" not in repr(Settings(admin_token="a-long-secret-token"))
