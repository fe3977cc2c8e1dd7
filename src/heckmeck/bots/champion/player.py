"""Players for the win: `champion`, and `grandmaster`, who looks a turn further ahead."""

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
    """Plays one edition for the chance to win; turns of many tables are solved at once."""

    def __init__(self, win: WinChance) -> None:
        """Play for the chances that ``win`` sees."""
        super().__init__(win)
        self._win = win

    def _solve_all(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        return self._win.solve(positions)

    def _solve_robbed(self, positions: Sequence[Position]) -> list[SolvedTurn]:
        return self._win.solve(positions, near=True)


class Champion:
    """Plays every edition for the win; an edition's weights are loaded when it is first played."""

    def __init__(self, *, deeper: bool = False) -> None:
        """Look at the table after the turn, or ``deeper``, at those after the next turn too."""
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
