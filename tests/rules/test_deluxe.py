"""Heckmeck (2018): rulings D1 to D17."""

import pytest

from heckmeck.rules.components import Specialist
from heckmeck.rules.deluxe import Deluxe, DeluxeTable
from heckmeck.rules.endings import (
    Bonus,
    EndGame,
    Nothing,
    StealHen,
    StealTile,
    TakeTile,
    WhyNothing,
)
from heckmeck.rules.events import (
    AttemptFailed,
    BratwormEarned,
    BratwormMissing,
    BratwormRobbed,
    BratwormTaken,
    CannedWormOpened,
    DiceCast,
    DiceFell,
    DiceKept,
    Event,
    GameEnded,
    ReturnAsked,
    RobAsked,
    SpecialistMoved,
    SpecialistReturned,
    SpecialistStolen,
    SpecialistTaken,
    ThrowWasDead,
    TileGuarded,
    TileReturned,
    TileStolen,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
    WeaselUsed,
    WhyBratworm,
)
from heckmeck.rules.grill import NO_HOUSE_RULES, Grill, HouseRules
from heckmeck.rules.moves import Pinch, Throw
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine
from heckmeck.rules.state import DECIDING, ReturnQuestion, RobQuestion
from heckmeck.rules.turn import Turn
from tests.rules.story import (
    APPLE,
    BOTH_FLIPS,
    CANNED,
    FLIP_ALWAYS,
    FLIP_RETURNED,
    GOLDEN,
    HEN,
    RAVEN,
    WEASEL,
    Story,
    deluxe_table,
    given,
    new_story,
)

FAILED = AttemptFailed(0, WhyNothing.NO_WORM)
STOPPED_AT_5 = TurnEnded(0, 5, stopped=True)


def fail(table: DeluxeTable) -> Story[DeluxeTable]:
    """Seat 0 stops with a single 5 and no worm."""
    return given(table, kept="5").play("stop")


# --- D1, D2: setup --------------------------------------------------------------------------------


def test_d1_eighteen_tiles() -> None:
    for seats in range(2, 8):
        table = new_story(DeluxeTable, seats).table
        assert table.grill == Grill((11, 13, *range(21, 37)))
        assert table.stacks == ((),) * seats
        assert table.seats == seats


@pytest.mark.parametrize(("kept", "tile"), [("33W", 11), ("44W", 13)])
def test_d1_exactly_11_or_13_takes_a_small_tile(kept: str, tile: int) -> None:
    story = given(deluxe_table(), kept=kept).play("stop")

    assert story.events == (
        TurnEnded(0, tile, stopped=True),
        TileTaken(0, tile, worms=1, result=tile),
        TurnStarted(1),
    )
    assert story.scores == (1, 0)


@pytest.mark.parametrize("kept", ["34W", "1144W", "WWWW"])  # 12, 15, 20
def test_d1_small_tiles_are_never_the_next_lower_ones(kept: str) -> None:
    story = given(deluxe_table(), kept=kept).play("stop")
    assert story.events[1] == AttemptFailed(0, WhyNothing.TOO_LOW)


def test_d1_not_even_when_nothing_else_is_left() -> None:
    story = given(deluxe_table(grill=[11, 13]), kept="55WWW")
    assert story.game.stopping(story.state) == Nothing(WhyNothing.TOO_LOW)


def test_d1_larger_tiles_are_the_next_lower_ones_as_ever() -> None:
    story = given(deluxe_table(grill=[11, 13, 21, 36]), kept="55WWW")
    assert story.game.stopping(story.state) == TakeTile(21)


@pytest.mark.parametrize(("kept", "tile"), [("33W", 11), ("44W", 13)])
def test_d1_small_tiles_are_never_stolen(kept: str, tile: int) -> None:
    story = given(deluxe_table(stacks=((), (tile,))), kept=kept).play("stop")

    assert story.events[1] == AttemptFailed(0, WhyNothing.TOO_LOW)
    assert story.table.stacks == ((), (tile,))


def test_d1_small_tiles_go_back_like_any_tile() -> None:
    story = fail(deluxe_table(stacks=((13,),)))
    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 13),
        TileTurned(36),
        TurnStarted(1),
    )


def test_d1_small_tiles_are_turned_like_any_tile() -> None:
    story = fail(deluxe_table(stacks=((11,),), grill=[13]))
    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 11),
        TileTurned(13),
        TurnStarted(1),
    )
    assert story.table.grill.face_up == (11,)


def test_d2_where_the_specialists_stand_at_the_start() -> None:
    table = new_story(DeluxeTable, 3).table
    assert dict(table.on_grill) == {
        11: CANNED,
        21: HEN,
        23: RAVEN,
        25: WEASEL,
        27: GOLDEN,
        29: APPLE,
    }
    assert table.held == (None, None, None)
    assert (table.bratworms, table.supply) == ((0, 0, 0), 7)


# --- D3, D4: how to obtain a Specialist -----------------------------------------------------------


def test_d3_the_specialist_on_a_tile_comes_with_it() -> None:
    story = new_story(DeluxeTable)
    story = story.play("roll =12345WWW keep:W roll =12355 keep:5 stop")  # 25

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 25, worms=2, result=25),
        SpecialistTaken(0, WEASEL, 25),
        TurnStarted(1),
    )
    assert story.table.held == (WEASEL, None)
    assert story.table.standing_on(25) is None
    assert WEASEL not in dict(story.table.on_grill).values()


def test_d3_also_with_the_next_lower_tile() -> None:
    table = deluxe_table(grill=[21, 36], on_grill={21: HEN})
    story = given(table, kept="55WWW").play("stop")
    assert story.events[1:3] == (TileTaken(0, 21, worms=1, result=25), SpecialistTaken(0, HEN, 21))
    assert story.table.held == (HEN, None)


def test_d4_stealing_a_tile_brings_the_victims_specialist() -> None:
    story = given(
        deluxe_table(3, stacks=((30,), (), (25,)), held=(None, None, GOLDEN)), kept="55WWW"
    )
    assert story.game.stopping(story.state) == StealTile(25, victim=2)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileStolen(0, 2, 25, worms=2),
        SpecialistStolen(0, 2, GOLDEN),
        TurnStarted(1),
    )
    assert story.table == deluxe_table(3, stacks=((30, 25),), held=(GOLDEN,))


