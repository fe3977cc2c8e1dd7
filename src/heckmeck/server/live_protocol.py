"""WebSockets that write prepared frames, and limit the memory that a client can occupy."""

import asyncio
import logging
from http import HTTPStatus
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.frames import Frame
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from heckmeck.server.door import DOOR, Door, reset
from heckmeck.server.http_protocol import response
from heckmeck.server.limits import Bucket
from heckmeck.server.logs import note
from heckmeck.server.refusals import Code, Refused

#: The key of the connection in the state of its scope, for the endpoint.
LINE: Final = "heckmeck.line"
#: Timeout in seconds for the closing handshake, including unread data.
_GOODBYE: Final = 5.0
#: Bytes parsed at a time: one read can contain a large number of small frames.
_SLICE: Final = 1024
#: The maximum number of unread messages, and of fragments of one message.
_WAITING: Final = 256
_INVALID_DATA: Final = 1007  # a close code of RFC 6455


class LiveProtocol(WebSocketsSansIOProtocol):
    """One WebSocket; its endpoint sees it as a `Line`."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.conn = _Handshake(self.default_headers, config.ws_max_size)
        self._door: Door = app_state[DOOR]
        self._unread = self._door.limits.unread_bytes
        self._control = Bucket(self._door.limits.control)
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
        reset(self.transport)

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
        for start in range(0, len(data), _SLICE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _SLICE])
            if self.queue.qsize() > _WAITING or len(self.frames) > _WAITING:
                self._too_fast()

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
            note("no_text", path=self.scope["path"])
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
            note("too_fast", path=self.scope["path"])
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
