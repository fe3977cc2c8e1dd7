"""A source that is a game in this process: people at this screen, bots, and dice of our own."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Final

from heckmeck import bots, narration
from heckmeck.record import BadRecord, replay
from heckmeck.rules import AnyState, Move, legal, parse, throws, word
from heckmeck.solver.compiling import is_compiling
from heckmeck.table.play import leisure
from heckmeck.tui import local_game, source
from heckmeck.wire.coach import Advice

#: How long a bot may think before we ask what keeps it.
PATIENCE_SECONDS: Final = 1.0


class Pace(StrEnum):
    """How long bots take for their decisions, and how long dice are in the air."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"

    def changed(self, wish: source.Wish) -> "Pace":
        """Return the next faster or slower pace, if there is one."""
        order: list[Pace] = [*Pace]
        at = order.index(self) + (1 if wish is source.Wish.FASTER else -1)
        return order[min(max(at, 0), len(order) - 1)]


#: Seconds that a bot looks at a throw; dice are in the air for a third of it.
SECONDS: Final = {Pace.SLOW: 0.9, Pace.NORMAL: 0.32, Pace.FAST: 0.12}


class LocalSource(source.Source):
    """Plays a `Game`: lets dice fall and bots move at its pace, and waits for people."""

    def __init__(
        self,
        game: local_game.Game,
        language: str = "en",
        *,
        pace: Pace | None = Pace.NORMAL,
        hints: bool = False,
        warn: bool = False,
        rematch: Callable[[local_game.Game], local_game.Game] | None = None,
    ) -> None:
        """Play ``game``, at once if there is no ``pace``.

        ``warn``: what to warn of is weighed, if one person plays against bots. ``rematch`` sets up
        another game after one, if that is offered.
        """
        super().__init__()
        #: The game on the table.
        self.game = game
        self._words = narration.table_words(language)
        self._language = language
        self._pace = pace
        self._rematch = rematch
        self._hints_on = hints
        self._warn = warn
        self._advice: Advice | None = None
        self._note = ""
        self._changed = asyncio.Event()
        self._haste = asyncio.Event()

    # --- what the screen asks for -----------------------------------------------------------------

    async def move(self, word: str) -> None:
        """Play one of the moves on offer."""
        throw = source.dice_of(word, self.game.state) if self._throw else None
        if word not in (*self._moves(), throw):
            raise source.Refused(self._words.say("refused.gone"))
        try:
            self._play(parse(word))
        except (BadRecord, local_game.CannotSave) as error:
            self._fail(error)

    async def wish(self, wish: source.Wish) -> None:
        """Grant one of the wishes on offer."""
        if wish not in self._wishes():
            raise source.Refused(self._words.say("refused.gone"))
        match wish:
            case source.Wish.UNDO:
                self._put_back()
            case source.Wish.HURRY:
                self._haste.set()
            case source.Wish.HINTS:
                self._switch_hints()
            case source.Wish.FASTER | source.Wish.SLOWER if self._pace is not None:
                self._change_pace(self._pace.changed(wish))
            case _:
                self._play_again()

    # --- playing ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Let dice fall and bots move; wait where a person is to move."""
        self._show_all()
        while True:
            await self._step()

    def _fail(self, error: Exception) -> None:
        expected = isinstance(error, BadRecord | bots.BotMisbehaved | local_game.CannotSave)
        super()._fail(source.SourceFailed(str(error)) if expected else error)

    async def _step(self) -> None:
        game = self.game
        if throws(game.state) and not game.own_dice:
            await self._wait(self._seconds / 3)
            self._play(game.fall())
        elif game.bot is not None and legal(game.state):
            pause = self._wait(self._seconds * leisure(game.state))
            move, _ = await asyncio.gather(self._chosen(game), pause)
            self._play(move)
        else:
            self._changed.clear()
            await self._changed.wait()

    @property
    def _seconds(self) -> float:
        return 0 if self._pace is None else SECONDS[self._pace]

    async def _wait(self, seconds: float) -> None:
        """Wait, unless the reader is in a hurry."""
        if not seconds:
            await asyncio.sleep(0)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._haste.wait()

    async def _chosen(self, game: local_game.Game) -> Move:
        """Return the bot's move; say so if it has to be compiled first."""
        choosing = asyncio.ensure_future(source.in_background(game.chosen))
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
        seat = self.game.state.seat
        events = self.game.play(move)
        if self.game.state.seat != seat:
            self._haste.clear()
        self._advice = None
        self._note = ""
        self._show(events, self._narrator().lines(events))
        self._changed.set()
        self._weigh()

    def _put_back(self) -> None:
        self.game.put_back()
        self._show_all()
        self._changed.set()

    def _play_again(self) -> None:
        assert self._rematch is not None
        self.game = self._rematch(self.game)
        self._show_all()
        self._changed.set()

    # --- hints and pace ---------------------------------------------------------------------------

    def _switch_hints(self) -> None:
        self._hints_on = not self._hints_on
        self._advice = None
        self._show()
        self._weigh()

    def _weigh(self) -> None:
        """Ask what moves are worth if that is wanted and a person is to move."""
        if self._weighs:
            self._tasks.create_task(self._weigh_moves(self.game.state))

    async def _weigh_moves(self, state: AnyState) -> None:
        advice = await source.in_background(lambda: hints_for(state))
        if state is self.game.state and self._weighs:
            self._advice = advice
            self._show()

    @property
    def _weighs(self) -> bool:
        return (self._hints_on or self._warns) and bool(self._moves())

    @property
    def _warns(self) -> bool:
        return self._warn and self.game.you is not None

    def _change_pace(self, pace: Pace) -> None:
        self._pace = pace
        say = self._words.say
        self._note = say("colon", what=say("pace"), how=say(f"pace.{pace}"))
        self._show()

    # --- showing ----------------------------------------------------------------------------------

    def _show_all(self) -> None:
        """Show the game from its start, and weigh its moves again."""
        self._advice = None
        record, narrator = self.game.record, self._narrator()
        lines = (line for step in replay(record) for line in narrator.lines(step.events))
        self._show(lines=(narrator.start(record.first), *lines), reset=True)
        self._weigh()

    def _narrator(self) -> narration.Narrator:
        return narration.Narrator(self.game.record.seats, self._language, self.game.you)

    def _view(self) -> source.View:
        game = self.game
        record = game.record
        seats = tuple(
            source.Seat(name, mine=seat not in game.bots, bot=seat in game.bots)
            for seat, name in enumerate(record.seats)
        )
        return source.View(
            record.edition,
            seats,
            game.state,
            moves=self._moves(),
            throw=self._throw,
            wishes=self._wishes(),
            hints=self._advice if self._hints_on else None,
            hints_on=self._hints_on,
            weighed=self._advice if self._warns else None,
            weighing=self._weighs and self._advice is None,
            note=self._note,
            record="" if game.path is None else str(game.path),
        )

    def _moves(self) -> tuple[str, ...]:
        game = self.game
        return () if game.bot is not None else tuple(word(move) for move in legal(game.state))

    @property
    def _throw(self) -> bool:
        return self.game.own_dice and bool(throws(self.game.state))

    def _wishes(self) -> frozenset[source.Wish]:
        game = self.game
        wishes = {source.Wish.HINTS}
        if game.bots and self._pace is not None:
            wishes |= {source.Wish.FASTER, source.Wish.SLOWER}
            if game.bot is not None and not self._throw:
                wishes.add(source.Wish.HURRY)
        if (game.bot is None and game.can_put_back) or game.entered_since:
            wishes.add(source.Wish.UNDO)
        if game.is_over:
            wishes = {source.Wish.REMATCH} if self._rematch is not None else set()
        return frozenset(wishes)


def hints_for(state: AnyState) -> Advice:
    """Weigh every legal move of a state in which a player has to decide; slow the first time."""
    from heckmeck.coach.advice import advise

    return advise(state)
