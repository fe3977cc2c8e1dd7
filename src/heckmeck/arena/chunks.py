"""A tournament split into chunks: a worker's task, its result, and all results collected.

A chunk contains whole deals (all rotations of one line-up with the same dice), so that their games
can be compared with each other. How a tournament is split does not affect its result.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TextIO

from heckmeck.arena.adjusted import Luck, evaluator, luck_of
from heckmeck.arena.standings import Tally, tally_of
from heckmeck.arena.tournament import Engine, GameResult, Tournament, play_by
from heckmeck.bots import Player, player
from heckmeck.record import Record, record_to_json
from heckmeck.record.json_text import dumps

#: The maximum number of games in a chunk if nobody knows how long they take.
LARGEST: Final = 2_000
#: The maximum if that is known: what a worker can easily remember.
MOST: Final = 20_000
#: A chunk should take this long: little is lost with it, and handing it out takes far less. At the
#: end it may be shorter.
SECONDS: Final = 5.0
SECONDS_AT_END: Final = 1.0
#: Chunks get smaller towards the end, so that all workers finish together, but not below this:
#: games are played side by side, and small chunks are slower.
SMALLEST_AT_END: Final = 64
#: The key of a record that identifies the game and its tournament.
RECORD_KEY: Final = "arena"


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The result of a chunk: the tally, and a JSON line per game if records are kept."""

    first: int
    count: int
    tally: Tally
    records: tuple[str, ...]
    seconds: float = field(default=0.0, compare=False)
    """How long it took; two results are equal whatever it is."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """``count`` games of a tournament, starting with the number ``first``.

    ``find`` returns players by name, in the worker; the bots of the registry and outside programs
    need none. ``adjusted``: the luck of every game is computed too. The result does not depend on
    the ``engine``.
    """

    tournament: Tournament
    first: int
    count: int
    keep_records: bool = False
    find: Callable[[str], Player] | None = None
    adjusted: bool = False
    engine: Engine = "bulk"

    def __str__(self) -> str:
        return f"games {self.first} to {self.first + self.count - 1}"

    def run(self) -> ChunkResult:
        """Play the games."""
        began, tournament = time.perf_counter(), self.tournament
        find = self.find or partial(player, outside=True, seconds=tournament.move_seconds)
        played = play_by(
            self.engine,
            tournament.edition,
            tournament.fixtures(self.first, self.count),
            find,
        )
        games = sorted(played, key=lambda game: game.fixture.number)
        records = [_record_line(tournament, game) for game in games] if self.keep_records else []
        tally = tally_of(games, tournament.seats, self._luck(games) if self.adjusted else None)
        seconds = time.perf_counter() - began
        return ChunkResult(self.first, self.count, tally, tuple(records), seconds)

    def _luck(self, games: Sequence[GameResult]) -> Iterator[Luck]:
        edition = self.tournament.edition
        return luck_of(games, evaluator(edition, self.tournament.seats), edition)


def _record_line(tournament: Tournament, game: GameResult) -> str:
    """Return the game's record as JSON on one line, with its place in the tournament."""
    record = Record(
        tournament.edition,
        game.fixture.bots,
        moves=game.moves,
        extra={RECORD_KEY: {"seed": tournament.seed, "game": game.fixture.number}},
    )
    return dumps(record_to_json(record))


class Pace:
    """How fast games are played, by the last chunk: how many make up a chunk depends on it."""

    def __init__(self, largest: int = LARGEST) -> None:
        """Know nothing yet; until then, this is the maximum."""
        self.largest = largest
        self.smallest_at_end = SMALLEST_AT_END

    def note(self, result: ChunkResult) -> None:
        """Learn from a chunk."""
        if result.seconds > 0:
            rate = result.count / result.seconds
            self.largest = min(round(rate * SECONDS), MOST)
            self.smallest_at_end = max(round(rate * SECONDS_AT_END), SMALLEST_AT_END)


def cut(
    tournament: Tournament,
    workers: int = 1,
    *,
    keep_records: bool = False,
    largest: int | Pace = LARGEST,
    find: Callable[[str], Player] | None = None,
    adjusted: bool = False,
    engine: Engine = "bulk",
) -> Iterator[Chunk]:
    """Split the tournament into chunks, in the order of the games.

    No chunk is larger than all before it together: the first results come soon, and stopping early
    loses little. The pace of the games determines how large they become, if it is given; it may
    learn while the chunks are handed out.
    """
    pace = largest if isinstance(largest, Pace) else Pace(largest)
    first, deal = 0, tournament.seats
    while left := tournament.games - first:
        fair_share = max(left // (2 * workers), pace.smallest_at_end)
        games = max(min(first, fair_share, pace.largest), 1)
        count = min(-(-games // deal) * deal, left)
        yield Chunk(tournament, first, count, keep_records, find, adjusted, engine)
        first += count


class Collector:
    """Counts results as they arrive, and writes their records in the order of the games."""

    def __init__(self, records: TextIO | None = None) -> None:
        """Start empty; write records to ``records``, if given."""
        self.tally = Tally()
        self.pace = Pace()
        self._file = records
        self._next = 0
        self._early: dict[int, ChunkResult] = {}

    def take(self, result: ChunkResult) -> None:
        """Count a chunk, and write its records once all earlier ones are written."""
        self.tally += result.tally
        self.pace.note(result)
        self._early[result.first] = result
        while ready := self._early.pop(self._next, None):
            self._write(ready)
            self._next += ready.count

    def finish(self) -> None:
        """Write records still waiting for chunks that will not arrive."""
        for _, result in sorted(self._early.items()):
            self._write(result)
        self._early.clear()

    def _write(self, result: ChunkResult) -> None:
        if self._file is not None:
            self._file.writelines(f"{line}\n" for line in result.records)
            self._file.flush()
