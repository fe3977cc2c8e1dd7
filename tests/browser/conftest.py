"""Real browsers at tables of a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from hatch_build import PAGES, build_pages
from tests.browser.people import Crowd
from tests.browser.serving import CoachedServer
from tests.server.serving import Server

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def pages() -> Path:
    """The built web pages, up to date."""
    build_pages()
    return PAGES


@pytest.fixture(scope="session")
def server(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not kill it."""
    with CoachedServer(tmp_path_factory.mktemp("server"), pages) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def crowd(browser: Browser, server: Server) -> Iterator[Crowd]:
    """People who come with browsers of their own; nobody may have met an error when they leave."""
    with Crowd(browser, server.url) as people:
        yield people


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder: Chromium is not on every machine."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
