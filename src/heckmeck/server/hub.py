"""All tables of this process: opened on request, kept while they are used."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Final

from heckmeck.coach import NoChampion, Unit
from heckmeck.rules import AnyState
from heckmeck.server import store as stores
from heckmeck.server.autopilot import Autopilot, Timing
from heckmeck.server.books import Books
from heckmeck.server.jobs import Advisor, Source, imported
from heckmeck.server.limits import MOST_BOOK_GAMES
from heckmeck.server.live import LiveTable, Memory, remember
from heckmeck.server.logs import note, trouble
from heckmeck.server.push import Push, is_called, seat_called
from heckmeck.server.thinking import Thinker
from heckmeck.table import views
from heckmeck.table.commands import MarkAway
from heckmeck.table.keys import TABLE_ID, Vault, hash_of, new_table_id, new_table_secret
from heckmeck.table.lobby import new_table
from heckmeck.table.model import Step
from heckmeck.wire import entries as a
from heckmeck.wire.coach import Advice
from heckmeck.wire.entries import BadEntry
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


@dataclass(slots=True)
class _Kept:
    """A live table, its autopilot, and the number of its users."""

    live: LiveTable
    pilot: Autopilot
    users: int = 0
    idle: bool = False


class Hub:
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
        self.store = store
        self.thinker = thinker
        self.advisor = advisor
        self.push = push
        self._listed: tuple[float, list[stores.TableRow]] | None = None
        self._timing = timing
        self._tables: dict[str, _Kept] = {}
        self._opening: dict[str, asyncio.Task[_Kept]] = {}
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

    def __len__(self) -> int:
        """Return the number of open tables."""
        return len(self._tables)

    def is_in_use(self, name: str) -> bool:
        """Whether this table is being used in this process, or about to be."""
        kept = self._tables.get(name)
        return name in self._opening or (kept is not None and kept.users > 0)

    @asynccontextmanager
    async def table(self, name: str) -> AsyncIterator[LiveTable]:
        """Keep the table open while it is used; raise `Refused` if it does not exist."""
        kept = self._tables.get(name)
        while kept is None or self._tables.get(name) is not kept:
            kept = await self._opened(name)
        kept.users += 1
        kept.idle = False
        try:
            yield kept.live
        finally:
            kept.users -= 1
            is_closed = kept.live.table.status is Status.CLOSED
            if is_closed and not kept.users and self._tables.get(name) is kept:
                self._forget(name)  # it may be deleted at any moment

    async def _opened(self, name: str) -> _Kept:
        """Open a table once for all simultaneous requests."""
        task = self._opening.get(name)
        if task is None:
            task = self._opening[name] = asyncio.create_task(self._open(name))
            task.add_done_callback(lambda _: self._opening.pop(name, None))
        return await asyncio.shield(task)

    async def _open(self, name: str) -> _Kept:
        stored = await self._load(name)
        entries = [entry.text for entry in stored.entries]
        try:
            if len(entries) > _LONG_LOG or sum(map(len, entries)) > _MANY_LETTERS:
                memory = await self.thinker.records.run(name, remember, entries)
            else:
                memory = remember(entries)
        except BadEntry as error:
            trouble("unreadable_log", error, table=name)
            raise Refused(
                Code.INTERNAL, "The log of this table cannot be read. The server's log says why."
            ) from None
        return self._keep(name, memory, Vault(stored.secret), stored.entries)

    async def _load(self, name: str) -> stores.StoredTable:
        with reachable():
            stored = await self.store.load(name) if TABLE_ID.fullmatch(name) else None
        if stored is None:
            raise Refused(
                Code.NO_SUCH_TABLE, f"There is no table {name!r:.40}. Check the link, or open one."
            )
        return stored

    def _keep(
        self, name: str, memory: Memory, vault: Vault, entries: Sequence[stores.Entry]
    ) -> _Kept:
        times = [entry.at for entry in entries]
        live = LiveTable(
            name, memory, vault, self.store, self._table_changed, times, self._written_here
        )
        kept = self._tables[name] = _Kept(live, Autopilot(live, self.thinker, self._timing))
        return kept

    def _table_changed(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Notify the table's autopilot."""
        kept = self._tables.get(live.name)
        if kept is not None and kept.live is live:
            kept.pilot.changed(steps)

    def _written_here(self, live: LiveTable, steps: Sequence[Step]) -> None:
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

    async def log_of(self, name: str) -> list[str]:
        """Return all entries of a table's log from the store."""
        return [entry.text for entry in (await self._load(name)).entries]

    # --- creating tables --------------------------------------------------------------------------

    async def create(self, setup: Setup, bots: Sequence[str], host: str) -> str:
        """Create a table with bots in its last seats; return its id."""
        vault = Vault(new_table_secret())
        entries = new_table(setup, bots, hash_of(host), vault)
        name = await self._create(entries, remember(entries), vault)
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
        return await self._create(entries, memory, vault)

    async def _create(self, entries: tuple[str, ...], memory: Memory, vault: Vault) -> str:
        setup, summary = memory.table.setup, views.summary(memory.table)
        while True:
            name = new_table_id()
            table = stores.StoredTable.new(
                name, setup.public, setup.edition, vault.secret, summary, entries
            )
            with reachable(), suppress(stores.TableExists):
                await self.store.create(table)
                break
        self._keep(name, memory, vault, table.entries)
        self._listed = None
        note("created", table=name, edition=setup.edition)
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
                        self._start(self._notice(name, n))
                case stores.Missed():
                    for name in {*self._tables, *self._opening}:
                        self._start(self._notice(name, None))

    async def _notice(self, name: str, n: int | None) -> None:
        """Update a table that another worker wrote to; forget it if it is not used."""
        opening = self._opening.get(name)
        if opening is not None:
            await asyncio.wait([opening])
        kept = self._tables.get(name)
        if kept is None:
            return
        if not kept.users:
            self._forget(name)
            return
        try:
            await kept.live.notice(n)
        except (stores.StoreError, BadEntry) as error:
            trouble("cannot_follow", error, table=name)

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

    def tidy(self) -> None:
        """Forget tables that have not been used since the last time."""
        for name, kept in [*self._tables.items()]:
            idle = not kept.users and not kept.pilot.is_busy
            if idle and kept.idle:
                self._forget(name)
            kept.idle = idle

    def _forget(self, name: str) -> None:
        self._tables.pop(name).pilot.stop()


@contextmanager
def reachable() -> Iterator[None]:
    """Turn the errors of a store that does not answer into a refusal."""
    try:
        yield
    except stores.StoreError as error:
        raise Refused(
            Code.UNAVAILABLE, "The tables cannot be reached right now. Try again in a moment."
        ) from error
