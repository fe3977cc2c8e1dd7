"""A table in memory, with its connected clients.

One lock per table: a command is decided on the newest state known here, written to the store, and
only then applied. If another worker wrote first, the store reports a conflict, and the command is
decided again on the new state.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple, Protocol

from heckmeck.hosting.log import Conflict, Entry, Log, NoSuchTable, StoreError
from heckmeck.record import TableFacts, table_facts
from heckmeck.table import keys, model, play, views
from heckmeck.table.commands import Already, Command, decide
from heckmeck.table.views import Summary
from heckmeck.wire import answers as m
from heckmeck.wire import entries as a
from heckmeck.wire import requests, states
from heckmeck.wire.refusals import Code, Refused

#: The maximum number of missed entries that a client still receives one by one.
REMEMBERED: Final = 128
#: The maximum number of attempts at a command when other workers keep writing first.
_ATTEMPTS: Final = 20


class Listener(Protocol):
    """A client that is connected to a table."""

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of the secrets it has presented."""

    def send(self, frame: bytes) -> None:
        """Send one or more messages (`Host.frame`), without waiting."""


class Asker(NamedTuple):
    """The client that sent a request, and the request's id."""

    client: Listener
    id: str


class Done(NamedTuple):
    """A command took effect with entry ``n``; ``again`` if it had already done so earlier.

    ``answered``: its asker has the answer.
    """

    n: int
    again: bool = False
    answered: bool = False


class Memory(NamedTuple):
    """A table and its last entries, already encoded as JSON (`views.written`)."""

    table: model.Table
    recent: deque[m.NumberedEntry]


def remember(entries: Iterable[str]) -> Memory:
    """Read a whole log."""
    last: deque[tuple[int, model.What]] = deque(maxlen=REMEMBERED)
    table: model.Table | None = None
    for table, what in model.fold(entries):
        last.append((table.n, what))
    if table is None:
        raise a.BadEntry("the log is empty")
    return Memory(table, deque((views.written(n, what) for n, what in last), REMEMBERED))


class Host(Protocol):
    """Where tables live: it keeps their logs, and is notified of what happens."""

    @property
    def log(self) -> Log:
        """Where entries are written."""

    def frame(self, answer: m.Answer) -> bytes:
        """Return a message as it is sent; messages can be sent together, one after the other."""

    def table_changed(self, live: "LiveTable", steps: Sequence[model.Step]) -> None:
        """Hear of a change; without steps, only the listeners have changed."""

    def written_here(self, live: "LiveTable", steps: Sequence[model.Step]) -> None:
        """Hear of steps that were written by this host, not by another one."""


