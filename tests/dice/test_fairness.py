"""A uniform number makes a fair throw: each throw fills exactly its weight."""

from collections import Counter

import pytest

from heckmeck.dice import Luck
from heckmeck.rules import Chances
from heckmeck.rules.components import BARBECUE_DICE, JUNIOR_DICE, NUMBER_DICE
from heckmeck.rules.dice import DiceSet
from heckmeck.rules.turn import NO_CHANCE, chances

HANDS = [
    (dice, count, golden)
    for dice in (NUMBER_DICE, BARBECUE_DICE, JUNIOR_DICE)
    for golden in ((False, True) if dice is NUMBER_DICE else (False,))
    for count in range(0 if golden else 1, dice.count + 1)
]


class Counting(Luck):
    """Luck that comes up with 0, 1, 2 and so on: every position once."""

    def __init__(self) -> None:
        self._next = 0

    def below(self, limit: int) -> int:
        self._next += 1
        return (self._next - 1) % limit


def every_position(hand: Chances) -> dict[str, int]:
    """How many positions each throw gets, counted one by one."""
    luck = Counting()
    return Counter(str(luck.throw(hand)) for _ in range(hand.total))


@pytest.mark.parametrize(("dice", "count", "golden"), [hand for hand in HANDS if hand[1] <= 5])
def test_each_throw_comes_up_exactly_as_often_as_its_weight_says(
    dice: DiceSet, count: int, golden: bool
) -> None:
    hand = chances(dice, count, golden)
    assert every_position(hand) == {str(throw): weight for throw, weight in hand}


@pytest.mark.parametrize(("dice", "count", "golden"), HANDS)
def test_each_throw_owns_the_positions_from_its_first_to_its_last(
    dice: DiceSet, count: int, golden: bool
) -> None:
    """The same for any number of dice: `at` never falls back, so the ends of a stretch suffice."""
    hand = chances(dice, count, golden)
    start = 0
    for throw, weight in hand:
        assert weight > 0
        assert hand.at(start) == hand.at(start + weight - 1) == throw
        start += weight
    assert start == hand.total == dice.sides_in_all**count * (6 if golden else 1)


def test_a_position_beyond_the_last_is_refused() -> None:
    hand = chances(JUNIOR_DICE, 2)
    with pytest.raises(IndexError):
        hand.at(hand.total)


def test_no_chance_is_false_and_cannot_be_thrown() -> None:
    assert not NO_CHANCE
    assert list(NO_CHANCE) == []
    with pytest.raises(IndexError):
        NO_CHANCE.at(0)
