"""HTTP with limits on the size and time of requests and of their responses.

The underlying parser accepts headers of any length, at any speed. This protocol counts bytes and
seconds before the parser sees them, and refuses with the server's own messages.
"""

import asyncio
import time
from collections.abc import Iterable
from enum import Enum, auto
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from heckmeck.hosting import events
from heckmeck.server import door, limits
from heckmeck.server.security import COMPILING, FRAMEABLE, compiling, frameable
from heckmeck.wire.answers import Problem
from heckmeck.wire.refusals import Code, Refused

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

#: Input accepted and discarded after a refusal, so that the client can read the response.
_GOODBYE_BYTES: Final = 1024 * 1024
_GOODBYE_SECONDS: Final = 1.0
#: Bytes of a response that the client must read within ``Limits.unread_seconds``, if it has them.
_READ_AT_LEAST: Final = 64 * 1024
#: The maximum number of pipelined requests. Browsers send one at a time.
_PIPELINED: Final = 16
_STATUS: Final = {
    Code.BAD_HOST: 421,
    Code.BAD_ORIGIN: 403,
    Code.NO_SUCH_TABLE: 404,
    Code.NO_SUCH_PAGE: 404,
    Code.NO_SUCH_BOOK: 404,
    Code.NOT_PLAYING: 409,
    Code.TOO_LARGE: 413,
    Code.TOO_FAST: 429,
    Code.TOO_MANY: 429,
    Code.INTERNAL: 500,
    Code.UNAVAILABLE: 503,
}


def status_of(code: Code) -> int:
    """Return the HTTP status for a refusal."""
    return _STATUS.get(code, 400)


class _Phase(Enum):
    """The phase of a connection."""

    HEAD = auto()  # waiting for a request, or reading its headers
    BODY = auto()
    ANSWER = auto()  # the request is complete and being answered
    REFUSED = auto()


