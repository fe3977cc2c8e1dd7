"""The built web pages, served."""

from collections.abc import Iterator

import httpx
import pytest

from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with pages, and with an advisor."""
    web = tmp_path_factory.mktemp("web")
    for name in ("assets", "python"):
        (web / name).mkdir()
    (web / "index.html").write_text("<!doctype html><title>Pages</title>")
    (web / "icon.svg").write_text("<svg/>")
    (web / "assets" / "main-abc123.js").write_text("export {}")
    (web / "python" / "python-abc123.js").write_text("export {}")
    (web / "python" / "big.pack").write_bytes(bytes(10_000))
    (web.parent / "secret.txt").write_text("not for you")
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, web=str(web), advisor=True) as running:
        yield running


@pytest.mark.parametrize("path", ["/", "/t/boka-miru-tela", "/learn/classic", "/odds", "/nowhere"])
def test_every_address_of_a_person_shows_the_page(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert answer.status_code == 200
    assert "<title>Pages</title>" in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert "content-security-policy" in answer.headers


def test_files_are_served_and_kept(server: Server) -> None:
    script = httpx.get(f"{server.url}/assets/main-abc123.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    icon = httpx.get(f"{server.url}/icon.svg")
    assert icon.headers["content-type"] == "image/svg+xml"


def test_only_python_may_compile_and_its_files_are_not_compressed_again(server: Server) -> None:
    for path in ("/", "/assets/main-abc123.js"):
        assert "unsafe" not in httpx.get(server.url + path).headers["content-security-policy"]
    worker = httpx.get(f"{server.url}/python/python-abc123.js")
    assert worker.headers.get_list("content-security-policy") == [
        worker.headers["content-security-policy"]
    ]
    assert "'wasm-unsafe-eval'" in worker.headers["content-security-policy"]
    assert "immutable" in worker.headers["cache-control"]
    big = httpx.get(f"{server.url}/python/big.pack", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in big.headers


@pytest.mark.parametrize(
    "path",
    [
        "/missing.js",
        "/assets/missing.js",
        "/assets/../../secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/api/nothing",
    ],
)
def test_what_is_not_there_is_told(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert "not for you" not in answer.text
    if answer.status_code != 200:
        assert answer.status_code == 404
        assert answer.json()["type"] == "problem"


def test_the_programs_addresses_stay_theirs(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/records").status_code == 405
    assert httpx.post(f"{server.url}/t/boka-miru-tela").status_code == 405
    assert httpx.get(f"{server.url}/healthz").json()["ok"]


@scenario
async def test_hints_for_the_player_to_move(server: Server) -> None:
    made = await create(server.url, bots=["random"], first=0, hints=True)
    async with Client(server.url, made["id"], [made["secret"]]) as ada:
        await ada.sit("Ada")
        assert await ada.refused("hint") == "not_playing"
        await ada.do("start")
        hint = await ada.do("hint")
        assert hint["unit"] == "worms"
        assert [move["move"] for move in hint["moves"]] == ["roll"]
        assert hint["n"] == ada.n
        await ada.do("options", hints=False)
        assert await ada.refused("hint") == "no_hints"
        assert (await ada.do("hint", warn=True))["moves"] == hint["moves"]


@scenario
async def test_nobody_is_warned_where_other_people_play(server: Server) -> None:
    made = await create(server.url, seats=2, first=0)
    async with (
        Client(server.url, made["id"], [made["secret"]]) as ada,
        Client(server.url, made["id"]) as ben,
    ):
        await ada.sit("Ada")
        await ben.sit("Ben")
        await ada.do("start")
        assert await ada.refused("hint", warn=True) == "no_hints"
