"""`heckmeck export`: recorded games as tables of data, for pandas, polars and the like."""

import csv
import gc
import io
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import click

from heckmeck import interrupts
from heckmeck.cli import printing
from heckmeck.cli.commands import UserError, file_errors, reporting
from heckmeck.cli.files import check_place, games_in, title
from heckmeck.cli.options import json_option, number_option
from heckmeck.cli.stats import files
from heckmeck.executors import Executor, WorkersDied, cores, executor_for
from heckmeck.record import BadRecord, Record, read_and_replay, write_position
from heckmeck.rules import EDITIONS, AnyState, Move, Outcome, game_at, scores, word
from heckmeck.rules.events import ThrowWasDead
from heckmeck.rules.moves import Throw

if TYPE_CHECKING:
    import pyarrow

Form: TypeAlias = Literal["parquet", "csv"]
Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = tuple[Cell, ...]
Column: TypeAlias = list[Cell]

#: The maximum number of players at a table.
SEATS: Final = max(max(game.players) for game in EDITIONS.values())
#: Games in a piece of work.
PIECE: Final = 250

#: The columns of every table with their types, as Arrow calls them; docs/data.md explains them.
SCHEMAS: Final[dict[str, dict[str, str]]] = {
    "games": {
        "game": "int64",
        "file": "string",
        "number": "int64",
        "edition": "string",
        "players": "int8",
        "first": "int8",
        "flip_always": "bool",
        "flip_returned": "bool",
        "position": "string",
        "moves": "int32",
        "turns": "int32",
        "reason": "string",
        "decided_by": "string",
        **{f"name_{seat}": "string" for seat in range(SEATS)},
        **{f"score_{seat}": "int16" for seat in range(SEATS)},
        **{f"share_{seat}": "float64" for seat in range(SEATS)},
    },
    "decisions": {
        "game": "int64",
        "move": "int32",
        "turn": "int32",
        "seat": "int8",
        "score": "int16",
        "best_other": "int16",
        "kept": "string",
        "total": "int16",
        "hand": "int8",
        "golden": "bool",
        "rolled": "string",
        "legal": "string",
        "chosen": "string",
    },
    "rolls": {
        "game": "int64",
        "move": "int32",
        "turn": "int32",
        "seat": "int8",
        "kept": "string",
        "total": "int16",
        "hand": "int8",
        "golden": "bool",
        "rolled": "string",
        "dead": "bool",
    },
}
#: The last column of decisions, if it is wanted.
POSITION: Final = {"position": "string"}


def schema_of(table: str, *, positions: bool) -> dict[str, str]:
    """Return the columns of a table with their types."""
    return {**SCHEMAS[table], **(POSITION if positions and table == "decisions" else {})}


# --- rows -----------------------------------------------------------------------------------------


class Source(NamedTuple):
    """A game to be exported: its number of all, its file, its number there, and its record."""

    game: int
    file: str
    number: int | None
    data: bytes


class Columns(NamedTuple):
    """The rows of some games, by table, as lists of the values of each column."""

    games: list[Column]
    decisions: list[Column]
    rolls: list[Column]


def add_rows(columns: Columns, source: Source, *, positions: bool) -> None:
    """Add the rows of a game; raise `BadRecord` if its record is not valid.

    The loop only notes what each row is made of: most of the time that is not spent in the rules
    would be spent on rows, one value at a time.
    """
    record, steps = read_and_replay(source.data)
    state, turn, rolled = record.start(), 1, None
    table, score = state.table, _scores(state)
    rules = game_at(table)
    decisions: list[tuple[Any, ...]] = []
    rolls: list[tuple[Any, ...]] = []
    for step in steps:
        move, seat = step.move, state.seat
        if isinstance(move, Throw):
            rolled = move.dice if move.golden is None else word(move)[1:]
            dead = ThrowWasDead in map(type, step.events)
            rolls.append((state, step.index, turn, rolled, dead))
        else:
            moves = rules.legal(state)
            if len(moves) > 1:
                rest = score[seat], rolled, _words(moves), word(move)
                decisions.append((state, step.index, turn, *rest))
            rolled = None
        state = step.state
        if state.table is not table:
            table, score = state.table, _scores(state)
        turn += state.seat != seat
    _extend(columns.games, zip(_game(source, record, turn, rules.outcome(state)), strict=True))
    if decisions:
        _extend(columns.decisions, _decisions(source.game, decisions, positions=positions))
    if rolls:
        _extend(columns.rolls, _rolls(source.game, rolls))


