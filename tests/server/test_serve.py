"""Starting and stopping: what is printed, what a wrong option says, and what becomes of those who are connected."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import socket
import ssl
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cli.commands import command
from server.running import PROGRAM, running
from stationmaster.server import listening
from stationmaster.server.listening import ListenError, listen, qr_code, urls
from stationmaster.server.settings import Limits, Rate, Settings
from stationmaster.server.tls import LASTS, RENEWED, Certificate
from stationmaster.words import say

TOKEN = "the-long-token-of-the-admin"


def serve(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command itself, as far as it comes with options that are wrong."""
    changes = {"XDG_DATA_HOME": str(folder), "STATIONMASTER_LANGUAGE": "en"} | environment
    return subprocess.run(
        command("serve", *options),
        env={name: value for name, value in os.environ.items() if not name.startswith("STATIONMASTER_")} | changes,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# ---- Stopping ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_in_order(tmp_path: Path, asked: signal.Signals) -> None:
    with running(tmp_path) as server, server.line() as line:
        line.recv(timeout=20)
        server.process.send_signal(asked)
        assert json.loads(line.recv(timeout=20)) == {"goodbye": "restart"}
        with pytest.raises(ConnectionClosed) as end:
            line.recv(timeout=20)
        assert end.value.rcvd is not None
        assert end.value.rcvd.code == 1012
        assert server.process.stdout is not None
        assert server.process.stdout.read().splitlines() == ["closed", say("serve.stopped")]
        assert server.process.wait(20) == 0
        assert [entry["event"] for entry in server.logged()] == ["started", "stopped"]


def test_who_stops_again_has_it_at_once(tmp_path: Path) -> None:
    with running(tmp_path, stuck=True) as server:
        server.process.send_signal(signal.SIGINT)
        with server.log.open() as log:
            while "stopping" not in log.read():
                assert server.process.poll() is None
                log.seek(0)
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 130


def test_a_hall_that_fails_stops_the_server_and_says_so(tmp_path: Path) -> None:
    with running(tmp_path, failing=True) as server:
        assert server.process.wait(20) == 1
        assert server.process.stdout is not None
        assert say("serve.failed") in server.process.stdout.read()
        assert "a secret" not in server.log.read_text()
        assert any(entry.get("error") == "RuntimeError" for entry in server.logged())


# ---- Options that are wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--port", "http"), "http is not a port"),
        (("--port", "70000"), "70000 is not a port"),
        (("--host", "192.0.2.77"), "192.0.2.77 is not an address of this machine"),
        (("--host", "no such host"), "no such host is not a host that is known here"),
        (("--public", "trains.example.org"), "public = 'trains.example.org'"),
        (("--limit", "frames"), "frames is not a limit"),
        (("--limit", "frames=fast"), "frames = 'fast'"),
        (("--proxy", "everybody"), "proxy = 'everybody'"),
        (("--log", "xml"), "xml is not a kind of log"),
        (("--port", "0", "--database", "mysql://x"), "mysql"),
    ],
)
def test_a_wrong_option_is_one_sentence(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    ran = serve(tmp_path, *options)
    assert ran.returncode == 2
    assert ran.stderr.startswith("stationmaster: ")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_options_come_from_the_environment_too(tmp_path: Path) -> None:
    assert "9x is not a port" in serve(tmp_path, STATIONMASTER_PORT="9x").stderr
    assert "STATIONMASTER_TLS=yes" in serve(tmp_path, STATIONMASTER_TLS="yes").stderr
    assert "'speed' is not a limit" in serve(tmp_path, STATIONMASTER_LIMIT="frames=1/1, speed=2").stderr
    assert "70000 is not a port" in serve(tmp_path, "--port", "70000", STATIONMASTER_PORT="9x").stderr
    assert "admin token" in serve(tmp_path, STATIONMASTER_ADMIN_TOKEN="short").stderr


def test_a_port_that_is_taken_is_said_with_another_one() -> None:
    with listen("127.0.0.1", 0, "en") as first:
        port = first.getsockname()[1]
        with pytest.raises(ListenError, match=f"port {port} is taken .* --port {port + 1}"):
            listen("127.0.0.1", port, "en")
        with pytest.raises(ListenError, match="otro programa ocupa"):
            listen("127.0.0.1", port, "es")


# ---- What is printed ---------------------------------------------------------------------------------


def test_addresses_for_this_machine_and_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "network_address", lambda: "192.0.2.5")
    with listen("0.0.0.0", 0, "en") as listener:
        port = listener.getsockname()[1]
        assert urls(listener, secure=True) == (f"https://localhost:{port}", f"https://192.0.2.5:{port}")
    with listen("127.0.0.1", 0, "en") as listener:
        assert urls(listener, secure=False) == (f"http://127.0.0.1:{listener.getsockname()[1]}", None)


