"""Solved turns: choices with their values, and the chances of how the turn will end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import fsum
from typing import Final, NamedTuple, TypeVar

import numpy as np

from heckmeck.rules import AnyGame, AnyState, Ending, Move, word
from heckmeck.rules.dice import Dice, Face
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import BUST, REROLL, ROLL, ROLL_GOLDEN, STOP, Throw
from heckmeck.rules.turn import Turn, pickable
from heckmeck.solver import kernel
from heckmeck.solver.kernel import TIE, Arrays, Bools, Floats, Shares
from heckmeck.solver.positions import FAILURE, EndingValue, Position, Value, endings_at, ends_of
from heckmeck.solver.tables import FAIL, FIRST_ENDED, Kept, Tables, TurnState, start, totals_of
from heckmeck.wire.coach import WeighedMove

#: Turns shared out at once: as many as fit into the processor's second-level cache.
SHARED_AT_ONCE: Final = 32

S = TypeVar("S")
T = TypeVar("T")


class EndValues(NamedTuple):
    """The values of the ends of turns: any finite numbers.

    The axes are position, layer (0 until a double 1), worm (is one among the kept dice?), total.
    """

    stop: Floats
    """[position, layer, worm, total]: the turn ends with these dice kept."""
    fail: Floats
    """[position, layer]: the attempt fails by a dead throw."""
    may_stop: Bools
    """[position, layer, worm, total]: if false, the player must go on, and a turn that ends there
    automatically (no die left in hand) has the value `fail`."""

    @classmethod
    def of(cls, stop: Floats, fail: Floats, may_stop: Bools | None = None) -> EndValues:
        """Return the values in the kernel's format; without ``may_stop`` one may always stop."""
        return cls(
            np.ascontiguousarray(stop, dtype=np.float64),
            np.ascontiguousarray(fail, dtype=np.float64),
            np.ones(np.shape(stop), np.bool_)
            if may_stop is None
            else np.ascontiguousarray(may_stop, dtype=np.bool_),
        )


def ends_by_rules(positions: Sequence[Position], value: EndingValue) -> EndValues:
    """Return the values of the ends of turns of one kind, ending by ending."""
    first = positions[0]
    size = (len(positions), len(first.tables), 2, totals_of(first.game))
    may_stop = np.empty(size, np.bool_)
    values = np.empty((*size[:2], 1 + 2 * size[3]))
    for number, position in enumerate(positions):
        for layer, table in enumerate(position.tables):
            endings = ends_of(position, layer)
            values[number, layer] = value.endings(position.start, table, position.seat, endings)
            may_stop[number, layer] = np.reshape(first.game.stops(endings[1:]), size[2:])
    return EndValues.of(values[..., 1:].reshape(size), values[..., 0], may_stop)


class Choice(NamedTuple):
    """A choice, its value, and where it leads in the kernel's terms."""

    move: Move
    value: float
    rolling: bool
    """Whether it leads to a throw."""
    place: tuple[int, int, int]
    """Copy, layer, and a state if rolling, otherwise a slot."""


class EndChances(NamedTuple):
    """The chances of the ends of a turn, which sum to 1."""

    stop: Floats
    """[layer, worm, total]"""
    fail: Floats
    """[layer]: a failed attempt, or an automatic end where stopping is not allowed."""


def best(choices: Sequence[Choice]) -> Choice:
    """The best choice: of those within `TIE` of the highest value, the first."""
    return choices[first_of_best([choice.value for choice in choices])]


def first_of_best(values: Sequence[float]) -> int:
    """The place of the first value within `TIE` of the highest."""
    highest = max(values) - TIE
    return next(place for place, value in enumerate(values) if value >= highest)


class _Option(NamedTuple):
    """A choice without its value: the same in all solutions."""

    move: Move
    rolling: bool
    number: int
    """A state if rolling, otherwise a slot."""