def _extend(columns: list[Column], more: Iterable[Sequence[Cell]]) -> None:
    for column, values in zip(columns, more, strict=True):
        column.extend(values)


def _decisions(
    game: int, noted: Sequence[tuple[Any, ...]], *, positions: bool
) -> list[Sequence[Cell]]:
    states, index, turn, score, rolled, words, chosen = zip(*noted, strict=True)
    return [
        [game] * len(noted),
        index,
        turn,
        [state.seat for state in states],
        *zip(*score, strict=True),
        *_so_far(states),
        rolled,
        words,
        chosen,
        *([[*map(write_position, states)]] if positions else []),
    ]


def _rolls(game: int, noted: Sequence[tuple[Any, ...]]) -> list[Sequence[Cell]]:
    states, index, turn, rolled, dead = zip(*noted, strict=True)
    seats = [state.seat for state in states]
    return [[game] * len(noted), index, turn, seats, *_so_far(states), rolled, dead]


def _so_far(states: Sequence[AnyState]) -> Iterator[Sequence[Cell]]:
    turns = [state.turn for state in states]
    yield [turn.kept for turn in turns]
    yield [turn.total for turn in turns]
    yield [turn.hand for turn in turns]
    yield [turn.golden for turn in turns]


@cache
def _words(moves: tuple[Move, ...]) -> str:
    return " ".join(map(word, moves))


def _scores(state: AnyState) -> list[tuple[int, int]]:
    """Return by seat: the score, and the best score of the others."""
    found = scores(state)
    second, best = sorted(found)[-2:]
    return [(score, second if score == best else best) for score in found]


def _game(source: Source, record: Record, turns: int, end: Outcome | None) -> Row:
    position = None if record.position is None else write_position(record.position)
    return (
        source.game,
        source.file,
        source.number or 1,
        record.edition,
        len(record.seats),
        record.first,
        record.house.flip_always,
        record.house.flip_returned,
        position,
        len(record.moves),
        turns,
        None if end is None else str(end.reason),
        None if end is None else str(end.decided_by),
        *_by_seat(record.seats),
        *_by_seat(() if end is None else end.scores),
        *_by_seat(() if end is None else end.shares),
    )


def _by_seat(values: Row) -> Row:
    return (*values, *[None] * (SEATS - len(values)))


# --- pieces of work -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """Some games, to be made into the rows of three tables."""

    form: Form
    positions: bool
    sources: tuple[Source, ...]

    def __str__(self) -> str:
        return f"games {self.sources[0].game} to {self.sources[-1].game}"

    def run(self) -> "Made":
        """Return the rows in their form; raise a `UserError` if a record is not valid."""
        schemas = {table: schema_of(table, positions=self.positions) for table in SCHEMAS}
        with _no_collecting():
            columns = self._columns(schemas)._asdict()
        make = _as_csv if self.form == "csv" else _as_batch
        parts = {table: make(columns[table], schema) for table, schema in schemas.items()}
        counts = {table: len(columns[table][0]) for table in schemas}
        return Made(self.sources[0].game, counts, parts)

    def _columns(self, schemas: dict[str, dict[str, str]]) -> Columns:
        columns = Columns(*([Column() for _ in schema] for schema in schemas.values()))
        for source in self.sources:
            try:
                add_rows(columns, source, positions=self.positions)
            except BadRecord as error:
                raise UserError(f"{title(source.file, source.number)}: {error}") from error
        return columns


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Do not look for garbage: many small values stay here, and none of them is part of a cycle."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Made(NamedTuple):
    """The rows of a piece: its first game, and by table their number and the rows themselves."""

    first: int
    counts: dict[str, int]
    parts: dict[str, "bytes | pyarrow.RecordBatch"]


