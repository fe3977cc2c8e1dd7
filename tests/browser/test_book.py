"""A family book: two people and a rematch, on a desktop and a phone, from the first tap to the end."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import expect

from heckmeck.record import read_record
from tests.browser.people import Crowd, Person
from tests.browser.screens import show
from tests.server.client import Client


def play_out(url: str, table: str, *people: Person) -> None:
    """Play a whole game with the secrets of these people; their pages see it."""
    known = [person.page.evaluate("localStorage.getItem('heckmeck.tables')") for person in people]
    secrets = [secret for text in known for secret in re.findall(r'[\w-]{22,64}(?=")', text)]

    async def play() -> None:
        async with Client(url, table, secrets) as client:
            await client.do("start")
            await client.play_on()

    with ThreadPoolExecutor() as thread:  # this one has an event loop already
        thread.submit(asyncio.run, play()).result()


def test_two_people_keep_a_book(crowd: Crowd, tmp_path: Path) -> None:
    ada = crowd.host(bots=[], edition="junior", seats=2)
    table = ada.page.url.rpartition("/")[2]
    ada.sit("Ada")
    ben = crowd.guest(table, "phone")
    ben.sit("Ben")

    ada.press(ada.page.get_by_role("button", name="Family book"))
    sheet = ada.page.get_by_role("dialog", name="Family book")
    expect(sheet.get_by_role("button", name="Make the book")).to_be_disabled()
    sheet.get_by_label("Name of the book").fill("The Lovelaces")
    ada.press(sheet.get_by_role("button", name="Make the book"))
    expect(sheet).to_contain_text("kept in The Lovelaces.")
    link = sheet.get_by_role("textbox").input_value()
    show(ada.page, "book-keep", turn=0)
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    ada.page.keyboard.press("Escape")

    play_out(crowd.url, table, ada, ben)
    ben.press(ben.page.locator(".end").get_by_role("button", name="Family book"))
    expect(ben.page.get_by_role("dialog")).to_contain_text("Ask the others for its link")
    ben.page.keyboard.press("Escape")
    ada.press(ada.page.get_by_role("button", name=re.compile("^Rematch")))
    expect(ada.page.locator(".lobby")).to_be_visible()
    play_out(crowd.url, table, ada, ben)

    look_through(ben, link.removeprefix(crowd.url), tmp_path / "book.jsonl")
    ben.open("/")
    ben.press(ben.page.get_by_role("link", name="The Lovelaces"))
    ben.press(ben.page.get_by_role("button", name="Delete the book"))
    ben.press(ben.page.get_by_role("dialog").get_by_role("button", name="Delete the book"))
    expect(ben.page.get_by_role("link", name="The Lovelaces")).to_have_count(0)
    ada.open(link.removeprefix(crowd.url))
    expect(ada.page.get_by_role("heading", level=2)).to_have_text("This book cannot be opened")
    ada.troubles[:] = [each for each in ada.troubles if "404" not in each]


def look_through(ben: Person, path: str, file: Path) -> None:
    """Read the book, change a name, save it, and look at a game."""
    page = ben.page
    ben.open(path)
    expect(page.get_by_role("heading", level=1)).to_have_text("The Lovelaces")
    expect(page.locator(".choices [role=status]")).to_have_text("2 games")
    assert "#" not in page.url
    expect(page.locator(".form tbody th")).to_have_text(["Ada", "Ben"])
    expect(page.locator(".games li")).to_have_count(2)
    show(page, "book", whole=True)
    page.set_viewport_size({"width": 360, "height": 640})
    for table in page.locator(".scroll").all():
        wide = table.evaluate("it => it.scrollWidth - it.clientWidth")
        assert wide == 0, "standings, luck and skill fit on a phone"
    name = page.locator(".standings tbody th").first.bounding_box()
    assert name
    assert name["width"] > 95, "a name of twelve letters stays on its line"
    page.set_viewport_size({"width": 390, "height": 844})

    ben.press(page.get_by_text("This month"))
    expect(page.locator(".choices [role=status]")).to_have_text("2 games")
    page.get_by_label("Other name for Ben").fill("Benno")
    page.keyboard.press("Tab")
    expect(page.locator(".scroll").first.locator("tbody th")).to_contain_text(["Benno"])
    with page.expect_download() as saved:
        ben.press(page.get_by_role("button", name="Save all games as a file"))
    saved.value.save_as(file)
    lines = file.read_bytes().splitlines()
    assert [read_record(line).seats for line in lines] == [("Ada", "Benno")] * 2

    ben.press(page.get_by_role("button", name="Take this game out of the book").first)
    ben.press(
        page.get_by_role("dialog").get_by_role("button", name="Take this game out of the book")
    )
    expect(page.locator(".games li")).to_have_count(1)
    for said in ("1 game added.", "The book has all games of this file already."):
        page.get_by_label("Add games from a file").set_input_files(file)
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.locator(".games li")).to_have_count(2)
    other = file.with_suffix(".txt")
    other.write_text("no game")
    page.get_by_label("Add games from a file").set_input_files(other)
    expect(page.get_by_role("alert")).to_contain_text("This is not a file of finished games")
    ben.troubles[:] = [each for each in ben.troubles if "400" not in each]

    ben.press(page.locator(".honours a").first)
    expect(page.get_by_role("heading", level=1)).to_have_text("Review")
    expect(page.locator(".review svg").first).to_be_visible()
