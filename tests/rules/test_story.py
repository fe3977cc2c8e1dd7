"""The helper that the stories are told with."""

import pytest

from heckmeck.rules import IllegalMove
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.turn import Turn
from tests.rules.story import (
    SNAIL,
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    junior_table,
    new_story,
)


def test_a_bad_word_is_named_with_its_story() -> None:
    with pytest.raises(IllegalMove) as refusal:
        new_story(ClassicTable).play("roll =11234WWW stop keep:1")
    assert refusal.value.__notes__ == ["word 3 of the story 'roll =11234WWW stop keep:1'"]


def test_a_word_that_should_be_refused_and_is_not() -> None:
    with pytest.raises(AssertionError, match="roll was played"):
        new_story(ClassicTable).refuse("roll")


def test_a_game_that_should_be_over_and_is_not() -> None:
    with pytest.raises(AssertionError, match="the game is not over; legal now: roll"):
        _ = new_story(ClassicTable).outcome


def test_what_is_not_mentioned_is_dealt_out() -> None:
    classic = classic_table(stacks=((36,),), grill=[21, 22])
    assert classic.grill.face_up == (21, 22)
    assert classic.grill.face_down == tuple(range(23, 36))
    assert junior_table(stacks=((4, 9),)).grill.face_up == (4, 5, 5, 6, 6, 7, 7, 8, 8, 9)
    assert deluxe_table(3, bratworms=(2, 1)).supply == 4
    board = barbecue_table(spots={36: (0, 0), 30: (1,), 23: SNAIL}, snails=(0, 2))
    assert (board.pool, board.worms, board.plates) == (9, (8, 3), (8, 9))


def test_dice_kept_are_counted() -> None:
    assert given(classic_table(), kept="W5W").turn == Turn(hand=5, kept="5WW", total=15)
