"""The game of a source line by line, and as JSON: for pipes, scripts and screen readers.

Events are printed as they come. When the reader is to move, the moves are offered and one line is
read; events are still printed in the meantime. In a terminal, a line while a bot plays hurries it;
what comes through a pipe waits for its question.
"""

import asyncio
import json
import sys
from contextlib import suppress
from typing import Any, Final

import click

from heckmeck import narration, record
from heckmeck.cli import line_texts
from heckmeck.cli.line_texts import Command, LineTexts, echo
from heckmeck.rules import AnyState, events, outcome
from heckmeck.tui.source import Refused, Source, Update, View, Wish, dice_of, in_background

#: How long a question at a server's table waits for its hints; they may also come later.
HINT_SECONDS: Final = 2.0
#: Commands that are a wish to the source.
WISHES: Final = {
    Command[wish.name]: wish
    for wish in (Wish.START, Wish.UNDO, Wish.HINTS, Wish.FASTER, Wish.SLOWER)
}


async def print_json(source: Source) -> None:
    """Print each update as a JSON object on one line, until the game or the source ends."""
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
                "events": [record.event_to_json(event) for event in update.events],
                "state": None if view.state is None else record.state_to_json(view.state),
            }
            click.echo(json.dumps(data))
            sys.stdout.flush()
            if _is_over(view):
                return
    finally:
        await source.close()


