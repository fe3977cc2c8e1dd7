"""A source that is a table of a server: somebody sits down there, or watches."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import NamedTuple

from heckmeck.client import Happening, KnownSeats, TableAddress, Tips, new_secret
from heckmeck.client.connection import Broken, Connection, NotDone, TurnedAway
from heckmeck.client.wire import Answer, Welcome
from heckmeck.client.words import OwnWords
from heckmeck.narration.news import News
from heckmeck.record import JsonValue
from heckmeck.rules import Event
from heckmeck.tui.server_log import ServerLog
from heckmeck.tui.server_view import Situation
from heckmeck.tui.source import Hints, MoveHint, Refused, SourceFailed, Update, Wish


class Guest(NamedTuple):
    """Who wants to sit down: under this name, on this seat or (None) any free one."""

    name: str
    seat: int | None = None


class ServerSource:
    """Plays or watches a table of a server, and comes back to it after a lost connection."""

    def __init__(
        self,
        address: TableAddress,
        language: str = "en",
        *,
        guest: Guest | None = None,
        known: KnownSeats | None = None,
    ) -> None:
        """Go to the table at ``address``.

        A ``guest`` gets back the seat that they have there, or sits down; without one the table is
        watched. ``known`` is where the secrets of seats are kept from one time to the next.
        """
        self._address = address
        self._news = News(language)
        self._guest = guest
        self._known = known
        self._secrets = self._own_secrets() if guest is not None else []
        self._remembered = known is not None
        self._now = Situation()
        self._words = OwnWords()
        self._log = ServerLog(language)
        self._left = False
        self._sitting = False
        self._busy = False
        self._updates: asyncio.Queue[Update | Exception] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._connection = Connection(
            address, hello=self._hello, hear=self._hear, link=self._linked
        )

    @property
    def is_seated(self) -> bool:
        """Whether the guest has a seat there to come back to, or will have: it is asked for."""
        return bool(self._sitting or self._now.table.you.seats) and not self._now.is_closed

    @property
    def way_back(self) -> str:
        """The link that brings the guest back: with the secret where nothing else remembers it."""
        if not self._secrets or self._remembered:
            return self._address.page
        return f"{self._address.page}#{self._secrets[-1]}"

    # --- what the screen asks for -----------------------------------------------------------------

    async def updates(self) -> AsyncIterator[Update]:
        """Connect; show the table as it is, then everything that happens."""
        self._start(self._connection.run())
        while True:
            update = await self._updates.get()
            if isinstance(update, Exception):
                raise update
            yield update
            if self._now.is_closed and self._updates.empty():
                return  # nothing will ever happen there again

    async def move(self, word: str) -> None:
        """Play a word. A lost connection delays it, and it is played once."""
        if self._busy:
            return
        if word not in self._now.moves():
            raise Refused(self._news.refusal("stale", "The table has changed."))
        self._busy = True
        try:
            await self._ask("move", again=True, at=self._now.table.n, word=word)
        finally:
            self._busy = False

    async def wish(self, wish: Wish) -> None:
        """Grant one of the wishes on offer."""
        if wish not in self._now.wishes():
            raise Refused(self._news.refusal("stale", "The table has changed."))
        match wish:
            case Wish.UNDO:
                await self._ask("undo", at=self._now.table.n)
            case Wish.HINTS:
                await self._switch_hints()
            case Wish.START:
                await self._ask("start")
            case Wish.REMATCH:
                await self._play_again()
            case Wish.FASTER | Wish.SLOWER:
                await self._ask("pace", pace=self._now.other_pace(wish))
            case _:
                raise Refused(self._news.refusal("stale", "The table has changed."))

    async def close(self) -> None:
        """Leave the table; the seat stays the guest's."""
        self._left = True
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- asking the server ------------------------------------------------------------------------

    async def _ask(self, do: str, *, again: bool = False, **fields: JsonValue) -> Answer | None:
        """Ask; None if somebody was faster, which the table shows already."""
        try:
            return await self._connection.request(do, again=again, **fields)
        except NotDone as error:
            if error.code == "stale":
                return None
            raise Refused(self._why(error)) from error

    def _why(self, error: NotDone | TurnedAway) -> str:
        return self._news.refusal(error.code, str(error), error.wait, **error.blanks)

    async def _play_again(self) -> None:
        """Open the table for another game; against bots it begins at once."""
        await self._ask("rematch")
        if self._now.only_bots_beside:
            await self._ask("start")

    async def _switch_hints(self) -> None:
        """Show or hide hints, if the host of the table allows them."""
        info = self._now.table.info
        if info is not None and not info.hints:
            self._now.hints_wanted = True
            await self._ask("options", hints=True)
            return
        self._now.hints_wanted = not self._now.hints_wanted
        self._now.hints = None
        self._show()
        self._weigh()

    def _weigh(self) -> None:
        """Ask what the moves are worth, where there is a choice and the table allows it."""
        if self._now.weighs:
            self._start(self._weigh_moves())

    async def _weigh_moves(self) -> None:
        try:
            tips = await self._connection.request("hint")
        except NotDone as error:
            if error.code == "no_hints":  # this server has nobody to ask
                self._now.hints_wanted = False
                self._show()
            return
        if isinstance(tips, Tips) and tips.n >= self._now.table.n and self._now.hints_wanted:
            moves = tuple(MoveHint(tip.word, tip.worth, tip.fail) for tip in tips.moves)
            self._now.hints = Hints(tips.unit, moves)
            self._show()

    # --- words for the dice -----------------------------------------------------------------------

    def _mind_words(self) -> None:
        """Promise words for our seats, and show them when the table calls for them."""
        for seat, promised in self._words.to_promise(self._now.table):
            self._start(self._tell("promise_words", seat=seat, promise=promised))
        for seat, words in self._words.to_show(self._now.table):
            self._start(self._tell("show_words", seat=seat, words=words))

    async def _tell(self, do: str, **fields: JsonValue) -> None:
        """Ask for something that nobody waits for: the game begins without our words, too."""
        with suppress(NotDone):
            await self._connection.request(do, again=True, **fields)

    # --- coming, sitting down ---------------------------------------------------------------------

    def _own_secrets(self) -> list[str]:
        known = self._known.secrets(self._address) if self._known is not None else ()
        given = self._address.secret
        return [*(secret for secret in known if secret != given), *([given] if given else [])]

    def _hello(self) -> dict[str, JsonValue]:
        return {"last": self._now.table.n, "secrets": [*self._secrets[-16:]]}

    def _linked(self, connected: bool) -> None:
        self._now.connected = connected
        if not connected and not self._left:
            self._now.hints = None
            self._show()

    async def _sit(self, guest: Guest) -> None:
        """Take a seat, under a secret that is ours before we ask: a lost answer costs nothing."""
        self._remember(self._address.secret)
        if self._now.table.you.seats:
            return
        secret = new_secret()
        self._secrets.append(secret)
        self._remember(secret)
        self._sitting = True
        try:
            await self._connection.request(
                "sit", again=True, name=guest.name, seat=guest.seat, secret=secret
            )
        except Broken:
            return  # we leave
        except NotDone as error:
            self._sitting = False
            self._fail(SourceFailed(self._why(error)))

    def _remember(self, secret: str) -> None:
        """Keep the secret for the next time; where that cannot be, the link has to do."""
        if self._known is None or not secret:
            return
        try:
            self._known.add(self._address, secret)
        except OSError:
            self._remembered = False

    # --- hearing from the server ------------------------------------------------------------------

    def _hear(self, answer: Answer) -> None:
        table = self._now.table
        first = table.info is None
        before = table.info, table.state, table.you
        heard = table.hear(answer)
        told = self._log.tell(heard.happened, table, self._reader(heard.happened))
        after = table.info, table.state, table.you
        same = not heard.happened and not heard.anew and after == before
        if same and not isinstance(answer, Welcome):
            return
        self._now.follow(heard.happened, anew=heard.anew)
        if after[1] is not before[1]:
            self._now.hints = None
            self._busy = False  # the table has moved on: the next move need not wait
        anew = heard.anew or any(each.do in ("undone", "reopened") for each in heard.happened)
        events = tuple(event for each in heard.happened for event in each.events)
        self._show(events, self._log.lines if anew else told, anew=anew)
        self._mind_words()
        self._weigh()
        if first and self._guest is not None:
            self._start(self._sit(self._guest))

    def _reader(self, happened: tuple[Happening, ...]) -> int | None:
        """Return the reader's seat, if they have one alone."""
        seats = [*self._now.table.you.seats]
        if not seats and self._sitting and self._guest is not None:
            # That somebody sat down is sent before whose seat that is.
            sat = [each for each in happened if each.do == "sat"]
            seats = [
                each.seat for each in sat if each.seat is not None and each.text == self._guest.name
            ]
        return seats[0] if len(seats) == 1 else None

    # --- showing ----------------------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, TurnedAway):
            self._fail(SourceFailed(self._why(error)))
        elif isinstance(error, Exception):
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._updates.put_nowait(error)

    def _show(
        self, events: tuple[Event, ...] = (), told: tuple[str, ...] = (), *, anew: bool = False
    ) -> None:
        info = self._now.table.info
        if info is not None:
            view = self._now.view(info, self._news, self._address.record)
            self._updates.put_nowait(Update(view, events, told, anew))