def test_the_picture_for_phones_is_drawn_on_a_terminal_only(tmp_path: Path) -> None:
    public = Settings(public="https://trains.example.org")
    with running(tmp_path, public) as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stdout is not None
        assert "\N{LOWER HALF BLOCK}" not in server.process.stdout.read()
    ours, theirs = pty.openpty()
    start = '{"settings":{"public":"https://trains.example.org"}}'
    path = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), start], stdout=theirs, stderr=theirs, env=os.environ | {"PYTHONPATH": path}
    ) as process:
        os.close(theirs)
        printed = b""
        drawn = qr_code("https://trains.example.org").split("\n")[3].encode()
        while drawn not in printed:
            printed += os.read(ours, 4096)
        process.send_signal(signal.SIGTERM)
        process.wait(20)
    os.close(ours)


# ---- TLS ---------------------------------------------------------------------------------------------


def test_a_certificate_of_ones_own(tmp_path: Path) -> None:
    with running(tmp_path, tls=str(tmp_path / "tls")) as server:
        trusted = ssl.create_default_context(cafile=tmp_path / "tls" / "certificate.pem")
        with httpx.Client(base_url=server.url, verify=trusted) as client:
            answer = client.post("/api/tables", json={"name": "Ann"})
            assert answer.json()["link"].startswith("https://127.0.0.1")
            assert "Secure" in answer.headers["set-cookie"]
        with connect(f"wss://127.0.0.1:{server.port}/ws/OPEN", ssl=trusted, origin=server.url) as line:
            line.recv(timeout=20)
            line.send('{"burst": 100}')
            assert [len(line.recv(timeout=20)) for _ in range(100)] == [8012] * 100
        assert server.process.stdout is not None
        assert Certificate(tmp_path / "tls").fingerprint() in server.process.stdout.readline()
    assert (tmp_path / "tls" / "key.pem").stat().st_mode & 0o077 == 0


def test_a_certificate_is_renewed_before_it_ends_and_not_earlier(tmp_path: Path) -> None:
    certificate = Certificate(tmp_path)
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    assert certificate.ensure(begin)
    first = certificate.fingerprint()
    assert not certificate.ensure(begin + LASTS - RENEWED - timedelta(days=1))
    assert certificate.fingerprint() == first
    assert certificate.ensure(begin + LASTS - RENEWED)
    assert certificate.fingerprint() != first
    certificate.key.write_text("broken")
    assert certificate.ensure(begin + LASTS - RENEWED)


