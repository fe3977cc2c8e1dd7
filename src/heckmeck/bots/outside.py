"""A bot that is a separate program, in any language: the engine protocol in reverse.

We send a state, one JSON object per line, and the program answers with its move::

    {"do": "choose", "state": {...}, "seat": 0, "id": 1}
    {"id": 1, "move": "keep:4"}

Its name is ``exec:`` plus the command that starts it. ``docs/bots.md`` shows how to write one.
"""

import atexit
import os
import shlex
import shutil
from collections.abc import Sequence
from functools import cache
from typing import Final

from heckmeck.bots.bot import UnknownBot
from heckmeck.bots.program import Program, ProgramFailed
from heckmeck.dice_source import Luck
from heckmeck.record import BadJson, JsonValue, state_to_json
from heckmeck.record.json_text import decode, dumps, loads
from heckmeck.rules import AnyState, MalformedMove, Move, legal, parse, word

PREFIX: Final = "exec:"
#: The default time limit per move.
MOVE_SECONDS: Final = 5.0
#: Extra time for the first answer: the program has to start first.
START_SECONDS: Final = 10.0


class BotMisbehaved(RuntimeError):
    """An outside bot violated the protocol or the rules."""


class OutsidePlayer:
    """Asks a program for every move. The program is started for the first one and kept running."""

    def __init__(self, name: str, seconds: float = MOVE_SECONDS) -> None:
        """Use the program in the bot's name, with this time limit per move."""
        self._name = name
        self._command = command_of(name)
        self._seconds = seconds
        self._program: Program | None = None
        self._asked = 0

    def choose(self, state: AnyState, _: Luck) -> Move:
        """Ask the program; end it and raise `BotMisbehaved` if the answer is not a legal move."""
        try:
            return self._read(state, self._ask(state))
        except ProgramFailed as error:
            complaints = self.close()
            said = f" It wrote on standard error:\n{complaints}" if complaints else ""
            raise BotMisbehaved(f"{self._name} {error}.{said}") from error
        except KeyboardInterrupt:
            self.close()  # its late answer would be taken for the answer to the next question
            raise

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Ask for one table after the other."""
        return [self.choose(state, luck) for state, luck in zip(states, lucks, strict=True)]

    def close(self) -> str:
        """End the program, if it is running; return the last lines of its standard error."""
        if self._program is None:
            return ""
        program, self._program = self._program, None
        program.close()
        return program.complaints()

    def _ask(self, state: AnyState) -> bytes:
        seconds = self._seconds
        if self._program is None:
            self._program = Program(self._command)
            seconds += START_SECONDS
        self._asked += 1
        question = dumps(
            {
                "do": "choose",
                "state": state_to_json(state),
                "seat": state.seat,
                "id": self._asked,
            }
        )
        return self._program.ask(question.encode(), seconds)

    def _read(self, state: AnyState, line: bytes) -> Move:
        """Return the move in the answer, which must be to the last question."""
        try:
            answer = loads(decode(line))
        except BadJson as error:
            raise ProgramFailed(f"answered {_short(line)}: {error}") from error
        if not isinstance(answer, dict):
            raise ProgramFailed(f"answered {_short(line)}, which is not a JSON object")
        if type(answer.get("id")) is not int or answer["id"] != self._asked:
            raise ProgramFailed(f"answered {_short(line)}, but the question's id was {self._asked}")
        return _legal_move(state, answer.get("move"), line)


def _legal_move(state: AnyState, text: JsonValue, line: bytes) -> Move:
    if not isinstance(text, str):
        raise ProgramFailed(f"answered {_short(line)}, whose move is not text")
    moves = legal(state)
    try:
        move = parse(text)
    except MalformedMove as error:
        raise ProgramFailed(f"chose {text!r:.40}, which is not a move: {error}") from error
    if move not in moves:
        instead = ", ".join(map(word, moves))
        raise ProgramFailed(f"chose {text!r:.40}, which is not legal here; legal are {instead}")
    return move


def _short(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 80 else f"{text[:80]}...")


def is_outside(name: str) -> bool:
    """Whether this is the name of an outside bot."""
    return name.startswith(PREFIX)


def command_of(name: str) -> list[str]:
    """Return program and arguments of an outside bot; raise `UnknownBot` if it cannot be run."""
    text = name.removeprefix(PREFIX)
    if os.name == "nt":
        text = text.replace("\\", "\\\\")  # they separate folders and do not escape anything
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise UnknownBot(f"{name!r:.80} is not a command: {error}.") from error
    if not command:
        raise UnknownBot(f"{PREFIX} needs a program, such as {PREFIX}./mybot.")
    if shutil.which(command[0]) is None:
        raise UnknownBot(
            f"There is no program {command[0]!r:.80} to run. Check its path and permissions."
        )
    return command


@cache
def outside_player(name: str, seconds: float) -> OutsidePlayer:
    """Return the player of that name, created once per process and ended with it."""
    player = OutsidePlayer(name, seconds)
    _PLAYERS.append(player)
    return player


def close_outside_players() -> None:
    """End all programs now; they are started again when needed."""
    for player in _PLAYERS:
        player.close()


_PLAYERS: Final[list[OutsidePlayer]] = []
atexit.register(close_outside_players)
