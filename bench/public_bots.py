"""Bots that play like public programs, reimplemented as yardsticks for `bench.strength`.

They live here and not in the registry of bots: they are there to be measured against. Programs of
others play classic; for the other editions the same ideas are carried over, in worms.

- **expect-1, expect-2, expect-n**: the exact turn-expectation players. Most worms from this turn: a
  failed attempt costs the worms of the own top tile, a stolen tile counts its worms once, twice, or
  1 + 1/(n - 1) times at a table of n. For two players expect-2 and expect-n are the same, and in
  classic expect-n is our `fox`.
- **careful**: risk-averse. As expect-1, but what a turn loses counts three times, and coming away
  with nothing costs a worm.
- **thumb**: the rule of thumb of the Gymnasium environment for this game. From the third throw on a
  worm if there is one, else the face with most points; stop as soon as that brings anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from heckmeck.bots import BOTS, Player, player
from heckmeck.bots.exact import Exact
from heckmeck.bots.rules_of_thumb import Alone, points
from heckmeck.dice import Luck
from heckmeck.rules import AnyState, Ending, Move, Table, apply, game_at, legal, stopping
from heckmeck.rules.classic import ClassicTable
from heckmeck.rules.components import CLASSIC_TILES
from heckmeck.rules.endings import EndGame, Nothing, StealTile, TakeTile
from heckmeck.rules.grill import top
from heckmeck.rules.moves import BUST, REROLL, ROLL, ROLL_GOLDEN, STOP, Keep, Throw
from heckmeck.rules.outcome import total
from heckmeck.rules.state import Deciding
from heckmeck.solver.positions import EndingValue, after


@dataclass(frozen=True, slots=True)
class TurnExpectation(EndingValue):
    """Counts the worms that a turn brings.

    ``theft`` tells for a number of players how much a worm weighs that the others lose; ``loss``
    how much one weighs that the player loses; ``nothing`` what it costs to bring nothing.
    """

    theft: Callable[[int], float]
    loss: float = 1.0
    nothing: float = 0.0

    unit = "worms"

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        """Return what each end of the turn brings; see `EndingValue`."""
        if isinstance(table, ClassicTable):
            return [self._classic(table, seat, ending) for ending in endings]
        before = scores(start)
        worths: dict[Ending, float] = {}
        for ending in endings:
            if ending not in worths:
                worths[ending] = self._carried_out(before, table, seat, ending)
        return [worths[ending] for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        """Return what an answer brings; see `EndingValue`."""
        return self._gain(scores(state.table), scores(apply(state, move).state.table), state.seat)

    def _classic(self, table: ClassicTable, seat: int, ending: Ending) -> float:
        """The same as by carrying out, quicker."""
        match ending:
            case TakeTile(tile):
                return float(CLASSIC_TILES[tile])
            case StealTile(tile, _):
                return CLASSIC_TILES[tile] * (1 + self.theft(table.seats))
            case _:
                own = top(table.stacks[seat])
                return -self.nothing - (0.0 if own is None else self.loss * CLASSIC_TILES[own])

    def _carried_out(self, before: Sequence[int], table: Table, seat: int, ending: Ending) -> float:
        cost = self.nothing if isinstance(ending, Nothing) else 0.0
        if isinstance(ending, EndGame):
            return self._gain(before, scores(table), seat)
        states = after(game_at(table), table, seat, ending)
        return max(self._gain(before, scores(state.table), seat) for state in states) - cost

    def _gain(self, before: Sequence[int], then: Sequence[int], seat: int) -> float:
        own = then[seat] - before[seat]
        others = sum(before) - before[seat] - (sum(then) - then[seat])
        return (own if own > 0 else self.loss * own) + self.theft(len(then)) * others


def scores(table: Table) -> list[int]:
    """Return the scores as if the game ended now."""
    return [total(sheet) for sheet in game_at(table).score_sheets(table)]


def rule_of_thumb(state: AnyState, _: Luck) -> Move:
    """Stop as soon as that brings anything; worms from the third throw on; else most points."""
    moves, phase = legal(state), state.phase
    if isinstance(phase, Throw):
        return _keep(state, phase, moves)
    if isinstance(phase, Deciding):
        if STOP in moves and not isinstance(stopping(state), Nothing):
            return STOP
        return ROLL_GOLDEN if ROLL_GOLDEN in moves else ROLL
    return moves[0]


def _keep(state: AnyState, throw: Throw, moves: tuple[Move, ...]) -> Move:
    keeps = [move for move in moves if isinstance(move, Keep)]
    if not keeps:
        return REROLL if REROLL in moves else BUST
    worm = Keep(game_at(state.table).dice.worm)
    if worm in keeps and len(set(state.turn.kept)) >= 2:  # each throw so far had one face kept
        return worm
    return max(keeps, key=lambda keep: points(state, throw, keep.face))


PUBLIC: Final[dict[str, Callable[[], Player]]] = {
    "thumb": lambda: Alone(rule_of_thumb),
    "careful": lambda: Exact(TurnExpectation(lambda _: 0.0, loss=3.0, nothing=1.0)),
    "expect-1": lambda: Exact(TurnExpectation(lambda _: 0.0)),
    "expect-n": lambda: Exact(TurnExpectation(lambda seats: 1 / (seats - 1))),
    "expect-2": lambda: Exact(TurnExpectation(lambda _: 1.0)),
}


def names(edition: str, seats: int) -> list[str]:
    """Return who plays here: the registry's bots, then the public ones, none of them twice."""
    registered = [bot.name for bot in BOTS.values() if edition in bot.editions]
    same = {"expect-n"} if seats == 2 or edition == "classic" else set()
    return [*registered, *(name for name in PUBLIC if name not in same)]


@cache
def find(name: str) -> Player:
    """Return the player of that name, from here or from the registry."""
    return PUBLIC[name]() if name in PUBLIC else player(name)
