"""Junior as rows. Numbers like ``J4`` are rulings: see ``docs/rulings.md``.

A row contains, in this order: the number of face-up tiles of each value; the number of players; the
heights of the stacks; the stacks, bottom to top.
"""

from __future__ import annotations

from itertools import chain
from typing import Final

import numpy as np

from heckmeck.bulk import rows as shared
from heckmeck.bulk.rows import (
    ABOUT,
    DECIDING,
    FAILURE,
    MOST_SEATS,
    OVER,
    PINCH,
    After,
    Bools,
    Floats32,
    Ints,
    RowRules,
    Rows,
)
from heckmeck.rules import Table
from heckmeck.rules.components import JUNIOR_COPIES, JUNIOR_TILES
from heckmeck.rules.grill import Grill
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver.compiling import compiled, compiled_lean

TILES: Final = len(JUNIOR_TILES)
LOWEST: Final = min(JUNIOR_TILES)
ALL_TILES: Final = TILES * JUNIOR_COPIES
WORMS: Final = np.array(list(JUNIOR_TILES.values()), dtype=np.int64)
#: The ending of pinching a tile is `STEAL` + tile; of taking it, its number.
STEAL: Final = TILES

UP: Final = 0
SEATS: Final = UP + TILES
HEIGHT: Final = SEATS + 1
STACKS: Final = HEIGHT + MOST_SEATS
WIDTH: Final = STACKS + MOST_SEATS * ALL_TILES


@compiled_lean
def count_worms(row: Rows, scores: Ints) -> None:
    """Count every player's worms (J6)."""
    for player in range(row[SEATS]):
        scores[player] = 0
        for place in range(row[HEIGHT + player]):
            scores[player] += WORMS[row[STACKS + player * ALL_TILES + place]]


@compiled_lean
def top_of(row: Rows, player: int) -> int:
    """Return the tile on top of a player's stack, or -1."""
    height = row[HEIGHT + player]
    return row[STACKS + player * ALL_TILES + height - 1] if height else -1


@compiled_lean
def _push(row: Rows, tile: int) -> None:
    row[STACKS + row[HEIGHT]] = tile
    row[HEIGHT] += 1


@compiled_lean
def _pop(row: Rows, player: int) -> None:
    row[HEIGHT + player] -= 1
    row[STACKS + player * ALL_TILES + row[HEIGHT + player]] = 0


@compiled_lean
def turn_on(row: Rows) -> None:
    """Make the next player player 0."""
    seats = int(row[SEATS])
    shared.rotate(row, seats, HEIGHT, 1)
    shared.rotate(row, seats, STACKS, ALL_TILES)


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores = np.zeros(MOST_SEATS, np.int64)
    count_worms(row, scores)
    shared.share_win(scores, np.zeros(MOST_SEATS, np.int64), row[SEATS], shares)


# ------------------------------------------------------------------------------ the endings


@compiled_lean
def count_victims(row: Rows, tile: int) -> int:
    """Return the number of other players with this tile on top."""
    count = 0
    for player in range(1, row[SEATS]):
        count += top_of(row, player) == tile
    return count


@compiled_lean
def ending_of(row: Rows, result: int) -> int:
    """Return the ending that a result earns: a tile to take, `STEAL` + tile, or `FAILURE` (J4)."""
    tile = result - LOWEST
    if 0 <= tile < TILES:
        if row[UP + tile]:
            return tile
        if count_victims(row, tile):
            return STEAL + tile
    for lower in range(min(tile, TILES) - 1, -1, -1):
        if row[UP + lower]:
            return lower
    return FAILURE


@compiled_lean
def carry_out(row: Rows, ending: int) -> int:
    """Carry out an ending of player 0's turn; return the phase after it, or the question."""
    if ending == FAILURE:
        _miss_out(row)
    elif ending < STEAL:
        row[UP + ending] -= 1
        _push(row, ending)
    else:
        tile = ending - STEAL
        if count_victims(row, tile) > 1:
            return PINCH + ABOUT * tile
        victim = 1
        while top_of(row, victim) != tile:
            victim += 1
        return answer(row, victim)
    return _finished(row)


