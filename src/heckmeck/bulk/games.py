"""Thousands of games at once: a batch, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from heckmeck.bulk import machine as m
from heckmeck.bulk import observations
from heckmeck.bulk.actions import action_words
from heckmeck.bulk.machine import Batch, Box, Resets
from heckmeck.bulk.rows import OVER, Bools, Floats32, Ints, Rows, row_rules
from heckmeck.bulk.turn_states import at_turn, state_at
from heckmeck.dice.arrays import below, mixed
from heckmeck.record import Record
from heckmeck.rules import (
    NO_HOUSE_RULES,
    AnyState,
    BadSetup,
    HouseRules,
    Move,
    game,
    game_at,
    parse,
    word,
)
from heckmeck.rules.components import GOLDEN_DIE
from heckmeck.rules.moves import STOP, Pinch, Rob, Throw
from heckmeck.rules.turn import chances
from heckmeck.solver.compiling import compiled_lean

Rewards: TypeAlias = Literal["win", "worms", "swing"]
Autoreset: TypeAlias = Literal["disabled", "next_step", "same_step"]

_PAYS: Final[dict[str, int]] = {"win": m.PAY_WIN, "worms": m.PAY_WORMS, "swing": m.PAY_SWING}
_RESETS: Final[dict[str, int]] = {
    "disabled": m.NEVER,
    "next_step": m.NEXT_STEP,
    "same_step": m.SAME_STEP,
}
_WORD: Final = (1 << 64) - 1


class IllegalAction(ValueError):
    """An action that is not legal: the number of the ``game``, its ``word``, the ``legal`` ones."""

    def __init__(self, game: int, word: str, legal: tuple[str, ...]) -> None:
        """Combine the three parts into one message."""
        self.game, self.word, self.legal = game, word, legal
        super().__init__(
            f"{word} is not allowed in game {game}. Legal there: {', '.join(legal)}. "
            "Nothing was played in any game."
        )


class Games:
    """A batch of games, each at a decision of a player, or over.

    Its arrays change with every step, and must not be written to.
    """

    def __init__(
        self,
        edition: str,
        start: AnyState,
        seed: int,
        deals: Sequence[int],
        *,
        rewards: Rewards = "win",
        autoreset: Autoreset = "disabled",
    ) -> None:
        """Set up a game for every deal from ``start``, the beginning of a game."""
        if rewards not in _PAYS or autoreset not in _RESETS:
            raise BadSetup(
                f"rewards must be one of {', '.join(_PAYS)} and autoreset one of "
                f"{', '.join(_RESETS)}, not {rewards} and {autoreset}."
            )
        count, seats = len(deals), start.table.seats
        self.edition = edition
        self.seats = seats
        self.house: HouseRules = start.table.house
        self.words = action_words(edition, seats)
        self.box: Box = m.box_of(edition, seats)
        self.first = start.seat
        self._began_at_start = True
        self._rules = row_rules(edition)
        self._pay = _PAYS[rewards]
        width = self._rules.width
        self.batch = Batch(
            rows=np.zeros((count, width), np.int8),
            turns=np.zeros((count, m.TURN_WIDTH), np.int8),
            luck=np.zeros((count, 2), np.uint64),
            counts=np.zeros((count, m.COUNTS), np.int64),
            blocks=np.zeros((0, m.BLOCK), np.int16),
            after=np.zeros(0, np.int64),
            free=np.array([-1, 0]),
            standing=np.zeros((count, seats), np.int64),
            rewards=np.zeros((count, seats), np.float32),
            legal=np.zeros((count, len(self.words)), np.bool_),
            counting=m.new_count(),
        )
        same_step = autoreset == "same_step"
        self._resets = Resets(
            _RESETS[autoreset],
            self._rules.row(start.table, start.seat),
            start.seat,
            np.uint64(seed & _WORD),
            np.zeros(count, np.bool_),
            np.zeros((count if same_step else 0, width + m.TURN_WIDTH), np.int8),
        )
        self.batch.counts[:, m.DEAL] = deals
        self.reserve(2 * count)
        _start_all(self.box, self.batch, self._resets)

    @classmethod
    def new(  # noqa: PLR0913 (all but four have defaults)
        cls,
        edition: str,
        seats: int,
        deals: Sequence[int],
        seed: int,
        house: HouseRules = NO_HOUSE_RULES,
        *,
        first: int = 0,
        rewards: Rewards = "win",
        autoreset: Autoreset = "disabled",
    ) -> Games:
        """Set up new games; see `heckmeck.bulk.new_games`."""
        start = game(edition).initial(seats, first, house)
        games = cls(edition, start, seed, deals, rewards=rewards, autoreset=autoreset)
        games.go_to_decisions()
        return games

    @classmethod
    def with_dice(
        cls, start: AnyState, keys: Sequence[int], states: Sequence[AnyState] = ()
    ) -> Games:
        """Set up a game for each key of a deal, `key_of` the seed and its number.

        They begin at ``start``, the beginning of a game, or continue from ``states``.
        """
        games = cls(game_at(start.table).edition, start, 0, range(len(keys)))
        _deal(games.box, games.batch, np.array(keys, np.uint64))
        games._put_all(states)
        return games

    @classmethod
    def at(
        cls,
        states: Sequence[AnyState],
        seed: int,
        deals: Sequence[int],
        *,
        rewards: Rewards = "win",
    ) -> Games:
        """Continue from states; see `heckmeck.bulk.games_at`."""
        tables = {
            (game_at(each.table).edition, each.table.seats, each.table.house) for each in states
        }
        if len(tables) != 1 or len(deals) != len(states):
            raise BadSetup(
                "games_at needs at least one state and a deal for each, all of one edition, with "
                "the same number of players and the same house rules."
            )
        ((edition, seats, house),) = tables
        start = game(edition).initial(seats, 0, house)
        games = cls(edition, start, seed, deals, rewards=rewards)
        games._put_all(states)
        return games

    def _put_all(self, states: Sequence[AnyState]) -> None:
        """Put games into these states, and let all go to a decision."""
        self._began_at_start = not states
        for number, state in enumerate(states):
            self._put(number, state)
        self.go_to_decisions()

    def _put(self, number: int, state: AnyState) -> None:
        """Put a game into a state; its luck is that of its first turn."""
        b, seat = self.batch, state.seat
        b.rows[number] = self._rules.row(state.table, seat)
        m.scores_by_seat(self.box, b.rows[number], seat, b.counting, b.standing[number])
        m.begin_turn(self.box, b, number, seat)
        b.turns[number] = at_turn(state)

    # --- what is known of the games ---------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.batch.rows)

    @property
    def legal(self) -> Bools:
        """[game, action]: what the player may do; nothing in a game that is over."""
        return self.batch.legal

    @property
    def rewards(self) -> Floats32:
        """[game, seat]: what the last step brought; see `step`."""
        return self.batch.rewards

    @property
    def over(self) -> Bools:
        """[game]: the game is over."""
        over: Bools = self.batch.turns[:, m.PHASE] == OVER
        return over

    @property
    def ended(self) -> Bools:
        """[game]: the game ended in the last step."""
        return self._resets.ended

    @property
    def to_move(self) -> Rows:
        """[game]: the seat whose turn it is; when the game is over, whose turn ended it."""
        return self.batch.turns[:, m.SEAT]

    @property
    def deals(self) -> Ints:
        """[game]: the number of the deal."""
        return self.batch.counts[:, m.DEAL]

    @property
    def turns_played(self) -> Ints:
        """[game]: the number of turns, the current one included."""
        return self.batch.counts[:, m.TURNS]

    @property
    def words_played(self) -> Ints:
        """[game]: the number of words in the record, throws and forced moves included."""
        return self.batch.counts[:, m.PLAYED]

    def scores(self) -> Ints:
        """Return [game, seat]: the scores, as if the games ended now."""
        scores = np.zeros((len(self), self.seats), np.int64)
        _score_all(self.box, self.batch, scores)
        return scores

    def shares(self) -> Floats32:
        """Return [game, seat]: the shares of the win, as if the games ended now."""
        shares = np.zeros((len(self), self.seats), np.float32)
        _share_all(self.box, self.batch, shares)
        return shares

    def state(self, number: int) -> AnyState:
        """Return the state of a game, as the rules have it."""
        turn = self.batch.turns[number]
        table = self._rules.table(self.batch.rows[number], int(turn[m.SEAT]))
        return state_at(table, self.batch.rows[number], turn)

    def action(self, number: int, move: Move) -> int:
        """Return the action of a player's move in a game."""
        if isinstance(move, Rob | Pinch):
            victim = (move.victim - int(self.to_move[number])) % self.seats
            return self.box.first_victim + victim - 1
        return self.words.index(word(move))

    def moves(self, number: int) -> tuple[Move, ...]:
        """Return everything that was played in a game, throws and forced moves included."""
        by_code = _moves_by_code(self.edition, self.seats)
        return tuple([by_code[code] for code in self._codes(number)])

    def record(self, number: int, names: Sequence[str] | None = None) -> Record:
        """Return the record of a game from its beginning; the players are ``P0``, ``P1``, ...

        Raise ValueError for a batch that began in the middle of games.
        """
        if not self._began_at_start:
            raise ValueError("These games began in the middle: there are only their moves.")
        players = [f"P{seat}" for seat in range(self.seats)] if names is None else names
        return Record(self.edition, tuple(players), self.first, self.house, self.moves(number))

    def _codes(self, number: int) -> Iterator[int]:
        b = self.batch
        left, block = b.counts[number, [m.PLAYED, m.FIRST_BLOCK]].tolist()
        while left > 0:
            yield from b.blocks[block, : min(left, m.BLOCK)].tolist()
            left, block = left - m.BLOCK, b.after[block]

    # --- playing ----------------------------------------------------------------------------------

    def step(self, chosen: NDArray[np.integer]) -> None:
        """Play an action in every game, and go on to the next decision or the end.

        Afterwards `legal`, `rewards`, `over` and `ended` describe the games. Actions of games that
        are over are ignored. Raise `IllegalAction`, with nothing changed, if one is not legal.

        The rewards are by seat. ``win``: the shares of the win when a game ends; they sum to 1.
        ``worms``: the scores when it ends. ``swing``: the worms won and lost in the turns that
        ended with the step; over a game they sum to the scores.

        Games that are over begin again with the deal ``len(games)`` higher, as Gymnasium's
        `AutoresetMode` defines it: ``next_step``: the next step ignores the action and begins the
        game; ``same_step``: at once, see `last_observations`; ``disabled``: only by `reset`.
        """
        wanted = np.ascontiguousarray(chosen, np.int64)
        if wanted.shape != (len(self),):
            raise ValueError(f"step needs {len(self)} actions, one per game, not {wanted.shape}.")
        illegal = m.find_illegal(self.batch, wanted)
        if illegal >= 0:
            raise self._illegal(illegal, int(wanted[illegal]))
        done = m.step(self.box, self.batch, wanted, 0, self._pay, self._resets)
        while done < len(self):
            self.reserve(len(self) // 8 + m.BLOCK)
            if done < 0:
                done = -1 - done
            else:
                m.go_to_decision(self.box, self.batch, done, self._pay)
                m.finish(self.box, self.batch, done, self._pay, self._resets)
                done += 1
            done = m.step(self.box, self.batch, wanted, done, self._pay, self._resets)

    def play(self, numbers: Ints, chosen: Ints) -> None:
        """Play an action in each of these games, and go on to the next decision or the end.

        Raise `IllegalAction`, with nothing changed, if one is not legal.
        """
        for at in np.flatnonzero(~self.legal[numbers, chosen]):
            raise self._illegal(int(numbers[at]), int(chosen[at]))
        done = 0
        while done < len(numbers):
            self.make_room()
            done = _play_some(self.box, self.batch, numbers, chosen, done, self._pay)
        self.go_to_decisions()

    def _illegal(self, number: int, action: int) -> IllegalAction:
        word = self.words[action] if 0 <= action < len(self.words) else f"Action {action}"
        legal = [self.words[each] for each in np.flatnonzero(self.legal[number])]
        return IllegalAction(number, word, tuple(legal))

    def reset(self, which: Bools | None = None) -> None:
        """Begin these games again (by default all that are over), each with its next deal."""
        chosen = self.over if which is None else which
        for number in np.flatnonzero(chosen):
            m.renew(self.box, self.batch, int(number), self._resets)
        self.go_to_decisions()

    def restart(self, numbers: Ints, keys: NDArray[np.uint64]) -> None:
        """Begin these games again, each with the dice of the deal that has its key (`key_of`)."""
        _restart(self.box, self.batch, self._resets, numbers, keys)
        self.go_to_decisions()

    def go_to_decisions(self) -> None:
        """Throw dice and play forced moves in all games, up to a decision or the end."""
        done = 0
        while True:
            done = _go_all(self.box, self.batch, done, self._pay)
            if done == len(self):
                return
            self.reserve(len(self) // 8 + m.BLOCK)

    def random_actions(self, key: NDArray[np.uint64]) -> Ints:
        """Return an action for every game, all legal ones equally likely; advance the key.

        ``key`` is a single number that determines them, for example ``np.array([7], np.uint64)``.
        """
        chosen = np.empty(len(self), np.int64)
        _draw_actions(self.batch.legal, key, chosen)
        return chosen

    def make_room(self) -> None:
        """Make room for more words if there is little left."""
        if self.batch.free[1] < m.BLOCK:
            self.reserve(len(self) // 4 + m.BLOCK)

    def reserve(self, more: int) -> None:
        """Make room for this many more blocks of words."""
        b, before = self.batch, len(self.batch.blocks)
        room = before + max(more, before // 4)
        blocks, after = np.empty((room, m.BLOCK), np.int16), np.empty(room, np.int64)
        blocks[:before], after[:before] = b.blocks, b.after
        after[before:] = np.arange(before + 1, room + 1)
        after[-1] = b.free[0]
        b.free[:] = before, b.free[1] + room - before
        self.batch = b._replace(blocks=blocks, after=after)

    # --- observations -----------------------------------------------------------------------------

    def observations(self) -> Floats32:
        """Return [game, feature]: what the player to move sees; see `observation_layout`."""
        return observations.features(self.edition, self.seats, self.compact_observations())

    def compact_observations(self) -> Rows:
        """Return [game, column]: the same as small numbers; see `observation_layout`."""
        return observations.compact(self.box, self.edition, self.batch.rows, self.batch.turns)

    def last_observations(self) -> Floats32:
        """Return what `observations` was at the end of games that `ended` in a ``same_step``.

        The rows of all other games are meaningless.
        """
        width = self._rules.width
        rows, turns = self._resets.last[:, :width], self._resets.last[:, width:]
        seen = observations.compact(
            self.box, self.edition, np.ascontiguousarray(rows), np.ascontiguousarray(turns)
        )
        return observations.features(self.edition, self.seats, seen)


# ------------------------------------------------------------------------------ words


@cache
def _throws(edition: str) -> list[str]:
    """Return the dice of every throw, by number."""
    dice = game(edition).dice
    return [throw.dice for count in range(dice.count + 1) for throw in chances(dice, count).throws]


@cache
def _moves_by_code(edition: str, seats: int) -> tuple[Move, ...]:
    """Return the moves of everything that can be written down."""
    victim = Pinch if edition == "junior" else Rob
    moves: list[Move] = [parse(each) for each in action_words(edition, seats)]
    moves += [STOP] * (m.VICTIM - len(moves))  # never written down
    moves += [victim(seat) for seat in range(m.THROW - m.VICTIM)]
    golden = (None, *GOLDEN_DIE.faces)
    return (*moves, *(Throw(dice, face) for dice in _throws(edition) for face in golden))


# ------------------------------------------------------------------------------ all games


@compiled_lean
def _start_all(box: Box, b: Batch, again: Resets) -> None:
    for i in range(len(b.rows)):
        m.start(box, b, i, again.row, again.seat, again.seed)


_mixed = compiled_lean(mixed)


@compiled_lean
def _deal(box: Box, b: Batch, keys: m.Keys) -> None:
    """Give the games the dice of these deals."""
    for i in range(len(b.rows)):
        b.luck[i, m.DEALT] = _mixed(_mixed(keys[i]))
        m.begin_turn(box, b, i, b.turns[i, m.SEAT])


@compiled_lean
def _restart(box: Box, b: Batch, again: Resets, numbers: Ints, keys: m.Keys) -> None:
    for place in range(len(numbers)):
        i = numbers[place]
        m.start(box, b, i, again.row, again.seat, again.seed)
        b.luck[i, m.DEALT] = _mixed(_mixed(keys[place]))
        m.begin_turn(box, b, i, again.seat)


@compiled_lean
def _go_all(box: Box, b: Batch, first: int, pay: int) -> int:
    """Let all games from ``first`` go to a decision; return the number done."""
    for i in range(first, len(b.rows)):
        if not m.go_to_decision(box, b, i, pay):
            return i
    return len(b.rows)


@compiled_lean
def _play_some(box: Box, b: Batch, numbers: Ints, chosen: Ints, first: int, pay: int) -> int:
    """Play the actions from ``first`` while there is room; return the number played."""
    for place in range(first, len(numbers)):
        if b.free[1] < m.AT_ONCE:
            return place
        m.advance(box, b, numbers[place], chosen[place], pay)
    return len(numbers)


@compiled_lean
def _score_all(box: Box, b: Batch, scores: Ints) -> None:
    for i in range(len(b.rows)):
        m.scores_by_seat(box, b.rows[i], b.turns[i, m.SEAT], b.counting, scores[i])


@compiled_lean
def _share_all(box: Box, b: Batch, shares: Floats32) -> None:
    for i in range(len(b.rows)):
        m.shares_by_seat(box, b.rows[i], b.turns[i, m.SEAT], b.counting, shares[i])


_below = compiled_lean(below)


@compiled_lean
def _draw_actions(legal: Bools, key: m.Keys, chosen: Ints) -> None:
    for i in range(len(legal)):
        mask = legal[i]
        count = 0
        for action in range(len(mask)):
            count += mask[action]
        chosen[i] = 0
        if count:
            left = np.int64(_below(key, np.uint64(count)))
            passed, before = 0, 0  # without a branch, which would often be predicted wrongly
            for action in range(len(mask)):
                passed += mask[action]
                before += passed <= left
            chosen[i] = before
