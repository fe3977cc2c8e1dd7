"""Classic and deluxe as rows: classic is deluxe with less in the box.

A classic table is a deluxe table without the tiles 11 and 13, with all Specialists out of the game
and no Bratworms, so one layout serves both. Numbers like ``D7`` are rulings: see
``docs/rulings.md``.

A row contains, in this order: which tiles are face up; where each Specialist is; the Bratworms by
player, and the supply; the house rules; the number of players; the heights of the stacks; the
stacks, bottom to top.
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
    RETURN,
    ROB_FOR_RAVEN,
    After,
    Bools,
    Floats32,
    Ints,
    RowRules,
    Rows,
)
from heckmeck.rules import HouseRules, Specialist, Table
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    APPLE_WORMS,
    CANNED_WORM_POINTS,
    CLASSIC_TILES,
    DELUXE_TILES,
    SMALL_TILES,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.grill import Grill
from heckmeck.solver.compiling import compiled, compiled_lean
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
#: [result]: the number of tiles that are lower.
BELOW: Final = np.searchsorted(NUMBERS, np.arange(RESULTS))
#: The ending of stealing from a player is `STEAL` + player; of taking a tile, its number.
STEAL: Final = TILES

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


@compiled_lean
def held_by(row: Rows, player: int) -> int:
    """Return the Specialist that a player holds, or -1."""
    for specialist in range(COUNT):
        if row[WHERE + specialist] == HELD + player:
            return specialist
    return -1


@compiled_lean
def standing_on(row: Rows, tile: int) -> int:
    """Return the Specialist on a tile, or -1."""
    for specialist in range(COUNT):
        if row[WHERE + specialist] == tile:
            return specialist
    return -1


@compiled_lean
def lowest_free(row: Rows) -> int:
    """Return the lowest face-up tile without a Specialist, or `OUT` (D6)."""
    for tile in range(TILES):
        if row[UP + tile] and standing_on(row, tile) < 0:
            return tile
    return OUT


@compiled_lean
def top_of(row: Rows, player: int) -> int:
    """Return the tile on top of a player's stack, or -1."""
    height = row[HEIGHT + player]
    return row[STACKS + player * TILES + height - 1] if height else -1


@compiled_lean
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


@compiled_lean
def _push(row: Rows, player: int, tile: int) -> None:
    row[STACKS + player * TILES + row[HEIGHT + player]] = tile
    row[HEIGHT + player] += 1


@compiled_lean
def _pop(row: Rows, player: int) -> None:
    row[HEIGHT + player] -= 1
    row[STACKS + player * TILES + row[HEIGHT + player]] = 0


@compiled_lean
def is_robbable(row: Rows, player: int) -> bool:
    """Whether player 0 may take a Bratworm from a player (D14, D8)."""
    return bool(row[BRATWORMS + player] > 0 and row[WHERE + HEN] != HELD + player)


@compiled_lean
def count_victims(row: Rows) -> int:
    """Return the number of players whom player 0 may take a Bratworm from."""
    count = 0
    for player in range(1, row[SEATS]):
        if is_robbable(row, player):
            count += 1
    return count


@compiled_lean
def first_victim(row: Rows) -> int:
    """Return the first of these players; there must be one."""
    victim = 1
    while not is_robbable(row, victim):
        victim += 1
    return victim


@compiled_lean
def take_bratworm(row: Rows, victim: int) -> None:
    """Take a Bratworm from the supply, or from ``victim`` if it is not 0."""
    if victim:
        row[BRATWORMS + victim] -= 1
    else:
        row[SUPPLY] -= 1
    row[BRATWORMS] += 1


@compiled_lean
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


@compiled_lean
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


@compiled_lean
def turn_on(row: Rows) -> None:
    """Make the next player player 0."""
    seats = int(row[SEATS])
    for specialist in range(COUNT):
        where = int(np.int64(row[WHERE + specialist]))
        if where >= HELD:
            row[WHERE + specialist] = HELD + shared.player_before(where - HELD, seats)
    shared.rotate(row, seats, BRATWORMS, 1)
    shared.rotate(row, seats, HEIGHT, 1)
    shared.rotate(row, seats, STACKS, TILES)


# ------------------------------------------------------------------------------ the endings


