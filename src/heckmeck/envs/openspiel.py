"""``python_heckmeck``: the games as OpenSpiel knows them, with explicit chance nodes.

Importing this module registers the game; ``pyspiel.load_game("python_heckmeck(edition=deluxe,
players=3)")`` loads it. The actions of players are numbered as in `heckmeck.bulk`. At a chance
node, action ``i`` is the ``i``-th throw of `heckmeck.rules.throws`, with its exact probability.
Moves that are forced are played by the players, as OpenSpiel expects; nothing is hidden.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from heckmeck.bulk.machine import box_of
from heckmeck.envs.learning import Setup
from heckmeck.record import write_position
from heckmeck.rules import (
    EDITIONS,
    AnyState,
    HouseRules,
    Move,
    apply,
    game,
    legal,
    outcome,
    parse,
    throws,
    word,
)
from heckmeck.rules.moves import Pinch, Rob, Throw
from heckmeck.rules.state import Falling, Over
from heckmeck.rules.turn import chances

#: Games that are not over by then hardly exist; OpenSpiel wants to know a length.
MAX_LENGTH: Final = 100_000

_TYPE: Final = pyspiel.GameType(
    short_name="python_heckmeck",
    long_name="Heckmeck (Pickomino)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=max(game.players[-1] for game in EDITIONS.values()),
    min_num_players=min(game.players[0] for game in EDITIONS.values()),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification={
        "edition": "classic",
        "players": 2,
        "tiles": "",
        "flip_always": False,
        "flip_returned": False,
    },
)


def _board(tiles: str) -> str:
    """Return the tiles as `tiles_from` reads them: in parameters, digits and marks are numbers."""
    return tiles.replace("to", "-").replace("_", ",")


class HeckmeckGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """A game of an edition: ``edition``, ``players``, house rules, and ``tiles`` of a small board.

    These are written without marks: ``21to25`` or ``21to23_30``.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Set up the game of these parameters; others have their defaults."""
        given = {**_TYPE.parameter_specification, **(params or {})}
        house = HouseRules(given["flip_always"], given["flip_returned"])
        self.setup = Setup(given["edition"], given["players"], house, _board(given["tiles"]))
        rules = game(self.setup.edition)
        super().__init__(
            _TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=len(self.setup.words),
                max_chance_outcomes=len(
                    chances(rules.dice, rules.dice.count, rules.has_golden_die)
                ),
                num_players=self.setup.seats,
                min_utility=0.0,
                max_utility=1.0,
                utility_sum=1.0,
                max_game_length=MAX_LENGTH,
            ),
            given,
        )

    def new_initial_state(self) -> HeckmeckState:
        """Return the beginning of a game."""
        return HeckmeckState(self)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Any = None,  # noqa: ANN401
    ) -> HeckmeckObserver:
        """Return what turns states into tensors and text."""
        if params:
            raise ValueError(f"there are no parameters for observations, but {params} were given")
        return HeckmeckObserver(self.setup)


class HeckmeckState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A state of the rules, in OpenSpiel's words."""

    def __init__(self, played: HeckmeckGame) -> None:
        """Begin a game."""
        super().__init__(played)
        self.setup = played.setup
        self.state: AnyState = played.setup.start
        # Where an edition has victims, their actions come last.
        self._first_victim = box_of(self.setup.edition, self.setup.seats).first_victim

    def current_player(self) -> int:
        """Return the seat to move, or that dice fall, or that the game is over."""
        if isinstance(self.state.phase, Over):
            return int(pyspiel.PlayerId.TERMINAL)
        if isinstance(self.state.phase, Falling):
            return int(pyspiel.PlayerId.CHANCE)
        return self.state.seat

    def _legal_actions(self, player: int) -> list[int]:
        if player != self.state.seat:
            return []
        return sorted(self.action_of(move) for move in legal(self.state))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every throw with its probability."""
        chances = throws(self.state)
        return [(i, weight / chances.total) for i, weight in enumerate(chances.weights)]

    def _apply_action(self, action: int) -> None:
        move = self._throw(action) if self.is_chance_node() else self.move_of(action)
        self.state = apply(self.state, move).state

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return word(self._throw(action))
        return self.setup.words[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.state.phase, Over)

    def returns(self) -> list[float]:
        """Return the shares of the win; nothing before the game is over."""
        end = outcome(self.state)
        return [0.0] * self.setup.seats if end is None else [*end.shares]

    def __str__(self) -> str:
        """Return the position on one line; see `heckmeck.record.write_position`."""
        return write_position(self.state)

    def _throw(self, action: int) -> Throw:
        return throws(self.state).throws[action]

    def action_of(self, move: Move) -> int:
        """Return the action that is a player's move here."""
        if isinstance(move, Rob | Pinch):
            return self._first_victim + (move.victim - self.state.seat) % self.setup.seats - 1
        return self.setup.words.index(word(move))

    def move_of(self, action: int) -> Move:
        """Return the move that is an action of a player here."""
        first = self._first_victim
        if action < first:
            return parse(self.setup.words[action])
        victim = (self.state.seat + 1 + action - first) % self.setup.seats
        return Pinch(victim) if self.setup.edition == "junior" else Rob(victim)


class HeckmeckObserver:
    """Observations of `heckmeck.bulk`, from the view of any player."""

    def __init__(self, setup: Setup) -> None:
        """Set up the tensor."""
        self._setup = setup
        self.tensor = np.zeros(setup.width, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: HeckmeckState, player: int) -> None:
        """Put what a player sees into the tensor."""
        self.tensor[:] = self._setup.observe_from(state.state, player)

    def string_from(self, state: HeckmeckState, player: int) -> str:
        """Return the state as text; it is the same for all players."""
        return str(state)


pyspiel.register_game(_TYPE, HeckmeckGame)
