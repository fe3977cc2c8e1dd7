"""The odds of one turn: how likely is each number, if one aims at nothing else?

The turn is played on an otherwise empty table. For each number the solver plays the turn as well
as it can be played for that number alone, so the odds of different numbers do not add up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from heckmeck.rules import AnyGame, BadSetup, MalformedMove, Specialist, game, parse
from heckmeck.rules.components import (
    BARBECUE_SPOTS,
    CLASSIC_TILES,
    DELUXE_TILES,
    JUNIOR_TILES,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import Dice, in_face_order, throws_of
from heckmeck.rules.moves import Throw
from heckmeck.solver.kernel import Ints
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.solution import Point, Solution, Thrown, Worths, best, solve_batch
from heckmeck.solver.tables import State as TurnPoint

#: The Specialists that change the dice or what they count.
USEFUL: Final = (Specialist.CANNED, Specialist.GOLDEN, Specialist.WEASEL)


class BadTurn(ValueError):
    """There is no such turn."""


@dataclass(frozen=True, slots=True)
class TurnSetup:
    """A turn as somebody describes it: what is kept, how many dice are in hand, what lies there.

    ``hand`` counts white dice; ``None`` means all that are not kept. The golden die is in hand
    if its holder has not kept it.
    """

    edition: str
    holding: Specialist | None = None
    kept: Dice = ""
    hand: int | None = None
    roll: str | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance of at least, and of exactly, each number, always with a worm."""

    edition: str
    at_least: dict[int, float]
    exactly: dict[int, float]


#: Which numbers people ask for: at least and exactly, by edition.
NUMBERS: Final[dict[str, tuple[Sequence[int], Sequence[int]]]] = {
    "classic": (tuple(CLASSIC_TILES), tuple(CLASSIC_TILES)),
    "deluxe": (tuple(CLASSIC_TILES), tuple(DELUXE_TILES)),
    "barbecue": ((*BARBECUE_SPOTS, max(BARBECUE_SPOTS) + 1), tuple(BARBECUE_SPOTS)),
    "junior": (range(min(JUNIOR_TILES), 12), range(1, 12)),
}


def odds(setup: TurnSetup) -> Odds:
    """Return the odds of a turn; raise `BadTurn` if there is no such turn."""
    rules = _rules(setup)
    point, thrown = _point(rules, setup)
    at_least, exactly = NUMBERS[setup.edition]
    results = _results(rules, setup)
    worths = [*(results >= aim for aim in at_least), *(results == aim for aim in exactly)]
    solutions = solve_batch(
        shape_of(rules),
        Worths(np.stack(worths)[:, np.newaxis], np.zeros((len(worths), 1))),
        weasel=setup.holding is Specialist.WEASEL,
        golden=setup.holding is Specialist.GOLDEN,
    )
    chances = [_chance(solution, point, thrown) for solution in solutions]
    return Odds(
        setup.edition,
        dict(zip(at_least, chances[: len(at_least)], strict=True)),
        dict(zip(exactly, chances[len(at_least) :], strict=True)),
    )


def _rules(setup: TurnSetup) -> AnyGame:
    try:
        rules = game(setup.edition)
    except BadSetup as error:
        raise BadTurn(str(error)) from error
    if setup.holding is not None and not rules.has_golden_die:
        raise BadTurn(f"{setup.edition} has no Specialists to hold.")
    if setup.holding is not None and setup.holding not in USEFUL:
        raise BadTurn(f"{setup.holding} changes no turn; {', '.join(USEFUL)} do.")
    return rules


def _results(rules: AnyGame, setup: TurnSetup) -> Ints:
    """Return the result that counts by worm and total; -1 where it is worthless."""
    table = rules.initial(rules.players[0]).table
    if isinstance(table, DeluxeTable):
        table = table.with_held(0, setup.holding)
    totals = range(shape_of(rules).totals)
    results = [[rules.result(table, 0, t, worm) for t in totals] for worm in (False, True)]
    return np.array([[-1 if r is None else r for r in row] for row in results])


def _point(rules: AnyGame, setup: TurnSetup) -> tuple[Point, Thrown | None]:
    """Return where in the turn the setup is, and the dice that lie there."""
    dice = rules.dice
    kept = _dice(rules, setup.kept)
    throw = None if setup.roll is None else _throw(rules, setup.roll)
    hand = _hand(rules, setup, kept, throw)
    holds_golden = setup.holding is Specialist.GOLDEN
    golden_kept = len(kept) + hand - dice.count
    if golden_kept not in ((0, 1) if holds_golden else (0,)):
        raise BadTurn(
            f"{len(kept)} kept and {hand} in hand are {len(kept) + hand} dice; "
            f"{setup.edition} has {dice.count}{' and the golden die' if holds_golden else ''}."
        )
    # Before the first throw the golden die is a choice; later it is in hand until it is kept.
    golden = bool(holds_golden and kept and not golden_kept)
    if throw is not None:
        golden = throw.golden is not None
        if golden and (not holds_golden or golden_kept):
            raise BadTurn("The golden die is not in hand, so it cannot lie there.")
    mask = sum(1 << dice.faces.index(face) for face in set(kept))
    total = sum(map(dice.points_for, kept))
    point = Point(TurnPoint(mask, hand, golden, total), 0, setup.holding is Specialist.WEASEL)
    return point, None if throw is None else _thrown(rules, throw)


def _dice(rules: AnyGame, text: str) -> Dice:
    faces = rules.dice.faces
    if not set(text) <= set(faces):
        raise BadTurn(f"{text!r:.40} are no dice; the faces here are {' '.join(faces)}.")
    return in_face_order(text)


def _throw(rules: AnyGame, text: str) -> Throw:
    try:
        throw = parse(f"={text}")
    except MalformedMove as error:
        raise BadTurn(str(error)) from error
    if not isinstance(throw, Throw) or throw.dice not in throws_of(rules.dice, len(throw.dice)):
        raise BadTurn(f"{text!r:.40} is no throw of the dice with {' '.join(rules.dice.faces)}.")
    return throw


def _hand(rules: AnyGame, setup: TurnSetup, kept: Dice, throw: Throw | None) -> int:
    if throw is not None:
        if setup.hand not in (None, len(throw.dice)):
            raise BadTurn(f"{len(throw.dice)} dice lie there, but {setup.hand} are in hand.")
        return len(throw.dice)
    return max(rules.dice.count - len(kept), 0) if setup.hand is None else setup.hand


def _thrown(rules: AnyGame, throw: Throw) -> Thrown:
    faces = rules.dice.faces
    golden = None if throw.golden is None else faces.index(throw.golden)
    return Thrown(tuple(map(throw.dice.count, faces)), golden)


def _chance(solution: Solution, point: Point, thrown: Thrown | None) -> float:
    choices = solution.choices(point, thrown)
    return best(choices).worth if choices else solution.worth_at(point)
