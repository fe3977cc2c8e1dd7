"""Databases of older and of newer versions of heckmeck."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from heckmeck.dice import check_dice
from heckmeck.record import read_record, write_json
from heckmeck.server import admin
from heckmeck.server.store import Entry, StoreError, StoreTooNew, Summary
from heckmeck.server.store.schema import POSTGRES, SQLITE, Schema
from heckmeck.table import views
from heckmeck.wire.setup import Status
from tests.server.store.make_tables import play
from tests.server.store.places import Place, in_loop, new_game, texts_of

DATA = Path(__file__).with_name("data")
VERSION = "SELECT value FROM meta WHERE key = 'schema'"
NEWER = "UPDATE meta SET value = '99' WHERE key = 'schema'"
COLUMN = ("ALTER TABLE games ADD COLUMN note TEXT", "UPDATE games SET note = 'moved'")
BROKEN = ("ALTER TABLE games ADD COLUMN extra TEXT", "UPDATE nothing SET here = 1")


def older(place: Place, version: int) -> None:
    """Make the database as an older heckmeck left it."""
    place.execute((DATA / f"version-{version}.{place.kind}.sql").read_text(encoding="utf-8"))


def today(place: Place) -> Schema:
    return POSTGRES if place.kind == "postgres" else SQLITE


def with_steps(place: Place, *steps: tuple[str, ...]) -> Schema:
    """Return the schema of a future heckmeck."""
    return Schema((*today(place).steps, *steps))


@pytest.mark.parametrize("version", range(1, SQLITE.version + 1))
@in_loop
async def test_every_older_database_opens(place: Place, version: int) -> None:
    older(place, version)
    async with place.opened() as store:
        loaded = await store.load("fox")
        assert loaded is not None
        assert loaded.row.created == datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
        assert (loaded.row.public, loaded.row.edition) == (True, "deluxe")
        assert loaded.row.summary == Summary(Status.PLAYING, '{"seats": 2}')
        assert loaded.secret == b"\x00\xff"
        assert loaded.entries[1:] == (
            Entry(1, datetime(2026, 1, 2, 3, 5, tzinfo=UTC), "roll"),
            Entry(2, datetime(2026, 1, 2, 3, 5, tzinfo=UTC), "=11234WWW"),
        )
        await store.append("fox", 3, ["keep:W"])
        assert [row.id for row in await store.list_public(9)] == ["fox"]
        books = await store.books("", 9)
        assert [(each.book.name, each.games) for each in books] == (
            [("Müllers", 2)] if version > 2 else []
        )
        assert len(await store.unjudged("boka-miru-tela", 9)) == (version > 2)
    assert place.rows(VERSION) == [(str(today(place).version),)]


#: The tables that `make_tables` made.
PLAYED = {
    "over-classic": ("over", 1),
    "over-deluxe": ("over", 1),
    "over-barbecue": ("over", 1),
    "over-junior": ("over", 2),
    "waiting": ("waiting", 0),
    "playing": ("playing", 1),
    "closed": ("closed", 1),
    "import": ("over", 1),
}


@pytest.mark.parametrize("version", range(1, SQLITE.version + 1))
@in_loop
async def test_tables_of_every_older_heckmeck_are_read_and_played_on(
    place: Place, version: int
) -> None:
    older(place, version)
    script = DATA / f"version-{version}.tables.{place.kind}.sql"
    place.execute(script.read_text(encoding="utf-8"))
    async with place.opened() as store:
        tables = [overview async for overview in admin.tables(store)]
        assert {each.row.id for each in tables} == {"fox", *PLAYED}
        for name, (status, games) in PLAYED.items():
            stored = await admin.find(store, name)
            live = admin.live_table(store, stored)
            now = views.summary(live.table)
            assert views.listed(stored.row.summary.text) == views.listed(now.text)
            assert stored.row.summary.status == now.status == status
            found = admin.records(stored)
            assert len(found) == games
            for record in found:
                assert read_record(write_json(record).encode()) == record
                if status != "playing":  # its seed is shown
                    assert check_dice(record)
        await play(admin.live_table(store, await admin.find(store, "playing")))
        (record,) = admin.records(await admin.find(store, "playing"))
        assert check_dice(record)


def test_both_databases_have_the_same_versions() -> None:
    assert SQLITE.version == POSTGRES.version


@in_loop
async def test_a_database_of_today_is_the_one_of_its_file(place: Place) -> None:
    """So the files in data/ are what users have, not what we believe they have."""
    if place.kind == "sqlite":
        shape = "SELECT type, name, replace(sql, '  ', '') FROM sqlite_master ORDER BY name"
    else:
        shape = (
            "SELECT table_name, column_name, data_type, is_nullable "
            "FROM information_schema.columns WHERE table_schema = current_schema() "
            "UNION ALL SELECT tablename, indexname, "
            "substring(indexdef, 'USING.*'), '' FROM pg_indexes "
            "WHERE schemaname = current_schema() ORDER BY 1, 2"
        )
    async with place.opened():
        made = place.rows(shape)
    for name in ("meta", "games", "entries", "pushes", "books", "pages"):
        place.execute(f"DROP TABLE {name}")
    older(place, today(place).version)
    assert [_plain(row) for row in made] == [_plain(row) for row in place.rows(shape)]


def _plain(row: tuple[object, ...]) -> list[str]:
    return [" ".join(str(value).split()) for value in row]


@in_loop
async def test_missing_steps_are_taken_and_games_kept(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox", ["created", "roll"]))
    future = place.store(with_steps(place, COLUMN, ("UPDATE games SET edition = 'junior'",)))
    await future.open()
    assert await texts_of(future, "fox") == ["created", "roll"]
    await future.append("fox", 2, ["=11234WWW"])
    await future.close()
    assert place.rows("SELECT note, edition FROM games") == [("moved", "junior")]
    assert place.rows(VERSION) == [(str(today(place).version + 2),)]


@in_loop
async def test_a_step_that_fails_leaves_the_database_as_it_was(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
    future = place.store(with_steps(place, COLUMN, BROKEN))
    with pytest.raises(StoreError, match="nothing"):
        await future.open()
    await future.close()
    assert place.rows(VERSION) == [(str(today(place).version),)]
    with pytest.raises(Exception, match="note"):
        place.rows("SELECT note FROM games")
    async with place.opened() as store:
        assert await texts_of(store, "fox") == ["created"]


@in_loop
async def test_stores_that_open_an_empty_database_together_make_it_once(place: Place) -> None:
    stores = [place.store() for _ in range(5)]
    await asyncio.gather(*(store.open() for store in stores))
    await stores[0].create(new_game("fox"))
    for store in stores:
        assert await texts_of(store, "fox") == ["created"]
    await asyncio.gather(*(store.close() for store in stores))
    assert place.rows("SELECT count(*) FROM meta") == [(1,)]


@in_loop
async def test_a_database_of_a_newer_heckmeck_is_refused(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
    place.execute(NEWER)
    with pytest.raises(StoreTooNew) as caught:
        async with place.opened():
            pass
    assert str(caught.value).endswith(
        "was written by a newer heckmeck: it has schema version 99, and this heckmeck knows "
        f"versions up to {today(place).version}. Nothing was changed. Update heckmeck, or choose "
        "another database."
    )
    assert place.rows(VERSION) == [("99",)]
    assert place.rows("SELECT word FROM entries") == [("created",)]


@in_loop
async def test_a_refused_file_is_not_touched(sqlite_file: Path, tmp_path: Path) -> None:
    """Not even to tidy up after the newer heckmeck, should that have crashed."""
    async with Place(str(sqlite_file)).opened():
        pass
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute(NEWER)
        connection.commit()
        for file in (sqlite_file, sqlite_file.with_name("heckmeck.db-wal")):
            shutil.copy(file, crashed)
    before = {file.name: file.read_bytes() for file in crashed.iterdir()}
    with pytest.raises(StoreTooNew):
        async with Place(str(crashed / "heckmeck.db")).opened():
            pass
    after = {name: (crashed / name).read_bytes() for name in before}
    assert after == before
    assert len(before["heckmeck.db-wal"]) > 0
