"""Databases that are there and do not answer."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    closing,
    contextmanager,
    suppress,
)
from pathlib import Path

import psycopg
import pytest

from heckmeck.server.store import (
    Append,
    Conflict,
    Missed,
    Store,
    StoreError,
    StoreUnavailable,
    batcher,
    checked,
    postgres_link,
)
from heckmeck.server.store.batcher import Batcher
from tests.server.conftest import Count
from tests.server.store.places import Place, in_loop, new_game, texts_of
from tests.server.store.postgres import Postgres

OURS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'heckmeck'"
WRITER = f"{OURS} AND query LIKE '%INSERT INTO games%'"
LISTENER = f"{OURS} AND (query LIKE 'LISTEN%' OR query LIKE '%listening%')"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr(postgres_link, "PATIENCE_SECONDS", 0.6)
    monkeypatch.setattr(postgres_link, "SHORT_PATIENCE_SECONDS", 0.3)
    monkeypatch.setattr(postgres_link, "STATEMENT_SECONDS", 0.3)
    monkeypatch.setattr(postgres_link, "LISTEN_SECONDS", 0.3)


@contextmanager
def locked(place: Place, tables: str) -> Iterator[None]:
    """Somebody works on the tables, and nobody else may."""
    with psycopg.connect(place.location) as other:
        other.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        other.rollback()


@contextmanager
def stopped(pids: Sequence[object]) -> Iterator[None]:
    """Processes that are there and do nothing."""
    assert pids
    send_to_all(pids, signal.SIGSTOP)
    try:
        yield
    finally:
        send_to_all(pids, signal.SIGCONT)


def send_to_all(pids: Sequence[object], sign: signal.Signals) -> None:
    """Send a signal to the processes, some of which may just have ended by themselves."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(int(str(pid)), sign)


@asynccontextmanager
async def in_thread(manager: AbstractContextManager[None]) -> AsyncIterator[None]:
    """Enter and leave in a thread: a lock waits for a reader, which reads in the event loop."""
    await asyncio.to_thread(manager.__enter__)
    try:
        yield
    finally:
        await asyncio.to_thread(manager.__exit__, None, None, None)


async def is_unavailable(store: Store) -> None:
    """Find that nothing can be read or written, and that one is told so."""
    for call in (store.append("fox", 1, ["roll"]), store.load("fox"), store.probe(writing=False)):
        with pytest.raises(StoreUnavailable, match="cannot be used"):
            await call


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_locked_table(postgres: Postgres) -> None:
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with locked(place, "games, entries"):
            await is_unavailable(store)
        assert await texts_of(store, "fox") == ["created"]
        await store.append("fox", 1, ["roll"])


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_stopped_backend_is_left_for_another(postgres: Postgres) -> None:
    """What it was asked to write it writes later, or not, but not beside what was written since."""
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with stopped([pid for (pid,) in place.rows(WRITER)]):
            with pytest.raises(StoreUnavailable, match="it does not answer"):
                await store.append("fox", 1, ["roll", "=11111111"])
            await store.append("fox", 1, ["roll", "=22222222"])
        await store.append("fox", 3, ["keep:2"])
        assert await texts_of(store, "fox") == ["created", "roll", "=22222222", "keep:2"]


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_stopped_listener_is_left_for_another(postgres: Postgres) -> None:
    """It says nothing, like one without news; what was missed meanwhile has to be read."""
    place = Place(postgres.fresh())
    async with place.opened() as store:
        news = store.changes()
        assert await anext(news) == Missed()
        with stopped([pid for (pid,) in place.rows(LISTENER)]):
            async with asyncio.timeout(60):
                assert await anext(news) == Missed()


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_a_stopped_server(postgres: Postgres) -> None:
    place = Place(postgres.fresh())
    with psycopg.connect(postgres.url) as one:
        found = one.execute("SELECT pg_read_file('postmaster.pid')").fetchone()
        assert found is not None
        postmaster = found[0].split()[0]
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with stopped([postmaster, *(pid for (pid,) in place.rows(OURS))]):
            await is_unavailable(store)
            await is_unavailable(store)
        with suppress(Conflict):  # the first one may be written after all
            await store.append("fox", 1, ["roll"])
        assert await texts_of(store, "fox") == ["created", "roll"]


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_who_waits_for_the_same_database_is_told_at_the_same_time(
    postgres: Postgres,
) -> None:
    place = Place(postgres.fresh())
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with locked(place, "games, entries"):
            async with asyncio.timeout(10):  # one after the other would take half a minute
                calls = (store.load("fox") for _ in range(50))
                refused = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(error) for error in refused} == {StoreUnavailable}