def _as_csv(columns: Sequence[Column], schema: dict[str, str]) -> bytes:
    plain = [
        [*map(_TRUTH.__getitem__, column)] if kind == "bool" else column
        for column, kind in zip(columns, schema.values(), strict=True)
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(zip(*plain, strict=True))
    return text.getvalue().encode()


#: Truth in CSV: pandas and polars both know it written like this.
_TRUTH: Final[dict[Cell, Cell]] = {True: "true", False: "false", None: None}


def _as_batch(columns: Sequence[Column], schema: dict[str, str]) -> "pyarrow.RecordBatch":
    import pyarrow

    kinds = zip(columns, schema.values(), strict=True)
    return pyarrow.record_batch(
        [pyarrow.array(column, kind) for column, kind in kinds], names=[*schema]
    )


# --- files ----------------------------------------------------------------------------------------


class TableFile(Protocol):
    """A table that is being written."""

    def write(self, part: Any) -> None:  # noqa: ANN401 (what its form needs)
        """Append rows."""

    def close(self) -> None:
        """Complete the file."""


class CsvFile:
    """A table as CSV, with a header."""

    def __init__(self, path: Path, schema: dict[str, str]) -> None:
        """Write the header."""
        self._file = path.open("wb")
        self._file.write(f"{','.join(schema)}\n".encode())

    def write(self, part: bytes) -> None:
        """Append rows."""
        self._file.write(part)

    def close(self) -> None:
        """Complete the file."""
        self._file.close()


class ParquetFile:
    """A table as Parquet."""

    def __init__(self, path: Path, schema: dict[str, str]) -> None:
        """Begin the file."""
        import pyarrow
        from pyarrow import parquet

        self._schema = pyarrow.schema([*schema.items()])
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[pyarrow.RecordBatch] = []

    def write(self, part: "pyarrow.RecordBatch") -> None:
        """Append rows; they are written in groups of a size that readers like."""
        self._waiting.append(part)
        if sum(len(each) for each in self._waiting) >= ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Complete the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow

        if self._waiting:
            self._writer.write_table(pyarrow.Table.from_batches(self._waiting, self._schema))
            self._waiting = []


#: Rows of a Parquet file that are compressed together.
ROW_GROUP: Final = 250_000


class Tables:
    """Three tables in a folder: written beside their places, and put there when they are whole."""

    def __init__(self, folder: Path, form: Form, *, positions: bool, force: bool) -> None:
        """Begin the files; raise a `UserError` if one exists and is not to be replaced."""
        self.paths = {table: folder / f"{table}.{form}" for table in SCHEMAS}
        with file_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        for path in self.paths.values():
            check_place(path, replace=force)
        kind: Callable[[Path, dict[str, str]], TableFile]
        kind = CsvFile if form == "csv" else ParquetFile
        self.counts = dict.fromkeys(SCHEMAS, 0)
        self._folder, self._next, self._early = folder, 1, dict[int, Made]()
        with file_errors(folder):
            self._files = {
                table: kind(_beside(path), schema_of(table, positions=positions))
                for table, path in self.paths.items()
            }

    def take(self, made: Made) -> None:
        """Append the rows of a piece, once those of all games before it are there."""
        self._early[made.first] = made
        with file_errors(self._folder):
            while ready := self._early.pop(self._next, None):
                for table, part in ready.parts.items():
                    self._files[table].write(part)
                    self.counts[table] += ready.counts[table]
                self._next += ready.counts["games"]

    def finish(self) -> None:
        """Complete the files and put them in their places."""
        with file_errors(self._folder):
            for table, file in self._files.items():
                file.close()
                _beside(self.paths[table]).replace(self.paths[table])

    def discard(self) -> None:
        """Remove what was not finished."""
        for table, file in self._files.items():
            with suppress(OSError):
                file.close()
            _beside(self.paths[table]).unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.new")


# --- the command ----------------------------------------------------------------------------------


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="FOLDER|FILE...", type=click.Path())
@click.option(
    "--to",
    "form",
    type=click.Choice(["parquet", "csv"]),
    default="parquet",
    help="Format of the tables.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    show_default="the current one",
    metavar="DIRECTORY",
    help="Directory for the tables games, decisions and rolls.",
)
@click.option("--force", is_flag=True, help="Overwrite tables that exist.")
@click.option(
    "--with-positions",
    "positions",
    is_flag=True,
    help="Add a column to decisions: the whole position on one line.",
)
@number_option("--workers", "Worker processes (default: one per core, fewer for short runs).")
@json_option("Print what was written as one JSON object.")
def export(
    places: tuple[str, ...],
    form: Form,
    out: Path,
    force: bool,
    positions: bool,
    workers: int | None,
    as_json: bool,
) -> int:
    """Export recorded games as tables of data, for pandas, polars, R or a spreadsheet.

    Writes three tables: games (a row per game), decisions (a row per decision of a player) and
    rolls (a row per roll). Their columns are explained in: heckmeck docs data. A FOLDER is
    searched for records (.heckmeck.json, .heckmeck.txt and .jsonl files); a FILE has one game, or
    one per line; - reads standard input. Ctrl-C stops early and keeps the games exported so far.

    \b
    Examples:
      $ heckmeck export games.jsonl
      $ heckmeck export games --to csv --out tables
      $ heckmeck export games.jsonl --with-positions --json
    """
    if form == "parquet":
        import pyarrow  # noqa: F401 (a missing one is reported before anything is written)
    began = time.perf_counter()
    sources = _sources(places)
    first = [*islice(sources, PIECE)]
    if not first:
        raise UserError(f"There are no games in {', '.join(places)}.")
    alone = len(first) < PIECE
    tables = Tables(out, form, positions=positions, force=force)
    with ExitStack() as stack:
        stack.callback(tables.discard)
        executor = executor_for(1 if alone else workers or cores())
        stack.enter_context(closing(executor))
        work = (Piece(form, positions, some) for some in _pieces(chain(first, sources)))
        complete = _run(executor, work, tables)
        with interrupts.held_interrupts():
            tables.finish()
    _report(tables, time.perf_counter() - began, complete=complete, as_json=as_json)
    return 0 if complete else interrupts.STATUS


