"""Administration of tables: whether or not the server is running, and old tables in the background.

Everything that concerns people at a table goes through its log, so a running server notices:
at once on PostgreSQL, within about a second on SQLite.

A forgotten name disappears from stored tables. Dice do not depend on names, so records stay valid
and their dice can still be verified. The salt that a player chose is kept, because the dice were
derived from it.
"""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from heckmeck.hosting.events import note
from heckmeck.hosting.live import LiveTable, remember
from heckmeck.record import JsonValue, Record, json_text
from heckmeck.server.store import (
    BookOverview,
    Conflict,
    NoSuchTable,
    Overview,
    Page,
    Store,
    StoredBook,
    StoredTable,
    StoreError,
    StoreUnavailable,
    Summary,
)
from heckmeck.table import keys, views
from heckmeck.table.model import Step, fold, record_of
from heckmeck.wire import entries, setup
from heckmeck.wire import entries as a
from heckmeck.wire import requests as m
from heckmeck.wire.answers import Answer

_PAGE: Final = 500


async def tables(store: Store) -> AsyncIterator[Overview]:
    """Yield all tables, in the order of their ids."""
    after = ""
    while page := await store.overview(after, _PAGE):
        for overview in page:
            yield overview
        after = page[-1].row.id


async def find(store: Store, name: str) -> StoredTable:
    """Return a table with its log; raise `NoSuchTable`."""
    stored = await store.load(name)
    if stored is None:
        raise NoSuchTable(name)
    return stored


def live_table(store: Store, stored: StoredTable) -> LiveTable:
    """Return the table, ready for commands; raise `BadEntry` if its log cannot be read."""
    memory = remember(entry.text for entry in stored.entries)
    times = [entry.at for entry in stored.entries]
    vault = keys.Vault(stored.secret)
    return LiveTable(stored.row.id, memory, vault, _Desk(store), times)


@dataclasses.dataclass(frozen=True, slots=True)
class _Desk:
    """Hosts a table for one command: nobody listens (`live.Host`)."""

    log: Store

    def frame(self, answer: Answer) -> bytes:
        return b""

    def table_changed(self, live: LiveTable, steps: Sequence[Step]) -> None:
        pass

    def written_here(self, live: LiveTable, steps: Sequence[Step]) -> None:
        pass


def records(stored: StoredTable) -> list[Record]:
    """Return all games started at a table; raise `BadEntry` if its log cannot be read."""
    last = {table.round: table for table, _ in fold(entry.text for entry in stored.entries)}
    return [record_of(table, table.match) for table in last.values() if table.match is not None]


async def close(store: Store, name: str) -> bool:
    """Close a table as its host would; return False if it was already closed.

    Raise `NoSuchTable`, `BadEntry` if its log cannot be read, and `Refused` if it cannot be closed
    right now.
    """
    live = live_table(store, await find(store, name))
    if live.table.status is setup.Status.CLOSED:
        return False
    await live.run(m.Close("admin"), [live.table.host])
    return True


async def delete(store: Store, name: str) -> None:
    """Delete a table; raise `NoSuchTable`. Connected clients see it close."""
    stored = await find(store, name)
    last = stored.entries[-1]
    await retire(store, Overview(stored.row, last.n, last.at))


# --- erasing a name -------------------------------------------------------------------------------


#: A table written to within this time may be open on a server.
_LATELY: Final = timedelta(days=1)
#: What a book is called whose name is forgotten.
_BOOK: Final = "Book"
#: The key of a record that holds the proof of its dice.
_PROOF: Final = "fair"


def neutral(seat: int) -> str:
    """Return the name that replaces a forgotten one."""
    return f"Player {seat + 1}"


async def forget(store: Store, name: str) -> list[str]:
    """Replace a person's name with a neutral one everywhere; return the tables that had it."""
    return [
        overview.row.id
        async for overview in tables(store)
        if await _forget_at(store, overview, name)
    ]


async def _forget_at(store: Store, overview: Overview, name: str) -> bool:
    stored = await store.load(overview.row.id)
    if stored is None or not any(_stored_without(stored, name)):
        return False
    if overview.at > datetime.now(UTC) - _LATELY:
        await _rename_who_is_there(store, stored, name)
        stored = await find(store, stored.row.id)
    await store.rewrite(stored.row.id, *_stored_without(stored, name))
    return True


