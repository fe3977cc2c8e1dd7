"""OpenSpiel's Monte Carlo tree search through the registered game, against a bot.

    python examples/mcts.py --tiles 21-23 --opponent fox --games 20 --simulations 100
    heckmeck arena --edition junior --bots py:examples.mcts:Searching,chick --games 10 --workers 1

The game is the rules themselves, written in Python and with every throw as a chance node, so a
search is slow; on a small board it sees far.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import heckmeck.envs.openspiel  # noqa: F401 (registers the game)
from heckmeck.arena.estimates import wilson
from heckmeck.bots import player
from heckmeck.dice import SeededLuck
from heckmeck.rules import AnyState, Move, game_at

#: How much the search explores; rewards are shares of the win.
EXPLORATION = 1.0


def searching(game: pyspiel.Game, simulations: int, seed: int) -> mcts.MCTSBot:
    """Return a search that values a position by playing on at random."""
    luck = np.random.RandomState(seed)
    rollouts = mcts.RandomRolloutEvaluator(1, luck)
    return mcts.MCTSBot(game, EXPLORATION, simulations, rollouts, random_state=luck)


class Searching:
    """Searches by Monte Carlo tree search, with 30 random games for each move."""

    simulations = 30

    def choose(self, state: AnyState) -> Move:
        """Search from this state; the same state gives the same move."""
        rules = game_at(state.table)
        game = pyspiel.load_game(
            f"python_heckmeck(edition={rules.edition},players={state.table.seats})"
        )
        node = game.new_initial_state()
        node.state = state
        action = searching(game, self.simulations, seed=1).step(node)
        return node.move_of(action)


def play(game: pyspiel.Game, seat: int, opponent: str, simulations: int, seed: int) -> float:
    """Play a game with the search on this seat; return its share of the win."""
    luck, dice, other = SeededLuck(seed), np.random.RandomState(seed), player(opponent)
    search = searching(game, simulations, seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(dice.choice(outcomes, p=chances)))
        elif len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        elif state.current_player() == seat:
            state.apply_action(search.step(state))
        else:
            state.apply_action(state.action_of(other.choose(state.state, luck)))
    return state.returns()[seat]


def main() -> None:
    """Let the search play some games, and say how many it won."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiles", default="21-23", help="the board")
    parser.add_argument("--opponent", default="fox", help="the bot to play against")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=100, help="random games for each move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tiles = options.tiles.replace("-", "to").replace(",", "_")
    game = pyspiel.load_game(f"python_heckmeck(tiles={tiles})")
    won = 0.0
    for number in range(options.games):
        won += play(game, number % 2, options.opponent, options.simulations, options.seed + number)
        low, high = wilson(won, number + 1)
        print(f"{number + 1} games: {won / (number + 1):.1%} won (95%: {low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