def test_d4_no_specialist_no_prey() -> None:
    story = given(deluxe_table(stacks=((), (25,)), held=(WEASEL,)), kept="55WWW").play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileStolen(0, 1, 25, worms=2),
        TurnStarted(1),
    )
    assert story.table == deluxe_table(stacks=((25,),), held=(WEASEL,))


# --- D5: nobody holds two -------------------------------------------------------------------------


def second_specialist() -> Story[DeluxeTable]:
    """Seat 0 has the weasel and takes 29 with the apple."""
    table = deluxe_table(stacks=((25,),), on_grill={11: CANNED, 29: APPLE}, held=(WEASEL,))
    return given(table, kept="4WWWWW").play("stop")  # 29


def test_d5_with_a_second_specialist_the_player_is_asked() -> None:
    story = second_specialist()

    assert story.events == (
        TurnEnded(0, 29, stopped=True),
        TileTaken(0, 29, worms=3, result=29),
        SpecialistTaken(0, APPLE, 29),
        ReturnAsked(0, WEASEL, APPLE),
    )
    assert story.phase == ReturnQuestion(held=WEASEL, received=APPLE)
    assert story.legal == "return:weasel return:apple"
    assert story.seat == 0


def test_d5_while_the_question_is_open_the_second_specialist_is_in_the_air() -> None:
    story = second_specialist()

    assert story.table.stacks == ((25, 29), ())
    assert story.table.held == (WEASEL, None)
    assert dict(story.table.on_grill) == {11: CANNED}
    assert story.scores == (5, 0)  # the apple does not count yet
    for other in ("return:hen", "roll", "stop", "=12", "keep:1"):
        story.refuse(other)


def test_d5_the_old_one_may_go_back() -> None:
    story = second_specialist().play("return:weasel")

    assert story.events == (SpecialistReturned(0, WEASEL, 13), TurnStarted(1))
    assert story.table.held == (APPLE, None)
    assert dict(story.table.on_grill) == {11: CANNED, 13: WEASEL}
    assert story.turn == Turn(hand=8)


def test_d5_the_new_one_may_go_back() -> None:
    story = second_specialist().play("return:apple")

    assert story.events == (SpecialistReturned(0, APPLE, 13), TurnStarted(1))
    assert story.table.held == (WEASEL, None)
    assert dict(story.table.on_grill) == {11: CANNED, 13: APPLE}


def test_d5_also_after_a_theft() -> None:
    table = deluxe_table(stacks=((22,), (25,)), held=(WEASEL, GOLDEN))
    story = given(table, kept="55WWW").play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileStolen(0, 1, 25, worms=2),
        SpecialistStolen(0, 1, GOLDEN),
        ReturnAsked(0, WEASEL, GOLDEN),
    )
    assert story.table.held == (WEASEL, None)
    assert story.legal == "return:weasel return:golden"

    story = story.play("return:weasel")
    assert story.events == (SpecialistReturned(0, WEASEL, 11), TurnStarted(1))
    assert story.table.held == (GOLDEN, None)


def test_d5_also_when_the_hen_is_stolen() -> None:
    table = deluxe_table(stacks=((22,), (25,)), held=(WEASEL, HEN))
    story = given(table, kept="55WWW").play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileGuarded(1, 25, thief=0),
        SpecialistStolen(0, 1, HEN),
        ReturnAsked(0, WEASEL, HEN),
    )
    assert story.table.stacks == ((22,), (25,))
    assert story.play("return:hen").table.held == (WEASEL, None)
    assert story.play("return:weasel").table.held == (HEN, None)


# --- D6: going back to the grill ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grill", "on_grill", "goes_to"),
    [
        ([11, 13, 21, 22], {}, 11),
        ([13, 21, 22], {}, 13),  # 11 is face down
        ([21, 22, 26], {21: HEN}, 22),
        ([21, 22, 26], {21: HEN, 26: RAVEN}, 22),
        ([21, 22, 26], {21: HEN, 22: RAVEN}, 26),
        ([21, 22], {21: HEN, 22: RAVEN}, None),
    ],
)
def test_d6_on_the_lowest_face_up_tile_with_nobody_on_it(
    grill: list[int], on_grill: dict[int, Specialist], goes_to: int | None
) -> None:
    table = deluxe_table(
        stacks=((30,), (25,)), grill=grill, on_grill=on_grill, held=(WEASEL, GOLDEN)
    )
    story = given(table, kept="55WWW").play("stop return:weasel")

    assert story.events == (SpecialistReturned(0, WEASEL, goes_to), TurnStarted(1))
    there = {} if goes_to is None else {goes_to: WEASEL}
    assert dict(story.table.on_grill) == on_grill | there
    assert list(story.table.on_grill) == sorted(story.table.on_grill)
    assert story.table.held == (GOLDEN, None)


# --- D7: failed attempt ---------------------------------------------------------------------------


def test_d7_tile_then_specialist_then_the_highest_turned_then_its_guest() -> None:
    table = deluxe_table(
        stacks=((30, 22), (25,)), on_grill={11: CANNED, 13: HEN, 36: RAVEN}, held=(WEASEL, GOLDEN)
    )
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 22),
        SpecialistReturned(0, WEASEL, 21),
        TileTurned(36),
        SpecialistMoved(RAVEN, 36, to=22),  # the tile just returned is free
        TurnStarted(1),
    )
    assert story.table.stacks == ((30,), (25,))
    assert story.table.held == (None, GOLDEN)
    assert dict(story.table.on_grill) == {11: CANNED, 13: HEN, 21: WEASEL, 22: RAVEN}
    assert story.table.grill.face_down == (36,)


