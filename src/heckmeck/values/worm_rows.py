"""Values in worms on rows: `heckmeck.values.worms` to the last bit, for thousands of tables."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from heckmeck.bulk import barbecue, junior, tiles
from heckmeck.bulk import machine as m
from heckmeck.bulk.machine import Box
from heckmeck.bulk.rows import (
    ABOUT,
    FAILURE,
    MOST_SEATS,
    OVER,
    PINCH,
    RETURN,
    ROB_FOR_RAVEN,
    Rows,
    copy_row,
)
from heckmeck.rules.components import SNAIL_WORMS
from heckmeck.solver.compiling import compiled, compiled_lean
from heckmeck.solver.kernel import Bools, Floats
from heckmeck.solver.solution import EndValues
from heckmeck.values.worms import PLATE_AT_RISK, PRICES

#: [Specialist]: its price.
_PRICE: Final = np.array([PRICES.get(each, 0.0) for each in tiles.SPECIALISTS])
#: Endings are numbered from -1 to below this.
_ENDINGS: Final = 32


class Memory(NamedTuple):
    """Working memory: wealth by player, two rows, and the values of endings found so far."""

    wealth: Floats
    done: Rows
    choice: Rows
    found: Floats
    known: Bools


def new_memory(width: int) -> Memory:
    """Return working memory for rows of this width."""
    return Memory(
        np.zeros(MOST_SEATS),
        np.zeros(width, np.int8),
        np.zeros(width, np.int8),
        np.zeros(_ENDINGS),
        np.zeros(_ENDINGS, np.bool_),
    )


def worm_ends(box: Box, edition: str, layers: Rows, totals: int) -> EndValues:
    """Return the values of the ends of turns at [table, layer] in worms."""
    tables, count, width = layers.shape
    stop, fail = np.empty((tables, count, 2, totals)), np.empty((tables, count))
    may_stop = np.ones(stop.shape, np.bool_)
    _fill_ends(box, edition == "classic", layers, new_memory(width), stop, fail, may_stop)
    return EndValues(stop, fail, may_stop)


@compiled
def _fill_ends(
    box: Box,
    classic: bool,
    layers: Rows,
    memory: Memory,
    stop: Floats,
    fail: Floats,
    may_stop: Bools,
) -> None:
    for table in range(layers.shape[0]):
        start = standing(box, layers[table, 0], memory.wealth)
        for layer in range(layers.shape[1]):
            row = layers[table, layer]
            here = standing(box, row, memory.wealth)
            earlier = here - start if layer else 0.0
            memory.known[:] = False
            fail[table, layer] = earlier + gain_of(box, classic, row, FAILURE, here, memory)
            for worm in range(2):
                for total in range(stop.shape[3]):
                    ending = m.ending_of(box, row, total, worm == 1)
                    stop[table, layer, worm, total] = earlier + gain_of(
                        box, classic, row, ending, here, memory
                    )
                    if box.kind == m.BARBECUE:
                        may_stop[table, layer, worm, total] = ending != FAILURE


@compiled_lean
def gain_of(box: Box, classic: bool, row: Rows, ending: int, here: float, memory: Memory) -> float:
    """Return the gain of an ending of a row that stands at ``here``, found once."""
    place = ending + 1
    if not memory.known[place]:
        memory.known[place] = True
        if classic:
            memory.found[place] = _classic_gain(box, row, ending)
        else:
            memory.found[place] = _gain(box, row, ending, here, memory)
    return float(memory.found[place])


@compiled_lean
def _classic_gain(box: Box, row: Rows, ending: int) -> float:
    if ending == FAILURE:
        own = tiles.top_of(row, 0)
        return 0.0 if own < 0 else -float(tiles.WORMS[own])
    if ending >= tiles.STEAL:
        tile = tiles.top_of(row, ending - tiles.STEAL)
        return float(tiles.WORMS[tile] * (box.seats / (box.seats - 1)))
    return float(tiles.WORMS[ending])


@compiled_lean
def _gain(box: Box, row: Rows, ending: int, here: float, memory: Memory) -> float:
    """Carry out an ending, make the best choice, and count."""
    done, choice = memory.done, memory.choice
    copy_row(row, done)
    question = m.carry_out(box, done, ending)
    phase = question % ABOUT
    if phase == OVER and question // ABOUT == barbecue.NO_SNAIL_LEFT:
        return here  # ending the game changes nothing else
    if phase not in (RETURN, ROB_FOR_RAVEN, PINCH):
        return standing(box, done, memory.wealth) - here
    best = -np.inf
    if phase == RETURN:
        for gone in (tiles.held_by(done, 0), question // ABOUT):
            copy_row(done, choice)
            m.answer(box, choice, question, gone)
            best = max(best, standing(box, choice, memory.wealth))
    else:
        for player in range(1, box.seats):
            if phase == PINCH:
                asked = junior.top_of(done, player) == question // ABOUT
            else:
                asked = tiles.is_robbable(done, player)
            if asked:
                copy_row(done, choice)
                m.answer(box, choice, question, player)
                best = max(best, standing(box, choice, memory.wealth))
    return best - here


@compiled_lean
def standing(box: Box, row: Rows, wealth: Floats) -> float:
    """Return the lead of player 0 over the others' average, or what it has itself.

    See `heckmeck.values.worms.counts_others`. Every wealth is a multiple of a quarter, except that
    of the holder of the canned worm: added last, it is the only one that can be rounded.
    """
    if box.kind == m.JUNIOR and box.seats > 2:
        return _junior_wealth(row, 0)
    last = -1
    for player in range(box.seats):
        if box.kind == m.BARBECUE:
            wealth[player] = _barbecue_wealth(row, player)
        elif box.kind == m.JUNIOR:
            wealth[player] = _junior_wealth(row, player)
        else:
            wealth[player] = _tile_wealth(row, player)
            if row[tiles.WHERE + tiles.CANNED] == tiles.HELD + player:
                last = player
    total = 0.0
    for player in range(box.seats):
        if player != last:
            total += wealth[player]
    if last >= 0:
        total += wealth[last]
    return float(wealth[0] - (total - wealth[0]) / (box.seats - 1))


@compiled_lean
def _tile_wealth(row: Rows, player: int) -> float:
    worms = np.int64(row[tiles.BRATWORMS + player])
    for place in range(row[tiles.HEIGHT + player]):
        worms += tiles.WORMS[row[tiles.STACKS + player * tiles.TILES + place]]
    held = tiles.held_by(row, player)
    return float(worms) + (_PRICE[held] if held >= 0 else 0.0)


@compiled_lean
def _junior_wealth(row: Rows, player: int) -> float:
    worms = 0
    for place in range(row[junior.HEIGHT + player]):
        worms += junior.WORMS[row[junior.STACKS + player * junior.ALL_TILES + place]]
    return float(worms)


@compiled_lean
def _barbecue_wealth(row: Rows, player: int) -> float:
    single = 0
    for spot in range(barbecue.COUNT):
        if row[barbecue.SPOTS + spot] == barbecue.SINGLE + player:
            single += barbecue.WORMS[spot]
    snails = np.int64(row[barbecue.HAS_SNAILS + player])
    gained = np.int64(row[barbecue.HAS_WORMS + player]) + SNAIL_WORMS * snails
    return float(gained) - PLATE_AT_RISK * single
