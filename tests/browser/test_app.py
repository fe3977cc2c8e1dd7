"""The pages as an app: quick to play, installable, there without a network, silent until asked."""

from typing import Final

from playwright.sync_api import CDPSession, expect

from tests.browser.pages import heading
from tests.browser.people import Crowd

#: What a page may work until the first throw, in seconds: a fast phone is no slower than this machine.
SOON: Final = 1.0
_COUNT_SOUNDS = """() => {
  globalThis.sounded = 0
  const Real = globalThis.AudioContext
  globalThis.AudioContext = class extends Real { constructor() { super(); globalThis.sounded += 1 } }
}"""


def test_the_first_throw_waits_within_a_second(crowd: Crowd) -> None:
    """From an empty browser. The page's own time is counted, not what else the machine does."""
    ada = crowd.person("phone", speed="normal", service_workers="allow")
    session = ada.page.context.new_cdp_session(ada.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").tap()
    ada.page.get_by_role("button", name="Roll 8").wait_for()
    assert worked(session) < SOON
    ada.page.get_by_role("button", name="Roll 8").tap()
    ada.page.locator("button.pick").first.wait_for()


def worked(session: CDPSession) -> float:
    """How long the page has kept a processor busy, in seconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    took: float = next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
    return took


def test_files_are_sent_compressed(crowd: Crowd) -> None:
    ada = crowd.person()
    encodings = {}
    ada.page.on(
        "response", lambda told: encodings.update({told.url: told.headers.get("content-encoding")})
    )
    ada.open("/")
    expect(heading(ada)).to_be_visible()
    scripts = {url: how for url, how in encodings.items() if url.endswith((".js", ".css"))}
    # What is smaller than a packet anyway is sent as it is.
    assert "gzip" in scripts.values()
    assert sum(how != "gzip" for how in scripts.values()) < len(scripts) / 2


def test_the_app_opens_without_a_network(crowd: Crowd) -> None:
    ada = crowd.person(service_workers="allow")
    ada.open("/")
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    ada.page.reload()  # from now on the worker is asked first, and keeps what is loaded
    expect(heading(ada)).to_be_visible()
    ada.page.context.set_offline(True)
    ada.page.reload()
    expect(heading(ada)).to_have_text("What is on the grill tonight?")
    ada.page.get_by_role("button", name="Play now").click()
    expect(ada.page.get_by_role("alert")).to_contain_text("connection")
    ada.troubles.clear()  # requests without a network fail: that is what this test is about
    ada.page.context.set_offline(False)
    ada.page.get_by_role("button", name="Play now").click()
    expect(ada.page.get_by_role("button", name="Roll 8")).to_be_visible()
    ada.troubles.clear()


def test_the_browser_finds_the_app_installable(crowd: Crowd) -> None:
    ada = crowd.person(service_workers="allow")
    ada.open("/")
    ada.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    session = ada.page.context.new_cdp_session(ada.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    wanting = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser without a window belongs to no person, and so installs nothing.
    assert [error for error in wanting if error["errorId"] != "in-incognito"] == []


def test_no_sound_until_somebody_asks_for_it(crowd: Crowd) -> None:
    ada = crowd.person()
    ada.page.add_init_script(f"({_COUNT_SOUNDS})()")
    made = crowd.table(bots=["rooster"], edition="classic", seats=2)
    ada.hold(made["id"], made["secret"])
    ada.open(made["path"])
    ada.sit("Ada")
    ada.start()
    ada.play(ada.next_decision(-1))
    assert ada.page.evaluate("sounded") == 0
    ada.page.get_by_role("button", name="Menu").click()
    ada.page.get_by_role("switch", name="Sound", exact=True).check()
    ada.page.keyboard.press("Escape")
    ada.play(ada.next_decision(-1))
    ada.page.wait_for_function("() => sounded === 1")