def test_d7_the_specialist_can_land_on_the_tile_just_returned() -> None:
    table = deluxe_table(stacks=((22,),), grill=[21, 30], on_grill={21: HEN}, held=(WEASEL,))
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 22),
        SpecialistReturned(0, WEASEL, 22),
        TileTurned(30),
        TurnStarted(1),
    )
    assert dict(story.table.on_grill) == {21: HEN, 22: WEASEL}


def test_d7_the_guest_of_the_turned_tile_moves_after_the_own_specialist() -> None:
    # One free tile besides the turned one: the weasel gets it, the apple is out of the game.
    table = deluxe_table(stacks=((22,),), grill=[36], on_grill={36: APPLE}, held=(WEASEL,))
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 22),
        SpecialistReturned(0, WEASEL, 22),
        TileTurned(36),
        SpecialistMoved(APPLE, 36, to=None),
        TurnStarted(1),
    )
    assert dict(story.table.on_grill) == {22: WEASEL}


def test_d7_a_returned_tile_that_is_the_highest_stays_and_so_does_its_new_guest() -> None:
    table = deluxe_table(stacks=((36,),), grill=[21], on_grill={21: RAVEN}, held=(APPLE,))
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 36),
        SpecialistReturned(0, APPLE, 36),
        TurnStarted(1),
    )
    assert dict(story.table.on_grill) == {21: RAVEN, 36: APPLE}


def test_d7_flip_returned_can_turn_the_tile_under_the_specialist_just_put_back() -> None:
    # C10
    table = deluxe_table(
        stacks=((36,),), grill=[21], on_grill={21: RAVEN}, held=(APPLE,), house=FLIP_RETURNED
    )
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileReturned(0, 36),
        SpecialistReturned(0, APPLE, 36),
        TileTurned(36),
        SpecialistMoved(APPLE, 36, to=None),
        TurnStarted(1),
    )
    assert dict(story.table.on_grill) == {21: RAVEN}


def test_d7_nothing_to_return_nothing_turned() -> None:
    story = fail(deluxe_table())
    assert story.events == (STOPPED_AT_5, FAILED, TurnStarted(1))
    assert story.table == deluxe_table()


def test_d7_flip_always_turns_a_tile_and_its_guest_moves() -> None:
    # C10
    story = fail(deluxe_table(on_grill={36: GOLDEN}, house=FLIP_ALWAYS))
    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileTurned(36),
        SpecialistMoved(GOLDEN, 36, to=11),
        TurnStarted(1),
    )


def test_d7_a_failed_attempt_leaves_bratworms_alone() -> None:
    story = fail(deluxe_table(stacks=((22,),), bratworms=(2, 1)))
    assert (story.table.bratworms, story.table.supply) == ((2, 1), 4)


# --- what comes with a tile -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bratworms", "held", "bonus"),
    [
        ((0, 0), (None, None), "bratworm"),  # from the supply
        ((3, 4), (None, None), "bratworm"),  # from the other player
        ((3, 4), (None, HEN), None),  # who is guarded
        ((7, 0), (None, None), None),  # who has none
    ],
)
def test_d9_the_raven_promises_only_a_bratworm_that_can_be_had(
    bratworms: tuple[int, ...], held: tuple[Specialist | None, ...], bonus: str | None
) -> None:
    # D14
    table = deluxe_table(on_grill={23: RAVEN}, bratworms=bratworms, held=held)
    story = given(table, kept="4455W")
    assert story.game.stopping(story.state) == TakeTile(23)
    assert story.game.bonus(table, 0, TakeTile(23)) == bonus
    gained = story.play("stop").table.bratworms[0] - bratworms[0]
    assert gained == (bonus is not None)


def test_d3_d4_a_specialist_comes_with_its_tile() -> None:
    table = deluxe_table(stacks=((), (27,)), on_grill={29: APPLE}, held=(None, GOLDEN))
    bonus = given(table).game.bonus
    assert bonus(table, 0, TakeTile(29)) is Bonus.APPLE
    assert bonus(table, 0, TakeTile(30)) is None
    assert bonus(table, 0, StealTile(27, 1)) is Bonus.GOLDEN
    # The hen is all that this theft brings, and the ending itself says so.
    assert bonus(table, 0, StealHen(27, 1)) is None


# --- D8: the sitting hen --------------------------------------------------------------------------


def test_d8_a_thief_gets_the_hen_instead_of_the_tile() -> None:
    table = deluxe_table(3, stacks=((22,), (), (36, 25)), held=(None, None, HEN))
    story = given(table, kept="55WWW")
    assert story.game.stopping(story.state) == StealHen(25, victim=2)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileGuarded(2, 25, thief=0),
        SpecialistStolen(0, 2, HEN),
        TurnStarted(1),
    )
    assert story.table == deluxe_table(3, stacks=((22,), (), (36, 25)), held=(HEN,))


def test_d8_without_the_hen_the_tile_goes_the_second_time() -> None:
    story = given(deluxe_table(stacks=((22,), (25,)), held=(None, HEN)), kept="55WWW").play("stop")
    story = given(story.table, seat=0, kept="55WWW").play("stop")
    assert story.events[1] == TileStolen(0, 1, 25, worms=2)
    assert story.table.held == (HEN, None)


@pytest.mark.parametrize(("kept", "tile"), [("33W", 11), ("44W", 13)])
def test_d8_no_theft_of_a_small_tile_so_no_hen(kept: str, tile: int) -> None:
    story = given(deluxe_table(stacks=((), (tile,)), held=(None, HEN)), kept=kept).play("stop")
    assert story.events[1] == AttemptFailed(0, WhyNothing.TOO_LOW)
    assert story.table.held == (None, HEN)


@pytest.mark.parametrize(
    ("house", "turned"),
    [
        (NO_HOUSE_RULES, []),
        (FLIP_RETURNED, []),
        (FLIP_ALWAYS, [TileTurned(36)]),
        (BOTH_FLIPS, [TileTurned(36)]),
    ],
)
@pytest.mark.parametrize("stack", [(30, 22), (35,), (13,)])
def test_d8_in_a_failed_attempt_only_the_hen_goes_back(
    stack: tuple[int, ...], house: HouseRules, turned: list[Event]
) -> None:
    # C10: flip_always holds here too.
    table = deluxe_table(stacks=(stack,), on_grill={11: CANNED}, held=(HEN,), house=house)
    goes_to = 21 if stack == (13,) else 13
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileGuarded(0, stack[-1], thief=None),
        SpecialistReturned(0, HEN, goes_to),
        *turned,
        TurnStarted(1),
    )
    assert story.table.stacks == (stack, ())
    assert story.table.held == (None, None)
    assert dict(story.table.on_grill) == {11: CANNED, goes_to: HEN}
    assert story.table.grill.face_down == ((36,) if turned else ())


