"""A site without a server: games in the page, from any web host, also in flight mode."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Error, Route, expect

from heckmeck.server.security import POLICY
from tests.browser.pages import heading
from tests.browser.people import Crowd, Person
from tests.browser.positions import late_game
from tests.browser.screens import show
from tests.server import proxies
from tests.server.serving import HOST, free_port

#: Where on its host the site is.
UNDER = "/games/heckmeck"
EDITIONS = ["classic", "deluxe", "barbecue", "junior"]
#: Python has to be loaded first.
BOOT = 90_000

#: Resolves when the service worker is in charge; the policy of the page forbids Playwright to poll.
CONTROLLED = """new Promise((done) => {
  if (navigator.serviceWorker.controller) done()
  else navigator.serviceWorker.addEventListener('controllerchange', () => done(), { once: true })
})"""
#: Makes tables in a worker of its own, as another tab would, and seats bots at them.
MAKE_TABLES = """async ([script, records]) => {
  const worker = new Worker(script, { type: 'module' })
  const heard = []
  let wake = () => undefined
  worker.onmessage = ({ data }) => (heard.push(data), wake())
  const answer = async (is) => {
    for (;;) {
      const found = heard.find(is)
      if (found) return found
      await new Promise((go) => (wake = go))
    }
  }
  const made = []
  for (const [id, record] of records.entries()) {
    worker.postMessage({ do: 'ask', id, method: 'POST', path: '/api/records', body: record })
    const table = JSON.parse((await answer((m) => m.do === 'answer' && m.id === id)).text.split('\\n')[1])
    const line = table.id
    const said = (m) => (m.do === 'say' && m.line === line && m.text ? JSON.parse(m.text) : {})
    worker.postMessage({ do: 'open', line, table: table.id })
    await answer((m) => m.do === 'say' && m.line === line)
    for (const [n, request] of [
      { do: 'hello', secrets: [table.secret] },
      { do: 'options', pace: 0 },
      { do: 'set_bot', seat: 1, bot: 'rooster', name: 'Ben' },
    ].entries()) {
      worker.postMessage({ do: 'send', line, text: JSON.stringify({ ...request, id: `${n}` }) })
      await answer((m) => said(m).id === `${n}`)
    }
    worker.postMessage({ do: 'close', line })
    made.push({ id: table.id, secrets: [table.secret], seen: 1, players: [], edition: '', status: 'waiting', yourTurn: false })
  }
  worker.terminate()
  localStorage.setItem('heckmeck.tables', JSON.stringify(made))
  return made.map(({ id }) => id)
}"""


@pytest.fixture(scope="module")
def folder(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a web host serves, with the site in a folder of it."""
    assert (pages / "python").is_dir()
    host = tmp_path_factory.mktemp("host")
    out = host / UNDER.strip("/")
    command = [sys.executable, "-m", "heckmeck", "site", "--out", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["files"] > 50
    return host


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def python_host(folder: Path) -> Iterator[str]:
    """Python's own web server."""
    with ThreadingHTTPServer((HOST, 0), lambda *args: _Quiet(*args, directory=str(folder))) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://{HOST}:{host.server_port}"
        host.shutdown()


def script_in(folder: Path) -> str:
    """The worker's file, from the site's page."""
    (script,) = (folder / UNDER.strip("/") / "python").glob("*.js")
    return f"python/{script.name}"


@pytest.fixture
def visitors(browser: Browser, folder: Path) -> Iterator[Crowd]:
    """People who come to a site that Python's own web server serves."""
    with python_host(folder) as url, Crowd(browser, url + UNDER) as people:
        yield people


def make_available(person: Person) -> None:
    """Let the page keep everything on this device."""
    person.page.get_by_role("button", name="Without a network").click()
    button = person.page.get_by_role("button", name="Make available offline")
    expect(button).to_be_visible()
    expect(person.page.get_by_text("MB once")).to_be_visible()
    button.click()
    removal = person.page.get_by_role("button", name="Remove from this device")
    expect(removal).to_be_visible(timeout=BOOT)


def test_every_game_is_played_to_its_end_in_flight_mode(visitors: Crowd, folder: Path) -> None:
    ada = visitors.person(service_workers="allow")
    ada.open("/")
    ada.page.evaluate(CONTROLLED)
    make_available(ada)
    ada.page.context.set_offline(True)
    ada.page.reload()
    records = [late_game(edition, 2, short=True) for edition in EDITIONS]
    tables = ada.page.evaluate(MAKE_TABLES, [script_in(folder), records])
    for table in tables:
        ada.open(f"/#/t/{table}")
        ada.page.get_by_label("Your name").wait_for(timeout=BOOT)
        ada.sit("Ada")
        ada.start()
        assert ada.play_to_the_end() >= 1
        expect(ada.page.locator(".score tbody tr")).to_have_count(2)
    ada.troubles.clear()  # the browser asks for the page's icon in vain


#: Looks for a new version; says whether it is there, or could not be brought whole.
UPDATE = """navigator.serviceWorker.getRegistration().then((known) => new Promise((done) => {
  known.addEventListener('updatefound', () => {
    const coming = known.installing
    coming.addEventListener('statechange', () => {
      if (['activated', 'redundant'].includes(coming.state)) done(coming.state)
    })
  }, { once: true })
  void known.update()
}))"""


def new_version(site: Path, number: int) -> None:
    """Put another version there, which needs one more large file."""
    index, worker = site / "index.html", site / "worker.js"
    mark = f'<meta name="version" content="{number}" /></head>'
    index.write_text(index.read_text("utf-8").replace("</head>", mark), "utf-8")
    text = worker.read_text("utf-8")
    for before, more in (
        ("const LARGE = [", f'["python/late-{number}",4],'),
        ('const VERSION = "', f"{number}"),
        ('const OFFLINE = `offline-${"', f"{number}"),
    ):
        assert before in text
        text = text.replace(before, before + more)
    worker.write_text(text, "utf-8")


def version_in_flight(person: Person) -> str | None:
    """Return the version that there is without a network; its games can be played."""
    person.page.context.set_offline(True)
    person.page.reload()
    person.page.get_by_role("button", name="Play now").click()
    person.page.get_by_role("button", name="Roll 8").wait_for(timeout=BOOT)
    version: str | None = person.page.evaluate(
        "document.querySelector('meta[name=version]')?.content ?? null"
    )
    person.open("/")
    person.page.context.set_offline(False)
    return version


def test_an_update_comes_whole_or_not_at_all(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    host = tmp_path / "host"
    shutil.copytree(folder, host)
    site = host / UNDER.strip("/")
    with python_host(host) as url, Crowd(browser, url + UNDER) as people:
        ada = people.person(service_workers="allow")
        ada.open("/")
        ada.page.evaluate(CONTROLLED)
        make_available(ada)
        new_version(site, 2)
        assert ada.page.evaluate(UPDATE) == "redundant"
        assert version_in_flight(ada) is None
        (site / "python" / "late-2").write_text("here", "utf-8")
        assert ada.page.evaluate(UPDATE) == "activated"
        assert version_in_flight(ada) == "2"
        large = [name for name in ada.page.evaluate("caches.keys()") if name.startswith("offline-")]
        assert len(large) == 1
        ada.troubles.clear()  # a file that does not come is what this test is about


def test_nothing_is_lost_when_a_tab_is_killed_or_another_one_is_opened(visitors: Crowd) -> None:
    ada = visitors.person()
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    ada.page.get_by_role("button", name="Roll 8").click(timeout=BOOT)
    pick = ada.page.locator("button.pick").first
    pick.wait_for()
    log = ada.page.locator(".table").get_attribute("data-event")
    address = ada.page.url
    other = ada.page.context.new_page()
    ada.page.close()
    other.goto(address)
    other.locator("button.pick").first.wait_for(timeout=BOOT)
    assert int(other.locator(".table").get_attribute("data-event") or 0) >= int(log or 0)
    third = other.context.new_page()
    third.goto(address)
    third.locator("button.pick").first.click(timeout=BOOT)
    # What is done in one tab is seen in the other.
    event = third.locator(".table").get_attribute("data-event")
    expect(other.locator(f".table[data-event='{event}']")).to_be_visible()
    show(other, "site-table")


def begin(person: Person) -> None:
    """Begin a game in the page, and roll."""
    person.open("/")
    person.page.get_by_role("button", name="Play now").click()
    person.page.get_by_role("button", name="Roll 8").click(timeout=BOOT)
    person.page.locator("button.pick").first.wait_for()


def shown(person: Person) -> tuple[str, list[str]]:
    """Return what lies on the table: the number of the last event, and the dice."""
    event = person.page.locator(".table").get_attribute("data-event") or ""
    return event, person.page.locator(".pickset").all_inner_texts()


def test_a_renderer_that_crashes_in_the_middle_of_a_turn_loses_nothing(visitors: Crowd) -> None:
    ada = visitors.person()
    begin(ada)
    before, address = shown(ada), ada.page.url
    with ada.page.expect_event("crash"), suppress(Error):
        ada.page.goto("chrome://crash")
    ada.page = ada.page.context.new_page()
    ada.page.goto(address)
    ada.page.locator("button.pick").first.wait_for(timeout=BOOT)
    assert shown(ada) == before


def test_a_python_that_breaks_is_replaced_and_the_game_goes_on(visitors: Crowd) -> None:
    ada = visitors.person()
    begin(ada)
    before = shown(ada)
    (worker,) = ada.page.workers
    with ada.page.expect_worker(timeout=BOOT):
        worker.evaluate("void globalThis.onmessage({ data: { do: 'open', line: 'x' } })")
    expect(ada.page.get_by_text("Reconnecting")).to_have_count(0, timeout=BOOT)
    assert shown(ada) == before
    pick = ada.page.locator("button.pick").first
    pick.click()
    expect(ada.page.locator(f".table[data-event='{before[0]}']")).to_have_count(0)


#: A browser that keeps nothing, or has no room for more.
REFUSE = {
    "open": """self.refuse = () => {
      IDBFactory.prototype.open = () => { throw new DOMException('No.', 'SecurityError') }
    }""",
    "full": """self.refuse = () => {
      const { add } = IDBObjectStore.prototype
      IDBObjectStore.prototype.add = function () {
        this.transaction.abort()
        throw new DOMException('No room.', 'QuotaExceededError')
      }
      self.allow = () => { IDBObjectStore.prototype.add = add }
    }""",
}


def refuse(person: Person, how: str, *, now: bool) -> None:
    """Let the workers of the page find a browser that can refuse; it begins to do so ``now``."""
    script = f"{REFUSE[how]}\n{'self.refuse()' if now else ''}\n"

    def prepared(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=script + response.text())

    person.page.context.route(re.compile(r"/python/[^/]*\.js$"), prepared)


@pytest.mark.parametrize("how", REFUSE)
def test_a_browser_that_keeps_nothing_says_so(visitors: Crowd, how: str) -> None:
    ada = visitors.person()
    refuse(ada, how, now=True)
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    alert = ada.page.get_by_role("alert").first
    expect(alert).to_contain_text("This browser cannot keep the game", timeout=BOOT)
    if how == "full":
        show(ada.page, "site-unkept", whole=True)


def test_a_move_that_finds_no_room_says_so_and_is_not_shown(visitors: Crowd) -> None:
    ada = visitors.person()
    refuse(ada, "full", now=False)
    begin(ada)
    before = shown(ada)
    (worker,) = ada.page.workers
    worker.evaluate("self.refuse()")
    pick = ada.page.locator("button.pick").first
    pick.click()
    expect(ada.page.get_by_text("This browser cannot keep the game")).to_be_visible()
    assert shown(ada) == before
    worker.evaluate("self.allow()")
    pick.click()
    expect(ada.page.locator(f".table[data-event='{before[0]}']")).to_have_count(0)


def test_a_table_whose_python_does_not_come_says_so(visitors: Crowd) -> None:
    ada = visitors.person()
    begin(ada)
    before = shown(ada)
    ada.page.context.route("**/*.wasm.pack", lambda route: route.abort())
    ada.page.reload()
    again = ada.page.get_by_role("button", name="Try again")
    again.wait_for(timeout=BOOT)
    expect(ada.page.get_by_text("The game could not be opened")).to_be_visible()
    show(ada.page, "site-unloaded")
    ada.page.context.unroute("**/*.wasm.pack")
    again.click()
    ada.page.locator("button.pick").first.wait_for(timeout=BOOT)
    assert shown(ada) == before
    ada.troubles.clear()  # a file that does not come is what this test is about


def test_who_comes_back_loads_no_python_before_it_is_wanted(visitors: Crowd) -> None:
    ada = visitors.person()
    begin(ada)
    asked: list[str] = []
    ada.page.context.on("request", lambda request: asked.append(request.url))
    back = ada.page.context.new_page()
    ada.page.close()
    back.goto(visitors.url + "/")
    expect(back.get_by_role("heading", name="Continue")).to_be_visible()
    expect(back.locator(".rest li small").first).to_contain_text("Chick")
    back.wait_for_timeout(500)
    assert [url for url in asked if "/python/" in url] == []


def test_nothing_large_is_loaded_before_it_is_wanted(visitors: Crowd) -> None:
    ada = visitors.person(service_workers="allow")
    asked: list[str] = []
    ada.page.context.on("request", lambda request: asked.append(request.url))
    ada.open("/")
    ada.page.evaluate(CONTROLLED)
    ada.page.get_by_role("button", name="Without a network").click()
    expect(ada.page.get_by_role("button", name="Make available offline")).to_be_visible()
    assert [url for url in asked if "/python/" in url or "/api/" in url] == []
    show(ada.page, "site-home", whole=True)


def test_what_cannot_be_loaded_says_so_and_can_be_tried_again(visitors: Crowd) -> None:
    ada = visitors.person()
    ada.page.context.route("**/*.wasm.pack", lambda route: route.abort())
    ada.open("/")
    ada.page.get_by_role("button", name="Play now").click()
    expect(ada.page.get_by_role("alert").first).to_contain_text("could not be loaded", timeout=BOOT)
    ada.page.context.unroute("**/*.wasm.pack")
    ada.page.get_by_role("button", name="Play now").click()
    expect(ada.page.get_by_role("button", name="Roll 8")).to_be_visible(timeout=BOOT)
    ada.troubles.clear()  # a file that does not come is what this test is about


#: Adds a script that the policy forbids.
INLINE = """() => {
  const script = document.createElement('script')
  script.textContent = 'window.inline = true'
  document.head.append(script)
}"""
NGINX = """
types {{ text/html html; text/javascript js; text/css css; }}
server {{
    listen {host}:{port};
    root {root};
    location {under}/python/ {{ add_header Content-Security-Policy "{python}"; }}
    location / {{ add_header Content-Security-Policy "{policy}"; }}
}}
"""


@contextmanager
def nginx_host(folder: Path, place: Path) -> Iterator[str]:
    """An nginx that knows few types of files, and sends the policies that docs/hosting.md gives."""
    port = free_port()
    python = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    site = NGINX.format(
        host=HOST, port=port, root=folder, under=UNDER, policy=POLICY, python=python
    )
    config = place / "nginx.conf"
    config.write_text(proxies.NGINX.format(folder=place, site=site), encoding="utf-8")
    command = [proxies.program("nginx") or "nginx", "-p", str(place), "-c", str(config)]
    process = subprocess.Popen(command)
    try:
        proxies.wait(port, process, place)
        yield f"http://{HOST}:{port}"
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.skipif(proxies.program("nginx") is None, reason="not on this machine: nginx")
def test_the_site_works_from_nginx_with_the_strict_policy(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    with nginx_host(folder, tmp_path) as url, Crowd(browser, url + UNDER) as people:
        ada = people.person()
        ada.open("/")
        ada.page.get_by_role("button", name="Play now").click()
        ada.page.get_by_role("button", name="Roll 8").click(timeout=BOOT)
        ada.page.locator("button.pick").first.wait_for()
        ada.page.get_by_role("link", name="Rules of this game").click()
        expect(heading(ada)).to_have_text("Learn")
        ada.page.go_back()
        ada.page.locator("button.pick").first.wait_for()
        ada.page.evaluate(INLINE)
        assert ada.page.evaluate("window.inline") is None
        ada.troubles.clear()  # the browser notes that the script was refused
