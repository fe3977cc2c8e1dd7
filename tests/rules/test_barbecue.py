"""Heckmeck Barbecue: rulings B1 to B14."""

from collections.abc import Sequence

import pytest

from heckmeck.rules import BadSetup
from heckmeck.rules.barbecue import EMPTY, WITH_SNAIL, Barbecue, BarbecueTable, Spot
from heckmeck.rules.endings import (
    CloseSpot,
    EndGame,
    Nothing,
    OccupySpot,
    StealSpot,
    TakeSnail,
    TakeTile,
    WhyNothing,
)
from heckmeck.rules.events import (
    AttemptFailed,
    DiceFell,
    DiceKept,
    Event,
    GameEnded,
    PlatePlaced,
    PlateReplaced,
    PlateReturned,
    SnailPlaced,
    SnailTaken,
    SpotClosed,
    ThrowWasDead,
    TurnEnded,
    TurnStarted,
)
from heckmeck.rules.moves import Pinch
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem, ScoreLine
from heckmeck.rules.turn import Turn
from tests.rules.story import (
    BOTH_FLIPS,
    SNAIL,
    Story,
    barbecue_table,
    given,
    new_story,
)

SPOTS = range(23, 37)

RESULT_23 = "1WW66"
RESULT_28 = "33WW66"
RESULT_30 = "224WW66"
RESULT_36 = "1W66666"
RESULT_38 = "WWWW666"


def fail(table: BarbecueTable) -> Story[BarbecueTable]:
    """Seat 0 throws a dead throw."""
    return given(table, kept="WW").play("roll =WWWWWW")


DEAD = (
    DiceFell(0, "WWWWWW", None),
    ThrowWasDead(0),
    AttemptFailed(0, WhyNothing.DEAD_THROW),
)

# --- B1, B2: game material and preparation --------------------------------------------------------


def test_b1_fourteen_spots_twelve_snails_ten_plates_a_player() -> None:
    for seats in range(2, 6):
        table = new_story(BarbecueTable, seats).table
        assert all(table.spot(number) == EMPTY for number in SPOTS)
        assert len(table.spots) == 14
        assert table.pool == 12
        assert table.plates == (10,) * seats
        assert table.snails == table.worms == (0,) * seats
        assert table.seats == seats


@pytest.mark.parametrize(
    ("spot", "worms"),
    [
        *[(spot, 1) for spot in (23, 24)],
        *[(spot, 2) for spot in (25, 26, 27, 28)],
        *[(spot, 3) for spot in (29, 30, 31, 32)],
        *[(spot, 4) for spot in (33, 34, 35, 36)],
    ],
)
def test_b1_worms_printed_on_the_spots(spot: int, worms: int) -> None:
    log: list[Event] = []
    after = Barbecue().carry_out(given(barbecue_table()).state, OccupySpot(spot), log)
    assert log == [PlatePlaced(0, spot, worms), TurnStarted(1)]
    assert after.table == barbecue_table(spots={spot: (0,)}, worms=(worms, 0))


def test_b1_a_spot_is_empty_without_plates_and_snail() -> None:
    assert EMPTY.is_empty
    for spot in (WITH_SNAIL, Spot((0,)), Spot((1, 1))):
        assert not spot.is_empty


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_can_play(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"barbecue is for 2 to 5 players, not for {seats}"):
        new_story(BarbecueTable, seats)


def test_barbecue_has_no_house_rules() -> None:
    with pytest.raises(BadSetup, match="barbecue has no house rules"):
        new_story(BarbecueTable, house=BOTH_FLIPS)


@pytest.mark.parametrize(
    ("face", "points"), [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("W", 5), ("6", 6)]
)
def test_b2_eight_dice_with_a_6_and_no_5(face: str, points: int) -> None:
    story = new_story(BarbecueTable).play("roll")
    story.refuse("=12345WWW")

    story = story.play(f"=1234W6{face}{face} keep:{face}")
    assert story.turn == Turn(hand=5, kept=face * 3, total=3 * points)


# --- B3, B4: stopping and failing -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "table", "why"),
    [
        ("6666", barbecue_table(), WhyNothing.NO_WORM),  # 24
        ("WW66", barbecue_table(), WhyNothing.TOO_LOW),  # 22
        (RESULT_30, barbecue_table(spots={30: (1, 1)}), WhyNothing.SPOT_CLOSED),
        (RESULT_30, barbecue_table(spots={30: (0, 0)}), WhyNothing.SPOT_CLOSED),
    ],
)
def test_b3_nobody_stops_with_a_result_that_earns_nothing(
    kept: str, table: BarbecueTable, why: WhyNothing
) -> None:
    # B4
    story = given(table, kept=kept)
    assert story.game.stopping(story.state) == Nothing(why)
    assert story.legal == "roll"
    assert f"a result of {story.turn.total} earns nothing here" in str(story.refuse("stop"))