def _sources(places: Sequence[str]) -> Iterator[Source]:
    game = 0
    for file in files(places):
        for number, data in games_in(file):
            game += 1
            yield Source(game, file, number, data)


def _pieces(sources: Iterator[Source]) -> Iterator[tuple[Source, ...]]:
    while some := tuple(islice(sources, PIECE)):
        yield some


def _run(executor: Executor, work: Iterator[Piece], tables: Tables) -> bool:
    """Export until the end or Ctrl-C; return whether all games are there."""
    bar = printing.counted_progress("Exporting", 0, "games", time_left=False)
    try:
        with reporting(WorkersDied), bar as advance:
            for made in executor.run(work):
                with interrupts.held_interrupts():
                    tables.take(made)
                    advance(made.counts["games"])
    except KeyboardInterrupt:
        return False
    return True


def _report(tables: Tables, seconds: float, *, complete: bool, as_json: bool) -> None:
    if as_json:
        paths = {table: str(path) for table, path in tables.paths.items()}
        data = {"complete": complete, "rows": tables.counts, "files": paths, "seconds": seconds}
        click.echo(json.dumps(data))
        return
    if not complete:
        printing.print_line("Stopped early: later games are not in these tables.")
    for table, path in tables.paths.items():
        printing.print_line(f"{path} (rows: {tables.counts[table]:,})")
