"""WebSocket frames. A server's are not masked, so all clients get the same (RFC 6455, 5.2)."""

from typing import Final

_WHOLE_TEXT: Final = 0x81
_TWO_BYTES, _EIGHT_BYTES = 126, 127


def text_frame(text: bytes) -> bytes:
    r"""Return the frame that carries ``text`` (UTF-8).

    >>> text_frame(b"hi")
    b'\x81\x02hi'
    """
    length = len(text)
    if length < _TWO_BYTES:
        head = bytes((_WHOLE_TEXT, length))
    elif length < 1 << 16:
        head = bytes((_WHOLE_TEXT, _TWO_BYTES)) + length.to_bytes(2, "big")
    else:
        head = bytes((_WHOLE_TEXT, _EIGHT_BYTES)) + length.to_bytes(8, "big")
    return head + text
