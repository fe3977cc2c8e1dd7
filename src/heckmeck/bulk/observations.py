"""What the player to move sees: everything that is public, as small numbers and as features.

Players are counted from the one to move. The compact form has a column for every piece of
information; `layout` lists them. The features are made of it, column by column: either one feature,
the number divided by the highest it can be, or one for every number it can be, of which one is 1.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from heckmeck.bulk import barbecue, junior, tiles
from heckmeck.bulk import machine as m
from heckmeck.bulk.machine import Box, Count
from heckmeck.bulk.rows import (
    DECIDING,
    OVER,
    PINCH,
    RETURN,
    ROB,
    ROB_FOR_RAVEN,
    THROWN,
    Floats32,
    Ints,
    Rows,
)
from heckmeck.rules import components, game
from heckmeck.solver.compiling import compiled_lean

#: Scores are divided by this: more worms than anyone is likely to have.
MANY_WORMS: Final = 64
#: The phases in which a game can be seen, in the order of their features.
PHASES: Final = (DECIDING, THROWN, ROB, ROB_FOR_RAVEN, RETURN, PINCH, OVER)


class Column(NamedTuple):
    """A column of the compact form, and its features."""

    name: str
    lowest: int
    highest: int
    one_hot: bool = False
    """One feature for every number from ``lowest`` to ``highest``; otherwise one in all."""

    @property
    def features(self) -> int:
        """The number of features."""
        return self.highest - self.lowest + 1 if self.one_hot else 1


def _counted(name: str, most: int) -> Column:
    return Column(name, 0, most)


def _tile_columns(numbers: list[str], seats: int) -> list[Column]:
    """Where each tile is, and how many tiles are above it in its stack."""
    columns = []
    for number in numbers:
        columns.append(Column(f"tile {number}: -1 face down, 0 grill, 1 + player", -1, seats, True))
        columns.append(_counted(f"tile {number}: tiles above it in its stack", len(numbers) - 1))
    return columns


def _deluxe_columns(seats: int) -> list[Column]:
    places = len(components.DELUXE_TILES)
    where = f"-1 out of the game, 0 to {places - 1} on that tile, {places} + player"
    return [
        *(Column(f"{each}: {where}", -1, places + seats - 1, True) for each in tiles.SPECIALISTS),
        *(
            _counted(f"Bratworms of player {player}", components.BRATWORMS)
            for player in range(seats)
        ),
        _counted("Bratworms in the supply", components.BRATWORMS),
    ]


def _barbecue_columns(seats: int) -> list[Column]:
    what = f"0 empty, 1 snail, 2 + player one plate, {2 + seats} + player two"
    return [
        *(
            Column(f"spot {spot}: {what}", 0, 1 + 2 * seats, True)
            for spot in components.BARBECUE_SPOTS
        ),
        _counted("snails in the pool", components.SNAILS),
        *(_counted(f"snails of player {player}", components.SNAILS) for player in range(seats)),
        *(
            _counted(f"plates of player {player}", components.PLATES_EACH)
            for player in range(seats)
        ),
    ]


def _turn_columns(edition: str) -> list[Column]:
    dice, golden = game(edition).dice, game(edition).has_golden_die
    most = dice.count + golden
    columns = [
        Column("phase: 0 roll or stop, 1 keep, 2 rob, 3 rob (raven), 4 return, 5 pinch, 6 over",
               0, len(PHASES) - 1, True),
        _counted("white dice in hand", dice.count),
        _counted("total", most * max(dice.points)),
        *(_counted(f"kept dice showing {face}", most) for face in dice.faces),
        *(_counted(f"thrown white dice showing {face}", dice.count) for face in dice.faces),
    ]  # fmt: skip
    if golden:
        columns += [
            _counted("the golden die is in hand", 1),
            Column("the thrown golden die shows: 0 nothing, 1 a 1, 2 a worm", 0, 2, True),
            _counted("the weasel was used", 1),
            Column("the Specialist just received, 0 to 5, or -1", -1, len(tiles.SPECIALISTS) - 1,
                   True),
        ]  # fmt: skip
    if edition == "junior":
        columns.append(
            Column("the tile to pinch, minus 4, or -1", -1, len(components.JUNIOR_TILES) - 1, True)
        )
    if game(edition).has_house_rules:
        columns += [_counted("flip_always", 1), _counted("flip_returned", 1)]
    return columns


@cache
def layout(edition: str, seats: int) -> tuple[Column, ...]:
    """Return the columns of the compact form, in order."""
    game(edition).initial(seats)
    columns: list[Column] = []
    if edition == "barbecue":
        columns += _barbecue_columns(seats)
    elif edition == "junior":
        copies = [
            f"{tile}{'ab'[copy]}"
            for tile in components.JUNIOR_TILES
            for copy in range(components.JUNIOR_COPIES)
        ]
        columns += _tile_columns(copies, seats)
    else:
        numbers = components.CLASSIC_TILES if edition == "classic" else components.DELUXE_TILES
        columns += _tile_columns([str(number) for number in numbers], seats)
        columns += _deluxe_columns(seats) if edition == "deluxe" else []
    scores = [_counted(f"score of player {player}", MANY_WORMS) for player in range(seats)]
    return (*columns, *scores, *_turn_columns(edition))


# ------------------------------------------------------------------------------ compact


def compact(box: Box, edition: str, rows: Rows, turns: Rows) -> Rows:
    """Return [game, column]: what the players to move see."""
    seen = np.zeros((len(rows), len(layout(edition, box.seats))), np.int8)
    first_tile = tiles.SMALL if edition == "classic" else 0
    _see_all(box, first_tile, rows, turns, seen, m.new_count())
    return seen


@compiled_lean
def _see_all(box: Box, first_tile: int, rows: Rows, turns: Rows, seen: Rows, count: Count) -> None:
    for i in range(len(rows)):
        if box.kind == m.TILES:
            at = _see_tiles(box, first_tile, rows[i], seen[i])
        elif box.kind == m.BARBECUE:
            at = _see_spots(box, rows[i], seen[i])
        else:
            at = _see_copies(box, rows[i], seen[i], count.scores)
        m.count_worms(box, rows[i], count.scores, count.breaks)
        for player in range(box.seats):
            seen[i, at + player] = min(count.scores[player], 127)
        at = _see_turn(box, turns[i], seen[i], at + box.seats)
        if box.kind == m.TILES:
            if not first_tile:
                at = _see_help(box, turns[i], seen[i], at)
            seen[i, at] = rows[i, tiles.FLIP_ALWAYS]
            seen[i, at + 1] = rows[i, tiles.FLIP_RETURNED]
        elif box.kind == m.JUNIOR:
            seen[i, at] = turns[i, m.SUBJECT] if turns[i, m.PHASE] == PINCH else -1


@compiled_lean
def _see_tiles(box: Box, first_tile: int, row: Rows, seen: Rows) -> int:
    for tile in range(first_tile, tiles.TILES):
        at = 2 * (tile - first_tile)
        seen[at] = 0 if row[tiles.UP + tile] else -1
        seen[at + 1] = 0
    for player in range(box.seats):
        height = row[tiles.HEIGHT + player]
        for place in range(height):
            at = 2 * (row[tiles.STACKS + player * tiles.TILES + place] - first_tile)
            seen[at] = 1 + player
            seen[at + 1] = height - 1 - place
    at = 2 * (tiles.TILES - first_tile)
    if first_tile:
        return at
    for specialist in range(tiles.COUNT):
        where = row[tiles.WHERE + specialist]
        seen[at + specialist] = where - tiles.HELD + tiles.TILES if where >= tiles.HELD else where
    at += tiles.COUNT
    for player in range(box.seats):
        seen[at + player] = row[tiles.BRATWORMS + player]
    seen[at + box.seats] = row[tiles.SUPPLY]
    return int(at + box.seats + 1)


@compiled_lean
def _see_spots(box: Box, row: Rows, seen: Rows) -> int:
    for spot in range(barbecue.COUNT):
        what = row[barbecue.SPOTS + spot]
        closed = what >= barbecue.CLOSED
        seen[spot] = what - barbecue.CLOSED + barbecue.SINGLE + box.seats if closed else what
    at = barbecue.COUNT
    seen[at] = row[barbecue.POOL]
    for player in range(box.seats):
        seen[at + 1 + player] = row[barbecue.HAS_SNAILS + player]
        seen[at + 1 + box.seats + player] = row[barbecue.PLATES + player]
    return int(at + 1 + 2 * box.seats)


@compiled_lean
def _see_copies(box: Box, row: Rows, seen: Rows, found: Ints) -> int:
    """Equal tiles are listed in this order: on the grill, in stacks bottom to top, face down."""
    for tile in range(junior.TILES):
        found[tile] = row[junior.UP + tile]
        for copy in range(components.JUNIOR_COPIES):
            at = 2 * (components.JUNIOR_COPIES * tile + copy)
            seen[at] = 0 if copy < found[tile] else -1
            seen[at + 1] = 0
    for player in range(box.seats):
        height = row[junior.HEIGHT + player]
        for place in range(height):
            tile = row[junior.STACKS + player * junior.ALL_TILES + place]
            at = 2 * (components.JUNIOR_COPIES * tile + found[tile])
            found[tile] += 1
            seen[at] = 1 + player
            seen[at + 1] = height - 1 - place
    return 2 * junior.ALL_TILES


@compiled_lean
def _see_turn(box: Box, turn: Rows, seen: Rows, at: int) -> int:
    phase = turn[m.PHASE]
    seen[at] = phase if phase == DECIDING else phase - 1  # no game is seen while dice fall
    seen[at + 1] = turn[m.HAND]
    seen[at + 2] = turn[m.TOTAL]
    for face in range(box.faces):
        seen[at + 3 + face] = turn[m.KEPT + face]
        seen[at + 3 + box.faces + face] = turn[m.SHOWN + face]
    return at + 3 + 2 * box.faces


@compiled_lean
def _see_help(box: Box, turn: Rows, seen: Rows, at: int) -> int:
    seen[at] = turn[m.GOLDEN]
    shows = turn[m.GOLDEN_SHOWS]
    seen[at + 1] = 0 if shows < 0 else 1 if shows == box.golden_faces[0] else 2
    seen[at + 2] = turn[m.WEASEL_USED]
    seen[at + 3] = turn[m.SUBJECT] if turn[m.PHASE] == RETURN else -1
    return at + 4


# ------------------------------------------------------------------------------ features


class Spread(NamedTuple):
    """How columns become features."""

    first: Ints
    """[column]: its first feature, minus its lowest number if it is one-hot."""
    scale: Floats32
    """[column]: what its number is multiplied by; 0 if it is one-hot."""
    features: int


@cache
def spread(edition: str, seats: int) -> Spread:
    """Return how the columns of the compact form become features."""
    columns = layout(edition, seats)
    first = np.cumsum([0, *(column.features for column in columns)])
    return Spread(
        np.array(
            [at - each.lowest * each.one_hot for at, each in zip(first, columns, strict=False)]
        ),
        np.array([0.0 if each.one_hot else 1.0 / each.highest for each in columns], np.float32),
        int(first[-1]),
    )


def features(edition: str, seats: int, seen: Rows) -> Floats32:
    """Return [game, feature] of the compact form."""
    how = spread(edition, seats)
    shown = np.zeros((len(seen), how.features), np.float32)
    _spread_all(how.first, how.scale, seen, shown)
    return shown


@compiled_lean
def _spread_all(first: Ints, scale: Floats32, seen: Rows, shown: Floats32) -> None:
    for i in range(len(seen)):
        for column in range(seen.shape[1]):
            number = seen[i, column]
            if scale[column]:
                shown[i, first[column]] = number * scale[column]
            else:
                shown[i, first[column] + number] = 1.0
