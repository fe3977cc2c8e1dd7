"""The features of a table once more, from the rules' own tables: one list after another."""

from __future__ import annotations

from math import tanh

from heckmeck.rules import Specialist, Table, game_at
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import (
    BARBECUE_SPOTS,
    CLASSIC_TILES,
    DELUXE_TILES,
    JUNIOR_COPIES,
    JUNIOR_TILES,
    SNAILS,
)
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.outcome import total

#: A player's score and tie-break.
Standing = tuple[int, int]
MOST_SEATS = 7


def slow_features(table: Table, seat: int, most: int) -> list[float]:
    """The features of a table where it is ``seat``'s turn, for a network of ``most`` players."""
    match table:
        case BarbecueTable():
            return barbecue(table, seat, most)
        case JuniorTable():
            return stacks(table, seat, most, dict(JUNIOR_TILES), 4)
        case ClassicTable():
            return stacks(table, seat, most, dict(CLASSIC_TILES), 5)
        case DeluxeTable():
            return stacks(table, seat, most, dict(DELUXE_TILES), 5) + deluxe(table, seat, most)


def in_turn(seat: int, seats: int) -> list[int]:
    return [(seat + player) % seats for player in range(seats)]


def standings(table: Table, seat: int) -> list[Standing]:
    """Scores and tie-breaks (as numbers that compare alike), the player to move first."""
    game = game_at(table)
    scores = [total(sheet) for sheet in game.score_sheets(table)]
    return [(scores[at], game.tie_breaks(table)[at]) for at in in_turn(seat, table.seats)]


def one_hot(size: int, place: int) -> list[float]:
    return [float(each == place) for each in range(size)]


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def rival(players: list[Standing], player: int) -> Standing:
    return max(each for other, each in enumerate(players) if other != player)


def lead_of(players: list[Standing], player: int) -> list[float]:
    mine, best = players[player], rival(players, player)
    lead = mine[0] - best[0]
    return [tanh(lead * 0.4), sign(lead) or sign(mine[1] - best[1])]


def race(players: list[Standing], most: int) -> list[float]:
    shown: list[float] = []
    for player, (score, tie_break) in enumerate(players):
        best = rival(players, player)
        lead = score - best[0]
        breaks = sign(tie_break - best[1])
        shown += [score * 0.1, lead * 0.1, *lead_of(players, player), min(tie_break, 1), breaks]
    return shown + [0.0] * (6 * (most - len(players)))


def leads(players: list[Standing], most: int) -> list[float]:
    shown: list[float] = []
    for player, (score, _) in enumerate(players):
        lead = score - rival(players, player)[0]
        shown += one_hot(25, 12 + min(max(lead, -12), 12))
    return shown + [0.0] * (25 * (most - len(players)))


def number_of(players: int, most: int) -> list[float]:
    return one_hot(MOST_SEATS - 1, players - 2 if most > 2 else -1)


def padded(numbers: list[float], size: int) -> list[float]:
    return numbers + [0.0] * (size - len(numbers))


# --- grill and stacks -----------------------------------------------------------------------------


def stacks(
    table: ClassicTable | DeluxeTable | JuniorTable,
    seat: int,
    most: int,
    worms: dict[int, int],
    depths: int,
) -> list[float]:
    own = [table.stacks[at] for at in in_turn(seat, table.seats)]
    face_up = table.grill.face_up
    junior = isinstance(table, JuniorTable)
    players = standings(table, seat)
    shown: list[float] = []
    for tile in worms:
        copies = face_up.count(tile)
        shown += one_hot(JUNIOR_COPIES, copies - 1) if junior else [float(copies)]
        for player in range(most):
            place = [0.0] * depths
            for depth, other in enumerate(reversed(own[player]) if player < len(own) else ()):
                place[min(depth, depths - 1)] += other == tile
            shown += place
    shown += race(players, most)
    shown += padded([len(stack) * 0.25 for stack in own], most)
    shown += [len(face_up) * 0.1, sum(worms[tile] for tile in face_up) * 0.05]
    shown += one_hot(4, len(face_up) - 1)
    shown += number_of(len(own), most) + leads(players, most)
    numbers = list(JUNIOR_TILES if junior else DELUXE_TILES)
    return shown + stacks_ahead(own, players, list(face_up), numbers, worms, junior=junior)


