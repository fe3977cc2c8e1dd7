"""A source's game line by line: for pipes, scripts and screen readers.

Events are printed as they come. When the reader is to move, the words are offered and one line is
read; events are still printed in the meantime.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Final, TextIO

import click

from heckmeck.cli.plain_input import Command, command, help_text, long, with_short
from heckmeck.cli.plain_lines import TIED, columns, echo, fitted
from heckmeck.cli.plain_table import PlainWords
from heckmeck.narration import table_words
from heckmeck.record import event_to_json, state_to_json
from heckmeck.rules import AnyState, outcome
from heckmeck.rules.events import TurnStarted
from heckmeck.tui.source import Refused, Source, Update, View, Wish

#: Commands that are a wish to the source.
WISHES: Final = {
    Command.START: Wish.START,
    Command.UNDO: Wish.UNDO,
    Command.HINTS: Wish.HINTS,
    Command.FASTER: Wish.FASTER,
    Command.SLOWER: Wish.SLOWER,
}


class _Sign(Enum):
    """Signals apart from updates and lines: a move was made, or there will be no more."""

    READY = 1
    END = 2


_READY: Final = _Sign.READY
_END: Final = _Sign.END


async def print_json(source: Source) -> None:
    """Print each update as one JSON object a line, until the game is over or there is no more."""
    before: tuple[object, ...] = ()
    try:
        async for update in source.updates():
            view = update.view
            now = (view.state, view.names, view.connected)
            if now == before and not update.events:
                continue
            before = now
            data = {
                "seats": [*view.names],
                "connected": view.connected,
                "events": [event_to_json(event) for event in update.events],
                "state": None if view.state is None else state_to_json(view.state),
            }
            click.echo(json.dumps(data))
            sys.stdout.flush()
            if _is_over(view):
                return
    finally:
        await source.close()


class LineTable:
    """Tells a source's game and asks for moves, until it is over or the reader leaves."""

    def __init__(self, source: Source, language: str, *, notes: bool = True) -> None:
        """Tell and ask in ``language``; the words of moves are those of records.

        ``notes`` are printed too: what a table waits for, that a connection is lost.
        """
        self._source = source
        self._language = language
        self._words = table_words(language)
        self._view: View | None = None
        self._asked: tuple[object, ...] = ()
        self._notes = notes
        self._note = ""
        self._asking = False
        self._keyboard = _Keyboard()
        # What was answered already, until the answer shows: the state and the view of the question.
        self._played_on: AnyState | None = None
        self._wished_on: View | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._items: asyncio.Queue[Update | str | Exception | _Sign] = asyncio.Queue()

    async def play(self) -> None:
        """Play to the end of the game, of the source or of the input."""
        self._start(self._follow())
        try:
            while (item := await self._items.get()) is not _END:
                match item:
                    case Update():
                        self._tell(item)
                        if _is_over(item.view):
                            return
                    case str():
                        self._start(self._do(item))
                    case Exception():
                        raise item
                    case _:
                        self._asking = False
                self._ask_if_due()
        finally:
            for task in self._tasks:
                task.cancel()
            await self._source.close()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.append(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._items.put_nowait(error)

    async def _follow(self) -> None:
        """Pass on everything that the source tells."""
        async for update in self._source.updates():
            self._items.put_nowait(update)
        self._items.put_nowait(_END)

    def _ask_if_due(self) -> None:
        view = self._view
        if self._asking or view is None or not self._choices(view) or view is self._wished_on:
            return
        if view.state is not None and view.state == self._played_on:
            return
        self._asking = True
        self._ask(view)
        self._keyboard.read(self._items.put_nowait)

    # --- telling ----------------------------------------------------------------------------------

    def _tell(self, update: Update) -> None:
        before, self._view = self._view, update.view
        if update.anew:
            self._played_on = None  # a keep was taken back, perhaps, and is asked for again
        fresh = update.told if not update.anew or before is None else update.told[-1:]
        for line in fresh:
            echo(line)
        if any(isinstance(event, TurnStarted) for event in update.events):
            click.echo()
            self._show_table()
        if self._notes and update.view.note != self._note:
            self._note = update.view.note
            if self._note:
                echo(self._note)
        self._hint_if_late(update.view)
        sys.stdout.flush()

    def _show_table(self) -> None:
        if self._view is not None and self._view.state is not None:
            echo(
                PlainWords(self._view.names, self._language, self._view.you).table(self._view.state)
            )

    # --- asking -----------------------------------------------------------------------------------

    def _choices(self, view: View) -> tuple[str, ...]:
        return (*view.moves, *(["start"] if Wish.START in view.wishes else []))

    def _ask(self, view: View) -> None:
        """Say how the turn stands, once, and offer the words."""
        state, choices = view.state, self._choices(view)
        asked = (state, choices, view.hints)
        if asked != self._asked and state is not None:
            plain = PlainWords(view.names, self._language, view.you)
            if state.turn.kept:
                echo(plain.turn(state))
            if "stop" in view.moves:
                echo(self._words.say("plain.stop", what=plain.stopping(state)))
            if view.hints is not None:
                echo(plain.hints(view.hints))
        self._asked = asked
        self._prompt(choices)

    def _prompt(self, choices: tuple[str, ...]) -> None:
        offered = ", ".join(map(with_short, choices))
        click.echo(f"{fitted(f'{offered}{TIED}>', columns())} ", nl=False)
        sys.stdout.flush()

    def _hint_if_late(self, view: View) -> None:
        """Give hints that arrive after their question, and ask it again."""
        state, choices, hints = view.state, self._choices(view), view.hints
        if not self._asking or hints is None or self._asked != (state, choices, None):
            return
        if state is None or state == self._played_on:
            return
        self._asked = (state, choices, hints)
        click.echo()
        echo(PlainWords(view.names, self._language, view.you).hints(hints))
        self._prompt(choices)

    async def _do(self, line: str) -> None:
        """Do what was typed, and be ready for the next question."""
        answer = line.strip() or "?"
        if not line or command(answer, self._words) is Command.QUIT:
            click.echo()
            self._items.put_nowait(_END)
            return
        try:
            await self._play_or_wish(answer)
        except Refused as refused:
            self._played_on = self._wished_on = None
            echo(str(refused))
        self._items.put_nowait(_READY)

    async def _play_or_wish(self, answer: str) -> None:
        view = self._view
        assert view is not None
        word = long(answer, view.moves)
        typed = command(answer, self._words)
        wish = None if typed is None else WISHES.get(typed)
        if word in view.moves:
            self._played_on = view.state
            await self._source.move(word)
        elif wish is not None and wish in view.wishes:
            self._wished_on = view
            await self._source.wish(wish)
        else:
            self._obey(typed, answer, view)

    def _obey(self, typed: Command | None, answer: str, view: View) -> None:
        match typed:
            case Command.TABLE if view.state is not None:
                self._show_table()
            case Command.HELP:
                echo(self._help(view))
            case _:
                echo(self._words.say("plain.impossible", answer=f"{answer!r:.40}"))

    def _help(self, view: View) -> str:
        wishes = [typed for typed, wish in WISHES.items() if wish in view.wishes]
        table = [Command.TABLE] if view.state is not None else []
        commands = [*wishes, *table, Command.HELP, Command.QUIT]
        plain = PlainWords(view.names, self._language, view.you)
        moves = [] if view.state is None else plain.choices(view.state, view.moves)
        return help_text(moves, commands, self._words)


class _Keyboard:
    """Standard input, a line at a time, read beside the game.

    A thread that nobody waits for reads: a game that ends need not wait for another line. It has a
    file of its own, because Python cannot end while such a thread holds the one in `sys`.
    """

    def __init__(self) -> None:
        self._file: TextIO | None = None

    def read(self, give: Callable[[str], None]) -> None:
        """Read a line and ``give`` it to this event loop; an empty one is the end of the input."""
        loop = asyncio.get_running_loop()
        file = self._file = self._file or _own_input()

        def wait() -> None:
            text = file.readline()
            if not loop.is_closed():
                loop.call_soon_threadsafe(give, text)

        threading.Thread(target=wait, daemon=True).start()


def _own_input() -> TextIO:
    try:
        number = sys.stdin.fileno()
    except OSError:  # no file of the system's: somebody else's object
        return sys.stdin
    return os.fdopen(os.dup(number), encoding=sys.stdin.encoding, errors="replace")


def _is_over(view: View) -> bool:
    return view.state is not None and outcome(view.state) is not None
