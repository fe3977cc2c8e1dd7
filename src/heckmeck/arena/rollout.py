"""Rollouts: a position played on many times after each of its legal moves.

One bot plays all seats. Games come in rounds: within a round the first throws are spread evenly
over all possible throws (stratified), and every move is followed by the same dice, so that moves
can be compared. Results are luck-adjusted (`heckmeck.arena.adjusted`). A round is one observation,
so the standard errors account for everything that its games have in common.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Final, TypeAlias

from heckmeck.arena.adjusted import evaluator_at, luck_of
from heckmeck.arena.estimates import Moments, mean_by_deals
from heckmeck.arena.pace import SECONDS, Pace, split
from heckmeck.arena.tournament import Fixture, GameResult, play_by
from heckmeck.bots import Player, player
from heckmeck.bots.outside import MOVE_SECONDS
from heckmeck.dice import CountedLuck, key_of
from heckmeck.record import Record, final_state
from heckmeck.rules import AnyState, Move, apply, game_at, legal, throws, word
from heckmeck.rules.moves import Throw
from heckmeck.values.course import Moment, changes, luck_in

#: Games of a round, for each move: the first throws are spread over that many equal parts.
ROUND: Final = 16
#: The least number of rounds: fewer say little about their own error.
FEWEST: Final = 8
#: A luck-adjusted win in parts: whole numbers add up exactly, in any order.
WIN: Final = 1 << 40


#: What a first throw is drawn from, within its part of all throws.
FINE: Final = 1 << 40

#: By seat: the sums of results over a round, in parts of a win.
Sums: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rollout:
    """A position to be played on: everything that the result depends on."""

    record: Record
    """The game up to the position, in which a player has to decide."""
    bot: str
    seed: int
    games: int = ROUND
    """Games of a round, for each move."""
    move_seconds: float = MOVE_SECONDS

    @property
    def state(self) -> AnyState:
        """The position."""
        return final_state(self.record)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves."""
        return legal(self.state)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The sums of results over a round, in parts of a win: by move, and by seat."""

    raw: Mapping[str, Sums]
    adjusted: Mapping[str, Sums]


@dataclass(frozen=True, slots=True)
class PieceResult:
    """The rounds of a piece, and how long they took."""

    rounds: list[RoundResult]
    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rounds of a rollout, starting with the number ``first``: work for an executor."""

    rollout: Rollout
    first: int
    count: int

    def __str__(self) -> str:
        return f"rounds {self.first} to {self.first + self.count - 1}"

    def run(self) -> PieceResult:
        """Play the position on after each legal move; return the rounds."""
        began = time.perf_counter()
        rounds = self._rounds()
        return PieceResult(rounds, time.perf_counter() - began)

    def _rounds(self) -> list[RoundResult]:
        state = self.rollout.state
        by_move = {word(move): self._sums(apply(state, move).state) for move in self.rollout.moves}
        return [
            RoundResult(
                {move: raw[number] for move, (raw, _) in by_move.items()},
                {move: adjusted[number] for move, (_, adjusted) in by_move.items()},
            )
            for number in range(self.count)
        ]

    def _sums(self, state: AnyState) -> tuple[list[Sums], list[Sums]]:
        """Return the sums of results, and of luck-adjusted results, of each round."""
        rollout, table = self.rollout, state.table
        edition, value = game_at(table).edition, evaluator_at(table)
        find = partial(player, outside=True, seconds=rollout.move_seconds)
        bot = find(rollout.bot)
        first: list[Moment] = []
        starts: list[AnyState] = []
        for number in range(self.first, self.first + self.count):
            begun = _to_throw(state, bot, CountedLuck(key_of(rollout.seed, number)))
            thrown = self.first_throws(begun, number)
            first += [(begun, throw) for throw in thrown]
            starts += [apply(begun, throw).state for throw in thrown] or [begun] * rollout.games

        def start(fixture: Fixture) -> AnyState:
            return starts[fixture.number]

        bots, before = (rollout.bot,) * table.seats, self.first * rollout.games
        fixtures = [
            Fixture(n, bots, key_of(rollout.seed, before + n, 0)) for n in range(len(starts))
        ]
        games = play_by("bulk", edition, fixtures, find, start)
        played = sorted(games, key=lambda game: game.fixture.number)
        results = [_results(game) for game in played]
        lucks = [*luck_of(played, value, edition, start)]
        if first:
            lucks = [
                [gained + float(one) for gained, one in zip(luck, luck_in(change), strict=True)]
                for luck, change in zip(lucks, changes(first, value), strict=True)
            ]
        even = [
            [won - luck for won, luck in zip(result, gained, strict=True)]
            for result, gained in zip(results, lucks, strict=True)
        ]
        return self._by_round(results), self._by_round(even)

    def _by_round(self, results: Sequence[Sequence[float]]) -> list[Sums]:
        """Return the sums of each round by seat, in parts of a win."""
        games = self.rollout.games
        return [
            tuple(
                sum(round(WIN * each) for each in seat)
                for seat in zip(*results[first : first + games], strict=True)
            )
            for first in range(0, len(results), games)
        ]

    def first_throws(self, state: AnyState, number: int) -> list[Throw]:
        """Return the first throws of a round, spread over all that can fall; none at the end."""
        chances, games = throws(state), self.rollout.games
        if not chances:
            return []
        luck = CountedLuck(key_of(self.rollout.seed, number, 1))
        within = [luck.below(FINE) for _ in range(games)]
        return [
            chances.at((place * FINE + part) * chances.total // (games * FINE))
            for place, part in enumerate(within)
        ]


def _to_throw(state: AnyState, bot: Player, luck: CountedLuck) -> AnyState:
    """Let the bot decide until dice are in the air, or the game is over."""
    while moves := legal(state):
        move = moves[0] if len(moves) == 1 else bot.choose(state, luck)
        state = apply(state, move).state
    return state


def _results(game: GameResult) -> list[float]:
    """Return every seat's share of the win."""
    seats = range(len(game.fixture.bots))
    return [(seat in game.winners) / len(game.winners) for seat in seats]


# ------------------------------------------------------------------------------ all rounds


@dataclass(frozen=True, slots=True)
class RolledOut:
    """A move and what came of it: the mover's share of wins, and every seat's, without luck."""

    move: str
    share: float
    error: float
    by_seat: tuple[float, ...]
    raw: float
    raw_error: float
    behind: float
    """By how much its share is below that of the best move, 0 for that."""
    behind_error: float


class Rounds:
    """Adds up the rounds of a rollout, in any order."""

    def __init__(self, rollout: Rollout, seconds: float = SECONDS) -> None:
        """Start empty; ``seconds`` is what a piece of work should take."""
        self.rollout = rollout
        self.pace = Pace(seconds=seconds)
        self._done: list[RoundResult] = []

    def take(self, result: PieceResult) -> None:
        """Count the rounds of a piece."""
        self._done += result.rounds
        self.pace.note(len(result.rounds) * _whole_round(self.rollout), result.seconds)

    @property
    def games(self) -> int:
        """The games played after each move."""
        return len(self._done) * self.rollout.games

    @property
    def moves(self) -> list[RolledOut]:
        """The moves, best first; none before the second round."""
        if len(self._done) < 2:
            return []
        names, seat = [word(move) for move in self.rollout.moves], self.rollout.state.seat
        means = {name: self._mean([r.adjusted[name][seat] for r in self._done]) for name in names}
        best = max(names, key=lambda name: means[name][0])
        found = [self._rolled_out(name, best, seat) for name in names]
        return sorted(found, key=lambda each: -each.share)

    @property
    def are_few(self) -> bool:
        """Whether there are too few rounds to know their error."""
        return len(self._done) < FEWEST

    @property
    def error(self) -> float:
        """The largest standard error of all moves; infinite before the second round."""
        return max((each.error for each in self.moves), default=inf)

    def _rolled_out(self, name: str, best: str, seat: int) -> RolledOut:
        own = [each.adjusted[name] for each in self._done]
        share, error = self._mean([sums[seat] for sums in own])
        raw, raw_error = self._mean([each.raw[name][seat] for each in self._done])
        behind, behind_error = self._mean(
            [each.adjusted[best][seat] - each.adjusted[name][seat] for each in self._done]
        )
        by_seat = tuple(self._mean(list(sums))[0] for sums in zip(*own, strict=True))
        return RolledOut(name, share, error, by_seat, raw, raw_error, behind, behind_error)

    def _mean(self, sums: Sequence[int]) -> tuple[float, float]:
        """Return the mean of a game and its standard error, from the sums of rounds."""
        moments = Moments(len(sums), sum(sums), sum(each * each for each in sums))
        found = mean_by_deals({self.rollout.games: moments})
        assert found is not None, "there are at least two rounds"
        return found[0] / WIN, found[1] / WIN


def cut(
    rollout: Rollout, games: int, workers: int = 1, pace: Pace | None = None
) -> Iterator[Piece]:
    """Yield the work of a rollout with at least this many games for each move.

    Pieces are as large as those of `split`, counting the games after all moves.
    """
    whole, all_games = _whole_round(rollout), count_rounds(rollout, games) * _whole_round(rollout)
    for first, count in split(all_games, pace or Pace(), workers, deal=whole):
        yield Piece(rollout, first // whole, count // whole)


def count_rounds(rollout: Rollout, games: int) -> int:
    """Return the number of rounds with at least this many games for each move."""
    return max(-(-games // rollout.games), FEWEST)


def _whole_round(rollout: Rollout) -> int:
    """Return the games of a round, those after all moves counted."""
    return rollout.games * len(rollout.moves)
