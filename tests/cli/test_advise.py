"""`heckmeck advise`: every legal move of a position with its worth and risk."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import main
from tests.coach.champions import with_champions, without_champions

OPENING = str(Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt")


def test_the_end_of_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", OPENING, "--unit", "worms", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["unit"] == "worms"
    assert [move["move"] for move in data["moves"]] == ["roll"]


def test_any_position_of_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", OPENING, "--move", "12", "--unit", "worms"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["move", "worth", "in", "worms", "brings", "nothing"]
    assert lines[1].split() == ["keep:W", "+2.415", "18.1%"]
    assert lines[5] == ""
    assert lines[6].startswith("keep:4: Keeping worms brings ")
    assert [line.split()[0] for line in lines[7:9]] == ["keep:1:", "keep:2:"]
    assert lines[9:] == ["A failed attempt costs nothing."]


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--move", "1"], "There is nothing to decide after 1 moves"),
        (["--move", "99"], "--move 99: the record has only 17 moves."),
    ],
)
def test_where_no_advice_can_be_given(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["advise", OPENING, *args]) == 1
    assert sentence in capsys.readouterr().err


def test_worth_can_be_the_chance_to_win(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_champions(monkeypatch)
    assert main(["advise", OPENING, "--move", "12"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["move", "chance", "to", "win", "brings", "nothing"]
    moves = lines[1 : lines.index("")]
    assert all(line.split()[1].endswith("%") for line in moves)


def test_where_nobody_knows_the_chance_to_win(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_champions(monkeypatch)
    assert main(["advise", OPENING, "--unit", "win"]) == 1
    assert "No champion has learned classic" in capsys.readouterr().err
