"""Barbecue as rows. Numbers like ``B9`` are rulings: see ``docs/rulings.md``.

A row contains, in this order: what is on each spot (nothing, a snail, a player's single plate, a
player's two plates); the snails in the pool; the number of players; and by player the snails, the
worms and the plates in hand.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from heckmeck.bulk import rows as shared
from heckmeck.bulk.rows import (
    ABOUT,
    DECIDING,
    FAILURE,
    MOST_SEATS,
    OVER,
    REASONS,
    After,
    Bools,
    Floats32,
    Ints,
    RowRules,
    Rows,
)
from heckmeck.rules import Table
from heckmeck.rules.barbecue import EMPTY as NO_PLATE
from heckmeck.rules.barbecue import WITH_SNAIL, BarbecueTable, Spot
from heckmeck.rules.components import BARBECUE_SPOTS, SNAIL_WORMS
from heckmeck.rules.outcome import EndReason
from heckmeck.solver.compiling import compiled, compiled_lean

COUNT: Final = len(BARBECUE_SPOTS)
LOWEST: Final = min(BARBECUE_SPOTS)
WORMS: Final = np.array(list(BARBECUE_SPOTS.values()), dtype=np.int64)
EMPTY: Final = 0
SNAIL: Final = 1
#: A spot with one plate is `SINGLE` + player.
SINGLE: Final = 2
#: A spot with two plates is `CLOSED` + player.
CLOSED: Final = 16
#: The ending of a result above the highest spot; that of any other result is its spot.
ABOVE: Final = COUNT
POOL_EMPTY: Final = REASONS.index(EndReason.POOL_EMPTY)
GRILL_FULL: Final = REASONS.index(EndReason.GRILL_FULL)
NO_SNAIL_LEFT: Final = REASONS.index(EndReason.NO_SNAIL_LEFT)
#: The maximum number of worms in a row: a player with as many has long won.
MOST_WORMS: Final = 127

SPOTS: Final = 0
POOL: Final = SPOTS + COUNT
SEATS: Final = POOL + 1
HAS_SNAILS: Final = SEATS + 1
HAS_WORMS: Final = HAS_SNAILS + MOST_SEATS
PLATES: Final = HAS_WORMS + MOST_SEATS
WIDTH: Final = PLATES + MOST_SEATS


@compiled_lean
def count_worms(row: Rows, scores: Ints, breaks: Ints) -> None:
    """Count worms and snails, and find each player's highest spot with a plate (B12)."""
    for player in range(row[SEATS]):
        snails = np.int64(row[HAS_SNAILS + player])
        scores[player] = row[HAS_WORMS + player] + SNAIL_WORMS * snails
        breaks[player] = 0
        for spot in range(COUNT):
            if row[SPOTS + spot] == SINGLE + player or row[SPOTS + spot] == CLOSED + player:
                breaks[player] = spot + 1


@compiled_lean
def highest_with(row: Rows, first: int, last: int) -> int:
    """Return the highest spot whose value is from ``first`` to ``last``, or -1."""
    for spot in range(COUNT - 1, -1, -1):
        if first <= row[SPOTS + spot] <= last:
            return spot
    return -1


@compiled_lean
def _gain(row: Rows, player: int, worms: int) -> None:
    row[HAS_WORMS + player] = min(int(row[HAS_WORMS + player]) + worms, MOST_WORMS)


@compiled_lean
def turn_on(row: Rows) -> None:
    """Make the next player player 0."""
    seats = int(row[SEATS])
    for spot in range(COUNT):
        what = int(np.int64(row[SPOTS + spot]))
        if what >= SINGLE:
            plates = CLOSED if what >= CLOSED else SINGLE
            row[SPOTS + spot] = plates + shared.player_before(what - plates, seats)
    for part in (HAS_SNAILS, HAS_WORMS, PLATES):
        shared.rotate(row, seats, part, 1)


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    count_worms(row, scores, breaks)
    shared.share_win(scores, breaks, row[SEATS], shares)


# ------------------------------------------------------------------------------ the endings


@compiled_lean
def ending_of(row: Rows, result: int) -> int:
    """Return the ending that a result earns: a spot, `ABOVE`, or `FAILURE`; -1 has no worm."""
    spot = result - LOWEST
    if spot < 0:
        return FAILURE  # B4
    if spot >= COUNT:
        return ABOVE  # B9
    what = row[SPOTS + spot]
    if what == SNAIL or (what < CLOSED and row[PLATES] > 0):  # B8, B5 to B7, B13
        return spot
    return FAILURE  # B4


@compiled_lean
def carry_out(row: Rows, ending: int) -> int:
    """Carry out an ending of player 0's turn; return the phase after it, and why it is over."""
    if ending == FAILURE:
        return _fail(row)
    if ending == ABOVE:
        return _above(row)
    if row[SPOTS + ending] == SNAIL:
        return _snatch(row, ending)
    return _plate(row, ending)


@compiled_lean
def _fail(row: Rows) -> int:
    """A snail goes on the highest empty spot, or displaces a single plate (B10, B11)."""
    spot = highest_with(row, EMPTY, EMPTY)
    if spot < 0:
        spot = highest_with(row, SINGLE, CLOSED - 1)
    if row[POOL] == 0:
        return OVER + ABOUT * POOL_EMPTY
    if spot < 0:
        return OVER + ABOUT * GRILL_FULL
    if row[SPOTS + spot] >= SINGLE:
        row[PLATES + row[SPOTS + spot] - SINGLE] += 1
    row[POOL] -= 1
    row[SPOTS + spot] = SNAIL
    return DECIDING


