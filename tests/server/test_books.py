"""Family books over HTTP and at tables: who may, what is kept, and nothing is lost."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import httpx

from heckmeck.bots import BOTS
from heckmeck.dice import SeededLuck
from heckmeck.hosting.live import LiveTable
from heckmeck.record import read_record, record_to_json
from heckmeck.rules import word
from heckmeck.server import admin
from heckmeck.server.limits import Limits, Rate
from heckmeck.server.store import open_store
from heckmeck.table.keys import hash_of
from heckmeck.wire import requests as m
from heckmeck.wire.setup import Status
from tests.record.games import play
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import GENEROUS, Server

Message = dict[str, Any]


class Book:
    """A book and its link."""

    def __init__(self, url: str, made: Message) -> None:
        self.id: str = made["id"]
        self.secret: str = made["secret"]
        self._url = url

    @classmethod
    async def new(cls, url: str, name: str = "Lovelaces") -> "Book":
        async with httpx.AsyncClient(base_url=url, timeout=30) as http:
            answer = await http.post("/api/books", json={"name": name})
        assert answer.status_code == 201, answer.text
        return cls(url, answer.json())

    async def ask(self, method: str, path: str = "", **more: Any) -> httpx.Response:  # noqa: ANN401 (as httpx has it)
        headers = {"authorization": f"Bearer {self.secret}"}
        address = f"{self._url}/api/books/{self.id}{path}"
        async with httpx.AsyncClient(headers=headers, timeout=30) as http:
            return await http.request(method, address, **more)

    async def read(self, **params: str) -> Message:
        answer = await self.ask("GET", params=params)
        assert answer.status_code == 200, answer.text
        found: Message = answer.json()
        return found

    async def until(self, games: int, *, judged: bool = False) -> Message:
        """Wait until the book has so many games."""
        while True:
            found = await self.read()
            if found["total"] == games and not (judged and found["waiting"]):
                return found
            await asyncio.sleep(0.05)


@asynccontextmanager
async def sitting(url: str, *names: str) -> AsyncIterator[Client]:
    """One device with these people at a new table."""
    made = await create(url, "junior", seats=len(names))
    async with Client(url, made["id"], [made["secret"]]) as client:
        for name in names:
            await client.sit(name)
        yield client


@scenario
async def test_a_book_keeps_every_game_of_its_tables(server: Server) -> None:
    book = await Book.new(server.url, "  The   Lovelaces ")
    empty = await book.read()
    assert (empty["name"], empty["total"], empty["standings"]) == ("The Lovelaces", 0, [])
    async with sitting(server.url, "Ada", "Ben") as ada:
        await ada.do("book", book=book.id, secret=book.secret)
        assert ada.table["book"] == book.id
        for _ in range(2):  # a rematch stays in the book
            await ada.do("start")
            await ada.play_on()
            await ada.do("rematch")
        found = await book.until(2, judged=True)
        ((standings,), (second, first)) = found["standings"], found["games"]
        assert (standings["edition"], standings["games"]) == ("junior", 2)
        assert {row["name"] for row in standings["rows"]} == {"Ada", "Ben"}
        assert sum(row["worms"] for row in standings["rows"]) == sum(
            first["scores"] + second["scores"]
        )
        assert (first["table"], first["game"], second["game"]) == (ada.name, 0, 1)
        assert first["judged"] is True
        assert {form["name"] for form in found["form"]} == {"Ada", "Ben"}
        assert {honour["kind"] for honour in found["honours"]} >= {"worms", "total", "run"}
        nothing = await book.read(**{"from": "2090-01-01T00:00:00Z"})
        assert (nothing["count"], nothing["total"], nothing["games"]) == (0, 2, [])
        assert (await book.read(to="2090-01-01T00:00:00+02:00", edition="classic"))["form"] == []
        review = await book.ask("GET", f"/games/{ada.name}/1/review")
        assert review.json()["review"]["unit"] == "win"


@scenario
async def test_people_have_several_names_and_are_exported_under_one(server: Server) -> None:
    book = await Book.new(server.url)
    async with sitting(server.url, "Ada", "Ben") as client:
        await client.do("start")
        await client.play_on()
        await client.do("book", book=book.id, secret=book.secret)  # the game that is over
        await client.do("rematch")
        await client.do("name", seat=0, name="Omi")
        await client.do("start")
        await client.play_on()
        await book.until(2)
        for names, to, people in (
            (["Omi", "Ada"], "Grandma", ["Ben", "Grandma"]),
            (["Omi"], "Ben", ["Ben", "Grandma"]),
            (["Omi"], "Omi", ["Ben", "Grandma", "Omi"]),
            (["Omi"], "Grandma", ["Ben", "Grandma"]),
        ):
            answer = await book.ask("POST", "/people", json={"names": names, "to": to})
            assert answer.status_code == 204
            found = await book.read()
            assert [person["name"] for person in found["people"]] == people
        assert found["people"][1]["names"] == ["Ada", "Omi"]
        exported = await book.ask("GET", "/games.jsonl")
        records = [read_record(line) for line in exported.content.splitlines()]
        assert [record.seats for record in records] == [("Grandma", "Ben")] * 2
        assert all("ended" in record.extra for record in records)
        assert (await book.ask("POST", json={"name": "Family"})).status_code == 204
        assert (await book.read())["name"] == "Family"
        assert (await book.ask("DELETE", f"/games/{client.name}/0")).status_code == 204
        assert (await book.read())["total"] == 1
        assert (await book.ask("DELETE")).status_code == 204
        assert (await book.ask("GET")).status_code == 404


async def http_record(url: str, table: str, game: int) -> bytes:
    """A game of a table, as one line."""
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.get(f"/api/tables/{table}/record.json", params={"game": game})
    return json.dumps(answer.json()).encode()


@scenario
async def test_an_exported_book_is_added_without_doubling(server: Server) -> None:
    book, other = await Book.new(server.url), await Book.new(server.url, "Others")
    async with sitting(server.url, "Ada", "Ben") as client:
        await client.do("book", book=book.id, secret=book.secret)
        for _ in range(2):
            await client.do("start")
            await client.play_on()
            await client.do("rematch")
        before = await book.until(2, judged=True)
        await book.ask("POST", "/people", json={"names": ["Ada"], "to": "Grandma"})
        file = (await book.ask("GET", "/games.jsonl")).content
        store = open_store(server.location, beside=True)
        await store.open()
        await store.unjudge(book.id)  # what is known of its games has to be computed again
        await store.close()
        for into, sent, added in (
            (book, file, 0),
            (other, file.splitlines()[1], 1),
            (other, file + file, 1),
            (other, file, 0),
        ):
            answer = await into.ask("POST", "/games.jsonl", content=sent)
            known = len(sent.splitlines()) - added
            assert answer.json() == {"added": added, "known": known, "left_out": 0}
        found = await other.until(2, judged=True)
        assert [game["at"] for game in found["games"]] == [game["at"] for game in before["games"]]
        assert [person["name"] for person in found["people"]] == ["Ben", "Grandma"]
        assert found["form"]
        game = found["games"][0]
        review = await other.ask("GET", f"/games/{game['table']}/{game['game']}/review")
        assert review.json()["review"]["unit"] == "win"
        assert (await other.ask("GET", "/games.jsonl")).content == file
        assert (await book.read())["total"] == 2
        bad = file + file.replace(b'"ended":', b'"ended":7,"was":')
        answer = await other.ask("POST", "/games.jsonl", content=bad)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_record")
        assert answer.json()["message"].startswith("Line 3: ")


@scenario
async def test_games_that_ended_within_a_second_keep_their_order(server: Server) -> None:
    """Whatever order they are added in, and whatever their keys are."""
    book = await Book.new(server.url)
    ends = [f"2026-11-18T17:46:31.{fraction:06}+00:00" for fraction in (1, 2, 3, 1000, 500_000)]
    lines = []
    for seed, end in enumerate(ends):
        record = record_to_json(play("junior", 2, seed=seed).record)
        lines.append(json.dumps({**record, "ended": end}).encode())
    for line in reversed(lines):
        answer = await book.ask("POST", "/games.jsonl", content=line)
        assert answer.json()["added"] == 1
    exported = (await book.ask("GET", "/games.jsonl")).content.splitlines()
    assert [json.loads(line)["ended"] for line in exported] == ends
    assert [json.loads(line)["moves"] for line in exported] == [
        json.loads(line)["moves"] for line in lines
    ]


@scenario
async def test_without_the_secret_there_is_no_book(server: Server) -> None:
    book, other = await Book.new(server.url), await Book.new(server.url)
    async with sitting(server.url, "Ada", "Ben") as client:
        async with httpx.AsyncClient(base_url=server.url) as http:
            for secret in (None, "", "Bearer", f"Bearer {other.secret}", f"Basic {book.secret}"):
                headers = {"authorization": secret} if secret is not None else {}
                for method, path in (
                    ("GET", ""),
                    ("DELETE", ""),
                    ("GET", "/games.jsonl"),
                    ("POST", "/games.jsonl"),
                    ("DELETE", "/games/fox/0"),
                    ("GET", "/games/fox/0/review"),
                ):
                    answer = await http.request(
                        method, f"/api/books/{book.id}{path}", headers=headers
                    )
                    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_book")
        for named in ({"book": book.id}, {"book": book.id, "secret": other.secret}):
            assert await client.refused("book", **named) == "no_such_book"
        async with Client(server.url, client.name) as watcher:
            code = await watcher.refused("book", book=book.id, secret=book.secret)
            assert code == "not_host"
        assert (await book.read())["total"] == 0
        assert book.secret not in server.log
        rows = json.dumps([str(row) for row in await _all_books(server.location)])
        assert book.secret not in rows


async def _all_books(location: str) -> list[Any]:
    store = open_store(location, beside=True)
    await store.open()
    try:
        return await store.books("", 100)
    finally:
        await store.close()


STRANGE: Final = (
    ("POST", "", b'{"name": ""}'),
    ("POST", "", json.dumps({"name": "x" * 41}).encode()),
    ("POST", "", b'{"name": "a\\u0000b"}'),
    ("POST", "", b'{"name": "\\ud800"}'),
    ("POST", "", b'{"name": 7}'),
    ("POST", "", b"[" * 5000),
    ("POST", "/people", b'{"names": [], "to": "Ada"}'),
    ("POST", "/people", json.dumps({"names": ["a"] * 51, "to": "Ada"}).encode()),
    ("POST", "/people", b'{"names": ["Ada"], "to": " "}'),
    ("POST", "/people", b'{"names": ["Ada"], "to": "x\\u0000"}'),
    ("POST", "/games.jsonl", b"not a game"),
    (
        "POST",
        "/games.jsonl",
        b'{"heckmeck": 1, "edition": "junior", "seats": ["A", "B"], "moves": []}',
    ),
    ("POST", "/games.jsonl", b"\x00" * 300_000),
    ("GET", "?from=yesterday", b""),
    ("GET", "?from=0001-01-01T00:00:00%2B14:00", b""),
    ("GET", "/games/fox/-1/review", b""),
    ("GET", "/games/fox/99999999999999999999/review", b""),
    ("GET", "/games/%00/1/review", b""),
)


@scenario
async def test_strange_requests_are_refused(server: Server) -> None:
    book = await Book.new(server.url)
    for method, path, content in STRANGE:
        answer = await book.ask(method, path, content=content)
        assert 400 <= answer.status_code < 500, (method, path, content, answer.text)
        assert answer.json()["type"] == "problem"
    assert (await book.read())["name"] == "Lovelaces"


@scenario
async def test_names_that_are_not_there_are_harmless(server: Server) -> None:
    book = await Book.new(server.url)
    odd = ["\u0000", "<b>", "__proto__", "😀" * 20, '"']
    answer = await book.ask("POST", "/people", json={"names": odd, "to": "Ada"})
    assert answer.status_code in (204, 400)
    assert (await book.read())["people"] == []


async def play_to_the_end(live: LiveTable, secrets: Sequence[str]) -> None:
    """Play as the server does, without anybody who keeps games in books."""
    rooster, hashes = BOTS["rooster"].load(), [hash_of(secret) for secret in secrets]
    while live.table.match is not None and live.table.status is Status.PLAYING:
        choice = word(rooster.choose(live.table.match.state, SeededLuck(live.table.n)))
        await live.run(m.Move(f"m{live.table.n}", live.table.n, choice), hashes)


@scenario
async def test_a_server_that_was_killed_keeps_the_game_when_it_is_back(
    location: str, tmp_path: Path
) -> None:
    """However it ended between the end of the game and the page: the log says what is owed."""
    with Server(tmp_path, location, timing={"due": 0.2}) as server:
        book = await Book.new(server.url)
        async with sitting(server.url, "Ada", "Ben") as client:
            await client.do("book", book=book.id, secret=book.secret)
            await client.do("start")
            store = open_store(location, beside=True)
            await store.open()
            server.kill()  # from here on, only the log is written, and nobody reads it
            live = admin.live_table(store, await admin.find(store, client.name))
            await play_to_the_end(live, client.secrets)
            assert live.table.owed
            assert await store.count_pages(book.id) == 0
            await store.close()
            server.start()
            store = open_store(location, beside=True)
            found = await book.until(1)
            assert found["games"][0]["table"] == client.name
            await store.open()
            while (await admin.find(store, client.name)).entries[
                -1
            ].text != '{"do":"kept","game":0}':
                await asyncio.sleep(0.05)
            assert await store.due(datetime.now(UTC), 9) == []
            assert await store.count_pages(book.id) == 1
            await store.close()


@scenario
async def test_limits_of_books(tmp_path: Path) -> None:
    limits: Limits = replace(GENEROUS, books=Rate(0.001, 2), book_games=1)
    with Server(tmp_path, limits=asdict(limits)) as server:
        book = await Book.new(server.url)
        await Book.new(server.url)
        async with httpx.AsyncClient(base_url=server.url) as http:
            answer = await http.post("/api/books", json={"name": "third"})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        async with sitting(server.url, "Ada", "Ben") as client:
            await client.do("book", book=book.id, secret=book.secret)
            for _ in range(2):
                await client.do("start")
                await client.play_on()
                await client.do("rematch")
            await client.until(lambda me: sum(e["do"] == "kept" for e in me.entries.values()) == 2)
            assert (await book.read())["total"] == 1
            other = await http_record(server.url, client.name, 1)
            answer = await book.ask("POST", "/games.jsonl", content=other)
            assert answer.json() == {"added": 0, "known": 0, "left_out": 1}
            async with sitting(server.url, "Ada", "Ben") as second:
                assert await second.refused("book", book=book.id, secret=book.secret) == "too_many"


@scenario
async def test_a_book_outlives_its_tables(server: Server) -> None:
    book = await Book.new(server.url)
    async with sitting(server.url, "Ada", "Ben") as client:
        await client.do("book", book=book.id, secret=book.secret)
        await client.do("start")
        await client.play_on()
        await book.until(1, judged=True)
        store = open_store(server.location, beside=True)
        await store.open()
        await admin.delete(store, client.name)
        await store.unjudge(book.id)
        await store.close()
        found = await book.until(1, judged=True)
        assert found["form"]
        review = await book.ask("GET", f"/games/{client.name}/0/review")
        assert review.status_code == 200
