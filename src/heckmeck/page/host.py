"""The host of a page: answers what a server would, in the same words.

It lives in a worker of the browser (``web/worker/python.ts``), which passes texts in both
directions. What takes long is computed there and then: it blocks the worker, never the page.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, urlsplit

import msgspec

from heckmeck import bots, dice
from heckmeck.coach import BadTurn, NoChampion
from heckmeck.hosting import games
from heckmeck.hosting.autopilot import Timing
from heckmeck.hosting.conversation import Conversation
from heckmeck.hosting.events import trouble
from heckmeck.hosting.live import LiveTable
from heckmeck.hosting.tables import Tables
from heckmeck.page.store import BrowserLog, Database
from heckmeck.rules import AnyState, game, new_game, word
from heckmeck.table.keys import Vault, hash_of, new_table_secret
from heckmeck.table.model import Step
from heckmeck.wire import answers, requests
from heckmeck.wire.coach import Advice, Unit
from heckmeck.wire.refusals import Code, Refused

#: Sends one message to a client, as text; None: there will be no more.
Send: TypeAlias = Callable[[str, str | None], None]
Query: TypeAlias = Mapping[str, str]

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"
#: Ids of tables in a page begin with this: no server has such a table, and no page looks for it
#: anywhere else.
PREFIX: Final = "here-"


class Bots:
    """The bots of a page think in its own worker (`autopilot.Thinker`)."""

    async def choose(self, bot: str, state: AnyState, asker: str = "") -> str:
        """Return the move that the bot plays."""
        return word(bots.player(bot).choose(state, dice.SeededLuck(dice.fresh_seed())))

    async def load(self, names: Iterable[str], edition: str) -> None:
        """Let bots begin a game of their own: what they load then, no turn has to wait for."""
        state = new_game(edition, game(edition).players[0])
        for name in sorted({*names}):
            await self.choose(name, state)
            await asyncio.sleep(0)


class Visitor(Conversation):
    """A table that is open in the page."""

    def __init__(self, live: LiveTable, send: Callable[[str], None]) -> None:
        """Send messages with ``send``."""
        super().__init__(live)
        self._send = send
        self._turn = asyncio.Lock()
        self.gone = asyncio.Event()

    def send(self, frame: bytes) -> None:
        """Send messages, each a line."""
        for line in frame.splitlines():
            self._send(line.decode())

    async def receive(self, text: str) -> None:
        """Handle a request when those before it are done."""
        async with self._turn:
            await self.answer(text)

    def count_change(self) -> None:
        """Allow it: a flood on one device harms nobody else."""

    async def weigh(self, state: AnyState, unit: Unit | None) -> Advice:
        """Compute the advice."""
        try:
            return games.advice_of(state, unit)
        except NoChampion as error:
            raise Refused(Code.NO_HINTS, str(error)) from error


class PageHost(Tables):
    """All tables of a page. Everything that the worker calls takes and returns texts."""

    prefix = PREFIX

    def __init__(
        self,
        database: Database,
        send: Send,
        progress: Callable[[float], None] | None = None,
        timing: Timing | None = None,
    ) -> None:
        """Keep logs in ``database``; ``send`` sends a message on a line.

        ``progress`` is called with the part of a review that is done, from 0 to 1.
        """
        super().__init__(BrowserLog(database), Bots(), timing or Timing())
        self._send, self._progress = send, progress
        self._lines: dict[str, Visitor] = {}
        self._loading: asyncio.Task[None] | None = None

    def frame(self, answer: answers.Answer) -> bytes:
        """Return a message as a line."""
        return msgspec.json.encode(answer) + b"\n"

    def written_here(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Do nothing: the browser tells the other tabs what its database has written."""

    # --- lines: what a WebSocket is to a server ---------------------------------------------------

    async def connect(self, line: str, name: str) -> None:
        """Serve a client on a line until it disconnects; an empty message says that it is open."""
        try:
            async with self.table(name) as live:
                visitor = Visitor(live, lambda text: self._send(line, text))
                self._lines[line] = visitor
                self._send(line, "")
                try:
                    await visitor.gone.wait()
                finally:
                    del self._lines[line]
                    visitor.leave()
        except Refused:  # the page asks why (`ask`)
            self._send(line, None)

    async def receive(self, line: str, text: str) -> None:
        """Handle a message that a client sent on its line."""
        visitor = self._lines.get(line)
        if visitor is None:
            return
        try:
            await visitor.receive(text)
        except Exception as error:  # noqa: BLE001 (the others play on)
            trouble("connection_failed", error, table=visitor.live.name)
            self._send(line, None)
            visitor.gone.set()

    def disconnect(self, line: str) -> None:
        """End a line."""
        if line in self._lines:
            self._lines[line].gone.set()

    # --- requests: what HTTP is to a server -------------------------------------------------------

    async def ask(self, method: str, path: str, body: str) -> str:
        """Answer a request: "ok" or "refused" and the type of the answer in a line, then it."""
        try:
            kind, answer = await self._answer(method, path, body.encode())
        except Refused as refused:
            problem = answers.Problem(refused.code, str(refused), refused.wait)
            return f"refused {_JSON}\n{msgspec.json.encode(problem).decode()}"
        except Exception as error:  # noqa: BLE001 (a page needs an answer, whatever happens)
            trouble("request_failed", error)
            problem = answers.Problem(Code.INTERNAL, "Something went wrong here.")
            return f"refused {_JSON}\n{msgspec.json.encode(problem).decode()}"
        return f"ok {kind}\n{answer.decode()}"

    async def _answer(self, method: str, path: str, body: bytes) -> tuple[str, bytes]:
        asked = urlsplit(path)
        parts, query = asked.path.removeprefix("/api/").split("/"), dict(parse_qsl(asked.query))
        try:
            if method == "POST":
                answer = await self._post(parts, query, body)
            elif parts[0] == "tables":
                answer = await self._about_tables(parts[1:], query)
            else:
                answer = _about_us(parts)
        except (BadTurn, NoChampion) as error:
            raise Refused(Code.BAD_SETUP, str(error)) from error
        if isinstance(answer, msgspec.Struct):
            return _JSON, msgspec.json.encode(answer)
        return (_TEXT if asked.path.endswith(".txt") else _JSON), answer

    async def _post(self, parts: list[str], query: Query, body: bytes) -> msgspec.Struct | bytes:
        match parts:
            case ["tables"]:
                wanted = games.decode(body, requests.NewTable)
                secret = dice.new_secret()
                name = await self.create(wanted.setup.plain(), wanted.bots, secret)
                self._loading = asyncio.create_task(Bots().load(wanted.bots, wanted.setup.edition))
                return _made(name, secret)
            case ["records"]:
                secret, vault = dice.new_secret(), Vault(new_table_secret())
                at = games.number_in(query, "at")
                entries, memory = games.imported(body, at, False, hash_of(secret), vault)
                return _made(await self.add(entries, memory, vault), secret)
            case ["review"]:
                return games.review_of(body, games.unit_in(query), self._progress)
            case ["odds"]:
                return games.odds_of(games.decode(body, requests.OddsAsked))
            case ["position"]:
                return games.position_of(games.decode(body, requests.PositionAsked))
            case _:
                raise _nothing()

    async def _about_tables(self, parts: list[str], query: Query) -> msgspec.Struct | bytes:
        match parts:
            case []:
                return answers.TableList([])  # nobody else is here
            case [name]:
                async with self.table(name) as live:
                    return live.now()
            case [name, "record" | "record.json"]:
                return games.written(await games.source_in(self, name, query), "json")
            case [name, "record.txt"]:
                return games.written(await games.source_in(self, name, query), "txt")
            case [name, "replay"]:
                first = games.number_in(query, "from") or 0
                return games.replay_page(await games.source_in(self, name, query), first)
            case [name, "review"]:
                source = await games.source_in(self, name, query)
                return games.review_of(source, games.unit_in(query), self._progress)
            case _:
                raise _nothing()


def _about_us(parts: list[str]) -> msgspec.Struct:
    match parts:
        case ["bots"]:
            return games.bot_list()
        case ["editions"]:
            return games.edition_list()
        case ["push"]:
            return answers.PushInfo(None)
        case _:
            raise _nothing()


def _made(name: str, secret: str) -> answers.TableMade:
    return answers.TableMade(name, secret, f"/t/{name}")


def _nothing() -> Refused:
    return Refused(Code.NO_SUCH_PAGE, "Only a server has this. Your device does not.")
