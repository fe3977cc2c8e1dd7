"""Looking at a screen: pictures for people, and axe for everybody."""

from pathlib import Path
from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Git ignores it: look through it after a run.
PICTURES: Final = Path(__file__).parents[2] / ".screenshots"
SIZES: Final = {"phone": (360, 640), "tall": (412, 915), "desktop": (1280, 800)}
THEMES: Final = ("dark", "light")
#: Where axe looks too: at each theme once, and at each layout once.
CHECKED: Final = {("phone", "light"), ("desktop", "dark")}


def show(page: Page, name: str, *, whole: bool = False, tall: bool = False) -> None:
    """Take pictures in both themes on a phone and a desktop, and let axe find nothing in them.

    ``tall`` adds pictures of a tall phone, ``whole`` shows what has to be scrolled to.
    """
    PICTURES.mkdir(exist_ok=True)
    violations: list[str] = []
    for size, (width, height) in SIZES.items():
        if size == "tall" and not tall:
            continue
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            page.wait_for_timeout(60)
            page.screenshot(path=PICTURES / f"{name}-{size}-{theme}.png", full_page=whole)
            if (size, theme) in CHECKED:
                violations += [f"{size}, {theme}: {found}" for found in _violations(page)]
    assert violations == [], "\n".join(violations)


def _violations(page: Page) -> list[str]:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]
