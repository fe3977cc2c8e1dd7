"""The table models of all editions."""

from functools import cache

from heckmeck.bots.champion.model import TableModel
from heckmeck.bots.champion.tiles import Tiles


@cache
def model_of(edition: str) -> TableModel:
    """Return the model of an edition's tables."""
    if edition == "barbecue":
        from heckmeck.bots.champion.barbecue import BarbecueRows

        return BarbecueRows()
    if edition == "junior":
        from heckmeck.bots.champion.junior import JuniorRows

        return JuniorRows()
    return Tiles(edition)
