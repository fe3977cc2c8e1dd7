"""Small boards, solved exactly: two players, classic rules, a handful of tiles.

With five or six tiles on the grill a whole game has a few thousand positions, and the chance to
win from each of them can be computed exactly. The turn is solved as everywhere else; the value of
an ending is the chance to win from the position it leads to, seen from the other side::

    chance[position] = worth of the turn, where an end is worth 1 - chance[position after it]

This is repeated until nothing changes (value iteration). The higher the assumed chances of the
other side, the lower the resulting ones; so lower bounds give upper bounds, and these give better
lower bounds. The true value stays between the two, and they converge: `SolvedBoard.gap` says how
closely.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heckmeck.rules import NO_HOUSE_RULES, AnyState, Ending, Move, Table, apply, game, outcome
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import CLASSIC_TILES
from heckmeck.rules.grill import Grill
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import FAILURE, Position, after, endings_at
from heckmeck.solver.shapes import shape_of
from heckmeck.solver.solution import Worths, solve_batch
from heckmeck.solver.tables import start, tables_for

RULES: Final = game("classic")
SHAPE: Final = shape_of(RULES)
#: The kernel's index of the value of the first throw of a turn.
FIRST_THROW: Final = tables_for(SHAPE).index[start(SHAPE)]
#: Eight tiles have two million positions: too many for a laptop's memory and a coffee break.
MOST_TILES: Final = 7
#: The possible results for the player who made the last move: lost, shared or won.
RESULTS: Final = (0.0, 0.5, 1.0)
#: Values closer than this count as equal.
TOLERANCE: Final = 1e-9
#: Positions collected for the solver at once.
PART: Final = 4096

Places = NDArray[np.int32]


class BadBoard(ValueError):
    """Tiles that no game can be played with."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """All reachable positions, from the view of the player to move: own stack first.

    A place is the number of a position; the places of the `RESULTS` follow after all positions.
    """

    tiles: tuple[int, ...]
    positions: tuple[ClassicTable, ...]
    """The first one is the start."""
    stop: Places
    """[position, worm, total]: the place that ending the turn leads to."""
    fail: Places
    """[position]: the place that a dead throw leads to."""

    def turn_at(self, place: int) -> Position:
        """Return the turn to be played at a position, by seat 0."""
        table = self.positions[place]
        return Position(RULES, 0, table, (table,), weasel=False, golden=False)

    def value_of_places(self, chance: Floats) -> Floats:
        """Return the value of each place for the player who moved there, results included."""
        return np.concatenate((1.0 - chance, RESULTS))


def lay_out(tiles: Iterable[int]) -> Board:
    """Find all positions of a game with these tiles; raise `BadBoard` if it cannot be played."""
    row = tuple(sorted(set(tiles)))
    if not row or not set(row) <= set(CLASSIC_TILES):
        low, high = min(CLASSIC_TILES), max(CLASSIC_TILES)
        raise BadBoard(f"A board has tiles from {low} to {high}, each once, not {list(row)}.")
    if len(row) > MOST_TILES:
        raise BadBoard(f"At most {MOST_TILES} tiles can be solved, not {len(row)}.")
    return _Explorer(ClassicTable(Grill(row), ((), ()), NO_HOUSE_RULES)).board()


class _Explorer:
    """Follows every ending of every turn, from the start."""

    def __init__(self, start: ClassicTable) -> None:
        self._places: dict[ClassicTable, int] = {}
        self._found: list[ClassicTable] = []
        self._place(start)

    def board(self) -> Board:
        stop: list[list[list[int]]] = []
        fail: list[int] = []
        for table in self._found:  # it grows during the loop
            turn = Position(RULES, 0, table, (table,), weasel=False, golden=False)
            leads_to: dict[Ending, int] = {}
            for ending in (FAILURE, *endings_at(turn, 0)[0], *endings_at(turn, 0)[1]):
                if ending not in leads_to:
                    leads_to[ending] = self._after(table, ending)
            stop.append([[leads_to[end] for end in ends] for ends in endings_at(turn, 0)])
            fail.append(leads_to[FAILURE])
        tiles = self._found[0].grill.face_up
        places = np.array(stop, dtype=np.int32), np.array(fail, dtype=np.int32)
        # So far results were counted from the end, because the number of positions was unknown.
        stop_places, fail_places = (np.where(p < 0, p + self._size, p) for p in places)
        return Board(tiles, tuple(self._found), stop_places, fail_places)

    @property
    def _size(self) -> int:
        return len(self._found) + len(RESULTS)

    def _place(self, table: ClassicTable) -> int:
        if table not in self._places:
            self._places[table] = len(self._found)
            self._found.append(table)
        return self._places[table]

    def _after(self, table: ClassicTable, ending: Ending) -> int:
        (state,) = after(RULES, table, 0, ending)
        if outcome(state) is not None:
            return RESULTS.index(share_of_win(state, 0)) - len(RESULTS)
        return self._place(seen_by(state))


def share_of_win(state: AnyState, seat: int) -> float:
    """Return a player's share of the win in a finished game."""
    result = outcome(state)
    assert result is not None, "only a finished game has been won"
    return (seat in result.winners) / len(result.winners)


