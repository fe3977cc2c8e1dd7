"""Small boards, solved exactly: two players, classic rules, a handful of tiles.

With five or six tiles on the grill a whole game has a few thousand positions, and the chance to
win from each of them can be computed exactly. The turn is solved as everywhere else; the value of
an ending is the chance to win from the position it leads to, seen from the other side::

    chance[position] = value of the turn, where an end has the value 1 - chance[position after it]

This is repeated until nothing changes (value iteration). The higher the assumed chances of the
other side, the lower the resulting ones; so lower bounds give upper bounds, and these give better
lower bounds. The true value stays between the two, and they converge: `SolvedBoard.gap` says how
closely.

Two strategies on such a board, each given by a `Value`, can be compared without throwing dice: the
solution of every turn gives the probabilities of where it leads, and from these follow the exact
chances of the game (`duel`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.rules import NO_HOUSE_RULES, AnyState, Ending, Move, Table, apply, game, outcome
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import CLASSIC_TILES
from heckmeck.rules.grill import Grill
from heckmeck.solver.kernel import Floats
from heckmeck.solver.positions import EndingValue, Position, Value, after, ends_of
from heckmeck.solver.solution import EndValues, SolvedTurn, best, solve_all, solve_batch
from heckmeck.solver.tables import start, state_of, tables_for
from heckmeck.wire.coach import Unit

RULES: Final = game("classic")
#: The kernel's index of the value of the first throw of a turn.
FIRST_THROW: Final = tables_for(RULES).index[state_of(RULES, start(RULES))]
#: Eight tiles have two million positions: too many for a laptop's memory and a coffee break.
MOST_TILES: Final = 7
#: The possible results for the player who made the last move: lost, shared or won.
RESULTS: Final = (0.0, 0.5, 1.0)
#: Values closer than this count as equal.
TOLERANCE: Final = 1e-9
#: Positions collected for the solver at once.
PART: Final = 4096
#: Games that are not over after this many turns hardly ever end.
UNDECIDED: Final = 1e-12
MOST_TURNS: Final = 20_000
#: Turns of a strategy solved at once; more would only use more memory.
TURNS_AT_ONCE: Final = 512

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
        return Position(RULES, 0, table, (table,))

    def value_of_places(self, chance: Floats) -> Floats:
        """Return the value of each place for the player who moved there, results included."""
        return np.concatenate((1.0 - chance, RESULTS))


def tiles_from(text: str) -> tuple[int, ...]:
    """Return the tiles of a text: single ones and ranges. Raise `BadBoard` if it has none.

    >>> tiles_from("21-23,30")
    (21, 22, 23, 30)
    """
    tiles: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or len(part) > 9:
            raise BadBoard(
                f"{part!r:.20} is not a tile or a range. Write tiles as 21-25 or 21,23,30."
            )
        # Cap the range: `lay_out` refuses tiles that do not exist anyway.
        tiles += range(int(first), min(int(last or first), int(first) + 99) + 1)
    return tuple(tiles)


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
        rows = []
        for table in self._found:  # it grows during the loop
            ends = ends_of(Position(RULES, 0, table, (table,)), 0)
            leads_to = {ending: self._after(table, ending) for ending in dict.fromkeys(ends)}
            rows.append([leads_to[ending] for ending in ends])
        places = np.array(rows, dtype=np.int32)
        # So far results were counted from the end, because the number of positions was unknown.
        places[places < 0] += len(self._found) + len(RESULTS)
        stop = places[:, 1:].reshape(len(rows), 2, -1)
        return Board(self._found[0].grill.face_up, tuple(self._found), stop, places[:, 0])

    def _place(self, table: ClassicTable) -> int:
        if table not in self._places:
            self._places[table] = len(self._found)
            self._found.append(table)
        return self._places[table]

    def _after(self, table: ClassicTable, ending: Ending) -> int:
        (state,) = after(RULES, table, 0, ending)
        end = outcome(state)
        if end is not None:
            return RESULTS.index(end.shares[0]) - len(RESULTS)
        return self._place(seen_by(state))


def seen_by(state: AnyState) -> ClassicTable:
    """Return the table from the view of the player to move: own stack first."""
    table = state.table
    assert isinstance(table, ClassicTable), "small boards are classic"
    own, other = table.stacks[state.seat], table.stacks[1 - state.seat]
    return ClassicTable(table.grill, (own, other), table.house)


@dataclass(frozen=True, eq=False)
class SolvedBoard(EndingValue):
    """The chance to win of the player to move, at every position: a `Value` for its board."""

    board: Board
    low: Floats
    """[position]: the lower bound."""
    high: Floats
    """[position]: the upper bound."""

    unit: Unit = "win"

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
        """Return the chance to win after each ending; see `EndingValue`."""
        chances = {
            ending: self._chance_of(after(RULES, table, seat, ending)[0], seat)
            for ending in dict.fromkeys(endings)
        }
        return [chances[ending] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return the chance to win after an answer; see `Value`. Classic asks no questions."""
        return self._chance_of(apply(state, move).state, state.seat)

    def _chance_of(self, state: AnyState, seat: int) -> float:
        end = outcome(state)
        if end is not None:
            return end.shares[seat]
        chance = self.chance_at(seen_by(state))
        return chance if state.seat == seat else 1.0 - chance


