"""What a network sees of a table: the features of rows, edition by edition.

All are computed from the row alone; each function says what it shows and in which order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from heckmeck.arithmetic import exp
from heckmeck.bulk import barbecue, junior, tiles
from heckmeck.bulk.rows import MOST_SEATS, Floats32, Ints, Rows
from heckmeck.rules.components import JUNIOR_COPIES, SNAILS
from heckmeck.solver.compiling import compiled, compiled_lean

#: Features about the race, per player.
RACE: Final = 6
#: Leads up to this many worms have a feature each.
FAR: Final = 12
LEADS: Final = 2 * FAR + 1
#: Up to this many tiles on the grill have a feature each.
FEW: Final = 4

#: How deep in a stack the network distinguishes positions of tiles.
TILE_DEPTHS: Final = 5
JUNIOR_DEPTHS: Final = 4
#: Features about the next turns.
TILE_AHEAD: Final = 2 * tiles.TILES + 16
BARBECUE_AHEAD: Final = 2 * barbecue.COUNT + 2 + 24
JUNIOR_AHEAD: Final = 2 * junior.TILES + 12

# ------------------------------------------------------------------------------ the race


def tanh(x: float) -> float:
    """Return the hyperbolic tangent, the same on every processor; not to the last bit near 0."""
    less = exp(-2.0 * abs(x))
    found = (1.0 - less) / (1.0 + less)
    return found if x >= 0.0 else -found


#: Leads by this many worms look as certain as larger ones.
CERTAIN: Final = 64
#: [`CERTAIN` + lead]: a lead as the network sees it, almost linear if it is small.
SQUASHED: Final = np.array([tanh(lead * 0.4) for lead in range(-CERTAIN, CERTAIN + 1)])


@compiled_lean
def _squash(lead: int) -> float:
    """Return a lead as the network sees it."""
    return float(SQUASHED[CERTAIN + min(max(lead, -CERTAIN), CERTAIN)])


@compiled_lean
def _copy(scores: Ints, out: Ints) -> None:
    """Copy the players' scores or tie-breaks."""
    for player in range(len(scores)):
        out[player] = scores[player]


@compiled_lean
def _rival_of(scores: Ints, breaks: Ints, seats: int, player: int) -> int:
    """Return the best of the other players."""
    rival = 1 if player == 0 else 0
    for other in range(rival + 1, seats):
        if other != player and (
            scores[other] > scores[rival]
            or (scores[other] == scores[rival] and breaks[other] > breaks[rival])
        ):
            rival = other
    return rival


@compiled_lean
def _show_lead(scores: Ints, breaks: Ints, seats: int, player: int, out: Floats32) -> None:
    """Show a player's lead over the best other one, and who would win."""
    rival = _rival_of(scores, breaks, seats, player)
    lead = scores[player] - scores[rival]
    out[0] = _squash(lead)
    out[1] = np.sign(lead) if lead else np.sign(breaks[player] - breaks[rival])


@compiled_lean
def _show_race(scores: Ints, breaks: Ints, seats: int, out: Floats32) -> None:
    """Show [player, RACE]: each player's score, lead over the best other one, and tie-break."""
    for player in range(seats):
        rival = _rival_of(scores, breaks, seats, player)
        lead = scores[player] - scores[rival]
        tie_break = np.sign(breaks[player] - breaks[rival])
        at = player * RACE
        out[at] = scores[player] * 0.1
        out[at + 1] = lead * 0.1
        out[at + 2] = _squash(lead)
        out[at + 3] = np.sign(lead) if lead else tie_break
        out[at + 4] = min(breaks[player], 1)
        out[at + 5] = tie_break


@compiled_lean
def _show_leads(scores: Ints, breaks: Ints, seats: int, out: Floats32) -> None:
    """Show [player, LEADS]: each player's lead, one-hot."""
    for player in range(seats):
        lead = scores[player] - scores[_rival_of(scores, breaks, seats, player)]
        out[player * LEADS + FAR + min(max(lead, -FAR), FAR)] = 1.0


@compiled_lean
def _count_players(seats: int, most: int, out: Floats32) -> None:
    """Show the number of players."""
    if most > 2:
        out[seats - 2] = 1.0


# ------------------------------------------------------------------------------ grill and stacks


@compiled_lean
def _standing_size(most: int) -> int:
    """Return the number of features of `_show_standing`."""
    return most * (RACE + 1 + LEADS) + 2 + FEW + MOST_SEATS - 1


