"""What a position is worth: worms, the chance to win, and deeper looks.

Bots, coach and training share these values: a bot plays the best move of a `Value`, the coach shows
the value of every move, training makes better ones. `heckmeck.values.win` and `turn_memo` import
NumPy and Numba: import them where they are used.

>>> from heckmeck import rules
>>> from heckmeck.values.turn_memo import TurnMemo
>>> from heckmeck.values.worms import WORMS
>>> state = rules.new_game("classic", 2)
>>> for text in ("roll", "=1124445W"):
...     state, _ = rules.apply(state, rules.parse(text))
>>> best = TurnMemo(WORMS).weigh(state)[0]
>>> best.move, round(best.worth, 7)
('keep:4', 1.5035075)
"""

from heckmeck.rules import Table, game_at
from heckmeck.solver.positions import SeatValue, Value
from heckmeck.values.worms import WORMS
from heckmeck.wire.coach import Unit


class NoChampion(ValueError):
    """Chances to win are requested but no champion has learned them."""


def value_for(table: Table, unit: Unit | None = None, *, deeper: bool = False) -> SeatValue:
    """Return the value that suits a table: the chance to win if it was learned, otherwise worms.

    ``deeper``: chances to win that look one turn further ahead, as the grandmaster's do. Raise
    `NoChampion` if chances to win are requested but no champion has learned them.
    """
    if unit == "worms":
        return WORMS
    from heckmeck.values.win import win_chance

    edition = game_at(table).edition
    value = win_chance(edition, deeper=deeper)
    if value is not None and value.covers(table):
        return value
    if unit == "win":
        raise NoChampion(
            f"No champion has learned {edition} with these rules and {table.seats} players. "
            "Ask for worms instead."
        )
    return WORMS


def value_of_bot(name: str, edition: str) -> Value:
    """Return the value that a bot maximises in each turn; raise `NoChampion` if untrained."""
    if name == "fox":
        return WORMS
    from heckmeck.bulk.turns import prepare
    from heckmeck.values.win import win_chance

    value = win_chance(edition, deeper=name == "grandmaster")
    if value is None or name not in ("champion", "grandmaster"):
        raise NoChampion(f"{name} has not learned {edition}.")
    prepare(edition)  # so that no decision has to wait for it
    return value


__all__ = ["WORMS", "NoChampion", "SeatValue", "Value", "value_for", "value_of_bot"]
