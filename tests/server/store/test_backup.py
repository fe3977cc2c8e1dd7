"""Backups that are made while a database is written to, and put back into either kind."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
from collections.abc import Iterable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from heckmeck.server.store import Store, StoredTable, StoreError, Summary
from heckmeck.server.store.backup import back_up, restore
from heckmeck.server.store.sqlite_file import claimed
from heckmeck.wire.setup import Status
from tests.server.store.places import Place, in_loop, new_game
from tests.server.store.postgres import Postgres
from tests.server.store.test_schema import older

GAMES = ("fox", "hen", "owl", "Ünder 'quotes'")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "heckmeck.backup"


async def fill(store: Store) -> None:
    for game in GAMES:
        await store.create(new_game(game, ["created", f"{game} \U0001f41b"], public=game < "hen"))
    await store.append("fox", 2, ["roll", "=11234WWW"], Summary(Status.OVER, '{"seats": 2}'))


async def content(store: Store, games: Iterable[str] = GAMES) -> list[StoredTable | None]:
    return [await store.load(game) for game in games]


@in_loop
async def test_what_is_restored_is_what_there_was(
    place: Place, backup: Path, postgres: Postgres, tmp_path: Path
) -> None:
    async with place.opened() as store:
        await fill(store)
        before = await content(store)
        made = await back_up(place.location, backup)
    assert (made.contents.games, made.contents.entries, made.broken) == (4, 10, ())
    for target in (Place(str(tmp_path / "new.sqlite3")), Place(postgres.fresh())):
        assert await restore(backup, target.location) == made
        async with target.opened() as store:
            assert await content(store) == before
            await store.append("fox", 4, ["keep:W"])
        assert target.rows("SELECT key FROM meta") == [("schema",)]


@in_loop
async def test_a_backup_is_of_one_moment_though_the_server_writes(
    place: Place, backup: Path
) -> None:
    """Entry n of the first game is always written before entry n of the second."""
    async with place.opened() as store:
        for game in ("first", "second"):
            await store.create(new_game(game, [str(n) for n in range(2000)]))
        enough = asyncio.Event()

        async def write() -> None:
            for n in count(2000):
                if enough.is_set():
                    return
                for game in ("first", "second"):
                    await store.append(game, n, [str(n)])

        writer = asyncio.create_task(write())
        found = []
        for _ in range(5):
            await asyncio.sleep(0.02)
            made = await asyncio.to_thread(asyncio.run, back_up(place.location, backup, force=True))
            assert made.broken == ()
            with closing(sqlite3.connect(backup)) as copy:
                last = dict(copy.execute("SELECT game, max(n) FROM entries GROUP BY game"))
            assert last["first"] - last["second"] in (0, 1)
            found.append(last["first"])
        enough.set()
        await writer
    assert found == sorted(found)
    assert found[-1] > 2000
    assert {path.name for path in backup.parent.glob(f".{backup.name}*")} == set()


@in_loop
async def test_a_backup_is_one_file_for_its_owner_and_not_replaced_unasked(
    place: Place, backup: Path
) -> None:
    async with place.opened() as store:
        await fill(store)
        await back_up(place.location, backup)
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600
        assert not [*backup.parent.glob(f"{backup.name}-*")]
        content = backup.read_bytes()
        with pytest.raises(StoreError, match="Choose another name, or use --force"):
            await back_up(place.location, backup)
        assert backup.read_bytes() == content


@in_loop
async def test_tables_are_replaced_only_when_asked_for(place: Place, backup: Path) -> None:
    async with place.opened() as store:
        await fill(store)
        await back_up(place.location, backup)
        await store.create(new_game("newer"))
    with pytest.raises(StoreError, match=r"already contains tables\. Nothing was changed"):
        await restore(backup, place.location)
    async with place.opened() as store:
        assert await store.load("newer") is not None
    await restore(backup, place.location, force=True)
    async with place.opened() as store:
        assert await store.load("newer") is None
        assert None not in await content(store)


@in_loop
async def test_nothing_is_restored_under_a_running_server(
    place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.server.store.sqlite_file.ADDRESS_SECONDS", 0.0)
    async with place.opened() as store:
        await fill(store)
        await back_up(place.location, backup)
        changes = store.changes()
        if place.kind == "postgres":
            await anext(changes)
        with pytest.raises(StoreError, match=r"already being served|A server is running"):
            await restore(backup, place.location, force=True)
        assert None not in await content(store)


@pytest.mark.parametrize("damage", ["word", "page", "text", "truncated"])
@in_loop
async def test_a_damaged_backup_is_refused(sqlite_file: Path, backup: Path, damage: str) -> None:
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        await fill(store)
        await back_up(place.location, backup)
        before = await content(store)
    data = backup.read_bytes()
    match damage:
        case "word":
            assert data.count(b"=11234WWW") == 1
            backup.write_bytes(data.replace(b"=11234WWW", b"=WWWWWWWW"))
        case "page":
            backup.write_bytes(data[:4096] + bytes(4096) + data[8192:])
        case "text":
            backup.write_text("a fine backup " * 1000, encoding="utf-8")
        case _:
            backup.write_bytes(data[:9000])
    with pytest.raises(StoreError, match=str(backup)):
        await restore(backup, place.location, force=True)
    async with place.opened() as store:
        assert await content(store) == before


@in_loop
async def test_a_damaged_database_is_replaced(sqlite_file: Path, backup: Path) -> None:
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        await fill(store)
        await back_up(place.location, backup)
    sqlite_file.write_bytes(b"\xa5" * 5000)
    for beside in ("-wal", "-shm"):
        Path(f"{sqlite_file}{beside}").write_bytes(b"\xa5" * 5000)
    await restore(backup, place.location, force=True)
    async with place.opened() as store:
        assert None not in await content(store)


@in_loop
async def test_a_backup_of_an_older_heckmeck_is_brought_up_to_date(
    sqlite_file: Path, place: Place
) -> None:
    old = sqlite_file.with_name("old.backup")
    older(Place(str(old)), 1)
    await restore(old, place.location)
    async with place.opened() as store:
        assert await store.load("fox") is not None
    assert old.read_bytes()[18:20] == b"\x01\x01"  # not even turned to write-ahead logging


@in_loop
async def test_logs_with_gaps_are_named(sqlite_file: Path, backup: Path) -> None:
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        await fill(store)
    place.execute("DELETE FROM entries WHERE game = 'fox' AND n = 1")
    place.execute("DELETE FROM entries WHERE game = 'owl'")
    assert (await back_up(place.location, backup)).broken == ("fox", "owl")


@in_loop
async def test_an_older_database_is_backed_up_before_it_is_brought_up_to_date(
    sqlite_file: Path, backup: Path
) -> None:
    older(Place(str(sqlite_file)), 1)
    Place(str(sqlite_file)).execute("UPDATE meta SET value = '0'")
    content = sqlite_file.read_bytes()
    assert (await back_up(str(sqlite_file), backup)).contents.games == 1
    assert sqlite_file.read_bytes() == content


@in_loop
async def test_what_is_not_there(sqlite_file: Path, backup: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        await back_up(str(sqlite_file), backup)
    assert not backup.exists()
    with pytest.raises(StoreError, match="does not exist"):
        await restore(backup, str(sqlite_file))
    assert not sqlite_file.exists()


@in_loop
async def test_a_backup_says_what_is_in_it(sqlite_file: Path, backup: Path) -> None:
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        await fill(store)
        await store.probe(writing=True)
        made = await back_up(place.location, backup)
    ((text,),) = Place(str(backup)).rows("SELECT value FROM meta WHERE key = 'backup'")
    assert json.loads(str(text))["sha256"] == made.contents.sha256
    assert Place(str(backup)).rows("SELECT count(*) FROM meta") == [(2,)]
    with claimed(sqlite_file):
        pass  # and nobody holds the database any more
