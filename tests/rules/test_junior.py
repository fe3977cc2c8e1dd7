"""Heckmeck Junior: rulings J1 to J6."""

import pytest

from heckmeck.rules import BadSetup
from heckmeck.rules.endings import EndGame, Nothing, PinchTile, TakeTile, WhyNothing
from heckmeck.rules.events import (
    DiceFell,
    DiceKept,
    GameEnded,
    MissedOut,
    PinchAsked,
    ThrowWasDead,
    TileStolen,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
)
from heckmeck.rules.grill import Grill, Stacks
from heckmeck.rules.junior import Junior, JuniorTable
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine
from heckmeck.rules.state import PinchQuestion
from heckmeck.rules.turn import Turn
from tests.rules.story import FLIP_ALWAYS, given, junior_table, new_story

TWICE = (4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9)

# --- J1: dice and tiles ---------------------------------------------------------------------------


def test_j1_twelve_tiles_4_to_9_twice() -> None:
    for seats in range(2, 6):
        table = new_story(JuniorTable, seats).table
        assert table.grill == Grill(TWICE)
        assert table.stacks == ((),) * seats
        assert table.seats == seats


@pytest.mark.parametrize(("tile", "worms"), [(4, 1), (5, 1), (6, 2), (7, 2), (8, 3), (9, 4)])
def test_j1_worms_on_the_tiles(tile: int, worms: int) -> None:
    assert given(junior_table(stacks=((tile,), (tile,)))).scores == (worms, worms)


@pytest.mark.parametrize(("face", "points"), [("W", 1), ("B", 2), ("C", 1), ("G", 1), ("K", 1)])
def test_j1_six_dice_whose_bun_counts_2(face: str, points: int) -> None:
    story = new_story(JuniorTable).play("roll =WBCGK" + face)
    assert story.legal == "keep:W keep:B keep:C keep:G keep:K"

    story = story.play(f"keep:{face}")
    assert story.turn == Turn(hand=4, kept=face * 2, total=2 * points)


def test_j1_a_die_has_two_worm_sides() -> None:
    story = given(junior_table(), kept="BBBBB").play("roll")
    weights = {throw.dice: ways for throw, ways in story.game.throws(story.state)}
    assert weights == {"W": 2, "B": 1, "C": 1, "G": 1, "K": 1}


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_can_play(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"junior is for 2 to 5 players, not for {seats}"):
        new_story(JuniorTable, seats)


def test_junior_has_no_house_rules() -> None:
    with pytest.raises(BadSetup, match="junior has no house rules"):
        new_story(JuniorTable, house=FLIP_ALWAYS)


# --- J2, J3: how a turn ends ----------------------------------------------------------------------


@pytest.mark.parametrize("kept", ["W", "K", "BBBBB"])
def test_j2_by_choice_at_any_time_after_the_first_keep(kept: str) -> None:
    story = given(junior_table(), kept=kept)
    assert story.legal == "roll stop"
    assert story.play("stop").seat == 1


def test_j2_when_all_six_dice_are_kept() -> None:
    story = given(junior_table(), kept="WBB").play("roll =KKK keep:K")

    assert story.events == (
        DiceKept(0, "K", 3, golden=False, total=8, left=0),
        TurnEnded(0, 8, stopped=False),
        TileTaken(0, 8, worms=3, result=8),
        TurnStarted(1),
    )


def test_j2_when_all_five_ingredients_are_kept() -> None:
    story = given(junior_table(), kept="WBCG").play("roll =BK keep:K")

    assert story.events == (
        DiceKept(0, "K", 1, golden=False, total=6, left=1),
        TurnEnded(0, 6, stopped=False),
        TileTaken(0, 6, worms=2, result=6),
        TurnStarted(1),
    )


def test_j2_four_ingredients_are_not_enough() -> None:
    assert given(junior_table(), kept="WBC").play("roll =BGK keep:K").legal == "roll stop"


