"""The turn as tables: its states, its throws, and which throw leads to which state.

Everything here depends only on the dice, not on the values of a turn's endings, so that it is
created once (`tables_for`) and shared by every solve. `heckmeck.solver.kernel` does the arithmetic.
What may be kept, when a turn is over and what a keep earns is asked of the rules.

A **state** is the moment before a throw: the faces kept, the white dice and perhaps the golden die
in hand, the total. The order of keeping does not matter, and in a throw all kept faces are
equivalent: none of them helps.

A **slot** is an index into the list of values that the kernel fills:

========================  ===================================================================
``IMPOSSIBLE``            no such choice; its value is minus infinity
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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from math import factorial, prod
from typing import Final, NamedTuple

from heckmeck.rules import AnyGame
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.dice import Dice, Face
from heckmeck.rules.events import BratwormEarned
from heckmeck.rules.moves import KEEP, Throw
from heckmeck.rules.state import State
from heckmeck.rules.turn import Turn, pickable

IMPOSSIBLE: Final = 0
FAIL: Final = 1
FIRST_ENDED: Final = 2


class TurnState(NamedTuple):
    """The moment before a throw, or the end of the turn if nothing is left to throw.

    Turns with the same state have the same future: what is kept matters only as a set of faces.
    """

    kept: int
    """The set of kept faces, a bit for each place in the dice's ``faces``."""
    dice: int
    """White dice in hand."""
    golden: bool
    """The golden die is in hand."""
    total: int


class Kept(NamedTuple):
    """What is set aside at once: white dice of one face, and the golden die if it shows it too."""

    face: int
    dice: int
    golden: bool


def state_of(game: AnyGame, turn: Turn, more: int = 0) -> TurnState:
    """Return the state of a turn, with ``more`` points."""
    return TurnState(_faces(game.dice.faces, turn.kept), turn.hand, turn.golden, turn.total + more)


@lru_cache(maxsize=1 << 14)
def _faces(faces: str, dice: Dice) -> int:
    return sum(1 << faces.index(face) for face in set(dice))


def start(game: AnyGame, golden: bool = False) -> Turn:
    """Return the turn before the first throw, with or without the golden die."""
    return Turn(game.dice.count, golden=golden)


def totals_of(game: AnyGame) -> int:
    """Return the number of totals: 0 to the highest, golden die included."""
    return (game.dice.count + game.has_golden_die) * max(game.dice.points) + 1


@cache
def earns_bratworm(game: AnyGame, face: Face, count: int) -> bool:
    """Whether keeping this many dice of a face at once earns a Bratworm at a fresh table."""
    table = game.initial(game.players[0]).table
    thrown = State(table, 0, Turn(count + 1), Throw(face * count))
    events = game.apply(thrown, KEEP[face]).events
    return any(isinstance(event, BratwormEarned) for event in events)


@cache
def bratworm_faces(game: AnyGame) -> int:
    """Return the set of faces that can earn a Bratworm."""
    counts = range(1, game.dice.count + game.has_golden_die + 1)
    return sum(
        1 << number
        for number, face in enumerate(game.dice.faces)
        if any(earns_bratworm(game, face, count) for count in counts)
    )


@cache
def _shown(face: Face, hand: int, golden: bool) -> list[tuple[int, bool, Throw]]:
    """Return every number of white dice that can show a face, and the golden die, as throws."""
    return [
        (dice, shows, Throw(face * dice, face if shows else None))
        for shows in sorted({False, golden and face in GOLDEN_DIE.faces})
        for dice in range(0 if shows else 1, hand + 1)
    ]


def open_faces(game: AnyGame, turn: Turn) -> list[int]:
    """Return the faces that may still be kept."""
    faces = enumerate(game.dice.faces)
    return [number for number, face in faces if pickable(turn.kept, face, None)]


def _form(turn: Turn) -> Turn:
    """Return the turn with each kept face once and no points: what its choices depend on.

    Far fewer turns differ in this than in their totals, so the rules are asked less often.
    """
    return Turn(turn.hand, "".join(dict.fromkeys(turn.kept)), 0, turn.golden)


@lru_cache(maxsize=1 << 12)
def _keeps(game: AnyGame, form: Turn) -> dict[Kept, tuple[TurnState, Turn]]:
    """Return everything that can be set aside, each with the state and the form after it.

    A throw matters to a keep only by the dice that show its face.
    """
    if game.turn_is_complete(form):
        return {}
    faces, points = game.dice.faces, game.dice.points
    keeps = {
        Kept(number, dice, golden): form.keep(faces[number], throw, points[number])
        for number in open_faces(game, form)
        for dice, golden, throw in _shown(faces[number], form.hand, form.golden)
    }
    after = {kept: (_form(turn), turn.total) for kept, turn in keeps.items()}
    return {kept: (state_of(game, *then), then[0]) for kept, then in after.items()}


