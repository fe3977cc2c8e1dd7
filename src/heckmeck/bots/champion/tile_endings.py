"""The effects of the endings of a turn on tables of classic or deluxe, as rows.

This restates the rules for thousands of tables at once; tests compare it with them, ending by
ending. Numbers like ``D7`` are rulings: see ``docs/rulings.md``.
"""

from __future__ import annotations

import numpy as np

from heckmeck.bots.champion.kernels import After, close_ending, next_place, turn_on
from heckmeck.bots.champion.model import Ints, Rows
from heckmeck.bots.champion.tile_rows import (
    BRATWORMS,
    CANNED,
    COUNT,
    FLIP_ALWAYS,
    FLIP_RETURNED,
    HEIGHT,
    HELD,
    HEN,
    OUT,
    RAVEN,
    RESULTS,
    SEATS,
    SMALL,
    STACKS,
    SUPPLY,
    TILE_OF,
    TILES,
    UP,
    WHERE,
    held_by,
    lowest_free,
    share,
    standing_on,
    top_of,
)
from heckmeck.rules.components import CANNED_WORM_POINTS
from heckmeck.solver.kernel import compiled

# ------------------------------------------------------------------------------ changing a row


@compiled
def _push(row: Rows, player: int, tile: int) -> None:
    row[STACKS + player * TILES + row[HEIGHT + player]] = tile
    row[HEIGHT + player] += 1


@compiled
def _pop(row: Rows, player: int) -> None:
    row[HEIGHT + player] -= 1
    row[STACKS + player * TILES + row[HEIGHT + player]] = 0


@compiled
def _robbable(row: Rows, player: int) -> bool:
    """Whether player 0 may take a Bratworm from a player (D14, D8)."""
    return bool(row[BRATWORMS + player] > 0 and row[WHERE + HEN] != HELD + player)


@compiled
def _victims(row: Rows) -> int:
    count = 0
    for player in range(1, row[SEATS]):
        if _robbable(row, player):
            count += 1
    return count


@compiled
def _take_bratworm(row: Rows, victim: int) -> None:
    """Take a Bratworm from the supply, or from ``victim`` if it is not 0."""
    if victim:
        row[BRATWORMS + victim] -= 1
    else:
        row[SUPPLY] -= 1
    row[BRATWORMS] += 1


@compiled
def _turn_highest(row: Rows, returned: int) -> None:
    """Turn the highest tile by C8 and C10; a Specialist on it moves (D7)."""
    highest = TILES - 1
    while highest >= 0 and not row[UP + highest]:
        highest -= 1
    if highest < 0 or (returned < 0 and not row[FLIP_ALWAYS]):
        return
    if highest == returned and not row[FLIP_RETURNED]:
        return
    row[UP + highest] = 0
    guest = standing_on(row, highest)
    if guest >= 0:
        row[WHERE + guest] = OUT
        row[WHERE + guest] = lowest_free(row)


@compiled
def _fail(row: Rows) -> None:
    """Pay for a failed attempt (D7, D8)."""
    tile, specialist = top_of(row, 0), held_by(row, 0)
    if specialist == HEN:
        if tile >= 0:
            row[WHERE + HEN] = OUT
            row[WHERE + HEN] = lowest_free(row)
        tile = -1
    else:
        if tile >= 0:
            _pop(row, 0)
            row[UP + tile] = 1
        if specialist >= 0:
            row[WHERE + specialist] = OUT
            row[WHERE + specialist] = lowest_free(row)
    _turn_highest(row, tile)


@compiled
def _turn_on(row: Rows, out: Rows) -> None:
    """Write the row with the next player first."""
    seats = int(row[SEATS])
    out[:] = row
    for specialist in range(COUNT):
        if row[WHERE + specialist] >= HELD:
            holder = row[WHERE + specialist] - HELD
            out[WHERE + specialist] = HELD + (holder + seats - 1) % seats
    turn_on(row, out, seats, BRATWORMS, 1)
    turn_on(row, out, seats, HEIGHT, 1)
    turn_on(row, out, seats, STACKS, TILES)


@compiled
def _emit(row: Rows, after: After) -> None:
    """Write the table after an ending, or one of them if there is a choice."""
    at = next_place(after)
    out = after.rows[at]
    _turn_on(row, out)
    over = True
    for tile in range(TILES):
        if row[UP + tile]:
            over = False
    after.over[at] = over
    if over:
        share(out, after.shares[at])