@in_loop
async def test_a_file_that_does_not_answer(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself would wait for a minute; a disk that hangs is the same to us."""
    monkeypatch.setattr("heckmeck.server.store.sqlite_file.PATIENCE_SECONDS", 60)
    limit = "heckmeck.server.store.sqlite_file.LIMIT_SECONDS"
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))
        with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            monkeypatch.setattr(limit, 0.2)
            for word in ("late", "never begun", "never begun"):
                with pytest.raises(StoreUnavailable, match=r"has not answered for 0\.2 seconds"):
                    await store.append("fox", 1, [word])
            monkeypatch.setattr(limit, 60)  # however busy the machine is
            assert await texts_of(store, "fox") == ["created"]
            other.execute("COMMIT")
        with pytest.raises(Conflict):
            await store.append("fox", 1, ["roll"])
        assert await texts_of(store, "fox") == ["created", "late"]


@in_loop
async def test_who_has_waited_for_a_batch_that_failed_does_not_wait_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batcher, "PATIENCE_SECONDS", 0.0)
    fail = asyncio.Event()

    async def commit(_: Sequence[Append]) -> Sequence[StoreError | None]:
        await fail.wait()
        fail.clear()  # a second batch would wait for ever
        raise StoreUnavailable("It is away.")

    writing = Batcher(commit)
    first = asyncio.create_task(writing.add(checked("fox", 1, ["roll"], None)))
    await asyncio.sleep(0)
    second = asyncio.create_task(writing.add(checked("hen", 1, ["roll"], None)))
    await asyncio.sleep(0)
    fail.set()
    for waiting in (first, second):
        with pytest.raises(StoreUnavailable, match="It is away"):
            await waiting


async def keep_writing(store: Store, game: str, acknowledged: dict[tuple[str, int], str]) -> None:
    """Write for ever, as a table does: after a failure it looks what was written, and goes on."""
    n = 1
    while True:
        word = f"{n} {len(acknowledged)}"
        try:
            await store.append(game, n, [word])
        except (StoreUnavailable, Conflict):
            with suppress(StoreUnavailable):
                n = 1 + (await store.entries(game, -1))[-1].n
        else:
            acknowledged[game, n] = word
            n += 1


async def hang_again_and_again(place: Place, times: int, count: Count, seed: int = 6) -> None:
    """Lock the tables and stop processes at random moments, while entries are written."""
    moments = random.Random(seed)
    games = [f"game {index}" for index in range(4)]
    acknowledged: dict[tuple[str, int], str] = {}
    async with place.opened() as store:
        for game in games:
            await store.create(new_game(game))
        writers = [asyncio.create_task(keep_writing(store, game, acknowledged)) for game in games]
        for _ in range(times):
            await asyncio.sleep(0.1 * moments.random())
            pids = [pid for (pid,) in place.rows(f"{OURS} AND query LIKE '%INTO entries%'")]
            # A stopped process may hold locks that another one needs: only it can let them go.
            is_stop = pids and moments.random() < 0.5
            async with in_thread(stopped(pids) if is_stop else locked(place, "entries")):
                await asyncio.sleep(0.2 + moments.random())
        before = len(acknowledged)
        async with asyncio.timeout(60):
            while len(acknowledged) < before + 20:
                await asyncio.sleep(0.02)
        for writer in writers:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        for game in games:
            words = await texts_of(store, game)
            assert len(words) == len(set(words))
            for (written, n), word in acknowledged.items():
                assert written != game or words[n] == word
    count("locks and stops of PostgreSQL", times)
    count("entries acknowledged by a PostgreSQL that hangs, all there once", len(acknowledged))
    assert len(acknowledged) > 5 * times


@pytest.mark.usefixtures("impatient")
@in_loop
async def test_nothing_acknowledged_is_lost_or_doubled(postgres: Postgres, count: Count) -> None:
    await hang_again_and_again(Place(postgres.fresh()), 4, count)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.usefixtures("impatient")
def test_nothing_acknowledged_is_lost_or_doubled_hundreds_of_times(
    postgres: Postgres, seed: int, count: Count
) -> None:
    asyncio.run(hang_again_and_again(Place(postgres.fresh()), 40, count, seed))
