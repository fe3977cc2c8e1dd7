"""What is counted, in between and at the end, is told as the rules have it."""

import msgspec
import pytest

from heckmeck.client.table import RemoteTable
from heckmeck.record import TableFacts, state_to_json, table_facts
from heckmeck.rules import EDITIONS, AnyState, Table, new_game, outcome, scores
from heckmeck.rules.outcome import DecidedBy, EndReason, ScoreItem
from heckmeck.rules.state import Over, State
from heckmeck.wire.answers import read_answer
from heckmeck.wire.states import (
    CountedLine,
    FinalCount,
    final_count,
    game_state,
    points,
)
from tests.record.games import play
from tests.rules.story import (
    APPLE,
    barbecue_table,
    classic_table,
    deluxe_table,
    junior_table,
)


def ended(table: Table, reason: EndReason = EndReason.GRILL_EMPTY) -> AnyState:
    """A game that is over at this table."""
    turn = new_game("classic", 2).turn
    return State(table, 0, turn, Over(reason))


def sheet(**worms: int) -> list[CountedLine]:
    """A player's lines."""
    return [CountedLine(ScoreItem(item), number) for item, number in worms.items()]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_count_is_that_of_the_rules(edition: str, seed: int) -> None:
    *before, last = play(edition, 2 + seed, seed).states
    assert all(final_count(state) is None for state in before)
    count, end = final_count(last), outcome(last)
    assert count is not None
    assert end is not None
    told = [[(line.item, line.worms) for line in sheet] for sheet in count.sheets]
    assert told == [[*sheet] for sheet in end.sheets]
    assert [sum(worms for _, worms in sheet) for sheet in told] == [*scores(last)]
    assert (*map(tuple, count.ranking),) == end.ranking
    assert count.decided_by == end.decided_by
    key = [*zip(scores(last), [number or 0 for number in count.tie_breaks], strict=True)]
    assert [key[seat] for place in count.ranking for seat in place] == sorted(key, reverse=True)


@pytest.mark.parametrize("edition", EDITIONS)
def test_it_comes_with_the_state_and_leaves_the_rest_as_it_is(edition: str) -> None:
    last = play(edition, 3, 1).states[-1]
    shown = msgspec.to_builtins(game_state(last))
    assert msgspec.convert(shown.pop("count"), FinalCount) == final_count(last)
    assert shown.pop("prospects") == {}
    del shown["stack_worms"]
    assert (shown.pop("points"), shown.pop("undo")) == (points(last), False)
    assert shown.pop("correct") is False
    assert shown == state_to_json(last)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_terminal_reads_such_a_state(edition: str) -> None:
    last = play(edition, 3, 2).states[-1]
    message = {"type": "entries", "entries": [], "state": msgspec.to_builtins(game_state(last))}
    table = RemoteTable()
    table.hear(read_answer(msgspec.json.encode(message)))
    assert table.state == last


def test_worms_on_stacks_are_counted_apart_from_what_else_counts() -> None:
    held, bratworms = (APPLE, None), (2, 0)
    state = ended(deluxe_table(stacks=((21, 36), ()), held=held, bratworms=bratworms))
    assert table_facts(state.table).stack_worms == [1 + 4, 0]
    assert scores(state) == (1 + 4 + 3 + 2, 0)


@pytest.mark.parametrize("edition", ["classic", "junior"])
def test_worms_on_stacks_are_all_there_is_where_nothing_else_counts(edition: str) -> None:
    for state in play(edition, 3, 1).states:
        assert table_facts(state.table).stack_worms == [*scores(state)]


@pytest.mark.parametrize("edition", EDITIONS)
def test_known_facts_about_a_table_change_nothing(edition: str) -> None:
    known: TableFacts | None = None
    reused = 0
    for state in play(edition, 3, 1).states:
        assert game_state(state, known=known) == game_state(state)
        reused += known is not None and table_facts(state.table, known) is known
        known = table_facts(state.table, known)
    assert reused


def test_without_stacks_there_are_no_worms_on_them() -> None:
    assert table_facts(new_game("barbecue", 2).table).stack_worms == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_points_of_the_kept_dice_add_up_to_their_total(edition: str) -> None:
    for state in play(edition, 3, 1).states:
        counted = points(state)
        assert [*counted] == [*dict.fromkeys(state.turn.kept)]
        assert sum(counted.values()) == state.turn.total


def test_the_highest_tile_breaks_a_tie() -> None:
    count = final_count(ended(classic_table(3, stacks=((25, 21), (30,), ()))))
    assert count == FinalCount(
        sheets=[sheet(tiles=3), sheet(tiles=3), sheet(tiles=0)],
        ranking=[[1], [0], [2]],
        decided_by=DecidedBy.HIGHEST_TILE,
        tie_breaks=[25, 30, None],
    )


def test_the_apple_counts_and_has_no_number() -> None:
    count = final_count(ended(deluxe_table(stacks=((21,), (36,)), held=(APPLE, None))))
    assert count == FinalCount(
        sheets=[sheet(tiles=1, bratworms=0, apple=3), sheet(tiles=4, bratworms=0, apple=0)],
        ranking=[[1], [0]],
        decided_by=DecidedBy.HIGHEST_TILE,
        tie_breaks=[21, 36],
    )


def test_the_plate_on_the_highest_spot_breaks_a_tie() -> None:
    table = barbecue_table(spots={36: (0,), 30: (1,)}, worms=(4, 1), snails=(0, 1))
    count = final_count(ended(table, EndReason.POOL_EMPTY))
    assert count == FinalCount(
        sheets=[sheet(worms=4, snails=0), sheet(worms=1, snails=3)],
        ranking=[[0], [1]],
        decided_by=DecidedBy.HIGHEST_PLATE,
        tie_breaks=[36, 30],
    )


def test_nothing_breaks_a_tie_in_junior() -> None:
    count = final_count(ended(junior_table(stacks=((6,), (7,)))))
    assert count is not None
    assert (count.ranking, count.decided_by) == ([[0, 1]], DecidedBy.SHARED)
    assert count.tie_breaks == [None, None]
