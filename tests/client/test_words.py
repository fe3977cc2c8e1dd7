"""Words for the dice, from the client's side."""

from dataclasses import replace

import httpx

from heckmeck.client import RemoteTable, TableInfo
from heckmeck.client.wire import SeatInfo, You
from heckmeck.client.words import OwnWords
from heckmeck.dice_source import check_dice, promise
from heckmeck.record import read_record
from heckmeck.tui.server_source import ServerSource
from heckmeck.tui.source import Wish
from tests.client.screen import Screen, run
from tests.client.test_server_source import ADA, begun, table_at
from tests.server.serving import Server

WAITING = TableInfo("x", "waiting", "classic", (None, None), False, False, True, 900)


def table(*mine: int, promises: tuple[str, str] = ("", ""), **changes: object) -> RemoteTable:
    """A table where these seats are ours."""
    seats = tuple(SeatInfo(f"P{seat}", promise=text) for seat, text in enumerate(promises))
    at = RemoteTable()
    at.info = replace(WAITING, seats=seats, **changes)  # type: ignore[arg-type]
    at.you = You(mine)
    return at


def test_each_seat_promises_once_a_game() -> None:
    words = OwnWords()
    assert words.to_promise(RemoteTable()) == []
    assert words.to_promise(table()) == []
    (first,) = words.to_promise(table(0))
    (second,) = words.to_promise(table(0, 1))
    assert (first.seat, second.seat) == (0, 1)
    assert first.promise != second.promise
    assert words.to_promise(table(0, 1)) == []
    assert [seat for seat, _ in words.to_promise(table(0, 1, round=1))] == [0, 1]
    assert words.to_promise(table(0, status="playing", round=2)) == []
    assert words.to_promise(table(0, called=True, round=2)) == []


def test_words_are_shown_when_called_for_and_only_once() -> None:
    words = OwnWords()
    (mine,) = words.to_promise(table(0))
    promises = (mine.promise, promise("somebody's"))
    assert words.to_show(table(0, promises=promises)) == []
    assert words.to_show(table(0, promises=("another device's", ""), called=True)) == []
    (shown,) = words.to_show(table(0, promises=promises, called=True))
    assert (shown.seat, promise(shown.words)) == (0, mine.promise)
    assert words.to_show(table(0, promises=promises, called=True)) == []


def test_the_terminal_promises_and_shows_its_words_in_every_game(server: Server) -> None:
    async def scene() -> str:
        address = await table_at(server, "junior")
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.play_on()
            await screen.source.wish(Wish.REMATCH)
            await screen.until(lambda it: it.view.state is not None and not it.is_over)
            await screen.play_on()
        return address.record

    link = run(scene())
    for game in (0, 1):
        record = httpx.get(f"{link}?game={game}")
        words, promises = (record.json()["fair"][key] for key in ("words", "promises"))
        assert promises == [promise(words[0]), ""]
        assert len(words[0]) >= 22
        assert words[1] == ""
        assert check_dice(read_record(record.content)).not_shown == ()
