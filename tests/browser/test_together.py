"""Several people: friends by link, one device for two, watching, rematch, seats that are taken."""

from time import monotonic

from playwright.sync_api import expect

from tests.browser.people import Crowd, Person


def turn_of(*people: Person) -> Person | None:
    """Whoever is asked to do something; nobody, when everybody sees the end."""
    deadline = monotonic() + 30
    while monotonic() < deadline:
        sights = [person.look().see for person in people]
        for person, see in zip(people, sights, strict=True):
            if see in ("buttons", "dice", "question"):
                return person
        if all(see == "end" for see in sights):
            return None
    raise AssertionError("nobody is asked anything")


def test_two_friends_and_somebody_who_watches(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="classic", seats=2)
    ada.sit("Ada")
    table = ada.page.url.rsplit("/", 1)[1]
    expect(ada.page.get_by_role("img", name="QR code")).to_be_visible()
    ben = crowd.guest(table, "phone")
    ben.sit("Ben")
    expect(ada.page.locator(".places")).to_contain_text("Ben")
    eve = crowd.guest(table)
    expect(eve.page.locator("main")).to_contain_text("All seats are taken")
    ada.start()
    for _ in range(8):
        mover = turn_of(ada, ben)
        assert mover is not None
        mover.play(mover.look())
    event = max(ada.look().event, ben.look().event)
    for person in (ada, ben, eve):
        person.wait_for_event_after(event - 1)
    expect(eve.page.locator(".bar")).to_contain_text("Watching")
    expect(eve.page.locator(".act button")).to_have_count(0)
    ada.page.locator(".side").get_by_role("button", name="Nice one!").click()
    expect(ben.page.locator(".seats .bubble")).to_have_text("Nice one!")


def test_four_friends_play_to_the_end(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="junior", seats=4)
    ada.sit("Ada")
    table = ada.page.url.rsplit("/", 1)[1]
    friends = [ada]
    for name in ("Ben", "Mia", "Otto"):
        friends.append(crowd.guest(table, "mouse" if name == "Mia" else "phone"))
        friends[-1].sit(name)
        expect(ada.page.locator(".places")).to_contain_text(name)
    ada.start()
    mover = turn_of(*friends)
    while mover is not None:
        mover.play(mover.look())
        mover = turn_of(mover, *friends)
    headlines = set()
    for friend, name in zip(friends, ("Ada", "Ben", "Mia", "Otto"), strict=True):
        expect(friend.page.locator(".end .acts")).to_be_visible()
        headline = friend.page.locator(".hero h2").inner_text()
        headlines.add(headline.replace("You win", f"{name} wins"))
    assert len(headlines - {"A shared win"}) <= 1, "everybody saw the same end"
    # A rematch keeps all four seated.
    ada.page.get_by_role("button", name="Rematch").click()
    for name in ("Ben", "Mia", "Otto"):
        expect(ada.page.locator(".places")).to_contain_text(name)


def test_two_players_share_a_device(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="junior", seats=2, first=None)
    ada.sit("Ada")
    ada.page.get_by_role("button", name="A second player on this device").click()
    expect(ada.page.locator(".places .own")).to_have_count(2)
    ada.page.get_by_label("Your name").last.fill("Ben")
    ada.page.keyboard.press("Enter")
    ada.start()
    seen = set()
    for _ in range(40):
        seen.add(ada.page.locator(".me h2").inner_text())
        if len(seen) == 2:
            break
        ada.play(ada.look())
    assert seen == {"Ada, your turn", "Ben, your turn"}


def test_one_seat_two_people(crowd: Crowd) -> None:
    made = crowd.table(bots=["chick"], edition="classic", seats=2)
    ada, ben = crowd.guest(made["id"]), crowd.guest(made["id"])
    for person, name in ((ada, "Ada"), (ben, "Ben")):
        person.page.get_by_label("Your name").fill(name)
    # Both ask before either has heard of the other.
    ben.page.context.set_offline(True)
    ada.page.get_by_role("button", name="Sit down").click()
    expect(ada.page.locator(".places .own")).to_be_visible()
    ben.page.context.set_offline(False)
    expect(ben.page.locator("main")).to_contain_text("All seats are taken")
    ben.troubles.clear()  # he had no network for a moment


def test_a_rematch_keeps_everybody_seated(crowd: Crowd) -> None:
    ada = crowd.late("junior")
    ada.play_to_the_end()
    ada.page.get_by_role("button", name="Rematch").click()
    expect(ada.page.locator(".grill")).to_be_visible()
    assert ada.look().see in ("buttons", "others")
    expect(ada.page.locator(".seats .seat")).to_contain_text("Ben")


def test_a_friend_who_leaves_is_seen_to_be_away(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="classic", seats=2)
    ada.sit("Ada")
    ben = crowd.guest(ada.page.url.rsplit("/", 1)[1])
    ben.sit("Ben")
    ada.start()
    ben.page.close()
    expect(ada.page.locator(".seats .seat.gone")).to_be_visible()


def test_the_host_sets_the_table(crowd: Crowd) -> None:
    ada = crowd.host(bots=[], edition="classic", seats=2)
    ada.sit("Ada")
    ada.page.get_by_role("radiogroup", name="Seats").or_(
        ada.page.get_by_role("group", name="Seats")
    ).get_by_text("3", exact=True).click()
    expect(ada.page.locator(".places li")).to_have_count(3)
    ada.page.get_by_label("Bot on seat 2").select_option("fox")
    expect(ada.page.locator(".places")).to_contain_text("Fox")
    ada.page.get_by_role("group", name="Game").get_by_text("Deluxe").click()
    expect(ada.page.locator("h1")).to_contain_text("Deluxe")
    ada.page.get_by_text("More settings").click()
    ada.page.get_by_label("Every failed attempt turns a tile").check()
    ada.page.get_by_label("Bot on seat 3").select_option("chick")
    ada.page.get_by_role("button", name="Remove Chick").click()
    # The last seat stays free: the host starts without it.
    ada.start()
    expect(ada.page.locator(".seats .seat")).to_have_count(1)


def test_a_player_is_offered_only_what_the_server_lets_them_do(crowd: Crowd) -> None:
    """At a public table the host alone chooses bots and their pace."""
    made = crowd.table(bots=["chick"], edition="classic", seats=3, public=True)
    ben = crowd.guest(made["id"])
    ben.sit("Ben")
    expect(ben.page.locator(".startbar")).not_to_contain_text("Start")
    expect(ben.page.get_by_label("Bot on seat 2")).to_have_count(0)
    ada = crowd.person()
    ada.hold(made["id"], made["secret"])
    ada.open(made["path"])
    expect(ada.page.get_by_label("Bot on seat 2")).to_be_visible()
    # With a free seat in the middle the host starts without it, or with another bot.
    expect(ada.page.locator(".startbar button")).to_have_count(2)
    ada.page.get_by_label("Bot on seat 2").select_option("chick")
    expect(ada.page.locator(".startbar button")).to_have_count(1)
    ada.start()
    for person, paces in ((ada, 1), (ben, 0)):
        person.page.get_by_role("button", name="Menu").click()
        expect(person.page.get_by_role("dialog", name="Menu")).to_be_visible()
        expect(person.page.get_by_role("group", name="Bot speed")).to_have_count(paces)
