"""The examples against all bots, with error bars: the table of baselines.

Run from the project's root, in an environment with `.[bench]`::

    python examples/ppo.py --save ppo.pt
    python -m bench.baselines --ppo ppo.pt [--write]

Learns the small board by Q-learning, then plays. `--write` writes docs/researchers.md.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pyspiel

from bench.report import ROOT, facts, table, write_section
from examples import mcts, q_learning
from heckmeck import arena
from heckmeck.arena.estimates import Z95, wilson
from heckmeck.bots import OURS
from heckmeck.bots.own import own_player
from heckmeck.dice import SeededLuck
from heckmeck.envs import PolicyPlayer
from heckmeck.envs.optimum import distance_to_optimum
from heckmeck.rules import outcome

PAGE = ROOT / "docs" / "researchers.md"
BOARD = "21-22"
SEED = 2005


def cell(won: float, games: int) -> str:
    """Return a share with half of its 95% interval, in points."""
    low, high = wilson(won, games)
    return f"{100 * won / games:.1f} ± {50 * (high - low):.1f}"


def whole_games(bot: str, games: int) -> list[str]:
    """Return the luck-adjusted shares of a bot against every bot, in classic for two."""
    cells = []
    for other in OURS:
        if other == bot:
            cells.append("")
            continue
        adjusted = arena.run([bot, other], games=games, seed=SEED, adjusted=True).bots[0].adjusted
        assert adjusted is not None, "there are at least two deals"
        cells.append(f"{100 * adjusted.share:.1f} ± {100 * Z95 * adjusted.error:.1f}")
        print(bot, other, cells[-1], flush=True)
    return cells


def on_board(chooser: PolicyPlayer, games: int) -> list[str]:
    """Return the shares of a policy against every bot, on the small board."""
    game = pyspiel.load_game(f"python_heckmeck(tiles={BOARD.replace('-', 'to')})")
    cells = []
    for other in OURS:
        won = sum(_played(game, chooser, other, number) for number in range(games))
        cells.append(cell(won, games))
        print("board", other, cells[-1], flush=True)
    return cells


def _played(game: pyspiel.Game, chooser: PolicyPlayer, other: str, number: int) -> float:
    """Play a game in which the policy sits on seat ``number % 2``; return its share of the win."""
    from heckmeck.bots import player
    from heckmeck.rules import apply, legal, throws

    seat, luck, bot = number % 2, SeededLuck(f"{SEED} {number}"), player(other)
    state = game.new_initial_state().state
    while (end := outcome(state)) is None:
        moves = legal(state)
        if not moves:
            move = luck.throw(throws(state))
        elif len(moves) == 1:
            move = moves[0]
        elif state.seat == seat:
            move = chooser.choose_all([state], [luck])[0]
        else:
            move = bot.choose(state, luck)
        state = apply(state, move).state
    return end.shares[seat]


def searched(games: int, simulations: int) -> list[str]:
    """Return the shares of OpenSpiel's search against every bot, on the small board."""
    game = pyspiel.load_game(f"python_heckmeck(tiles={BOARD.replace('-', 'to')})")
    cells = []
    for other in OURS:
        shares = (mcts.play(game, at % 2, other, simulations, SEED + at) for at in range(games))
        cells.append(cell(sum(shares), games))
        print("search", other, cells[-1], flush=True)
    return cells


ABOUT = """### Against all bots

Shares of the wins in games for two, in percent, each with its 95% error; those on the whole board
are [luck-adjusted](analysis.md). Written by `python -m bench.baselines --write`.
"""


def main() -> None:
    """Learn, play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ppo", type=Path, required=True, help="what examples/ppo.py has saved")
    parser.add_argument("--games", type=int, default=1000, help="games with every bot")
    parser.add_argument("--board-games", type=int, default=400, help="on the small board")
    parser.add_argument("--search-games", type=int, default=40, help="of the search, on the board")
    parser.add_argument("--simulations", type=int, default=30, help="for each move of the search")
    parser.add_argument("--learning", type=int, default=400_000, help="games of Q-learning")
    parser.add_argument("--write", action="store_true", help="write docs/researchers.md")
    options = parser.parse_args()
    os.environ["HECKMECK_PPO"] = str(options.ppo)
    learned, course = q_learning.train(BOARD, options.learning, 16, seed=1)
    q_learning.plot(course, BOARD, ROOT / "docs" / "images" / "q-learning.svg")
    loss = distance_to_optimum(learned.policy, BOARD, observing="int8")
    trained = "py:examples.ppo:Trained"
    assert own_player(trained), "the network is there"
    header = ("", *OURS)
    whole = [
        ("PPO", *whole_games(trained, options.games)),
        *((bot, *whole_games(bot, options.games)) for bot in ("random", "chick", "rooster", "fox")),
    ]
    board = [
        (
            f"Q-learning, {options.learning:,} games",
            *on_board(PolicyPlayer(learned.policy, "int8"), options.board_games),
        ),
        (
            f"MCTS, {options.simulations} simulations",
            *searched(options.search_games, options.simulations),
        ),
    ]
    section = "\n".join(
        (
            ABOUT,
            f"The classic game, {options.games} games in each cell:",
            "",
            table(header, whole),
            "",
            (
                f"The board {BOARD}, {options.board_games} games in each cell of Q-learning and "
                f"{options.search_games} in those of the search:"
            ),
            "",
            table(header, board),
            "",
            f"Against perfect play there, Q-learning wins exactly {50 - 100 * loss:.2f}%.",
        )
    )
    print(section)
    if options.write:
        packages = ("heckmeck", "gymnasium", "open_spiel", "torch", "numpy")
        write_section("baselines", section, facts(packages), PAGE)


if __name__ == "__main__":
    main()
