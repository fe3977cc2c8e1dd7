"""Finding puzzles: decisions of the champion's games in which a weaker bot goes wrong.

The champion plays in bulk, and every decision of its games is weighed. A puzzle is one where
`rooster` or `fox` would give away `CLEAR` or more, and where one move is the best by `ALONE` or
more; the champion's values and those that look a turn deeper must agree on all of it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec.structs import replace

from heckmeck.bots import player
from heckmeck.bots.in_bulk import bulk_player
from heckmeck.bulk import new_games
from heckmeck.coach.reasons import reason
from heckmeck.dice import CountedLuck
from heckmeck.puzzles import NAMES, Book, Puzzle, position_to_json
from heckmeck.record import Record, replay
from heckmeck.rules import AnyState, game, legal, word
from heckmeck.solver.positions import QUESTIONS
from heckmeck.values import value_for, value_of_bot
from heckmeck.values.turn_memo import TurnMemo
from heckmeck.wire.coach import Both, Reason, WeighedMove

#: The obvious move gives away this much.
CLEAR: Final = 0.05
#: The second best move gives away this much.
ALONE: Final = 0.02
#: A game is still open while the chance to win is this far from 0 and 1.
OPEN: Final = 0.03
#: The bots that try to solve a puzzle, weakest first; each of the last two may be the obvious one.
SOLVERS: Final = ("chick", "rooster", "fox")
#: The parts of a game.
PHASES: Final = 3
#: Games that are played at once.
AT_ONCE: Final = 50
#: Digits of a value in the file.
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Found:
    """A decision that makes a puzzle, and what tells it from others."""

    puzzle: Puzzle
    place: tuple[int, int, int]
    """The number of players, of the game, and of the part of the game."""
    dice: tuple[str, str, str]
    """The dice kept and rolled, and the solution: the same again would be a near-duplicate."""
    kinds: tuple[object, ...]
    """What puzzles of the same number of stars should be varied in."""


class Search:
    """Looks for the puzzles of an edition."""

    def __init__(self, edition: str, seed: int) -> None:
        """Play the games of this seed."""
        self.edition, self.seed = edition, seed
        self._near = TurnMemo(value_of_bot("champion", edition))
        judge = value_for(game(edition).initial(2).table, "win", deeper=True)
        self._deep = TurnMemo(judge)
        self.evaluator = judge.name

    def run(self, games: int) -> Iterator[tuple[int, list[Found]]]:
        """Yield how many games were just played, and what was found in them."""
        players = [each for each in game(self.edition).players if each <= len(NAMES)]
        for number, first in enumerate(range(0, games, AT_ONCE)):
            deals = range(first, min(first + AT_ONCE, games))
            records = self._play(players[number % len(players)], deals)
            found = [self._in_game(record, deal) for record, deal in records]
            yield len(deals), [each for some in found for each in some]

    def _play(self, seats: int, deals: range) -> Iterator[tuple[Record, int]]:
        """Let the champion play games; yield each with its number."""
        games = new_games(self.edition, seats, len(deals), self.seed, deals=deals)
        while not games.over.all():
            games.make_room()
            bulk_player("champion").play(games, np.flatnonzero(~games.over))
            games.go_to_decisions()
        return ((games.record(number), deal) for number, deal in enumerate(deals))

    def _in_game(self, record: Record, deal: int) -> list[Found]:
        state, decisions = record.start(), []
        for step in replay(record):
            if len(legal(state)) > 1:
                decisions.append((step.index, state))
            state = step.state
        values = self._values([state for _, state in decisions])
        found = []
        for (index, state), near in zip(decisions, values, strict=True):
            puzzle, phase = self._puzzle(state, near), PHASES * index // len(record.moves)
            if puzzle is not None:
                dice = (state.turn.kept, puzzle.state["turn"].get("roll", ""), puzzle.solution)
                place = (len(record.seats), deal, phase)
                found.append(Found(puzzle, place, dice, _kinds(puzzle, state, phase)))
        return found

    def _values(self, states: Sequence[AnyState]) -> list[dict[str, float]]:
        """Return the champion's value of every move in each state."""
        within = [state for state in states if not isinstance(state.phase, QUESTIONS)]
        turns = iter(self._near.solved(within))
        return [
            {each.move: each.worth for each in self._near.weigh(state)}
            if isinstance(state.phase, QUESTIONS)
            else {word(each.move): each.value for each in next(turns).choices(state)}
            for state in states
        ]

    def _puzzle(self, state: AnyState, near: dict[str, float]) -> Puzzle | None:
        """Return the decision as a puzzle, if it is one."""
        best, *others = sorted(near.values(), reverse=True)
        if not OPEN <= best <= 1 - OPEN or best - others[0] < ALONE or best - others[-1] < CLEAR:
            return None
        bots = {name: word(player(name).choose(state, CountedLuck(0))) for name in SOLVERS}
        wrong = [name for name in SOLVERS[1:] if best - near[bots[name]] >= CLEAR]
        if not wrong:
            return None
        moves = self._deep.weigh(state)
        if near[moves[0].move] != best or moves[0].worth - moves[1].worth < ALONE:
            return None
        puzzle = Puzzle(_stars(moves[0].move, bots), bots, _rounded(moves), position_to_json(state))
        return puzzle if any(puzzle.loss(bots[name]) >= CLEAR for name in wrong) else None

    def explained(self, puzzle: Puzzle, state: AnyState) -> Puzzle:
        """Return the puzzle with the reason why the solution is better than the obvious move."""
        moves = {each.move: each for each in self._deep.weigh(state)}
        obvious = max(SOLVERS[1:], key=lambda name: puzzle.loss(puzzle.bots[name]))
        other = moves[puzzle.bots[obvious]]
        return replace(
            puzzle, reason=_in_short(reason(state, moves[puzzle.solution], other, self._deep))
        )


