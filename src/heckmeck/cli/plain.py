"""A table line by line: for pipes, scripts, screen readers and a first game."""

from collections.abc import Collection

import click

from heckmeck.cli.plain_input import Command, command, help_text, long, with_short
from heckmeck.cli.plain_lines import TIED, columns, echo, fitted
from heckmeck.cli.plain_table import PlainWords
from heckmeck.narration import Narrator, table_words
from heckmeck.rules import Move, legal, throws, word
from heckmeck.rules.events import Event, TurnStarted
from heckmeck.tui.advising import hints_for
from heckmeck.tui.game import Game
from heckmeck.tui.telling import tell


class StoppedPlaying(Exception):
    """The person at the keyboard left the game."""


class PlainTable:
    """Plays one game to its end: people are asked, bots think, dice fall by themselves."""

    def __init__(self, game: Game, language: str = "en", *, hints: bool = False) -> None:
        """Play ``game`` in ``language``; with ``hints`` show what moves are worth.

        The words of moves are those of records, in every language.
        """
        names = game.record.seats
        self._game = game
        self._bots = game.bots
        self._narrator = Narrator(names, language, game.you)
        self._words = table_words(language)
        self._plain = PlainWords(names, language, game.you)
        self._hints = hints

    def play(self) -> None:
        """Play until the game is over; raise `StoppedPlaying` if somebody leaves."""
        self._tell((TurnStarted(self._game.state.seat),))
        while not self._game.is_over:
            move = self._next_move()
            if move is not None:
                self._tell(self._game.play(move))

    def _next_move(self) -> Move | None:
        if throws(self._game.state):
            return self._game.fall()
        return self._ask() if self._game.bot is None else self._game.chosen()

    def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, TurnStarted):
                click.echo()
                if event.seat not in self._bots:
                    echo(self._plain.table(self._game.state))
            for line in tell(self._narrator, (event,)):
                echo(line)

    # --- asking a person --------------------------------------------------------------------------

    def _ask(self) -> Move | None:
        """Return what the person plays; ``None`` if they put dice back instead."""
        moves = {word(move): move for move in legal(self._game.state)}
        self._say_turn(moves)
        while True:
            answer = self._answer(moves)
            chosen = long(answer, moves)
            if chosen in moves:
                return moves[chosen]
            typed = command(answer, self._words)
            if typed is Command.UNDO and self._game.can_put_back:
                self._game.put_back()
                return None
            self._obey(typed, answer, moves)

    def _say_turn(self, moves: Collection[str]) -> None:
        state = self._game.state
        if state.turn.kept:
            echo(self._plain.turn(state))
        if "stop" in moves:
            echo(self._words.say("plain.stop", what=self._plain.stopping(state)))
        self._hint()

    def _answer(self, moves: Collection[str]) -> str:
        offered = ", ".join(map(with_short, moves))
        # Python would write the prompt itself to standard error, which may go elsewhere.
        click.echo(f"{fitted(f'{offered}{TIED}>', columns())} ", nl=False)
        try:
            text: str = click.prompt("", prompt_suffix="", default="?", show_default=False)
        except click.Abort as abort:
            if isinstance(abort.__context__, EOFError):
                raise StoppedPlaying from abort
            raise
        return text.strip() or "?"

    def _hint(self) -> None:
        """Say what each move is worth, if that is wanted."""
        if self._hints:
            echo(self._plain.hints(hints_for(self._game.state)))

    def _obey(self, typed: Command | None, answer: str, moves: Collection[str]) -> None:
        match typed:
            case Command.QUIT:
                raise StoppedPlaying
            case Command.TABLE:
                echo(self._plain.table(self._game.state))
            case Command.HINTS:
                self._switch_hints()
            case Command.HELP:
                echo(self._help(moves))
            case _:
                echo(self._words.say("plain.impossible", answer=f"{answer!r:.40}"))

    def _switch_hints(self) -> None:
        self._hints = not self._hints
        if not self._hints:
            echo(self._words.say("plain.hints.off"))
        self._hint()

    def _help(self, moves: Collection[str]) -> str:
        undo = [Command.UNDO] if self._game.can_put_back else []
        commands = [*undo, Command.HINTS, Command.TABLE, Command.HELP, Command.QUIT]
        state = self._game.state
        return help_text(self._plain.choices(state, moves), commands, self._words)
