"""Environments: how fast they step through their public interface, next to those of others.

Run from the project's root, in an environment with `.[bench]`: `python -m bench.envs [--write]`.
Everything plays at random on one core, in one run, as CPU time of this process. A step is one
action of a player; masks are asked for wherever an environment has them.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from bench import peers
from bench.report import facts, table, write_section

SEED = 2005
#: Environments side by side, and steps of each between two looks at the clock.
MANY, STEPS = 4096, 10


@dataclass(frozen=True, slots=True)
class Speed:
    """Steps per second."""

    name: str
    steps: float
    note: str


def drawn(masks: np.ndarray, luck: np.random.Generator) -> np.ndarray:
    """Return a random legal action for each mask, drawn the same way for everybody."""
    found: np.ndarray = np.where(masks, luck.random(masks.shape, np.float32), -1.0).argmax(axis=1)
    return found


def stepping(
    name: str,
    note: str,
    draw: Callable[[], np.ndarray],
    step: Callable[[np.ndarray], None],
    seconds: float,
) -> Speed:
    """Measure a step of many environments; drawing the actions is not counted."""
    best, spent = 0.0, 0.0
    while spent < seconds:
        elapsed = 0.0
        for _ in range(STEPS):
            actions = draw()
            began = time.process_time()
            step(actions)
            elapsed += time.process_time() - began
        best, spent = max(best, MANY * STEPS / elapsed), spent + elapsed
    return Speed(name, best, note)


def bulk(seconds: float) -> Speed:
    """Measure the compiled engine, all players, with masks."""
    from heckmeck import bulk

    games = bulk.new_games("classic", 2, MANY, seed=SEED, autoreset="same_step")
    key = np.array([SEED], np.uint64)
    note = f"`heckmeck.bulk`, all players, {MANY} games, masks"
    return stepping("heckmeck", note, lambda: games.random_actions(key), games.step, seconds)


def vector(seconds: float) -> Speed:
    """Measure the vector environment, with observations and masks, against a random bot."""
    import gymnasium

    import heckmeck.envs  # noqa: F401 (registers the environments)

    env = gymnasium.make_vec(
        "heckmeck/Classic-v0",
        num_envs=MANY,
        vectorization_mode="vector_entry_point",
        opponents=("random",),
    )
    masks, luck = env.reset(seed=SEED)[1]["action_mask"], np.random.default_rng(SEED)

    def step(actions: np.ndarray) -> None:
        nonlocal masks
        masks = env.step(actions)[4]["action_mask"]

    note = f"Gymnasium vector, {MANY} games, float32 observations, masks; steps of the learner only"
    return stepping("heckmeck vector environment", note, lambda: drawn(masks, luck), step, seconds)


def cartpole(seconds: float) -> Speed:
    """Measure Gymnasium's own vector environment."""
    import gymnasium

    env = gymnasium.make_vec("CartPole-v1", num_envs=MANY, vectorization_mode="vector_entry_point")
    env.reset(seed=SEED)
    luck = np.random.default_rng(SEED)
    note = f"Gymnasium's own native vector environment, {MANY} poles; no masks, no opponents"
    return stepping(
        "Gymnasium CartPole", note, lambda: luck.integers(0, 2, MANY), env.step, seconds
    )


def envpool_backgammon(seconds: float) -> Speed:
    """Measure EnvPool's backgammon, in C++, on one thread."""
    envpool = peers.load("envpool", "envpool")
    env = envpool.make_gymnasium("Backgammon-v1", num_envs=MANY, num_threads=1, seed=SEED)
    masks, luck = env.reset()[1]["legal_action_mask"], np.random.default_rng(SEED)

    def step(actions: np.ndarray) -> None:
        nonlocal masks
        masks = env.step(actions)[4]["legal_action_mask"]

    note = f"C++, `Backgammon-v1`, {MANY} games, one thread, observations of both players, masks"
    return stepping(
        "EnvPool backgammon", note, lambda: drawn(masks, luck).astype(np.int32), step, seconds
    )


def one_by_one(peer: Callable[[float], peers.Rate], seconds: float) -> Speed:
    """Return the rate of a peer that plays a game at a time."""
    rate = peer(seconds)
    return Speed(rate.name, rate.per_second, rate.note)


def run(seconds: float) -> list[Speed]:
    """Measure everybody; a peer that is not installed is an error that says how to install it."""
    ours = [bulk(seconds), vector(seconds)]
    batches = [cartpole(seconds), envpool_backgammon(seconds)]
    singles = (peers.pig, peers.backgammon, peers.pickomino_env)
    return [*ours, *batches, *(one_by_one(peer, seconds) for peer in singles)]


ABOUT = """## Environments

Random play through the public interface of each environment, on one core, in one run; the machine
was shared, with a load of {load:.0f} at the end. A step is one action of a player; where many
environments step at once, drawing their random actions is not counted, elsewhere it is. *Times* say
how many steps `heckmeck.bulk`, and the vector environment, take in the time of one. The games
differ, so a factor of two says little. Written by `python -m bench.envs --write`.
"""


def markdown(speeds: list[Speed], load: float) -> str:
    """Return the section for docs/benchmarks.md."""
    engine, environment = speeds[0].steps, speeds[1].steps
    rows = [
        (
            each.name,
            f"{each.steps / 1e6:.3f}",
            f"{engine / each.steps:.1f}",
            f"{environment / each.steps:.1f}",
            each.note,
        )
        for each in speeds
    ]
    header = ("environment", "million steps/s", "times: bulk", "times: vector", "what is measured")
    return f"{ABOUT.format(load=load)}\n{table(header, rows)}"


def main() -> None:
    """Run the benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU seconds for each figure")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON")
    output.add_argument("--write", action="store_true", help="write docs/benchmarks.md")
    options = parser.parse_args()
    speeds = run(options.seconds)
    if options.json:
        print(json.dumps([asdict(each) for each in speeds], indent=2))
        return
    section = markdown(speeds, os.getloadavg()[0])
    print(section)
    if options.write:
        packages = ("heckmeck", "gymnasium", "envpool", "open_spiel", "pickomino-env", "numpy")
        write_section("envs", section, facts(packages))


if __name__ == "__main__":
    main()
