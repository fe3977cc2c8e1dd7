"""What worth is measured in: the chance to win where a champion knows it, or worms."""

from typing import Final

from heckmeck.bots.champion.win import WinChance, win_chance
from heckmeck.bots.worms import WormSwing
from heckmeck.coach.units import NoChampion, Unit
from heckmeck.rules import Table, game_at
from heckmeck.solver import Evaluator

WORMS: Final = WormSwing()


def champion_at(table: Table) -> WinChance | None:
    """Return the champion that knows tables like this one, if there is one."""
    champion = win_chance(game_at(table).edition)
    return champion if champion is not None and champion.covers(table) else None


def evaluator_for(table: Table, unit: Unit | None = None) -> Evaluator:
    """Return who weighs moves at this table: by default the champion, and fox where there is none.

    Raise `NoChampion` if chances to win are asked for and nobody knows them.
    """
    if unit == "worms":
        return WORMS
    champion = champion_at(table)
    if champion is None and unit == "win":
        raise NoChampion(
            f"No champion has learned {game_at(table).edition} with these rules and "
            f"{table.seats} players. Ask for worms instead."
        )
    return champion or WORMS


def evaluator_of_bot(name: str, edition: str) -> Evaluator:
    """Return what a bot plays for, if it solves its turns; raise `NoChampion` if it cannot."""
    if name == "fox":
        return WORMS
    champion = win_chance(edition) if name == "champion" else None
    if champion is None:
        raise NoChampion(f"{name} has not learned what positions of {edition} are worth.")
    return champion
