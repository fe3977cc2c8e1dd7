"""The turn that all four games share: rulings T1 to T9."""

import pytest

from heckmeck import rules
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.events import (
    AttemptFailed,
    DiceCast,
    DiceFell,
    DiceKept,
    MissedOut,
    SnailPlaced,
    ThrowWasDead,
    TileReturned,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
)
from heckmeck.rules.junior import JuniorTable
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import DECIDING, FALLING
from heckmeck.rules.turn import Turn
from tests.rules.story import (
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    junior_table,
    new_story,
)

ONE_OF_EACH = [ClassicTable, DeluxeTable, BarbecueTable, JuniorTable]
EVERY_EDITION = pytest.mark.parametrize("edition", ONE_OF_EACH)


def edition_of(table: rules.Table) -> str:
    return rules.game_at(table).edition


# --- T1 -------------------------------------------------------------------------------------------


@EVERY_EDITION
def test_t1_a_turn_starts_by_throwing_all_dice(edition: type[rules.Table]) -> None:
    story = new_story(edition)
    dice = story.game.dice.count
    assert story.turn == Turn(hand=dice)
    assert story.legal == "roll"

    story = story.play("roll")

    assert story.events == (DiceCast(0, dice, golden=False),)
    assert story.phase == FALLING
    assert story.legal == ""
    assert len(story.game.throws(story.state)) > 0


def test_t1_then_the_dice_fall() -> None:
    story = new_story(ClassicTable).play("roll =11234WWW")

    assert story.events == (DiceFell(0, "11234WWW", None),)
    assert story.phase == Throw("11234WWW")
    assert story.turn == Turn(hand=8)  # thrown or not, they are not set aside


def test_t1_the_number_of_dice_thrown_is_the_number_in_hand() -> None:
    thrown = new_story(ClassicTable).play("roll")

    for wrong in ("=1123WWW", "=112345WWW", "=WBBBCCGK", "=1123466W", "=1123WWW+W", "=+1"):
        assert "8 white dice of this edition have to fall" in str(thrown.refuse(wrong))


def test_t1_dice_fall_in_any_order_and_are_written_in_face_order() -> None:
    assert new_story(BarbecueTable).play("roll =6W43216W").phase == Throw("1234WW66")


# --- T2 -------------------------------------------------------------------------------------------


def test_t2_all_dice_of_the_face_are_set_aside() -> None:
    story = new_story(ClassicTable).play("roll =11234WWW keep:W")

    assert story.events == (DiceKept(0, "W", 3, golden=False, total=15, left=5),)
    assert story.turn == Turn(hand=5, kept="WWW", total=15)
    assert story.phase == DECIDING


def test_t2_any_face_of_the_first_throw_may_be_kept() -> None:
    story = new_story(ClassicTable).play("roll =11334WWW")

    assert story.legal == "keep:1 keep:3 keep:4 keep:W"
    assert "the roll shows no 5" in str(story.refuse("keep:5"))


def test_t2_a_face_is_kept_once_a_turn() -> None:
    story = given(classic_table(), kept="44").play("roll =12444W")

    assert story.legal == "keep:1 keep:2 keep:W"
    assert "4 was already kept this turn" in str(story.refuse("keep:4"))


def test_t2_kept_dice_lie_in_face_order_whatever_came_first() -> None:
    story = new_story(BarbecueTable).play("roll =1122366W keep:6 roll =11123W keep:W")
    assert story.turn == Turn(hand=5, kept="W66", total=17)

    story = story.play("roll =11233 keep:1")
    assert story.turn == Turn(hand=3, kept="11W66", total=19)


def test_t2_a_face_is_free_again_in_the_next_turn() -> None:
    story = given(classic_table(), kept="44WWW").play("stop roll =1234445W")

    assert story.seat == 1
    assert "keep:4" in story.legal


# --- T3 -------------------------------------------------------------------------------------------


@EVERY_EDITION
def test_t3_after_a_throw_something_has_to_be_kept(edition: type[rules.Table]) -> None:
    story = new_story(edition).play("roll")
    story = story.play("=WWBCGK" if edition is JuniorTable else "=112234WW")

    for early in ("roll", "stop"):
        assert "a face of this roll has to be kept first" in str(story.refuse(early))


