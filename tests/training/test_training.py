"""The course of a training, its checkpoint and its files."""

import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import numpy as np
import pytest

from heckmeck.bulk.rows import row_rules
from heckmeck.executors import Inline
from heckmeck.executors.processes import Processes
from heckmeck.rules import HouseRules, new_game
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.grill import Grill
from heckmeck.training.exams import Exam, Point, draw, read_points, write_points
from heckmeck.training.self_play import Lessons
from heckmeck.training.session import (
    BadCheckpoint,
    Plan,
    Session,
    read_checkpoint,
    seats_of,
    seed_of,
    write_checkpoint,
)
from heckmeck.training.trainer import Learner, Memory, Settings, Trainer
from heckmeck.values.features import features
from heckmeck.values.network import load
from heckmeck.values.win import NetworkChances
from tests.values.networks import opinionated

SMALL = Settings(
    "junior", (2, 3), (16,), seed=3, tables=32, turns=3, room=500, warm_turns=40, warm_steps=60
)


def after_rounds(number: int) -> Trainer:
    trainer = Trainer(SMALL)
    trainer.warm_up()
    for part in range(number):
        trainer.step(part / 10)
    return trainer


def test_a_network_learns_what_it_is_told() -> None:
    rules = row_rules("junior")
    row = rules.row(new_game("junior", 3).table, 0)
    told = np.array([[0.7, 0.2, 0.1]], np.float32)
    learner = Learner(opinionated("junior"), calm=0.5)
    memory = Memory(4, rules.width, 5)
    memory.add(Lessons(row[np.newaxis], told))
    rng = np.random.default_rng(0)
    losses = [learner.learn(memory.some(8, rng), 3e-3) for _ in range(200)]
    assert losses[-1] < 1e-4 < losses[0]
    said = NetworkChances(learner.network).of(rules, row[np.newaxis], 3)
    assert said == pytest.approx(told, abs=0.01)


def test_gradients_are_those_of_the_loss() -> None:
    rules = row_rules("junior")
    row = rules.row(new_game("junior", 4).table, 0)[np.newaxis]
    targets = np.array([[0.1, 0.2, 0.3, 0.4, np.nan]], np.float32)
    learner = Learner(opinionated("junior"))
    inputs = features("junior", row, 5)
    gradients, before = learner._gradients(inputs, targets)  # noqa: SLF001
    for number, place in ((0, (7, 3)), (1, (2, 1)), (2, (1, 2)), (3, (4,)), (5, (2,))):
        parameter = learner.parameters[number]
        step = 1e-2
        parameter[place] += step
        _, after = learner._gradients(inputs, targets)  # noqa: SLF001
        parameter[place] -= step
        assert (after - before) / step == pytest.approx(gradients[number][place], abs=5e-3)


def test_memory_forgets_the_oldest() -> None:
    memory = Memory(3, 1, 2)
    for number in range(5):
        memory.add(Lessons(np.full((1, 1), number, np.int8), np.full((1, 2), 0.5, np.float32)))
    assert set(memory.some(50, np.random.default_rng(0)).rows[:, 0]) == {2, 3, 4}


def test_a_short_training_beats_who_plays_anyhow() -> None:
    settings = replace(SMALL, seats=(2, 2), hidden=(32,), tables=64, room=4000, warm_steps=300)
    trainer = Trainer(settings)
    trainer.warm_up()
    for part in range(8):
        trainer.step(part / 8)
    assert trainer.positions == 8 * 64 * 3 * len(trainer.lanes)
    mark = Exam(trainer.learner.network, "random", seats=2, games=80, seed=2).run()
    assert mark.low > 0.5


def test_processes_play_while_this_one_learns_even_if_they_are_killed() -> None:
    with closing(Processes(2)) as executor:
        trainer = Trainer(SMALL, executor=executor)
        trainer.warm_up()
        for number, _ in enumerate(trainer.course(lambda: trainer.positions / 2000)):
            for worker in multiprocessing.active_children() if number == 3 else ():
                worker.kill()
                worker.join()
    assert trainer.positions >= 2000
    assert sorted(trainer.waiting) == list(range(len(trainer.lanes)))  # no round was lost
    assert trainer.learner.steps > SMALL.warm_steps


