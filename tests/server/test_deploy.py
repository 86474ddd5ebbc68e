"""What docs/deploy.md says and what lies in deploy/ is true of the server; nginx itself, in the long suite."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec
import pytest
import yaml
from websockets.sync.client import connect

from server.running import running
from stationmaster.cli import serve
from stationmaster.server.settings import Limits, Rate, Settings
from stationmaster.server.tls import Certificate

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "deploy.md").read_text("utf-8")
CONFIG = (DEPLOY / "nginx.conf").read_text("utf-8")


def options() -> dict[str, str]:
    """The options of ``serve`` and their variables."""
    parser = argparse.ArgumentParser()
    serve.arguments(parser, parser)
    names = {name for action in parser._actions for name in action.option_strings if name.startswith("--")}
    return {name: f"STATIONMASTER_{name[2:].upper()}" for name in names - {"--help"}}


def test_the_page_names_every_option() -> None:
    rows = re.findall(r"^\| `(--\w+)` \| `(STATIONMASTER_\w+)(?:=1)?` \|", PAGE, re.MULTILINE)
    assert dict(rows) == options()


def test_the_page_names_every_limit_as_it_is() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\d/]+) \|", PAGE, re.MULTILINE))
    assert rows == {name: str(value) for name, value in msgspec.structs.asdict(Limits()).items()}


def test_the_page_has_the_whole_configuration_of_nginx() -> None:
    assert f"```nginx\n{CONFIG}```\n" in PAGE


def test_the_files_set_what_there_is_to_set() -> None:
    known = {*options().values(), "STATIONMASTER_ADMIN_TOKEN", "STATIONMASTER_NAME", "STATIONMASTER_NATIVE"}
    for path in [*DEPLOY.iterdir(), ROOT / "docs" / "deploy.md"]:
        assert set(re.findall(r"STATIONMASTER_[A-Z_]+[A-Z]", path.read_text("utf-8"))) <= known, path.name


def test_compose_has_three_nodes_on_one_database() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    nodes = [service for name, service in services.items() if name.startswith("node")]
    assert len(nodes) == 3
    assert {node["environment"]["STATIONMASTER_DATABASE"].split("@")[1] for node in nodes} == {"postgres/stationmaster"}
    assert "postgres" in services


# ---- nginx itself ------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def nginx(folder: Path, node: int) -> Iterator[str]:
    """nginx with the configuration as it is, but for ports, names and the certificate; its address."""
    certificate = Certificate(folder / "tls")
    certificate.ensure()
    plain, port = free_port(), free_port()
    config = re.sub(r"^ *listen \[::\].*\n", "", CONFIG, flags=re.MULTILINE)
    for what, instead in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("127.0.0.1:8012 max", f"127.0.0.1:{node} max"),
        ("/etc/letsencrypt/live/trains.example.org/fullchain.pem", str(certificate.certificate)),
        ("/etc/letsencrypt/live/trains.example.org/privkey.pem", str(certificate.key)),
        ("proxy_set_header Host $host;", f"proxy_set_header Host $host:{port};"),
    ):
        assert what in config, what
        config = config.replace(what, instead)
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "whole.conf"
    whole.write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log {folder}/access.log;\n{kept}{config}}}\n"
    )
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    subprocess.run([program, "-t", "-c", whole, "-p", folder], check=True, capture_output=True, timeout=60)
    with subprocess.Popen([program, "-c", whole, "-p", folder]) as process:
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    assert process.poll() is None
            yield f"https://localhost:{port}"
        finally:
            process.terminate()


@pytest.mark.long
@pytest.mark.skipif(not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()), reason="nginx is not installed")
def test_play_goes_through_nginx(tmp_path: Path) -> None:
    settings = Settings(proxies=("127.0.0.1",), limits=Limits(tables=Rate(1, 3600)))
    with running(tmp_path, settings) as server, nginx(tmp_path, server.port) as url:
        certificate = Certificate(tmp_path / "tls").certificate
        trusted = ssl.create_default_context(cafile=certificate)
        with httpx.Client(base_url=url, verify=trusted, headers={"Origin": url}) as browser:
            made = browser.post("/api/tables", json={"name": "Ann"})
            assert made.status_code == 201, made.text
            assert "Secure" in made.headers["set-cookie"]
            assert made.json()["link"].startswith(url)
            assert browser.get("/metrics").status_code == 404
            spoofed = browser.post("/api/tables", json={"name": "Ann"}, headers={"X-Forwarded-For": "203.0.113.9"})
            assert spoofed.json()["error"] == "too-many-tables"
        path = f"/ws/{made.json()['code']}"
        with connect(url.replace("https", "wss") + path, ssl=trusted, origin=url) as line:
            assert "welcome" in json.loads(line.recv(timeout=20))
            line.send('{"id": "a"}')
            assert json.loads(line.recv(timeout=20))["id"] == "a"
        assert made.json()["code"] not in (tmp_path / "access.log").read_text()


@pytest.mark.long
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_is_one(tmp_path: Path) -> None:
    text = (DEPLOY / "stationmaster.service").read_text("utf-8")
    unit = tmp_path / "stationmaster.service"
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False, timeout=60
    )
    assert "stationmaster.service:" not in done.stderr, done.stderr
