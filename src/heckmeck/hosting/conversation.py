"""One client at a table: its requests are handled in order, whatever carries them."""

import time
from abc import ABC, abstractmethod
from typing import Final

from msgspec.structs import replace

from heckmeck.dice import new_secret
from heckmeck.hosting.events import detail, note
from heckmeck.hosting.live import Asker, LiveTable
from heckmeck.rules import AnyState
from heckmeck.table import commands, keys, lobby, permissions
from heckmeck.wire import answers as m
from heckmeck.wire import requests, setup
from heckmeck.wire.coach import Advice, Unit
from heckmeck.wire.refusals import Code, Refused

#: Refusals sent without the table, which would be expensive and of no use to the client.
_LIMITS: Final = (Code.TOO_FAST, Code.TOO_MANY)


class Conversation(ABC):
    """A client at a table (`live.Listener`)."""

    def __init__(self, live: LiveTable) -> None:
        """Begin with a client that has not said hello."""
        self.hashes: tuple[str, ...] = ()
        self.live = live
        self._greeted = False

    @abstractmethod
    def send(self, frame: bytes) -> None:
        """Send one or more messages, without waiting."""

    @abstractmethod
    async def weigh(self, state: AnyState, unit: Unit | None) -> Advice:
        """Return what the moves of ``state`` are worth; raise `Refused` if nobody can say."""

    @abstractmethod
    def count_change(self) -> None:
        """Count a request that changes a table; raise `Refused` if there are too many."""

    async def ask_server(self, request: requests.PushRequest | requests.KeepIn) -> m.Ok | None:
        """Answer what only a server can do."""
        raise Refused(Code.UNAVAILABLE, "Only a server can do that. This table is on your device.")

    def leave(self) -> None:
        """End the conversation."""
        self.live.leave(self)

    async def answer(self, text: str) -> None:
        """Handle one request, and send the answer to it."""
        began = time.perf_counter()
        try:
            request = requests.read_request(text)
        except requests.UNREADABLE as error:
            refused = Refused(Code.BAD_MESSAGE, f"This is not a valid message: {error}.")
            self.refuse("message", requests.id_in(text), refused)
            return
        try:
            answer = await self._do(request)
        except Refused as refused:
            now = None if refused.code in _LIMITS else self.live.now()
            self.refuse(_name(request), request.id, refused, now)
            return
        if answer is not None:
            self.send(self.live.host.frame(answer))
        ms = (time.perf_counter() - began) * 1000
        detail(_name(request), table=self.live.name, n=self.live.table.n, ms=ms)

    async def _do(self, request: requests.AnyRequest) -> m.AnyAnswer | None:
        match request:
            case requests.Move() if self._greeted:
                pass
            case requests.Ping():
                return m.Pong(request.id, self.live.table.n)
            case requests.Hello():
                if self._greeted:
                    self.count_change()
                self._greet(request)
                return None
            case _ if not self._greeted:
                raise Refused(Code.HELLO_FIRST, "Say hello first.")
            case requests.AskHint():
                return await self._hint(request)
            case _:
                self.count_change()
        match request:
            case requests.Sit():
                return await self._sit(request)
            case requests.Subscribe() | requests.Unsubscribe() | requests.KeepIn():
                return await self.ask_server(request)
            case _:
                return await self.run(request, request.id)

    async def run(self, command: commands.Command, request: str) -> m.Ok | None:
        """Carry out a command for the client; None: it has the answer already."""
        done = await self.live.run(command, asker=Asker(self, request))
        return None if done.answered else m.Ok(request, done.n)

    def _greet(self, request: requests.Hello) -> None:
        self.hashes = tuple(map(keys.hash_of, request.secrets))
        self._greeted = True
        self.live.join(self, request)

    async def _sit(self, request: requests.Sit) -> m.Seated:
        secret = request.secret or new_secret()
        hashed = keys.hash_of(secret)
        done = await self.live.run(commands.SitDown(request.name, request.seat, hashed))
        seat = lobby.seat_of(self.live.table, hashed)
        if seat is None:
            raise Refused(Code.SEAT_TAKEN, "The seat was freed again. Take another one.")
        if hashed not in self.hashes:
            self.hashes = (*self.hashes, hashed)[-requests.MAX_SECRETS :]
        self.live.recognise()
        return m.Seated(request.id, done.n, seat, secret)

    async def _hint(self, request: requests.AskHint) -> m.Hint:
        table = self.live.table
        mine = self.live.who_is(self).seats
        if not table.setup.hints and not (request.warn and permissions.is_alone(table, mine)):
            raise Refused(Code.NO_HINTS, "Hints are off at this table. The host can allow them.")
        if table.match is None or table.status is not setup.Status.PLAYING:
            raise Refused(Code.NOT_PLAYING, "Hints need a game in progress.")
        if table.match.state.seat not in mine:
            raise Refused(Code.NOT_YOUR_TURN, "Hints are for the player to move.")
        advice = await self.weigh(table.match.state, request.unit)
        return m.Hint(
            request.id,
            table.n,
            advice.unit,
            advice.moves,
            advice.reasons,
            advice.targets,
            advice.cost,
        )

    def refuse(
        self, doing: str, request: str | None, refused: Refused, now: m.TableNow | None = None
    ) -> None:
        """Refuse the request with this id; include the table if that can help."""
        refusal = m.Refusal(request, refused.code, str(refused), wait=refused.wait)
        if now is not None:
            refusal = replace(refusal, n=now.n, table=now.table, state=now.state)
        self.send(self.live.host.frame(refusal))
        note("refused", table=self.live.name, do=doing, code=refused.code)


def _name(request: requests.AnyRequest) -> str:
    return str(request.__struct_config__.tag)