@pytest.mark.parametrize(
    ("kept", "table"),
    [
        (RESULT_23, barbecue_table()),
        (RESULT_36, barbecue_table()),
        (RESULT_30, barbecue_table(spots={30: (1,)})),
        (RESULT_30, barbecue_table(spots={30: (0,)})),
        (RESULT_30, barbecue_table(spots={30: SNAIL})),
        (RESULT_38, barbecue_table()),
        (RESULT_38, barbecue_table(snails=(6, 6))),  # ends the game
    ],
)
def test_b3_with_worms_or_a_snail_to_earn_the_player_may_stop(
    kept: str, table: BarbecueTable
) -> None:
    assert given(table, kept=kept).legal == "roll stop"


@pytest.mark.parametrize(
    ("kept", "last", "result", "why"),
    [
        ("4466666", "2", 40, WhyNothing.NO_WORM),
        ("1122344", "W", 22, WhyNothing.TOO_LOW),
        ("1223466", "W", 29, WhyNothing.SPOT_CLOSED),
    ],
)
def test_b4_with_no_die_left_such_a_result_fails(
    kept: str, last: str, result: int, why: WhyNothing
) -> None:
    # B3
    table = barbecue_table(spots={29: (1, 1)})
    story = given(table, kept=kept).play(f"roll ={last} keep:{last}")

    assert story.events[1:] == (
        TurnEnded(0, result, stopped=False),
        AttemptFailed(0, why),
        SnailPlaced(36, pool=11),
        TurnStarted(1),
    )


def test_b3_a_dead_throw_fails_even_on_a_good_result() -> None:
    story = given(barbecue_table(), kept=RESULT_30).play("roll =W")
    assert story.events == (
        DiceFell(0, "W", None),
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        SnailPlaced(36, pool=11),
        TurnStarted(1),
    )


# --- B5 to B8: the four actions -------------------------------------------------------------------


def test_b5_an_empty_spot_is_occupied() -> None:
    story = given(barbecue_table(), kept=RESULT_30)
    assert story.game.stopping(story.state) == OccupySpot(30)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 30, stopped=True),
        PlatePlaced(0, 30, worms=3),
        TurnStarted(1),
    )
    assert story.table == barbecue_table(spots={30: (0,)}, worms=(3, 0), plates=(9, 10))
    assert story.scores == (3, 0)


def test_b6_anothers_single_plate_is_replaced_and_its_worms_are_stolen() -> None:
    table = barbecue_table(3, spots={30: (2,), 36: (2,)})
    story = given(table, kept=RESULT_30)
    assert story.game.stopping(story.state) == StealSpot(30, victim=2)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 30, stopped=True),
        PlateReplaced(0, 2, 30, worms=3),
        TurnStarted(1),
    )
    assert story.table == barbecue_table(
        3, spots={30: (0,), 36: (2,)}, worms=(3, 0, 4), plates=(9, 10, 9)
    )


def test_b7_a_second_own_plate_brings_the_worms_again_and_closes_the_spot() -> None:
    story = given(barbecue_table(spots={30: (0,)}), kept=RESULT_30)
    assert story.game.stopping(story.state) == CloseSpot(30)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 30, stopped=True),
        SpotClosed(0, 30, worms=3),
        TurnStarted(1),
    )
    assert story.table == barbecue_table(spots={30: (0, 0)}, worms=(6, 0), plates=(8, 10))
    for seat in (0, 1):  # closed for everybody, for the rest of the game
        assert given(story.table, seat=seat, kept=RESULT_30).legal == "roll"


def test_b8_a_snail_on_the_spot_is_taken() -> None:
    story = given(barbecue_table(spots={30: SNAIL}), kept=RESULT_30)
    assert story.game.stopping(story.state) == TakeSnail(30)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 30, stopped=True),
        SnailTaken(0, 30),
        TurnStarted(1),
    )
    # No plate, no worms: the spot is empty again.
    assert story.table == barbecue_table(snails=(1, 0))
    assert story.scores == (3, 0)


# --- B9: above 36 ---------------------------------------------------------------------------------


def test_b9_above_36_takes_a_snail_from_the_pool() -> None:
    story = given(barbecue_table(spots={36: SNAIL}), kept=RESULT_38)
    assert story.game.stopping(story.state) == TakeSnail(None)

    story = story.play("stop")

    assert story.events == (
        TurnEnded(0, 38, stopped=True),
        SnailTaken(0, None),
        TurnStarted(1),
    )
    assert story.table == barbecue_table(spots={36: SNAIL}, snails=(1, 0), pool=10)


