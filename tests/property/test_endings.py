"""What ending a turn would do, asked for all totals at once, is what it is for each of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck import rules
from tests.property.positions import positions


@pytest.mark.parametrize("edition", rules.EDITIONS)
@given(data=st.data())
def test_all_totals_at_once_are_what_each_is_alone(edition: str, data: st.DataObject) -> None:
    state = data.draw(positions(edition))
    game, table, seat = rules.game(edition), state.table, state.seat
    for worm in (False, True):
        alone = [game.ending(table, seat, total, worm) for total in range(50)]
        assert game.endings(table, seat, 50, worm) == alone


@given(state=positions("classic"), first=st.integers(0, 40))
def test_it_does_not_matter_where_the_results_begin(state: rules.AnyState, first: int) -> None:
    game = rules.game("classic")
    results = range(first, 45)
    found = game.earned_by_all(state.table, state.seat, results)
    assert found == [game.earned(state.table, state.seat, result) for result in results]
