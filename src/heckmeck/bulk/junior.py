"""Junior as rows. Numbers like ``J4`` are rulings: see ``docs/rulings.md``.

A row contains, in this order: the number of face-up tiles of each value; the number of players; the
heights of the stacks; the stacks, bottom to top.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bulk import rows as shared
from heckmeck.bulk.rows import MOST_SEATS, After, Bools, Floats32, Ints, RowRules, Rows
from heckmeck.rules import Table
from heckmeck.rules.components import JUNIOR_COPIES, JUNIOR_TILES
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver.compiling import compiled

TILES: Final = len(JUNIOR_TILES)
LOWEST: Final = min(JUNIOR_TILES)
ALL_TILES: Final = TILES * JUNIOR_COPIES
WORMS: Final = np.array(list(JUNIOR_TILES.values()), dtype=np.int64)

UP: Final = 0
SEATS: Final = UP + TILES
HEIGHT: Final = SEATS + 1
STACKS: Final = HEIGHT + MOST_SEATS
WIDTH: Final = STACKS + MOST_SEATS * ALL_TILES


@compiled
def count_worms(row: Rows, scores: Ints) -> None:
    """Count every player's worms (J6)."""
    for player in range(row[SEATS]):
        scores[player] = 0
        for place in range(row[HEIGHT + player]):
            scores[player] += WORMS[row[STACKS + player * ALL_TILES + place]]


@compiled
def top_of(row: Rows, player: int) -> int:
    """Return the tile on top of a player's stack, or -1."""
    height = row[HEIGHT + player]
    return row[STACKS + player * ALL_TILES + height - 1] if height else -1


@compiled
def _push(row: Rows, tile: int) -> None:
    row[STACKS + row[HEIGHT]] = tile
    row[HEIGHT] += 1


@compiled
def _pop(row: Rows, player: int) -> None:
    row[HEIGHT + player] -= 1
    row[STACKS + player * ALL_TILES + row[HEIGHT + player]] = 0


@compiled
def _emit(row: Rows, after: After) -> None:
    """Write the table after an ending, the next player first."""
    at = shared.next_place(after)
    seats = int(row[SEATS])
    out = after.rows[at]
    out[:] = row
    shared.turn_on(row, out, seats, HEIGHT, 1)
    shared.turn_on(row, out, seats, STACKS, ALL_TILES)
    over = not row[UP : UP + TILES].any()
    after.over[at] = over
    if over:
        _share(out, after.shares[at])


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores = np.zeros(MOST_SEATS, np.int64)
    count_worms(row, scores)
    shared.share_win(scores, np.zeros(MOST_SEATS, np.int64), row[SEATS], shares)


@compiled
def _miss_out(row: Rows) -> None:
    """Turn the highest tile face down (J5)."""
    tile = TILES - 1
    while not row[UP + tile]:
        tile -= 1
    row[UP + tile] -= 1


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write all endings of a turn and which total leads to which (J4)."""
    missed = row.copy()
    _miss_out(missed)
    _emit(missed, after)
    miss = shared.close_ending(after)
    ending[:] = miss
    lower = miss
    for total in range(totals):
        tile = total - LOWEST
        by_total = lower
        if 0 <= tile < TILES:
            before = after.counts[0]
            if row[UP + tile]:
                taken = row.copy()
                taken[UP + tile] -= 1
                _push(taken, tile)
                _emit(taken, after)
            else:
                for player in range(1, row[SEATS]):
                    if top_of(row, player) == tile:
                        pinched = row.copy()
                        _pop(pinched, player)
                        _push(pinched, tile)
                        _emit(pinched, after)
            if after.counts[0] > before:
                by_total = shared.close_ending(after)
                if row[UP + tile]:
                    lower = by_total
        ending[1 + totals + total] = by_total


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    may_stop[:] = True  # T3
    for table in range(layers.shape[0]):
        _end_turn(layers[table, 0], totals, after, ending[table, 0])


@compiled
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
