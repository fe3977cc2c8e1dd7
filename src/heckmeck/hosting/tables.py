"""The tables of one host: opened on request, kept while they are used."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

from heckmeck.hosting.autopilot import Autopilot, Thinker, Timing
from heckmeck.hosting.events import note, trouble
from heckmeck.hosting.live import LiveTable, Memory, remember
from heckmeck.hosting.log import Entry, Log, StoredTable, StoreError, TableExists
from heckmeck.table import views
from heckmeck.table.keys import TABLE_ID, Vault, hash_of, new_table_id, new_table_secret
from heckmeck.table.lobby import new_table
from heckmeck.table.model import Step
from heckmeck.wire.answers import Answer
from heckmeck.wire.entries import BadEntry
from heckmeck.wire.refusals import Code, Refused
from heckmeck.wire.setup import Setup, Status


@dataclass(slots=True)
class _Kept:
    """A live table, its autopilot, and the number of its users."""

    live: LiveTable
    pilot: Autopilot
    users: int = 0
    idle: bool = False


class Tables(ABC):
    """Opens, creates and forgets tables; see `live.Host`."""

    #: What the ids of all tables here begin with.
    prefix = ""

    def __init__(self, log: Log, thinker: Thinker, timing: Timing) -> None:
        """Keep entries in ``log``, and let the bots of ``thinker`` play."""
        self._log = log
        self._bots = thinker
        self._timing = timing
        self._tables: dict[str, _Kept] = {}
        self._opening: dict[str, asyncio.Task[_Kept]] = {}

    @property
    def log(self) -> Log:
        """Where entries are written."""
        return self._log

    @abstractmethod
    def frame(self, answer: Answer) -> bytes:
        """Return a message as it is sent."""

    async def read(self, name: str, entries: list[str]) -> Memory:
        """Read the log of a table; raise `BadEntry` if that is not possible."""
        return remember(entries)

    @abstractmethod
    def written_here(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Hear of steps that were written by this host, not by another one."""

    def table_changed(self, live: LiveTable, steps: Sequence[Step]) -> None:
        """Notify the table's autopilot."""
        kept = self._tables.get(live.name)
        if kept is not None and kept.live is live:
            kept.pilot.changed(steps)

    # --- using them -------------------------------------------------------------------------------

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
        try:
            memory = await self.read(name, [entry.text for entry in stored.entries])
        except BadEntry as error:
            trouble("unreadable_log", error, table=name)
            raise Refused(
                Code.INTERNAL, "The log of this table cannot be read. The server's log says why."
            ) from None
        return self._keep(name, memory, Vault(stored.secret), stored.entries)

    async def _load(self, name: str) -> StoredTable:
        known = name.startswith(self.prefix) and TABLE_ID.fullmatch(name.removeprefix(self.prefix))
        with reachable():
            stored = await self._log.load(name) if known else None
        if stored is None:
            raise Refused(
                Code.NO_SUCH_TABLE, f"There is no table {name!r:.40}. Check the link, or open one."
            )
        return stored

    async def log_of(self, name: str) -> list[str]:
        """Return all entries of a table's log from the store."""
        return [entry.text for entry in (await self._load(name)).entries]

    async def notice(self, name: str, n: int | None) -> None:
        """Update a table that another host wrote to; forget it if it is not used."""
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
        except (StoreError, BadEntry) as error:
            trouble("cannot_follow", error, table=name)

    def tidy(self) -> None:
        """Forget tables that have not been used since the last time."""
        for name, kept in [*self._tables.items()]:
            idle = not kept.users and not kept.pilot.is_busy
            if idle and kept.idle:
                self._forget(name)
            kept.idle = idle

    def _keep(self, name: str, memory: Memory, vault: Vault, entries: Sequence[Entry]) -> _Kept:
        live = LiveTable(name, memory, vault, self, [entry.at for entry in entries])
        kept = self._tables[name] = _Kept(live, Autopilot(live, self._bots, self._timing))
        return kept

    def _forget(self, name: str) -> None:
        self._tables.pop(name).pilot.stop()

    # --- creating them ----------------------------------------------------------------------------

    async def create(self, setup: Setup, bots: Sequence[str], host: str) -> str:
        """Create a table with bots in its last seats; return its id."""
        vault = Vault(new_table_secret())
        entries = new_table(setup, bots, hash_of(host), vault)
        return await self.add(entries, remember(entries), vault)

    async def add(self, entries: tuple[str, ...], memory: Memory, vault: Vault) -> str:
        """Create a table with this log; return its id."""
        setup, summary = memory.table.setup, views.summary(memory.table)
        while True:
            name = self.prefix + new_table_id()
            table = StoredTable.new(
                name, setup.public, setup.edition, vault.secret, summary, entries
            )
            with reachable(), suppress(TableExists):
                await self._log.create(table)
                break
        self._keep(name, memory, vault, table.entries)
        note("created", table=name, edition=setup.edition)
        return name


@contextmanager
def reachable() -> Iterator[None]:
    """Turn the errors of a store that does not answer into a refusal."""
    try:
        yield
    except StoreError as error:
        raise Refused(
            Code.UNAVAILABLE, "The tables cannot be reached right now. Try again in a moment."
        ) from error
