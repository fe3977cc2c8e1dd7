"""`heckmeck train`: a training on the command line."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from heckmeck.training.exams import read_points
from heckmeck.training.session import write_checkpoint
from heckmeck.training.trainer import Learner, Settings, Trainer
from heckmeck.values.network import load
from tests.cli.terminal import Terminal, files_here
from tests.training.test_stopping import interrupting, settings

SHORT = ("train", "--edition", "junior", "--minutes", "0.02", "--exam-games", "2", "--seed", "7")


def test_a_training_leaves_weights_and_a_curve(terminal: Terminal) -> None:
    done = terminal.run(*SHORT, "--out", "junior.npz")
    assert done.status == 0, done.err
    assert done.out == "Weights: junior.npz. Learning curve: junior.csv.\n"
    assert "2 players against fox: " in done.err
    assert [each.seats for each in load(Path("junior.npz"), "junior")] == [(2, 2), (3, 5)]
    assert {each.seats for each in read_points(Path("junior.csv"))} == {2, 3, 5}
    assert Path("junior.svg").exists()
    assert not Path("junior.checkpoint").exists()


def test_weights_that_are_there_are_kept(terminal: Terminal) -> None:
    Path("junior.npz").write_bytes(b"precious")
    done = terminal.run(*SHORT, "--out", "junior.npz")
    assert done.status == 1
    assert "junior.npz already exists. Choose another name, or add --force." in done.err
    assert Path("junior.npz").read_bytes() == b"precious"


def test_weights_have_their_ending(terminal: Terminal) -> None:
    done = terminal.run(*SHORT, "--out", "junior.bin")
    assert done.status == 2
    assert "--out must end in .npz, not junior.bin." in done.err


def test_only_what_there_is_can_be_trained(terminal: Terminal) -> None:
    done = terminal.run(*SHORT, "--out", "junior.npz", "--players", "7")
    assert done.status == 2
    assert "junior is played by up to 5 players, not 7." in done.err
    Path("other.npz").write_bytes(b"hello")
    done = terminal.run(*SHORT, "--out", "junior.npz", "--from", "other.npz")
    assert done.status == 1
    assert "other.npz is not a file of a champion's weights" in done.err
    write_checkpoint(Trainer(Settings("junior", (3, 5), (8,))), 0, Path("junior.checkpoint"))
    done = terminal.run(*SHORT, "--out", "junior.npz", "--players", "2", "--resume")
    assert done.status == 1
    assert "is of the network for 3 to 5 players. Use the same --players" in done.err


def test_nothing_to_resume(terminal: Terminal) -> None:
    done = terminal.run(*SHORT, "--out", "junior.npz", "--resume")
    assert done.status == 1
    assert "There is no checkpoint junior.checkpoint to resume from." in done.err


def test_what_is_no_checkpoint_is_not_resumed(terminal: Terminal) -> None:
    Path("junior.checkpoint").write_bytes(b"hello")
    done = terminal.run(*SHORT, "--out", "junior.npz", "--resume")
    assert done.status == 1
    assert "junior.checkpoint is not a checkpoint of a training." in done.err


def test_ctrl_c_waits_for_a_step_not_for_a_round(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr("heckmeck.training.session._settings", settings)
    monkeypatch.setattr(Learner, "learn", interrupting(Learner.learn, 3, calls))
    done = terminal.run("train", "--edition", "junior", "--out", "junior.npz")
    assert done == (
        130,
        "",
        "Stopped. Continue with the same command and --resume (junior.checkpoint).\n",
    )
    assert calls == [1, 2, 3]
    assert files_here() == ["junior.checkpoint"]


def test_ctrl_c_keeps_what_was_learned_and_resume_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "heckmeck", "train", "--edition", "junior", "--minutes", "5"]
    command += ["--exam-games", "2", "--out", "junior.npz"]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    ) as process:
        assert process.stderr
        process.stderr.readline()  # the first exam: the network learns by now
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=120)
        assert process.returncode == 130, told
    assert "Stopped. Continue with the same command and --resume (junior.checkpoint)." in told
    assert load(tmp_path / "junior.npz", "junior")[0].seats == (2, 2)
