"""The course of games by a value: what every move and every throw changed, for every seat.

A *change* is what a move is worth to each seat, by best play of the player whose turn it is to the
end of the turn: before the move, and after it. Before a decision that is the worth of the best
move, after it of the move made; before a throw it is the mean over all throws, after it the worth
of the dice that fell. So the luck of a throw is its change, and averages out exactly; and what a
decision gave away is the player's change.

Both ends of a change are seen from within the same turn. Between two turns the value may disagree
with itself: it looks a turn further ahead when the next turn is solved. That difference is the
residual; it belongs to no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from heckmeck.rules import AnyState, Move, legal
from heckmeck.rules.moves import ROLL, Throw
from heckmeck.rules.state import RobQuestion, State
from heckmeck.solver.kernel import Floats, Shares
from heckmeck.solver.positions import QUESTIONS, SeatValue, robbed
from heckmeck.solver.solution import (
    Choice,
    SolvedTurn,
    best,
    first_of_best,
    in_groups,
    share_batch,
    solve_all,
)
from heckmeck.values.turn_memo import TurnMemo, turn_key

#: Moves looked at together: enough turns for a batch of the solver, few enough for any machine.
AT_ONCE: Final = 2048

#: A move, and the state before it.
Moment: TypeAlias = tuple[AnyState, Move]


class Change(NamedTuple):
    """What a move changed, by seat."""

    before: Floats
    """[seat]: the worth of the best move, or of throwing."""
    after: Floats
    """[seat]: the worth of the move made, or of the dice that fell."""
    worst: float
    """The worth of the worst legal move to the player; of throwing, if dice fell."""
    choices: int
    """The number of legal moves; 0 if dice fell."""


def luck_in(change: Change) -> Floats:
    """Return [seat]: the luck of a throw."""
    return change.after - change.before


class TurnBySeat:
    """A solved turn, and what its points are worth to every seat."""

    def __init__(self, turn: SolvedTurn, shares: Shares | None, total: float) -> None:
        """Take what `share_batch` found.

        Two seats need no ``shares``: the other has what is missing from the ``total``.
        """
        self._turn, self._total, self._shares = turn, total, shares
        self._seat = turn.position.seat

    def worth(self, choice: Choice) -> Floats:
        """Return [seat]: the worth of the turn after a choice."""
        if self._shares is None:
            pair = np.full(2, self._total - choice.value)
            pair[self._seat] = choice.value
            return pair
        worth: Floats = (self._shares.roll if choice.rolling else self._shares.value)[choice.place]
        return worth

    def before_throw(self, state: AnyState) -> Floats:
        """Return the worth of the dice in the air."""
        choices = self._turn.choices(state)
        return self.worth(next(choice for choice in choices if choice.move == ROLL))

    def after_throw(self, state: AnyState, throw: Throw) -> Floats:
        """Return the worth of these dice, when they have fallen."""
        thrown = State(state.table, state.seat, state.turn, throw)
        return self.worth(best(self._turn.choices(thrown)))

    def change(self, state: AnyState, move: Move) -> Change:
        """Return what a move or a throw in this turn changed."""
        if isinstance(move, Throw):
            before = self.before_throw(state)
            return Change(before, self.after_throw(state, move), float(before[self._seat]), 0)
        choices = self._turn.choices(state)
        made = next(choice for choice in choices if choice.move == move)
        worst = min(choice.value for choice in choices)
        return Change(self.worth(best(choices)), self.worth(made), worst, len(choices))


def by_seat(turns: Sequence[SolvedTurn], value: SeatValue) -> Iterator[TurnBySeat]:
    """Yield each of these turns with what it is worth to every seat."""
    shares = in_groups(
        turns,
        lambda turn: (turn.position.game.edition, turn.position.start.seats, turn.position.kind),
        lambda alike: _shares(alike, value),
    )
    return (TurnBySeat(*each, value.total) for each in zip(turns, shares, strict=True))


def _shares(turns: Sequence[SolvedTurn], value: SeatValue) -> Sequence[Shares | None]:
    if turns[0].position.start.seats == 2:
        return [None] * len(turns)
    ends = value.ends_by_seat([turn.position for turn in turns])
    return share_batch([turn.solution for turn in turns], ends)


def changes(
    moments: Iterable[Moment], value: SeatValue, memo: TurnMemo | None = None
) -> Iterator[Change]:
    """Yield what each of these moves changed by a value; they may be of many games.

    ``memo``, if given, is for that value, and remembers the turns.
    """
    memo = memo or TurnMemo(value)
    waiting = iter(moments)
    while some := list(islice(waiting, AT_ONCE)):
        yield from _changes(some, value, memo)


def _changes(moments: Sequence[Moment], value: SeatValue, memo: TurnMemo) -> list[Change]:
    """Return what each of these moves changed; a turn is shared out once, for all of its moves."""
    found: dict[int, Change] = {}
    turns: dict[object, list[int]] = {}
    for number, (state, move) in enumerate(moments):
        if isinstance(state.phase, QUESTIONS):
            found[number] = _answered(state, move, value)
        else:
            turns.setdefault(turn_key(state), []).append(number)
    solved = memo.solved([moments[numbers[0]][0] for numbers in turns.values()])
    for numbers, turn in zip(turns.values(), by_seat(solved, value), strict=True):
        for number in numbers:
            found[number] = turn.change(*moments[number])
    return [found[number] for number in range(len(moments))]


def _answered(state: AnyState, move: Move, value: SeatValue) -> Change:
    """Return what the answer to a question changed."""
    answers = answers_by_seat(state, value)
    own = [float(worth[state.seat]) for _, worth in answers]
    made = next(worth for answer, worth in answers if answer == move)
    return Change(answers[first_of_best(own)][1], made, min(own), len(answers))


def answers_by_seat(state: AnyState, value: SeatValue) -> list[tuple[Move, Floats]]:
    """Return every answer to a question and its worth to every seat.

    After a Bratworm robbed for a double 1 the turn continues; every other answer ends it.
    """
    if not isinstance(state.phase, RobQuestion) or state.phase.for_raven:
        return [(move, value.answer_by_seat(state, move)) for move in legal(state)]
    turns = solve_all(robbed(state), value.nearer)
    shared = by_seat(turns, value.nearer)
    return [
        (move, by_turn.worth(turn.solution.arriving(move, state.turn)))
        for move, turn, by_turn in zip(legal(state), turns, shared, strict=True)
    ]