@compiled_lean
def result_of(row: Rows, total: int, worm: bool) -> int:
    """Return the result of a turn, or -1 without a worm, which the canned worm replaces (D12)."""
    if worm:
        return total
    return total + CANNED_WORM_POINTS if row[WHERE + CANNED] == HELD else -1


@compiled_lean
def ending_of(row: Rows, result: int) -> int:
    """Return the ending that a result earns: a tile to take, `STEAL` + player, or `FAILURE`."""
    if result < 0:
        return FAILURE
    tile = TILE_OF[result]
    if tile >= 0 and row[UP + tile]:  # C4
        return int(tile)
    if tile >= SMALL:  # D1
        for player in range(1, row[SEATS]):
            if top_of(row, player) == tile:  # C5
                return STEAL + player
    for lower in range(BELOW[result] - 1, SMALL - 1, -1):  # C6, D1
        if row[UP + lower]:
            return lower
    return FAILURE  # C7


@compiled_lean
def carry_out(row: Rows, ending: int) -> int:
    """Carry out an ending of player 0's turn; return the phase after it, or the question."""
    if ending == FAILURE:
        _fail(row)
        return _finished(row)
    if ending >= STEAL:
        return _steal(row, ending - STEAL)
    return _take(row, ending)


@compiled_lean
def answer(row: Rows, question: int, choice: int) -> int:
    """Answer a question after an ending: return this Specialist, or rob this player."""
    if question % ABOUT == RETURN:
        received = question // ABOUT
        stays = received if choice != received else held_by(row, 0)
        row[WHERE + stays] = OUT
        row[WHERE + choice] = OUT
        row[WHERE + choice] = lowest_free(row)
        row[WHERE + stays] = HELD
        return _finished(row)
    take_bratworm(row, choice)
    return _raven_moves_on(row)


@compiled_lean
def _finished(row: Rows) -> int:
    """Whether the next player has the dice, or the game is over (C9, D17)."""
    for tile in range(TILES):
        if row[UP + tile]:
            return DECIDING
    return OVER


@compiled_lean
def _take(row: Rows, tile: int) -> int:
    """Take a tile from the grill, and the Specialist on it (D3)."""
    guest = standing_on(row, tile)
    row[UP + tile] = 0
    _push(row, 0, tile)
    if guest < 0:
        return _finished(row)
    row[WHERE + guest] = OUT
    return _meet_the_raven(row) if guest == RAVEN else _receive(row, guest)


@compiled_lean
def _steal(row: Rows, victim: int) -> int:
    """Steal a player's top tile, or the hen that guards it, or both (D4, D8)."""
    specialist = held_by(row, victim)
    if specialist != HEN:
        tile = top_of(row, victim)
        _pop(row, victim)
        _push(row, 0, tile)
    if specialist < 0:
        return _finished(row)
    row[WHERE + specialist] = OUT
    return _receive(row, specialist)


@compiled_lean
def _receive(row: Rows, specialist: int) -> int:
    """Receive a Specialist; with a second one, choose which goes back (D5)."""
    if held_by(row, 0) >= 0:
        return RETURN + ABOUT * specialist
    row[WHERE + specialist] = HELD
    return _finished(row)


@compiled_lean
def _meet_the_raven(row: Rows) -> int:
    """Take a Bratworm, if there is one; then the raven moves (D9, D14)."""
    if row[SUPPLY] > 0:
        take_bratworm(row, 0)
    else:
        victims = count_victims(row)
        if victims > 1:
            return ROB_FOR_RAVEN
        if victims:
            take_bratworm(row, first_victim(row))
    return _raven_moves_on(row)


@compiled_lean
def _raven_moves_on(row: Rows) -> int:
    row[WHERE + RAVEN] = lowest_free(row)
    return _finished(row)


# ------------------------------------------------------------------------------ all endings


@compiled
def _emit(row: Rows, phase: int, after: After) -> None:
    """Write the table after an ending, or one of them if there is a choice."""
    at = shared.next_place(after)
    out = after.rows[at]
    shared.copy_row(row, out)
    turn_on(out)
    after.over[at] = phase == OVER
    if phase == OVER:
        _share(out, after.shares[at])


