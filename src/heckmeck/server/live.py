"""A table in memory, with its connected clients.

One lock per table: a command is decided on the newest state known here, written to the store, and
only then applied. If another worker wrote first, the store reports a conflict, and the command is
decided again on the new state.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final, NamedTuple, Protocol

from heckmeck.server import actions as a
from heckmeck.server import messages as m
from heckmeck.server import views
from heckmeck.server.commands import Already, Command, decide
from heckmeck.server.keys import NOBODY, Vault, Who, who_holds
from heckmeck.server.refusals import Code, Refused
from heckmeck.server.store import Conflict, NoSuchGame, Store, StoreError, Summary
from heckmeck.server.table import Moved, Step, Table, What, after, fold

#: The maximum number of missed events that a client still receives one by one.
REMEMBERED: Final = 128
#: The maximum number of attempts at a command when other workers keep writing first.
_ATTEMPTS: Final = 20


class Listener(Protocol):
    """A client that is connected to a table."""

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of the secrets it has presented."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a message (`messages.frame`), without waiting."""
        ...


class Done(NamedTuple):
    """A command took effect with entry ``n``; ``again`` if it had already done so earlier."""

    n: int
    again: bool = False


class Memory(NamedTuple):
    """A table and its last events, already encoded as JSON (`views.written`)."""

    table: Table
    recent: deque[m.Happening]


def remember(words: Iterable[str]) -> Memory:
    """Read a whole log."""
    last: deque[tuple[int, What]] = deque(maxlen=REMEMBERED)
    table: Table | None = None
    for table, what in fold(words):
        last.append((table.n, what))
    if table is None:
        raise a.BadEntry("the log is empty")
    return Memory(table, deque((views.written(n, what) for n, what in last), REMEMBERED))


class Watcher(Protocol):
    """Is notified when a table changes or clients come and go."""

    def table_changed(self, live: "LiveTable", steps: Sequence[Step]) -> None:
        """Handle a change; ``steps`` is empty if only the listeners changed."""
        ...


