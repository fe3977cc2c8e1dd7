"""The odds of one turn: how likely is each number, if the player aims only at it?

The turn is played on an otherwise empty table. For each number, the solver plays the turn optimally
for that number alone, so the odds of different numbers do not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from heckmeck.coach.turns import TurnSetup, state_of
from heckmeck.rules import AnyState, Specialist, game_at
from heckmeck.rules.components import BARBECUE_SPOTS, CLASSIC_TILES, DELUXE_TILES, JUNIOR_TILES
from heckmeck.rules.moves import Throw
from heckmeck.solver.kernel import Ints
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.solution import Point, Solution, Thrown, Worths, best, solve_batch
from heckmeck.solver.solved import point_of, thrown_of


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of at least and of exactly each number, always with a worm."""

    edition: str
    at_least: dict[int, float]
    exactly: dict[int, float]


#: The numbers of interest, for at least and exactly, by edition.
NUMBERS: Final[dict[str, tuple[Sequence[int], Sequence[int]]]] = {
    "classic": (tuple(CLASSIC_TILES), tuple(CLASSIC_TILES)),
    "deluxe": (tuple(CLASSIC_TILES), tuple(DELUXE_TILES)),
    "barbecue": ((*BARBECUE_SPOTS, max(BARBECUE_SPOTS) + 1), tuple(BARBECUE_SPOTS)),
    "junior": (range(min(JUNIOR_TILES), 12), range(1, 12)),
}


def odds(setup: TurnSetup) -> Odds:
    """Return the odds of a turn; raise `BadTurn` if it is not possible."""
    state = state_of(setup)
    shape = shape_of(game_at(state.table))
    at_least, exactly = NUMBERS[setup.edition]
    results = _results(state)
    worths = [*(results >= aim for aim in at_least), *(results == aim for aim in exactly)]
    solutions = solve_batch(
        shape,
        Worths(np.stack(worths)[:, np.newaxis], np.zeros((len(worths), 1))),
        weasel=setup.holding is Specialist.WEASEL,
        golden=setup.holding is Specialist.GOLDEN,
    )
    point = point_of(shape, state.turn, weasel=setup.holding is Specialist.WEASEL)
    thrown = thrown_of(shape, state.phase) if isinstance(state.phase, Throw) else None
    chances = [_chance(solution, point, thrown) for solution in solutions]
    return Odds(
        setup.edition,
        dict(zip(at_least, chances[: len(at_least)], strict=True)),
        dict(zip(exactly, chances[len(at_least) :], strict=True)),
    )


def _results(state: AnyState) -> Ints:
    """Return the result that counts, by worm and total; -1 if it is worthless."""
    rules = game_at(state.table)
    totals = range(shape_of(rules).totals)
    results = [
        [rules.result(state.table, state.seat, t, worm) for t in totals] for worm in (False, True)
    ]
    return np.array([[-1 if r is None else r for r in row] for row in results])


def _chance(solution: Solution, point: Point, thrown: Thrown | None) -> float:
    choices = solution.choices(point, thrown)
    return best(choices).worth if choices else solution.worth_at(point)
