"""The solver against the rules themselves: a slow, obvious recursion over every throw and move.

Nothing is shared with the solver but the rules: the recursion plays each move with `rules.apply`
and counts at the end of the turn what the table is then worth.
"""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.rules.components import NUMBER_DICE
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.dice import in_face_order
from heckmeck.rules.moves import ROLL, Throw
from heckmeck.rules.state import DECIDING, Deciding, Over, RobQuestion, State
from heckmeck.rules.turn import Turn
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.worms import WORMS
from tests.property.positions import positions

MOST_DICE = 4  # in hand: more would take the recursion minutes


@st.composite
def late_positions(draw: st.DrawFn, edition: str, ones: bool = False) -> rules.AnyState:
    """A turn with few dice left, with the golden die in hand or the weasel used where possible.

    ``ones``: a 1 is kept already, so there is no Bratworm to come in this turn.
    """
    state = draw(positions(edition))
    dice = rules.game(edition).dice
    hand = draw(st.integers(1, MOST_DICE))
    size = dice.count - hand - ones
    kept = in_face_order("1" * ones + draw(st.text(dice.faces, min_size=size, max_size=size)))
    turn = Turn(hand, kept, sum(map(dice.points_for, kept)))
    assume(not rules.game(edition).turn_is_complete(turn))
    holds_golden = isinstance(state.table, DeluxeTable) and (
        state.table.held[state.seat] is rules.Specialist.GOLDEN
    )
    golden = holds_golden and draw(st.booleans())
    turn = Turn(turn.hand, turn.kept, turn.total, golden, draw(st.booleans()))
    return State(state.table, state.seat, turn, DECIDING)


def worth_after(start: rules.AnyState, state: rules.AnyState) -> float:
    """Return what ``state`` is worth to the player whose turn ``start`` is in, by best play."""

    @cache
    def worth(state: rules.AnyState) -> float:
        if isinstance(state.phase, Over) or state.seat != start.seat:
            return gained(state)
        chances = rules.throws(state)
        if chances:
            return sum(ways * worth(rules.apply(state, throw).state) for throw, ways in chances) / (
                chances.total
            )
        return max(worth(rules.apply(state, move).state) for move in rules.legal(state))

    def gained(state: rules.AnyState) -> float:
        before = WORMS.standing(start.table, start.seat)
        return WORMS.standing(state.table, start.seat) - before

    return worth(state)


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
def test_every_move_is_worth_what_the_recursion_says(edition: str, data: st.DataObject) -> None:
    state = data.draw(late_positions(edition))
    for item in TurnMemo(WORMS).weigh(state):
        after = rules.apply(state, rules.parse(item.move)).state
        assert item.worth == pytest.approx(worth_after(state, after), abs=1e-9), item.move


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
def test_every_move_after_a_throw_is_worth_what_the_recursion_says(
    edition: str, data: st.DataObject
) -> None:
    state = rules.apply(data.draw(late_positions(edition)), ROLL).state
    state = rules.apply(state, data.draw(st.sampled_from(rules.throws(state).throws))).state
    assume(rules.legal(state) and state.turn.kept)
    weighed = TurnMemo(WORMS).weigh(state)
    assert {item.move for item in weighed} == {*map(rules.word, rules.legal(state))}
    for item in weighed:
        after = rules.apply(state, rules.parse(item.move)).state
        assert item.worth == pytest.approx(worth_after(state, after), abs=1e-9), item.move


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
def test_the_chances_of_the_endings_add_up_to_the_value(edition: str, data: st.DataObject) -> None:
    state = data.draw(late_positions(edition, ones=edition == "deluxe"))
    (solved,) = TurnMemo(WORMS).solved([state])
    for choice in solved.choices(state):
        endings = solved.endings(choice)
        values = WORMS.endings(state.table, state.table, state.seat, [*endings])
        assert sum(endings.values()) == pytest.approx(1.0, abs=1e-12)
        mean = sum(p * w for p, w in zip(endings.values(), values, strict=True))
        assert mean == pytest.approx(choice.value, abs=1e-9)


@st.composite
def about_to_rob(draw: st.DrawFn) -> rules.AnyState:
    """A player who has kept a double 1 while two others have all the Bratworms."""
    table = draw(positions("deluxe").filter(lambda state: state.table.seats >= 3)).table
    assert isinstance(table, DeluxeTable)
    mine, first = 0, draw(st.integers(1, 6))
    bratworms = (0, first, 7 - first) + (0,) * (table.seats - 3)
    table = replace(table, bratworms=bratworms, supply=0)
    kept = in_face_order(draw(st.text("2345W", min_size=3, max_size=5)))
    hand = 8 - len(kept)
    turn = Turn(hand, kept, sum(map(NUMBER_DICE.points_for, kept)))
    thrown = State(table, mine, turn, Throw("11" + "W" * (hand - 2)))
    return rules.apply(thrown, rules.parse("keep:1")).state


@given(asked=about_to_rob())
def test_whom_to_rob_in_mid_turn_is_weighed_with_the_rest_of_the_turn(
    asked: rules.AnyState,
) -> None:
    assume(isinstance(asked.phase, RobQuestion))  # not if a sitting hen guards one of the two
    for item in TurnMemo(WORMS).weigh(asked):
        after = rules.apply(asked, rules.parse(item.move)).state
        assert item.worth == pytest.approx(worth_after(asked, after), abs=1e-9)


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
def test_what_is_played_is_what_is_advised(edition: str, data: st.DataObject) -> None:
    state = data.draw(late_positions(edition))
    if data.draw(st.booleans()):
        state = rules.apply(state, ROLL).state
        state = rules.apply(state, data.draw(st.sampled_from(rules.throws(state).throws))).state
    assume(isinstance(state.phase, Deciding) or rules.legal(state))
    assume(state.turn.kept and not isinstance(state.phase, Over))
    memo = TurnMemo(WORMS)
    weighed = memo.weigh(state)
    assert [*map(rules.word, memo.best_moves([state]))] == [weighed[0].move]
    assert weighed[0].worth == pytest.approx(max(each.worth for each in weighed), abs=1e-11)
