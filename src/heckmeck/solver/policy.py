"""The best move, found quickly: a subset of `SolvedTurn.weighed`, for players.

The place of a turn in the kernel's tables is computed once for each combination of kept dice and
remembered.
"""

from functools import cached_property, lru_cache
from typing import NamedTuple

from heckmeck.rules.dice import Dice, set_aside
from heckmeck.rules.moves import BUST, REROLL, ROLL, ROLL_GOLDEN, STOP, Move, Throw
from heckmeck.rules.turn import Turn, pickable
from heckmeck.solver.kernel import TIE, Floats
from heckmeck.solver.solution import Solution
from heckmeck.solver.tables import FAIL, State, Tables, start


class Place(NamedTuple):
    """The place of the dice kept and in hand in the tables; ``roll`` is -1 if the turn is over."""

    slot: int
    stop: int
    roll: int


class Map:
    """The places of one set of tables, by the dice kept and in hand."""

    def __init__(self, tables: Tables) -> None:
        """Start with an empty map; places are added on demand."""
        self.tables = tables
        self._places: dict[tuple[Dice, int, bool], Place] = {}

    def place(self, kept: Dice, hand: int, golden: bool) -> Place:
        """Return the place of these dice."""
        key = (kept, hand, golden)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = self._find(*key)
        return place

    def _find(self, kept: Dice, hand: int, golden: bool) -> Place:
        tables, shape = self.tables, self.tables.shape
        faces = [shape.faces.index(face) for face in kept]
        mask = sum(1 << face for face in set(faces))
        state = State(mask, hand, golden, sum(shape.points[face] for face in faces))
        return Place(tables.slot(state), tables.stopped(state), tables.index.get(state, -1))

    @cached_property
    def golden_start(self) -> int:
        """The place of the first throw with the golden die."""
        return self.tables.index[start(self.tables.shape, golden=True)]


@lru_cache(maxsize=32)
def map_of(tables: Tables) -> Map:
    """Return the map of these tables, one for all solutions that use them."""
    return Map(tables)


def best_move(solution: Solution, turn: Turn, throw: Throw | None, weasel: bool) -> Move:
    """Return the best move; ``weasel``: it may still be used in this turn.

    Ties go to the first of: stop, roll, roll:golden; keeps in face order, bust, reroll.
    """
    where = map_of(solution.tables)
    worth, roll = solution.worth[int(weasel), 0], solution.roll[int(weasel), 0]
    if throw is None:
        return _stop_or_roll(where, worth, roll, turn)
    moves = _keeps(where, worth, turn, throw) or [(BUST, float(worth[FAIL]))]
    if weasel:
        place = where.place(turn.kept, turn.hand, turn.golden)
        moves.append((REROLL, float(solution.roll[0, 0, place.roll])))
    highest = max(value for _, value in moves) - TIE
    return next(move for move, value in moves if value >= highest)


def _stop_or_roll(where: Map, worth: Floats, roll: Floats, turn: Turn) -> Move:
    place = where.place(turn.kept, turn.hand, turn.golden)
    if turn.kept:
        return STOP if worth[place.stop] >= roll[place.roll] - TIE else ROLL
    if where.tables.golden and roll[where.golden_start] > roll[place.roll] + TIE:
        return ROLL_GOLDEN
    return ROLL


def _keeps(where: Map, worth: Floats, turn: Turn, throw: Throw) -> list[tuple[Move, float]]:
    tables = where.tables
    moves: list[tuple[Move, float]] = []
    for keep in pickable(turn.kept, throw.dice, throw.golden):
        face = keep.face
        white, golden = throw.dice.count(face), throw.golden == face
        kept = set_aside(turn.kept, face, white + golden)
        slot = where.place(kept, turn.hand - white, turn.golden and not golden).slot
        if tables.layered and face == "1" and white + golden > 1:
            slot += tables.slots
        moves.append((keep, float(worth[slot])))
    return moves
