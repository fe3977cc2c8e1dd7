"""A server's table as a source: sitting down, playing, watching, and coming back."""

import asyncio
from pathlib import Path

import httpx
import pytest

from heckmeck.client.address import KnownSeats, TableAddress, read_address
from heckmeck.record import JsonValue, final_state, read_record
from heckmeck.rules import EDITIONS, outcome
from heckmeck.tui.server_source import Guest, ServerSource
from heckmeck.tui.server_view import PACES
from heckmeck.tui.source import Refused, View, Wish
from tests.client.screen import Screen, run, some_word
from tests.server.client import Client, create
from tests.server.serving import Server

ADA = Guest("Ada")


async def table_at(
    server: Server, edition: str = "classic", *, bots: int = 1, seats: int = 2, **more: JsonValue
) -> TableAddress:
    """Make a table with bots that take no time."""
    made = await create(server.url, edition, ["chick"] * bots, seats=seats, pace=0, first=0, **more)
    return TableAddress(server.url, made["id"])


async def begun(screen: Screen) -> None:
    await screen.until(lambda it: Wish.START in it.view.wishes)
    await screen.source.wish(Wish.START)
    await screen.until(lambda it: it.view.state is not None)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_whole_game_of_every_edition(server: Server, edition: str) -> None:
    async def scene() -> tuple[Screen, TableAddress]:
        address = await table_at(server, edition)
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.play_on()
            return screen, address

    screen, address = run(scene())
    record = read_record(httpx.get(address.record).content)
    assert outcome(final_state(record)) is not None
    assert record.edition == edition == screen.view.edition
    assert screen.view.state == final_state(record)
    assert screen.view.record == address.record
    assert [seat.mine for seat in screen.view.seats] == [True, False]
    assert [seat.bot for seat in screen.view.seats] == [False, True]
    assert screen.view.wishes == {Wish.REMATCH}
    assert "You sit down." in screen.log
    assert not any("Ada" in line for line in screen.log)
    assert "You" in screen.log[-1]


def test_a_server_that_is_killed_in_the_middle_of_a_game(tmp_path: Path) -> None:
    """The connection comes back by itself, and no move is lost or played twice."""

    async def scene(server: Server) -> tuple[Screen, TableAddress]:
        address = await table_at(server)
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            for _ in range(2):
                await screen.play_on(3)
                await screen.until(lambda it: it.is_over or bool(it.view.moves))
                choice = some_word(screen.view)
                before = len(screen.events)
                await asyncio.to_thread(server.kill)
                await screen.until(lambda it: not it.view.connected)
                assert screen.view.note == "Reconnecting…"
                assert not screen.view.moves
                await asyncio.to_thread(server.start)
                await screen.until(lambda it: it.view.connected and bool(it.view.moves))
                assert len(screen.events) == before
                await screen.source.move(choice)
            await screen.play_on()
        return screen, address

    with Server(tmp_path) as server:
        screen, address = run(scene(server))
        record = read_record(httpx.get(address.record).content)
    assert screen.view.state == final_state(record)
    assert outcome(final_state(record)) is not None


def test_a_move_that_meets_the_crash_is_played_once(tmp_path: Path) -> None:
    async def scene(server: Server) -> TableAddress:
        address = await table_at(server)
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            for _ in range(2):
                await screen.until(lambda it: it.is_over or bool(it.view.moves))
                move = asyncio.create_task(screen.source.move(some_word(screen.view)))
                await asyncio.sleep(0)  # the move is on its way when the power fails
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await move
            await screen.play_on(2)
            await screen.until(lambda it: it.is_over or bool(it.view.moves))
            state = screen.view.state
        record = read_record((await asyncio.to_thread(httpx.get, address.record)).content)
        assert final_state(record) == state
        return address

    with Server(tmp_path) as server:
        run(scene(server))