def test_j3_after_a_dead_throw_what_was_kept_counts() -> None:
    # J2
    story = given(junior_table(stacks=((9,),)), kept="WBB").play("roll =WBB")

    assert story.events == (
        DiceFell(0, "WBB", None),
        ThrowWasDead(0),
        TurnEnded(0, 5, stopped=False),
        TileTaken(0, 5, worms=1, result=5),
        TurnStarted(1),
    )
    assert story.table == junior_table(stacks=((9, 5),))


def test_j3_a_dead_throw_on_nothing_worth_a_tile() -> None:
    # J5
    story = given(junior_table(stacks=((9,),)), kept="BBB").play("roll =BBB")

    assert story.events == (
        DiceFell(0, "BBB", None),
        ThrowWasDead(0),
        TurnEnded(0, 6, stopped=False),
        MissedOut(0, WhyNothing.NO_WORM),
        TileTurned(9),
        TurnStarted(1),
    )
    assert story.table.stacks == ((9,), ())


# --- J4: taking and pinching ----------------------------------------------------------------------


def test_j4_a_tile_of_exactly_the_result_comes_from_the_grill() -> None:
    # Although another player shows one, too.
    story = given(junior_table(stacks=((), (6,))), kept="WBBC")
    assert story.game.stopping(story.state) == TakeTile(6)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 6, stopped=True),
        TileTaken(0, 6, worms=2, result=6),
        TurnStarted(1),
    )
    assert story.table == junior_table(stacks=((6,), (6,)))


def test_j4_else_it_is_pinched_from_the_only_player_who_shows_it() -> None:
    # T6: one candidate, no question
    table = junior_table(3, stacks=((5,), (6, 4), (7, 6)), grill=[4, 5, 9])
    story = given(table, kept="WBBC")
    assert story.game.stopping(story.state) == PinchTile(6, victims=(2,))

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 6, stopped=True),
        TileStolen(0, 2, 6, worms=2),
        TurnStarted(1),
    )
    assert story.table.stacks == ((5, 6), (6, 4), (7,))


def test_j4_two_candidates_the_player_chooses() -> None:
    table = junior_table(4, stacks=((5,), (6,), (), (7, 6)))
    story = given(table, kept="WBBC").play("stop")

    assert story.events == (TurnEnded(0, 6, stopped=True), PinchAsked(0, 6, (1, 3)))
    assert story.phase == PinchQuestion(6, (1, 3))
    assert story.legal == "pinch:1 pinch:3"
    assert story.table == table
    for other in ("pinch:0", "pinch:2", "roll", "stop", "rob:1", "=W"):
        story.refuse(other)

    story = story.play("pinch:3")
    assert story.events == (TileStolen(0, 3, 6, worms=2), TurnStarted(1))
    assert story.table == junior_table(4, stacks=((5, 6), (6,), (), (7,)))


def test_j4_the_question_follows_a_dead_throw_too() -> None:
    story = given(junior_table(3, stacks=((), (5,), (5,))), kept="WBB").play("roll =WBB")
    assert story.events == (
        DiceFell(0, "WBB", None),
        ThrowWasDead(0),
        TurnEnded(0, 5, stopped=False),
        PinchAsked(0, 5, (1, 2)),
    )
    assert story.turn == Turn(hand=3, kept="WBB", total=5)
    assert story.play("pinch:1").table.stacks == ((5,), (), (5,))


def test_j4_pinching_is_not_optional() -> None:
    story = given(junior_table(stacks=((), (6,)), grill=[4, 5, 9]), kept="WBBC").play("stop")
    assert story.table.grill.face_up == (4, 5, 9)


def test_j4_the_own_tile_cannot_be_pinched() -> None:
    story = given(junior_table(stacks=((6,),), grill=[4, 9]), kept="WBBC").play("stop")
    assert story.events[1] == TileTaken(0, 4, worms=1, result=6)


def test_j4_else_the_highest_lower_tile_is_taken() -> None:
    # 6s are face down or buried.
    table = junior_table(stacks=((), (6, 9)), grill=[4, 5, 5, 7, 8])
    story = given(table, kept="WBBC").play("stop")

    assert story.events == (
        TurnEnded(0, 6, stopped=True),
        TileTaken(0, 5, worms=1, result=6),
        TurnStarted(1),
    )
    assert story.table.grill.face_up == (4, 5, 7, 8)


