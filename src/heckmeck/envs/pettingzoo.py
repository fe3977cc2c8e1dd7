"""All players of a game: a PettingZoo AEC environment."""

from __future__ import annotations

from typing import Any, ClassVar, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from heckmeck.bulk.games import Rewards
from heckmeck.dice import fresh_seed
from heckmeck.envs.gymnasium import RENDER_MODES, Seen, observation_space
from heckmeck.envs.learning import PENALTY, Episodes, Options, Setup
from heckmeck.envs.pictures import as_text, picture
from heckmeck.rules import AnyState


def env(**options: Any) -> AECEnv[str, Seen, np.int64]:  # noqa: ANN401 (see `raw_env`)
    """Return the environment with PettingZoo's usual wrappers; an illegal action loses."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=PENALTY)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv[str, Seen, np.int64]):  # type: ignore[misc] # noqa: N801 (untyped; its name)
    """A game for two to seven players; an illegal action raises `IllegalAction`."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": RENDER_MODES,
        "name": "heckmeck_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str = "classic",
        players: int = 2,
        *,
        rewards: Rewards = "win",
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Set up a game that waits for `reset`."""
        super().__init__()
        self.setup = Setup.of(edition, players, **options)
        self.words = self.setup.words
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._rewards: Rewards = rewards
        self._episodes: Episodes | None = None
        space = observation_space(self.setup)
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.Discrete(len(self.words)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a player's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a player's actions."""
        return self.action_spaces[agent]

    @property
    def state_of_game(self) -> AnyState:
        """The state of the game, as the rules have it."""
        return self._games.state(0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: with a seed its dice are determined, and those of the games after it."""
        if seed is not None or self._episodes is None:
            self._episodes = Episodes(fresh_seed() if seed is None else seed)
        self._games = self.setup.new_games(1, self._rewards)
        key = np.array([self._episodes.next_key()], np.uint64)
        self._games.restart(np.zeros(1, np.int64), key)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn_to_mover()

    def step(self, action: np.int64 | None) -> None:
        """Play the action of the player to move, up to the next decision of anybody."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "a player whose game goes on has to act"
        self._games.step(np.array([action], np.int64))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {
            each: float(self._games.rewards[0, seat])
            for seat, each in enumerate(self.possible_agents)
        }
        if self._games.over[0]:
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn_to_mover()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Seen:
        """Return what a player sees; the mask of somebody who is not to move is empty."""
        seat = self.possible_agents.index(agent)
        seen = self.setup.observe_from(self.state_of_game, seat)
        return {"observation": seen, "action_mask": self._mask(agent)}

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as text (``ansi``) or as a picture (``rgb_array``)."""
        if self.render_mode == "ansi":
            return as_text(self.state_of_game)
        return picture(self.state_of_game) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Nothing has to be closed."""

    def _turn_to_mover(self) -> None:
        self.agent_selection = self.possible_agents[int(self._games.to_move[0])]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> NDArray[np.int8]:
        if agent != self.possible_agents[int(self._games.to_move[0])]:
            return np.zeros(len(self.words), np.int8)
        mask: NDArray[np.int8] = self._games.legal[0].astype(np.int8)
        return mask
