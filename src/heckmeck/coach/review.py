"""The review of a game: what each decision cost, and how lucky each throw was.

A decision costs the value of the best move less that of the move made. The luck of a throw is the
value of the turn after it less the value of throwing before it; over many throws it averages out.

If a champion has learned the game, values are chances to win, and the review includes every
player's chance at every moment. A champion knows the chances between turns. Within a turn they are
the average over its endings, weighted by their probability with best play: exact, as far as the
champion is right.
"""

from collections.abc import Sequence
from math import fsum

import numpy as np

from heckmeck.record import Record, Step, replay
from heckmeck.rules import AnyState, apply, moves, outcome, word
from heckmeck.rules.state import Falling, State
from heckmeck.solver import kernel, positions, solution
from heckmeck.values import turn_memo, value_for
from heckmeck.wire.coach import Decision, PlayerTotals, Review, ThrowLuck, Unit


def review(record: Record, unit: Unit | None = None) -> Review:
    """Review a recorded game; raise `BadRecord` if it breaks a rule.

    ``unit`` is as for `heckmeck.coach.advice.advise`.
    """
    state = record.start()
    memo = turn_memo.TurnMemo(value_for(state.table, unit))
    reviewer, states = _Reviewer(memo), [state]
    for step in replay(record):
        reviewer.look_at(state, step)
        state = step.state
        states.append(state)
    players = [reviewer.totals(seat) for seat in range(len(record.seats))]
    chances = _chances(memo, states)
    return Review(memo.value.unit, players, reviewer.decisions, reviewer.throws, chances)


class _Reviewer:
    """Collects decisions and luck."""

    def __init__(self, memo: turn_memo.TurnMemo) -> None:
        self.decisions: list[Decision] = []
        self.throws: list[ThrowLuck] = []
        self._memo = memo
        self._value_of_throwing = 0.0

    def totals(self, seat: int) -> PlayerTotals:
        """Sum up a player's decisions and throws."""
        return PlayerTotals(
            fsum(decision.loss for decision in self.decisions if decision.seat == seat),
            fsum(throw.luck for throw in self.throws if throw.seat == seat),
        )

    def look_at(self, state: AnyState, step: Step) -> None:
        """Review one step from ``state``."""
        if isinstance(step.move, moves.Throw):
            self._look_at_throw(state, step.index, step.move)
            return
        choices, move = self._memo.weigh(state), word(step.move)
        chosen = next(choice.worth for choice in choices if choice.move == move)
        if len(choices) > 1:
            loss = max(choices[0].worth - chosen, 0.0)
            self.decisions.append(Decision(step.index, state.seat, move, loss, choices))
        self._value_of_throwing = chosen

    def _look_at_throw(self, state: AnyState, index: int, throw: moves.Throw) -> None:
        thrown = State(state.table, state.seat, state.turn, throw)
        (turn,) = self._memo.solved([state])
        value = max(choice.value for choice in turn.choices(thrown))
        self.throws.append(ThrowLuck(index, state.seat, value - self._value_of_throwing))


# ------------------------------------------------------------------------------ chances to win


def _chances(memo: turn_memo.TurnMemo, states: Sequence[AnyState]) -> list[list[float]] | None:
    """Return every player's chance to win in each state; None if the value does not know them."""
    chances = _Chances(memo)
    found = []
    for state in states:
        at = chances.at(state)
        if at is None:
            return None
        found.append(at.tolist())
    return found


class _Chances:
    """Computes every player's chance to win at any moment of a game, even within a turn."""

    def __init__(self, memo: turn_memo.TurnMemo) -> None:
        self._memo = memo
        self._turn: solution.SolvedTurn | None = None
        self._after: kernel.Floats | None = None

    def at(self, state: AnyState) -> kernel.Floats | None:
        """Return the chances by seat, which sum to 1, if they are known."""
        if isinstance(state.phase, positions.QUESTIONS):
            (answer,) = self._memo.best_moves([state])
            return self.at(apply(state, answer).state)
        end = outcome(state)
        if end is not None:
            return np.array(end.shares)
        (turn,) = self._memo.solved([state])
        if turn is not self._turn:
            self._turn, self._after = turn, self._memo.value.chances_after(turn.position)
        if self._after is None:
            return None
        ends = turn.solution.endings(_choice(turn, state))
        size = (*ends.stop.shape, state.table.seats)
        return _mean(ends.fail, self._after[:, 0]) + _mean(
            ends.stop, self._after[:, 1:].reshape(size)
        )


def _mean(chances: kernel.Floats, values: kernel.Floats) -> kernel.Floats:
    """Return [seat]: the sum of ``values`` [..., seat], each times its chance, in order.

    A matrix product would be the same except for the last bits, which depend on the processor.
    """
    weighed = chances[..., np.newaxis] * values
    total: kernel.Floats = weighed.reshape(-1, values.shape[-1]).sum(axis=0)
    return total


def _choice(turn: solution.SolvedTurn, state: AnyState) -> solution.Choice:
    """Return the best move here; dice in the air are treated as about to be thrown."""
    choices = turn.choices(state)
    if isinstance(state.phase, Falling):
        return next(choice for choice in choices if choice.move == moves.ROLL)
    return solution.best(choices)
