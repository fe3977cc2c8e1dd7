"""Other game libraries, played at random as fast as their Python interface allows.

Each public function plays whole seeded games for some seconds and returns its `Rate`. The loop is
the one a user of that library would write: ask what is legal, choose, apply.

The peers are optional. If one is missing, its function raises `PeerMissingError`, which says what
to install.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from random import Random
from types import ModuleType
from typing import Protocol, TypedDict
from unittest.mock import patch

from bench.rate import Rate, measure

SEED = 2005  # the year the first of the four games came out; any number would do

FACES = range(6)
ROLL, STOP = 0, 1  # the second half of a pickomino-env action


class PeerMissingError(RuntimeError):
    """A peer's package cannot be imported here."""


class _SpielState(Protocol):
    """What we use of an OpenSpiel state."""

    def is_terminal(self) -> bool: ...
    def is_chance_node(self) -> bool: ...
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
    def legal_actions(self) -> list[int]: ...
    def apply_action(self, action: int) -> None: ...


class _SpielGame(Protocol):
    """What we use of an OpenSpiel game."""

    def new_initial_state(self) -> _SpielState: ...


_Draw = Callable[[Random, list[tuple[int, float]]], int]
_Action = tuple[int, int]
_Policy = Callable[[object, list[int], list[int], int], _Action]


class _Info(TypedDict):
    """What we use of pickomino-env's `info`; its dice are the observation's, as plain lists."""

    dice_rolled: list[int]
    dice_collected: list[int]
    explanation: str


class _Pickomino(Protocol):
    """What we use of pickomino-env's environment."""

    def reset(self, *, seed: int) -> tuple[object, _Info]: ...
    def step(self, action: _Action) -> tuple[object, float, bool, bool, _Info]: ...


def pig(seconds: float) -> Rate:
    """Play OpenSpiel's pig, written in C++, drawing chance by its weights as any game needs."""
    note = "C++ through pyspiel; chance drawn by its weights; each choice and each die is a move"
    return _spiel("pig", _weighted, "OpenSpiel pig", note, seconds)


def pig_fair_die(seconds: float) -> Rate:
    """Play pig again, using that its die is fair: the fastest way that we found to drive it."""
    note = "the same, using that pig's die is fair: any outcome, no weights"
    return _spiel("pig", _unweighted, "OpenSpiel pig, fair die", note, seconds)


def backgammon(seconds: float) -> Rate:
    """Play OpenSpiel's backgammon, written in C++."""
    note = "C++ through pyspiel; chance drawn by its weights; each choice and each roll is a move"
    return _spiel("backgammon", _weighted, "OpenSpiel backgammon", note, seconds)


def python_tic_tac_toe(seconds: float) -> Rate:
    """Play OpenSpiel's tic-tac-toe that is written in Python, on NumPy. It has no chance."""
    load("open_spiel.python.games.tic_tac_toe", "open_spiel")  # importing it registers the game
    note = "written in Python, driven by pyspiel; each mark is a move"
    return _spiel("python_tic_tac_toe", _weighted, "OpenSpiel python_tic_tac_toe", note, seconds)


