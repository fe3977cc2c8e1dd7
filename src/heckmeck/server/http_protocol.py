"""HTTP on the wire, with an end to everything: bytes and seconds of a request, and of its answer.

The parser below reads heads of any length for any time. What is here counts before it and beside
it, and answers in the server's own words.
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

from heckmeck.server.api import status_of
from heckmeck.server.door import DOOR, Door, reset
from heckmeck.server.limits import Limits
from heckmeck.server.logs import note
from heckmeck.server.messages import Problem
from heckmeck.server.refusals import Code, Refused

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

#: What may still come in after a refusal and is thrown away: the client reads the answer meanwhile.
_GOODBYE_BYTES: Final = 1024 * 1024
_GOODBYE_SECONDS: Final = 1.0
#: Bytes of an answer that have to be read in ``Limits.unread_seconds``, if there are as many.
_READ_AT_LEAST: Final = 64 * 1024
#: Requests that may wait behind another one on a connection. Browsers send one at a time.
_PIPELINED: Final = 16


class _Phase(Enum):
    """What a connection is at."""

    HEAD = auto()  # a request may begin, or has begun
    BODY = auto()
    ANSWER = auto()  # the request is there as a whole; later a next one may come
    REFUSED = auto()


class HttpProtocol(HttpToolsProtocol):
    """One connection, from the moment it is made until it is lost or becomes a WebSocket."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door: Door = app_state[DOOR]
        self._limits: Limits = self._door.limits
        self._phase = _Phase.HEAD
        self._since: float = time.monotonic()
        self._read_at: float = self._since
        self._taken = self._head = self._unread = 0
        self._wrong: tuple[int, Refused] | None = None
        self._answering: RequestResponseCycle | None = None

    # --- coming and going -------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection before anything is read from it."""
        super().connection_made(transport)  # type: ignore[arg-type] # uvloop's is no Transport
        self._door.enter(self, self._address)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give its place back."""
        self._stop_answering()
        super().connection_lost(exc)
        self._door.leave(self, self._address)

    @property
    def _address(self) -> str | None:
        return self.client[0] if self.client else None

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._door.becomes_live(self)
        super().handle_websocket_upgrade()

    # --- what comes in ----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Read on, unless it was too much already."""
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
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _body_too_large())

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self._head = 0
        self._go_to(_Phase.HEAD, max(1, self._taken))
        self._door.waits(self)

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        super().on_url(url)
        if len(self.url) > self._limits.url_bytes:
            self._stop(HTTPStatus.REQUEST_URI_TOO_LONG, _url_too_long(self._limits.url_bytes))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or a trailer after the body."""
        self._head += len(name) + len(value)
        if self._head > self._limits.head_bytes:
            self._stop(*_head_too_large(self._limits.head_bytes))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        if len(self.pipeline) >= _PIPELINED:
            self._stop(HTTPStatus.TOO_MANY_REQUESTS, _too_many_at_once())
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

    # --- what takes too long ----------------------------------------------------------------------

    def look(self) -> None:
        """End what takes too long."""
        now = time.monotonic()
        took = now - self._since
        if self._phase is _Phase.HEAD and took > self._limits.head_seconds:
            if self._taken:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT, _too_slow(self._limits.head_seconds))
            else:  # browsers connect in advance, and expect no answer to nothing
                self.transport.abort()
        elif self._phase is _Phase.BODY and took > self._limits.body_seconds:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, _too_slow(self._limits.body_seconds))
        elif (self._phase is _Phase.REFUSED and took > _GOODBYE_SECONDS) or self._is_left_unread(
            now
        ):
            self.drop()

    def resume_writing(self) -> None:
        """Go on with an answer that is being read."""
        self._read_at = time.monotonic()
        super().resume_writing()

    def _is_left_unread(self, now: float) -> bool:
        """Whether the client has read nothing, or next to nothing, of its answer for too long."""
        unread: int = self.transport.get_write_buffer_size()
        if not unread or not self._unread or unread <= self._unread - _READ_AT_LEAST:
            self._unread, self._read_at = unread, now
        return now - self._read_at > self._limits.unread_seconds

    # --- refusals ---------------------------------------------------------------------------------

    def turn_away(self, refused: Refused) -> None:
        """Say why, and close."""
        self._refuse(status_of(refused.code), refused)

    def drop(self) -> None:
        """Close at once, whatever was still to be sent."""
        self._stop_answering()
        reset(self.transport)

    def _stop(self, status: int, refused: Refused) -> None:
        """Stop the parser, from inside one of its calls; it says that something is wrong."""
        self._wrong = (status, refused)
        raise refused

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser stopped at."""
        self._refuse(*(self._wrong or (HTTPStatus.BAD_REQUEST, _no_request())))

    def _refuse(self, status: int, refused: Refused) -> None:
        """Answer, throw away what still comes, and close in a moment; not in mid-answer."""
        note("turned_away", status=int(status), code=refused.code)
        answer = self._answering
        if (
            answer is not None
            and answer.response_started
            and (self._phase is _Phase.BODY or not answer.response_complete)
        ):
            self.drop()  # it was answered, or is being
            return
        self._stop_answering()
        self._go_to(_Phase.REFUSED)
        if not self.transport.is_closing():
            self.transport.write(response(status, refused, self.server_state.default_headers))
            self.transport.write_eof()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: "ASGI3Application") -> None:
        """Begin to answer a request."""
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _stop_answering(self) -> None:
        """Let whoever answers know that nobody listens any more."""
        self.pipeline.clear()
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()


def response(status: int, refused: Refused, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return a whole answer, the last one on its connection; all answers have ``headers``."""
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
        Refused(Code.TOO_LARGE, f"The head of a request may have {most} bytes."),
    )


def _url_too_long(most: int) -> Refused:
    return Refused(Code.TOO_LARGE, f"An address may have {most} bytes.")


def _body_too_large() -> Refused:
    return Refused(Code.TOO_LARGE, "That is more than can be sent anywhere here.")


def _too_many_at_once() -> Refused:
    return Refused(Code.TOO_MANY, f"At most {_PIPELINED} requests can wait on a connection.")


def _too_slow(seconds: float) -> Refused:
    return Refused(Code.BAD_MESSAGE, f"The request was not there within {seconds:g} seconds.")


def _no_request() -> Refused:
    return Refused(Code.BAD_MESSAGE, "This is no HTTP request.")