@pytest.mark.machine
def test_the_same_seed_trains_the_same_network() -> None:
    one, two = (after_rounds(2).learner.network for _ in range(2))
    assert all((a == b).all() for a, b in zip(one.weights, two.weights, strict=True))


def test_a_board_of_ones_own() -> None:
    """Tiles that are nowhere are out of the game."""
    start = ClassicTable(Grill((21, 22, 23)), ((), ()), HouseRules())
    settings = Settings(
        "classic", (2, 2), (8,), start=start, tables=16, turns=2, warm_turns=30, warm_steps=10
    )
    parts = count()
    trainer = Trainer(settings)
    trainer.warm_up()
    for _ in trainer.course(lambda: next(parts) / 8):
        pass
    chances = NetworkChances(trainer.learner.network).of(
        row_rules("classic"), row_rules("classic").row(start, 0)[None], 2
    )
    assert 0.2 < chances[0, 0] < 0.8


def test_a_checkpoint_brings_everything_back(tmp_path: Path) -> None:
    path = tmp_path / "x.checkpoint"
    trainer = after_rounds(2)
    write_checkpoint(trainer, 1.5, path)
    again = Trainer(SMALL)
    minutes = read_checkpoint(again, path)
    assert (minutes, again.positions) == (1.5, trainer.positions)
    assert (seats_of(path), seed_of(path)) == ((2, 3), 3)
    assert again.learner.steps == trainer.learner.steps
    assert again.rng.integers(1000, size=5).tolist() == trainer.rng.integers(1000, size=5).tolist()
    for one, two in zip(trainer.learner.second, again.learner.second, strict=True):
        assert (one == two).all()
    for lane, other in zip(trainer.lanes, again.lanes, strict=True):
        assert (lane.rows == other.rows).all()


@pytest.mark.machine
def test_a_resumed_training_gives_the_same_weights(tmp_path: Path) -> None:
    def course(trainer: Trainer) -> Iterator[None]:
        return trainer.course(lambda: trainer.positions / 1500)

    trainer = after_rounds(0)
    for _ in islice(course(trainer), 3):
        pass
    write_checkpoint(trainer, 1.5, tmp_path / "x.checkpoint")
    again = Trainer(SMALL)
    read_checkpoint(again, tmp_path / "x.checkpoint")
    for each in (trainer, again):
        for _ in course(each):
            pass
    assert again.positions == trainer.positions >= 1500
    for one, two in zip(trainer.learner.mean, again.learner.mean, strict=True):
        assert (one == two).all()


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.checkpoint"
    write_checkpoint(Trainer(SMALL), 0, path)
    other = Trainer(Settings("junior", (2, 3), (8,)))
    with pytest.raises(BadCheckpoint, match="is of a training with other settings"):
        read_checkpoint(other, path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"hello"])
def test_what_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.checkpoint"
    path.write_bytes(content)
    with pytest.raises(BadCheckpoint, match="is not a checkpoint of a training"):
        seats_of(path)
    with pytest.raises(BadCheckpoint, match="is not a checkpoint of a training"):
        read_checkpoint(Trainer(SMALL), path)


def test_an_exam_is_played_by_the_rules() -> None:
    mark = Exam(opinionated("junior"), "chick", seats=3, games=6, seed=1).run()
    assert (mark.opponent, mark.seats, mark.games) == ("chick", 3, 6)
    assert mark.low < mark.high
    assert 36 * mark.share == pytest.approx(round(36 * mark.share))  # two or three may share a win
    assert Exam(opinionated("junior"), "chick", seats=3, games=6, seed=1).run() == mark


