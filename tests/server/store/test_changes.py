"""How a process hears what others write."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from heckmeck.server.store import Change, Missed, News, Store, StoreUnavailable
from tests.server.store.places import Place, in_loop, new_game
from tests.server.store.postgres import Postgres

END_LISTENERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query = 'LISTEN heckmeck' AND pid <> pg_backend_pid()
"""


@pytest.fixture
def shared(postgres: Postgres) -> Place:
    """A database for several processes."""
    return Place(postgres.fresh())


async def listening(store: Store) -> AsyncIterator[News]:
    """Return the changes from now on."""
    changes = store.changes()
    assert await soon(changes) == Missed()
    return changes


async def next_of(changes: AsyncIterator[News]) -> News:
    return await anext(changes)


async def soon(changes: AsyncIterator[News]) -> News:
    return await asyncio.wait_for(next_of(changes), 10)


@in_loop
async def test_others_hear_of_games_and_entries(shared: Place) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        changes = await listening(listener)
        await writer.create(new_game("fox", ["created", "sat"]))
        assert await soon(changes) == Change("fox", 1)
        await writer.append("fox", 2, ["roll"])
        assert await soon(changes) == Change("fox", 2)
        await writer.append("fox", 3, ["=11234WWW", "keep:W"])
        assert await soon(changes) == Change("fox", 4)


@in_loop
async def test_what_is_told_is_there_already(shared: Place) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        changes = await listening(listener)
        await writer.create(new_game("fox"))
        await soon(changes)
        for n in range(1, 10):
            await writer.append("fox", n, ["roll"])
            change = await soon(changes)
            assert isinstance(change, Change)
            assert [entry.n for entry in await listener.entries("fox", n - 1)] == [n]


@in_loop
async def test_nobody_hears_of_their_own_writes_or_of_what_was_refused(shared: Place) -> None:
    async with shared.opened() as ada, shared.opened() as ben:
        await ada.create(new_game("fox"))
        of_ada, of_ben = await listening(ada), await listening(ben)
        await ada.append("fox", 1, ["by Ada"])
        assert await soon(of_ben) == Change("fox", 1)
        answers = await asyncio.gather(
            ben.append("fox", 1, ["too late"]), ben.append("hen", 1, ["x"]), return_exceptions=True
        )
        assert all(isinstance(answer, Exception) for answer in answers)
        await ben.append("fox", 2, ["by Ben"])
        assert await soon(of_ada) == Change("fox", 2)


@in_loop
async def test_a_batch_tells_each_of_its_games(shared: Place) -> None:
    games = [f"game {index}" for index in range(30)]
    async with shared.opened() as writer, shared.opened() as listener:
        for game in games:
            await writer.create(new_game(game))
        changes = await listening(listener)
        await asyncio.gather(*(writer.append(game, 1, ["roll"]) for game in games))
        told = {await soon(changes) for _ in games}
        assert told == {Change(game, 1) for game in games}


@in_loop
async def test_a_dropped_connection_is_made_again_and_said_so(shared: Place) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        await writer.create(new_game("fox"))
        changes = await listening(listener)
        for n in range(1, 4):
            shared.execute(END_LISTENERS)
            assert await soon(changes) == Missed()
            await writer.append("fox", n, ["roll"])
            assert await soon(changes) == Change("fox", n)


@in_loop
async def test_it_listens_again_when_the_server_is_back(
    shared: Place, postgres: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        await writer.create(new_game("fox"))
        changes = await listening(listener)
        await asyncio.to_thread(postgres.crash)
        await asyncio.sleep(0.5)  # several tries
        await asyncio.to_thread(postgres.start)
        assert await soon(changes) == Missed()
        await writer.append("fox", 1, ["roll"])
        assert await soon(changes) == Change("fox", 1)
    assert caplog.text.count("listening again soon") == 1


@in_loop
async def test_notifications_of_others_are_not_taken_for_ours(shared: Place) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        changes = await listening(listener)
        for payload in ("", "worm", "fox:", ":3", "fox:three", "fox:-1"):
            shared.execute(f"NOTIFY heckmeck, '{payload}'")
        shared.execute("NOTIFY others, 'fox:1'")
        shared.execute("NOTIFY heckmeck, 'a:b:7'")
        assert await soon(changes) == Change("a:b", 7)
        await writer.create(new_game("fox"))
        assert await soon(changes) == Change("fox", 0)


@in_loop
async def test_several_may_listen_in_one_process(shared: Place) -> None:
    async with shared.opened() as writer, shared.opened() as listener:
        first, second = await listening(listener), await listening(listener)
        await writer.create(new_game("fox"))
        assert await soon(first) == await soon(second) == Change("fox", 0)


@in_loop
async def test_closing_ends_the_news(place: Place) -> None:
    async with place.opened() as store:
        heard = asyncio.create_task(_all(store))
        await asyncio.sleep(0.05)
        assert not heard.done()
        await store.close()
        assert await asyncio.wait_for(heard, 10) in ([], [Missed()])
        assert await _all(store) == []


async def _all(store: Store) -> list[News]:
    return [news async for news in store.changes()]


@in_loop
async def test_who_stops_listening_leaves_no_connection_behind(shared: Place) -> None:
    count = "SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN heckmeck'"
    async with shared.opened() as store:
        heard = asyncio.create_task(_all(store))
        while shared.rows(count) == [(0,)]:
            await asyncio.sleep(0.01)
        heard.cancel()
        await asyncio.gather(heard, return_exceptions=True)
        while shared.rows(count) != [(0,)]:
            await asyncio.sleep(0.01)


@in_loop
async def test_what_others_write_to_a_file_is_noticed_and_what_we_write_is_no_news(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.server.store.sqlite.LOOK_SECONDS", 0.01)
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        changes = store.changes()
        first = asyncio.create_task(next_of(changes))
        await store.create(new_game("fox"))
        for n in range(1, 100):  # SQLite tidies up after 1000 pages
            await store.append("fox", n, ["x" * 50_000])
        await asyncio.sleep(0.05)
        assert not first.done()
        async with place.opened() as other:
            await other.append("fox", 100, ["closed"])
            assert await asyncio.wait_for(first, 10) == Missed()


@in_loop
async def test_a_file_that_is_held_is_looked_at_later(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.server.store.sqlite.LOOK_SECONDS", 0.01)
    monkeypatch.setattr("heckmeck.server.store.sqlite_file.LIMIT_SECONDS", 0.1)
    place = Place(str(sqlite_file))
    async with place.opened() as store, place.opened() as other:
        await store.create(new_game("fox"))
        news = asyncio.create_task(next_of(store.changes()))
        with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable):
                await store.append("fox", 1, ["roll"])
            await asyncio.sleep(0.3)
            holder.execute("ROLLBACK")
        await asyncio.sleep(0.5)
        await other.create(new_game("hen"))
        assert await asyncio.wait_for(news, 10) == Missed()
