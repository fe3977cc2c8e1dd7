"""Every state of a turn on every screen: all that can be pressed is inside it, and nothing moves.

``./check --soak`` walks through all windows in all languages with both text sizes; else every scene is
seen in the tight windows, and in the others, with large text and in the other languages taking turns.
"""

from collections import Counter
from typing import TypeAlias
from zlib import crc32

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fitting import (
    ALL_WINDOWS,
    EDITIONS,
    LANGUAGES,
    SCENES,
    WINDOWS,
    Scene,
    at_one_device,
    end,
    look,
    play_until_dead,
    show,
    speak,
    walk,
)
from tests.browser.people import Crowd

Windows: TypeAlias = tuple[tuple[int, int], ...]
#: The windows that leave the least room, of each shape.
TIGHT = ((320, 568), (360, 640), (390, 780), (390, 844), (568, 320), (844, 390), (1024, 600))
LARGE_TEXT = 200
ROOMY = tuple(window for window in WINDOWS if window not in TIGHT)
#: In how many windows that take turns a scene is seen: roomy ones, and tight ones with large text or
#: in another language.
SHARE, LARGE_SHARE, LANGUAGE_SHARE = 4, 2, 2


def misfits(page: Page, windows: Windows, text: int = 100) -> list[str]:
    """What does not fit, window by window."""
    language = page.locator("html").get_attribute("lang")
    return [
        f"{width} x {height}, {language}, {text} %: {wrong}"
        for width, height in windows
        for wrong in look(page, (width, height), text)["wrong"]
    ]


def some(windows: Windows, share: int, why: str, scene: str) -> Windows:
    """The windows to see a scene in, of those that take turns.

    All of them would take too long. Scenes begin with different ones, so that all are met.
    """
    first = crc32(f"{scene} {why}".encode()) % len(windows)
    return (windows[first:] + windows[:first])[:share]


def roomy_for(scene: str) -> Windows:
    """The roomy windows to see a scene in."""
    return some(ROOMY, SHARE, "roomy", scene)


def large_for(scene: str) -> Windows:
    """The tight windows to see a scene in with large text."""
    return some(TIGHT, LARGE_SHARE, "large", scene)


def translated_for(scene: str) -> list[tuple[str, tuple[int, int]]]:
    """The other languages to see a scene in, each in a tight window."""
    pairs = [(language, window) for window in TIGHT for language in LANGUAGES[1:]]
    names = [each.name for each in SCENES]
    place = names.index(scene) if scene in names else crc32(scene.encode())
    first = place * LANGUAGE_SHARE % len(pairs)
    return (pairs + pairs)[first : first + LANGUAGE_SHARE]


def seen(page: Page, scene: str) -> list[str]:
    """What does not fit: in the tight windows, and in those whose turn it is."""
    found = misfits(page, TIGHT + roomy_for(scene)) + misfits(page, large_for(scene), LARGE_TEXT)
    for language, window in translated_for(scene):
        speak(page, language)
        found += misfits(page, (window,))
    return found


def test_scenes_meet_every_window() -> None:
    names = [scene.name for scene in SCENES]
    met = {pair for name in names for pair in translated_for(name)}
    assert met == {(language, window) for language in LANGUAGES[1:] for window in TIGHT}
    assert {window for name in names for window in large_for(name)} == set(TIGHT)
    # Each of the others is met several times.
    met_in = Counter(window for name in names for window in roomy_for(name))
    assert min(met_in[window] for window in ROOMY) >= 2, met_in


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_everything_is_on_the_screen(crowd: Crowd, scene: Scene) -> None:
    assert seen(show(crowd, scene).page, scene.name) == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_dead_throw_is_on_the_screen(crowd: Crowd, edition: str) -> None:
    ada = at_one_device(crowd, edition)
    play_until_dead(ada)
    assert seen(ada.page, f"dead-{edition}") == []


def test_coming_back_is_on_the_screen(crowd: Crowd) -> None:
    ada = crowd.host(bots=["rooster"] * 3, edition="deluxe", seats=4, pace=3000)
    ada.sit("Ada")
    ada.start()
    ada.page.get_by_role("button", name="Menu").click()
    for dialog in ("Menu", "Let a bot play for you?"):
        sheet = ada.page.get_by_role("dialog", name=dialog)
        sheet.get_by_role("button", name="Let a bot play for me").click()
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    expect(ada.page.locator(".banner button")).to_be_visible()
    assert seen(ada.page, "coming-back") == []


def test_somebody_away_is_on_the_screen(crowd: Crowd) -> None:
    ada = crowd.host(bots=["rooster"] * 2, edition="deluxe", seats=4, first=1, patience=900)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    ben.page.close()
    expect(ada.page.locator(".banner.away button")).to_have_count(2)
    assert seen(ada.page, "away") == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_to_do_at_the_end_is_on_the_screen(crowd: Crowd, edition: str) -> None:
    ada = end(crowd, edition)
    expect(ada.page.locator(".acts")).to_be_visible()
    assert seen(ada.page, f"end-{edition}") == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_moves_while_somebody_plays(crowd: Crowd, edition: str) -> None:
    ada = at_one_device(crowd, edition)
    windows = ((360, 640), (390, 844), (768, 1024), (844, 390), (1280, 800))
    places = {window: look(ada.page, window)["fixed"] for window in windows}
    for number, step in enumerate(walk(ada, moves=14)):
        # They take turns: after two moves all have been looked at.
        for window in windows[number % 2 :: 2]:
            now = look(ada.page, window)["fixed"]
            # A question takes the place of the dice and the buttons.
            for place in now.keys() & places[window].keys() - (
                {"tray", "act"} if step == "question" else set()
            ):
                assert now[place] == places[window][place], f"{place} moved at {window}: {step}"


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_everything_is_on_every_screen(crowd: Crowd, scene: Scene, language: str) -> None:
    page = show(crowd, scene).page
    speak(page, language)
    assert misfits(page, ALL_WINDOWS) + misfits(page, ALL_WINDOWS, LARGE_TEXT) == []
