"""Connections to PostgreSQL that break, at the worst moments."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from heckmeck.server.store import Conflict, Store, StoreUnavailable, TableExists, postgres_link
from heckmeck.server.store.postgres_link import DatabaseAddress
from tests.server.store.places import Place, in_loop, new_game, texts_of
from tests.server.store.postgres import Postgres
from tests.server.store.proxy import proxied

INSERT = b"INSERT INTO entries"  # in the text of every write, until the statement is prepared
END_CONNECTIONS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'heckmeck'
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name, as the path of a socket must not be long."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@in_loop
async def test_a_connection_ended_by_the_server_is_made_again(postgres: Postgres) -> None:
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        for n in range(1, 4):
            place.execute(END_CONNECTIONS)
            await store.append("fox", n, [str(n)])
            place.execute(END_CONNECTIONS)
            everybody = await asyncio.gather(*(texts_of(store, "fox") for _ in range(20)))
            assert everybody == [["created", *map(str, range(1, n + 1))]] * 20


@in_loop
async def test_writers_go_on_when_a_server_that_crashed_is_back(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 50)
    written = {f"game {index}": ["created"] for index in range(8)}
    enough = asyncio.Event()

    async def play(store: Store, game: str) -> None:
        while not enough.is_set():
            words = [f"{len(written[game])}.{part}" for part in range(2)]
            await store.append(game, len(written[game]), words)
            written[game] += words

    async def until_all_have_written() -> None:
        aims = {game: len(words) + 4 for game, words in written.items()}
        while any(len(written[game]) < aim for game, aim in aims.items()):
            await asyncio.sleep(0.01)

    async with Place(postgres.fresh()).opened() as store:
        for game in written:
            await store.create(new_game(game))
        playing = [asyncio.create_task(play(store, game)) for game in written]
        await until_all_have_written()
        await asyncio.to_thread(postgres.crash)
        await asyncio.to_thread(postgres.start)
        await until_all_have_written()
        enough.set()
        await asyncio.gather(*playing)
        for game, words in written.items():
            assert await texts_of(store, game) == words


@in_loop
async def test_an_entry_whose_acknowledgement_was_lost_is_written_once(
    postgres: Postgres, folder: Path
) -> None:
    url = postgres.fresh()
    async with proxied(url, folder) as (proxy, detour), Place(detour).opened() as store:
        for game in ("fox", "hen", "owl"):
            await store.create(new_game(game))
        proxy.lose_answer_to(INSERT)
        writes = [
            store.append("fox", 1, ["roll", "=11234WWW"]),
            store.append("hen", 0, ["stale"]),
            store.append("owl", 1, ["roll"]),
        ]
        fox, hen, owl = await asyncio.gather(*writes, return_exceptions=True)
        assert proxy.answers_lost == 1
        assert tuple(await store.entries("fox", 0)) == fox
        assert isinstance(hen, Conflict)
        assert await texts_of(store, "hen") == ["created"]
        assert tuple(await store.entries("owl", 0)) == owl
        await store.append("fox", 3, ["keep:W"])


@in_loop
async def test_an_entry_that_another_wrote_meanwhile_is_not_taken_for_ours(
    postgres: Postgres, folder: Path
) -> None:
    """Our first try does not arrive, and theirs, with the same word, does."""
    url = postgres.fresh()
    async with (
        proxied(url, folder) as (proxy, detour),
        Place(detour).opened() as store,
        Place(url).opened() as other,
    ):
        await store.create(new_game("fox"))
        proxy.refusing = True
        proxy.cut()
        ours = asyncio.create_task(store.append("fox", 1, ["roll"]))
        await asyncio.sleep(0.1)
        theirs = await other.append("fox", 1, ["roll"])
        proxy.refusing = False
        with pytest.raises(Conflict):
            await ours
        assert await other.entries("fox", 0) == [*theirs]


@in_loop
async def test_a_game_whose_acknowledgement_was_lost_is_created_once(
    postgres: Postgres, folder: Path
) -> None:
    url = postgres.fresh()
    async with proxied(url, folder) as (proxy, detour), Place(detour).opened() as store:
        proxy.lose_answer_to(INSERT)
        made = new_game("fox")
        await store.create(made)
        assert proxy.answers_lost == 1
        assert await store.load("fox") == made
        proxy.lose_answer_to(INSERT)
        with pytest.raises(TableExists):
            await store.create(new_game("fox"))
        assert proxy.answers_lost == 2


@in_loop
async def test_patience_ends(
    postgres: Postgres, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 0.2)
    url = postgres.fresh()
    async with proxied(url, folder) as (proxy, detour), Place(detour).opened() as store:
        await store.create(new_game("fox"))
        proxy.refusing = True
        proxy.cut()
        for call in (store.append("fox", 1, ["roll"]), store.load("fox"), store.count()):
            with pytest.raises(StoreUnavailable, match="cannot be used"):
                await call
        proxy.refusing = False
        await store.append("fox", 1, ["roll"])


@in_loop
async def test_an_error_that_waiting_does_not_mend_is_told_at_once(postgres: Postgres) -> None:
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        place.execute("ALTER TABLE entries RENAME TO hidden")
        with pytest.raises(StoreUnavailable, match='relation "entries" does not exist'):
            await store.append("fox", 1, ["roll"])
        place.execute("ALTER TABLE hidden RENAME TO entries")
        await store.append("fox", 1, ["roll"])


@in_loop
async def test_closing_ends_reads_under_way(postgres: Postgres) -> None:
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        reads = [asyncio.create_task(_loaded(store)) for _ in range(20)]
        await asyncio.sleep(0)
        await store.close()
        assert all(await asyncio.gather(*reads))


async def _loaded(store: Store) -> bool:
    """Load a game: it must be whole, or the store must say that it is closed."""
    try:
        game = await store.load("fox")
    except StoreUnavailable:
        return True
    return game is not None and len(game.entries) == 1


@pytest.mark.parametrize(("configured", "used"), [("off", "on"), ("local", "local"), ("on", "on")])
@in_loop
async def test_a_server_that_acknowledges_too_early_does_not_do_so_to_us(
    postgres: Postgres, configured: str, used: str
) -> None:
    url = f"{postgres.url}&options=-csynchronous_commit%3D{configured}%20-cTimeZone%3DAsia/Tokyo"
    async with await DatabaseAddress(url).connect() as connection:
        found = await connection.execute("SHOW synchronous_commit")
        assert await found.fetchone() == (used,)
        found = await connection.execute("SHOW TimeZone")
        assert await found.fetchone() == ("UTC",)
