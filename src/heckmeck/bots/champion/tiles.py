"""Classic and deluxe as rows: the model for champions and training."""

from __future__ import annotations

import numpy as np

from heckmeck.bots.champion.kernels import gathered, room_for
from heckmeck.bots.champion.model import MOST_SEATS, Branches, Floats32, Ints, Kind, Rows
from heckmeck.bots.champion.tile_endings import count_layers, end_turns, fill_layers
from heckmeck.bots.champion.tile_features import share_all, show, size, wealth
from heckmeck.bots.champion.tile_rows import (
    APPLE,
    BRATWORMS,
    COUNT,
    FLIP_ALWAYS,
    FLIP_RETURNED,
    GOLDEN,
    HEIGHT,
    HELD,
    OUT,
    PLACE,
    SEATS,
    SMALL,
    SPECIALISTS,
    STACKS,
    SUPPLY,
    TILES,
    WEASEL,
    WHERE,
    WIDTH,
)
from heckmeck.bots.worms import Prices
from heckmeck.rules import Table
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import APPLE_WORMS
from heckmeck.rules.deluxe import DeluxeTable


class Tiles:
    """The tables of classic or deluxe as rows."""

    width = WIDTH

    def __init__(self, edition: str) -> None:
        """Create the model of an edition: ``classic`` or ``deluxe``."""
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
        count_layers(rows, layers)
        weasel, golden = rows[:, WHERE + WEASEL] == HELD, rows[:, WHERE + GOLDEN] == HELD
        code = layers * 4 + weasel * 2 + golden
        return [
            (Kind(int(each) // 4, bool(each & 2), bool(each & 1)), np.flatnonzero(code == each))
            for each in np.unique(code)
        ]

    def layers(self, rows: Rows, kind: Kind) -> Rows:
        """Return the tables, and those after a double 1."""
        if kind.layers == 1:
            return rows[:, np.newaxis]
        layers = np.empty((len(rows), kind.layers, WIDTH), np.int8)
        fill_layers(rows, layers)
        return layers

    def branches(self, layers: Rows, totals: int) -> Branches:
        """Return how the turns at these tables can end."""
        after = room_for(layers)
        ending = np.empty((*layers.shape[:2], 1 + 2 * totals), np.int64)
        end_turns(layers, totals, after, ending)
        return gathered(after, ending)

    def shares(self, rows: Rows, seats: int) -> Floats32:
        """Return each player's share of the win if the games ended now."""
        shares = np.empty((len(rows), MOST_SEATS), np.float32)
        share_all(rows, shares)
        return shares[:, :seats]

    def inputs(self, seats: int) -> int:
        """The number of features for a network of up to ``seats`` players."""
        return size(seats, deluxe=self._first_tile == 0)

    def features(self, rows: Rows, seats: int) -> Floats32:
        """Return the features of each table, for a network of up to ``seats`` players."""
        out = np.zeros((len(rows), self.inputs(seats)), np.float32)
        show(rows, seats, self._first_tile, out)
        return out

    def standing(self, rows: Rows) -> Floats32:
        """Return [table, player]: wealth in worms."""
        out = np.zeros((len(rows), MOST_SEATS), np.float32)
        wealth(rows, self._prices, out)
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