# ------------------------------------------------------------------------------ the endings


@compiled
def _receive(row: Rows, specialist: int, after: After) -> None:
    """Receive a Specialist; with a second one, choose which goes back (D5)."""
    held = held_by(row, 0)
    if held < 0:
        row[WHERE + specialist] = HELD
        _emit(row, after)
        return
    for gone, stays in ((held, specialist), (specialist, held)):
        choice = row.copy()
        choice[WHERE + gone] = OUT
        choice[WHERE + stays] = OUT
        choice[WHERE + gone] = lowest_free(choice)
        choice[WHERE + stays] = HELD
        _emit(choice, after)


@compiled
def _raven(row: Rows, after: After) -> None:
    """Take a Bratworm; then the raven moves (D9, D14)."""
    row[WHERE + RAVEN] = lowest_free(row)
    if row[SUPPLY] > 0:
        _take_bratworm(row, 0)
        _emit(row, after)
    elif _victims(row) == 0:
        _emit(row, after)
    else:
        for victim in range(1, row[SEATS]):
            if _robbable(row, victim):
                choice = row.copy()
                _take_bratworm(choice, victim)
                _emit(choice, after)


@compiled
def _take(row: Rows, tile: int, after: After) -> None:
    """Take a tile from the grill, and the Specialist on it (D3)."""
    guest = standing_on(row, tile)
    row[UP + tile] = 0
    _push(row, 0, tile)
    if guest < 0:
        _emit(row, after)
        return
    row[WHERE + guest] = OUT
    if guest == RAVEN:
        _raven(row, after)
    else:
        _receive(row, guest, after)


@compiled
def _steal(row: Rows, victim: int, after: After) -> None:
    """Steal a player's top tile, or the hen that guards it, or both (D4, D8)."""
    specialist = held_by(row, victim)
    if specialist != HEN:
        tile = top_of(row, victim)
        _pop(row, victim)
        _push(row, 0, tile)
    if specialist < 0:
        _emit(row, after)
        return
    row[WHERE + specialist] = OUT
    _receive(row, specialist, after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write all endings of a turn and which total leads to which."""
    failed = row.copy()
    _fail(failed)
    _emit(failed, after)
    fail = close_ending(after)
    ending[:] = fail

    at = np.full(TILES, -1, np.int64)
    for tile in range(TILES):
        if row[UP + tile]:
            _take(row.copy(), tile, after)
            at[tile] = close_ending(after)
    for player in range(1, row[SEATS]):
        tile = top_of(row, player)
        if tile >= SMALL:
            _steal(row.copy(), player, after)
            at[tile] = close_ending(after)

    lower = fail
    by_result = np.empty(RESULTS, np.int64)
    for result in range(RESULTS):
        tile = TILE_OF[result]
        by_result[result] = lower
        if tile >= 0 and at[tile] >= 0:
            by_result[result] = at[tile]
            if tile >= SMALL and row[UP + tile]:
                lower = at[tile]
    ending[1 + totals :] = by_result[:totals]
    if row[WHERE + CANNED] == HELD:  # D12
        ending[1 : 1 + totals] = by_result[CANNED_WORM_POINTS : CANNED_WORM_POINTS + totals]


@compiled
def end_turns(layers: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write all endings of the turns at many tables, layer by layer."""
    after.first[0] = 0
    for table in range(layers.shape[0]):
        for layer in range(layers.shape[1]):
            _end_turn(layers[table, layer], totals, after, ending[table, layer])


# ------------------------------------------------------------------------------ layers


@compiled
def count_layers(rows: Rows, layers: Ints) -> None:
    """Count the tables that a double 1 can lead to from each table, and the table itself."""
    for table in range(len(rows)):
        layers[table] = 2 if rows[table, SUPPLY] > 0 else 1 + _victims(rows[table])


@compiled
def fill_layers(rows: Rows, layers: Rows) -> None:
    """Write the tables after a Bratworm for a double 1 behind the table itself (D13)."""
    for table in range(len(rows)):
        row = rows[table]
        layers[table, 0] = row
        if row[SUPPLY] > 0:
            layers[table, 1] = row
            _take_bratworm(layers[table, 1], 0)
            continue
        layer = 1
        for victim in range(1, row[SEATS]):
            if _robbable(row, victim):
                layers[table, layer] = row
                _take_bratworm(layers[table, layer], victim)
                layer += 1
