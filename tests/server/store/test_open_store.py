"""Which store a location means, and the sentences for locations that mean none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from heckmeck.server.store import StoreError, StoreUnavailable, open_store
from heckmeck.server.store.postgres import PostgresStore
from heckmeck.server.store.sqlite import SqliteStore
from tests.server.store.places import Place, in_loop
from tests.server.store.postgres import Postgres


def test_a_path_is_a_file_of_sqlite() -> None:
    assert isinstance(open_store("heckmeck.db"), SqliteStore)
    assert isinstance(open_store(Path("postgres.db")), SqliteStore)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_a_postgres_url_is_postgres(scheme: str) -> None:
    assert isinstance(open_store(f"{scheme}://ada@example.org/games"), PostgresStore)


def test_other_addresses_are_refused() -> None:
    with pytest.raises(StoreError, match=r"A mysql:// address is not supported. Give the path"):
        open_store("mysql://ada:secret@example.org/games")


def test_an_address_that_cannot_be_read_is_not_shown() -> None:
    with pytest.raises(StoreError, match="must look like postgresql://") as caught:
        open_store("postgresql://ada:sec%ret@[example.org/games")
    assert "sec" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_without_the_package_the_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in [name for name in sys.modules if name.startswith("heckmeck.server.store.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(StoreError, match=r"heckmeck\[postgres\]"):
        open_store("postgresql://ada@example.org/games")


@in_loop
async def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    store = open_store(f"postgresql://ada:pssst@/games?host={tmp_path}")
    with pytest.raises(StoreUnavailable) as caught:
        await store.open()
    await store.close()
    sentence = str(caught.value)
    assert sentence.startswith(f"PostgreSQL at {tmp_path}/games cannot be used: ")
    assert "\n" not in sentence
    assert "pssst" not in sentence


@in_loop
async def test_a_database_that_is_not_there(postgres: Postgres) -> None:
    store = open_store(postgres.url.replace("/postgres?", "/nowhere?"))
    with pytest.raises(StoreUnavailable, match='database "nowhere" does not exist'):
        await store.open()
    await store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE games (name text)",
        "CREATE TABLE meta (worm text)",
        "CREATE TABLE meta (key text, value text)",
    ],
)
@in_loop
async def test_a_database_with_tables_of_another_program(
    postgres: Postgres, statement: str
) -> None:
    place = Place(postgres.fresh())
    place.execute(statement)
    with pytest.raises(StoreError, match="contains tables of another program"):
        async with place.opened():
            pass
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
    assert place.rows(tables) == [(1,)]