@lru_cache(maxsize=32)
def reachable(game: AnyGame, golden: bool) -> dict[TurnState, Turn]:
    """Return every reachable state and end of a turn, each with its form."""
    totals = {start(game, with_golden): {0} for with_golden in {False, golden}}
    for size in range(game.dice.count + golden, 0, -1):
        for form in [each for each in totals if each.hand + each.golden == size]:
            for then, after in _keeps(game, form).values():
                reached = [total + then.total for total in totals[form]]
                totals.setdefault(after, set()).update(reached)
    return {
        state_of(game, form, total): form for form, reached in totals.items() for total in reached
    }


class ThrowKind(NamedTuple):
    """What the chances of a throw depend on: lanes of the same kind share a tree.

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

    kind: ThrowKind
    nodes: tuple[Node, ...]
    dead: float
    """The chance that no open face shows; that throw has no node."""


@lru_cache(maxsize=1024)
def grow(kind: ThrowKind) -> Tree:
    """Create the tree of a kind of throw, shared by turns with the golden die or more layers."""
    places = len(kind.weights)

    def below(counts: tuple[int, ...], depth: int) -> Iterator[Node]:
        """The throws that add to `counts`, the numbers of the first faces, some later face."""
        for place in range(len(counts), places):
            skipped = (0,) * (place - len(counts))
            for dice in range(kind.dice - sum(counts) + 1):
                if row := kind.row(place, dice):
                    yield from at((*counts, *skipped, dice), depth + 1, row)
            if kind.golden_first and place == 0:
                return  # the golden die's face shows in every throw

    def at(counts: tuple[int, ...], depth: int, row: int) -> Iterator[Node]:
        chance = kind.chance(counts + (0,) * (places - len(counts)))
        later = tuple(below(counts, depth))
        if chance or later:
            yield Node(depth, len(counts) - 1, row, chance)
            yield from later

    dead = 0.0 if kind.golden_first else kind.chance((0,) * places)
    return Tree(kind, tuple(below((), 0)), dead)


class Lane(NamedTuple):
    """One state with one showing golden die, ready to be grouped with similar ones."""

    state: TurnState
    places: tuple[int, ...]
    """The open faces in the order of the tree's places."""
    kind: ThrowKind
    chance: float
    """The chance of what the golden die shows; 1 without it."""


def lanes_of(game: AnyGame, state: TurnState, form: Turn) -> list[Lane]:
    """The lanes of a state: their chances sum to 1."""
    return [Lane(state, *each) for each in _throws(game, form)]


@lru_cache(maxsize=1 << 12)
def _throws(game: AnyGame, form: Turn) -> list[tuple[tuple[int, ...], ThrowKind, float]]:
    """The places, kind and chance of each lane of a state of this form."""
    faces = open_faces(game, form)
    if not form.golden:
        return [_throw(game, form, faces, None, 1.0)]
    sides = dict(zip(GOLDEN_DIE.faces, GOLDEN_DIE.sides, strict=True))
    shown = {face: sides[game.dice.faces[face]] for face in faces if game.dice.faces[face] in sides}
    rest = GOLDEN_DIE.sides_in_all - sum(shown.values())
    lanes = [*shown.items(), *([(None, rest)] if rest else [])]
    return [_throw(game, form, faces, face, n / GOLDEN_DIE.sides_in_all) for face, n in lanes]


def _throw(
    game: AnyGame, form: Turn, faces: list[int], golden: int | None, chance: float
) -> tuple[tuple[int, ...], ThrowKind, float]:
    places = sorted(faces, key=lambda face: (face != golden, face))
    weights = tuple(game.dice.sides[face] for face in places)
    kept_weight = game.dice.sides_in_all - sum(weights)
    kind = ThrowKind(form.hand, weights, kept_weight, golden_first=golden is not None)
    return tuple(places), kind, chance


@dataclass(frozen=True, slots=True)
class Group:
    """Lanes that share a tree; those that can be in a layer above 0 come first."""

    tree: Tree
    lanes: tuple[Lane, ...]
    with_bratworm: int
    """The number of lanes in which a face that can earn a Bratworm is kept."""


