"""Tournaments in pieces, and their results, which arrive in any order."""

import io
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heckmeck.arena.chunks import Chunk, ChunkResult, Collector, cut
from heckmeck.arena.pace import LARGEST, SMALLEST_AT_END, Pace
from heckmeck.arena.standings import Tally, tally_of
from heckmeck.arena.tournament import Tournament
from heckmeck.bots import Player, player
from heckmeck.record import read_record
from heckmeck.rules import EDITIONS
from tests.arena.games import GAMES, all_at_once, small, total


def find_chick(_: str) -> Player:
    return player("chick")


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


def test_chunks_take_seconds_however_fast_the_games_are() -> None:
    """As soon as the pace is known: neither milliseconds nor minutes."""
    for rate in (2, 50, 800, 3000):
        pace, sizes = Pace(), []
        for chunk in cut(small(games=100 * rate), workers=2, largest=pace):
            sizes.append(chunk.count)
            pace.note(chunk.count, chunk.count / rate)
        assert sum(sizes) == 100 * rate
        assert max(sizes) == pytest.approx(5 * rate, abs=2)
        assert rate < 64 or min(sizes[len(sizes) // 2 : -1]) >= rate


def test_a_chunk_can_be_named() -> None:
    assert str(Chunk(small(), 20, 10)) == "games 20 to 29"


@pytest.mark.parametrize("largest", [1, 8])
@pytest.mark.parametrize("edition", EDITIONS)
def test_how_a_tournament_is_cut_changes_nothing(edition: str, largest: int) -> None:
    tournament = small(edition, "fox chick rooster", games=14)
    chunks = cut(tournament, workers=2, keep_records=True, largest=largest)
    assert total([chunk.run() for chunk in chunks]) == all_at_once(tournament)


def test_records_are_kept_only_if_wanted() -> None:
    result = Chunk(small(), 4, 6).run()
    assert result.records == ()
    assert result.tally.games == 6


def test_a_record_says_who_sat_where_in_which_game() -> None:
    tournament = small("deluxe", games=4)
    lines = Chunk(tournament, 2, 2, keep_records=True).run().records
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


# --- results collected ----------------------------------------------------------------------------

RESULTS = [
    ChunkResult(0, 2, tally_of(GAMES[:2], 2), ("zero", "one")),
    ChunkResult(2, 2, tally_of(GAMES[2:4], 2), ("two", "three")),
    ChunkResult(4, 1, tally_of(GAMES[4:], 2), ("four",)),
]


@pytest.mark.parametrize("order", list(permutations(RESULTS)))
def test_records_are_written_in_order_whatever_the_order_of_the_results(
    order: tuple[ChunkResult, ...],
) -> None:
    file = io.StringIO()
    collector = Collector(file)
    for result in order:
        collector.take(result)
    assert collector.tally == tally_of(GAMES, 2)
    assert file.getvalue().split() == ["zero", "one", "two", "three", "four"]


def test_what_waits_for_a_chunk_that_does_not_come_is_written_at_the_end() -> None:
    file = io.StringIO()
    collector = Collector(file)
    collector.take(RESULTS[2])
    collector.take(RESULTS[0])
    assert file.getvalue().split() == ["zero", "one"]
    collector.finish()
    collector.finish()
    assert file.getvalue().split() == ["zero", "one", "four"]
    assert collector.tally.games == 3


def test_without_a_file_results_are_only_counted() -> None:
    collector = Collector()
    assert collector.tally == Tally()
    collector.take(RESULTS[0])
    collector.finish()
    assert collector.tally.games == 2


def test_bots_outside_the_registry_play_if_they_can_be_found() -> None:
    tournament = Tournament("junior", ("mine", "yours"), seats=2, games=2, seed=3)
    (chunk,) = cut(tournament, find=find_chick)
    assert chunk.run().tally.games == 2
