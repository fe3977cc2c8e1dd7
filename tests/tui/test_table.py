"""What a reader can do at a table beside playing: put back, hints, themes, leaving, again."""

import re

import pytest

from heckmeck.rules import word
from heckmeck.tui.look import DARK, LIGHT
from heckmeck.tui.widgets.choice import Choice
from heckmeck.tui.widgets.dice import Die
from tests.server.scenario import scenario
from tests.tui.playing import until_my_turn
from tests.tui.positions import classic_start, classic_steal, deluxe_throw
from tests.tui.tables import Table, bots_on, record_of


def last_words(table: Table, count: int) -> list[str]:
    return [word(move) for move in table.game.record.moves[-count:]]


@scenario
async def test_a_keep_can_be_put_back_until_the_next_throw() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        await pilot.press("w")
        await table.settled(pilot)
        assert "U put back" in table.text()
        await pilot.press("u")
        await table.settled(pilot)
        assert last_words(table, 1) == ["=12345W"]
        assert "U put back" not in table.text()


@scenario
async def test_a_click_puts_back_what_was_picked_up() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        for words in (["=12345W", "keep:W"], ["keep:5", "roll", "=12345W"]):
            worm = next(die for die in table.app.screen.query(Die) if die.face == "W")
            await pilot.click(worm)
            await table.settled(pilot)
            assert last_words(table, len(words)) == words


@scenario
async def test_another_face_is_kept_instead() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        await pilot.press("w")
        await table.settled(pilot)
        await pilot.press("4")
        assert last_words(table, 2) == ["=12345W", "keep:4"]


@scenario
async def test_a_face_that_is_kept_already_does_nothing() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        before = table.game.record
        await pilot.press("5", "s", "g", "9", "x")
        assert table.game.record == before


@scenario
async def test_hints_come_and_go() -> None:
    table = Table(classic_steal())
    async with table.opened() as pilot:
        assert "What is it worth?" not in table.text()
        await pilot.press("h")
        for _ in range(600):
            await pilot.pause(0.05)
            if "▸ stop" in table.text():
                break
        shown = table.text()
        assert re.search(r"▸ stop +[+\d.]+%? +0%", shown)
        assert "25% dead" in shown
        await pilot.press("h")
        await table.settled(pilot)
        assert "What is it worth?" not in table.text()


@scenario
async def test_light_and_dark() -> None:
    table = Table(classic_start())
    async with table.opened() as pilot:
        assert table.app.theme == DARK
        await pilot.press("t")
        assert table.app.theme == LIGHT
        await pilot.press("t")
        assert table.app.theme == DARK


@scenario
async def test_buttons_can_be_reached_by_tab() -> None:
    table = Table(classic_start())
    async with table.opened() as pilot:
        await pilot.press("tab")
        assert isinstance(table.app.focused, Choice)
        await pilot.press("enter")
        assert last_words(table, 2)[0] == "roll"


@pytest.mark.parametrize("key", ["q", "ctrl+c", "ctrl+q"])
@scenario
async def test_leaving(key: str) -> None:
    table = Table(classic_start())
    async with table.opened() as pilot:
        await pilot.press(key)
        await pilot.pause()
    assert not table.app.is_running
    assert table.app.problem == ""


@scenario
async def test_bots_play_and_then_it_is_the_persons_turn() -> None:
    record = record_of("classic", seats="me, chick", first=1)
    table = Table(record, bots_on(record, 1))
    async with table.opened() as pilot:
        assert await until_my_turn(pilot, table)
        await table.settled(pilot)
        assert "Your turn" in table.text()
        assert "+ - pace" in table.text()
        await pilot.press("plus")
        await table.settled(pilot)
        assert "Bots play: Fast" in table.text()


@scenario
async def test_names_that_look_like_markup_are_only_names() -> None:
    record = record_of("classic", seats='"[b]Ada[/b]", "[red]"')
    table = Table(record)
    async with table.opened():
        assert "[b]Ada[/b], your turn" in table.text()
