"""WebSocket frames by hand, right and wrong, and the handshake before them."""

import os
import struct

HANDSHAKE = (
    "GET /api/tables/{name}/live HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)


def frame(opcode: int, data: bytes, *, fin: bool = True, rsv: int = 0, mask: bool = True) -> bytes:
    """One frame, right or wrong."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    bit = 0x80 if mask else 0
    if len(data) < 126:
        head += bytes([bit | len(data)])
    elif len(data) < 65536:
        head += bytes([bit | 126]) + struct.pack("!H", len(data))
    else:
        head += bytes([bit | 127]) + struct.pack("!Q", len(data))
    key = os.urandom(4) if mask else b""
    return head + key + (bytes(b ^ key[i % 4] for i, b in enumerate(data)) if mask else data)


def text_in(data: bytes) -> bytes:
    """The text of a whole frame from a server."""
    assert data[0] == 0x81
    begin = {126: 4, 127: 10}.get(data[1], 2)
    length = data[1] if begin == 2 else int.from_bytes(data[2:begin], "big")
    assert len(data) == begin + length
    return data[begin:]