class LiveTable:
    """One table in this process."""

    def __init__(
        self,
        name: str,
        memory: Memory,
        vault: keys.Vault,
        host: Host,
        times: Sequence[datetime],
    ) -> None:
        """Start from the table in ``memory``; ``times`` are those of all its entries."""
        self.name = name
        wait = play.turn_wait(memory.table)
        self._waits_since = times[wait.n if wait else -1]
        self.table = memory.table
        self.vault = vault
        self.host = host
        self._recent = memory.recent
        self._listeners: dict[Listener, keys.Who] = {}
        self._seats_here: frozenset[int] = frozenset()
        self._lock = asyncio.Lock()
        self._in_doubt = False
        self._now: m.TableNow | None = None
        self._facts: TableFacts | None = None

    # --- commands ---------------------------------------------------------------------------------

    async def run(
        self, command: Command, hashes: Iterable[str] = (), asker: Asker | None = None
    ) -> Done:
        """Carry out a command for its asker, or the holder of the secrets with these hashes.

        When this returns, it is on disk and all listeners have been notified. Raise `Refused` if it
        is not possible, or not right now.
        """
        async with self._lock:
            try:
                return await self._run(command, tuple(hashes), asker)
            except NoSuchTable as error:
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

    async def _run(self, command: Command, hashes: tuple[str, ...], asker: Asker | None) -> Done:
        if self._in_doubt:
            await self._catch_up()
        for _ in range(_ATTEMPTS):
            try:
                who = self.who_is(asker.client) if asker else keys.who_holds(self.table, hashes)
                decision = decide(self.table, command, who, self.vault)
            except Refused:
                # Refused by the state in memory; another worker may have changed it since.
                if await self._catch_up():
                    continue
                raise
            if isinstance(decision, Already):
                return Done(decision.n, again=True)
            if await self._written(decision, asker):
                return Done(decision[0].table.n, answered=asker is not None)
        raise Refused(Code.UNAVAILABLE, "This table is very busy. Send this again in a moment.")

    async def _written(self, steps: Sequence[model.Step], asker: Asker | None) -> bool:
        """Write the next entries; return False after reading what another worker wrote first."""
        n, summary = steps[0].table.n, _summary(self.table, steps)
        try:
            entries = await self.host.log.append(self.name, n, model.texts(steps), summary)
        except Conflict:
            await self._catch_up()
            return False
        self._advance(steps, entries, asker)
        self.host.written_here(self, steps)
        return True

    async def notice(self, n: int | None) -> None:
        """Read what other workers wrote, up to entry ``n`` (None: all there is)."""
        if n is None or n > self.table.n:
            async with self._lock:
                if n is None or n > self.table.n:
                    await self._catch_up()

    async def _catch_up(self) -> bool:
        """Read new entries of the log; return whether there were any."""
        entries = await self.host.log.entries(self.name, self.table.n)
        self._in_doubt = False
        if entries:
            self._advance(self._steps(entry.text for entry in entries), entries)
        return bool(entries)

    def _steps(self, words: Iterable[str]) -> list[model.Step]:
        steps: list[model.Step] = []
        table = self.table
        for word in words:
            steps.append(model.after(table, a.read(word)))
            table = steps[-1].table
        return steps

    def _advance(
        self, steps: Sequence[model.Step], stored: Sequence[Entry], asker: Asker | None = None
    ) -> None:
        """Move on to the table after these steps; its asker gets entries and answer in one go."""
        before, self.table = self.table, steps[-1].table
        wait = play.turn_wait(self.table)
        if wait is not None and wait.n > before.n:
            self._waits_since = stored[wait.n - before.n - 1].at
        entries = [views.written(step.table.n, step.what) for step in steps]
        self._recent.extend(entries)
        if self._listeners:
            message = self._entries(before, entries)
            news = self.host.frame(message)
            for listener in self._listeners:
                if asker and listener is asker.client:
                    listener.send(news + self.host.frame(m.Ok(asker.id, steps[0].table.n)))
                else:
                    listener.send(news)
            if message.table is not None:
                self._report_rights(before)
        self.host.table_changed(self, steps)

    @property
    def due(self) -> datetime | None:
        """When the server has to act in the game even if nobody is connected, if ever."""
        wait = play.turn_wait(self.table)
        return None if wait is None else self._waits_since + timedelta(seconds=wait.seconds)

    def _due_text(self) -> str | None:
        """Return when the time of the player to move is over."""
        due = self.due
        if due is None or not self.table.match or play.bot_to_move(self.table):
            return None
        return due.isoformat(timespec="seconds")

    # --- listeners --------------------------------------------------------------------------------

    def tell(self, answer: m.Countdown) -> None:
        """Send an answer to every client."""
        news = self.host.frame(answer)
        for listener in self._listeners:
            listener.send(news)

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

    def join(self, listener: Listener, request: requests.Hello) -> keys.Who:
        """Welcome a client, also after a repeated hello; from now on it receives all entries."""
        who = keys.who_holds(self.table, listener.hashes)
        self._listeners[listener] = who
        self._listeners_changed()
        listener.send(self.host.frame(self._welcome(request, who)))
        self.host.table_changed(self, ())
        return who

    def leave(self, listener: Listener) -> None:
        """Forget a client."""
        self._listeners.pop(listener, None)
        self._listeners_changed()
        self.host.table_changed(self, ())

    def who_is(self, listener: Listener) -> keys.Who:
        """Return the rights of a client."""
        return self._listeners.get(listener, keys.NOBODY)

    def _report_rights(self, before: model.Table) -> None:
        """Tell clients whose rights have changed."""
        for listener, earlier in self._listeners.items():
            who = self._listeners[listener] = keys.who_holds(self.table, listener.hashes)
            you = views.you(self.table, who)
            if you != views.you(before, earlier):
                listener.send(self.host.frame(m.YouNow(you)))
        self._listeners_changed()

    def recognise(self) -> None:
        """Check again the secrets that clients have presented."""
        self._report_rights(self.table)
        self.host.table_changed(self, ())

    # --- messages ---------------------------------------------------------------------------------

    def now(self) -> m.TableNow:
        """Return the current table."""
        if self._now is None or self._now.n != self.table.n:
            table = self.table
            info = views.table_view(self.name, table)
            self._now = m.TableNow(table.n, info, self._state(), self._due_text())
        return self._now

    def _state(self) -> states.GameState | None:
        match = self.table.match
        if match is not None:
            self._facts = table_facts(match.state.table, self._facts)
        return views.table_state(self.table, self._facts)

    def _welcome(self, request: requests.Hello, who: keys.Who) -> m.Welcome:
        now = self.now()
        return m.Welcome(
            id=request.id,
            protocol=m.PROTOCOL,
            n=now.n,
            you=views.you(self.table, who),
            table=now.table,
            state=now.state,
            missed=self._missed(request.last),
            due=now.due,
        )

    def _missed(self, last: int) -> list[m.NumberedEntry] | None:
        """Return the entries after ``last``, or None if they are not all in memory."""
        count = self.table.n - last
        if not 0 <= count <= len(self._recent):
            return None
        return [*islice(self._recent, len(self._recent) - count, None)]

    def _entries(self, before: model.Table, entries: list[m.NumberedEntry]) -> m.Entries:
        table = self.table
        moved = before.match is not table.match or before.setup.undo != table.setup.undo
        return m.Entries(
            entries=entries,
            table=views.table_view(self.name, table) if _table_differs(before, table) else None,
            state=self._state() if moved else None,
            due=self._due_text(),
        )


def _table_differs(before: model.Table, now: model.Table) -> bool:
    """Whether anything except the position differs."""
    return (
        before.seats is not now.seats
        or before.status is not now.status
        or before.setup is not now.setup
        or before.round != now.round
        or before.called != now.called
        or before.plates is not now.plates
        or before.book != now.book
        or (before.match is None) != (now.match is None)
        or (before.match and before.match.seed) != (now.match and now.match.seed)
    )


def _summary(before: model.Table, steps: Sequence[model.Step]) -> Summary | None:
    """Return the new summary if these steps may have changed it."""
    table = steps[-1].table
    is_listed_alike = (
        before.status is table.status
        and before.seats is table.seats
        and before.setup is table.setup
    )
    if is_listed_alike and play.wait(before) == play.wait(table):
        return None
    return views.summary(table)
