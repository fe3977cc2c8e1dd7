"""Luck written down beforehand: it falls as written, and all of it."""

import pytest

from heckmeck.dice_source import ScriptedLuck
from heckmeck.rules.chance import chances
from heckmeck.rules.components import NUMBER_DICE
from heckmeck.rules.moves import Throw

TWO_DICE = chances(NUMBER_DICE, 2)
ONE_DIE = chances(NUMBER_DICE, 1)


def test_throws_fall_in_the_order_of_the_script() -> None:
    with ScriptedLuck([Throw("1W"), Throw("4")]) as luck:
        assert luck.throw(TWO_DICE) == Throw("1W")
        assert luck.throw(ONE_DIE) == Throw("4")


def test_every_throw_of_the_script_has_to_be_used() -> None:
    unused = pytest.raises(LookupError, match="2 throws of the script were not used")
    with unused, ScriptedLuck([Throw("1W"), Throw("4"), Throw("5")]) as luck:
        luck.throw(TWO_DICE)


def test_an_empty_script_is_used_up() -> None:
    with ScriptedLuck([]) as luck:
        assert isinstance(luck, ScriptedLuck)


def test_another_error_is_not_hidden_by_unused_throws() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedLuck([Throw("1W")]):
        raise ZeroDivisionError


def test_a_script_that_is_too_short_says_so() -> None:
    luck = ScriptedLuck([Throw("4")])
    luck.throw(ONE_DIE)
    with pytest.raises(LookupError, match="the script has only 1 throws"):
        luck.throw(ONE_DIE)


def test_a_throw_that_cannot_fall_here_is_refused_and_stays_next() -> None:
    luck = ScriptedLuck([Throw("1W")])
    with pytest.raises(LookupError, match="number 0 of the script, cannot fall here"):
        luck.throw(ONE_DIE)
    assert luck.throw(TWO_DICE) == Throw("1W")


def test_a_golden_face_cannot_fall_without_the_golden_die() -> None:
    luck = ScriptedLuck([Throw("1W", "W")])
    with pytest.raises(LookupError, match="cannot fall here"):
        luck.throw(TWO_DICE)


def test_a_script_holds_throws_and_nothing_else() -> None:
    luck = ScriptedLuck([Throw("1W")])
    with pytest.raises(LookupError, match="not a number below 3"):
        luck.below(3)
    with pytest.raises(LookupError, match="not a number below 2"):
        luck.choice(["roll", "stop"])
