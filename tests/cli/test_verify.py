"""`heckmeck verify`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from heckmeck.cli import main
from heckmeck.record import Record, write_json, write_text
from heckmeck.rules.moves import Throw
from tests.dice_source.test_fair import fair_game, with_proof


def saved(folder: Path, record: Record, name: str = "game.heckmeck.json") -> str:
    path = folder / name
    path.write_text(write_json(record) if name.endswith(".json") else write_text(record))
    return str(path)


@pytest.mark.parametrize("name", ["game.heckmeck.json", "game.heckmeck.txt"])
def test_fair_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    record = fair_game("deluxe")
    path = saved(tmp_path, record, name)
    assert main(["verify", path]) == 0
    throws = sum(isinstance(move, Throw) for move in record.moves)
    shown = capsys.readouterr().out
    assert shown.startswith(f"{path}: fair: all ")
    assert f" dice of {throws} rolls are as promised" in shown


def unfair() -> tuple[Record, int]:
    """A game broken off after a throw that was not the promised one."""
    record = fair_game("classic")
    index = [i for i, move in enumerate(record.moves) if isinstance(move, Throw)][3]
    throw = record.moves[index]
    assert isinstance(throw, Throw)
    lie = Throw("W" * len(throw.dice))
    assert lie != throw
    return replace(record, moves=(*record.moves[:index], lie)), index


def test_unfair_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, index = unfair()
    path = saved(tmp_path, record)
    assert main(["verify", path]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"{path}: not fair: move {index}: =W")


def test_a_promise_that_was_not_kept_or_not_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = fair_game("junior")
    files = [
        saved(tmp_path, with_proof(record, commitment="00"), "a.json"),
        saved(tmp_path, with_proof(record, seed="gone"), "b.json"),
        saved(tmp_path, replace(record, extra={}), "c.json"),
        saved(tmp_path, record, "d.json"),
        str(tmp_path / "missing.json"),
    ]
    assert main(["verify", "--json", *files]) == 1
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [report["ok"] for report in reports] == [False, False, False, True, False]
    assert "its SHA-256 differs" in reports[0]["error"]
    assert "revealed when the game is over" in reports[1]["error"]
    assert "its dice were not promised" in reports[2]["error"]
    assert reports[3]["dice"] > reports[3]["throws"] > 0
    assert reports[4]["error"] == "No such file or directory"


def test_json_tells_the_bad_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, index = unfair()
    assert main(["verify", "--json", saved(tmp_path, record)]) == 1
    assert json.loads(capsys.readouterr().out)["index"] == index
