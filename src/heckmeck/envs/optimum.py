"""How far a policy is from perfect play on a small board: exactly, without throwing dice.

A classic turn has 3,003 sets of kept dice and 74,295 throws after them. The policy is asked what it
does at each of them that it can reach, at every position of the board. Its answers give the
probabilities of where its turns lead, and these its chance to win against perfect play.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heckmeck.bulk.rows import Bools, Ints, Rows, row_rules
from heckmeck.bulk.turn_states import at_turn
from heckmeck.envs.learning import Observing, Policy, Setup, probabilities
from heckmeck.rules import Move, legal, throws, word
from heckmeck.rules.moves import ROLL, STOP, Keep
from heckmeck.rules.state import DECIDING, FALLING, State
from heckmeck.rules.turn import Turn
from heckmeck.solver.kernel import Floats
from heckmeck.solver.small_boards import (
    RULES,
    Board,
    Duel,
    Habits,
    SolvedBoard,
    duel,
    habits_of,
    habits_where,
    lay_out,
    solve_board,
    tiles_from,
)


def distance_to_optimum(
    policy: Policy, tiles: str = "21-23", *, observing: Observing = "float32"
) -> float:
    """Return what a policy loses against perfect play: 0.5 minus its share of the wins.

    Both begin equally often. The number is exact, up to the 1e-9 to which the board is solved; 0
    means perfect play. Boards of up to five tiles are practical. Raise `BadPolicy` if the policy
    does not answer with legal actions.
    """
    return 0.5 - duel_with_optimum(policy, tiles, observing=observing).share


def duel_with_optimum(
    policy: Policy, tiles: str = "21-23", *, observing: Observing = "float32"
) -> Duel:
    """Return a policy's exact chances against perfect play, going first and second."""
    solved, perfect = _perfect(tiles)
    setup = Setup("classic", 2, tiles=tiles, observing=observing)
    return duel(solved.board, habits_of_policy(solved.board, policy, setup), perfect)


@cache
def _perfect(tiles: str) -> tuple[SolvedBoard, Habits]:
    solved = solve_board(lay_out(tiles_from(tiles)))
    return solved, habits_of(solved.board, solved)


def habits_of_policy(board: Board, policy: Policy, setup: Setup) -> Habits:
    """Return where the turns of a policy lead, from every position of a board."""
    asked = _Asked(policy, setup)
    ends = [asked.ends_at(board, place) for place in range(len(board.positions))]
    return habits_where(board, ends)


# ------------------------------------------------------------------------------ a turn


class _Nodes(NamedTuple):
    """Decisions of a kind: what is seen of the turn, and what is legal."""

    turns: Rows
    """[node, column]: the turn as a row."""
    legal: NDArray[np.int8]
    """[node, action]"""


class _Layer(NamedTuple):
    """All sets of a number of kept dice, and what can fall after them."""

    total: Ints
    """[set]"""
    worm: Ints
    """[set]: 1 if a worm is in it."""
    decisions: _Nodes
    """[set]: roll or stop; in an ended turn, nothing is legal."""
    chance: Floats
    """[throw]: nothing can fall after all dice were kept."""
    dead: Bools
    """[set, throw]"""
    thrown: _Nodes
    """[set * throw]"""
    after: Ints
    """[set * throw, action]: the number of the set in its layer, after a keep."""
    dice: Ints
    """[set * throw, action]: the layer of that set."""


@cache
def _layers() -> tuple[_Layer, ...]:
    """Return every moment of a turn, as the rules have them; the tiles do not matter to it."""
    numbers: list[dict[str, int]] = [{} for _ in range(RULES.dice.count + 1)]
    turns: list[list[Turn]] = [[] for _ in numbers]
    _number_of(Turn(RULES.dice.count), numbers, turns)
    return tuple(_layer(kept, numbers, turns) for kept in range(len(numbers)))


def _number_of(turn: Turn, numbers: list[dict[str, int]], turns: list[list[Turn]]) -> int:
    """Return the number of a set of kept dice in its layer; a new one gets the next."""
    layer = numbers[len(turn.kept)]
    if turn.kept not in layer:
        layer[turn.kept] = len(layer)
        turns[len(turn.kept)].append(turn)
    return layer[turn.kept]


