"""A game in progress with its history: play, take back, write down."""

from collections.abc import Sequence
from dataclasses import replace

from heckmeck.record.errors import BadRecord
from heckmeck.record.record import MAX_MOVES, Record, replay
from heckmeck.rules import AnyState, Event, IllegalMove, Move, apply


class History:
    """A growing record with the state after each of its moves."""

    def __init__(self, record: Record) -> None:
        """Replay ``record``; raise `BadSetup` or `BadRecord` if that cannot be done."""
        self._record = record
        self._moves = [*record.moves]
        self._states = [record.start(), *(step.state for step in replay(record))]

    @property
    def state(self) -> AnyState:
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
        """Return the number of words played."""
        return len(self._moves)

    def play(self, moves: Sequence[Move]) -> tuple[Event, ...]:
        """Play all of these moves and return their events, or play none of them.

        Raise `BadRecord` with the index in ``moves`` of the first that cannot be played.
        """
        state = self.state
        states: list[AnyState] = []
        facts: list[Event] = []
        for index, move in enumerate(moves):
            if len(self) + index >= MAX_MOVES:
                raise BadRecord(f"a game has at most {MAX_MOVES} words", index)
            try:
                state, events = apply(state, move)
            except IllegalMove as error:
                raise BadRecord(str(error), index) from error
            states.append(state)
            facts += events
        self._moves += moves
        self._states += states
        return tuple(facts)

    def undo(self, count: int) -> None:
        """Take back the last ``count`` words, including dice; `ValueError` if there are fewer."""
        if not 0 <= count <= len(self):
            raise ValueError(f"{count} words cannot be taken back: only {len(self)} were played")
        keep = len(self) - count
        del self._moves[keep:]
        del self._states[keep + 1 :]
