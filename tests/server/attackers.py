"""Strangers who mean harm, and an honest client that measures what others notice of them.

They come from an address of their own: at 127.0.0.1 a proxy may stand for many people.
"""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median

from tests.server.client import Client
from tests.server.frames import HANDSHAKE, frame
from tests.server.serving import HOST

STRANGER = "127.0.0.2"
MEGABYTE = 1024 * 1024

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def dial(port: int, source: str = STRANGER) -> Streams:
    """Connect from an address of this machine's loopback network, with little room to read into."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.bind((source, 0))
    line.setblocking(False)
    await asyncio.get_running_loop().sock_connect(line, (HOST, port))
    return await asyncio.open_connection(sock=line)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection that may be gone already."""
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


@asynccontextmanager
async def dialled(port: int, source: str = STRANGER) -> AsyncIterator[Streams]:
    """Connect, and hang up in the end."""
    reader, writer = await dial(port, source)
    try:
        yield reader, writer
    finally:
        await hang_up(writer)


async def pour(writer: asyncio.StreamWriter, piece: bytes, most: int) -> int:
    """Send this again and again until so many bytes are out or nobody takes them."""
    sent = 0
    with suppress(ConnectionError):
        while sent < most and not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            sent += len(piece)
    return sent


async def endless_head(port: int, piece: bytes, most: int) -> int:
    """Send the beginning of a request and never its end; return how much was taken."""
    async with dialled(port) as (_, writer):
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Endless: ")
        return await pour(writer, piece, most)


async def deaf(port: int, table: str, message: bytes, every: float, most: int) -> int:
    """Say something again and again and never read an answer; return how often it was taken."""
    async with dialled(port) as (reader, writer):
        writer.write(HANDSHAKE.format(name=table).encode())
        await reader.readuntil(b"\r\n\r\n")
        reader._transport.pause_reading()  # type: ignore[attr-defined] # noqa: SLF001
        said = 0
        with suppress(ConnectionError):
            while said < most and not writer.is_closing():
                writer.write(frame(1, message))
                await writer.drain()
                said += 1
                await asyncio.sleep(every)
        return said


class Honest:
    """Somebody at a table who wants an answer 20 times a second."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._delays: list[float] = []

    async def __aenter__(self) -> "Honest":
        self._task = asyncio.create_task(self._ask())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _ask(self) -> None:
        while True:
            began = time.perf_counter()
            await self._client.ask("ping")
            self._delays.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(0.05)

    @property
    def figures(self) -> str:
        """The delays, in milliseconds."""
        return f"p50 {median(self._delays):.1f} ms, worst {max(self._delays):.0f} ms"


def memory_of(process: int) -> float:
    """Return the megabytes that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    kilobytes = next(line.split()[1] for line in lines if line.startswith("VmRSS"))
    return int(kilobytes) / 1024
