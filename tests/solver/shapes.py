"""The turns of the four editions, and worths to try them with."""

from dataclasses import replace

import numpy as np

from heckmeck.solver.solution import Worths
from heckmeck.solver.tables import TurnShape

CLASSIC = TurnShape("12345W", (1,) * 6, (1, 2, 3, 4, 5, 5), worm=5, dice=8)
DELUXE = replace(CLASSIC, golden_weights=(3, 0, 0, 0, 0, 3), ones=0)
BARBECUE = replace(CLASSIC, faces="12346W", points=(1, 2, 3, 4, 6, 5))
JUNIOR = TurnShape(
    "WBCGK",
    (2, 1, 1, 1, 1),
    (1, 2, 1, 1, 1),
    worm=0,
    dice=6,
    dead_is_stop=True,
    all_faces_end=True,
)
SHAPES = {"classic": CLASSIC, "deluxe": DELUXE, "barbecue": BARBECUE, "junior": JUNIOR}


def at_least(shape: TurnShape, number: int) -> Worths:
    """A worm and at least `number` is worth 1, all else nothing."""
    stop = np.zeros((1, 2, shape.totals))
    stop[0, 1, number:] = 1.0
    return Worths(stop, np.zeros(1))


def exactly(shape: TurnShape, number: int) -> Worths:
    """A worm and exactly `number` is worth 1, all else nothing."""
    stop = np.zeros((1, 2, shape.totals))
    stop[0, 1, number] = 1.0
    return Worths(stop, np.zeros(1))


def random_worths(shape: TurnShape, seed: int, layers: int = 1, limits: bool = False) -> Worths:
    """Random worths, whole numbers among them so that there are ties; `limits` on stopping."""
    rng = np.random.default_rng(seed)
    stop = rng.normal(size=(layers, 2, shape.totals)) * 3
    stop = np.where(rng.random(stop.shape) < 0.5, np.round(stop), stop)
    may_stop = rng.random(stop.shape) < 0.5 if limits else None
    return Worths(stop, rng.normal(size=layers), may_stop)
