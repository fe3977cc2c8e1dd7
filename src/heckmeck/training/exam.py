"""Exams: games against a bot of the registry, for the points of a learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from heckmeck.arena.error_bars import wilson
from heckmeck.arena.lockstep import play
from heckmeck.arena.schedule import Schedule
from heckmeck.bots import Player, player
from heckmeck.bots.champion.network import Network
from heckmeck.bots.champion.player import ForTheWin
from heckmeck.bots.champion.win import WinChance

LEARNER: Final = "learner"


@dataclass(frozen=True, slots=True)
class Mark:
    """The result of a network against a bot."""

    opponent: str
    seats: int
    games: int
    share: float
    """The share of wins; an equal share is one divided by the number of seats."""
    low: float
    high: float
    """The 95% confidence interval of the share."""


@dataclass(frozen=True, slots=True, eq=False)
class Exam:
    """A network in one seat, the same bot in all others; the network takes all seats in turn."""

    network: Network
    opponent: str
    seats: int
    games: int
    seed: int

    def __str__(self) -> str:
        return f"an exam against {self.opponent}"

    def run(self) -> Mark:
        """Play the games."""
        learner = ForTheWin(WinChance([self.network]))
        schedule = Schedule((LEARNER, *[self.opponent] * (self.seats - 1)), self.seats, self.seed)
        wins = 0.0

        def find(name: str) -> Player:
            return learner if name == LEARNER else player(name)

        fixtures = schedule.fixtures(0, self.games)
        for game in play(self.network.edition, fixtures, find):
            won = game.fixture.bots.index(LEARNER) in game.winners
            wins += won / len(game.winners)
        return Mark(
            self.opponent, self.seats, self.games, wins / self.games, *wilson(wins, self.games)
        )
