"""Family books and their pages in the store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heckmeck.server.store import Page, StoredBook, backup
from tests.server.store.places import Place, in_loop, new_game

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
BOOK = StoredBook("boka-miru-tela", NOON, "a1b2", "Müllers “Buch”")
OTHER = StoredBook("tela-miru-boka", NOON, "c3d4", "Work")
MANY = 100


def page(number: int = 0, n: int = 50, book: str = BOOK.id) -> Page:
    at = NOON + timedelta(hours=number)
    return Page(book, "fox", number, n, at, '{"facts": 1}', record='{"heckmeck": 1}')


@in_loop
async def test_a_book_is_written_once_changed_and_deleted(place: Place) -> None:
    async with place.opened() as store:
        assert await store.book(BOOK.id) is None
        assert await store.book("\0") is None
        assert await store.add_book(BOOK)
        assert not await store.add_book(replace(OTHER, id=BOOK.id))
        assert await store.book(BOOK.id) == BOOK
        new = replace(BOOK, name="Family", people='{"Omi":"Ada"}')
        assert await store.change_book(BOOK, new)
        assert not await store.change_book(BOOK, replace(BOOK, name="Too late"))
        assert await store.book(BOOK.id) == new
        await store.add_book(OTHER)
        await store.add_page(page(), MANY)
        await store.add_page(page(1, book=OTHER.id), MANY)
        listed = await store.books("", 9)
        assert [(each.book.id, each.games) for each in listed] == [(BOOK.id, 1), (OTHER.id, 1)]
        assert [each.last for each in listed] == [NOON, NOON + timedelta(hours=1)]
        await store.delete_book(BOOK.id)
        assert [each.book for each in await store.books("", 9)] == [OTHER]
        assert await store.pages(BOOK.id) == []
        await store.add_page(page(), MANY)  # there is no such book any more
        assert place.rows("SELECT count(*) FROM pages") == [(1,)]


@in_loop
async def test_a_page_is_replaced_never_doubled(place: Place) -> None:
    async with place.opened() as store:
        await store.add_book(BOOK)
        await store.add_book(OTHER)
        for each in (page(1), page(0)):
            await store.add_page(each, MANY)
        await store.add_page(replace(page(), record="{}"), MANY)  # of the same entry: as it was
        found = await store.page(BOOK.id, "fox", 0)
        assert found == page()
        await store.judge_page(replace(page(), judged="{}"))
        await store.judge_page(replace(page(1, n=49), judged="{}"))  # of another ending
        assert [each.number for each in await store.unjudged(BOOK.id, 9)] == [1]
        newer = replace(page(n=60), record='{"heckmeck": 1, "newer": 1}')
        await store.add_page(newer, MANY)
        await store.add_page(page(), MANY)  # too late
        assert await store.page(BOOK.id, "fox", 0) == newer
        assert [each.record for each in await store.pages(BOOK.id)] == ["", ""]
        await store.add_page(page(n=70, book=OTHER.id), MANY)
        assert [each.number for each in await store.pages(BOOK.id)] == [1]
        await store.drop_page("fox", 0, 70)
        assert await store.count_pages(OTHER.id) == 1
        await store.drop_page("fox", 0, 71)
        assert await store.count_pages(OTHER.id) == 0


@in_loop
async def test_a_full_book_takes_no_more_but_replaces(place: Place) -> None:
    async with place.opened() as store:
        await store.add_book(BOOK)
        for number in range(3):
            await store.add_page(page(number), 2)
        assert [each.number for each in await store.pages(BOOK.id)] == [0, 1]
        await store.add_page(page(1, n=80), 2)
        assert [each.n for each in await store.records(BOOK.id, 0, 9)] == [50, 80]
        assert [each.n for each in await store.records(BOOK.id, 1, 9)] == [80]


@in_loop
async def test_books_are_in_backups(place: Place, tmp_path: Path) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        await store.add_book(replace(BOOK, people='{"Omi":"Ada"}'))
        await store.add_page(page(), MANY)
        await store.judge_page(replace(page(), judged="{}"))
    file = tmp_path / "monday.backup"
    found = await backup.back_up(place.location, file)
    assert (found.contents.books, found.contents.pages) == (1, 1)
    async with place.opened() as store:
        await store.delete_book(BOOK.id)
        await store.add_book(OTHER)
    restored = await backup.restore(file, place.location, force=True)
    assert restored == found
    async with place.opened() as store:
        (only,) = await store.books("", 9)
        assert only.book == replace(BOOK, people='{"Omi":"Ada"}')
        assert await store.page(BOOK.id, "fox", 0) == replace(page(), judged="{}")
