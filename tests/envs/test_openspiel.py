"""The games as OpenSpiel knows them: its own simulations, a stored game, and a search."""

from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, mcts

import heckmeck.envs.openspiel  # noqa: F401 (registers the game)

STORED = Path(__file__).parent.parent / "data" / "openspiel-junior.txt"
JUNIOR = "python_heckmeck(edition=junior)"


@pytest.mark.parametrize(
    "game",
    [
        "python_heckmeck(edition=deluxe,players=3,flip_always=True)",
        "python_heckmeck(edition=barbecue,players=4)",
        "python_heckmeck(edition=junior,players=5)",
        "python_heckmeck(tiles=21to22)",
    ],
)
def test_openspiel_simulates_it(game: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=False, verbose=False)


def test_a_state_is_written_and_read_again() -> None:
    state = pyspiel.load_game("python_heckmeck(edition=deluxe,players=3)").new_initial_state()
    luck = np.random.RandomState(3)
    for _ in range(60):
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1.0, abs=1e-12)
            state.apply_action(int(luck.choice(actions, p=chances)))
        else:
            state.apply_action(int(luck.choice(state.legal_actions())))
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)
    assert again.observation_tensor(1) == state.observation_tensor(1)


def test_the_stored_game_is_played_again() -> None:
    text = generate_playthrough.playthrough(JUNIOR, action_sequence=None, seed=3)
    assert text == STORED.read_text(encoding="utf-8")


def test_a_search_of_openspiel_plays_a_game() -> None:
    game, luck = pyspiel.load_game(JUNIOR), np.random.RandomState(1)
    searching = mcts.MCTSBot(game, 2.0, 4, mcts.RandomRolloutEvaluator(1, luck), random_state=luck)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(actions, p=chances)))
        else:
            state.apply_action(searching.step(state))
    assert sum(state.returns()) == 1.0