@compiled_lean
def _show_standing(
    scores: Ints, breaks: Ints, heights: Rows, grill: tuple[int, int], most: int, out: Floats32
) -> None:
    """Show the race, the heights of the stacks, the grill, the number of players, the leads.

    ``grill`` is the number of face-up tiles and of the worms on them.
    """
    up, worms = grill
    seats = len(heights)
    _show_race(scores, breaks, seats, out)
    at = most * RACE
    for player in range(seats):
        out[at + player] = heights[player] * 0.25
    at += most
    out[at] = up * 0.1
    out[at + 1] = worms * 0.05
    if up <= FEW:
        out[at + 1 + up] = 1.0
    at += 2 + FEW
    _count_players(seats, most, out[at:])
    _show_leads(scores, breaks, seats, out[at + MOST_SEATS - 1 :])


@compiled_lean
def _show_ends(face_up: Rows, out: Floats32) -> tuple[int, int]:
    """Show the lowest and the highest tile of the grill; return them, or -1 if it is empty."""
    lowest, highest = -1, -1
    for tile in range(len(face_up)):
        if face_up[tile]:
            lowest = tile if lowest < 0 else lowest
            highest = tile
    if highest >= 0:
        out[lowest] = 1.0
        out[len(face_up) + highest] = 1.0
    return lowest, highest


# ------------------------------------------------------------------------------ classic and deluxe


def _tile_size(most: int, first_tile: int) -> int:
    """Where each tile is; the standing; the next turns; in deluxe, Specialists and Bratworms."""
    where = (tiles.TILES - first_tile) * (1 + most * TILE_DEPTHS)
    deluxe = tiles.COUNT * (tiles.TILES + most) + most + 2
    return where + _standing_size(most) + TILE_AHEAD + (0 if first_tile else deluxe)


@compiled
def _show_tiles(rows: Rows, most: int, first_tile: int, out: Floats32) -> None:
    """Fill in the features, with tiles from ``first_tile``; see `_tile_size` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    worms, best = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        grill = _show_where(row, most, first_tile, shown)
        at = (tiles.TILES - first_tile) * (1 + most * TILE_DEPTHS)
        tiles.count_worms(row, scores, breaks)
        heights = row[tiles.HEIGHT : tiles.HEIGHT + row[tiles.SEATS]]
        _show_standing(scores, breaks, heights, grill, most, shown[at:])
        at += _standing_size(most)
        _show_tiles_ahead(row, (scores, breaks), (worms, best), shown[at:])
        if first_tile == 0:
            _show_deluxe(row, most, shown[at + TILE_AHEAD :])


@compiled_lean
def _show_where(row: Rows, most: int, first_tile: int, shown: Floats32) -> tuple[int, int]:
    """Show where every tile is; return the number of face-up tiles, and the worms on them."""
    each = 1 + most * TILE_DEPTHS
    up, worms = 0, 0
    for tile in range(first_tile, tiles.TILES):
        if row[tiles.UP + tile]:
            shown[(tile - first_tile) * each] = 1.0
            up += 1
            worms += tiles.WORMS[tile]
    for player in range(row[tiles.SEATS]):
        height = row[tiles.HEIGHT + player]
        for place in range(height):
            tile = row[tiles.STACKS + player * tiles.TILES + place]
            depth = min(height - 1 - place, TILE_DEPTHS - 1)
            shown[(tile - first_tile) * each + 1 + player * TILE_DEPTHS + depth] = 1.0
    return up, worms


@compiled_lean
def _show_tiles_ahead(
    row: Rows, now: tuple[Ints, Ints], then: tuple[Ints, Ints], shown: Floats32
) -> None:
    """Show the lowest and highest tile, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking the highest tile, the lowest one,
    losing the top tile, or stealing from the other of the two. ``now`` has scores and tie-breaks,
    ``then`` is working memory for them.
    """
    lowest, highest = _show_ends(row[tiles.UP : tiles.UP + tiles.TILES], shown)
    if highest < 0:
        return
    worms, best = then
    at = 2 * tiles.TILES
    for player in range(2):
        other = 1 - player
        for tile in (highest, lowest, -1, tiles.top_of(row, other)):
            _copy(now[0], worms)
            _copy(now[1], best)
            if tile < 0 or tile == tiles.top_of(row, other):
                _lose_top(row, player if tile < 0 else other, worms, best)
            if tile >= 0:
                worms[player] += tiles.WORMS[tile]
                best[player] = max(best[player], tile + 1)
            _show_lead(worms, best, row[tiles.SEATS], 0, shown[at:])
            at += 2


@compiled_lean
def _lose_top(row: Rows, player: int, worms: Ints, best: Ints) -> None:
    """Count a player's worms and find the highest tile without the top tile."""
    height = row[tiles.HEIGHT + player]
    if not height:
        return
    worms[player] -= tiles.WORMS[tiles.top_of(row, player)]
    best[player] = 0
    for place in range(height - 1):
        best[player] = max(best[player], row[tiles.STACKS + player * tiles.TILES + place] + 1)


