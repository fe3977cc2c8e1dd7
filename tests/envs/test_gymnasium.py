"""One player against bots: Gymnasium's own checks, and the vector against single environments."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import heckmeck.envs
from heckmeck import rules
from heckmeck.bulk.games import IllegalAction
from heckmeck.envs.gymnasium import HeckmeckEnv, HeckmeckVectorEnv
from heckmeck.envs.pictures import as_svg, as_text
from heckmeck.rules import BadSetup

EDITIONS = ("Classic", "Deluxe", "Barbecue", "Junior")


@pytest.mark.parametrize("edition", EDITIONS)
def test_gymnasium_finds_nothing_wrong(edition: str) -> None:
    env = gymnasium.make(f"heckmeck/{edition}-v0", opponents=("chick", "random"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def legal(masks: NDArray[Any], luck: np.random.Generator) -> NDArray[np.int64]:
    """A random legal action for each mask; any action where nothing is legal."""
    return np.array([luck.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])


def play(env: HeckmeckEnv, seed: int) -> tuple[float, list[int]]:
    """A game of random actions: what it brought in all, and the actions."""
    luck = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    brought, actions, over = 0.0, [], False
    while not over:
        assert env.observation_space.contains(seen)
        assert (seen["action_mask"] == info["action_mask"]).all()
        actions.append(int(legal(info["action_mask"][None], luck)[0]))
        seen, reward, over, _, info = env.step(np.int64(actions[-1]))
        brought += reward
    return brought, actions


@pytest.mark.parametrize("edition", [edition.lower() for edition in EDITIONS])
def test_seeds_repeat_games_and_rewards_add_up(edition: str) -> None:
    games = {}
    for rewards in ("win", "worms", "swing"):
        env = HeckmeckEnv(edition, ("rooster", "random"), rewards=rewards)
        brought, games[rewards] = play(env, seed=3)
        outcome = rules.outcome(env.state)
        assert outcome is not None
        seat = int(env.seats[0])
        paid = outcome.shares[seat] if rewards == "win" else outcome.scores[seat]
        assert brought == pytest.approx(paid)
    assert games["win"] == games["worms"] == games["swing"]


def test_an_illegal_action_ends_the_game_or_raises_and_plays_nothing() -> None:
    env = HeckmeckEnv()
    seen, info = env.reset(seed=1)
    before, illegal = env.state, np.int64(np.argmin(info["action_mask"]))
    after, reward, over, _, _ = env.step(illegal)
    assert (reward, over, env.state) == (-1.0, True, before)
    assert (after["observation"] == seen["observation"]).all()
    strict = HeckmeckEnv(illegal="raise")
    strict.reset(seed=1)
    for action in (illegal, np.int64(-1), np.int64(99)):
        with pytest.raises(IllegalAction, match="Legal there: keep:"):
            strict.step(action)
    assert strict.state == before


def test_learners_meet_every_seat() -> None:
    env = HeckmeckVectorEnv(200, "junior", ("random", "random"))
    env.reset(seed=1)
    assert (np.bincount(env.seats) > 40).all()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("edition", ["deluxe", "junior"])
def test_a_vector_plays_the_games_of_single_environments(mode: AutoresetMode, edition: str) -> None:
    count, luck = 3, np.random.default_rng(5)
    opponents = ("random", "chick")
    vector = HeckmeckVectorEnv(count, edition, opponents, autoreset_mode=mode)
    singles = [HeckmeckEnv(edition, opponents) for _ in range(count)]
    seen, info = vector.reset(seed=10)
    for number, single in enumerate(singles):
        assert (
            single.reset(seed=10 + number)[0]["observation"] == seen["observation"][number]
        ).all()
    waiting, ended = [False] * count, 0
    for turn in range(150):
        actions = legal(info["action_mask"], luck)
        if turn % 40 == 39:
            actions[0] = int(np.argmin(info["action_mask"][0]))  # as careless learners do
        seen, rewards, over, _, info = vector.step(actions)
        for number, single in enumerate(singles):
            if waiting[number]:
                one, _ = single.reset()
                waiting[number], reward, done = False, 0.0, False
            else:
                one, reward, done, _, _ = single.step(actions[number])
            if done and mode is AutoresetMode.SAME_STEP:
                final = info["final_obs"][number]["observation"]
                assert (final == one["observation"]).all()
                one, _ = single.reset()
            elif done:
                waiting[number] = True
            ended += done
            assert (reward, done) == (rewards[number], over[number])
            assert (one["observation"] == seen["observation"][number]).all()
            assert (one["action_mask"] == info["action_mask"][number]).all()
    assert ended > 3


def test_gymnasium_makes_the_vector() -> None:
    env: Any = gymnasium.make_vec(
        "heckmeck/Classic-v0",
        num_envs=4,
        vectorization_mode="vector_entry_point",
        opponents=("random",),
        observing="int8",
        tiles="21-23",
    )
    seen, info = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    again, _ = env.unwrapped.reset(seed=[1, 2, 3, 4], options={"reset_mask": np.array([True] * 4)})
    assert (again["observation"] == seen["observation"]).all()
    seen, *_ = env.step(info["action_mask"].argmax(axis=1))
    assert env.observation_space.contains(seen)


def test_small_boards_and_pictures() -> None:
    env = gymnasium.make("heckmeck/Classic-v0", tiles="21-23", render_mode="ansi")
    env.reset(seed=2)
    text = env.render()
    assert isinstance(text, str)
    assert "grill: 21 22 23" in text
    picture = HeckmeckEnv("deluxe", render_mode="rgb_array")
    picture.reset(seed=2)
    pixels = picture.render()
    assert pixels.shape[2] == 3
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 50


def test_plates_in_pictures_have_the_names_of_the_text() -> None:
    state = rules.new_game("barbecue", 3)
    svg = as_svg(state)
    assert "P2 " in as_text(state)
    for seat in range(3):
        assert svg.count(f">P{seat}<") == 2  # the plate, and the name beside it
    assert ">P3<" not in svg


def test_what_cannot_be_played_is_refused_in_words() -> None:
    refused: list[tuple[dict[str, Any], str]] = [
        ({"tiles": "21-23", "opponents": ("fox", "fox")}, "two players"),
        ({"observing": "float16"}, "float32 or int8"),
        ({"rewards": "money"}, "win, worms or swing"),
        ({"edition": "poker"}, "The editions are"),
        ({"opponents": "champion"}, r"such as \('champion',\), not a name"),
    ]
    for options, why in refused:
        with pytest.raises(BadSetup, match=why):
            HeckmeckEnv(**options)


def test_importing_registers_every_edition() -> None:
    assert {f"heckmeck/{edition}-v0" for edition in EDITIONS} <= set(gymnasium.registry)
    assert heckmeck.envs.register.__doc__