def _stored_without(stored: StoredTable, name: str) -> tuple[dict[int, str], Summary | None]:
    """Return the entries and the summary that contain the name, without it."""
    texts = {entry.n: without(entry.text, name) for entry in stored.entries}
    changed = {entry.n: texts[entry.n] for entry in stored.entries if texts[entry.n] != entry.text}
    return changed, _summary_without(stored.row.summary, name)


async def _rename_who_is_there(store: Store, stored: StoredTable, name: str) -> None:
    """Rename seated players by a log entry, so that servers with the table open notice."""
    try:
        live = live_table(store, stored)
    except entries.BadEntry:
        return  # no server has it open
    if live.table.status is setup.Status.CLOSED:
        return
    for seat in range(len(live.table.seats)):
        person = live.table.person(seat)
        if person is not None and person.name == name:
            await live.run(m.Rename("admin", seat, neutral(seat)), [person.hash])


def _summary_without(summary: Summary, name: str) -> Summary | None:
    """Return the summary without the name, or None if it does not contain it."""
    listed = views.listed(summary.text)
    if name not in listed.players:
        return None
    players = [neutral(at) if who == name else who for at, who in enumerate(listed.players)]
    return Summary(summary.status, views.listed_text(replace(listed, players=players)))


def without(text: str, name: str) -> str:
    """Return a log entry without the name; an unreadable entry is returned unchanged."""
    try:
        entry = a.read(text)
    except entries.BadEntry:
        return text
    if isinstance(entry, entries.LoggedMove):
        return text
    changed = _action_without(entry, name)
    return text if changed == entry else a.write(changed)


def _action_without(action: entries.AnyEntry, name: str) -> entries.AnyEntry:
    match action:
        case a.Sat() | a.Named() | a.BotSet() if action.name == name:
            return replace(action, name=neutral(action.seat))
        case a.Created():
            names = tuple(
                neutral(seat) if who == name else who for seat, who in enumerate(action.names)
            )
            return replace(action, names=names, extra=_extra_without(action.extra, name))
        case _:
            return action


def _extra_without(extra: str, name: str) -> str:
    """Return a record's other keys without the name; the proof of the dice is unchanged."""
    kept = json_text.loads(extra) if extra else None
    if not isinstance(kept, dict):
        return extra
    changed = {
        key: value if key == _PROOF else _value_without(value, name) for key, value in kept.items()
    }
    return extra if changed == kept else json_text.dumps(changed)


def _value_without(value: JsonValue, name: str) -> JsonValue:
    match value:
        case str():
            return "Player" if value == name else value
        case list():
            return [_value_without(item, name) for item in value]
        case dict():
            return {key: _value_without(item, name) for key, item in value.items()}
        case _:
            return value


# --- family books ---------------------------------------------------------------------------------


async def books(store: Store) -> AsyncIterator[BookOverview]:
    """Yield all family books, in the order of their ids."""
    after = ""
    while page := await store.books(after, _PAGE):
        for overview in page:
            yield overview
        after = page[-1].book.id


async def find_book(store: Store, book: str) -> StoredBook:
    """Return a book; raise `StoreError` if there is none with this id."""
    found = await store.book(book)
    if found is None:
        raise StoreError(f"There is no book {book!r}. 'heckmeck admin books' lists all books.")
    return found


async def forget_in_books(store: Store, name: str) -> list[str]:
    """Replace a person's name with a neutral one in all books; return the books that had it."""
    return [
        overview.book.id
        async for overview in books(store)
        if await _forget_in(store, overview.book, name)
    ]


async def _forget_in(store: Store, book: StoredBook, name: str) -> bool:
    people = json_text.loads(book.people)
    assert isinstance(people, dict), "people are by their names"
    kept = {who: called for who, called in people.items() if name not in (who, called)}
    changed = dataclasses.replace(
        book,
        name=_BOOK if book.name == name else book.name,
        people=book.people if kept == people else json_text.dumps(kept),
    )
    found = changed != book
    if found:
        await store.change_book(book, changed)
    first = 0
    while pages := await store.records(book.id, first, BATCH):
        for page in pages:
            rewritten = _page_without(page, name)
            if rewritten is not None:
                found = True
                await store.rewrite_page(rewritten)
        first += len(pages)
    return found


