"""The table in the terminal, played by keys at a real server, and a record on it."""

import asyncio
import operator
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from pathlib import Path

import httpx
from textual.pilot import Pilot

from heckmeck.client.address import TableAddress
from heckmeck.record import final_state, read_record
from heckmeck.rules import outcome
from heckmeck.tui.app import TableApp
from heckmeck.tui.replay_source import ReplaySource
from heckmeck.tui.server_source import Guest, ServerSource
from heckmeck.tui.source import Source, Update, View, Wish
from tests.client.screen import run, some_word
from tests.server.client import create
from tests.server.serving import Server

OPENING = Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt"


KEYS = {"roll": "r", "stop": "s", "bust": "s", "reroll": "a", "roll:golden": "g"}


class Looking(Source):
    """Passes on a source's game, and remembers the last view: it is what the screen shows."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self.last: View | None = None

    async def updates(self) -> AsyncIterator[Update]:
        async for update in self.source.updates():
            self.last = update.view
            yield update

    async def move(self, word: str) -> None:
        await self.source.move(word)

    async def wish(self, wish: Wish) -> None:
        await self.source.wish(wish)

    async def close(self) -> None:
        await self.source.close()


class Reader:
    """Somebody at the keyboard."""

    def __init__(self, pilot: Pilot[None], looking: Looking) -> None:
        self.pilot = pilot
        self._looking = looking

    @property
    def view(self) -> View:
        assert self._looking.last is not None
        return self._looking.last

    @property
    def is_over(self) -> bool:
        return self.view.state is not None and outcome(self.view.state) is not None

    async def until(self, condition: Callable[[View], bool]) -> None:
        async with asyncio.timeout(60):
            while self._looking.last is None or not condition(self._looking.last):
                await self.pilot.pause(0.02)

    async def play_on(self, moves: int | None = None) -> None:
        """Press keys until the game is over, or so many times."""
        pressed = 0
        while pressed != moves:
            await self.until(lambda _: self.is_over or bool(self.view.moves))
            if self.is_over:
                return
            before = self.view
            word = some_word(before)
            await self.pilot.press(KEYS.get(word, word.removeprefix("keep:").lower()))
            await self.until(partial(operator.is_not, before))
            pressed += 1


def on_screen(source: Source, scene: Callable[[Reader], Coroutine[None, None, None]]) -> None:
    """Show the source in a terminal of 80 x 24, and let somebody read and type."""

    async def show() -> None:
        looking = Looking(source)
        app = TableApp(looking, "en")
        async with app.run_test(size=(80, 24)) as pilot:
            await scene(Reader(pilot, looking))

    run(show())


def test_a_game_by_keys_with_the_server_killed_in_the_middle(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        made = asyncio.run(create(server.url, "classic", ["chick"], pace=0, first=0))
        address = TableAddress(server.url, made["id"])

        async def scene(reader: Reader) -> None:
            await reader.until(lambda view: Wish.START in view.wishes)
            await reader.pilot.press("enter")
            await reader.play_on(5)
            await asyncio.to_thread(server.kill)
            await reader.until(lambda view: not view.connected)
            await asyncio.to_thread(server.start)
            await reader.until(lambda view: view.connected)
            await reader.play_on()
            assert reader.view.names == ("Ada", "The chick")

        on_screen(ServerSource(address, guest=Guest("Ada")), scene)
        record = read_record(httpx.get(address.record).content)
    assert outcome(final_state(record)) is not None


def test_a_record_by_keys() -> None:
    record = read_record(OPENING.read_bytes())

    async def scene(reader: Reader) -> None:
        await reader.until(lambda view: view.note == "Move 0 of 17")
        await reader.pilot.press("right", "right")
        await reader.until(lambda view: view.note == "Move 3 of 17")
        await reader.pilot.press("left")
        await reader.until(lambda view: view.note == "Move 2 of 17")
        await reader.pilot.press("end")
        await reader.until(lambda view: view.state == final_state(record))
        await reader.pilot.press("home")
        await reader.until(lambda view: view.state == record.start())
        await reader.pilot.press("plus", "plus", "plus", "space")
        await reader.until(lambda view: view.note.endswith("8 per second"))
        await reader.until(lambda view: view.state == final_state(record))

    on_screen(ReplaySource(record, playing=False), scene)


def test_a_table_that_is_not_there_ends_the_screen() -> None:
    async def show(address: TableAddress) -> str:
        app = TableApp(ServerSource(address), "en")
        async with app.run_test(size=(80, 24)) as pilot:
            async with asyncio.timeout(60):
                while not app.problem:
                    await pilot.pause(0.02)
        return app.problem

    address = TableAddress("http://127.0.0.1:9", "boka-miru-tela")
    assert "No server answers at http://127.0.0.1:9" in run(show(address))
