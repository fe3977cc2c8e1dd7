"""Turns played by a network against itself, and the lessons from them.

The solver computes the exact value of a turn given the network's own chances after it, and that is
the target: no noise from the dice, no waiting for the end of the game. With more than two players,
the others' targets are the mean of simulated turns.

The correction of a later turn is passed back to the turns before it (TD(lambda), on exact values).
That is faster, and necessary: the chances of two players add up to one, so an error shared by all
tables would only change its sign from turn to turn and never die out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from heckmeck.bulk.rows import Bools, Floats32, Rows, row_rules
from heckmeck.bulk.turns import Ended, PlayedTurns, play_turns
from heckmeck.dice.arrays import Generator, generator
from heckmeck.values.network import Network
from heckmeck.values.win import NetworkChances, WormLead

#: Simulations of a turn for the other players' chances, with more than two players.
PLAYED_OUT: Final = 16


class Lessons(NamedTuple):
    """Positions and their targets."""

    rows: Rows
    """[position, place]"""
    targets: Floats32
    """[position, player]: the chances to win, the player to move first."""


class Round(NamedTuple):
    """The lessons of some turns at many tables, and the tables after them."""

    lane: int
    """The lane of the round: tables that are played on round by round."""
    lessons: Lessons
    rows: Rows
    """[table, place]: finished games have been restarted."""


@dataclass(frozen=True, slots=True, eq=False)
class SelfPlay:
    """A piece of self-play for any worker: some turns at each of these tables."""

    lane: int
    network: Network
    rows: Rows
    """[table, place]: the current tables."""
    begin: Rows
    """[place]: the table at the start of a game."""
    seats: int
    turns: int
    explore: float
    """The probability that a turn ends at random, for variety."""
    back: float
    """The fraction of a correction that is passed back to the turn before."""
    seed: int

    def __str__(self) -> str:
        return f"a round of self-play with {self.seats} players"

    def run(self) -> Round:
        """Play the turns."""
        rules = row_rules(self.network.edition)
        values = NetworkChances(self.network)
        rng = generator(self.seed)
        samples = 1 if self.seats == 2 else PLAYED_OUT
        rows, seen, targets, goes_on = self.rows, [], [], []
        for _ in range(self.turns):
            played = play_turns(rules, rows, self.seats, values, rng, samples)
            seen.append(rows)
            targets.append(expected(played))
            (rows, over, _), astray = go_on(played, self.explore, rng)
            goes_on.append(~(over | astray))
            rows[over] = self.begin
        lessons = Lessons(np.concatenate(seen), np.concatenate(targets))
        if self.back:
            said = values.of(rules, lessons.rows, self.seats)
            corrected = passed_back(targets, np.split(said, self.turns), goes_on, self.back)
            lessons = Lessons(lessons.rows, corrected)
        return Round(self.lane, lessons, rows)


def passed_back(
    targets: list[Floats32], said: list[Floats32], goes_on: list[Bools], back: float
) -> Floats32:
    """Add to every target the corrections of later turns in the same game."""
    correction = np.zeros_like(targets[0])
    corrected = []
    for target, chances, same_game in zip(
        reversed(targets), reversed(said), reversed(goes_on), strict=True
    ):
        correction = np.roll(correction, 1, axis=1)  # the player to move comes first again
        correction *= np.float32(back) * same_game[:, np.newaxis]
        better = np.clip(target + correction, 0.0, 1.0)
        better /= better.sum(axis=1, keepdims=True)
        corrected.append(better)
        correction = better - chances
    return np.concatenate(corrected[::-1])


def expected(played: PlayedTurns) -> Floats32:
    """Return [position, player]: the chances before turns, from those after them.

    What the player to move does not have belongs to the others, in proportion to the simulated
    turns; evenly, if none of these left them anything.
    """
    own = np.clip(played.value, 0.0, 1.0)
    others = np.maximum(played.values[:, :-1].astype(np.float64), 1e-9)
    others *= ((1.0 - own) / others.sum(axis=1))[:, np.newaxis]
    return np.column_stack([own, others]).astype(np.float32)


def go_on(played: PlayedTurns, explore: float, rng: Generator) -> tuple[Ended, Bools]:
    """Return the next tables, by best play or at random, and which were chosen at random."""
    astray = rng.random(len(played.value)) < explore
    best, anyhow = played.ended, played.strayed
    ended = Ended(
        np.where(astray[:, np.newaxis], anyhow.rows, best.rows),
        np.where(astray, anyhow.over, best.over),
        np.where(astray[:, np.newaxis], anyhow.shares, best.shares),
    )
    return ended, astray


@dataclass(frozen=True, slots=True, eq=False)
class FoxPlay:
    """Warm-up games of players that count worms; the target is the result of the game."""

    edition: str
    begin: Rows
    seats: int
    tables: int
    turns: int
    explore: float
    seed: int

    def __str__(self) -> str:
        return f"games for worms with {self.seats} players"

    def run(self) -> Lessons:
        """Play the games; positions of unfinished games are left out."""
        rules = row_rules(self.edition)
        values = WormLead()
        rng = generator(self.seed)
        rows = np.repeat(self.begin[np.newaxis], self.tables, axis=0)
        seen: list[Rows] = []
        ended: list[Ended] = []
        for _ in range(self.turns):
            seen.append(rows)
            played = play_turns(rules, rows, self.seats, values, rng)
            ended.append(go_on(played, self.explore, rng)[0])
            rows = ended[-1].rows.copy()
            rows[ended[-1].over] = self.begin
        return _with_hindsight(seen, ended)


def _with_hindsight(seen: list[Rows], ended: list[Ended]) -> Lessons:
    """Go back through the turns and assign to every position the result of its game."""
    known = np.zeros(len(seen[0]), np.bool_)
    after = np.zeros_like(ended[0].shares)
    rows, targets = [], []
    for row, end in zip(reversed(seen), reversed(ended), strict=True):
        after[end.over] = end.shares[end.over]
        known |= end.over
        after = np.roll(after, 1, axis=1)  # the player to move comes first again
        rows.append(row[known])
        targets.append(after[known])
    return Lessons(np.concatenate(rows), np.concatenate(targets))