def pickomino_env(seconds: float) -> Rate:
    """Play the classic game in a Gymnasium environment: random player against the built-in bot.

    The environment bundles words: an action keeps a face and then rolls or stops, and when the
    player's turn is over the same call plays the bot's whole turn. We count every word of both
    seats (`_words`), the bot's by listening to its policy. The environment is made without
    Gymnasium's wrappers, which would only slow it down.

    The seed holds for the choices and the first turn's dice. The environment makes fresh, unseeded
    dice for every later turn, so two runs differ slightly; it also rolls a few dice that are never
    played, which are not counted.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    pickomino = load("pickomino_env.pickomino", "pickomino-env")
    bot_class = load("pickomino_env.modules.bot", "pickomino-env").Bot
    env: _Pickomino = pickomino.PickominoEnv(number_of_bots=1)
    choose: _Policy = bot_class.policy
    random = Random(SEED)
    bot_words = 0

    def counted(bot: object, rolled: list[int], collected: list[int], smallest: int) -> _Action:
        nonlocal bot_words
        action = choose(bot, rolled, collected, smallest)
        bot_words += _words(rolled, collected, action)
        return action

    def play_game() -> int:
        nonlocal bot_words
        bot_words = 0
        player_words = _pickomino_game(env, random)
        if not bot_words:
            raise RuntimeError(
                "pickomino-env no longer calls Bot.policy: adapt how its bot is counted"
            )
        return player_words + bot_words

    with patch.object(bot_class, "policy", counted):
        moves, elapsed = measure(play_game, seconds)
    note = "Gymnasium environment; random player against its bot; words of both seats counted"
    return Rate("pickomino-env", version("pickomino-env"), moves, elapsed, note)


ALL: tuple[Callable[[float], Rate], ...] = (pig, pig_fair_die, python_tic_tac_toe, pickomino_env)


def _spiel(short_name: str, draw: _Draw, name: str, note: str, seconds: float) -> Rate:
    """Play random games of the OpenSpiel game called `short_name`."""
    game: _SpielGame = load("pyspiel", "open_spiel").load_game(short_name)
    random = Random(SEED)
    moves, elapsed = measure(lambda: _spiel_game(game, draw, random), seconds)
    return Rate(name, version("open_spiel"), moves, elapsed, note)


def _spiel_game(game: _SpielGame, draw: _Draw, random: Random) -> int:
    """Play one game; return its number of moves, chance included."""
    moves = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw(random, state.chance_outcomes()))
        else:
            state.apply_action(random.choice(state.legal_actions()))
        moves += 1
    return moves


def _weighted(random: Random, outcomes: list[tuple[int, float]]) -> int:
    actions, weights = zip(*outcomes, strict=True)
    return int(random.choices(actions, weights)[0])


def _unweighted(random: Random, outcomes: list[tuple[int, float]]) -> int:
    return random.choice(outcomes)[0]


def _pickomino_game(env: _Pickomino, random: Random) -> int:
    """Play one game with random legal actions; return the player's words, not the bot's."""
    words = 0
    over = False
    _, info = env.reset(seed=random.getrandbits(32))
    while not over:
        rolled, collected = info["dice_rolled"], info["dice_collected"]
        action = random.choice(_legal(rolled, collected))
        words += _words(rolled, collected, action)
        _, _, over, refused, info = env.step(action)
        if refused:
            raise RuntimeError(f"pickomino-env refused {action}: {info['explanation']}")
    return words


def _legal(rolled: Sequence[int], collected: Sequence[int]) -> list[_Action]:
    """Return what the environment allows: a new face, then stop, or roll if a die is left."""
    in_hand = sum(rolled)
    actions = []
    for face in FACES:
        if rolled[face] and not collected[face]:
            actions.append((face, STOP))
            if in_hand > rolled[face]:
                actions.append((face, ROLL))
    return actions


def _words(rolled: Sequence[int], collected: Sequence[int], action: _Action) -> int:
    """Return how many words of our notation an action stands for.

    One for the keep. Two more for a roll and the dice that fall, or one for a stop; none when no
    die is left, as the turn then ends automatically. The first action of a turn also stands for the
    roll and the dice that began it. A roll that the environment turns into a failure before
    rolling counts in full, in its favour.
    """
    face, choice = action
    words = 1
    if not any(collected):
        words += 2
    if choice == ROLL:
        words += 2
    elif sum(rolled) > rolled[face]:
        words += 1
    return words


def load(module: str, package: str) -> ModuleType:
    """Import a peer's module, or say which package to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PeerMissingError(
            f"The peer {package} cannot be imported here ({error}). Install it with "
            f"`{sys.executable} -m pip install {package}` and run the benchmark again."
        ) from error


def main() -> int:
    """Print every peer's rate; a missing one is named and makes the exit code 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=main.__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time for each peer")
    seconds: float = parser.parse_args().seconds
    missing = 0
    for peer in ALL:
        try:
            rate = peer(seconds)
        except PeerMissingError as error:
            print(error, file=sys.stderr)
            missing += 1
        else:
            print(f"{rate.name:30} {rate.version:8} {rate.per_second:>10,.0f} moves/s  {rate.note}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
