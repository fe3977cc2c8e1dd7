"""Tournaments in pieces."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.arena.chunks import LARGEST, SMALLEST_AT_END, Chunk, cut, play_chunk
from heckmeck.arena.tournament import Tournament
from heckmeck.record import read_record
from heckmeck.rules import EDITIONS
from tests.arena.games import all_at_once, small, total


@given(
    games=st.integers(1, 30_000),
    seats=st.integers(2, 7),
    workers=st.integers(1, 64),
    largest=st.sampled_from([1, 7, 100, LARGEST]),
)
def test_chunks_hold_every_game_once_in_whole_deals(
    games: int, seats: int, workers: int, largest: int
) -> None:
    tournament = Tournament("classic", ("a", "b"), seats, games, seed=0)
    chunks = list(cut(tournament, workers, largest=largest))
    assert chunks[0].first == 0
    assert all(one.first + one.count == two.first for one, two in pairwise(chunks))
    assert sum(chunk.count for chunk in chunks) == games
    assert all(chunk.first % seats == 0 for chunk in chunks)
    assert all(chunk.count <= max(largest, 1) + seats - 1 for chunk in chunks)


def test_chunks_grow_and_shrink() -> None:
    """Soon there is something to see, and at the end nobody waits long for the last worker."""
    sizes = [chunk.count for chunk in cut(small(games=100_000), workers=4)]
    assert sizes[:8] == [2, 2, 4, 8, 16, 32, 64, 128]
    assert max(sizes) == LARGEST
    assert max(sizes[-8:]) <= 4 * SMALLEST_AT_END
    assert len(sizes) < 100


def test_a_chunk_can_be_named() -> None:
    assert str(Chunk(small(), 20, 10)) == "games 20 to 29"


@pytest.mark.parametrize("largest", [1, 8])
@pytest.mark.parametrize("edition", EDITIONS)
def test_how_a_tournament_is_cut_changes_nothing(edition: str, largest: int) -> None:
    tournament = small(edition, "fox chick rooster", games=14)
    chunks = cut(tournament, workers=2, keep_records=True, largest=largest)
    assert total([play_chunk(chunk) for chunk in chunks]) == all_at_once(tournament)


def test_records_are_kept_only_if_wanted() -> None:
    result = play_chunk(Chunk(small(), 4, 6))
    assert result.records == ()
    assert result.tally.games == 6


def test_a_record_says_who_sat_where_in_which_game() -> None:
    tournament = small("deluxe", games=4)
    lines = play_chunk(Chunk(tournament, 2, 2, keep_records=True)).records
    records = [read_record(line.encode()) for line in lines]
    assert [record.seats for record in records] == [("chick", "rooster"), ("rooster", "chick")]
    assert [record.extra for record in records] == [
        {"arena": {"seed": 3, "game": 2}},
        {"arena": {"seed": 3, "game": 3}},
    ]
    assert all("\n" not in line for line in lines)


def test_another_seed_makes_another_tournament() -> None:
    one = small(games=6)
    other = Tournament(one.edition, one.bots, one.seats, one.games, seed=one.seed + 1)
    assert all_at_once(one)[0] != all_at_once(other)[0]
