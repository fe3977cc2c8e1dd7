"""Results that come in in any order."""

import io
from itertools import permutations

import pytest

from heckmeck.arena.chunks import ChunkResult
from heckmeck.arena.collecting import Collector
from heckmeck.arena.tally import Tally, tally_of
from tests.arena.games import GAMES

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
