"""Whole games of every edition, played by mouse through the real application."""

import pytest
from textual.widget import Widget

from heckmeck.rules import EDITIONS
from heckmeck.tui.choices import Choice
from heckmeck.tui.dice import Die
from tests.server.scenario import scenario
from tests.tui.playing import SEEDS, assert_over, hasty, until_my_turn
from tests.tui.tables import Table, new_record

#: Keys play these two whenever they are tested, and the mouse has the same choices.
LONG = {"barbecue", "deluxe"}


@pytest.mark.parametrize(
    "edition",
    [pytest.param(name, marks=pytest.mark.soak if name in LONG else ()) for name in EDITIONS],
)
@scenario
async def test_a_whole_game(edition: str) -> None:
    table = Table(new_record(edition, short=True), seed=SEEDS.get(edition, "12"))
    async with table.opened() as pilot:
        while await until_my_turn(pilot, table):
            await pilot.pause()
            chosen = hasty(table)
            before = len(table.game.record.moves)
            await pilot.click(widget_for(table, chosen))
            assert len(table.game.record.moves) > before, f"{chosen} was not played"
        assert_over(table)


def widget_for(table: Table, chosen: str) -> Widget:
    """What to click to play a word."""
    kind, _, of = chosen.partition(":")
    if kind == "keep":
        return next(die for die in table.app.screen.query(Die) if die.display and die.face == of)
    choices = table.app.screen.query(Choice)
    return next(button for button in choices if button.display and button.word == chosen)
