"""A game to show others: the picture of its end, and the replay in a frame of a foreign site."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, FrameLocator, Page, expect

from tests.browser.pages import PATIENCE
from tests.browser.people import Crowd
from tests.browser.screens import show

#: What a frame of another site may be forbidden; pages that need it fail there.
NO_STORAGE = """Object.defineProperty(window, 'localStorage', {
  get() { throw new DOMException('The operation is insecure.', 'SecurityError') },
})"""

#: A device that can share files, as phones do.
CAN_SHARE = """() => {
  navigator.canShare = ({ files }) => files.length === 1
  navigator.share = async ({ files: [file] }) => { window.shared = [file.name, file.type] }
}"""


class Foreign:
    """A site of somebody else, with one page."""

    def __init__(self) -> None:
        self.page = ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(site.page.encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        # Another name for the same machine is another site.
        return f"http://localhost:{self.server.server_port}/"

    def shows(self, frame: str) -> None:
        icon = '<link rel="icon" href="data:,">'
        self.page = f"<!doctype html><html lang=en>{icon}<title>Foreign</title>{frame}</html>"


@pytest.fixture
def foreign() -> Iterator[Foreign]:
    site = Foreign()
    yield site
    site.server.shutdown()
    site.server.server_close()


@contextmanager
def stranger(browser: Browser, foreign: Foreign) -> Iterator[tuple[Page, list[str]]]:
    """Somebody at the foreign site, where frames may keep nothing; what went wrong there."""
    page, troubles = browser.new_page(), list[str]()

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error":
            troubles.append(said.text)

    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", hear)
    page.add_init_script(NO_STORAGE)
    page.goto(foreign.url)
    yield page, troubles
    page.close()


def test_the_result_is_a_picture_and_the_game_plays_itself_elsewhere(
    crowd: Crowd, browser: Browser, foreign: Foreign
) -> None:
    ada = crowd.at_the_end("classic")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=ada.url)
    ada.page.evaluate(CAN_SHARE)
    ada.page.get_by_role("button", name="Share").click()
    sheet = ada.page.get_by_role("dialog", name="Share")
    result = sheet.get_by_role("img", name="The result as a picture")
    expect(result).to_have_js_property("naturalWidth", 1200)
    expect(result).to_have_js_property("naturalHeight", 630)
    show(ada.page, "sheet-share-game")
    with ada.page.expect_download() as saved:
        sheet.get_by_role("link", name="Save the picture").click()
    assert saved.value.suggested_filename == "heckmeck.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    sheet.get_by_role("button", name="Share the picture").click()
    assert ada.page.evaluate("window.shared") == ["heckmeck.png", "image/png"]
    sheet.get_by_role("button", name="Copy embed code").click()
    code = ada.page.evaluate("navigator.clipboard.readText()")
    address = re.findall(r'src="([^"]+)"', code)[0]
    assert not re.search(r"#|secret", address)

    foreign.shows(code)
    with stranger(browser, foreign) as (page, troubles):
        plays_itself(page.frame_locator("iframe"))
    assert troubles == []


def plays_itself(frame: FrameLocator) -> None:
    slider = frame.get_by_role("slider")
    expect(frame.get_by_role("button", name="Pause")).to_be_visible(timeout=PATIENCE)
    expect(slider).not_to_have_value("0")
    frame.get_by_role("button", name="Speed: 1").click()
    expect(frame.get_by_role("button", name="Speed: 2")).to_be_visible()
    frame.get_by_role("button", name="Pause").click()
    held = slider.input_value()
    frame.get_by_role("button", name="One step forward").click()
    expect(slider).to_have_value(str(int(held) + 1))
    frame.get_by_role("button", name="To the end").click()
    frame.get_by_role("button", name="Play", exact=True).click()  # from the start again
    expect(slider).not_to_have_value(re.compile(r"^\d{3}$"))
    links = frame.locator("a")
    for link in links.all():
        assert link.get_attribute("target") == "_blank"


def test_no_other_page_can_be_framed(crowd: Crowd, browser: Browser, foreign: Foreign) -> None:
    foreign.shows(f'<iframe src="{crowd.url}/learn/classic"></iframe>')
    with stranger(browser, foreign) as (page, troubles):
        page.wait_for_load_state("networkidle")
        assert page.frame_locator("iframe").locator(".app").count() == 0
    assert any("frame-ancestors" in trouble for trouble in troubles)


def test_where_less_motion_is_wanted_it_waits(crowd: Crowd) -> None:
    ada = crowd.at_the_end("junior")
    name = re.findall(r"/t/([a-z-]+)", ada.page.url)[0]
    assert httpx.get(f"{ada.url}/embed/{name}").status_code == 200
    visitor = crowd.person()
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.open(f"/embed/{name}")
    play = visitor.page.get_by_role("button", name="Play", exact=True)
    expect(play).to_be_visible(timeout=PATIENCE)
    expect(visitor.page.get_by_role("slider")).to_have_value("0")
    show(visitor.page, "embed")
    visitor.page.locator("body").press("Space")
    expect(visitor.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(visitor.page.get_by_role("slider")).not_to_have_value("0")
    visitor.open("/embed/no-such-table")
    expect(visitor.page.get_by_role("status")).to_have_text(re.compile("There is no such table"))
    visitor.troubles.clear()  # the browser notes the answer 404
