"""Junior as rows. Numbers like ``J4`` are rulings: see ``docs/rulings.md``.

A row contains, in this order: the number of face-up tiles of each value; the number of players; the
heights of the stacks; the stacks, bottom to top.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bots.champion.kernels import (
    After,
    close_ending,
    gathered,
    next_place,
    room_for,
    share_win,
    show_lead,
    turn_on,
)
from heckmeck.bots.champion.model import MOST_SEATS, Branches, Floats32, Ints, Kind, Rows
from heckmeck.bots.champion.stack_features import show_ends, show_standing, standing_size
from heckmeck.rules import Table
from heckmeck.rules.components import JUNIOR_COPIES, JUNIOR_TILES
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver.kernel import compiled

TILES: Final = len(JUNIOR_TILES)
LOWEST: Final = min(JUNIOR_TILES)
ALL_TILES: Final = TILES * JUNIOR_COPIES
WORMS: Final = np.array(list(JUNIOR_TILES.values()), dtype=np.int64)

UP: Final = 0
SEATS: Final = UP + TILES
HEIGHT: Final = SEATS + 1
STACKS: Final = HEIGHT + MOST_SEATS
WIDTH: Final = STACKS + MOST_SEATS * ALL_TILES

DEPTHS: Final = 4
"""How deep in a stack the network distinguishes positions of tiles."""
AHEAD: Final = 2 * TILES + 12
"""Features about the next turns."""


@compiled
def _count(row: Rows, scores: Ints) -> None:
    """Count every player's worms (J6)."""
    for player in range(row[SEATS]):
        scores[player] = 0
        for place in range(row[HEIGHT + player]):
            scores[player] += WORMS[row[STACKS + player * ALL_TILES + place]]


@compiled
def _top(row: Rows, player: int) -> int:
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
    at = next_place(after)
    seats = int(row[SEATS])
    out = after.rows[at]
    out[:] = row
    turn_on(row, out, seats, HEIGHT, 1)
    turn_on(row, out, seats, STACKS, ALL_TILES)
    over = True
    for tile in range(TILES):
        if row[UP + tile]:
            over = False
    after.over[at] = over
    if over:
        _share(out, after.shares[at])


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores = np.zeros(MOST_SEATS, np.int64)
    _count(row, scores)
    share_win(scores, np.zeros(MOST_SEATS, np.int64), row[SEATS], shares)


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
    miss = close_ending(after)
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
                    if _top(row, player) == tile:
                        pinched = row.copy()
                        _pop(pinched, player)
                        _push(pinched, tile)
                        _emit(pinched, after)
            if after.counts[0] > before:
                by_total = close_ending(after)
                if row[UP + tile]:
                    lower = by_total
        ending[1 + totals + total] = by_total


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints) -> None:
    for table in range(layers.shape[0]):
        _end_turn(layers[table, 0], totals, after, ending[table, 0])


@compiled
def _show(rows: Rows, most: int, out: Floats32) -> None:
    """Fill in the features; see `JuniorRows.inputs` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    worms = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        grill = _show_tiles(row, most, shown)
        at = TILES * (JUNIOR_COPIES + most * DEPTHS)
        _count(row, scores)
        heights = row[HEIGHT : HEIGHT + row[SEATS]]
        show_standing(scores, breaks, heights, grill, most, shown[at:])
        at += standing_size(most)
        _show_ahead(row, scores, breaks, worms, shown[at:])


@compiled
def _show_tiles(row: Rows, most: int, shown: Floats32) -> tuple[int, int]:
    """Show where every tile is; return the number of face-up tiles, and the worms on them."""
    each = JUNIOR_COPIES + most * DEPTHS
    up, worms = 0, 0
    for tile in range(TILES):
        copies = row[UP + tile]
        up += copies
        worms += copies * WORMS[tile]
        if copies:
            shown[tile * each + copies - 1] = 1.0
    for player in range(row[SEATS]):
        height = row[HEIGHT + player]
        for place in range(height):
            tile = row[STACKS + player * ALL_TILES + place]
            depth = min(height - 1 - place, DEPTHS - 1)
            shown[tile * each + JUNIOR_COPIES + player * DEPTHS + depth] += 1.0
    return up, worms


@compiled
def _show_ahead(row: Rows, scores: Ints, breaks: Ints, worms: Ints, shown: Floats32) -> None:
    """Show the lowest and highest tile, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking the highest tile, the lowest one, or
    pinching from the other of the two. ``worms`` is working memory for the scores.
    """
    lowest, highest = show_ends(row[UP : UP + TILES], shown)
    if highest < 0:
        return
    at = 2 * TILES
    for player in range(2):
        other = 1 - player
        top = _top(row, other)
        for choice in range(3):
            worms[:] = scores
            tile = (highest, lowest, top)[choice]
            if tile >= 0:
                worms[player] += WORMS[tile]
                worms[other] -= WORMS[tile] if choice == 2 else 0
            show_lead(worms, breaks, row[SEATS], 0, shown[at:])
            at += 2


@compiled
def _wealth(rows: Rows, out: Floats32) -> None:
    scores = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        _count(rows[number], scores)
        for player in range(rows[number, SEATS]):
            out[number, player] = scores[player]


@compiled
def _share_all(rows: Rows, out: Floats32) -> None:
    for number in range(len(rows)):
        _share(rows[number], out[number])


class JuniorRows:
    """The tables of junior as rows."""

    edition = "junior"
    width = WIDTH

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

    def kinds(self, rows: Rows) -> list[tuple[Kind, Ints]]:
        """Return the only kind."""
        return [(Kind(1), np.arange(len(rows)))]

    def layers(self, rows: Rows, kind: Kind) -> Rows:
        """Return the tables, which do not change within a turn."""
        return rows[:, np.newaxis]

    def branches(self, layers: Rows, totals: int) -> Branches:
        """Return how the turns at these tables can end."""
        after = room_for(layers)
        ending = np.empty((*layers.shape[:2], 1 + 2 * totals), np.int64)
        _end_turns(layers, totals, after, ending)
        return gathered(after, ending)

    def shares(self, rows: Rows, seats: int) -> Floats32:
        """Return each player's share of the win if the games ended now."""
        shares = np.empty((len(rows), MOST_SEATS), np.float32)
        _share_all(rows, shares)
        return shares[:, :seats]

    def inputs(self, seats: int) -> int:
        """The number of features: where each tile is, the standing, the next turns."""
        return TILES * (JUNIOR_COPIES + seats * DEPTHS) + standing_size(seats) + AHEAD

    def features(self, rows: Rows, seats: int) -> Floats32:
        """Return the features of each table, for a network of up to ``seats`` players."""
        out = np.zeros((len(rows), self.inputs(seats)), np.float32)
        _show(rows, seats, out)
        return out

    def standing(self, rows: Rows) -> Floats32:
        """Return [table, player]: wealth in worms."""
        out = np.zeros((len(rows), MOST_SEATS), np.float32)
        _wealth(rows, out)
        return out
