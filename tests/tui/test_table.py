"""What a reader can do at a table beside playing: taking back, hints, themes, leaving, again."""

import re
import signal

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from heckmeck.narration import Phrases, languages, table_words
from heckmeck.record import Record, final_state, read_position, record_from
from heckmeck.rules import HouseRules, Specialist, word
from heckmeck.rules.barbecue import BarbecueTable
from heckmeck.tui.choices import Choice
from heckmeck.tui.dice import Die
from heckmeck.tui.side import hint_lines
from heckmeck.tui.source import Seat, View
from heckmeck.tui.table_screen import TableScreen
from heckmeck.tui.theme import DARK, LIGHT
from heckmeck.wire.coach import Advice, Unit, WeighedMove
from tests.server.scenario import scenario
from tests.tui.playing import until_my_turn
from tests.tui.positions import (
    PLATE_25,
    SNAIL,
    TAKE_25,
    TAKE_27,
    classic_start,
    classic_steal,
    deluxe_throw,
    seven_players,
)
from tests.tui.tables import SMALL, Table, bots_on, new_record, record_of


def last_words(table: Table, count: int) -> list[str]:
    return [word(move) for move in table.game.record.moves[-count:]]


@scenario
async def test_a_keep_can_be_put_back_until_the_next_throw() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        await pilot.press("w")
        await table.settled(pilot)
        assert "U take back" in table.text()
        await pilot.press("u")
        await table.settled(pilot)
        assert last_words(table, 1) == ["=12345W"]
        assert "U take back" not in table.text()


@scenario
async def test_own_dice_are_typed_face_by_face_and_corrected() -> None:
    table = Table(new_record("classic"), own_dice=True)
    async with table.opened() as pilot:
        await pilot.press("r")
        await table.settled(pilot)
        assert "Roll 8 dice and enter what fell." in table.text()
        await pilot.press(*"1123", "backspace", *"555w")
        await table.settled(pilot)
        assert last_words(table, 1) == ["roll"]  # one is missing
        await pilot.press("w")
        await table.settled(pilot)
        assert last_words(table, 1) == ["=112555WW"]
        await pilot.press("u")
        await table.settled(pilot)
        await pilot.press(*"11255555")
        await table.settled(pilot)
        assert last_words(table, 2) == ["roll", "=11255555"]


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
        assert "risk: 25%" in shown
        await pilot.press("h")
        await table.settled(pilot)
        assert "What is it worth?" not in table.text()


def last_tile(turn: str) -> Record:
    """Ada may win by taking the last tile; ``turn`` are her dice, as in the text of a position."""
    return record_from(read_position(f"classic_25~26-36_21.23_22.24_0~{turn}"), ("Ada", "Ben"))


async def weighed(table: Table, pilot: Pilot[None]) -> None:
    """Wait until the screen knows what to warn of."""
    for _ in range(600):
        await pilot.pause(0.05)
        screen = table.app.screen
        view = screen._view if isinstance(screen, TableScreen) else None  # noqa: SLF001
        if view is not None and view.weighed is not None:
            return
    raise AssertionError("nothing is weighed")


@scenario
async def test_a_mistake_against_bots_is_asked_about_once() -> None:
    record = last_tile("1234WWW")
    table = Table(record, bots_on(record, 1), warn=True)
    async with table.opened() as pilot:
        await weighed(table, pilot)
        assert "What is it worth?" not in table.text()
        for key in ("1", "escape"):
            await pilot.press("r")
            await table.settled(pilot)
            shown = " ".join(table.text().split())
            assert "That loses a lot" in shown
            assert "Stopping brings tile 25 for sure" in shown
            await pilot.press(key)
            await table.settled(pilot)
            assert "That loses a lot" not in table.text()
        assert last_words(table, 1) == []
        await pilot.press("r")
        await table.settled(pilot)
        await pilot.click("#answers Choice:first-of-type")
        await table.settled(pilot)
        assert last_words(table, 1) == [], "the first button is to think again"
        await pilot.press("r")
        await table.settled(pilot)
        await pilot.click("#answers Choice:last-of-type")
        await table.settled(pilot)
        assert last_words(table, 1000)[0] == "roll"


@scenario
async def test_a_mistake_instead_of_another_keep_is_asked_about_too() -> None:
    record = last_tile("-~1155WWWW")
    table = Table(record, bots_on(record, 1), warn=True)
    async with table.opened() as pilot:
        await weighed(table, pilot)
        await pilot.press("w")
        await table.settled(pilot)
        await pilot.press("1")
        await table.settled(pilot)
        assert "That loses a lot" in table.text()
        await pilot.press("2")
        await table.settled(pilot)
        assert last_words(table, 1) == ["keep:1"]


