"""Ctrl-C stops a training at the next step, and what was learned is whole."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from heckmeck.bulk.turns import play_turns
from heckmeck.executors import Inline
from heckmeck.training import self_play, session
from heckmeck.training.exams import Exam
from heckmeck.training.self_play import Lessons
from heckmeck.training.session import Plan, Session, read_checkpoint, seats_of
from heckmeck.training.trainer import Learner, Settings, Trainer
from heckmeck.values.network import load

P = ParamSpec("P")
R = TypeVar("R")

WARM_STEPS = 50
STEPS = 32


def settings(plan: Plan, seats: tuple[int, int], _: float) -> Settings:
    return Settings(
        plan.edition,
        seats,
        (8,),
        plan.seed,
        tables=8,
        turns=4,
        room=100,
        steps=STEPS,
        warm_turns=30,
        warm_steps=WARM_STEPS,
    )


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.setattr(session, "_settings", settings)
    monkeypatch.setattr(session, "EXAMS", (1.0,))
    return Plan("junior", 1.0, tmp_path / "junior.npz", seed=1, exam_games=2, positions=10_000)


def interrupting(function: Callable[P, R], at: int, calls: list[int]) -> Callable[P, R]:
    """The function, in whose call number ``at`` Ctrl-C is pressed."""

    def counted(*args: P.args, **options: P.kwargs) -> R:
        calls.append(len(calls) + 1)
        if len(calls) == at:
            signal.raise_signal(signal.SIGINT)
        return function(*args, **options)

    return counted


def run_until_ctrl_c(plan: Plan, *, resume: bool = False) -> Session:
    training = Session(plan, Inline())
    with pytest.raises(KeyboardInterrupt):
        for _ in training.run(resume=resume):
            pass
    training.save()
    return training


@pytest.mark.parametrize("at", [3, WARM_STEPS + STEPS + 5], ids=["in the warm-up", "in a round"])
def test_it_stops_after_the_step_under_way(
    plan: Plan, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    steps: list[int] = []
    learn = interrupting(Learner.learn, at, calls)

    def learned(learner: Learner, lessons: Lessons, rate: float) -> float:
        loss = learn(learner, lessons, rate)
        steps.append(learner.steps)
        return loss

    monkeypatch.setattr(Learner, "learn", learned)
    run_until_ctrl_c(plan)
    assert len(calls) == at
    assert steps[-1] == at  # whole, and none after it


@pytest.mark.parametrize("at", [2, 30 + 2], ids=["in games for worms", "in self-play"])
def test_it_stops_after_the_turn_under_way(
    plan: Plan, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(self_play, "play_turns", interrupting(play_turns, at, calls))
    run_until_ctrl_c(plan)
    assert len(calls) == at


def test_it_stops_amid_an_exam(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "EXAMS", (0.0, 1.0))
    calls: list[int] = []
    monkeypatch.setattr(Exam, "run", interrupting(Exam.run, 1, calls))
    run_until_ctrl_c(plan)
    assert calls == [1]
    assert plan.checkpoint.exists()


def test_what_was_learned_is_in_the_checkpoint(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    at = WARM_STEPS + STEPS + 5
    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", interrupting(Learner.learn, at, []))
        run_until_ctrl_c(plan)
    trainer = Trainer(settings(plan, (2, 2), 1.0))
    minutes = read_checkpoint(trainer, plan.checkpoint)
    assert trainer.learner.steps == at
    assert trainer.positions > 0
    assert minutes < 10  # no clock from before the beginning
    assert [each.seats for each in load(plan.out)] == [(2, 2)]


def test_a_warm_up_is_done_again_from_its_beginning(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", interrupting(Learner.learn, 7, []))
        run_until_ctrl_c(plan)
    assert seats_of(plan.checkpoint) == (2, 2)
    assert not plan.out.exists()  # nothing that could play
    small = Plan("junior", 1.0, plan.out, seed=1, exam_games=2, positions=200)
    list(Session(small, Inline()).run(resume=True))
    other = Plan("junior", 1.0, tmp_path / "o.npz", seed=1, exam_games=2, positions=200)
    list(Session(other, Inline()).run())
    for one, two in zip(load(small.out), load(other.out), strict=True):
        for layer, same in zip(one.weights, two.weights, strict=True):
            assert (layer == same).all()


def test_ctrl_c_before_the_checkpoint_is_read_spoils_nothing(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = WARM_STEPS + STEPS + 5
    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", interrupting(Learner.learn, at, []))
        run_until_ctrl_c(plan)
    monkeypatch.setattr(session, "read_checkpoint", interrupting(read_checkpoint, 1, []))
    run_until_ctrl_c(plan, resume=True)
    trainer = Trainer(settings(plan, (2, 2), 1.0))
    read_checkpoint(trainer, plan.checkpoint)
    assert trainer.learner.steps == at


def test_before_there_is_anything_nothing_is_written(plan: Plan, tmp_path: Path) -> None:
    Session(plan, Inline()).save()
    assert list(tmp_path.iterdir()) == []