@compiled_lean
def _show_deluxe(row: Rows, most: int, shown: Floats32) -> None:
    """Show where each Specialist is, and the Bratworms of each player and in the supply."""
    each = tiles.TILES + most
    for specialist in range(tiles.COUNT):
        where = row[tiles.WHERE + specialist]
        if where >= tiles.HELD:
            shown[specialist * each + tiles.TILES + where - tiles.HELD] = 1.0
        elif where >= 0:
            shown[specialist * each + where] = 1.0
    at = tiles.COUNT * each
    for player in range(row[tiles.SEATS]):
        shown[at + player] = row[tiles.BRATWORMS + player] * 0.3
    shown[at + most] = row[tiles.SUPPLY] * 0.2
    shown[at + most + 1] = 1.0 if row[tiles.SUPPLY] == 0 else 0.0


# ------------------------------------------------------------------------------ barbecue


def _barbecue_size(most: int) -> int:
    """Spots, race, pieces by player, pool, players, leads, the next turns."""
    spots, pool = barbecue.COUNT * (2 + 2 * most), 5 + SNAILS
    return spots + most * (RACE + 4 + LEADS) + pool + MOST_SEATS - 1 + BARBECUE_AHEAD


@compiled
def _show_barbecue(rows: Rows, most: int, out: Floats32) -> None:
    """Fill in the features; see `_barbecue_size` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    then = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        seats = row[barbecue.SEATS]
        empty, single, snails = _show_spots(row, most, shown)
        at = barbecue.COUNT * (2 + 2 * most)
        barbecue.count_worms(row, scores, breaks)
        _show_race(scores, breaks, seats, shown[at:])
        at += most * RACE
        _show_pieces(row, shown[at:])
        at += most * 4
        pool = row[barbecue.POOL]
        shown[at] = empty * 0.1
        shown[at + 1] = single * 0.1
        shown[at + 2] = snails * 0.1
        shown[at + 3] = pool * 0.1
        shown[at + 4 + pool] = 1.0
        at += 5 + SNAILS
        _count_players(seats, most, shown[at:])
        at += MOST_SEATS - 1
        _show_leads(scores, breaks, seats, shown[at:])
        at += most * LEADS
        _show_barbecue_ahead(row, scores, breaks, then, shown[at:])


@compiled_lean
def _show_spots(row: Rows, most: int, shown: Floats32) -> tuple[int, int, int]:
    """Show what is on each spot; return how many are empty, have a single plate, have a snail."""
    each = 2 + 2 * most
    empty, single, snails = 0, 0, 0
    for spot in range(barbecue.COUNT):
        what = row[barbecue.SPOTS + spot]
        if what >= barbecue.CLOSED:
            place = 2 + most + what - barbecue.CLOSED
        elif what >= barbecue.SINGLE:
            place = 2 + what - barbecue.SINGLE
            single += 1
        else:
            place = np.int64(what)
            empty += what == barbecue.EMPTY
            snails += what == barbecue.SNAIL
        shown[spot * each + place] = 1.0
    return empty, single, snails


@compiled_lean
def _show_pieces(row: Rows, shown: Floats32) -> None:
    """Show each player's plates and snails, and whether there is no plate left or only one."""
    for player in range(row[barbecue.SEATS]):
        plates = row[barbecue.PLATES + player]
        shown[player * 4] = plates * 0.1
        shown[player * 4 + 1] = row[barbecue.HAS_SNAILS + player] * 0.2
        if plates < 2:
            shown[player * 4 + 2 + plates] = 1.0


@compiled_lean
def _show_barbecue_ahead(
    row: Rows, scores: Ints, breaks: Ints, then: Ints, shown: Floats32
) -> None:
    """Show where the next snail goes, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking a snail, and each number of worms.
    ``then`` is working memory for the scores.
    """
    empty = barbecue.highest_with(row, barbecue.EMPTY, barbecue.EMPTY)
    single = barbecue.highest_with(row, barbecue.SINGLE, barbecue.CLOSED - 1)
    shown[1 + empty] = 1.0
    shown[barbecue.COUNT + 2 + single] = 1.0
    at = 2 * barbecue.COUNT + 2
    for player in range(2):
        for worms in (1, 2, 3, 4, 6, 8):
            _copy(scores, then)
            then[player] += worms
            _show_lead(then, breaks, row[barbecue.SEATS], 0, shown[at:])
            at += 2


