"""All players of a game: PettingZoo's own tests."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from heckmeck import rules
from heckmeck.bulk.games import IllegalAction, Rewards
from heckmeck.envs.pettingzoo import env, raw_env


@pytest.fixture(autouse=True)
def dict_spaces() -> Iterator[None]:
    """PettingZoo warns about every space that is a dictionary, its own games' included."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*probably should be gymnasium.spaces.*")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        yield


@pytest.mark.parametrize(
    ("edition", "players"), [("classic", 2), ("deluxe", 7), ("barbecue", 5), ("junior", 3)]
)
def test_pettingzoo_finds_nothing_wrong(
    edition: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    api_test(env(edition=edition, players=players), num_cycles=100)
    seed_test(lambda: env(edition=edition, players=players), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("rewards", ["win", "worms", "swing"])
def test_rewards_add_up_to_the_result(rewards: Rewards) -> None:
    game = raw_env(edition="junior", players=4, rewards=rewards)
    game.reset(seed=8)
    luck, brought = np.random.default_rng(1), dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, over, _, info = game.last()
        brought[agent] += reward
        assert (seen["action_mask"] == info["action_mask"]).all()
        game.step(None if over else np.int64(luck.choice(np.flatnonzero(seen["action_mask"]))))
    outcome = rules.outcome(game.state_of_game)
    assert outcome is not None
    paid = outcome.shares if rewards == "win" else outcome.scores
    assert list(brought.values()) == pytest.approx(list(paid))


def test_only_the_player_to_move_may_do_something() -> None:
    game = raw_env(edition="deluxe", players=3, render_mode="ansi")
    game.reset(seed=1)
    masks = {agent: game.observe(agent)["action_mask"].sum() for agent in game.agents}
    assert masks.pop(game.agent_selection) > 1
    assert set(masks.values()) == {0}
    assert "to move: P0" in str(game.render())
    with pytest.raises(IllegalAction):
        game.step(np.int64(0))


def test_an_illegal_action_loses() -> None:
    game = env(edition="classic")
    game.reset(seed=1)
    game.step(np.int64(0))
    assert game.terminations[game.agent_selection]
    assert game.rewards["player_0"] == -1
