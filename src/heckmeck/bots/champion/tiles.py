"""Classic and deluxe as rows: classic is deluxe with less in the box.

A classic table is a deluxe table without the tiles 11 and 13, with all Specialists out of the game
and no Bratworms, so one model serves both. Numbers like ``D7`` are rulings: see
``docs/rulings.md``.

A row holds, in this order: which tiles lie face up; where each Specialist is; the Bratworms by
player, and the supply; the house rules; the number of players; the heights of the stacks; the
stacks, bottom to top.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bots.champion.kernels import (
    LEADS,
    RACE,
    After,
    close_ending,
    count_players,
    gathered,
    room_for,
    share_win,
    show_lead,
    show_leads,
    show_race,
)
from heckmeck.bots.champion.model import (
    MOST_SEATS,
    Branches,
    Floats32,
    Ints,
    Kind,
    Rows,
)
from heckmeck.bots.worms import Prices
from heckmeck.rules import Specialist, Table
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    APPLE_WORMS,
    CANNED_WORM_POINTS,
    DELUXE_TILES,
    SMALL_TILES,
)
from heckmeck.rules.deluxe import DeluxeTable
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

DEPTHS: Final = 5
"""How deep into a stack the network sees where each tile lies; deeper ones look alike."""
AHEAD: Final = 2 * TILES + 16
"""Numbers about what the next turns may bring."""


# ------------------------------------------------------------------------------ reading a row


@compiled
def _held_by(row: Rows, player: int) -> int:
    """Return the Specialist that a player holds, or -1."""
    for specialist in range(COUNT):
        if row[WHERE + specialist] == HELD + player:
            return specialist
    return -1


@compiled
def _standing_on(row: Rows, tile: int) -> int:
    for specialist in range(COUNT):
        if row[WHERE + specialist] == tile:
            return specialist
    return -1


@compiled
def _lowest_free(row: Rows) -> int:
    """Return the lowest face-up tile with nobody on it, or `OUT` (D6)."""
    for tile in range(TILES):
        if row[UP + tile] and _standing_on(row, tile) < 0:
            return tile
    return OUT


@compiled
def _top(row: Rows, player: int) -> int:
    """Return the tile on top of a player's stack, or -1."""
    height = row[HEIGHT + player]
    return row[STACKS + player * TILES + height - 1] if height else -1


@compiled
def _count(row: Rows, scores: Ints, breaks: Ints) -> None:
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
    """Take one from the supply, or from ``victim`` if it is not 0."""
    if victim:
        row[BRATWORMS + victim] -= 1
    else:
        row[SUPPLY] -= 1
    row[BRATWORMS] += 1


@compiled
def _turn_highest(row: Rows, returned: int) -> None:
    """Turn the highest tile by C8 and C10; whoever stands on it moves (D7)."""
    highest = TILES - 1
    while highest >= 0 and not row[UP + highest]:
        highest -= 1
    if highest < 0 or (returned < 0 and not row[FLIP_ALWAYS]):
        return
    if highest == returned and not row[FLIP_RETURNED]:
        return
    row[UP + highest] = 0
    guest = _standing_on(row, highest)
    if guest >= 0:
        row[WHERE + guest] = OUT
        row[WHERE + guest] = _lowest_free(row)


@compiled
def _fail(row: Rows) -> None:
    """Pay for a failed attempt (D7, D8)."""
    tile, specialist = _top(row, 0), _held_by(row, 0)
    if specialist == HEN:
        if tile >= 0:
            row[WHERE + HEN] = OUT
            row[WHERE + HEN] = _lowest_free(row)
        tile = -1
    else:
        if tile >= 0:
            _pop(row, 0)
            row[UP + tile] = 1
        if specialist >= 0:
            row[WHERE + specialist] = OUT
            row[WHERE + specialist] = _lowest_free(row)
    _turn_highest(row, tile)


