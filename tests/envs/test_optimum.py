"""The exact distance of a policy to perfect play, compared with the solver's own way to it."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from heckmeck.envs.learning import BadPolicy
from heckmeck.envs.optimum import distance_to_optimum, duel_with_optimum
from heckmeck.rules import NO_HOUSE_RULES, AnyState, word
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import CLASSIC_TILES
from heckmeck.rules.grill import Grill
from heckmeck.rules.moves import Throw
from heckmeck.rules.state import DECIDING, State
from heckmeck.rules.turn import Turn
from heckmeck.solver.small_boards import duel, habits_of, lay_out, solve_board
from heckmeck.values import Value
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.values.worms import WORMS

FACES = "12345W"
WORDS = ("roll", "stop", *(f"keep:{face}" for face in FACES))


def state_seen(seen: NDArray[np.int8], tiles: tuple[int, ...]) -> AnyState:
    """The state that an ``int8`` observation describes; see docs/bulk.md."""
    where = {tile: (int(seen[2 * i]), int(seen[2 * i + 1])) for i, tile in enumerate(CLASSIC_TILES)}
    up = tuple(tile for tile in tiles if where[tile][0] == 0)
    down = tuple(tile for tile in tiles if where[tile][0] == -1)
    stacks = tuple(
        tuple(
            sorted(
                (tile for tile in tiles if where[tile][0] == 1 + player),
                key=lambda tile: -where[tile][1],
            )
        )
        for player in (0, 1)
    )
    hand, total, *counts = (int(each) for each in seen[35:49])
    kept = "".join(face * count for face, count in zip(FACES, counts[:6], strict=True))
    rolled = "".join(face * count for face, count in zip(FACES, counts[6:12], strict=True))
    table = ClassicTable(Grill(up, down), (stacks[0], stacks[1]), NO_HOUSE_RULES)
    return State(table, 0, Turn(hand, kept, total), Throw(rolled) if rolled else DECIDING)


class BestFor:
    """A policy that plays the solver's best moves for a value."""

    def __init__(self, value: Value, tiles: tuple[int, ...]) -> None:
        self._memo, self._tiles = TurnMemo(value), tiles

    def __call__(self, seen: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[Any]:
        states = [state_seen(each, self._tiles) for each in seen]
        return np.array([WORDS.index(word(move)) for move in self._memo.best_moves(states)])


def test_a_policy_is_valued_as_the_solver_values_it() -> None:
    board = lay_out((21,))
    perfect = habits_of(board, solve_board(board))
    exact = duel(board, habits_of(board, WORMS), perfect)
    found = duel_with_optimum(BestFor(WORMS, (21,)), "21", observing="int8")
    assert found == pytest.approx(exact, abs=1e-9)


@pytest.mark.soak
def test_perfect_play_loses_nothing() -> None:
    solved = solve_board(lay_out((21, 22)))
    loss = distance_to_optimum(BestFor(solved, (21, 22)), "21-22", observing="int8")
    assert loss == pytest.approx(0, abs=1e-9)


def at_random(_: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[Any]:
    chances: NDArray[Any] = masks / masks.sum(axis=1, keepdims=True)
    return chances


def test_actions_and_probabilities_are_the_same_to_it() -> None:
    def first(_: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[Any]:
        actions: NDArray[Any] = masks.argmax(axis=1)
        return actions

    def surely_first(_: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[Any]:
        chances = np.zeros(masks.shape)
        chances[np.arange(len(masks)), masks.argmax(axis=1)] = 1.0
        return chances

    one, other = distance_to_optimum(first, "21-22"), distance_to_optimum(surely_first, "21-22")
    assert one == other
    assert 0.3 < one < distance_to_optimum(at_random, "21-22") < 0.5


def test_a_bad_policy_is_refused() -> None:
    for policy, why in (
        (lambda _, masks: np.zeros(len(masks), np.int64), "not legal"),
        (lambda _, masks: masks.astype(float), "sum to 1"),
        (lambda _, __: np.zeros((1, 2, 3)), "shape"),
    ):
        with pytest.raises(BadPolicy, match=why):
            distance_to_optimum(policy, "21-22")