def solve_board(
    board: Board, tolerance: float = TOLERANCE, progress: Callable[[int], None] = lambda _: None
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
        ends = EndValues.of(
            value[board.stop[part]][:, np.newaxis], value[board.fail[part]][:, None]
        )
        # A turn begins with a throw: there is no choice yet, unlike in `Solution.value`.
        turns += [solution.roll[0, 0, FIRST_THROW] for solution in solve_batch(RULES, ends)]
    return np.array(turns)


# ------------------------------------------------------------------------------ duels


class NeverEnds(RuntimeError):
    """Two strategies whose games against each other do not end."""


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """Where the turns of a strategy lead: places and their chances by position, padded with 0."""

    places: Places
    chances: Floats

    def expect(self, value: Floats) -> Floats:
        """Return the mean of ``value`` [place] over where each position's turn leads."""
        mean: Floats = np.sum(self.chances * value[self.places], axis=1)
        return mean

    def spread(self, weight: Floats, size: int) -> Floats:
        """Return how often each place is reached [place], given how often each turn is played."""
        led = np.zeros(size)
        np.add.at(led, self.places, self.chances * weight[:, np.newaxis])
        return led


class Duel(NamedTuple):
    """The chances to win of the first of two players."""

    going_first: float
    going_second: float

    @property
    def share(self) -> float:
        """Its share of the wins when both go first equally often."""
        return (self.going_first + self.going_second) / 2


def habits_of(board: Board, value: Value) -> Habits:
    """Return where turns lead that maximise the value given by ``value``."""
    ends: list[tuple[Floats, float]] = []
    for first in range(0, len(board.positions), TURNS_AT_ONCE):
        places = range(first, min(first + TURNS_AT_ONCE, len(board.positions)))
        turns = solve_all([board.turn_at(place) for place in places], value)
        ends += map(_ends_of_turn, turns)
    return habits_where(board, ends)


def habits_where(board: Board, ends: Sequence[tuple[Floats, float]]) -> Habits:
    """Return where turns lead that end so from each position.

    The ends of a position are the chances [worm, total] that its turn stops there, and the chance
    that it fails.
    """
    rows = [_leads_to(board, place, *end) for place, end in enumerate(ends)]
    return _padded(rows)


def _ends_of_turn(turn: SolvedTurn) -> tuple[Floats, float]:
    solution = turn.solution
    ends = solution.endings(best(solution.choices(solution.start)))
    return ends.stop[0], float(ends.fail[0])


def _leads_to(board: Board, place: int, stop: Floats, fail: float) -> dict[int, float]:
    size = len(board.positions) + len(RESULTS)
    chances = np.bincount(board.stop[place].ravel(), weights=stop.ravel(), minlength=size)
    chances[board.fail[place]] += fail
    return {int(led): float(chances[led]) for led in np.flatnonzero(chances)}


def _padded(rows: Sequence[dict[int, float]]) -> Habits:
    width = max(map(len, rows))
    places = np.zeros((len(rows), width), dtype=np.int32)
    chances = np.zeros((len(rows), width))
    for number, row in enumerate(rows):
        places[number, : len(row)] = list(row)
        chances[number, : len(row)] = list(row.values())
    return Habits(places, chances)


def duel(board: Board, one: Habits, other: Habits) -> Duel:
    """Return how often ``one`` wins against ``other``; raise `NeverEnds` if games do not end."""
    size = len(board.positions)
    won, lost = np.array(RESULTS), 1.0 - np.array(RESULTS)
    # [position]: the chance of ``one`` when it, or the other, is to move there.
    mine, theirs = np.full(size, 0.5), np.full(size, 0.5)
    for _ in range(MOST_TURNS):
        now = one.expect(np.concatenate((theirs, won)))
        then = other.expect(np.concatenate((now, lost)))
        change = max(np.abs(now - mine).max(), np.abs(then - theirs).max())
        mine, theirs = now, then
        if change < UNDECIDED:
            return Duel(float(mine[0]), float(theirs[0]))
    raise NeverEnds(f"After {2 * MOST_TURNS} turns too many games are still undecided.")


def visits(board: Board, one: Habits, other: Habits) -> NDArray[np.float64]:
    """Return how often a game from the start, ``one`` going first, visits each position.

    Raise `NeverEnds` if games do not end.
    """
    size = len(board.positions)
    here, seen = np.zeros(size), np.zeros(size)
    here[0] = 1.0
    for turn in range(MOST_TURNS):
        seen += here
        if here.sum() < UNDECIDED:
            return seen
        habits = other if turn % 2 else one
        here = habits.spread(here, size + len(RESULTS))[:size]
    raise NeverEnds(f"After {MOST_TURNS} turns too many games are still being played.")
