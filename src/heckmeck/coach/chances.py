"""Every player's chance to win at any moment of a game, even within a turn.

A champion knows the chances between turns. Within a turn they are the average over its endings,
weighted by their probability with best play: exact, as far as the champion is right.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from heckmeck.bots.champion.win import WinChance
from heckmeck.rules import AnyState, Ending, Table, apply
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import Deciding, Falling, Over
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import FAILURE, Position, after, endings_at, position_of
from heckmeck.solver.solution import Choice, Kind, best
from heckmeck.solver.solved import SolvedTurn, point_of, thrown_of, weigh


@dataclass(slots=True)
class _Turn:
    """A turn with the chances after its endings."""

    solved: SolvedTurn
    fail: Floats
    """[layer, seat]"""
    stop: Floats
    """[layer, worm, total, seat]"""


class Chances:
    """Computes every player's chance to win; solves each turn once for all of its moments."""

    def __init__(self, champion: WinChance) -> None:
        """Use this champion."""
        self._champion = champion
        self._turn: _Turn | None = None

    def at(self, state: AnyState) -> tuple[float, ...]:
        """Return the chances by seat; they sum to 1."""
        return tuple(map(float, self._at(state)))

    def _at(self, state: AnyState) -> Floats:
        match state.phase:
            case Over():
                return self._champion.chances([state]).reshape(-1)
            case Deciding() | Throw() | Falling():
                return self._within(state)
            case _:
                answer = weigh(state, self._champion)[0].move
                return self._at(apply(state, answer).state)

    def _within(self, state: AnyState) -> Floats:
        turn = self._turn_of(state)
        ends = turn.solved.solution.endings(_choice(turn.solved, state))
        return _mean(ends.fail, turn.fail) + _mean(ends.stop, turn.stop)

    def _turn_of(self, state: AnyState) -> _Turn:
        turn = self._turn
        if turn is None or not _is_turn_of(turn.solved.position, state):
            (solved,) = self._champion.solve([position_of(state)])
            turn = self._turn = _Turn(solved, *self._ends(solved.position))
        return turn

    def _ends(self, position: Position) -> tuple[Floats, Floats]:
        seats = position.start.seats
        fail = np.empty((len(position.tables), seats))
        stop = np.empty((len(position.tables), 2, position.shape.totals, seats))
        for layer, table in enumerate(position.tables):
            by_worm = endings_at(position, layer)
            vectors = self._after(position, table, {FAILURE, *by_worm[0], *by_worm[1]})
            fail[layer] = vectors[FAILURE]
            for worm, endings in enumerate(by_worm):
                stop[layer, worm] = [vectors[ending] for ending in endings]
        return fail, stop

    def _after(
        self, position: Position, table: Table, endings: Iterable[Ending]
    ) -> dict[Ending, Floats]:
        """Return the chances after ends of the turn, with best answers to all questions."""
        states = {end: after(position.game, table, position.seat, end) for end in endings}
        found = iter(self._champion.chances([each for some in states.values() for each in some]))
        return {
            ending: max((next(found) for _ in some), key=lambda row: float(row[position.seat]))
            for ending, some in states.items()
        }


def _mean(chances: Floats, values: Floats) -> Floats:
    """Return [seat]: the sum of ``values`` [..., seat], each times its chance, in order.

    A matrix product would be the same except for the last bits, which depend on the processor.
    """
    weighed = chances[..., np.newaxis] * values
    total: Floats = weighed.reshape(-1, values.shape[-1]).sum(axis=0)
    return total


def _is_turn_of(position: Position, state: AnyState) -> bool:
    """Whether ``state`` is a moment of this turn: within it the table stays the same object."""
    return position.start is state.table and position.seat == state.seat


def _choice(solved: SolvedTurn, state: AnyState) -> Choice:
    """Return the best move here; dice in the air are treated as about to be thrown."""
    shape, phase = solved.position.shape, state.phase
    point = point_of(shape, state.turn, solved.position.weasel)
    if isinstance(phase, Throw):
        return best(solved.solution.choices(point, thrown_of(shape, phase)))
    choices = solved.solution.choices(point)
    if isinstance(phase, Falling):
        return next(choice for choice in choices if choice.kind is Kind.ROLL)
    return best(choices)