@scenario
async def test_nobody_is_warned_where_people_play_with_each_other() -> None:
    table = Table(last_tile("1234WWW"), hints=True, warn=True)
    async with table.opened() as pilot:
        for _ in range(600):
            await pilot.pause(0.05)
            if "▸ stop" in table.text():
                break
        await pilot.press("r")
        await table.settled(pilot)
        assert last_words(table, 1000)[0] == "roll"


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
    # Having left, a program ends; this one goes on.
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
        assert "Bot speed: Fast" in table.text()


@scenario
async def test_names_that_look_like_markup_are_only_names() -> None:
    record = record_of("classic", seats='"[b]Ada[/b]", "[red]"')
    table = Table(record)
    async with table.opened():
        assert "[b]Ada[/b], your turn" in table.text()


@scenario
async def test_nobody_thinks_after_the_end() -> None:
    """The game ends with a bot's move; the table says so, and nothing of a turn."""
    record = record_of("classic", seats="me, random", first=0)
    end = Record("classic", ("me", "chick"), 0, HouseRules(True, True))
    table = Table(end, bots_on(record, 0, 1))
    async with table.opened() as pilot:
        for _ in range(2000):
            if table.game.is_over:
                break
            await pilot.pause(0.01)
        await table.settled(pilot)
        await pilot.press("escape")
        await table.settled(pilot)
        shown = table.text()
    assert "is thinking" not in shown
    assert "▶" not in shown
    assert "N Rematch" in shown


@scenario
async def test_bots_of_one_kind_can_be_told_apart() -> None:
    record = record_of("classic", TAKE_25, TAKE_27, seats="fox 1, fox 2, Fritz")
    table = Table(record)
    async with table.opened():
        shown = table.text()
    assert "(F)" in shown
    assert "(F2)" in shown
    assert re.search(r" F2  fox 2 .* F3  Fritz ", shown, re.DOTALL)


@pytest.mark.parametrize("size", [SMALL, (120, 36), (200, 50)])
@scenario
async def test_badges_of_two_letters_fit_everywhere(size: tuple[int, int]) -> None:
    """Ben has closed 25; a badge may be three columns wide."""
    turns = [PLATE_25, SNAIL, SNAIL, PLATE_25]
    record = record_of("barbecue", *turns, seats='"漢 1", "漢 2", "漢 3"', first=1)
    state = final_state(record)
    assert isinstance(state.table, BarbecueTable)
    assert state.table.spot(25).plates == (1, 1)
    table = Table(record, size=size)
    async with table.opened():
        shown = table.text()
    assert re.search(r"(?m) 漢2 x2( |$)", shown)
    assert max(cell_len(line) for line in shown.splitlines()) <= size[0]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("unit", ["win", "worms"])
def test_nothing_of_the_hints_is_cut(language: str, unit: Unit) -> None:
    """At 80 columns there are 26 for them."""
    words = [f"return:{specialist}" for specialist in Specialist]
    words += ["roll:golden", "reroll", "keep:K", "stop", "rob:0"]
    hints = Advice(unit, [WeighedMove(each, 0.5, 0.25) for each in words])
    view = View("deluxe", (Seat("Abcdefghijklmnopqrstuvwx"),), None, hints=hints, hints_on=True)
    phrases = Phrases(language, view.names)
    lines = [line.plain for line in hint_lines(view, phrases, 26)]
    assert max(map(cell_len, lines)) <= 26
    say = table_words(language).say
    text = " ".join(" ".join(lines).split())
    for key in ("hint.title", f"hint.{unit}", "hint.empty"):
        assert " ".join(say(key).split()) in text
    plain = re.sub(r"[-+]?\d+,?\.?\d* ?%?|[ \u00a0▸]", "", text)
    for each in words:
        assert re.sub(r"[ \u00a0]", "", phrases.move(each)) in plain


@scenario
async def test_seven_players_and_hints_leave_room_for_the_log() -> None:
    table = Table(seven_players(), hints=True)
    async with table.opened() as pilot:
        await table.settled(pilot)
        shown = table.text()
        assert all(name in shown for name in table.record.seats)
        assert "At the table" in shown
        before = shown
        await pilot.press("pageup")
        await pilot.pause()
        assert table.text() != before
