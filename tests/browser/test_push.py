"""Push messages: asked for on the page, sent when it is closed, shown by the service worker."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import Crowd, Person
from tests.browser.serving import CoachedServer
from tests.server.push_service import HERE, PushService

#: Headless Chromium has no push service: it subscribes to ours.
_SUBSCRIBES = """
  const given = %s
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({
    endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }) })
  PushManager.prototype.getSubscription = async () => ({ endpoint: given.endpoint })
"""

_SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready
  return (await worker.getNotifications()).map(({ title, body, tag }) => ({ title, body, tag }))
}"""


#: A message is sent some seconds after the turn has begun.
PATIENCE_SECONDS = 30


def wait_until(page: Page, found: Callable[[], object], what: str) -> None:
    """Let the page go on until something is found."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not found():
        assert time.monotonic() < until, f"no {what} within {PATIENCE_SECONDS} seconds"
        page.wait_for_timeout(50)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    """A push service, in a thread of its own."""
    service, ready, done = PushService(tmp_path), Event(), Event()

    async def serve() -> None:
        async with service:
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    yield service
    done.set()
    thread.join()


def test_a_closed_page_is_told(
    browser: Browser,
    pages: Path,
    tmp_path: Path,
    service: PushService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(service.certificate))
    with (
        CoachedServer(tmp_path, pages, push_to=HERE) as server,
        Crowd(browser, server.url) as crowd,
    ):
        ada = crowd.host(bots=[], edition="classic", seats=2, first=0)
        ada.sit("Ada")
        name = ada.page.url.rsplit("/", 1)[1]
        ben = crowd.person(service_workers="allow")
        ben.page.context.grant_permissions(["notifications"], origin=server.url)
        ben.page.add_init_script(_SUBSCRIBES % json.dumps(service.subscription()))
        ben.open(f"/t/{name}")
        ben.sit("Ben")
        ben.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        ada.start()
        ben.page.get_by_role("button", name="Menu").click()
        switch = ben.page.get_by_role("switch", name="Tell me when the page is closed too")
        switch.check()
        expect(switch).to_be_enabled()
        expect(switch).to_be_checked()
        ben.page.goto("about:blank")
        ada.page.get_by_text("Ben is away").first.wait_for(state="attached")
        wait_until(ada.page, lambda: is_told(ada, service), "message")
        assert service.messages() == [{"table": name, "text": f"Your turn at {name}"}]
        see_the_message(ben, server.url, service.messages()[0])
        ben.troubles.clear()


def is_told(ada: Person, service: PushService) -> bool:
    """Whether Ben was told. Until then Ada plays if it is her turn; his is not for a bot."""
    sight = ada.look()
    if sight.see != "others" and not ada.page.locator(".banner.away").is_visible():
        ada.play(sight)
    return bool(service.bodies)


def see_the_message(ben: Person, url: str, message: dict[str, str]) -> None:
    """The push service hands the message to Ben's browser, whose worker shows it."""
    ben.open("/learn/classic")
    page = ben.page
    talk = page.context.new_cdp_session(page)
    ids: list[str] = []
    talk.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: ids.extend(each["registrationId"] for each in event["registrations"]),
    )
    talk.send("ServiceWorker.enable")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    wait_until(page, lambda: ids, "service worker")
    talk.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": url, "registrationId": ids[0], "data": json.dumps(message)},
    )
    wait_until(page, lambda: page.evaluate(_SHOWN), "notification")
    assert page.evaluate(_SHOWN) == [
        {"title": "Heckmeck", "body": message["text"], "tag": message["table"]}
    ]
