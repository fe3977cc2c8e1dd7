"""One table: what the buttons promise, what dice say, questions, keys, language and looks."""

import re

import pytest
from playwright.sync_api import expect

from heckmeck.record import final_state, read_record
from heckmeck.rules import apply, dead_chance, legal
from heckmeck.rules.components import DELUXE_TILES
from tests.browser.people import Crowd, Person
from tests.browser.positions import moment


def keep_for(ada: Person, promise: str) -> None:
    """Keep each face in turn, changing one's mind, until the stop button makes this promise."""
    stop = ada.page.locator(".act .btn.primary .t", has_text=re.compile(promise))
    picks = ada.page.locator(".pickset.can-keep button.pick")
    labels = [str(pick.get_attribute("aria-label")).split(":")[0] for pick in picks.all()]
    for label in labels:
        ada.page.locator(f"button.pick[aria-label^='{label}:']").click()
        expect(ada.page.locator(f".kgroup.fresh[aria-label='{label}']")).to_be_visible()
        if stop.count():
            return
    raise AssertionError(f"nothing promises {promise}")


PROMISES = [
    ("classic", r"^Steal (\d+)$", r"You steal (\d+) .* from"),
    ("deluxe", r"^Take (\d+)$", r"You take (\d+)"),
    ("hen", r"^Take the hen$", r"You receive the sitting hen"),
    ("barbecue", r"^Plate on (\d+)$", r"You (?:place a plate on|replace .* on) (\d+)"),
    ("close", r"^Close (\d+)$", r"You close (\d+)"),
    ("snail", r"^Take a snail$", r"grill snail"),
    ("junior", r"^Take (\d+)$", r"You take (\d+)"),
    ("pinch-one", r"^Pinch (\d+)$", r"You pinch (\d+)"),
]


@pytest.mark.parametrize(("name", "promise", "told"), PROMISES, ids=[p[0] for p in PROMISES])
def test_stop_does_what_it_says(crowd: Crowd, name: str, promise: str, told: str) -> None:
    ada = crowd.at_moment(name)
    keep_for(ada, promise)
    words = ada.page.locator(".act .btn.primary .t").inner_text()
    if name != "snail":  # one from the pool glows nowhere
        expect(ada.page.locator(".target:visible").first).to_be_visible()
    event = ada.look().event
    ada.page.locator(".act .btn.primary").click()
    ada.wait_for_event_after(event)
    line = ada.page.locator(".log li", has_text=re.compile("You stop|Your turn")).last
    number = re.findall(r"\d+", words)
    happened = re.search(told, line.inner_text())
    assert happened, line.inner_text()
    assert [*happened.groups()] == number[: len(happened.groups())]


@pytest.mark.parametrize("name", ["classic", "barbecue"])
def test_the_next_throw_says_how_likely_it_is_dead(crowd: Crowd, name: str) -> None:
    state = final_state(read_record(moment(name).encode()))
    chance = dead_chance(apply(state, legal(state)[0]).state)
    ada = crowd.at_moment(name)
    ada.page.locator(".pickset.can-keep button.pick").first.click()
    risk = ada.page.locator(".act .btn.neutral .d")
    expect(risk).to_have_text(re.compile(r"^risk: [\d.]+%$"))
    assert float(risk.inner_text().strip("risk: %")) == pytest.approx(100 * chance, abs=0.5)


def test_where_a_dead_throw_costs_nothing_it_is_said_instead(crowd: Crowd) -> None:
    ada = crowd.at_moment("junior")
    ada.page.locator(".pickset.can-keep button.pick").first.click()
    expect(ada.page.locator(".act .btn.neutral .d")).to_have_text("nothing to lose")


def test_dice_of_a_kept_face_say_why(crowd: Crowd) -> None:
    ada = crowd.at_moment("weasel")
    locked = ada.page.locator(".pickset.can-kept")
    expect(locked.first.locator(".tip")).to_contain_text("is kept")
    expect(locked.first.get_by_role("img", name="already kept this turn")).to_be_visible()
    ada.page.get_by_role("button", name="Weasel: roll again").click()
    expect(ada.page.get_by_role("button", name="Weasel: roll again")).to_have_count(0)


