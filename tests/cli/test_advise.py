"""`heckmeck advise`: every legal move of a position with its worth and risk."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import main

OPENING = str(Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt")


def test_the_end_of_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", OPENING, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["unit"] == "worms"
    assert [move["move"] for move in data["moves"]] == ["roll"]


def test_any_position_of_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", OPENING, "--move", "12"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["move", "worth", "in", "worms", "brings", "nothing"]
    assert lines[1].split() == ["keep:W", "+2.415", "18.1%"]
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--move", "1"], "No player is awaited after 1 moves"),
        (["--move", "99"], "--move 99: the record has 17 moves."),
    ],
)
def test_where_no_advice_can_be_given(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["advise", OPENING, *args]) == 1
    assert sentence in capsys.readouterr().err
