"""Whether everything fits on the screen: windows of strangers, states of a turn, and what is wrong."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, expect

from heckmeck.narration import languages
from heckmeck.rules import AnyState, apply, legal, stopping
from heckmeck.rules.deluxe import DeluxeTable
from heckmeck.rules.endings import Nothing
from heckmeck.rules.moves import Bust, Keep, Pinch, Return, Rob, Roll, Throw
from heckmeck.rules.state import Deciding
from tests.browser.people import Crowd, Person, ask_table
from tests.browser.positions import ME, Wanted, at_my_turn, find, finished_game

_MISFITS: Final = (Path(__file__).parent / "fitting.js").read_text(encoding="utf-8")
EDITIONS: Final = ("classic", "deluxe", "barbecue", "junior")
LANGUAGES: Final = (*languages(),)
#: Names as people have them: short, long, as long as a name may be, and bots of one kind.
NAMES: Final = (
    "Ada",
    "Grandmaster",
    "Bartholomäus-Maximilian",
    "Rooster",
    "Wilhelmina",
    "The rooster",
    "Mia",
)
#: Windows: phones with and without the browser's bars, upright and on their side, tablets, desktops.
WINDOWS: Final = (
    (320, 568),
    (320, 454),
    (360, 640),
    (375, 553),
    (390, 664),
    (390, 780),
    (390, 844),
    (412, 784),
    (412, 915),
    (568, 320),
    (568, 256),
    (667, 331),
    (844, 390),
    (932, 430),
    (600, 960),
    (768, 1024),
    (912, 1368),
    (1024, 600),
    (1280, 800),
    (1366, 625),
    (2560, 1440),
)
#: More of them, for the long walk.
ALL_WINDOWS: Final = (
    *WINDOWS,
    (360, 560),
    (375, 667),
    (430, 932),
    (740, 360),
    (844, 340),
    (820, 1180),
    (800, 600),
    (640, 400),
    (1024, 768),
    (1180, 820),
    (1280, 561),
    (1920, 1080),
)


@dataclass(frozen=True)
class Scene:
    """A state of a turn to look at: how a game gets there, and what is done then."""

    name: str
    edition: str
    seats: int = 4
    #: What to look for in games of the edition.
    wanted: Wanted = at_my_turn
    #: What to press then, one after the other.
    presses: tuple[str, ...] = ()


def _fails(state: AnyState) -> bool:
    """A throw of mine is there, and after the first keep stopping brings nothing."""
    if state.seat != ME or not isinstance(state.phase, Throw) or not state.turn.kept:
        return False
    keep = next((move for move in legal(state) if isinstance(move, Keep)), None)
    after = keep and apply(state, keep).state
    return bool(
        after
        and isinstance(after.phase, Deciding)
        and after.turn.hand > 0
        and isinstance(stopping(after), Nothing)
    )


def _asked(kind: type, answers: int) -> Wanted:
    """I am asked something that has at least this many answers."""

    def wanted(state: AnyState) -> bool:
        return state.seat == ME and sum(isinstance(move, kind) for move in legal(state)) >= answers

    return wanted


def _golden(state: AnyState) -> bool:
    """I may roll with the golden die, and somebody else has a Bratworm."""
    table = state.table
    return (
        Roll(golden=True) in legal(state)
        and at_my_turn(state)
        and isinstance(table, DeluxeTable)
        and any(table.bratworms[ME + 1 :])
    )


def _weasel(state: AnyState) -> bool:
    """My throw is dead, and the weasel may help."""
    return state.seat == ME and any(isinstance(move, Bust) for move in legal(state))


ROLL: Final = ".act .btn.neutral >> nth=0"
KEEP: Final = ".pickset.can-keep button.pick >> nth=0"
SCENES: Final = (
    *(
        Scene(f"start-{edition}", edition, seats)
        for edition, seats in (("classic", 4), ("deluxe", 4), ("barbecue", 4), ("junior", 4))
    ),
    *(
        Scene(f"throw-{edition}", edition, seats, at_my_turn, (ROLL,))
        for edition, seats in (("classic", 3), ("deluxe", 7), ("barbecue", 5), ("junior", 5))
    ),
    *(
        Scene(f"kept-{edition}", edition, seats, at_my_turn, (ROLL, KEEP))
        for edition, seats in (("classic", 7), ("deluxe", 2), ("barbecue", 4), ("junior", 2))
    ),
    *(
        Scene(f"fails-{edition}", edition, 4, _fails, (KEEP,))
        for edition in ("classic", "deluxe", "junior")
    ),
    Scene("golden", "deluxe", 4, _golden),
    Scene("golden-throw", "deluxe", 5, _golden, (".act .btn.neutral >> nth=1",)),
    Scene("weasel", "deluxe", 6, _weasel),
    Scene("return", "deluxe", 4, _asked(Return, 2)),
    Scene("rob-3", "deluxe", 4, _asked(Rob, 3)),
    Scene("rob-5", "deluxe", 7, _asked(Rob, 5)),
    Scene("pinch", "junior", 5, _asked(Pinch, 2)),
)


def show(crowd: Crowd, scene: Scene) -> Person:
    """Somebody who looks at the scene."""
    ada = crowd.go_on(_renamed(find(scene.edition, scene.seats, scene.wanted)))
    for press in scene.presses:
        _press(ada, press)
    return ada


def _press(ada: Person, button: str) -> None:
    event = ada.look().event
    ada.page.locator(button).click()
    ada.wait_for_event_after(event)


def _renamed(record: str) -> str:
    game = json.loads(record)
    return json.dumps({**game, "seats": NAMES[: len(game["seats"])]})


def end(crowd: Crowd, edition: str) -> Person:
    """Somebody who looks at the end of a game."""
    return crowd.after(_renamed(finished_game(edition)))


def at_one_device(crowd: Crowd, edition: str, seats: int = 4) -> Person:
    """Four people who share a device, at the start of a game."""
    made = crowd.table(bots=[], edition=edition, seats=seats)
    secrets = [f"{seat}{'x' * 30}" for seat in range(seats)]
    sitting: list[dict[str, object]] = [
        {"do": "sit", "seat": seat, "name": name, "secret": secret}
        for seat, (name, secret) in enumerate(zip(NAMES, secrets, strict=False))
    ]
    ask_table(crowd.url, made, [*sitting, {"do": "start"}])
    ada = crowd.person()
    ada.hold(made["id"], made["secret"], *secrets)
    ada.open(made["path"])
    expect(ada.page.locator(".act button").first).to_be_visible()
    return ada


def walk(ada: Person, moves: int) -> Iterator[str]:
    """Play as somebody who always rolls on; after each move yield what is to be done next."""
    for _ in range(moves):
        sight = ada.look()
        match sight.see:
            case "dice":
                _press(ada, KEEP)
            case "question":
                _press(ada, ".question button >> nth=0")
            case "buttons":
                roll = ada.page.locator(".act .btn.neutral")
                _press(ada, ".act .btn.neutral >> nth=0" if roll.count() else ".act .btn >> nth=0")
            case _:
                return
        yield ada.look().see


def play_until_dead(ada: Person) -> None:
    """Roll on until the dice of a dead throw are on the table."""
    dead = ada.page.locator(".lastdice")
    for _ in walk(ada, moves=200):
        if dead.count():
            return
    raise AssertionError("no throw was dead")


def speak(page: Page, language: str) -> None:
    """Change the language."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("combobox").select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


def look(page: Page, window: tuple[int, int], text: int = 100) -> dict[str, Any]:
    """What does not fit in a window, with this text size in percent, and where the fixed places are."""
    width, height = window
    page.set_viewport_size({"width": width, "height": height})
    found: dict[str, Any] = page.evaluate(_MISFITS, text)
    return found
