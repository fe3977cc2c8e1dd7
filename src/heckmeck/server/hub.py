"""All tables of this process, and what a server does beside them."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from time import monotonic
from typing import Final

from heckmeck.coach import NoChampion, Unit
from heckmeck.hosting.autopilot import Timing
from heckmeck.hosting.events import trouble
from heckmeck.hosting.games import Advisor, Source, imported
from heckmeck.hosting.live import LiveTable, Memory, remember
from heckmeck.hosting.tables import Tables, reachable
from heckmeck.rules import AnyState
from heckmeck.server import store as stores
from heckmeck.server.books import Books
from heckmeck.server.limits import MOST_BOOK_GAMES
from heckmeck.server.live_protocol import frame
from heckmeck.server.push import Push, is_called, seat_called
from heckmeck.server.thinking import Thinker
from heckmeck.table.commands import MarkAway
from heckmeck.table.keys import Vault, hash_of, new_table_secret
from heckmeck.table.model import Step
from heckmeck.wire import entries as a
from heckmeck.wire.answers import Answer
from heckmeck.wire.coach import Advice
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup, Status

#: Logs with more entries or characters are read in another process, not in the event loop.
_LONG_LOG: Final = 400
_MANY_LETTERS: Final = 4_000
_TIDY_SECONDS: Final = 30.0
_LISTED: Final = 100
#: How old a list of public tables may be.
_LIST_SECONDS: Final = 2.0
#: The number of tables looked after at a time when something is due there.
_DUE_AT_ONCE: Final = 50
#: Entries after which somebody may no longer have a seat.
_LEAVING: Final = (a.Left, a.BotSet, a.Closed, a.Changed)


class Hub(Tables):
    """Opens, creates and forgets tables."""

    def __init__(
        self,
        store: stores.Store,
        thinker: Thinker,
        timing: Timing,
        advisor: Advisor | None = None,
        push: Push | None = None,
        book_games: int = MOST_BOOK_GAMES,
    ) -> None:
        """Use ``store``, which `open` opens and `close` closes. ``push`` sends push messages.

        A family book keeps up to ``book_games``.
        """
        super().__init__(store, thinker, timing)
        self.store = store
        self.thinker = thinker
        self.advisor = advisor
        self.push = push
        self._listed: tuple[float, list[stores.TableRow]] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.books = Books(store, thinker, self._start, book_games)
        #: The tables whose games are being put into books.
        self._keeping: set[str] = set()

    async def open(self) -> None:
        """Open the store and start following the writes of other workers."""
        await self.store.open()
        if self.push is not None:
            await self.push.open()
        self._start(self._follow_others())
        self._start(self._tidy_now_and_then())
        self._start(self._act_when_due())

    async def close(self) -> None:
        """Stop all automatic activity, then close the store."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for name in [*self._tables]:
            self._forget(name)
        self.thinker.close()
        await self.store.close()

    # --- tables -----------------------------------------------------------------------------------

    def frame(self, answer: Answer) -> bytes:
        """Return a message as a frame of a WebSocket."""
        return frame(answer)

    async def read(self, name: str, entries: list[str]) -> Memory:
        """Read the log of a table, a long one in another process."""
        if len(entries) > _LONG_LOG or sum(map(len, entries)) > _MANY_LETTERS:
            return await self.thinker.records.run(name, remember, entries)
        return remember(entries)

    def written_here(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Tell the person whose turn has begun, and delete the subscriptions of those who left."""
        if live.table.setup.public or any(isinstance(step.what, a.Changed) for step in steps):
            self._listed = None
        bots = [step.what.bot for step in steps if isinstance(step.what, a.BotSet)]
        self._expect(bots, live.table.setup.edition)
        if live.table.owed:
            self._start(self._keep_games(live.name))
        if self.push is None:
            return
        if any(isinstance(step.what, _LEAVING) for step in steps):
            people = (live.table.person(seat) for seat in range(len(live.table.seats)))
            is_closed = live.table.status is Status.CLOSED
            seats = [] if is_closed else [person.hash for person in people if person]
            self._start(self.store.keep_subscriptions(live.name, seats))
        seat = seat_called(steps)
        if seat is not None and seat not in live.seats_here:
            self._start(self._call(live.name, seat, live.table.n))

    def _expect(self, bots: Iterable[str], edition: str) -> None:
        """Let bots that have sat down get ready while the table waits for people."""
        for bot in dict.fromkeys(bots):
            self._start(self.thinker.get_ready(bot, edition))

    async def _call(self, name: str, seat: int, n: int) -> None:
        """Send push messages to a person whose turn it is since entry ``n``, if they are away.

        Which worker they may be connected to is not known: a roll call finds out.
        """
        async with self.table(name) as live:
            person = live.table.person(seat)
            if self.push is None or person is None:
                return
            kept = await self.store.subscriptions(name, person.hash)
            if not kept:
                return
            await asyncio.sleep(self._timing.absence)
            if not person.away and seat not in live.seats_here:
                with suppress(Refused):
                    await live.run(MarkAway(seat))
                    await asyncio.sleep(self._timing.roll_call)
            if is_called(live.table, seat, n) and seat not in live.seats_here:
                seconds = live.table.setup.tempo.seconds
                await self.push.tell(name, person.hash, kept, seconds)

    async def _keep_games(self, name: str) -> None:
        """Put the games that a table owes to family books into them, one table at a time.

        If that fails, or the server is killed, the table is still due.
        """
        if name in self._keeping:
            return
        self._keeping.add(name)
        try:
            async with self.table(name) as live:
                while live.table.owed:
                    await self.books.keep(live, lambda: self.log_of(name))
        except Exception as error:  # noqa: BLE001 (the books of others must not wait for it)
            trouble("not_kept", error, table=name)
        finally:
            self._keeping.discard(name)

    # --- creating tables --------------------------------------------------------------------------

    async def create(self, setup: Setup, bots: Sequence[str], host: str) -> str:
        """Create a table with bots in its last seats; return its id."""
        name = await super().create(setup, bots, host)
        self._expect(bots, setup.edition)
        return name

    async def import_record(
        self, record: Source, moves: int | None, public: bool, host: str, asker: str
    ) -> str:
        """Create a table from the first ``moves`` of a record, or all of them; return its id."""
        vault = Vault(new_table_secret())
        entries, memory = await self.thinker.records.run(
            asker, imported, record, moves, public, hash_of(host), vault
        )
        return await self.add(entries, memory, vault)

    async def add(self, entries: tuple[str, ...], memory: Memory, vault: Vault) -> str:
        """Create a table with this log; it may have to be listed."""
        name = await super().add(entries, memory, vault)
        self._listed = None
        return name

    # --- queries ----------------------------------------------------------------------------------

    async def public_tables(self) -> list[stores.TableRow]:
        """Return the public tables, newest first.

        However many ask, the store is asked once in `_LIST_SECONDS`, and after a change here.
        """
        listed = self._listed
        if listed is None or monotonic() > listed[0] + _LIST_SECONDS:
            now = monotonic()
            with reachable():
                listed = self._listed = now, await self.store.list_public(_LISTED)
        return listed[1]

    async def weigh(self, state: AnyState, unit: Unit | None, asker: str) -> Advice:
        """Return what the moves of ``state`` are worth, in the unit requested by ``asker``."""
        if self.advisor is None:
            raise Refused(Code.NO_HINTS, "This server does not give hints.")
        try:
            return await self.thinker.weigh(self.advisor, state, unit, asker)
        except NoChampion as error:
            raise Refused(Code.NO_HINTS, str(error)) from error

    # --- in the background ------------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            trouble("background_failed", error)

    async def _follow_others(self) -> None:
        async for news in self.store.changes():
            match news:
                case stores.Change(name, n):
                    if name in self._tables or name in self._opening:
                        self._start(self.notice(name, n))
                case stores.Missed():
                    for name in {*self._tables, *self._opening}:
                        self._start(self.notice(name, None))

    async def _act_when_due(self) -> None:
        """Act at slow tables where nobody may be connected: they are not kept in memory."""
        hopeless: set[str] = set()
        while True:
            with suppress(stores.StoreUnavailable):  # already logged
                due = await self.store.due(datetime.now(UTC), len(hopeless) + _DUE_AT_ONCE)
                for name in due:
                    if name not in hopeless and not await self._wake(name):
                        hopeless.add(name)
            await asyncio.sleep(self._timing.due)

    async def _wake(self, name: str) -> bool:
        """Let the autopilot of a table do what is due; return False if its log is unreadable."""
        try:
            async with self.table(name):
                self._tables[name].pilot.changed(())
            await self._keep_games(name)
        except Refused as refused:
            return refused.code is not Code.INTERNAL
        return True

    async def _tidy_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            self.tidy()