@lru_cache(maxsize=1 << 16)
def _options(
    tables: Tables, kept: Dice, dice: tuple[int, bool, int], throw: tuple[Dice, Face | None] | None
) -> tuple[_Option, ...]:
    """Return the options before a throw or after it, in the order of `Solution.choices`.

    ``dice`` are the white ones in hand, the golden one, and the total. Stopping is among the
    options even where it may not be allowed; throwing again with the weasel is not.
    """
    hand, golden, total = dice
    state = tables.state_of(Turn(hand, kept, total, golden))
    if throw is None:
        return _before_throw(tables, state)
    thrown, shown = throw
    if (len(thrown), shown is not None) != (hand, golden):
        raise ValueError(f"{thrown} is not a throw of the dice in hand in {state}.")
    faces = tables.game.dice.faces
    keeps = [
        (keep, Kept(faces.index(keep.face), thrown.count(keep.face), shown == keep.face))
        for keep in pickable(kept, thrown, shown)
    ]
    options = [_Option(keep, False, tables.kept_slot(state, each)) for keep, each in keeps]
    return tuple(options) or (_Option(BUST, False, tables.dead(state)),)


def _before_throw(tables: Tables, state: TurnState) -> tuple[_Option, ...]:
    if state not in tables.index:
        return ()
    options = [_Option(STOP, False, tables.stopped(state))] if state.kept else []
    options.append(_Option(ROLL, True, tables.index[state]))
    if tables.golden and not state.kept and not state.golden:
        with_golden = tables.state_of(start(tables.game, golden=True))
        options.append(_Option(ROLL_GOLDEN, True, tables.index[with_golden]))
    return tuple(options)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """The solved turn of one position: the value of every choice at every point. See `solve`."""

    tables: Tables
    arrays: Arrays
    values: Floats
    """[copy, layer, slot]; only layer 0 has twin slots, in others they are meaningless."""
    roll: Floats
    """[copy, layer, state]"""
    may_stop: Bools
    """[layer, worm, total]"""

    @property
    def start(self) -> Turn:
        """The turn before the first throw."""
        return start(self.tables.game)

    @property
    def value(self) -> float:
        """The value of the turn before the first throw."""
        return best(self.choices(self.start)).value

    def choices(self, turn: Turn, throw: Throw | None = None, layer: int = 0) -> list[Choice]:
        """All choices of the player before a throw or, with `throw`, after it.

        They are in the order that decides ties: stop, roll, roll:golden; keep (faces in order),
        bust, reroll. A turn that is over has none. After a double 1 the value of a keep is that of
        the best layer; `value_at` gives the value of each.
        """
        copy = self._copy(turn)
        return [
            Choice(move, value, rolling, (0 if move is REROLL else copy, layer, number))
            for (move, rolling, number), value in self._weighed(turn, throw, layer)
        ]

    def best_move(self, turn: Turn, throw: Throw | None = None) -> Move:
        """The move of the best of the `choices`, quicker."""
        weighed = self._weighed(turn, throw, 0)
        highest = max([value for _, value in weighed]) - TIE
        return next(option.move for option, value in weighed if value >= highest)

    def _weighed(self, turn: Turn, throw: Throw | None, layer: int) -> list[tuple[_Option, float]]:
        copy = self._copy(turn)
        values, roll = self.values[copy, layer], self.roll[copy, layer]
        options = _options(
            self.tables,
            turn.kept,
            (turn.hand, turn.golden, turn.total),
            None if throw is None else (throw.dice, throw.golden),
        )
        weighed = [
            (option, float((roll if option[1] else values)[option[2]])) for option in options
        ]
        if weighed and weighed[0][1] == -np.inf:  # one may not stop here
            del weighed[0]
        if copy and throw is not None:
            again = self.tables.index[self.tables.state_of(turn)]
            weighed.append((_Option(REROLL, True, again), float(self.roll[0, layer, again])))
        return weighed

    def value_at(self, turn: Turn, layer: int = 0) -> float:
        """The value of a turn by best play: before a throw, or at its end."""
        slot = self.tables.slot(self.tables.state_of(turn))
        return float(self.values[self._copy(turn), layer, slot])

    def arriving(self, move: Move, turn: Turn) -> Choice:
        """The choice of a move that leads to this point in the turn."""
        slot = self.tables.slot(self.tables.state_of(turn))
        return Choice(move, self.value_at(turn), False, (self._copy(turn), 0, slot))

    def endings(self, choice: Choice) -> EndChances:
        """The chances of the ends after a choice, by best play from there."""
        chance, rolling = np.zeros_like(self.values), np.zeros_like(self.roll)
        (rolling if choice.rolling else chance)[choice.place] = 1.0
        kernel.play_best(self.arrays, self.values, self.roll, chance, rolling)
        return self._collect(chance[..., : self.tables.first_state].sum(axis=0))

    def end_values(self) -> Floats:
        """The values of the ends: [layer, end], in the order of `positions.ends_of`."""
        ended = self.values[0, :, FIRST_ENDED : self.tables.first_stopped]
        return np.concatenate([self.values[0, :, FAIL : FAIL + 1], ended], axis=1)

    def _copy(self, turn: Turn) -> int:
        """1 while the weasel may still be used."""
        return 0 if turn.weasel_used else len(self.roll) - 1

    def _collect(self, chance: Floats) -> EndChances:
        """Sum up [layer, slot] by ends; states are not among these slots."""
        tables = self.tables
        ends = (len(chance), 2, tables.totals)
        ended = chance[:, FIRST_ENDED : tables.first_stopped].reshape(ends)
        stopped = chance[:, tables.first_stopped : tables.first_state].reshape(ends)
        failed = np.where(self.may_stop, 0.0, ended)
        return EndChances(stopped + ended - failed, chance[:, FAIL] + failed.sum(axis=(1, 2)))


