"""Barbecue as rows. Numbers like ``B9`` are rulings: see ``docs/rulings.md``.

A row contains, in this order: what is on each spot (nothing, a snail, a player's single plate, a
player's two plates); the snails in the pool; the number of players; and by player the snails, the
worms and the plates in hand.
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
    next_place,
    room_for,
    share_win,
    show_lead,
    show_leads,
    show_race,
    turn_on,
)
from heckmeck.bots.champion.model import MOST_SEATS, Bools, Branches, Floats32, Ints, Kind, Rows
from heckmeck.bots.worms import Prices
from heckmeck.rules import Table
from heckmeck.rules.barbecue import BarbecueTable, Spot
from heckmeck.rules.components import BARBECUE_SPOTS, SNAIL_WORMS, SNAILS
from heckmeck.solver.kernel import compiled

COUNT: Final = len(BARBECUE_SPOTS)
LOWEST: Final = min(BARBECUE_SPOTS)
WORMS: Final = np.array(list(BARBECUE_SPOTS.values()), dtype=np.int64)
EMPTY: Final = 0
SNAIL: Final = 1
SINGLE: Final = 2
"""A spot with one plate is `SINGLE` + player."""
CLOSED: Final = 16
"""A spot with two plates is `CLOSED` + player."""
MOST_WORMS: Final = 127
"""The maximum number of worms in a row: a player with as many has long won."""

AHEAD: Final = 2 * COUNT + 2 + 24
"""Features about the next turns."""

SPOTS: Final = 0
POOL: Final = SPOTS + COUNT
SEATS: Final = POOL + 1
HAS_SNAILS: Final = SEATS + 1
HAS_WORMS: Final = HAS_SNAILS + MOST_SEATS
PLATES: Final = HAS_WORMS + MOST_SEATS
WIDTH: Final = PLATES + MOST_SEATS


@compiled
def _count(row: Rows, scores: Ints, breaks: Ints) -> None:
    """Count worms and snails, and find each player's highest spot with a plate (B12)."""
    for player in range(row[SEATS]):
        snails = np.int64(row[HAS_SNAILS + player])
        scores[player] = row[HAS_WORMS + player] + SNAIL_WORMS * snails
        breaks[player] = 0
        for spot in range(COUNT):
            if row[SPOTS + spot] == SINGLE + player or row[SPOTS + spot] == CLOSED + player:
                breaks[player] = spot + 1


@compiled
def _highest(row: Rows, first: int, last: int) -> int:
    """Return the highest spot whose value is from ``first`` to ``last``, or -1."""
    for spot in range(COUNT - 1, -1, -1):
        if first <= row[SPOTS + spot] <= last:
            return spot
    return -1


@compiled
def _gain(row: Rows, player: int, worms: int) -> None:
    row[HAS_WORMS + player] = min(int(row[HAS_WORMS + player]) + worms, MOST_WORMS)


@compiled
def _emit(row: Rows, over: bool, after: After) -> int:
    """Write the table after an ending, the next player first; return the ending."""
    at = next_place(after)
    seats = int(row[SEATS])
    out = after.rows[at]
    out[:] = row
    for spot in range(COUNT):
        what = np.int64(row[SPOTS + spot])
        if what >= CLOSED:
            out[SPOTS + spot] = CLOSED + (what - CLOSED + seats - 1) % seats
        elif what >= SINGLE:
            out[SPOTS + spot] = SINGLE + (what - SINGLE + seats - 1) % seats
    for part in (HAS_SNAILS, HAS_WORMS, PLATES):
        turn_on(row, out, seats, part, 1)
    after.over[at] = over
    if over:
        _share(out, after.shares[at])
    return close_ending(after)


@compiled
def _share(row: Rows, shares: Floats32) -> None:
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    _count(row, scores, breaks)
    share_win(scores, breaks, row[SEATS], shares)


@compiled
def _fail(row: Rows, after: After) -> int:
    """A snail goes on the highest empty spot, or displaces a single plate (B10, B11)."""
    spot = _highest(row, EMPTY, EMPTY)
    if spot < 0:
        spot = _highest(row, SINGLE, CLOSED - 1)
    if spot < 0 or row[POOL] == 0:
        return _emit(row, True, after)
    if row[SPOTS + spot] >= SINGLE:
        row[PLATES + row[SPOTS + spot] - SINGLE] += 1
    row[POOL] -= 1
    row[SPOTS + spot] = SNAIL
    return _emit(row, False, after)


@compiled
def _snatch(row: Rows, spot: int, after: After) -> int:
    """Take a snail from a spot, or from the pool if it is -1 (B8, B9)."""
    if spot < 0:
        row[POOL] -= 1
    else:
        row[SPOTS + spot] = EMPTY
    row[HAS_SNAILS] += 1
    return _emit(row, False, after)


@compiled
def _above(row: Rows, after: After) -> int:
    """A snail from the pool, otherwise the one on the highest spot, otherwise the end (B9)."""
    if row[POOL] > 0:
        return _snatch(row, -1, after)
    spot = _highest(row, SNAIL, SNAIL)
    if spot < 0:
        return _emit(row, True, after)
    return _snatch(row, spot, after)


@compiled
def _plate(row: Rows, spot: int, after: After) -> int:
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
    return _emit(row, False, after)


