"""`heckmeck verify`."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from heckmeck.cli import main
from heckmeck.dice import FairDice, FairProof, commitment, promise
from heckmeck.record import JsonValue, Record, final_state, read_record, write_json, write_text
from heckmeck.rules import apply, parse
from heckmeck.rules.moves import Throw
from tests.dice.test_fair import SEED, fair_game, with_proof


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


def text_of(shown: str) -> str:
    """What was printed, wherever its lines were broken."""
    return " ".join(shown.split())


def test_dice_that_nobody_promised_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever writes the record could say that all of it was imported."""
    record = fair_game("junior")
    throws = sum(isinstance(move, Throw) for move in record.moves)
    all_imported = saved(tmp_path, with_proof(record, start=len(record.moves)))
    assert main(["verify", all_imported]) == 1
    shown = text_of(capsys.readouterr().err)
    assert f"nothing is verified: its first {throws} rolls came with an imported record" in shown
    assert main(["verify", saved(tmp_path, replace(record, moves=()))]) == 1
    assert "the record contains no roll" in text_of(capsys.readouterr().err)


def test_a_game_that_went_on_from_a_record_is_verified_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported = read_record(b"edition: junior\nseats: Ada, Ben\n\nroll =WWWBCG keep:W\n")
    dice = FairDice(SEED, ("", ""))
    rolled = apply(final_state(imported), parse("roll")).state
    proof = FairProof(commitment(SEED), ("", ""), SEED, start=len(imported.moves))
    record = replace(
        imported,
        moves=(*imported.moves, parse("roll"), dice.throw(rolled, 0)),
        extra={"fair": proof.to_json()},
    )
    assert main(["verify", saved(tmp_path, record)]) == 1
    assert (
        "not all is verified: its first 1 rolls came with an imported record, and nobody promised "
        "their dice; the 1 rolls since are as promised"
    ) in text_of(capsys.readouterr().err)


def test_dice_of_the_players_own_are_named_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = fair_game("junior")
    throws = sum(isinstance(move, Throw) for move in record.moves)
    own = with_proof(record, start=len(record.moves), own_dice=True)
    assert main(["verify", saved(tmp_path, own)]) == 1
    assert (
        f"the dice cannot be verified: the players rolled all {throws} rolls with dice of their "
        "own and entered what fell"
    ) in text_of(capsys.readouterr().err)


def test_the_promise_that_was_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path, fair_game("junior"))
    assert main(["verify", "--commitment", commitment(SEED), path]) == 0
    assert main(["verify", "--commitment", commitment(bytes(32)), path]) == 1
    assert "not the one that was noted before the game" in text_of(capsys.readouterr().err)
    assert main(["verify", "--commitment", commitment(SEED)[:16], path]) == 2
    assert "64 hexadecimal digits" in text_of(capsys.readouterr().err)


def test_what_is_left_to_trust_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = saved(tmp_path, fair_game("junior"), "old.json")
    promises: JsonValue = [promise("a"), promise("b")]
    shown = saved(tmp_path, with_proof(fair_game("junior"), promises=promises), "shown.json")
    half = saved(
        tmp_path, with_proof(fair_game("junior", salts=("", "b")), promises=promises), "half.json"
    )
    assert main(["verify", "--json", old, shown, half]) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "words were not promised beforehand" in reports[0]["summary"]
    assert reports[1]["summary"].endswith("are as promised")
    assert "seat 0 did not show the promised words" in reports[2]["summary"]
    assert [report["not_shown"] for report in reports] == [[], [], [0]]
    assert [report["words_promised"] for report in reports] == [False, True, True]
