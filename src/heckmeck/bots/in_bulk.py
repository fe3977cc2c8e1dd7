"""The bots of the registry in bulk: the same decisions as theirs, for thousands of games at once.

Players that solve turns play whole turns: those of many games are solved at once, and each is
played to its end in compiled code. Questions (to rob, to return, to pinch) are rare, and answered
by the player of the registry itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import NamedTuple

import numpy as np

from heckmeck.bots import player
from heckmeck.bulk import actions, new_games
from heckmeck.bulk import machine as m
from heckmeck.bulk.games import Games
from heckmeck.bulk.machine import Batch, Box
from heckmeck.bulk.rows import (
    DECIDING,
    RETURN,
    THROWN,
    Bools,
    Ints,
    RowRules,
    Rows,
    row_rules,
)
from heckmeck.bulk.tiles import BRATWORMS
from heckmeck.bulk.turns import AT_ONCE, Steps, best_layer, ends_of_turns, solve_some, steps_for
from heckmeck.dice import CountedLuck
from heckmeck.dice.arrays import below
from heckmeck.rules import game
from heckmeck.solver.compiling import compiled, compiled_lean
from heckmeck.solver.kernel import TIE, Floats
from heckmeck.solver.positions import TurnKind
from heckmeck.solver.solution import EndValues
from heckmeck.solver.tables import tables_for, totals_of
from heckmeck.values.worm_rows import worm_ends


class BulkPlayer(ABC):
    """Plays in many games at once."""

    @abstractmethod
    def play(self, games: Games, numbers: Ints) -> None:
        """Make decisions in these games, in which it is this player's turn.

        Afterwards a game is at a decision, over, or has moves to play that are forced: if there is
        no room for more words, this returns early.
        """


@cache
def bulk_player(name: str) -> BulkPlayer:
    """Return the player of that name, one of `IN_BULK_NAMES`."""
    return RandomInBulk() if name == "random" else ExactInBulk(name)


def prepare_bulk(name: str, edition: str, seats: int) -> None:
    """Use everything once that is compiled for this bot and for bulk play."""
    games = new_games(edition, seats, 4, seed=0)
    games.step(games.random_actions(np.array([0], np.uint64)))
    games.observations()
    for _ in range(20):
        games.make_room()
        games.go_to_decisions()
        bulk_player(name).play(games, np.flatnonzero(~games.over))


# ------------------------------------------------------------------------------ the egg


class RandomInBulk(BulkPlayer):
    """Plays any legal move."""

    def play(self, games: Games, numbers: Ints) -> None:
        """Make one decision in each game; the luck of the dice decides, too."""
        _play_randomly(games.box, games.batch, numbers)


_below = compiled_lean(below)


@compiled_lean
def _play_randomly(box: Box, b: Batch, numbers: Ints) -> None:
    for place in range(len(numbers)):
        i = numbers[place]
        if b.free[1] < m.AT_ONCE:
            return
        left = 0
        for action in range(b.legal.shape[1]):
            left += b.legal[i, action]
        left = int(np.int64(_below(b.luck[i], np.uint64(left))))
        m.play(box, b, i, _legal_at(box, b, i, left), m.PAY_WIN)
        m.go_to_decision(box, b, i, m.PAY_WIN)


@compiled_lean
def _legal_at(box: Box, b: Batch, i: int, left: int) -> int:
    """Return a legal action by its place in the order of the rules.

    That is the order of the actions, but ``bust`` comes before ``reroll``, the Specialist held
    before the one received, and victims come by seat.
    """
    turn, mask = b.turns[i], b.legal[i]
    phase = turn[m.PHASE]
    if phase == RETURN:
        received = m.return_action(int(np.int64(turn[m.SUBJECT])))
        return received if left == 1 else _other_action(mask, received)
    if phase == THROWN and box.double_one_pays and mask[actions.BUST]:
        return actions.BUST if left == 0 else actions.REROLL
    by_seat = phase not in (THROWN, DECIDING)
    for place in range(len(mask)):
        action = place
        if by_seat:  # the first places stand for the seats
            action = box.first_victim + (place - turn[m.SEAT] + box.seats) % box.seats - 1
            if place == turn[m.SEAT]:
                continue
        if mask[action]:
            if left == 0:
                return int(action)
            left -= 1
    return -1


@compiled_lean
def _other_action(mask: Bools, action: int) -> int:
    """Return the legal action that is not this one."""
    other = 0
    while not mask[other] or other == action:
        other += 1
    return other


# ------------------------------------------------------------------------------ exact players


class ExactInBulk(BulkPlayer):
    """Solves turns for the value of a bot of the registry."""

    def __init__(self, name: str) -> None:
        """Play as the bot of this name."""
        self._name = name

    def play(self, games: Games, numbers: Ints) -> None:
        """Play the turns to their ends, and answer questions."""
        phases = games.batch.turns[numbers, m.PHASE]
        within = (phases == DECIDING) | (phases == THROWN)
        self._answer(games, numbers[~within])
        self._play_turns(games, numbers[within])

    def _answer(self, games: Games, numbers: Ints) -> None:
        bot = player(self._name)
        for number in numbers.tolist():
            games.make_room()
            luck = CountedLuck(int(games.batch.luck[number, m.STREAM]))
            action = games.action(number, bot.choose(games.state(number), luck))
            m.play(games.box, games.batch, number, action, m.PAY_WIN)
            m.go_to_decision(games.box, games.batch, number, m.PAY_WIN)

    def _play_turns(self, games: Games, numbers: Ints) -> None:
        rules, rows = row_rules(games.edition), games.batch.rows[numbers]
        for kind, places in _kinds(rules, rows, games.batch.turns[numbers]):
            steps = steps_for(game(games.edition), kind.golden, kind.layers > 1)
            found = states_of(games.edition, kind.golden)
            ends = self._ends(games, rules, rules.layers(rows[places], kind), kind)
            _play_solved(
                games.box, games.batch, steps, found, 1 + kind.weasel, ends, numbers[places]
            )

    def _ends(self, games: Games, rules: RowRules, layers: Rows, kind: TurnKind) -> EndValues:
        if self._name == "fox":
            return worm_ends(games.box, games.edition, layers, totals_of(game(games.edition)))
        from heckmeck.values.win import win_chance

        win = win_chance(games.edition, deeper=self._name == "grandmaster")
        assert win is not None, "all editions have champions"
        if win.nearer is not win and kind.layers > 2:
            best = best_layer(rules, layers, games.seats, win.nearer.of_rows(games.seats))
            layers = np.stack([layers[:, 0], layers[np.arange(len(best)), best]], axis=1)
        return ends_of_turns(rules, layers, games.seats, win.of_rows(games.seats)).ends


def _kinds(rules: RowRules, rows: Rows, turns: Rows) -> list[tuple[TurnKind, Ints]]:
    """Sort games by the kind of their turn; a 1 that is kept rules out a double 1."""
    kinds = []
    for kind, places in rules.kinds(rows):
        if kind.layers == 1:
            kinds.append((kind, places))
            continue
        kept = turns[places, m.KEPT] > 0
        kinds.append((kind, places[~kept]))
        kinds.append((kind._replace(layers=1), places[kept]))
    return [(kind, places) for kind, places in kinds if len(places)]


@cache
def states_of(edition: str, golden: bool) -> Ints:
    """Return [set of kept faces, dice in hand, golden die, total]: the state's number."""
    rules = game(edition)
    size = (1 << len(rules.dice.faces), rules.dice.count + 1, 2, totals_of(rules))
    numbers = np.full(size, -1, np.int64)
    for number, state in enumerate(tables_for(rules, golden).states):
        numbers[state.kept, state.dice, int(state.golden), state.total] = number
    return numbers


