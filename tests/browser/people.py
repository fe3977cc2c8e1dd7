"""People at a table: what they see in their browser, and what they do there."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Literal

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from websockets.sync.client import connect

from tests.browser.positions import finished_game, late_game, moment

Hands = Literal["mouse", "keyboard", "phone"]
#: How long anything may take that a test waits for, in milliseconds. A machine may be busy.
PATIENCE: Final = 30_000

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
#: What Playwright says where it keeps the service worker away.
_NO_WORKER: Final = "Service Worker registration blocked by Playwright"
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}

#: What there is to do, in the words of the page, and the number of the last event.
_LOOK = """() => {
  const table = document.querySelector('.table')
  const event = table ? Number(table.dataset.event) : -1
  const texts = (query) => [...document.querySelectorAll(query)].map((node) => node.innerText)
  if (document.querySelector('.end .acts')) return {event, see: 'end', choices: []}
  for (const [see, query] of [
    ['question', '.question button'],
    ['dice', '.pickset.can-keep button.pick'],
    ['buttons', '.act button'],
  ]) if (document.querySelector(query)) return {event, see, choices: texts(query)}
  return {event, see: 'others', choices: []}
}"""


@dataclass(frozen=True)
class Sight:
    """What a player sees of the game: what is asked of them, and the number of the last event."""

    event: int
    see: Literal["question", "dice", "buttons", "others", "end"]
    choices: list[str]


@dataclass
class Person:
    """Somebody with a browser."""

    page: Page
    url: str
    hands: Hands = "mouse"
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", self._hear)
        self.page.on("requestfailed", self._miss)

    def _miss(self, request: Any) -> None:
        # What the browser itself let go of, because the page was left while it was on its way, is
        # missed by nobody; a server that fails to deliver shows up under other names.
        if request.failure != "net::ERR_ABORTED":
            self.troubles.append(f"failed: {request.url}")

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning") and message.text != _NO_WORKER:
            self.troubles.append(f"{message.type}: {message.text}")

    # --- coming and going -------------------------------------------------------------------------

    def know(self, **settings: object) -> None:
        """Come with settings that were chosen before."""
        text = json.dumps(json.dumps(settings))
        self.page.add_init_script(
            f"localStorage.getItem('heckmeck.settings') ?? localStorage.setItem('heckmeck.settings', {text})"
        )

    def hold(self, table: str, *secrets: str) -> None:
        """Come with these secrets of a table."""
        known = [{"id": table, "secrets": [*secrets], "seen": 1, "players": [], "edition": ""}]
        text = json.dumps(json.dumps(known))
        self.page.add_init_script(
            f"localStorage.getItem('heckmeck.tables') ?? localStorage.setItem('heckmeck.tables', {text})"
        )

    def open(self, path: str) -> None:
        """Open an address of the server."""
        self.page.goto(self.url + path)

    def sit(self, name: str) -> None:
        """Take the first free seat."""
        self.page.get_by_label("Your name").fill(name)
        self.press(self.page.get_by_role("button", name="Sit down"))
        expect(self.page.locator(".places .own")).to_be_visible()

    def start(self) -> None:
        """Begin the game."""
        self.press(self.page.locator(".startbar button").first)
        expect(self.page.locator(".grill")).to_be_visible()

    # --- hands ------------------------------------------------------------------------------------

    def press(self, button: Locator) -> None:
        """Press a button in this person's way."""
        match self.hands:
            case "mouse":
                button.click()
            case "phone":
                button.tap()
            case "keyboard":
                self.tab_to(button)
                self.page.keyboard.press("Enter")

    def tab_to(self, target: Locator) -> None:
        """Press Tab until the target has the focus."""
        target.wait_for()
        for _ in range(80):
            if target.evaluate("node => node === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {target}")

    # --- playing ----------------------------------------------------------------------------------

    def look(self) -> Sight:
        """See what there is to do."""
        return Sight(**self.page.evaluate(_LOOK))

    def wait_for_event_after(self, event: int) -> None:
        """Return when the table has moved on."""
        self.page.wait_for_function(
            "(event) => Number(document.querySelector('.table')?.dataset.event) > event"
            " || document.querySelector('.end .acts')",
            arg=event,
        )

    def next_decision(self, event: int) -> Sight:
        """Wait until the table has moved on and asks this person something, or the game is over."""
        found = self.page.wait_for_function(
            f"(event) => {{ const seen = ({_LOOK})();"
            " return seen.see === 'end' || (seen.event > event && seen.see !== 'others') ? seen : null }",
            arg=event,
        )
        return Sight(**found.json_value())

    def play(self, sight: Sight) -> None:
        """Do what a hasty player does: keep the last face, stop as soon as it brings something."""
        self._act(sight)
        self.wait_for_event_after(sight.event)

    def _act(self, sight: Sight) -> None:
        match sight.see:
            case "question":
                self._choose(".question button", "1", first=True)
            case "dice":
                self._keep()
            case "buttons":
                self._decide(sight.choices)
            case _:
                pass

    def decide(self, sight: Sight) -> Sight:
        """Do the same, and return what is asked next."""
        self._act(sight)
        return self.next_decision(sight.event)

    def _keep(self) -> None:
        dice = self.page.locator(".pickset.can-keep button.pick").last
        if self.hands == "keyboard":
            label = dice.get_attribute("aria-label") or ""
            face = re.findall(r"× (\w+)", label)[0]
            self.page.keyboard.press({"worm": "w", "bun": "b"}.get(face, face[0]))
        else:
            self.press(dice)

    def _decide(self, choices: list[str]) -> None:
        stop = self.page.locator(".act .btn.primary")
        if stop.count():
            weasel = "Weasel" in choices[0]
            self._choose(".act .btn.primary", "a" if weasel else "s", first=True)
        else:
            golden = any("golden" in choice for choice in choices)
            self._choose(".act .btn.neutral", "g" if golden else "r", first=False)

    def _choose(self, query: str, key: str, *, first: bool) -> None:
        if self.hands == "keyboard":
            self.page.keyboard.press(key)
        else:
            found = self.page.locator(query)
            self.press(found.first if first else found.last)

    def play_to_the_end(self) -> int:
        """Play until the game is over; return how many decisions that took."""
        decisions = 0
        sight = self.next_decision(-1)
        while sight.see != "end":
            sight = self.decide(sight)
            decisions += 1
            assert decisions < 2000, "this game does not end"
        return decisions


