"""`heckmeck odds`: a table, a picture, JSON, and help for turns that cannot be."""

import json
from pathlib import Path

import pytest

from heckmeck.cli import main

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "odds.json").read_text("utf-8"))


def test_json_has_exactly_the_keys_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--edition", "classic", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert list(data) == ["edition", "at_least", "exactly"]
    assert data["edition"] == "classic"
    assert data["at_least"] == pytest.approx(KNOWN["classic"]["at_least"], abs=1e-9)
    assert data["exactly"] == pytest.approx(KNOWN["classic"]["exactly"], abs=1e-9)


def test_the_turn_can_be_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--kept", "44W", "--hand", "5", "--json"]) == 0
    before = json.loads(capsys.readouterr().out)
    assert main(["odds", "--kept", "44W", "--roll", "1134W", "--json"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert after["at_least"]["21"] != before["at_least"]["21"]


def test_the_table_shows_numbers_and_bars(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--edition", "deluxe", "--holding", "weasel"]) == 0
    out = capsys.readouterr().out
    assert "Odds with a worm: deluxe, holding weasel" in out
    (line,) = (line for line in out.splitlines() if line.split()[:1] == ["21"])
    assert "96.1%" in line
    assert "█" in line
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(("name", "magic"), [("o.svg", b"<?xml"), ("o.png", b"\x89PNG")])
def test_the_picture(tmp_path: Path, name: str, magic: bytes) -> None:
    assert main(["odds", "--plot", str(tmp_path / name), "--json"]) == 0
    assert (tmp_path / name).read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--kept", "66"], "'66' are not dice"),
        (["--holding", "weasel"], "classic has no Specialists"),
        (["--plot", "odds.gif"], "must end in .svg or .png"),
        (["--plot", "no/such/folder.svg"], "No such file or directory"),
    ],
)
def test_what_cannot_be_is_explained(
    args: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["odds", *args]) == 1
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.startswith("heckmeck: ")
    assert captured.out == ""


def test_the_moves_of_a_throw_are_weighed_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--roll", "1124445W", "--unit", "worms"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["move", "worth", "in", "worms", "brings", "nothing"] in lines
    assert any(line[:2] == ["keep:4", "+1.504"] for line in lines)
    assert main(["odds", "--roll", "1124445W", "--unit", "worms", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["unit"], data["moves"][0]["move"]) == ("worms", "keep:4")


@pytest.mark.usefixtures("without_matplotlib")
def test_without_matplotlib_a_picture_is_refused_before_anything_is_solved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def solved(_: object) -> None:
        raise AssertionError("too late")

    monkeypatch.setattr("heckmeck.coach.advice.odds", solved)
    assert main(["odds", "--plot", "odds.svg"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("heckmeck: --plot needs matplotlib. Add it with: ")
    assert err.endswith("'heckmeck[plots]'\n")
