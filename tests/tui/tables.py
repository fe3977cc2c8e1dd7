"""Tables to test on: a game in this process behind the real application, without waiting."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from textual.pilot import Pilot

from heckmeck.bots import Player, player
from heckmeck.record import History, Record, read_record
from heckmeck.rules import HouseRules, parse
from heckmeck.tui.app import TableApp
from heckmeck.tui.local_game import Game
from heckmeck.tui.local_source import LocalSource
from heckmeck.tui.side import Log

SMALL = (80, 24)


def record_of(edition: str, *turns: str, seats: str = "Ada, Ben, Cleo", first: int = 0) -> Record:
    """A game after these turns."""
    header = f"heckmeck: 1\nedition: {edition}\nseats: {seats}\nfirst: {first}\n\n"
    return read_record((header + "\n".join(turns)).encode())


def bots_on(record: Record, *seats: int, bot: str = "chick") -> dict[int, Player]:
    """The same bot on these seats."""
    assert max(seats, default=0) < len(record.seats)
    return {seat: player(bot) for seat in seats}


class UnsavedGame(Game):
    """A game that only says where it would be saved."""

    def save(self) -> None:
        """Write nothing."""


@dataclass
class Table:
    """An application that shows a local game, and the hands of whoever plays it."""

    record: Record
    bots: Mapping[int, Player] = field(default_factory=dict)
    language: str = "en"
    seed: str = "7"
    dark: bool = True
    hints: bool = False
    warn: bool = False
    path: str = "games/today.heckmeck.json"
    size: tuple[int, int] = SMALL
    own_dice: bool = False

    def __post_init__(self) -> None:
        self.source = LocalSource(
            self._game(),
            self.language,
            hints=self.hints,
            warn=self.warn,
            rematch=lambda _: self._game(),
        )
        self.app = TableApp(self.source, self.language, dark=self.dark)

    def _game(self) -> Game:
        return UnsavedGame(
            History(self.record), self.bots, self.seed, Path(self.path), own_dice=self.own_dice
        )

    @property
    def game(self) -> Game:
        return self.source.game

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Pilot[None]]:
        """Run the application; it has drawn the table when this begins."""
        async with self.app.run_test(size=self.size) as pilot:
            await self.settled(pilot)
            yield pilot

    async def settled(self, pilot: Pilot[None]) -> None:
        """Wait until nothing moves on the screen any more."""
        shown = ""
        for _ in range(200):
            await pilot.pause(0.02)
            before, shown = shown, self.text()
            logs = self.app.screen.query(Log)
            if shown == before and all(log.scroll_offset.y >= log.max_scroll_y for log in logs):
                return
        raise AssertionError("the screen never comes to rest")

    def text(self) -> str:
        """What is on the screen, letter by letter."""
        strips = self.app.screen._compositor.render_strips()  # noqa: SLF001 - there is no other way
        lines = ("".join(segment.text for segment in strip).rstrip() for strip in strips)
        return "\n".join(lines) + "\n"


def new_record(
    edition: str, seats: tuple[str, ...] = ("Ada", "Ben"), *, short: bool = False
) -> Record:
    """A game before its first word; ``short`` ends it sooner where a house rule can."""
    house = HouseRules(short, short) if edition in ("classic", "deluxe") else HouseRules()
    return Record(edition, seats, 0, house)


def played(record: Record, words: str) -> Record:
    """The record with these words added."""
    history = History(record)
    history.play([parse(word) for word in words.split()])
    return history.record
