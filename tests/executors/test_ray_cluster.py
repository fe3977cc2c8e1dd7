"""The same chunks on a real Ray of this machine, with two workers."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import ray

from heckmeck.arena.chunks import Chunk, cut
from heckmeck.bots import BotMisbehaved
from heckmeck.executors import MAX_DEATHS, NoCluster, WorkersDied
from heckmeck.executors.ray_cluster import OnRay
from heckmeck.training.trainer import Settings, Trainer
from tests.arena.games import all_at_once, results_of, small, total
from tests.bots.programs import bot_name, deaths, killer_name


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


def test_a_cluster_plays_while_a_trainer_learns(executor: OnRay) -> None:
    settings = Settings("junior", (2, 2), (8,), tables=16, turns=2, warm_turns=30, warm_steps=5)
    trainer = Trainer(settings, executor=executor)
    trainer.warm_up()
    for _ in trainer.course(lambda: trainer.positions / 500):
        pass
    assert trainer.positions >= 500
    assert trainer.learner.steps > settings.warm_steps


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
