"""`heckmeck rollout`: a position played on after every legal move."""

import json
import signal
from pathlib import Path

import pytest

from heckmeck.arena.rollout import Piece, PieceResult
from heckmeck.cli import main
from heckmeck.record import Record, write_json
from heckmeck.rules import HouseRules, parse

MOVES = ("roll", "=WWWCGK", "keep:W", "roll", "=CCG", "keep:C")


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "game.heckmeck.json"
    record = Record("junior", ("Ada", "Ben"), moves=tuple(map(parse, MOVES)))
    path.write_text(write_json(record))
    return str(path)


def test_every_move_is_compared(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["rollout", file, "--bot", "chick", "--games", "1", "--seed", "7"]
    assert main(args) == 0
    text = capsys.readouterr().out
    assert "junior, after 6 moves: 128 games of chick for each move, seed 7" in text
    assert main([*args, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {each["move"] for each in data["moves"]} == {"roll", "stop"}
    assert data["evaluator"].startswith("junior ")
    best = data["moves"][0]
    assert f"{best['move']}" in text
    assert f"{best['share']:.1%}" in text
    assert best["error"] < best["raw_error"]


def test_it_ends_when_it_is_precise_enough(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["rollout", file, "--bot", "chick", "--games", "100000", "--json"]
    assert main([*args, "--precision", "20"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] < 1000
    assert main([*args, "--seconds", "0.01"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] < 1000


def test_ctrl_c_reports_the_rounds_so_far(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes in the fourth piece; the first ones are small."""
    run, pieces = Piece.run, list[Piece]()

    def interrupted(piece: Piece) -> PieceResult:
        pieces.append(piece)
        if len(pieces) == 4:
            signal.raise_signal(signal.SIGINT)
        return run(piece)

    monkeypatch.setattr(Piece, "run", interrupted)
    assert main(["rollout", file, "--bot", "chick", "--games", "100000", "--json"]) == 130
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    data = json.loads(shown.out)
    assert data["games"] == 16 * sum(piece.count for piece in pieces[:3]) == 64
    assert all(each["error"] > 0 for each in data["moves"])


def test_ctrl_c_before_there_is_anything_is_said(
    file: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Piece, "run", lambda _: signal.raise_signal(signal.SIGINT))
    assert main(["rollout", file, "--bot", "chick"]) == 130
    assert capsys.readouterr().err == "Stopped before the first games had finished.\n"


def test_what_cannot_be_played_on_is_refused_in_words(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rollout", file, "--move", "1"]) == 1
    assert "There is nothing to decide after 1 moves" in capsys.readouterr().err
    assert main(["rollout", file, "--bot", "hen"]) == 1
    assert "There is no bot 'hen'." in capsys.readouterr().err
    house = tmp_path / "house.heckmeck.json"
    house.write_text(
        write_json(Record("classic", ("Ada", "Ben"), house=HouseRules(flip_always=True)))
    )
    assert main(["rollout", str(house), "--move", "0"]) == 1
    assert "No champion has learned classic with these rules" in capsys.readouterr().err
