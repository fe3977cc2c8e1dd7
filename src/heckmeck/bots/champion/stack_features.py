"""Features shared by all games in which players stack tiles from a grill."""

from __future__ import annotations

from typing import Final

from heckmeck.bots.champion.kernels import (
    LEADS,
    RACE,
    count_players,
    show_leads,
    show_race,
)
from heckmeck.bots.champion.model import MOST_SEATS, Floats32, Ints, Rows
from heckmeck.solver.kernel import compiled

FEW: Final = 4
"""Up to this many tiles on the grill have a feature each."""


@compiled
def standing_size(most: int) -> int:
    """Return the number of features of `show_standing`."""
    return most * (RACE + 1 + LEADS) + 2 + FEW + MOST_SEATS - 1


@compiled
def show_standing(
    scores: Ints, breaks: Ints, heights: Rows, grill: tuple[int, int], most: int, out: Floats32
) -> None:
    """Show the race, the heights of the stacks, the grill, the number of players, the leads.

    ``grill`` is the number of face-up tiles and of the worms on them.
    """
    up, worms = grill
    seats = len(heights)
    show_race(scores, breaks, seats, out)
    at = most * RACE
    for player in range(seats):
        out[at + player] = heights[player] * 0.25
    at += most
    out[at] = up * 0.1
    out[at + 1] = worms * 0.05
    if up <= FEW:
        out[at + 1 + up] = 1.0
    at += 2 + FEW
    count_players(seats, most, out[at:])
    show_leads(scores, breaks, seats, out[at + MOST_SEATS - 1 :])


@compiled
def show_ends(face_up: Rows, out: Floats32) -> tuple[int, int]:
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