@compiled_lean
def _snatch(row: Rows, spot: int) -> int:
    """Take a snail from a spot, or from the pool if it is -1 (B8, B9)."""
    if spot < 0:
        row[POOL] -= 1
    else:
        row[SPOTS + spot] = EMPTY
    row[HAS_SNAILS] += 1
    return DECIDING


@compiled_lean
def _above(row: Rows) -> int:
    """A snail from the pool, otherwise the one on the highest spot, otherwise the end (B9)."""
    if row[POOL] > 0:
        return _snatch(row, -1)
    spot = highest_with(row, SNAIL, SNAIL)
    return OVER + ABOUT * NO_SNAIL_LEFT if spot < 0 else _snatch(row, spot)


@compiled_lean
def _plate(row: Rows, spot: int) -> int:
    """Occupy a spot, steal it, or close it (B5, B6, B7)."""
    what = int(row[SPOTS + spot])
    worms = int(WORMS[spot])
    if what == SINGLE:
        row[SPOTS + spot] = CLOSED
    else:
        if what > SINGLE:
            _gain(row, what - SINGLE, -worms)
            row[PLATES + what - SINGLE] += 1
        row[SPOTS + spot] = SINGLE
    _gain(row, 0, worms)
    row[PLATES] -= 1
    return DECIDING


# ------------------------------------------------------------------------------ all endings


@compiled
def _write(row: Rows, ending: int, after: After) -> int:
    """Write the table after an ending; return its number."""
    done = row.copy()
    phase = carry_out(done, ending) % ABOUT
    at = shared.next_place(after)
    shared.copy_row(done, after.rows[at])
    turn_on(after.rows[at])
    after.over[at] = phase == OVER
    if phase == OVER:
        _share(after.rows[at], after.shares[at])
    return shared.close_ending(after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    """Write all endings of a turn, which total leads to which, and where one may stop (B3)."""
    ending[:] = _write(row, FAILURE, after)
    may_stop[:] = False
    above = -1
    for total in range(totals):
        earned = ending_of(row, total)
        if earned == FAILURE:
            continue
        if earned == ABOVE and above < 0:
            above = _write(row, ABOVE, after)
        ending[1 + totals + total] = above if earned == ABOVE else _write(row, earned, after)
        may_stop[totals + total] = True


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    for table in range(layers.shape[0]):
        _end_turn(layers[table, 0], totals, after, ending[table, 0], may_stop[table, 0])


@compiled
def _count_all(rows: Rows, scores: Ints) -> None:
    breaks = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        count_worms(rows[number], scores[number], breaks)


class BarbecueRows(RowRules):
    """The tables of barbecue as rows."""

    edition = "barbecue"
    width = WIDTH
    count_all = staticmethod(_count_all)
    end_turns = staticmethod(_end_turns)

    def row(self, table: Table, seat: int) -> Rows:
        """Return the row of a table where it is ``seat``'s turn."""
        assert isinstance(table, BarbecueTable)
        seats = table.seats
        row = np.zeros(WIDTH, dtype=np.int8)
        row[SPOTS : SPOTS + COUNT] = [_code(spot, seat, seats) for spot in table.spots]
        row[POOL], row[SEATS] = table.pool, seats
        for player in range(seats):
            at = (seat + player) % seats
            row[HAS_SNAILS + player] = table.snails[at]
            row[HAS_WORMS + player] = min(table.worms[at], MOST_WORMS)
            row[PLATES + player] = table.plates[at]
        return row

    def table(self, row: Rows, seat: int) -> BarbecueTable:
        """Return the table of a row where it is ``seat``'s turn."""
        by_seat = [(each - seat) % int(row[SEATS]) for each in range(row[SEATS])]
        return BarbecueTable(
            spots=tuple(_spot(int(what), seat, len(by_seat)) for what in row[SPOTS:POOL]),
            pool=int(row[POOL]),
            snails=tuple(int(row[HAS_SNAILS + player]) for player in by_seat),
            worms=tuple(int(row[HAS_WORMS + player]) for player in by_seat),
            plates=tuple(int(row[PLATES + player]) for player in by_seat),
        )

    def left(self, rows: Rows) -> Ints:
        """Return the number of failed attempts that end the game: see `_fail`."""
        spots = rows[:, SPOTS : SPOTS + COUNT]
        free = ((spots == EMPTY) | ((spots >= SINGLE) & (spots < CLOSED))).sum(axis=1)
        left: Ints = 1 + np.minimum(rows[:, POOL].astype(np.int64), free)
        return left


def _code(spot: Spot, seat: int, seats: int) -> int:
    """Return the value of a spot, with players counted from ``seat``."""
    if spot.snail:
        return SNAIL
    if not spot.plates:
        return EMPTY
    owner = (spot.plates[0] - seat) % seats
    return (CLOSED if len(spot.plates) == 2 else SINGLE) + owner


def _spot(what: int, seat: int, seats: int) -> Spot:
    """Return what is on a spot, from its value with players counted from ``seat``."""
    if what == SNAIL:
        return WITH_SNAIL
    if what == EMPTY:
        return NO_PLATE
    if what >= CLOSED:
        return Spot(((what - CLOSED + seat) % seats,) * 2)
    return Spot(((what - SINGLE + seat) % seats,))
