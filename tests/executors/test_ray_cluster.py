"""The same chunks on a real Ray of this machine, with two workers."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest
import ray

from heckmeck.arena import rollout
from heckmeck.arena.chunks import Chunk, cut
from heckmeck.arena.rollout import Rollout, Rounds
from heckmeck.bots import BotMisbehaved
from heckmeck.executors import MAX_DEATHS, Inline, NoCluster, Work, WorkersDied
from heckmeck.executors.ray_cluster import OnRay
from heckmeck.training.self_play import SelfPlay
from heckmeck.training.trainer import Settings, Trainer, begins
from tests.arena.games import all_at_once, results_of, small, total
from tests.arena.test_rollout import position
from tests.bots.programs import bot_name, deaths, killer_name
from tests.values.networks import opinionated

R = TypeVar("R")
JUNIOR = Settings("junior", (2, 2), (8,), tables=16, turns=2, warm_turns=30, warm_steps=5)


@pytest.fixture(scope="module")
def executor() -> Iterator[OnRay]:
    with closing(OnRay("local", workers=2)) as executor:
        yield executor
    assert not ray.is_initialized()


def test_two_workers_play_the_same_games(executor: OnRay) -> None:
    assert executor.workers == 2
    tournament = small(bots="fox chick rooster", games=30)
    chunks = list(cut(tournament, executor.workers, keep_records=True, largest=4))
    assert total(results_of(executor, chunks)) == all_at_once(tournament)


def test_a_killed_worker_loses_no_chunk(executor: OnRay, tmp_path: Path) -> None:
    """The bot kills the Ray worker that asks it, in the middle of a game."""
    tournament = replace(small(games=8), bots=("chick", killer_name(tmp_path, 1)))
    chunks = list(cut(tournament, executor.workers, keep_records=True, largest=2))
    results = results_of(executor, chunks)
    assert deaths(tmp_path) == 1
    assert total(results) == all_at_once(tournament)


def test_a_chunk_that_always_kills_its_worker_is_given_up(executor: OnRay, tmp_path: Path) -> None:
    tournament = replace(small(games=2), bots=("chick", killer_name(tmp_path, 99)))
    with pytest.raises(WorkersDied, match="were killed 4 times while playing games 0 to 1"):
        results_of(executor, [Chunk(tournament, 0, 2)])
    assert deaths(tmp_path) == MAX_DEATHS + 1


def test_what_goes_wrong_there_is_said_as_if_it_had_been_here(
    executor: OnRay, tmp_path: Path
) -> None:
    name = bot_name(tmp_path, "say(id=1, move='hop')")
    with pytest.raises(BotMisbehaved) as caught:
        results_of(executor, [Chunk(replace(small(), bots=("chick", name)), 0, 2)])
    assert str(caught.value).startswith(f"{name} chose 'hop', which is not a move: ")


def test_a_running_ray_is_used_and_left_running(executor: OnRay) -> None:
    with closing(OnRay("local", workers=7)) as guest:
        assert guest.workers == executor.workers
        assert len(results_of(guest, [Chunk(small(), 0, 2)])) == 1
    assert ray.is_initialized()


def deadly(work: Iterable[Work[R]], folder: Path) -> Iterator[Work[R]]:
    """The same work, but the third piece kills the worker that begins it, once."""

    @dataclass(frozen=True)
    class Deadly:  # within a function: Ray then sends the class along, not the name of a test
        piece: Work[R]
        mark: Path

        def run(self) -> R:
            try:
                self.mark.touch(exist_ok=False)
            except FileExistsError:
                return self.piece.run()
            os.kill(os.getpid(), signal.SIGKILL)
            raise AssertionError("a killed process goes on")

    for number, piece in enumerate(work):
        yield Deadly(piece, folder / "death") if number == 2 else piece


class OnDeadlyRay:
    """An executor one of whose workers is killed while it works."""

    def __init__(self, executor: OnRay, folder: Path) -> None:
        self._executor, self._folder = executor, folder
        self.workers = executor.workers

    def run(self, work: Iterable[Work[R]]) -> Iterator[R]:
        return self._executor.run(deadly(work, self._folder))

    def close(self) -> None:
        self._executor.close()

    @property
    def has_killed(self) -> bool:
        return (self._folder / "death").exists()


def test_a_cluster_plays_while_a_trainer_learns_even_if_one_is_killed(
    executor: OnRay, tmp_path: Path
) -> None:
    dying = OnDeadlyRay(executor, tmp_path)
    trainer = Trainer(JUNIOR, executor=dying)
    trainer.warm_up()
    rounds = sum(1 for _ in trainer.course(lambda: trainer.positions / 500))
    assert dying.has_killed
    assert trainer.positions == rounds * JUNIOR.tables * JUNIOR.turns >= 500
    assert sorted(trainer.waiting) == list(range(len(trainer.lanes)))  # no round was lost
    assert trainer.learner.steps == JUNIOR.warm_steps + rounds * JUNIOR.steps


def test_a_killed_worker_changes_no_lesson(executor: OnRay, tmp_path: Path) -> None:
    (begin,) = begins(JUNIOR).values()
    rows = begin[None].repeat(8, axis=0)
    network = opinionated("junior")
    work = [
        SelfPlay(lane, network, rows, begin, 2, turns=3, explore=0.1, back=0.5, seed=lane)
        for lane in range(4)
    ]
    dying = OnDeadlyRay(executor, tmp_path)
    there = sorted(dying.run(work), key=lambda each: each.lane)
    assert dying.has_killed
    for one, other in zip(there, Inline().run(work), strict=True):
        assert one.lane == other.lane
        assert (one.rows == other.rows).all()
        assert (one.lessons.rows == other.lessons.rows).all()
        assert (one.lessons.targets == other.lessons.targets).all()


def test_a_killed_worker_changes_no_rollout(executor: OnRay, tmp_path: Path) -> None:
    rolled = Rollout(position(), "rooster", seed=2)
    dying = OnDeadlyRay(executor, tmp_path)
    there, here = Rounds(rolled), Rounds(rolled)
    for results in dying.run(list(rollout.cut(rolled, 400))):
        there.take(results)
    for piece in rollout.cut(rolled, 400):
        here.take(piece.run())
    assert dying.has_killed
    assert there.games == here.games >= 400
    assert there.moves == here.moves


def test_no_cluster_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asks for the cluster of this machine, which is not there while ours is hidden."""

    def nobody(**options: object) -> None:
        assert options["address"] == "auto"
        assert options["num_cpus"] is None
        raise ConnectionError("Could not find any running Ray instance")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", nobody)
    with pytest.raises(NoCluster, match=r"There is no Ray cluster at 'auto': .* --ray local\."):
        OnRay("auto", workers=1)


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "nonsense"])
def test_an_address_where_nobody_listens_is_said_at_once(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(NoCluster, match=f"There is no Ray cluster at '{address}': "):
        OnRay(address, workers=1)
