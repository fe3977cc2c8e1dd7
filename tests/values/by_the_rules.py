"""The chance to win once more, with every ending carried out by the rules."""

from collections.abc import Sequence

from heckmeck.rules import AnyState, Ending, Move, Table, game_at
from heckmeck.solver.positions import EndingValue, Position, after
from heckmeck.values.win import WinChance
from heckmeck.wire.coach import Unit


class WinByTheRules(EndingValue):
    """As a `WinChance`, but slowly: only the tables after the endings are evaluated as rows."""

    unit: Unit = "win"

    def __init__(self, win: WinChance) -> None:
        self._win = win

    def endings(
        self, start: Table, table: Table, seat: int, endings: Sequence[Ending]
    ) -> list[float]:
        chances = {
            ending: self._win.chances(after(game_at(table), table, seat, ending))
            for ending in dict.fromkeys(endings)
        }
        return [float(chances[ending][:, seat].max()) for ending in endings]

    def answer(self, state: AnyState, move: Move) -> float:
        return self._win.answer(state, move)

    def narrowed(self, positions: Sequence[Position]) -> Sequence[Position]:
        return self._win.narrowed(positions)
