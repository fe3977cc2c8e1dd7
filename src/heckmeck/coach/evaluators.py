"""The evaluators behind worth: the chance to win if a champion has learned it, or worms."""

from typing import Final

from heckmeck.bots.champion.win import WinChance, win_chance
from heckmeck.bots.worms import WormSwing
from heckmeck.coach.units import NoChampion, Unit
from heckmeck.rules import Table, game_at
from heckmeck.solver import Evaluator

WORMS: Final = WormSwing()


def champion_at(table: Table) -> WinChance | None:
    """Return the champion that has learned tables like this one, if any."""
    champion = win_chance(game_at(table).edition)
    return champion if champion is not None and champion.covers(table) else None


def evaluator_for(table: Table, unit: Unit | None = None) -> Evaluator:
    """Return the evaluator for this table: by default the champion's, otherwise that of fox.

    Raise `NoChampion` if chances to win are requested but no champion has learned them.
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
    """Return the evaluator of a bot that solves its turns; raise `NoChampion` if untrained."""
    if name == "fox":
        return WORMS
    champion = win_chance(edition) if name == "champion" else None
    if champion is None:
        raise NoChampion(f"{name} has not learned {edition}.")
    return champion
