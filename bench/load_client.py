"""A WebSocket client that costs little, so that one process can be two thousand players.

It speaks just enough of RFC 6455 to talk to our own server: text frames, unmasked on the way in,
masked with zeros on the way out, and an answer to each ping.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Client(asyncio.Protocol):
    """One connection; `on_text` is called with each message."""

    def __init__(self, on_text: Callable[[bytes], None]) -> None:
        self._on_text = on_text
        self._buffer = bytearray()
        self._open = False
        self._transport: asyncio.Transport | None = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is not a subclass

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        if not self.ready.done():
            self.ready.set_exception(ConnectionError("the server closed the connection"))

    def handshake(self, host: str, port: int, path: str) -> None:
        self._write(_HANDSHAKE.format(host=host, port=port, path=path).encode())

    def send(self, text: bytes) -> None:
        self._frame(_TEXT, text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self._open and not self._opened():
            return
        start = 0
        while (frame := _frame_at(buffer, start)) is not None:
            kind, begin, end = frame
            start = end
            if kind == _TEXT:
                self._on_text(bytes(buffer[begin:end]))
            elif kind == _PING:
                self._frame(_PONG, bytes(buffer[begin:end]))
        del buffer[:start]

    def _opened(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        status = bytes(self._buffer[: self._buffer.find(b"\r\n")])
        del self._buffer[: end + 4]
        if b" 101 " not in status:
            self.ready.set_exception(ConnectionError(status.decode()))
            return False
        self._open = True
        self.ready.set_result(None)
        return True

    def _frame(self, kind: int, data: bytes) -> None:
        length = len(data)
        head = (
            bytes((0x80 | kind, 0x80 | length))
            if length < 126
            else (bytes((0x80 | kind, 0x80 | 126)) + length.to_bytes(2, "big"))
        )
        self._write(head + b"\0\0\0\0" + data)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self.lost:
            self._transport.write(data)


def _frame_at(buffer: bytearray, start: int) -> tuple[int, int, int] | None:
    """Return kind, beginning and end of the frame at ``start``, if it is there as a whole."""
    if len(buffer) < start + 2:
        return None
    length, begin = buffer[start + 1] & 0x7F, start + 2
    if length == 126:
        length, begin = int.from_bytes(buffer[begin : begin + 2], "big"), begin + 2
    elif length == 127:
        length, begin = int.from_bytes(buffer[begin : begin + 8], "big"), begin + 8
    end = begin + length
    return (buffer[start] & 0x0F, begin, end) if len(buffer) >= end else None


async def connect(host: str, port: int, path: str, on_text: Callable[[bytes], None]) -> Client:
    """Connect and wait for the handshake."""
    loop = asyncio.get_running_loop()
    _, client = await loop.create_connection(lambda: Client(on_text), host, port)
    client.handshake(host, port, path)
    await client.ready
    return client
