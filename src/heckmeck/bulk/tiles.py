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

from heckmeck.bulk import rows as shared
from heckmeck.bulk.rows import MOST_SEATS, After, Bools, Floats32, Ints, RowRules, Rows
from heckmeck.rules import Specialist, Table
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import APPLE_WORMS, CANNED_WORM_POINTS, DELUXE_TILES, SMALL_TILES
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.solver.compiling import compiled
from heckmeck.solver.positions import TurnKind

TILES: Final = len(DELUXE_TILES)
#: The first tiles are the small ones.
SMALL: Final = len(SMALL_TILES)
NUMBERS: Final = np.array(list(DELUXE_TILES), dtype=np.int64)
WORMS: Final = np.array(list(DELUXE_TILES.values()), dtype=np.int64)
PLACE: Final = {number: place for place, number in enumerate(DELUXE_TILES)}
#: Results are below this.
RESULTS: Final = 64
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
#: A Specialist's place is `OUT`, a tile, or `HELD` + player.
HELD: Final = 32

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
def _share(row: Rows, shares: Floats32) -> None:
    """Share the win as if the game ended now."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    count_worms(row, scores, breaks)
    shared.share_win(scores, breaks, row[SEATS], shares)


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
    shared.turn_on(row, out, seats, BRATWORMS, 1)
    shared.turn_on(row, out, seats, HEIGHT, 1)
    shared.turn_on(row, out, seats, STACKS, TILES)


@compiled
def _emit(row: Rows, after: After) -> None:
    """Write the table after an ending, or one of them if there is a choice."""
    at = shared.next_place(after)
    out = after.rows[at]
    _turn_on(row, out)
    over = not row[UP : UP + TILES].any()
    after.over[at] = over
    if over:
        _share(out, after.shares[at])


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
    fail = shared.close_ending(after)
    ending[:] = fail

    at = np.full(TILES, -1, np.int64)
    for tile in range(TILES):
        if row[UP + tile]:
            _take(row.copy(), tile, after)
            at[tile] = shared.close_ending(after)
    for player in range(1, row[SEATS]):
        tile = top_of(row, player)
        if tile >= SMALL:
            _steal(row.copy(), player, after)
            at[tile] = shared.close_ending(after)

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
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    """Write all endings of the turns at many tables, layer by layer."""
    may_stop[:] = True  # C3
    for table in range(layers.shape[0]):
        for layer in range(layers.shape[1]):
            _end_turn(layers[table, layer], totals, after, ending[table, layer])


# ------------------------------------------------------------------------------ layers


@compiled
def _count_layers(rows: Rows, layers: Ints) -> None:
    """Count the tables that a double 1 can lead to from each table, and the table itself."""
    for table in range(len(rows)):
        layers[table] = 2 if rows[table, SUPPLY] > 0 else 1 + _victims(rows[table])


@compiled
def _fill_layers(rows: Rows, layers: Rows) -> None:
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


# ------------------------------------------------------------------------------ the edition


@compiled
def _count_all(rows: Rows, scores: Ints) -> None:
    breaks = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        count_worms(rows[number], scores[number], breaks)


class TileRows(RowRules):
    """The tables of classic or deluxe as rows."""

    width = WIDTH
    count_all = staticmethod(_count_all)
    end_turns = staticmethod(_end_turns)

    def __init__(self, edition: str) -> None:
        """Serve ``classic`` or ``deluxe``."""
        self.edition = edition

    def row(self, table: Table, seat: int) -> Rows:
        """Return the row of a table where it is ``seat``'s turn."""
        assert isinstance(table, ClassicTable | DeluxeTable)
        seats = table.seats
        row = np.zeros(WIDTH, dtype=np.int8)
        row[WHERE : WHERE + COUNT] = OUT
        row[[PLACE[tile] for tile in table.grill.face_up]] = 1
        row[FLIP_ALWAYS], row[FLIP_RETURNED] = table.house.flip_always, table.house.flip_returned
        row[SEATS] = seats
        for player in range(seats):
            stack = table.stacks[(seat + player) % seats]
            row[HEIGHT + player] = len(stack)
            first = STACKS + player * TILES
            row[first : first + len(stack)] = [PLACE[tile] for tile in stack]
        if isinstance(table, DeluxeTable):
            _fill_deluxe(row, table, seat)
        return row

    def kinds(self, rows: Rows) -> list[tuple[TurnKind, Ints]]:
        """Sort tables by kind."""
        if self.edition == "classic":
            return [(TurnKind(1), np.arange(len(rows)))]
        layers = np.empty(len(rows), np.int64)
        _count_layers(rows, layers)
        weasel, golden = rows[:, WHERE + WEASEL] == HELD, rows[:, WHERE + GOLDEN] == HELD
        code = layers * 4 + weasel * 2 + golden
        return [
            (TurnKind(int(each) // 4, bool(each & 2), bool(each & 1)), np.flatnonzero(code == each))
            for each in np.unique(code)
        ]

    def layers(self, rows: Rows, kind: TurnKind) -> Rows:
        """Return the tables, and those after a double 1."""
        if kind.layers == 1:
            return rows[:, np.newaxis]
        layers = np.empty((len(rows), kind.layers, WIDTH), np.int8)
        _fill_layers(rows, layers)
        return layers


def _fill_deluxe(row: Rows, table: DeluxeTable, seat: int) -> None:
    seats = table.seats
    for tile, specialist in table.on_grill:
        row[WHERE + SPECIALISTS.index(specialist)] = PLACE[tile]
    for player in range(seats):
        held = table.held[(seat + player) % seats]
        if held is not None:
            row[WHERE + SPECIALISTS.index(held)] = HELD + player
        row[BRATWORMS + player] = table.bratworms[(seat + player) % seats]
    row[SUPPLY] = table.supply
