"""Hosts who look after tables while people sit at them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import msgspec
import pytest

from heckmeck.cli import main
from heckmeck.dice import check_dice
from heckmeck.dice.fair import promise
from heckmeck.record import record_to_json
from heckmeck.server import admin
from heckmeck.server.admin import Keep, prune
from heckmeck.server.store import (
    NoSuchTable,
    Page,
    Store,
    StoredBook,
    StoredTable,
    StoreError,
    Summary,
    open_store,
)
from heckmeck.table import views
from heckmeck.table.keys import Vault
from heckmeck.table.lobby import new_table
from heckmeck.wire import entries as a
from heckmeck.wire.setup import Setup, Status
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server
from tests.server.store.postgres import Postgres

NOW = datetime.now(UTC)


@asynccontextmanager
async def opened(location: str, *, beside: bool = False) -> AsyncIterator[Store]:
    store = open_store(location, beside=beside)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


async def add(store: Store, name: str, status: Status = Status.WAITING) -> None:
    """Make a table as the hub does, and call it what it is not."""
    vault = Vault(bytes(32))
    words = new_table(Setup("classic"), ["chick"], "", vault)
    summary = Summary(status, '{"seats":2,"players":["The chick"]}')
    await store.create(StoredTable.new(name, True, "classic", vault.secret, summary, words))


def status_of(client: Client) -> str:
    return str(client.table["status"])


@scenario
async def test_a_running_server_notices(location: str, tmp_path: Path) -> None:
    with Server(tmp_path / "server", location) as server:
        made = await create(server.url, pace=0)
        name = made["id"]
        async with (
            Client(server.url, name, [made["secret"]]) as ann,
            opened(location, beside=True) as store,
        ):
            await ann.sit("Ann")
            await ann.sit("Bob")
            await ann.do("start")
            await ann.do("move", at=ann.n, move="roll")
            assert await admin.forget(store, "Bob") == [name]
            await ann.until(lambda ann: ann.table["seats"][1]["name"] == "Player 2")
            assert await admin.close(store, name)
            await ann.until(lambda ann: status_of(ann) == "closed")
            assert ann.table["dice"]["seed"]
            assert await ann.refused("move", at=ann.n, move="roll") == "closed"
            assert not await admin.close(store, name)
            await admin.delete(store, name)
            with pytest.raises(NoSuchTable):
                await admin.close(store, name)
            assert await ann.refused("name", seat=0, name="Eve") == "closed"
        async with asyncio.timeout(20):
            while httpx.get(f"{server.url}/api/tables/{name}").status_code != 404:
                await asyncio.sleep(0.05)
        assert "Traceback" not in server.log


def test_the_command_line_takes_postgresql(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    location, backup = postgres.fresh(), str(tmp_path / "backup")

    def run(*args: str) -> str:
        status = main(["admin", *args, "--db", location])
        shown = capsys.readouterr()
        assert (status == 0) is (not shown.err)
        return shown.out + shown.err

    async def make() -> None:
        async with opened(location) as store:
            await add(store, "fox")

    assert "Start 'heckmeck serve' with it once" in run("list")
    asyncio.run(make())
    assert "fox" in run("list")
    assert run("backup", backup) == "Saved 1 table with 2 entries.\n"
    assert run("delete", "fox", "--yes") == "Deleted 1 table.\n"
    assert run("list") == "There are no tables.\n"
    assert run("restore", backup) == "Restored 1 table with 2 entries.\n"
    assert "fox" in run("list")


# --- retention ------------------------------------------------------------------------------------


async def names(store: Store) -> set[str]:
    return {overview.row.id async for overview in admin.tables(store)}


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        (Keep(), {"waiting", "playing", "over", "closed"}),
        (Keep(finished=9), {"waiting", "playing"}),
        (Keep(abandoned=9), {"over", "closed"}),
        (Keep(finished=9, abandoned=9), set()),
        (Keep(finished=11, abandoned=9), {"over", "closed"}),
    ],
)
@scenario
async def test_finished_and_abandoned_tables_are_kept_apart(
    location: str, keep: Keep, kept: set[str]
) -> None:
    async with opened(location) as store:
        for status in Status:
            await add(store, str(status), status)
        assert await prune(store, keep, NOW) == 0
        assert await prune(store, keep, NOW + timedelta(days=10)) == 4 - len(kept)
        assert await names(store) == kept
        for name in kept:
            assert await store.load(name) is not None
        for status in set(Status) - kept:
            assert await store.entries(status, -1) == []


@scenario
async def test_what_is_in_use_stays_and_many_go(
    location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin, "BATCH", 3)
    async with opened(location) as store:
        for number in range(10):
            await add(store, f"table {number}")
        later = NOW + timedelta(days=10)
        used = {"table 1", "table 5", "table 6", "table 7"}
        assert await prune(store, Keep(None, 9), later, used.__contains__) == 6
        assert await names(store) == used


@scenario
async def test_a_table_that_comes_to_life_meanwhile_stays(location: str) -> None:
    async with opened(location) as store:
        await add(store, "fox")
        (overview,) = await store.overview("", 9)
        await store.append("fox", overview.n + 1, [a.write(a.WentAway(0))])
        assert not await admin.retire(store, overview)
        assert await names(store) == {"fox"}


@scenario
async def test_a_server_prunes_by_itself(location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "FIRST_SECONDS", 0.0)
    async with opened(location) as store:
        await add(store, "old", Status.OVER)
        task = asyncio.create_task(admin.prune_now_and_then(store, Keep(0, None), lambda _: False))
        async with asyncio.timeout(20):
            while await names(store):
                await asyncio.sleep(0.02)
        task.cancel()
    await admin.prune_now_and_then(store, Keep(), lambda _: False)  # nothing to do, ever


# --- names ----------------------------------------------------------------------------------------


async def played(server: Server) -> str:
    """A table at which Ann, who was Anna before, has beaten a bot, or not, in two games."""
    made = await create(server.url, "junior", ["chick"], pace=0)
    async with Client(server.url, made["id"], [made["secret"]]) as ann:
        await ann.sit("Anna")
        await ann.do("promise_salt", seat=0, promise=promise("Ann was here"))
        await ann.do("start")
        await ann.do("show_salt", seat=0, salt="Ann was here")
        await ann.play_on()
        await ann.do("rematch")
        await ann.do("name", seat=0, name="Ann")
        await ann.do("start")
        await ann.play_on()
    return made["id"]


def text_of(stored: StoredTable) -> str:
    return stored.row.summary.text + " ".join(entry.text for entry in stored.entries)


@scenario
async def test_a_forgotten_name_is_nowhere_and_dice_can_be_checked(server: Server) -> None:
    name = await played(server)
    async with opened(server.location, beside=True) as store:
        before = admin.records(await admin.find(store, name))
        assert [record.seats[0] for record in before] == ["Anna", "Ann"]
        for number, record in enumerate(before):
            answer = httpx.get(f"{server.url}/api/tables/{name}/record", params={"game": number})
            assert answer.json() == record_to_json(record)
        for who in ("Anna", "Ann"):
            assert await admin.forget(store, who) == [name]
            assert await admin.forget(store, who) == []
        stored = await admin.find(store, name)
        after = admin.records(stored)
        assert [record.seats[0] for record in after] == ["Player 1", "Player 1"]
        assert [record.moves for record in after] == [record.moves for record in before]
        assert all(check_dice(record) for record in after)
        assert '"Ann' not in text_of(stored).replace('"Ann was here"', "")
        assert "Player 1" in views.listed(stored.row.summary.text).players


@scenario
async def test_names_in_records_that_were_brought_along(location: str) -> None:
    extra = {"event": "Ann", "fair": {"words": ["Ann"]}, "people": [{"name": "Ann"}, "Anna", 3]}
    created = a.Created(
        Setup("classic"), names=("Ann", "Bob"), extra=msgspec.json.encode(extra).decode()
    )
    async with opened(location) as store:
        await store.create(
            StoredTable.new(
                "fox",
                True,
                "classic",
                bytes(32),
                Summary(Status.CLOSED, '{"seats":2,"players":["Bob","Ann"]}'),
                (a.write(created), "unreadable", '{"unreadable": "Ann"}'),
            )
        )
        assert await admin.forget(store, "Ann") == ["fox"]
        stored = await admin.find(store, "fox")
        entry = a.read(stored.entries[0].text)
        assert isinstance(entry, a.Created)
        assert entry.names == ("Player 1", "Bob")
        assert msgspec.json.decode(entry.extra) == {
            "event": "Player",
            "fair": {"words": ["Ann"]},
            "people": [{"name": "Player"}, "Anna", 3],
        }
        assert views.listed(stored.row.summary.text).players == ["Bob", "Player 2"]


# --- family books ---------------------------------------------------------------------------------


def a_page(book: str, number: int, at: datetime, name: str = "Ann") -> Page:
    record = f'{{"heckmeck": 1, "seats": ["{name}", "Bob"], "moves": []}}'
    facts = f'{{"names": ["{name}", "Bob"]}}'
    return Page(book, "fox", number, 5, at, facts, "{}", record)


@scenario
async def test_a_forgotten_name_is_in_no_book(location: str) -> None:
    async with opened(location) as store:
        people = '{"Annie":"Ann","Bobby":"Bob"}'
        for book, name, who in (("ann", "Ann", people), ("bob", "Family", "{}")):
            await store.add_book(StoredBook(book, NOW, "ab12", name, who))
            await store.add_page(a_page(book, len(book + name), NOW), 9)
        await store.add_page(a_page("bob", 99, NOW, "Eve"), 9)
        await store.judge_page(a_page("bob", 99, NOW, "Eve"))
        assert await admin.forget_in_books(store, "Ann") == ["ann", "bob"]
        assert await admin.forget_in_books(store, "Ann") == []
        for book, name in (("ann", "Book"), ("bob", "Family")):
            found = await admin.find_book(store, book)
            assert (found.name, "Ann" in found.people) == (name, False)
            pages = await store.records(book, 0, 9)
            assert "Ann" not in "".join(f"{page.record} {page.facts}" for page in pages)
            assert '"Player 1"' in pages[0].record
        assert len(await store.unjudged("bob", 9)) == 1  # not the game of Eve
        with pytest.raises(StoreError, match="heckmeck admin books"):
            await admin.find_book(store, "nobody")


@scenario
async def test_books_without_a_game_for_long_are_pruned(location: str) -> None:
    async with opened(location) as store:
        old, lately = NOW - timedelta(days=100), NOW - timedelta(days=5)
        for book, made, last in (("a", old, lately), ("b", old, old), ("c", old, None)):
            await store.add_book(StoredBook(book, made, "ab12", book))
            if last:
                await store.add_page(a_page(book, ord(book), last), 9)
        await store.add_book(StoredBook("d", lately, "ab12", "d"))
        assert await admin.prune_books(store, Keep()) == 0
        assert await admin.prune_books(store, Keep(books=30)) == 2
        assert [overview.book.id async for overview in admin.books(store)] == ["a", "d"]
