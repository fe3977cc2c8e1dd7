"""Worth counted in worms: the quick way equals carrying the ending out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck import rules
from heckmeck.rules.components import JUNIOR_TILES
from heckmeck.rules.endings import EndGame, PinchTile, StealTile, TakeTile
from heckmeck.rules.junior import JuniorTable
from heckmeck.solver import after, endings_at, position_of
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.worms import PRICES, WORMS, counts_others
from tests.property.positions import positions
from tests.rules.story import barbecue_table, junior_table
from tests.rules.story import given as begin


@given(positions("classic"))
def test_classic_endings_read_off_equal_those_carried_out(state: rules.AnyState) -> None:
    position = position_of(state)
    for endings in endings_at(position, 0):
        quick = WORMS.endings(state.table, state.table, state.seat, endings)
        for ending, worth in zip(endings, quick, strict=True):
            (then,) = after(position.game, state.table, state.seat, ending)
            before = WORMS.standing(state.table, state.seat)
            assert worth == pytest.approx(WORMS.standing(then.table, state.seat) - before)


@pytest.mark.parametrize(("seats", "theft"), [(2, 2.0), (3, 1.5), (7, 7 / 6)])
def test_a_theft_is_worth_more_the_fewer_opponents_there_are(seats: int, theft: float) -> None:
    table = rules.new_game("classic", seats).table
    take, steal = WORMS.endings(table, table, 0, [TakeTile(21), StealTile(21, 1)])
    assert (take, steal) == (1, theft)


def test_a_specialist_has_its_price() -> None:
    table = rules.new_game("deluxe", 2).table
    (gain,) = WORMS.endings(table, table, 0, [TakeTile(25)])
    assert gain == 2 + PRICES[rules.Specialist.WEASEL]


@given(st.sampled_from([*rules.EDITIONS]), st.data())
def test_standings_of_all_players_cancel_out(edition: str, data: st.DataObject) -> None:
    table = data.draw(positions(edition)).table
    everybody = [WORMS.standing(table, seat) for seat in range(table.seats)]
    if counts_others(edition, table.seats):
        assert sum(everybody) == pytest.approx(0.0, abs=1e-9)
    else:
        assert isinstance(table, JuniorTable)
        assert everybody == [sum(JUNIOR_TILES[tile] for tile in stack) for stack in table.stacks]


@pytest.mark.parametrize(("seats", "theft"), [(2, 2.0), (3, 1.0), (5, 1.0)])
def test_in_junior_a_theft_is_a_tile_like_any_other_from_three_players_on(
    seats: int, theft: float
) -> None:
    table = junior_table(seats, stacks=((), (5,)))
    taken, pinched = WORMS.endings(table, table, 0, [TakeTile(6), PinchTile(5, (1,))])
    assert pinched == theft * JUNIOR_TILES[5]
    assert taken == JUNIOR_TILES[6]


def test_the_end_of_a_barbecue_moves_no_worms() -> None:
    """Above the grill with no snail left, stopping and failing end the game alike (B9, B10)."""
    table = barbecue_table(2, snails=(0, 12), worms=(2, 9))
    story = begin(table, kept="6666WWW", hand=1)
    assert story.game.stopping(story.state) == EndGame()
    advice = {each.move: each.worth for each in TurnMemo(WORMS).weigh(story.state)}
    assert advice["stop"] == 0
    assert advice["roll"] == pytest.approx(0)
