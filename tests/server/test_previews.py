"""Links unfold: the tags of a page, and pictures of tables."""

import asyncio
import re
import struct
import sys
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from starlette.requests import Request

from heckmeck.server import jobs
from heckmeck.server.previews import MOST_KEPT, Previews, base_of
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server

INDEX = (
    '<!doctype html><meta name="description" content="old"><title>Heckmeck</title><link href="./x">'
)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages with a static picture; without a font, letters are not drawn."""
    web = tmp_path_factory.mktemp("web")
    (web / "index.html").write_text(INDEX)
    (web / "picture.png").write_bytes(b"static")
    return web


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, web: Path) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), web=str(web)) as running:
        yield running


def tags_of(page: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@scenario
async def test_a_link_to_a_table_shows_who_plays_and_the_table(server: Server) -> None:
    made = await create(server.url, edition="deluxe", seats=3, bots=["fox"], first=0)
    address = f"{server.url}/t/{made['id']}"
    async with (
        Client(server.url, made["id"], [made["secret"]]) as ada,
        httpx.AsyncClient(timeout=60) as http,
    ):
        await ada.sit('Ada "<i>"')
        page = (await http.get(address, headers={"accept-language": "de-AT"})).text
        tags = tags_of(page)
        assert tags["og:title"] == 'Heckmeck Deluxe: Ada "<i>" und Fuchs'
        assert "<title>Heckmeck Deluxe: Ada &quot;&lt;i&gt;&quot; und Fuchs</title>" in page
        assert tags["og:description"] == tags["description"]
        assert tags["description"].startswith("1 Platz ist frei.")
        assert tags["og:url"] == address
        assert tags["twitter:card"] == "summary_large_image"
        assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
        assert page.count('name="description"') == 1
        assert made["secret"] not in page
        before = await http.get(tags["og:image"])
        assert before.headers["content-type"] == "image/png"
        assert size_of(before.content) == (1200, 630)

        await ada.do("start", empty="remove")
        playing = tags_of((await http.get(address)).text)
        assert playing["description"] == 'Ada "<i>"’s turn. Open the link to watch.'
        now = await http.get(playing["og:image"])
        assert size_of(now.content) == (1200, 630)
        assert now.content != before.content
        reviewed = tags_of((await http.get(f"{server.url}/review?table={made['id']}&at=0")).text)
        assert reviewed["og:image"].endswith("&at=0")
        assert (await http.get(reviewed["og:image"])).status_code == 200

        await ada.do("close")
        closed = tags_of((await http.get(address)).text)
        assert closed["og:title"] == "Heckmeck"
        assert closed["og:image"] == f"{server.url}/picture.png"
        assert (await http.get(now.url)).content == b"static"


@scenario
async def test_a_link_to_an_earlier_game_shows_that_game(server: Server) -> None:
    made = await create(server.url, edition="junior", seats=2, first=0)
    async with (
        Client(server.url, made["id"], [made["secret"]]) as ada,
        httpx.AsyncClient(base_url=server.url, timeout=60) as http,
    ):

        async def shown(page: str) -> tuple[dict[str, str], bytes]:
            tags = tags_of((await http.get(page)).text)
            return tags, (await http.get(tags["og:image"])).content

        for name in ("Ada", "Ben"):
            await ada.sit(name)
        await ada.do("start")
        await ada.play_on()
        links = [f"/review?table={made['id']}&game=0", f"/embed/{made['id']}?game=0"]
        over = [await shown(link) for link in links]
        await ada.do("rematch")
        await ada.do("name", seat=0, name="Countess")
        await ada.do("start")
        for link, (before, picture) in zip(links, over, strict=True):
            tags, same = await shown(link)
            assert same == picture
            assert (tags["og:title"], tags["description"]) == (
                before["og:title"],
                before["description"],
            )
        now, picture = await shown(f"/review?table={made['id']}")
        assert now["og:title"] != over[0][0]["og:title"]
        assert picture != over[0][1]
        assert (await shown(f"/review?table={made['id']}&game=7"))[1] == b"static"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/t/boka-miru-tela",
        "/t/%22%3E%3Cscript%3E",
        "/t/..%2f..%2fsecret",
        "/review?table=%22%3E%3Cscript%3E&at=-1",
        "/review?table=boka-miru-tela&at=99999999999999",
        "/embed/no-such-table",
        f"/t/{'x' * 3000}",
    ],
)
def test_other_addresses_show_the_game_itself(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path)
    tags = tags_of(answer.text)
    assert answer.status_code == 200
    assert "<script>" not in answer.text
    assert tags["og:title"] == "Heckmeck"
    assert tags["og:image"] == f"{server.url}/picture.png"


@pytest.mark.parametrize("name", ["boka-miru-tela", "x", "%00", "..%2fsecret"])
def test_what_is_no_table_has_the_neutral_picture(server: Server, name: str) -> None:
    answer = httpx.get(f"{server.url}/api/tables/{name}/picture.png")
    assert answer.content == b"static" or answer.status_code == 404


def test_only_the_embedded_game_may_be_framed(server: Server) -> None:
    def headers(path: str) -> httpx.Headers:
        return httpx.get(server.url + path).headers

    framed = headers("/embed/boka-miru-tela")
    assert framed["content-security-policy"].endswith("frame-ancestors *")
    assert "x-frame-options" not in framed
    assert framed["x-content-type-options"] == "nosniff"
    for path in ("/", "/t/boka-miru-tela", "/embed", "/x/embed/y", "/embed/a/b", "/api/bots"):
        assert headers(path)["content-security-policy"].endswith("frame-ancestors 'none'")
        assert headers(path)["x-frame-options"] == "DENY"


def test_a_link_to_a_puzzle_shows_its_position(server: Server) -> None:
    tags = tags_of(httpx.get(f"{server.url}/puzzle/deluxe/2026-01-05?language=fr").text)
    assert "Heckmeck Deluxe" in tags["og:title"]
    assert tags["og:image"].startswith(f"{server.url}/api/puzzles/deluxe/2026-01-05/picture.png")
    picture = httpx.get(tags["og:image"], timeout=60)
    assert size_of(picture.content) == (1200, 630)
    today = tags_of(httpx.get(f"{server.url}/puzzle").text)
    assert "/api/puzzles/classic/2" in today["og:image"]
    for path in (
        "/puzzle/chess",
        "/puzzle/classic/9999-12-31",
        "/puzzle/classic/x",
        "/puzzle/a/b/c",
    ):
        assert tags_of(httpx.get(server.url + path).text)["og:title"] == "Heckmeck"
    strange = httpx.get(f"{server.url}/api/puzzles/..%2fx/2026-01-05/picture.png")
    assert strange.content == b"static" or strange.status_code == 404


def asked(host: str, scheme: str = "http") -> Request:
    headers = [(b"host", host.encode())]
    return Request(
        {"type": "http", "scheme": scheme, "path": "/", "query_string": b"", "headers": headers}
    )


def test_addresses_are_those_that_the_client_knows() -> None:
    assert base_of(asked("play.example:8443", "https"), "/games") == (
        "https://play.example:8443/games"
    )
    assert base_of(asked("[::1]:8000"), "") == "http://[::1]:8000"
    for host in ('evil"><script>', "a b", "x/y", "", "user@host"):
        assert base_of(asked(host), "") is None


@scenario
async def test_behind_a_proxy_and_under_a_path(tmp_path: Path, web: Path) -> None:
    with Server(tmp_path, web=str(web), root="/games") as server:
        forwarded = {"x-forwarded-proto": "https", "host": "localhost"}
        page = httpx.get(f"{server.url}/games/learn/classic", headers=forwarded).text
        tags = tags_of(page)
        assert tags["og:image"] == "https://localhost/games/picture.png"
        assert tags["og:url"] == "https://localhost/games/learn/classic"
        picture = httpx.get(f"{server.url}/games/picture.png")
        assert picture.content == b"static"


class Desk:
    """Counts what is drawn, and hands it out when the gate is open."""

    def __init__(self) -> None:
        self.drawn = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def in_turn(self, _: str, work):  # type: ignore[no-untyped-def]
        done = await work()
        await self.gate.wait()
        return done

    async def compute(self, *_: object) -> bytes:
        self.drawn += 1
        return b"drawn %d" % self.drawn


@scenario
async def test_pictures_are_kept_and_do_not_pile_up(web: Path) -> None:
    desk = Desk()
    hub = SimpleNamespace(thinker=SimpleNamespace(records=desk))
    previews = Previews(hub, web)  # type: ignore[arg-type]

    async def drawn(n: int) -> bytes:
        return await previews._drawn(("id", n, None, "en"), "me", bytes)  # type: ignore[arg-type] # noqa: SLF001

    first = await drawn(0)
    assert await drawn(0) == first
    assert desk.drawn == 1
    for n in range(1, MOST_KEPT + 1):
        await drawn(n)
    assert await drawn(0) != first

    # Everybody asks at once: what is drawn last crowds out what others are still waiting for.
    desk.gate.clear()
    many = asyncio.gather(*(drawn(n) for n in range(1000, 1000 + 2 * MOST_KEPT)))
    await asyncio.sleep(0)
    desk.gate.set()
    assert len(set(await many)) == 2 * MOST_KEPT


def test_without_a_renderer_there_is_nothing_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert jobs.drawn_puzzle("classic", date(2026, 11, 18), "en", ()) == b""
