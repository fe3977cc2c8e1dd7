"""`heckmeck position`, and `--position` wherever a position is studied or played."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import main
from heckmeck.record import read_position, read_record
from tests.cli.terminal import Terminal

OPENING = str(Path(__file__).parents[2] / "docs" / "examples" / "opening.heckmeck.txt")
POSITION = "classic_21-24.26-36_25_-_1~44W~11335"


def test_a_moment_of_a_record_as_text_and_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["position", OPENING, "--move", "12"]) == 0
    text = capsys.readouterr().out.strip()
    assert read_position(text) == read_record(Path(OPENING).read_bytes()).first_moves(12).end
    assert main(["position", OPENING, "--move", "12", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["position"] == text
    assert data["edition"] == "classic"
    assert len(data["players"]) == text.count("_") - 2


def test_advice_is_the_same_for_a_record_and_its_position(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["position", OPENING, "--move", "12"])
    text = capsys.readouterr().out.strip()
    assert main(["advise", "--position", text, "--unit", "worms"]) == 0
    by_position = capsys.readouterr().out
    assert main(["advise", OPENING, "--move", "12", "--unit", "worms"]) == 0
    # A position has no names.
    assert capsys.readouterr().out.replace("Ada", "Player 1") == by_position


def test_the_odds_of_a_position_are_those_of_its_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--position", POSITION, "--json"]) == 0
    by_position = json.loads(capsys.readouterr().out)
    assert main(["odds", "--kept", "44W", "--roll", "11335", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == by_position


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["advise"], "Give either the FILE of a record, or a position with --position."),
        (["advise", OPENING, "--position", POSITION], "Give either the FILE of a record, or a "),
        (["advise", "--position", POSITION, "--move", "3"], "--position is a single position, "),
        (["advise", "--position", "chess"], "Character 1: 'chess' is not an edition"),
        (["advise", "--position", "classic_21-36_24_-_0"], "The 24 is both on the grill and in "),
        (["advise", "--position", "classic_21-36_-_-_0~-~dice"], "There is nothing to decide "),
        (["odds", "--position", POSITION, "--kept", "4"], "--position has the dice of the turn"),
        (["odds", "--position", "classic_21-36_-_-_0~-~dice"], "there is neither a roll nor a "),
        (["rollout", "--position", "classic_21-36_24_-_0"], "The 24 is both on the grill and in "),
        (["play", "--position", "classic_-~21-36_-_-_0~-~over"], "The game is over in this "),
        (["play", "--position", POSITION, "--first", "1"], "--position cannot be combined with "),
        (["play", "--position", POSITION, "--players", "a,b,c"], "but the position has 2 seats."),
        (["play", "--resume", "--position", POSITION], "--resume cannot be combined with "),
        (["position", OPENING, "--move", "99"], "--move 99: the record has only 17 moves."),
    ],
)
def test_what_is_wrong_is_said(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(args) == 1
    assert sentence in capsys.readouterr().err


def test_a_position_is_played_on(terminal: Terminal, tmp_path: Path) -> None:
    path = tmp_path / "game.heckmeck.json"
    three = "junior_4-9.4-8_9_-_-_1"
    shown = terminal.run(
        "play", "--plain", "--position", three, "--seed", "1", "--record", str(path), typed="q\n"
    )
    assert shown.status == 0, shown.err
    record = read_record(path.read_bytes())
    assert record.position == read_position(three)
    assert record.seats == ("me", "rooster 1", "rooster 2")