def stacks_ahead(
    own: list[tuple[int, ...]],
    players: list[Standing],
    face_up: list[int],
    numbers: list[int],
    worms: dict[int, int],
    *,
    junior: bool,
) -> list[float]:
    if not face_up:
        return [0.0] * (2 * len(numbers) + (12 if junior else 16))
    low, high = min(face_up), max(face_up)
    shown = one_hot(len(numbers), numbers.index(low)) + one_hot(len(numbers), numbers.index(high))
    for mover in range(2):
        other = own[1 - mover]
        thefts = (high, mover, None), (low, mover, None), (None, mover, mover)
        for tile, thief, loser in (*thefts, (other[-1] if other else None, mover, 1 - mover)):
            if junior and tile is None and loser == mover:
                continue  # own tiles are never lost
            then = list(players)
            if loser is not None and own[loser] and not (junior and tile is None):
                # Without a tile to steal, what is looked at is losing one's own.
                then[loser] = without_top(own[loser], then[loser], worms)
            elif loser == 1 - mover and not other and own[mover] and not junior:
                then[mover] = without_top(own[mover], then[mover], worms)
            if tile is not None:
                score, tie_break = then[thief]
                then[thief] = (score + worms[tile], max(tie_break, 0 if junior else tile))
            shown += lead_of(then, 0)
    return shown


def without_top(stack: tuple[int, ...], standing: Standing, worms: dict[int, int]) -> Standing:
    tie_break = max(stack[:-1], default=0) if standing[1] else 0
    return standing[0] - worms[stack[-1]], tie_break


def deluxe(table: DeluxeTable, seat: int, most: int) -> list[float]:
    players, tiles = in_turn(seat, table.seats), list(DELUXE_TILES)
    shown: list[float] = []
    for specialist in Specialist:
        standing = next((tiles.index(t) for t, who in table.on_grill if who is specialist), -1)
        holder = next((n for n, at in enumerate(players) if table.held[at] is specialist), -1)
        shown += one_hot(len(tiles), standing) + one_hot(most, holder)
    shown += padded([table.bratworms[at] * 0.3 for at in players], most)
    return [*shown, table.supply * 0.2, float(table.supply == 0)]


# --- barbecue -------------------------------------------------------------------------------------


def barbecue(table: BarbecueTable, seat: int, most: int) -> list[float]:
    players, spots = in_turn(seat, table.seats), list(BARBECUE_SPOTS)
    standing = standings(table, seat)
    shown: list[float] = []
    for spot in table.spots:
        owner = players.index(spot.plates[0]) if spot.plates else -1
        shown += [float(not spot.snail and not spot.plates), float(spot.snail)]
        shown += one_hot(most, owner if len(spot.plates) == 1 else -1)
        shown += one_hot(most, owner if len(spot.plates) == 2 else -1)
    shown += race(standing, most)
    for at in players:
        plates = table.plates[at]
        shown += [plates * 0.1, table.snails[at] * 0.2, float(plates == 0), float(plates == 1)]
    shown += [0.0] * (4 * (most - len(players)))
    empty = [n for n, spot in enumerate(table.spots) if not spot.snail and not spot.plates]
    single = [n for n, spot in enumerate(table.spots) if len(spot.plates) == 1]
    snails = sum(spot.snail for spot in table.spots)
    shown += [len(empty) * 0.1, len(single) * 0.1, snails * 0.1, table.pool * 0.1]
    shown += one_hot(1 + SNAILS, table.pool)
    shown += number_of(len(players), most) + leads(standing, most)
    shown += one_hot(1 + len(spots), max(empty, default=-1) + 1)
    shown += one_hot(1 + len(spots), max(single, default=-1) + 1)
    for mover in range(2):
        for worms in (1, 2, 3, 4, 6, 8):
            then = list(standing)
            then[mover] = (then[mover][0] + worms, then[mover][1])
            shown += lead_of(then, 0)
    return shown
