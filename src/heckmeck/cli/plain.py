"""A table line by line: for pipes, scripts, screen readers and a first game."""

from collections.abc import Mapping
from typing import Final

import click

from heckmeck.bots import Player
from heckmeck.cli.plain_table import describe_ending, describe_table, describe_turn
from heckmeck.dice_source import Seed, SeededLuck
from heckmeck.narration import Narrator
from heckmeck.record import History
from heckmeck.rules import Move, legal, outcome, stopping, throws, word
from heckmeck.rules.events import Event, TurnStarted
from heckmeck.rules.moves import STOP

SHORT: Final = {"r": "roll", "g": "roll:golden", "s": "stop", "w": "reroll", "b": "bust"}
HELP: Final = """\
Type one of the words offered, or what is in brackets for short. A face alone keeps its dice:
4 is keep:4. t shows the table, ? this help, q leaves the game."""


class StoppedPlaying(Exception):
    """The person at the keyboard left the game."""


class PlainTable:
    """Plays one game to its end: people are asked, bots think, dice fall by themselves."""

    def __init__(
        self, history: History, bots: Mapping[int, Player], seed: Seed, language: str = "en"
    ) -> None:
        """Seat ``bots`` at the table of ``history``; every other seat is a person's.

        What happens is told in ``language``; what is asked stays in English.
        """
        self._history = history
        self._bots = bots
        self._dice = SeededLuck(f"dice {seed}")
        self._whims = SeededLuck(f"bots {seed}")
        self._names = history.record.seats
        self._narrator = Narrator(self._names, language)

    def play(self) -> None:
        """Play until the game is over; raise `StoppedPlaying` if somebody leaves."""
        self._tell((TurnStarted(self._history.state.seat),))
        while outcome(self._history.state) is None:
            self._tell(self._history.play([self._next_move()]))

    def _next_move(self) -> Move:
        state = self._history.state
        chances = throws(state)
        if chances:
            return self._dice.throw(chances)
        bot = self._bots.get(state.seat)
        return self._ask() if bot is None else bot.choose(state, self._whims)

    def _tell(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, TurnStarted):
                click.echo()
                if event.seat not in self._bots:
                    click.echo(describe_table(self._history.state, self._names))
            click.echo(self._narrator.event(event))

    # --- asking a person --------------------------------------------------------------------------

    def _ask(self) -> Move:
        state = self._history.state
        moves = {word(move): move for move in legal(state)}
        if state.turn.kept:
            click.echo(describe_turn(state))
        if STOP in moves.values():
            click.echo(f"stop: {describe_ending(stopping(state), self._names)}")
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

    def _help(self, answer: str) -> None:
        match answer:
            case "q":
                raise StoppedPlaying
            case "t":
                click.echo(describe_table(self._history.state, self._names))
            case "?":
                click.echo(HELP)
            case _:
                click.echo(f"{answer!r:.40} is not possible here.")


def _with_short(text: str) -> str:
    short = next((key for key, value in SHORT.items() if value == text), None)
    return f"{text} [{short}]" if short else text


def _long(text: str, moves: Mapping[str, Move]) -> str:
    """Return the word that a short answer stands for, if any."""
    candidates = (text, f"keep:{text}", SHORT.get(text.lower(), text), f"keep:{text.upper()}")
    return next((candidate for candidate in candidates if candidate in moves), text)
