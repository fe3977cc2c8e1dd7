"""The main screens, letter by letter, as files under ``screens/``.

After a change on purpose, write them anew and look at the difference:
``UPDATE_SCREENS=1 pytest tests/tui/test_screens.py``.
"""

import os
import re
from pathlib import Path

import pytest

from heckmeck.narration import languages, table_words
from heckmeck.tui.table_screen import TableScreen
from tests.server.scenario import scenario
from tests.tui.playing import play_out
from tests.tui.positions import POSITIONS, deluxe_throw
from tests.tui.tables import SMALL, Table

SCREENS = Path(__file__).parent / "screens"
UPDATE = bool(os.environ.get("UPDATE_SCREENS"))
BIG = (120, 36)
HUGE = (200, 50)
IN_EVERY_LANGUAGE = ("deluxe_throw", "barbecue_steal", "junior_throw")
IN_A_BIG_WINDOW = ("deluxe_throw", "classic_steal", "barbecue_steal")


def compare(name: str, text: str) -> None:
    """The screen looks as its file says."""
    path = SCREENS / f"{name}.txt"
    if UPDATE:
        SCREENS.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", POSITIONS)
@scenario
async def test_a_position_at_80_by_24(name: str) -> None:
    table = Table(POSITIONS[name]())
    async with table.opened():
        compare(name, table.text())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", IN_EVERY_LANGUAGE)
@scenario
async def test_a_position_in_every_language(name: str, language: str) -> None:
    table = Table(POSITIONS[name](), language=language)
    async with table.opened():
        compare(f"{name}.{language}", table.text())


@pytest.mark.parametrize("name", IN_A_BIG_WINDOW)
@scenario
async def test_a_position_in_a_big_window(name: str) -> None:
    table = Table(POSITIONS[name](), size=BIG)
    async with table.opened():
        compare(f"{name}.big", table.text())


@scenario
async def test_the_keys() -> None:
    table = Table(deluxe_throw())
    async with table.opened() as pilot:
        await pilot.press("question_mark")
        await table.settled(pilot)
        compare("keys", table.text())
        await pilot.press("escape")
        await table.settled(pilot)
        assert "Heckmeck Deluxe" in table.text()


@scenario
async def test_a_window_too_small_says_what_it_needs() -> None:
    table = Table(deluxe_throw(), size=(60, 20))
    async with table.opened() as pilot:
        assert "the table needs 80 × 24 characters." in " ".join(table.text().split())  # noqa: RUF001
        assert "--plain" in table.text()
        await pilot.resize_terminal(*SMALL)
        await table.settled(pilot)
        compare("deluxe_throw", table.text())


@pytest.mark.parametrize("size", [(40, 20), (79, 60), (24, 8)])
@pytest.mark.parametrize("language", languages())
@scenario
async def test_all_that_a_window_too_small_says_fits_into_it(
    language: str, size: tuple[int, int]
) -> None:
    table = Table(deluxe_throw(), language=language, size=size)
    async with table.opened():
        words = table_words(language).say("window.small", columns=80, rows=24).split()
        assert " ".join(words) in " ".join(table.text().split())


@scenario
async def test_a_window_of_200_by_50_is_used() -> None:
    """Bigger pieces, in the middle, and figures near what they belong to."""
    table = Table(deluxe_throw(), size=HUGE, hints=True)
    async with table.opened() as pilot:
        for _ in range(600):
            await pilot.pause(0.05)
            if "▸" in table.text():
                break
        await table.settled(pilot)
        compare("deluxe_throw.huge", table.text())
        lines = table.text().splitlines()
        figures = [line for line in lines if re.search(r"keep .* \d+(\.\d)?%", line)]
        assert len(figures) == 5
        assert all(len(re.split(r"keep", line)[1]) < 40 for line in figures)
        left = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        right = HUGE[0] - max(map(len, lines))
        assert abs(left - right) <= 6


NAMES = [
    *POSITIONS,
    *(f"{name}.{language}" for name in IN_EVERY_LANGUAGE for language in languages()),
    *(f"{name}.big" for name in IN_A_BIG_WINDOW),
    "deluxe_throw.huge",
    "keys",
    "end",
]


def test_no_file_is_left_over() -> None:
    """Every file under ``screens/`` belongs to a test."""
    assert {path.stem for path in SCREENS.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_screen_fits_its_window(name: str) -> None:
    columns, rows = BIG if name.endswith(".big") else HUGE if name.endswith(".huge") else SMALL
    lines = (SCREENS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == rows
    assert max(map(len, lines)) <= columns


@scenario
async def test_the_end_and_another_game() -> None:
    table = Table(POSITIONS["junior_throw"]())
    async with table.opened() as pilot:
        await play_out(pilot, table)
        await table.settled(pilot)
        compare("end", table.text())
        await pilot.press("escape")
        await table.settled(pilot)
        assert isinstance(table.app.screen, TableScreen)
        assert "Rematch" in table.text()
        await pilot.press("n")
        await table.settled(pilot)
        assert not table.game.is_over
