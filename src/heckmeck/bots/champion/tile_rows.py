"""Classic and deluxe as rows: classic is deluxe with less in the box.

A classic table is a deluxe table without the tiles 11 and 13, with all Specialists out of the game
and no Bratworms, so one layout serves both. Numbers like ``D7`` are rulings: see
``docs/rulings.md``.

A row contains, in this order: which tiles are face up; where each Specialist is; the Bratworms by
player, and the supply; the house rules; the number of players; the heights of the stacks; the
stacks, bottom to top.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bots.champion.kernels import share_win
from heckmeck.bots.champion.model import MOST_SEATS, Floats32, Ints, Rows
from heckmeck.rules import Specialist
from heckmeck.rules.components import APPLE_WORMS, DELUXE_TILES, SMALL_TILES
from heckmeck.solver.kernel import compiled

TILES: Final = len(DELUXE_TILES)
SMALL: Final = len(SMALL_TILES)
"""The first tiles are the small ones."""
NUMBERS: Final = np.array(list(DELUXE_TILES), dtype=np.int64)
WORMS: Final = np.array(list(DELUXE_TILES.values()), dtype=np.int64)
PLACE: Final = {number: place for place, number in enumerate(DELUXE_TILES)}
RESULTS: Final = 64
"""Results are below this."""
TILE_OF: Final = np.full(RESULTS, -1, dtype=np.int64)
TILE_OF[NUMBERS] = np.arange(TILES)

SPECIALISTS: Final = tuple(Specialist)
COUNT: Final = len(SPECIALISTS)
APPLE: Final = SPECIALISTS.index(Specialist.APPLE)
CANNED: Final = SPECIALISTS.index(Specialist.CANNED)
GOLDEN: Final = SPECIALISTS.index(Specialist.GOLDEN)
HEN: Final = SPECIALISTS.index(Specialist.HEN)
RAVEN: Final = SPECIALISTS.index(Specialist.RAVEN)
WEASEL: Final = SPECIALISTS.index(Specialist.WEASEL)
OUT: Final = -1
HELD: Final = 32
"""A Specialist's place is `OUT`, a tile, or `HELD` + player."""

UP: Final = 0
WHERE: Final = UP + TILES
BRATWORMS: Final = WHERE + COUNT
SUPPLY: Final = BRATWORMS + MOST_SEATS
FLIP_ALWAYS: Final = SUPPLY + 1
FLIP_RETURNED: Final = FLIP_ALWAYS + 1
SEATS: Final = FLIP_RETURNED + 1
HEIGHT: Final = SEATS + 1
STACKS: Final = HEIGHT + MOST_SEATS
WIDTH: Final = STACKS + MOST_SEATS * TILES


@compiled
def held_by(row: Rows, player: int) -> int:
    """Return the Specialist that a player holds, or -1."""
    for specialist in range(COUNT):
        if row[WHERE + specialist] == HELD + player:
            return specialist
    return -1


@compiled
def standing_on(row: Rows, tile: int) -> int:
    """Return the Specialist on a tile, or -1."""
    for specialist in range(COUNT):
        if row[WHERE + specialist] == tile:
            return specialist
    return -1


@compiled
def lowest_free(row: Rows) -> int:
    """Return the lowest face-up tile without a Specialist, or `OUT` (D6)."""
    for tile in range(TILES):
        if row[UP + tile] and standing_on(row, tile) < 0:
            return tile
    return OUT


@compiled
def top_of(row: Rows, player: int) -> int:
    """Return the tile on top of a player's stack, or -1."""
    height = row[HEIGHT + player]
    return row[STACKS + player * TILES + height - 1] if height else -1


@compiled
def count_worms(row: Rows, scores: Ints, breaks: Ints) -> None:
    """Count every player's worms and find the highest tile (C9, D16)."""
    for player in range(row[SEATS]):
        score = np.int64(row[BRATWORMS + player])
        highest = 0
        for place in range(row[HEIGHT + player]):
            tile = row[STACKS + player * TILES + place]
            score += WORMS[tile]
            highest = max(highest, tile + 1)
        if row[WHERE + APPLE] == HELD + player:
            score += APPLE_WORMS
        scores[player] = score
        breaks[player] = highest


@compiled
def share(row: Rows, shares: Floats32) -> None:
    """Share the win as if the game ended now."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    count_worms(row, scores, breaks)
    share_win(scores, breaks, row[SEATS], shares)
