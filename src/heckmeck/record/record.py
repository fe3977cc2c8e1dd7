"""A record of a game: the players and every word that was played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from heckmeck.record.errors import BadRecord
from heckmeck.record.json_text import JsonValue
from heckmeck.rules import (
    NO_HOUSE_RULES,
    AnyState,
    Event,
    HouseRules,
    IllegalMove,
    Move,
    apply,
    new_game,
)

FORMAT_VERSION: Final = 1

#: Far beyond any real game; it bounds the cost of reading a record.
MAX_MOVES: Final = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its first word to its last, finished or not.

    ``extra`` holds unknown top-level keys, which are kept and ignored.
    """

    edition: str
    seats: tuple[str, ...]
    first: int = 0
    house: HouseRules = NO_HOUSE_RULES
    moves: tuple[Move, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    def first_moves(self, count: int) -> "Record":
        """Return the record with only its first ``count`` moves."""
        return replace(self, moves=self.moves[:count])

    def start(self) -> AnyState:
        """Return the state before the first move; raise `BadSetup` if the setup is not possible."""
        return new_game(self.edition, len(self.seats), self.first, self.house)


@dataclass(frozen=True, slots=True)
class Step:
    """One move of a game, with its events and the state after it."""

    index: int
    move: Move
    state: AnyState
    events: tuple[Event, ...]


def replay(record: Record) -> Iterator[Step]:
    """Replay the record move by move; raise `BadRecord` at the first that breaks a rule."""
    state = record.start()
    for index, move in enumerate(record.moves):
        try:
            state, events = apply(state, move)
        except IllegalMove as error:
            raise BadRecord(str(error), index) from error
        yield Step(index, move, state, events)


def final_state(record: Record) -> AnyState:
    """Return the state after the last move; raise `BadRecord` if a move breaks a rule."""
    state = record.start()
    for step in replay(record):
        state = step.state
    return state
