"""The bots of the registry in bulk: the same decisions as theirs, for thousands of games at once.

Players that solve turns play whole turns: those of many games are solved at once, and each is
played to its end in compiled code. So do players by rules of thumb. Questions (to rob, to return,
to pinch) are rare, and most are answered by the player of the registry itself. Players that are not
in the registry are shown the states of their games (`AtTables`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from heckmeck.bots import OURS, Player, player
from heckmeck.bots.rules_of_thumb import dares, value_of_keep
from heckmeck.bulk import actions, new_games
from heckmeck.bulk import machine as m
from heckmeck.bulk.games import Games
from heckmeck.bulk.machine import Batch, Box
from heckmeck.bulk.rows import (
    DECIDING,
    FAILURE,
    OVER,
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
from heckmeck.values.worm_rows import Memory, gain_of, new_memory, standing, worm_ends


class BulkPlayer(ABC):
    """Plays in many games at once."""

    @abstractmethod
    def play(self, games: Games, numbers: Ints) -> None:
        """Make decisions in these games, in which it is this player's turn.

        Afterwards a game is at a decision, over, or has moves to play that are forced: if there is
        no room for more words, this returns early.
        """


def in_bulk(name: str, found: Player) -> BulkPlayer:
    """Return the player ``found`` under a name: compiled if it is the registry's, or as it is."""
    return bulk_player(name) if name in OURS and found is player(name) else AtTables(found)


@cache
def bulk_player(name: str) -> BulkPlayer:
    """Return the player of that name in the registry."""
    if name in _THUMBS:
        return ByRuleOfThumb(name)
    return ExactInBulk(name)


def prepare_bulk(name: str, edition: str, seats: int) -> None:
    """Use everything once that is compiled for this bot and for bulk play."""
    begun = new_games(edition, seats, 4, seed=0)
    begun.step(begun.random_actions(np.array([0], np.uint64)))
    begun.observations()
    begun.scores()
    begun.shares()
    states = [begun.state(number) for number in range(len(begun))]
    games = Games.with_dice(game(edition).initial(seats), range(len(states)), states)
    games.play(np.arange(len(games)), games.legal.argmax(axis=1))
    for _ in range(20):
        games.make_room()
        games.go_to_decisions()
        bulk_player(name).play(games, np.flatnonzero(~games.over))


# ------------------------------------------------------------------------------ any player


class AtTables(BulkPlayer):
    """Any player: it is shown the states of the games, as the rules have them."""

    def __init__(self, shown: Player) -> None:
        """Let this player decide."""
        self._player = shown

    def play(self, games: Games, numbers: Ints) -> None:
        """Make one decision in each game."""
        if not len(numbers):
            return
        streams = games.batch.luck[numbers, m.STREAM]
        lucks = [CountedLuck(int(stream)) for stream in streams]
        states = [games.state(number) for number in numbers.tolist()]
        moves = self._player.choose_all(states, lucks)
        games.batch.luck[numbers, m.STREAM] = [luck.key for luck in lucks]
        pairs = zip(numbers.tolist(), moves, strict=True)
        games.play(numbers, np.array([games.action(number, move) for number, move in pairs]))


# ------------------------------------------------------------------------------ rules of thumb

_RANDOM: Final = 0
_CHICK: Final = 1
_ROOSTER: Final = 2
_THUMBS: Final = {"random": _RANDOM, "chick": _CHICK, "rooster": _ROOSTER}


class _Thumb(NamedTuple):
    """What players by rules of thumb know of an edition."""

    most: int
    """The points of the best face."""
    classic: bool
    keep: Floats
    """[face, dice]: the value of keeping them."""
    dares: Bools
    """[set of kept faces, dice in hand]: a dead throw is unlikely enough."""


@cache
def _thumb(edition: str) -> _Thumb:
    rules = game(edition)
    dice, golden = rules.dice, int(rules.has_golden_die)
    sets = range(1 << len(dice.faces))
    kept = [
        "".join(face for place, face in enumerate(dice.faces) if each >> place & 1) for each in sets
    ]
    hand = range(dice.count + 1)
    return _Thumb(
        max(dice.points),
        edition == "classic",
        np.array(
            [[value_of_keep(dice, f, n) for n in (*hand, *hand[:golden])] for f in dice.faces]
        ),
        np.array(
            [[rules.dead_throw_counts or dares(dice, each, n) for n in hand] for each in kept]
        ),
    )


class ByRuleOfThumb(BulkPlayer):
    """Plays as `heckmeck.bots.rules_of_thumb` says."""

    def __init__(self, name: str) -> None:
        """Play as the bot of this name."""
        self._way = _THUMBS[name]
        self._answers = AtTables(player(name))

    def play(self, games: Games, numbers: Ints) -> None:
        """Play the turns to their ends, and answer questions."""
        asked = _is_asked(games, numbers) if self._way == _ROOSTER else np.zeros(len(numbers), bool)
        self._answers.play(games, numbers[asked])
        memory = new_memory(games.batch.rows.shape[1])
        _play_thumbs(
            games.box, games.batch, _thumb(games.edition), self._way, memory, numbers[~asked]
        )