@pytest.mark.parametrize(
    ("house", "turned"),
    [
        (NO_HOUSE_RULES, []),
        (FLIP_RETURNED, []),
        (FLIP_ALWAYS, [TileTurned(36), SpecialistMoved(RAVEN, 36, to=11)]),
        (BOTH_FLIPS, [TileTurned(36), SpecialistMoved(RAVEN, 36, to=11)]),
    ],
)
def test_d8_without_a_tile_the_holder_keeps_the_hen(house: HouseRules, turned: list[Event]) -> None:
    # C10: flip_always holds here too.
    story = fail(deluxe_table(on_grill={36: RAVEN}, held=(HEN,), house=house))

    assert story.events == (STOPPED_AT_5, FAILED, *turned, TurnStarted(1))
    assert story.table.held == (HEN, None)


def test_d8_flip_always_can_turn_the_tile_under_the_hen() -> None:
    # C10: the hen's only free tile is the highest one.
    table = deluxe_table(
        stacks=((22,),), grill=[21, 30], on_grill={21: RAVEN}, held=(HEN,), house=FLIP_ALWAYS
    )
    story = fail(table)

    assert story.events == (
        STOPPED_AT_5,
        FAILED,
        TileGuarded(0, 22, thief=None),
        SpecialistReturned(0, HEN, 30),
        TileTurned(30),
        SpecialistMoved(HEN, 30, to=None),
        TurnStarted(1),
    )
    assert dict(story.table.on_grill) == {21: RAVEN}


def test_d8_flip_always_can_end_the_game_under_the_hen() -> None:
    # C10
    table = deluxe_table(stacks=((22,),), grill=[30], held=(HEN,), house=FLIP_ALWAYS)
    story = fail(table)

    assert story.events[3:] == (
        SpecialistReturned(0, HEN, 30),
        TileTurned(30),
        SpecialistMoved(HEN, 30, to=None),
        GameEnded(story.outcome),
    )
    assert story.outcome.winners == (0,)


def test_d8_nobody_takes_bratworms_from_the_holder() -> None:
    table = deluxe_table(stacks=((), (22,)), held=(None, HEN), bratworms=(0, 7))
    story = given(table).play("roll =11234WWW keep:1")

    assert story.events[1:] == (BratwormEarned(0, WhyBratworm.DOUBLE_ONE), BratwormMissing(0))
    assert story.table.bratworms == (0, 7)


def test_d8_the_holder_robs_others_as_anybody_does() -> None:
    table = deluxe_table(stacks=((22,),), held=(HEN,), bratworms=(5, 2))
    story = given(table).play("roll =11234WWW keep:1")
    assert story.table.bratworms == (6, 1)


# --- D9: the raven --------------------------------------------------------------------------------


def test_d9_taking_the_ravens_tile_gives_a_bratworm_and_the_raven_moves() -> None:
    story = new_story(DeluxeTable)
    story = story.play("roll =12345WWW keep:W roll =22225 keep:2 stop")  # 23

    assert story.events == (
        TurnEnded(0, 23, stopped=True),
        TileTaken(0, 23, worms=1, result=23),
        BratwormEarned(0, WhyBratworm.RAVEN),
        BratwormTaken(0, supply=6),
        SpecialistMoved(RAVEN, 23, to=13),  # 11 is the canned worm's
        TurnStarted(1),
    )
    assert story.table.held == (None, None)
    assert story.table.standing_on(13) is RAVEN
    assert (story.table.bratworms, story.table.supply) == ((1, 0), 6)


def test_d9_the_raven_leaves_the_own_specialist_alone() -> None:
    table = deluxe_table(stacks=((30,),), on_grill={25: RAVEN}, held=(WEASEL,))
    story = given(table, kept="55WWW").play("stop")
    assert story.table.held == (WEASEL, None)
    assert story.seat == 1


def test_d9_no_free_tile_takes_the_raven_out_of_the_game() -> None:
    table = deluxe_table(grill=[21, 25], on_grill={21: HEN, 25: RAVEN})
    story = given(table, kept="55WWW").play("stop")
    assert story.events[-2:] == (SpecialistMoved(RAVEN, 25, to=None), TurnStarted(1))
    assert dict(story.table.on_grill) == {21: HEN}


def test_d9_with_an_empty_supply_the_ravens_bratworm_is_robbed() -> None:
    table = deluxe_table(3, on_grill={25: RAVEN}, bratworms=(0, 0, 7))
    story = given(table, kept="55WWW").play("stop")

    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 25, worms=2, result=25),
        BratwormEarned(0, WhyBratworm.RAVEN),
        BratwormRobbed(0, 2),
        SpecialistMoved(RAVEN, 25, to=11),
        TurnStarted(1),
    )
    assert story.table.bratworms == (1, 0, 6)


def test_d9_the_raven_waits_in_the_air_until_the_victim_is_chosen() -> None:
    table = deluxe_table(3, on_grill={25: RAVEN}, bratworms=(0, 3, 4))
    story = given(table, kept="55WWW").play("stop")

    assert story.events[2:] == (BratwormEarned(0, WhyBratworm.RAVEN), RobAsked(0, (1, 2)))
    assert story.phase == RobQuestion((1, 2), for_raven=True)
    assert story.table.stacks[0] == (25,)
    assert story.table.on_grill == ()
    assert story.legal == "rob:1 rob:2"

    story = story.play("rob:2")
    assert story.events == (
        BratwormRobbed(0, 2),
        SpecialistMoved(RAVEN, 25, to=11),
        TurnStarted(1),
    )
    assert story.table.bratworms == (1, 3, 3)


