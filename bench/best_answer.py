"""The most that can be won against `fox`: the best answer to it, in games for two.

Run from the project's root: `python -m bench.best_answer [--quick] [EDITION]`. A player is trained
against `fox` alone: two networks give its chances when it is to move and when `fox` is, with `fox`
playing as it does and the player as well as it can. As far as its networks are right, no player
wins more against `fox`. Takes half an hour; Ctrl-C ends the training and starts the games. Writes
its section of docs/strength.md.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from bench.report import table
from bench.strength_page import write
from heckmeck.arithmetic import cos_pi
from heckmeck.bulk.rows import row_rules
from heckmeck.bulk.turns import play_turns
from heckmeck.rules import EDITIONS, new_game
from heckmeck.training.exams import Exam, Mark
from heckmeck.training.self_play import Lessons, expected, go_on, passed_back
from heckmeck.training.trainer import Learner, Memory
from heckmeck.values.network import Network
from heckmeck.values.win import NetworkChances, WormLead, networks_of

SEED: Final = 8
SEATS: Final = 2
TABLES: Final = 512
#: Turns of a round: about a game, so that its end reaches its beginning.
TURNS: Final = 36
#: Times that a turn of `fox` is played out for the chances after it.
PLAYED_OUT: Final = 16
EXPLORE: Final = 0.04
STEPS: Final = 64
BATCH: Final = 1024
ROOM: Final = 300_000
CALM: Final = 0.995
FIRST_RATE: Final = 6e-4
LAST_RATE: Final = 2e-5
#: How much of a correction is passed back at first; it ends at nothing after this part of the time.
BACK: Final = 0.95
BACK_UNTIL: Final = 0.7


class Lead(NamedTuple):
    """The chance to win against `fox` as learned: when the player begins, and when `fox` does."""

    first: float
    second: float

    @property
    def mean(self) -> float:
        """The chance when it is not known who begins."""
        return (self.first + self.second) / 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What the best answer to `fox` comes to."""

    edition: str
    positions: int
    lead: Lead
    mark: Mark


class Student:
    """Learns the best answer to `fox`."""

    def __init__(self, network: Network, seed: int) -> None:
        """Go on from the champion's chances."""
        self.rules = row_rules(network.edition)
        self._begin = self.rules.row(new_game(network.edition, SEATS).table, 0)
        self._rng = np.random.default_rng(seed)
        #: Who is to move: the player, `fox`.
        self._learners = [Learner(network, CALM) for _ in range(SEATS)]
        self._memories = [Memory(ROOM, self.rules.width, SEATS) for _ in range(SEATS)]
        self._games = [np.repeat(self._begin[np.newaxis], TABLES, axis=0) for _ in range(SEATS)]
        self._to_move = [0, 1]
        self.positions = 0

    @property
    def network(self) -> Network:
        """The network that decides: it sees the tables after the player's turns."""
        return self._learners[1].network

    @property
    def lead(self) -> Lead:
        """The chances at the beginning of a game."""
        mine, foxs = (
            NetworkChances(each.network).of(self.rules, self._begin[np.newaxis], SEATS)[0]
            for each in self._learners
        )
        return Lead(float(mine[0]), float(foxs[1]))

    def study(self, part: float) -> None:
        """Play a round and learn from it; ``part`` of the time is over."""
        back = BACK * max(1 - part / BACK_UNTIL, 0)
        for group in range(SEATS):
            self._play(group, back)
        rate = LAST_RATE + (FIRST_RATE - LAST_RATE) * 0.5 * (1 + cos_pi(part))
        for _ in range(STEPS):
            for learner, memory in zip(self._learners, self._memories, strict=True):
                learner.learn(memory.some(BATCH, self._rng), rate)

    def _play(self, group: int, back: float) -> None:
        """Play turns at a group's tables and remember their targets."""
        values = [NetworkChances(each.network) for each in self._learners]
        rows, seen, targets, said, goes_on, movers = self._games[group], [], [], [], [], []
        for _ in range(TURNS):
            mover = self._to_move[group]
            movers.append(mover)
            seen.append(rows)
            said.append(values[mover].of(self.rules, rows, SEATS))
            if mover == 0:
                played = play_turns(self.rules, rows, SEATS, values[1], self._rng)
                targets.append(expected(played))
            else:
                played = play_turns(
                    self.rules, rows, SEATS, WormLead(), self._rng, PLAYED_OUT, counted=values[0]
                )
                targets.append(np.roll(played.values, 1, axis=1))
            (rows, over, _), astray = go_on(played, EXPLORE, self._rng)
            goes_on.append(~(over | astray))
            rows[over] = self._begin
            self._to_move[group] = 1 - mover
            self.positions += len(rows)
        self._games[group] = rows
        lessons = np.split(passed_back(targets, said, goes_on, back), TURNS)
        for mover, at, target in zip(movers, seen, lessons, strict=True):
            self._memories[mover].add(Lessons(at, target))


def train(student: Student, minutes: float) -> Iterator[str]:
    """Train for ``minutes``, yielding progress at intervals; Ctrl-C ends it."""
    began = said = time.monotonic()
    try:
        while (part := (time.monotonic() - began) / 60 / minutes) < 1:
            student.study(part)
            if time.monotonic() - said > 20:
                said = time.monotonic()
                yield f"{_percent(student.lead.mean)} %; {minutes * (1 - part):.0f} min left"
    except KeyboardInterrupt:
        yield "stopped; now the games."


def answer(edition: str, minutes: float, games: int) -> Answer:
    """Train the best answer and let it play."""
    for_two = next(each for each in networks_of(edition) if each.seats == (SEATS, SEATS))
    student = Student(for_two, SEED)
    for news in train(student, minutes):
        print(f"{edition}: {news}", file=sys.stderr)
    mark = Exam(student.network, "fox", SEATS, games, SEED).run()
    return Answer(edition, student.positions, student.lead, mark)


ABOUT: Final = """## The most that can be won against `fox`

How many games out of 100 the best possible opponent wins against `fox` in a game for two. Written
by `python -m bench.best_answer`: a player is trained against `fox` alone, with networks that give
its chances when `fox` plays as it does and the player plays as well as it can. As far as these
networks are right, no player can win more. The table shows the chance they give the player, going
first as often as second, and the games it actually won.
"""
HEADER: Final = ("edition", "positions learned from", "chance by its networks", "games", "won")


def markdown(found: Answer) -> str:
    """Return the section."""
    mark = found.mark
    row = (
        found.edition,
        f"{found.positions:,}",
        _percent(found.lead.mean),
        f"{mark.games:,}",
        f"{_percent(mark.share)} ({_percent(mark.low)} to {_percent(mark.high)})",
    )
    return f"{ABOUT}\n{table(HEADER, [row])}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def main() -> None:
    """Train, play, and write or print the section."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edition", nargs="?", choices=[*EDITIONS], default="classic")
    parser.add_argument("--minutes", type=float, default=30, help="minutes of training")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--quick", action="store_true", help="a minute and 200 games, print only")
    options = parser.parse_args()
    minutes, games = (1, 200) if options.quick else (options.minutes, options.games)
    section = markdown(answer(options.edition, minutes, games))
    print(section)
    if not options.quick:
        write("best-answer", section)


if __name__ == "__main__":
    main()
