"""Files that are missing, broken, full, locked or somebody else's."""

from __future__ import annotations

import resource
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from heckmeck.server.store import StoreError, StoreUnavailable
from heckmeck.server.store import sqlite_file as files
from heckmeck.server.store.schema import SQLITE
from tests.server.store.places import Place, in_loop, new_game, texts_of


async def refusal(path: Path) -> str:
    """Return the sentence with which a store refuses to open the file."""
    with pytest.raises(StoreError) as caught:
        async with Place(str(path)).opened():
            pass
    return str(caught.value)


@contextmanager
def no_file_above(size: int) -> Iterator[None]:
    """Let nobody write files longer than this, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@in_loop
async def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "heckmeck.db"
    assert await refusal(path) == (
        f"The database {path} cannot be created: the folder {path.parent} does not exist. "
        "Create the folder, or choose another path."
    )


@in_loop
async def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    assert await refusal(tmp_path) == (
        f"The database {tmp_path} cannot be opened: it is not a file. Choose a file."
    )


@in_loop
async def test_a_file_that_is_no_database(sqlite_file: Path) -> None:
    content = b"Dear diary, today I ate a worm. " * 100
    sqlite_file.write_bytes(content)
    assert await refusal(sqlite_file) == (
        f"{sqlite_file} is not an SQLite database. Nothing was changed. Choose another file."
    )
    assert sqlite_file.read_bytes() == content


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE diary (day TEXT)",
        "CREATE TABLE meta (worm TEXT)",
        "CREATE TABLE meta (key TEXT, value TEXT)",
        "CREATE TABLE meta AS SELECT 'schema' AS key, 'lots' AS value",
    ],
)
@in_loop
async def test_a_database_of_another_program(sqlite_file: Path, statement: str) -> None:
    Place(str(sqlite_file)).execute(statement)
    before = sqlite_file.read_bytes()
    assert await refusal(sqlite_file) == (
        f"{sqlite_file} is a database, but not one of heckmeck's. Nothing was changed. "
        "Choose another file."
    )
    assert sqlite_file.read_bytes() == before


@in_loop
async def test_an_empty_file_becomes_a_database(sqlite_file: Path) -> None:
    sqlite_file.touch()
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))


@in_loop
async def test_names_that_are_special_in_addresses(tmp_path: Path) -> None:
    path = tmp_path / "what? 100% #1 & mode=ro.db"
    for _ in range(2):
        async with Place(str(path)).opened():
            pass
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == [path.name, f"{path.name}.server"]


@in_loop
async def test_a_damaged_database(sqlite_file: Path) -> None:
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))
    content = sqlite_file.read_bytes()
    sqlite_file.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    assert await refusal(sqlite_file) == (
        f"The database {sqlite_file} is damaged (database disk image is malformed). Restore a "
        "backup with 'heckmeck admin restore BACKUP --force', or recover what is left with: "
        "sqlite3 FILE .recover"
    )


async def with_damaged_entries(sqlite_file: Path) -> Place:
    """Return a database whose first page of entries is damaged."""
    place = Place(str(sqlite_file))
    async with place.opened() as store:
        await store.create(new_game("fox"))
    ((root,),) = place.rows("SELECT rootpage FROM sqlite_master WHERE name = 'entries'")
    assert isinstance(root, int)
    content = bytearray(sqlite_file.read_bytes())
    content[4096 * (root - 1) : 4096 * root] = b"\xa5" * 4096
    sqlite_file.write_bytes(content)
    return place


@in_loop
async def test_damage_anywhere_is_noticed_at_the_start(sqlite_file: Path) -> None:
    await with_damaged_entries(sqlite_file)
    content = sqlite_file.read_bytes()
    sentence = await refusal(sqlite_file)
    assert sentence.startswith(f"The database {sqlite_file} is damaged (Page ")
    assert sqlite_file.read_bytes() == content


@in_loop
async def test_damage_that_shows_later(sqlite_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = await with_damaged_entries(sqlite_file)
    monkeypatch.setattr(files, "check", lambda *_: None)  # too large to look at all of it
    async with place.opened() as store:
        with pytest.raises(StoreUnavailable, match="damaged"):
            await store.load("fox")
        with pytest.raises(StoreUnavailable, match="damaged"):
            await store.append("fox", 1, ["roll"])


def test_looking_for_damage_ends_in_time(sqlite_file: Path) -> None:
    with closing(_connected(sqlite_file)) as connection:
        connection.execute("CREATE TABLE much (value)")
        rows = "WITH RECURSIVE up(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up LIMIT 200000)"
        connection.execute(f"INSERT INTO much {rows} SELECT n FROM up")  # noqa: S608
        files.check(connection, sqlite_file, 0.0)
        assert connection.execute("SELECT count(*) FROM much").fetchone() == (200_000,)


@in_loop
async def test_a_disk_without_room_writes_nothing_and_recovers(sqlite_file: Path) -> None:
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))
        size = sqlite_file.with_name("heckmeck.db-wal").stat().st_size
        with no_file_above(size + 4096), pytest.raises(StoreUnavailable, match="cannot be used"):
            await store.append("fox", 1, ["x" * 100_000])
        assert await texts_of(store, "fox") == ["created"]
        await store.append("fox", 1, ["roll"])
        assert await texts_of(store, "fox") == ["created", "roll"]


def test_a_full_disk_is_called_that(sqlite_file: Path) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    with pytest.raises(StoreUnavailable, match="the disk is full"), files.explained(sqlite_file):
        raise full


@in_loop
async def test_a_file_that_another_process_holds(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.server.store.sqlite_file.PATIENCE_SECONDS", 0.05)
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))
        with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailable, match="locked by another process"):
                await store.append("fox", 1, ["roll"])
            assert await texts_of(store, "fox") == ["created"]  # reading goes on
            other.execute("COMMIT")
        await store.append("fox", 1, ["roll"])


@in_loop
async def test_reading_does_not_wait_for_writing_nor_writing_for_reading(sqlite_file: Path) -> None:
    async with Place(str(sqlite_file)).opened() as store:
        await store.create(new_game("fox"))
        with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
            await store.append("fox", 1, ["roll"])
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)


def test_every_commit_is_flushed_to_disk(sqlite_file: Path) -> None:
    with closing(_connected(sqlite_file)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert connection.execute("PRAGMA fullfsync").fetchone() == (1,)


def test_a_file_system_without_write_ahead_logging() -> None:
    with pytest.raises(StoreError, match="does not support write-ahead logging"):
        files.connect(Path(":memory:"))


def test_only_the_owner_may_read_the_secrets(sqlite_file: Path) -> None:
    with closing(_connected(sqlite_file)) as connection:
        connection.execute("CREATE TABLE something (value)")
        for file in sqlite_file.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def _connected(path: Path) -> sqlite3.Connection:
    files.prepare(path, SQLITE)
    return files.connect(path)