class HttpProtocol(HttpToolsProtocol):
    """One connection, until it is lost or becomes a WebSocket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door: door.Door = app_state[door.DOOR]
        self._limits: limits.Limits = self._door.limits
        self._phase = _Phase.HEAD
        self._since: float = time.monotonic()
        self._read_at: float = self._since
        self._taken = self._head = self._unread = 0
        self._wrong: tuple[int, Refused] | None = None
        self._answering: RequestResponseCycle | None = None

    # --- coming and going -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection before anything is read from it."""
        super().connection_made(transport)  # type: ignore[arg-type] # uvloop's is not a Transport
        self._door.enter(self, self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Release its place."""
        self._stop_answering()
        super().connection_lost(exc)
        self._door.leave(self, self._address)

    @property
    def _address(self) -> str | None:
        return self.client[0] if self.client else None

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._door.becomes_live(self)
        super().handle_websocket_upgrade()

    # --- input ------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parse the data, unless a limit has been exceeded."""
        self._taken += len(data)
        if self._phase is _Phase.REFUSED:
            if self._taken > _GOODBYE_BYTES:
                self.drop()
            return
        if self._phase is _Phase.ANSWER:
            self._go_to(_Phase.HEAD, len(data))
        super().data_received(data)
        if self._phase is _Phase.HEAD and self._taken > self._limits.head_bytes:
            self._refuse(*_head_too_large(self._limits.head_bytes))
        elif self._phase is _Phase.BODY and self._taken > 2 * self._limits.record_bytes:
            sentence = "The body is too large for any request to this server."
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, Refused(Code.TOO_LARGE, sentence))

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._head = 0
        self._go_to(_Phase.HEAD, max(1, self._taken))
        self._door.waits(self)

    def on_url(self, url: bytes) -> None:
        """Add a part of the URL."""
        super().on_url(url)
        if len(self.url) > self._limits.url_bytes:
            sentence = f"An address may have up to {self._limits.url_bytes} bytes."
            self._stop(HTTPStatus.REQUEST_URI_TOO_LONG, Refused(Code.TOO_LARGE, sentence))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header, or a trailer after the body."""
        self._head += len(name) + len(value)
        if self._head > self._limits.head_bytes:
            self._stop(*_head_too_large(self._limits.head_bytes))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the response."""
        if len(self.pipeline) >= _PIPELINED:
            sentence = f"At most {_PIPELINED} requests can wait on a connection."
            self._stop(HTTPStatus.TOO_MANY_REQUESTS, Refused(Code.TOO_MANY, sentence))
        self._door.has_asked(self)
        self._go_to(_Phase.BODY)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """End a request."""
        super().on_message_complete()
        self._go_to(_Phase.ANSWER)

    def _go_to(self, phase: _Phase, taken: int = 0) -> None:
        self._phase = phase
        self._taken = taken
        self._since = time.monotonic()

    # --- timeouts ---------------------------------------------------------------------------------

    def look(self) -> None:
        """Enforce the time limits."""
        now = time.monotonic()
        took = now - self._since
        if self._phase is _Phase.HEAD and took > self._limits.head_seconds:
            if self._taken:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT, _too_slow(self._limits.head_seconds))
            else:  # browsers connect in advance; close silently if no request came
                self.transport.abort()
        elif self._phase is _Phase.BODY and took > self._limits.body_seconds:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, _too_slow(self._limits.body_seconds))
        elif (self._phase is _Phase.REFUSED and took > _GOODBYE_SECONDS) or self._is_left_unread(
            now
        ):
            self.drop()

    def resume_writing(self) -> None:
        """Continue a response that is being read."""
        self._read_at = time.monotonic()
        super().resume_writing()

    def _is_left_unread(self, now: float) -> bool:
        """Whether the client has read too little of its response for too long."""
        unread: int = self.transport.get_write_buffer_size()
        if not unread or not self._unread or unread <= self._unread - _READ_AT_LEAST:
            self._unread, self._read_at = unread, now
        return now - self._read_at > self._limits.unread_seconds

    # --- refusals ---------------------------------------------------------------------------------

    def turn_away(self, refused: Refused) -> None:
        """Send the reason and close."""
        self._refuse(status_of(refused.code), refused)

    def drop(self) -> None:
        """Close at once and discard unsent data."""
        self._stop_answering()
        door.reset(self.transport)

    def _stop(self, status: int, refused: Refused) -> None:
        """Stop the parser from within one of its callbacks, by raising an error."""
        self._wrong = (status, refused)
        raise refused

    def send_400_response(self, msg: str) -> None:
        """Refuse the input at which the parser stopped."""
        refused = Refused(Code.BAD_MESSAGE, "This is not a valid HTTP request.")
        self._refuse(*(self._wrong or (HTTPStatus.BAD_REQUEST, refused)))

    def _refuse(self, status: int, refused: Refused) -> None:
        """Send the refusal, discard further input, and close soon; not in mid-response."""
        events.note("turned_away", status=int(status), code=refused.code)
        answer = self._answering
        if (
            answer is not None
            and answer.response_started
            and (self._phase is _Phase.BODY or not answer.response_complete)
        ):
            self.drop()  # a response has begun
            return
        self._stop_answering()
        self._go_to(_Phase.REFUSED)
        if not self.transport.is_closing():
            self.transport.write(response(status, refused, self.server_state.default_headers))
            self.transport.write_eof()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: "ASGI3Application") -> None:
        """Begin to handle a request."""
        self._answering = cycle

        def be_frameable() -> None:
            """Let other sites show the response in a frame."""
            cycle.default_headers = frameable(cycle.default_headers)

        def let_compile() -> None:
            """Let the response compile WebAssembly."""
            cycle.default_headers = compiling(cycle.default_headers)

        cycle.scope["state"].update({FRAMEABLE: be_frameable, COMPILING: let_compile})
        super()._start_asgi_task(cycle, app)

    def _stop_answering(self) -> None:
        """Notify the application that the client has disconnected."""
        self.pipeline.clear()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()


def response(status: int, refused: Refused, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a complete response with these headers that closes the connection."""
    body = msgspec.json.encode(Problem(refused.code, str(refused)))
    all_headers = (
        *headers,
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    )
    lines = (name + b": " + value + b"\r\n" for name, value in all_headers)
    return b"".join((STATUS_LINE[status], *lines, b"\r\n", body))


def _head_too_large(most: int) -> tuple[int, Refused]:
    return (
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        Refused(Code.TOO_LARGE, f"The headers of a request may have up to {most} bytes."),
    )


def _too_slow(seconds: float) -> Refused:
    return Refused(Code.BAD_MESSAGE, f"The request did not arrive within {seconds:g} seconds.")
