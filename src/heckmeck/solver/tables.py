"""The turn as tables: its states, its throws, and which throw leads to which state.

Everything here depends only on the dice, not on the values of a turn's endings, so that it is
created once (`tables_for`) and shared by every solve. `heckmeck.solver.kernel` does the arithmetic.

A **state** is the moment before a throw: the faces kept, the white dice and perhaps the golden die
in hand, the total. The order of keeping does not matter, and in a throw all kept faces are
equivalent: none of them helps.

A **slot** is an index into the list of values that the kernel fills:

========================  ===================================================================
``IMPOSSIBLE``            no such choice; worth minus infinity
``FAIL``                  the failed attempt
``ended(worm, total)``    the turn ends automatically: no die left in hand
``stopped(worm, total)``  the player ends the turn
``first_state + i``       state ``i`` follows: stop or throw, whichever is better
========================  ===================================================================

If Bratworms for a double 1 create layers, each slot has a twin, ``slot + slots``: the same place,
but in the best of the layers that the double 1 leads to.

A **lane** is one state with one showing golden die; a state without the golden die in hand is one
lane. Lanes whose throws have the same chances form a **group** and share one **tree** of throws,
so the kernel works on all of them side by side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from math import factorial, prod
from typing import Final, NamedTuple

IMPOSSIBLE: Final = 0
FAIL: Final = 1
FIRST_ENDED: Final = 2


@dataclass(frozen=True, slots=True)
class TurnShape:
    """The dice of an edition and the course of its turns, without the values of endings.

    Faces are numbered by their place in `faces`; a set of faces is a bit mask.
    """

    faces: str
    weights: tuple[int, ...]
    """The number of sides of a white die that show each face."""
    points: tuple[int, ...]
    worm: int
    """The face that is the worm."""
    dice: int
    """The number of white dice at the start of a turn."""
    golden_weights: tuple[int, ...] | None = None
    """The number of sides of the golden die that show each face; None if there is no such die."""
    ones: int | None = None
    """The face that earns a Bratworm when two or more are kept at once."""
    dead_is_stop: bool = False
    """A dead throw ends the turn with the dice kept, instead of failing it."""
    all_faces_end: bool = False
    """The turn ends automatically when every face is kept."""

    def __post_init__(self) -> None:
        sizes = {len(self.faces), len(self.weights), len(self.points)}
        if self.golden_weights is not None:
            sizes.add(len(self.golden_weights))
        if len(sizes) > 1:
            raise ValueError(
                f"Every face needs its weight and its points: faces {self.faces!r}, "
                f"weights {self.weights}, points {self.points}, golden {self.golden_weights}."
            )
        if min(self.weights) < 1 or min(self.points) < 0 or self.dice < 1:
            raise ValueError("A turn needs a die, weights of 1 or more and points of 0 or more.")

    @property
    def all_faces(self) -> int:
        """The set of all faces."""
        return (1 << len(self.faces)) - 1

    @property
    def totals(self) -> int:
        """The number of totals: 0 to the highest, golden die included."""
        golden = 0 if self.golden_weights is None else 1
        return (self.dice + golden) * max(self.points) + 1


class State(NamedTuple):
    """The moment before a throw, or the end of the turn if nothing is left to throw."""

    kept: int
    """The set of kept faces."""
    dice: int
    """White dice in hand."""
    golden: bool
    """The golden die is in hand."""
    total: int


def start(shape: TurnShape, golden: bool = False) -> State:
    """The state before the first throw, with or without the golden die."""
    return State(0, shape.dice, golden, 0)


def is_over(shape: TurnShape, state: State) -> bool:
    """The turn ends here automatically."""
    if state.dice == 0 and not state.golden:
        return True
    return shape.all_faces_end and state.kept == shape.all_faces


def keep(shape: TurnShape, state: State, face: int, dice: int, golden: bool) -> State:
    """Set aside `dice` white dice showing `face`, and the golden die if it shows it too."""
    return State(
        state.kept | 1 << face,
        state.dice - dice,
        state.golden and not golden,
        state.total + (dice + golden) * shape.points[face],
    )


def open_faces(shape: TurnShape, state: State) -> list[int]:
    """The faces not kept yet, in order."""
    return [face for face in range(len(shape.faces)) if not state.kept >> face & 1]


def reachable(shape: TurnShape, golden: bool) -> set[State]:
    """Every reachable state and end of a turn."""
    found = {start(shape)} | ({start(shape, golden=True)} if golden else set())
    ahead = list(found)
    while ahead:
        state = ahead.pop()
        if is_over(shape, state):
            continue
        for child in _children(shape, state):
            if child not in found:
                found.add(child)
                ahead.append(child)
    return found


def _children(shape: TurnShape, state: State) -> Iterator[State]:
    for face in open_faces(shape, state):
        for dice in range(1, state.dice + 1):
            yield keep(shape, state, face, dice, golden=False)
        if state.golden and shape.golden_weights and shape.golden_weights[face]:
            for dice in range(state.dice + 1):
                yield keep(shape, state, face, dice, golden=True)


class Throw(NamedTuple):
    """What the chances of a throw depend on: lanes with the same `Throw` share a tree.

    A row is a possible keep: `row(place, dice)` is that many white dice of one of the open faces,
    and the golden die if it shows that face.
    """

    dice: int
    """White dice thrown."""
    weights: tuple[int, ...]
    """The weights of the open faces."""
    kept_weight: int
    """The weight of all kept faces together."""
    golden_first: bool
    """The golden die shows the first open face: it can be kept even without a white die."""

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.weights) * self.dice + self.golden_first

    def row(self, place: int, dice: int) -> int:
        """The number of a row, counting from 1; 0 if there is nothing to keep."""
        if dice:
            return place * self.dice + dice
        return self.rows if self.golden_first and place == 0 else 0

    def chance(self, counts: tuple[int, ...]) -> float:
        """The chance of these numbers of open faces, correctly rounded."""
        rest = self.dice - sum(counts)
        ways = factorial(self.dice) // prod(map(factorial, (*counts, rest)))
        weights = (*self.weights, self.kept_weight)
        shown = prod(prod([w] * c) for w, c in zip(weights, (*counts, rest), strict=True))
        return ways * shown / prod([sum(weights)] * self.dice)


class Node(NamedTuple):
    """One throw in the tree: its parent's throw with one more face showing.

    So the best keep is ``best[depth] = max(best[depth - 1], row)``, where `best[depth - 1]` is the
    parent's, whose node was the last one before it at that depth.
    """

    depth: int
    """The number of open faces that show."""
    place: int
    """The open face that shows here but not in the parent."""
    row: int
    """All dice of that face."""
    chance: float
    """The chance of this throw, all other dice showing kept faces."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All throws of one kind, ordered so that those with the same prefix share their work."""

    throw: Throw
    nodes: tuple[Node, ...]
    dead: float
    """The chance that no open face shows; that throw has no node."""

    @property
    def outcomes(self) -> int:
        """The number of different throws."""
        return sum(node.chance > 0 for node in self.nodes) + (self.dead > 0)


