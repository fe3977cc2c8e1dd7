"""Words for the dice, from the client's side."""

import httpx
from msgspec.structs import replace

from heckmeck.client.table import OwnSalt, RemoteTable
from heckmeck.dice import check_dice, promise
from heckmeck.record import read_record
from heckmeck.tui.server_source import ServerSource
from heckmeck.tui.source import Wish
from heckmeck.wire.answers import DiceInfo, SeatInfo, TableInfo, You
from heckmeck.wire.setup import Setup, Status
from tests.client.screen import Screen, run
from tests.client.test_server_source import ADA, begun, table_at
from tests.server.serving import Server

WAITING = TableInfo("x", Status.WAITING, 0, Setup("classic"), [None, None], DiceInfo(""))


def table(
    *mine: int, promises: tuple[str, str] = ("", ""), called: bool = False, **changes: object
) -> RemoteTable:
    """A table where these seats are ours."""
    seats = [SeatInfo(f"P{seat}", promise=text) for seat, text in enumerate(promises)]
    at = RemoteTable()
    at.info = replace(WAITING, seats=seats, dice=DiceInfo("", called), **changes)
    at.you = You([*mine], host=False)
    return at


def test_each_seat_promises_once_a_game() -> None:
    own = OwnSalt()
    assert own.to_promise(RemoteTable()) == []
    assert own.to_promise(table()) == []
    ((first, promised),) = own.to_promise(table(0))
    ((second, another),) = own.to_promise(table(0, 1))
    assert (first, second) == (0, 1)
    assert promised != another
    assert own.to_promise(table(0, 1)) == []
    assert [seat for seat, _ in own.to_promise(table(0, 1, round=1))] == [0, 1]
    assert own.to_promise(table(0, status=Status.PLAYING, round=2)) == []
    assert own.to_promise(table(0, called=True, round=2)) == []


def test_salt_is_shown_when_called_for_and_only_once() -> None:
    own = OwnSalt()
    ((_, mine),) = own.to_promise(table(0))
    promises = (mine, promise("somebody's"))
    assert own.to_show(table(0, promises=promises)) == []
    assert own.to_show(table(0, promises=("another device's", ""), called=True)) == []
    ((seat, salt),) = own.to_show(table(0, promises=promises, called=True))
    assert (seat, promise(salt)) == (0, mine)
    assert own.to_show(table(0, promises=promises, called=True)) == []


def test_the_terminal_promises_and_shows_its_salt_in_every_game(server: Server) -> None:
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
