"""A source that is a game in this process: people at this screen, bots, and dice of our own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass
from typing import Final

from heckmeck.bots import BotMisbehaved
from heckmeck.narration import Narrator, table_words
from heckmeck.record import BadRecord
from heckmeck.rules import AnyState, Event, Move, legal, parse, throws, word
from heckmeck.solver.under_way import is_compiling
from heckmeck.tui.advising import hints_for
from heckmeck.tui.game import Game
from heckmeck.tui.pace import Pace
from heckmeck.tui.saved import CannotSave
from heckmeck.tui.source import Hints, Refused, Seat, SourceFailed, Update, View, Wish
from heckmeck.tui.telling import tell, tell_all
from heckmeck.tui.thinking import in_background

#: How long a bot may think before we ask what keeps it.
PATIENCE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and where it is written down: a path, or nothing."""

    game: Game
    record: str = ""


class LocalSource:
    """Plays a `Game`: lets dice fall and bots move at its pace, and waits for people."""

    def __init__(
        self,
        played: Played,
        language: str = "en",
        *,
        pace: Pace = Pace.NORMAL,
        hints: bool = False,
        rematch: Callable[[], Played] | None = None,
    ) -> None:
        """Play ``played``; ``rematch`` sets the table for another game, if that is offered."""
        self._played = played
        self._words = table_words(language)
        self._language = language
        self._pace = pace
        self._rematch = rematch
        self._hints_on = hints
        self._hints: Hints | None = None
        self._note = ""
        self._updates: asyncio.Queue[Update | SourceFailed] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def played(self) -> Played:
        """The game on the table, and where it is written down."""
        return self._played

    # --- what the screen asks for -----------------------------------------------------------------

    async def updates(self) -> AsyncIterator[Update]:
        """Show the table as it is, then everything that happens."""
        self._show_anew()
        self._weigh()
        self._start(self._drive())
        while True:
            update = await self._updates.get()
            if isinstance(update, SourceFailed):
                raise update
            yield update

    async def move(self, word: str) -> None:
        """Play one of the moves on offer."""
        if word not in self._moves():
            raise Refused(self._words.say("refused.gone"))
        try:
            self._play(parse(word))
        except (BadRecord, CannotSave) as error:
            self._fail(error)

    async def wish(self, wish: Wish) -> None:
        """Grant one of the wishes on offer."""
        if wish not in self._wishes():
            raise Refused(self._words.say("refused.gone"))
        match wish:
            case Wish.UNDO:
                self._put_back()
            case Wish.HINTS:
                self._switch_hints()
            case Wish.FASTER | Wish.SLOWER:
                self._change_pace(wish)
            case Wish.REMATCH:
                self._play_again()
            case _:
                raise Refused(self._words.say("refused.gone"))

    async def close(self) -> None:
        """Stop playing. Every word is on disk already."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- playing ----------------------------------------------------------------------------------

    async def _drive(self) -> None:
        """Let dice fall and bots move; wait where a person is to move."""
        try:
            while True:
                await self._step()
        except (BadRecord, BotMisbehaved, CannotSave) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._updates.put_nowait(SourceFailed(str(error)))

    async def _step(self) -> None:
        game = self._played.game
        state = game.state
        if throws(state):
            await asyncio.sleep(self._pace.fall)
            self._play(game.fall())
        elif game.bot is not None and not game.is_over:
            move, _ = await asyncio.gather(self._chosen(game), asyncio.sleep(self._pace.decision))
            self._play(move)
        else:
            self._changed.clear()
            await self._changed.wait()

    async def _chosen(self, game: Game) -> Move:
        """Return the bot's move; say so if it has to be compiled first."""
        choosing = asyncio.ensure_future(in_background(game.chosen))
        try:
            while not (await asyncio.wait({choosing}, timeout=PATIENCE_SECONDS))[0]:
                if is_compiling() and not self._note:
                    name = game.record.seats[game.state.seat]
                    self._note = self._words.say("act.warming", name=name)
                    self._show()
            return choosing.result()
        finally:
            choosing.cancel()

    def _play(self, move: Move) -> None:
        game = self._played.game
        events = game.play(move)
        self._hints = None
        self._note = ""
        self._show(events, tell(self._narrator(), events))
        self._changed.set()
        self._weigh()

    def _put_back(self) -> None:
        self._played.game.put_back()
        self._hints = None
        self._show_anew()
        self._weigh()

    def _play_again(self) -> None:
        assert self._rematch is not None
        self._played = self._rematch()
        self._hints = None
        self._show_anew()
        self._changed.set()
        self._weigh()

    # --- hints and pace ---------------------------------------------------------------------------

    def _switch_hints(self) -> None:
        self._hints_on = not self._hints_on
        self._hints = None
        self._show()
        self._weigh()

    def _weigh(self) -> None:
        """Ask for hints if they are wanted and a person is to move."""
        if self._hints_on and self._moves():
            self._start(self._weigh_moves(self._played.game.state))

    async def _weigh_moves(self, state: AnyState) -> None:
        hints = await in_background(lambda: hints_for(state))
        if state is self._played.game.state and self._hints_on:
            self._hints = hints
            self._show()

    def _change_pace(self, wish: Wish) -> None:
        self._pace = self._pace.faster if wish is Wish.FASTER else self._pace.slower
        say = self._words.say
        self._note = say("colon", what=say("pace"), how=say(f"pace.{self._pace}"))
        self._show()

    # --- telling ----------------------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _show(self, events: tuple[Event, ...] = (), told: tuple[str, ...] = ()) -> None:
        self._updates.put_nowait(Update(self._view(), events, told))

    def _show_anew(self) -> None:
        told = tell_all(self._narrator(), self._played.game.record)
        self._updates.put_nowait(Update(self._view(), told=told, anew=True))

    def _narrator(self) -> Narrator:
        game = self._played.game
        return Narrator(game.record.seats, self._language, game.you)

    def _view(self) -> View:
        game = self._played.game
        record = game.record
        seats = tuple(
            Seat(name, mine=seat not in game.bots, bot=seat in game.bots)
            for seat, name in enumerate(record.seats)
        )
        return View(
            record.edition,
            seats,
            game.state,
            moves=self._moves(),
            wishes=self._wishes(),
            hints=self._hints,
            hints_on=self._hints_on,
            note=self._note,
            record=self._played.record,
        )

    def _moves(self) -> tuple[str, ...]:
        game = self._played.game
        return () if game.bot is not None else tuple(word(move) for move in legal(game.state))

    def _wishes(self) -> frozenset[Wish]:
        game = self._played.game
        wishes = {Wish.HINTS}
        if game.bots:
            wishes |= {Wish.FASTER, Wish.SLOWER}
        if game.bot is None and game.can_put_back:
            wishes.add(Wish.UNDO)
        if game.is_over:
            wishes = {Wish.REMATCH} if self._rematch is not None else set()
        return frozenset(wishes)
