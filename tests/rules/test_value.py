"""Values behave like frozen dataclasses, only quicker to make."""

import copy
import pickle
from dataclasses import FrozenInstanceError, fields, replace

import pytest

from heckmeck.rules.state import DECIDING, Deciding
from heckmeck.rules.turn import Turn
from heckmeck.rules.value import value

TURN = Turn(6, "WW", 10)


def test_fields_are_given_by_place_or_by_name() -> None:
    assert Turn(6, "WW", 10, False, True) == Turn(
        hand=6, kept="WW", total=10, golden=False, weasel_used=True
    )
    assert [field.name for field in fields(Turn)] == [
        "hand",
        "kept",
        "total",
        "golden",
        "weasel_used",
    ]


def test_defaults() -> None:
    assert (TURN.golden, TURN.weasel_used) == (False, False)
    assert Turn(8) == Turn(8, "", 0, False, False)


@pytest.mark.parametrize("arguments", [(), (8, "", 0, False, False, 1)])
def test_too_few_or_too_many_fields(arguments: tuple[int, ...]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Turn(*arguments)  # type: ignore[arg-type]


def test_equality_and_hash() -> None:
    assert Turn(6, "WW", 10) == TURN != Turn(6, "WW", 11)
    assert hash(Turn(6, "WW", 10)) == hash(TURN)
    assert len({TURN, Turn(6, "WW", 10), Turn(5, "WW", 10)}) == 2


def test_a_value_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        TURN.hand = 5  # type: ignore[misc]
    with pytest.raises(AttributeError):
        object.__setattr__(TURN, "luck", 1)  # there is no such slot
    assert replace(TURN, hand=5) == Turn(5, "WW", 10)
    assert TURN.hand == 6


def test_a_value_shows_how_to_make_it() -> None:
    assert repr(TURN) == "Turn(hand=6, kept='WW', total=10, golden=False, weasel_used=False)"


def test_values_are_copied_and_pickled() -> None:
    assert copy.deepcopy(TURN) == TURN
    assert pickle.loads(pickle.dumps(TURN)) == TURN  # noqa: S301 (our own bytes)


def test_values_are_matched_by_place() -> None:
    match TURN:
        case Turn(hand, kept):
            assert (hand, kept) == (6, "WW")


def test_a_value_without_fields() -> None:
    assert Deciding() == DECIDING
    assert hash(Deciding()) == hash(DECIDING)


def test_a_value_of_ones_own() -> None:
    @value
    class Spot:
        number: int
        worms: int = 1

    assert (Spot(23).worms, Spot(36, worms=4).worms) == (1, 4)
    assert Spot(23) == Spot(23, 1)
    assert not hasattr(Spot(23), "__dict__")
