"""The features of a table of classic or deluxe."""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bots.champion.kernels import show_lead
from heckmeck.bots.champion.model import MOST_SEATS, Floats32, Ints, Rows
from heckmeck.bots.champion.stack_features import show_ends, show_standing, standing_size
from heckmeck.bots.champion.tile_rows import (
    BRATWORMS,
    COUNT,
    HEIGHT,
    HELD,
    SEATS,
    SMALL,
    STACKS,
    SUPPLY,
    TILES,
    UP,
    WHERE,
    WORMS,
    count_worms,
    held_by,
    share,
    top_of,
)
from heckmeck.solver.kernel import compiled

DEPTHS: Final = 5
"""How deep in a stack the network distinguishes positions of tiles."""
AHEAD: Final = 2 * TILES + 16
"""Features about the next turns."""


def size(most: int, *, deluxe: bool) -> int:
    """Return the number of features of a table for up to ``most`` players.

    They are: where each tile is; the standing; the next turns; in deluxe, Specialists and
    Bratworms.
    """
    tiles = TILES if deluxe else TILES - SMALL
    common = tiles * (1 + most * DEPTHS) + standing_size(most) + AHEAD
    return common + (COUNT * (TILES + most) + most + 2 if deluxe else 0)


@compiled
def show(rows: Rows, most: int, first_tile: int, out: Floats32) -> None:
    """Fill in the features, with tiles from ``first_tile``; see `size` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    worms, best = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        grill = _show_tiles(row, most, first_tile, shown)
        at = (TILES - first_tile) * (1 + most * DEPTHS)
        count_worms(row, scores, breaks)
        heights = row[HEIGHT : HEIGHT + row[SEATS]]
        show_standing(scores, breaks, heights, grill, most, shown[at:])
        at += standing_size(most)
        _show_ahead(row, (scores, breaks), (worms, best), shown[at:])
        if first_tile == 0:
            _show_deluxe(row, most, shown[at + AHEAD :])


@compiled
def _show_tiles(row: Rows, most: int, first_tile: int, shown: Floats32) -> tuple[int, int]:
    """Show where every tile is; return the number of face-up tiles, and the worms on them."""
    each = 1 + most * DEPTHS
    up, worms = 0, 0
    for tile in range(first_tile, TILES):
        if row[UP + tile]:
            shown[(tile - first_tile) * each] = 1.0
            up += 1
            worms += WORMS[tile]
    for player in range(row[SEATS]):
        height = row[HEIGHT + player]
        for place in range(height):
            tile = row[STACKS + player * TILES + place]
            depth = min(height - 1 - place, DEPTHS - 1)
            shown[(tile - first_tile) * each + 1 + player * DEPTHS + depth] = 1.0
    return up, worms


@compiled
def _show_ahead(
    row: Rows, now: tuple[Ints, Ints], then: tuple[Ints, Ints], shown: Floats32
) -> None:
    """Show the lowest and highest tile, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking the highest tile, the lowest one,
    losing the top tile, or stealing from the other of the two. ``now`` has scores and tie-breaks,
    ``then`` is working memory for them.
    """
    lowest, highest = show_ends(row[UP : UP + TILES], shown)
    if highest < 0:
        return
    worms, best = then
    at = 2 * TILES
    for player in range(2):
        other = 1 - player
        for tile in (highest, lowest, -1, top_of(row, other)):
            worms[:], best[:] = now[0], now[1]
            if tile < 0 or tile == top_of(row, other):
                _lose_top(row, player if tile < 0 else other, worms, best)
            if tile >= 0:
                worms[player] += WORMS[tile]
                best[player] = max(best[player], tile + 1)
            show_lead(worms, best, row[SEATS], 0, shown[at:])
            at += 2


@compiled
def _lose_top(row: Rows, player: int, worms: Ints, best: Ints) -> None:
    """Count a player's worms and find the highest tile without the top tile."""
    height = row[HEIGHT + player]
    if not height:
        return
    worms[player] -= WORMS[top_of(row, player)]
    best[player] = 0
    for place in range(height - 1):
        best[player] = max(best[player], row[STACKS + player * TILES + place] + 1)


@compiled
def _show_deluxe(row: Rows, most: int, shown: Floats32) -> None:
    each = TILES + most
    for specialist in range(COUNT):
        where = row[WHERE + specialist]
        if where >= HELD:
            shown[specialist * each + TILES + where - HELD] = 1.0
        elif where >= 0:
            shown[specialist * each + where] = 1.0
    at = COUNT * each
    for player in range(row[SEATS]):
        shown[at + player] = row[BRATWORMS + player] * 0.3
    shown[at + most] = row[SUPPLY] * 0.2
    shown[at + most + 1] = 1.0 if row[SUPPLY] == 0 else 0.0


@compiled
def wealth(rows: Rows, prices: Floats32, out: Floats32) -> None:
    """Fill in [table, player]: wealth in worms, Specialists at their prices."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row = rows[number]
        count_worms(row, scores, breaks)
        for player in range(row[SEATS]):
            out[number, player] = scores[player]
            held = held_by(row, player)
            if held >= 0:
                out[number, player] += prices[held]


@compiled
def share_all(rows: Rows, out: Floats32) -> None:
    """Fill in [table, player]: the shares of the win if the games ended now."""
    for number in range(len(rows)):
        share(rows[number], out[number])