@pytest.mark.parametrize("table", [classic_table(), deluxe_table(), junior_table()], ids=edition_of)
def test_t3_after_a_keep_the_player_throws_again_or_ends_the_turn(table: rules.Table) -> None:
    story = given(table, kept="WW")
    assert story.legal == "roll stop"

    again = story.play("roll")

    assert again.events == (DiceCast(0, story.turn.hand, golden=False),)
    assert again.turn == story.turn
    assert story.play("stop").events[0] == TurnEnded(0, story.turn.total, stopped=True)


def test_t3_only_the_dice_in_hand_are_thrown_again() -> None:
    story = given(classic_table(), kept="11WWW").play("roll")

    assert story.events == (DiceCast(0, 3, golden=False),)
    assert story.play("=225").phase == Throw("225")
    assert "3 white dice" in str(story.refuse("=11225WWW"))


def test_t3_nobody_stops_before_the_first_throw() -> None:
    assert "nothing is kept yet" in str(new_story(ClassicTable).refuse("stop"))


# --- T4 -------------------------------------------------------------------------------------------


def test_t4_the_result_is_the_sum_of_the_kept_dice() -> None:
    story = new_story(ClassicTable)
    story = story.play("roll =12345WWW keep:W roll =12345 keep:5 roll =1234 keep:4")
    assert story.turn.total == 15 + 5 + 4

    story = story.play("stop")
    assert story.table.stacks == ((24,), ())


@pytest.mark.parametrize("table", [classic_table(), deluxe_table()], ids=edition_of)
def test_t4_without_a_worm_the_result_is_worthless(table: rules.Table) -> None:
    story = given(table, kept="4445555").play("stop")  # 32 points

    assert story.events == (
        TurnEnded(0, 32, stopped=True),
        AttemptFailed(0, WhyNothing.NO_WORM),
        TurnStarted(1),
    )


def test_t4_barbecue_without_a_worm_nobody_may_stop() -> None:
    story = given(barbecue_table(), kept="44666")  # 26 points
    assert story.legal == "roll"


def test_t4_junior_without_a_worm_the_player_misses_out() -> None:
    story = given(junior_table(), kept="BBC").play("stop")  # 5 points

    assert story.events == (
        TurnEnded(0, 5, stopped=True),
        MissedOut(0, WhyNothing.NO_WORM),
        TileTurned(9),
        TurnStarted(1),
    )


