"""The results of the kernel: choices with their values, and chances of the ends of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np

from heckmeck.solver.kernel import (
    BATCH,
    TIE,
    Arrays,
    Bools,
    Floats,
    arrays_for,
    play_best,
    solve_turns,
)
from heckmeck.solver.tables import FAIL, FIRST_ENDED, State, Tables, TurnShape, start


@dataclass(frozen=True, slots=True, eq=False)
class Worths:
    """The values of the ends of a turn: any finite numbers.

    The axes are layer (0 until a double 1), worm (is one among the kept dice?) and total;
    `solve_batch` expects one for the position in front of them.
    """

    stop: Floats
    """[layer, worm, total]: the turn ends with these dice kept."""
    fail: Floats
    """[layer]: the attempt fails by a dead throw."""
    may_stop: Bools | None = None
    """[layer, worm, total]: if false, the player must go on, and a turn that ends there
    automatically (no die left in hand) has the value `fail`. None: the player may always stop."""


class Kind(Enum):
    """The kinds of choices."""

    STOP = "stop"
    ROLL = "roll"
    ROLL_GOLDEN = "roll:golden"
    KEEP = "keep"
    BUST = "bust"
    REROLL = "reroll"


class Point(NamedTuple):
    """A point within a turn: a state, its layer, and whether the weasel may still be used."""

    state: State
    layer: int = 0
    weasel: bool = False


class Thrown(NamedTuple):
    """Dice just thrown."""

    dice: tuple[int, ...]
    """The number of white dice that show each face."""
    golden: int | None = None
    """The face of the golden die, if it was thrown."""


class Place(NamedTuple):
    """Where a choice leads, in the kernel's terms."""

    weasel: bool
    layer: int
    rolling: bool
    number: int
    """A state if rolling, otherwise a slot."""


class Choice(NamedTuple):
    """A choice and its value."""

    kind: Kind
    face: int | None
    """The face to keep, if that is the choice."""
    worth: float
    leads_to: Place


class Endings(NamedTuple):
    """The chances of the ends of a turn, which sum to 1."""

    stop: Floats
    """[layer, worm, total]"""
    fail: Floats
    """[layer]: a failed attempt, or an automatic end where stopping is not allowed."""


