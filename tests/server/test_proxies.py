"""A server behind nginx and Caddy, set up by `docs/deploy/`: TLS, a sub-path, addresses."""

import asyncio
import json
import socket
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.server import proxies
from tests.server.client import Client, Made
from tests.server.proxies import NAME, Proxy, proxy
from tests.server.scenario import scenario
from tests.server.serving import GENEROUS, HOST, Server

needs_programs = pytest.mark.skipif(
    bool(proxies.missing()),
    reason=f"not on this machine: {', '.join(proxies.missing())} (sudo apt install nginx caddy)",
)
INDEX = '<!doctype html><script src="./assets/app.js"></script>'


@pytest.mark.soak
def test_a_release_is_tested_with_real_proxies() -> None:
    assert proxies.missing() == []


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Pages as they are built, but small."""
    (tmp_path / "web" / "assets").mkdir(parents=True)
    (tmp_path / "web" / "index.html").write_text(INDEX)
    (tmp_path / "web" / "assets" / "app.js").write_text("1")
    return tmp_path / "web"


@pytest.fixture
def server(tmp_path: Path, web: Path) -> Iterator[Server]:
    """A server under a path, which lets one address connect twice."""
    limits = {**asdict(GENEROUS), "connections": 2}
    with Server(
        tmp_path / "server",
        web=str(web),
        root="/heckmeck",
        origins=[f"https://{NAME}"],
        limits=limits,
    ) as running:
        yield running


@pytest.fixture(params=["nginx", "caddy"])
def front(request: pytest.FixtureRequest, server: Server, tmp_path: Path) -> Iterator[Proxy]:
    """A proxy before it."""
    with proxy(request.param, tmp_path, server.port) as running:
        yield running


class Through(Client):
    """A client of a table that comes through a proxy, from an address of its own."""

    def __init__(self, front: Proxy, table: str, address: str) -> None:
        super().__init__(front.url.replace("https", "http"), table)
        self.url = self.url.replace("ws://", "wss://")
        self._front, self._address = front, address

    async def _open(self) -> ClientConnection:
        way = socket.create_connection(
            (HOST, self._front.port), timeout=10, source_address=(self._address, 0)
        )
        way.setblocking(False)
        return await connect(
            self.url,
            compression=None,
            sock=way,
            ssl=self._front.trust,
            server_hostname=NAME,
            origin=f"https://{NAME}",  # type: ignore[arg-type]
        )


def get(front: Proxy, path: str, **options: str) -> httpx.Response:
    """Ask the proxy for a path, by the site's name."""
    with httpx.Client(verify=front.trust) as http:
        request = http.build_request(
            options.get("method", "GET"),
            f"https://{HOST}:{front.port}{path}",
            headers={"Host": f"{NAME}:{front.port}", "Origin": f"https://{NAME}"},
            content=options.get("content"),
            extensions={"sni_hostname": NAME},
        )
        return http.send(request)


def made_by(front: Proxy) -> Made:
    body = json.dumps({"setup": {"edition": "junior"}, "bots": []})
    answer = get(front, "/heckmeck/api/tables", method="POST", content=body)
    assert answer.status_code == 201, answer.text
    made: Made = answer.json()
    return made


@needs_programs
def test_pages_name_their_files_under_the_path(front: Proxy) -> None:
    for path in ("/heckmeck/", "/heckmeck/t/some-table"):
        page = get(front, path)
        assert page.status_code == 200
        assert 'src="/heckmeck/assets/app.js"' in page.text
    assert get(front, "/heckmeck/assets/app.js").text == "1"
    to_the_site = get(front, "/heckmeck")
    assert (to_the_site.status_code, to_the_site.headers["location"].endswith("/heckmeck/")) == (
        308,
        True,
    )


@needs_programs
@scenario
async def test_people_behind_a_proxy_have_addresses_of_their_own(front: Proxy) -> None:
    table = made_by(front)["id"]
    async with Through(front, table, "127.0.0.2"), Through(front, table, "127.0.0.2"):
        with pytest.raises(Exception, match="429"):
            await Through(front, table, "127.0.0.2").connect()
        async with Through(front, table, "127.0.0.3") as another:
            assert another.table["status"] == "waiting"


@needs_programs
@scenario
async def test_a_restart_behind_a_proxy_loses_no_move(front: Proxy, server: Server) -> None:
    made = made_by(front)
    async with Through(front, made["id"], "127.0.0.2") as ada:
        ada.secrets.append(made["secret"])
        await ada.connect()
        await ada.sit("Ada")
        await ada.sit("Ben")
        await ada.do("start")
        await ada.play_on(5)
        before = dict(ada.entries)
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        await ada.back_within(20)
        await ada.play_on(5)
        assert before.items() <= ada.entries.items()


@pytest.mark.parametrize("sent", ["/heckmeck/", "/"])
def test_both_ways_of_passing_the_path_on_work(server: Server, sent: str) -> None:
    page = httpx.get(f"{server.url}{sent}")
    assert 'src="/heckmeck/assets/app.js"' in page.text
    assert httpx.get(f"{server.url}{sent}healthz").json()["ok"]
    assert httpx.get(f"{server.url}{sent}api/bots").status_code == 200


def test_a_proxy_that_is_not_named_is_not_believed(tmp_path: Path) -> None:
    limits = {**asdict(GENEROUS), "requests": {"per_second": 0.001, "burst": 2}}
    with Server(tmp_path, limits=limits, proxies=["10.0.0.0/8"]) as server:
        # The server's own start asked once.
        answers = [
            httpx.get(f"{server.url}/api/bots", headers={"X-Forwarded-For": f"192.0.2.{n}"})
            for n in range(3)
        ]
    assert [answer.status_code for answer in answers][-1] == 429


def test_a_proxy_on_this_machine_is_believed(tmp_path: Path) -> None:
    limits = {**asdict(GENEROUS), "requests": {"per_second": 0.001, "burst": 1}}
    with Server(tmp_path, limits=limits) as server:
        answers = [
            httpx.get(f"{server.url}/api/bots", headers={"X-Forwarded-For": f"192.0.2.{n}"})
            for n in range(3)
        ]
    assert {answer.status_code for answer in answers} == {200}