def _kinds(puzzle: Puzzle, state: AnyState, phase: int) -> tuple[object, ...]:
    return (
        ("players", state.table.seats),
        ("phase", phase),
        ("move", type(state.phase).__name__, puzzle.solution.partition(":")[0]),
        ("solution", puzzle.solution),
    )


def _stars(solution: str, bots: dict[str, str]) -> int:
    """Return how hard a puzzle is.

    1: only `rooster` goes wrong. 2: `chick` and `rooster` do. 3: `fox` does, and one of the weaker
    bots happens to find the move. 4: all three go wrong.
    """
    chick, rooster, fox = (bots[name] != solution for name in SOLVERS)
    if fox:
        return 4 if chick and rooster else 3
    return 2 if chick else 1


def _rounded(moves: Sequence[WeighedMove]) -> dict[str, tuple[float, float]]:
    return {each.move: (round(each.worth, DIGITS), round(each.fail, DIGITS)) for each in moves}


def choose(found: Sequence[Found], count: int) -> list[Puzzle]:
    """Choose up to ``count`` puzzles, equally many of each number of stars if there are enough.

    Of those with the stars that were chosen least so far, the next is one whose kinds were chosen
    least. There is at most one puzzle from each part of a game, and one for the same dice.
    """
    chosen: list[Puzzle] = []
    left, seen, stars = list(found), Counter[object](), Counter[int]()
    while left and len(chosen) < count:
        next_one = min(
            left,
            key=lambda each: (stars[each.puzzle.stars], sum(seen[kind] for kind in each.kinds)),
        )
        chosen.append(next_one.puzzle)
        seen.update(next_one.kinds)
        stars[next_one.puzzle.stars] += 1
        left = [
            each for each in left if each.place != next_one.place and each.dice != next_one.dice
        ]
    return chosen


def book(search: Search, games: int, found: Sequence[Found], count: int) -> Book:
    """Return the file of the puzzles that were found in this number of games."""
    puzzles = choose(found, count)
    made = Book(search.edition, search.evaluator, games, search.seed, [*NAMES], puzzles)
    explained = [search.explained(each, made.position(each)) for each in puzzles]
    return replace(made, puzzles=explained)


def _in_short(reason: Reason) -> Reason:
    """Return a reason with chances of `DIGITS` digits."""
    short = {
        name: Both(round(pair.better, DIGITS), round(pair.other, DIGITS))
        for name in ("worth", "fail", "chance")
        if (pair := getattr(reason, name)) is not None
    }
    return replace(reason, **short)