def test_a_keep_is_put_back_or_changed(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    before = ada.page.locator(".board .total .num").get_attribute("aria-label")
    ada.page.locator("button.pick").first.click()
    ada.page.get_by_role("button", name="Take back").click()
    expect(ada.page.locator(".board .total .num")).to_have_attribute("aria-label", str(before))
    ada.page.locator("button.pick").first.click()
    expect(ada.page.locator(".pickset.can-swap").first).to_be_visible()
    other = ada.page.locator(".pickset.can-swap button").first
    total = re.findall(r"total (\d+)", other.get_attribute("aria-label") or "")[0]
    other.click()
    expect(ada.page.locator(".board .total .num")).to_have_attribute("aria-label", total)


def test_whoever_watches_sees_the_totals_of_dice_that_lie_there(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    watcher = crowd.guest(ada.page.url.split("/t/")[1].split("#")[0])
    tips = watcher.page.locator(".pickset.can-rest .tip")
    expect(tips.first).to_have_text(re.compile(r"^\d+$"))
    told = tips.all_inner_texts()
    ada.page.locator("button.pick").first.click()
    expect(tips).to_have_text(told[1:])
    ada.page.get_by_role("button", name="Take back").click()
    expect(tips).to_have_text(told)


def test_after_a_reload_a_keep_can_still_be_changed(crowd: Crowd) -> None:
    """What the other faces would bring was told with the throw; the page does not make it up."""
    ada = crowd.host(bots=["chick"], edition="classic")
    ada.sit("Ada")
    ada.start()
    ada.page.get_by_role("button", name="Roll 8").click()
    expect(ada.page.locator(".pickset.can-keep").first).to_be_visible()
    labels = [pick.get_attribute("aria-label") for pick in ada.page.locator("button.pick").all()]
    ada.page.locator("button.pick").first.click()
    expect(ada.page.locator(".pickset.can-swap").first).to_be_visible()
    ada.page.reload()
    others = ada.page.locator(".pickset.can-swap")
    expect(
        others.first.get_by_role("button", name=re.compile("keep this instead$"))
    ).to_be_visible()
    expect(others.first.locator(".tip")).to_have_text("")
    ada.page.get_by_role("button", name="Take back").click()
    expect(ada.page.locator(".pickset.can-keep")).to_have_count(len(labels))
    picks = ada.page.locator("button.pick").all()
    assert [pick.get_attribute("aria-label") for pick in picks] == labels


def test_the_golden_die_joins_the_first_throw(crowd: Crowd) -> None:
    ada = crowd.at_moment("golden")
    ada.page.get_by_role("button", name="with the golden die").click()
    expect(ada.page.locator(".tray .die")).to_have_count(9)


@pytest.mark.parametrize("name", ["return", "rob", "pinch"])
def test_questions_are_asked_in_place(crowd: Crowd, name: str) -> None:
    ada = crowd.at_moment(name, seats=3 if name == "rob" else 4)
    expect(ada.page.locator(".question button").first).to_be_focused()
    event = ada.look().event
    ada.page.keyboard.press("1")
    ada.wait_for_event_after(event)
    expect(ada.page.locator(".question")).to_have_count(0)


def test_the_focus_is_never_lost(crowd: Crowd) -> None:
    ada = crowd.late("deluxe", "keyboard", seats=3)
    for _ in range(12):
        sight = ada.look()
        if sight.see == "end":
            break
        ada.play(sight)
        assert ada.page.evaluate("document.activeElement !== document.body")


def test_keys_are_listed_and_the_sheet_gives_the_focus_back(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.locator("button.pick").first.focus()
    ada.page.keyboard.press("?")
    sheet = ada.page.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    ada.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(ada.page.locator("button.pick").first).to_be_focused()


def test_the_log_speaks_the_readers_language(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.locator("button.pick").first.click()
    expect(ada.page.locator(".side .log li").last).to_contain_text("You keep")
    ada.page.get_by_label("Language").select_option("de")
    expect(ada.page.locator("html")).to_have_attribute("lang", "de")
    expect(ada.page.locator(".side .log li").last).to_contain_text("Du legst")
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_attribute("lang", "de")


def test_dark_and_light_and_speed_are_remembered(crowd: Crowd) -> None:
    ada = crowd.at_moment("junior")
    theme = ada.page.locator("html").get_attribute("data-theme")
    ada.page.get_by_role("button", name=re.compile("theme")).click()
    other = {"dark": "light", "light": "dark"}[str(theme)]
    expect(ada.page.locator("html")).to_have_attribute("data-theme", other)
    ada.page.get_by_role("button", name="Animation").click()
    ada.page.reload()
    expect(ada.page.locator("html")).to_have_attribute("data-theme", other)
    expect(ada.page.get_by_role("button", name="Animation: Normal")).to_be_visible()


def test_hints_weigh_every_choice(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    choices = ada.page.locator(".pickset.can-keep").count()
    expect(ada.page.locator(".hint-panel .meter")).to_have_count(choices)
    ada.page.get_by_role("switch", name="Hints").uncheck()
    expect(ada.page.locator(".hint-panel")).to_contain_text("Hints are off")
    ada.page.keyboard.press("h")
    expect(ada.page.locator(".hint-panel .meter")).to_have_count(choices)


def test_a_stack_shows_all_of_itself(crowd: Crowd) -> None:
    ada = crowd.at_moment("deluxe")
    stack = ada.page.locator(".seats button.stack").first
    size = int(re.findall(r"stack of (\d+)", stack.get_attribute("aria-label") or "")[0])
    stack.click()
    sheet = ada.page.get_by_role("dialog")
    tiles = sheet.get_by_role("img", name=re.compile("^Tile"))
    expect(tiles).to_have_count(size)
    numbers = [int(str(tile.get_attribute("aria-label")).split()[-1]) for tile in tiles.all()]
    worms = sum(DELUXE_TILES[number] for number in numbers)
    expect(sheet.get_by_label(f"{worms} worms", exact=True)).to_be_visible()


def test_the_live_region_speaks(crowd: Crowd) -> None:
    ada = crowd.at_moment("classic")
    ada.page.locator("button.pick").first.click()
    expect(ada.page.get_by_role("log")).to_have_text(re.compile(r"^You keep .*: \d+\.$"))


def test_the_roll_button_says_how_many_dice_once(crowd: Crowd) -> None:
    ada = crowd.host(bots=["chick"], edition="classic", seats=2)
    ada.sit("Ada")
    ada.start()
    expect(ada.page.locator(".act .btn > span")).to_have_text("Roll 8 dice")


def test_a_title_without_room_is_out_of_sight(crowd: Crowd) -> None:
    page = crowd.at_moment("deluxe").page
    page.set_viewport_size({"width": 360, "height": 640})
    title, heading = (page.locator(place).bounding_box() for place in (".bar .title", ".bar h1"))
    assert title
    assert heading
    assert title["y"] >= heading["y"] + heading["height"]
