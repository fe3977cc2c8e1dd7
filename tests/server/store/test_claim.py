"""One server for one SQLite file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heckmeck.server.store import open_store
from heckmeck.server.store.sqlite_file import AlreadyServed
from tests.server.store.places import Place, in_loop, new_game, texts_of

HOLDER = """
import asyncio, sys
from heckmeck.server.store import open_store
async def hold():
    await open_store(sys.argv[1]).open()
    print("open", flush=True)
    await asyncio.Event().wait()
asyncio.run(hold())
"""


@contextmanager
def another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has the file open as a server does."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield process
        finally:
            process.kill()


@in_loop
async def test_a_second_process_is_refused_until_the_first_has_died(
    sqlite_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.server.store.sqlite_file.ADDRESS_SECONDS", 0.0)
    with another_process(sqlite_file) as process:
        link = sqlite_file.with_name("link")
        link.symlink_to(sqlite_file)
        for path in (sqlite_file, link):
            with pytest.raises(AlreadyServed) as refused:
                async with Place(str(path)).opened():
                    pass
            assert str(refused.value) == (
                f"The tables in {path} are already being served. Use that server, stop it first, "
                "or choose other tables with --db."
            )
        process.kill()
        process.wait()
        async with Place(str(sqlite_file)).opened() as store:
            await store.create(new_game("fox"))


@in_loop
async def test_beside_a_server_games_are_read_and_written(sqlite_file: Path) -> None:
    with another_process(sqlite_file):
        store = open_store(sqlite_file, beside=True)
        await store.open()
        await store.create(new_game("fox"))
        await store.append("fox", 1, ["roll"])
        assert await texts_of(store, "fox") == ["created", "roll"]
        await store.close()