def test_j4_a_result_above_9_takes_a_9() -> None:
    story = given(junior_table(), kept="WBBBBB", hand=0)
    assert story.turn.total == 11
    assert story.game.stopping(story.state) == TakeTile(9)


# --- J5: missing out ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "why"),
    [("BBB", WhyNothing.NO_WORM), ("WB", WhyNothing.TOO_LOW), ("WWW", WhyNothing.TOO_LOW)],
)
def test_j5_no_tile_received_the_highest_tile_is_turned(kept: str, why: WhyNothing) -> None:
    story = given(junior_table(stacks=((7, 8),)), kept=kept)
    assert story.game.stopping(story.state) == Nothing(why)
    points = story.turn.total

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, points, stopped=True),
        MissedOut(0, why),
        TileTurned(9),
        TurnStarted(1),
    )
    # One of the two 9s is face down; own tiles are never lost.
    assert story.table.grill == Grill((4, 4, 5, 5, 6, 6, 7, 8, 9), face_down=(9,))
    assert story.table.stacks == ((7, 8), ())


def test_j5_nothing_lower_on_the_grill() -> None:
    story = given(junior_table(grill=[7, 8]), kept="WBBC").play("stop")
    assert story.events[1:3] == (MissedOut(0, WhyNothing.TOO_LOW), TileTurned(8))


# --- J6: the end ----------------------------------------------------------------------------------


def test_j6_the_game_ends_when_the_last_tile_is_taken() -> None:
    story = given(junior_table(stacks=((), (9,)), grill=[6]), kept="WBBC").play("stop")

    assert story.events == (
        TurnEnded(0, 6, stopped=True),
        TileTaken(0, 6, worms=2, result=6),
        GameEnded(story.outcome),
    )
    assert story.outcome.reason is EndReason.GRILL_EMPTY
    assert story.outcome.sheets == (
        (ScoreLine(ScoreItem.TILES, 2),),
        (ScoreLine(ScoreItem.TILES, 4),),
    )
    assert story.outcome.ranking == ((1,), (0,))
    assert story.outcome.decided_by is DecidedBy.SCORE


def test_j6_the_game_ends_when_the_last_tile_is_turned() -> None:
    # J5
    story = given(junior_table(stacks=((), (9,)), grill=[6]), kept="B").play("stop")
    assert story.events[1:] == (
        MissedOut(0, WhyNothing.NO_WORM),
        TileTurned(6),
        GameEnded(story.outcome),
    )
    assert story.table.grill.face_up == ()


@pytest.mark.parametrize(
    ("stacks", "ranking", "decided_by"),
    [
        (((9,), (8, 4), (5,)), ((0, 1), (2,)), DecidedBy.SHARED),
        (((), (), ()), ((0, 1, 2),), DecidedBy.SHARED),
        (((4,), (9,), (9,), (8,)), ((1, 2), (3,), (0,)), DecidedBy.SHARED),
        (((4,), (9, 4), (9,)), ((1,), (2,), (0,)), DecidedBy.SCORE),
        (((4,), (9, 4), (5,)), ((1,), (0, 2)), DecidedBy.SCORE),
    ],
)
def test_j6_most_worms_win_and_several_winners_are_possible(
    stacks: Stacks, ranking: tuple[tuple[int, ...], ...], decided_by: DecidedBy
) -> None:
    table = junior_table(len(stacks), stacks=stacks, grill=[])
    outcome = Junior().final_count(table, EndReason.GRILL_EMPTY)
    assert (outcome.ranking, outcome.decided_by) == (ranking, decided_by)


# --- the frame ------------------------------------------------------------------------------------


def test_a_junior_turn_has_no_other_endings() -> None:
    story = given(junior_table())
    with pytest.raises(TypeError, match="not an ending of a junior turn"):
        story.game.carry_out(story.state, EndGame(), [])
