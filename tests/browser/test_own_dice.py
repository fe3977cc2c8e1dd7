"""Real dice at the table: what fell is tapped or typed, on one device and on two."""

from playwright.sync_api import expect

from tests.browser.people import Crowd, Person

#: Every failed attempt turns a tile, so 16 of them end a game of classic.
SHORT = {"flip_always": True}
TILES = 16


def tap(person: Person, faces: str) -> None:
    """Tap dice, face by face."""
    for face in faces:
        name = "worm" if face == "W" else face
        person.page.locator(".pad").get_by_role("button", name=name, exact=True).tap()


def fail_by_taps(person: Person) -> None:
    """A turn of eight ones, without a worm."""
    tap(person, "11111111")
    person.page.get_by_role("button", name="8 × 1").tap()


def test_a_whole_game_on_one_phone(crowd: Crowd) -> None:
    ada = crowd.host(
        "phone", bots=[], edition="classic", seats=2, options=SHORT, own_dice=True, first=0
    )
    ada.sit("Ada")
    ada.page.get_by_role("button", name="A second player on this device").first.tap()
    ada.start()
    act = ada.page.locator(".act")
    expect(act).to_contain_text("Roll 8 dice and enter what fell.")
    tap(ada, "113")
    ada.page.get_by_role("button", name="Remove the last die").tap()
    tap(ada, "2555WW")
    ada.page.get_by_role("button", name="Correct the roll").tap()  # that was wrong
    tap(ada, "112255WW")
    ada.page.get_by_role("button", name="2 × worm").tap()
    expect(act).to_contain_text("Roll 6 dice and enter what fell.")
    tap(ada, "WWWWWW")  # dead
    expect(act).to_contain_text("Roll 8 dice and enter what fell.")
    ada.page.get_by_role("button", name="Correct the roll").tap()
    expect(act).to_contain_text("Roll 6 dice and enter what fell.")
    tap(ada, "WWWWWW")
    for _ in range(TILES - 1):
        fail_by_taps(ada)
    expect(ada.page.locator(".end .acts")).to_be_visible()
    assert ada.troubles == []


def test_a_whole_game_on_two_devices_with_the_host_as_a_scribe(crowd: Crowd) -> None:
    ada = crowd.host(
        "mouse", bots=[], edition="classic", seats=2, options=SHORT, own_dice=True, first=0
    )
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1], "phone")
    ben.sit("Ben")
    expect(ada.page.locator(".places")).to_contain_text("Ben")
    ada.start()
    for turn in range(TILES // 2):
        expect(ben.page.locator(".pad")).to_have_count(0)  # it is not their turn
        ada.page.locator(".pad").wait_for()
        ada.page.keyboard.type("11111111")
        ada.page.get_by_role("button", name="8 × 1").click()
        ben.page.locator(".pad").wait_for()
        if turn % 2:
            fail_by_taps(ben)
        else:  # the host writes down what Ben rolled; Ben decides
            expect(ada.page.locator(".act")).to_contain_text("Roll 8 dice for Ben")
            ada.page.keyboard.type("11111111")
            ben.page.get_by_role("button", name="8 × 1").tap()
    for person in (ada, ben):
        expect(person.page.locator(".end .acts")).to_be_visible()
        assert person.troubles == []


def test_one_device_is_passed_around_with_real_dice(crowd: Crowd) -> None:
    ada = crowd.person("phone")
    ada.open("/")
    ada.page.get_by_role("button", name="Same device").tap()
    ada.page.get_by_role("switch", name="Own dice").tap()
    ada.page.get_by_role("button", name="Start").tap()
    expect(ada.page.locator(".pad button")).to_have_count(6)
