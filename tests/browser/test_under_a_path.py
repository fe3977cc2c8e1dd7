"""The site under a path of its host, as behind a proxy that also serves other things."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.pages import heading
from tests.browser.people import Crowd
from tests.browser.serving import CoachedServer

ROOT = "/games/heckmeck"


@pytest.fixture
def visitors(browser: Browser, pages: Path, tmp_path: Path) -> Iterator[Crowd]:
    """People who come to a server under a path; everything else on that host is somebody else's."""
    with (
        CoachedServer(tmp_path, pages, root=ROOT) as server,
        Crowd(browser, server.url + ROOT) as people,
    ):
        yield people


def test_everything_is_found_under_a_path(visitors: Crowd) -> None:
    ada = visitors.person(service_workers="allow")
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.on("websocket", lambda socket: asked.append(socket.url))
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.get_by_role("button", name="Roll 8").click()
    ada.page.locator("button.pick").first.wait_for()
    assert f"{ROOT}/t/" in ada.page.url
    ada.page.reload()
    expect(ada.page.locator(".grill")).to_be_visible()
    ada.page.get_by_role("link", name="Rules of this game").click()
    expect(heading(ada)).to_have_text("Learn")
    ada.page.go_back()
    expect(ada.page.locator(".grill")).to_be_visible()
    assert [url for url in asked if ROOT not in url and not url.startswith("data:")] == []


def test_the_app_under_a_path_opens_without_a_network(visitors: Crowd) -> None:
    ada = visitors.person(service_workers="allow")
    ada.open("/")
    scope = ada.page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)")
    assert scope.endswith(f"{ROOT}/")
    ada.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    ada.page.context.set_offline(True)
    ada.open("/learn/junior")
    expect(heading(ada)).to_have_text("Learn")
    ada.troubles.clear()  # the browser asks for the page's icon in vain