def solve_batch(
    game: AnyGame, ends: EndValues, *, weasel: bool = False, golden: bool = False
) -> list[Solution]:
    """Solve the turns of many positions at once, several times faster than one by one.

    `weasel`: the player may throw the dice again once. `golden`: the player may use the golden die
    in the first throw. With more than one layer in `ends`, keeping a double 1 leads from layer 0
    to the best of the others.
    """
    stop, fail, may_stop = ends
    _check(game, ends)
    positions, layers = fail.shape
    tables, arrays = kernel.arrays_for(game, golden, layers > 1)
    copies = 2 if weasel else 1
    slots = tables.slots * (2 if layers > 1 else 1)
    solutions = []
    for first in range(0, positions, kernel.BATCH):
        part = slice(first, first + kernel.BATCH)
        size = len(fail[part])
        values = np.empty((copies, layers, slots, size))
        roll = np.empty((copies, layers, len(tables.states), size))
        if not kernel.solve_turns(arrays, stop[part], may_stop[part], fail[part], values, roll):
            raise ValueError("The values of the ends of a turn must be finite numbers.")
        solutions += [
            Solution(
                tables,
                arrays,
                np.ascontiguousarray(values[..., i]),
                np.ascontiguousarray(roll[..., i]),
                may_stop[first + i],
            )
            for i in range(size)
        ]
    return solutions


def share_batch(solutions: Sequence[Solution], ends: Floats) -> list[Shares]:
    """Return what every place of each solution is worth, with a column for each seat.

    The ends of these solutions, which are of turns of one kind, are worth [solution, layer, end,
    seat], in the order of `heckmeck.solver.positions.ends_of`; the player plays as each solution
    says.
    """
    shares = []
    for first in range(0, len(solutions), SHARED_AT_ONCE):
        some = solutions[first : first + SHARED_AT_ONCE]
        value = np.stack([each.values for each in some], axis=3)
        roll = np.stack([each.roll for each in some], axis=3)
        own = np.stack([*ends[first : first + SHARED_AT_ONCE]], axis=3)
        columns = own.shape[2] * len(some)
        found = Shares(np.zeros((*value.shape[:3], columns)), np.zeros((*roll.shape[:3], columns)))
        kernel.share_turns(some[0].arrays, value, roll, own.reshape(*own.shape[:2], columns), found)
        shares += [
            Shares(found.value[..., i :: len(some)], found.roll[..., i :: len(some)])
            for i in range(len(some))
        ]
    return shares


def _check(game: AnyGame, ends: EndValues) -> None:
    """Raise ValueError if the values are not those of the ends of this game's turns."""
    stop, fail, may_stop = ends
    wanted = (*fail.shape, 2, totals_of(game))
    if fail.ndim != 2 or not fail.shape[1] or not stop.shape == may_stop.shape == wanted:
        raise ValueError(
            f"The values must have the axes position, layer, worm (2) and total "
            f"({totals_of(game)}); here stop has {stop.shape}, may_stop {may_stop.shape} "
            f"and fail {fail.shape}."
        )


# ------------------------------------------------------------------------------ turns at tables


