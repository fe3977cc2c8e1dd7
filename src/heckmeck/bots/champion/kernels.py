"""Compiled functions shared by the rows of all editions."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from heckmeck.bots.champion.layers import exp
from heckmeck.bots.champion.model import (
    MOST_AFTER,
    MOST_SEATS,
    Bools,
    Branches,
    Floats32,
    Ints,
    Rows,
)
from heckmeck.solver.kernel import compiled

RACE: Final = 6
"""Features about the race, per player."""
FAR: Final = 12
"""Leads up to this many worms have a feature each."""
LEADS: Final = 2 * FAR + 1


@compiled
def tanh(x: float) -> float:
    """Return the hyperbolic tangent, the same on every processor; not to the last bit near 0."""
    less = exp(-2.0 * abs(x))
    found = (1.0 - less) / (1.0 + less)
    return found if x >= 0.0 else -found


@compiled
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


@compiled
def rival_of(scores: Ints, breaks: Ints, seats: int, player: int) -> int:
    """Return the best score of the other players."""
    rival = 1 if player == 0 else 0
    for other in range(rival + 1, seats):
        if other != player and (
            scores[other] > scores[rival]
            or (scores[other] == scores[rival] and breaks[other] > breaks[rival])
        ):
            rival = other
    return rival


@compiled
def show_lead(scores: Ints, breaks: Ints, seats: int, player: int, out: Floats32) -> None:
    """Show a player's lead over the best other one, and who would win."""
    rival = rival_of(scores, breaks, seats, player)
    lead = scores[player] - scores[rival]
    out[0] = tanh(lead * 0.4)
    out[1] = np.sign(lead) if lead else np.sign(breaks[player] - breaks[rival])


@compiled
def show_race(scores: Ints, breaks: Ints, seats: int, out: Floats32) -> None:
    """Show [player, RACE]: each player's score, lead over the best other one, and tie-break."""
    for player in range(seats):
        rival = rival_of(scores, breaks, seats, player)
        lead = scores[player] - scores[rival]
        tie_break = np.sign(breaks[player] - breaks[rival])
        at = player * RACE
        out[at] = scores[player] * 0.1
        out[at + 1] = lead * 0.1
        out[at + 2] = tanh(lead * 0.4)
        out[at + 3] = np.sign(lead) if lead else tie_break
        out[at + 4] = min(breaks[player], 1)
        out[at + 5] = tie_break


@compiled
def show_leads(scores: Ints, breaks: Ints, seats: int, out: Floats32) -> None:
    """Show [player, LEADS]: each player's lead, one-hot."""
    for player in range(seats):
        lead = scores[player] - scores[rival_of(scores, breaks, seats, player)]
        out[player * LEADS + FAR + min(max(lead, -FAR), FAR)] = 1.0


@compiled
def count_players(seats: int, most: int, out: Floats32) -> None:
    """Show the number of players."""
    if most > 2:
        out[seats - 2] = 1.0


# ------------------------------------------------------------------------------ endings


class After(NamedTuple):
    """Where the tables after the endings are written; ``counts`` is [tables, endings] so far."""

    rows: Rows
    over: Bools
    shares: Floats32
    first: Ints
    counts: Ints


def room_for(layers: Rows) -> After:
    """Return memory for the tables after all endings of the turns at these tables."""
    count = layers.shape[0] * layers.shape[1] * MOST_AFTER
    return After(
        np.empty((count, layers.shape[2]), np.int8),
        np.empty(count, np.bool_),
        np.empty((count, MOST_SEATS), np.float32),
        np.zeros(count + 1, np.int64),
        np.zeros(2, np.int64),
    )


def gathered(after: After, ending: Ints, may_stop: Bools | None = None) -> Branches:
    """Return what was written, without unused memory."""
    tables, endings = after.counts
    return Branches(
        after.rows[:tables],
        after.over[:tables],
        after.shares[:tables],
        after.first[: endings + 1],
        ending,
        may_stop,
    )


@compiled
def next_place(after: After) -> int:
    """Return where the next table is written."""
    at = after.counts[0]
    after.counts[0] += 1
    return int(at)


@compiled
def turn_on(row: Rows, out: Rows, seats: int, first: int, width: int) -> None:
    """Write the players' numbers, ``width`` each, with the next player first."""
    for player in range(seats):
        to = first + (player - 1 if player else seats - 1) * width
        for i in range(width):
            out[to + i] = row[first + player * width + i]


@compiled
def close_ending(after: After) -> int:
    """End the list of an ending's tables; return the ending's number."""
    number = after.counts[1]
    after.counts[1] += 1
    after.first[number + 1] = after.counts[0]
    return int(number)
