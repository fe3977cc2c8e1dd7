"""WebSockets that write prepared frames, and limit the memory that a client can occupy."""

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Final

import msgspec
from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from heckmeck.hosting import events
from heckmeck.server import door, limits
from heckmeck.server.http_protocol import response
from heckmeck.wire.answers import Answer
from heckmeck.wire.refusals import Code, Refused

try:
    from websockets.speedups import apply_mask
except ImportError:  # no compiler when it was installed
    from websockets.utils import apply_mask

_WHOLE_TEXT: Final = 0x81
_TWO_BYTES, _EIGHT_BYTES = 126, 127
_encoder: Final = msgspec.json.Encoder()


def frame(message: Answer) -> bytes:
    """Return the message as a frame: made once, however many it is sent to."""
    return text_frame(_encoder.encode(message))


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


#: The key of the connection in the state of its scope, for the endpoint.
LINE: Final = "heckmeck.line"
#: Timeout in seconds for the closing handshake, including unread data.
_GOODBYE: Final = 5.0
#: Bytes parsed at a time: one read can contain a large number of small frames.
_SLICE: Final = 1024
#: The maximum number of unread messages, and of fragments of one message.
_WAITING: Final = 256
_INVALID_DATA: Final = 1007  # a close code of RFC 6455
#: A client's short message: a final text frame, masked, with at most 125 bytes (RFC 6455, 5.2).
_MASKED: Final = 0x80
_SHORT_HEAD: Final = 6
_LONGEST_SHORT: Final = 125
#: With more unread messages, the general parser stops reading from the client.
_UNREAD_SHORT: Final = 8


class LiveProtocol(WebSocketsSansIOProtocol):
    """One WebSocket."""

    def __init__(
        self, config: Config, server_state: ServerState, app_state: dict[str, Any]
    ) -> None:
        super().__init__(config, server_state, app_state)
        self.conn = _Handshake(self.default_headers, config.ws_max_size)
        self._door: door.Door = app_state[door.DOOR]
        self._unread = self._door.limits.unread_bytes
        self._control = limits.Bucket(self._door.limits.control)
        self._goodbye: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Release its place."""
        super().connection_lost(exc)
        if self._goodbye is not None:
            self._goodbye.cancel()
        self._door.leave(None, self.client[0] if self.client else None)

    # --- for the endpoint -------------------------------------------------------------------------

    def send_frame(self, frame: bytes) -> bool:
        """Send a frame without waiting; return False if the client was cut off for not reading."""
        transport = self.transport
        if self.close_sent or transport.is_closing():
            return True
        if transport.get_write_buffer_size() > self._unread:
            self.cut_off()
            return False
        transport.write(frame)
        return True

    def cut_off(self) -> None:
        """Close at once and discard unsent data."""
        door.reset(self.transport)

    async def run_asgi(self) -> None:
        """Run the endpoint, then give the client time for the closing handshake."""
        await super().run_asgi()
        if not self.disconnected:
            self._goodbye = self.loop.call_later(_GOODBYE, self.cut_off)

    # --- input ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse the data in small pieces, so that limits apply before all of it is parsed."""
        if not self.handshake_initiated:
            super().data_received(data)
            if not self.handshake_initiated:
                self._turn_away()
            return
        text = self._whole_message(data)
        if text is not None:
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
            return
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])
            if self.queue.qsize() > _WAITING or len(self.frames) > _WAITING:
                self._too_fast()

    def _whole_message(self, data: bytes) -> str | None:
        """Return the text if ``data`` is one short message and nothing else; it nearly always is.

        The general parser is slower, and stops and resumes reading for every message.
        """
        length = len(data) - _SHORT_HEAD
        if (
            not 0 <= length <= _LONGEST_SHORT
            or data[0] != _WHOLE_TEXT
            or data[1] != _MASKED | length
            or self.frames
            or self.conn.reader.buffer
            or self.conn.state is not State.OPEN
            or self.close_sent
            or self.queue.qsize() >= _UNREAD_SHORT
        ):
            return None
        try:
            return apply_mask(data[_SHORT_HEAD:], data[2:_SHORT_HEAD]).decode()
        except UnicodeDecodeError:
            return None

    def handle_connect(self, event: Request) -> None:
        """Store the connection in the scope, for the endpoint."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope["state"][LINE] = self

    def handle_ping(self) -> None:
        """Answer, unless there are too many pings or the client does not read."""
        if not self._control.take() or self.transport.get_write_buffer_size() > self._unread:
            self._too_fast()
        else:
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Handle the answer to a ping."""
        if self._control.take():
            super().handle_pong(event)
        else:
            self._too_fast()

    def send_receive_event_to_app(self) -> None:
        """Pass on a message; close the connection if it is not UTF-8."""
        if self.curr_msg_data_type == "text" and not self.close_sent and not _is_text(self.frames):
            events.note("no_text", path=self.scope["path"])
            self.conn.send_close(_INVALID_DATA)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def keepalive_timeout(self) -> None:
        """Cut off a client that does not answer pings, discarding unsent data."""
        super().keepalive_timeout()
        self.cut_off()

    def _too_fast(self) -> None:
        if not self.transport.is_closing():
            events.note("too_fast", path=self.scope["path"])
            self.cut_off()

    def _turn_away(self) -> None:
        """Refuse a handshake that is not valid."""
        self.handshake_complete = self.close_sent = True
        refused = Refused(Code.BAD_MESSAGE, "This is not a valid WebSocket handshake.")
        said_why = b"".join(self.conn.data_to_send())
        self.transport.write(
            said_why or response(HTTPStatus.BAD_REQUEST, refused, self.default_headers)
        )
        self.transport.close()


class _Handshake(ServerProtocol):
    """A handshake whose refusals carry the headers of all responses."""

    def __init__(self, headers: list[tuple[bytes, bytes]], max_size: int) -> None:
        super().__init__(max_size=max_size, logger=logging.getLogger("uvicorn.error"))
        self._headers = headers

    def send_response(self, answer: Response) -> None:
        if answer.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            for name, value in self._headers:
                answer.headers.setdefault(name.decode(), value.decode())
        super().send_response(answer)


def _is_text(parts: list[bytes]) -> bool:
    try:
        b"".join(parts).decode()
    except UnicodeDecodeError:
        return False
    return True