def test_b9_with_an_empty_pool_the_snail_on_the_highest_spot() -> None:
    table = barbecue_table(spots={25: SNAIL, 31: SNAIL, 35: (1, 1), 36: (1,)}, snails=(4, 6))
    assert table.pool == 0
    story = given(table, kept=RESULT_38).play("stop")

    assert story.events == (
        TurnEnded(0, 38, stopped=True),
        SnailTaken(0, 31),
        TurnStarted(1),
    )
    assert story.table == barbecue_table(
        spots={25: SNAIL, 35: (1, 1), 36: (1,)}, snails=(5, 6), pool=0
    )


def test_b9_no_snail_left_anywhere_ends_the_game() -> None:
    # B11
    story = given(barbecue_table(spots={30: (1,)}, snails=(4, 8)), kept=RESULT_38)
    assert story.game.stopping(story.state) == EndGame()

    story = story.play("stop")

    assert story.events == (TurnEnded(0, 38, stopped=True), GameEnded(story.outcome))
    assert story.outcome.reason is EndReason.NO_SNAIL_LEFT
    assert story.outcome.scores == (12, 27)
    assert story.outcome.winners == (1,)
    assert (story.seat, story.legal) == (0, "")


def test_b9_a_worm_is_needed() -> None:
    story = given(barbecue_table(), kept="4666666")  # 40
    assert story.legal == "roll"


def test_b9_also_when_the_turn_ends_by_itself() -> None:
    story = given(barbecue_table(), kept="W666666").play("roll =1 keep:1")
    assert story.events == (
        DiceKept(0, "1", 1, golden=False, total=42, left=0),
        TurnEnded(0, 42, stopped=False),
        SnailTaken(0, None),
        TurnStarted(1),
    )


def test_b9_36_itself_is_a_spot() -> None:
    story = given(barbecue_table(), kept=RESULT_36).play("stop")
    assert story.events[1] == PlatePlaced(0, 36, worms=4)


# --- B10, B11: failed attempt ---------------------------------------------------------------------


def test_b10_a_snail_goes_on_the_highest_empty_spot() -> None:
    story = fail(barbecue_table(spots={36: SNAIL, 35: (0,), 34: (1, 1)}))

    assert story.events == (*DEAD, SnailPlaced(33, pool=10), TurnStarted(1))
    assert story.table.spot(33) == WITH_SNAIL
    assert story.table.pool == 10


def full_grill(singles: dict[int, int]) -> dict[int, Sequence[int] | str]:
    """Every spot closed by seat 0 or with a snail, but for these single plates."""
    spots: dict[int, Sequence[int] | str] = dict.fromkeys(range(23, 32), SNAIL)
    spots |= dict.fromkeys(range(32, 37), (0, 0))
    return spots | {spot: (owner,) for spot, owner in singles.items()}


def test_b10_no_empty_spot_a_snail_drives_away_the_highest_single_plate() -> None:
    story = fail(barbecue_table(spots=full_grill({28: 0, 33: 1})))

    assert story.events == (
        *DEAD,
        PlateReturned(1, 33),
        SnailPlaced(33, pool=3),
        TurnStarted(1),
    )
    assert story.table.spot(33) == WITH_SNAIL
    assert story.table.spot(28) == Spot((0,))
    assert story.table.plates == (1, 10)
    assert story.table.worms == (2 + 2 * 3 + 2 * 4 * 3, 4)  # the owner keeps the worms


def test_b10_it_can_be_the_own_plate() -> None:
    story = fail(barbecue_table(spots=full_grill({28: 0})))
    assert story.events[3:5] == (PlateReturned(0, 28), SnailPlaced(28, pool=3))


def test_b11_the_game_ends_when_the_pool_is_empty() -> None:
    story = fail(barbecue_table(spots={30: (0,)}, snails=(5, 7)))

    assert story.events == (*DEAD, GameEnded(story.outcome))
    assert story.outcome.reason is EndReason.POOL_EMPTY
    assert story.table == barbecue_table(spots={30: (0,)}, snails=(5, 7))
    assert story.outcome.scores == (18, 21)


def test_b11_the_last_snail_of_the_pool_is_still_placed() -> None:
    story = fail(barbecue_table(snails=(5, 6)))
    assert story.events == (*DEAD, SnailPlaced(36, pool=0), TurnStarted(1))


def test_b11_the_game_ends_when_every_spot_has_two_plates_or_a_snail() -> None:
    story = fail(barbecue_table(spots=full_grill({})))

    assert story.events == (*DEAD, GameEnded(story.outcome))
    assert story.outcome.reason is EndReason.GRILL_FULL
    assert story.table.pool == 3


def test_b11_a_full_grill_alone_does_not_end_the_game() -> None:
    story = given(barbecue_table(spots=full_grill({})), kept=RESULT_30).play("stop")
    assert story.events == (TurnEnded(0, 30, stopped=True), SnailTaken(0, 30), TurnStarted(1))