def _layer(kept: int, numbers: list[dict[str, int]], turns: list[list[Turn]]) -> _Layer:
    setup, here = Setup("classic", 2), turns[kept]
    table = setup.start.table
    decisions, thrown, dead, leads_to = [], [], [], []
    chances = throws(State(table, 0, here[0], FALLING)) if here[0].dice_left else None
    for turn in here:
        state = State(table, 0, turn, DECIDING)
        decisions.append((at_turn(state), () if RULES.turn_is_complete(turn) else legal(state)))
        for throw in chances.throws if chances else ():
            state = State(table, 0, turn, throw)
            keeps = legal(state)
            thrown.append((at_turn(state), keeps))
            dead.append(not keeps)
            leads_to.append({
                setup.words.index(word(keep)): turn.keep(
                    keep.face, throw, RULES.dice.points[RULES.dice.faces.index(keep.face)]
                )
                for keep in keeps
                if isinstance(keep, Keep)
            })  # fmt: skip
    after = np.zeros((len(leads_to), len(setup.words)), np.int64)
    dice = np.zeros_like(after)
    for node, keeps_to in enumerate(leads_to):
        for action, turn in keeps_to.items():
            after[node, action] = _number_of(turn, numbers, turns)
            dice[node, action] = len(turn.kept)
    weights = np.array(chances.weights if chances else (), np.float64)
    return _Layer(
        np.array([turn.total for turn in here]),
        np.array([int("W" in turn.kept) for turn in here]),
        _nodes(decisions, setup.words),
        weights / (chances.total if chances else 1),
        np.array(dead, np.bool_).reshape(len(here), len(weights)),
        _nodes(thrown, setup.words),
        after,
        dice,
    )


def _nodes(found: list[tuple[Rows, tuple[Move, ...]]], words: tuple[str, ...]) -> _Nodes:
    masks = np.zeros((len(found), len(words)), np.int8)
    for node, (_, moves) in enumerate(found):
        masks[node, [words.index(word(move)) for move in moves]] = 1
    turns = [turn for turn, _ in found]
    return _Nodes(np.array(turns, np.int8) if turns else np.zeros((0, 0), np.int8), masks)


# ------------------------------------------------------------------------------ asking


class _Asked:
    """A policy, asked at every moment of a turn that it can reach."""

    def __init__(self, policy: Policy, setup: Setup) -> None:
        self._policy, self._setup = policy, setup
        self._roll, self._stop = (setup.words.index(word(move)) for move in (ROLL, STOP))

    def ends_at(self, board: Board, place: int) -> tuple[Floats, float]:
        """Return [worm, total]: the chances that a turn stops there; and that it fails."""
        row = row_rules("classic").row(board.positions[place], 0)
        layers, stopped, failed = _layers(), np.zeros(board.stop.shape[1:]), 0.0
        reached = [np.zeros(len(layer.total)) for layer in layers]
        reached[0][0] = 1.0
        for here, layer in zip(reached, layers, strict=True):
            some = np.flatnonzero(here)
            if not len(some):
                continue
            plays = self._ask(row, layer.decisions, some)
            ended = layer.decisions.legal[some].sum(axis=1) == 0
            stops = here[some] * np.where(ended, 1.0, plays[:, self._stop])
            np.add.at(stopped, (layer.worm[some], layer.total[some]), stops)
            rolls = np.where(ended, 0.0, here[some] * plays[:, self._roll])
            failed += self._throw(row, layer, some[rolls > 0], rolls[rolls > 0], reached)
        return stopped, failed

    def _throw(
        self, row: Rows, layer: _Layer, some: Ints, rolls: Floats, reached: list[Floats]
    ) -> float:
        """Let dice fall and the policy keep some; return the chance that a throw is dead."""
        if not len(some):
            return 0.0
        fallen = rolls[:, None] * layer.chance
        alive = ~layer.dead[some]
        nodes = (some[:, None] * len(layer.chance) + np.arange(len(layer.chance)))[alive]
        plays = self._ask(row, layer.thrown, nodes) * fallen[alive][:, None]
        after, dice = layer.after[nodes], layer.dice[nodes]
        for kept in np.unique(dice[plays > 0]):
            to_kept = (dice == kept) & (plays > 0)
            np.add.at(reached[kept], after[to_kept], plays[to_kept])
        return float(fallen[~alive].sum())

    def _ask(self, row: Rows, nodes: _Nodes, numbers: Ints) -> Floats:
        """Return [node, action]: the probabilities; forced moves are not asked for."""
        masks = nodes.legal[numbers]
        plays = masks.astype(np.float64)
        open_ = masks.sum(axis=1) > 1
        if open_.any():
            rows = np.repeat(row[None], int(open_.sum()), axis=0)
            seen = self._setup.observe_rows(rows, nodes.turns[numbers[open_]])
            plays[open_] = probabilities(self._policy(seen, masks[open_]), masks[open_])
        return plays