@dataclass(frozen=True, slots=True, eq=False)
class SolvedTurn:
    """The solution of the turn at a table."""

    position: Position
    solution: Solution
    _ends: dict[tuple[bool, tuple[int, int, int]], EndChances] = field(
        default_factory=dict, repr=False
    )
    """The chances of the ends, by where a choice leads: computed once."""
    _endings: list[tuple[list[Ending], list[Ending]]] = field(default_factory=list, repr=False)

    def choices(self, state: AnyState) -> list[Choice]:
        """Return every legal move at a point in this turn with its value."""
        return self.solution.choices(state.turn, _throw(state))

    def best_move(self, state: AnyState) -> Move:
        """Return the best move at a point in this turn."""
        return self.solution.best_move(state.turn, _throw(state))

    def weighed(self, state: AnyState) -> list[WeighedMove]:
        """Return every legal move with its value by best play and the chance to fail, best first.

        To fail is to end the turn with nothing.
        """
        choices = self.choices(state)
        first = best(choices)
        ordered = sorted(choices, key=lambda choice: (choice is not first, -choice.value))
        return [WeighedMove(word(each.move), each.value, self._fail(each)) for each in ordered]

    def fail_at(self, turn: Turn) -> float:
        """Return the chance that the turn brings nothing, by best play from a point in it."""
        choices = self.solution.choices(turn)
        if choices:
            return self._fail(best(choices))
        game, (table, *_) = self.position.game, self.position.tables
        ending = game.ending(table, self.position.seat, turn.total, game.dice.worm in turn.kept)
        return float(isinstance(ending, Nothing))

    def _fail(self, choice: Choice) -> float:
        chances = self.endings(choice)
        nothing = fsum(p for ending, p in chances.items() if isinstance(ending, Nothing))
        return min(nothing, 1.0)

    def endings(self, choice: Choice) -> dict[Ending, float]:
        """Return the endings of the turn after a choice by best play, each with its chance."""
        ends = self._ends_after(choice)
        chances: dict[Ending, float] = {}
        for layer, by_worm in enumerate(self.all_endings()):
            _add(chances, FAILURE, float(ends.fail[layer]))
            for worm, endings in enumerate(by_worm):
                for ending, chance in zip(endings, ends.stop[layer, worm], strict=True):
                    _add(chances, ending, float(chance))
        return chances

    def all_endings(self) -> list[tuple[list[Ending], list[Ending]]]:
        """Return `positions.endings_at` of every layer, computed once."""
        if not self._endings:
            layers = range(len(self.position.tables))
            self._endings.extend(endings_at(self.position, layer) for layer in layers)
        return self._endings

    def end_chances(self, choice: Choice) -> Floats:
        """Return the chances of the ends: [layer, end], in the order of `positions.ends_of`."""
        stop, fail = self._ends_after(choice)
        return np.concatenate([fail[:, np.newaxis], stop.reshape(len(fail), -1)], axis=1)

    def _ends_after(self, choice: Choice) -> EndChances:
        place = choice.rolling, choice.place
        if place not in self._ends:
            self._ends[place] = self.solution.endings(choice)
        return self._ends[place]


def _throw(state: AnyState) -> Throw | None:
    return state.phase if isinstance(state.phase, Throw) else None


def _add(chances: dict[Ending, float], ending: Ending, chance: float) -> None:
    if chance:
        chances[ending] = chances.get(ending, 0.0) + chance


def solve_all(positions: Sequence[Position], value: Value) -> list[SolvedTurn]:
    """Solve many turns, those of one kind in one batch."""
    return in_groups(
        positions,
        lambda each: (each.game.edition, each.start.seats, each.kind),
        lambda alike: _solve_alike(alike, value),
    )


def _solve_alike(positions: Sequence[Position], value: Value) -> list[SolvedTurn]:
    positions = value.narrowed(positions)
    first = positions[0]
    ends = value.ends(positions)
    solutions = solve_batch(first.game, ends, weasel=first.weasel, golden=first.golden)
    return [SolvedTurn(*each) for each in zip(positions, solutions, strict=True)]


def in_groups(
    items: Sequence[S], key: Callable[[S], object], work: Callable[[Sequence[S]], Sequence[T]]
) -> list[T]:
    """Apply ``work`` to all items that have the same key at once; keep the order."""
    groups: dict[object, list[int]] = {}
    for index, item in enumerate(items):
        groups.setdefault(key(item), []).append(index)
    done: dict[int, T] = {}
    for indices in groups.values():
        done.update(zip(indices, work([items[index] for index in indices]), strict=True))
    return [done[index] for index in range(len(items))]