# --- B12: the score -------------------------------------------------------------------------------


def test_b12_worms_and_three_a_snail() -> None:
    table = barbecue_table(spots={36: (0, 0), 30: (1,)}, snails=(1, 2))
    outcome = Barbecue().final_count(table, EndReason.POOL_EMPTY)

    assert outcome.sheets == (
        (ScoreLine(ScoreItem.WORMS, 8), ScoreLine(ScoreItem.SNAILS, 3)),
        (ScoreLine(ScoreItem.WORMS, 3), ScoreLine(ScoreItem.SNAILS, 6)),
    )
    assert outcome.scores == (11, 9)
    assert outcome.ranking == ((0,), (1,))
    assert outcome.decided_by is DecidedBy.SCORE


@pytest.mark.parametrize(
    ("spots", "worms", "ranking", "decided_by"),
    [
        ({29: (0,), 30: (1,)}, (3, 3), ((1,), (0,)), DecidedBy.HIGHEST_PLATE),
        ({30: (0,), 27: (1,)}, (3, 3), ((0,), (1,)), DecidedBy.HIGHEST_PLATE),
        ({36: (0, 0), 35: (1,)}, (8, 8), ((0,), (1,)), DecidedBy.HIGHEST_PLATE),  # closed counts
        ({36: SNAIL, 23: (1,)}, (4, 4), ((1,), (0,)), DecidedBy.HIGHEST_PLATE),
        ({}, (4, 4), ((0, 1),), DecidedBy.SHARED),  # no plate on the grill at all
    ],
)
def test_b12_the_plate_on_the_highest_spot_breaks_a_tie(
    spots: dict[int, Sequence[int] | str],
    worms: tuple[int, int],
    ranking: tuple[tuple[int, ...], ...],
    decided_by: DecidedBy,
) -> None:
    table = barbecue_table(spots=spots, worms=worms)
    outcome = Barbecue().final_count(table, EndReason.POOL_EMPTY)
    assert (outcome.ranking, outcome.decided_by) == (ranking, decided_by)


# --- B13: no plate in hand ------------------------------------------------------------------------


@pytest.mark.parametrize("spots", [{}, {28: (1,)}, {28: (0,)}], ids=["empty", "other's", "own"])
def test_b13_without_a_plate_in_hand_such_a_result_is_no_ground_to_stop(
    spots: dict[int, Sequence[int] | str],
) -> None:
    table = barbecue_table(spots=spots, plates=(0, 5))
    story = given(table, kept=RESULT_28)

    assert story.game.stopping(story.state) == Nothing(WhyNothing.NO_PLATE)
    assert story.legal == "roll"


@pytest.mark.parametrize("spots", [{}, {28: (1,)}, {28: (0,)}], ids=["empty", "other's", "own"])
def test_b13_and_with_no_die_left_it_fails(spots: dict[int, Sequence[int] | str]) -> None:
    table = barbecue_table(spots=spots, plates=(0, 5))
    story = given(table, kept="1222466").play("roll =W keep:W")  # 28

    assert story.events[1:] == (
        TurnEnded(0, 28, stopped=False),
        AttemptFailed(0, WhyNothing.NO_PLATE),
        SnailPlaced(36, pool=11),
        TurnStarted(1),
    )


def test_b13_snails_need_no_plate() -> None:
    table = barbecue_table(spots={30: SNAIL}, plates=(0, 5))
    assert given(table, kept=RESULT_30).play("stop").events[1] == SnailTaken(0, 30)
    assert given(table, kept=RESULT_38).play("stop").events[1] == SnailTaken(0, None)


def test_b13_the_last_plate_is_placed() -> None:
    story = given(barbecue_table(plates=(1, 5)), kept=RESULT_30).play("stop")
    assert story.table.plates == (0, 5)


# --- B14: worms -----------------------------------------------------------------------------------


def test_b14_the_worm_supply_never_runs_out() -> None:
    # 25 ones and 5 fives are 50 worms; here 54 are out already.
    table = barbecue_table(spots={30: (0,)}, worms=(53, 1))
    assert given(table, kept=RESULT_30).play("stop").table.worms == (56, 1)


# --- the frame ------------------------------------------------------------------------------------


def test_a_barbecue_turn_has_no_other_endings() -> None:
    story = given(barbecue_table())
    with pytest.raises(TypeError, match="not an ending of a barbecue turn"):
        story.game.carry_out(story.state, TakeTile(30), [])


def test_a_move_of_another_edition_is_not_played() -> None:
    story = given(barbecue_table())
    with pytest.raises(NotImplementedError, match="barbecue offers pinch:1 but does not play it"):
        story.game.special_move(story.state, Pinch(1), [])