class LineTable:
    """Prints the game of a source and asks for moves, until it is over or the reader leaves."""

    def __init__(self, source: Source, language: str, *, live: bool) -> None:
        """Print and ask in ``language``; moves are written as in records.

        At a ``live`` table, one on a server, its notes are printed too: what it waits for, that the
        connection is lost. Hints that take long do not delay a question there.
        """
        self._source = source
        self._language = language
        self._live = live
        self._words = narration.table_words(language)
        self._view: View | None = None
        self._changed = asyncio.Event()
        self._asking = False
        self._asked: tuple[object, ...] = ()
        # What was answered already, until the answer shows: the state and the view of the question.
        self._played_on: AnyState | None = None
        self._wished_on: View | None = None
        # A line that was asked for while a bot played; it may become the answer to a question.
        self._reading: asyncio.Future[str] | None = None
        self._hurry_explained = False
        # The state and the mistake that the reader was warned of last.
        self._warned_of: tuple[AnyState | None, str] | None = None

    async def play(self) -> None:
        """Play to the end of the game, of the source or of the input."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._follow()), group.create_task(self._answer())]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        finally:
            await self._source.close()

    # --- printing ---------------------------------------------------------------------------------

    async def _follow(self) -> None:
        async for update in self._source.updates():
            self._print(update)
            self._changed.set()
            if _is_over(update.view):
                return

    def _print(self, update: Update) -> None:
        before, self._view = self._view, update.view
        lines = update.lines
        if update.reset and before is not None:
            self._played_on = None  # a keep was taken back, perhaps, and is asked for again
            lines = lines[-1:]
        self._print_lines(lines, update, before)
        if before is not None and before.hints_on and not update.view.hints_on:
            echo(self._words.say("plain.hints.off"))
        note = update.view.note
        if self._live and note and (before is None or note != before.note):
            echo(note)
        self._print_late_hints(update.view)
        sys.stdout.flush()

    def _print_lines(self, lines: tuple[str, ...], update: Update, before: View | None) -> None:
        """Print lines of the log; the table comes before the line that begins a turn."""
        started = [event for event in update.events if isinstance(event, events.TurnStarted)]
        first = update.view.state is not None and (before is None or before.state is None)
        for line in lines[:-1]:
            echo(line)
        if started or first:
            click.echo()
        seats = update.view.seats
        if first or (started and (seats[started[-1].seat].mine or not any(s.mine for s in seats))):
            self._print_table(update.view)
        for line in lines[-1:]:
            echo(line)

    def _print_table(self, view: View) -> None:
        if view.state is not None:
            echo(self._texts(view).table(view.state))

    def _texts(self, view: View) -> LineTexts:
        return LineTexts(view.names, self._language, view.you)

    def _print_late_hints(self, view: View) -> None:
        """Print hints that come after their question, and ask it again."""
        if self._asking and view.hints is not None and self._asked == _question(view, hints=False):
            self._asked = _question(view)
            click.echo()
            echo(self._texts(view).hints(view.hints))
            self._prompt(view)

    # --- asking -----------------------------------------------------------------------------------

    async def _answer(self) -> None:
        """Ask every question and do what the reader types, until they leave."""
        while True:
            view = await self._next_question()
            if view is not None:
                self._ask(view)
                self._asking = True
                line = await self._line()
                self._asking = False
            if view is None or self._is_goodbye(line):
                click.echo()
                return
            answer = line.strip() or "?"
            try:
                await self._do(answer)
            except Refused as refused:
                self._played_on = self._wished_on = None
                echo(str(refused))

    def _line(self) -> asyncio.Future[str]:
        """Return the next line of the input, which may be asked for already."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.ensure_future(in_background(_read_line))
        return self._reading

    def _is_goodbye(self, line: str) -> bool:
        return not line or line_texts.command_of(line.strip(), self._words) is Command.QUIT

    async def _next_question(self) -> View | None:
        """Wait for a question to the reader, and for the hints about it; None if they leave."""
        while True:
            self._changed.clear()
            view = self._view
            if view is None or not self._is_open(view):
                if not await self._change_or_haste(view):
                    return None
            elif not view.weighing or not await self._change_in_time():
                return view

    def _is_open(self, view: View) -> bool:
        answered = view is self._wished_on or (view.state and view.state == self._played_on)
        return bool(_choices(view)) and not answered

    async def _change_or_haste(self, view: View | None) -> bool:
        """Wait for a change; hurry the bot if the reader presses Enter. False: they leave."""
        can_hurry = view is not None and Wish.HURRY in view.wishes and _is_terminal()
        if can_hurry and not self._hurry_explained:
            self._hurry_explained = True
            echo(self._words.say("plain.hurry"))
        pending = self._reading is not None and not self._reading.done()
        reading = self._line() if can_hurry or pending else None
        changed = asyncio.ensure_future(self._changed.wait())
        waiting: list[asyncio.Future[Any]] = [changed, *([reading] if reading else [])]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        changed.cancel()
        if reading is None or not reading.done():
            return True
        if can_hurry:
            with suppress(Refused):  # its turn is over already
                await self._source.wish(Wish.HURRY)
        return not self._is_goodbye(reading.result())

    async def _change_in_time(self) -> bool:
        try:
            async with asyncio.timeout(HINT_SECONDS if self._live else None):
                return await self._changed.wait()
        except TimeoutError:
            return False

    def _ask(self, view: View) -> None:
        """Say how the turn stands, once, and offer the moves."""
        state = view.state
        if state is not None and self._asked != _question(view):
            texts = self._texts(view)
            if state.turn.kept and not view.throw:
                echo(texts.turn(view, state))
            if "stop" in view.moves:
                echo(texts.stop(view))
            if view.throw:
                echo(texts.enter(view, state))
            if view.hints is not None:
                echo(texts.hints(view.hints))
        self._asked = _question(view)
        self._prompt(view)

    def _prompt(self, view: View) -> None:
        click.echo(f"{line_texts.fitted(line_texts.offered(_choices(view)))} ", nl=False)
        sys.stdout.flush()

    async def _do(self, answer: str) -> None:
        view = self._view
        assert view is not None
        move = line_texts.move_of(answer, view.moves)
        if view.throw and view.state is not None:
            move = dice_of(answer, view.state)
        command = line_texts.command_of(answer, self._words)
        wish = None if command is None else WISHES.get(command)
        if move is not None and self._is_doubtful(move, view):
            return
        if move is not None:
            self._played_on = view.state
            await self._source.move(move)
        elif wish is not None and wish in view.wishes:
            self._wished_on = view
            await self._source.wish(wish)
        elif command is Command.TABLE and view.state is not None:
            self._print_table(view)
        elif command is Command.HELP:
            echo(self._help(view))
        elif view.throw and view.state is not None:
            echo(self._texts(view).wrong(answer, view, view.state))
        else:
            echo(self._words.say("plain.impossible", answer=f"{answer!r:.40}"))

    def _is_doubtful(self, move: str, view: View) -> bool:
        """Whether a move is a mistake of which the reader was not warned; then they are."""
        reason = view.doubt(move)
        if reason is None or self._warned_of == (view.state, move):
            return False
        self._warned_of = (view.state, move)
        echo(self._texts(view).warning(view, reason))
        return True

    def _help(self, view: View) -> str:
        wishes = [command for command, wish in WISHES.items() if wish in view.wishes]
        table = [Command.TABLE] if view.state is not None else []
        commands = [*wishes, *table, Command.HELP, Command.QUIT]
        return line_texts.help_text(self._texts(view).choices(view), commands, self._words)


def _choices(view: View) -> tuple[str, ...]:
    start = [Command.START] if Wish.START in view.wishes else []
    return (*view.moves, *(["="] if view.throw else []), *start)


def _question(view: View, *, hints: bool = True) -> tuple[object, ...]:
    """Return what a question is about, to recognise it."""
    return view.state, _choices(view), view.hints if hints else None


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _read_line() -> str:
    """Read a line of standard input; it is empty at the end.

    Without a buffer: Python could not exit while a thread waits for a line and holds the lock of
    one.
    """
    if sys.stdin is None:
        return ""
    try:
        number = sys.stdin.fileno()
    except OSError:  # not a file of the system
        return sys.stdin.readline()
    with open(number, "rb", buffering=0, closefd=False) as file:
        return file.readline().decode(sys.stdin.encoding, errors="replace")


def _is_over(view: View) -> bool:
    return view.state is not None and outcome(view.state) is not None