def test_a_known_seat_is_taken_back_and_no_second_one(server: Server, known: KnownSeats) -> None:
    async def scene() -> tuple[View, View, str]:
        address = await table_at(server, bots=1, seats=3)
        first = ServerSource(address, guest=ADA, known=known)
        async with Screen(first) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
            before = screen.view
        async with Screen(ServerSource(address, guest=Guest("Eve"), known=known)) as screen:
            await screen.until(lambda it: it.view.connected)
            await asyncio.sleep(0.3)
            return before, screen.view, first.way_back

    before, after, link = run(scene())
    assert before.note == "1 seat is still free."
    assert before.names == after.names == ("Ada", "", "The chick")
    assert after.seats[0].mine
    assert "#" not in link


def test_a_link_with_a_secret_brings_one_back_on_another_device(
    server: Server, known: KnownSeats
) -> None:
    async def scene() -> tuple[str, View]:
        address = await table_at(server, bots=0, seats=2)
        nowhere = ServerSource(address, guest=ADA)
        async with Screen(nowhere) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
        link = nowhere.way_back
        async with Screen(ServerSource(read_address(link), guest=ADA, known=known)) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
            return link, screen.view

    link, view = run(scene())
    secret = link.partition("#")[2]
    assert len(secret) == 32
    assert view.names == ("Ada", "")
    assert known.secrets(read_address(link)) == (secret,)


def test_a_secret_that_cannot_be_remembered_is_in_the_link(server: Server, tmp_path: Path) -> None:
    async def scene() -> str:
        (tmp_path / "seats.json").mkdir()
        unwritable = KnownSeats(tmp_path / "seats.json")
        source = ServerSource(await table_at(server), guest=ADA, known=unwritable)
        async with Screen(source) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
        return source.way_back

    assert "#" in run(scene())


def test_who_can_start_is_said_where_the_reader_cannot(server: Server) -> None:
    async def scene() -> list[str]:
        notes = []
        for address, guest in (
            (await table_at(server, public=True), ADA),
            (await table_at(server, bots=2), None),
        ):
            async with Screen(ServerSource(address, guest=guest)) as screen:
                await screen.until(lambda it: bool(it.view.note) and it.view.seats[0].name != "")
                notes.append(screen.view.note)
        return notes

    host = "Everybody is seated. The host of this table can start the game."
    assert run(scene()) == [host, host]


def test_watching_needs_no_seat(server: Server) -> None:
    async def scene() -> tuple[Screen, Screen]:
        address = await table_at(server)
        async with Screen(ServerSource(address, guest=ADA)) as player:
            await player.until(lambda it: it.view.seats[0].mine)
            async with Screen(ServerSource(address, "de")) as watcher:
                await watcher.until(lambda it: it.view.connected)
                assert watcher.view.note == "Alle sitzen. Ada kann das Spiel beginnen."
                await begun(player)
                await player.play_on(6)
                await watcher.until(lambda it: it.view.state == player.view.state)
                assert watcher.view.note == "Du schaust zu."
                return player, watcher

    player, watcher = run(scene())
    assert not watcher.view.moves
    assert not watcher.view.wishes
    assert not any(seat.mine for seat in watcher.view.seats)
    both = min(len(watcher.events), len(player.events))  # the bot plays on while we look
    assert both > 6
    assert watcher.events[:both] == player.events[:both]
    assert any(line.startswith("Ada legt") for line in watcher.log)


def test_putting_dice_back(server: Server) -> None:
    async def scene() -> tuple[View, list[str]]:
        address = await table_at(server)
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.until(lambda it: bool(it.view.moves))
            await screen.source.move("roll")
            await screen.until(lambda it: "keep:" in "".join(it.view.moves))
            lying = screen.view
            assert Wish.UNDO not in lying.wishes
            await screen.source.move(lying.moves[0])
            await screen.until(lambda it: Wish.UNDO in it.view.wishes)
            await screen.source.wish(Wish.UNDO)
            await screen.until(lambda it: Wish.UNDO not in it.view.wishes)
            assert screen.view.state == lying.state
            return screen.view, screen.log

    view, log = run(scene())
    assert all(move.startswith("keep:") for move in view.moves)
    assert log[-1] == "You take the dice back."


