"""The examples for researchers, in short form."""

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from heckmeck import __version__, arena, rules
from heckmeck.envs.learning import PolicyPlayer
from heckmeck.rules import legal, word

FOLDER = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted(path.stem for path in FOLDER.glob("*.py"))


def example(name: str) -> Any:  # noqa: ANN401 (a module)
    return import_module(f"examples.{name}")


def test_all_are_here_and_short() -> None:
    assert EXAMPLES == ["language_model", "mcts", "ppo", "q_learning"]
    for name in EXAMPLES:
        assert len((FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()) < 150


def test_q_learning_comes_close_to_perfect_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    q_learning = example("q_learning")
    _, course = q_learning.train("21", games=6000, looks=1, seed=1)
    assert 0 < course[-1][1] < 0.1  # anything legal loses 0.5
    assert "below perfect play" in capsys.readouterr().out
    q_learning.plot(course, "21", tmp_path / "distance.svg")
    assert "<svg" in (tmp_path / "distance.svg").read_text(encoding="utf-8")


def test_a_search_plays_a_small_board_and_in_the_arena() -> None:
    mcts = example("mcts")
    game = pyspiel.load_game("python_heckmeck(tiles=21to21)")
    shares = [mcts.play(game, seat, "chick", simulations=2, seed=1) for seat in (0, 1)]
    assert all(share in (0.0, 0.5, 1.0) for share in shares)
    state = rules.apply(rules.new_game("junior", 2), rules.parse("roll")).state
    state = rules.apply(state, rules.parse("=WBBCGK")).state
    searching = mcts.Searching()
    searching.simulations = 3
    assert searching.choose(state) in legal(state)


def test_a_language_model_plays_what_it_says() -> None:
    llm = example("language_model")
    prompts: list[str] = []

    def last_word(prompt: str) -> str:
        prompts.append(prompt)
        words = prompt.rpartition("nothing else: ")[2].split()
        return f"I could {words[0]}, but I choose {words[-1]}."

    player = llm.LanguageModel(last_word)
    standings = arena.run(
        ["model", "random"], edition="junior", games=2, seed=1, players={"model": player}
    )
    assert standings.tally.games == 2
    assert player.failures == 0
    assert "scores: P0 0 | P1 0" in prompts[0]


def test_a_language_model_that_says_nothing_useful_plays_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    llm, asked = example("language_model"), list[str]()
    state = rules.new_game("classic", 2)

    def nonsense(prompt: str) -> str:
        asked.append(prompt)
        return "castle queenside"

    player = llm.LanguageModel(nonsense)
    assert player.choose(state) in map(word, legal(state))
    assert (player.failures, len(asked)) == (1, llm.TRIES)
    assert "You answered 'castle queenside', which is not one of them." in asked[1]
    assert "no legal word in 3 answers" in capsys.readouterr().err


def test_a_policy_that_draws_is_a_bot() -> None:
    def evenly(_: Any, masks: Any) -> Any:  # noqa: ANN401 (arrays)
        return masks / masks.sum(axis=1, keepdims=True)

    for observing in ("float32", "int8"):
        standings = arena.run(
            ["even", "random"],
            edition="deluxe",
            seats=3,
            games=3,
            seed=2,
            players={"even": PolicyPlayer(evenly, observing)},
        )
        assert standings.tally.games == 3


@pytest.mark.torch
def test_ppo_learns_and_plays_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch  # type: ignore[import-not-found, unused-ignore]

    ppo = example("ppo")
    network, course = ppo.train("random", 60_000, games=64, horizon=32, edition="junior", seed=1)
    assert sum(course[-5:]) > sum(course[:5])
    assert "worms per game" in capsys.readouterr().out
    path = tmp_path / "ppo.pt"
    shape = [network.body[0].in_features, network.actor.out_features]
    torch.save({"shape": shape, **network.state_dict()}, path)
    monkeypatch.setitem(os.environ, "HECKMECK_PPO", str(path))
    standings = arena.run(
        ["py:examples.ppo:Trained", "random"], edition="junior", games=100, seed=1
    )
    assert standings.bots[0].won.share > 0.5


def test_the_citation_is_of_this_version() -> None:
    text = (FOLDER.parent / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", text, re.MULTILINE)[1] == __version__  # type: ignore[index]
