"""A player that solves each turn exactly, for whatever its evaluator finds worth having."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move
from heckmeck.rules.state import PinchQuestion, ReturnQuestion, RobQuestion
from heckmeck.solver import Evaluator, position_of
from heckmeck.solver.solved import SolvedTurn, solve_all, weigh

#: Turns kept in mind: enough for all tables of a batch, small enough for any machine.
REMEMBERED: Final = 1024
_QUESTIONS: Final = (PinchQuestion, ReturnQuestion, RobQuestion)


class Solving:
    """Plays every move of a turn from one solution, which it remembers while the turn lasts."""

    def __init__(self, evaluator: Evaluator) -> None:
        """Play for the worth that ``evaluator`` sees."""
        self._evaluator = evaluator
        # By the identity of the table: within a turn the table stays the same object, and the
        # solution holds on to it, so no other table can come to have its identity.
        self._solved: OrderedDict[int, SolvedTurn] = OrderedDict()

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose the best move."""
        (move,) = self.choose_all([state], [luck])
        return move

    def choose_all(self, states: Sequence[AnyState], _: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table; turns not solved yet are solved in batches."""
        questions = {id(state) for state in states if isinstance(state.phase, _QUESTIONS)}
        self._solve([s for s in states if id(s) not in questions and not self._has_solved(s)])
        moves = [
            weigh(state, self._evaluator)[0].move
            if id(state) in questions
            else self._solved[id(state.table)].best_move(state)
            for state in states
        ]
        while len(self._solved) > REMEMBERED:
            self._solved.popitem(last=False)
        return moves

    def _has_solved(self, state: AnyState) -> bool:
        solved = self._solved.get(id(state.table))
        return solved is not None and solved.position.seat == state.seat

    def _solve(self, states: Sequence[AnyState]) -> None:
        positions = [position_of(state) for state in states]
        for solved in solve_all(positions, self._evaluator):
            self._solved[id(solved.position.start)] = solved
