"""Puzzles: positions in which the obvious move is wrong, one a day for each edition.

The file of an edition lists its puzzles; the date determines which of them is that day's. The same
files and the same arithmetic are used here and in the browser, so nobody has to ask a server.
`heckmeck.puzzles.finding` makes the files; ``docs/puzzles.md`` describes them.
"""

from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib import resources
from typing import Any, Final

import msgspec
from msgspec import Struct, to_builtins

from heckmeck.record import JsonObject, state_from_json
from heckmeck.record.state_json import STATE_KEYS
from heckmeck.rules import AnyState
from heckmeck.wire.coach import Reason, WeighedMove
from heckmeck.wire.states import game_state

#: The day of the first puzzle.
FIRST_DAY: Final = date(2026, 1, 1)
#: A prime, larger than any number of puzzles: successive days visit all of them, far apart.
STRIDE: Final = 10_007
#: The players of a puzzle, by seat; the one to move is the reader.
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve")

#: What is not written down of a state: what nearly all states that await a player share.
_USUAL: Final[JsonObject] = {
    "options": {},
    "awaits": "player",
    "over": False,
    "winners": [],
    "count": None,
    "undo": False,
    "correct": False,
}
_USUAL_TURN: Final[JsonObject] = {
    "golden": False,
    "roll": None,
    "golden_roll": None,
    "weasel_used": False,
}


class Puzzle(Struct, frozen=True):
    """A position with its solution.

    ``stars`` says how hard it is, from 1 to 4. ``moves`` has every legal move, best first, with its
    value and the chance that the turn then fails. ``bots`` says what each of them plays. ``reason``
    says why the solution is better than the obvious move.
    """

    stars: int
    bots: dict[str, str]
    moves: dict[str, tuple[float, float]]
    state: dict[str, Any]
    reason: Reason | None = None

    @property
    def solution(self) -> str:
        """The best move."""
        return next(iter(self.moves))

    def weighed(self) -> list[WeighedMove]:
        """Return every legal move, best first."""
        return [WeighedMove(move, *values) for move, values in self.moves.items()]

    def loss(self, move: str) -> float:
        """Return what a move gives away."""
        return self.moves[self.solution][0] - self.moves[move][0]


class Book(Struct, frozen=True):
    """The puzzles of an edition, who judged them, and the games that they are from."""

    edition: str
    evaluator: str
    games: int
    seed: int
    names: list[str]
    puzzles: list[Puzzle]

    def of_day(self, day: date) -> Puzzle:
        """Return the puzzle of a day."""
        return self.puzzles[number_of_day(day, len(self.puzzles))]

    def position(self, puzzle: Puzzle) -> AnyState:
        """Return the position of a puzzle."""
        full = {**_USUAL, "edition": self.edition, "seats": len(puzzle.state["scores"])}
        full |= puzzle.state | {"turn": {**_USUAL_TURN, **puzzle.state["turn"]}}
        return state_from_json({key: full[key] for key in STATE_KEYS})

    def text(self) -> str:
        """Return the file of the puzzles, one on each line."""
        head = to_builtins(self)
        lines = [
            msgspec.json.encode(each | {"reason": _something(each["reason"])}).decode()
            for each in head.pop("puzzles")
        ]
        start = msgspec.json.encode(head).decode().removesuffix("}")
        return f'{start},"puzzles":[\n' + ",\n".join(lines) + "\n]}\n"


def number_of_day(day: date, count: int) -> int:
    """Return which of ``count`` puzzles is that day's.

    >>> [number_of_day(date(2026, 1, day), 400) for day in (1, 2, 3)]
    [0, 7, 14]
    """
    return (day - FIRST_DAY).days * STRIDE % count


@cache
def book_of(edition: str) -> Book:
    """Return the puzzles of an edition."""
    file = resources.files("heckmeck.puzzles") / f"{edition}.json"
    return msgspec.json.decode(file.read_bytes(), type=Book)


def position_to_json(state: AnyState) -> JsonObject:
    """Return a position as it is written in a file of puzzles."""
    data: dict[str, Any] = to_builtins(game_state(state))
    del data["edition"], data["seats"]
    return {**_unusual(data, _USUAL), "turn": _unusual(data["turn"], _USUAL_TURN)}


def _something(data: Any) -> Any:  # noqa: ANN401 (any JSON)
    """Return JSON data without everything in it that says nothing: null, false, empty objects."""
    if not isinstance(data, dict):
        return data
    parts = {key: _something(value) for key, value in data.items()}
    return {
        key: value
        for key, value in parts.items()
        if value is not None and value is not False and value != {}
    }


def _unusual(data: Mapping[str, Any], usual: Mapping[str, Any]) -> JsonObject:
    return {key: value for key, value in data.items() if key not in usual or usual[key] != value}


__all__ = [
    "FIRST_DAY",
    "NAMES",
    "Book",
    "Puzzle",
    "book_of",
    "number_of_day",
    "position_to_json",
]
