"""A player that solves each turn exactly, for the values of its evaluator."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, TypeAlias

from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move, legal
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.state import PinchQuestion, ReturnQuestion, RobQuestion
from heckmeck.solver import Evaluator, Position, position_of
from heckmeck.solver.solved import SolvedTurn, robbed, solve_all

#: Turns remembered: enough for all tables of a batch, small enough for any machine.
REMEMBERED: Final = 1024
_QUESTIONS: Final = (PinchQuestion, ReturnQuestion, RobQuestion)

Key: TypeAlias = tuple[int, int, bool]


class Solving:
    """Plays all moves of a turn from one solution, which is remembered while the turn lasts."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Maximise the value given by ``evaluator``."""
        self._evaluator = evaluator
        self._solved: OrderedDict[Key, SolvedTurn] = OrderedDict()

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose the best move."""
        (move,) = self.choose_all([state], [luck])
        return move

    def choose_all(self, states: Sequence[AnyState], _: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table; unsolved turns are solved in batches."""
        questions = {id(state) for state in states if isinstance(state.phase, _QUESTIONS)}
        self._solve([s for s in states if id(s) not in questions and not self._has_solved(s)])
        moves = [
            self._answer(state)
            if id(state) in questions
            else self._solved[_key(state)].best_move(state)
            for state in states
        ]
        while len(self._solved) > REMEMBERED:
            self._solved.popitem(last=False)
        return moves

    def _answer(self, state: AnyState) -> Move:
        """Answer a question; after robbing for a double 1 the turn continues."""
        answers = legal(state)
        if isinstance(state.phase, RobQuestion) and not state.phase.for_raven:
            worths = [turn.worth_at(state.turn) for turn in self._solve_robbed(robbed(state))]
        else:
            worths = [self._evaluator.answer(state, move) for move in answers]
        return answers[worths.index(max(worths))]

    def _has_solved(self, state: AnyState) -> bool:
        return _key(state) in self._solved

    def _solve(self, states: Sequence[AnyState]) -> None:
        different = list({_key(state): state for state in states}.values())
        solved = self._solve_all([position_of(state) for state in different])
        self._solved.update(zip(map(_key, different), solved, strict=True))

    def _solve_all(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        return solve_all(positions, self._evaluator)

    def _solve_robbed(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        """Solve the rest of the turn after each possible robbery."""
        return self._solve_all(positions)


def _key(state: AnyState) -> Key:
    """Return the key of a turn among those remembered.

    It contains the identity of the table: within a turn the table stays the same object, and the
    solution keeps a reference to it, so no other table can have the same identity. The table may
    stay the same over several failed turns, so the seat is part of the key; and in deluxe, whether
    a double 1 is still possible, which a Bratworm from the turn before does not rule out.
    """
    ones_are_kept = isinstance(state.table, DeluxeTable) and "1" in state.turn.kept
    return id(state.table), state.seat, ones_are_kept