def test_d9_nobody_has_a_bratworm_to_give_and_the_raven_moves_all_the_same() -> None:
    table = deluxe_table(on_grill={25: RAVEN}, bratworms=(7, 0))
    story = given(table, kept="55WWW").play("stop")
    assert story.events[2:] == (
        BratwormEarned(0, WhyBratworm.RAVEN),
        BratwormMissing(0),
        SpecialistMoved(RAVEN, 25, to=11),
        TurnStarted(1),
    )


# --- D10: the weasel ------------------------------------------------------------------------------


def weasel_holder(kept: str = "", *, used: bool = False) -> Story[DeluxeTable]:
    return given(deluxe_table(stacks=((25,),), held=(WEASEL,)), kept=kept, weasel_used=used)


def test_d10_the_dice_just_thrown_may_be_thrown_again() -> None:
    story = weasel_holder("55").play("roll =12WWWW")
    assert story.legal == "keep:1 keep:2 keep:W reroll"

    story = story.play("reroll")

    assert story.events == (WeaselUsed(0), DiceCast(0, 6, golden=False))
    assert story.turn == Turn(hand=6, kept="55", total=10, weasel_used=True)
    assert story.play("=112344").phase == Throw("112344")
    assert "6 white dice" in str(story.refuse("=1234"))


def test_d10_also_the_first_throw() -> None:
    story = weasel_holder().play("roll =11222233 reroll =12345WWW")
    assert story.legal == "keep:1 keep:2 keep:3 keep:4 keep:5 keep:W"


def test_d10_once_a_turn() -> None:
    story = weasel_holder().play("roll =11234WWW reroll =11234WWW")
    assert "once per turn" in str(story.refuse("reroll"))

    later = story.play("keep:W roll =12345")
    assert later.legal == "keep:1 keep:2 keep:3 keep:4 keep:5"


def test_d10_before_any_die_of_the_throw_is_kept() -> None:
    story = weasel_holder().play("roll =12345WWW keep:W")
    assert story.legal == "roll stop"
    assert "right after a roll" in str(story.refuse("reroll"))


def test_d10_an_unused_weasel_waits_for_a_later_throw() -> None:
    story = weasel_holder().play("roll =12345WWW keep:W roll =12345")
    assert story.legal.endswith("reroll")


def test_d10_the_weasel_stands_up_for_the_next_turn() -> None:
    story = weasel_holder("55").play("roll =12WWWW reroll =12WWWW keep:W stop")
    assert story.turn == Turn(hand=8)
    story = story.play("roll =5555WWW1 keep:5 stop")  # seat 1 fails
    assert story.play("roll =11234WWW").legal.endswith("reroll")


def test_d10_only_its_holder() -> None:
    table = deluxe_table(stacks=((), (25,)), held=(None, WEASEL))
    story = given(table).play("roll =11234WWW")
    assert "reroll" not in story.legal
    assert "holder of the weasel" in str(story.refuse("reroll"))


def test_d10_after_a_dead_throw_the_choice_is_reroll_or_bust() -> None:
    story = weasel_holder("555WWW").play("roll =5W")

    assert story.events == (DiceFell(0, "5W", None), ThrowWasDead(0))
    assert story.phase == Throw("5W")
    assert story.legal == "bust reroll"
    story.refuse("keep:5")
    story.refuse("stop")


def test_d10_a_dead_throw_thrown_again_can_live() -> None:
    story = weasel_holder("555WWW").play("roll =5W reroll =14")
    assert story.legal == "keep:1 keep:4"


def test_d10_dead_again_there_is_no_third_throw() -> None:
    story = weasel_holder("555WWW").play("roll =5W reroll =55")

    assert story.events == (
        DiceFell(0, "55", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 25),
        SpecialistReturned(0, WEASEL, 11),
        TileTurned(36),
        TurnStarted(1),
    )


def test_d10_bust_accepts_the_failure() -> None:
    story = weasel_holder("555WWW").play("roll =5W bust")

    assert story.events == (
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 25),
        SpecialistReturned(0, WEASEL, 11),
        TileTurned(36),
        TurnStarted(1),
    )
    assert story.table.held == (None, None)


def test_d10_even_a_certain_dead_throw_is_asked_about() -> None:
    # T7
    story = weasel_holder("112345W")
    assert story.legal == "roll stop"
    assert story.play("roll =3").legal == "bust reroll"


def test_d10_bust_is_only_for_a_dead_throw() -> None:
    story = weasel_holder("555WWW").play("roll =1W")
    assert story.legal == "keep:1 reroll"
    assert "accepts a dead roll" in str(story.refuse("bust"))


# --- D11: the golden die --------------------------------------------------------------------------


def golden_holder() -> Story[DeluxeTable]:
    return given(deluxe_table(stacks=((27,),), held=(GOLDEN,)))


def test_d11_the_holder_may_add_the_golden_die_to_the_first_throw() -> None:
    story = golden_holder()
    assert story.legal == "roll roll:golden"

    story = story.play("roll:golden")

    assert story.events == (DiceCast(0, 8, golden=True),)
    assert story.turn == Turn(hand=8, golden=True)
    story = story.play("=11234WWW+1")
    assert story.events == (DiceFell(0, "11234WWW", "1"),)
    assert story.phase == Throw("11234WWW", "1")


def test_d11_or_not_at_all() -> None:
    story = golden_holder().play("roll")
    assert story.events == (DiceCast(0, 8, golden=False),)
    assert not story.turn.golden
    story.refuse("=11234WWW+1")

    story = story.play("=11234WWW keep:W")
    assert story.legal == "roll stop"
    assert "joins the first roll" in str(story.refuse("roll:golden"))


def test_d11_only_its_holder() -> None:
    story = given(deluxe_table(held=(None, GOLDEN)))
    assert story.legal == "roll"
    assert "its holder's turn" in str(story.refuse("roll:golden"))


