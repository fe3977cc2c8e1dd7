"""The turns of the four editions, described apart from the rules, and values to try them.

Points of a turn and throws are written here in numbers, as the slow turn has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np

from heckmeck.rules import AnyGame, game, word
from heckmeck.rules.moves import Throw
from heckmeck.rules.turn import Turn
from heckmeck.solver.kernel import Bools, Floats
from heckmeck.solver.solution import Choice, EndValues, Solution, solve_batch
from heckmeck.solver.tables import TurnState


@dataclass(frozen=True)
class Shape:
    """The dice of an edition and the course of its turns, without the values of endings."""

    game: AnyGame
    faces: str
    weights: tuple[int, ...]
    points: tuple[int, ...]
    worm: int
    dice: int
    golden_weights: tuple[int, ...] | None = None
    ones: int | None = None
    dead_is_stop: bool = False
    all_faces_end: bool = False

    @property
    def all_faces(self) -> int:
        return (1 << len(self.faces)) - 1

    @property
    def totals(self) -> int:
        return (self.dice + (self.golden_weights is not None)) * max(self.points) + 1


CLASSIC = Shape(game("classic"), "12345W", (1,) * 6, (1, 2, 3, 4, 5, 5), worm=5, dice=8)
DELUXE = replace(CLASSIC, game=game("deluxe"), golden_weights=(3, 0, 0, 0, 0, 3), ones=0)
BARBECUE = replace(
    CLASSIC, game=game("barbecue"), faces="1234W6", points=(1, 2, 3, 4, 5, 6), worm=4
)
JUNIOR = Shape(
    game("junior"),
    "WBCGK",
    (2, 1, 1, 1, 1),
    (1, 2, 1, 1, 1),
    worm=0,
    dice=6,
    dead_is_stop=True,
    all_faces_end=True,
)
SHAPES = {"classic": CLASSIC, "deluxe": DELUXE, "barbecue": BARBECUE, "junior": JUNIOR}


@cache
def with_dice(
    shape: Shape, dice: int, faces: str = "", weights: tuple[int, ...] = (), *points: int
) -> Shape:
    """The same game with fewer dice, or with other dice."""
    kind = shape.game.dice
    if faces:
        kind = replace(kind, faces=faces, sides=weights, points=points)
    kind = replace(kind, count=dice)
    other = type("Other", (type(shape.game),), {"dice": kind})()
    return replace(
        shape,
        game=other,
        faces=kind.faces,
        weights=kind.sides,
        points=kind.points,
        worm=kind.faces.index("W"),
        dice=dice,
    )


# --- values ---------------------------------------------------------------------------------------


class Ends(NamedTuple):
    """The values of the ends of one turn: `EndValues` without the axis of positions."""

    stop: Floats
    fail: Floats
    may_stop: Bools | None = None


def solve(shape: Shape, ends: Ends, *, weasel: bool = False, golden: bool = False) -> Solution:
    """The solution of one turn."""
    (solution,) = solve_batch(shape.game, together([ends]), weasel=weasel, golden=golden)
    return solution


def together(ends: list[Ends]) -> EndValues:
    """The values of many turns in one batch."""
    limits = [each.may_stop for each in ends if each.may_stop is not None]
    stop = np.stack([each.stop for each in ends])
    fail = np.stack([each.fail for each in ends])
    return EndValues.of(stop, fail, np.stack(limits) if limits else None)


def at_least(shape: Shape, number: int) -> Ends:
    """A worm and at least `number` has the value 1, all else 0."""
    stop = np.zeros((1, 2, shape.totals))
    stop[0, 1, number:] = 1.0
    return Ends(stop, np.zeros(1))


def exactly(shape: Shape, number: int) -> Ends:
    """A worm and exactly `number` has the value 1, all else 0."""
    stop = np.zeros((1, 2, shape.totals))
    stop[0, 1, number] = 1.0
    return Ends(stop, np.zeros(1))


def random_ends(shape: Shape, seed: int, layers: int = 1, limits: bool = False) -> Ends:
    """Random values, whole numbers among them so that there are ties; `limits` on stopping."""
    rng = np.random.default_rng(seed)
    stop = rng.normal(size=(layers, 2, shape.totals)) * 3
    stop = np.where(rng.random(stop.shape) < 0.5, np.round(stop), stop)
    may_stop = rng.random(stop.shape) < 0.5 if limits else None
    return Ends(stop, rng.normal(size=layers), may_stop)


# --- points ---------------------------------------------------------------------------------------


class Point(NamedTuple):
    """A point within a turn: a state, its layer, and whether the weasel may still be used."""

    state: TurnState
    layer: int = 0
    weasel: bool = False


class Thrown(NamedTuple):
    """Dice just thrown: white ones by face, and the face of the golden die."""

    dice: tuple[int, ...]
    golden: int | None = None


def start(shape: Shape, *, golden: bool = False, weasel: bool = False) -> Point:
    return Point(TurnState(0, shape.dice, golden, 0), 0, weasel)


def turn_at(shape: Shape, point: Point) -> Turn:
    """A turn that the rules would have at that point."""
    state = point.state
    kept = "".join(face for i, face in enumerate(shape.faces) if state.kept >> i & 1)
    return Turn(state.dice, kept, state.total, state.golden, not point.weasel)


def choices_at(
    shape: Shape, solution: Solution, point: Point, thrown: Thrown | None = None
) -> list[Choice]:
    """The solver's choices at a point."""
    throw = None
    if thrown is not None:
        white = "".join(face * n for face, n in zip(shape.faces, thrown.dice, strict=True))
        throw = Throw(white, None if thrown.golden is None else shape.faces[thrown.golden])
    return solution.choices(turn_at(shape, point), throw, point.layer)


def value_at(shape: Shape, solution: Solution, point: Point) -> float:
    """The solver's value of a point."""
    return solution.value_at(turn_at(shape, point), point.layer)


def words(choices: list[Choice]) -> list[str]:
    return [word(choice.move) for choice in choices]