@compiled
def _turn_on(row: Rows, out: Rows) -> None:
    """Write the row with the next player first."""
    seats = np.int64(row[SEATS])
    out[:] = row
    for specialist in range(COUNT):
        if row[WHERE + specialist] >= HELD:
            holder = row[WHERE + specialist] - HELD
            out[WHERE + specialist] = HELD + (holder + seats - 1) % seats
    for player in range(seats):
        to = (player + seats - 1) % seats
        out[BRATWORMS + to] = row[BRATWORMS + player]
        out[HEIGHT + to] = row[HEIGHT + player]
        out[STACKS + to * TILES : STACKS + (to + 1) * TILES] = row[
            STACKS + player * TILES : STACKS + (player + 1) * TILES
        ]


@compiled
def _emit(row: Rows, after: After) -> None:
    """Write down the table after an ending, or one of them if there is a choice."""
    at = after.counts[0]
    after.counts[0] += 1
    out = after.rows[at]
    _turn_on(row, out)
    over = True
    for tile in range(TILES):
        if row[UP + tile]:
            over = False
    after.over[at] = over
    if over:
        _share(out, after.shares[at])


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    _count(row, scores, breaks)
    share_win(scores, breaks, row[SEATS], shares)


# ------------------------------------------------------------------------------ the endings


@compiled
def _receive(row: Rows, specialist: int, after: After) -> None:
    """Receive a Specialist; with a second one, choose which goes back (D5)."""
    held = _held_by(row, 0)
    if held < 0:
        row[WHERE + specialist] = HELD
        _emit(row, after)
        return
    for gone, stays in ((held, specialist), (specialist, held)):
        choice = row.copy()
        choice[WHERE + gone] = OUT
        choice[WHERE + stays] = OUT
        choice[WHERE + gone] = _lowest_free(choice)
        choice[WHERE + stays] = HELD
        _emit(choice, after)