@pytest.mark.parametrize("wrong", ["=11234WWW", "=11234WWW+2", "=11234WWW+5", "=1123WWW+1"])
def test_d11_it_falls_beside_the_white_dice_and_shows_a_1_or_a_worm(wrong: str) -> None:
    story = golden_holder().play("roll:golden")
    assert "8 white dice and the golden die" in str(story.refuse(wrong))


def test_d11_kept_dice_of_a_face_include_it() -> None:
    story = golden_holder().play("roll:golden =12345WWW+W keep:W")

    assert story.events == (DiceKept(0, "W", 4, golden=True, total=20, left=5),)
    assert story.turn == Turn(hand=5, kept="WWWW", total=20)
    assert story.play("roll").events == (DiceCast(0, 5, golden=False),)


def test_d11_its_face_can_be_kept_without_any_white_die() -> None:
    story = golden_holder().play("roll:golden =22223333+W")
    assert story.legal == "keep:2 keep:3 keep:W"

    story = story.play("keep:W")
    assert story.events == (DiceKept(0, "W", 1, golden=True, total=5, left=8),)
    assert story.turn == Turn(hand=8, kept="W", total=5)
    assert story.play("roll").events == (DiceCast(0, 8, golden=False),)


def test_d11_not_kept_it_is_thrown_again_with_the_rest() -> None:
    story = golden_holder().play("roll:golden =12345WWW+1 keep:W")

    assert story.events == (DiceKept(0, "W", 3, golden=False, total=15, left=6),)
    assert story.turn == Turn(hand=5, kept="WWW", total=15, golden=True)
    story = story.play("roll")
    assert story.events == (DiceCast(0, 5, golden=True),)
    assert story.play("=22345+1").legal == "keep:1 keep:2 keep:3 keep:4 keep:5"


def test_d11_it_alone_can_be_left_in_hand() -> None:
    table = deluxe_table(stacks=((36,),), held=(GOLDEN,))
    story = given(table, kept="2233WWWW", golden=True)  # 30, no white die left
    assert story.turn.hand == 0
    assert story.legal == "roll stop"

    thrown = story.play("roll")
    assert [(throw, ways) for throw, ways in thrown.game.throws(thrown.state)] == [
        (Throw("", "1"), 3),
        (Throw("", "W"), 3),
    ]
    lucky = thrown.play("=+1 keep:1")
    assert lucky.events == (
        DiceKept(0, "1", 1, golden=True, total=31, left=0),
        TurnEnded(0, 31, stopped=False),
        TileTaken(0, 31, worms=3, result=31),
        TurnStarted(1),
    )
    dead = thrown.play("=+W")
    assert dead.events == (
        DiceFell(0, "", "W"),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 36),
        SpecialistReturned(0, GOLDEN, 11),
        TurnStarted(1),
    )


def test_d11_nine_dice_can_be_kept() -> None:
    story = golden_holder().play("roll:golden =WWWWWWWW+W keep:W")

    assert story.events == (
        DiceKept(0, "W", 9, golden=True, total=45, left=0),
        TurnEnded(0, 45, stopped=False),
        TileTaken(0, 36, worms=4, result=45),
        TurnStarted(1),
    )


def test_d11_it_counts_for_a_double_1() -> None:
    # D13
    story = golden_holder().play("roll:golden =12345WWW+1 keep:1")

    assert story.events == (
        DiceKept(0, "1", 2, golden=True, total=2, left=7),
        BratwormEarned(0, WhyBratworm.DOUBLE_ONE),
        BratwormTaken(0, supply=6),
    )


def test_d11_a_golden_1_alone_is_no_double_1() -> None:
    # D13
    story = golden_holder().play("roll:golden =2345WWWW+1 keep:1")
    assert story.events == (DiceKept(0, "1", 1, golden=True, total=1, left=8),)


# --- D12: the canned worm -------------------------------------------------------------------------


def canned_holder(kept: str, table: DeluxeTable | None = None) -> Story[DeluxeTable]:
    return given(table or deluxe_table(stacks=((11,),), held=(CANNED,)), kept=kept)


def test_d12_without_a_worm_the_canned_worm_counts_as_one() -> None:
    story = canned_holder("4444")
    assert story.turn.total == 16
    assert story.game.stopping(story.state) == TakeTile(21)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 16, stopped=True),
        CannedWormOpened(0, result=21),
        TileTaken(0, 21, worms=1, result=21),
        TurnStarted(1),
    )
    assert story.table.stacks == ((11, 21), ())
    assert story.table.held == (CANNED, None)


def test_d12_with_a_worm_it_does_not_count() -> None:
    story = canned_holder("444WW").play("stop")
    assert story.events == (
        TurnEnded(0, 22, stopped=True),
        TileTaken(0, 22, worms=1, result=22),
        TurnStarted(1),
    )


def test_d12_with_a_worm_a_low_result_fails() -> None:
    story = canned_holder("334WW").play("stop")  # 20, and not 25
    assert story.events[:2] == (
        TurnEnded(0, 20, stopped=True),
        AttemptFailed(0, WhyNothing.TOO_LOW),
    )


def test_d12_a_result_that_is_too_low_all_the_same_fails() -> None:
    story = canned_holder("5").play("stop")

    assert story.events == (
        STOPPED_AT_5,
        CannedWormOpened(0, result=10),
        AttemptFailed(0, WhyNothing.TOO_LOW),
        TileReturned(0, 11),
        SpecialistReturned(0, CANNED, 11),
        TileTurned(36),
        TurnStarted(1),
    )


def test_d12_it_does_not_revive_a_dead_throw() -> None:
    story = canned_holder("4444").play("roll =4444")
    assert story.events == (
        DiceFell(0, "4444", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 11),
        SpecialistReturned(0, CANNED, 11),
        TileTurned(36),
        TurnStarted(1),
    )


def test_d12_it_works_for_stealing() -> None:
    table = deluxe_table(stacks=((11,), (25,)), held=(CANNED,))
    story = canned_holder("5555", table).play("stop")
    assert story.events == (
        TurnEnded(0, 20, stopped=True),
        CannedWormOpened(0, result=25),
        TileStolen(0, 1, 25, worms=2),
        TurnStarted(1),
    )


