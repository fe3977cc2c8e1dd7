"""A table's WebSocket that reconnects automatically."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from heckmeck import __version__, dice
from heckmeck.client.address import TableAddress
from heckmeck.client.table import Answer
from heckmeck.wire import answers, requests
from heckmeck.wire.refusals import Code

#: Seconds before reconnecting: the first time, and at most.
FIRST_PAUSE: Final = 0.3
LAST_PAUSE: Final = 5.0
#: Time limit in seconds for opening, answering a ping and closing.
_OPENING: Final = 10.0
_ALIVE_EVERY: Final = 20.0
_ALIVE_WITHIN: Final = 8.0
_GOODBYE: Final = 1.0
#: The maximum size of a message in bytes; the longest real ones are welcomes.
_MOST_BYTES: Final = 4 * 1024 * 1024
#: Codes and status codes of a busy server, or of a proxy whose server restarts.
_TRY_AGAIN: Final = frozenset({Code.TOO_FAST, Code.TOO_MANY, Code.UNAVAILABLE, Code.INTERNAL})
_TRY_AGAIN_STATUS: Final = frozenset({429, 500, 502, 503, 504})


class _No(Exception):
    """The message is for people, in English; the rest is for saying it in another language.

    ``wait`` is how many seconds a limit lasts, where that is known; ``blanks`` are what else the
    sentence is about.
    """

    def __init__(self, code: str, message: str, wait: float | None = None, **blanks: str) -> None:
        super().__init__(message)
        self.code = code
        self.wait = wait
        self.blanks = blanks


class NotDone(_No):
    """The server refused a request."""


class Broken(NotDone):
    """The connection was lost before the answer came."""

    def __init__(self) -> None:
        super().__init__("offline", "The connection was lost. Try again in a moment.")


class TurnedAway(_No):
    """The table cannot be reached."""


@dataclass(slots=True)
class _Waiting:
    """A request without an answer yet; with ``again`` it is resent after a lost connection."""

    text: str
    again: bool
    answer: "asyncio.Future[Answer]"


class Connection:
    """The connection of a client to a table.

    `run` keeps it open; requests wait for their answers. A request with ``again`` survives a lost
    connection: it is resent under its id, which the server carries out once.
    """

    def __init__(
        self,
        address: TableAddress,
        *,
        hello: Callable[[str], requests.Hello],
        hear: Callable[[Answer], None],
        link: Callable[[bool], None],
    ) -> None:
        """Connect to ``address`` when run.

        ``hello`` returns the greeting under the id it is given. ``hear`` receives every answer
        before the caller that requested it; ``link`` whether the table can be reached, on change.
        """
        self._address = address
        self._hello = hello
        self._hear = hear
        self._link = link
        self._socket: ClientConnection | None = None
        self._waiting: dict[str, _Waiting] = {}
        self._been_there = False
        self._open = False
        self._pause = FIRST_PAUSE
        self._name = dice.random_bytes(6).hex()
        self._numbers = count()

    async def run(self) -> None:
        """Stay connected until cancelled; raise `TurnedAway` if the table cannot be reached.

        That is an error at once for the first connection; later, it is retried.
        """
        try:
            while True:
                await self._once()
                await asyncio.sleep(self._pause)
                self._pause = min(self._pause * 2, LAST_PAUSE)
        finally:
            self._give_up(lambda _: True)

    def new_id(self) -> str:
        """Return an id for a request."""
        return f"{self._name}-{next(self._numbers)}"

    async def request(self, request: requests.AnyRequest, *, again: bool = False) -> Answer:
        """Send a request and return the answer; raise `NotDone` if it is refused."""
        if not self._open and not again:
            raise Broken
        text = answers.write(request)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[request.id] = _Waiting(text, again, future)
        if self._open:
            await self._send(text)
        try:
            answer = await future
        finally:
            self._waiting.pop(request.id, None)
        if isinstance(answer, answers.Refusal):
            raise NotDone(answer.code, answer.message, answer.wait)
        return answer

    # --- one connection ---------------------------------------------------------------------------

    async def _once(self) -> None:
        """Connect, and listen until the connection is lost."""
        try:
            async with connect(
                self._address.live,
                open_timeout=_OPENING,
                ping_interval=_ALIVE_EVERY,
                ping_timeout=_ALIVE_WITHIN,
                close_timeout=_GOODBYE,
                max_size=_MOST_BYTES,
                user_agent_header=f"heckmeck/{__version__}",
            ) as socket:
                self._socket = socket
                await socket.send(answers.write(self._hello(self.new_id())))
                async for text in socket:
                    await self._take(text)
                raise ConnectionClosed(None, None)
        except InvalidStatus as refusal:
            self._refused(refusal)
        except InvalidURI as error:
            raise self._nobody_there(error) from None
        except (OSError, InvalidHandshake, ConnectionClosed, EOFError) as error:
            if not self._been_there:
                raise self._nobody_there(error) from error
        except answers.BadAnswer as error:
            raise TurnedAway("version", str(error)) from error
        finally:
            self._lost()

    async def _take(self, text: str | bytes) -> None:
        answer = answers.read_answer(text)
        if isinstance(answer, answers.Welcome):
            self._check_version(answer)
            self._been_there = self._open = True
            self._pause = FIRST_PAUSE
            self._link(True)
        self._hear(answer)
        if isinstance(answer, answers.Welcome):
            for waiting in [*self._waiting.values()]:
                await self._send(waiting.text)
        elif not isinstance(answer, answers.Entries | answers.YouNow | answers.Countdown):
            waiting_for_it = self._waiting.pop(answer.id or "", None)
            if waiting_for_it is not None and not waiting_for_it.answer.done():
                waiting_for_it.answer.set_result(answer)

    async def _send(self, text: str) -> None:
        assert self._socket is not None
        try:
            await self._socket.send(text)
        except ConnectionClosed:
            return  # the listener notices too, and requests are resent if need be

    def _lost(self) -> None:
        self._socket = None
        if self._open:
            self._open = False
            self._link(False)
        self._give_up(lambda waiting: not waiting.again)

    def _give_up(self, which: Callable[[_Waiting], bool]) -> None:
        for name, waiting in [*self._waiting.items()]:
            if which(waiting):
                del self._waiting[name]
                if not waiting.answer.done():
                    waiting.answer.set_exception(Broken())

    # --- no way -----------------------------------------------------------------------------------

    def _check_version(self, welcome: answers.Welcome) -> None:
        if welcome.protocol != answers.PROTOCOL:
            raise TurnedAway(
                "version",
                f"The server speaks version {welcome.protocol} of the protocol, this program "
                f"version {answers.PROTOCOL}. Use the server's version of heckmeck, or a browser.",
            )

    def _refused(self, refusal: InvalidStatus) -> None:
        """Raise `TurnedAway` unless the error is temporary."""
        status = refusal.response.status_code
        problem = _problem(refusal.response.body or b"")
        if self._been_there and (
            status in _TRY_AGAIN_STATUS or (problem is not None and problem.code in _TRY_AGAIN)
        ):
            return
        if problem is None:
            raise TurnedAway(
                "no_table_there",
                f"{self._address.page} is not a table of a Heckmeck server: it answers with "
                f"status {status}. Check the link.",
                address=self._address.page,
                why=str(status),
            )
        raise TurnedAway(problem.code, problem.message, problem.wait)

    def _nobody_there(self, error: Exception) -> TurnedAway:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        why = said or type(error).__name__
        return TurnedAway(
            "unreachable",
            f"No server answers at {self._address.server} ({why}). "
            "Check the link, and whether the server is running.",
            address=self._address.server,
            why=why,
        )


def _problem(body: bytes | bytearray) -> answers.Problem | None:
    """Return the refusal over HTTP; None if it is not of this protocol."""
    try:
        return msgspec.json.decode(body, type=answers.Problem)
    except requests.UNREADABLE:
        return None
