"""Environments for reinforcement learning, on the conventions of three frameworks.

Importing this package registers ``heckmeck/Classic-v0``, ``Deluxe-v0``, ``Barbecue-v0`` and
``Junior-v0`` with Gymnasium, if it is installed: one player against bots, single and vectorized
(`heckmeck.envs.gymnasium`). `heckmeck.envs.pettingzoo` is a PettingZoo AEC environment for all
players, and importing `heckmeck.envs.openspiel` registers ``python_heckmeck`` with OpenSpiel. See
``docs/envs.md``.

>>> import gymnasium
>>> import heckmeck.envs
>>> env = gymnasium.make("heckmeck/Classic-v0", opponents=("rooster",))
>>> observation, info = env.reset(seed=1)
>>> env.unwrapped.words[int(info["action_mask"].argmax())]
'keep:1'
"""

from importlib.util import find_spec

from heckmeck.envs.learning import PolicyPlayer
from heckmeck.envs.optimum import distance_to_optimum
from heckmeck.rules import EDITIONS

__all__ = ["PolicyPlayer", "distance_to_optimum", "register"]


def register() -> None:
    """Register an environment for each edition with Gymnasium."""
    import gymnasium

    for edition in EDITIONS:
        gymnasium.register(
            id=f"heckmeck/{edition.capitalize()}-v0",
            entry_point="heckmeck.envs.gymnasium:HeckmeckEnv",
            vector_entry_point="heckmeck.envs.gymnasium:HeckmeckVectorEnv",
            kwargs={"edition": edition},
        )


if find_spec("gymnasium") is not None:
    register()
