"""A player that solves each turn exactly, for whatever its evaluator finds worth having."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding
from heckmeck.solver import Evaluator, position_of
from heckmeck.solver.solved import SolvedTurn, solve_all, weigh

#: Turns kept in mind: enough for all tables of a batch, small enough for any machine.
REMEMBERED: Final = 1024


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
        self._solve([state for state in states if self._needs_solving(state)])
        moves = [self._move(state) for state in states]
        while len(self._solved) > REMEMBERED:
            self._solved.popitem(last=False)
        return moves

    def _move(self, state: AnyState) -> Move:
        if _is_question(state):
            return weigh(state, self._evaluator)[0].move
        return self._solved[id(state.table)].best_move(state)

    def _needs_solving(self, state: AnyState) -> bool:
        if _is_question(state):
            return False
        solved = self._solved.get(id(state.table))
        return solved is None or solved.position.seat != state.seat

    def _solve(self, states: Sequence[AnyState]) -> None:
        positions = [position_of(state) for state in states]
        for solved in solve_all(positions, self._evaluator):
            self._solved[id(solved.position.start)] = solved


def _is_question(state: AnyState) -> bool:
    return not isinstance(state.phase, Deciding | Throw)
