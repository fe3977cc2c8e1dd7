"""Tables as rows of small numbers, so that a champion can evaluate thousands at once.

A `TableModel` represents the tables of an edition as rows of an array. It restates the effects of
the endings of a turn for speed, because the values of the rules are created one by one; tests
compare it with the rules, ending by ending. The player to move is always player 0 of a row, and the
others follow clockwise; after a turn the row is rotated, so that the next player is player 0.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heckmeck.rules import Table

Rows = NDArray[np.int8]
"""[table, place]: tables as rows of small numbers."""
Floats32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_SEATS = 7
"""The maximum number of players of any edition."""
MOST_AFTER = 32
"""The maximum number of tables that the endings of one turn can lead to, in one layer."""


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
    may_stop: Bools | None
    """[table, layer, 2 * totals]: whether the player may stop; None: always."""


class Kind(NamedTuple):
    """What tables must have in common for their turns to be solved in one batch."""

    layers: int
    weasel: bool = False
    golden: bool = False


class TableModel(Protocol):
    """The tables of an edition as rows."""

    edition: str
    width: int
    """The number of columns."""

    def row(self, table: Table, seat: int) -> Rows:
        """Return the row of a table where it is ``seat``'s turn."""
        ...

    def kinds(self, rows: Rows) -> list[tuple[Kind, Ints]]:
        """Sort tables by kind: each kind with the places of its tables in ``rows``."""
        ...

    def layers(self, rows: Rows, kind: Kind) -> Rows:
        """Return [table, layer, place]: the tables, and those after a double 1."""
        ...

    def branches(self, layers: Rows, totals: int) -> Branches:
        """Return how the turns at these tables can end."""
        ...

    def shares(self, rows: Rows, seats: int) -> Floats32:
        """Return each player's share of the win if the games ended now."""
        ...

    def inputs(self, seats: int) -> int:
        """The number of features for a network of up to ``seats`` players."""
        ...

    def features(self, rows: Rows, seats: int) -> Floats32:
        """Return the features of each table, for a network of up to ``seats`` players."""
        ...

    def standing(self, rows: Rows) -> Floats32:
        """Return [table, player]: wealth in worms as `heckmeck.bots.worms` counts it."""
        ...
