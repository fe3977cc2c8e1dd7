"""Dice as text, and every throw with its exact number of ways."""

from collections import Counter
from itertools import product
from math import comb

import pytest

from heckmeck.rules.components import BARBECUE_DICE, GOLDEN_DIE, JUNIOR_DICE, NUMBER_DICE
from heckmeck.rules.dice import FACE_ORDER, DiceSet, in_face_order, set_aside, throws_of

ALL_SETS = pytest.mark.parametrize(
    "dice",
    [NUMBER_DICE, BARBECUE_DICE, JUNIOR_DICE, GOLDEN_DIE],
    ids=["number", "barbecue", "junior", "golden"],
)


def test_eight_dice_fall_in_1287_different_ways() -> None:
    throws = throws_of(NUMBER_DICE, 8)
    assert len(throws) == 1287
    assert sum(throws.values()) == 6**8 == 1_679_616


@pytest.mark.parametrize(
    ("dice", "throws", "ways"),
    [
        (NUMBER_DICE, [1, 6, 21, 56, 126, 252, 462, 792, 1287], 6),
        (BARBECUE_DICE, [1, 6, 21, 56, 126, 252, 462, 792, 1287], 6),
        (JUNIOR_DICE, [1, 5, 15, 35, 70, 126, 210], 6),
        (GOLDEN_DIE, [1, 2], 6),
    ],
    ids=["number", "barbecue", "junior", "golden"],
)
def test_throws_and_their_ways_for_every_number_of_dice(
    dice: DiceSet, throws: list[int], ways: int
) -> None:
    assert len(throws) == dice.count + 1
    for count, expected in enumerate(throws):
        weights = throws_of(dice, count)
        faces = len(dice.faces)
        assert len(weights) == expected == comb(count + faces - 1, faces - 1)
        assert sum(weights.values()) == ways**count


@ALL_SETS
def test_ways_are_those_of_throwing_die_by_die(dice: DiceSet) -> None:
    sides = "".join(face * n for face, n in zip(dice.faces, dice.sides, strict=True))
    for count in range(min(dice.count, 4) + 1):
        one_by_one = Counter(in_face_order("".join(fall)) for fall in product(sides, repeat=count))
        assert throws_of(dice, count) == one_by_one


@ALL_SETS
def test_throws_ascend_in_face_order(dice: DiceSet) -> None:
    places = [[FACE_ORDER.index(face) for face in throw] for throw in throws_of(dice, dice.count)]
    assert places == sorted(places)
    assert all(throw == sorted(throw) for throw in places)


@pytest.mark.parametrize(
    ("throw", "ways"),
    [
        ("11111111", 1),
        ("1111111W", 8),
        ("1111WWWW", 70),
        ("11223344", 2520),
        ("11234WWW", 3360),
        ("112345WW", 10080),
    ],
)
def test_ways_of_some_throws_of_eight(throw: str, ways: int) -> None:
    assert throws_of(NUMBER_DICE, 8)[throw] == ways


def test_a_worm_of_junior_has_twice_the_ways() -> None:
    throws = throws_of(JUNIOR_DICE, 6)
    assert throws["WWWWWW"] == 2**6
    assert throws["BBBBBB"] == 1
    assert throws["WWBCGK"] == 360 * 2**2


def test_no_dice_fall_in_one_way() -> None:
    assert throws_of(NUMBER_DICE, 0) == {"": 1}


@ALL_SETS
def test_a_set_of_dice_says_what_it_is(dice: DiceSet) -> None:
    assert dice.sides_in_all == 6
    assert len(dice.faces) == len(dice.sides) == len(dice.points)
    assert dice.worm in dice.faces
    assert in_face_order(dice.faces) == dice.faces
    assert [dice.points_for(face) for face in dice.faces] == list(dice.points)


@pytest.mark.parametrize(
    ("faces", "ordered"),
    [("W4211", "1124W"), ("6W4", "4W6"), ("KGCBW", "WBCGK"), ("", ""), ("W", "W")],
)
def test_in_face_order(faces: str, ordered: str) -> None:
    assert in_face_order(faces) == ordered


def test_what_is_no_face_has_no_place_in_the_order() -> None:
    with pytest.raises(KeyError, match="7"):
        in_face_order("17")


@pytest.mark.parametrize(
    ("kept", "face", "count", "after"),
    [("", "W", 3, "WWW"), ("WWW", "1", 2, "11WWW"), ("1W", "4", 1, "14W"), ("4W", "6", 2, "4W66")],
)
def test_set_aside_keeps_face_order(kept: str, face: str, count: int, after: str) -> None:
    assert set_aside(kept, face, count) == after
