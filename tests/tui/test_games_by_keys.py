"""Whole games of every edition, played by keys through the real application."""

import pytest

from heckmeck.rules import EDITIONS
from tests.server.scenario import scenario
from tests.tui.playing import SEEDS, assert_over, play_out
from tests.tui.tables import Table, new_record


@pytest.mark.parametrize("edition", EDITIONS)
@scenario
async def test_a_whole_game(edition: str) -> None:
    table = Table(new_record(edition, short=True), seed=SEEDS.get(edition, "7"))
    async with table.opened() as pilot:
        await play_out(pilot, table)
        assert_over(table)
