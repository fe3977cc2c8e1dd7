"""Players for the win: `champion`, and `grandmaster`, which looks a turn further ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from heckmeck.bots.champion.turns import prepare
from heckmeck.bots.champion.win import WinChance, networks_of
from heckmeck.bots.solving import Solving
from heckmeck.dice_source import Luck
from heckmeck.rules import AnyState, Move, game_at
from heckmeck.solver import Position
from heckmeck.solver.solved import SolvedTurn


class ForTheWin(Solving):
    """Plays one edition for the win; solves the turns of many tables at once."""

    def __init__(self, win: WinChance) -> None:
        """Maximise the chance to win according to ``win``."""
        super().__init__(win)
        self._win = win

    def _solve_all(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        return self._win.solve(positions)

    def _solve_robbed(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        return self._win.solve(positions, near=True)


class Champion:
    """Plays every edition for the win; loads the weights of an edition on first use."""

    def __init__(self, *, deeper: bool = False) -> None:
        """Evaluate the tables after the turn; if ``deeper``, those after the next turn."""
        self._deeper: Final = deeper
        self._players: dict[str, ForTheWin] = {}

    def choose(self, state: AnyState, luck: Luck) -> Move:
        """Choose the best move."""
        return self._player(state).choose(state, luck)

    def choose_all(self, states: Sequence[AnyState], lucks: Sequence[Luck]) -> list[Move]:
        """Choose the best move for each table."""
        by_edition: dict[str, list[int]] = {}
        for index, state in enumerate(states):
            by_edition.setdefault(game_at(state.table).edition, []).append(index)
        moves: dict[int, Move] = {}
        for indices in by_edition.values():
            chosen = self._player(states[indices[0]]).choose_all(
                [states[index] for index in indices], [lucks[index] for index in indices]
            )
            moves.update(zip(indices, chosen, strict=True))
        return [moves[index] for index in range(len(states))]

    def _player(self, state: AnyState) -> ForTheWin:
        edition = game_at(state.table).edition
        if edition not in self._players:
            networks = networks_of(edition)
            assert networks, f"the weights of {edition} are missing from this installation"
            prepare(edition)
            self._players[edition] = ForTheWin(WinChance(networks, deeper=self._deeper))
        return self._players[edition]
