"""A tournament split into chunks: a worker's task, and its result.

A chunk contains whole deals (all rotations of one line-up with the same dice), so that their games
can be compared with each other. How a tournament is split does not affect its result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from heckmeck.arena.lockstep import Played, play
from heckmeck.arena.tally import Tally, tally_of
from heckmeck.arena.tournament import Tournament
from heckmeck.bots import player
from heckmeck.record import Record, record_to_json
from heckmeck.record.json_text import dumps

#: The maximum number of games in a chunk: at most half a minute of work, and little to send.
LARGEST: Final = 2_000
#: Chunks get smaller towards the end, so that all workers finish together, but not below this:
#: games are played side by side, and small chunks are slower.
SMALLEST_AT_END: Final = 64
#: The key of a record that identifies the game and its tournament.
RECORD_KEY: Final = "arena"


@dataclass(frozen=True, slots=True)
class Chunk:
    """``count`` games of a tournament, starting with the number ``first``."""

    tournament: Tournament
    first: int
    count: int
    keep_records: bool = False

    def __str__(self) -> str:
        return f"games {self.first} to {self.first + self.count - 1}"

    def run(self) -> "ChunkResult":
        """Play the games."""
        return play_chunk(self)


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The result of a chunk: the tally, and a JSON line per game if records are kept."""

    first: int
    count: int
    tally: Tally
    records: tuple[str, ...]


def cut(
    tournament: Tournament, workers: int = 1, *, keep_records: bool = False, largest: int = LARGEST
) -> Iterator[Chunk]:
    """Split the tournament into chunks, in the order of the games.

    No chunk is larger than all before it together: the first results come soon, and stopping early
    loses little.
    """
    first, deal = 0, tournament.seats
    while left := tournament.games - first:
        fair_share = max(left // (2 * workers), SMALLEST_AT_END)
        games = max(min(first, fair_share, largest), 1)
        count = min(-(-games // deal) * deal, left)
        yield Chunk(tournament, first, count, keep_records)
        first += count


def play_chunk(chunk: Chunk) -> ChunkResult:
    """Play a chunk."""
    tournament = chunk.tournament
    find = partial(player, outside=True, seconds=tournament.move_seconds)
    fixtures = tournament.schedule.fixtures(chunk.first, chunk.count)
    games = sorted(play(tournament.edition, fixtures, find), key=lambda game: game.fixture.number)
    records = [_record_line(tournament, game) for game in games] if chunk.keep_records else []
    return ChunkResult(chunk.first, chunk.count, tally_of(games, tournament.seats), tuple(records))


def _record_line(tournament: Tournament, game: Played) -> str:
    """Return the game's record as JSON on one line, with its place in the tournament."""
    record = Record(
        tournament.edition,
        game.fixture.bots,
        moves=game.moves,
        extra={RECORD_KEY: {"seed": tournament.seed, "game": game.fixture.number}},
    )
    return dumps(record_to_json(record))
