"""Small boards solved to the end, against what can be worked out by hand."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from heckmeck.rules import NO_HOUSE_RULES, AnyState
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.endings import TakeTile
from heckmeck.rules.grill import Grill
from heckmeck.rules.state import DECIDING, State
from heckmeck.rules.turn import Turn
from heckmeck.solver.positions import Value
from heckmeck.solver.small_boards import (
    MOST_TILES,
    TOLERANCE,
    BadBoard,
    SolvedBoard,
    duel,
    habits_of,
    lay_out,
    solve_board,
    visits,
)
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.worms import WORMS

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "odds.json").read_text("utf-8"))


@cache
def solved(*tiles: int) -> SolvedBoard:
    return solve_board(lay_out(tiles))


def best_word(state: AnyState, value: Value) -> str:
    return TurnMemo(value).weigh(state)[0].move


def test_a_single_tile_is_won_by_who_takes_it() -> None:
    """Whoever is to move takes it with chance p, or else the other is to move: 1 / (2 - p)."""
    board = lay_out([21])
    assert len(board.positions) == 1
    p = KNOWN["classic"]["at_least"]["21"]
    assert solved(21).chance[0] == pytest.approx(1 / (2 - p), abs=1e-9)


def test_all_positions_of_a_small_board_are_found() -> None:
    """Two tiles: both there, one of them in front of either player, one turned."""
    tables = set(lay_out([21, 22]).positions)
    assert ClassicTable(Grill((21, 22)), ((), ()), NO_HOUSE_RULES) in tables
    assert ClassicTable(Grill((21,), (22,)), ((), ()), NO_HOUSE_RULES) in tables
    assert ClassicTable(Grill((22,)), ((), (21,)), NO_HOUSE_RULES) in tables
    assert all(table.grill.face_up for table in tables), "a finished game is no position"
    assert len(tables) == 6


def test_the_bounds_meet_and_hold_the_truth_between_them() -> None:
    """The turn solved for the chances has the chance as its value: nothing changes any more."""
    found = solved(21, 22, 25)
    assert 0 <= found.gap <= TOLERANCE
    for table, chance in zip(found.board.positions, found.chance, strict=True):
        state = State(table, 0, Turn(8), DECIDING)
        (turn,) = TurnMemo(found).solved([state])
        assert turn.solution.value == pytest.approx(chance, abs=1e-8)


def test_the_last_tile_decides() -> None:
    """With 22 in hand and only 21 left, taking it wins for certain: two worms to none."""
    table = ClassicTable(Grill((21,)), ((22,), ()), NO_HOUSE_RULES)
    (won,) = solved(21, 22).endings(table, table, 0, [TakeTile(21)])
    assert won == 1
    assert solved(21, 22).chance_at(table) > 0.5


def test_perfect_play_can_differ_from_taking_most_worms() -> None:
    """Behind with the last tile in reach, taking it would end the game: better lose than end it."""
    found = solved(21, 22, 25)
    table = ClassicTable(Grill((21,)), ((), (22, 25)), NO_HOUSE_RULES)
    state = State(table, 0, Turn(3, "5555W", 25), DECIDING)
    assert best_word(state, WORMS) == "stop"
    assert best_word(state, found) == "stop", "25 is on top of the other stack"
    state = State(table, 0, Turn(4, "555W", 20), DECIDING)
    assert found.endings(table, table, 0, [TakeTile(21)]) == [0]
    assert best_word(state, found) == "roll"


def test_a_perfect_player_against_itself_wins_its_chance() -> None:
    found = solved(21, 22, 25)
    perfect = habits_of(found.board, found)
    result = duel(found.board, perfect, perfect)
    assert result.going_first == pytest.approx(found.chance[0], abs=1e-8)
    assert result.share == pytest.approx(0.5, abs=1e-8)


def test_nobody_beats_a_perfect_player() -> None:
    found = solved(21, 22, 25)
    perfect, fox = habits_of(found.board, found), habits_of(found.board, WORMS)
    result = duel(found.board, fox, perfect)
    assert result.going_first < found.chance[0]
    assert result.going_second < 1 - found.chance[0]
    other = duel(found.board, perfect, fox)
    assert other.going_first + result.going_second == pytest.approx(1, abs=1e-9)
    assert other.share + result.share == pytest.approx(1, abs=1e-9)


def test_visits_begin_at_the_start_and_end_some_time() -> None:
    found = solved(21, 22)
    perfect = habits_of(found.board, found)
    seen = visits(found.board, perfect, perfect)
    assert seen[0] >= 1
    assert np.all(seen >= 0)
    assert 2 < seen.sum() < 20


def test_habits_are_chances() -> None:
    found = solved(21, 22, 25)
    habits = habits_of(found.board, WORMS)
    assert habits.chances.sum(axis=1) == pytest.approx(np.ones(len(found.board.positions)))


@pytest.mark.parametrize(
    ("tiles", "sentence"),
    [
        ((), "A board has tiles from 21 to 36"),
        ((20, 21), "A board has tiles from 21 to 36"),
        (tuple(range(21, 22 + MOST_TILES)), "At most 7 tiles can be solved, not 8."),
    ],
)
def test_boards_that_cannot_be_solved(tiles: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(BadBoard, match=sentence):
        lay_out(tiles)


def test_progress_counts_every_position_once() -> None:
    board = lay_out([21, 22])
    done: list[int] = []
    solve_board(board, progress=done.append)
    assert sum(done) == len(board.positions)