def test_hints_of_a_table_that_has_them(server: Server) -> None:
    async def scene() -> None:
        address = await table_at(server, hints=True)
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.until(lambda it: bool(it.view.moves))
            await screen.source.move("roll")
            await screen.until(lambda it: it.view.hints is not None)
            shown = screen.view
            assert shown.hints_on
            assert shown.hints is not None
            assert {hint.move for hint in shown.hints.moves} == {*shown.moves}
            await screen.source.wish(Wish.HINTS)
            await screen.until(lambda it: not it.view.hints_on and it.view.hints is None)
            await screen.source.wish(Wish.HINTS)
            await screen.until(lambda it: it.view.hints is not None)

    run(scene())


def test_a_bot_plays_until_the_reader_is_back(server: Server) -> None:
    async def scene() -> None:
        made = await create(server.url, "classic", ["chick"], pace=10_000, first=0)
        address = TableAddress(server.url, made["id"], made["secret"])
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.source.wish(Wish.BOT)
            await screen.until(lambda it: Wish.RECLAIM in it.view.wishes)
            assert screen.view.seats[0].away
            await screen.source.wish(Wish.RECLAIM)
            await screen.until(lambda it: Wish.BOT in it.view.wishes)
            assert not screen.view.seats[0].away

    run(scene())


def test_somebody_who_is_away_gets_a_bot(server: Server) -> None:
    async def scene() -> None:
        made = await create(server.url, "classic", seats=2, pace=10_000, first=1, patience=600)
        address = TableAddress(server.url, made["id"], made["secret"])
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
            async with Client(server.url, made["id"]) as ben:
                await ben.do("sit", name="Ben")
                await screen.until(lambda it: Wish.START in it.view.wishes)
                await screen.source.wish(Wish.START)
                await screen.until(lambda it: it.view.state is not None)
            await screen.until(lambda it: Wish.FILL_IN in it.view.wishes)
            await screen.source.wish(Wish.FILL_IN)
            await screen.until(lambda it: Wish.HURRY in it.view.wishes)

    run(scene())


def test_a_player_hurries_a_bot(server: Server) -> None:
    async def scene() -> None:
        made = await create(server.url, "classic", ["chick"], pace=10_000, first=1)
        address = TableAddress(server.url, made["id"], made["secret"])
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            assert Wish.HURRY in screen.view.wishes
            await screen.source.wish(Wish.HURRY)
            await screen.until(lambda it: bool(it.view.moves))
            assert Wish.HURRY not in screen.view.wishes

    run(scene())


def test_a_host_can_allow_hints_and_set_the_pace(server: Server) -> None:
    async def scene() -> None:
        made = await create(server.url, "classic", ["chick"], pace=900, first=0)
        address = TableAddress(server.url, made["id"], made["secret"])
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            assert {Wish.HINTS, Wish.FASTER, Wish.SLOWER} <= screen.view.wishes
            await screen.source.wish(Wish.HINTS)
            await screen.until(lambda it: it.view.hints_on)
            await screen.source.wish(Wish.FASTER)
            await screen.source.wish(Wish.FASTER)
            await screen.source.wish(Wish.FASTER)
            async with Client(server.url, made["id"]) as client:
                assert client.table["setup"]["pace"] == PACES[-1]
            await screen.source.wish(Wish.SLOWER)
            async with Client(server.url, made["id"]) as client:
                assert client.table["setup"]["pace"] == PACES[-2]

    run(scene())


def test_a_rematch_against_bots_begins_at_once(server: Server) -> None:
    async def scene() -> Screen:
        address = await table_at(server, "junior")
        async with Screen(ServerSource(address, guest=ADA)) as screen:
            await begun(screen)
            await screen.play_on()
            await screen.source.wish(Wish.REMATCH)
            await screen.until(lambda it: it.view.state is not None and not it.is_over)
            return screen

    screen = run(scene())
    assert "Another game: everybody keeps their seat." in screen.log