# ------------------------------------------------------------------------------ junior


def _junior_size(most: int) -> int:
    """Where each tile is, the standing, the next turns."""
    where = junior.TILES * (JUNIOR_COPIES + most * JUNIOR_DEPTHS)
    return where + _standing_size(most) + JUNIOR_AHEAD


@compiled
def _show_junior(rows: Rows, most: int, out: Floats32) -> None:
    """Fill in the features; see `_junior_size` for their order."""
    scores, breaks = np.zeros(MOST_SEATS, np.int64), np.zeros(MOST_SEATS, np.int64)
    worms = np.zeros(MOST_SEATS, np.int64)
    for number in range(len(rows)):
        row, shown = rows[number], out[number]
        grill = _show_copies(row, most, shown)
        at = junior.TILES * (JUNIOR_COPIES + most * JUNIOR_DEPTHS)
        junior.count_worms(row, scores)
        heights = row[junior.HEIGHT : junior.HEIGHT + row[junior.SEATS]]
        _show_standing(scores, breaks, heights, grill, most, shown[at:])
        at += _standing_size(most)
        _show_junior_ahead(row, scores, breaks, worms, shown[at:])


@compiled_lean
def _show_copies(row: Rows, most: int, shown: Floats32) -> tuple[int, int]:
    """Show where every tile is; return the number of face-up tiles, and the worms on them."""
    each = JUNIOR_COPIES + most * JUNIOR_DEPTHS
    up, worms = 0, 0
    for tile in range(junior.TILES):
        copies = row[junior.UP + tile]
        up += copies
        worms += copies * junior.WORMS[tile]
        if copies:
            shown[tile * each + copies - 1] = 1.0
    for player in range(row[junior.SEATS]):
        height = row[junior.HEIGHT + player]
        for place in range(height):
            tile = row[junior.STACKS + player * junior.ALL_TILES + place]
            depth = min(height - 1 - place, JUNIOR_DEPTHS - 1)
            shown[tile * each + JUNIOR_COPIES + player * JUNIOR_DEPTHS + depth] += 1.0
    return up, worms


@compiled_lean
def _show_junior_ahead(row: Rows, scores: Ints, breaks: Ints, worms: Ints, shown: Floats32) -> None:
    """Show the lowest and highest tile, and who would lead after the next turns.

    That is, for player 0 and for the next one: after taking the highest tile, the lowest one, or
    pinching from the other of the two. ``worms`` is working memory for the scores.
    """
    lowest, highest = _show_ends(row[junior.UP : junior.UP + junior.TILES], shown)
    if highest < 0:
        return
    at = 2 * junior.TILES
    for player in range(2):
        other = 1 - player
        top = junior.top_of(row, other)
        for choice in range(3):
            _copy(scores, worms)
            tile = (highest, lowest, top)[choice]
            if tile >= 0:
                worms[player] += junior.WORMS[tile]
                worms[other] -= junior.WORMS[tile] if choice == 2 else 0
            _show_lead(worms, breaks, row[junior.SEATS], 0, shown[at:])
            at += 2


# ------------------------------------------------------------------------------ all editions


class _Layout(NamedTuple):
    """The features of an edition: their number, and how to fill them in, by players at most."""

    size: Callable[[int], int]
    show: Callable[[Rows, int, Floats32], None]


_LAYOUTS: Final = {
    "classic": _Layout(
        lambda most: _tile_size(most, tiles.SMALL),
        lambda rows, most, out: _show_tiles(rows, most, tiles.SMALL, out),
    ),
    "deluxe": _Layout(
        lambda most: _tile_size(most, 0), lambda rows, most, out: _show_tiles(rows, most, 0, out)
    ),
    "barbecue": _Layout(_barbecue_size, _show_barbecue),
    "junior": _Layout(_junior_size, _show_junior),
}


def count_features(edition: str, seats: int) -> int:
    """Return the number of features for a network of up to ``seats`` players."""
    return _LAYOUTS[edition].size(seats)


def features(edition: str, rows: Rows, seats: int) -> Floats32:
    """Return [table, feature]: the features of each table, for up to ``seats`` players."""
    out = np.zeros((len(rows), count_features(edition, seats)), np.float32)
    _LAYOUTS[edition].show(rows, seats, out)
    return out
