"""Advice for a position, and the odds of a turn.

Advice is every legal move with its value and its risk. The odds are how likely each number is, if
the player aims only at it: the turn is played on an otherwise empty table, and optimally for each
number alone, so the odds of different numbers do not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from heckmeck.coach import reasons, state_of
from heckmeck.rules import AnyState, Specialist, game_at, legal, moves
from heckmeck.rules.components import BARBECUE_SPOTS, CLASSIC_TILES, DELUXE_TILES, JUNIOR_TILES
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.solver import kernel, tables
from heckmeck.solver.positions import QUESTIONS
from heckmeck.solver.solution import EndValues, Solution, best, solve_batch
from heckmeck.values import turn_memo, value_for
from heckmeck.wire.coach import Advice, TurnSetup, Unit


def advise(state: AnyState, unit: Unit | None = None) -> Advice:
    """Weigh every legal move of a state in which a player has to decide.

    Values are chances to win if a champion has learned them, otherwise worms; ``unit`` asks for one
    of the two, and `NoChampion` is raised if it is not available.
    """
    value = value_for(state.table, unit)
    memo = turn_memo.TurnMemo(value)
    moves = memo.weigh(state)
    why = reasons.reasons(state, moves, memo)
    if isinstance(state.phase, QUESTIONS):
        return Advice(value.unit, moves, why)
    cost = reasons.failure_cost(state)
    return Advice(value.unit, moves, why, reasons.targets(state, memo), cost)


def advise_turn(setup: TurnSetup, unit: Unit | None = None) -> Advice:
    """Weigh the moves of a turn that is described; none if it is over.

    The turn is the first of a game for two. Raise `BadTurn` if it is not possible; ``unit`` is as
    for `advise`.
    """
    state = state_of(setup)
    if game_at(state.table).turn_is_complete(state.turn) or not legal(state):
        return Advice(value_for(state.table, unit).unit, [])
    return advise(state, unit)


# --- odds -----------------------------------------------------------------------------------------


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
    return _odds(state_of(setup), setup.holding)


def odds_at(state: AnyState) -> Odds:
    """Return the odds of the turn in a position, in which the player rolls, stops or keeps dice."""
    table, turn, dice = state.table, state.turn, game_at(state.table).dice.count
    holding = table.held[state.seat] if isinstance(table, DeluxeTable) else None
    begun = turn.kept != "" or isinstance(state.phase, moves.Throw)
    is_in_turn = turn.golden or len(turn.kept) + turn.hand > dice
    if holding is Specialist.GOLDEN and begun and not is_in_turn:
        holding = None
    return _odds(state, holding)


def _odds(state: AnyState, holding: Specialist | None) -> Odds:
    edition = game_at(state.table).edition
    at_least, exactly = NUMBERS[edition]
    results = _results(state)
    hits = np.stack([*(results >= aim for aim in at_least), *(results == aim for aim in exactly)])
    solutions = solve_batch(
        game_at(state.table),
        EndValues.of(hits[:, np.newaxis], np.zeros((len(hits), 1))),
        weasel=holding is Specialist.WEASEL,
        golden=holding is Specialist.GOLDEN,
    )
    chances = [_chance(solution, state) for solution in solutions]
    return Odds(
        edition,
        dict(zip(at_least, chances[: len(at_least)], strict=True)),
        dict(zip(exactly, chances[len(at_least) :], strict=True)),
    )


def _results(state: AnyState) -> kernel.Ints:
    """Return the result that counts, by worm and total; -1 if it is worthless."""
    rules = game_at(state.table)
    totals = range(tables.totals_of(rules))
    results = [
        [rules.result(state.table, state.seat, t, worm) for t in totals] for worm in (False, True)
    ]
    return np.array([[-1 if r is None else r for r in row] for row in results])


def _chance(solution: Solution, state: AnyState) -> float:
    throw = state.phase if isinstance(state.phase, moves.Throw) else None
    choices = solution.choices(state.turn, throw)
    return best(choices).value if choices else solution.value_at(state.turn)
