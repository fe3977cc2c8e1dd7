"""Players that solve each turn exactly: for worms (`fox`) or for the win (`champion` and up)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from heckmeck.dice import Luck
from heckmeck.rules import AnyState, Move, game_at
from heckmeck.solver.solution import in_groups
from heckmeck.values import Value, value_of_bot
from heckmeck.values.turn_memo import TurnMemo


class Exact:
    """Plays the best moves for a value; the turns of many tables are solved at once."""

    def __init__(self, value: Value) -> None:
        """Maximise this value."""
        self._memo = TurnMemo(value)

    def choose(self, state: AnyState, _: Luck) -> Move:
        """Choose the best move."""
        (move,) = self._memo.best_moves([state])
        return move

    def choose_all(self, states: Sequence[AnyState], _: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table."""
        return self._memo.best_moves(states)


class ExactInEach:
    """Plays every edition for the value of a bot of the registry, created on first use."""

    def __init__(self, name: str) -> None:
        """Play as the bot of this name."""
        self._player = cache(lambda edition: Exact(value_of_bot(name, edition)))

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose the best move."""
        return self._player(_edition(state)).choose(state, luck)

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table."""
        return in_groups(
            states,
            _edition,
            lambda alike: self._player(_edition(alike[0])).choose_all(alike, lucks),
        )


def _edition(state: AnyState) -> str:
    return game_at(state.table).edition