def _is_asked(games: Games, numbers: Ints) -> Bools:
    """Return [number]: the player is asked a question."""
    phases = games.batch.turns[numbers, m.PHASE]
    asked: Bools = (phases != DECIDING) & (phases != THROWN)
    return asked


@compiled_lean
def _play_thumbs(box: Box, b: Batch, t: _Thumb, way: int, memory: Memory, numbers: Ints) -> None:
    """Play each turn until it ends; the rooster stops at questions."""
    for place in range(len(numbers)):
        i = numbers[place]
        turns = b.counts[i, m.TURNS]
        while b.counts[i, m.TURNS] == turns:
            phase = b.turns[i, m.PHASE]
            if b.free[1] < m.AT_ONCE or phase == OVER:
                break
            if way == _RANDOM:
                action = _any_legal(box, b, i)
            elif phase == THROWN:
                action = _best_keep(box, b, t, way, i)
            elif phase == DECIDING:
                action = _stop_or_roll(box, b, t, way, memory, i)
            elif way == _ROOSTER:
                break
            else:
                action = _any_legal(box, b, i)
            if not m.advance(box, b, i, action, m.PAY_WIN):
                return


@compiled_lean
def _stop_or_roll(box: Box, b: Batch, t: _Thumb, way: int, memory: Memory, i: int) -> int:
    """Stop if that brings anything; the rooster does so only if it should not go on."""
    row, turn, mask = b.rows[i], b.turns[i], b.legal[i]
    if (
        mask[actions.STOP]
        and m.earned(box, row, turn) != FAILURE
        and (way == _CHICK or not _should_go_on(box, t, row, turn, memory))
    ):
        return actions.STOP
    if box.double_one_pays and mask[actions.ROLL_GOLDEN]:
        return actions.ROLL_GOLDEN
    if way == _CHICK:
        _below(b.luck[i], np.uint64(1))  # it chooses among one
    return actions.ROLL


@compiled_lean
def _should_go_on(box: Box, t: _Thumb, row: Rows, turn: Rows, memory: Memory) -> bool:
    """Whether more can be gained at a small risk."""
    total, kept = int(np.int64(turn[m.TOTAL])), 0
    for face in range(box.faces):
        if turn[m.KEPT + face]:
            kept |= 1 << face
    if not t.dares[kept, turn[m.HAND]]:
        return False
    memory.known[:] = False
    here = standing(box, row, memory.wealth)
    now = gain_of(box, t.classic, row, m.ending_of(box, row, total, True), here, memory)
    for more in range(total + 1, total + turn[m.HAND] * t.most + 1):
        ending = m.ending_of(box, row, more, True)
        if gain_of(box, t.classic, row, ending, here, memory) > now:
            return True
    return False


@compiled_lean
def _best_keep(box: Box, b: Batch, t: _Thumb, way: int, i: int) -> int:
    """Keep the most points (chick) or the best value (rooster), if they fit; or use the weasel."""
    row, turn, mask = b.rows[i], b.turns[i], b.legal[i]
    aim = (box.dice + turn[m.GOLDEN]) * t.most
    while aim > 0 and m.ending_of(box, row, aim, True) == FAILURE:
        aim -= 1
    room = aim - turn[m.TOTAL]
    best, best_fits, best_value = -1, False, 0.0
    for face in range(box.faces):
        if mask[actions.KEEP + face]:
            dice = turn[m.SHOWN + face] + (1 if turn[m.GOLDEN_SHOWS] == face else 0)
            points = dice * box.points[face]
            fits = points <= room
            value = float(points) if way == _CHICK else t.keep[face, dice]
            if best < 0 or fits > best_fits or (fits == best_fits and value > best_value):
                best, best_fits, best_value = face, fits, value
    if best < 0:
        return actions.REROLL
    if (
        way == _ROOSTER
        and box.double_one_pays
        and mask[actions.REROLL]
        and not (best_fits and best_value >= 0.0)
    ):
        return actions.REROLL
    return actions.KEEP + best


_below = compiled_lean(below)


@compiled_lean
def _any_legal(box: Box, b: Batch, i: int) -> int:
    """Return any legal action; the luck of the dice decides, too."""
    count = 0
    for action in range(b.legal.shape[1]):
        count += b.legal[i, action]
    return _legal_at(box, b, i, int(np.int64(_below(b.luck[i], np.uint64(count)))))


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
        self._answers = AtTables(player(name))

    def play(self, games: Games, numbers: Ints) -> None:
        """Play the turns to their ends, and answer questions."""
        asked = _is_asked(games, numbers)
        self._answers.play(games, numbers[asked])
        self._play_turns(games, numbers[~asked])

    def _play_turns(self, games: Games, numbers: Ints) -> None:
        rules, rows = row_rules(games.edition), games.batch.rows[numbers]
        for kind, places in _kinds(rules, rows, games.batch.turns[numbers]):
            steps = steps_for(game(games.edition), kind.golden, kind.layers > 1, played=True)
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
        if not m.advance(box, b, i, _best_action(box, b, s, found, solved, i), m.PAY_WIN):
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
