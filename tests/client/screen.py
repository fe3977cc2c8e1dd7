"""A reader of a source: keeps what a screen would show, and notices what a source must not do."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

from heckmeck.rules import Event, outcome
from heckmeck.tui.source import Source, SourceFailed, Update, View

T = TypeVar("T")


class Screen:
    """Follows a source. ``log`` and ``view`` are as its reader would see them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.log: list[str] = []
        self.events: list[Event] = []
        self.views: list[View] = []
        self.failed: SourceFailed | None = None
        self.ended = False
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Screen":
        self._task = asyncio.create_task(self._follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.source.close()
        assert self._task is not None
        self._task.cancel()
        try:
            await self._task
        except asyncio.CancelledError:
            return

    async def _follow(self) -> None:
        try:
            async for update in self.source.updates():
                self._take(update)
        except SourceFailed as error:
            self.failed = error
        self.ended = True
        self._news.set()

    def _take(self, update: Update) -> None:
        assert update.reset or self.views, "the first update has the whole log"
        if update.reset:
            self.log = []
        self.log += update.lines
        self.events += update.events
        self.views.append(update.view)
        self._news.set()

    @property
    def view(self) -> View:
        return self.views[-1]

    @property
    def is_over(self) -> bool:
        return (
            bool(self.views)
            and self.view.state is not None
            and outcome(self.view.state) is not None
        )

    async def until(self, condition: Callable[["Screen"], bool], seconds: float = 60) -> None:
        """Wait until something is to be seen, or nothing will be any more."""
        async with asyncio.timeout(seconds):
            while not (self.views and condition(self)):
                assert not self.ended, f"the source ended: {self.failed}"
                assert self._task is not None
                self._news.clear()
                await self._news.wait()
                if self._task.done():
                    await self._task

    async def until_failed(self, seconds: float = 30) -> str:
        """Wait until the source fails; return what it says."""
        async with asyncio.timeout(seconds):
            while not self.ended:
                self._news.clear()
                await self._news.wait()
        assert self.failed is not None
        return str(self.failed)

    async def play_on(self, moves: int | None = None) -> int:
        """Play until the game is over, or so many moves; return how many were played."""
        played = 0
        while played != moves:
            await self.until(lambda screen: screen.is_over or bool(screen.view.moves))
            if self.is_over:
                break
            await self.source.move(some_word(self.view))
            played += 1
        return played


def some_word(view: View) -> str:
    """Return a word that is allowed; games of such words come to an end soon."""
    state = view.state
    assert state is not None
    if "stop" in view.moves and "W" in state.turn.kept:
        return "stop"
    for word in ("keep:W", "keep:5", "keep:6", "keep:B"):
        if word in view.moves:
            return word
    return next((word for word in reversed(view.moves) if word != "stop"), view.moves[-1])


def run(work: Coroutine[None, None, T]) -> T:
    """Run a test's coroutine, with a time limit that only a hang reaches."""

    async def limited() -> T:
        async with asyncio.timeout(240):
            return await work

    return asyncio.run(limited())