def best(choices: Sequence[Choice]) -> Choice:
    """The best choice: of those within `TIE` of the highest value, the first."""
    highest = max(choice.worth for choice in choices)
    return next(choice for choice in choices if choice.worth >= highest - TIE)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The solved turn of one position: the value of every choice at every point. See `solve`."""

    tables: Tables
    arrays: Arrays
    worth: Floats
    """[copy, layer, slot]; only layer 0 has twin slots, in others they are meaningless."""
    roll: Floats
    """[copy, layer, state]"""
    may_stop: Bools
    """[layer, worm, total]"""

    @property
    def start(self) -> Point:
        """The point before the first throw."""
        return Point(start(self.tables.shape), 0, len(self.roll) > 1)

    @property
    def value(self) -> float:
        """The value of the turn before the first throw."""
        return best(self.choices(self.start)).worth

    def choices(self, point: Point, thrown: Thrown | None = None) -> list[Choice]:
        """All choices of the player before a throw or, with `thrown`, after it.

        They are in the order that decides ties: stop, roll, roll:golden; keep (faces in order),
        bust, reroll. A turn that is over has none. After a double 1 the value of a keep is that of
        the best layer; `worth_at` gives the value of each.
        """
        self._check(point)
        if thrown is not None:
            return self._after_throw(point, thrown)
        if point.state in self.tables.ends:
            return []
        return self._before_throw(point)

    def worth_at(self, point: Point) -> float:
        """The value of a point by best play: before a throw, or at the end of the turn."""
        self._check(point)
        return float(self.worth[int(point.weasel), point.layer, self.tables.slot(point.state)])

    def endings(self, choice: Choice) -> Endings:
        """The chances of the ends after a choice, by best play from there."""
        place = choice.leads_to
        worth, roll = np.ascontiguousarray(self.worth), np.ascontiguousarray(self.roll)
        chance, rolling = np.zeros_like(worth), np.zeros_like(roll)
        (rolling if place.rolling else chance)[int(place.weasel), place.layer, place.number] = 1.0
        play_best(self.arrays, worth, roll, chance, rolling)
        return self._collect(chance.sum(axis=0))

    def _before_throw(self, point: Point) -> list[Choice]:
        state, layer, weasel = point
        tables = self.tables
        choices = []
        if state.kept and self.may_stop[layer, tables.worm(state), state.total]:
            stop = Place(weasel, layer, False, tables.stopped(state))
            choices.append(self._choice(Kind.STOP, stop))
        roll = Place(weasel, layer, True, tables.index[state])
        choices.append(self._choice(Kind.ROLL, roll))
        if tables.golden and state == start(tables.shape):
            golden = tables.index[start(tables.shape, golden=True)]
            choices.append(self._choice(Kind.ROLL_GOLDEN, roll._replace(number=golden)))
        return choices

    def _after_throw(self, point: Point, thrown: Thrown) -> list[Choice]:
        state, layer, weasel = point
        if (sum(thrown.dice), thrown.golden is not None) != (state.dice, state.golden):
            raise ValueError(f"{thrown} is not a throw of the dice in hand in {state}.")
        choices = []
        for face, dice in enumerate(thrown.dice):
            golden = thrown.golden == face
            if (dice or golden) and not state.kept >> face & 1:
                slot = self.tables.kept_slot(state, face, dice, golden)
                choices.append(self._choice(Kind.KEEP, Place(weasel, layer, False, slot), face))
        if not choices:
            dead = Place(weasel, layer, False, self.tables.dead(state))
            choices.append(self._choice(Kind.BUST, dead))
        if weasel:
            again = Place(False, layer, True, self.tables.index[state])
            choices.append(self._choice(Kind.REROLL, again))
        return choices

    def _choice(self, kind: Kind, place: Place, face: int | None = None) -> Choice:
        worths = self.roll if place.rolling else self.worth
        worth = float(worths[int(place.weasel), place.layer, place.number])
        return Choice(kind, face, worth, place)

    def _check(self, point: Point) -> None:
        """Raise ValueError if the turn cannot reach this point."""
        state, layer, weasel = point
        copies, layers, _ = self.roll.shape
        shape = self.tables.shape
        if state not in self.tables.index and state not in self.tables.ends:
            raise ValueError(f"{state}: no turn with the dice {shape.faces!r} gets there.")
        if weasel and copies == 1:
            raise ValueError(f"{point}: the turn was solved without the weasel.")
        if not 0 <= layer < layers:
            raise ValueError(f"{point}: the turn was solved with {layers} layers, 0 is the first.")
        if layer and shape.ones is not None and not state.kept >> shape.ones & 1:
            face = shape.faces[shape.ones]
            raise ValueError(f"{point}: a layer above 0 needs a kept {face}.")

    def _collect(self, chance: Floats) -> Endings:
        """Sum up [layer, slot] by ends."""
        tables = self.tables
        ends = (len(chance), 2, tables.shape.totals)
        ended = chance[:, FIRST_ENDED : tables.first_stopped].reshape(ends)
        stopped = chance[:, tables.first_stopped : tables.first_state].reshape(ends)
        failed = np.where(self.may_stop, 0.0, ended)
        return Endings(stopped + ended - failed, chance[:, FAIL] + failed.sum(axis=(1, 2)))


def solve(
    shape: TurnShape, worths: Worths, *, weasel: bool = False, golden: bool = False
) -> Solution:
    """Solve the turn of one position.

    `weasel`: the player may throw the dice again once. `golden`: the player may use the golden die
    in the first throw. With more than one layer in `worths`, keeping a double 1 leads from layer 0
    to the best of the others.
    """
    may_stop = None if worths.may_stop is None else worths.may_stop[np.newaxis]
    batch = Worths(worths.stop[np.newaxis], worths.fail[np.newaxis], may_stop)
    return solve_batch(shape, batch, weasel=weasel, golden=golden)[0]


def solve_batch(
    shape: TurnShape, worths: Worths, *, weasel: bool = False, golden: bool = False
) -> list[Solution]:
    """Solve the turns of many positions at once: like `solve`, but several times faster."""
    stop, may_stop, fail = _checked(shape, worths)
    positions, layers = fail.shape
    tables, arrays = arrays_for(shape, golden, layers > 1)
    copies = 2 if weasel else 1
    slots = tables.slots * (2 if layers > 1 else 1)
    solutions = []
    for first in range(0, positions, BATCH):
        part = slice(first, first + BATCH)
        size = len(fail[part])
        worth = np.empty((copies, layers, slots, size))
        roll = np.empty((copies, layers, len(tables.states), size))
        if not solve_turns(arrays, stop[part], may_stop[part], fail[part], worth, roll):
            raise ValueError("The values of the ends of a turn must be finite numbers.")
        solutions += [
            Solution(tables, arrays, worth[..., i], roll[..., i], may_stop[first + i])
            for i in range(size)
        ]
    return solutions


def _checked(shape: TurnShape, worths: Worths) -> tuple[Floats, Bools, Floats]:
    """Return the values in the kernel's format, or raise ValueError."""
    stop = np.ascontiguousarray(worths.stop, dtype=np.float64)
    fail = np.ascontiguousarray(worths.fail, dtype=np.float64)
    if worths.may_stop is None:
        may_stop = np.ones(stop.shape, dtype=np.bool_)
    else:
        may_stop = np.ascontiguousarray(worths.may_stop, dtype=np.bool_)
    wanted = (*fail.shape, 2, shape.totals)
    if fail.ndim != 2 or not fail.shape[1] or not stop.shape == may_stop.shape == wanted:
        raise ValueError(
            f"The values must have the axes (position,) layer, worm (2) and total "
            f"({shape.totals}); here stop has {stop.shape}, may_stop {may_stop.shape} "
            f"and fail {fail.shape}."
        )
    return stop, may_stop, fail