def test_d12_it_works_on_the_hen() -> None:
    # D8
    table = deluxe_table(stacks=((11,), (25,)), held=(CANNED, HEN))
    story = canned_holder("5555", table).play("stop")
    assert story.events == (
        TurnEnded(0, 20, stopped=True),
        CannedWormOpened(0, result=25),
        TileGuarded(1, 25, thief=0),
        SpecialistStolen(0, 1, HEN),
        ReturnAsked(0, CANNED, HEN),
    )


def test_d12_it_works_when_the_turn_ends_by_itself() -> None:
    story = canned_holder("3444555").play("roll =1 keep:1")
    assert story.events == (
        DiceKept(0, "1", 1, golden=False, total=31, left=0),
        TurnEnded(0, 31, stopped=False),
        CannedWormOpened(0, result=36),
        TileTaken(0, 36, worms=4, result=36),
        TurnStarted(1),
    )


def test_d12_only_for_its_holder() -> None:
    story = given(deluxe_table(held=(None, CANNED)), kept="4444").play("stop")
    assert story.events[1] == FAILED


# --- D13: double 1 --------------------------------------------------------------------------------


@pytest.mark.parametrize("ones", [2, 3, 8])
def test_d13_two_or_more_1s_at_once_earn_one_bratworm_at_once(ones: int) -> None:
    story = given(deluxe_table()).play(f"roll ={'1' * ones + 'W' * (8 - ones)} keep:1")

    assert story.events[:3] == (
        DiceKept(0, "1", ones, golden=False, total=ones, left=8 - ones),
        BratwormEarned(0, WhyBratworm.DOUBLE_ONE),
        BratwormTaken(0, supply=6),
    )
    assert (story.table.bratworms, story.table.supply) == ((1, 0), 6)
    assert story.scores == (1, 0)


def test_d13_the_turn_goes_on() -> None:
    story = given(deluxe_table()).play("roll =11234WWW keep:1")
    assert story.phase == DECIDING
    assert story.legal == "roll stop"
    assert story.turn == Turn(hand=6, kept="11", total=2)


@pytest.mark.parametrize("throw", ["=12345WWW keep:1", "=22345WWW keep:2", "=11345WWW keep:W"])
def test_d13_nothing_for_a_single_1_or_other_faces(throw: str) -> None:
    story = given(deluxe_table()).play(f"roll {throw}")
    assert story.table.bratworms == (0, 0)
    assert len(story.events) == 1


def test_d13_whatever_the_turn_brings() -> None:
    story = given(deluxe_table()).play("roll =11234WWW keep:1 roll =111111")
    assert story.events[1] == ThrowWasDead(0)
    assert story.table.bratworms == (1, 0)


def test_d13_before_the_turn_ends_by_itself() -> None:
    story = given(deluxe_table(), kept="4WWWWW").play("roll =11 keep:1")
    assert story.events == (
        DiceKept(0, "1", 2, golden=False, total=31, left=0),
        BratwormEarned(0, WhyBratworm.DOUBLE_ONE),
        BratwormTaken(0, supply=6),
        TurnEnded(0, 31, stopped=False),
        TileTaken(0, 31, worms=3, result=31),
        TurnStarted(1),
    )


# --- D14: Bratworms -------------------------------------------------------------------------------


def double_one(*bratworms: int, held: tuple[Specialist | None, ...] = ()) -> Story[DeluxeTable]:
    table = deluxe_table(len(bratworms), bratworms=bratworms, held=held)
    return given(table).play("roll =11234WWW keep:1")


def test_d14_the_last_one_of_the_supply() -> None:
    story = double_one(3, 3)
    assert story.events[1:] == (BratwormEarned(0, WhyBratworm.DOUBLE_ONE), BratwormTaken(0, 0))
    assert (story.table.bratworms, story.table.supply) == ((4, 3), 0)


def test_d14_supply_empty_and_one_candidate_there_is_no_question() -> None:
    # T6
    story = double_one(2, 0, 5)

    assert story.events[1:] == (BratwormEarned(0, WhyBratworm.DOUBLE_ONE), BratwormRobbed(0, 2))
    assert story.table.bratworms == (3, 0, 4)
    assert story.legal == "roll stop"


def test_d14_supply_empty_and_several_candidates_the_player_chooses() -> None:
    story = double_one(0, 2, 0, 5)

    assert story.events[1:] == (
        BratwormEarned(0, WhyBratworm.DOUBLE_ONE),
        RobAsked(0, (1, 3)),
    )
    assert story.phase == RobQuestion((1, 3), for_raven=False)
    assert story.legal == "rob:1 rob:3"
    for other in ("rob:0", "rob:2", "rob:7", "roll", "stop", "pinch:1"):
        story.refuse(other)

    story = story.play("rob:3")
    assert story.events == (BratwormRobbed(0, 3),)
    assert story.table.bratworms == (1, 2, 0, 4)
    assert story.turn == Turn(hand=6, kept="11", total=2)
    assert story.legal == "roll stop"


def test_d14_the_hens_holder_is_no_candidate() -> None:
    # D8
    assert double_one(0, 2, 5, held=(None, HEN)).table.bratworms == (1, 2, 4)
    assert double_one(0, 2, 2, 3, held=(None, None, HEN)).legal == "rob:1 rob:3"


@pytest.mark.parametrize("story", [double_one(7, 0), double_one(3, 4, held=(None, HEN))])
def test_d14_no_candidate_nothing_happens(story: Story[DeluxeTable]) -> None:
    assert story.events[1:] == (BratwormEarned(0, WhyBratworm.DOUBLE_ONE), BratwormMissing(0))
    assert story.table.supply == 0
    assert story.legal == "roll stop"


