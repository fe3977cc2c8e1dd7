"""Tables as rows of small numbers, and what the rules of all editions on rows share.

The player to move is always player 0 of a row, and the others follow clockwise; after a turn the
row is rotated, so that the next player is player 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.rules import Table
from heckmeck.rules.outcome import EndReason
from heckmeck.solver import kernel
from heckmeck.solver.compiling import compiled_lean
from heckmeck.solver.positions import TurnKind

#: [table, place]: tables as rows of small numbers.
Rows = NDArray[np.int8]
Floats32 = NDArray[np.float32]
Ints = kernel.Ints
Bools = kernel.Bools

#: The maximum number of players of any edition.
MOST_SEATS = 7
#: The maximum number of tables that the endings of one turn can lead to, in one layer.
MOST_AFTER = 32

#: The phases of a game. Carrying out an ending leads to one of them: to `DECIDING` if the turn is
#: over and the next player has the dice, to a question, or to `OVER`.
DECIDING: Final = 0
FALLING: Final = 1
THROWN: Final = 2
ROB: Final = 3
ROB_FOR_RAVEN: Final = 4
RETURN: Final = 5
PINCH: Final = 6
OVER: Final = 7
#: A question is its phase plus `ABOUT` times what it is about: a Specialist, or a tile. The end
#: of a game is `OVER` plus `ABOUT` times its reason.
ABOUT: Final = 8
REASONS: Final = tuple(EndReason)

#: The ending of a failed attempt; every edition numbers its other endings from 0.
FAILURE: Final = -1


class Branches(NamedTuple):
    """The possible endings of turns at many tables, and the tables after them.

    An ending leads to several tables if the player then has a choice (to rob, to return a
    Specialist, to pinch).
    """

    rows: Rows
    """[after, place]: the tables after the endings, the next player first."""
    over: Bools
    """[after]: the game is over."""
    shares: Floats32
    """[after, player]: each player's share of the win, if it is over."""
    first: Ints
    """[ending]: its first table in ``rows``; one more at the end."""
    ending: Ints
    """[table, layer, 1 + 2 * totals]: the ending of a failed attempt, of each total without a
    worm, and of each total with one."""
    may_stop: Bools
    """[table, layer, 2 * totals]: whether the player may stop."""


class After(NamedTuple):
    """Where the tables after the endings are written; ``counts`` is [tables, endings] so far."""

    rows: Rows
    over: Bools
    shares: Floats32
    first: Ints
    counts: Ints


class RowRules(ABC):
    """The rules of an edition on rows: its tables between turns, and the endings of turns."""

    edition: str
    width: int
    """The number of columns."""
    count_all: Callable[[Rows, Ints], None]
    """Fills in [table, player]: the scores, as if the games ended now."""
    end_turns: Callable[[Rows, int, After, Ints, Bools], None]
    """Fills in how turns can end, from [table, layer, place] and the number of totals."""

    @abstractmethod
    def row(self, table: Table, seat: int) -> Rows:
        """Return the row of a table where it is ``seat``'s turn."""

    @abstractmethod
    def table(self, row: Rows, seat: int) -> Table:
        """Return the table of a row where it is ``seat``'s turn."""

    @abstractmethod
    def left(self, rows: Rows) -> Ints:
        """Return [table]: how near the end is, in tiles on the grill or their like; 1 is last."""

    def scores(self, rows: Rows) -> Ints:
        """Return [table, player]: the scores, as if the games ended now."""
        scores = np.zeros((len(rows), MOST_SEATS), np.int64)
        self.count_all(rows, scores)
        return scores

    def kinds(self, rows: Rows) -> list[tuple[TurnKind, Ints]]:
        """Sort tables by kind: each kind with the places of its tables in ``rows``."""
        return [(TurnKind(1), np.arange(len(rows)))]

    def layers(self, rows: Rows, kind: TurnKind) -> Rows:
        """Return [table, layer, place]: the tables, and those after a double 1."""
        return rows[:, np.newaxis]

    def branches(self, layers: Rows, totals: int) -> Branches:
        """Return how the turns at these tables can end."""
        tables, count, width = layers.shape
        room = tables * count * MOST_AFTER
        after = After(
            np.empty((room, width), np.int8),
            np.empty(room, np.bool_),
            np.empty((room, MOST_SEATS), np.float32),
            np.zeros(room + 1, np.int64),
            np.zeros(2, np.int64),
        )
        ending = np.empty((tables, count, 1 + 2 * totals), np.int64)
        may_stop = np.empty((tables, count, 2 * totals), np.bool_)
        self.end_turns(layers, totals, after, ending, may_stop)
        written, endings = after.counts
        return Branches(
            after.rows[:written],
            after.over[:written],
            after.shares[:written],
            after.first[: endings + 1],
            ending,
            may_stop,
        )


@cache
def row_rules(edition: str) -> RowRules:
    """Return the rules of an edition on rows."""
    from heckmeck.bulk.barbecue import BarbecueRows
    from heckmeck.bulk.junior import JuniorRows
    from heckmeck.bulk.tiles import TileRows

    if edition == "barbecue":
        return BarbecueRows()
    return JuniorRows() if edition == "junior" else TileRows(edition)


# ------------------------------------------------------------------------------ the winners


@compiled_lean
def share_win(scores: Ints, breaks: Ints, seats: int, shares: Floats32) -> None:
    """Share the win among those with the best score and, among them, the best tie-break."""
    shares[:] = 0.0
    best = 0
    for player in range(1, seats):
        if scores[player] > scores[best] or (
            scores[player] == scores[best] and breaks[player] > breaks[best]
        ):
            best = player
    winners = 0
    for player in range(seats):
        if scores[player] == scores[best] and breaks[player] == breaks[best]:
            winners += 1
            shares[player] = 1.0
    for player in range(seats):
        shares[player] /= winners


# ------------------------------------------------------------------------------ endings


@compiled_lean
def next_place(after: After) -> int:
    """Return where the next table is written."""
    at = after.counts[0]
    after.counts[0] += 1
    return int(at)


@compiled_lean
def copy_row(row: Rows, out: Rows) -> None:
    """Copy a row."""
    for place in range(len(row)):
        out[place] = row[place]


@compiled_lean
def rotate(row: Rows, seats: int, first: int, width: int) -> None:
    """Put the next player's numbers, ``width`` each, first, and those of player 0 last."""
    last = first + (seats - 1) * width
    for i in range(width):
        own = row[first + i]
        for at in range(first + i, last, width):
            row[at] = row[at + width]
        row[last + i] = own


@compiled_lean
def player_before(player: int, seats: int) -> int:
    """Return the number of a player when the next player is player 0."""
    return player - 1 if player else seats - 1


@compiled_lean
def close_ending(after: After) -> int:
    """End the list of an ending's tables; return the ending's number."""
    number = after.counts[1]
    after.counts[1] += 1
    after.first[number + 1] = after.counts[0]
    return int(number)