@compiled
def _end_turn(row: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    """Write all endings of a turn and which total leads to which (B3 to B9, B13)."""
    ending[:] = _fail(row.copy(), after)
    may_stop[:] = False
    for total in range(LOWEST, min(totals, LOWEST + COUNT)):
        spot = total - LOWEST
        what = row[SPOTS + spot]
        if what == SNAIL:
            ending[1 + totals + total] = _snatch(row.copy(), spot, after)
        elif what < CLOSED and row[PLATES] > 0:
            ending[1 + totals + total] = _plate(row.copy(), spot, after)
        else:
            continue
        may_stop[totals + total] = True
    if totals > LOWEST + COUNT:
        ending[1 + totals + LOWEST + COUNT :] = _above(row.copy(), after)
        may_stop[totals + LOWEST + COUNT :] = True


@compiled
def _end_turns(layers: Rows, totals: int, after: After, ending: Ints, may_stop: Bools) -> None:
    for table in range(layers.shape[0]):
        _end_turn(layers[table, 0], totals, after, ending[table, 0], may_stop[table, 0])


@compiled
def _show(rows: Rows, most: int, out: Floats32) -> None:
    """Fill in the features; see `BarbecueRows.inputs` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    then = np.zeros(MOST_SEATS, np.int64)
    each = 2 + 2 * most
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        empty, single, snails = 0, 0, 0
        for spot in range(COUNT):
            what = row[SPOTS + spot]
            if what >= CLOSED:
                place = 2 + most + what - CLOSED
            elif what >= SINGLE:
                place = 2 + what - SINGLE
                single += 1
            else:
                place = np.int64(what)
                empty += what == EMPTY
                snails += what == SNAIL
            shown[spot * each + place] = 1.0
        at = COUNT * each
        _count(row, scores, breaks)
        show_race(scores, breaks, row[SEATS], shown[at:])
        at += most * RACE
        for player in range(row[SEATS]):
            shown[at + player * 4] = row[PLATES + player] * 0.1
            shown[at + player * 4 + 1] = row[HAS_SNAILS + player] * 0.2
            if row[PLATES + player] < 2:
                shown[at + player * 4 + 2 + row[PLATES + player]] = 1.0
        at += most * 4
        shown[at] = empty * 0.1
        shown[at + 1] = single * 0.1
        shown[at + 2] = snails * 0.1
        shown[at + 3] = row[POOL] * 0.1
        shown[at + 4 + row[POOL]] = 1.0
        at += 5 + SNAILS
        count_players(row[SEATS], most, shown[at:])
        at += MOST_SEATS - 1
        show_leads(scores, breaks, row[SEATS], shown[at:])
        at += most * LEADS
        _show_ahead(row, scores, breaks, then, shown[at:])


@compiled
def _show_ahead(row: Rows, scores: Ints, breaks: Ints, then: Ints, shown: Floats32) -> None:
    """Show where the next snail goes, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking a snail, and each number of worms.
    ``then`` is working memory for the scores.
    """
    empty, single = _highest(row, EMPTY, EMPTY), _highest(row, SINGLE, CLOSED - 1)
    shown[1 + empty] = 1.0
    shown[COUNT + 2 + single] = 1.0
    at = 2 * COUNT + 2
    for player in range(2):
        for worms in (1, 2, 3, 4, 6, 8):
            then[:] = scores
            then[player] += worms
            show_lead(then, breaks, row[SEATS], 0, shown[at:])
            at += 2


@compiled
def _wealth(rows: Rows, at_risk: float, out: Floats32) -> None:
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row = rows[number]
        _count(row, scores, breaks)
        for player in range(row[SEATS]):
            out[number, player] = scores[player]
            for spot in range(COUNT):
                if row[SPOTS + spot] == SINGLE + player:
                    out[number, player] -= at_risk * WORMS[spot]


@compiled
def _share_all(rows: Rows, out: Floats32) -> None:
    for number in range(len(rows)):
        _share(rows[number], out[number])


class BarbecueRows:
    """The tables of barbecue as rows."""

    edition = "barbecue"
    width = WIDTH

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
        may_stop = np.empty((*layers.shape[:2], 2 * totals), np.bool_)
        _end_turns(layers, totals, after, ending, may_stop)
        return gathered(after, ending, may_stop)

    def shares(self, rows: Rows, seats: int) -> Floats32:
        """Return each player's share of the win if the games ended now."""
        shares = np.empty((len(rows), MOST_SEATS), np.float32)
        _share_all(rows, shares)
        return shares[:, :seats]

    def inputs(self, seats: int) -> int:
        """The number of features: spots, race, pieces by player, pool, players, leads."""
        spots, pool = COUNT * (2 + 2 * seats), 5 + SNAILS
        return spots + seats * (RACE + 4 + LEADS) + pool + MOST_SEATS - 1 + AHEAD

    def features(self, rows: Rows, seats: int) -> Floats32:
        """Return the features of each table, for a network of up to ``seats`` players."""
        out = np.zeros((len(rows), self.inputs(seats)), np.float32)
        _show(rows, seats, out)
        return out

    def standing(self, rows: Rows) -> Floats32:
        """Return [table, player]: wealth in worms."""
        out = np.zeros((len(rows), MOST_SEATS), np.float32)
        _wealth(rows, Prices().plate_at_risk, out)
        return out


def _code(spot: Spot, seat: int, seats: int) -> int:
    """Return the value of a spot, with players counted from ``seat``."""
    if spot.snail:
        return SNAIL
    if not spot.plates:
        return EMPTY
    owner = (spot.plates[0] - seat) % seats
    return (CLOSED if len(spot.plates) == 2 else SINGLE) + owner
