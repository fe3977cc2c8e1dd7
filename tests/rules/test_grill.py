"""The row of tiles and the stacks."""

import pytest

from heckmeck.rules.grill import (
    NO_HOUSE_RULES,
    Grill,
    HouseRules,
    others_with_top,
    put_on,
    take_off,
    tile_to_turn,
    top,
)
from tests.rules.story import BOTH_FLIPS, FLIP_ALWAYS, FLIP_RETURNED

GRILL = Grill((21, 24, 30), (35, 36))


def test_the_highest_tile_is_face_up() -> None:
    assert GRILL.highest == 30


@pytest.mark.parametrize(
    ("result", "tile"), [(20, None), (21, None), (22, 21), (24, 21), (30, 24), (31, 30), (40, 30)]
)
def test_next_lower(result: int, tile: int | None) -> None:
    assert GRILL.next_lower(result) == tile


def test_tiles_go_and_come_back_in_order() -> None:
    assert GRILL.without(24) == Grill((21, 30), (35, 36))
    assert GRILL.with_back(22) == Grill((21, 22, 24, 30), (35, 36))
    assert GRILL.without(24).with_back(24) == GRILL


def test_a_turned_tile_joins_those_face_down() -> None:
    assert GRILL.turned(30) == Grill((21, 24), (30, 35, 36))


def test_one_of_two_equal_tiles() -> None:
    twins = Grill((8, 9, 9))
    assert twins.without(9) == Grill((8, 9))
    assert twins.turned(9) == Grill((8, 9), (9,))
    assert twins.turned(9).turned(9) == Grill((8,), (9, 9))
    assert twins.with_back(8) == Grill((8, 8, 9, 9))


def test_a_tile_that_is_not_face_up_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        GRILL.without(36)


@pytest.mark.parametrize(
    ("face_up", "returned", "house", "turned"),
    [
        ((21, 30), 21, NO_HOUSE_RULES, 30),
        ((21, 30), 30, NO_HOUSE_RULES, None),
        ((21, 30), 30, FLIP_ALWAYS, None),
        ((21, 30), 30, FLIP_RETURNED, 30),
        ((21, 30), 30, BOTH_FLIPS, 30),
        ((21, 30), None, NO_HOUSE_RULES, None),
        ((21, 30), None, FLIP_ALWAYS, 30),
        ((21, 30), None, FLIP_RETURNED, None),
        ((21, 30), None, BOTH_FLIPS, 30),
        ((21,), 21, NO_HOUSE_RULES, None),
        ((21,), 21, FLIP_RETURNED, 21),
        ((), None, BOTH_FLIPS, None),
    ],
)
def test_which_tile_a_failed_attempt_turns(
    face_up: tuple[int, ...], returned: int | None, house: HouseRules, turned: int | None
) -> None:
    # C8, C10
    assert tile_to_turn(Grill(face_up), returned, house) == turned


def test_stacks() -> None:
    stacks = ((25, 22), (), (30,))
    assert [top(stack) for stack in stacks] == [22, None, 30]
    assert put_on(stacks, 1, 36) == ((25, 22), (36,), (30,))
    assert put_on(stacks, 0, 36) == ((25, 22, 36), (), (30,))
    assert take_off(stacks, 0) == ((25,), (), (30,))
    assert take_off(put_on(stacks, 2, 36), 2) == stacks


def test_who_else_shows_a_tile() -> None:
    stacks = ((9,), (4, 9), (9, 4), (), (9,))
    assert others_with_top(stacks, 9, seat=3) == (0, 1, 4)
    assert others_with_top(stacks, 9, seat=1) == (0, 4)
    assert others_with_top(stacks, 4, seat=0) == (2,)
    assert others_with_top(stacks, 5, seat=0) == ()