def seen_by(state: AnyState) -> ClassicTable:
    """Return the table from the view of the player to move: own stack first."""
    table = state.table
    assert isinstance(table, ClassicTable), "small boards are classic"
    own, other = table.stacks[state.seat], table.stacks[1 - state.seat]
    return ClassicTable(table.grill, (own, other), table.house)


@dataclass(frozen=True, eq=False)
class SolvedBoard:
    """The chance to win of the player to move, at every position: an `Evaluator` for its board."""

    board: Board
    low: Floats
    """[position]: the lower bound."""
    high: Floats
    """[position]: the upper bound."""

    unit = "win"

    @property
    def gap(self) -> float:
        """The largest difference between the two bounds."""
        return float(np.max(self.high - self.low))

    @cached_property
    def chance(self) -> Floats:
        """[position]: the chance to win."""
        return (self.low + self.high) / 2

    @cached_property
    def _places(self) -> dict[ClassicTable, int]:
        return {table: place for place, table in enumerate(self.board.positions)}

    def chance_at(self, table: ClassicTable) -> float:
        """Return the chance of the player to move, whose stack comes first."""
        return float(self.chance[self._places[table]])

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        """Return the chance to win after each end of the turn; see `Evaluator`."""
        worth: dict[Ending, float] = {}
        for ending in endings:
            if ending not in worth:
                (state,) = after(RULES, table, seat, ending)
                worth[ending] = self._chance_of(state, seat)
        return [worth[ending] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the chance to win after an answer; see `Evaluator`. Classic asks no questions."""
        return self._chance_of(apply(state, move).state, state.seat)

    def _chance_of(self, state: AnyState, seat: int) -> float:
        if outcome(state) is not None:
            return share_of_win(state, seat)
        chance = self.chance_at(seen_by(state))
        return chance if state.seat == seat else 1.0 - chance


def solve_board(
    board: Board,
    tolerance: float = TOLERANCE,
    progress: Callable[[int], None] = lambda _: None,
) -> SolvedBoard:
    """Solve a board until the bounds of all chances are within ``tolerance`` of each other.

    A tile that was turned stays turned: positions with more of them are solved first, and those
    with fewer build on them. ``progress`` is called with the number of positions just finished.
    """
    turned = np.array([len(table.grill.face_down) for table in board.positions])
    low, high = np.zeros(len(turned)), np.ones(len(turned))
    for count in range(int(turned.max()), -1, -1):
        places = np.flatnonzero(turned == count)
        while np.max(high[places] - low[places]) > tolerance:
            high[places] = _turn_values(board, places, low)
            low[places] = _turn_values(board, places, high)
        progress(len(places))
    return SolvedBoard(board, low, high)


def _turn_values(board: Board, places: NDArray[np.intp], chance: Floats) -> Floats:
    """Return the values of the turns at some positions, given the chances of the others."""
    value = board.value_of_places(chance)
    turns = []
    for first in range(0, len(places), PART):
        part = places[first : first + PART]
        worths = Worths(value[board.stop[part]][:, np.newaxis], value[board.fail[part]][:, None])
        # A turn begins with a throw: there is no choice yet, unlike in `Solution.value`.
        turns += [solution.roll[0, 0, FIRST_THROW] for solution in solve_batch(SHAPE, worths)]
    return np.array(turns)
