"""A way to PostgreSQL that a test can cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Passes bytes on between stores and the server, until told to fail."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._pairs: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._unlucky: bytes | None = None
        self.refusing = False
        self.answers_lost = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a store with the server."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._pairs.add(writer)
        try:
            if not self.refusing:
                await self._connect(reader, writer)
        finally:
            writer.close()
            self._pairs.discard(writer)
            self._tasks.discard(task)

    def lose_answer_to(self, text: bytes) -> None:
        """Pass the next request with this text on, and cut the connection before the answer."""
        self._unlucky = text

    def cut(self) -> None:
        """End every connection there is."""
        for writer in self._pairs:
            writer.close()

    async def finish(self) -> None:
        """End every connection and wait for it."""
        self.refusing = True
        self.cut()
        await asyncio.gather(*self._tasks)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        their_reader, their_writer = await asyncio.open_unix_connection(self._target)
        lost = asyncio.Event()

        async def forth() -> None:
            while data := await reader.read(65536):
                if self._unlucky and self._unlucky in data:
                    self._unlucky = None
                    self.answers_lost += 1
                    lost.set()
                their_writer.write(data)
            their_writer.close()

        async def back() -> None:
            while data := await their_reader.read(65536):
                if lost.is_set():
                    break
                writer.write(data)
            writer.close()

        with suppress(ConnectionError):
            await asyncio.gather(forth(), back())
        their_writer.close()


@asynccontextmanager
async def proxied(url: str, folder: Path) -> AsyncIterator[tuple[Proxy, str]]:
    """Yield a proxy to the server at ``url``, and the address of the same database through it."""
    host = str(conninfo_to_dict(url)["host"])
    proxy = Proxy(str(Path(host, SOCKET)))
    server = await asyncio.start_unix_server(proxy.serve, folder / SOCKET)
    try:
        yield proxy, url.replace(host, str(folder))
    finally:
        server.close()
        await proxy.finish()
