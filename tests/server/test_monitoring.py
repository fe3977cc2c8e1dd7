"""Servers whose database is away: what people, logs and those who look after them are told."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import msgspec
import psycopg

from heckmeck.server.store import is_postgres
from heckmeck.wire import answers as m
from tests.server.client import Client, create
from tests.server.scenario import scenario
from tests.server.serving import Server


@contextmanager
def held(location: str) -> Iterator[None]:
    """Somebody holds the database, and nobody else can write to it."""
    if is_postgres(location):
        with psycopg.connect(location) as other:
            other.execute("LOCK TABLE games, entries IN ACCESS EXCLUSIVE MODE")
            yield
            other.rollback()
    else:
        with closing(sqlite3.connect(location, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("COMMIT")


def health(server: Server) -> m.Health:
    answer = httpx.get(f"{server.url}/healthz")
    assert answer.status_code == 200
    return msgspec.json.decode(answer.content, type=m.Health)


async def until_ready(server: Server) -> None:
    async with asyncio.timeout(20):
        while httpx.get(f"{server.url}/readyz").status_code != 200:
            await asyncio.sleep(0.05)


@scenario
async def test_a_database_that_hangs_and_comes_back(location: str, tmp_path: Path) -> None:
    with Server(tmp_path / "server", location, patience=0.4) as server:
        made = await create(server.url, pace=0)
        async with Client(server.url, made["id"], [made["secret"]]) as ann:
            await ann.sit("Ann")
            await ann.sit("Bob")
            await ann.do("start")
            at = ann.n
            with held(location):
                for _ in range(3):
                    answer = await ann.ask("move", at=at, move="roll", id="once")
                    assert (answer["type"], answer["code"]) == ("refused", "unavailable")
                assert (health(server).ok, health(server).storage) == (False, False)
                assert health(server).live_tables == 1
                ready = httpx.get(f"{server.url}/readyz")
                assert (ready.status_code, ready.json()) == (503, {"ready": False})
            await until_ready(server)
            assert health(server).ok
            for _ in range(2):
                await ann.do("move", at=at, move="roll", id="once")
        log = await server.logged("store_back")
        events = [line.split()[1] for line in log.splitlines() if " store_" in line]
        assert events == ["store_unavailable", "store_back"]
        assert "cause=" in log
        failures = re.search(r"store_back .*failures=(\d+)", log)
        assert failures
        assert int(failures[1]) >= 3
        assert "Traceback" not in log
    words = [what.get("move") for what in ann.entries.values()]
    assert words.count("roll") == 1