def test_a_certificate_is_for_the_addresses_that_the_machine_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = Certificate(tmp_path)
    monkeypatch.setattr("stationmaster.server.tls.network_address", lambda: "192.0.2.5")
    assert certificate.ensure()
    assert not certificate.ensure()
    monkeypatch.setattr("stationmaster.server.tls.network_address", lambda: "192.0.2.6")
    assert certificate.ensure()
    found = x509.load_pem_x509_certificate(certificate.certificate.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "192.0.2.6" in map(str, names.get_values_for_type(x509.IPAddress))


# ---- Behind a proxy, and the admin -----------------------------------------------------------------------


def test_behind_a_proxy_everybody_has_limits_of_their_own(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(3, 3600), tables=Rate(1, 3600))
    settings = Settings(limits=limits, proxies=("127.0.0.1",), public="https://trains.example.org", admin_token=TOKEN)
    with running(tmp_path, settings) as server:
        for address in ("203.0.113.1", "203.0.113.2"):
            with server.client(**{"X-Forwarded-For": address, "X-Forwarded-Proto": "https"}) as client:
                made = client.post("/api/tables", json={"name": "Ann"})
                assert made.json()["link"].startswith("https://trains.example.org/t/")
                assert "Secure" in made.headers["set-cookie"]
                client.cookies.clear()
                second = client.post("/api/tables", json={"name": "Ann"})
                assert (second.status_code, second.json()["error"]) == (429, "too-many-tables")
                assert "set-cookie" not in second.headers
                assert client.get("/api/tables").status_code == 200
                fourth = client.get("/api/tables")
                assert (fourth.status_code, fourth.json()["error"]) == (429, "too-many-requests")
                assert int(fourth.headers["retry-after"]) > 0
                assert client.get("/healthz").status_code == 200


def test_the_admin_lists_and_closes_tables(tmp_path: Path) -> None:
    with running(tmp_path, Settings(admin_token=TOKEN)) as server:
        with server.client(Authorization=f"Bearer {TOKEN}") as admin:
            tables = admin.get("/api/admin/tables").json()["tables"]
            assert {table["code"] for table in tables} == {"OPEN", "QUIET"}
            assert admin.delete("/api/admin/tables/OPEN").json() == {"table": "t0"}
            assert admin.get("/api/tables").json()["tables"] == []
            assert admin.get("/api/admin/limits").json()["limits"]["frames"] == "60/3"
            assert TOKEN not in admin.get("/api/admin/limits").text
        with server.client(Authorization=f"Bearer {TOKEN}x") as other:
            assert other.delete("/api/admin/tables/QUIET").json()["error"] == "not-admin"
        assert TOKEN not in server.log.read_text()


def test_nothing_that_opens_a_seat_is_written_down(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        with server.client() as client:
            made = client.post("/api/tables", json={"name": "Annabella"}).json()
            secret = client.cookies["stationmaster"]
            client.post("/api/me/adopt", json={"secret": secret})
            client.post("/api/me/adopt", json={"secret": f"{secret}0"})
            client.post(f"/api/tables/{made['code']}/join", json={"name": "Annabella"})
        with server.line(f"/ws/{made['code']}", additional_headers={"Cookie": f"stationmaster={secret}"}) as line:
            line.send('{"say": "a word in confidence"}')
            line.recv(timeout=20)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)
        text = server.log.read_text()
        assert '"route":"/api/tables"' in text
        for hidden in (secret, made["code"], "Annabella", "confidence"):
            assert hidden not in text


def test_an_address_opens_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    with running(tmp_path, Settings(limits=Limits(connections=3))) as server, contextlib.ExitStack() as opened:
        with server.line() as line:
            line.recv(timeout=20)
            sockets = [
                opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20)) for _ in range(9)
            ]
            for one in sockets:
                with contextlib.suppress(OSError):
                    one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert sum(answered(one) for one in sockets) == 5
            line.send('{"id": "a"}')
            assert json.loads(line.recv(timeout=20))["id"] == "a"
        opened.close()
        while True:  # those that are closed are counted no more
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as one:
                with contextlib.suppress(OSError):
                    one.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                if answered(one):
                    break
        for _ in range(10):  # nor are lines
            with server.line() as line:
                line.recv(timeout=20)


def answered(one: socket.socket) -> bool:
    try:
        return one.recv(12) == b"HTTP/1.1 200"
    except ConnectionError:
        return False


def test_who_connects_and_asks_for_nothing_is_cut_off(tmp_path: Path) -> None:
    with running(tmp_path, patience=0.2) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as silent:
            silent.sendall(b"GET /healthz HTT")
            with contextlib.suppress(ConnectionResetError):
                assert silent.recv(100) == b""
        with server.line() as line:
            line.recv(timeout=20)
            time.sleep(0.5)
            line.send('{"id": "after a while"}')
            assert json.loads(line.recv(timeout=20))["id"] == "after a while"
