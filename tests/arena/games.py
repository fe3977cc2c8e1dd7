"""Games that were played, put together by hand."""

from heckmeck.arena.chunks import Chunk, ChunkResult
from heckmeck.arena.standings import Tally
from heckmeck.arena.tournament import Fixture, GameResult, Tournament
from heckmeck.executors import Executor
from heckmeck.rules.moves import ROLL


def played(
    number: int,
    bots: str,
    scores: tuple[int, ...],
    *,
    ranking: tuple[tuple[int, ...], ...],
    turns: int = 20,
    moves: int = 200,
) -> GameResult:
    """A game by its result; what was played in it does not matter."""
    fixture = Fixture(number, tuple(bots.split()), dice=0)
    return GameResult(fixture, scores, ranking, turns, (ROLL,) * moves)


#: Two deals of two games, and one game of a third.
GAMES = [
    played(0, "fox chick", (5, 3), ranking=((0,), (1,)), turns=20, moves=200),
    played(1, "chick fox", (4, 4), ranking=((0, 1),), turns=22, moves=210),
    played(2, "fox chick", (1, 6), ranking=((1,), (0,)), turns=20, moves=190),
    played(3, "chick fox", (2, 7), ranking=((1,), (0,)), turns=30, moves=280),
    played(4, "fox chick", (3, 3), ranking=((0,), (1,)), turns=25, moves=240),
]


def small(edition: str = "junior", bots: str = "chick rooster", games: int = 30) -> Tournament:
    """A tournament that takes a moment."""
    return Tournament(edition, tuple(bots.split()), seats=2, games=games, seed=3)


def results_of(executor: Executor, chunks: list[Chunk]) -> list[ChunkResult]:
    """All results in the order of the games."""
    return sorted(executor.run(chunks), key=lambda result: result.first)


def total(results: list[ChunkResult]) -> tuple[Tally, list[str]]:
    """What all chunks together brought: the tally and the records."""
    records = [line for result in results for line in result.records]
    return sum((result.tally for result in results), Tally()), records


def all_at_once(tournament: Tournament) -> tuple[Tally, list[str]]:
    """The whole tournament as one chunk."""
    return total([Chunk(tournament, 0, tournament.games, keep_records=True).run()])
