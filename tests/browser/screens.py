"""Looking at a screen: pictures for people, and axe for everybody."""

from pathlib import Path
from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Git ignores it: look through it after a run.
PICTURES: Final = Path(__file__).parents[2] / ".screenshots"
SIZES: Final = {"phone": (360, 640), "tall": (412, 915), "desktop": (1280, 800)}
THEMES: Final = ("dark", "light")
#: axe can only look at what it sees, so it looks at the smallest and the largest.
CHECKED: Final = ("phone", "desktop")


def show(page: Page, name: str, *, whole: bool = False) -> None:
    """Take a picture in every size and theme, and let axe find nothing in any of them."""
    PICTURES.mkdir(exist_ok=True)
    violations: list[str] = []
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            page.wait_for_timeout(60)
            page.screenshot(path=PICTURES / f"{name}-{size}-{theme}.png", full_page=whole)
            if size in CHECKED:
                violations += [f"{size}, {theme}: {found}" for found in _violations(page)]
    assert violations == [], "\n".join(violations)


def _violations(page: Page) -> list[str]:
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{violation['id']} at {node['target']}: {node['failureSummary']}"
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]
