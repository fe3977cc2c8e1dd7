"""Turns of the rules as rows, and back."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from heckmeck.bulk import junior, tiles
from heckmeck.bulk import machine as m
from heckmeck.bulk import rows as phases
from heckmeck.bulk.rows import Rows
from heckmeck.rules import AnyState, Table, game_at
from heckmeck.rules.dice import Dice
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import (
    DECIDING,
    FALLING,
    Deciding,
    Falling,
    Over,
    Phase,
    PinchQuestion,
    ReturnQuestion,
    RobQuestion,
    State,
)
from heckmeck.rules.turn import Turn


def at_turn(state: AnyState) -> Rows:
    """Return the turn of a state as a row."""
    faces, turn = game_at(state.table).dice.faces, state.turn
    row = np.zeros(m.TURN_WIDTH, np.int8)
    row[m.SEAT], row[m.HAND], row[m.TOTAL] = state.seat, turn.hand, turn.total
    row[m.GOLDEN], row[m.WEASEL_USED] = turn.golden, turn.weasel_used
    row[m.GOLDEN_SHOWS] = -1
    row[m.KEPT : m.KEPT + len(faces)] = [turn.kept.count(face) for face in faces]
    match state.phase:
        case Deciding():
            row[m.PHASE] = phases.DECIDING
        case Falling():
            row[m.PHASE] = phases.FALLING
        case Throw(dice, golden):
            row[m.PHASE] = phases.THROWN
            row[m.SHOWN : m.SHOWN + len(faces)] = [dice.count(face) for face in faces]
            row[m.GOLDEN_SHOWS] = -1 if golden is None else faces.index(golden)
        case RobQuestion(_, for_raven):
            row[m.PHASE] = phases.ROB_FOR_RAVEN if for_raven else phases.ROB
        case ReturnQuestion(_, received):
            row[m.PHASE] = phases.RETURN
            row[m.SUBJECT] = tiles.SPECIALISTS.index(received)
        case PinchQuestion(tile, _):
            row[m.PHASE] = phases.PINCH
            row[m.SUBJECT] = tile - junior.LOWEST
        case Over(reason):
            row[m.PHASE] = phases.OVER
            row[m.SUBJECT] = phases.REASONS.index(reason)
        case _:
            assert_never(state.phase)
    return row


def state_at(table: Table, row: Rows, turn: Rows) -> AnyState:
    """Return the state of a game with this table, which is that of ``row``."""
    faces, seat = game_at(table).dice.faces, int(turn[m.SEAT])
    now = Turn(
        int(turn[m.HAND]),
        _dice(faces, turn[m.KEPT : m.KEPT + len(faces)]),
        int(turn[m.TOTAL]),
        bool(turn[m.GOLDEN]),
        bool(turn[m.WEASEL_USED]),
    )
    return State(table, seat, now, _phase(table, row, turn))


def _dice(faces: str, counts: Rows) -> Dice:
    return "".join(face * int(count) for face, count in zip(faces, counts, strict=True))


def _phase(table: Table, row: Rows, turn: Rows) -> Phase:
    rules, seat, subject = game_at(table), int(turn[m.SEAT]), int(turn[m.SUBJECT])
    match int(turn[m.PHASE]):
        case phases.DECIDING:
            return DECIDING
        case phases.FALLING:
            return FALLING
        case phases.THROWN:
            faces, golden = rules.dice.faces, int(turn[m.GOLDEN_SHOWS])
            shown = _dice(faces, turn[m.SHOWN : m.SHOWN + len(faces)])
            return Throw(shown, None if golden < 0 else faces[golden])
        case phases.RETURN:
            held = tiles.SPECIALISTS[tiles.held_by(row, 0)]
            return ReturnQuestion(held, tiles.SPECIALISTS[subject])
        case phases.OVER:
            return Over(phases.REASONS[subject])
        case phase:
            victims = sorted(
                (seat + player) % table.seats
                for player in range(1, table.seats)
                if _is_candidate(row, player, phase, subject)
            )
            if phase == phases.PINCH:
                return PinchQuestion(subject + junior.LOWEST, tuple(victims))
            return RobQuestion(tuple(victims), phase == phases.ROB_FOR_RAVEN)


def _is_candidate(row: Rows, player: int, phase: int, subject: int) -> bool:
    if phase == phases.PINCH:
        return junior.top_of(row, player) == subject
    return tiles.is_robbable(row, player)
