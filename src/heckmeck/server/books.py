"""Family books: games are kept in them, judged in the background, and shown as a whole.

The log of a table says which games a book has to keep (`model.Owed`), until an entry says that it
has: so a server that was killed in between keeps them when it is back. A page is a copy of the
record, and stays when its table is deleted. Pages are judged when they are written, and whatever is
missing when the book is opened.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import msgspec

from heckmeck.dice import new_secret
from heckmeck.hosting.events import note, trouble
from heckmeck.hosting.games import Logged
from heckmeck.hosting.live import LiveTable
from heckmeck.server import jobs
from heckmeck.server.store import Page, Store, StoredBook
from heckmeck.server.thinking import Thinker
from heckmeck.table import keys
from heckmeck.table.commands import MarkKept
from heckmeck.table.lobby import tidy_name, tidy_title
from heckmeck.table.model import Owed
from heckmeck.wire.book import GamesAdded
from heckmeck.wire.refusals import Code, Refused

#: The number of names that can be changed in a book.
_MOST_NAMES: Final = 500
#: Pages judged one after the other before looking for others.
_AT_ONCE: Final = 20
#: Pages in one piece of an exported file.
_PIECE: Final = 50
_ATTEMPTS: Final = 10

_people: Final = msgspec.json.Decoder(dict[str, str])


@dataclass(frozen=True, slots=True)
class Season:
    """Which games of a book are asked for: those that ended from ``since`` until ``until``."""

    since: datetime | None = None
    until: datetime | None = None
    edition: str | None = None
    all_games: bool = False


class Books:
    """All books of a server."""

    def __init__(
        self,
        store: Store,
        thinker: Thinker,
        start: Callable[[Coroutine[None, None, None]], None],
        most: int,
    ) -> None:
        """Keep at most ``most`` games in a book. ``start`` does something in the background."""
        self._store = store
        self._thinker = thinker
        self._start = start
        self._most = most
        self._judging: set[str] = set()

    # --- books ------------------------------------------------------------------------------------

    async def create(self, name: str) -> tuple[str, str]:
        """Create a book; return its id and its secret."""
        title, secret = tidy_title(name), new_secret()
        while True:
            book = keys.new_table_id()
            row = StoredBook(book, datetime.now(UTC), keys.hash_of(secret), title)
            if await self._store.add_book(row):
                note("book_created", book=book)
                return book, secret

    async def find(self, book: str, secret: str) -> StoredBook:
        """Return the book; raise `Refused` unless it exists and this is its secret."""
        found = await self._store.book(book) if keys.TABLE_ID.fullmatch(book) else None
        hashed = keys.hash_of(secret)
        if found is None or not keys.is_one_of(found.secret, (hashed,)):
            raise Refused(
                Code.NO_SUCH_BOOK, "There is no such book, or this is not its link. Check the link."
            )
        return found

    async def to_keep_in(self, book: str, secret: str) -> str:
        """Return the id of a book for a table; raise `Refused` as `find`, or if it is full."""
        found = await self.find(book, secret)
        if await self._store.count_pages(found.id) >= self._most:
            raise Refused(
                Code.TOO_MANY, f"This book is full: it has {self._most} games. Begin another one."
            )
        return found.id

    async def rename(self, book: StoredBook, name: str) -> None:
        """Give a book another name."""
        title = tidy_title(name)
        await self._change(book, lambda old: replace(old, name=title))

    async def call(self, book: StoredBook, names: list[str], to: str) -> None:
        """Show people who played under these names as ``to``."""
        called = tidy_name(to)

        def change(old: StoredBook) -> StoredBook:
            people = _people.decode(old.people)
            people.update(dict.fromkeys(names, called))
            people = {name: shown for name, shown in people.items() if name != shown}
            if len(people) > _MOST_NAMES:
                raise Refused(
                    Code.TOO_MANY, f"At most {_MOST_NAMES} names can be changed in a book."
                )
            return replace(old, people=msgspec.json.encode(people, order="sorted").decode())

        await self._change(book, change)

    async def _change(self, book: StoredBook, change: Callable[[StoredBook], StoredBook]) -> None:
        """Change a book that somebody else may be changing too."""
        for _ in range(_ATTEMPTS):
            if await self._store.change_book(book, change(book)):
                return
            newest = await self._store.book(book.id)
            if newest is None:
                break
            book = newest
        raise Refused(Code.UNAVAILABLE, "The book is being changed. Try again in a moment.")

    async def delete(self, book: StoredBook) -> None:
        """Delete a book with all its pages. Games that are still at tables stay there."""
        await self._store.delete_book(book.id)
        note("book_deleted", book=book.id)

    async def drop(self, book: StoredBook, table: str, game: int) -> None:
        """Take a game out of a book."""
        page = await self._page(book.id, table, game)
        await self._store.drop_page(page.game, page.number)

    async def record(self, book: StoredBook, table: str, game: int) -> bytes:
        """Return the record of a game in a book."""
        return (await self._page(book.id, table, game)).record.encode()

    async def _page(self, book: str, table: str, game: int) -> Page:
        page = await self._store.page(book, table, game)
        if page is None:
            raise Refused(Code.NOT_PLAYING, "This book does not have that game.")
        return page

    async def export(self, book: StoredBook) -> AsyncIterator[bytes]:
        """Yield all records of a book, a game in each line, with people's names in the book."""
        people, first = _people.decode(book.people), 0
        while pages := await self._store.records(book.id, first, _PIECE):
            yield b"".join(jobs.exported(page.record, page.at, people) for page in pages)
            first += len(pages)

    async def add(self, book: StoredBook, lines: bytes, asker: str) -> GamesAdded:
        """Add the games of an exported book, those that it does not have; begin to judge them.

        Raise `Refused`, and add nothing, if a line is not the record of a finished game.
        """
        pages = await self._store.pages(book.id)
        known = [await self._facts(page) for page in pages]
        records = self._thinker.records
        new, repeated = await records.run(asker, jobs.handed_pages, lines, known)
        room = max(self._most - len(pages), 0)
        now = datetime.now(UTC)
        for each in new[:room]:
            # A game may be in several books, so the key of its page names this one.
            game = f"{book.id}-{each.key}"
            at = min(each.at or now, now)
            page = Page(book.id, game, 0, 0, at, each.facts, record=each.record)
            await self._store.add_page(page, self._most)
        note("games_added", book=book.id, games=len(new[:room]))
        self._start(self.judge(book.id))
        return GamesAdded(len(new[:room]), repeated, len(new[room:]))

    async def _facts(self, page: Page) -> str:
        """Return the facts about a game in a book, which may have to be computed again."""
        if page.facts is not None:
            return page.facts
        whole = await self._page(page.book, page.game, page.number)
        return await self._thinker.records.run(page.book, jobs.facts_text, whole.record.encode())

    # --- looking at one ---------------------------------------------------------------------------

    async def view(self, book: StoredBook, season: Season, asker: str) -> bytes:
        """Return a book as JSON, and begin to judge what is not judged."""
        pages = await self._store.pages(book.id)
        if any(page.facts is None or page.judged is None for page in pages):
            self._start(self.judge(book.id))
        people = _people.decode(book.people)
        shelf = jobs.Shelf(book.id, book.name, book.created, people, season.edition)
        return await self._thinker.records.run(
            asker, jobs.book_view, shelf, pages, season.since, season.until, season.all_games
        )

    # --- keeping games ----------------------------------------------------------------------------

    async def keep(
        self, live: LiveTable, log: Callable[[], Coroutine[None, None, list[str]]]
    ) -> None:
        """Bring books in line with what a table owes them; do nothing twice.

        What fails is tried again: the table stays due.
        """
        for owed in live.table.owed:
            if owed.book:
                await self._write(live, owed, Logged(await log(), owed.game))
            else:
                await self._store.drop_page(live.name, owed.game, owed.n)
            await live.run(MarkKept(owed.game, owed.n))
            if owed.book:
                self._start(self.judge(owed.book))

    async def _write(self, live: LiveTable, owed: Owed, source: Logged) -> None:
        entries = await self._store.entries(live.name, owed.n - 1)
        at = entries[0].at if entries else datetime.now(UTC)
        record, facts = await self._thinker.records.run(live.name, jobs.page_of, source)
        page = Page(owed.book, live.name, owed.game, owed.n, at, facts, record=record)
        await self._store.add_page(page, self._most)
        note("kept", table=live.name, game=owed.game, book=owed.book)

    async def judge(self, book: str) -> None:
        """Judge all pages of a book that are not judged, unless that is being done."""
        if book in self._judging:
            return
        self._judging.add(book)
        try:
            while pages := await self._store.unjudged(book, _AT_ONCE):
                for page in pages:
                    await self._judge(page)
        except Refused:
            pass  # too much is waiting to be reviewed: the next time that the book is opened
        finally:
            self._judging.discard(book)

    async def _judge(self, page: Page) -> None:
        try:
            facts, judged = await self._thinker.reviews.run(
                page.book, jobs.judged_page, page.record.encode()
            )
        except Refused as refused:
            if refused.code is not Code.BAD_RECORD:
                raise
            trouble("unreadable_page", refused, book=page.book, table=page.game)
            facts, judged = page.facts or "", jobs.NOT_JUDGED
        await self._store.judge_page(replace(page, facts=facts, judged=judged))
