"""Real proxies before a server, with the configuration that `docs/deploy/` gives to hosts."""

import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.server.serving import HOST, free_port

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
NAME = "play.example.org"

NGINX = """
daemon off;
worker_processes 1;
user root;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {site}
}}
"""
CADDY = """
{{
	admin off
	auto_https disable_redirects
	storage file_system {folder}/caddy
}}
{site}
"""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running proxy: clients connect to its port and call it by the name in its certificate."""

    port: int
    trust: ssl.SSLContext

    @property
    def url(self) -> str:
        """What people open."""
        return f"https://{NAME}:{self.port}/heckmeck"


def missing() -> list[str]:
    """Which programs these tests need and this machine does not have."""
    return [name for name in ("nginx", "caddy", "openssl") if program(name) is None]


def program(name: str) -> str | None:
    """Where a program is, if this machine has it."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")


def certify(folder: Path) -> Path:
    """Make a certificate for the site; return where it and ``site.key`` are."""
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-days", "2", "-subj", f"/CN={NAME}"),
            *("-addext", f"subjectAltName=DNS:{NAME}"),
            *("-keyout", folder / "site.key", "-out", folder / "site.pem"),
        ],
        check=True,
        capture_output=True,
    )
    return folder / "site.pem"


@contextmanager
def proxy(kind: str, folder: Path, server_port: int) -> Iterator[Proxy]:
    """Run nginx or Caddy before the server at ``server_port``."""
    port = free_port()
    certificate = certify(folder)
    command = _nginx if kind == "nginx" else _caddy
    trust = ssl.create_default_context(cafile=certificate)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command(folder, port, server_port, certificate), stdout=log, stderr=log
        )
    try:
        wait(port, process, folder)
        yield Proxy(port, trust)
    finally:
        process.terminate()
        process.wait(30)


def _nginx(folder: Path, port: int, server_port: int, certificate: Path) -> list[str]:
    site = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for written, ours in (
        ("listen 443 ssl", f"listen {HOST}:{port} ssl"),
        ("127.0.0.1:8000", f"{HOST}:{server_port}"),
        (f"/etc/ssl/certs/{NAME}.pem", str(certificate)),
        (f"/etc/ssl/private/{NAME}.key", str(folder / "site.key")),
    ):
        site = _replaced(site, written, ours)
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, site=site), encoding="utf-8")
    return [program("nginx") or "nginx", "-p", str(folder), "-c", str(config)]


def _caddy(folder: Path, port: int, server_port: int, certificate: Path) -> list[str]:
    site = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    tls = f"\n\ttls {certificate} {folder / 'site.key'}\n\tbind {HOST}\n"
    site = _replaced(site, f"\n{NAME} {{\n", f"\n{NAME}:{port} {{{tls}")
    site = _replaced(
        site, "\t\treverse_proxy 127.0.0.1:8000", f"\t\treverse_proxy {HOST}:{server_port}"
    )
    config = folder / "Caddyfile"
    config.write_text(CADDY.format(folder=folder, site=site), encoding="utf-8")
    return [program("caddy") or "caddy", "run", "--adapter", "caddyfile", "--config", str(config)]


def _replaced(text: str, written: str, ours: str) -> str:
    assert written in text, f"docs/deploy/ no longer says {written!r}"
    return text.replace(written, ours)


def wait(port: int, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    until = time.monotonic() + 30
    while True:
        assert process.poll() is None, (folder / "log").read_text()
        assert time.monotonic() < until, (folder / "log").read_text()
        with suppress(OSError), socket.create_connection((HOST, port), 1):
            return
        time.sleep(0.05)