@dataclass(frozen=True, eq=False)
class Tables:
    """Everything the kernel needs to know about a turn. Created by `tables_for`."""

    game: AnyGame
    golden: bool
    """The golden die may be thrown."""
    layered: bool
    """A double 1 changes the layer."""
    states: tuple[TurnState, ...]
    """The states with something to throw, those with fewest dice in hand first."""
    stages: tuple[tuple[Group, ...], ...]
    """The groups by number of dice in hand, golden die included, from 1 up."""
    index: dict[TurnState, int] = field(repr=False)
    """The index of a state in `states`."""
    reached: dict[TurnState, Turn] = field(repr=False)
    """Those in `states`, and those in which the turn ends automatically, with their forms."""

    @cached_property
    def totals(self) -> int:
        """The number of totals."""
        return totals_of(self.game)

    @cached_property
    def first_stopped(self) -> int:
        """The slot of stopping with total 0 and without a worm."""
        return FIRST_ENDED + 2 * self.totals

    @cached_property
    def first_state(self) -> int:
        """The slot of the first state."""
        return FIRST_ENDED + 4 * self.totals

    @cached_property
    def slots(self) -> int:
        """The number of slots, not counting twins."""
        return self.first_state + len(self.states)

    def state_of(self, turn: Turn) -> TurnState:
        """The state of a turn; raise ValueError if it cannot be reached."""
        state = state_of(self.game, turn)
        if state not in self.reached:
            raise ValueError(f"{turn}: no turn of {self.game.edition} gets there.")
        return state

    @cached_property
    def _worm(self) -> int:
        return self.game.dice.faces.index(self.game.dice.worm)

    def worm(self, state: TurnState) -> int:
        """1 if a worm is among the kept dice, otherwise 0."""
        return state.kept >> self._worm & 1

    def ended(self, state: TurnState) -> int:
        """The slot of the turn ending automatically in this state."""
        return FIRST_ENDED + self.worm(state) * self.totals + state.total

    def stopped(self, state: TurnState) -> int:
        """The slot of stopping in this state; not before the first keep."""
        if not state.kept:
            return IMPOSSIBLE
        return self.first_stopped + self.worm(state) * self.totals + state.total

    def dead(self, state: TurnState) -> int:
        """The slot of a dead throw in this state."""
        return self.ended(state) if self.game.dead_throw_counts else FAIL

    def slot(self, state: TurnState) -> int:
        """The slot of arriving in this state."""
        index = self.index.get(state)
        return self.ended(state) if index is None else self.first_state + index

    def keeps(self, state: TurnState) -> Iterable[Kept]:
        """Everything that can be set aside in this state."""
        return _keeps(self.game, self.reached[state])

    def kept_slot(self, state: TurnState, kept: Kept) -> int:
        """The slot of a keep in this state: a twin if that earns a Bratworm."""
        (faces, dice, golden, points), _ = _keeps(self.game, self.reached[state])[kept]
        slot = self.slot(TurnState(faces, dice, golden, state.total + points))
        face = self.game.dice.faces[kept.face]
        if self.layered and earns_bratworm(self.game, face, kept.dice + kept.golden):
            return slot + self.slots
        return slot

    def row_slots(self, lane: Lane) -> list[int]:
        """The slots that the rows of the lane's tree stand for, in order."""
        rows = _rows(lane.places, lane.kind)
        return [self.kept_slot(lane.state, kept) for kept in rows]


@lru_cache(maxsize=1 << 12)
def _rows(places: tuple[int, ...], kind: ThrowKind) -> list[Kept]:
    """The keeps that the rows of a kind of throw stand for, with these faces at its places."""
    golden = places[0] if kind.golden_first else None
    rows = [Kept(face, dice, face == golden) for face in places for dice in range(1, kind.dice + 1)]
    return rows if golden is None else [*rows, Kept(golden, 0, golden=True)]


@lru_cache(maxsize=32)
def tables_for(game: AnyGame, golden: bool = False, layered: bool = False) -> Tables:
    """The tables of a game: with the golden die or without, with twin slots or without.

    >>> from heckmeck.rules import game
    >>> from heckmeck.solver.tables import tables_for
    >>> tables_for(game("junior")).states[0]
    TurnState(kept=1, dice=1, golden=False, total=5)
    """
    if golden and not game.has_golden_die:
        raise ValueError(f"{game.edition} has no golden die.")
    if layered and not bratworm_faces(game):
        raise ValueError(f"{game.edition} has no Bratworms, which make layers.")
    if layered:
        return replace(tables_for(game, golden), layered=True)
    reached = reachable(game, golden)
    going_on = (state for state, form in reached.items() if not game.turn_is_complete(form))
    states = tuple(sorted(going_on, key=lambda state: (state.dice + state.golden, state)))
    index = {state: i for i, state in enumerate(states)}
    return Tables(game, golden, layered, states, _stages(game, states, reached), index, reached)


def _stages(
    game: AnyGame, states: tuple[TurnState, ...], reached: dict[TurnState, Turn]
) -> tuple[tuple[Group, ...], ...]:
    by_size: dict[int, dict[ThrowKind, list[Lane]]] = defaultdict(lambda: defaultdict(list))
    for state in states:
        for lane in lanes_of(game, state, reached[state]):
            by_size[state.dice + state.golden][lane.kind].append(lane)
    return tuple(
        tuple(_group(game, kind, lanes) for kind, lanes in sorted(by_size[size].items()))
        for size in sorted(by_size)
    )


def _group(game: AnyGame, kind: ThrowKind, lanes: list[Lane]) -> Group:
    def has_bratworm(lane: Lane) -> bool:
        return bool(lane.state.kept & bratworm_faces(game))

    ordered = sorted(lanes, key=has_bratworm, reverse=True)
    return Group(grow(kind), tuple(ordered), sum(map(has_bratworm, ordered)))
