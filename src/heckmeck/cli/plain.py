"""A table line by line: for pipes, scripts, screen readers and a first game."""

from collections.abc import Mapping
from typing import Final

import click

from heckmeck.cli.plain_table import PlainWords
from heckmeck.narration import Narrator, table_words
from heckmeck.rules import Move, legal, throws, word
from heckmeck.rules.events import Event, TurnStarted
from heckmeck.rules.moves import STOP
from heckmeck.tui.advising import hints_for
from heckmeck.tui.game import Game
from heckmeck.tui.phrases import Phrases

#: The same keys as on the table and in the browser.
SHORT: Final = {"r": "roll", "g": "roll:golden", "s": "stop", "a": "reroll", "b": "bust"}


class StoppedPlaying(Exception):
    """The person at the keyboard left the game."""


class PlainTable:
    """Plays one game to its end: people are asked, bots think, dice fall by themselves."""

    def __init__(self, game: Game, language: str = "en", *, hints: bool = False) -> None:
        """Play ``game``, told and asked in ``language``; with ``hints`` say what moves are worth.

        The words of moves are those of records, in every language.
        """
        names = game.record.seats
        self._game = game
        self._bots = game.bots
        self._narrator = Narrator(names, language)
        self._words = table_words(language)
        self._plain = PlainWords(names, language)
        self._phrases = Phrases(self._words, language, names)
        self._hints = hints

    def play(self) -> None:
        """Play until the game is over; raise `StoppedPlaying` if somebody leaves."""
        self._tell((TurnStarted(self._game.state.seat),))
        while not self._game.is_over:
            self._tell(self._game.play(self._next_move()))

    def _next_move(self) -> Move:
        if throws(self._game.state):
            return self._game.fall()
        return self._ask() if self._game.bot is None else self._game.chosen()

    def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, TurnStarted):
                click.echo()
                if event.seat not in self._bots:
                    click.echo(self._plain.table(self._game.state))
            click.echo(self._narrator.event(event))

    # --- asking a person --------------------------------------------------------------------------

    def _ask(self) -> Move:
        state = self._game.state
        moves = {word(move): move for move in legal(state)}
        if state.turn.kept:
            click.echo(self._plain.turn(state))
        if STOP in moves.values():
            click.echo(self._words.say("plain.stop", what=self._plain.stopping(state)))
        self._hint()
        while True:
            answer = self._answer(moves)
            if answer in moves:
                return moves[answer]
            self._help(answer)

    def _answer(self, moves: Mapping[str, Move]) -> str:
        offered = ", ".join(map(_with_short, moves))
        try:
            text: str = click.prompt(
                f"{offered}", prompt_suffix=" > ", default="?", show_default=False
            )
        except click.Abort as abort:
            if isinstance(abort.__context__, EOFError):
                raise StoppedPlaying from abort
            raise
        return _long(text.strip() or "?", moves)

    def _hint(self) -> None:
        """Say what each move is worth, if that is wanted."""
        if not self._hints:
            return
        hints = hints_for(self._game.state)
        moves = ", ".join(
            f"{hint.word} {self._phrases.worth(hint.worth, hints.unit)}" for hint in hints.moves
        )
        click.echo(self._words.say(f"plain.hints.{hints.unit}", moves=moves))

    def _help(self, answer: str) -> None:
        match answer.lower():
            case "q":
                raise StoppedPlaying
            case "t":
                click.echo(self._plain.table(self._game.state))
            case "h":
                self._hints = not self._hints
                self._hint()
            case "?":
                click.echo(self._words.say("plain.help"))
            case _:
                click.echo(self._words.say("plain.impossible", answer=f"{answer!r:.40}"))


def _with_short(text: str) -> str:
    short = next((key for key, value in SHORT.items() if value == text), None)
    return f"{text} [{short}]" if short else text


def _long(text: str, moves: Mapping[str, Move]) -> str:
    """Return the word that a short answer stands for, if any."""
    candidates = (text, f"keep:{text.upper()}", SHORT.get(text.lower(), text))
    return next((candidate for candidate in candidates if candidate in moves), text)