@pytest.mark.parametrize(
    ("language", "says"),
    [
        ("en", "All seats are taken. You can watch."),
        ("it", "Tutti i posti sono occupati. Puoi guardare."),
    ],
)
def test_a_full_table_is_said_in_the_guests_language(
    server: Server, language: str, says: str
) -> None:
    async def scene() -> str:
        address = await table_at(server, bots=2)
        async with Screen(ServerSource(address, language, guest=ADA)) as screen:
            return await screen.until_failed()

    assert run(scene()) == says


def test_a_seat_can_be_chosen(server: Server) -> None:
    async def scene() -> View:
        address = await table_at(server, bots=0, seats=3)
        async with Screen(ServerSource(address, guest=Guest("Ada", 2))) as screen:
            await screen.until(lambda it: it.view.seats[2].mine)
            return screen.view

    view = run(scene())
    assert view.names == ("", "", "Ada")
    assert view.note == "2 seats are still free."


def test_two_people_and_somebody_who_leaves(server: Server) -> None:
    async def scene() -> list[str]:
        address = await table_at(server, bots=0)
        async with Screen(ServerSource(address, guest=ADA)) as ada:
            await ada.until(lambda it: it.view.seats[0].mine)
            async with Screen(ServerSource(address, guest=Guest("Ben"))) as ben:
                await begun(ben)
                await ada.until(lambda it: bool(it.view.moves))
                with pytest.raises(Refused, match=r"^The game has moved on"):
                    await ben.source.move("roll")
            await ada.until(lambda it: it.view.seats[1].away)
            return ada.log

    log = run(scene())
    assert "Ben is away for a moment." in log


def test_what_is_not_on_offer_is_refused(server: Server) -> None:
    async def scene() -> None:
        async with Screen(ServerSource(await table_at(server), guest=ADA)) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
            for wish in (Wish.UNDO, Wish.PLAY, Wish.REMATCH):
                with pytest.raises(Refused, match=r"^The game has moved on"):
                    await screen.source.wish(wish)

    run(scene())


def test_a_name_that_no_table_takes(server: Server) -> None:
    async def scene() -> str:
        address = await table_at(server)
        async with Screen(ServerSource(address, guest=Guest("x" * 30))) as screen:
            return await screen.until_failed()

    assert run(scene()) == "A name must have 1 to 24 characters. Choose another one."


def test_a_table_that_is_not_there(server: Server) -> None:
    async def scene() -> str:
        address = TableAddress(server.url, "boka-miru-tela")
        async with Screen(ServerSource(address)) as screen:
            return await screen.until_failed()

    assert run(scene()) == "There is no such table. Check the link, or open a new table."


def test_the_last_of_many_moves_is_known_after_a_long_absence(server: Server) -> None:
    """More than the server remembers one by one: the snapshot has to do."""

    async def scene() -> tuple[Screen, Screen]:
        address = await table_at(server, "deluxe")
        async with Screen(ServerSource(address, guest=ADA)) as ada:
            await begun(ada)
            await ada.play_on()
            async with Screen(ServerSource(address)) as late:
                await late.until(lambda it: it.is_over)
                return ada, late

    ada, late = run(scene())
    assert late.view.state == ada.view.state


def test_a_table_that_its_host_closes_is_the_end(server: Server) -> None:
    async def scene() -> tuple[Screen, ServerSource]:
        made = await create(server.url, "classic", ["chick"])
        source = ServerSource(TableAddress(server.url, made["id"]), guest=ADA)
        async with Screen(source) as screen:
            await screen.until(lambda it: it.view.seats[0].mine)
            assert source.is_seated
            async with Client(server.url, made["id"], [made["secret"]]) as host:
                await host.do("close")
            async with asyncio.timeout(60):
                while not screen.ended:
                    await asyncio.sleep(0.01)
        return screen, source

    screen, source = run(scene())
    assert screen.failed is None
    assert screen.log[-1] == "The host has closed the table."
    assert screen.view.note == "This table is closed."
    assert not source.is_seated