@lru_cache(maxsize=1024)
def grow(throw: Throw) -> Tree:
    """Create the tree of a kind of throw, shared by turns with the golden die or more layers."""
    places = len(throw.weights)

    def below(counts: tuple[int, ...], depth: int) -> Iterator[Node]:
        """The throws that add to `counts`, the numbers of the first faces, some later face."""
        for place in range(len(counts), places):
            skipped = (0,) * (place - len(counts))
            for dice in range(throw.dice - sum(counts) + 1):
                if row := throw.row(place, dice):
                    yield from at((*counts, *skipped, dice), depth + 1, row)
            if throw.golden_first and place == 0:
                return  # the golden die's face shows in every throw

    def at(counts: tuple[int, ...], depth: int, row: int) -> Iterator[Node]:
        chance = throw.chance(counts + (0,) * (places - len(counts)))
        later = tuple(below(counts, depth))
        if chance or later:
            yield Node(depth, len(counts) - 1, row, chance)
            yield from later

    dead = 0.0 if throw.golden_first else throw.chance((0,) * places)
    return Tree(throw, tuple(below((), 0)), dead)


class Lane(NamedTuple):
    """One state with one showing golden die, ready to be grouped with similar ones."""

    state: State
    places: tuple[int, ...]
    """The open faces in the order of the tree's places."""
    throw: Throw
    chance: float
    """The chance of what the golden die shows; 1 without it."""


def lanes_of(shape: TurnShape, state: State) -> Iterator[Lane]:
    """The lanes of a state: their chances sum to 1."""
    faces = open_faces(shape, state)
    if state.golden and shape.golden_weights is not None:
        sides = sum(shape.golden_weights)
        for face in faces:
            if shape.golden_weights[face]:
                yield _lane(shape, state, face, shape.golden_weights[face] / sides)
        kept_sides = sides - sum(shape.golden_weights[face] for face in faces)
        if kept_sides:
            yield _lane(shape, state, None, kept_sides / sides)
    else:
        yield _lane(shape, state, None, 1.0)


