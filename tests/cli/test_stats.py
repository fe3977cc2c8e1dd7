"""`heckmeck stats`: a folder of games, judged together."""

import json
from pathlib import Path

import pytest

from heckmeck.bots import player
from heckmeck.cli import main
from heckmeck.cli.printing import can_draw
from heckmeck.record import Record, record_to_json, write_json
from heckmeck.record.json_text import dumps
from heckmeck.rules import HouseRules
from tests.bots.games import bot_game


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game in a file, two in another, one with house rules, and a letter."""
    games = [bot_game("junior", 2, seed=seed, bot=player("chick")) for seed in range(3)]
    (tmp_path / "one.heckmeck.json").write_text(write_json(games[0]))
    (tmp_path / "more").mkdir()
    lines = [dumps(record_to_json(game)) for game in games[1:]]
    (tmp_path / "more" / "games.jsonl").write_text("".join(f"{line}\n" for line in lines))
    house = Record("classic", ("Ada", "Ben"), house=HouseRules(flip_always=True))
    (tmp_path / "house.heckmeck.json").write_text(write_json(house))
    (tmp_path / "letter.txt").write_text("Dear Ada")
    return tmp_path


def test_all_players_and_one_in_parts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(folder)]) == 0
    text = capsys.readouterr().out
    assert [line.split()[:2] for line in text.splitlines()[1:3]] == [["Ada", "3"], ["Ben", "3"]]
    assert "1 games with house rules are left out" in text
    assert main(["stats", str(folder), "--player", "Ada"]) == 0
    text = capsys.readouterr().out
    for part in ("junior, 2 players", "opening", "stop or roll", "1 of 2"):
        assert part in text
    assert "judged by junior " in text


def test_as_data(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(folder), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    ada, ben = data["players"]["Ada"], data["players"]["Ben"]
    assert data["left_out"] == 1
    assert ada["luck"]["mean"] == pytest.approx(-ben["luck"]["mean"])
    assert ada["adjusted"]["mean"] + ben["adjusted"]["mean"] == pytest.approx(1)
    assert ada["by_seat"]["1 of 2"]["games"] == 3


def test_pictures(
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pictures = tmp_path / "new" / "pictures"
    if can_draw():
        assert main(["stats", str(folder), "--plots", str(pictures)]) == 0
        drawn = {path.name for path in pictures.iterdir()}
        names = ("given_away", "luck", "decisions")
        assert drawn == {f"{name}.{form}" for name in names for form in ("svg", "png")}
        assert "Ada" in (pictures / "decisions.svg").read_text(encoding="utf-8")
    monkeypatch.setattr("heckmeck.cli.printing.can_draw", lambda: False)
    assert main(["stats", str(folder), "--plots", str(pictures)]) == 1
    assert "--plots needs matplotlib." in capsys.readouterr().err


def test_standings_and_honours(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(folder), "--honours"]) == 0
    text = capsys.readouterr().out
    assert "win share" in text
    assert "Highest tile [junior]: " in text
    assert "given away" in text
    assert main(["stats", str(folder), "--honours", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["standings"][0]["games"] == 3
    assert {honour["kind"] for honour in data["honours"]} >= {"worms", "tile", "total"}


def test_errors_say_what_would_be_right(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(folder), "--player", "Eve"]) == 1
    assert "nobody is called that. The players are Ada, Ben." in capsys.readouterr().err
    assert main(["stats", str(folder / "nowhere")]) == 1
    assert "No such file" in capsys.readouterr().err
    assert main(["stats", str(folder / "letter.txt")]) == 1
    assert "letter.txt" in capsys.readouterr().err
    (folder / "empty").mkdir()
    assert main(["stats", str(folder / "empty")]) == 1
    assert "There are no games to judge" in capsys.readouterr().err
