"""`heckmeck export`: tables of data that say what the games say."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from heckmeck import arena, bulk
from heckmeck.cli import export
from heckmeck.cli.export import SCHEMAS, SEATS, schema_of
from heckmeck.record import read_position, record_to_json, replay
from heckmeck.record.json_text import dumps
from heckmeck.rules import EDITIONS, apply, legal, outcome, parse, word
from heckmeck.rules.moves import Throw
from tests.cli.terminal import Terminal

DOCS = Path(__file__).parents[2] / "docs"


def random_games(edition: str, count: int, seats: int = 3) -> list[Any]:
    """Records of random games."""
    import numpy as np

    games = bulk.new_games(edition, seats, count, seed=5)
    key = np.array([1], np.uint64)
    while not games.over.all():
        games.step(games.random_actions(key))
    return [games.record(number) for number in range(count)]


@pytest.fixture(scope="module")
def records() -> list[Any]:
    return [record for edition in EDITIONS for record in random_games(edition, 3)]


@pytest.fixture
def file(tmp_path: Path, records: list[Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """All records, one per line."""
    monkeypatch.chdir(tmp_path)
    lines = [dumps(record_to_json(record)) for record in records]
    Path("games.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Path("games.jsonl")


def rows(path: str) -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return table


def test_every_decision_and_every_throw_is_a_row(
    terminal: Terminal, file: Path, records: list[Any]
) -> None:
    shown = terminal.run("export", str(file), "--with-positions", "--json")
    assert (shown.status, shown.err) == (0, "")
    report = json.loads(shown.out)
    decisions, throws = rows("decisions.parquet"), rows("rolls.parquet")
    assert report["rows"] == {
        "games": len(records),
        "decisions": len(decisions),
        "rolls": len(throws),
    }
    assert report["complete"]
    found = iter(decisions), iter(throws)
    for number, record in enumerate(records, start=1):
        state = record.start()
        for step in replay(record):
            moves = legal(state)
            if isinstance(step.move, Throw) or len(moves) > 1:
                row = next(found[isinstance(step.move, Throw)])
                assert (row["game"], row["move"]) == (number, step.index)
                assert (row["seat"], row["total"]) == (state.seat, state.turn.total)
            if isinstance(step.move, Throw):
                assert parse(f"={row['rolled']}") == step.move
                assert row["dead"] == any(type(e).__name__ == "ThrowWasDead" for e in step.events)
            elif len(moves) > 1:
                assert row["legal"].split() == [word(move) for move in moves]
                assert row["chosen"] == word(step.move)
                assert read_position(row["position"]) == state
                assert apply(read_position(row["position"]), parse(row["chosen"])) == (
                    step.state,
                    step.events,
                )
            state = step.state


def test_a_row_per_game_has_its_result(terminal: Terminal, file: Path, records: list[Any]) -> None:
    assert terminal.run("export", str(file)).status == 0
    for number, (row, record) in enumerate(zip(rows("games.parquet"), records, strict=True), 1):
        end = outcome(record.end)
        assert end is not None
        assert (row["game"], row["number"], row["file"]) == (number, number, str(file))
        assert tuple(row[f"score_{seat}"] for seat in range(3)) == end.scores
        assert sum(row[f"share_{seat}"] for seat in range(3)) == pytest.approx(1)
        assert row[f"name_{SEATS - 1}"] is None
        assert (row["edition"], row["moves"]) == (record.edition, len(record.moves))
        assert row["reason"] == end.reason


def test_csv_says_the_same(terminal: Terminal, file: Path) -> None:
    assert terminal.run("export", str(file)).status == 0
    assert terminal.run("export", str(file), "--to", "csv", "--out", "as csv").status == 0
    for table in SCHEMAS:
        with Path("as csv", f"{table}.csv").open(encoding="utf-8", newline="") as text:
            written = [*csv.DictReader(text)]
        stored = rows(f"{table}.parquet")
        assert len(written) == len(stored)
        for one, other in zip(written, stored, strict=True):
            assert one == {key: plain(value) for key, value in other.items()}


def plain(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_the_work_can_be_shared(
    terminal: Terminal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PIECE", 5)
    many = file.read_text(encoding="utf-8") * 2
    Path("many.jsonl").write_text(many, encoding="utf-8")
    for workers in ("1", "2"):
        args = ("export", "many.jsonl", "--workers", workers, "--out", workers)
        assert terminal.run(*args).status == 0
    for table in SCHEMAS:
        one, two = (parquet.read_table(f"{workers}/{table}.parquet") for workers in "12")
        assert one == two
    games = [row["game"] for row in rows("2/games.parquet")]
    assert games == [*range(1, len(many.splitlines()) + 1)]


def test_folders_and_the_output_of_the_arena(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    args = ("arena", "--edition", "junior", "--bots", "chick,random", "--games", "6", "--seed", "1")
    assert terminal.run(*args, "--out", "season").status == 0
    assert terminal.run("export", "season").status == 0
    names = Counter(row["name_0"] for row in rows("games.parquet"))
    assert names == {"chick": 3, "random": 3}
    standings = arena.run(["chick", "random"], edition="junior", games=6, seed=1)
    shares = {"chick": 0.0, "random": 0.0}
    for row in rows("games.parquet"):
        for seat in (0, 1):
            shares[row[f"name_{seat}"]] += row[f"share_{seat}"]
    assert shares == {bot.name: bot.won.wins for bot in standings.bots}


def test_what_cannot_be_exported_is_said_and_leaves_nothing(terminal: Terminal, file: Path) -> None:
    with file.open("a", encoding="utf-8") as more:
        more.write(
            '{"heckmeck": 1, "edition": "classic", "seats": ["A", "B"], "moves": ["stop"]}\n'
        )
    number = len(file.read_text(encoding="utf-8").splitlines())
    shown = terminal.run("export", str(file), "--out", "tables")
    assert shown.status == 1
    assert shown.err.startswith(f"heckmeck: {file}: game {number}: move 0: ")
    assert [*Path("tables").iterdir()] == []
    Path("empty").mkdir()
    shown = terminal.run("export", "empty")
    assert (shown.status, shown.err) == (1, "heckmeck: There are no games in empty.\n")


def test_tables_are_not_overwritten_by_accident(terminal: Terminal, file: Path) -> None:
    Path("decisions.csv").write_text("mine")
    shown = terminal.run("export", str(file), "--to", "csv")
    assert (shown.status, Path("decisions.csv").read_text()) == (1, "mine")
    assert "decisions.csv already exists. Choose another name, or add --force." in shown.err
    assert terminal.run("export", str(file), "--to", "csv", "--force").status == 0
    assert Path("decisions.csv").read_text() != "mine"


def test_without_the_package_it_says_how_to_add_it(
    terminal: Terminal, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    shown = terminal.run("export", str(file))
    assert shown.status == 1
    assert "heckmeck[data]" in shown.err
    assert terminal.run("export", str(file), "--to", "csv").status == 0


def test_ctrl_c_keeps_the_games_so_far(file: Path) -> None:
    short = b"".join(file.read_bytes().splitlines(keepends=True)[-3:])  # junior
    with subprocess.Popen(
        [sys.executable, "-m", "heckmeck", "export", "-", "--json", "--workers", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(100):  # one piece of work, and the beginning of the next
            process.stdin.write(short)
        process.stdin.flush()
        deadline = time.monotonic() + 60
        decisions = Path(f".decisions.parquet.{process.pid}.new")
        while not decisions.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(1)
        os.kill(process.pid, signal.SIGINT)
        report = json.loads(process.stdout.read())
        process.stdin.close()
        assert process.wait(30) == 130
    assert not report["complete"]
    assert report["rows"]["games"] == parquet.read_table("games.parquet").num_rows
    assert report["rows"]["decisions"] == parquet.read_table("decisions.parquet").num_rows


def test_the_page_explains_every_column() -> None:
    page = (DOCS / "data.md").read_text(encoding="utf-8")
    for table in SCHEMAS:
        section = page.partition(f"## {table}\n")[2].partition("\n## ")[0]
        explained = {cell.strip("` ") for cell in column_cells(section)}
        columns = {column.rpartition("_")[0] + "_0" if column[-2:] in ENDS else column
                   for column in schema_of(table, positions=True)}  # fmt: skip
        assert explained == columns
        assert pa.schema([*SCHEMAS[table].items()])


ENDS = {f"_{seat}" for seat in range(SEATS)}


def column_cells(section: str) -> list[str]:
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    return [cell for line in lines for cell in line.split("|")[1].split(",")]
