"""Any position set up in the browser: refused in words, studied, played on, and found again."""

import re

from playwright.sync_api import expect

from tests.browser.pages import PATIENCE, open_review
from tests.browser.people import Crowd
from tests.browser.screens import show


def test_a_deluxe_position_is_set_up_by_touch(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/editor?edition=deluxe")
    page = ada.page
    where = page.get_by_role("group", name=re.compile("Where does the"))
    page.get_by_role("button", name=re.compile("^Tile 24,")).tap()
    where.get_by_role("button", name="Player 2").tap()
    expect(page.get_by_role("button", name="24: in Player 2’s stack")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Tile 36,")).tap()
    where.get_by_role("button", name="Face down").tap()
    page.get_by_role("combobox", name="Sitting hen").select_option("with Player 2")
    page.get_by_role("group", name="Kept").get_by_role("button", name=re.compile("Add: worm")).tap()
    expect(page).to_have_url(re.compile(r"/editor/deluxe_11c.*30-35~36_-_24~h_0~W$"))
    for _ in range(8):
        page.get_by_role("button", name="One more: Bratworms").first.tap()
    wrong = page.locator(".panel.wrong")
    expect(wrong).to_contain_text("There are 8 Bratworms, the box has 7.", timeout=PATIENCE)
    show(page, "editor-wrong", turn=0)
    page.get_by_role("button", name="Undo").last.tap()
    expect(wrong).to_have_count(0)
    expect(page.get_by_role("heading", name="Your choices")).to_be_visible(timeout=PATIENCE)
    page.get_by_text("Rooster", exact=True).tap()
    page.get_by_role("button", name="Play on", exact=True).tap()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.locator(".table")).to_contain_text("Rooster", timeout=PATIENCE)
    page.go_back()
    expect(page.get_by_role("button", name="24: in Player 2’s stack")).to_be_visible()


def test_a_barbecue_position_is_set_up_by_keyboard(crowd: Crowd) -> None:
    ada = crowd.person("keyboard")
    page = ada.page
    ada.open("/editor/barbecue_23p0.36s_1_0_0")
    spot = page.get_by_role("button", name=re.compile("^Spot 30,"))
    ada.press(spot)
    ada.press(page.get_by_role("button", name="Player 2: two plates"))
    expect(spot).to_be_focused()
    expect(spot).to_have_accessible_name("Spot 30, closed: two of Player 2’s plates")
    wrong = page.locator(".panel.wrong")
    said = "Player 2 has 0 worms, but the plates on the board brought 6."
    expect(wrong).to_contain_text(said, timeout=PATIENCE)
    for _ in range(6):
        ada.press(page.get_by_role("button", name="One more: Worms").nth(1))
    expect(wrong).to_have_count(0)
    text = page.get_by_role("textbox", name="As text", exact=True)
    expect(text).to_have_value("barbecue_23p0.30p11.36s_1_6_0")
    expect(page.locator(".chances li").first).to_be_visible(timeout=PATIENCE)
    show(page, "editor-barbecue", turn=1)
    page.reload()
    expect(text).to_have_value("barbecue_23p0.30p11.36s_1_6_0", timeout=PATIENCE)
    ada.press(page.get_by_role("textbox", name="A position as text"))
    page.keyboard.type("classic_21-36_24_-_0")
    page.keyboard.press("Enter")
    expect(wrong).to_contain_text("The 24 is in two places: on the grill and in the stack of")
    page.get_by_role("textbox", name="A position as text").fill("classic_21-x_-_-_0")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This text cannot be read: character 9 does not fit.")).to_be_visible()


def test_the_way_from_a_review_and_the_odds_and_back(crowd: Crowd) -> None:
    ada = crowd.person()
    page = ada.page
    open_review(ada, "deluxe")
    page.get_by_role("slider").focus()
    page.keyboard.press("PageDown")
    page.get_by_role("button", name="Table editor").click()
    expect(page).to_have_url(re.compile("/editor/deluxe_"))
    page.get_by_role("link", name="The odds of this turn").click()
    expect(page).to_have_url(re.compile("/odds"))
    page.get_by_role("button", name="Table editor").click(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("/editor/deluxe_"))
    page.go_back()
    expect(page).to_have_url(re.compile("/odds"))