def _page_without(page: Page, name: str) -> Page | None:
    """Return a page without the name, or None if it does not have it."""
    data = json_text.loads(page.record)
    assert isinstance(data, dict), "a record is an object"
    seats = data["seats"]
    if not isinstance(seats, list) or name not in seats:
        return None
    data["seats"] = [neutral(seat) if who == name else who for seat, who in enumerate(seats)]
    # The facts have names, too; they are computed again when the book is opened.
    return dataclasses.replace(page, record=json_text.dumps(data), facts=None)


# --- retention ------------------------------------------------------------------------------------


#: The number of tables deleted at a time, and the pause after that.
BATCH: Final = 20
PAUSE_SECONDS: Final = 0.5
#: The delay of the first run after the start, and the interval from then on.
FIRST_SECONDS: Final = 60.0
EVERY_SECONDS: Final = 3600.0

_FINISHED: Final = (setup.Status.OVER, setup.Status.CLOSED)
_UNFINISHED: Final = (setup.Status.WAITING, setup.Status.PLAYING)


@dataclasses.dataclass(frozen=True, slots=True)
class Keep:
    """How many days after their last entry tables are kept; None means forever.

    ``finished`` applies to tables that are over or closed, ``abandoned`` to all others, and
    ``books`` to family books, after their last game.
    """

    finished: int | None = None
    abandoned: int | None = None
    books: int | None = None

    def limits(self, now: datetime) -> list[tuple[tuple[setup.Status, ...], datetime]]:
        """Return the statuses with a limit, each with the time of the oldest entry to keep."""
        return [
            (statuses, now - timedelta(days=days))
            for statuses, days in ((_FINISHED, self.finished), (_UNFINISHED, self.abandoned))
            if days is not None
        ]


async def prune(
    store: Store,
    keep: Keep,
    now: datetime | None = None,
    in_use: Callable[[str], bool] = lambda _: False,
    pause: float = 0.0,
) -> int:
    """Delete expired tables, except those ``in_use``; return the number deleted."""
    gone = 0
    for statuses, before in keep.limits(now or datetime.now(UTC)):
        spared = 0
        while True:
            found = await store.stale(statuses, before, spared + BATCH)
            going = [overview for overview in found if not in_use(overview.row.id)]
            for overview in going:
                gone += await retire(store, overview)
            spared = len(found) - len(going)
            if not going:
                break
            await asyncio.sleep(pause)
    return gone


async def prune_books(store: Store, keep: Keep, now: datetime | None = None) -> int:
    """Delete expired family books; return the number deleted."""
    if keep.books is None:
        return 0
    before = (now or datetime.now(UTC)) - timedelta(days=keep.books)
    old = [
        overview.book.id
        async for overview in books(store)
        if (overview.last or overview.book.created) < before
    ]
    for book in old:
        await store.delete_book(book)
    return len(old)


async def retire(store: Store, overview: Overview) -> bool:
    """Delete a table; return False if it has changed in the meantime.

    It is closed first, by an entry in its log, so that connected clients are notified and nobody
    writes to it afterwards.
    """
    row = overview.row
    if row.summary.status is not setup.Status.CLOSED:
        try:
            closed = Summary(setup.Status.CLOSED, row.summary.text)
            await store.append(row.id, overview.n + 1, [a.write(a.Closed())], closed)
        except (Conflict, NoSuchTable):
            return False
    return await store.delete(row.id)


async def prune_now_and_then(store: Store, keep: Keep, in_use: Callable[[str], bool]) -> None:
    """Prune at intervals, until cancelled."""
    if keep == Keep():
        return
    await asyncio.sleep(FIRST_SECONDS)
    while True:
        try:
            gone = await prune(store, keep, in_use=in_use, pause=PAUSE_SECONDS)
            gone_books = await prune_books(store, keep)
        except StoreUnavailable:
            gone = gone_books = 0  # already logged; try again at the next interval
        if gone or gone_books:
            note("pruned", tables=gone, books=gone_books)
        await asyncio.sleep(EVERY_SECONDS)
