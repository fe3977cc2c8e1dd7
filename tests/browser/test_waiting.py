"""A bot that keeps people waiting: it is compiled once per installation."""

from time import monotonic

from tests.browser.people import PATIENCE, Crowd


def test_a_bot_that_takes_long_says_why(crowd: Crowd) -> None:
    """The bot takes three seconds for a move here, and the page's clock runs ahead meanwhile."""
    ada = crowd.host(bots=["rooster"], edition="classic", seats=2, pace=3000)
    ada.sit("Ada")
    ada.start()
    ada.page.clock.install()
    waits = ada.page.locator(".act .waits", has_text="is warming up (first move: up to 30 s)")
    deadline = monotonic() + PATIENCE / 1000
    while not waits.count():
        assert monotonic() < deadline, "the bot never kept anybody waiting"
        sight = ada.look()
        if sight.see in ("buttons", "dice", "question"):
            ada.play(sight)
        else:
            ada.page.clock.fast_forward(6000)
