"""Real browsers at tables of a real server."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from hatch_build import PAGES, build_pages
from tests.browser.people import PATIENCE, Crowd
from tests.browser.serving import CoachedServer
from tests.server.serving import Server

HERE = Path(__file__).parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def pages() -> Path:
    """The built web pages, up to date."""
    build_pages()
    return PAGES


@pytest.fixture(scope="session")
def server(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not kill it."""
    with CoachedServer(tmp_path_factory.mktemp("server"), pages) as running:
        warm_up(running)
        yield running


def warm_up(server: Server) -> None:
    """Let the coach load what it needs: no test is about how long that takes."""
    for edition in ("classic", "deluxe", "barbecue", "junior"):
        httpx.post(f"{server.url}/api/odds", json={"edition": edition}, timeout=120)


def chromium() -> str:
    """The browser that ./check found, or one on the path."""
    found = os.environ.get("HECKMECK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
    assert found, "these tests need Chromium (Debian, Ubuntu: sudo apt install chromium)"
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


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
