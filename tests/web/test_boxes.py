"""The contents of the boxes, which the pages take from the rules."""

import pytest

from hatch_build import boxes
from heckmeck.rules import EDITIONS
from heckmeck.rules.components import SPECIALISTS_AT_START

#: Tiles or spots, by edition: C1, D1, B1, J1.
SLOTS = {"classic": 16, "deluxe": 18, "barbecue": 14, "junior": 12}


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_box_holds_what_a_game_is_played_with(edition: str) -> None:
    box, game = boxes()["editions"][edition], EDITIONS[edition]
    assert range(box["players"][0], box["players"][1] + 1) == game.players
    assert (len(box["sides"]), {*box["sides"]}) == (game.dice.sides_in_all, {*game.dice.faces})
    assert box["points"] == {face: game.dice.points_for(face) for face in game.dice.faces}
    assert len(box["slots"]) == SLOTS[edition]
    assert bool(box["golden"]) == (edition == "deluxe")  # D11


def test_every_tile_and_spot_has_its_worms() -> None:
    found = boxes()
    slots = {number for box in found["editions"].values() for number in box["slots"]}
    assert found["worms"].keys() == slots
    assert found["editions"]["deluxe"]["standing"] == {
        str(tile): specialist for tile, specialist in SPECIALISTS_AT_START.items()
    }
