"""The examples that the rulebooks print, played as they tell them."""

import pytest

from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import WhyNothing
from heckmeck.rules.events import (
    AttemptFailed,
    MissedOut,
    PlatePlaced,
    SnailPlaced,
    SpecialistTaken,
    ThrowWasDead,
    TileReturned,
    TileTaken,
    TileTurned,
    TurnEnded,
    TurnStarted,
)
from heckmeck.rules.junior import JuniorTable
from tests.rules.story import (
    GOLDEN,
    barbecue_table,
    classic_table,
    deluxe_table,
    given,
    new_story,
)

# --- Heckmeck (2018) ------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", [ClassicTable, DeluxeTable])
def test_2018_example_a(edition: type[ClassicTable] | type[DeluxeTable]) -> None:
    # Thomas rolls all eight dice. He chooses all three dice showing a 4: 3 x 4 = 12.
    thomas = new_story(edition).play("roll =12344455 keep:4")
    assert thomas.turn.total == 12

    # The remaining dice: two 4s, one 2, one 3 and one worm. This time, he must not pick the 4s.
    thomas = thomas.play("roll =2344W")
    assert thomas.legal == "keep:2 keep:3 keep:W"

    # He lays aside the single worm: 17 points altogether.
    thomas = thomas.play("keep:W")
    assert thomas.turn.total == 17

    # Two 5s and two worms: he can only use the two 5s, 27 points.
    thomas = thomas.play("roll =55WW")
    assert thomas.legal == "keep:5"
    thomas = thomas.play("keep:5")
    assert thomas.turn.total == 27

    # This is enough for Thomas. He takes 27 from the grill (in deluxe with the golden die on it).
    thomas = thomas.play("stop")
    assert thomas.events == (
        TurnEnded(0, 27, stopped=True),
        TileTaken(0, 27, worms=2, result=27),
        *([SpecialistTaken(0, GOLDEN, 27)] if edition is DeluxeTable else []),
        TurnStarted(1),
    )
    assert thomas.table.stacks == ((27,), ())


@pytest.mark.parametrize(
    "table", [classic_table(stacks=((23, 26),)), deluxe_table(stacks=((23, 26),))]
)
def test_2018_example_b(table: ClassicTable | DeluxeTable) -> None:
    # Bridget chooses two 3s, then three 5s, then a worm: 26 points altogether.
    bridget = given(table).play("roll =1233445W keep:3 roll =12555W keep:5 roll =22W")
    assert bridget.legal == "keep:2 keep:W"
    bridget = bridget.play("keep:W")
    assert bridget.turn.total == 26

    # But that is not enough for her! She gets a 3 and a worm.
    bridget = bridget.play("roll =3W")

    # The tile on top of her stack goes back; she turns over the highest one.
    assert bridget.events[1:] == (
        ThrowWasDead(0),
        AttemptFailed(0, WhyNothing.DEAD_THROW),
        TileReturned(0, 26),
        TileTurned(36),
        TurnStarted(1),
    )
    assert bridget.table.stacks == ((23,), ())


# --- Heckmeck Barbecue ----------------------------------------------------------------------------

FOUR_ROLLS = "roll =1233W66W keep:6 roll =1234WW keep:W roll =1234 keep:4 roll =122 keep:2"


def test_barbecue_example_a() -> None:
    # John lays aside 2 x 6, 2 x worm, 1 x 4, 2 x 2. His dice result is 30.
    john = new_story(BarbecueTable).play(FOUR_ROLLS)
    assert john.turn.total == 30

    john = john.play("stop")
    assert john.events == (
        TurnEnded(0, 30, stopped=True),
        PlatePlaced(0, 30, worms=3),
        TurnStarted(1),
    )


def test_barbecue_example_b() -> None:
    # Steven's dice result is 30. Spot 30 contains two plates.
    table = barbecue_table(spots={30: (1, 1)})
    steven = given(table).play(FOUR_ROLLS)
    assert steven.turn.total == 30
    assert steven.legal == "roll"  # while a die is left he has to go on

    # His dice result is therefore a failed attempt.
    steven = given(table).play("roll =1233W66W keep:6 roll =1223WW keep:W roll =1223 keep:2")
    steven = steven.play("roll =13 keep:3 roll =1 keep:1")
    assert steven.events[1:] == (
        TurnEnded(0, 30, stopped=False),
        AttemptFailed(0, WhyNothing.SPOT_CLOSED),
        SnailPlaced(36, pool=11),
        TurnStarted(1),
    )


# --- Heckmeck Junior ------------------------------------------------------------------------------


def test_junior_example_of_adding_up() -> None:
    # 3 cucumbers, 1 worm and 1 bun equal 6 points and not 5, as the bun counts twice.
    story = new_story(JuniorTable).play("roll =WBCGGG keep:G roll =WBC keep:W roll =BC keep:B")
    assert story.turn.total == 6
    assert story.play("stop").events[1] == TileTaken(0, 6, worms=2, result=6)


def test_junior_example_a() -> None:
    # Two cucumbers from the first roll and two buns from the second: 6 points, but no worms.
    story = new_story(JuniorTable).play("roll =WBCGGK keep:G roll =WBBC keep:B")
    assert story.turn.total == 6
    assert story.play("stop").events[1] == MissedOut(0, WhyNothing.NO_WORM)

    # The following roll features a worm: 7 points. You may finish and take a 7.
    story = story.play("roll =WG keep:W")
    assert story.turn.total == 7
    assert story.play("stop").events[1] == TileTaken(0, 7, worms=2, result=7)

    # Or roll the remaining die once more: an 8 requires a cheese or a ketchup bottle.
    for face in "CK":
        lucky = story.play(f"roll ={face} keep:{face}")
        assert lucky.events[1:3] == (
            TurnEnded(0, 8, stopped=False),
            TileTaken(0, 8, worms=3, result=8),
        )
    for face in "WBG":
        assert story.play(f"roll ={face}").events[3] == TileTaken(0, 7, worms=2, result=7)


def test_junior_example_b() -> None:
    # Three cucumbers, then three ketchup bottles, which have to be placed aside as well.
    story = new_story(JuniorTable).play("roll =WBCGGG keep:G roll =KKK")
    assert story.legal == "keep:K"

    # No dice are left. No tile, because no worms were put aside.
    story = story.play("keep:K")
    assert story.events[1:] == (
        TurnEnded(0, 6, stopped=False),
        MissedOut(0, WhyNothing.NO_WORM),
        TileTurned(9),
        TurnStarted(1),
    )


def test_junior_example_c() -> None:
    # One worm, cheese, ketchup bottle, cucumber and bun. There is one die left, though.
    story = new_story(JuniorTable)
    story = story.play("roll =WBCGKK keep:W roll =BBCGK keep:C roll =BGKK keep:G roll =BKK keep:B")
    assert story.turn.hand == 2

    # It is impossible to roll anything new: a tile showing a 6.
    story = story.play("roll =BK keep:K")
    assert story.events[1:] == (
        TurnEnded(0, 6, stopped=False),
        TileTaken(0, 6, worms=2, result=6),
        TurnStarted(1),
    )


def test_junior_example_d() -> None:
    # 2 buns and 1 worm. On the next roll only worms and buns: the turn ends.
    story = new_story(JuniorTable).play("roll =WBBCGK keep:B roll =WCGK keep:W roll =WWB")

    # The result features a worm and is enough (5 points).
    assert story.events[1:] == (
        ThrowWasDead(0),
        TurnEnded(0, 5, stopped=False),
        TileTaken(0, 5, worms=1, result=5),
        TurnStarted(1),
    )
