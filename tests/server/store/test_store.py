"""What a store keeps and gives back; the same on every database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from heckmeck.server.store import (
    Conflict,
    Entry,
    NoSuchTable,
    StoreUnavailable,
    Summary,
    TableExists,
)
from heckmeck.wire.setup import Status
from tests.server.store.places import SECRET, Place, in_loop, new_game, texts_of

PLAYING = Summary(Status.PLAYING, '{"turn": 1}')
ODD_WORDS = [
    "",
    " ",
    "'; DROP TABLE entries; --",
    '{"a": "\\"\\\\"}',
    "Würmchen 🪱",
    "[1]",
    "%s",
    "a\nb",
]


@in_loop
async def test_a_created_game_is_loaded_as_it_was_written(place: Place) -> None:
    async with place.opened() as store:
        made = new_game("fox", ["created", "sat"])
        await store.create(made)
        loaded = await store.load("fox")
        assert loaded == made
        assert loaded is not None
        assert loaded.secret == SECRET
        assert [entry.text for entry in loaded.entries] == ["created", "sat"]
        assert abs(loaded.row.created - datetime.now(UTC)) < timedelta(minutes=1)
        assert loaded.row.created.utcoffset() == timedelta(0)


@in_loop
async def test_what_append_returned_is_what_is_stored(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        first = await store.append("fox", 1, ["roll", "=11234WWW"])
        second = await store.append("fox", 3, ["keep:W"])
        assert [entry.n for entry in (*first, *second)] == [1, 2, 3]
        assert await store.entries("fox", 0) == [*first, *second]
        assert await store.entries("fox", 2) == [*second]
        assert await store.entries("fox", 3) == []


@in_loop
async def test_another_process_sees_what_was_acknowledged(place: Place) -> None:
    async with place.opened() as store, place.opened() as other:
        await store.create(new_game("fox"))
        for n in range(1, 20):
            await store.append("fox", n, [f"word {n}"])
            assert (await other.entries("fox", n - 1))[0].text == f"word {n}"


@in_loop
async def test_everything_is_there_after_closing_and_opening_again(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        await store.append("fox", 1, ["roll"], PLAYING)
        before = await store.load("fox")
    async with place.opened() as store:
        assert await store.load("fox") == before
        await store.append("fox", 2, ["=11234WWW"])


@in_loop
async def test_entries_are_in_the_order_of_their_numbers(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        for n in range(1, 25):
            await store.append("fox", n, [str(n)])
        assert await texts_of(store, "fox") == ["created", *map(str, range(1, 25))]


@in_loop
async def test_words_come_back_unchanged_whatever_is_in_them(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox", ODD_WORDS))
        await store.append("fox", len(ODD_WORDS), ODD_WORDS)
        assert await texts_of(store, "fox") == ODD_WORDS * 2


@in_loop
async def test_games_do_not_mix(place: Place) -> None:
    async with place.opened() as store:
        for game in ("fox", "fo", "foxy", "Fox", ""):
            await store.create(new_game(game, [f"created {game}"]))
        await store.append("fox", 1, ["roll"])
        assert await texts_of(store, "foxy") == ["created foxy"]
        assert await texts_of(store, "Fox") == ["created Fox"]
        assert await texts_of(store, "fox") == ["created fox", "roll"]


@in_loop
async def test_a_game_that_is_not_there(place: Place) -> None:
    async with place.opened() as store:
        for game in ("fox", "a\0b", "\ud800"):
            assert await store.load(game) is None
            assert await store.entries(game, -1) == []
            with pytest.raises(NoSuchTable):
                await store.append(game, 0, ["roll"])


@in_loop
async def test_an_id_is_given_once(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox", ["mine"]))
        with pytest.raises(TableExists, match="'fox' already"):
            await store.create(new_game("fox", ["yours", "more"]))
        assert await texts_of(store, "fox") == ["mine"]


@pytest.mark.parametrize("n", [0, 1, 3, 99])
@in_loop
async def test_a_number_that_is_not_the_next_is_refused_and_nothing_written(
    place: Place, n: int
) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox", ["created", "sat"]))
        with pytest.raises(Conflict, match=f"Entry {n} is not the next entry of game 'fox'"):
            await store.append("fox", n, ["x", "y", "z"], PLAYING)
        loaded = await store.load("fox")
        assert loaded is not None
        assert [entry.text for entry in loaded.entries] == ["created", "sat"]
        assert loaded.row.summary.status is Status.WAITING


@pytest.mark.parametrize("words", [[], ["roll", "a\0b"], ["\udfff"]])
@in_loop
async def test_words_that_no_database_can_hold(place: Place, words: list[str]) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with pytest.raises(ValueError, match=r"nothing to write|cannot be stored"):
            await store.append("fox", 1, words)
        with pytest.raises(ValueError, match=r"nothing to write|cannot be stored"):
            await store.create(new_game("hen", words))
        with pytest.raises(ValueError, match="cannot be stored"):
            await store.append("fox", 1, ["roll"], Summary(Status.PLAYING, "\0"))
        assert await texts_of(store, "fox") == ["created"]
        assert await store.load("hen") is None


@pytest.mark.parametrize("n", [-1, 2**31, 2**70])
@in_loop
async def test_numbers_that_no_entry_can_have(place: Place, n: int) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        with pytest.raises(ValueError, match="not a valid entry number"):
            await store.append("fox", n, ["roll"])


@in_loop
async def test_the_summary_changes_with_the_entries(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        await store.append("fox", 1, ["started"], PLAYING)
        await store.append("fox", 2, ["roll"])
        loaded = await store.load("fox")
        assert loaded is not None
        assert loaded.row.summary == PLAYING


@in_loop
async def test_the_list_shows_public_games_under_way_newest_first(place: Place) -> None:
    async with place.opened() as store:
        for name in ("first", "second", "third"):
            await store.create(new_game(name))
        await store.create(new_game("secret", public=False))
        for status in (Status.OVER, Status.CLOSED):
            await store.create(new_game(status, summary=Summary(status, "{}")))
        await store.append("second", 1, ["started"], PLAYING)
        listed = await store.list_public(10)
        assert [row.id for row in listed] == ["third", "second", "first"]
        assert [row.summary.status for row in listed] == ["waiting", "playing", "waiting"]
        assert [row.id for row in await store.list_public(2)] == ["third", "second"]


@in_loop
async def test_games_are_counted_by_status(place: Place) -> None:
    async with place.opened() as store:
        assert await store.count() == {}
        for name in ("fox", "hen", "owl"):
            await store.create(new_game(name))
        await store.append("hen", 1, ["started"], PLAYING)
        counts = await store.count()
        assert counts == {Status.WAITING: 2, Status.PLAYING: 1}


@in_loop
async def test_a_secret_is_not_shown_when_a_game_is_printed(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        assert "secret" not in repr(await store.load("fox"))


@in_loop
async def test_closing_twice_is_fine_and_nothing_works_afterwards(place: Place) -> None:
    async with place.opened() as store:
        await store.create(new_game("fox"))
        await store.close()
        await store.close()
        with pytest.raises(StoreUnavailable):
            await store.append("fox", 1, ["roll"])
        with pytest.raises(StoreUnavailable):
            await store.load("fox")
        with pytest.raises(StoreUnavailable):
            await store.create(new_game("hen"))


def test_an_entry_is_a_plain_value() -> None:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    assert Entry(1, at, "roll") == Entry(n=1, at=at, text="roll")
