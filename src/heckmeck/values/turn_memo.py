"""One memory of solved turns, for those who play and for those who advise."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from math import inf
from typing import Final, TypeAlias

from heckmeck.rules import AnyState, Move, legal, parse, word
from heckmeck.rules.state import RobQuestion
from heckmeck.solver.positions import QUESTIONS, Value, may_earn_bratworm, position_of, robbed
from heckmeck.solver.solution import SolvedTurn, first_of_best, solve_all
from heckmeck.wire.coach import WeighedMove

#: Turns remembered: enough for all tables of a batch, small enough for any machine.
REMEMBERED: Final = 1024

Key: TypeAlias = tuple[int, int, bool]


class TurnMemo:
    """Solves turns for a value, and remembers each while it lasts.

    What it plays (`best_moves`) and what it advises (`weigh`) come from the same solution.
    """

    def __init__(self, value: Value) -> None:
        """Maximise this value."""
        self.value = value
        self._turns: OrderedDict[Key, SolvedTurn] = OrderedDict()

    def solved(self, states: Sequence[AnyState]) -> list[SolvedTurn]:
        """Return the turns in progress, in any number of games; new ones are solved in batches."""
        keys = [turn_key(state) for state in states]
        new = {
            key: state for key, state in zip(keys, states, strict=True) if key not in self._turns
        }
        if new:
            turns = solve_all([position_of(state) for state in new.values()], self.value)
            self._turns.update(zip(new, turns, strict=True))
        found = [self._turns[key] for key in keys]
        while len(self._turns) > REMEMBERED:
            self._turns.popitem(last=False)
        return found

    def best_moves(self, states: Sequence[AnyState]) -> list[Move]:
        """Return the best move of each state, in which a player has to decide."""
        asked = [state for state in states if isinstance(state.phase, QUESTIONS)]
        within = [state for state in states if not isinstance(state.phase, QUESTIONS)]
        turns = iter(self.solved(within))
        answers = iter(self._answers(asked))
        return [
            parse(_first_of(next(answers)).move)
            if isinstance(state.phase, QUESTIONS)
            else next(turns).best_move(state)
            for state in states
        ]

    def weigh(self, state: AnyState) -> list[WeighedMove]:
        """Return every legal move of a state with its value and risk, best first.

        The value of an answer to a question that ends the turn is that of the table then; after a
        Bratworm robbed for a double 1 the turn continues.
        """
        if not isinstance(state.phase, QUESTIONS):
            return self._shown(self.solved([state])[0].weighed(state))
        (answers,) = self._answers([state])
        first = _first_of(answers)
        others = [answer for answer in answers if answer is not first]
        return self._shown([first, *sorted(others, key=lambda answer: -answer.worth)])

    def _answers(self, states: Sequence[AnyState]) -> list[list[WeighedMove]]:
        """Return the answers to the question in each state, with their values and risks."""
        asked = [(state, move) for state in states if not _goes_on(state) for move in legal(state)]
        worths = iter(self.value.answers(asked))
        return [
            self._after_robbing(state)
            if _goes_on(state)
            else [WeighedMove(word(move), next(worths), 0.0) for move in legal(state)]
            for state in states
        ]

    def _after_robbing(self, state: AnyState) -> list[WeighedMove]:
        turns = solve_all(robbed(state), self.value.nearer)
        return [
            WeighedMove(word(move), turn.solution.value_at(state.turn), turn.fail_at(state.turn))
            for move, turn in zip(legal(state), turns, strict=True)
        ]

    def _shown(self, moves: list[WeighedMove]) -> list[WeighedMove]:
        """Return moves as they are shown: best first, and no chance beyond 0 and 1.

        Values within a tie of the first are equal, and the mean of chances can exceed 1 by
        rounding; neither is to be seen.
        """
        lowest, highest = (0.0, 1.0) if self.value.unit == "win" else (-inf, inf)
        highest = max(min(moves[0].worth, highest), lowest)
        return [
            WeighedMove(each.move, max(min(each.worth, highest), lowest), each.fail)
            for each in moves
        ]


def _goes_on(state: AnyState) -> bool:
    """Whether the turn continues after the question: a Bratworm is robbed for a double 1."""
    return isinstance(state.phase, RobQuestion) and not state.phase.for_raven


def _first_of(answers: Sequence[WeighedMove]) -> WeighedMove:
    """Return the best answer, the first among equals."""
    return answers[first_of_best([answer.worth for answer in answers])]


def turn_key(state: AnyState) -> Key:
    """Return the key of a turn among those remembered.

    It contains the identity of the table: within a turn the table stays the same object, and the
    solution keeps a reference to it, so no other table can have the same identity. The table may
    stay the same over several failed turns, so the seat is part of the key; and in deluxe, whether
    a double 1 is still possible, which a Bratworm from the turn before does not rule out.
    """
    return id(state.table), state.seat, may_earn_bratworm(state)
