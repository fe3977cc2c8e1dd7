"""A table that people are looking at: its cache, who listens, and what happens by itself.

One lock a table: a command is decided on the newest table known here, written, and only then
becomes true. When another worker was faster, the store says so, and the command is decided again
on what is true now.
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

#: How many events a client can miss and still get them one by one.
REMEMBERED: Final = 128
#: How often a command is decided again because others were faster, before we give up.
_ATTEMPTS: Final = 20


class Listener(Protocol):
    """A client that is connected to a table."""

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of the secrets that it has shown."""
        ...

    def send(self, frame: bytes) -> None:
        """Send a message (`messages.frame`), without waiting."""
        ...


class Done(NamedTuple):
    """A command took effect with entry ``n``; ``again``: it had done so before."""

    n: int
    again: bool = False


class Memory(NamedTuple):
    """A table and the last events there, as JSON already (`views.written`)."""

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
    """Whoever wants to know that a table has changed or that people came or went."""

    def table_changed(self, live: "LiveTable", steps: Sequence[Step]) -> None:
        """Called after every change, with nothing if only the listeners changed."""
        ...


class LiveTable:
    """One table in this process."""

    def __init__(
        self, name: str, memory: Memory, vault: Vault, store: Store, watcher: Watcher
    ) -> None:
        """Take what the log has made so far."""
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
        """Carry out a command of whoever holds secrets with these hashes.

        When this returns, it is on disk and everybody here knows. Raise `Refused` if it cannot be
        done, or not just now.
        """
        async with self._lock:
            try:
                return await self._run(command, tuple(hashes))
            except NoSuchGame as error:
                raise Refused(
                    Code.NO_SUCH_TABLE, "This table is not there any more. Open another one."
                ) from error
            except StoreError as error:
                # Whether it was written nobody knows: look before the next one.
                self._in_doubt = True
                raise Refused(
                    Code.UNAVAILABLE,
                    "The table cannot be written just now. Send this again in a moment.",
                ) from error

    async def _run(self, command: Command, hashes: tuple[str, ...]) -> Done:
        if self._in_doubt:
            await self._catch_up()
        for _ in range(_ATTEMPTS):
            try:
                decision = decide(self.table, command, who_holds(self.table, hashes), self.vault)
            except Refused:
                # Refused by what we remember; another worker may have written what changes that.
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
        """Write the next entries; False if another worker was faster, and what it wrote is read.

        What will be written is read before it is: nothing unreadable ever gets into a log.
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
        """Learn what other workers wrote, up to entry ``n`` (None: whatever there is)."""
        if n is None or n > self.table.n:
            async with self._lock:
                if n is None or n > self.table.n:
                    await self._catch_up()

    async def _catch_up(self) -> bool:
        """Read what is new in the log; return whether anything was."""
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
        """Whether anybody is connected to this table here."""
        return bool(self._listeners)

    @property
    def seats_here(self) -> frozenset[int]:
        """The seats whose players are connected here."""
        return self._seats_here

    def _listeners_changed(self) -> None:
        self._seats_here = frozenset[int]().union(*(who.seats for who in self._listeners.values()))

    def join(self, listener: Listener, request: m.Hello) -> Who:
        """Welcome a client, or welcome it again; from now on it hears everything."""
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
        """Return what a client may do."""
        return self._listeners.get(listener, NOBODY)

    def _tell_who_they_are(self) -> None:
        for listener, before in self._listeners.items():
            who = who_holds(self.table, listener.hashes)
            if who != before:
                self._listeners[listener] = who
                listener.send(m.frame(m.YouNow(views.you(who))))
        self._listeners_changed()

    def recognise(self) -> None:
        """Look again at the secrets that clients have shown."""
        self._tell_who_they_are()
        self._watcher.table_changed(self, ())

    # --- messages ---------------------------------------------------------------------------------

    def now(self) -> m.TableNow:
        """Return the table as it is."""
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
        """Return the events after ``last``, None if they are not all remembered."""
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
    """Whether anything but the position is different."""
    return (
        before.seats is not now.seats
        or before.status is not now.status
        or before.setup is not now.setup
        or before.round != now.round
        or before.called != now.called
        or (before.match is None) != (now.match is None)
        or (before.match and before.match.seed) != (now.match and now.match.seed)
    )


#: What changes nothing that lists show.
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