@compiled
def _write(row: Rows, ending: int, after: After) -> int:
    """Write all tables after an ending; return its number."""
    done = row.copy()
    question = carry_out(done, ending)
    phase = question % ABOUT
    if phase == RETURN:
        for gone in (held_by(done, 0), question // ABOUT):
            choice = done.copy()
            _emit(choice, answer(choice, question, gone), after)
    elif phase == ROB_FOR_RAVEN:
        for victim in range(1, done[SEATS]):
            if is_robbable(done, victim):
                choice = done.copy()
                _emit(choice, answer(choice, question, victim), after)
    else:
        _emit(done, phase, after)
    return shared.close_ending(after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints) -> None:
    """Write all endings of a turn and which total leads to which."""
    number = np.empty(STEAL + MOST_SEATS, np.int64)
    fail = _write(row, FAILURE, after)
    for tile in range(TILES):
        if row[UP + tile]:
            number[tile] = _write(row, tile, after)
    for player in range(1, row[SEATS]):
        if top_of(row, player) >= SMALL:
            number[STEAL + player] = _write(row, STEAL + player, after)
    ending[:] = fail
    for worm in range(2):
        for total in range(totals):
            earned = ending_of(row, result_of(row, total, worm == 1))
            if earned != FAILURE:
                ending[1 + worm * totals + total] = number[earned]


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    """Write all endings of the turns at many tables, layer by layer."""
    may_stop[:] = True  # C3
    for table in range(layers.shape[0]):
        for layer in range(layers.shape[1]):
            _end_turn(layers[table, layer], totals, after, ending[table, layer])


# ------------------------------------------------------------------------------ layers


@compiled_lean
def _count_layers(rows: Rows, layers: Ints) -> None:
    """Count the tables that a double 1 can lead to from each table, and the table itself."""
    for table in range(len(rows)):
        layers[table] = 2 if rows[table, SUPPLY] > 0 else 1 + count_victims(rows[table])


@compiled_lean
def _fill_layers(rows: Rows, layers: Rows) -> None:
    """Write the tables after a Bratworm for a double 1 behind the table itself (D13)."""
    for table in range(len(rows)):
        row = rows[table]
        shared.copy_row(row, layers[table, 0])
        if row[SUPPLY] > 0:
            shared.copy_row(row, layers[table, 1])
            take_bratworm(layers[table, 1], 0)
            continue
        layer = 1
        for victim in range(1, row[SEATS]):
            if is_robbable(row, victim):
                shared.copy_row(row, layers[table, layer])
                take_bratworm(layers[table, layer], victim)
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

    def table(self, row: Rows, seat: int) -> ClassicTable | DeluxeTable:
        """Return the table of a row where it is ``seat``'s turn."""
        seats = int(row[SEATS])
        by_seat = [(each - seat) % seats for each in range(seats)]
        stacks = tuple(_stack(row, player) for player in by_seat)
        numbers = CLASSIC_TILES if self.edition == "classic" else DELUXE_TILES
        face_up = tuple(tile for tile in numbers if row[UP + PLACE[tile]])
        seen = {*face_up, *chain.from_iterable(stacks)}
        grill = Grill(face_up, tuple(tile for tile in numbers if tile not in seen))
        house = HouseRules(bool(row[FLIP_ALWAYS]), bool(row[FLIP_RETURNED]))
        if self.edition == "classic":
            return ClassicTable(grill, stacks, house)
        held = [held_by(row, player) for player in by_seat]
        return DeluxeTable(
            grill,
            stacks,
            on_grill=tuple(
                sorted(
                    (int(NUMBERS[row[WHERE + number]]), specialist)
                    for number, specialist in enumerate(SPECIALISTS)
                    if 0 <= row[WHERE + number] < HELD
                )
            ),
            held=tuple(None if number < 0 else SPECIALISTS[number] for number in held),
            bratworms=tuple(int(row[BRATWORMS + player]) for player in by_seat),
            supply=int(row[SUPPLY]),
            house=house,
        )

    def left(self, rows: Rows) -> Ints:
        """Return the number of tiles on the grill."""
        tiles: Ints = rows[:, UP : UP + TILES].sum(axis=1, dtype=np.int64)
        return tiles

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


def _stack(row: Rows, player: int) -> tuple[int, ...]:
    first = STACKS + player * TILES
    return tuple(NUMBERS[row[first : first + int(row[HEIGHT + player])]].tolist())


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