@compiled_lean
def answer(row: Rows, victim: int) -> int:
    """Pinch the top tile of this player."""
    _push(row, top_of(row, victim))
    _pop(row, victim)
    return _finished(row)


@compiled_lean
def _finished(row: Rows) -> int:
    """Whether the next player has the dice, or the game is over (J6)."""
    for tile in range(TILES):
        if row[UP + tile]:
            return DECIDING
    return OVER


@compiled_lean
def _miss_out(row: Rows) -> None:
    """Turn the highest tile face down (J5)."""
    tile = TILES - 1
    while not row[UP + tile]:
        tile -= 1
    row[UP + tile] -= 1


# ------------------------------------------------------------------------------ all endings


@compiled
def _emit(row: Rows, phase: int, after: After) -> None:
    """Write the table after an ending, the next player first."""
    at = shared.next_place(after)
    shared.copy_row(row, after.rows[at])
    turn_on(after.rows[at])
    after.over[at] = phase == OVER
    if phase == OVER:
        _share(after.rows[at], after.shares[at])


@compiled
def _write(row: Rows, ending: int, after: After) -> int:
    """Write all tables after an ending; return its number."""
    done = row.copy()
    phase = carry_out(done, ending) % ABOUT
    if phase != PINCH:
        _emit(done, phase, after)
    else:
        for player in range(1, row[SEATS]):
            if top_of(row, player) == ending - STEAL:
                choice = done.copy()
                _emit(choice, answer(choice, player), after)
    return shared.close_ending(after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write all endings of a turn and which total leads to which."""
    number = np.full(2 * TILES, -1, np.int64)
    ending[:] = _write(row, FAILURE, after)
    for total in range(totals):
        earned = ending_of(row, total)
        if earned != FAILURE:
            if number[earned] < 0:
                number[earned] = _write(row, earned, after)
            ending[1 + totals + total] = number[earned]


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    may_stop[:] = True  # T3
    for table in range(layers.shape[0]):
        _end_turn(layers[table, 0], totals, after, ending[table, 0])


@compiled_lean
def _count_all(rows: Rows, scores: Ints) -> None:
    for number in range(len(rows)):
        count_worms(rows[number], scores[number])


class JuniorRows(RowRules):
    """The tables of junior as rows."""

    edition = "junior"
    width = WIDTH
    count_all = staticmethod(_count_all)
    end_turns = staticmethod(_end_turns)

    def row(self, table: Table, seat: int) -> Rows:
        """Return the row of a table where it is ``seat``'s turn."""
        assert isinstance(table, JuniorTable)
        seats = table.seats
        row = np.zeros(WIDTH, dtype=np.int8)
        for tile in table.grill.face_up:
            row[UP + tile - LOWEST] += 1
        row[SEATS] = seats
        for player in range(seats):
            stack = table.stacks[(seat + player) % seats]
            row[HEIGHT + player] = len(stack)
            first = STACKS + player * ALL_TILES
            row[first : first + len(stack)] = [tile - LOWEST for tile in stack]
        return row

    def table(self, row: Rows, seat: int) -> JuniorTable:
        """Return the table of a row where it is ``seat``'s turn."""
        seats = int(row[SEATS])
        stacks = []
        for each in range(seats):
            player = (each - seat) % seats
            first = STACKS + player * ALL_TILES
            stack = row[first : first + int(row[HEIGHT + player])].tolist()
            stacks.append(tuple(LOWEST + tile for tile in stack))
        face_up = [LOWEST + tile for tile in range(TILES) for _ in range(row[UP + tile])]
        seen = [*face_up, *chain.from_iterable(stacks)]
        face_down = [tile for tile in JUNIOR_TILES for _ in range(JUNIOR_COPIES - seen.count(tile))]
        return JuniorTable(Grill(tuple(face_up), tuple(face_down)), tuple(stacks))

    def left(self, rows: Rows) -> Ints:
        """Return the number of tiles on the grill."""
        tiles: Ints = rows[:, UP : UP + TILES].sum(axis=1, dtype=np.int64)
        return tiles
