"""Games of a learner against bots, many at once: what all environments for one player stand on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from heckmeck.bots import player
from heckmeck.bots.in_bulk import in_bulk
from heckmeck.bulk import action_words, games_at, observations
from heckmeck.bulk import machine as m
from heckmeck.bulk.games import Games, IllegalAction, Rewards
from heckmeck.bulk.rows import Bools, Floats32, Ints, Rows, row_rules
from heckmeck.bulk.turn_states import at_turn
from heckmeck.dice import Luck
from heckmeck.dice.luck import key_of
from heckmeck.rules import NO_HOUSE_RULES, AnyState, BadSetup, HouseRules, Move, game, legal
from heckmeck.rules.state import DECIDING, State
from heckmeck.solver.small_boards import lay_out, tiles_from

Observing: TypeAlias = Literal["float32", "int8"]
Illegal: TypeAlias = Literal["end", "raise"]
#: What an illegal action brings where it ends the game.
PENALTY: Final = -1.0


#: Takes [state, feature] observations and [state, action] masks, and returns [state] actions or
#: [state, action] probabilities.
Policy: TypeAlias = Callable[[NDArray[Any], NDArray[np.int8]], NDArray[Any]]

#: How finely actions are drawn.
_FINE: Final = 2**53
#: How much the probabilities of a policy may differ from 1 in all.
ROUNDING: Final = 1e-6


class BadPolicy(ValueError):
    """A policy that plays what is not legal, or whose probabilities do not sum to 1."""


class Options(TypedDict, total=False):
    """What can be chosen about the games of an environment; see ``docs/envs.md``."""

    tiles: str
    observing: Observing
    flip_always: bool
    flip_returned: bool


@dataclass(frozen=True)
class Setup:
    """What an environment plays.

    Attributes:
        edition: The game.
        seats: The number of players.
        house: House rules, for classic and deluxe.
        tiles: A small board (classic, two players), such as ``21-25``; all tiles if empty.
        observing: Features (``float32``) or one small number for each column (``int8``).
    """

    edition: str
    seats: int
    house: HouseRules = NO_HOUSE_RULES
    tiles: str = ""
    observing: Observing = "float32"

    def __post_init__(self) -> None:
        """Refuse what cannot be played, with a `BadSetup` that says why."""
        game(self.edition).initial(self.seats, 0, self.house)
        if self.observing not in ("float32", "int8"):
            raise BadSetup(f"observing must be float32 or int8, not {self.observing!r:.40}.")
        if self.tiles and (self.edition, self.seats) != ("classic", 2):
            raise BadSetup("Small boards (tiles) are for classic with two players.")

    @classmethod
    def of(cls, edition: str, seats: int, **options: Unpack[Options]) -> Setup:
        """Return the setup with these options."""
        house = HouseRules(
            flip_always=options.get("flip_always", False),
            flip_returned=options.get("flip_returned", False),
        )
        known = Options.__annotations__
        if unknown := ", ".join(options.keys() - known):
            raise BadSetup(f"There is no option {unknown}. There are {', '.join(known)}.")
        tiles, observing = options.get("tiles", ""), options.get("observing", "float32")
        return cls(edition, seats, house, tiles, observing)

    @cached_property
    def start(self) -> AnyState:
        """The beginning of a game; seat 0 begins."""
        rules = game(self.edition)
        begin = rules.initial(self.seats, 0, self.house)
        if not self.tiles:
            return begin
        return State(lay_out(tiles_from(self.tiles)).positions[0], begin.seat, begin.turn, DECIDING)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of all actions, by number."""
        return action_words(self.edition, self.seats)

    @cached_property
    def columns(self) -> tuple[observations.Column, ...]:
        """What the columns of an ``int8`` observation mean."""
        return observations.layout(self.edition, self.seats)

    @cached_property
    def width(self) -> int:
        """The length of an observation."""
        if self.observing == "int8":
            return len(self.columns)
        return sum(column.features for column in self.columns)

    def new_games(self, count: int, rewards: Rewards = "win") -> Games:
        """Return games that wait for `Games.restart`."""
        return Games(self.edition, self.start, 0, range(count), rewards=rewards)

    def observe(self, games: Games) -> Floats32 | Rows:
        """Return [game, ...]: what the players to move see."""
        if self.observing == "int8":
            return games.compact_observations()
        return games.observations()

    def observe_from(self, state: AnyState, seat: int) -> Floats32 | Rows:
        """Return what a player sees, who need not be the one to move."""
        rows = row_rules(self.edition).row(state.table, seat)[None]
        seen: Floats32 | Rows = self.observe_rows(rows, at_turn(state)[None])[0]
        return seen

    def observe_rows(self, rows: Rows, turns: Rows) -> Floats32 | Rows:
        """Return [row, ...]: what is seen of tables and turns that are given as rows."""
        seen = observations.compact(m.box_of(self.edition, self.seats), self.edition, rows, turns)
        if self.observing == "int8":
            return seen
        return observations.features(self.edition, self.seats, seen)