# --- T5 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [classic_table(), deluxe_table()], ids=edition_of)
def test_t5_a_throw_of_kept_faces_only_fails(table: rules.Table) -> None:
    story = given(table, kept="555WWW").play("roll =5W")

    assert story.events == (
        DiceFell(0, "5W", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TurnStarted(1),
    )
    assert story.turn == Turn(hand=8)


def test_t5_barbecue_a_dead_throw_brings_a_snail() -> None:
    story = given(barbecue_table(), kept="66WWW").play("roll =W66")

    assert story.events == (
        DiceFell(0, "W66", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        SnailPlaced(36, pool=11),
        TurnStarted(1),
    )


def test_t5_junior_a_dead_throw_merely_ends_the_turn() -> None:
    story = given(junior_table(), kept="WBB").play("roll =WBB")  # 5 points

    assert story.events == (
        DiceFell(0, "WBB", None),
        ThrowWasDead(0),
        TurnEnded(0, 5, stopped=False),
        TileTaken(0, 5, worms=1, result=5),
        TurnStarted(1),
    )


def test_t5_one_new_face_is_enough_to_live() -> None:
    assert given(classic_table(), kept="555WWW").play("roll =1W").legal == "keep:1"


# --- T6 -------------------------------------------------------------------------------------------


def test_t6_throwing_and_keeping_are_asked_even_with_one_answer() -> None:
    assert new_story(ClassicTable).legal == "roll"
    assert new_story(ClassicTable).play("roll =WWWWWWWW").legal == "keep:W"
    assert given(classic_table(), kept="34555WW").play("roll =2").legal == "keep:2"


def test_t6_the_turn_ends_by_itself_when_no_die_is_left() -> None:
    story = given(classic_table(), kept="34555WW").play("roll =1 keep:1")  # 33 points

    assert story.events == (
        DiceKept(0, "1", 1, golden=False, total=33, left=0),
        TurnEnded(0, 33, stopped=False),
        TileTaken(0, 33, worms=4, result=33),
        TurnStarted(1),
    )


def test_t6_a_turn_that_ends_by_itself_can_fail() -> None:
    story = given(classic_table(stacks=((22,),)), kept="1111223").play("roll =4 keep:4")

    assert story.events == (
        DiceKept(0, "4", 1, golden=False, total=15, left=0),
        TurnEnded(0, 15, stopped=False),
        AttemptFailed(0, WhyNothing.NO_WORM),
        TileReturned(0, 22),
        TileTurned(36),
        TurnStarted(1),
    )


def test_t6_junior_all_five_ingredients_end_the_turn_too() -> None:
    story = given(junior_table(), kept="WBCG").play("roll =KK keep:K")
    assert story.events[:2] == (
        DiceKept(0, "K", 2, golden=False, total=7, left=0),
        TurnEnded(0, 7, stopped=False),
    )

    story = given(junior_table(), kept="WBCG").play("roll =WK keep:K")
    assert story.events[:2] == (
        DiceKept(0, "K", 1, golden=False, total=6, left=1),
        TurnEnded(0, 6, stopped=False),
    )


def test_t6_a_dead_throw_is_not_asked_about() -> None:
    story = given(classic_table(), kept="WWW").play("roll =WWWWW")
    assert (story.seat, story.legal) == (1, "roll")


# --- T7 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("face", "12345W")
def test_t7_a_certain_dead_throw_may_be_thrown(face: str) -> None:
    story = given(classic_table(), kept="112345W")
    assert story.legal == "roll stop"

    story = story.play(f"roll ={face}")

    assert story.events[1:3] == (ThrowWasDead(0), AttemptFailed(0, WhyNothing.DEAD_THROW))


def test_t7_failing_on_purpose_keeps_a_lost_game_alive() -> None:
    # Given the last tile, 21, and a player who would lose by taking it,
    story = given(classic_table(stacks=((22,), (33, 34)), grill=[21]), kept="112345W")
    lost = story.play("stop")
    assert lost.outcome.winners == (1,)

    # when they throw on instead, then their 22 is back and the game goes on.
    alive = story.play("roll =1")
    assert alive.table.grill.face_up == (21, 22)
    assert not alive.is_over


def test_t7_barbecue_a_certain_dead_throw_can_be_the_only_move() -> None:
    story = given(barbecue_table(), kept="1234W6")  # 21 points earn nothing
    assert story.legal == "roll"
    assert story.play("roll =16").events[1] == ThrowWasDead(0)


def test_t7_not_in_junior_where_the_turn_has_ended() -> None:
    story = given(junior_table(), kept="WBCG").play("roll =WK keep:K")
    assert story.seat == 1


# --- T8 -------------------------------------------------------------------------------------------


@EVERY_EDITION
def test_t8_play_goes_clockwise_round_the_table(edition: type[rules.Table]) -> None:
    for seats in new_story(edition).game.players:
        story = new_story(edition, seats)
        turns = [story.seat]
        for _ in range(seats):
            story = given(story.table, seat=story.seat, kept="W")
            story = story.play("roll =" + "W" * story.turn.hand)
            turns.append(story.seat)
            assert story.events[-1] == TurnStarted(story.seat)
        assert turns == [*range(seats), 0]


@EVERY_EDITION
def test_t8_seat_0_starts_unless_another_is_named(edition: type[rules.Table]) -> None:
    assert new_story(edition, 3).seat == 0
    assert new_story(edition, 3, first=2).seat == 2


@EVERY_EDITION
def test_t8_the_first_player_has_a_seat_at_the_table(edition: type[rules.Table]) -> None:
    for nobody in (-1, 3):
        with pytest.raises(rules.BadSetup, match=f"a seat from 0 to 2, not {nobody}"):
            new_story(edition, 3, first=nobody)


# --- T9 -------------------------------------------------------------------------------------------


def test_t9_states_show_whole_stacks_in_the_order_they_grew() -> None:
    story = new_story(ClassicTable)
    story = story.play("roll =12345WWW keep:W roll =11555 keep:5 stop")  # 30
    story = story.play("roll =12345555 keep:5 roll =12WW keep:W stop")  # 30, stolen
    story = story.play("roll =WWWW1234 keep:W roll =1112 keep:1 stop")  # 23
    story = story.play("roll =WWWW1234 keep:W roll =1234 keep:4 stop")  # 24
    assert story.table.stacks == ((23,), (30, 24))


def test_t9_only_the_top_of_a_stack_can_be_stolen() -> None:
    story = given(classic_table(stacks=((), (25, 21))), kept="55WWW").play("stop")  # 25

    assert story.events[1] == TileTaken(0, 24, worms=1, result=25)  # the 25 lies too deep
    assert story.table.stacks == ((24,), (25, 21))