class _Solved(NamedTuple):
    """The solution of one turn."""

    value: Floats
    """[copy, layer, slot]"""
    roll: Floats
    """[copy, layer, state]"""


@compiled
def _play_solved(
    box: Box, b: Batch, s: Steps, found: Ints, copies: int, ends: EndValues, numbers: Ints
) -> None:
    """Solve turns, and play each until it ends, asks a question, or earns a Bratworm."""
    for first in range(0, len(numbers), AT_ONCE):
        last = min(first + AT_ONCE, len(numbers))
        value, roll = solve_some(s, copies, ends, first, last)
        for place in range(last - first):
            solved = _Solved(value[:, :, :, place], roll[:, :, :, place])
            _play_on(box, b, s, found, solved, numbers[first + place])


@compiled_lean
def _play_on(box: Box, b: Batch, s: Steps, found: Ints, solved: _Solved, i: int) -> None:
    turn, turns = b.turns[i], b.counts[i, m.TURNS]
    bratworms = b.rows[i, BRATWORMS]
    while b.free[1] >= m.AT_ONCE:
        m.play(box, b, i, _best_action(box, b, s, found, solved, i), m.PAY_WIN)
        if not m.go_to_decision(box, b, i, m.PAY_WIN):
            return
        if b.counts[i, m.TURNS] != turns or (turn[m.PHASE] != DECIDING and turn[m.PHASE] != THROWN):
            return
        if box.double_one_pays and b.rows[i, BRATWORMS] != bratworms:
            return


@compiled_lean
def _best_action(box: Box, b: Batch, s: Steps, found: Ints, solved: _Solved, i: int) -> int:
    """Return the best action: of those within `TIE` of the highest value, the first in order.

    The order is stop, roll, roll:golden; keep (faces in order), bust, reroll.
    """
    turn, mask = b.turns[i], b.legal[i]
    kept = 0
    for face in range(box.faces):
        if turn[m.KEPT + face]:
            kept |= 1 << face
    state = found[kept, turn[m.HAND], turn[m.GOLDEN], turn[m.TOTAL]]
    highest = -np.inf
    for action in range(len(mask)):
        if mask[action]:
            highest = max(highest, _value_of(s, solved, turn, state, action))
    highest -= TIE
    for action in (actions.STOP, actions.ROLL):
        if mask[action] and _value_of(s, solved, turn, state, action) >= highest:
            return action
    for action in range(actions.KEEP, actions.KEEP + box.faces):
        if mask[action] and _value_of(s, solved, turn, state, action) >= highest:
            return action
    for action in (actions.ROLL_GOLDEN, actions.BUST):
        if mask[action] and _value_of(s, solved, turn, state, action) >= highest:
            return action
    return actions.REROLL


@compiled_lean
def _value_of(s: Steps, solved: _Solved, turn: Rows, state: int, action: int) -> float:
    """Return the value of an action; after a double 1, that of the best layer."""
    copy = 0 if turn[m.WEASEL_USED] else solved.value.shape[0] - 1
    value, roll = solved.value, solved.roll
    if action == actions.STOP:
        return float(value[copy, 0, s.arrays.state_stop[state]])
    if action == actions.ROLL:
        return float(roll[copy, 0, state])
    if action == actions.ROLL_GOLDEN:
        return float(roll[copy, 0, s.golden_start])
    if action == actions.REROLL:
        return float(roll[0, 0, state])
    if action == actions.BUST:
        return float(value[copy, 0, s.dead[state]])
    face = action - actions.KEEP
    golden = 1 if turn[m.GOLDEN_SHOWS] == face else 0
    return float(value[copy, 0, s.keep[state, golden, face, turn[m.SHOWN + face]]])