def players_with(opponents: Sequence[str]) -> int:
    """Return the number of players at a table of a learner and these bots."""
    if isinstance(opponents, str):  # its letters would be the names
        raise BadSetup(f"opponents are a tuple of names, such as ({opponents!r:.40},), not a name.")
    return 1 + len(opponents)


class LearnersGames:
    """Games of one learner each, in which everybody else is a bot.

    A running game is at a decision of its learner. ``opponents`` follow the learner clockwise.
    Who begins depends on the dice's key, so a learner meets every seat equally often.
    """

    def __init__(
        self,
        setup: Setup,
        opponents: Sequence[str],
        count: int,
        rewards: Rewards = "win",
        illegal: Illegal = "end",
    ) -> None:
        """Set up games that wait for `begin`."""
        if rewards not in ("win", "worms", "swing") or illegal not in ("end", "raise"):
            raise BadSetup(
                "rewards must be win, worms or swing, and illegal end or raise, "
                f"not {rewards!r:.40} and {illegal!r:.40}."
            )
        self.setup = setup
        self.games = setup.new_games(count)
        self.seat: Ints = np.zeros(count, np.int64)
        self.ended: Bools = np.ones(count, np.bool_)
        self._players = [in_bulk(name, player(name, outside=True)) for name in opponents]
        self._rewards = rewards
        self._raises = illegal == "raise"
        self._paid: Ints = np.zeros(count, np.int64)
        self._turns: Ints = np.zeros(count, np.int64)

    def begin(self, numbers: Ints, keys: NDArray[np.uint64]) -> None:
        """Begin these games with the dice of these keys, up to the learner's first decision."""
        self.games.restart(numbers, keys)
        self.seat[numbers] = (keys >> np.uint64(32)) % np.uint64(self.setup.seats)
        self.ended[numbers] = False
        self._paid[numbers] = self.games.scores()[numbers, self.seat[numbers]]
        self._turns[numbers] = 1
        self._play_others()

    def step(self, chosen: NDArray[np.integer]) -> Floats32:
        """Play an action in each running game; return [game]: what it brought the learner.

        Games that end are marked in `ended`. An illegal action ends its game with `PENALTY`, or
        raises `IllegalAction` with nothing changed.
        """
        games, running = self.games, ~self.ended
        legal = self.legal[np.arange(len(chosen)), np.clip(chosen, 0, len(self.setup.words) - 1)]
        legal &= (chosen >= 0) & (chosen < len(self.setup.words))
        illegal = running & ~legal
        if self._raises and illegal.any():
            raise self._illegal(int(illegal.argmax()), chosen)
        self._step_some(chosen, legal & running)
        self.ended |= illegal
        self._play_others()
        brought = self._pay(~self.ended)
        self.ended |= games.over
        brought[illegal] = PENALTY
        return brought

    def _step_some(self, chosen: NDArray[np.integer], playing: Bools) -> None:
        """Play in these games, and leave the others as they are."""
        games, b = self.games, self.games.batch
        left = np.flatnonzero(~playing & ~games.over)
        kept = b.rows[left].copy(), b.turns[left].copy(), b.legal[left].copy()
        # A step plays in every game: in those that are left alone anything, which is then undone.
        games.step(np.where(playing, chosen, games.legal.argmax(axis=1)))
        b = games.batch
        b.rows[left], b.turns[left], b.legal[left] = kept

    @property
    def legal(self) -> Bools:
        """[game, action]: what the learner may do."""
        return self.games.legal

    def observe(self) -> Floats32 | Rows:
        """Return [game, ...]: what the learners see."""
        return self.setup.observe(self.games)

    def _illegal(self, number: int, chosen: NDArray[np.integer]) -> IllegalAction:
        words, action = self.setup.words, int(chosen[number])
        word = words[action] if 0 <= action < len(words) else f"Action {action}"
        return IllegalAction(
            number, word, tuple(words[each] for each in np.flatnonzero(self.legal[number]))
        )

    def _play_others(self) -> None:
        """Let the bots play until every running game is at a decision of its learner."""
        games = self.games
        while True:
            games.make_room()
            games.go_to_decisions()
            after_learner = (games.to_move - self.seat) % self.setup.seats
            waiting = ~self.ended & ~games.over & (after_learner > 0)
            if not waiting.any():
                return
            for place, bot in enumerate(self._players):
                numbers = np.flatnonzero(waiting & (after_learner == place + 1))
                if len(numbers):
                    bot.play(games, numbers)

    def _pay(self, running: Bools) -> Floats32:
        brought = np.zeros(len(self.seat), np.float32)
        games, over = self.games, running & self.games.over
        if self._rewards == "swing":
            moved = np.flatnonzero(running & ((games.turns_played != self._turns) | over))
            if len(moved):
                scores = games.scores()[moved, self.seat[moved]]
                brought[moved] = scores - self._paid[moved]
                self._paid[moved] = scores
                self._turns[moved] = games.turns_played[moved]
        elif over.any():
            ended = np.flatnonzero(over)
            paid = games.shares() if self._rewards == "win" else games.scores()
            brought[ended] = paid[ended, self.seat[ended]]
        return brought


