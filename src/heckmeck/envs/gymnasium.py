"""One player against bots: Gymnasium environments, single and vectorized natively."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from heckmeck.bulk.games import Rewards
from heckmeck.bulk.rows import Bools, Ints
from heckmeck.envs.learning import Episodes, Illegal, LearnersGames, Options, Setup, players_with
from heckmeck.envs.pictures import as_text, picture
from heckmeck.rules import AnyState

#: What a learner gets: the observation and the mask of the legal actions, each an array.
Seen = dict[str, NDArray[Any]]
RENDER_MODES = ["ansi", "rgb_array"]


def observation_space(setup: Setup) -> spaces.Space[Seen]:
    """Return the space of the observations, with their masks."""
    columns = setup.columns
    if setup.observing == "int8":
        lowest = np.array([column.lowest for column in columns], np.int8)
        highest = np.array([min(column.highest * 2, 127) for column in columns], np.int8)
        seen: spaces.Space[Any] = spaces.Box(lowest, highest, dtype=np.int8)
    else:
        seen = spaces.Box(0.0, 2.0, (setup.width,), np.float32)
    mask = spaces.Box(0, 1, (len(setup.words),), np.int8)
    space: spaces.Space[Any] = spaces.Dict({"observation": seen, "action_mask": mask})
    return space


def _seed_of(env: gymnasium.Env[Any, Any] | VectorEnv[Any, Any, Any]) -> int:
    """Return the seed that Gymnasium drew for an environment that was given none."""
    assert env.np_random is not None, "asking for it draws the seed"
    return int(env.np_random_seed or 0)


class HeckmeckEnv(gymnasium.Env[Seen, np.int64]):
    """A player against bots of the registry.

    ``opponents`` sit clockwise after the player. ``rewards``, ``observing``, ``tiles``,
    ``illegal`` and the house rules are described in ``docs/envs.md``. Actions are numbers of
    `words`; ``info["action_mask"]`` has the legal ones, and so has the observation.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 (Gymnasium's)

    def __init__(
        self,
        edition: str = "classic",
        opponents: Sequence[str] = ("fox",),
        *,
        rewards: Rewards = "win",
        illegal: Illegal = "end",
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Set up a game that waits for `reset`."""
        self.setup = Setup.of(edition, players_with(opponents), **options)
        self.words = self.setup.words
        self.observation_space = observation_space(self.setup)
        self.action_space = spaces.Discrete(len(self.words))
        self.render_mode = render_mode
        self._games = LearnersGames(self.setup, opponents, 1, rewards, illegal)
        self._episodes: Episodes | None = None

    @property
    def state(self) -> AnyState:
        """The state of the game, as the rules have it."""
        return self._games.games.state(0)

    @property
    def seats(self) -> Ints:
        """[1]: the player's seat; seat 0 begins."""
        return self._games.seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a game: with a seed its dice are determined, and those of the games after it."""
        super().reset(seed=seed)
        if seed is not None or self._episodes is None:
            self._episodes = Episodes(_seed_of(self) if seed is None else seed)
        key = np.array([self._episodes.next_key()], np.uint64)
        self._games.begin(np.zeros(1, np.int64), key)
        return self._see(), self._info()

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, and everything up to the player's next decision or the end."""
        reward = self._games.step(np.array([action], np.int64))[0]
        return self._see(), float(reward), bool(self._games.ended[0]), False, self._info()

    def render(self) -> Any:  # noqa: ANN401 (as Gymnasium has it)
        """Return the table as text (``ansi``) or as a picture (``rgb_array``)."""
        if self.render_mode == "ansi":
            return as_text(self.state)
        if self.render_mode == "rgb_array":
            return picture(self.state)
        return None

    def _see(self) -> Seen:
        return {"observation": self._games.observe()[0], "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _mask(self) -> NDArray[np.int8]:
        mask: NDArray[np.int8] = self._games.legal[0].astype(np.int8)
        return mask


class HeckmeckVectorEnv(VectorEnv[Seen, NDArray[Any], NDArray[Any]]):
    """Many games of a player against bots, on the compiled engine.

    The same games as those of as many `HeckmeckEnv`: environment ``i`` of ``reset(seed=s)`` has
    the seed ``s + i``. ``autoreset_mode`` is Gymnasium's.
    """

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "classic",
        opponents: Sequence[str] = ("fox",),
        *,
        rewards: Rewards = "win",
        illegal: Illegal = "end",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Set up games that wait for `reset`."""
        self.num_envs = num_envs
        self.setup = Setup.of(edition, players_with(opponents), **options)
        self.words = self.setup.words
        self.single_observation_space = observation_space(self.setup)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(len(self.words))
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.render_mode = render_mode
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "autoreset_mode": self._mode,
        }
        self._games = LearnersGames(self.setup, opponents, num_envs, rewards, illegal)
        self._episodes: list[Episodes] = []

    @property
    def seats(self) -> Ints:
        """[game]: the player's seat; seat 0 begins."""
        return self._games.seat

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin games: all, or those of ``options["reset_mask"]``."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        self._sow(seed)
        chosen = np.ones(self.num_envs, np.bool_)
        if options is not None and "reset_mask" in options:
            chosen = np.asarray(options["reset_mask"], np.bool_)
        self._begin(np.flatnonzero(chosen))
        return self._see(), self._info()

    def _sow(self, seed: int | Sequence[int | None] | None) -> None:
        if seed is None and self._episodes:
            return
        if seed is None or isinstance(seed, int):
            first = _seed_of(self) if seed is None else seed
            seeds: Sequence[int | None] = range(first, first + self.num_envs)
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise ValueError(f"reset needs {self.num_envs} seeds, not {len(seeds)}.")
        before = self._episodes or [Episodes(_seed_of(self) + i) for i in range(self.num_envs)]
        self._episodes = [
            old if each is None else Episodes(each) for old, each in zip(before, seeds, strict=True)
        ]

    def _begin(self, numbers: Ints) -> None:
        keys = [self._episodes[number].next_key() for number in numbers]
        self._games.begin(numbers, np.array(keys, np.uint64))

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Seen, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in each game; see `LearnersGames.step`."""
        before = self._games.ended.copy()
        rewards = self._games.step(np.asarray(actions, np.int64)).astype(np.float64)
        ended = self._games.ended & ~before
        none = np.zeros(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        if self._mode is AutoresetMode.NEXT_STEP and before.any():
            self._begin(np.flatnonzero(before))
        elif self._mode is AutoresetMode.SAME_STEP and ended.any():
            infos = self._final(ended)
            self._begin(np.flatnonzero(ended))
        return self._see(), rewards, ended, none, {**self._info(), **infos}

    def render(self) -> tuple[Any, ...] | None:
        """Return every table as text (``ansi``) or as a picture (``rgb_array``)."""
        draw = {"ansi": as_text, "rgb_array": picture}.get(self.render_mode or "")
        if draw is None:
            return None
        return tuple(draw(self._games.games.state(number)) for number in range(self.num_envs))

    def _see(self) -> Seen:
        return {"observation": self._games.observe(), "action_mask": self._masks()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final(self, ended: Bools) -> dict[str, Any]:
        """Return what is reported of games that ended in a step and begin again in it."""
        seen = self._see()
        finals = np.full(self.num_envs, None, dtype=object)
        for number in np.flatnonzero(ended):
            finals[number] = {key: value[number] for key, value in seen.items()}
        return {
            "final_obs": finals,
            "_final_obs": ended,
            "final_info": {"action_mask": self._masks(), "_action_mask": ended},
            "_final_info": ended,
        }

    def _masks(self) -> NDArray[np.int8]:
        return self._games.legal.astype(np.int8)
