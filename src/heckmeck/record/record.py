"""A record of a game: the players and every move; replayed, and played on with its history."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from heckmeck import rules
from heckmeck.record.json_text import JsonValue
from heckmeck.rules.value import value

FORMAT_VERSION: Final = 1

#: Far beyond any real game; it bounds the cost of reading a record.
MAX_MOVES: Final = 200_000


class BadRecord(ValueError):
    """A record that cannot be read or breaks a rule, at the move with this ``index`` if any."""

    def __init__(self, message: str, index: int | None = None) -> None:
        """Put the move's index in front of the message."""
        self.index = index
        super().__init__(message if index is None else f"move {index}: {message}")


class TooManyMoves(BadRecord):
    """A record of ``count`` moves, which are more than are read here."""

    def __init__(self, count: int, most: int) -> None:
        """Say how many there may be."""
        self.count = count
        super().__init__(f"{count} moves are too many; a record has at most {most}")


@dataclass(frozen=True)
class Record:
    """A game from its first move to its last, finished or not.

    A game that did not begin with the setup of the edition began with ``position``; then edition,
    seats, first and house rules are those of the position. ``extra`` holds unknown top-level keys,
    which are kept and ignored.
    """  # without slots, for what is remembered of its replay

    edition: str
    seats: tuple[str, ...]
    first: int = 0
    house: rules.HouseRules = rules.NO_HOUSE_RULES
    moves: tuple[rules.Move, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict)
    position: rules.AnyState | None = None

    def first_moves(self, count: int) -> "Record":
        """Return the record with only its first ``count`` moves."""
        return replace(self, moves=self.moves[:count])

    def start(self) -> rules.AnyState:
        """Return the state before the first move; raise `BadSetup` if the setup is not possible."""
        if self.position is not None:
            return self.position
        return rules.new_game(self.edition, len(self.seats), self.first, self.house)

    @cached_property
    def end(self) -> rules.AnyState:
        """The state after the last move, found once; raise `BadRecord` if a move breaks a rule."""
        state = self.start()
        for step in replay(self):
            state = step.state
        return state


def record_from(position: rules.AnyState, seats: Sequence[str]) -> Record:
    """Return the record of a game that begins with a position; somebody has to decide there."""
    table = position.table
    edition = rules.game_at(table).edition
    return Record(edition, tuple(seats), position.seat, table.house, position=position)


@value
class Step:
    """One move of a game, with its events and the state after it."""

    index: int
    move: rules.Move
    state: rules.AnyState
    events: tuple[rules.Event, ...]


def replay(record: Record) -> Iterator[Step]:
    """Replay the record move by move; raise `BadRecord` at the first that breaks a rule."""
    yield from _steps(record.start(), record.moves)


def _steps(state: rules.AnyState, moves: Sequence[rules.Move]) -> Iterator[Step]:
    game = rules.game_at(state.table)
    for index, move in enumerate(moves):
        try:
            state, events = game.apply(state, move)
        except rules.IllegalMove as error:
            raise BadRecord(str(error), index) from error
        yield Step(index, move, state, events)


def final_state(record: Record) -> rules.AnyState:
    """Return the state after the last move; raise `BadRecord` if a move breaks a rule."""
    return record.end


class History:
    """A growing record with the state after each of its moves."""

    def __init__(self, record: Record) -> None:
        """Replay ``record``; raise `BadSetup` or `BadRecord` if that cannot be done."""
        self._record = record
        self._moves = [*record.moves]
        self._states = [record.start(), *(step.state for step in replay(record))]

    @property
    def state(self) -> rules.AnyState:
        """The state after the last move."""
        return self._states[-1]

    @property
    def record(self) -> Record:
        """The game so far."""
        return replace(self._record, moves=tuple(self._moves))

    @property
    def is_full(self) -> bool:
        """Whether the game has reached the maximum length of a record."""
        return len(self) >= MAX_MOVES

    def __len__(self) -> int:
        """Return the number of moves played."""
        return len(self._moves)

    def play(self, moves: Sequence[rules.Move]) -> tuple[rules.Event, ...]:
        """Play all of these moves and return their events, or play none of them.

        Raise `BadRecord` with the index in ``moves`` of the first that cannot be played.
        """
        room = MAX_MOVES - len(self)
        steps = [*_steps(self.state, moves[:room])]
        if len(moves) > room:
            raise BadRecord(f"a game has at most {MAX_MOVES} moves", room)
        self._moves += moves
        self._states += [step.state for step in steps]
        return tuple(event for step in steps for event in step.events)

    def undo(self, count: int) -> None:
        """Take back the last ``count`` moves, including dice; `ValueError` if there are fewer."""
        if not 0 <= count <= len(self):
            raise ValueError(f"{count} moves cannot be taken back: only {len(self)} were played")
        keep = len(self) - count
        del self._moves[keep:]
        del self._states[keep + 1 :]
