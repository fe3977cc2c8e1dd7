"""A source that replays a record, forward and back, automatically or step by step."""

import asyncio
from typing import Final

from heckmeck.narration import Narrator, News
from heckmeck.record import Record, Step, replay
from heckmeck.rules import AnyState, throws
from heckmeck.tui.source import Refused, Seat, Source, View, Wish

#: The speeds of a replay, in steps per second.
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class ReplaySource(Source):
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
        super().__init__()
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

    async def _run(self) -> None:
        """Show the start, then proceed as the reader wishes."""
        self._show_all()
        while True:
            if await self._time_is_up():
                self._go(self._next(self._at))
                if self._at == len(self._steps):
                    self._playing = False
                    self._show()

    @property
    def _is_finished(self) -> bool:
        return not self._stay and self._at == len(self._steps)

    async def move(self, word: str) -> None:
        """Refuse: a record cannot be changed."""
        raise Refused(self._news.refusal("illegal_move", "That is not possible now."))

    async def wish(self, wish: Wish) -> None:
        """Jump, or change the speed, as the reader wishes."""
        if wish not in self._wishes():
            raise Refused(self._news.refusal("illegal_move", "That is not possible now."))
        places = {
            Wish.FIRST: 0,
            Wish.BACK: self._before(self._at),
            Wish.FORWARD: self._next(self._at),
            Wish.LAST: len(self._steps),
        }
        if wish in places:
            self._go(places[wish])
            self._playing = False
        elif wish is Wish.PLAY:
            self._playing = not self._playing
        else:
            self._speed = self._other_speed(wish)
        self._show()
        self._changed.set()

    # --- time -------------------------------------------------------------------------------------

    async def _time_is_up(self) -> bool:
        """Wait until the next step is due (return True) or the reader has a wish."""
        if not self._playing or self._at == len(self._steps):
            self._changed.clear()
            await self._changed.wait()
            return False
        if not self._speed:
            await asyncio.sleep(0)
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
            self._show(events, self._lines(before, to))
        elif before > to:
            self._show_all()

    # --- showing ----------------------------------------------------------------------------------

    def _show_all(self) -> None:
        """Show the game from its start to here."""
        lines = (self._narrator.start(self._record.first), *self._lines(0, self._at))
        self._show(lines=lines, reset=True)

    def _lines(self, before: int, to: int) -> tuple[str, ...]:
        passed = self._steps[before:to]
        return tuple(line for step in passed for line in self._narrator.lines(step.events))

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
