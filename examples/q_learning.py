"""Tabular Q-learning by self-play on a small board, measured by its exact distance to the optimum.

    python examples/q_learning.py --tiles 21-22 --games 400000 --plot distance.svg

Both players learn in one table, each game from the view of the player to move. An action is known
by what it leads to: the board, the dice kept and in hand, and whether the player will roll, stops
or has just kept. So actions that lead to the same share their value, and the table stays small.
"""

import argparse
from pathlib import Path

import numpy as np

from heckmeck.dice.luck import key_of
from heckmeck.envs import distance_to_optimum
from heckmeck.envs.learning import Setup
from heckmeck.rules.components import CLASSIC_TILES
from heckmeck.solver.small_boards import tiles_from

#: The columns of an int8 observation, see docs/bulk.md.
HAND, TOTAL, KEPT, ROLLED = 35, 36, slice(37, 43), slice(43, 49)
POINTS = np.array([1, 2, 3, 4, 5, 5])  # of the faces 1 2 3 4 5 W
ROLL, STOP, KEEP = range(3)  # what an action does: the first two are actions, others keep a face
HIGHEST, DICE, MASKS = 41, 9, 64
ALONGSIDE = 512  # games side by side


class QTable:
    """The value of every action: the chance to win for the player who takes it."""

    def __init__(self, tiles: str) -> None:
        numbers = [[*CLASSIC_TILES].index(tile) for tile in tiles_from(tiles)]
        self.columns = [column for number in numbers for column in (2 * number, 2 * number + 1)]
        self.bases = [base for _ in numbers for base in (4, len(numbers))]
        boards = int(np.prod(self.bases))
        self.value = np.full(boards * 3 * MASKS * DICE * HIGHEST, 0.5, np.float32)
        self.visits = np.zeros(len(self.value), np.int32)

    def entries(self, seen: np.ndarray) -> np.ndarray:
        """[state, action]: where the value of each action is in the table."""
        seen = seen.astype(np.int64)
        board = np.zeros(len(seen), np.int64)
        for at, (column, base) in enumerate(zip(self.columns, self.bases, strict=True)):
            board = board * base + seen[:, column] + (1 - at % 2)  # a place counts from -1
        bits = 1 << np.arange(6)
        mask, rolled = (seen[:, KEPT] > 0) @ bits, seen[:, ROLLED]
        kinds = np.array([ROLL, STOP, *[KEEP] * 6])
        masks = np.column_stack((mask, mask, mask[:, None] | bits))
        kept = np.column_stack((np.zeros((len(seen), 2), np.int64), rolled))
        points = np.column_stack((np.zeros((len(seen), 2), np.int64), rolled * POINTS))
        entry = (board[:, None] * 3 + kinds) * MASKS + masks
        entry = entry * DICE + seen[:, [HAND]] - kept
        return entry * HIGHEST + np.minimum(seen[:, [TOTAL]] + points, HIGHEST - 1)

    def values(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """[state, action]: the values; less than any where an action is not legal."""
        return np.where(masks, self.value[self.entries(seen)], -1.0)

    def learn(self, entries: np.ndarray, targets: np.ndarray) -> None:
        """Move values towards targets, by less the more often an entry was visited."""
        some, which, times = np.unique(entries, return_inverse=True, return_counts=True)
        means = np.bincount(which, targets) / times
        self.visits[some] += times
        rate = 1.0 - (1.0 - self.visits[some] ** -0.7) ** times
        self.value[some] += rate * (means - self.value[some])

    def policy(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Play the best actions known."""
        return self.values(seen, masks).argmax(axis=1)


def train(tiles: str, games: int, looks: int, seed: int) -> tuple[QTable, list[tuple[int, float]]]:
    """Play games; return the table, and the exact distance at as many moments as ``looks``."""
    table, luck = QTable(tiles), np.random.default_rng(seed)
    batch = Setup.of("classic", 2, tiles=tiles, observing="int8").new_games(ALONGSIDE)
    begun, played, course = 0, 0, []

    def begin(numbers: np.ndarray) -> None:
        nonlocal begun
        keys = [key_of(seed, begun + number) for number in range(len(numbers))]
        batch.restart(numbers, np.array(keys, np.uint64))
        begun += len(numbers)

    begin(np.arange(ALONGSIDE))
    seen, mask, mover = batch.compact_observations(), batch.legal.copy(), batch.to_move.copy()
    while played < games:
        values = table.values(seen, mask)
        explores = luck.random(ALONGSIDE) < 0.15
        drawn = np.where(mask, luck.random(mask.shape), -1.0).argmax(axis=1)
        actions = np.where(explores, drawn, values.argmax(axis=1))
        chosen = np.take_along_axis(table.entries(seen), actions[:, None], axis=1)[:, 0]
        batch.step(actions)
        over = batch.over.copy()
        shares = batch.shares()[np.arange(ALONGSIDE), mover]
        after, legal = batch.compact_observations(), batch.legal.copy()
        best = table.values(after, legal).max(axis=1)
        ours = batch.to_move == mover
        table.learn(chosen, np.where(over, shares, np.where(ours, best, 1.0 - best)))
        if over.any():
            begin(np.flatnonzero(over))
            after, legal = batch.compact_observations(), batch.legal.copy()
        seen, mask, mover = after, legal, batch.to_move.copy()
        played += int(over.sum())
        if played >= games * (len(course) + 1) / looks:
            loss = distance_to_optimum(table.policy, tiles, observing="int8")
            course.append((played, loss))
            print(f"{played:>9,} games: {loss:.4f} below perfect play")
    return table, course


def plot(course: list[tuple[int, float]], tiles: str, path: Path) -> None:
    """Draw the distance over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot(title=f"Tabular Q-learning on the tiles {tiles}")
    axes.plot(*zip(*course, strict=True), marker="o", color="#c8641e")
    axes.set(xlabel="games of self-play", ylabel="exact loss against perfect play", yscale="log")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Learn, and say how far from perfect play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiles", default="21-22", help="the board")
    parser.add_argument("--games", type=int, default=400_000, help="games of self-play")
    parser.add_argument("--looks", type=int, default=16, help="how often to measure")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="draw the distance over time to this file")
    options = parser.parse_args()
    _, course = train(options.tiles, options.games, options.looks, options.seed)
    if options.plot:
        plot(course, options.tiles, options.plot)


if __name__ == "__main__":
    main()