def test_d14_robbing_with_the_last_dice_ends_the_turn() -> None:
    table = deluxe_table(3, bratworms=(0, 3, 4))
    story = given(table, kept="4WWWWW").play("roll =11 keep:1")
    assert story.legal == "rob:1 rob:2"

    story = story.play("rob:1")
    assert story.events == (
        BratwormRobbed(0, 1),
        TurnEnded(0, 31, stopped=False),
        TileTaken(0, 31, worms=3, result=31),
        TurnStarted(1),
    )
    assert story.table.bratworms == (1, 2, 4)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((0, 0, 0), [(1, 0, 0)]),  # from the supply
        ((2, 5, 0), [(3, 4, 0)]),
        ((0, 3, 4), [(1, 2, 4), (1, 3, 3)]),
        ((7, 0, 0), []),
    ],
)
def test_d14_every_table_that_earning_a_bratworm_can_lead_to(
    before: tuple[int, ...], after: list[tuple[int, ...]]
) -> None:
    tables = Deluxe().with_bratworm(deluxe_table(3, bratworms=before), 0)
    assert tables == tuple(deluxe_table(3, bratworms=bratworms) for bratworms in after)


# --- D15, D16: the score --------------------------------------------------------------------------


def test_d15_the_apple_is_3_worms_for_its_holder() -> None:
    assert given(deluxe_table(stacks=((29,), (22,)), held=(APPLE, GOLDEN))).scores == (6, 1)
    assert given(deluxe_table(stacks=((29,), (22,)), on_grill={11: APPLE})).scores == (3, 1)


def test_d16_tiles_bratworms_and_the_apple() -> None:
    table = deluxe_table(
        stacks=((11, 25, 36), (13,)), grill=[], held=(None, APPLE), bratworms=(2, 4)
    )
    outcome = Deluxe().final_count(table, EndReason.GRILL_EMPTY)

    assert outcome.sheets == (
        (
            ScoreLine(ScoreItem.TILES, 7),
            ScoreLine(ScoreItem.BRATWORMS, 2),
            ScoreLine(ScoreItem.APPLE, 0),
        ),
        (
            ScoreLine(ScoreItem.TILES, 1),
            ScoreLine(ScoreItem.BRATWORMS, 4),
            ScoreLine(ScoreItem.APPLE, 3),
        ),
    )
    assert outcome.scores == (9, 8)
    assert outcome.ranking == ((0,), (1,))
    assert outcome.decided_by is DecidedBy.SCORE


def test_d16_the_highest_single_tile_breaks_a_tie() -> None:
    table = deluxe_table(3, stacks=((21, 22), (23,), (24,)), grill=[], bratworms=(0, 1, 1))
    outcome = Deluxe().final_count(table, EndReason.GRILL_EMPTY)
    assert outcome.scores == (2, 2, 2)
    assert outcome.ranking == ((2,), (1,), (0,))
    assert outcome.decided_by is DecidedBy.HIGHEST_TILE


def test_d16_tied_without_any_tile_the_win_is_shared() -> None:
    table = deluxe_table(3, grill=[], bratworms=(2, 1, 2))
    outcome = Deluxe().final_count(table, EndReason.GRILL_EMPTY)
    assert outcome.ranking == ((0, 2), (1,))
    assert outcome.decided_by is DecidedBy.SHARED


# --- D17: the last tile ---------------------------------------------------------------------------


def test_d17_the_specialist_on_the_last_tile_is_received() -> None:
    story = given(deluxe_table(grill=[29], on_grill={29: APPLE}), kept="4WWWWW").play("stop")

    assert story.events == (
        TurnEnded(0, 29, stopped=True),
        TileTaken(0, 29, worms=3, result=29),
        SpecialistTaken(0, APPLE, 29),
        GameEnded(story.outcome),
    )
    assert story.outcome.scores == (6, 0)


@pytest.mark.parametrize(
    ("gone", "scores"), [(WEASEL, (8, 0)), (APPLE, (5, 0))], ids=["old", "new"]
)
def test_d17_the_choice_is_made_before_the_game_ends(
    gone: Specialist, scores: tuple[int, int]
) -> None:
    table = deluxe_table(stacks=((25,),), grill=[29], on_grill={29: APPLE}, held=(WEASEL,))
    story = given(table, kept="4WWWWW").play("stop")
    assert story.table.grill.face_up == ()
    assert not story.is_over
    assert story.legal == "return:weasel return:apple"

    story = story.play(f"return:{gone}")

    # There is no tile to go back to.
    assert story.events == (SpecialistReturned(0, gone, None), GameEnded(story.outcome))
    assert story.table.on_grill == ()
    assert story.outcome.scores == scores


def test_d17_the_raven_on_the_last_tile_still_brings_its_bratworm() -> None:
    story = given(deluxe_table(grill=[25], on_grill={25: RAVEN}), kept="55WWW").play("stop")
    assert story.events == (
        TurnEnded(0, 25, stopped=True),
        TileTaken(0, 25, worms=2, result=25),
        BratwormEarned(0, WhyBratworm.RAVEN),
        BratwormTaken(0, supply=6),
        SpecialistMoved(RAVEN, 25, to=None),
        GameEnded(story.outcome),
    )
    assert story.outcome.scores == (3, 0)


def test_d17_the_victim_is_chosen_before_the_game_ends() -> None:
    table = deluxe_table(3, grill=[25], on_grill={25: RAVEN}, bratworms=(0, 3, 4))
    story = given(table, kept="55WWW").play("stop")
    assert not story.is_over
    assert story.scores == (2, 3, 4)

    story = story.play("rob:2")
    assert story.events == (
        BratwormRobbed(0, 2),
        SpecialistMoved(RAVEN, 25, to=None),
        GameEnded(story.outcome),
    )
    assert story.outcome.scores == (3, 3, 3)
    assert story.outcome.winners == (0,)  # the only one with a tile
    assert story.seat == 0


# --- the frame ------------------------------------------------------------------------------------


def test_a_deluxe_turn_has_no_other_endings() -> None:
    story = given(deluxe_table())
    with pytest.raises(TypeError, match="not an ending of a deluxe turn"):
        story.game.carry_out(story.state, EndGame(), [])


def test_a_move_of_another_edition_is_not_played() -> None:
    story = given(deluxe_table())
    with pytest.raises(NotImplementedError, match="deluxe offers pinch:1 but does not play it"):
        story.game.special_move(story.state, Pinch(1), [])
