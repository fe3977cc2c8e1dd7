"""A source that replays a record, forward and back, automatically or step by step."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from heckmeck.narration import Narrator
from heckmeck.narration.news import News
from heckmeck.record import Record, Step, replay
from heckmeck.rules import AnyState, Event, throws
from heckmeck.tui.source import Refused, Seat, Update, View, Wish
from heckmeck.tui.telling import tell

#: The speeds of a replay, in steps per second.
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class ReplaySource:
    """Shows a record. A step is a word; a throw and its dice are one step."""

    def __init__(
        self,
        record: Record,
        language: str = "en",
        *,
        name: str = "",
        speed: float = 1.0,
        playing: bool = True,
        stay: bool = True,
    ) -> None:
        """Show ``record``, stored at ``name``, from its start.

        It plays automatically if ``playing``, at ``speed`` steps per second (0: without a pause);
        unless ``stay``, the updates end with the last move.
        """
        self._record = record
        self._steps: tuple[Step, ...] = tuple(replay(record))
        self._narrator = Narrator(record.seats, language)
        self._news = News(language)
        self._name = name
        self._speed = speed
        self._playing = playing
        self._stay = stay
        self._at = 0
        self._changed = asyncio.Event()
        self._updates: list[Update] = []

    async def updates(self) -> AsyncIterator[Update]:
        """Show the start, then proceed as the reader wishes."""
        self._show_anew()
        while True:
            for update in self._taken():
                yield update
            if not self._stay and self._at == len(self._steps):
                return
            if await self._time_is_up():
                self._go(self._next(self._at))
                if self._at == len(self._steps):
                    self._playing = False
                    self._show()

    async def move(self, word: str) -> None:
        """Refuse: a record cannot be changed."""
        raise Refused(self._news.refusal("illegal_move", "That is not possible now."))

    async def wish(self, wish: Wish) -> None:
        """Jump, or change the speed, as the reader wishes."""
        if wish not in self._wishes():
            raise Refused(self._news.refusal("illegal_move", "That is not possible now."))
        match wish:
            case Wish.PLAY:
                self._playing = not self._playing
                self._show()
            case Wish.FASTER | Wish.SLOWER:
                self._speed = self._other_speed(wish)
                self._show()
            case Wish.FORWARD:
                self._go(self._next(self._at))
            case Wish.LAST:
                self._go(len(self._steps))
            case Wish.BACK:
                self._go(self._before(self._at))
            case _:
                self._go(0)
        if wish in (Wish.FORWARD, Wish.BACK, Wish.FIRST, Wish.LAST):
            self._playing = False
            self._show()
        self._changed.set()

    async def close(self) -> None:
        """Do nothing: a record needs no cleaning up."""

    # --- time -------------------------------------------------------------------------------------

    async def _time_is_up(self) -> bool:
        """Wait until the next step is due (return True) or the reader has a wish."""
        if self._updates:
            return False
        if not self._playing or self._at == len(self._steps):
            self._changed.clear()
            await self._changed.wait()
            return False
        if not self._speed:
            return True
        self._changed.clear()
        try:
            async with asyncio.timeout(1 / self._speed):
                await self._changed.wait()
        except TimeoutError:
            return True
        return False

    def _other_speed(self, wish: Wish) -> float:
        if wish is Wish.FASTER:
            return next((speed for speed in SPEEDS if speed > self._speed), SPEEDS[-1])
        return next((speed for speed in reversed(SPEEDS) if speed < self._speed), SPEEDS[0])

    # --- place ------------------------------------------------------------------------------------

    def _state(self, at: int) -> AnyState:
        return self._steps[at - 1].state if at else self._record.start()

    def _next(self, at: int) -> int:
        """Return the next position without dice in the air."""
        places = range(at + 1, len(self._steps))
        return next((each for each in places if not throws(self._state(each))), len(self._steps))

    def _before(self, at: int) -> int:
        """Return the previous position without dice in the air."""
        return next((each for each in range(at - 1, 0, -1) if not throws(self._state(each))), 0)

    def _go(self, to: int) -> None:
        before, self._at = self._at, to
        if before < to:
            passed = self._steps[before:to]
            events = tuple(event for step in passed for event in step.events)
            self._show(events, self._told(before, to))
        elif before > to:
            self._show_anew()

    # --- showing ----------------------------------------------------------------------------------

    def _taken(self) -> list[Update]:
        updates, self._updates = self._updates, []
        return updates

    def _show(self, events: tuple[Event, ...] = (), told: tuple[str, ...] = ()) -> None:
        self._updates.append(Update(self._view(), events, told))

    def _show_anew(self) -> None:
        told = (self._narrator.start(self._record.first), *self._told(0, self._at))
        self._updates.append(Update(self._view(), told=told, anew=True))

    def _told(self, before: int, to: int) -> tuple[str, ...]:
        return tuple(
            line for step in self._steps[before:to] for line in tell(self._narrator, step.events)
        )

    def _view(self) -> View:
        speed = self._speed if self._playing and self._at < len(self._steps) else None
        return View(
            self._record.edition,
            tuple(map(Seat, self._record.seats)),
            self._state(self._at),
            wishes=self._wishes(),
            note=self._news.replay(self._at, len(self._steps), speed),
            record=self._name,
        )

    def _wishes(self) -> frozenset[Wish]:
        wishes = {Wish.FASTER, Wish.SLOWER}
        if self._at < len(self._steps):
            wishes |= {Wish.PLAY, Wish.FORWARD, Wish.LAST}
        if self._at:
            wishes |= {Wish.BACK, Wish.FIRST}
        return frozenset(wishes)