def test_a_curve_is_read_as_it_was_written(tmp_path: Path) -> None:
    points = [
        Point(1.5, 1000, 0.02, "fox", 2, 400, 0.5, 0.45, 0.55),
        Point(3.0, 2000, 0.01, "chick", 2, 400, 0.7, 0.65, 0.75),
        Point(3.0, 2000, 0.01, "chick", 3, 2, 1.0, 0.34, 1.0 - 2**-53),
    ]
    write_points(points, tmp_path / "c.csv")
    assert read_points(tmp_path / "c.csv") == points
    assert read_points(tmp_path / "none.csv") == []
    draw(points, "Learning curve", tmp_path / "c.svg")
    assert (
        "Learning curve" in (tmp_path / "c.svg").read_text() or (tmp_path / "c.svg").stat().st_size
    )


def test_a_session_leaves_weights_and_a_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.training.session._settings", quick_settings)
    plan = Plan("junior", 0.02, tmp_path / "junior.npz", seed=1, exam_games=2)
    session = Session(plan, Inline())
    statuses = list(session.run())
    assert [each.seats for each in load(plan.out, "junior")] == [(2, 2), (3, 5)]
    assert statuses[-1].done == pytest.approx(1, abs=0.01)
    points = read_points(plan.curve)
    assert {each.opponent for each in points} == {"fox", "chick"}
    for_two = [each.positions for each in points if each.seats == 2]
    assert for_two[:2] == [0, 0]  # before it learns
    assert for_two[-1] == max(each.positions for each in statuses if each.seats == (2, 2))
    assert not plan.checkpoint.exists()


def test_a_session_goes_on_where_it_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.training.session._settings", quick_settings)
    plan = Plan("junior", 0.05, tmp_path / "junior.npz", seed=1, exam_games=2)
    session = Session(plan, Inline())
    for status in session.run():
        if status.seats == (3, 5):
            break
    session.save()
    assert seats_of(plan.checkpoint) == (3, 5)
    first = load(plan.out)[0]
    statuses = list(Session(plan, Inline()).run(resume=True))
    assert {each.seats for each in statuses} == {(3, 5)}
    networks = load(plan.out)
    assert [each.seats for each in networks] == [(2, 2), (3, 5)]
    assert (networks[0].weights[0] == first.weights[0]).all()
    assert not plan.checkpoint.exists()


def test_one_network_is_trained_further_and_the_other_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.training.session._settings", quick_settings)
    monkeypatch.setattr("heckmeck.training.session.EXAMS", (1.0,))
    first = Plan("junior", 1.0, tmp_path / "first.npz", seed=1, exam_games=2, positions=200)
    list(Session(first, Inline()).run())
    before = load(first.out)
    plan = replace(first, out=tmp_path / "second.npz", players=4, further=first.out)
    statuses = list(Session(plan, Inline()).run())
    assert {each.seats for each in statuses} == {(3, 5)}
    after = load(plan.out)
    assert [each.seats for each in after] == [(2, 2), (3, 5)]
    assert (after[0].weights[0] == before[0].weights[0]).all()
    change = abs(after[1].weights[0] - before[1].weights[0]).mean()
    assert 0 < change < 0.02 < abs(before[1].weights[0]).mean()  # it went on from there


@pytest.mark.machine
def test_a_session_of_so_many_positions_goes_the_same_way_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heckmeck.training.session._settings", quick_settings)
    monkeypatch.setattr("heckmeck.training.session.EXAMS", (1.0,))
    trained = []
    for name in ("one", "two"):
        out = tmp_path / f"{name}.npz"
        plan = Plan("junior", 1.0, out, seed=1, exam_games=2, positions=400)
        *_, last = Session(plan, Inline()).run()
        assert last.done == 1
        trained.append(load(out))
    for one, two in zip(*trained, strict=True):
        for layer, same in zip(one.weights, two.weights, strict=True):
            assert (layer == same).all()


def quick_settings(plan: Plan, seats: tuple[int, int], _: float) -> Settings:
    return Settings(
        plan.edition,
        seats,
        (8,),
        plan.seed,
        tables=8,
        turns=2,
        room=100,
        warm_turns=30,
        warm_steps=5,
    )