class LiveTable:
    """One table in this process."""

    def __init__(
        self, name: str, memory: Memory, vault: Vault, store: Store, watcher: Watcher
    ) -> None:
        """Start from the table in ``memory``."""
        self.name = name
        self.table = memory.table
        self.vault = vault
        self._recent = memory.recent
        self._store = store
        self._watcher = watcher
        self._listeners: dict[Listener, Who] = {}
        self._seats_here: frozenset[int] = frozenset()
        self._lock = asyncio.Lock()
        self._in_doubt = False
        self._now: m.TableNow | None = None

    # --- commands ---------------------------------------------------------------------------------

    async def run(self, command: Command, hashes: Iterable[str] = ()) -> Done:
        """Carry out a command for the holder of the secrets with these hashes.

        When this returns, it is on disk and all listeners have been notified. Raise `Refused` if it
        is not possible, or not right now.
        """
        async with self._lock:
            try:
                return await self._run(command, tuple(hashes))
            except NoSuchGame as error:
                raise Refused(
                    Code.NO_SUCH_TABLE, "This table no longer exists. Open another one."
                ) from error
            except StoreError as error:
                # It may have been written: read the log before the next command.
                self._in_doubt = True
                raise Refused(
                    Code.UNAVAILABLE,
                    "The table cannot be saved right now. Send this again in a moment.",
                ) from error

    async def _run(self, command: Command, hashes: tuple[str, ...]) -> Done:
        if self._in_doubt:
            await self._catch_up()
        for _ in range(_ATTEMPTS):
            try:
                decision = decide(self.table, command, who_holds(self.table, hashes), self.vault)
            except Refused:
                # Refused by the state in memory; another worker may have changed it since.
                if await self._catch_up():
                    continue
                raise
            if isinstance(decision, Already):
                return Done(decision.n, again=True)
            n = self.table.n + 1
            if await self._written(a.write_all(decision.entries)):
                return Done(n)
        raise Refused(Code.UNAVAILABLE, "This table is very busy. Send this again in a moment.")

    async def _written(self, words: tuple[str, ...]) -> bool:
        """Write the next entries; return False after reading what another worker wrote first.

        The entries are read before they are written, so that a log is always readable.
        """
        steps = self._steps(words)
        n, summary = self.table.n + 1, _summary(self.table, steps)
        try:
            await self._store.append(self.name, n, words, summary)
        except Conflict:
            await self._catch_up()
            return False
        self._advance(steps)
        return True

    async def notice(self, n: int | None) -> None:
        """Read what other workers wrote, up to entry ``n`` (None: all there is)."""
        if n is None or n > self.table.n:
            async with self._lock:
                if n is None or n > self.table.n:
                    await self._catch_up()

    async def _catch_up(self) -> bool:
        """Read new entries of the log; return whether there were any."""
        entries = await self._store.entries(self.name, self.table.n)
        self._in_doubt = False
        if entries:
            self._advance(self._steps(entry.word for entry in entries))
        return bool(entries)

    def _steps(self, words: Iterable[str]) -> list[Step]:
        steps: list[Step] = []
        table = self.table
        for word in words:
            steps.append(after(table, word))
            table = steps[-1].table
        return steps

    def _advance(self, steps: Sequence[Step]) -> None:
        before, self.table = self.table, steps[-1].table
        events = [views.written(step.table.n, step.what) for step in steps]
        self._recent.extend(events)
        if self._listeners:
            frame = m.frame(self._events(before, events))
            for listener in self._listeners:
                listener.send(frame)
            if before.seats is not self.table.seats:
                self._tell_who_they_are()
        self._watcher.table_changed(self, steps)

    # --- listeners --------------------------------------------------------------------------------

    @property
    def is_watched(self) -> bool:
        """Whether a client is connected to this table in this process."""
        return bool(self._listeners)

    @property
    def seats_here(self) -> frozenset[int]:
        """The seats whose players are connected to this process."""
        return self._seats_here

    def _listeners_changed(self) -> None:
        self._seats_here = frozenset[int]().union(*(who.seats for who in self._listeners.values()))

    def join(self, listener: Listener, request: m.Hello) -> Who:
        """Welcome a client, also after a repeated hello; from now on it receives all events."""
        who = who_holds(self.table, listener.hashes)
        self._listeners[listener] = who
        self._listeners_changed()
        listener.send(m.frame(self._welcome(request, who)))
        self._watcher.table_changed(self, ())
        return who

    def leave(self, listener: Listener) -> None:
        """Forget a client."""
        self._listeners.pop(listener, None)
        self._listeners_changed()
        self._watcher.table_changed(self, ())

    def who_is(self, listener: Listener) -> Who:
        """Return the rights of a client."""
        return self._listeners.get(listener, NOBODY)

    def _tell_who_they_are(self) -> None:
        for listener, before in self._listeners.items():
            who = who_holds(self.table, listener.hashes)
            if who != before:
                self._listeners[listener] = who
                listener.send(m.frame(m.YouNow(views.you(who))))
        self._listeners_changed()

    def recognise(self) -> None:
        """Check again the secrets that clients have presented."""
        self._tell_who_they_are()
        self._watcher.table_changed(self, ())

    # --- messages ---------------------------------------------------------------------------------

    def now(self) -> m.TableNow:
        """Return the current table."""
        if self._now is None or self._now.n != self.table.n:
            table = self.table
            self._now = m.TableNow(
                table.n, views.table_view(self.name, table), views.table_state(table)
            )
        return self._now

    def _welcome(self, request: m.Hello, who: Who) -> m.Welcome:
        now = self.now()
        return m.Welcome(
            id=request.id,
            protocol=m.PROTOCOL,
            n=now.n,
            you=views.you(who),
            table=now.table,
            state=now.state,
            missed=self._missed(request.last),
        )

    def _missed(self, last: int) -> list[m.Happening] | None:
        """Return the events after ``last``, or None if they are not all in memory."""
        count = self.table.n - last
        if not 0 <= count <= len(self._recent):
            return None
        return [*islice(self._recent, len(self._recent) - count, None)]

    def _events(self, before: Table, events: list[m.Happening]) -> m.Events:
        table = self.table
        return m.Events(
            events=events,
            table=views.table_view(self.name, table) if _table_differs(before, table) else None,
            state=views.table_state(table) if before.match is not table.match else None,
        )


def _table_differs(before: Table, now: Table) -> bool:
    """Whether anything except the position differs."""
    return (
        before.seats is not now.seats
        or before.status is not now.status
        or before.setup is not now.setup
        or before.round != now.round
        or before.called != now.called
        or (before.match is None) != (now.match is None)
        or (before.match and before.match.seed) != (now.match and now.match.seed)
    )


#: Actions that do not change the summary.
_SMALL: Final[tuple[type[What], ...]] = (
    Moved,
    a.Emoted,
    a.WentAway,
    a.CameBack,
    a.StoodIn,
    a.Undone,
    a.PromisedWords,
    a.Called,
    a.AddedWords,
)


def _summary(before: Table, steps: Sequence[Step]) -> Summary | None:
    """Return the new summary if these steps may have changed it."""
    table = steps[-1].table
    if before.status is table.status and all(isinstance(step.what, _SMALL) for step in steps):
        return None
    return views.summary(table)