@dataclass
class Episodes:
    """The dice of one environment's episodes: a seed, and how many episodes began with it."""

    seed: int
    number: int = field(default=-1)

    def next_key(self) -> int:
        """Return the key of the next episode's dice."""
        self.number += 1
        return key_of(self.seed, self.number)


# ------------------------------------------------------------------------------ policies


def probabilities(answer: NDArray[Any], masks: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return what a policy answered as probabilities; raise `BadPolicy` if it may not play so."""
    given = np.asarray(answer)
    if given.shape == masks.shape:
        plays = given.astype(np.float64)
    elif given.shape == masks.shape[:1]:
        plays = np.zeros(masks.shape)
        plays[np.arange(len(given)), given.astype(np.int64)] = 1.0
    else:
        raise BadPolicy(
            f"A policy returns {len(masks)} actions, or {masks.shape} probabilities, one per "
            f"observation; this one returned an array of shape {given.shape}."
        )
    if (plays[masks == 0] != 0).any() or (plays < 0).any():
        raise BadPolicy("The policy plays actions that are not legal: use the mask it is given.")
    if np.abs(plays.sum(axis=1) - 1).max() > ROUNDING:
        raise BadPolicy("The probabilities of the policy do not sum to 1.")
    return plays


class PolicyPlayer:
    """A policy as a bot, which answers for many tables at once.

    ``heckmeck.arena.run(["mine", "fox"], players={"mine": PolicyPlayer(policy)})``; a class made of
    it is a ``py:`` bot. Actions of a policy that returns probabilities are drawn.
    """

    def __init__(self, policy: Policy, observing: Observing = "float32") -> None:
        """Ask ``policy``, with observations of this kind."""
        self._policy, self._observing = policy, observing

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose a move for each table; raise `BadPolicy` if the policy has none."""
        games = games_at(states, seed=0)
        compact = self._observing == "int8"
        seen = games.compact_observations() if compact else games.observations()
        masks = games.legal.astype(np.int8)
        plays = probabilities(self._policy(seen, masks), masks).cumsum(axis=1)
        drawn = [
            luck.below(_FINE) / _FINE * last for luck, last in zip(lucks, plays[:, -1], strict=True)
        ]
        actions = (plays > np.array(drawn)[:, None]).argmax(axis=1)
        return [
            next(move for move in legal(state) if games.action(number, move) == action)
            for number, (state, action) in enumerate(zip(states, actions, strict=True))
        ]