def seat_bots(url: str, table: dict[str, str], names: Sequence[str]) -> None:
    """Put quick bots with these names on all seats but the first."""
    bots: list[dict[str, object]] = [
        {"do": "set_bot", "seat": seat, "bot": "rooster", "name": name}
        for seat, name in enumerate(names)
        if seat > 0
    ]
    ask_table(url, table, [{"do": "options", "pace": 0, "hints": True}, *bots])


def ask_table(url: str, table: dict[str, str], requests: Iterable[dict[str, object]]) -> None:
    """Send requests to a table as its host; none may be refused."""
    address = f"{url.replace('http', 'ws')}/api/tables/{table['id']}/live"
    with connect(address) as socket:
        hello: dict[str, object] = {"do": "hello", "secrets": [table["secret"]]}
        for number, request in enumerate([hello, *requests]):
            socket.send(json.dumps({**request, "id": str(number)}))
            while (answer := json.loads(socket.recv())).get("id") != str(number):
                pass
            assert answer["type"] != "refused", answer


class Crowd:
    """Everybody in one test."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self.url = url
        self._contexts: list[BrowserContext] = []
        self._people: list[Person] = []

    def person(
        self, hands: Hands = "mouse", *, speed: str = "off", newcomer: bool = False, **options: Any
    ) -> Person:
        """Somebody new, on a device of their own; a first turn is explained to a ``newcomer``.

        Its service worker, which loads the whole app, is there only for ``service_workers="allow"``.
        """
        device = PHONE if hands == "phone" else DESKTOP
        # Whoever wants no animation gets none at all: glowing coals cost a machine time, too.
        still = {"reduced_motion": "reduce"} if speed == "off" else {}
        usual = {"locale": "en-GB", "service_workers": "block"}
        context = self._browser.new_context(**{**usual, **device, **still, **options})
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        person = Person(context.new_page(), self.url, hands)
        person.know(speed=speed, coached=not newcomer)
        self._people.append(person)
        return person

    def host(self, hands: Hands = "mouse", *, bots: list[str], **setup: Any) -> Person:
        """Somebody with a new table, looking at it."""
        made = self.table(bots=bots, **setup)
        person = self.person(hands)
        person.hold(made["id"], made["secret"])
        person.open(made["path"])
        return person

    def guest(self, table: str, hands: Hands = "mouse", **options: Any) -> Person:
        """Somebody who opened the link to a table."""
        person = self.person(hands, **options)
        person.open(f"/t/{table}")
        return person

    def at_moment(
        self, name: str, hands: Hands = "mouse", seats: int = 4, **options: Any
    ) -> Person:
        """Ada at a table where the moment of this name has come, others being bots."""
        return self.go_on(moment(name, seats), hands, **options)

    def late(
        self, edition: str, hands: Hands = "mouse", seats: int = 2, *, short: bool = False
    ) -> Person:
        """Ada at a table whose game is nearly over."""
        return self.go_on(late_game(edition, seats, short=short), hands)

    def at_the_end(self, edition: str) -> Person:
        """Somebody who looks at a game that is over."""
        return self.after(finished_game(edition))

    def after(self, record: str) -> Person:
        """Somebody who looks at the end of this game."""
        response = httpx.post(f"{self.url}/api/records", content=record)
        response.raise_for_status()
        made = response.json()
        person = self.person()
        person.hold(made["id"], made["secret"])
        person.open(made["path"])
        expect(person.page.locator(".end")).to_be_visible()
        return person

    def go_on(self, record: str, hands: Hands = "mouse", **options: Any) -> Person:
        """Ada at a table that goes on from a record, the others being bots with its names."""
        response = httpx.post(f"{self.url}/api/records", content=record)
        response.raise_for_status()
        made = response.json()
        seat_bots(self.url, made, json.loads(record)["seats"])
        ada = self.person(hands, **options)
        ada.hold(made["id"], made["secret"])
        ada.open(made["path"])
        ada.sit("Ada")
        ada.start()
        return ada

    def table(self, *, bots: list[str], **setup: Any) -> dict[str, str]:
        """Make a table with quick bots; without a ``pace`` they play as at any new table."""
        chosen = {"pace": 0, "first": 0, **setup}
        if chosen["pace"] is None:
            del chosen["pace"]
        wanted = {"setup": chosen, "bots": bots}
        response = httpx.post(f"{self.url}/api/tables", json=wanted)
        response.raise_for_status()
        made: dict[str, str] = response.json()
        return made

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None
    ) -> None:
        troubles = [trouble for person in self._people for trouble in person.troubles]
        for context in self._contexts:
            context.close()
        if kind is None and troubles:
            raise AssertionError("somebody met an error:\n" + "\n".join(troubles))
