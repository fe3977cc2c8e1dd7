"""Looking at a screen: pictures for people, and axe for everybody."""

import os
from pathlib import Path
from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Git ignores it: look through it after a run.
PICTURES: Final = Path(__file__).parents[2] / ".screenshots"
SIZES: Final = {
    "phone": (360, 640),
    "tall": (412, 915),
    "tablet": (820, 1180),
    "desktop": (1280, 800),
}
THEMES: Final = ("dark", "light")
#: Where axe looks too: at each theme once, and at each layout once. A short run shows no more.
CHECKED: Final = (("phone", "light"), ("desktop", "dark"))
#: A soak takes every picture there is; HECKMECK_PICTURES=all does so in any run.
ALL: Final = os.environ.get("HECKMECK_PICTURES") == "all"
_AT_REST = """() => document.fonts.status === 'loaded' && document.getAnimations().every(
  (animation) => animation.playState !== 'running' || animation.effect.getTiming().iterations === Infinity
)"""


def show(
    page: Page, name: str, *, whole: bool = False, more: bool = False, turn: int | None = None
) -> None:
    """Take pictures on a phone and a desktop, each in a theme, and let axe find nothing in them.

    Screens that are alike take turns: the one with an even ``turn`` is seen on the phone, the one
    with an odd ``turn`` on the desktop, and where all pictures are wanted on both.

    Nothing may scroll sideways in any of them. ``whole`` shows what has to be scrolled to. Where
    all pictures are wanted both sizes come in both themes, and with ``more`` a tall phone and a
    tablet too.
    """
    PICTURES.mkdir(exist_ok=True)
    looks = CHECKED if turn is None or ALL else CHECKED[turn % 2 :][:1]
    violations: list[str] = []
    for size, (width, height) in SIZES.items():
        checked = [theme for theme in THEMES if (size, theme) in looks]
        themes = THEMES if ALL and (checked or more) else checked
        if not themes:
            continue
        page.set_viewport_size({"width": width, "height": height})
        for theme in themes:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            page.wait_for_function(_AT_REST)
            page.screenshot(path=PICTURES / f"{name}-{size}-{theme}.png", full_page=whole)
            if (size, theme) in looks:
                violations += [f"{size}, {theme}: {found}" for found in _violations(page)]
        wide = page.evaluate("document.documentElement.scrollWidth")
        violations += [] if wide <= width else [f"{size}: {wide} wide, and scrolls sideways"]
    assert violations == [], "\n".join(violations)


def _violations(page: Page) -> list[str]:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]