@compiled
def _raven(row: Rows, after: After) -> None:
    """Take a Bratworm; after that the raven moves (D9, D14)."""
    row[WHERE + RAVEN] = _lowest_free(row)
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
    """Take a tile from the grill, and who stands on it (D3)."""
    guest = _standing_on(row, tile)
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
    specialist = _held_by(row, victim)
    if specialist != HEN:
        tile = _top(row, victim)
        _pop(row, victim)
        _push(row, 0, tile)
    if specialist < 0:
        _emit(row, after)
        return
    row[WHERE + specialist] = OUT
    _receive(row, specialist, after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write down all ends of a turn and which total leads to which."""
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
        tile = _top(row, player)
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
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints) -> None:
    after.first[0] = 0
    for table in range(layers.shape[0]):
        for layer in range(layers.shape[1]):
            _end_turn(layers[table, layer], totals, after, ending[table, layer])


# ------------------------------------------------------------------------------ layers


@compiled
def _count_layers(rows: Rows, layers: Ints) -> None:
    for table in range(len(rows)):
        layers[table] = 2 if rows[table, SUPPLY] > 0 else 1 + _victims(rows[table])


@compiled
def _fill_layers(rows: Rows, layers: Rows) -> None:
    """Write the tables that a Bratworm for a double 1 leads to behind the table itself (D13)."""
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


# ------------------------------------------------------------------------------ features


@compiled
def _show(rows: Rows, most: int, first_tile: int, out: Floats32) -> None:
    """Fill in the features; see `Tiles.inputs` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    each = 1 + most * DEPTHS
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
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
        at = (TILES - first_tile) * each
        _count(row, scores, breaks)
        show_race(scores, breaks, row[SEATS], shown[at:])
        at += most * RACE
        for player in range(row[SEATS]):
            shown[at + player] = row[HEIGHT + player] * 0.25
        at += most
        shown[at] = up * 0.1
        shown[at + 1] = worms * 0.05
        if up <= 4:
            shown[at + 1 + up] = 1.0
        at += 6
        count_players(row[SEATS], most, shown[at:])
        at += MOST_SEATS - 1
        show_leads(scores, breaks, row[SEATS], shown[at:])
        at += most * LEADS
        _show_ahead(row, scores, breaks, shown[at:])
        at += AHEAD
        if first_tile == 0:
            _show_deluxe(row, most, shown[at:])


@compiled
def _show_ahead(row: Rows, scores: Ints, breaks: Ints, shown: Floats32) -> None:
    """Show the ends of the grill, and who would lead after what the next turns may bring.

    That is, for player 0 and for the next one: taking the highest tile, taking the lowest one,
    losing the top tile, stealing from the other of the two.
    """
    lowest, highest = TILES, -1
    for tile in range(TILES):
        if row[UP + tile]:
            lowest, highest = min(lowest, tile), tile
    if highest < 0:
        return
    shown[lowest] = 1.0
    shown[TILES + highest] = 1.0
    at = 2 * TILES
    for player in range(2):
        other = 1 - player
        for tile in (highest, lowest, -1, _top(row, other)):
            worms, best = scores.copy(), breaks.copy()
            if tile < 0 or tile == _top(row, other):
                loser = player if tile < 0 else other
                _lose_top(row, loser, worms, best)
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
    worms[player] -= WORMS[_top(row, player)]
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
def _wealth(rows: Rows, prices: Floats32, out: Floats32) -> None:
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row = rows[number]
        _count(row, scores, breaks)
        for player in range(row[SEATS]):
            out[number, player] = scores[player]
            held = _held_by(row, player)
            if held >= 0:
                out[number, player] += prices[held]


@compiled
def _share_all(rows: Rows, out: Floats32) -> None:
    for number in range(len(rows)):
        _share(rows[number], out[number])


# ------------------------------------------------------------------------------ the model


class Tiles:
    """The tables of classic or deluxe as rows."""

    width = WIDTH

    def __init__(self, edition: str) -> None:
        """Make the model of an edition: ``classic`` or ``deluxe``."""
        self.edition = edition
        self._first_tile = 0 if edition == "deluxe" else SMALL
        prices = Prices().specialists
        self._prices = np.array([prices.get(each, 0.0) for each in SPECIALISTS], dtype=np.float32)
        self._prices[APPLE] -= APPLE_WORMS

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

    def kinds(self, rows: Rows) -> list[tuple[Kind, Ints]]:
        """Sort tables by kind."""
        if self.edition == "classic":
            return [(Kind(1), np.arange(len(rows)))]
        layers = np.empty(len(rows), np.int64)
        _count_layers(rows, layers)
        weasel, golden = rows[:, WHERE + WEASEL] == HELD, rows[:, WHERE + GOLDEN] == HELD
        code = layers * 4 + weasel * 2 + golden
        return [
            (Kind(int(each) // 4, bool(each & 2), bool(each & 1)), np.flatnonzero(code == each))
            for each in np.unique(code)
        ]

    def layers(self, rows: Rows, kind: Kind) -> Rows:
        """Return the tables, and what a double 1 makes of them."""
        if kind.layers == 1:
            return rows[:, np.newaxis]
        layers = np.empty((len(rows), kind.layers, WIDTH), np.int8)
        _fill_layers(rows, layers)
        return layers

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
        """How many numbers are shown: tiles, race, heights, grill, players, leads; Specialists."""
        tiles = (TILES - self._first_tile) * (1 + seats * DEPTHS)
        common = tiles + seats * (RACE + 1 + LEADS) + 6 + MOST_SEATS - 1 + AHEAD
        return common + (COUNT * (TILES + seats) + seats + 2 if self._first_tile == 0 else 0)

    def features(self, rows: Rows, seats: int) -> Floats32:
        """Return what a network for up to ``seats`` players is shown of each table."""
        out = np.zeros((len(rows), self.inputs(seats)), np.float32)
        _show(rows, seats, self._first_tile, out)
        return out

    def standing(self, rows: Rows) -> Floats32:
        """Return [table, player]: wealth in worms."""
        out = np.zeros((len(rows), MOST_SEATS), np.float32)
        _wealth(rows, self._prices, out)
        return out


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