def _lane(shape: TurnShape, state: State, golden: int | None, chance: float) -> Lane:
    places = sorted(open_faces(shape, state), key=lambda face: (face != golden, face))
    weights = tuple(shape.weights[face] for face in places)
    kept_weight = sum(shape.weights) - sum(weights)
    throw = Throw(state.dice, weights, kept_weight, golden_first=golden is not None)
    return Lane(state, tuple(places), throw, chance)


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes that share a tree, those with a kept 1 first (no others exist once it made a layer)."""

    tree: Tree
    lanes: tuple[Lane, ...]
    with_ones: int
    """The number of lanes with a kept 1."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything the kernel needs to know about a turn. Created by `tables_for`."""

    shape: TurnShape
    golden: bool
    """The golden die may be thrown."""
    layered: bool
    """A double 1 changes the layer."""
    states: tuple[State, ...]
    """The states with something to throw, those with fewest dice in hand first."""
    stages: tuple[tuple[Group, ...], ...]
    """The groups by number of dice in hand, golden die included, from 1 up."""
    index: dict[State, int] = field(repr=False)
    """The index of a state in `states`."""
    ends: frozenset[State] = field(repr=False)
    """The states in which the turn ends automatically."""

    @cached_property
    def first_stopped(self) -> int:
        """The slot of stopping with total 0 and without a worm."""
        return FIRST_ENDED + 2 * self.shape.totals

    @cached_property
    def first_state(self) -> int:
        """The slot of the first state."""
        return FIRST_ENDED + 4 * self.shape.totals

    @cached_property
    def slots(self) -> int:
        """The number of slots, not counting twins."""
        return self.first_state + len(self.states)

    @property
    def outcomes(self) -> int:
        """The number of different throws in all states with an open face."""
        return sum(
            len(group.lanes) * group.tree.outcomes
            for stage in self.stages
            for group in stage
            if group.tree.throw.weights
        )

    def worm(self, state: State) -> int:
        """1 if a worm is among the kept dice, otherwise 0."""
        return state.kept >> self.shape.worm & 1

    def ended(self, state: State) -> int:
        """The slot of the turn ending automatically in this state."""
        return FIRST_ENDED + self.worm(state) * self.shape.totals + state.total

    def stopped(self, state: State) -> int:
        """The slot of stopping in this state; not before the first keep."""
        if not state.kept:
            return IMPOSSIBLE
        return self.first_stopped + self.worm(state) * self.shape.totals + state.total

    def dead(self, state: State) -> int:
        """The slot of a dead throw in this state."""
        return self.ended(state) if self.shape.dead_is_stop else FAIL

    def slot(self, state: State) -> int:
        """The slot of arriving in this state."""
        if state in self.ends:
            return self.ended(state)
        return self.first_state + self.index[state]

    def kept_slot(self, state: State, face: int, dice: int, golden: bool) -> int:
        """The slot of keeping `face` in this state: a twin if that is a double 1."""
        twin = self.layered and face == self.shape.ones and dice + golden >= 2
        return self.slot(keep(self.shape, state, face, dice, golden)) + twin * self.slots

    def row_slots(self, lane: Lane) -> list[int]:
        """The slots that the rows of the lane's tree stand for, in order."""
        golden = lane.places[0] if lane.throw.golden_first else None
        slots = [
            self.kept_slot(lane.state, face, dice, face == golden)
            for face in lane.places
            for dice in range(1, lane.state.dice + 1)
        ]
        if golden is not None:
            slots.append(self.kept_slot(lane.state, golden, 0, golden=True))
        return slots


@lru_cache(maxsize=32)
def tables_for(shape: TurnShape, golden: bool = False, layered: bool = False) -> Tables:
    """The tables of a shape: with the golden die or without, with twin slots or without.

    >>> from heckmeck.solver.tables import TurnShape, tables_for
    >>> one_die = TurnShape("1W", (5, 1), (1, 5), worm=1, dice=1)
    >>> tables_for(one_die).states
    (State(kept=0, dice=1, golden=False, total=0),)
    """
    if golden and shape.golden_weights is None:
        raise ValueError(f"The dice {shape.faces!r} have no golden die.")
    if layered and shape.ones is None:
        raise ValueError(f"The dice {shape.faces!r} have no face that makes layers.")
    if layered:
        return replace(tables_for(shape, golden), layered=True)
    found = reachable(shape, golden)
    ends = frozenset(state for state in found if is_over(shape, state))
    states = tuple(sorted(found - ends, key=lambda state: (state.dice + state.golden, state)))
    index = {state: i for i, state in enumerate(states)}
    return Tables(shape, golden, layered, states, _stages(shape, states), index, ends)


def _stages(shape: TurnShape, states: tuple[State, ...]) -> tuple[tuple[Group, ...], ...]:
    by_size: dict[int, dict[Throw, list[Lane]]] = defaultdict(lambda: defaultdict(list))
    for state in states:
        for lane in lanes_of(shape, state):
            by_size[state.dice + state.golden][lane.throw].append(lane)
    return tuple(
        tuple(_group(shape, throw, lanes) for throw, lanes in sorted(by_size[size].items()))
        for size in sorted(by_size)
    )


def _group(shape: TurnShape, throw: Throw, lanes: list[Lane]) -> Group:
    def has_ones(lane: Lane) -> bool:
        return shape.ones is not None and bool(lane.state.kept >> shape.ones & 1)

    ordered = sorted(lanes, key=has_ones, reverse=True)
    return Group(grow(throw), tuple(ordered), sum(map(has_ones, ordered)))
