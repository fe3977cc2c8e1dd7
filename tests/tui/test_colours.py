"""Dark and light terminals, and those without colour."""

import re

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from heckmeck.rules import EDITIONS
from heckmeck.tui.line_filters import Ink
from heckmeck.tui.theme import THEMES, _dark_in, is_dark
from tests.server.scenario import scenario
from tests.tui.positions import POSITIONS
from tests.tui.tables import Table, new_record


@pytest.mark.parametrize(
    ("setting", "dark"),
    [("15;0", True), ("0;15", False), ("0;default;15", False), ("12;8", True), ("0;7", False)],
)
def test_the_environment_may_say_what_the_background_is(setting: str, dark: bool) -> None:
    assert is_dark({"COLORFGBG": setting}) is dark


@pytest.mark.parametrize(
    ("answer", "dark"),
    [
        (b"\x1b]11;rgb:0000/0000/0000\x1b\\", True),
        (b"\x1b]11;rgb:ffff/ffff/ffff\x07", False),
        (b"\x1b]11;rgb:fd/f6/e3\x1b\\\x1b[?62;c", False),
        (b"\x1b]11;rgba:1e/1e/2e/ff\x1b\\", True),
        (b"\x1b[?62;c", True),
        (b"", True),
    ],
)
def test_the_terminal_may_say_what_its_background_is(answer: bytes, dark: bool) -> None:
    assert _dark_in(answer) is dark


def test_without_a_terminal_nobody_is_asked() -> None:
    assert is_dark({})


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = Color.parse(colour).normalized
    red, green, blue = (c / 12.92 if c <= 0.04 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_every_text_can_be_read(theme: Theme) -> None:
    """4.5 to 1, as WCAG has it for text."""
    named = {name: value for name, value in vars(theme).items() if isinstance(value, str)}
    colours = {**theme.variables, **named}
    pairs = [
        ("foreground", "background"),
        ("foreground", "panel"),
        ("foreground", "surface"),
        ("quiet", "background"),
        ("quiet", "panel"),
        ("primary", "background"),
        ("primary", "panel"),
        ("primary", "surface"),
        ("error", "background"),
        ("secondary", "background"),
        ("worm", "background"),
        ("ink", "ivory"),
        ("ivory-worm", "ivory"),
        ("ink", "glow"),
        ("specialist", "iron"),
        ("iron-text", "iron"),
        ("on-button", "button"),
        ("on-go", "go"),
        ("on-fails", "fails"),
        *((f"player-{seat}-on", f"player-{seat}") for seat in range(7)),
    ]
    for text, paper in pairs:
        assert contrast(colours[text], colours[paper]) >= 4.5, (text, paper)


def test_ink_takes_colours_and_keeps_what_they_said() -> None:
    tile = Segment("25", Style.parse("bold #2e1c12 on #fbf3e1"))
    quiet = Segment("·", Style.parse("#6d6157 on #211c18"))
    plain = Segment("Ada", Style.parse("bold #f7eddc on #191512"))
    shown = Ink().apply([tile, quiet, plain, Segment("x")], Color.parse("black"))
    assert [each.style for each in shown] == [
        Style(bold=True, reverse=True, dim=False),
        Style(reverse=False, dim=True),
        Style(bold=True, reverse=False, dim=False),
        None,
    ]


@pytest.mark.parametrize("edition", EDITIONS)
@scenario
async def test_a_table_without_colour_has_none(edition: str) -> None:
    table = Table(new_record(edition))
    table.app.no_color = True
    async with table.opened():
        filters = table.app.get_line_filters()
        assert [type(each) for each in filters] == [Ink]


@pytest.mark.parametrize("dark", [True, False])
@scenario
async def test_the_room_changes_and_the_pieces_do_not(dark: bool) -> None:
    table = Table(POSITIONS["deluxe_throw"](), dark=dark)
    async with table.opened():
        drawn = table.app.export_screenshot()
    colours = set(re.findall(r'fill="(#[0-9a-f]{6})"', drawn))
    assert "#fbf3e1" in colours
    assert ("#191512" in colours) is dark
    assert ("#ecdcbd" in colours) is not dark
