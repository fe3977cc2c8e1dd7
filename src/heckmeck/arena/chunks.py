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
from heckmeck.arena.pace import LARGEST, Pace, split
from heckmeck.arena.standings import Tally, tally_of
from heckmeck.arena.tournament import Engine, GameResult, Tournament, play_by
from heckmeck.bots import Player, player
from heckmeck.record import Record, record_to_json
from heckmeck.record.json_text import dumps

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

    The pace of the games determines how large they become, if it is given.
    """
    pace = largest if isinstance(largest, Pace) else Pace(largest)
    for first, count in split(tournament.games, pace, workers, deal=tournament.seats):
        yield Chunk(tournament, first, count, keep_records, find, adjusted, engine)


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
        self.pace.note(result.count, result.seconds)
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
